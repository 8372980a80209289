//! Requests of tools, and what answers them.

use abide_contract::text::line;
use abide_contract::tools::{
    ConvertRequest, DiffRequest, ExplainRequest, FmtRequest, LintRequest, MatrixRequest,
    TOO_MUCH_WORK, TableRequest, TestRequest, Work,
};
use abide_contract::{Body, RequestError, read, read_from, read_within};
use serde_json::{Value, json};

const FILE: &str =
    "User-agent: *\nDisallow: /private/\nAllow: /private/press/\nContent-Signal: ai-train=no\n";

/// What a tool answers to a request.
fn answer(tool: &str, request: &Value, work: &Work<'_>) -> Result<String, RequestError> {
    let json = request.to_string();
    let json = json.as_bytes();
    match tool {
        "lint" => read::<LintRequest>(json)?.answer(work, |answer| line(answer)),
        "fmt" => read::<FmtRequest>(json)?.answer(work, |answer| line(answer)),
        "matrix" => read::<MatrixRequest>(json)?.answer(work, |answer| line(answer)),
        "test" => read::<TestRequest>(json)?.answer(work, |answer| line(answer)),
        "convert" => read::<ConvertRequest>(json)?.answer(work, line),
        "diff" => read::<DiffRequest>(json)?.answer_given(work, |answer| line(answer)),
        "explain" => {
            let (request, circumstances) = read_within::<ExplainRequest>(json)?;
            request.answer(&circumstances, work, |answer| line(&answer))
        }
        "table" => {
            let (request, circumstances) = read_within::<TableRequest>(json)?;
            request.answer(&circumstances, |_| None, work, |answer| line(answer))
        }
        other => panic!("{other}"),
    }
}

fn requests() -> Vec<(&'static str, Value)> {
    let cases = "[[case]]\nname = \"x\"\nagent = \"*\"\nurl = \"/x\"\ncrawl = \"allowed\"\n";
    vec![
        ("lint", json!({"robots": FILE})),
        ("fmt", json!({"robots": FILE})),
        ("matrix", json!({"robots": FILE})),
        ("test", json!({"robots": FILE, "cases": cases})),
        ("convert", json!({"robots": FILE, "to": "content-usage"})),
        (
            "diff",
            json!({"before": {"robots": FILE}, "after": {"robots": ""}}),
        ),
        (
            "explain",
            json!({"robots": FILE, "agents": "*", "urls": ["/x"]}),
        ),
        (
            "table",
            json!({"robots": FILE, "agents": "*", "urls": ["/x"]}),
        ),
    ]
}

#[test]
fn every_tool_answers_and_ends_when_it_has_to() {
    for (tool, request) in requests() {
        let answered = answer(tool, &request, &Work::endless());
        assert!(answered.unwrap().len() > 2, "{tool}");
        let ended = Work::while_it(&|| false, "the answer takes too long");
        let error = answer(tool, &request, &ended).unwrap_err();
        assert_eq!(
            (error.code(), error.pointer()),
            (TOO_MUCH_WORK, ""),
            "{tool}"
        );
        assert_eq!(error.to_string(), "the answer takes too long", "{tool}");
    }
}

#[test]
fn every_tool_names_an_unknown_member_and_a_missing_file() {
    for (tool, request) in requests() {
        let mut with_other = request.clone();
        with_other["robotz"] = json!("");
        let error = answer(tool, &with_other, &Work::endless()).unwrap_err();
        assert_eq!(
            (error.code(), error.pointer()),
            ("invalid-request", "/robotz"),
            "{tool}"
        );
        let mut without = request;
        if without.as_object_mut().unwrap().remove("robots").is_none()
            || ["explain", "table"].contains(&tool)
        {
            continue;
        }
        let error = answer(tool, &without, &Work::endless()).unwrap_err();
        assert_eq!(
            (error.code(), error.pointer()),
            ("invalid-robots", "/robots"),
            "{tool}"
        );
    }
}

/// Bytes that a caller puts in place of the text, and members that are no JSON text.
#[test]
fn bytes_take_the_place_of_text() {
    let members = json!({"select": ["missing-colon"], "fix": "unsafe"});
    let mut request: LintRequest = read_from(members).unwrap();
    request.robots = Some(Body::from(&b"User-agent: *\nDisallow /\xff\n"[..]));
    let fixed = request.answer(&Work::endless(), |linted| {
        (linted.fixed(), linted.bytes().to_vec())
    });
    assert_eq!(
        fixed.unwrap(),
        (1, b"User-agent: *\nDisallow: /\xff\n".to_vec())
    );
}
