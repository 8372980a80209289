//! Sitemaps: which URLs are read, with which lines, and what is refused.

use abide_documents::{MAX_SITEMAP_URLS, Sitemap, sitemap};
use proptest::prelude::*;

/// The URLs of pages and their lines.
fn pages(text: &str) -> Vec<(u64, String)> {
    listed(text.as_bytes())
}

fn listed(body: &[u8]) -> Vec<(u64, String)> {
    match sitemap(body).unwrap() {
        Sitemap::Pages(pages) => pages.into_iter().map(|one| (one.line, one.url)).collect(),
        other => panic!("{other:?}"),
    }
}

/// The error of a text.
fn refused(text: &str) -> String {
    sitemap(text.as_bytes()).unwrap_err().to_string()
}

const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

#[test]
fn only_the_pages_of_a_sitemap_are_its_urls() {
    let text = format!(
        "<?xml version='1.0'?>\n<!-- <url><loc>/no</loc></url> -->\n\
         <urlset xmlns='{NAMESPACE}' xmlns:image='i' xmlns:video='v' xmlns:xhtml='x'>\n\
         <url>\n <loc>\n  https://e.example/a?b=1&amp;c=&#50;\n </loc><lastmod>2026-01-01</lastmod>\n\
         <image:image><image:loc>https://e.example/i.png</image:loc><loc>/in-image</loc></image:image>\n\
         <video:video><video:content_loc>/v</video:content_loc><video:loc>/v</video:loc></video:video>\n\
         <image:loc>/i</image:loc><xhtml:link rel='alternate' href='/de'/>\n\
         </url><url><loc><![CDATA[https://e.example/b?x=1&y=2]]></loc></url>\n\
         <loc>/no-entry</loc><image:url><loc>/foreign</loc></image:url>\n\
         </urlset>"
    );
    assert_eq!(
        pages(&text),
        [
            (5, "https://e.example/a?b=1&c=2".to_owned()),
            (11, "https://e.example/b?x=1&y=2".to_owned())
        ]
    );
}

#[test]
fn any_namespace_and_prefix_is_that_of_a_sitemap() {
    for text in [
        "<urlset><url><loc>/a</loc></url></urlset>".to_owned(),
        format!("<urlset xmlns='{NAMESPACE}'><url><loc>/a</loc></url></urlset>"),
        format!("<s:urlset xmlns:s='{NAMESPACE}'><s:url><s:loc>/a</s:loc></s:url></s:urlset>"),
        format!("<s:urlset xmlns:s='{NAMESPACE}'><url xmlns='{NAMESPACE}'><loc>/a</loc></url></s:urlset>"),
        "<urlset xmlns='http://www.google.com/schemas/sitemap/0.84'><url><loc>/a</loc></url></urlset>"
            .to_owned(),
        "\u{feff}\n\n<?xml version='1.0'?><urlset><url><loc>/a</loc></url></urlset>".to_owned(),
    ] {
        let urls: Vec<_> = pages(&text).into_iter().map(|(_, url)| url).collect();
        assert_eq!(urls, ["/a"], "{text}");
    }
    let utf16 = "\u{feff}<urlset><url><loc>/ü</loc></url></urlset>".encode_utf16();
    let utf16: Vec<u8> = utf16.flat_map(u16::to_le_bytes).collect();
    assert_eq!(listed(&utf16), [(1, "/ü".to_owned())]);
}

/// An entry without a URL is not lost: its URL is empty, which is an error where it is used.
#[test]
fn entries_without_a_url_are_kept() {
    let text =
        "<urlset>\n<url/>\n<url><loc> </loc></url>\n<url><loc>/a</loc><loc>/b</loc></url></urlset>";
    let lines: Vec<_> = pages(text);
    let expected = [(2, ""), (3, ""), (4, "/a"), (4, "/b")];
    assert_eq!(lines, expected.map(|(line, url)| (line, url.to_owned())));
    assert_eq!(pages("<urlset/>"), []);
}

#[test]
fn an_index_lists_sitemaps() {
    let text = format!(
        "<sitemapindex xmlns='{NAMESPACE}'>\n<sitemap><loc>https://e.example/1.xml</loc></sitemap>\
         <url><loc>/page</loc></url></sitemapindex>"
    );
    let Sitemap::Index(sitemaps) = sitemap(text.as_bytes()).unwrap() else {
        panic!("{text}");
    };
    assert_eq!(sitemaps.len(), 1);
    assert_eq!(
        (sitemaps[0].line, &*sitemaps[0].url),
        (2, "https://e.example/1.xml")
    );
}

#[test]
fn what_cannot_be_read_is_refused_with_its_line() {
    let broken = "it is not well-formed XML from here on, or it is too large";
    for (text, line, reason) in [
        (
            "<urlset>\n<url><loc>/a</loc></url>\n<url><loc>/b</url></urlset>",
            3,
            broken,
        ),
        ("<urlset>\n<url><loc>/a?b&c</loc></url></urlset>", 2, broken),
        ("<urlset>\n<url><loc>/a</loc></url>\n", 3, broken),
        ("<urlset>\n<image:image/></urlset>", 2, broken),
        ("<urlset/>\n<urlset/>", 2, broken),
        ("<urlset>&bomb;</urlset>", 1, broken),
        (
            "<?xml version='1.0'?>\n<!DOCTYPE urlset [<!ENTITY a 'b'>]>\n<urlset/>",
            2,
            "it has a document type declaration, which abide does not read",
        ),
        ("<!DOCTYPE html><html></html>", 1, "this is a web page"),
        (
            " \n<rss/>",
            2,
            "expected a sitemap, whose root element is urlset or sitemapindex, not rss",
        ),
        (
            "<urlset>\n<url><loc>/a<b/></loc></url></urlset>",
            2,
            "a loc has an element in it",
        ),
        (
            "<urlset>\n\u{1}</urlset>",
            2,
            "it has a character that XML does not allow",
        ),
    ] {
        assert_eq!(refused(text), format!("line {line}: {reason}"), "{text}");
    }
    let bytes = b"<urlset>\n\n<url><loc>/\xff</loc></url></urlset>";
    assert_eq!(
        sitemap(bytes).unwrap_err().to_string(),
        "line 3: it is not UTF-8 from here on"
    );
    let deep = format!("<urlset>{}{}</urlset>", "<a>".repeat(40), "</a>".repeat(40));
    assert_eq!(refused(&deep), format!("line 1: {broken}"));
}

#[test]
fn a_sitemap_has_no_more_urls_than_the_protocol_allows() {
    let entry = "<url><loc>/a</loc><priority>1</priority></url>\n";
    let text = |entries: usize| format!("<urlset>\n{}</urlset>", entry.repeat(entries));
    assert_eq!(pages(&text(MAX_SITEMAP_URLS)).len(), MAX_SITEMAP_URLS);
    assert_eq!(
        refused(&text(MAX_SITEMAP_URLS + 1)),
        "line 50002: it has more than 50000 URLs, the most that a sitemap may have; split it"
    );
    let long = format!("<urlset>{}</urlset>", " ".repeat(50 << 20));
    assert_eq!(
        refused(&long),
        "line 1: it is longer than 52428800 bytes; split it"
    );
}

proptest! {
    /// Any URL comes back as it was written, with its line.
    #[test]
    fn urls_come_back(urls in prop::collection::vec("[ -~\u{a1}-\u{ff}]{0,20}", 0..8), breaks in 0_usize..3) {
        let escaped = |url: &str| url.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let mut text = "<urlset>".to_owned();
        let mut expected = Vec::new();
        let mut line = 1;
        for url in &urls {
            text.push_str(&"\n".repeat(breaks));
            line += breaks as u64;
            text.push_str(&format!("<url><loc>{}</loc></url>", escaped(url)));
            expected.push((line, url.trim_matches(' ').to_owned()));
        }
        text.push_str("</urlset>");
        prop_assert_eq!(pages(&text), expected);
    }

    /// No bytes end it, and what is cut is never read as if it were whole.
    #[test]
    fn cut_sitemaps_are_refused(cut in 0_usize..200, junk in prop::collection::vec(any::<u8>(), 0..60)) {
        let whole = format!("<urlset xmlns='{NAMESPACE}'>\n<url><loc>/a</loc></url>\n<url><loc>/b</loc></url>\n</urlset>");
        let cut = cut.min(whole.len() - 1);
        prop_assert!(sitemap(&whole.as_bytes()[..cut]).is_err());
        let mut bytes = whole.into_bytes();
        let end = (cut + junk.len()).min(bytes.len());
        bytes.splice(cut..end, junk);
        drop(sitemap(&bytes));
    }
}
