//! Compares the scan with the full tree that html5ever builds, on pages whose structure misleads.

use abide::preference::LicenceLink;
use abide_html::{initial, rendered};
use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use proptest::prelude::*;
use proptest::sample::select;

/// What a head has, in order.
#[derive(Debug, Default, PartialEq)]
struct Head {
    /// Name and content of each meta element.
    metas: Vec<(String, String)>,
    licences: Vec<Licence>,
}

/// A licence, wherever it stands.
#[derive(Clone, Debug, PartialEq)]
enum Licence {
    Element(String),
    Inline(abide::preference::LicenceState),
}

/// The head of the parsed document, as seen by a client that does or does not run scripts.
fn in_head(page: &str, scripting: bool) -> Head {
    let opts = ParseOpts {
        tree_builder: TreeBuilderOpts {
            scripting_enabled: scripting,
            ..TreeBuilderOpts::default()
        },
        ..ParseOpts::default()
    };
    let dom = parse_document(RcDom::default(), opts).one(page);
    let mut found = Head::default();
    let html = child(&dom.document, "html");
    if let Some(head) = html.and_then(|html| child(&html, "head")) {
        walk(&head, &mut found);
    }
    found
}

fn child(node: &Handle, name: &str) -> Option<Handle> {
    node.children
        .borrow()
        .iter()
        .find(|child| is(child, name))
        .cloned()
}

fn is(node: &Handle, wanted: &str) -> bool {
    matches!(&node.data, NodeData::Element { name, .. } if &*name.local == wanted)
}

/// Walks depth first; the tree itself keeps the content of templates apart from children.
fn walk(node: &Handle, found: &mut Head) {
    if let NodeData::Element { name, attrs, .. } = &node.data {
        let attrs = attrs.borrow();
        let value = |wanted: &str| {
            attrs
                .iter()
                .find(|a| &*a.name.local == wanted)
                .map(|a| a.value.to_string())
        };
        let is_rsl = value("type").is_some_and(|kind| kind == "application/rsl+xml");
        match &*name.local {
            "meta" => found.metas.extend(value("name").zip(value("content"))),
            "link" if is_rsl && value("rel").is_some_and(|rel| rel == "license") => {
                found.licences.extend(value("href").map(Licence::Element));
            }
            "script" if is_rsl => {
                let children = node.children.borrow();
                let text = children.iter().map(|child| match &child.data {
                    NodeData::Text { contents } => contents.borrow().to_string(),
                    other => panic!("{other:?}"),
                });
                let document = abide_documents::rsl(text.collect::<String>().as_bytes());
                found.licences.push(Licence::Inline(document));
            }
            _ => {}
        }
    }
    for child in node.children.borrow().iter() {
        walk(child, found);
    }
}

fn pairs(metas: &[abide::tag::Meta]) -> Vec<(String, String)> {
    metas
        .iter()
        .map(|meta| (meta.name.clone(), meta.content.clone()))
        .collect()
}

fn without_offsets(licences: &[LicenceLink]) -> Vec<Licence> {
    let place = |link: &LicenceLink| match link {
        LicenceLink::Element { url, .. } => Licence::Element(url.clone()),
        LicenceLink::Inline { document, .. } => Licence::Inline(document.clone()),
    };
    licences.iter().map(place).collect()
}

/// Checks that `found` has what the tree has in either mode, and nothing else.
fn check_both<T: Clone + std::fmt::Debug + PartialEq>(
    page: &str,
    mut found: Vec<T>,
    mut off: Vec<T>,
    on: Vec<T>,
) {
    for one in on {
        if let Some(at) = off.iter().position(|other| *other == one) {
            // An element that both modes find counts once, because the scan lists it once.
            off.remove(at);
        }
        let at = found.iter().position(|other| *other == one);
        found.remove(at.unwrap_or_else(|| panic!("missed {one:?} in {page}")));
    }
    for one in off {
        let at = found.iter().position(|other| *other == one);
        found.remove(at.unwrap_or_else(|| panic!("missed {one:?} in {page}")));
    }
    assert!(found.is_empty(), "{found:?} is in no head of {page}");
}

/// Checks that the scan finds every element that the tree has in either mode, and no others.
fn check(page: &str) {
    let (off, on) = (in_head(page, false), in_head(page, true));
    let found = initial(page.as_bytes(), Some("utf-8"));
    check_both(page, pairs(&found.metas), off.metas, on.metas);
    let licences = without_offsets(&found.licences);
    check_both(page, licences, off.licences, on.licences);

    let (found, mut tree) = (rendered(page), in_head(page, true));
    tree.licences
        .retain(|licence| matches!(licence, Licence::Element(_)));
    assert_eq!(pairs(&found.metas), tree.metas, "{page}");
    assert_eq!(without_offsets(&found.licences), tree.licences, "{page}");
}

const PIECES: [&str; 54] = [
    "&amp",
    "&am",
    "&#60",
    "</>",
    "<!DOCTYPE html>",
    "<html>",
    "<head>",
    "</head>",
    "<body>",
    "</body>",
    "</html>",
    "<title>",
    "</title>",
    "<p>",
    "<div>",
    "</div>",
    "<br>",
    "</br>",
    "</p>",
    "text",
    " ",
    "\n",
    "<meta name=robots content=noindex>",
    "<META NAME='x' content=\"a, b\">",
    "<meta name=robots>",
    "<meta/name=y/content=z/>",
    "<noscript>",
    "</noscript>",
    "<img src=x>",
    "<script>",
    "</script>",
    "<style>",
    "</style>",
    "<template>",
    "</template>",
    "<!--",
    "-->",
    "<link rel=x>",
    "<base href=x>",
    "<noframes>",
    "</noframes>",
    "<meta name=q content='<b>' content=2>",
    "&#110;",
    "<",
    ">",
    "<frameset>",
    "<textarea>",
    "</textarea>",
    "\0",
    "<iframe>",
    "<link rel=license type=application/rsl+xml href=/l>",
    "<LINK type='application/rsl+xml' rel='license' href='/k'>",
    "<link rel=license type=text/html href=/l>",
    "<script type=application/rsl+xml><rsl xmlns='https://rslstandard.org/rsl'>\
     <content url='/s'><license/></content></rsl></script>",
];

/// The pieces as one page, in which no two elements have the same content: an element that only one
/// mode finds must not be taken for another that only the other mode finds.
fn page(pieces: &[&str]) -> String {
    let distinct = |(at, piece): (usize, &&str)| {
        let contents = [
            "content=noindex",
            "content=\"a, b",
            "content=z",
            "content='<b>",
            "href=/l",
            "href='/k",
            "url='/s",
        ];
        let own = contents.iter().find(|content| piece.contains(**content));
        own.map_or_else(
            || (*piece).to_owned(),
            |content| piece.replace(*content, &format!("{content}{at}")),
        )
    };
    pieces.iter().enumerate().map(distinct).collect()
}

/// What a random page once showed about this test: two elements, each found in one mode only.
#[test]
fn an_element_for_each_mode() {
    check("<noscript><meta name=robots content=a><body></noscript><meta name=robots content=b>");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn the_scan_finds_what_the_tree_has(pieces in prop::collection::vec(select(&PIECES[..]), 0..16)) {
        check(&page(&pieces));
    }

    #[test]
    fn any_bytes_are_a_page(page in prop::collection::vec(any::<u8>(), 0..300), charset in select(&["utf-8", "utf-16", "latin1", "nonsense", ""][..])) {
        let _ = initial(&page, Some(charset));
        let _ = initial(&page, None);
    }

    #[test]
    fn offsets_are_where_tags_begin(pieces in prop::collection::vec(select(&PIECES[..]), 0..16)) {
        let page = pieces.concat();
        let found = initial(page.as_bytes(), None);
        for link in found.licences.iter().chain(&found.scoped_licences) {
            let (tag, offset) = match link {
                LicenceLink::Element { offset, .. } => ("<link", offset),
                LicenceLink::Inline { offset, .. } => ("<script", offset),
            };
            let at = usize::try_from(*offset).unwrap();
            let begins = page[at..].to_ascii_lowercase();
            prop_assert!(begins.starts_with(tag), "{} at {at}", page);
        }
        for meta in found.metas.iter().chain(&found.outside) {
            let at = usize::try_from(meta.offset).unwrap();
            let tag = page[at..].to_ascii_lowercase();
            prop_assert!(tag.starts_with("<meta"), "{} at {at}", page);
        }
    }
}

#[test]
fn shapes_that_mislead() {
    for page in [
        "<!-- <META NAME=ROBOTS CONTENT=NOINDEX> -->",
        "<script>'<meta name=robots content=noindex>'</script>",
        "<style><meta name=robots content=noindex></style>",
        "<title><meta name=robots content=noindex></title>",
        "<textarea><meta name=robots content=noindex></textarea>",
        "<template><meta name=robots content=noindex></template><meta name=robots content=nosnippet>",
        "<svg><meta name=robots content=noindex></svg>",
        "<math><meta name=robots content=noindex></math>",
        "<iframe srcdoc='<meta name=robots content=noindex>'></iframe>",
        "<head></head><meta name=robots content=noindex>",
        "<body><meta name=robots content=noindex>",
        "text<meta name=robots content=noindex>",
        "<p><meta name=robots content=noindex>",
        "<head><div></div><meta name=robots content=noindex></head>",
        "<meta name='robots'content='noindex'/>",
        "<meta/name=robots/content=noindex>",
        "<meta content=noindex name=robots name=x>",
        "<meta name=robots content='no&#105;ndex'>",
        "<meta name=robots content='noindex&Tab;'>",
        "<noscript><meta name=robots content=noindex></noscript>",
        "<noscript><img src=x></noscript><meta name=robots content=noindex>",
        "<head><noscript><style>x</style></noscript><meta name=robots content=noindex>",
        "<title>x<meta name=robots content=noindex>",
        "<meta name=robots content='a<b' ><meta name=robots content=noindex",
    ] {
        check(page);
    }
}

/// Many robots.txt files are HTML pages: checks those files of the corpus that look like one.
#[test]
fn real_pages() {
    let files = abide_testkit::corpus::files();
    let is_there = !files.is_empty();
    let mut pages = 0;
    for (_, bytes) in files {
        let Ok(page) = String::from_utf8(bytes) else {
            continue;
        };
        let near = page
            .get(..page.len().min(200))
            .unwrap_or_default()
            .to_ascii_lowercase();
        if (near.contains("<!doctype") || near.contains("<html"))
            && page.len() < abide_html::MAX_BYTES
        {
            check(page.strip_prefix('\u{feff}').unwrap_or(&page));
            pages += 1;
        }
    }
    println!("{pages} real pages");
    assert!(pages > 0 || !is_there);
}

#[test]
fn a_meta_in_the_body_is_told_apart() {
    let page = initial(b"<p><meta name=robots content=noindex>", None);
    assert_eq!((page.metas.len(), page.outside.len()), (0, 1));
    assert_eq!(page.outside[0].offset, 3);
}

/// A character reference without its end, or a broken character, ends only when the next tag
/// begins. Such a tag seemed to begin at byte 0, and two of them were taken for one.
#[test]
fn tags_begin_behind_what_ends_there() {
    for before in [
        "&am",
        "&amp",
        "&#60",
        "</>",
        "<",
        "\u{7f}&",
        "<title>&amp</title>",
    ] {
        let page = format!("<body>{before}<meta name=a content=b>{before}<meta name=c content=d>");
        let offsets = |page: &abide_html::Page| -> Vec<u64> {
            page.outside.iter().map(|meta| meta.offset).collect()
        };
        let (first, tag) = (6 + before.len() as u64, 23);
        let expected = [first, first + tag + before.len() as u64];
        assert_eq!(offsets(&initial(page.as_bytes(), None)), expected, "{page}");
    }
    for (label, broken) in [("utf-8", 0xce), ("big5", 0x81), ("gb18030", 0xe3)] {
        let page = [b"<body>", &[broken][..], b"<meta name=a content=b>"].concat();
        let found = initial(&page, Some(label));
        assert_eq!(found.outside[0].offset, 7, "{label}");
    }
}

#[test]
fn encodings() {
    let text = "<title>ä</title><meta name=robots content=noindex>";
    let utf16: Vec<u8> = "\u{feff}"
        .encode_utf16()
        .chain(text.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    let page = initial(&utf16, None);
    assert_eq!(
        (page.metas[0].content.as_str(), page.metas[0].offset),
        ("noindex", 2 + 2 * 16)
    );
    // A page cannot declare UTF-16 in bytes that read as ASCII.
    let claims = b"<meta charset=utf-16><meta name=robots content=noindex>";
    assert_eq!(initial(claims, None).metas.len(), 1);
    let latin = b"<meta charset=iso-8859-1><meta name=robots content='noindex' title=\"\xE4\">";
    assert_eq!(initial(latin, None).metas[0].content, "noindex");
    // The charset of the response takes precedence: here an escape sequence hides the element.
    let hidden =
        b"\x1b$B<meta name=robots content=noindex>\x1b(B<meta name=robots content=nosnippet>";
    assert!(initial(hidden, Some("iso-2022-jp")).metas.len() < 2);
}

/// Hostile pages: the work is bounded, and everything within the bounds is found.
#[test]
fn m5_m06_m07_m10_large_pages() {
    let meta = "<meta name=robots content=noindex>";
    let padded = |size: usize| format!("<!--{}-->{meta}", "x".repeat(size));
    assert_eq!(initial(padded(511 << 10).as_bytes(), None).metas.len(), 1);
    let cut = initial(padded(513 << 10).as_bytes(), None);
    assert_eq!((cut.metas.len(), cut.truncated), (0, true));
    for page in [
        format!("{meta}{}", "<div>".repeat(100_000)),
        format!("{meta}{}", "<ul><li>".repeat(50_000)),
        format!(
            "{meta}{}{}{}",
            "<a>".repeat(40_000),
            "<i>".repeat(40_000),
            "</a>".repeat(40_000)
        ),
        format!("{meta}<!--{}", "x".repeat(2 << 20)),
        format!("{meta}<p {}", "a=b ".repeat(500_000)),
        format!("{meta}<p a=\"{}", "x".repeat(1 << 20)),
        format!("{meta}{}", "x".repeat(100 << 20)),
        format!("{meta}{}", "<".repeat(1 << 20)),
        format!("{meta}{}", "<template>".repeat(60_000)),
    ] {
        assert_eq!(initial(page.as_bytes(), None).metas.len(), 1, "{page:.60}");
    }
}
