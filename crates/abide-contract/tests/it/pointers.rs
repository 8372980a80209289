//! Errors have a code and a pointer, whatever their messages say.

use abide_contract::{AnswerOptions, Circumstances, CompiledRobots, PageQuestion, Request};
use abide_contract::{Object, RequestError, SitePreferences, read, read_within, write_answer};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// Members of a request that are wrong, with the code and the pointer of the error.
const WRONG: [(&str, &str, &str); 61] = [
    // Unknown members.
    (r#""robot":1"#, "invalid-request", "/robot"),
    (r#""a/b~c":1"#, "invalid-request", "/a~1b~0c"),
    (r#""\u0061cap2":1"#, "invalid-request", "/acap2"),
    (r#""acap":{"name":[]}"#, "invalid-request", "/acap/name"),
    (
        r#""applications":["a",{"id":"b","x":1}]"#,
        "invalid-request",
        "/applications/1/x",
    ),
    (
        r#""references":{"/a b":{"state":1}}"#,
        "invalid-request",
        "/references/~1a b/state",
    ),
    (
        r#""preferences":{"vendor":1}"#,
        "invalid-preferences",
        "/preferences/vendor",
    ),
    (
        r#""preferences":{"control_tokens":[{"token":"A","usages":[],"x":1}]}"#,
        "invalid-preferences",
        "/preferences/control_tokens/0/x",
    ),
    // Wrong types.
    (r#""html":1"#, "invalid-request", "/html"),
    (r#""robots":{}"#, "invalid-request", "/robots"),
    (r#""robots_base64":[]"#, "invalid-request", "/robots_base64"),
    (r#""robots_limit":-1"#, "invalid-request", "/robots_limit"),
    (r#""robots_limit":1.5"#, "invalid-request", "/robots_limit"),
    (
        r#""robots_status":"404""#,
        "invalid-request",
        "/robots_status",
    ),
    (r#""headers":{}"#, "invalid-request", "/headers"),
    (
        r#""headers":[["a","b"],["a","b"],["a","b"],["a"]]"#,
        "invalid-request",
        "/headers/3",
    ),
    (
        r#""headers":[["a","b"],["a",1]]"#,
        "invalid-request",
        "/headers/1/1",
    ),
    (r#""acap":[]"#, "invalid-request", "/acap"),
    (
        r#""acap":{"names":["a",1.5]}"#,
        "invalid-request",
        "/acap/names/1",
    ),
    (
        r#""acap":{"prior_arrangement":0}"#,
        "invalid-request",
        "/acap/prior_arrangement",
    ),
    (
        r#""applications":[["a"]]"#,
        "invalid-request",
        "/applications/0",
    ),
    (
        r#""applications":[{"id":"a","product_tokens":["b",null]}]"#,
        "invalid-request",
        "/applications/0/product_tokens/1",
    ),
    (
        r#""applications":[{"product_tokens":[]}]"#,
        "invalid-request",
        "/applications/0/id",
    ),
    (r#""version":"new""#, "invalid-request", "/version"),
    (r#""profile":null"#, "invalid-request", "/profile"),
    (
        r#""nonstandard_token":"x""#,
        "invalid-request",
        "/nonstandard_token",
    ),
    (r#""now":"2026-11-20""#, "invalid-request", "/now"),
    (r#""id":1e999"#, "invalid-request", "/id"),
    (
        r#""references":{"/a":{"status":"x"}}"#,
        "invalid-request",
        "/references/~1a/status",
    ),
    (r#""preferences":1"#, "invalid-preferences", "/preferences"),
    (
        r#""preferences":{"use":1}"#,
        "invalid-preferences",
        "/preferences/use",
    ),
    (
        r#""preferences":{"rsl":{"https://l.example/~a":{"status":null,"error":5}}}"#,
        "invalid-preferences",
        "/preferences/rsl/https:~1~1l.example~1~0a/error",
    ),
    // Duplicates.
    (r#""html":"","html":"""#, "invalid-request", "/html"),
    (
        r#""profile":"google","profile":"google""#,
        "invalid-request",
        "/profile",
    ),
    (
        r#""acap":{"mode":"off","mode":"off"}"#,
        "invalid-request",
        "/acap/mode",
    ),
    (
        r#""references":{"/a":"","/a":""}"#,
        "invalid-request",
        "/references/~1a",
    ),
    (
        r#""preferences":{"rsl":{"/a":"","/a":""}}"#,
        "invalid-preferences",
        "/preferences/rsl/~1a",
    ),
    (
        r#""preferences":{"use":"full","use":"full"}"#,
        "invalid-preferences",
        "/preferences/use",
    ),
    // Values that no robot, file or page can have.
    (
        r#""purposes":["a","a","*"]"#,
        "invalid-purpose",
        "/purposes/2",
    ),
    (
        r#""applications":["a",{"id":"a b"}]"#,
        "invalid-application",
        "/applications/1/id",
    ),
    (
        r#""applications":["a b"]"#,
        "invalid-application",
        "/applications/0",
    ),
    (
        r#""applications":[{"id":"a","product_tokens":["b","x y"]}]"#,
        "invalid-application",
        "/applications/0/product_tokens/1",
    ),
    (
        r#""acap":{"unsupported":["Time-Limit"]}"#,
        "invalid-acap",
        "/acap/unsupported/0",
    ),
    (
        r#""acap":{"unsupported":["time-limit","time-limit","x"]}"#,
        "invalid-acap",
        "/acap/unsupported/2",
    ),
    (r#""acap":{"mode":"half"}"#, "invalid-acap", "/acap/mode"),
    (
        r#""robots_base64":"ab_d""#,
        "invalid-robots",
        "/robots_base64",
    ),
    (
        r#""robots":"","robots_base64":"""#,
        "invalid-robots",
        "/robots_base64",
    ),
    (r#""robots_status":99"#, "invalid-robots", "/robots_status"),
    (r#""robots_error":"x""#, "invalid-robots", "/robots_error"),
    (r#""robots_limit":1"#, "invalid-robots", "/robots_limit"),
    (
        r#""references":{"/a":{"status":99}}"#,
        "invalid-references",
        "/references/~1a/status",
    ),
    (
        r#""references":{"/a":{"error":"x"}}"#,
        "invalid-references",
        "/references/~1a/error",
    ),
    (
        r#""references":{"/a":{}}"#,
        "invalid-references",
        "/references/~1a",
    ),
    (
        r#""preferences":{"use":"x"}"#,
        "invalid-preferences",
        "/preferences/use",
    ),
    (
        r#""preferences":{"revision":"06"}"#,
        "invalid-preferences",
        "/preferences/revision",
    ),
    (
        r#""preferences":{"vocabularies":[]}"#,
        "invalid-preferences",
        "/preferences/vocabularies",
    ),
    (
        r#""preferences":{"vocabularies":["rsl","x"]}"#,
        "invalid-preferences",
        "/preferences/vocabularies/1",
    ),
    (
        r#""preferences":{"control_tokens":["Google-Extended","x"]}"#,
        "invalid-preferences",
        "/preferences/control_tokens/1",
    ),
    (
        r#""preferences":{"control_tokens":[{"token":"A B","usages":[]}]}"#,
        "invalid-preferences",
        "/preferences/control_tokens/0/token",
    ),
    (
        r#""preferences":{"control_tokens":[{"token":"A","usages":["train","eat"]}]}"#,
        "invalid-preferences",
        "/preferences/control_tokens/0/usages/1",
    ),
    (
        r#""preferences":{"tdmrep":{"status":99}}"#,
        "invalid-preferences",
        "/preferences/tdmrep/status",
    ),
];

fn with(members: &str) -> String {
    format!(r#"{{"url":"https://e.example/","agent":"f",{members}}}"#)
}

fn error_of(request: &[u8]) -> RequestError {
    let request_text = String::from_utf8_lossy(request).into_owned();
    abide_contract::answer(request)
        .error
        .unwrap_or_else(|| panic!("no error: {request_text}"))
}

/// A request with the code and the pointer of its error.
type Wrong = (Vec<u8>, &'static str, &'static str);

fn of_text(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

/// What is no JSON object.
fn no_objects() -> Vec<Wrong> {
    vec![
        (Vec::new(), "invalid-json", ""),
        (of_text("{"), "invalid-json", ""),
        (of_text(r#"{"url":"#), "invalid-json", ""),
        (of_text(r#"{"url":"/","agent":["f""#), "invalid-json", ""),
        (of_text("\u{FEFF}{}"), "invalid-json", ""),
        (b"{\0\"\0".to_vec(), "invalid-json", ""),
        (of_text("https://e.example/"), "invalid-json", ""),
        (of_text("[1]"), "invalid-request", ""),
        (of_text("1"), "invalid-request", ""),
        (of_text("null"), "invalid-request", ""),
        // Text after the end.
        (
            of_text(r#"{"url":"https://e.example/","agent":"f"} {}"#),
            "invalid-json",
            "",
        ),
        // Bytes that are not UTF-8, in every kind of value.
        (
            b"{\"url\":\"\xFF\",\"agent\":\"f\"}".to_vec(),
            "invalid-json",
            "",
        ),
        (
            b"{\"url\":\"/\",\"agent\":[\"\xFF\"]}".to_vec(),
            "invalid-json",
            "",
        ),
        (b"{\"\xFF\":1}".to_vec(), "invalid-json", ""),
        (
            b"{\"id\":\"\xFF\",\"url\":\"/\",\"agent\":\"f\"}".to_vec(),
            "invalid-json",
            "",
        ),
        (
            b"{\"references\":{\"/a\":\"\xFF\"}}".to_vec(),
            "invalid-json",
            "",
        ),
        (
            b"{\"preferences\":{\"use\":\"\xFF\"}}".to_vec(),
            "invalid-json",
            "",
        ),
        (of_text(&with(r#""html":"\ud800""#)), "invalid-json", ""),
        (
            of_text(&with(r#""robots_status":1e999"#)),
            "invalid-json",
            "",
        ),
    ]
}

/// Members that have to be there, and the robot and the URL.
fn wrong_questions() -> Vec<Wrong> {
    vec![
        (of_text(r#"{"agent":"f"}"#), "invalid-request", "/url"),
        (of_text(r#"{"url":"/"}"#), "invalid-request", "/agent"),
        (
            of_text(r#"{"url":1,"agent":"f"}"#),
            "invalid-request",
            "/url",
        ),
        (
            of_text(r#"{"url":"/","agent":["f",1]}"#),
            "invalid-request",
            "/agent/1",
        ),
        (
            of_text(r#"{"url":"/","agent":"f","agent":"f"}"#),
            "invalid-request",
            "/agent",
        ),
        (
            of_text(r#"{"url":"https://e.example/","agent":[]}"#),
            "invalid-agent",
            "/agent",
        ),
        (of_text(r#"{"url":"/","agent":"f"}"#), "invalid-url", "/url"),
        (of_text(r#"{"url":"x","agent":"f"}"#), "invalid-url", "/url"),
        (
            of_text(r#"{"url":"https://e.example/","agent":"a b"}"#),
            "invalid-agent",
            "/agent",
        ),
        (
            of_text(r#"{"url":"https://e.example/","agent":["f","f","a b"]}"#),
            "invalid-agent",
            "/agent/2",
        ),
        (
            of_text(r#"{"url":"https://e.example/","agent":"@search","known_robots":true}"#),
            "invalid-agent",
            "/agent",
        ),
    ]
}

/// Lists and names that are too long.
fn too_long() -> Vec<Wrong> {
    let many: Vec<String> = (0..1_001).map(|number| format!("a{number}")).collect();
    let long = "a".repeat(257);
    let long_name = with(&format!(r#""{}":1"#, "n".repeat(5_000)));
    vec![
        (
            of_text(&with(&format!(r#""purposes":{}"#, json!(many)))),
            "invalid-request",
            "/purposes",
        ),
        (
            of_text(&json!({"url": "https://e.example/", "agent": many}).to_string()),
            "invalid-request",
            "/agent",
        ),
        (
            of_text(&with(&format!(
                r#""acap":{{"unsupported":{}}}"#,
                json!(many)
            ))),
            "invalid-request",
            "/acap/unsupported",
        ),
        (
            of_text(&with(&format!(r#""purposes":["a","a","{long}"]"#))),
            "invalid-purpose",
            "/purposes/2",
        ),
        (
            of_text(&with(&format!(r#""acap":{{"names":["{long}"]}}"#))),
            "invalid-acap",
            "/acap/names/0",
        ),
        (
            of_text(&with(&format!(
                r#""applications":[{{"id":"a","product_tokens":["{long}"]}}]"#
            ))),
            "invalid-application",
            "/applications/0/product_tokens/0",
        ),
        (
            of_text(&with(&format!(
                r#""preferences":{{"control_tokens":["{long}"]}}"#
            ))),
            "invalid-preferences",
            "/preferences/control_tokens/0",
        ),
        (
            of_text(&json!({"url": "https://e.example/", "agent": ["f", long]}).to_string()),
            "invalid-agent",
            "/agent/1",
        ),
        // No error repeats a name of any length.
        (of_text(&long_name), "invalid-request", ""),
    ]
}

/// All wrong requests, with the code and the pointer of their errors.
fn wrong() -> Vec<Wrong> {
    let members = WRONG.into_iter();
    let members = members.map(|(text, code, pointer)| (with(text).into_bytes(), code, pointer));
    let others = [no_objects(), wrong_questions(), too_long()];
    members.chain(others.into_iter().flatten()).collect()
}

#[test]
fn errors_have_the_place_of_the_fault() {
    for (request, code, pointer) in wrong() {
        let error = error_of(&request);
        let shown = String::from_utf8_lossy(&request).into_owned();
        assert_eq!(
            (error.code(), error.pointer()),
            (code, pointer),
            "{shown}: {error}"
        );
        assert!(
            !error.remedy().is_empty() && !error.to_string().is_empty(),
            "{shown}"
        );
        assert!(error.to_string().len() < 2_000, "{shown}: {error}");
    }
}

/// Every pointer but that of a missing or unknown member leads to something in the request.
#[test]
fn pointers_lead_to_the_members() {
    for (request, _, pointer) in wrong() {
        let Ok(value) = serde_json::from_slice::<Value>(&request) else {
            continue;
        };
        let is_missing = error_of(&request).to_string().contains("is missing");
        assert_eq!(value.pointer(pointer).is_some(), !is_missing, "{pointer}");
    }
}

/// The error with which the answer to `request` names what is wrong.
fn reported(request: &[u8], error: &RequestError) -> [(String, String); 3] {
    let of_line = |line: &[u8]| {
        let line: Value = serde_json::from_slice(line).unwrap();
        let text = |name: &str| line["error"][name].as_str().unwrap_or_default().to_owned();
        (text("code"), text("pointer"))
    };
    let mut at_line = Vec::new();
    error.write_at(&mut at_line, 7).unwrap();
    let mut answered = Vec::new();
    if let Ok(request) = Request::read(request) {
        let options = AnswerOptions::default();
        request.write_error(&mut answered, error, options).unwrap();
    } else {
        answered.clone_from(&at_line);
    }
    [
        of_line(error.to_json().as_bytes()),
        of_line(&at_line),
        of_line(&answered),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    /// No face reads a message: with other words it reports the same code and pointer.
    #[test]
    fn words_change_nothing(words in "(in \"[a-z.]{0,9}\": )?(unknown field `[a-z]{1,4}`, expected |missing field `x`)?.{0,40}") {
        for (request, code, pointer) in wrong() {
            let error = error_of(&request);
            let reworded = error.clone().with_message(words.clone());
            prop_assert_eq!(reworded.to_string(), &*words);
            for error in [error, reworded] {
                prop_assert_eq!((error.code(), error.pointer()), (code, pointer));
                for found in reported(&request, &error) {
                    prop_assert_eq!(found, (code.to_owned(), pointer.to_owned()));
                }
            }
        }
    }
}

/// What is read in one pass is what was read before: every way to ask has the same errors.
#[test]
fn every_way_to_read_has_the_same_errors() {
    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Tool {
        #[serde(default)]
        agents: Vec<String>,
    }
    for (request, code, pointer) in wrong() {
        let error = match Request::read(&request) {
            Err(error) => error,
            Ok(request) => {
                if let Err(error) = CompiledRobots::new(&request, None) {
                    assert_eq!((error.code(), error.pointer()), (code, pointer));
                }
                continue;
            }
        };
        // Values have no member twice, and no JSON text as `id`.
        let values = serde_json::from_slice::<Value>(&request).ok();
        let is_of_text = |words: &str| {
            ["occurs twice", "nested"]
                .iter()
                .any(|of| words.contains(of))
        };
        if let Some(values) = values.filter(|_| !is_of_text(error.reason())) {
            assert_eq!(Request::read_from(values).unwrap_err(), error);
        }
        let mut line = Vec::new();
        let answered = write_answer(&mut line, &request, AnswerOptions::default()).unwrap();
        assert_eq!(answered, Some(error));
    }
    let (Tool { agents }, asked) =
        read_within(br#"{"purposes":["a"],"agents":["f"],"html":"x"}"#).unwrap();
    assert_eq!((agents.len(), asked.ask_preferences()), (1, true));
    for (json, code, pointer) in [
        (r#"{"agents":["f"],"agent":1}"#, "invalid-request", "/agent"),
        (r#"{"agents":["f"],"html":1}"#, "invalid-request", "/html"),
        (
            r#"{"html":"","agents":["f",1]}"#,
            "invalid-request",
            "/agents/1",
        ),
        (
            r#"{"preferences":{"use":1}}"#,
            "invalid-preferences",
            "/preferences/use",
        ),
    ] {
        let error = read_within::<Tool>(json.as_bytes()).unwrap_err();
        assert_eq!((error.code(), error.pointer()), (code, pointer));
    }
    let error = read_within::<Tool>(br#"{"x":1}"#).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("expected one of agents, purposes, applications")
    );
}

/// A program with values of its own gets the words of its reader, and where they are.
#[test]
fn members_need_not_be_text() {
    let read = |values: Value| Circumstances::read_from(values);
    let given = read(json!({"preferences": {}, "headers": [["a", "b"]]})).unwrap();
    assert!(given.ask_preferences());
    for (values, code, pointer, is_wrong_type) in [
        (json!({"now": 1}), "invalid-request", "/now", true),
        (json!({"now": "x"}), "invalid-request", "/now", false),
        (
            json!({"version": "x"}),
            "invalid-request",
            "/version",
            false,
        ),
        (
            json!({"purposes": ["a", 1]}),
            "invalid-request",
            "/purposes/1",
            true,
        ),
        (
            json!({"headers": [["a", "b", "c"]]}),
            "invalid-request",
            "/headers/0",
            false,
        ),
        (
            json!({"preferences": []}),
            "invalid-preferences",
            "/preferences",
            true,
        ),
        (json!({"url": "/"}), "invalid-request", "/url", false),
        (json!([]), "invalid-request", "", true),
    ] {
        let error = read(values).unwrap_err();
        assert_eq!((error.code(), error.pointer()), (code, pointer));
        assert_eq!(error.is_wrong_type(), is_wrong_type, "{error}");
    }
    let long = read(json!({"headers": [["a", "b", "c"]]})).unwrap_err();
    assert!(long.reason().contains("fewer elements"), "{long}");
}

/// A page is judged by what is said about it alone.
#[test]
fn questions_about_pages_have_the_errors_of_requests() {
    let page = |url: &str, values: Value| {
        let circumstances = Circumstances::read_from(values).unwrap();
        PageQuestion::new(url.to_owned(), &circumstances, None).unwrap_err()
    };
    let error = page("x", json!({}));
    assert_eq!((error.code(), error.pointer()), ("invalid-url", "/url"));
    let error = page("/x", json!({"preferences": {"tdmrep": {"status": 99}}}));
    let place = ("invalid-preferences", "/preferences/tdmrep/status");
    assert_eq!((error.code(), error.pointer()), place);
}

/// A tool's own members have the code of a request.
#[test]
fn preferences_of_a_site_are_read_like_other_members() {
    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Tool {
        preferences: Object<SitePreferences>,
    }
    let wrong = br#"{"preferences":{"rsl":{"/a":{"status":[]}}}}"#;
    let error = read::<Tool>(wrong).unwrap_err();
    let place = ("invalid-request", "/preferences/rsl/~1a/status");
    assert_eq!((error.code(), error.pointer()), place);
    let right: Tool = read(br#"{"preferences":{"vocabularies":["tdmrep","x"]}}"#).unwrap();
    let error = right.preferences.0.question().unwrap_err();
    let place = ("invalid-preferences", "/preferences/vocabularies/1");
    assert_eq!((error.code(), error.pointer()), place);
}

/// Texts without escapes are not copied before they are parsed: the body is read in one pass.
#[test]
fn escapes_change_nothing() {
    let plain = r#"{"url":"https://e.example/","agent":"f","robots":"","html":"<p>a</p>","now":"2026-11-20T12:00:00Z"}"#;
    let escaped = plain
        .replace("html", r"\u0068tml")
        .replace("robots", r"r\u006fbots")
        .replace("<p>", r"\u003cp\u003e");
    let line = |request: &str| abide_contract::answer(request.as_bytes()).line;
    assert_eq!(line(plain), line(&escaped));
    let body: Arc<[u8]> = Arc::from(&b"User-agent: *\nDisallow: /\n"[..]);
    let compiled = CompiledRobots::new(&Request::read(plain.as_bytes()).unwrap(), Some(&body));
    let compiled = compiled.unwrap();
    assert!(!compiled.policy().allows("https://e.example/"));
}
