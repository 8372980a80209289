//! The example that people copy.

use abide::{Client, Outcome, Policy, ProductToken, Usage};
use abide_html::ResourceKind;

#[path = "../../examples/page_tags.rs"]
#[allow(dead_code, reason = "it is a program of its own")]
mod page_tags;

#[test]
fn all_sources_of_a_page_count() {
    let client = Client::new(ProductToken::new("ExampleBot").unwrap());
    let policy = Policy::compile(b"User-agent: *\nDisallow: /private\n", &client);
    let fields = b"HTTP/1.1 200 OK\r\nX-Robots-Tag: nofollow\r\n\r\n";
    let page = br#"<html><head><meta name="robots" content="noindex"></head></html>"#;
    let url = "https://e.example/";
    let answers = page_tags::answers(&policy, url, fields, page).unwrap();
    let of = |usage| {
        answers
            .iter()
            .find(|(one, _)| *one == usage)
            .map(|(_, outcome)| *outcome)
    };
    assert_eq!(of(Usage::Crawl), Some(Outcome::Permitted));
    assert_eq!(of(Usage::Index), Some(Outcome::Prohibited));
    assert_eq!(of(Usage::Follow), Some(Outcome::Prohibited));
}

/// What a browser loads, and what only looks like it.
#[test]
fn what_a_page_loads() {
    let page = b"<!-- <img src=1> --><base><base href=/b/><base href=/c/>\
        <title><img src=2></title><style>@import 'x.css'; <img src=3></style>\
        <LINK REL='alternate StyleSheet' HREF=' a.css '><link rel=icon href=4>\
        <noscript><link rel=stylesheet href=5></noscript><script>'<img src=6>'</script>\
        <template><img src=7><template><img src=8></template><img src=9></template>\
        <script src=app.js></script><script src=app.js></script><script src></script><script type=text/template src=12></script>\
        <body><img src='&#120;.png'><img data-src=10><textarea><img src=11></textarea>";
    let found = abide_html::resources(&[], page);
    assert_eq!(found.base.as_deref(), Some("/b/"));
    let urls: Vec<&str> = found.resources.iter().map(|one| &*one.url).collect();
    assert_eq!(urls, ["a.css", "app.js", "x.png"]);
}

/// What browsers choose from, and what they load before they need it.
#[test]
fn what_a_page_may_load() {
    let page = b"<img src=a srcset='b 1x,c 2x, d'><picture><source srcset=' e.png,, ,f (1,2) x,g,'></picture>\
        <video><source src=1></video><link rel=modulepreload href=h.js><link rel='preload x' as=Image href=i imagesrcset='j 1w'>\
        <link rel=preload as=style href=k><link rel=preload as=script href=l><link rel=preload as=font href=2>\
        <link as=script href=3><img srcset=,><img srcset='m (unclosed, n 1x'><img srcset='data:,x 1x, o'>";
    let found = abide_html::resources(&[], page);
    let of = |kind| {
        let own = found.resources.iter().filter(move |one| one.kind == kind);
        own.map(|one| &*one.url).collect::<Vec<_>>()
    };
    let images = [
        "a", "b", "c", "d", "e.png", "f", "g", "i", "j", "m", "data:,x", "o",
    ];
    assert_eq!(of(ResourceKind::Image), images);
    assert_eq!(of(ResourceKind::Script), ["h.js", "l"]);
    assert_eq!(of(ResourceKind::Style), ["k"]);
}
