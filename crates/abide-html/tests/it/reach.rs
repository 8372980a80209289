//! A page is read only as far as something can be found. One in UTF-16 is always read whole, and
//! twice, so the same page in another encoding must have the same elements.

use abide::preference::LicenceLink;
use abide_html::{Page, initial, rendered};
use abide_testkit::work::Work;
use encoding_rs::Encoding;
use proptest::prelude::*;
use proptest::sample::select;

/// What each byte at which a tag begins becomes.
fn with_offsets(mut page: Page, offset: &dyn Fn(u64) -> u64) -> Page {
    for metas in [&mut page.metas, &mut page.outside, &mut page.http_equivs] {
        for meta in metas {
            meta.offset = offset(meta.offset);
        }
    }
    for licences in [&mut page.licences, &mut page.scoped_licences] {
        for licence in licences {
            match licence {
                LicenceLink::Element { offset: at, .. }
                | LicenceLink::Inline { offset: at, .. } => *at = offset(*at),
            }
        }
    }
    page
}

fn read_whole(text: &str) -> Page {
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    initial(&wide, Some("utf-16le"))
}

fn check(text: &str) -> Page {
    let found = initial(text.as_bytes(), Some("utf-8"));
    let in_utf16 = |at: u64| {
        let before = &text[..usize::try_from(at).unwrap()];
        before.encode_utf16().count() as u64 * 2
    };
    let expected = read_whole(text);
    assert_eq!(with_offsets(found.clone(), &in_utf16), expected, "{text:?}");
    // Scripts have run: nothing in a `noscript` is in either reading then.
    if !text.to_ascii_lowercase().contains("<noscript") {
        let (mut found, mut expected) = (rendered(text), found.clone());
        for licences in [&mut expected.licences, &mut expected.scoped_licences] {
            licences.retain(|one| matches!(one, LicenceLink::Element { .. }));
        }
        found.licences.sort_by_key(|one| format!("{one:?}"));
        expected.licences.sort_by_key(|one| format!("{one:?}"));
        assert_eq!(found, expected, "{text:?}");
    }
    found
}

/// Bytes of another encoding, of which offsets are not compared.
fn check_bytes(bytes: &[u8], label: &str) {
    let encoding = Encoding::for_label(label.as_bytes()).unwrap();
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    let without = |page| with_offsets(page, &|_| 0);
    // A byte order mark says another encoding.
    if Encoding::for_bom(bytes).is_none() && !text.starts_with('\u{feff}') {
        let found = without(initial(bytes, Some(label)));
        assert_eq!(found, without(read_whole(&text)), "{label}: {bytes:?}");
    }
}

const PIECES: [&str; 71] = [
    "<!DOCTYPE html>",
    "<html>",
    "<head>",
    "</head>",
    "<body>",
    "<title>",
    "</title>",
    "<p>",
    "<p a=\"",
    "<p a='",
    "</br>",
    "text",
    " ",
    "\r",
    "\0",
    "ä",
    "\u{10000}",
    "\"",
    "'",
    "=",
    "/",
    "<",
    ">",
    "&",
    "&amp",
    "&am",
    "&lt",
    "&#60",
    "</>",
    "</ ",
    "<!--",
    "-->",
    "--!>",
    "<![CDATA[",
    "]]>",
    "<?",
    "<meta",
    "<META ",
    "<meta\r",
    "<meta/",
    "<meta\0 name=robots content=a>",
    "<me\0ta name=robots content=a>",
    "<\0meta name=robots content=a>",
    "<\nmeta name=robots content=a>",
    "<meta na\0me=robots content=a>",
    "<MeTa NaMe=ROBOTS CoNtEnT=b>",
    "<meta/name=robots/content=c/>",
    "<meta =name=robots content=d>",
    "<meta a='>' name=robots content=e>",
    "<meta a=\"<meta name=x content=y>\" name=robots content=f>",
    "<meta name=r&#111;bots content='&#110;oindex'>",
    "<meta http-equiv=x content=y>",
    "<meta PROPERTY=robots content=g>",
    "<meta Robots=h>",
    "<meta itemprop=name content=i>",
    "<meta charset=utf-8>",
    "<noscript>",
    "</noscript>",
    "<NoScript/>",
    "<img src=x>",
    "<script>",
    "</script>",
    "<script src='/a?b&c'>",
    "<style>",
    "</style>",
    "<template>",
    "</template>",
    "<LINK REL=LICENSE TYPE=application/rsl+xml HREF=/j>",
    "<link rel=lic&#101;nse type=application/r&#115;l+xml href=/k>",
    "<link rel=license href=/l>",
    "<script type='application/r&#x73;l+xml'><rsl/>",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 6000, ..ProptestConfig::default() })]

    #[test]
    fn what_is_not_read_has_nothing(pieces in prop::collection::vec(select(&PIECES[..]), 0..14)) {
        check(&pieces.concat());
    }

    /// Most of a page is behind a head that is closed.
    #[test]
    fn what_is_not_read_of_a_body_has_nothing(pieces in prop::collection::vec(select(&PIECES[..]), 0..8)) {
        check(&format!("<head><meta name=robots content=noindex></head><body>{}</body>", pieces.concat()));
    }

    #[test]
    fn other_encodings(
        pieces in prop::collection::vec(prop_oneof![
            3 => select(&PIECES[..]).prop_map(|piece| piece.as_bytes().to_vec()),
            1 => prop::collection::vec(any::<u8>(), 1..4),
        ], 0..10),
        label in select(&["utf-8", "windows-1252", "shift_jis", "euc-jp", "gbk", "gb18030", "big5",
            "euc-kr", "macintosh", "x-user-defined", "iso-2022-jp", "iso-8859-8"][..]),
    ) {
        check_bytes(&pieces.concat(), label);
    }
}

/// Each with the number of metas, in the head and outside, and of licences.
#[test]
fn tags_that_are_hard_to_see() {
    for (page, expected) in [
        ("<MeTa NaMe=robots CONTENT=noindex>", (1, 0, 0)),
        ("<meta\0 name=robots content=noindex>", (0, 0, 0)),
        ("<meta na&#109;e=robots content=noindex>", (0, 0, 0)),
        (
            "<meta x='<meta name=robots content=a>' name=robots content=b>",
            (1, 0, 0),
        ),
        (
            "<p a=\"><meta name=robots content=a>\"><meta name=robots content=b>",
            (0, 1, 0),
        ),
        (
            "<link rel=l&#105;cense type=application/rs&#108;+xml href=/x>",
            (0, 0, 1),
        ),
        ("<script type=application/rs&#108;+xml></script>", (0, 0, 1)),
        (
            "<noscript><img></noscript><meta name=robots content=noindex>",
            (1, 0, 0),
        ),
        ("<meta name=robots content=noindex", (0, 0, 0)),
        ("<p><meta itemprop=price content=1>", (0, 0, 0)),
    ] {
        let found = check(page);
        let counts = (found.metas.len(), found.outside.len(), found.licences.len());
        assert_eq!(counts, expected, "{page}");
    }
}

#[test]
fn real_pages_too() {
    let files = abide_testkit::corpus::files();
    let is_there = !files.is_empty();
    let mut pages = 0;
    for (_, bytes) in files {
        let Ok(page) = str::from_utf8(&bytes) else {
            continue;
        };
        // In UTF-16 it is up to twice as long, and must not be cut.
        if page.contains("</") && page.len() < abide_html::MAX_BYTES / 2 {
            check(page.strip_prefix('\u{feff}').unwrap_or(page));
            pages += 1;
        }
    }
    assert!(pages > 0 || !is_there);
}

/// Tags that seem to begin within each other: the work stays bounded.
#[test]
fn m5_tags_within_tags() {
    for unit in [
        "<meta ",
        "<meta a=",
        "<meta a=\"",
        "<link a='x",
        "<script \"",
    ] {
        let work = Work::begin();
        let page = format!(
            "<meta name=robots content=noindex>{}",
            unit.repeat(512 << 10)
        );
        assert_eq!(initial(page.as_bytes(), None).metas.len(), 1, "{unit}");
        let took = work.took();
        assert!(took.as_secs() < 20, "{unit}: {took:?}");
    }
}
