//! The JSON contract: requests and answers match the published schemas, and these list the values
//! that the code knows.

use abide::tag::{FieldLine, Meta, StoredTags, header};
use abide::verdict::Source;
use abide::{Moment, Named, Usage};
use abide_contract::{Circumstances, CompiledRobots, DecisionJson, PageQuestion, Request};
use abide_testkit::vectors;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

static REQUEST: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../../schema/request.json")).unwrap()
});
static DECISION: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../../schema/decision.json")).unwrap()
});
static REQUESTS: LazyLock<jsonschema::Validator> =
    LazyLock::new(|| jsonschema::validator_for(&REQUEST).unwrap());
static DECISIONS: LazyLock<jsonschema::Validator> =
    LazyLock::new(|| jsonschema::validator_for(&DECISION).unwrap());

fn answer(request: &Value) -> Value {
    let answer = abide_contract::answer(request.to_string().as_bytes());
    let value: Value = serde_json::from_str(&answer.line).unwrap();
    let errors: Vec<_> = DECISIONS
        .iter_errors(&value)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{value}: {errors:?}");
    assert_eq!(answer.error.is_some(), value["error"].is_object());
    if answer.error.is_none() {
        // What was written can be read, and is the same.
        let kept: DecisionJson<'static> = serde_json::from_str(&answer.line).unwrap();
        assert_eq!(kept.to_line(), answer.line);
        assert_eq!(kept.into_owned().to_line(), answer.line);
    }
    value
}

#[test]
fn every_vector_is_asked_and_answered_in_the_contract() {
    for (_, vectors) in vectors::load() {
        for vector in &vectors.decision {
            let mut request = json!({
                "id": vector.name, "url": vector.url, "agent": vector.agent, "purposes": vector.purposes,
                "profile": vector.profile.as_deref().unwrap_or("careful"), "nonstandard_token": vector.nonstandard_token,
            });
            if let Some(bytes) = vector.bytes() {
                request["robots"] = String::from_utf8_lossy(&bytes).into_owned().into();
            }
            if let Some(status) = vector.robots_status {
                request["robots_status"] = status.into();
            }
            if let Some(error) = &vector.robots_error {
                request["robots_error"] = error.as_str().into();
            }
            assert!(REQUESTS.is_valid(&request), "{request}");
            assert_eq!(answer(&request)["id"], *vector.name);
        }
    }
}

/// What a crawler keeps with a resource is data, too.
#[test]
fn stored_tags_are_written_and_read() {
    let fields = [
        FieldLine::new("Robots-Tag", "*;noindex, ExampleBot;max-snippet=5"),
        FieldLine::new("X-Robots-Tag", "nofollow"),
    ];
    let (mut statements, _) = header::read(&fields);
    let meta = Meta {
        name: "robots".to_owned(),
        content: "noindex".to_owned(),
        offset: 7,
    };
    statements.push(meta.statement(Source::Meta));
    let at = Moment::from_unix_seconds(0);
    for fresh_until in [None, Some(at)] {
        let stored = StoredTags::new(statements.clone(), at, fresh_until);
        let written = serde_json::to_value(&stored).unwrap();
        assert_eq!(
            written["statements"][1],
            json!({
                "source": "robots-tag", "place": {"line": 1, "member": 2}, "robot": "ExampleBot",
                "rules": [{"name": "max-snippet", "value": "5"}], "text": "ExampleBot;max-snippet=5",
            })
        );
        assert_eq!(written["statements"][3]["place"], json!({"offset": 7}));
        assert!(written["statements"][3].get("robot").is_none());
        assert_eq!(written["observed_at"], "1970-01-01T00:00:00Z");
        assert_eq!(written.get("fresh_until").is_some(), fresh_until.is_some());
        let read: StoredTags = serde_json::from_value(written).unwrap();
        assert_eq!(read, stored);
    }
}

/// The code of the error that answers a request with this member, if there is one.
fn code_with(member: &str, value: &Value) -> Option<String> {
    let mut request = json!({"url": "https://e.example/", "agent": "f", "robots": ""});
    request[member] = value.clone();
    let answered = answer(&request);
    answered["error"]["code"].as_str().map(str::to_owned)
}

/// A member that has a name, its value with a name, and the code of a name that is too long.
type Place<'v> = (&'static str, &'v dyn Fn(String) -> Value, &'static str);

#[test]
fn names_have_a_length_that_can_be_kept() {
    let text = |length| "a".repeat(length);
    let token = |name: String| json!({"control_tokens": [{"token": name, "usages": ["train"]}]});
    let own = |name: String| json!([{"id": "a", "product_tokens": [name]}]);
    let places: [Place<'_>; 9] = [
        ("agent", &|name| json!(name), "invalid-agent"),
        ("agent", &|name| json!(["f", name]), "invalid-agent"),
        ("purposes", &|name| json!([name]), "invalid-purpose"),
        ("applications", &|name| json!([name]), "invalid-application"),
        (
            "applications",
            &|name| json!([{"id": name}]),
            "invalid-application",
        ),
        ("applications", &own, "invalid-application"),
        ("acap", &|name| json!({"names": [name]}), "invalid-acap"),
        ("acap", &|name| json!({"purposes": [name]}), "invalid-acap"),
        ("preferences", &token, "invalid-preferences"),
    ];
    for (member, value, code) in places {
        assert_eq!(code_with(member, &value(text(256))), None, "{member}");
        let long = value(text(257));
        assert_eq!(code_with(member, &long).as_deref(), Some(code), "{member}");
    }
    // A line is read for the names in it.
    let line = |length: usize| {
        json!(format!(
            "Mozilla/5.0 (compatible; f/1.0; {})",
            text(length - 33)
        ))
    };
    assert_eq!(code_with("agent", &line(4_096)), None);
    assert_eq!(
        code_with("agent", &line(4_097)).as_deref(),
        Some("invalid-agent")
    );
}

#[test]
fn an_id_is_what_every_reader_can_read() {
    let answered = |id: &str| {
        let request =
            format!(r#"{{"id":{id},"url":"https://e.example/","agent":"f","robots":""}}"#);
        let answer = abide_contract::answer(request.as_bytes());
        (answer.error.map(|error| error.to_string()), answer.line)
    };
    let nested = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    for id in [
        "1.50",
        "123456789012345678901234567890",
        r#""a\u0000""#,
        "-0",
        r#"{"a":[1e300]}"#,
        &nested(127),
        &format!("\"{}\"", "a".repeat(4_094)),
    ] {
        let (error, line) = answered(id);
        assert_eq!(error, None, "{id}");
        assert!(line.contains(&format!("\"id\":{id},")), "{line}");
    }
    let long = format!("\"{}\"", "a".repeat(4_095));
    for id in ["1e999", "[-1e400]", &nested(128), &nested(100_000), &long] {
        let (error, line) = answered(id);
        assert!(
            error
                .unwrap()
                .contains("in \"id\": expected at most 4096 bytes")
        );
        assert!(line.starts_with(r#"{"id":null,"error":{"code":"invalid-request""#));
    }
}

/// The rules of clients are kept by this text.
#[test]
fn the_key_of_a_client_has_the_bounds_of_its_names() {
    let key = |agents: &[&str]| {
        let agents = agents.iter().map(|name| (*name).to_owned()).collect();
        let request = Request::about("https://e.example/", agents);
        request.client_key().unwrap()
    };
    let lists: [&[&str]; 6] = [
        &["a", "c"],
        &["a\0c"],
        &["a\0cn"],
        &["a", ""],
        &["a"],
        &["1:a1:c"],
    ];
    let keys: BTreeSet<String> = lists.into_iter().map(key).collect();
    assert_eq!(keys.len(), lists.len());
    // What is registered is about the client, too.
    let with = |registry: Value| {
        let request = json!({"url": "https://e.example/", "agent": "a", "registry": registry});
        let request = request.to_string();
        Request::read(request.as_bytes())
            .unwrap()
            .client_key()
            .unwrap()
    };
    let rules = |name: &str| json!({"rule": [{"name": name}]});
    assert_ne!(with(rules("noindex")), with(rules("nosnippet")));
    assert_eq!(with(rules("noindex")), with(rules("noindex")));
    assert_eq!(with(Value::Null), key(&["a"]));
}

/// The schema and the code accept or reject the same fields of a request.
#[test]
fn schema_and_code_know_the_same_fields() {
    let samples = [
        ("id", json!([1, "a"])),
        ("url", json!("https://e.example/")),
        ("agent", json!(["f"])),
        ("purposes", json!(["P1"])),
        (
            "applications",
            json!(["a", {"id": "b", "product_tokens": ["c"]}]),
        ),
        (
            "registry",
            json!({
                "version": 1,
                "application": [{
                    "id": "a", "product_tokens": ["b"], "change_controller": "c",
                    "directive": {"d": {
                        "type": "boolean", "status": "active", "overrides": ["search"],
                        "means": {"true": "y"}, "description": "e", "documentation": "https://f.example/",
                    }},
                }],
                "purpose": [{"token": "P1", "description": "g", "reference": "h"}],
                "rule": [{"name": "noindex", "description": "i", "reference": "j"}],
            }),
        ),
        (
            "acap",
            json!({"names": ["f"], "purposes": [], "prior_arrangement": false, "unsupported": ["time-limit"], "mode": "off"}),
        ),
        ("robots", json!("")),
        ("robots_base64", json!("")),
        ("robots_status", json!(404)),
        ("robots_location", json!("/r")),
        ("robots_limit", json!(512_000)),
        ("robots_error", json!("dns")),
        ("references", json!({"/a": "", "/b": {"status": 500}})),
        ("headers", json!([["A", "b"]])),
        ("html", json!("")),
        ("rendered_html", json!("")),
        ("now", json!("2026-11-20T00:00:00Z")),
        ("first_indexed", json!("2026-11-20T00:00:00Z")),
        ("first_copied", json!("2026-11-20T00:00:00Z")),
        ("version", json!("old")),
        ("nonstandard_token", json!(true)),
        ("profile", json!("google")),
        ("readings", json!(["AMB-PREF-1=attach"])),
        ("known_robots", json!(true)),
        (
            "preferences",
            json!({
                "vocabularies": ["rsl", "tdmrep"], "revision": "07", "vendor_tags": false,
                "signals_outside_groups": true, "use": "reference",
                "control_tokens": ["Google-Extended", {"token": "Own", "usages": ["search"]}],
                "tdmrep": {"status": 404}, "rsl": {"https://l.example/a": "", "https://l.example/b": {"error": "dns"}},
                "fetched_at": "2026-11-20T00:00:00Z",
            }),
        ),
    ];
    let known: BTreeSet<&str> = REQUEST["properties"]
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(known, samples.iter().map(|(name, _)| *name).collect());
    for (name, value) in samples {
        let mut request = json!({"url": "https://e.example/", "agent": "f"});
        request[name] = value;
        assert!(REQUESTS.is_valid(&request), "{request}");
        assert!(answer(&request)["error"].is_null(), "{request}");
        request[name] = json!({"wrong": [[]]});
        if name != "id" {
            assert!(
                !REQUESTS.is_valid(&request) && answer(&request)["error"].is_object(),
                "{request}"
            );
        }
    }
    let unknown = json!({"url": "https://e.example/", "agent": "f", "purpose": "P1"});
    assert!(!REQUESTS.is_valid(&unknown) && answer(&unknown)["error"]["code"] == "invalid-request");
}

/// The schema knows every usage, and no other member: a misspelt name is found.
#[test]
fn the_schema_knows_the_members_and_no_others() {
    let request = json!({
        "url": "https://e.example/", "agent": "f", "preferences": {}, "applications": ["a"],
        "robots": "User-agent: *\nDisalow: /\nContent-Usage: train-ai=n\nAllow: /\nApp-Directives: a;b\n",
        "headers": [["X-Robots-Tag", "max-snippet: 5"]],
    });
    let valid = answer(&request);
    for usage in Usage::names() {
        assert!(valid["usages"][usage].is_object(), "{usage}: {valid}");
    }
    for pointer in [
        "",
        "/usages",
        "/usages/crawl",
        "/usages/crawl/evidence/0",
        "/usages/present-snippet/conditions/0",
        "/preferences",
        "/preferences/rsl",
        "/preferences/rsl/usages",
        "/applications/a",
        "/diagnostics/0",
    ] {
        let mut wrong = valid.clone();
        let object = wrong.pointer_mut(pointer).unwrap();
        let members = object.as_object_mut().unwrap();
        let value = members.values().next().unwrap().clone();
        members.insert("indexx".to_owned(), value);
        assert!(!DECISIONS.is_valid(&wrong), "{pointer}");
        assert!(
            serde_json::from_value::<DecisionJson<'_>>(wrong).is_err(),
            "{pointer}"
        );
    }
}

/// A whole `User-Agent` line is read by the same function everywhere, and the answer says which
/// name counts.
#[test]
fn cla_23_the_agent_of_a_request_may_be_a_user_agent_line() {
    let robots = "User-agent: MyCrawler\nUser-agent-purpose: Archive\nDisallow: /\n\nUser-agent: *\nAllow: /\n";
    for (agent, name, taken, outcome) in [
        (
            "MyCrawler/Nutch-1.19 (Archive; me@bot.example)",
            "MyCrawler",
            "in-file",
            "prohibited",
        ),
        ("Bad Bot/", "Bad", "product", "permitted"),
        (
            "Mozilla/5.0 (compatible; Googlebot/2.1)",
            "Googlebot",
            "known",
            "permitted",
        ),
        ("curl/8.5.0", "curl", "software", "permitted"),
        (
            "Mozilla/5.0 (X11; Linux) Firefox/128.0",
            "*",
            "nobody",
            "permitted",
        ),
    ] {
        for known in [true, false] {
            let told = answer(
                &json!({"url": "https://e.example/x", "agent": agent, "robots": robots, "known_robots": known}),
            );
            assert!(DECISIONS.is_valid(&told), "{told}");
            assert_eq!(told["agent"], name, "{told}");
            assert_eq!(told["user_agent"]["line"], agent, "{told}");
            assert_eq!(told["user_agent"]["taken"], taken, "{told}");
            assert_eq!(told["usages"]["crawl"]["outcome"], outcome, "{told}");
            let codes = told["diagnostics"].as_array().unwrap().iter();
            let mut codes = codes.map(|found| found["code"].as_str().unwrap());
            let is_claimed = codes.any(|code| code == "purpose-not-claimed");
            assert_eq!(is_claimed, agent.contains("Archive"), "{told}");
        }
    }
}

/// What operators document counts if the request asks for it, and the answer names the source.
#[test]
fn known_robots_are_asked_for() {
    let robots = "User-agent: Googlebot\nDisallow: /g\n\nUser-agent: *\nDisallow: /\n";
    for (agent, url, documented, literal) in [
        (
            "Googlebot-News",
            "https://e.example/x",
            "permitted",
            "prohibited",
        ),
        (
            "Googlebot-News",
            "https://e.example/g",
            "prohibited",
            "prohibited",
        ),
        (
            "AdsBot-Google",
            "https://e.example/x",
            "permitted",
            "prohibited",
        ),
        (
            "ExampleBot",
            "https://e.example/x",
            "prohibited",
            "prohibited",
        ),
        ("*", "https://e.example/x", "prohibited", "prohibited"),
    ] {
        for profile in ["careful", "google"] {
            let request = |known: bool| json!({"url": url, "agent": agent, "robots": robots, "profile": profile, "known_robots": known});
            let told = answer(&request(true));
            assert!(DECISIONS.is_valid(&told), "{told}");
            assert_eq!(
                told["usages"]["crawl"]["outcome"], documented,
                "{agent} {profile}"
            );
            assert_eq!(
                (&told["agent"], &told["profile"]),
                (&json!(agent), &json!(profile))
            );
            let is_applied = documented != literal || url.ends_with('g');
            assert_eq!(told["known_robot"].is_object(), is_applied, "{told}");
            let told = answer(&request(false));
            assert_eq!(
                told["usages"]["crawl"]["outcome"], literal,
                "{agent} {profile}"
            );
            assert_eq!(
                (&told["agent"], &told["profile"]),
                (&json!(agent), &json!(profile))
            );
            assert!(told["known_robot"].is_null());
        }
    }
    let unknown =
        json!({"url": "https://e.example/", "agent": "Bot 2", "robots": "", "known_robots": true});
    assert_eq!(answer(&unknown)["error"]["code"], "invalid-agent");
}

/// A slim answer has the usages that a source mentions, and is otherwise the same.
/// Documents are given by the URLs that the site writes, so these are the ones to ask for.
#[test]
fn pref_136_needs_name_licences_as_the_site_writes_them() {
    let url = "HTTPS://L.example:443/a/../b";
    let mut request = json!({
        "url": "https://E.example:443/x", "agent": "f", "preferences": {},
        "robots": format!("User-agent: *\nAllow: /\nLicense: {url}\n")
    });
    assert_eq!(answer(&request)["needs"], json!([url]));
    request["preferences"] = json!({"rsl": {url: {"status": 404}}});
    let answer = answer(&request);
    assert_eq!(answer["needs"], json!([]));
    assert_eq!(answer["robots_url"], "https://e.example/robots.txt");
}

#[test]
fn slim_answers_leave_out_what_nobody_mentions() {
    let slim = |request: &Value| -> Value {
        let options = abide_contract::AnswerOptions {
            is_slim: true,
            input_line: Some(3),
        };
        let mut line = Vec::new();
        abide_contract::write_answer(&mut line, request.to_string().as_bytes(), options).unwrap();
        let value = serde_json::from_slice(&line).unwrap();
        assert!(DECISIONS.is_valid(&value), "{value}");
        value
    };
    let names = |answer: &Value| -> Vec<String> {
        answer["usages"]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect()
    };
    let mut request = json!({"url": "https://e.example/", "agent": ["f", "g"], "robots": ""});
    let told = slim(&request);
    assert_eq!(names(&told), ["crawl"]);
    assert_eq!(told["agent"], json!(["f", "g"]));
    let mut whole = answer(&request);
    assert_eq!(names(&whole).len(), Usage::ACAP.len());
    whole["usages"] = told["usages"].clone();
    assert_eq!(told, whole);
    request["headers"] = json!([["X-Robots-Tag", "noindex"]]);
    request["preferences"] = json!({});
    let (told, mut whole) = (slim(&request), answer(&request));
    assert_eq!(told["usages"]["index"], whole["usages"]["index"]);
    let whole = whole["usages"].as_object_mut().unwrap();
    whole.retain(|name, said| name == "crawl" || said["outcome"] != "unspecified");
    assert_eq!(Value::Object(whole.clone()), told["usages"]);
    let error = slim(&json!({"id": 1, "url": "x", "agent": "f"}));
    assert_eq!(error["error"]["input_line"], 3);
}

/// The order of fields is part of the contract: the same input gives the same bytes.
#[test]
fn fields_stand_in_the_order_of_the_contract() {
    let request = br#"{"id":7,"url":"https://e.example/a","agent":"f","robots":"Sitemap: https://e.example/s\nUser-agent: f\nCrawl-delay: 1.5\nDisalow: /a\n"}"#;
    let expected = concat!(
        r#"{"schema":1,"id":7,"url":"https://e.example/a","robots_url":"https://e.example/robots.txt","usages":{"#,
        r#""crawl":{"outcome":"prohibited","conditions":[],"evidence":[{"source":"robots.txt","line":4,"span":[60,71],"#,
        r#""statement":"Disalow: /a","bytes":2,"selected_by":{"by":"product-token","token":"f","line":2},"#,
        r#""role":"decided","reason":"only-match"}]},"follow":{"outcome":"unspecified","conditions":[],"evidence":[]}"#,
    );
    let line = abide_contract::answer(request).line;
    assert!(line.starts_with(expected), "{line}");
    let end = concat!(
        r#""other":{"outcome":"unspecified","conditions":[],"evidence":[]}},"tags":{},"unknown_tag_rules":[],"applications":{},"#,
        r#""action_requests":[],"sitemaps":["https://e.example/s"],"crawl_delay":1.5,"needs":[],"diagnostics":[{"code":"typo","#,
        r#""severity":"warning","line":4,"message":"\"Disalow\" is read as Disallow"}],"agent":"f","profile":"careful"}"#,
    );
    assert!(line.ends_with(end), "{line}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_get_one_line_of_json(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let answer = abide_contract::answer(&bytes);
        prop_assert!(!answer.line.contains('\n'));
        prop_assert!(DECISIONS.is_valid(&serde_json::from_str(&answer.line).unwrap()));
    }

    #[test]
    fn any_strings_get_a_valid_answer(url in any::<String>(), agent in any::<String>(), robots in any::<String>(), google in any::<bool>()) {
        let profile = if google { "google" } else { "careful" };
        answer(&json!({"url": url, "agent": agent, "robots": robots, "profile": profile, "nonstandard_token": true}));
    }
}

/// An error suggests only what helps, and lists everything that is accepted.
#[test]
fn errors_suggest_what_helps() {
    let message = |request: Value| {
        let error = abide_contract::answer(request.to_string().as_bytes()).error;
        error.unwrap().to_string()
    };
    let asking = |agent: &str, is_nonstandard: bool| json!({"url": "https://e.example/", "agent": agent, "nonstandard_token": is_nonstandard});
    let hint = "set \"nonstandard_token\"";
    assert!(message(asking("Bot2", false)).contains(hint));
    assert!(!message(asking("Bot#2", true)).contains(hint));
    assert!(!message(asking("Bot 2", false)).contains(hint));
    let schema = &REQUEST["$defs"]["FailureName"]["enum"];
    let listed = message(json!({"url": "https://e.example/", "agent": "f", "robots_error": "x"}));
    for name in schema.as_array().unwrap().iter().filter_map(Value::as_str) {
        assert!(listed.contains(name), "{name} is missing in {listed}");
    }
}

/// A compiled robots.txt answers with every required member, and names the robot as it was asked
/// for.
#[test]
fn compiled_files_answer_in_the_contract() {
    let robots_txt = b"User-agent: f\nDisallow: /x\n";
    for agent in [json!("f"), json!("*"), json!(["g", "f"])] {
        let asks = json!({"url": "/", "agent": agent}).to_string();
        let asks = Request::read(asks.as_bytes()).unwrap();
        let compiled = CompiledRobots::new(&asks, Some(&robots_txt[..].into())).unwrap();
        let cached = CompiledRobots::of(Arc::clone(compiled.policy()));
        for compiled in [compiled, cached] {
            let page = PageQuestion::new("/x".to_owned(), &Circumstances::default(), None).unwrap();
            let line = compiled.decide(&page, |decision| {
                compiled.json(&page, decision, None).to_line()
            });
            let mut answer: Value = serde_json::from_str(&line.unwrap()).unwrap();
            // Without a request of its own there is no `id` to repeat.
            assert_eq!(answer["id"], Value::Null);
            assert!(DECISIONS.is_valid(&answer), "{answer}");
            assert_eq!(answer["agent"].take(), agent);
            assert_eq!(answer["profile"], "careful");
        }
    }
}

/// The code and the message with which a request is refused.
fn refused(request: &str) -> (String, String) {
    let told: Value =
        serde_json::from_str(&abide_contract::answer(request.as_bytes()).line).unwrap();
    let text = |name: &str| told["error"][name].as_str().unwrap().to_owned();
    (text("code"), text("message"))
}

/// An error names the member and what belongs there, in the words of JSON.
#[test]
fn errors_name_the_member_and_what_it_should_be() {
    let many: Vec<String> = (0..1_001).map(|number| format!("a{number}")).collect();
    let entries = "expected at most 1000 different entries; divide the request";
    let instant = "expected an instant such as 2026-11-20T12:00:00Z, but found";
    for (name, value, code, message) in [
        ("html", json!(1), "invalid-request", "invalid request: in \"html\": expected a string, but found the number 1".to_owned()),
        ("robots", json!({}), "invalid-request", "invalid request: in \"robots\": expected a string, but found an object".to_owned()),
        ("version", json!(1), "invalid-request", "invalid request: in \"version\": expected \"latest\" or \"old\", but found the number 1".to_owned()),
        ("readings", json!(["AMB-PREF-1=atach"]), "invalid-request", "invalid request: in \"readings[0]\": unknown reading \"AMB-PREF-1=atach\"; did you mean AMB-PREF-1=attach? There are AMB-PREF-1=ends-nothing, AMB-PREF-1=attach".to_owned()),
        ("readings", json!(["AMB-REP-6=word", "AMB-TAG-6=void", "AMB-REP-6=whole"]), "invalid-request", "in \"readings[2]\": expected one reading of AMB-REP-6, but found AMB-REP-6=word and AMB-REP-6=whole".to_owned()),
        ("version", json!("new"), "invalid-request", "invalid request: in \"version\": expected \"latest\" or \"old\", but found the text \"new\"".to_owned()),
        ("profile", json!(null), "invalid-request", "invalid request: in \"profile\": expected \"careful\" or \"google\", but found null".to_owned()),
        ("headers", json!([["a"]]), "invalid-request", "invalid request: in \"headers[0]\": expected a pair [name, value], but found a list of 1".to_owned()),
        ("headers", json!({}), "invalid-request", "invalid request: in \"headers\": expected a list, but found an object".to_owned()),
        ("acap", json!([]), "invalid-request", "invalid request: in \"acap\": expected an object, but found a list".to_owned()),
        ("acap", json!({"names": [1.5]}), "invalid-request", "invalid request: in \"acap.names[0]\": expected a string, but found the number 1.5".to_owned()),
        ("acap", json!({"unsupported": ["Time-Limit"]}), "invalid-acap", "in \"acap.unsupported[0]\": expected time-limit, max-length, prohibited-modification, prohibited-context, required-context, must-use-resource or must-include-resource, but found \"Time-Limit\"".to_owned()),
        ("nonstandard_token", json!("x"), "invalid-request", "invalid request: in \"nonstandard_token\": expected true or false, but found the text \"x\"".to_owned()),
        ("purposes", json!(many), "invalid-request", format!("invalid request: in \"purposes\": {entries}")),
        ("now", json!("2026-11-20"), "invalid-request", format!("invalid request: in \"now\": {instant} \"2026-11-20\"")),
        ("applications", json!([{"id": "a", "product_tokens": ["x y"]}]), "invalid-application", "in \"applications[0].product_tokens[0]\": ".to_owned()),
        ("preferences", json!({"vendor_tags": 1}), "invalid-preferences", "in \"preferences.vendor_tags\": expected true or false, but found the number 1".to_owned()),
        ("preferences", json!({"vendor": 1}), "invalid-preferences", "in \"preferences\": unknown member \"vendor\"; expected one of vocabularies".to_owned()),
        ("robots_base64", json!("ab_d"), "invalid-robots", "in \"robots_base64\": no base64: '_' at byte 2".to_owned()),
        ("robots_base64", json!("ab d"), "invalid-robots", "in \"robots_base64\": no base64: ' ' at byte 2".to_owned()),
        ("robot", json!(1), "invalid-request", "invalid request: unknown member \"robot\"; did you mean robots?".to_owned()),
        ("bot", json!(1), "invalid-request", "invalid request: unknown member \"bot\"; expected one of id, url".to_owned()),
    ] {
        let mut request = json!({"url": "https://e.example/", "agent": "f"});
        request[name] = value;
        let told = refused(&request.to_string());
        assert_eq!(told.0, code, "{request}");
        assert!(told.1.starts_with(&message), "{}\n{message}", told.1);
    }
    for (request, code, message) in [
        (
            "{\"agent\":\"f\"}",
            "invalid-request",
            "invalid request: the member \"url\" is missing",
        ),
        (
            "1",
            "invalid-request",
            "invalid request: expected an object, but found the number 1",
        ),
        (
            "{",
            "invalid-json",
            "not valid JSON: it ends inside an object",
        ),
        (
            "{\"url\" 1}",
            "invalid-json",
            "not valid JSON: expected \":\" at column 8",
        ),
        (
            "\u{FEFF}{}",
            "invalid-json",
            "not valid JSON: it begins with a byte order mark; send UTF-8 without one",
        ),
        (
            "{\0\"\0",
            "invalid-json",
            "not valid JSON: it is UTF-16; send UTF-8",
        ),
    ] {
        assert_eq!(
            refused(request),
            (code.to_owned(), message.to_owned()),
            "{request}"
        );
    }
}

/// The last of two bodies would silently win.
#[test]
fn no_member_is_given_twice() {
    let asks = |rest: &str| format!("{{\"url\":\"https://e.example/\",\"agent\":\"f\",{rest}}}");
    for (rest, code, message) in [
        (
            "\"html\":\"\",\"html\":\"\"",
            "invalid-request",
            "invalid request: the member \"html\" occurs twice",
        ),
        (
            "\"references\":{\"/a\":\"\",\"/a\":\"\"}",
            "invalid-request",
            "invalid request: in \"references./a\": the member occurs twice",
        ),
        (
            "\"preferences\":{\"rsl\":{\"/a\":\"\",\"/a\":\"\"}}",
            "invalid-preferences",
            "in \"preferences.rsl./a\": the member occurs twice",
        ),
    ] {
        assert_eq!(refused(&asks(rest)), (code.to_owned(), message.to_owned()));
    }
}

/// An `id` is a member of an object; a list has none.
#[test]
fn a_list_has_no_id() {
    for request in ["[1]", "[{\"url\":\"https://e.example/\"}]"] {
        let told: Value =
            serde_json::from_str(&abide_contract::answer(request.as_bytes()).line).unwrap();
        assert_eq!(told["id"], Value::Null, "{told}");
    }
}

#[test]
fn instants_are_those_of_rfc_3339() {
    let code = |now: &str| {
        let request = json!({"url": "https://e.example/", "agent": "f", "now": now});
        let told = answer(&request);
        told["error"]["code"].as_str().map(str::to_owned)
    };
    for valid in [
        "9999-12-31T23:59:59Z",
        "0000-01-01T00:00:00Z",
        "2026-01-01T00:00:00.123456789012Z",
        "2026-01-01t00:00:00z",
        "2026-01-01T00:00:00-23:59",
        "2016-12-31T23:59:60Z",
    ] {
        assert_eq!(code(valid), None, "{valid}");
    }
    for invalid in [
        "20260101T000000Z",
        "2026-01-01T00:00Z",
        "2026-01-01T00:00:00+25:00",
        "2026-01-01T00:00:00+0100",
        "2026-01-01T00:00:00",
        "2026-01-01T00:00:00.Z",
        "2026-02-30T00:00:00Z",
        "2026-01-01T24:00:00Z",
        "2026-01-01 00:00:00Z",
        "",
    ] {
        assert_eq!(
            code(invalid).as_deref(),
            Some("invalid-request"),
            "{invalid}"
        );
    }
}
