//! Fixes remove their findings, and safe fixes change no answer.

use crate::pages::context;
use abide::Usage;
use abide::preference::PreferenceProfile;
use abide::syntax::Addressee;
use abide::{Client, Policy, ProductToken, PurposeToken, Reading, Robots, Target};
use abide_lint::finding::Safety;
use abide_lint::rules::ALL;
use abide_lint::{Context, Linter};
use abide_testkit::preference_files::Dice;
use proptest::prelude::*;
use std::collections::BTreeSet;

#[test]
fn a_fix_removes_what_it_is_for() {
    for rule in ALL {
        let linter = Linter::new().select([rule.code()]).unwrap();
        for example in rule.page().examples {
            let Some(bytes) = &example.robots_txt else {
                continue;
            };
            let context = context(&example);
            let found = linter.robots_txt(bytes, &context);
            let without_fix = found.iter().filter(|finding| finding.fix.is_none()).count();
            let fixed = linter.fixed(bytes, &context, Safety::Unsafe);
            assert_eq!(
                fixed.findings.len(),
                without_fix,
                "{}: {:?}",
                rule.code(),
                String::from_utf8_lossy(&fixed.bytes)
            );
        }
    }
}

/// A fix that changes nothing would be offered for ever.
#[test]
fn a_control_byte_in_a_key_has_no_fix() {
    let file = b"User-agent /a\0bUser-agent: *\nUser-agent: *\n";
    let linter = Linter::new().select(["control-char"]).unwrap();
    let found = linter.robots_txt(file, &Context::default());
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].fix, None);
}

/// The comment that explains Content Signals keeps every byte, whatever is fixed around it.
#[test]
fn pref_66_fixes_leave_the_legal_comment() {
    let policy = "# As a condition of accessing this website, you agree to abide by  \r\n\
        # the following content signals:\t\r\n\r\n# abide: ignore empty-path\n \
        # EXPRESS RESERVATIONS OF RIGHTS UNDER ARTICLE 4 OF DIRECTIVE 2019/790 \r\n";
    for file in [
        format!("Content-Signal: ai-train=no\r\n{policy}User-agent: *\nAllow: /\n"),
        format!("\u{feff}Useragent: *\r\n{policy}\nContent-Signals: ai-train = n\r\nAllow: a\n"),
        format!(
            "{policy}User-agent: a\rContent-Usage: train-ai=no\n{policy}User-agent: b\nDisalow:"
        ),
    ] {
        let fixed = Linter::new().fixed(file.as_bytes(), &Context::default(), Safety::Unsafe);
        assert!(fixed.fixed > 0, "{file}");
        let fixed = String::from_utf8(fixed.bytes).unwrap();
        let count = |text: &str| text.matches(policy).count();
        assert_eq!(count(&fixed), count(&file), "{fixed}");
    }
}

#[test]
fn safe_fixes_leave_the_answers_of_every_example_as_they_were() {
    for rule in ALL {
        for example in rule.page().examples {
            if let Some(bytes) = &example.robots_txt {
                let fixed = Linter::new().fixed(bytes, &context(&example), Safety::Safe);
                same_answers(bytes, &fixed.bytes, usize::MAX);
            }
        }
    }
}

#[test]
fn a_linter_without_fixes_finds_what_one_with_fixes_finds() {
    let examples = ALL.iter().flat_map(|rule| rule.page().examples);
    for example in examples {
        let Some(bytes) = &example.robots_txt else {
            continue;
        };
        let mut found = Linter::new().robots_txt(bytes, &context(&example));
        for finding in &mut found {
            finding.fix = None;
        }
        let linter = Linter::new().without_fixes();
        let alone = linter.robots_txt(bytes, &context(&example));
        assert_eq!(format!("{alone:?}"), format!("{found:?}"));
    }
}

/// Every crawler that a file names, and one that it does not.
fn clients(robots: &Robots) -> Vec<Client> {
    let client = |token| Client::new(ProductToken::new(token).unwrap());
    let mut clients = vec![client("unnamed")];
    for line in robots.lines() {
        match robots.addressee(line) {
            Some(Addressee::Token(token)) => clients.push(client(token)),
            Some(Addressee::Purpose(purpose)) => {
                let purpose = PurposeToken::new(purpose).unwrap();
                clients.push(client("unnamed").with_purpose(purpose));
            }
            _ => {}
        }
        let value = line
            .field()
            .map(|field| field.value.of(robots.text().as_bytes()));
        let word = value.and_then(|value| value.split(|byte| b" \t/".contains(byte)).next());
        let word = word.and_then(|word| std::str::from_utf8(word).ok());
        if let Some(Ok(token)) = word.map(ProductToken::nonstandard) {
            clients.push(Client::new(token));
        }
    }
    clients
}

/// Paths that match the patterns of a file, and similar paths.
fn paths(robots: &Robots) -> BTreeSet<String> {
    let mut paths = BTreeSet::from(["/".to_owned(), "/x".to_owned()]);
    for line in robots.lines() {
        if let Some(path) = robots
            .preference_statement(line, abide::preference::Revision::ALL.first().unwrap())
            .and_then(|stated| stated.path)
        {
            paths.insert(String::from_utf8_lossy(path).replace(['*', '$'], "y"));
        }
        let Some(rule) = robots.rule(line) else {
            continue;
        };
        let written = String::from_utf8_lossy(rule.value).into_owned();
        let pattern = rule.pattern.ok();
        let normal = pattern.map(|pattern| pattern.forms().c1.to_vec());
        let normal = normal.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        for path in [Some(written), normal].into_iter().flatten() {
            let path = path.trim_end_matches('$').replace('*', "y");
            let path = format!("/{}", path.trim_start_matches('/'));
            paths.insert(format!("{path}x"));
            paths.insert(path.chars().take(path.chars().count() - 1).collect());
            paths.insert(path);
        }
    }
    paths.retain(|path| path.starts_with('/'));
    paths
}

/// Compares the answers of both files for their clients and paths, at most `most` of each.
fn same_answers(before: &[u8], after: &[u8], most: usize) {
    let (old, new) = (Robots::parse(before), Robots::parse(after));
    let paths: BTreeSet<String> = paths(&old).into_iter().chain(paths(&new)).collect();
    let clients = clients(&old).into_iter().chain(clients(&new));
    for client in clients.take(most) {
        let client = client.with_preferences(PreferenceProfile::default());
        let (old, new) = (old.policy(&client), new.policy(&client));
        assert!(old.sitemaps().eq(new.sitemaps()));
        assert_eq!(
            old.crawl_delay().map(|(delay, _)| delay),
            new.crawl_delay().map(|(delay, _)| delay)
        );
        for path in paths.iter().take(most) {
            let target = Target::new(path).unwrap();
            let answers = |policy: &Policy| {
                let decision = policy.decide(&target);
                let usages = [Usage::Crawl].iter().chain(Usage::PREFERENCES);
                usages
                    .map(|usage| decision.outcome(*usage))
                    .collect::<Vec<_>>()
            };
            assert_eq!(
                answers(&old),
                answers(&new),
                "{path:?} for {:?}: {:?} became {:?}",
                client.product_tokens(),
                String::from_utf8_lossy(before),
                String::from_utf8_lossy(after)
            );
        }
    }
}

/// Fixes of other findings that would lose, move or join preferences are not safe.
#[test]
fn pref_66_safe_fixes_keep_preferences() {
    let block = "# (a)  If it says yes,   you may.\n#\n# RESERVED, UNDER ARTICLE 4.\n";
    for file in [
        "User-agent: a\nContent-Usage: train-ai=n\nDisallow: /x\nDisallow: /x\nDisalow: /y\nAllow:\n",
        "User-agent: *\nContent-Signal: ai-train=no; search=YES\nDisallow: /x\n\nContent-Signal: use=full\n",
        "Content-Signal: ai-train=no\nuser agent: a\nLicense: https://l.example/a\nDisallow: /x/y\nDisallow: /x\n",
    ] {
        let file = [block, file].concat();
        let fixed = Linter::new().fixed(file.as_bytes(), &Context::default(), Safety::Safe);
        same_answers(file.as_bytes(), &fixed.bytes, usize::MAX);
        assert!(fixed.bytes.starts_with(block.as_bytes()), "{file}");
    }
}

/// A line of 500 KiB, and many lines: neither the findings nor their fixes take much longer than
/// those of other files.
#[test]
fn hostile_files_of_preferences() {
    let repeated = |unit: &str, length: usize| unit.repeat(length / unit.len());
    let line = |key: &str, unit: &str, end: &str| {
        format!("User-agent: *\n{key}: {}{end}\n", repeated(unit, 500_000))
    };
    let lines = |unit: &str| repeated(unit, 25_000);
    for file in [
        line("Content-Usage", "bots=n,", "bots=n"),
        line("Content-Usage", "a=n;search=n,", "a=n"),
        line("Content-Usage", "search=n,", "search=y"),
        line("Content-Signal", "AI-Train=NO;", "foo"),
        lines("User-agent: Google-Extended\nContent-Signal: ai-train=yes\nDisallow: /\n"),
        lines("User-agent: *\nSitemap: https://e.example/\nContent-Signal: use=full\n"),
        format!(
            "User-agent: *\n{}{}",
            lines("Content-Signal: ai-train=no\n"),
            lines("User-agent: a\nAllow: /\n")
        ),
    ] {
        let findings = Linter::new().robots_txt(file.as_bytes(), &Context::default());
        let fixes = findings.iter().filter_map(|finding| finding.fix.as_ref());
        let edits = fixes.flat_map(|fix| &fix.edits);
        let written: usize = edits.map(|edit| edit.replacement.len()).sum();
        assert!(!findings.is_empty() && written < 4_000_000);
    }
}

/// The result of each fix on a file.
#[test]
fn files_mended() {
    use Safety::{Safe, Unsafe};
    let cases: &[(&str, Safety, &[u8], &[u8])] = &[
        (
            "content-signal-case",
            Safe,
            b"User-agent: *\nContent-Signal: /A AI-Train=No, Search=yes\n",
            b"User-agent: *\nContent-Signal: /A ai-train=no, search=yes\n",
        ),
        (
            "content-signal-outside-group",
            Unsafe,
            b"Content-Signal: ai-train=no\nUser-agent: a\nAllow: /\nUser-agent: *\nAllow: /\n",
            b"User-agent: a\nAllow: /\nUser-agent: *\nContent-Signal: ai-train=no\nAllow: /\n",
        ),
        (
            "content-signal-separator",
            Safe,
            b"User-agent: *\nContent-Signal: ai-train=no; search=yes; use=full # a;b\n",
            b"User-agent: *\nContent-Signal: ai-train=no, search=yes, use=full # a;b\n",
        ),
        (
            "content-signal-separator",
            Unsafe,
            b"User-agent: *\nContent-Signal: ai-train=no search=yes\n",
            b"User-agent: *\nContent-Signal: ai-train=no, search=yes\n",
        ),
        (
            "content-signal-value",
            Unsafe,
            b"User-agent: *\nContent-Signal: ai-train=N, search=allow, use=yes\n",
            b"User-agent: *\nContent-Signal: ai-train=no, search=yes, use=yes\n",
        ),
        (
            "content-usage-dropped-word",
            Unsafe,
            b"User-agent: *\nContent-Usage: train-ai=n, ai-use=n\nContent-Usage: /a search=y # c\n",
            b"User-agent: *\nContent-Usage: train-ai=n, ai-use=n\nContent-Usage: /a search=y, train-ai=n, ai-use=n # c\n",
        ),
        (
            "content-usage-duplicate-word",
            Unsafe,
            b"User-agent: *\nContent-Usage: /a train-ai=n, search=y, train-ai=y\n",
            b"User-agent: *\nContent-Usage: /a train-ai=n, search=y\n",
        ),
        (
            "content-usage-path",
            Unsafe,
            b"User-agent: *\nContent-Usage: *.pdf train-ai=n\nContent-Usage: https://e.example/a/b search=n\n",
            b"User-agent: *\nContent-Usage: /*.pdf train-ai=n\nContent-Usage: /a/b search=n\n",
        ),
        (
            "content-usage-stale-word",
            Unsafe,
            b"User-agent: *\nContent-Usage: genai=n, bots=n, ai-output=n\n",
            b"User-agent: *\nContent-Usage: train-ai=n, bots=n, ai-use=n\n",
        ),
        (
            "content-usage-unparsable",
            Unsafe,
            b"User-agent: *\nContent-Usage: /a train-ai = n\nContent-Usage: train-ai=n;search=y\nContent-Usage: /b train-ai=n search=y\n",
            b"User-agent: *\nContent-Usage: /a train-ai=n\nContent-Usage: train-ai=n,search=y\nContent-Usage: /b train-ai=n, search=y\n",
        ),
        (
            "content-usage-value",
            Unsafe,
            b"User-agent: *\nContent-Usage: train-ai=No, search=\"y\", ai-use=?0\n",
            b"User-agent: *\nContent-Usage: train-ai=n, search=y, ai-use=n\n",
        ),
        (
            "preference-only-group",
            Unsafe,
            b"User-agent: *\nContent-Usage: train-ai=n\n\n# b\nUser-agent: b\nDisallow: /\n",
            b"User-agent: *\nContent-Usage: train-ai=n\nAllow:\n\n# b\nUser-agent: b\nDisallow: /\n",
        ),
        (
            "signal-detached",
            Safe,
            b"User-agent: *\nAllow: /\n\nSitemap: https://e.example/s\nContent-Signal: ai-train=no\nContent-Signal: use=full",
            b"User-agent: *\nAllow: /\nContent-Signal: ai-train=no\nContent-Signal: use=full\n\nSitemap: https://e.example/s\n",
        ),
        (
            "signal-detached",
            Safe,
            b"User-agent: *\nAllow: /\n\n# signals\nContent-Signal: ai-train=no\n",
            b"User-agent: *\nAllow: /\n# signals\nContent-Signal: ai-train=no\n",
        ),
        // It may be meant for all robots.
        (
            "signal-detached",
            Safe,
            b"User-agent: a\nAllow: /\n\nContent-Signal: ai-train=no\n",
            b"User-agent: a\nAllow: /\n\nContent-Signal: ai-train=no\n",
        ),
        (
            "signal-hidden-by-group",
            Unsafe,
            b"User-agent: *\nContent-Signal: ai-train=no\nAllow: /\nUser-agent: a\nUser-agent: b\nAllow: /\n",
            b"User-agent: *\nContent-Signal: ai-train=no\nAllow: /\nUser-agent: a\nUser-agent: b\nContent-Signal: ai-train=no\nAllow: /\n",
        ),
        (
            "bom",
            Safe,
            b"\xEF\xBB\xBFUser-agent: *\n",
            b"User-agent: *\n",
        ),
        (
            "control-char",
            Unsafe,
            b"Allow: /\x00a\x0B # \x01",
            b"Allow: /a # ",
        ),
        (
            "control-char",
            Safe,
            b"Allow: /\x00a # \x01",
            b"Allow: /\x00a # ",
        ),
        ("missing-colon", Safe, b"Disallow\t/a", b"Disallow:\t/a"),
        (
            "not-utf8",
            Safe,
            b"Allow: /\xE9\xC3\xA9\r\n",
            b"Allow: /%E9\xC3\xA9\r\n",
        ),
        ("not-utf8", Unsafe, b"\xFF\xFE#\0\xE9\0", b"#\xC3\xA9"),
        (
            "not-utf8",
            Safe,
            b"Allow: /\xE9 # \xE9 \x96",
            "Allow: /%E9 # é –".as_bytes(),
        ),
        (
            "not-utf8",
            Safe,
            b"User-agent: \xE9\nAllow: /\xE9 # \xE9",
            b"User-agent: \xE9\nAllow: /\xE9 # \xE9",
        ),
        (
            "pattern-dot-segment",
            Unsafe,
            b"Allow: /a/../b",
            b"Allow: /b",
        ),
        ("pattern-dot-segment", Unsafe, b"Allow: /.", b"Allow: /."),
        ("pattern-no-slash", Unsafe, b"Allow: abcd", b"Allow: /abcd"),
        ("pattern-no-slash", Unsafe, b"Allow: abc", b"Allow: abc"),
        ("pattern-no-slash", Unsafe, b"Allow: .css", b"Allow: /*.css"),
        ("pattern-no-slash", Unsafe, b"Allow: ..", b"Allow: .."),
        (
            "pattern-full-url",
            Unsafe,
            b"User-agent: *\nAllow: www.e.example/a",
            b"User-agent: *\nAllow: /a",
        ),
        (
            "pattern-full-url",
            Unsafe,
            b"User-agent: *\nDisallow: www.e.example/",
            b"User-agent: *\nDisallow: www.e.example/",
        ),
        (
            "pattern-space",
            Safe,
            b"Allow: /a b\t\x7F# c",
            b"Allow: /a%20b%09%7F# c",
        ),
        (
            "stray-percent",
            Unsafe,
            b"Allow: /%41%/%z%",
            b"Allow: /%41%25/%25z%25",
        ),
        ("misspelt-field", Safe, b"useragent: *", b"User-agent: *"),
        (
            "misspelt-field",
            Safe,
            b"site-map: /s.xml",
            b"Sitemap: /s.xml",
        ),
        (
            "misspelt-field",
            Safe,
            b"app-directive: a",
            b"App-Directives: a",
        ),
        (
            "ua-invalid-token",
            Safe,
            b"User-agent: ABot/1.0b",
            b"User-agent: ABot",
        ),
        (
            "ua-invalid-token",
            Safe,
            b"User-agent: * /",
            b"User-agent: *",
        ),
        (
            "ua-invalid-token",
            Safe,
            b"User-agent: A Bot",
            b"User-agent: A Bot",
        ),
        (
            "ua-invalid-token",
            Safe,
            b"User-agent: ABot2",
            b"User-agent: ABot2",
        ),
        (
            "ua-invalid-token",
            Safe,
            b"User-agent: * Allow: /",
            b"User-agent: * Allow: /",
        ),
        (
            "rule-outside-group",
            Unsafe,
            b"# c\r\nAllow: /a\r\nAllow: /b\r\nUser-agent: ABot\r\nAllow: /c",
            b"# c\r\nUser-agent: *\r\nAllow: /a\r\nAllow: /b\r\nUser-agent: ABot\r\nAllow: /c",
        ),
        (
            "app-directives-malformed",
            Unsafe,
            b"User-agent: *\nApp-Directives: *.gif a;x",
            b"User-agent: *\nApp-Directives: /*.gif a;x",
        ),
    ];
    for &(code, safety, bytes, expected) in cases {
        let linter = Linter::new().select([code]).unwrap();
        let fixed = linter.fixed(bytes, &Context::default(), safety);
        let shown = String::from_utf8_lossy(&fixed.bytes);
        assert_eq!(fixed.bytes, expected, "{code}: {shown:?}");
    }
}

/// Lines with every mistake that has a fix, alone and in combination.
fn line() -> impl Strategy<Value = Vec<u8>> {
    let key: &[&[u8]] = &[
        b"User-agent",
        b"useragent",
        b"User Agent",
        b"Disallow",
        b"dissallow",
        b"Allow",
        b"Sitemap",
        b"site-map",
        b"Crawl-delay",
        b"User-Agent-Purpose",
        b"App-Directive",
        b"Unknown",
        b"\xEF\xBB\xBFAllow",
        b"#",
        b"",
    ];
    let colon: &[&[u8]] = &[b": ", b":", b" ", b"\t:\t", b"", b"  "];
    let value: &[&[u8]] = &[
        b"*",
        b"* ",
        b"* a",
        b"*\t/",
        b"ABot",
        b"ABot/1.0",
        b"ABot/1 (x)",
        b"MJ12bot",
        b"A Bot",
        b"/",
        b"",
        b"/a",
        b"/a b",
        b"/a\tb\x7F",
        b"/%",
        b"/a%2 0",
        b"/%4\xE9",
        b"/caf\xE9",
        b"/caf\xC3\xA9",
        b"/\xFF*$",
        b"/./",
        b"/a/../b",
        b"/.",
        b"/..$",
        b"/a\x00b",
        b"a",
        b"$",
        b"http://x/",
        b"*.gif a;x",
        b"a;x=1",
        b"5",
    ];
    let comment: &[&[u8]] = &[b"", b"", b"", b" # c", b"#\xE9"];
    let end: &[&[u8]] = &[b"\n", b"\n", b"\r\n", b"\r", b""];
    let part = proptest::sample::select::<&'static [u8]>;
    (
        part(key.to_vec()),
        part(colon.to_vec()),
        part(value.to_vec()),
        part(comment.to_vec()),
        part(end.to_vec()),
    )
        .prop_map(|(key, colon, value, comment, end)| [key, colon, value, comment, end].concat())
}

fn file() -> impl Strategy<Value = Vec<u8>> {
    let mark: &[&[u8]] = &[b"", b"", b"\xEF\xBB\xBF"];
    let mark = proptest::sample::select(mark.to_vec());
    (mark, proptest::collection::vec(line(), 0..8), 0..5).prop_map(|(mark, lines, encoding)| {
        if encoding == 0 {
            utf16(&lines.concat())
        } else {
            [mark.to_vec(), lines.concat()].concat()
        }
    })
}

fn utf16(bytes: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let units = text.encode_utf16().flat_map(u16::to_be_bytes);
    [0xFE, 0xFF].into_iter().chain(units).collect()
}

/// A fix that changes nothing would be offered for ever.
#[test]
fn a_control_byte_beside_the_value_has_no_fix() {
    let bytes = b"User-agent /a\0bUser-agent: *\nUser-agent: *\nDisallow: /q\n";
    let found = Linter::new().robots_txt(bytes, &Context::default());
    let mut controls = found.iter().filter(|one| one.rule.code() == "control-char");
    assert!(controls.next().is_some_and(|one| one.fix.is_none()));
}

proptest! {
    #[test]
    fn safe_fixes_change_no_answer(bytes in file()) {
        let fixed = Linter::new().fixed(&bytes, &Context::default(), Safety::Safe);
        same_answers(&bytes, &fixed.bytes, usize::MAX);
    }

    /// Fixing terminates, and leaves no finding that has a fix.
    #[test]
    fn nothing_that_can_be_fixed_is_left(bytes in file()) {
        for safety in [Safety::Safe, Safety::Unsafe] {
            let fixed = Linter::new().fixed(&bytes, &Context::default(), safety);
            let left = fixed.findings.iter().filter_map(|finding| Some((finding.rule.code(), finding.fix.as_ref()?)));
            let left: Vec<_> = left.filter(|(_, fix)| fix.safety <= safety).collect();
            prop_assert!(left.is_empty(), "{:?}: {:?}", String::from_utf8_lossy(&fixed.bytes), left);
        }
    }
}

/// Rules stay as long as the line that covers them is probably a mistake: once it is right, they
/// are needed.
#[test]
fn rules_that_a_mistake_covers_are_not_removed() {
    for (mistake, needed) in [
        ("Disallow: /#x", "Disallow: /private"),
        ("Disallow: /a$/b#x", "Disallow: /a$/b/c"),
        ("Disallow: /#x", "Disallow: /"),
        ("Disallow: private/", "Allow: /private/open"),
    ] {
        let file = format!("User-agent: *\n{mistake}\n{needed}\n");
        for codes in [&["*"][..], &["redundant-rule", "duplicate-rule"]] {
            let linter = Linter::new().select(codes.iter().copied()).unwrap();
            let fixed = linter.fixed(file.as_bytes(), &Context::default(), Safety::Unsafe);
            let text = String::from_utf8(fixed.bytes).unwrap();
            assert!(text.ends_with(&format!("{needed}\n")), "{file}{text}");
        }
    }
    let file = b"User-agent: *\nDisallow: / #x\nDisallow: /private\n";
    let fixed = Linter::new().fixed(file, &Context::default(), Safety::Unsafe);
    assert_eq!(fixed.bytes, b"User-agent: *\nDisallow: / #x\n");
}

/// What abide takes as intended has no fix that opens the site.
#[test]
fn groups_that_may_be_meant_to_share_rules_are_not_divided() {
    for file in [
        "User-agent: GPTBot\nUser-agent: CCBot\n\nUser-agent: ClaudeBot\nDisallow: /\n",
        "User-agent: a\nCrawl-delay: 1\nUser-agent: *\nDisallow: /x\n",
    ] {
        let linter = Linter::new().select(["groups-run-together"]).unwrap();
        let fixed = linter.fixed(file.as_bytes(), &Context::default(), Safety::Unsafe);
        assert_eq!(fixed.findings.len(), 1);
        assert_eq!(fixed.findings[0].severity(), abide::Severity::Info);
        assert_eq!(String::from_utf8(fixed.bytes).unwrap(), file);
    }
    let file = b"User-agent: *\n\nUser-agent: BadBot\nDisallow: /\n";
    let fixed = Linter::new().fixed(file, &Context::default(), Safety::Unsafe);
    let expected = b"User-agent: *\nDisallow:\n\nUser-agent: BadBot\nDisallow: /\n";
    assert_eq!(fixed.bytes, expected);
}

const GROUPS: [&str; 8] = [
    "User-agent: a\nDisallow: /a\n",
    "User-agent: b\nUser-agent: a\nAllow: /p\nDisallow: /\n",
    "# everybody\nUser-agent: *\nDisallow: /x\nCrawl-delay: 2\n",
    "User-agent: c\nUser-Agent-Purpose: Q\nDisallow: /q\n",
    "User-Agent-Purpose: P\nDisallow: /\n",
    "# for Q\nUser-Agent-Purpose: Q\nUser-Agent-Purpose: P\nAllow: /a\n\nDisallow: /x\n",
    "User-Agent-Purpose: Q\nDisallow: /q\nSitemap: https://e.example/s.xml\n",
    "Sitemap: https://e.example/t.xml\n",
];

/// AMB-PUR-3: after the fix, robots that know purposes have the same answers as before, and so have
/// robots to which the line is a `User-agent` line. Robots that know neither have the answers of
/// the file without these groups.
#[test]
fn groups_for_purposes_are_moved_in_a_thousand_files() {
    let linter = Linter::new().select(["purpose-legacy-leak"]).unwrap();
    let mut dice = Dice::new(40);
    let (mut fixed, mut repaired) = (0, 0);
    while fixed < 1_000 {
        let groups: Vec<&str> = (0..2 + dice.below(4)).map(|_| dice.pick(&GROUPS)).collect();
        let space = if dice.chance(70) { "\n" } else { "" };
        let mut before = groups.join(space);
        if dice.chance(20) {
            before.pop();
        }
        if linter
            .robots_txt(before.as_bytes(), &Context::default())
            .is_empty()
        {
            continue;
        }
        let after = linter.fixed(before.as_bytes(), &Context::default(), Safety::Unsafe);
        let after = String::from_utf8(after.bytes).unwrap();
        let left = linter.robots_txt(after.as_bytes(), &Context::default());
        assert!(left.is_empty(), "{before}---\n{after}{left:?}");
        let is_for_purposes =
            |group: &&&str| group.contains("Purpose") && !group.contains("User-agent:");
        let without = groups
            .iter()
            .filter(|group| !is_for_purposes(group))
            .copied();
        let without = without.collect::<Vec<_>>().join("\n");
        for (reading, reference) in [
            (Reading::PurposeKey, &before),
            (Reading::PurposeIsAgent, &before),
            (Reading::PurposeUnknown, &without),
        ] {
            for client in asking(reading) {
                let all = [&before, &after, reference];
                let answers = all.map(|file| Policy::compile(file.as_bytes(), &client));
                for path in ["/", "/a", "/p", "/q", "/x", "/other"] {
                    let [before, now, wanted] = answers.each_ref().map(|one| one.allows(path));
                    assert_eq!(now, wanted, "{reading} {path} {client:?}\n{all:#?}");
                    repaired += usize::from(before != now);
                }
            }
        }
        fixed += 1;
    }
    assert!(repaired > 1_000, "{repaired}");
}

/// Robots with these names, and with each purpose and none.
fn asking(reading: Reading) -> Vec<Client> {
    let purposes = [None, Some("P"), Some("Q"), Some("R")];
    let clients = ["a", "b", "c", "unnamed"].into_iter().flat_map(|name| {
        let client = Client::new(ProductToken::new(name).unwrap()).with_reading(reading);
        purposes.map(|purpose| match purpose {
            Some(purpose) => client
                .clone()
                .with_purpose(PurposeToken::new(purpose).unwrap()),
            None => client.clone(),
        })
    });
    clients.collect()
}

/// Where it is not proved that moving does only what it is for, there is no fix but a reason.
#[test]
fn groups_for_purposes_that_are_not_moved() {
    let linter = Linter::new().select(["purpose-legacy-leak"]).unwrap();
    let leak = "User-agent: a\nDisallow: /a\n\nUser-Agent-Purpose: P\n";
    for (lines, reason) in [
        (
            "Content-Signal: ai-train=no\nDisallow: /\n",
            "Move them by hand: robots that do not know purposes would still apply a line of these groups",
        ),
        (
            // The file is ACAP's too, whose records keep their order.
            "Disallow: /\nACAP-crawler: *\nACAP-disallow-crawl: /x\nDisallow: /y\n",
            "",
        ),
    ] {
        let file = format!("{leak}{lines}");
        let found = linter.robots_txt(file.as_bytes(), &Context::default());
        let [only] = &found[..] else {
            panic!("{found:?}")
        };
        assert_eq!(only.fix.is_none(), !reason.is_empty(), "{only:?}");
        assert!(only.message.ends_with(reason), "{}", only.message);
    }
    let long = format!("{leak}Disallow: /\n{}", "# long\n".repeat(80_000));
    let found = linter.robots_txt(long.as_bytes(), &Context::default());
    assert_eq!(found[0].fix, None);
    assert!(
        found[0]
            .message
            .ends_with("longer than robots have to read")
    );
    // Groups that only purposes start leak into none of themselves.
    let first = "User-Agent-Purpose: P\nDisallow: /\n\nUser-Agent-Purpose: Q\nDisallow: /q\n";
    assert!(
        linter
            .robots_txt(first.as_bytes(), &Context::default())
            .is_empty()
    );
}

/// A purpose that is not on the list of known ones.
#[test]
fn unknown_purposes_have_the_nearest_known_one() {
    let linter = Linter::new().select(["unknown-purpose"]).unwrap();
    let known = ["EXAMPLE-PURPOSE-1", "ai-training"].map(|token| PurposeToken::new(token).unwrap());
    let context = Context {
        purposes: known.to_vec(),
        ..Context::default()
    };
    for (value, message) in [
        (
            "EXAMPLE-PURPOSE-2",
            "expected a purpose token of the registry, but found \"EXAMPLE-PURPOSE-2\"; did you mean \"EXAMPLE-PURPOSE-1\"?",
        ),
        (
            "other",
            "expected a purpose token of the registry, but found \"other\"",
        ),
        (
            "AI training",
            "\"AI training\" is not a purpose token and names no robot, but the line still begins a group; did you mean \"ai-training\"?",
        ),
    ] {
        let file = format!("User-Agent-Purpose: {value}\nDisallow: /\n");
        let found = linter.robots_txt(file.as_bytes(), &context);
        assert_eq!(found[0].message, message);
        let is_listed = value != "AI training";
        assert_eq!(found[0].severity() == abide::Severity::Warning, is_listed);
        let without = linter.robots_txt(file.as_bytes(), &Context::default());
        assert_eq!(without.is_empty(), is_listed, "{without:?}");
    }
}
