//! `tdmrep.json`, by requirement.

use abide::preference::TdmrepState;
use abide::preference::tdmrep::{MAX_BYTES, MAX_DEPTH, TdmrepRule};
use abide_documents::tdmrep;

/// The rules of a file that was read.
fn rules(text: &str) -> Vec<Option<TdmrepRule>> {
    match tdmrep(text.as_bytes()) {
        TdmrepState::File(file) => file.rules.clone(),
        state => panic!("{state:?}: {text}"),
    }
}

/// The reservation of a rule with this value.
fn reservation(value: &str) -> Option<bool> {
    let text = format!(r#"[{{"location":"/","tdm-reservation":{value}}}]"#);
    rules(&text)[0].as_ref().unwrap().reservation
}

fn is_absent(body: impl AsRef<[u8]>) -> bool {
    tdmrep(body.as_ref()) == TdmrepState::Absent
}

fn is_too_large(body: impl AsRef<[u8]>) -> bool {
    tdmrep(body.as_ref()) == TdmrepState::TooLarge
}

#[test]
fn pref_68_cla_pref_10_reservations_by_value() {
    for one in [
        "1",
        "1.0",
        "1e0",
        "10e-1",
        "0.1E+1",
        r#""1""#,
        r#""\u0031""#,
    ] {
        assert_eq!(reservation(one), Some(true), "{one}");
    }
    for zero in ["0", "0.0", "-0", "0e9", r#""0""#] {
        assert_eq!(reservation(zero), Some(false), "{zero}");
    }
    let others = [
        "2",
        "-1",
        "1.5",
        "1e999",
        "1e-400",
        "1.0000000000000000001",
        "0.1e2",
        "11e-1",
        "true",
        "false",
        "null",
        "[1]",
        "{}",
        r#""""#,
        r#""01""#,
        r#"" 1""#,
        r#""yes""#,
        r#""1.0""#,
    ];
    for other in others {
        assert_eq!(reservation(other), None, "{other}");
    }
}

#[test]
fn pref_70_an_array_of_rules() {
    let rule = r#"{ "location": "/a b/*.jpg$", "tdm-reservation": 1,
        "tdm-policy": "https://p.example/1", "note": [{}] }"#;
    let found = rules(&format!("\n[ {rule} ]\t"));
    let mut expected = TdmrepRule::new("/a b/*.jpg$", true);
    expected.policy = Some("https://p.example/1".to_owned());
    expected.text = rule.to_owned();
    assert_eq!(found, [Some(expected)]);
    assert!(rules("[]").is_empty());
    let escaped = rules(r#"[{"loc\u0061tion":"\/\u00e4"}]"#);
    assert_eq!(escaped[0].as_ref().unwrap().location.as_deref(), Some("/ä"));
}

#[test]
fn pref_74_members_without_meaning_keep_their_place() {
    let found = rules(r#"[7,"x",null,[],{"location":7},{"location":"images/"}]"#);
    assert_eq!(found[..4], [None, None, None, None]);
    assert_eq!(found[4].as_ref().unwrap().location, None);
    let location = found[5].as_ref().unwrap().location.as_deref();
    assert_eq!(location, Some("images/"));
    // A string that is no Unicode says nothing, and hides nothing.
    let found = rules(r#"[{"\ud800":1,"location":"\ud800","tdm-reservation":1}]"#);
    let rule = found[0].as_ref().unwrap();
    assert_eq!((&rule.location, rule.reservation), (&None, Some(true)));
}

#[test]
fn pref_80_policies_are_strings_that_say_something() {
    let policy = |value: &str| {
        let found = rules(&format!(r#"[{{"tdm-policy":{value}}}]"#));
        found[0].as_ref().unwrap().policy.clone()
    };
    assert_eq!(
        policy(r#""https://p.example/""#).as_deref(),
        Some("https://p.example/")
    );
    for none in [r#""""#, r#"" ""#, "1", "null", "{}"] {
        assert_eq!(policy(none), None, "{none}");
    }
}

#[test]
fn pref_81_what_is_no_json_array_is_absent() {
    let no_array = [
        "",
        " \n",
        "{}",
        "1",
        "\"[]\"",
        "<!DOCTYPE html><p>",
        "[",
        "[1,]",
        "[1]x",
        "[1] [2]",
        "[{\"a\":}]",
        "[\u{b}]",
        "\u{feff}\u{feff}[]",
        "[nan]",
        "[01]",
        "['a']",
        "[\"\n\"]",
    ];
    for text in no_array {
        assert!(is_absent(text), "{text}");
    }
    assert!(is_absent(b"[\"\xFF\"]"));
    let utf16: Vec<u8> = "\u{feff}[]"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert!(is_absent(utf16));
    // A long page for every address that is missing is no file either.
    assert!(is_absent(format!(
        "\n<!DOCTYPE html>{}",
        "x".repeat(MAX_BYTES)
    )));
}

#[test]
fn pref_85_cla_pref_10_limits() {
    assert_eq!(rules("\u{feff}[7]").len(), 1);
    let padded = |size: usize| format!("[{}]", " ".repeat(size - 2));
    assert!(rules(&padded(MAX_BYTES)).is_empty());
    assert!(is_too_large(padded(MAX_BYTES + 1)));
    // The mark is no part of the file.
    assert!(rules(&format!("\u{feff}{}", padded(MAX_BYTES))).is_empty());
    // Nobody has read whether these are JSON.
    assert!(is_too_large(format!("[{}", "x".repeat(MAX_BYTES))));
    assert!(is_too_large(" ".repeat(MAX_BYTES + 1)));

    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(rules(&nested(MAX_DEPTH)).len(), 1);
    assert!(is_too_large(nested(MAX_DEPTH + 1)));
    assert!(is_too_large("[".repeat(MAX_DEPTH + 1)));
    assert!(is_too_large("[".repeat(MAX_BYTES)));
    assert!(is_too_large(format!("[{}", "{\"a\":".repeat(90_000))));
    // Brackets in strings do not nest, and closed ones do not add up.
    assert_eq!(rules(r#"["[[[[[[[[[[\"[[[[[[[[[[","\\",[]]"#).len(), 3);
    assert_eq!(rules(&format!("[{}1]", "[[]],".repeat(1_000))).len(), 1_001);
    assert!(is_absent("[\"[[[[[[[[[[[["));
}

#[test]
fn pref_85_every_rule_is_read_and_the_last_of_a_member_counts() {
    assert_eq!(
        rules(&format!("[{}7]", "7,".repeat(250_000))).len(),
        250_001
    );
    let found = rules(
        r#"[{"location":"/a","tdm-reservation":0,"location":"/b","tdm-reservation":1},
            {"tdm-reservation":1,"tdm-reservation":"no","tdm-policy":"p","tdm-policy":7}]"#,
    );
    let (first, second) = (found[0].as_ref().unwrap(), found[1].as_ref().unwrap());
    assert_eq!(
        (first.location.as_deref(), first.reservation),
        (Some("/b"), Some(true))
    );
    assert_eq!((second.reservation, &second.policy), (None, &None));
}
