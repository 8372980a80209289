//! Findings about AI preferences in a robots.txt: which lines have which.

use abide::Severity;
use abide_lint::{Context, Linter};
use abide_testkit::work::Work;
use std::time::Duration;

/// The findings with these codes, as `line: message`.
fn found(code: &str, file: &str) -> Vec<String> {
    let linter = Linter::new().select([code]).unwrap();
    let found = linter.robots_txt(file.as_bytes(), &Context::default());
    let shown = found.iter().map(|finding| {
        let line = finding.line.unwrap_or_default();
        format!("{line}: {}", finding.message)
    });
    shown.collect()
}

/// Whatever the line.
const ANY: u32 = 0;

#[track_caller]
fn finds(code: &str, file: &str, line: u32, part: &str) {
    let found = found(code, file);
    let start = format!("{line}: ");
    let is_it = |one: &String| (line == ANY || one.starts_with(&start)) && one.contains(part);
    assert!(found.iter().any(is_it), "{code} in {file}: {found:?}");
}

#[track_caller]
fn finds_nothing(code: &str, file: &str) {
    assert_eq!(found(code, file), Vec::<String>::new(), "{code} in {file}");
}

/// Paths that share a path although neither begins with the other.
#[test]
fn words_are_dropped_where_wildcards_overlap() {
    let code = "content-usage-dropped-word";
    for (lines, line, path) in [
        ("/doc/ train-ai=n\n/*.pdf search=y", 3, "/doc/x.pdf"),
        (
            "/*.pdf search=y, ai-use=n\n/*.p search=n, train-ai=n",
            2,
            "does not count for this longer path",
        ),
        ("/a*b train-ai=n\n/*ba/ search=y", 3, "/aba/"),
        ("/a$ train-ai=n\n/*a* search=y", 3, "/a"),
        (
            "train-ai=n\n/open/ train-ai=y\n/* search=y",
            4,
            "does not count",
        ),
    ] {
        let lines: String = lines
            .lines()
            .map(|line| format!("Content-Usage: {line}\n"))
            .collect();
        finds(
            code,
            &format!("User-agent: *\n{lines}Allow: /\n"),
            line,
            path,
        );
    }
    for lines in [
        // The word is there, or the longer line cannot win.
        "/doc/ train-ai=n\n/*.pdf train-ai=y",
        "/doc/ train-ai=n\n/*.pdf train-ai=maybe",
        // Of equally long paths all count.
        "/docs/ train-ai=n\n/*.pdf search=y",
        // They share no path.
        "/doc/ train-ai=n\n/img/*.pdf search=y",
        "/*.pdf$ train-ai=n\n/*.docs$ search=y",
        // A third line decides on all shared paths.
        "/doc/ train-ai=n\n/*.pdf search=y\n/doc/*.pdf train-ai=n",
        "/d train-ai=n\n/do train-ai=y\n/*oc search=y\n/d*oc train-ai=n",
        // What is hidden permits.
        "/doc/ train-ai=y\n/*.pdf search=y",
        "/ train-ai=n\n/docs/ train-ai=y\n/docs/*.pdf search=y",
    ] {
        let file: String = lines
            .lines()
            .map(|line| format!("Content-Usage: {line}\n"))
            .collect();
        finds_nothing(code, &format!("User-agent: *\n{file}Allow: /\n"));
    }
    // Nobody reads a preference about what is disallowed.
    let file = "User-agent: *\nContent-Usage: /doc/ train-ai=n\nContent-Usage: /*.pdf search=y\nDisallow: /doc/*.pdf\n";
    finds_nothing(code, file);
    let file = format!("{file}Allow: /doc/open/*.pdf\n");
    finds(code, &file, 3, "/doc/open/x.pdf");
}

#[test]
fn vocabularies_conflict_where_wildcards_overlap() {
    let code = "preferences-conflict";
    for (lines, line, path) in [
        (
            "Content-Usage: /docs/ train-ai=n\nContent-Signal: /*.pdf ai-train=yes",
            ANY,
            "/docs/x.pdf",
        ),
        (
            "Content-Signal: /*.pdf ai-train=no\nContent-Usage: /docs/ train-ai=y",
            ANY,
            "/docs/x.pdf",
        ),
        (
            "Content-Usage: /a*z search=n\nContent-Signal: /*y$ search=yes",
            ANY,
            "/azy",
        ),
    ] {
        finds(
            code,
            &format!("User-agent: *\n{lines}\nAllow: /\n"),
            line,
            path,
        );
    }
    for lines in [
        "Content-Usage: /docs/ train-ai=n\nContent-Signal: /*.pdf ai-train=no",
        "Content-Usage: /docs/ train-ai=n\nContent-Signal: /img/*.pdf ai-train=yes",
        "Content-Usage: /docs/ train-ai=n\nContent-Usage: /docs/*.pdf train-ai=y\nContent-Signal: /*.pdf ai-train=yes",
        "Content-Usage: /docs/ train-ai=n\nContent-Signal: /*.pdf ai-train=yes\nContent-Signal: /docs/*.pdf ai-train=no",
        "Content-Usage: /docs/ train-ai=n\nContent-Signal: /*.pdf ai-train=yes\nDisallow: /docs/*.pdf",
    ] {
        finds_nothing(code, &format!("User-agent: *\n{lines}\nAllow: /open\n"));
    }
    let token = "User-agent: Googlebot\nContent-Signal: /docs/ ai-train=yes\nAllow: /\n\nUser-agent: Google-Extended\nDisallow: /*.pdf$\n";
    finds(code, token, ANY, "/docs/x.pdf");
    let open = format!("{token}Allow: /docs/*.pdf$\n");
    finds_nothing(code, &open);
}

#[test]
fn dialects_differ_where_wildcards_overlap() {
    let code = "dialects-differ-by-path";
    let file = "User-agent: *\nContent-Usage: /doc/ train-ai=n\nContent-Usage: /*.pdf search=y\n\
        Content-Signal: /doc/ ai-train=no\nContent-Signal: /*.pdf search=yes\nAllow: /\n";
    finds(code, file, 3, "at /doc/x.pdf ");
    finds_nothing(code, &file.replace("/*.pdf", "/img/*.pdf"));
    finds_nothing(code, &file.replace("Allow: /\n", "Disallow: /doc/*.pdf\n"));
}

#[test]
fn preferences_are_on_disallowed_paths_only() {
    let code = "preference-on-disallowed-path";
    for (lines, line, part) in [
        (
            "Disallow: /*.pdf$\nContent-Usage: /docs/*.pdf$ train-ai=n",
            3,
            "line 2 disallows",
        ),
        (
            "Content-Usage: /a train-ai=n\nDisallow: /a$\nDisallow: /a*",
            2,
            "line 4 disallows",
        ),
        (
            "Content-Signal: /d/*.pdf search=yes\nDisallow: /d*f",
            2,
            "never fetch",
        ),
        (
            "Content-Usage: /a*z train-ai=n\nDisallow: /a\nAllow: /*q$\nDisallow: /a*z*q",
            2,
            "together",
        ),
    ] {
        finds(code, &format!("User-agent: *\n{lines}\n"), line, part);
    }
    for lines in [
        "Disallow: /*.pdf$\nContent-Usage: /docs/*.pdf train-ai=n",
        "Disallow: /*.pdf\nAllow: /docs/open/\nContent-Usage: /docs/*.pdf train-ai=n",
        "Disallow: /docs/*.pdf\nContent-Usage: /*.pdf train-ai=n",
        "Content-Signal: /d/*.pdf search=no\nDisallow: /d*f",
    ] {
        finds_nothing(code, &format!("User-agent: *\n{lines}\n"));
    }
    // Another group opens the path for one of the robots.
    let file = "User-agent: a\nUser-agent: b\nDisallow: /*.pdf$\nContent-Usage: /d/*.pdf$ train-ai=n\n\nUser-agent: b\nAllow: /d/*.pdf$\n";
    finds_nothing(code, file);
    finds(
        code,
        &file.replace("User-agent: b\nAllow", "User-agent: c\nAllow"),
        4,
        "line 3",
    );
}

/// Thousands of lines with wildcards take bounded time.
#[test]
fn searches_for_shared_paths_are_bounded() {
    let mut file = "User-agent: *\n".to_owned();
    for number in 0..3_000 {
        let stars = "*a".repeat(number % 12);
        let anchor = "*x".repeat(number % 5);
        let lines = [
            format!("Content-Usage: /{stars}*{number}*b{anchor} train-ai=n\n"),
            format!("Content-Signal: /*c{stars}*{number} ai-train=yes, search=no\n"),
            format!("Disallow: /{stars}d*{number}\n"),
        ];
        file.extend(lines);
    }
    let start = Work::begin();
    let linter = Linter::new().without_fixes();
    let linter = linter
        .select([
            "content-usage-dropped-word",
            "preferences-conflict",
            "preference-on-disallowed-path",
            "dialects-differ-by-path",
        ])
        .unwrap();
    let found = linter.robots_txt(file.as_bytes(), &Context::default());
    assert!(!found.is_empty());
    let taken = start.took();
    assert!(taken < Duration::from_secs(30), "{taken:?}");
}

/// Keys that are recognised and never decided have a text of their own.
#[test]
fn pref_129_pref_130_keys_that_decide_nothing() {
    let linter = Linter::new().select(["unknown-field"]).unwrap();
    let (info, warning) = (Severity::Info, Severity::Warning);
    for (keys, severity, part) in [
        (
            &["DisallowAITraining"][..],
            info,
            "no robot is known to read it; name the robots",
        ),
        (&["AllowAITraining"], info, "no robot is known to read it"),
        (
            &["LLM-Policy", "Schemamap", "Agentmap"],
            info,
            "points to another file",
        ),
        (
            &["LLMs-txt", "AI-txt", "llms.txt"],
            info,
            "look for such a file by themselves",
        ),
        (
            &["Noai", "Noimageai", "Noml"],
            warning,
            "a rule of robots tags",
        ),
        (
            &["AI-Usage", "AI-Policy", "Usage-Preference"],
            warning,
            "no robot is known to read this key",
        ),
        (
            &["Permits", "Prohibits", "Compensation", "Standard"],
            warning,
            "the document that License",
        ),
        (
            &["TDM-Reservation", "TDM-Policy"],
            warning,
            "a response field",
        ),
    ] {
        for key in keys {
            let file = format!("User-agent: *\n{key}: /\nAllow: /\n");
            let all = Linter::new().robots_txt(file.as_bytes(), &Context::default());
            let is_there = all.iter().any(|one| one.rule.code() == "unknown-field");
            assert!(is_there, "{key}: {all:?}");
            let found = linter.robots_txt(file.as_bytes(), &Context::default());
            assert_eq!(found.len(), 1, "{key}");
            assert_eq!(found[0].severity(), severity, "{key}");
            assert!(
                found[0].message.contains(part),
                "{key}: {}",
                found[0].message
            );
        }
    }
}
