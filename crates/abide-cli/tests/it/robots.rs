//! `abide robots`, and how `--agent` names robots.

use crate::abide;
use serde_json::Value;

fn output_of(args: &[&str]) -> String {
    abide(args, b"").told()
}

#[test]
fn who_a_robot_is() {
    insta::assert_snapshot!(output_of(&["robots", "gptbot"]));
    insta::assert_snapshot!(output_of(&["robots", "AdsBot-Google"]));
    insta::assert_snapshot!(output_of(&["robots", "Google-Extended"]));
    insta::assert_snapshot!(output_of(&["robots", "Perplexity-User"]));
    let line = "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)";
    insta::assert_snapshot!(output_of(&["robots", line]));
    insta::assert_snapshot!(output_of(&["robots", "gogglebot"]));
    insta::assert_snapshot!(output_of(&["robots", "@searching"]));
}

#[test]
fn the_list_in_every_format() {
    insta::assert_snapshot!(output_of(&["robots", "--operator", "openai"]));
    insta::assert_snapshot!(output_of(&[
        "robots",
        "--operator",
        "openai",
        "--format",
        "csv"
    ]));
    insta::assert_snapshot!(output_of(&[
        "robots",
        "--operator",
        "openai",
        "--format",
        "markdown"
    ]));
    assert_eq!(abide(&["robots", "--operator", "nobody"], b"").status, 1);
    let json = abide(&["robots", "--format", "json"], b"");
    let rows: Value = serde_json::from_str(&json.stdout).unwrap();
    let schema: Value =
        serde_json::from_str(include_str!("../../../../schema/known-robots.json")).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<_> = schema
        .iter_errors(&rows)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
    assert!(rows.as_array().unwrap().len() >= 120);
}

/// A file in which the robots differ.
const FILE: &str = "User-agent: Googlebot\nDisallow: /g\n\nUser-agent: GPTBot\nUser-agent: Tool2\nDisallow: /\n\n\
    User-agent: *\nDisallow: /private/\n";

fn checked(args: &[&str]) -> String {
    abide(
        &[&["check", "--robots", "-"], args].concat(),
        FILE.as_bytes(),
    )
    .told()
}

#[test]
fn one_answer_for_each_robot() {
    let robots = "Googlebot,GPTBot,Googlebot-News,AdsBot-Google,*";
    insta::assert_snapshot!(checked(&["/private/x", "/about", "-a", robots]));
    insta::assert_snapshot!(checked(&[
        "/private/x",
        "-a",
        "NewsBot>GPTBot",
        "-a",
        "@archive"
    ]));
    insta::assert_snapshot!(checked(&[
        "/x",
        "-a",
        "GPTBot",
        "-a",
        "Other",
        "-u",
        "crawl,index"
    ]));
    insta::assert_snapshot!(checked(&["/private/x", "-a", "AdsBot-Google"]));
    insta::assert_snapshot!(checked(&["/private/x", "-a", "AdsBot-Google", "--literal"]));
    let jsonl = checked(&["/g", "-a", "GPTBot,Googlebot-News", "--format", "jsonl"]);
    assert!(
        jsonl.contains(r#""agent":"Googlebot-News","profile":"careful","known_robot":{"#),
        "{jsonl}"
    );
    assert_eq!(jsonl.matches(r#""schema":1"#).count(), 2);
}

/// The dead ends that newcomers met: `*`, a version, a whole line, a name with a digit.
#[test]
fn names_of_every_kind() {
    let line = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)";
    for (agent, expected) in [
        ("*", "allowed"),
        ("GPTBot/1.2", "disallowed"),
        (line, "disallowed"),
        ("Tool2", "disallowed"),
        ("MJ12bot", "allowed"),
        ("gptbot", "disallowed"),
    ] {
        let said = checked(&["/x", "--user-agent", agent]);
        assert!(
            said.contains(&format!("crawl: {expected}")),
            "{agent}: {said}"
        );
    }
    insta::assert_snapshot!(checked(&["/x", "-a", line]));
    insta::assert_snapshot!(checked(&["/x", "-a", "Tool3"]));
    insta::assert_snapshot!(checked(&["/x", "-a", "Mozilla/5.0 (X11; Linux x86_64)"]));
    insta::assert_snapshot!(checked(&["/x", "-a", "@nothing"]));
    insta::assert_snapshot!(checked(&["/x", "-a", "a,,b"]));
}

/// Warnings are about lines that count for the robot, and `-q` and `-v` say otherwise.
#[test]
fn findings_about_other_robots_are_not_reported() {
    let file = "User-agent: Spinn3r\nDisallow: /a b\n\nUser-agent: *\nDisallow: /x\n";
    let warned = |args: &[&str]| {
        let args = [&["check", "/x", "-r", "-", "-a"], args].concat();
        abide(&args, file.as_bytes()).stderr
    };
    assert_eq!(warned(&["Other"]), "");
    assert!(warned(&["Spinn3r"]).contains("pattern-space"));
    assert_eq!(warned(&["Spinn3r", "-q"]), "");
    assert!(warned(&["Other", "-v"]).contains("pattern-space"));
}

#[test]
fn flags_without_effect_are_refused() {
    insta::assert_snapshot!(checked(&[
        "/x",
        "-a",
        "a",
        "--offline",
        "--cache",
        "/nowhere"
    ]));
    insta::assert_snapshot!(checked(&["/x", "-a", "a", "--allow-private"]));
    insta::assert_snapshot!(checked(&["/x", "-a", "a", "--page"]));
    insta::assert_snapshot!(checked(&["www.imdb.example/search", "-a", "a"]));
}
