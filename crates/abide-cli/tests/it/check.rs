//! `abide check`: the text output, as snapshots.

use crate::{EXAMPLE, abide};

fn output_of(args: &[&str], stdin: &str) -> String {
    abide(&[&["check"], args].concat(), stdin.as_bytes()).told()
}

#[test]
fn permitted_and_prohibited_with_what_lost() {
    insta::assert_snapshot!(output_of(
        &[
            "https://news.example/archive/2026/front.html",
            "https://news.example/archive/1999/front.html",
            "https://news.example/about",
            "--agent",
            "ExampleBot",
            "--robots",
            EXAMPLE,
        ],
        "",
    ));
}

#[test]
fn group_of_the_robot_and_group_of_a_purpose() {
    insta::assert_snapshot!(output_of(
        &[
            "https://news.example/archive/2026/front.html",
            "--agent",
            "Archiver",
            "--robots",
            EXAMPLE
        ],
        "",
    ));
    insta::assert_snapshot!(output_of(
        &[
            "/archive/2026/x",
            "--agent",
            "ExampleBot",
            "--purpose",
            "EXAMPLE-PURPOSE-1",
            "--robots",
            EXAMPLE
        ],
        "",
    ));
}

/// CLA-22: both directions, also where the line of the finding does not count for the robot.
#[test]
fn cla_22_purposes_of_the_line_are_compared() {
    let robots = "User-agent-purpose: ExamplePurpose\nDisallow: /x\n\nUser-agent: *\nAllow: /\n";
    let line = "Mozilla/5.0 (compatible; ExampleBot/0.1; ExamplePurpose; https://bot.example/)";
    let silent = "Mozilla/5.0 (compatible; ExampleBot/0.1)";
    for (args, code) in [
        (&["-a", line][..], "purpose-not-claimed"),
        (
            &["-a", silent, "--purpose", "ExamplePurpose"],
            "purpose-not-sent",
        ),
    ] {
        let ran = abide(
            &[&["check", "/x", "-r", "-"], args].concat(),
            robots.as_bytes(),
        );
        assert!(ran.stderr.contains(&format!("[{code}]")), "{}", ran.stderr);
    }
    let both = [
        "check",
        "/x",
        "-r",
        "-",
        "-a",
        line,
        "--purpose",
        "ExamplePurpose",
    ];
    assert_eq!(abide(&both, robots.as_bytes()).stderr, "");
}

#[test]
fn ties_merged_groups_and_other_groups() {
    let robots = "User-agent: *\nDisallow: /\n\nUser-agent: f\nDisallow: /page\nAllow: /*\nAllow: /page\n\
        Crawl-delay: 2.5\n\nUser-agent: F\nDisallow: /p\n";
    insta::assert_snapshot!(output_of(
        &["/page?x=1", "--agent", "f", "--robots", "-"],
        robots
    ));
}

#[test]
fn no_group_and_the_file_itself() {
    insta::assert_snapshot!(output_of(
        &["/x", "/robots.txt", "--agent", "f", "--robots", "-"],
        "User-agent: g\nDisallow: /\n"
    ));
}

#[test]
fn long_lines_fit_80_columns() {
    let robots = format!("User-agent: *\nDisallow: /{}\n", "long/".repeat(40));
    let url = format!("/{}x", "long/".repeat(40));
    let output = output_of(&[&url, "--agent", "f", "--robots", "-"], &robots);
    insta::assert_snapshot!(output);
    assert!(
        output
            .lines()
            .skip(1)
            .all(|line| line.chars().count() <= 80)
    );
}

#[test]
fn foreign_text_cannot_act_on_a_terminal() {
    let robots = "User-agent: f\nDisallow: /\u{202e}x*\nSitemap: \u{1b}[2J\nDisallow: /a b\nUser-agent: f\u{1b}[31m/\n";
    let output = output_of(&["/\u{202e}xy", "--agent", "f", "--robots", "-"], robots);
    insta::assert_snapshot!(output);
    assert!(!output.contains(['\u{1b}', '\u{202e}']));
}

#[test]
fn what_is_wrong_with_the_file_is_told_on_stderr() {
    let robots = "Disallow: /early\nUser-agent: f/1.0\nDisalow: /x\nDisallow private/\nAllow: /a b\nAllow: /50%\n\
        Disallow: /../x\nDisallow: /\u{1}\n";
    insta::assert_snapshot!(output_of(&["/x", "--agent", "f", "--robots", "-"], robots));
}

/// The file is compiled only if there are many URLs.
#[test]
fn many_urls_are_answered_as_one_is() {
    let robots =
        "User-agent: *\nDisallow: /a\nAllow: /a/*/c\nUser-agent: f\nDisallow: /b\nDisallow: /*d$\n";
    let paths = [
        "/a", "/a/b/c", "/b", "/b/d", "/d", "/d/", "/", "/c", "/e?d", "/%62",
    ];
    let options = ["--agent", "f", "--robots", "-", "--format", "jsonl"];
    let many = abide(
        &[&["check"], &paths[..], &options].concat(),
        robots.as_bytes(),
    );
    let one = |path| {
        abide(
            &[&["check", path], &options[..]].concat(),
            robots.as_bytes(),
        )
    };
    let each: String = paths.iter().map(|path| one(path).stdout).collect();
    assert_eq!(many.stdout, each);
}

#[test]
fn google_profile() {
    let robots = "User-agent: *\nDisallowed: /x\nAllow: /x/index.html\n";
    insta::assert_snapshot!(output_of(
        &[
            "/x/",
            "/x/y",
            "--agent",
            "any thing",
            "--profile",
            "google",
            "--robots",
            "-"
        ],
        robots
    ));
}

#[test]
fn json_of_one_url() {
    insta::assert_snapshot!(output_of(
        &[
            "https://news.example/archive/1999/front.html",
            "--agent",
            "ExampleBot",
            "--robots",
            EXAMPLE,
            "--format",
            "json"
        ],
        "",
    ));
}

#[test]
fn json_of_several_urls_is_an_array_and_jsonl_is_lines() {
    let args = ["/a", "/b", "--agent", "f", "--robots", "-", "--format"];
    let json = abide(
        &[&["check"], &args[..], &["json"]].concat(),
        b"User-agent: *\nDisallow: /b\n",
    );
    let parsed: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(parsed.as_array().unwrap().len(), 2);
    assert_eq!(parsed[1]["usages"]["crawl"]["outcome"], "prohibited");
    let jsonl = abide(
        &[&["check"], &args[..], &["jsonl"]].concat(),
        b"User-agent: *\nDisallow: /b\n",
    );
    let lines: Vec<serde_json::Value> = jsonl
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(serde_json::Value::from(lines), parsed);
    assert_eq!((json.status, jsonl.status), (1, 1));
}

#[test]
fn the_same_decision_as_batch_gives() {
    let robots = "User-agent: *\nDisallow: /b\n";
    let check = abide(
        &[
            "check",
            "https://e.example/b",
            "-a",
            "f",
            "-r",
            "-",
            "--format",
            "jsonl",
        ],
        robots.as_bytes(),
    );
    let request = serde_json::json!({"url": "https://e.example/b", "agent": "f", "robots": robots, "known_robots": true});
    let batch = abide(&["batch"], request.to_string().as_bytes());
    assert_eq!(check.stdout, batch.stdout);
}

/// One header, one older header, two elements of the source and one of the final DOM: the result is
/// their union, and each restriction names its source.
#[test]
fn tags_from_five_places() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("tags");
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let head = file(
        "head",
        "HTTP/1.1 302 Found\r\nRobots-Tag: *;nofollow\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\
         X-Robots-Tag: unavailable_after: 25 Jun 2030 15:00:00 PST\r\n\r\n<p>Robots-Tag: *;nosnippet",
    );
    let page = file(
        "page",
        "<meta name=robots content=noarchive>\n<meta name=ExampleBot content='max-snippet:50'>",
    );
    let dom = file(
        "dom",
        "<html><head><meta name=robots content=nosnippet></head></html>",
    );
    insta::assert_snapshot!(output_of(
        &[
            "https://news.example/about",
            "--agent",
            "ExampleBot",
            "--robots",
            EXAMPLE,
            "--header",
            "Robots-Tag: *;noindex",
            "--headers",
            &head,
            "--html",
            &page,
            "--rendered-html",
            &dom,
            "--now",
            "2026-11-20T00:00:00Z",
        ],
        "",
    ));
}

#[test]
fn a_header_that_is_none() {
    let ran = abide(
        &[
            "check", "/x", "-a", "f", "-r", EXAMPLE, "--header", "noindex",
        ],
        b"",
    );
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr
            .contains("in --header: expected a field line such as"),
        "{}",
        ran.stderr
    );
    let ran = abide(
        &[
            "check",
            "/x",
            "-a",
            "f",
            "-r",
            EXAMPLE,
            "--html",
            "no-such-file",
        ],
        b"",
    );
    assert!(
        ran.stderr
            .contains("cannot read no-such-file; --html takes a file"),
        "{}",
        ran.stderr
    );
}

const REGISTRY: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../docs/examples/applications.toml"
);

#[test]
fn applications_and_their_registry() {
    let robots = "User-agent: *\nDisallow: /private/\nApp-Directives: /news/ examplesearch;widgets=?0;train=?0\n\
        App-Directives: examplesearch;widgets;boxes;new=1, other;x=\"y\"\nContent-Usage: train-ai=y\n";
    let args = [
        "/news/1",
        "/private/x",
        "--agent",
        "f",
        "--robots",
        "-",
        "--application",
        "examplesearch",
    ];
    insta::assert_snapshot!(output_of(
        &[
            &args[..],
            &["--registry", REGISTRY, "--application", "other"]
        ]
        .concat(),
        robots
    ));
    insta::assert_snapshot!(
        output_of(&[&args[..], &["--format", "json"]].concat()[1..], robots)
            .split("\"applications\"")
            .nth(1)
            .unwrap()
            .to_owned()
    );
}

/// An answer about training names the directive that says otherwise for the application, and only
/// where the two disagree.
#[test]
fn a_directive_that_overrides_a_preference_is_named() {
    let said = |directive: &str| {
        let robots = format!(
            "User-agent: *\nAllow: /\nContent-Usage: train-ai=n\nApp-Directives: examplesearch;{directive}\n"
        );
        let args = ["/a", "-a", "ExampleSearch", "-r", "-", "--for", "train"];
        let application = ["--application", "examplesearch", "--registry", REGISTRY];
        output_of(&[&args[..], &application].concat(), &robots)
    };
    insta::assert_snapshot!(said("train"));
    let sentence = |directive: &str| said(directive).lines().nth(2).unwrap().to_owned();
    assert_eq!(
        sentence("train=?0"),
        "The site asks examplesearch not to use this page for training: train=?0 on line 4 says \
         the same as train-ai=n on line 3."
    );
    assert_eq!(
        sentence("widgets"),
        "For examplesearch the answer is the same: no registered directive of it is about training."
    );
}

/// What a directive does not override is named too: a field, and a word whose relation to the value
/// no registry gives.
#[test]
fn a_directive_that_overrides_nothing_is_named() {
    let robots = "User-agent: *\nAllow: /\nApp-Directives: examplesearch;train\n";
    let args = ["/a", "-a", "ExampleSearch", "-r", "-", "--for", "train"];
    let application = ["--application", "examplesearch", "--registry"];
    let with_field = ["--header", "Content-Usage: train-ai=n"];
    let args = [&args[..], &application].concat();
    let said = output_of(&[&args[..], &[REGISTRY], &with_field].concat(), robots);
    assert!(
        said.contains(
            "The site asks examplesearch not to use this page for training: Content-Usage: \
             train-ai=n on field line 1 is stricter than train=?1 on line 3."
        ),
        "{said}"
    );
    let registry = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("unclear.toml");
    let unclear = "[[application]]\nid = 'examplesearch'\n[application.directive.train]\n\
                   type = 'boolean'\noverrides = ['train-ai']\n";
    std::fs::write(&registry, unclear).unwrap();
    let robots = robots.replace("App-", "Content-Usage: train-ai=n\nApp-");
    let said = output_of(
        &[&args[..], &[registry.to_str().unwrap()]].concat(),
        &robots,
    );
    assert!(
        said.contains(
            "training: train-ai=n on line 3; the registry does not say what train=?1 on line 4 means."
        ),
        "{said}"
    );
}

/// Two directives about training, of which only one is about the word that the file states.
#[test]
fn only_a_directive_that_covers_a_word_overrides_it() {
    let registry = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("two.toml");
    let directive = |name: &str, word: &str| {
        format!(
            "[application.directive.{name}]\ntype = 'boolean'\noverrides = ['{word}']\n\
             means = {{ true = 'y', false = 'n' }}\n"
        )
    };
    let two = directive("a", "train-ai") + &directive("b", "ai-train");
    std::fs::write(&registry, format!("[[application]]\nid = 'ex'\n{two}")).unwrap();
    let robots =
        "User-agent: *\nAllow: /\nContent-Usage: train-ai=n\nApp-Directives: ex;a=?1;b=?0\n";
    let args = ["/x", "-a", "f", "-r", "-", "--for", "train"];
    let application = ["--application", "ex", "--registry"];
    let said = output_of(
        &[&args[..], &application, &[registry.to_str().unwrap()]].concat(),
        robots,
    );
    assert!(
        said.contains(
            "training: b=?0 on line 4 is stricter than a=?1 on line 4; a=?1 on line 4 overrides \
             only train-ai=n on line 3."
        ),
        "{said}"
    );
}

/// Types are the point of directives, and values are not cut.
#[test]
fn values_of_directives_are_shown_whole_and_with_their_types() {
    let robots = "User-agent: *\nApp-Directives: a;i=1;d=1.0;s=\"x y\";t=tok;b=:YWI=:;y;n=?0;da=@1897657200;ds=%\"f%c3%bc\";z=averylongtokenthatdoesnotfitanymoreonthislineofthepage\n\
        ACAP-crawler: *\nACAP-allow-index: /\n\
        ACAP-request-take-down: /a/path/that/is/so/long/that/the/words/after/it/do/not/fit.html\n";
    insta::assert_snapshot!(output_of(
        &["/a", "-a", "f", "-r", "-", "--application", "a"],
        robots
    ));
}

/// A registry gives the same bytes to check and to batch, also as tables.
#[test]
fn check_and_batch_read_one_registry() {
    let robots = "User-agent: *\nContent-Usage: train-ai=n\n\
        App-Directives: examplesearch;train;boxes;new=1, other;x\n";
    let check = |registry: &[&str]| {
        let args = [
            "check",
            "https://e.example/a",
            "-a",
            "f",
            "-r",
            "-",
            "--format",
            "jsonl",
            "--application",
            "other",
            "--application",
            "examplesearch",
            "--preferences",
            "--now",
            "2026-01-01T00:00:00Z",
            "--header",
            "Robots-Tag: *;noindex;noarchive",
        ];
        let ran = abide(&[&args[..], registry].concat(), robots.as_bytes());
        ran.stdout
    };
    let rules = RULES.to_owned();
    let checked = check(&["--registry", REGISTRY, "--registry", &rules]);
    let text = std::fs::read_to_string(REGISTRY).unwrap();
    let registry = text + "\n[[rule]]\nname = \"noindex\"\n[[rule]]\nname = \"nosnippet\"\n";
    let request = serde_json::json!({
        "url": "https://e.example/a", "agent": "f", "robots": robots, "preferences": {},
        "applications": ["other", "examplesearch"], "now": "2026-01-01T00:00:00Z",
        "headers": [["Robots-Tag", "*;noindex;noarchive"]], "registry": registry, "known_robots": true,
    });
    let batch = abide(&["batch"], format!("{request}\n").as_bytes()).stdout;
    assert_eq!(checked, batch);
    assert!(
        checked.contains("\"unknown_tag_rules\":[\"noarchive\"]"),
        "{checked}"
    );
    let described = r#""boxes":{"description":"The former name of widgets"}"#;
    assert!(checked.contains(described), "{checked}");
}

const RULES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples/rules.csv");

#[test]
fn registries_are_checked_and_listed() {
    let check = |files: &[&str]| abide(&[&["registry", "check"], files].concat(), b"");
    insta::assert_snapshot!(check(&[REGISTRY, RULES]).told());
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("purposes.csv");
    std::fs::write(&path, "Purpose Token,Desription\nA,x\n").unwrap();
    let refused = check(&[RULES, path.to_str().unwrap()]);
    assert_eq!((refused.status, &*refused.stdout), (1, ""));
    let complaint =
        "purposes.csv: line 1: unknown column \"Desription\"; did you mean \"Description\"?";
    assert!(refused.stderr.contains(complaint), "{}", refused.stderr);
    std::fs::write(&path, "Purpose Token\nEXAMPLE-PURPOSE-1\n").unwrap();
    let args = [
        "check",
        "/",
        "-a",
        "f",
        "-r",
        EXAMPLE,
        "--registry",
        path.to_str().unwrap(),
    ];
    let refused = abide(&[&args[..], &["-p", "EXAMPLE-PURPOSE-7"]].concat(), b"");
    assert_eq!(refused.status, 2);
    let complaint = "in --purpose: expected a purpose token of the registry";
    assert!(refused.stderr.contains(complaint), "{}", refused.stderr);
    assert_eq!(check(&["no-such-file"]).status, 2);
}

#[test]
fn a_registry_that_is_none() {
    let args = ["check", "/x", "-a", "f", "-r", EXAMPLE, "--registry"];
    let missing = abide(&[&args[..], &["no-such-file"]].concat(), b"");
    assert!(
        missing
            .stderr
            .contains("cannot read no-such-file; --registry takes a file in TOML, JSON or CSV"),
        "{}",
        missing.stderr
    );
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (text, complaint) in [
        ("version = 2", "expected version = 1, but found 2"),
        (
            "version = 1\n[[application]]\nid = 'foo bar'",
            "expected an application identifier",
        ),
        (
            "version = 1\n[[application]]\nid = 'a'\nproduct_tokens = ['a/1']",
            "expected a product token",
        ),
        (
            "version = 1\n[[application]]\nid = 'a'\n[application.directive.W]\ntype = 'boolean'",
            "in lower case such as widgets",
        ),
        (
            "version = 1\n[[application]]\nid = 'a'\n[application.directive.w]\ntype = 'flag'",
            "expected a type of structured fields",
        ),
        (
            "version = 1\n[[application]]\nid = 'a'\n[[application]]\nid = 'A'",
            "is registered already",
        ),
        ("version = 1\nname = 'x'", "unknown member"),
    ] {
        let path = folder.join("registry.toml");
        std::fs::write(&path, text).unwrap();
        let ran = abide(&[&args[..], &[path.to_str().unwrap()]].concat(), b"");
        assert_eq!(ran.status, 2);
        assert!(ran.stderr.contains(complaint), "{}", ran.stderr);
    }
    let ran = abide(
        &[
            "check",
            "/x",
            "-a",
            "f",
            "-r",
            EXAMPLE,
            "--application",
            "foo bar",
        ],
        b"",
    );
    assert!(
        ran.stderr
            .contains("in --application: expected an application identifier"),
        "{}",
        ran.stderr
    );
}

/// A robot that may not fetch a page never sees its tags (CLA-24).
#[test]
fn tags_that_are_not_seen() {
    let robots = "User-agent: Googlebot\nDisallow: /outlet/\n";
    let tags = ["--header", "X-Robots-Tag: noindex, nosnippet"];
    let ask = |more: &[&str]| {
        let url = "https://s.example/outlet/x";
        output_of(&[&[url, "-r", "-"], &tags[..], more].concat(), robots)
    };
    insta::assert_snapshot!(
        [
            ask(&["-a", "Googlebot"]),
            ask(&["-a", "Googlebot", "--usage", "index"]),
            ask(&["-a", "Googlebot,Bingbot"]),
        ]
        .join("----\n")
    );
    assert!(ask(&["-a", "Googlebot"]).contains(
        "Googlebot may not fetch this page, so it never sees its noindex and nosnippet;"
    ));
}

/// With several robots, everything that the site mentions is shown, in text and in rows.
#[test]
fn several_robots_and_every_usage_that_is_mentioned() {
    let robots = "User-agent: Googlebot\nContent-Signal: ai-train=no, search=yes\nAllow: /\n\n\
        User-agent: GPTBot\nDisallow: /\n";
    let ask = |more: &[&str]| {
        let url = "https://s.example/x";
        output_of(
            &[&[url, "-r", "-", "-a", "Googlebot,GPTBot,*"], more].concat(),
            robots,
        )
    };
    let tags = ["--header", "X-Robots-Tag: googlebot: noindex"];
    insta::assert_snapshot!(
        [
            ask(&[]),
            ask(&tags),
            ask(&["--preferences"]),
            ask(&[&tags[..], &["--preferences"]].concat()),
            ask(&[&tags[..], &["--format", "csv"]].concat()),
            ask(&[&tags[..], &["--preferences", "--format", "csv"]].concat()),
            ask(&[&tags[..], &["--format", "csv", "--usage", "crawl"]].concat()),
        ]
        .join("----\n")
    );
}
