//! Findings about `tdmrep.json`, licences and control tokens: which ones files and decisions give.

use abide::preference::rsl::{RslContent, RslDocument, RslLicence};
use abide::preference::tdmrep::{TdmrepFile, TdmrepRule};
use abide::preference::{
    ControlToken, Documents, LicenceLink, LicenceState, PreferenceProfile, TdmrepState, Vocabulary,
};
use abide::tag::{FieldLine, Meta, Response};
use abide::{Client, Code, Diagnostic, Policy, ProductToken, Robots, Span, Target, Usage};
use std::sync::Arc;

const URL: &str = "https://e.example/x";
const LICENCE: &str = "https://l.example/a.xml";

fn token(name: &str) -> ControlToken {
    ControlToken {
        token: ProductToken::new(name).unwrap(),
        usages: vec![Usage::Train],
    }
}

fn client(name: &str, vocabulary: Option<Vocabulary>) -> Client {
    Client::new(ProductToken::new(name).unwrap()).with_preferences(PreferenceProfile {
        vocabularies: vocabulary.map(|one| vec![one]),
        control_tokens: vec![token("Token")],
        ..PreferenceProfile::default()
    })
}

fn codes(found: &[Diagnostic]) -> Vec<String> {
    let one = |found: &Diagnostic| match found.line {
        Some(line) => format!("{line} {}", found.code),
        None => found.code.to_string(),
    };
    found.iter().map(one).collect()
}

/// Checks the findings about the lines of a file.
#[track_caller]
fn file(robots: &str, expected: &[&str]) {
    let found = Robots::parse(robots).diagnostics(&client("f", None));
    assert_eq!(codes(&found), expected, "{robots}");
    let silent = Client::new(ProductToken::new("f").unwrap());
    assert_eq!(Robots::parse(robots).diagnostics(&silent), [], "PREF-2");
}

/// Checks the findings of a decision.
#[track_caller]
fn decision(
    robots: &str,
    client: &Client,
    response: &Response,
    documents: &Documents,
    expected: &[&str],
) {
    let policy = Policy::compile(robots, client);
    let target = Target::new(URL).unwrap();
    let target = target.with_response(response).with_documents(documents);
    let found = policy.diagnostics_of(&policy.decide(&target));
    assert_eq!(codes(&found), expected, "{robots} {found:?}");
}

/// Checks the findings about fields, meta elements and a `tdmrep.json`.
#[track_caller]
fn tdm(state: Option<TdmrepState>, fields: &[(&str, &str)], metas: &[(&str, &str)], to: &[&str]) {
    let fields: Vec<_> = fields
        .iter()
        .map(|(name, value)| FieldLine::new(*name, *value))
        .collect();
    let meta = |(name, content): &(&str, &str)| Meta {
        name: (*name).into(),
        content: (*content).into(),
        offset: 0,
    };
    let metas: Vec<_> = metas.iter().map(meta).collect();
    let response = Response::new(&fields).with_source_metas(&metas);
    let documents = Documents::default();
    let documents = match state {
        Some(state) => documents.with_tdmrep(state),
        None => documents,
    };
    decision("", &client("f", None), &response, &documents, to);
}

fn reserved(is_reserved: bool) -> TdmrepState {
    let rule = TdmrepRule::new("/", is_reserved);
    TdmrepState::File(Arc::new(TdmrepFile::new(vec![Some(rule)])))
}

#[test]
fn pref_86_licences_that_are_no_full_url() {
    for value in [
        "/l.xml",
        "l.xml",
        "",
        "CC BY 4.0",
        "//l.example/a",
        "ftp://l.example/a",
    ] {
        file(&format!("License: {value}\n"), &["1 licence-not-absolute"]);
        let group = format!("User-agent: *\nLicense: {value}\nAllow: /\n");
        file(&group, &["2 licence-not-absolute"]);
    }
    file(&format!("License: {LICENCE} # why\n"), &[]);
}

#[test]
fn pref_87_licences_that_replace_global_ones() {
    let group = |global: &str, own: &str| {
        format!(
            "License: {global}\nUser-agent: a\nLicense: {own}\nLicense: {own}b\nAllow: /\nUser-agent: b\nLicense: {own}\n"
        )
    };
    let expected = ["3 licence-replaces-global", "7 licence-replaces-global"];
    file(&group(LICENCE, LICENCE), &expected);
    file(&group("/l.xml", LICENCE), &["1 licence-not-absolute"]);
    // A value that is no licence replaces none (CLA-PREF-8).
    let no_licence = [
        "3 licence-not-absolute",
        "4 licence-not-absolute",
        "7 licence-not-absolute",
    ];
    file(&group(LICENCE, "/own"), &no_licence);
}

#[test]
fn pref_124_delays_for_control_tokens() {
    file(
        "User-agent: token\nCrawl-delay: 9\nDisallow: /\n",
        &["2 token-never-fetches"],
    );
    file("User-agent: Token\nUser-agent: f\nCrawl-delay: 9\n", &[]);
    file(
        "User-agent: Token\nDisallow: /\nUser-agent: f\nCrawl-delay: 9\n",
        &[],
    );
    // Rules are what its group is for.
    file("User-agent: Token\nDisallow: /a\nAllow: /a/b\n", &[]);
}

#[test]
fn pref_124_a_control_token_as_the_client() {
    let (none, documents) = (Response::default(), Documents::default());
    let own = client("TOKEN", Some(Vocabulary::ControlToken));
    decision("", &own, &none, &documents, &["token-never-fetches"]);
    let closed = "User-agent: Token\nDisallow: /\n";
    decision(closed, &own, &none, &documents, &["token-never-fetches"]);
    let other = client("TOKEN", Some(Vocabulary::Rsl));
    decision(closed, &other, &none, &documents, &[]);
}

#[test]
fn pref_115_pref_122_what_decides_for_control_tokens() {
    let (none, documents) = (Response::default(), Documents::default());
    let robot = client("f", Some(Vocabulary::ControlToken));
    for (robots, expected) in [
        (
            "User-agent: *\nDisallow: /\n",
            &["2 control-token-by-star"][..],
        ),
        ("User-agent: *\nDisallow: /other\n", &[]),
        (
            "User-agent: f\nDisallow: /\nUser-agent: Token\nAllow: /\n",
            &["3 control-token-fetcher-closed"],
        ),
        (
            "User-agent: f\nDisallow: /\nUser-agent: Token\nDisallow: /\n",
            &[],
        ),
        (
            "User-agent: f\nDisallow: /other\nUser-agent: Token\nAllow: /\n",
            &[],
        ),
        ("User-agent: f\nDisallow: /\n", &[]),
    ] {
        decision(robots, &robot, &none, &documents, expected);
    }
}

#[test]
fn pref_77_places_that_contradict_each_other() {
    let zero = [("tdm-reservation", "0")];
    let one = [("TDM-Reservation", "1")];
    tdm(Some(reserved(true)), &zero, &[], &["tdmrep-superseded"]);
    tdm(Some(reserved(false)), &one, &[], &["tdmrep-superseded"]);
    tdm(Some(reserved(false)), &zero, &one, &["tdmrep-superseded"]);
    tdm(None, &one, &zero, &["tdmrep-superseded"]);
    tdm(Some(reserved(true)), &one, &one, &[]);
    tdm(Some(TdmrepState::NotKnown), &zero, &[], &[]);
}

#[test]
fn pref_68_pref_80_values_in_a_response() {
    tdm(
        None,
        &[("tdm-reservation", "yes")],
        &[("tdm-reservation", "")],
        &["tdmrep-value", "tdmrep-value"],
    );
    tdm(
        None,
        &[("tdm-policy", "https://p.example/")],
        &[],
        &["tdm-policy-with-zero"],
    );
    tdm(
        None,
        &[("tdm-reservation", "0")],
        &[("tdm-policy", "https://p.example/")],
        &["tdm-policy-with-zero"],
    );
    tdm(
        None,
        &[
            ("tdm-reservation", "1"),
            ("tdm-policy", "https://p.example/"),
        ],
        &[],
        &[],
    );
    tdm(
        Some(reserved(true)),
        &[("tdm-policy", "https://p.example/")],
        &[],
        &[],
    );
}

#[test]
fn pref_132_a_file_that_may_not_be_fetched() {
    let none = Response::default();
    let robots = "User-agent: *\nDisallow: /.well-known/\n";
    let named = client("f", Some(Vocabulary::Tdmrep));
    let unnamed = client("f", None);
    let nothing = Documents::default();
    let with = |state| Documents::default().with_tdmrep(state);
    decision(robots, &named, &none, &nothing, &["2 tdmrep-disallowed"]);
    // Nobody knows of a file that was not asked for (CLA-PREF-1).
    decision(robots, &unnamed, &none, &nothing, &[]);
    for state in [TdmrepState::NotKnown, reserved(true), TdmrepState::TooLarge] {
        decision(
            robots,
            &unnamed,
            &none,
            &with(state),
            &["2 tdmrep-disallowed"],
        );
    }
    decision(robots, &named, &none, &with(TdmrepState::Absent), &[]);
    let open = "User-agent: *\nDisallow: /.well-known/\nAllow: /.well-known/tdmrep.json\n";
    decision(open, &named, &none, &nothing, &[]);
}

/// A document with contents for these URLs.
fn document(urls: &[&str]) -> LicenceState {
    let content = |url: &&str| RslContent::new(*url, vec![RslLicence::default()]);
    let contents = urls.iter().map(content).collect();
    LicenceState::Read(Arc::new(RslDocument::new(contents)))
}

/// Checks the findings about a licence that robots.txt names.
#[track_caller]
fn site_licence(state: LicenceState, expected: &[&str]) {
    let robots = format!("License: {LICENCE}\n");
    let documents = Documents::default().with_licence(LICENCE, state);
    decision(
        &robots,
        &client("f", None),
        &Response::default(),
        &documents,
        expected,
    );
}

#[test]
fn pref_94_pref_95_pref_96_documents_of_robots_txt() {
    site_licence(LicenceState::Unreadable, &["1 licence-not-rsl"]);
    site_licence(LicenceState::NotKnown, &[]);
    for (urls, expected) in [
        (&["/"][..], &[][..]),
        (&["", "/"], &["1 rsl-empty-url"]),
        (
            &["https://o.example/", "https://e.example:8443/"],
            &["1 rsl-foreign-host"],
        ),
        (&["https://o.example/", "/a"], &[]),
        (&["https://o.example/", "https://E.example:443/a"], &[]),
    ] {
        site_licence(document(urls), expected);
    }
}

#[test]
fn pref_94_the_reason_comes_from_the_reader() {
    let reason = Diagnostic::new(Code::LicenceNotRsl, Some(3), Span::default(), "no root");
    let word = Diagnostic::new(Code::RslUnknownWord, Some(4), Span::default(), "a word");
    let robots = format!("License: {LICENCE}\n");
    let documents = Documents::default()
        .with_licence(LICENCE, LicenceState::Unreadable)
        .with_diagnostics(LICENCE, [reason, word]);
    let policy = Policy::compile(&robots, &client("f", None));
    let target = Target::new(URL).unwrap().with_documents(&documents);
    let found = policy.diagnostics_of(&policy.decide(&target));
    assert_eq!(codes(&found), ["rsl-unknown-word", "1 licence-not-rsl"]);
    assert_eq!(found[1].message, format!("{LICENCE}, line 3: no root"));
    // A client of other vocabularies gets nothing of it.
    let policy = Policy::compile(&robots, &client("f", Some(Vocabulary::Tdmrep)));
    assert_eq!(policy.diagnostics_of(&policy.decide(&target)), []);
}

#[test]
fn pref_89_pref_90_links_of_a_page() {
    let none = Documents::default();
    let client = client("f", Some(Vocabulary::Rsl));
    for (link, expected) in [
        (
            "<https://l.example/a.xml>; rel=license",
            &["licence-link-type"][..],
        ),
        (
            "</a.XML?x>; rel=license; type=\"text/xml\"",
            &["licence-link-type"],
        ),
        (
            "</a.xml>; rel=license; type=\"application/rsl+xml\"",
            &["licence-link-type"],
        ),
        (
            "<https://creativecommons.org/licenses/by/4.0/>; rel=license",
            &[],
        ),
        ("<https://l.example/a.xml>; rel=next", &[]),
        (
            "<https://l.example/a.xml>; rel=license; type=\"application/rsl+xml\"",
            &[],
        ),
    ] {
        let response = Response::new(&[FieldLine::new("Link", link)]);
        decision("", &client, &response, &none, expected);
    }
    let relative = LicenceLink::Element {
        url: "/a.xml".to_owned(),
        offset: 7,
    };
    let response = Response::default().with_licences([relative.clone()]);
    decision("", &client, &response, &none, &["licence-link-type"]);
    let response = Response::default().with_scoped_licences([relative]);
    decision("", &client, &response, &none, &["licence-scoped"]);
    let expected: [(&str, &[&str]); 3] = [
        ("https://l.example/a.xml#x", &["licence-link-type"]),
        ("/a.XML", &["licence-link-type"]),
        ("https://creativecommons.org/licenses/by/4.0/", &[]),
    ];
    for (url, expected) in expected {
        let response = Response::default().with_untyped_licences([url.to_owned()]);
        decision("", &client, &response, &none, expected);
    }
}
