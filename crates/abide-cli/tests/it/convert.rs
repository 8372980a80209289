//! `abide convert`

use crate::abide;
use std::fmt::Write;

#[test]
fn conventional_records_to_acap() {
    let robots = b"# all\nUser-agent: *\nDisallow: /1/\nAllow: /1/2/\n\nUser-agent: ExampleBot\nUser-agent: Other-Bot\nDisallow: /3\n\nSitemap: https://e.example/s.xml\n";
    let ran = abide(&["convert", "--to", "acap"], robots);
    assert_eq!(ran.status, 0);
    insta::assert_snapshot!(format!("{}---\n{}", ran.stdout, ran.stderr));
}

#[test]
fn acap_records_to_conventional_ones() {
    let acap = b"##ACAP version=1.0\nACAP-crawler: *\nACAP-disallow-crawl: private/\nACAP-allow-index: /\nACAP-crawler: ExampleBot\nACAP-allow-crawl: /private/1/\n";
    let ran = abide(&["convert", "--to", "robots", "-"], acap);
    assert_eq!(ran.status, 0);
    insta::assert_snapshot!(format!("{}---\n{}", ran.stdout, ran.stderr));
}

/// Rules that the specifications rank differently: the command writes nothing, and a URL shows why.
#[test]
fn what_would_not_mean_the_same_is_refused() {
    for (name, to, text) in [
        (
            "scope",
            "acap",
            "User-agent: *\nDisallow: /*.gif$\nAllow: /img\n",
        ),
        ("tie", "acap", "User-agent: *\nDisallow: /1\nAllow: /1\n"),
        (
            "purpose",
            "acap",
            "User-Agent-Purpose: train\nDisallow: /1\n",
        ),
        (
            "qualifier",
            "robots",
            "ACAP-crawler: *\nACAP-allow-crawl: /1 time-limit=3-days\n",
        ),
        (
            "named",
            "robots",
            "ACAP-crawler: *\nACAP-disallow-crawl: /1/2\nACAP-crawler: f\nACAP-allow-crawl: /1\n",
        ),
    ] {
        let ran = abide(&["convert", "--to", to], text.as_bytes());
        assert_eq!((ran.status, &*ran.stdout), (1, ""), "{name}");
        insta::assert_snapshot!(format!("refused_{name}"), ran.stderr);
    }
}

/// Without ACAP records the result would be an empty file, which opens the site.
#[test]
fn nothing_to_convert_is_an_error() {
    for (to, text) in [
        ("robots", "User-agent: *\nDisallow: /cart/\nDisallow: /x\n"),
        ("robots", "ACAP-crawler: *\nACAP-disallow-index: /\n"),
        ("acap", "Sitemap: https://e.example/s.xml\n"),
        ("content-usage", "Content-Signal: ai-train=no\n"),
    ] {
        let ran = abide(&["convert", "--to", to], text.as_bytes());
        assert_eq!((ran.status, &*ran.stdout), (1, ""), "{text}");
        assert!(ran.stderr.contains("[convert-nothing]"), "{}", ran.stderr);
        assert_eq!(ran.stderr.matches("error:").count(), 1, "{}", ran.stderr);
    }
}

#[test]
fn tags_in_each_form() {
    let mut output = String::new();
    for (to, given) in [
        (
            "robots-tag",
            "X-Robots-Tag: noindex, ExampleBot: max-snippet: 10, all",
        ),
        (
            "robots-tag",
            "X-Robots-Tag: unavailable_after: Saturday, 25-Jun-26 15:00:00 GMT",
        ),
        (
            "x-robots-tag",
            "Robots-Tag: *;noindex;max-image-preview=large, ExampleBot;nosnippet",
        ),
        ("meta", "X-Robots-Tag: NONE, unicorn"),
        ("meta", "Robots-Tag: robots;noindex"),
    ] {
        let ran = abide(&["convert", "--to", to, "--header", given], b"");
        let (status, out, err) = (ran.status, ran.stdout, ran.stderr);
        output.push_str(
            &[
                given,
                "
=> ",
                to,
                ", status ",
                &status.to_string(),
                "
",
                &out,
                &err,
                "
",
            ]
            .concat(),
        );
    }
    insta::assert_snapshot!(output);
}

#[test]
fn tags_of_pages_and_heads() {
    let page = b"<!doctype html><meta name=robots content='noindex, nosnippet'><meta name=ExampleBot content=noarchive>";
    let ran = abide(&["convert", "--to", "robots-tag"], page);
    assert_eq!(
        ran.stdout,
        "Robots-Tag: *;noindex;nosnippet, ExampleBot;noarchive\n"
    );
    let head =
        b"HTTP/1.1 200 OK\r\nX-Robots-Tag: noindex\r\nX-Robots-Tag: examplebot: nofollow\r\n\r\n";
    let ran = abide(&["convert", "--to", "meta"], head);
    assert_eq!(
        ran.stdout,
        "<meta name=\"robots\" content=\"noindex\">\n<meta name=\"examplebot\" content=\"nofollow\">\n"
    );
}

/// What a command writes about a configuration.
fn about(args: &[&str], text: &str) -> String {
    let ran = abide(args, text.as_bytes());
    format!(
        "--- {}\n{text}=> {}\n{}{}",
        args.join(" "),
        ran.status,
        ran.stdout,
        ran.stderr
    )
}

#[test]
fn tags_of_server_configurations() {
    let to_tag = &["convert", "--to", "robots-tag"][..];
    let mut output = String::new();
    for text in [
        "add_header X-Robots-Tag \"noindex, nofollow\";\n",
        "server {\n  # all of it\n  location /drafts/ {\n    add_header X-Robots-Tag 'noindex' always; add_header X-Robots-Tag \"ExampleBot: nosnippet\";\n    add_header X-Frame-Options $frame;\n    add_header Robots-Tag \"\";\n  }\n}\n",
        "add_header\n  Robots-Tag\n  '*;unavailable_after=\"1 Jan 2030 00:00:00 GMT\"';\n",
        "Header set X-Robots-Tag \"noindex\"\nHeader always append x-robots-tag nofollow\nHeader add X-Robots-Tag \"b: none\"\n",
        "<Files \"*.pdf\">\n  header set X-Robots-Tag \\\n    \"noindex\"\n  Header set X-Robots-Tag \"max-snippet: 5\"\n  Header setifempty X-Robots-Tag none\n</Files>\nHeader set Cache-Control \"max-age=1\"\n",
        "Header set X-Robots-Tag \"noindex\"\nHeader unset X-Robots-Tag\nHeader set Robots-Tag \"*;nosnippet\"\n",
        // Apache sends the fields of both of its tables.
        "Header set X-Robots-Tag \"noindex\"\nHeader always set X-Robots-Tag \"nofollow\"\n",
        "Header always set X-Robots-Tag \"noindex\"\nHeader unset X-Robots-Tag\n",
        "Header add X-Robots-Tag noindex\nHeader always setifempty X-Robots-Tag nosnippet\nHeader onsuccess set X-Robots-Tag nofollow\n",
        // Sections that are no places.
        "<IfModule mod_headers.c>\n  Header set X-Robots-Tag \"noindex\"\n</IfModule>\nHeader append X-Robots-Tag nofollow\n",
        "<Files \"*.pdf\">\n  <ifversion >= 2.4>\n    Header set X-Robots-Tag noindex\n  </ifversion>\n  <IfDefine Open>\n    Header set X-Robots-Tag none\n  </IfDefine>\n</Files>\n",
    ] {
        output.push_str(&about(to_tag, text));
    }
    insta::assert_snapshot!(output);
    let text = "location ~ \\.pdf$ {\n  add_header X-Robots-Tag noindex;\n}\n";
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = [
        "check",
        "https://news.example/a.pdf",
        "--agent",
        "ExampleBot",
    ];
    let of_page = [
        "--robots",
        "docs/examples/robots.txt",
        "--response-head",
        "-",
    ];
    let ran = crate::abide_in(&root, &[page, of_page].concat(), text.as_bytes());
    insta::assert_snapshot!(format!("{}{}", ran.stdout, ran.stderr));
}

#[test]
fn server_configurations_that_cannot_be_read() {
    let mut output = String::new();
    for text in [
        "add_header X-Robots-Tag;\n",
        "\nadd_header X-Robots-Tag \"noindex\"\n",
        "location / {\n  add_header X-Robots-Tag \"noindex\"\n}\n",
        "add_header X-Robots-Tag \"noindex;\n",
        "add_header X-Robots-Tag $robots;\n",
        "add_header X-Robots-Tag noindex;\n}\n",
        "location /a/ { add_header X-Robots-Tag noindex; }\nlocation /b/ { add_header X-Robots-Tag none; }\n",
        "add_header X-Frame-Options DENY;\n",
        "Header set X-Robots-Tag\n",
        "Header set\n",
        "Header toggle X-Robots-Tag noindex\n",
        "Header set X-Robots-Tag \"%{ROBOTS}e\"\n",
        "Header set X-Robots-Tag noindex env=private\n",
        "Header set X-Robots-Tag 'noindex\n",
        "Header set X-Robots-Tag noindex\n</Files>\n",
        "<Files a>\nHeader set X-Robots-Tag noindex\n</Files>\nHeader set X-Robots-Tag none\n",
    ] {
        let told = about(&["convert", "--to", "robots-tag"], text);
        assert!(told.contains("=> 2\n"), "{told}");
        output.push_str(&told);
    }
    insta::assert_snapshot!(output);
}

/// The name of a section is kept once, and messages show its beginning.
#[test]
fn long_names_in_server_configurations() {
    let long = "x".repeat(250_000);
    for text in [
        format!("location {long} {{ add_header X-Robots-Tag noindex; }}\n"),
        format!("<Files {long}>\nHeader set X-Robots-Tag noindex\n</Files>\n"),
        format!(
            "<Files {long}>\nHeader set X-Robots-Tag noindex\n</Files>\nHeader set X-Robots-Tag none\n"
        ),
        format!("Header {long} X-Robots-Tag noindex\n"),
        format!("Header set X-Robots-Tag noindex {long}\n"),
        format!("Header set X-Robots-Tag noindex\n</\x1b{long}>\n"),
    ] {
        let ran = abide(&["convert", "--to", "robots-tag"], text.as_bytes());
        let told = &ran.stderr;
        assert!(told.contains("xxx…") && told.len() < 1_000, "{told}");
        assert!(!told.contains('\x1b'), "{told}");
    }
}

/// Files of a few hundred kilobytes that took gigabytes.
#[cfg(target_os = "linux")]
#[test]
fn conversions_take_little_memory() {
    let fields = "add_header X-Robots-Tag noindex;\n".repeat(7_000);
    let nginx = format!("location {} {{\n{fields}}}\n", "x".repeat(250_000));
    let members: String = (0..15_000).map(|at| format!(" /p{at}")).collect();
    let fields = "ACAP-disallow-crawl: the-acap:resource-set:s\n".repeat(3_500);
    let sets = format!("ACAP-resource-set: s{members}\nACAP-crawler: *\n{fields}");
    let limited = "ulimit -v 800000; exec \"$@\"";
    let folder = tempfile::tempdir().unwrap();
    for (to, text, status) in [("robots-tag", nginx, 0), ("robots", sets, 1)] {
        let file = folder.path().join(to);
        std::fs::write(&file, text).unwrap();
        let abide = env!("CARGO_BIN_EXE_abide");
        let mut command = std::process::Command::new("sh");
        command.args(["-c", limited, "sh", abide, "convert", "--to", to]);
        let ran = command.arg(&file).output().unwrap();
        let told = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(status), "{to}: {told:.500}");
    }
}

#[test]
fn calls_that_make_no_sense() {
    for (args, complaint) in [
        (
            &["--to", "acap", "no-such-file"][..],
            "cannot read no-such-file",
        ),
        (&["--to", "meta"], "no robots tags in the input"),
        (
            &["--to", "acap", "--header", "X-Robots-Tag: noindex"],
            "--header is about robots tags",
        ),
        (
            &["--to", "meta", "--header", "noindex"],
            "expected a field line such as",
        ),
    ] {
        let ran = abide(&[&["convert"], args].concat(), b"");
        assert_eq!(ran.status, 2, "{args:?}");
        assert!(ran.stderr.contains(complaint), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn preferences_in_another_vocabulary() {
    let signals =
        b"# Signals reserve rights.\nUser-agent: *\nContent-Signal: search=yes, ai-train=no\n\
        Content-Signal: /blog/ ai-input=yes\nDisallow: /tmp/\n";
    let usage = b"User-agent: *\nContent-Usage: train-ai=n, ai-use=n\nContent-Usage: /open/ train-ai=y, ai-use=y\n";
    let mut output = String::new();
    for (to, text) in [
        ("content-usage", &signals[..]),
        ("content-signal", usage),
        ("tdmrep", usage),
    ] {
        let ran = abide(&["convert", "--to", to], text);
        assert_eq!(ran.status, 0);
        let _ = write!(output, "--- {to}\n{}--- stderr\n{}", ran.stdout, ran.stderr);
    }
    insta::assert_snapshot!(output);
}

#[test]
fn preferences_that_cannot_be_said_are_refused() {
    let mut output = String::new();
    for (to, text) in [
        (
            "content-usage",
            "Content-Signal: ai-train=no, use=reference",
        ),
        (
            "content-usage",
            "Content-Signal: /*.pdf ai-train=no\nContent-Signal: /blogs/ search=yes",
        ),
        (
            "content-signal",
            "Content-Usage: train-ai=n\nContent-Usage: /s/ search=y",
        ),
        ("tdmrep", "Content-Usage: train-ai=n"),
        (
            "tdmrep",
            "Content-Usage: train-ai=n, ai-use=n\nAllow: /\nUser-agent: f\nAllow: /",
        ),
        ("content-usage", "Disallow: /"),
    ] {
        let text = format!("User-agent: *\n{text}\n");
        let ran = abide(&["convert", "--to", to], text.as_bytes());
        assert_eq!((ran.status, &*ran.stdout), (1, ""), "{text}");
        let _ = write!(output, "--- {to}\n{text}---\n{}", ran.stderr);
    }
    insta::assert_snapshot!(output);
}
