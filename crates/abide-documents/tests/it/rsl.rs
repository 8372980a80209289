//! RSL documents, by requirement.

use abide::preference::LicenceState;
use abide::preference::rsl::{RslContent, RslDocument, RslLicence};
use abide_documents::{MAX_RSL_BYTES, rsl};
use std::sync::Arc;

pub(crate) fn document(body: impl AsRef<[u8]>) -> Arc<RslDocument> {
    let body = body.as_ref();
    match rsl(body) {
        LicenceState::Read(document) => document,
        state => panic!("{state:?}: {:.200}", String::from_utf8_lossy(body)),
    }
}

pub(crate) fn is_unreadable(body: impl AsRef<[u8]>) -> bool {
    rsl(body.as_ref()) == LicenceState::Unreadable
}

/// A document with this in its root.
pub(crate) fn root(inner: &str) -> String {
    format!(r#"<rsl xmlns="https://rslstandard.org/rsl">{inner}</rsl>"#)
}

/// A document with this in its only licence.
pub(crate) fn licence(inner: &str) -> String {
    root(&format!(
        r#"<content url="/"><license>{inner}</license></content>"#
    ))
}

/// The only licence of a document with this in it.
fn read(inner: &str) -> RslLicence {
    document(licence(inner)).contents[0].licences[0].clone()
}

/// A licence that says nothing, as written.
fn silent(text: &str) -> RslLicence {
    let mut licence = RslLicence::default();
    text.clone_into(&mut licence.text);
    licence
}

const LICENCE: &str = "<license/>";

#[test]
fn pref_93_documents() {
    let inner = r#"<license><prohibits type="usage">ai-all</prohibits></license>"#;
    let found = document(root(&format!(
        "<content url=\"/\">{inner}<license/></content><content url='/a'><license></license></content>"
    )));
    let mut prohibits = silent(inner);
    prohibits.prohibits_usage = vec!["ai-all".to_owned()];
    assert_eq!(
        found.contents,
        [
            RslContent::new("/", vec![prohibits, silent("<license/>")]),
            RslContent::new("/a", vec![silent("<license></license>")]),
        ]
    );
}

#[test]
fn pref_93_any_prefix() {
    let inner = "<n:content url='/'><n:license><n:payment type='crawl'/></n:license></n:content>";
    let prefixed = format!("<n:rsl xmlns:n='https://rslstandard.org/rsl'>{inner}</n:rsl>");
    assert_eq!(document(prefixed).contents[0].licences[0].payments.len(), 1);
    let inside = "<r xmlns='x'><rsl xmlns='https://rslstandard.org/rsl'/></r>";
    assert!(is_unreadable(inside));
    // Each element has the namespace that is in force where it stands.
    let mixed = root(
        "<p:content xmlns:p='https://rslstandard.org/rsl' url='/'>\
         <license><p:payment/><payment xmlns='x'/></license></p:content>",
    );
    assert_eq!(document(mixed).contents[0].licences[0].payments, [None]);
    let by_reference = "<rsl xmlns='https://rslstandard.org/&#114;sl'><content url='/'><license/>\
                        </content></rsl>";
    assert_eq!(document(by_reference).contents.len(), 1);
}

#[test]
fn pref_94_unreadable_documents() {
    let unreadable = [
        String::new(),
        " ".to_owned(),
        "<rsl><content url='/'><license/></content></rsl>".to_owned(),
        "<rsl xmlns='https://rslstandard.org/rsl/'><content url='/'><license/></content></rsl>"
            .to_owned(),
        "<content xmlns='https://rslstandard.org/rsl' url='/'><license/></content>".to_owned(),
        root(""),
        root("<x:content xmlns:x='x' url='/'><license/></x:content>"),
        root("<content><license/></content>"),
        root("<content x:url='/' xmlns:x='https://rslstandard.org/rsl'><license/></content>"),
        root("<content url='/'/>"),
        root("<content url='/'><license/></content><content url='/b'></content>"),
        licence("<permit type='usage'>all</permit>"),
        licence("<Permits type='usage'>all</Permits>"),
        // Unknown elements count in those that are known and skipped, too.
        licence("<legal><clause/></legal>"),
        licence("<payment><price/></payment>"),
        licence("<permits type='usage'>all<but/></permits>"),
        // What decides something does so in its place only.
        root("<license/><content url='/'><license/></content>"),
        root("<content url='/'><license/><prohibits type='usage'>all</prohibits></content>"),
        licence("<content url='/'><license/></content>"),
        licence("<terms><prohibits type='usage'>all</prohibits></terms>"),
        licence("<rsl/>"),
    ];
    for text in unreadable {
        assert!(is_unreadable(&text), "{text}");
    }
    // A list of an unknown type is no place for elements that decide something either.
    assert!(is_unreadable(licence(
        "<permits type='place'><license/></permits>"
    )));
    assert!(is_unreadable(licence(
        "<permits type='usage'>all</permits><note><payment/></note>"
    )));
    let two = licence("<permits type='geo'/><prohibits type='geo'/><permits type='user'/>");
    assert_eq!(document(two).contents.len(), 1);
    // Lists of different licences have nothing to do with each other.
    let list = "<license><permits type='usage'>search</permits></license>";
    let found = document(root(&format!("<content url='/'>{list}{list}</content>")));
    assert_eq!(found.contents[0].licences.len(), 2);
}

#[test]
fn cla_pref_19_repeated_lists_are_one() {
    let found = read(
        "<permits type='usage'>search</permits><prohibits type='usage'>a</prohibits>\
         <permits type='usage'>ai-input</permits><prohibits type='usage'>b</prohibits>",
    );
    assert_eq!(found.permits_usage.unwrap(), ["search", "ai-input"]);
    assert_eq!(found.prohibits_usage, ["a", "b"]);
}

#[test]
fn cla_pref_19_unknown_types_say_nothing_and_close_the_list() {
    for kind in ["", " type=''", " type='Usage'", " type='search'"] {
        let found = read(&format!("<permits{kind}>all</permits>"));
        assert_eq!(found.permits_usage, Some(Vec::new()), "{kind}");
        assert!(found.has_unread_permits, "{kind}");
        let found = read(&format!("<prohibits{kind}>all</prohibits>"));
        assert_eq!(found, silent(&found.text), "{kind}");
    }
    let found = read("<permits type='x'>a</permits><permits type='usage'>search</permits>");
    assert_eq!(found.permits_usage.unwrap(), ["search"]);
}

#[test]
fn cla_pref_19_unknown_elements_are_skipped() {
    let list = "<permits type='usage'>search</permits>";
    let noted = format!("<by><name>n</name>{}</by>{list}<z/>", "<terms>t</terms>");
    let found = document(root(&format!(
        "<meta><by/></meta><content url='/'><about>x</about><license>{noted}</license></content>"
    )));
    let licence = &found.contents[0].licences[0];
    assert_eq!(licence.permits_usage.as_deref().unwrap(), ["search"]);
    assert!(is_unreadable(root(&format!(
        "<meta/><content url='/'><license><by/></license><license>{list}</license></content>"
    ))));
}

#[test]
fn pref_95_pref_96_urls() {
    let url = |value: &str| {
        let text = root(&format!("<content url=\"{value}\">{LICENCE}</content>"));
        document(text).contents[0].url.clone()
    };
    assert_eq!(
        url("https://e.example/a/*?b=1&amp;c=2"),
        "https://e.example/a/*?b=1&c=2"
    );
    assert_eq!(url(""), "");
    assert_eq!(url("\n/a&#x2F;b "), "/a/b");
}

#[test]
fn pref_97_pref_98_lists_of_usages() {
    let found = read("<permits type='usage'> Search\n\tAI-Input </permits>");
    assert_eq!(found.permits_usage.unwrap(), ["search", "ai-input"]);
    assert_eq!(
        read("<permits type='usage'/>").permits_usage,
        Some(Vec::new())
    );
    assert_eq!(
        read("<permits type='user'>all</permits>").permits_usage,
        None
    );
}

#[test]
fn pref_102_cla_pref_7_cla_pref_20_conditions() {
    let text = "<content url=\"/\" server=\"https://s.example\"><license>\
         <permits type=\"user\">education Commercial</permits><prohibits type='user'>x</prohibits>\
         <permits type='geo'>eu</permits><prohibits type='geo'>US DE</prohibits>\
         <payment type=\"attribution\"/><payment/><payment type=' '><amount currency='USD'>1</amount>\
         <standard>s</standard><custom>c</custom><accepts type='t'>a</accepts></payment>\
         <reporting type='telemetry' profile='p'><![CDATA[{\"<x>\": 1}]]></reporting><reporting/>\
         </license></content>";
    let found = document(root(text));
    let content = &found.contents[0];
    let licence = &content.licences[0];
    assert_eq!(content.server.as_deref(), Some("https://s.example"));
    assert_eq!(licence.permits_user, ["education", "commercial"]);
    assert_eq!(licence.prohibits_user, ["x"]);
    assert_eq!(licence.permits_geo, ["EU"]);
    assert_eq!(licence.prohibits_geo, ["US", "DE"]);
    assert_eq!(
        licence.payments,
        [Some("attribution".to_owned()), None, None]
    );
    assert_eq!(licence.reporting, ["telemetry", "custom"]);
}

#[test]
fn pref_104_words() {
    let words =
        |text: &str| read(&format!("<prohibits type='usage'>{text}</prohibits>")).prohibits_usage;
    assert_eq!(words("ai-train,ai-input"), ["ai-train", "ai-input"]);
    assert_eq!(words(",, ai-train ,\r\nx:robot,"), ["ai-train", "x:robot"]);
    assert_eq!(words("ai<!-- a, b --><?p q?>-train"), ["ai-train"]);
    assert_eq!(words("ai&#45;&#x74;rain&#32;&lt;"), ["ai-train", "<"]);
    assert_eq!(words("<![CDATA[ai]]>-all"), ["ai-all"]);
    assert_eq!(
        words("ai-all<n xmlns='x'>search<m/></n>ai-input"),
        ["ai-all", "ai-input"]
    );
    assert_eq!(words("a<terms>b</terms>c"), ["a", "c"]);
    // Only white space of XML separates.
    assert_eq!(words("a\u{a0}b"), ["a\u{a0}b"]);
}

#[test]
fn pref_106_what_is_not_read_changes_nothing() {
    let mut bare = read("<prohibits type='usage'>all</prohibits>");
    let found = document(root(
        "<x:head xmlns:x='x'><license/><content/><unknown/></x:head>text\
         <content url='/' encrypted='true' lastmod='2026-01-01' x:url='/b' xmlns:x='x'>\
         <schema type='application/ld+json'><![CDATA[{}]]></schema><copyright/><terms>t</terms>\
         <alternate type='text/markdown'>/a.md</alternate><x:note/>\
         <license><legal type='warranty'>ownership</legal><x:note><permits xmlns=\
         'https://rslstandard.org/rsl' type='usage'>all</permits></x:note>\
         <prohibits type='usage'>all</prohibits></license></content>",
    ));
    let licence = &found.contents[0].licences[0];
    bare.text.clone_from(&licence.text);
    assert_eq!(*licence, bare);
    assert_eq!((found.contents.len(), &*found.contents[0].url), (1, "/"));
}

#[test]
fn pref_107_max_age() {
    let days = |of_root: &str, of_content: &str| {
        let found = document(format!(
            "<rsl xmlns='https://rslstandard.org/rsl'{of_root}>\
             <content url='/'{of_content}>{LICENCE}</content></rsl>"
        ));
        found.contents[0].max_age
    };
    assert_eq!(days("", ""), None);
    assert_eq!(days(" max-age='7'", ""), Some(7));
    assert_eq!(days("", " max-age=' 3 '"), Some(3));
    assert_eq!(days(" max-age='7'", " max-age='9'"), Some(7));
    for no_number in ["", "-1", "+1", "1.5", "P1D", "99999999999999999999"] {
        assert_eq!(
            days(&format!(" max-age='{no_number}'"), ""),
            None,
            "{no_number}"
        );
    }
}

#[test]
fn pref_108_encodings() {
    let text = licence("<prohibits type='usage'>ä</prohibits>");
    let expected = document(&text);
    assert_eq!(document(format!("\u{feff}{text}")), expected);
    let units = || "\u{feff}".encode_utf16().chain(text.encode_utf16());
    let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
    assert_eq!(document(&little), expected);
    assert_eq!(document(&big), expected);
    // Half a character, a lone surrogate, UTF-16 without a mark, Latin-1.
    assert!(is_unreadable(&little[..little.len() - 1]));
    assert!(is_unreadable([&little[..], &[0, 0xD8]].concat()));
    assert!(is_unreadable(&little[2..]));
    assert!(is_unreadable([text.as_bytes(), b"<!-- \xE4 -->"].concat()));
    // The bytes decide, whatever the declaration says.
    let declared = |encoding: &str| format!("<?xml version='1.0' encoding='{encoding}'?>{text}");
    assert_eq!(document(declared("UTF-16")), expected);
    assert_eq!(document(declared("ISO-8859-1")), expected);
}

#[test]
fn pref_108_limits() {
    let padded = |size: usize| {
        let text = licence("");
        format!("{text}{}", " ".repeat(size - text.len()))
    };
    assert!(!is_unreadable(padded(MAX_RSL_BYTES)));
    assert!(is_unreadable(padded(MAX_RSL_BYTES + 1)));

    let deep = |depth: usize| {
        root(&format!(
            "<content url='/'>{LICENCE}</content>{}{}",
            "<x:a xmlns:x='x'>".repeat(depth - 1),
            "</x:a>".repeat(depth - 1)
        ))
    };
    assert!(!is_unreadable(deep(32)));
    assert!(is_unreadable(deep(33)));

    let elements = |count: usize| {
        root(&format!(
            "<content url='/'>{LICENCE}{}</content>",
            "<terms/>".repeat(count - 3)
        ))
    };
    assert!(!is_unreadable(elements(10_000)));
    assert!(is_unreadable(elements(10_001)));

    let contents = |count: usize| root(&"<content url='/'><license/></content>".repeat(count));
    assert_eq!(document(contents(1_024)).contents.len(), 1_024);
    assert!(is_unreadable(contents(1_025)));

    let attributes = |count: usize| {
        let more: String = (1..count).map(|number| format!(" a{number}=''")).collect();
        root(&format!("<content url='/'{more}>{LICENCE}</content>"))
    };
    assert!(!is_unreadable(attributes(64)));
    assert!(is_unreadable(attributes(65)));
}

#[test]
fn pref_108_hostile_documents() {
    let entities: String = (1..10)
        .map(|level| {
            format!(
                "<!ENTITY l{level} \"{}\">",
                format!("&l{};", level - 1).repeat(10)
            )
        })
        .collect();
    let laughs = format!(
        "<!DOCTYPE rsl [<!ENTITY l0 \"lol\">{entities}]>{}",
        licence("&l9;")
    );
    let external = format!(
        "<!DOCTYPE rsl [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>{}",
        licence("&x;")
    );
    let hostile = [
        laughs,
        external,
        format!("<!DOCTYPE rsl>{}", licence("")),
        format!("<!doctype rsl>{}", licence("")),
        format!(
            "<!DOCTYPE rsl SYSTEM 'https://e.example/rsl.dtd'>{}",
            licence("")
        ),
        licence("<permits type='usage'>&lol;</permits>"),
        licence("<terms a='&lol;'/>"),
        root(&"<a>".repeat(1_000_000)),
        "<a>".repeat(150_000),
        "<a ".repeat(150_000),
        "<!--".repeat(120_000),
        "<![CDATA[".repeat(50_000),
        "&".repeat(500_000),
        format!("<a {}/>", "b='' ".repeat(100_000)),
        format!(
            "<rsl xmlns='https://rslstandard.org/rsl' x='{}'/>",
            "&amp;".repeat(100_000)
        ),
    ];
    for text in hostile {
        assert!(is_unreadable(&text), "{text:.100}");
    }
    // Namespaces with long names, compared for many attributes.
    let long = "n".repeat(180_000);
    let attributes: String = (0..60).map(|number| format!(" x:a{number}=''")).collect();
    let note = format!("<x:n{attributes}/>").repeat(200);
    let text = root(&format!(
        "<content xmlns:x='{long}' xmlns:y='{long}' url='/'>{LICENCE}{note}</content>"
    ));
    assert!(!is_unreadable(text));
}
