//! The licences that pages name or contain, by requirement.

use abide::preference::{LicenceLink, LicenceState, PreferenceProfile};
use abide::{Client, Outcome, Policy, ProductToken, Target, Usage};
use abide_html::{MAX_BYTES, initial, rendered, response};

fn element(url: &str, offset: u64) -> LicenceLink {
    LicenceLink::Element {
        url: url.to_owned(),
        offset,
    }
}

/// A script that prohibits AI training.
fn script(attributes: &str) -> String {
    format!(
        "<script {attributes}><rsl xmlns=\"https://rslstandard.org/rsl\"><content url=\"\"><license>\
         <prohibits type=\"usage\">ai-train</prohibits></license></content></rsl></script>"
    )
}

fn rsl_script() -> String {
    script("type=application/rsl+xml")
}

/// The states of the documents that scripts contain.
fn documents(licences: &[LicenceLink]) -> Vec<bool> {
    let inline = licences.iter().filter_map(|link| match link {
        LicenceLink::Inline { document, .. } => Some(matches!(document, LicenceState::Read(_))),
        LicenceLink::Element { .. } => None,
    });
    inline.collect()
}

#[test]
fn pref_90_links_in_the_head() {
    let counts = [
        "<link rel=license type=application/rsl+xml href=/a>",
        "<LINK REL='x LICENSE\ny' TYPE=' Application/RSL+XML ' HREF=/a>",
        "<link href='/&#97;' type=application/rsl+xml rel=license />",
        "<link href=' /a\n' type=application/rsl+xml rel=license>",
    ];
    for page in counts {
        assert_eq!(
            initial(page.as_bytes(), None).licences,
            [element("/a", 0)],
            "{page}"
        );
    }
    let others = [
        "<link rel=licence type=application/rsl+xml href=/a>",
        "<link rel=license-x type=application/rsl+xml href=/a>",
        "<link rel=license href=/a>",
        "<link rel=license type=application/xml href=/a>",
        "<link rel=license type=application/rsl+xml>",
        "<a rel=license type=application/rsl+xml href=/a>",
        "<template><link rel=license type=application/rsl+xml href=/a></template>",
        "<!-- <link rel=license type=application/rsl+xml href=/a> -->",
    ];
    for page in others {
        let found = initial(page.as_bytes(), None);
        assert!(
            found.licences.is_empty() && found.scoped_licences.is_empty(),
            "{page}"
        );
    }
}

#[test]
fn pref_90_links_of_other_types_do_not_count() {
    let page = "<noscript><link rel=license href=/a.xml></noscript>\
                <link rel='x License' type=text/xml href='/b.xml'>\
                <link rel=license type=application/rsl+xml href=/c.xml>\
                <link rel=next href=/d.xml><link rel=license>\
                <template><link rel=license href=/e.xml></template>\
                <p><link rel=license href=/f.xml>";
    let found = initial(page.as_bytes(), None);
    assert_eq!(found.untyped_licences, ["/a.xml", "/b.xml"]);
    // With scripts, the content of a `noscript` is text.
    assert_eq!(rendered(page).untyped_licences, ["/b.xml"]);
    let of_page = |page: &str| {
        let client = Client::new(ProductToken::new("f").unwrap());
        let client = client.with_preferences(PreferenceProfile::default());
        let policy = Policy::compile(b"", &client);
        let response = response(&[], Some(page.as_bytes()), None);
        let target = Target::new("https://e.example/x").unwrap();
        let decision = policy.decide(&target.with_response(&response));
        let found = policy.diagnostics_of(&decision);
        let codes = found.iter().map(|one| one.code.name());
        codes.collect::<Vec<_>>()
    };
    assert_eq!(
        of_page("<link rel=license href=/a.xml>"),
        ["licence-link-type"]
    );
    assert!(of_page("<link rel=license href=/by/4.0/>").is_empty());
}

#[test]
fn pref_90_licences_elsewhere_do_not_count() {
    let link = "<link rel=license type=application/rsl+xml href=/a>";
    let page = format!("{link}<p>{link}{}", rsl_script());
    let found = initial(page.as_bytes(), None);
    assert_eq!(found.licences, [element("/a", 0)]);
    assert_eq!(
        found.scoped_licences[0],
        element("/a", link.len() as u64 + 3)
    );
    assert_eq!(documents(&found.scoped_licences), [true]);
    // An image in a `noscript` ends the head for a client without scripts only (CLA-19).
    let page = format!("<noscript><img src=x></noscript>{link}");
    let found = initial(page.as_bytes(), None);
    assert_eq!((found.licences.len(), found.scoped_licences.len()), (1, 0));
}

#[test]
fn pref_91_scripts_in_the_head() {
    let page = format!("<title>x</title>{}", rsl_script());
    let found = initial(page.as_bytes(), None);
    assert_eq!(documents(&found.licences), [true]);
    let LicenceLink::Inline {
        document: LicenceState::Read(document),
        offset: 16,
        ..
    } = &found.licences[0]
    else {
        panic!("{:?}", found.licences);
    };
    assert_eq!(
        document.contents[0].licences[0].prohibits_usage,
        ["ai-train"]
    );
    assert_eq!(
        documents(&initial(script("TYPE='APPLICATION/RSL+XML'").as_bytes(), None).licences),
        [true]
    );
    // The page decodes the script, whatever an XML declaration says.
    let utf16: Vec<u8> = "\u{feff}"
        .encode_utf16()
        .chain(page.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(documents(&initial(&utf16, None).licences), [true]);

    let others = [
        script(""),
        script("type=text/xml"),
        script("type=application/rsl+xml src=/a"),
    ];
    for page in others {
        assert_eq!(initial(page.as_bytes(), None).licences, [], "{page}");
    }
    let unreadable = "<script type=application/rsl+xml>{}</script>\
                      <script type=application/rsl+xml></script>";
    assert_eq!(
        documents(&initial(unreadable.as_bytes(), None).licences),
        [false, false]
    );
}

#[test]
fn pref_91_scripts_that_do_not_end() {
    let open = rsl_script().replace("</script>", "");
    assert_eq!(documents(&initial(open.as_bytes(), None).licences), [true]);
    // Nobody knows how a document goes on that the limit cuts.
    let cut = format!("{open}{}", " ".repeat(MAX_BYTES));
    let found = initial(cut.as_bytes(), None);
    assert_eq!(
        (documents(&found.licences), found.truncated),
        (vec![false], true)
    );
    let whole = format!("{}{}", rsl_script(), " ".repeat(MAX_BYTES));
    assert_eq!(documents(&initial(whole.as_bytes(), None).licences), [true]);
}

#[test]
fn pref_91_cla_pref_9_the_final_dom_has_links_only() {
    let link = "<link rel=license type=application/rsl+xml href=/a>";
    let page = format!("{}{link}<p>{link}{}", rsl_script(), rsl_script());
    let found = rendered(&page);
    assert_eq!(found.licences, [element("/a", rsl_script().len() as u64)]);
    assert_eq!(found.scoped_licences.len(), 1);
    assert_eq!(initial(page.as_bytes(), None).licences.len(), 2);
}

/// The outcomes for training and search.
fn outcomes(page: Option<&str>, final_dom: Option<&str>) -> [Outcome; 2] {
    let client =
        Client::new(ProductToken::new("f").unwrap()).with_preferences(PreferenceProfile::default());
    let policy = Policy::compile(b"", &client);
    let response = response(&[], page.map(str::as_bytes), final_dom);
    let target = Target::new("https://e.example/x").unwrap();
    let target = target.with_response(&response);
    let decision = policy.decide(&target);
    [
        decision.outcome(Usage::Train),
        decision.outcome(Usage::Search),
    ]
}

#[test]
fn pref_90_pref_91_responses_have_licences() {
    let link = "<link rel=license type=application/rsl+xml href='https://l.example/'>";
    let script = rsl_script();
    let body = format!("<p>{link}{script}");
    let unspecified = [Outcome::Unspecified; 2];
    let trained = [Outcome::Prohibited, Outcome::Unspecified];
    assert_eq!(outcomes(Some(&script), None), trained);
    assert_eq!(outcomes(None, Some(&script)), unspecified);
    assert_eq!(outcomes(Some(&body), Some(&body)), unspecified);
    assert_eq!(outcomes(Some(link), None), [Outcome::Unknown; 2]);
    assert_eq!(outcomes(Some(""), Some(link)), [Outcome::Unknown; 2]);
    let broken = "<script type=application/rsl+xml><rsl></script>";
    assert_eq!(outcomes(Some(broken), None), [Outcome::Prohibited; 2]);
}
