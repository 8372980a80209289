//! Findings about AI preferences: which ones a file and a response give.

use abide::preference::{PreferenceProfile, Revision};
use abide::tag::{FieldLine, Meta, Response};
use abide::{Client, Code, Diagnostic, Policy, ProductToken, Profile, Robots, Severity, Target};

fn client(preferences: PreferenceProfile) -> Client {
    Client::new(ProductToken::new("f").unwrap()).with_preferences(preferences)
}

fn found(robots: &str) -> Vec<Diagnostic> {
    Robots::parse(robots).diagnostics(&client(PreferenceProfile::default()))
}

fn codes(found: &[Diagnostic]) -> Vec<&'static str> {
    found.iter().map(|found| found.code.name()).collect()
}

/// Checks the codes for the lines of a group for `*`.
#[track_caller]
fn lines(lines: &str, expected: &[&str]) {
    let file = format!("User-agent: *\n{lines}\nAllow: /\n");
    assert_eq!(codes(&found(&file)), expected, "{lines}");
}

/// Checks the codes for a whole file.
#[track_caller]
fn file(file: &str, expected: &[&str]) {
    assert_eq!(codes(&found(file)), expected, "{file}");
}

/// Checks the codes for response fields.
#[track_caller]
fn fields(fields: &[(&str, &str)], expected: &[&str]) {
    let fields: Vec<_> = fields
        .iter()
        .map(|(name, value)| FieldLine::new(*name, *value))
        .collect();
    let response = Response::new(&fields);
    assert_eq!(of_response(&response), expected, "{fields:?}");
}

fn of_response(response: &Response) -> Vec<&'static str> {
    let policy = Policy::compile(b"", &client(PreferenceProfile::default()));
    let target = Target::new("https://e.example/x").unwrap();
    let decision = policy.decide(&target.with_response(response));
    codes(&policy.diagnostics_of(&decision))
}

#[test]
fn pref_2_nobody_who_does_not_ask_gets_findings() {
    let file =
        b"Content-Signal: ai-train=n\nUser-agent: *\nContent-Usage: bots=n,\nContent-Signals: a\n";
    let silent = Client::new(ProductToken::new("f").unwrap());
    assert_eq!(Robots::parse(file).diagnostics(&silent), []);
    let fields = [FieldLine::new("Content-Usage", "Train-AI=n")];
    let meta = Meta {
        name: "content-usage".into(),
        content: "train-ai=n".into(),
        offset: 0,
    };
    let response = Response::new(&fields).with_source_metas(std::slice::from_ref(&meta));
    let policy = Policy::compile(file, &silent);
    let target = Target::new("/x").unwrap();
    assert_eq!(
        policy.diagnostics_of(&policy.decide(&target.with_response(&response))),
        []
    );
}

#[test]
fn correct_lines_have_no_finding() {
    for correct in [
        "Content-Usage: train-ai=n",
        "Content-Usage: /a/ train-ai=n, search=y",
        "Content-Usage: train-ai=n;why=\"a; b, Search=1\"",
        "Content-Signal: search=yes, ai-train=no",
        "Content-Signal: /a search = yes ,ai-train=no",
        "Content-Signal: search=yes,ai-train=no,use=reference",
        "License: https://l.example/a.xml",
    ] {
        lines(correct, &[]);
    }
}

#[test]
fn pref_18_google_reads_the_statements_as_others_do() {
    let google = client(PreferenceProfile::default()).with_profile(Profile::Google);
    let file = b"User-agent: *\nContent-Usage: train-ai=no\nAllow: /\n";
    let policy = Policy::compile(file, &google);
    assert_eq!(codes(policy.diagnostics()), ["content-usage-value"]);
}

#[test]
fn pref_21_a_path_begins_with_a_slash() {
    for path in ["*.pdf", "a/", "https://e.example/a", "*.pdf$"] {
        lines(
            &format!("Content-Usage: {path} train-ai=n"),
            &["content-usage-path"],
        );
    }
    lines(
        "Content-Usage: https://e.example/a",
        &["content-usage-unparsable"],
    );
}

#[test]
fn pref_23_a_longer_path_inherits_no_word() {
    let dropped = ["content-usage-dropped-word"];
    lines(
        "Content-Usage: train-ai=n\nContent-Usage: /s/ search=y",
        &dropped,
    );
    lines(
        "Content-Usage: /a train-ai=n\nContent-Usage: /a/b search=y",
        &dropped,
    );
    // The nearest shorter path says y, nothing is prohibited, or the word is there.
    lines(
        "Content-Usage: train-ai=n\nContent-Usage: /a train-ai=y\nContent-Usage: /a/b train-ai=y",
        &[],
    );
    lines(
        "Content-Usage: train-ai=y\nContent-Usage: /s/ search=y",
        &[],
    );
    lines(
        "Content-Usage: train-ai=n\nContent-Usage: /s/ train-ai=y",
        &[],
    );
    lines(
        "Content-Usage: /x train-ai=n\nContent-Usage: /s/ search=y",
        &[],
    );
    // Equal paths all count.
    lines(
        "Content-Usage: /s/ train-ai=n\nContent-Usage: /s/ search=y",
        &[],
    );
}

#[test]
fn pref_27_what_is_no_dictionary_is_unparsable() {
    for statement in [
        "",
        "/a/",
        "train-ai=n,",
        "train-ai = n",
        "train-ai= n",
        "train-ai=n search=n",
        "train-ai=ñ",
        "train-ai=n,,search=n",
        "train-ai=n;search=n",
    ] {
        lines(
            &format!("Content-Usage: {statement}"),
            &["content-usage-unparsable"],
        );
    }
}

#[test]
fn pref_35_to_38_words_and_values() {
    lines(
        "Content-Usage: ai-use=n\nContent-Usage: ai-use=n",
        &["content-usage-newer-word"],
    );
    for value in ["yes", "no", "?0", "\"n\"", "Y", "1", "(n)"] {
        lines(
            &format!("Content-Usage: train-ai={value}"),
            &["content-usage-value"],
        );
    }
    lines("Content-Usage: train-ai", &["content-usage-value"]);
    lines("Content-Usage: pictures=n", &["content-usage-unknown-word"]);
    lines(
        "Content-Usage: ai-train=n, ai-input=n",
        &["content-usage-foreign-word", "content-usage-foreign-word"],
    );
    lines(
        "Content-Usage: train-ai=n, train-ai=y",
        &["content-usage-duplicate-word"],
    );
}

#[test]
fn pref_39_upper_case_fails_the_statement() {
    lines("Content-Usage: Train-AI=n", &["content-usage-word-case"]);
    lines(
        "Content-Usage: Train-AI=No",
        &["content-usage-word-case", "content-usage-value"],
    );
}

#[test]
fn pref_47_words_of_older_revisions() {
    for word in [
        "tdm",
        "ai",
        "genai",
        "inference",
        "all",
        "train-genai",
        "bots",
        "ai-output",
    ] {
        lines(
            &format!("Content-Usage: {word}=n"),
            &["content-usage-stale-word"],
        );
    }
    let old = PreferenceProfile {
        revision: Revision::named("07").unwrap(),
        ..PreferenceProfile::default()
    };
    let file = Robots::parse("User-agent: *\nContent-Usage: ai-use=n\n");
    let found = file.diagnostics(&client(old));
    assert_eq!(codes(&found), ["content-usage-newer-word"]);
}

#[test]
fn pref_12_groups_that_differ_in_content_usage_only() {
    let group =
        |usage: &str, rules: &str| format!("User-agent: a\n{rules}Content-Usage: {usage}\n");
    let two = |usage: &str, rules: &str| {
        format!(
            "{}{}",
            group("train-ai=n", "Allow: /\n"),
            group(usage, rules)
        )
    };
    file(
        &two("/x train-ai=y", "Allow: /\n"),
        &["content-usage-group-level"],
    );
    file(&two("/x train-ai=y", "Allow: /x\n"), &[]);
    file(&two("train-ai=n", "Allow: /\n"), &[]);
}

/// Names are shown as the file writes them, in its order.
#[test]
fn pref_13_names_are_shown_as_written() {
    let file = "User-agent: GPTBot\nUser-agent: CCBot\nContent-Signal: ai-train=no\n\
        User-agent: gptbot\nUser-agent: Bingbot\nUser-agent: AhrefsBot\nDisallow: /x\n";
    let found = found(file);
    assert_eq!(codes(&found), ["preference-only-group"]);
    let message = &found[0].message;
    let names = "GPTBot and CCBot and gptbot and 2 more are one group";
    assert!(message.contains(names), "{message}");
}

#[test]
fn pref_13_preferences_end_no_group() {
    let only = ["preference-only-group"];
    for line in [
        "Content-Usage: train-ai=n",
        "Content-Signal: ai-train=no",
        "License: https://l.example/a",
    ] {
        file(
            &format!("User-agent: *\n{line}\nUser-agent: GPTBot\nDisallow: /\n"),
            if line.starts_with("Content-Usage") {
                &["preference-on-disallowed-path", "preference-only-group"]
            } else {
                &only
            },
        );
    }
    file(
        "User-agent: *\nContent-Signal: ai-train=no\nUser-agent: b\nContent-Signal: search=no\n",
        &only,
    );
    // A rule between them ends the group, and the names of one robot are one group anyway.
    file(
        "User-agent: *\nContent-Signal: ai-train=no\nAllow:\nUser-agent: b\nAllow: /\n",
        &[],
    );
    file(
        "User-agent: *\nContent-Signal: ai-train=no\nUser-agent: *\nAllow: /\n",
        &[],
    );
    file(
        "User-agent: a\nUser-agent: b\nContent-Signal: ai-train=no\nAllow: /\n",
        &[],
    );
}

#[test]
fn pref_14_and_62_lines_outside_groups() {
    file(
        "Content-Signal: ai-train=no\nUser-agent: *\nAllow: /\n",
        &["content-signal-outside-group"],
    );
    file(
        "Content-Usage: train-ai=n\nUser-agent: *\nAllow: /\n",
        &["rule-outside-group"],
    );
    file(
        "License: https://l.example/a\nUser-agent: *\nAllow: /\n",
        &[],
    );
}

#[test]
fn pref_20_preferences_on_disallowed_paths() {
    let closed = ["preference-on-disallowed-path"];
    let group = |rules: &str, line: &str| format!("User-agent: a\n{rules}\n{line}\n");
    for (rules, line) in [
        ("Disallow: /", "Content-Usage: train-ai=n"),
        ("Disallow: /*", "Content-Signal: ai-train=no, search=yes"),
        ("Disallow: /p", "Content-Usage: /p/q train-ai=n"),
        (
            "Disallow: /p\nAllow: /x",
            "Content-Signal: /p/q ai-train=yes",
        ),
    ] {
        file(&group(rules, line), &closed);
    }
    for (rules, line) in [
        ("Disallow: /\nAllow: /x", "Content-Usage: train-ai=n"),
        (
            "Disallow: /p\nAllow: /p/q/r",
            "Content-Usage: /p/q train-ai=n",
        ),
        (
            "Disallow: /p\nAllow: /*.pdf",
            "Content-Usage: /p/q train-ai=n",
        ),
        ("Disallow: /p$", "Content-Usage: /p train-ai=n"),
        ("Disallow: /p", "Content-Usage: train-ai=n"),
        // Robots that have the content from elsewhere honour it.
        ("Disallow: /", "Content-Signal: ai-train=no"),
    ] {
        file(&group(rules, line), &[]);
    }
    // Another group may allow it.
    file(
        "User-agent: a\nDisallow: /\nContent-Usage: train-ai=n\n\nUser-agent: a\nUser-agent: b\nAllow: /\n",
        &[],
    );
}

#[test]
fn pref_53_a_limit_takes_back_a_permission() {
    let code = ["signal-permits-closed"];
    lines("Content-Signal: ai-train=yes, use=immediate", &code);
    lines(
        "Content-Signal: ai-train=yes\nContent-Signal: use=immediate",
        &code,
    );
    lines("Content-Signal: ai-train=yes, use=reference", &[]);
    lines(
        "Content-Signal: ai-train=yes\nContent-Signal: /a use=immediate",
        &[],
    );
}

#[test]
fn pref_55_and_56_words_and_values_of_signals() {
    lines("Content-Signal: AI-Train=No", &["content-signal-case"]);
    lines(
        "Content-Signal: AI-Train=No, Search=Yes",
        &["content-signal-case"],
    );
    for value in ["n", "true", "allow", "conditional", ""] {
        lines(
            &format!("Content-Signal: ai-train={value}"),
            &["content-signal-value"],
        );
    }
    for statement in ["", "/a", "ai-train", "use=all", "use=yes"] {
        lines(
            &format!("Content-Signal: {statement}"),
            &["content-signal-value"],
        );
    }
    for word in ["train-ai", "ai-use", "search-ai", "ai_train", "foo"] {
        lines(
            &format!("Content-Signal: {word}=no"),
            &["content-signal-foreign-word"],
        );
    }
    lines("Content-Signals: ai-train=no", &["content-signal-misspelt"]);
}

#[test]
fn cla_pref_17_separators_of_signals() {
    lines(
        "Content-Signal: ai-train=no; search=yes",
        &["content-signal-separator"],
    );
    lines("Content-Signal: ai-train=no;", &[]);
    lines(
        "Content-Signal: search=yes ai-train=no",
        &["content-signal-value", "content-signal-separator"],
    );
    // With `;` both items count; with a space neither does.
    for (separator, severity) in [(";", Severity::Warning), (" ", Severity::Error)] {
        let file = format!("User-agent: *\nContent-Signal: search=yes{separator}ai-train=no\n");
        let found = found(&file);
        let mut own = found
            .iter()
            .filter(|found| found.code == Code::ContentSignalSeparator);
        assert_eq!(own.next().map(|found| found.severity), Some(severity));
    }
}

#[test]
fn pref_61_conflicts_of_signals() {
    let conflict = ["signal-conflict"];
    lines("Content-Signal: ai-train=yes, ai-train=no", &conflict);
    lines(
        "Content-Signal: use=full\nContent-Signal: use=immediate",
        &conflict,
    );
    lines(
        "Content-Signal: /a ai-train=yes\nContent-Signal: /a ai-train=no",
        &conflict,
    );
    lines(
        "Content-Signal: ai-train=yes\nContent-Signal: /a ai-train=no",
        &[],
    );
    lines(
        "Content-Signal: ai-train=no\nContent-Signal: ai-train=no",
        &[],
    );
}

#[test]
fn pref_38_and_40_lines_of_a_field_are_one_statement() {
    let twice = ["content-usage-duplicate-word"];
    let usage = |value| ("Content-Usage", value);
    fields(&[usage("train-ai=n"), usage("train-ai=y")], &twice);
    fields(&[usage("train-ai=n"), usage("search=y")], &[]);
    fields(&[usage("Train-AI=n")], &["content-usage-word-case"]);
    fields(
        &[("content-signal", "ai-train=n")],
        &["content-signal-value"],
    );
    fields(
        &[("Content-Signal", "ai-train=yes, search=yes, ai-input=yes")],
        &[],
    );
}

#[test]
fn pref_48_a_field_that_is_too_long() {
    let long = format!("train-ai=n, x=\"{}\"", "x".repeat(131_072));
    fields(&[("Content-Usage", &long)], &["content-usage-too-long"]);
}

#[test]
fn pref_43_meta_elements_state_nothing() {
    for name in ["content-usage", "Content-Signal"] {
        let meta = [Meta {
            name: name.into(),
            content: "train-ai=n".into(),
            offset: 0,
        }];
        for response in [
            Response::new(&[]).with_source_metas(&meta),
            Response::new(&[]).with_http_equivs(&meta),
        ] {
            assert_eq!(of_response(&response), ["preference-in-meta"]);
        }
    }
}

/// Findings about lines have the bytes of the mistake.
#[test]
fn findings_show_the_mistake() {
    for (line, code, expected) in [
        (
            "Content-Usage: /a  train-ai=no",
            Code::ContentUsageValue,
            "no",
        ),
        (
            "Content-Usage: search=y, bots=n # x",
            Code::ContentUsageStaleWord,
            "bots",
        ),
        (
            "Content-Usage: train-ai=n,",
            Code::ContentUsageUnparsable,
            ",",
        ),
        (
            "Content-Usage: ",
            Code::ContentUsageUnparsable,
            "Content-Usage:",
        ),
        (
            "Content-Signal: search=yes; ai-train=no",
            Code::ContentSignalSeparator,
            ";",
        ),
        (
            "Content-Signals: ai-train=no",
            Code::ContentSignalMisspelt,
            "Content-Signals",
        ),
    ] {
        let file = format!("User-agent: *\n{line}\nAllow: /\n");
        let found = found(&file);
        let finding = found.iter().find(|found| found.code == code);
        let finding = finding.unwrap_or_else(|| panic!("{line}: {found:?}"));
        let shown = finding.span.of(file.as_bytes());
        assert_eq!(String::from_utf8_lossy(shown), expected, "{line}");
        assert_eq!(finding.line, Some(2), "{line}");
    }
}

/// Files of 500 KiB with nothing but preferences: the work for each is linear in its length.
#[test]
fn hostile_files_of_preferences() {
    const LENGTH: usize = 512_000;
    let repeated = |unit: &str| unit.repeat(LENGTH / unit.len());
    let numbered = |unit: &str| -> String {
        let lines = (0..).map(|number| unit.replace('#', &number.to_string()));
        let mut length = 0;
        let kept = lines.take_while(|line| {
            length += line.len();
            length < LENGTH
        });
        kept.collect()
    };
    for lines in [
        repeated("Content-Usage: /a train-ai=n,\n"),
        numbered("Content-Usage: /#/ search=y\n"),
        numbered("Content-Signal: /# ai-train=yes,ai-train=no,use=immediate\n"),
        numbered("User-agent: a#\nContent-Usage: train-ai=n\n"),
        numbered("User-agent: a\nContent-Usage: /# train-ai=n\nAllow: /\n"),
        numbered(
            "User-agent: a\nUser-agent: b#\nAllow: /\nDisallow: /#\nContent-Usage: /# train-ai=n\n",
        ),
        format!("Content-Usage: {}", repeated("bots=n,")),
        format!("Content-Usage: {}", repeated("\"\\")),
        format!("Content-Signal: {}", repeated("ai-train=no;a b=c,")),
    ] {
        let file = format!("User-agent: *\nContent-Usage: train-ai=n\n{lines}\nDisallow: /\n");
        assert!(found(&file).len() < LENGTH);
    }
}

/// Nobody reads thousands of findings one by one, and their messages would take more memory than
/// the line.
#[test]
fn g_20_many_mistakes_of_a_kind_are_counted() {
    let messages = |robots: String| {
        let found = found(&robots).into_iter();
        let messages = found.map(|found| (found.code.name(), found.message.into_owned()));
        messages.collect::<Vec<_>>()
    };
    let statement = |words: usize| {
        let words: Vec<_> = (0..words).map(|at| format!("w{at}=yes")).collect();
        format!(
            "User-agent: *\nContent-Signal: {}\nAllow: /\n",
            words.join(",")
        )
    };
    assert_eq!(messages(statement(100)).len(), 100);
    let more = messages(statement(1_234));
    assert_eq!(more.len(), 101);
    let (code, message) = more.last().unwrap();
    assert_eq!(*code, "content-signal-foreign-word");
    assert_eq!(
        message,
        "1134 more mistakes of this kind; only the first 100 are shown"
    );
}

/// The lines of a field are one statement.
#[test]
fn g_20_many_mistakes_in_the_lines_of_a_field_are_counted() {
    let value = vec!["a"; 60].join(", ");
    let expected = [
        ["content-usage-unknown-word"; 100].as_slice(),
        &["content-usage-unknown-word"],
    ];
    fields(&[("Content-Usage", value.as_str()); 2], &expected.concat());
}
