//! `abide diff`: the text output, as snapshots, and the machine-readable output.

use crate::fetch::{Server, response};
use crate::{EXAMPLE, abide, abide_in};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

const REDESIGN: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../docs/examples/robots-redesign.txt"
);

/// A folder with these files, and their paths.
fn folder(files: &[&str]) -> (tempfile::TempDir, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let paths = files.iter().enumerate().map(|(at, text)| {
        let path: PathBuf = folder.path().join(format!("{at}.txt"));
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    });
    let paths = paths.collect();
    (folder, paths)
}

fn output_of(args: &[&str], stdin: &str) -> String {
    let ran = abide(&[&["diff"], args].concat(), stdin.as_bytes());
    let stderr = if ran.stderr.is_empty() {
        String::new()
    } else {
        format!("--- stderr\n{}", ran.stderr)
    };
    format!("{}{stderr}--- status {}", ran.stdout, ran.status)
}

fn between(old: &str, new: &str, args: &[&str]) -> String {
    let (_folder, paths) = folder(&[old, new]);
    let files: Vec<&str> = paths.iter().map(String::as_str).collect();
    output_of(&[&files, args].concat(), "")
}

#[test]
fn a_redesign() {
    insta::assert_snapshot!(output_of(&[EXAMPLE, REDESIGN], ""));
}

#[test]
fn the_same_in_other_words() {
    let old = "User-agent: *\nDisallow: /a\nDisallow: /b%7Ec\n";
    let new = "User-agent: *\nDisallow: /b~c # moved\nDisallow: /a\n\nUser-agent: f\nDisallow: /a\nDisallow: /b~c\n";
    insta::assert_snapshot!(between(old, new, &[]));
}

#[test]
fn a_group_of_its_own_and_what_it_forgets() {
    let old =
        "User-agent: *\nDisallow: /private/\nCrawl-delay: 3\nSitemap: https://e.example/old.xml\n";
    let new = "User-agent: *\nDisallow: /private/\nCrawl-delay: 3\nSitemap: https://e.example/new.xml\n\n\
        User-agent: f\nUser-agent: g\nUser-agent: h\nUser-agent: i\nDisallow: /tmp$\n";
    insta::assert_snapshot!(between(old, new, &[]));
    insta::assert_snapshot!(between(old, new, &["--agents", "g,unheard-of"]));
}

#[test]
fn records_and_directives() {
    let old = "User-agent: *\nDisallow:\nApp-Directives: /a one;w=1\n\nACAP-crawler: *\n\
        ACAP-disallow-index: /drafts/\nACAP-allow-present-snippet: / max-length=50-chars\n";
    let new = "User-agent: *\nDisallow:\nApp-Directives: /a one;w=2\n\nACAP-crawler: *\n\
        ACAP-disallow-index: /drafts/*.txt\nACAP-allow-present-snippet: / max-length=20-chars\n";
    insta::assert_snapshot!(between(old, new, &["--agents", "f"]));
}

/// A site that opens its news to training, closes a folder, and loses a line that hides another.
#[test]
fn preferences() {
    let old = "User-agent: *\nContent-Usage: train-ai=n, search=y\nContent-Usage: /open/ train-ai=y\nDisallow: /tmp/\n";
    let new = "User-agent: *\nContent-Usage: train-ai=n, search=y\nContent-Usage: /news/ train-ai=y, search=y\n\
        Disallow: /tmp/\nDisallow: /private/\n";
    insta::assert_snapshot!(between(old, new, &[]));
    let markdown = between(old, new, &["--agent", "Googlebot", "--format", "markdown"]);
    // The files are in a folder of the test's own.
    let is_stable = |line: &&str| !line.starts_with("Old file:");
    let lines: Vec<_> = markdown.lines().filter(is_stable).collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn a_control_token_concerns_the_robot_that_fetches() {
    let old = "User-agent: Google-Extended\nDisallow: /\n\nUser-agent: *\nAllow: /\n";
    let new =
        "User-agent: Google-Extended\nDisallow: /\nAllow: /news/\n\nUser-agent: *\nAllow: /\n";
    insta::assert_snapshot!(between(old, new, &[]));
}

/// A second vocabulary that says the same, a limit of use, and a licence.
#[test]
fn vocabularies_and_licences() {
    let old = "User-agent: *\nContent-Usage: train-ai=n\n";
    let new = "License: https://l.example/rsl.xml\nUser-agent: *\nContent-Usage: train-ai=n\n\
        Content-Signal: ai-train=no, use=reference\n";
    insta::assert_snapshot!(between(old, new, &["--agent", "ExampleBot"]));
}

#[test]
fn real_urls() {
    let (_folder, paths) = folder(&[
        "User-agent: *\nDisallow: /a\n",
        "User-agent: *\nDisallow: /a/\nUser-agent: f\nDisallow: /\n",
        "https://e.example/abc\n/a/b\n\nnonsense\n/c?\u{1b}x\n",
    ]);
    let [old, new, urls] = paths.as_slice() else {
        panic!()
    };
    let output = output_of(&[old, new, "--urls", urls], "").replace(urls.as_str(), "urls.txt");
    insta::assert_snapshot!(output);
}

#[test]
fn too_intricate_to_compare_whole() {
    let rules = |key: &str| -> String {
        let rule = |at| format!("{key}: /*a{at}b*c{at}d\n");
        (0..120).map(rule).collect()
    };
    let (old, new) = (rules("Disallow"), rules("Allow"));
    let (_folder, paths) = folder(&[
        &format!("User-agent: *\n{old}"),
        &format!("User-agent: *\n{new}"),
    ]);
    let ran = abide(&["diff", &paths[0], &paths[1]], b"");
    assert_eq!(ran.status, 1);
    assert!(
        ran.stdout.contains(
            "Compared only in part: which URLs may be crawled, for every robot that neither file names."
        ),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stderr
            .starts_with("warning: the comparison stopped at its limit"),
        "{}",
        ran.stderr
    );
}

#[test]
fn mistakes_in_the_call() {
    for args in [
        &["-", "-"][..],
        &["/nonexistent", EXAMPLE],
        &[EXAMPLE, EXAMPLE, "--agents", "a b"],
        &[EXAMPLE, EXAMPLE, "--urls", "/nonexistent"],
    ] {
        let ran = abide(&[&["diff"], args].concat(), b"");
        assert_eq!((ran.status, &*ran.stdout), (2, ""), "{args:?}");
        assert!(ran.stderr.starts_with("error: "), "{}", ran.stderr);
    }
}

#[test]
fn json_is_in_the_contract_and_its_witnesses_are_confirmed_by_check() {
    let schema: Value = serde_json::from_str(include_str!("../../../../schema/diff.json")).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let acap = "User-agent: *\nCrawl-delay: 1\nApp-Directives: one;a\nDisallow: /x*y\n\nACAP-crawler: *\n\
        ACAP-disallow-index: /d\nACAP-allow-preserve: / time-limit=3-days\nACAP-request-take-down: /z\n";
    let other =
        "User-agent: f\nAllow: /x*y$\nApp-Directives: / one;b=2\nSitemap: https://e.example/s\n";
    let preferences = "License: https://l.example/a\nUser-agent: *\nContent-Usage: train-ai=n\n\
        Content-Signal: /d ai-train=no, use=reference\nUser-agent: Google-Extended\nDisallow: /n\n";
    let (_folder, paths) = folder(&[
        acap,
        other,
        "User-agent: *\nDisallow: /x*z\n",
        preferences,
        "/xay\n/d\n",
    ]);
    let mut regions = 0;
    for old in &paths[..4] {
        for new in &paths[..4] {
            let ran = abide(
                &["diff", old, new, "--urls", &paths[4], "--format", "json"],
                b"",
            );
            let output: Value = serde_json::from_str(&ran.stdout).unwrap();
            let errors: Vec<_> = schema
                .iter_errors(&output)
                .map(|error| error.to_string())
                .collect();
            assert!(errors.is_empty(), "{output}: {errors:?}");
            has_one_cause_each(&output);
            assert_eq!(ran.status, i32::from(old != new));
            assert_eq!(output["equivalent"], old == new);
            for clients in output["clients"].as_array().unwrap() {
                let agent = clients["names"][0]["agent"]
                    .as_str()
                    .unwrap_or("unheard-of");
                for region in clients["regions"].as_array().unwrap() {
                    regions += 1;
                    // Brute force in abide-lint confirms these.
                    if ["train", "ai-input", "search"].contains(&region["usage"].as_str().unwrap())
                    {
                        continue;
                    }
                    for (side, file) in [("old", old), ("new", new)] {
                        confirm(region, side, file, agent);
                    }
                }
            }
        }
    }
    assert!(regions > 20, "{regions}");
}

/// Every region of the JSON has exactly one cause.
fn has_one_cause_each(output: &Value) {
    let mut places = Vec::new();
    for cause in output["causes"].as_array().unwrap() {
        for place in cause["regions"].as_array().unwrap() {
            let number = |key: &str| usize::try_from(place[key].as_u64().unwrap()).unwrap();
            places.push((number("clients"), number("region")));
        }
    }
    places.sort_unstable();
    let clients = output["clients"].as_array().unwrap().iter().enumerate();
    let all = clients.flat_map(|(at, one)| {
        let regions = one["regions"].as_array().unwrap().len();
        (0..regions).map(move |region| (at, region))
    });
    assert_eq!(places, all.collect::<Vec<_>>(), "{output}");
}

const PAPER: &str = "User-agent: *\nAllow: /ads/public/\nDisallow: /ads/\nDisallow: /search\n\n\
    User-agent: omgilibot\nDisallow: /\n\nUser-agent: omgili\nDisallow: /\n";
const CLOSED: &str = "User-agent: *\nDisallow: /\n";

#[test]
fn a_closed_site_is_the_headline() {
    let output = between(PAPER, CLOSED, &[]);
    let first = output.lines().next().unwrap();
    assert_eq!(
        first,
        "The whole site is now disallowed for every robot except omgili and omgilibot, for which it already was disallowed."
    );
    insta::assert_snapshot!(output);
    let literal = between(PAPER, CLOSED, &["--literal"]);
    assert!(!literal.contains("AdsBot-Google"), "{literal}");
}

/// Each robot beside the line that changes something for it.
#[test]
fn robots_with_the_same_effect_by_other_rules() {
    let old = "User-agent: *\nContent-Signal: search=yes, ai-train=no\nDisallow: /search\nDisallow: /login\n\
               Allow: /\n\nUser-agent: GPTBot\nDisallow: /premium/\nAllow: /\n\nUser-agent: Googlebot\n\
               Disallow: /search\n";
    let new = "User-agent: *\nContent-Signal: search=yes, ai-train=no\nDisallow: /search\nDisallow: /login\n\
               Disallow: /archive/\nAllow: /\n\nUser-agent: Googlebot\nDisallow: /search\n";
    insta::assert_snapshot!(between(old, new, &[]));
}

/// One sentence says what a change means: which paths, for whom, and why not for the others.
#[test]
fn one_sentence_per_change() {
    let own = "\nUser-agent: Googlebot\nDisallow: /tmp/\n";
    let star = "User-agent: *\nDisallow: /admin/\n";
    let ai = "\nUser-agent: GPTBot\nUser-agent: ClaudeBot\nUser-agent: CCBot\n\
              User-agent: Google-Extended\nUser-agent: Applebot-Extended\nDisallow: /\n";
    let signal =
        "User-agent: *\nContent-Usage: train-ai=n\nContent-Signal: search=yes\nDisallow: /admin/\n";
    let mut output = String::new();
    for (old, new) in [
        (
            star.to_owned() + own,
            star.to_owned() + "Disallow: /private/\n" + own,
        ),
        // Five robots of one group, of which two never crawl.
        (star.to_owned(), star.to_owned() + ai),
        (
            star.to_owned(),
            star.to_owned() + "\nUser-agent: Google-Extended\nDisallow: /\n",
        ),
        // Use follows from crawling.
        (
            signal.to_owned(),
            signal.to_owned() + "Disallow: /private/\n",
        ),
        (
            signal.to_owned() + "Disallow: /private/\n",
            signal.to_owned(),
        ),
        // A longer rule leaves a part open, and another keeps a part closed.
        (
            star.to_owned(),
            star.to_owned() + "Disallow: /a/\nAllow: /a/b/\n",
        ),
        (
            star.to_owned() + "Disallow: /a/\nDisallow: /a/b/\n",
            star.to_owned() + "Disallow: /a/b/\n",
        ),
        (
            star.to_owned(),
            star.to_owned() + "Disallow: /*.pdf$\nDisallow: /c\nDisallow: /d\n",
        ),
        (
            star.to_owned(),
            star.to_owned()
                + "Disallow: /a\nDisallow: /b\nDisallow: /c\nDisallow: /d\nDisallow: /e\n",
        ),
    ] {
        output.extend([&between(&old, &new, &[]), "\n\n"]);
    }
    assert!(!output.contains("such as /robots.txt"), "{output}");
    insta::assert_snapshot!(output);
}

#[test]
fn headlines() {
    let star = "User-agent: *\nDisallow: /a\nDisallow: /b\n";
    let own = "User-agent: Googlebot\nDisallow: /c\n\nUser-agent: *\nDisallow: /a\nDisallow: /b\n";
    let ai = "User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n\nUser-agent: *\nDisallow: /a\nDisallow: /b\n";
    let many: String = ('a'..='j')
        .map(|name| format!("User-agent: x{name}\nDisallow: /{name}\n\n"))
        .collect();
    let many_less = format!("{many}User-agent: *\nDisallow: /y\n");
    let mut table = String::new();
    for (old, new) in [
        (star, own),
        (own, star),
        (star, ai),
        (ai, star),
        (CLOSED, star),
        (CLOSED, ""),
        (star, ""),
        (many.as_str(), many_less.as_str()),
        (
            star,
            "User-agent: *\nDisallow: /a\nDisallow: /b\nCrawl-delay: 9\n",
        ),
        (
            star,
            "Sitemap: https://e.example/s\nUser-agent: *\nDisallow: /b\nDisallow: /a\n",
        ),
        (
            "User-agent: Googlebot\nDisallow: /g\nUser-agent: Bingbot\nDisallow: /g\n",
            CLOSED,
        ),
        ("", "User-agent: AdsBot-Google\nDisallow: /\n"),
        (
            "User-agent: *\nAllow: /\n",
            "User-agent: *\nAllow: /\nDisallow: /x\nAllow: /x/y\n",
        ),
        (star, star),
    ] {
        let json = between(old, new, &["--format", "json"]);
        let json = json.split("--- status").next().unwrap();
        let output: Value = serde_json::from_str(json).unwrap();
        has_one_cause_each(&output);
        table.push_str(output["headline"].as_str().unwrap());
        table.push('\n');
        for sentence in output["also"].as_array().unwrap() {
            table.extend(["  also: ", sentence.as_str().unwrap(), "\n"]);
        }
        for cause in output["causes"].as_array().unwrap() {
            table.extend(["  cause: ", cause["sentence"].as_str().unwrap(), "\n"]);
        }
        if let Some(affected) = output["affected"].as_str() {
            table.extend(["  ", affected, "\n"]);
        }
    }
    insta::assert_snapshot!(table);
}

#[test]
fn robots_as_people_name_them() {
    let googles = "User-agent: Googlebot\nDisallow: /g\n";
    let output = between(
        "",
        googles,
        &["-a", "Googlebot-News,*", "-a", "AdsBot-Google"],
    );
    insta::assert_snapshot!(output);
    let output = between("", googles, &["-a", "Googlebot-News", "--literal"]);
    assert!(output.starts_with("Nothing changes"), "{output}");
    let output = between("", CLOSED, &["-a", "@ai-training"]);
    assert!(
        output.starts_with(
            "The whole site is now disallowed for bingbot, Applebot, GPTBot, ClaudeBot and "
        ),
        "{output}"
    );
    // A name that only one of the files has.
    let output = between("", "User-agent: Bot2\nDisallow: /\n", &["-a", "Bot2"]);
    assert!(
        output.starts_with("The whole site is now disallowed for Bot2."),
        "{output}"
    );
    let output = between("", "", &["-a", "Bot2"]);
    assert!(
        output.contains("Bot2 is not a valid robot name"),
        "{output}"
    );
    let output = between("", "", &["-a", "@trainig"]);
    assert!(
        output.contains("unknown set @trainig") && output.ends_with("--- status 2"),
        "{output}"
    );
}

#[test]
fn markdown_for_a_pull_request() {
    let output = between(PAPER, CLOSED, &["--format", "markdown"]);
    insta::assert_snapshot!(without_paths(&output));
}

/// The output without the names of temporary files.
fn without_paths(output: &str) -> String {
    let lines = output
        .lines()
        .map(|line| match line.split_once("Old file: ") {
            Some(_) => "Old file: …",
            None => line,
        });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn markdown_injects_nothing_and_stays_short() {
    let evil = "User-agent: x`**<img/src=x>|@octocat\nDisallow: /`</summary><script>|@team\n\n\
        User-agent: *\nDisallow: /![x](https://evil.example)\u{1b}[2J\nDisallow: /</details>\n\
        Sitemap: https://e.example/`<b>`\n";
    let output = between("User-agent: *\nAllow: /\n", evil, &["--format", "markdown"]);
    // Outside of code spans and code elements nothing foreign is left.
    let mut text = String::new();
    let mut rest = output.as_str();
    while let Some(start) = rest.find('`') {
        text.push_str(&rest[..start]);
        let fence = rest[start..].chars().take_while(|c| *c == '`').count();
        let inside = &rest[start + fence..];
        let mut end = 0;
        // The span ends at a run of exactly as many backticks.
        loop {
            let at = inside[end..].find('`').unwrap() + end;
            let run = inside[at..].chars().take_while(|c| *c == '`').count();
            end = at + run;
            if run == fence {
                break;
            }
        }
        rest = &inside[end..];
    }
    text.push_str(rest);
    for foreign in [
        "<img",
        "<script",
        "octocat",
        "@team",
        "evil.example",
        "<b>",
        "\u{1b}",
    ] {
        let html = text.replace("<code>", "\u{1}").replace("</code>", "\u{2}");
        let mut outside = String::new();
        let mut inside = false;
        for c in html.chars() {
            match c {
                '\u{1}' => inside = true,
                '\u{2}' => inside = false,
                other if !inside => outside.push(other),
                _ => {}
            }
        }
        assert!(!outside.contains(foreign), "{foreign}: {output}");
    }
    assert!(
        !text.contains("<script") && !text.contains("<img"),
        "{output}"
    );
    assert_eq!(
        text.matches("<details>").count(),
        text.matches("</details>").count(),
        "{output}"
    );

    let rules = |sense: &str| -> String {
        let groups = (0..80).map(|group| {
            let name = char::from(b'a' + group / 26).to_string()
                + &char::from(b'a' + group % 26).to_string();
            let rules = (0..20).map(|rule| format!("{sense}: /{name}/{rule}/\n"));
            format!("User-agent: bot{name}\n{}\n", rules.collect::<String>())
        });
        groups.collect()
    };
    let output = between(
        &rules("Allow"),
        &rules("Disallow"),
        &["--format", "markdown"],
    );
    let (text, status) = output.split_once("--- status ").unwrap();
    assert_eq!(status, "1");
    assert!(text.lines().count() <= 200, "{}", text.lines().count());
    assert!(
        text.contains("more causes: `abide diff` shows them all."),
        "{text}"
    );
    assert_eq!(
        text.matches("<details>").count(),
        text.matches("</details>").count()
    );
}

#[test]
fn a_live_site() {
    let live = "User-agent: *\nDisallow: /a\n";
    let server = Server::start(move |path| match path {
        "/robots.txt" => response("200 OK", "", live),
        _ => response("404 Not Found", "", ""),
    });
    let (_folder, paths) = folder(&[live, "User-agent: *\nDisallow: /b\n"]);
    for url in [server.url(""), server.url("/"), server.url("/robots.txt")] {
        let ran = abide(&["diff", &paths[0], &url, "--allow-private"], b"");
        assert_eq!((ran.status, &*ran.stderr), (0, ""), "{url}");
        let ran = abide(&["diff", &url, &paths[1], "--allow-private"], b"");
        assert_eq!((ran.status, &*ran.stderr), (1, ""), "{url}");
    }
    assert!(server.paths().iter().all(|path| path == "/robots.txt"));
}

#[test]
fn a_live_site_that_fails_is_never_an_empty_file() {
    let (_folder, paths) = folder(&[""]);
    for (status, says) in [
        (
            "404 Not Found",
            "does not exist: the site answered with status 404; without a robots.txt everything is allowed",
        ),
        (
            "410 Gone",
            "does not exist: the site answered with status 410",
        ),
        ("503 Service Unavailable", "cannot fetch http://127.0.0.1:"),
    ] {
        let server = Server::start(move |_| response(status, "", ""));
        for format in ["human", "markdown", "json"] {
            let url = server.url("/");
            let args = [
                "diff",
                &paths[0],
                &url,
                "--allow-private",
                "--format",
                format,
            ];
            let ran = abide(&args, b"");
            assert_eq!((ran.status, &*ran.stdout), (3, ""), "{status}");
            assert!(
                ran.stderr.starts_with("error: nothing was compared: ")
                    && ran.stderr.contains(says),
                "{}",
                ran.stderr
            );
        }
    }
    // Nobody listens here.
    let ran = abide(
        &["diff", "http://127.0.0.1:1/", &paths[0], "--allow-private"],
        b"",
    );
    assert_eq!((ran.status, &*ran.stdout), (3, ""), "{}", ran.stderr);
}

/// Checks that `check` gives the same answer for a witness, by the same line.
fn confirm(region: &Value, side: &str, file: &str, agent: &str) {
    let witness = region["witness"].as_str().unwrap();
    let args = [
        "check", witness, "--agent", agent, "--robots", file, "--format", "json",
    ];
    let decision: Value = serde_json::from_str(&abide(&args, b"").stdout).unwrap();
    let said = &decision["usages"][region["usage"].as_str().unwrap()];
    let answer = &region[side];
    assert_eq!(said["outcome"], answer["outcome"], "{region}");
    assert_eq!(
        said["conditions"].as_array().unwrap().len(),
        answer["conditions"].as_array().unwrap().len()
    );
    let line = |evidence: &Value| evidence["line"].as_u64();
    assert_eq!(
        line(&said["evidence"][0]),
        line(&answer["decided_by"]),
        "{region}"
    );
}

/// Robots that claim purposes get the answers that `check` gives them.
#[test]
fn purposes_that_robots_claim() {
    let old = "User-agent: *\nAllow: /\n";
    let new = "User-Agent-Purpose: AI-TRAINING\nDisallow: /\n\nUser-agent: Bingbot\nUser-agent: *\nAllow: /\n";
    let (_folder, paths) = folder(&[old, new]);
    let [old, new] = [&paths[0], &paths[1]].map(String::as_str);
    let ran = |args: &[&str]| abide(&[&["diff", old, new], args].concat(), b"");
    let told = ran(&["-a", "GPTBot"]);
    assert_eq!(told.status, 0, "{}", told.told());
    let told = ran(&["-a", "GPTBot", "--purpose", "other,ai-training"]);
    assert!(
        told.stdout
            .starts_with("The whole site is now disallowed for GPTBot."),
        "{}",
        told.told()
    );
    // Whoever else claims the purpose, but no robot that the file names.
    let told = ran(&["-p", "AI-TRAINING"]);
    assert!(
        told.stdout.starts_with(
            "The whole site is now disallowed for every robot that neither file names"
        ),
        "{}",
        told.told()
    );
    let told = ran(&["-p", "AI-TRAINING", "-a", "Bingbot"]);
    assert_eq!(told.status, 0, "{}", told.told());
    let args = [
        "check",
        "/x",
        "-a",
        "GPTBot",
        "-p",
        "AI-TRAINING",
        "-r",
        new,
    ];
    assert_eq!(abide(&args, b"").status, 1);
    let told = ran(&["-p", "AI TRAINING"]);
    assert_eq!(told.status, 2);
    assert!(
        told.stderr
            .contains("in --purpose: expected a purpose token"),
        "{}",
        told.stderr
    );
}

/// What Google's parser sees otherwise is one line.
#[test]
fn a_change_that_only_one_parser_sees() {
    let folder = tempfile::tempdir().unwrap();
    let diff = |old: &str, new: &str, more: &[&str]| {
        std::fs::write(folder.path().join("old.txt"), old).unwrap();
        std::fs::write(folder.path().join("new.txt"), new).unwrap();
        abide_in(
            folder.path(),
            &[&["diff", "old.txt", "new.txt"], more].concat(),
            b"",
        )
    };
    let (plain, escaped) = (
        "User-agent: *\nDisallow: /~joe\n",
        "User-agent: *\nDisallow: /%7Ejoe\n",
    );
    let more = diff(plain, escaped, &[]);
    assert_eq!(more.status, 1, "{}", more.told());
    insta::assert_snapshot!("only_google", more.stdout);
    let json = diff(plain, escaped, &["--format", "json"]).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["equivalent"], false);
    assert_eq!(json["google_sees_more"], true);
    let other = "User-agent: *\nDisallow: /x\n";
    let less = diff(other, &format!("{other}Disallow: /%7Ejoe\n"), &[]);
    insta::assert_snapshot!("only_rfc", less.stdout);
    // Each robot is named with its own change.
    let (ab, ba) = (
        "User-agent: A\nDisallow: /q\nDisallows: /a\n\nUser-agent: B\nDisallow: /q\n",
        "User-agent: A\nDisallow: /q\n\nUser-agent: B\nDisallow: /q\nDisallows: /b\n",
    );
    let two = diff(ba, ab, &[]);
    let says = "for A, `/a` was allowed and is now disallowed. There are more such changes.";
    assert!(two.stdout.contains(says), "{}", two.told());
    let same = diff(plain, plain, &[]);
    assert_eq!(same.status, 0, "{}", same.told());
    assert!(!same.stdout.contains("Google"), "{}", same.told());
}

/// A client sends `/sso/` for `/sso/.`, so that is no example of a change.
#[test]
fn examples_are_urls_that_clients_send() {
    use abide::{Limits, Profile, Robots};
    use abide_analysis::{Bound, compare};
    use abide_fetch::RequestUrl;
    let allows =
        |policy: &abide::Policy, path: &str| policy.allows(&format!("https://e.example{path}"));
    let sent = |path: &str| {
        let url = format!("https://e.example{path}");
        let request = RequestUrl::new(&url).unwrap();
        request
            .as_str()
            .strip_prefix("https://e.example")
            .map(str::to_owned)
            .unwrap()
    };
    let units = [
        "a", "b", "/", "*", "$", "?", ".", "%61", "%2f", "%2E", "\u{e9}", "'", "..",
    ];
    let plain: Vec<&str> = units
        .iter()
        .filter(|unit| !"*$".contains(**unit))
        .copied()
        .collect();
    let mut longest = vec!["/".to_owned()];
    let mut urls = longest.clone();
    for _ in 0..3 {
        let longer = longest.iter();
        let longer = longer.flat_map(|path| plain.iter().map(move |unit| format!("{path}{unit}")));
        longest = longer.collect();
        urls.extend(longest.iter().map(|url| sent(url)));
    }
    urls.sort();
    urls.dedup();
    // The numbers of a linear congruence, so that each run tries the same files.
    let mut state = 20_261_127_u64;
    let mut next = |most: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % most
    };
    let mut file = || {
        let mut text = "User-agent: *\n".to_owned();
        for _ in 0..=next(3) {
            text += ["Allow: /", "Disallow: /", "Disallow: *"][next(3)];
            for _ in 0..next(5) {
                text += units[next(units.len())];
            }
            text.push('\n');
        }
        text
    };
    let mut changes = 0;
    for profile in [Profile::Careful, Profile::Google] {
        for _ in 0..250 {
            let texts = [file(), file()];
            let [old, new] = texts
                .each_ref()
                .map(|text| Robots::parse_as(text.as_bytes(), profile, Limits::default()));
            let client = abide::Client::unnamed().with_profile(profile);
            let found = compare::policies(&old, &new, &client, Bound::default());
            assert!(found.is_complete, "{texts:?}");
            let (old, new) = (old.policy(&client), new.policy(&client));
            for region in &found.regions {
                let witness = &region.witness;
                assert_ne!(
                    allows(&old, witness),
                    allows(&new, witness),
                    "{witness} {texts:?}"
                );
                // What the google profile does not normalise, clients escape further.
                if profile == Profile::Careful {
                    assert_eq!(&sent(witness), witness, "{texts:?}");
                } else {
                    assert!(sent(witness).len() >= witness.len(), "{witness} {texts:?}");
                }
                changes += 1;
            }
            if found.regions.is_empty() {
                let hidden = urls
                    .iter()
                    .find(|url| allows(&old, url) != allows(&new, url));
                assert_eq!(hidden, None, "{texts:?}");
            }
        }
    }
    assert!(changes > 500, "{changes}");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("o"),
        "User-agent: *\nDisallow: /sso/\nDisallow: *.pdf$\n",
    )
    .unwrap();
    std::fs::write(folder.path().join("n"), "User-agent: *\nDisallow: /sso/$\n").unwrap();
    let ran = abide_in(folder.path(), &["diff", "o", "n", "-a", "*"], b"");
    assert!(!ran.stdout.contains("/sso/.\n"), "{}", ran.told());
}
