//! Small files, each with every finding about AI preferences that the table of findings asks for.

use abide_lint::document::DocumentKind;
use abide_lint::{Context, Finding, Linter};

/// The findings about preferences, as `line code`. `control-token-by-star` is about every file that
/// disallows something for `*`, so it has a test of its own.
fn codes(findings: &[Finding]) -> Vec<String> {
    const ABOUT: [&str; 16] = [
        "content-",
        "signal-",
        "preference",
        "dialects",
        "token-",
        "control-token",
        "training-",
        "tdm",
        "licence",
        "rsl",
        "noai",
        "group-boundary",
        "rule-outside",
        "unknown-field",
        "misspelt-field",
        "google-prefix",
    ];
    let about = findings.iter().filter(|finding| {
        let code = finding.rule.code();
        ABOUT.iter().any(|start| code.starts_with(start)) && code != "control-token-by-star"
    });
    about
        .map(|finding| {
            format!(
                "{} {}",
                finding.line.unwrap_or_default(),
                finding.rule.code()
            )
        })
        .collect()
}

#[test]
fn robots_txt_files_have_these_findings() {
    let linter = Linter::new().without_fixes();
    for (file, expected) in ROBOTS_TXT {
        let found = linter.robots_txt(file.as_bytes(), &Context::default());
        assert_eq!(codes(&found), *expected, "{file}");
    }
}

#[test]
fn documents_have_these_findings() {
    let linter = Linter::new();
    for (kind, files) in [
        (DocumentKind::Tdmrep, TDMREP),
        (DocumentKind::Rsl, LICENCES),
    ] {
        for (file, expected) in files {
            assert_eq!(
                codes(&linter.document(kind, file.as_bytes())),
                *expected,
                "{file}"
            );
        }
    }
}

/// A file, and its findings.
type Case = (&'static str, &'static [&'static str]);

const ROBOTS_TXT: &[Case] = &[
    (
        "User-agent: *\nContent-Signal: ai-train=yes\nAllow: /\n\nUser-agent: Google-Extended\nDisallow: /\n",
        &["5 control-token-covers-more"],
    ),
    (
        "User-agent: *\nContent-Usage: train-ai=n\nContent-Signal: ai-train=yes\n",
        &["3 preferences-conflict"],
    ),
    (
        "User-agent: *\nContent-Signal: ai-train=no search=yes\n",
        &["2 content-signal-value", "2 content-signal-separator"],
    ),
    (
        "User-agent: *\nContent-Signal: AI-Train=No\n",
        &["2 content-signal-case"],
    ),
    (
        "User-agent: *\nContent-Signal: ai-train=yes, use=reference\n",
        &[],
    ),
    (
        "User-agent: *\nContent-Signal: ai-train=yes, use=immediate\n",
        &["2 signal-permits-closed"],
    ),
    (
        "User-agent: *\nContent-Signal: ai-train=no, ai-train=yes\n",
        &["2 signal-conflict"],
    ),
    (
        "User-agent: *\nContent-Signal: use=full\nContent-Signal: use=immediate\n",
        &["3 signal-conflict"],
    ),
    (
        "User-agent: *\nContent-Signal: ai-train=no\nContent-Signal: ai-train=yes\n",
        &["3 signal-conflict"],
    ),
    (
        "User-agent: *\nAllow: /\nSitemap: https://e.example/s.xml\nContent-Signal: ai-train=no\n",
        &["4 signal-detached"],
    ),
    (
        "User-agent: *\nAllow: /\n\nContent-Signal: ai-train=no\n",
        &["4 signal-detached"],
    ),
    (
        "User-agent: *\nContent-Signal: /a\n",
        &["2 content-signal-value"],
    ),
    (
        "User-agent: *\nContent-Signal:\n",
        &["2 content-signal-value"],
    ),
    (
        "User-agent: *\nContent-Signal: train-ai=no, ai_train=no, ai-use=no, search-ai=no, aitrain=no\n",
        &[
            "2 content-signal-foreign-word",
            "2 content-signal-foreign-word",
            "2 content-signal-foreign-word",
            "2 content-signal-foreign-word",
            "2 content-signal-foreign-word",
        ],
    ),
    (
        "User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n\nUser-agent: b\nAllow: /\n",
        &["2 signal-hidden-by-group"],
    ),
    (
        "User-agent: *\nContent-Signals: ai-train=no\n",
        &["2 content-signal-misspelt"],
    ),
    (
        "User-agent: *\nContent-Singal: ai-train=no\nContentSignal: ai-train=no\n",
        &["2 misspelt-field", "3 misspelt-field"],
    ),
    (
        "Content-Signal: ai-train=no\n",
        &["1 content-signal-outside-group"],
    ),
    (
        "Content-Signal: ai-train=no\nUser-agent: *\nAllow: /\n",
        &["1 content-signal-outside-group"],
    ),
    (
        "User-agent: *\nContent-Signal: ai-train=no; search=yes\n",
        &["2 content-signal-separator"],
    ),
    (
        "User-agent: *\nContent-Signal: ai-train=conditional, use=none\n",
        &["2 content-signal-value", "2 content-signal-value"],
    ),
    (
        "User-agent: *\nContent-Signal: ai-train=n, search=true, ai-input\n",
        &[
            "2 content-signal-value",
            "2 content-signal-value",
            "2 content-signal-value",
        ],
    ),
    (
        "User-agent: *\nContent-Usage: train-ai = n\n",
        &["2 content-usage-unparsable"],
    ),
    (
        "User-agent: *\nContent-Usage: train-ai=N\n",
        &["2 content-usage-value"],
    ),
    (
        "User-agent: *\nContent-Usage: Train-AI=n, search=y\n",
        &["2 content-usage-word-case"],
    ),
    (
        "User-agent: *\nContent-Usage: train-ai: n\n",
        &["2 content-usage-unparsable"],
    ),
    (
        "User-agent: *\nContent-Usage: train-ai=n\nContent-Usage: /a/ search=y,\n",
        &["3 content-usage-unparsable"],
    ),
    (
        "User-agent: *\nContent-Usage: train-ai=n\nContent-Usage: / search=y\n",
        &["3 content-usage-dropped-word"],
    ),
    (
        "User-agent: *\nContent-Usage: train-ai=n, train-ai\n",
        &["2 content-usage-duplicate-word", "2 content-usage-value"],
    ),
    (
        "User-agent: *\nContent-Usage: train-ai=n\nContent-Usage: train-ai=y\n",
        &[],
    ),
    (
        "User-agent: *\nContent-Usage: train-ai=n, train-ai=n\n",
        &["2 content-usage-duplicate-word"],
    ),
    (
        "User-agent: *\nContent-Usage: train-ai=n, train-ai=y\n",
        &["2 content-usage-duplicate-word"],
    ),
    (
        "User-agent: *\nContent-Usage: /a\nContent-Usage: train-ai=n\n",
        &["2 content-usage-unparsable"],
    ),
    (
        "User-agent: *\nContent-Usage:\n",
        &["2 content-usage-unparsable"],
    ),
    (
        "User-agent: *\nContent-Usage: ai-train=no, search=yes\n",
        &["2 content-usage-foreign-word", "2 content-usage-value"],
    ),
    (
        "User-agent: *\nContent-Usage: ai-train=n, ai-input=n\n",
        &[
            "2 content-usage-foreign-word",
            "2 content-usage-foreign-word",
        ],
    ),
    (
        "User-agent: a\nAllow: /x\nContent-Usage: train-ai=n\n\nUser-agent: a\nAllow: /x\nContent-Usage: search=n\n",
        &["5 content-usage-group-level"],
    ),
    (
        "User-agent: *\nContent-Usages: train-ai=n\nContent Usage: train-ai=n\nContent_Usage: train-ai=n\nContentUsage: train-ai=n\n",
        &[
            "2 misspelt-field",
            "3 misspelt-field",
            "4 misspelt-field",
            "5 misspelt-field",
        ],
    ),
    (
        "User-agent: *\nContent-Usage: ai-use=n\n",
        &["2 content-usage-newer-word"],
    ),
    (
        "User-agent: *\nContent-Usage: train-ai=ñ\n",
        &["2 content-usage-unparsable"],
    ),
    (
        "Content-Usage: train-ai=n\nUser-agent: *\nAllow: /\n",
        &["1 rule-outside-group"],
    ),
    (
        "User-agent: *\nContent-Usage: train-ai=n /a/\n",
        &["2 content-usage-unparsable"],
    ),
    ("User-agent: *\nContent-Usage: /a, train-ai=n\n", &[]),
    (
        "User-agent: *\nContent-Usage: *.pdf train-ai=n\n",
        &["2 content-usage-path"],
    ),
    (
        "User-agent: *\nContent-Usage: a/ train-ai=n\n",
        &["2 content-usage-path"],
    ),
    (
        "User-agent: *\nContent-Usage: https://e.example/a/ train-ai=n\n",
        &["2 content-usage-path"],
    ),
    (
        "User-agent: *\nContent-Usage: train-ai=n; search=y\n",
        &["2 content-usage-unparsable"],
    ),
    (
        "User-agent: *\nContent-Usage: train-ai=n search=y\n",
        &["2 content-usage-unparsable"],
    ),
    (
        "User-agent: *\nContent-Usage: train-ai=n, tdm=n;x=1\n",
        &["2 content-usage-stale-word"],
    ),
    (
        "User-agent: *\nContent-Usage: bots=n, all=n\nContent-Usage: /a genai=n\nAllow: /\n",
        &[
            "2 content-usage-stale-word",
            "2 content-usage-stale-word",
            "3 content-usage-stale-word",
        ],
    ),
    (
        "User-agent: *\nContent-Usage: train-ai=n,\n",
        &["2 content-usage-unparsable"],
    ),
    (
        "User-agent: *\nContent-Usage: trainai=n\nContent-Usage: /x train_ai=n\nContent-Usage: /y train-al=n\n",
        &[
            "2 content-usage-unknown-word",
            "3 content-usage-unknown-word",
            "4 content-usage-unknown-word",
        ],
    ),
    (
        "User-agent: *\nContent-Usage: robots=n, train-ai=n\n",
        &["2 content-usage-unknown-word"],
    ),
    (
        "User-agent: *\nContent-Usage: train-ai=(n)\n",
        &["2 content-usage-value"],
    ),
    (
        "User-agent: *\nContent-Usage: train-ai=0\n",
        &["2 content-usage-value"],
    ),
    (
        "User-agent: *\nContent-Usage: train-ai=?0, search=\"n\", ai-use\n",
        &[
            "2 content-usage-value",
            "2 content-usage-value",
            "2 content-usage-newer-word",
            "2 content-usage-value",
        ],
    ),
    (
        "User-agent: *\nContent-Usage: train-ai=n\nContent-Usage: /s/ search=y\nContent-Signal: ai-train=no\nContent-Signal: /s/ search=yes\n",
        &[
            "3 dialects-differ-by-path",
            "3 content-usage-dropped-word",
            "5 dialects-differ-by-path",
        ],
    ),
    (
        "Licence: https://e.example/g.xml\nUser-agent: *\nAllow: /\n",
        &["1 unknown-field"],
    ),
    (
        "License:\nUser-agent: *\nAllow: /\n",
        &["1 licence-not-absolute"],
    ),
    (
        "License: ftp://e.example/l.xml\nUser-agent: *\nAllow: /\n",
        &["1 licence-not-absolute"],
    ),
    (
        "User-agent: *\nAllow: /\n\nUser-agent: b\nDisallow: /x\nLicense: https://e.example/l.xml\n",
        &["6 licence-in-last-group"],
    ),
    (
        "License: <https://e.example/l.xml>\nUser-agent: *\nAllow: /\n",
        &["1 licence-not-absolute"],
    ),
    (
        "License: /license.xml\nUser-agent: *\nAllow: /\n",
        &["1 licence-not-absolute"],
    ),
    (
        "License: https://e.example/g.xml\nUser-agent: b\nLicense: https://e.example/b.xml\nAllow: /\n\nUser-agent: *\nAllow: /\n",
        &["3 licence-replaces-global"],
    ),
    (
        "License: MIT\nUser-agent: *\nAllow: /\n",
        &["1 licence-not-absolute"],
    ),
    (
        "User-agent: *\nDisallow: /\nAllow: /a\nContent-Usage: train-ai=n\n",
        &[],
    ),
    (
        "User-agent: *\nDisallow: /\nContent-Usage: train-ai=n\n",
        &["3 preference-on-disallowed-path"],
    ),
    (
        "User-agent: *\nLicense: https://l.example/a.xml\n\nUser-agent: GPTBot\nDisallow: /x\n",
        &["4 preference-only-group"],
    ),
    (
        "User-agent: *\nDisallow: /x\n\nUser-agent: GPTBot\nContent-Usage: train-ai=n\n",
        &[],
    ),
    (
        "User-agent: *\nContent-Signal: ai-train=no\nUser-agent: GPTBot\nDisallow: /\n",
        &["3 preference-only-group"],
    ),
    (
        "User-agent: *\nDisallow: /*.json$\n",
        &["2 tdmrep-disallowed"],
    ),
    (
        "User-agent: *\nDisallow: /.well-known/tdmrep.json\n",
        &["2 tdmrep-disallowed"],
    ),
    ("User-agent: *\nDisallow: /\n", &[]),
    (
        "User-agent: *\nDisallow: /.well-known/\n",
        &["2 tdmrep-disallowed"],
    ),
    (
        "User-agent: Google-Extended\nDisallow: /\n\nUser-agent: Google-Extended\nDisallow: /b\n",
        &["1 control-token-covers-more"],
    ),
    (
        "User-agent: Google-Extended\nCrawl-delay: 5\nDisallow: /a\n",
        &["1 control-token-covers-more", "2 token-never-fetches"],
    ),
    (
        "User-agent: Googlebot\nDisallow: /\n\nUser-agent: Google-Extended\nAllow: /\n",
        &["4 control-token-fetcher-closed"],
    ),
    (
        "User-agent: *\nDisallow: /a\nContent-Usage: search=y\n",
        &[],
    ),
    (
        "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nContent-Signal: ai-train=no\nAllow: /\n",
        &[],
    ),
    (
        "User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n",
        &["1 training-robots-only"],
    ),
    (
        "User-agent: *\nContent-Usage: /doc/ train-ai=n\nContent-Usage: /*.pdf search=y\nAllow: /\n",
        &["3 content-usage-dropped-word"],
    ),
    (
        "User-agent: *\nContent-Usage: train-ai=n\n\nUser-agent: GPTBot\nDisallow: /\n",
        &[
            "2 preference-on-disallowed-path",
            "4 group-boundary-divergence",
            "4 preference-only-group",
        ],
    ),
    (
        "User-agent: *\nContent-Usage: train-ai=n\nAllow:\n\nUser-agent: GPTBot\nDisallow: /\n",
        &[],
    ),
    (
        "User-agent: a\nContent-Usage: train-ai=n\nUser-agent: b\nAllow: /\n",
        &["3 preference-only-group"],
    ),
    (
        "User-agent: *\nDisallowAITraining: /\n",
        &["2 google-prefix-key", "2 unknown-field"],
    ),
    (
        "User-agent: *\nNoai: /\nAI-Policy: x\nTDM-Reservation: 1\nPermits: all\n",
        &[
            "2 unknown-field",
            "3 unknown-field",
            "4 unknown-field",
            "5 unknown-field",
        ],
    ),
    ("License: https://e.example/l.xml\n", &[]),
    ("# just a comment\n", &[]),
    (
        "User-agent: *\r\nContent-Signal: ai-train=no\r\nAllow: /\r\n",
        &[],
    ),
    (
        "﻿User-agent: *\nContent-Signal: ai-train=no # , search=maybe\n",
        &[],
    ),
    (
        "User-agent: *\nContent-Signal : ai-train = no ,, search = yes,\n",
        &[],
    ),
];

const TDMREP: &[Case] = &[
    ("[{\"location\":\"/\",\"tdm-reservation\":1}]", &[]),
    ("[]", &[]),
    (
        "{\"location\":\"/\",\"tdm-reservation\":1}",
        &["1 tdmrep-unreadable"],
    ),
    ("<html>", &["1 tdmrep-unreadable"]),
    ("", &["0 tdmrep-unreadable"]),
    ("\"x\"", &["1 tdmrep-unreadable"]),
    (
        "[{\"location\":\"/\",\"tdm-reservation\":1},]",
        &["1 tdmrep-unreadable"],
    ),
    ("[[[[[[[[[1]]]]]]]]]", &["0 tdmrep-unreadable"]),
    (
        "[{\"location\":\"/\",\"tdm-reservation\":true}]",
        &["1 tdmrep-value"],
    ),
    (
        "[{\"location\":\"/\",\"tdm-reservation\":\"1\"}]",
        &["1 tdmrep-value"],
    ),
    (
        "[{\"location\":\"/\",\"tdm-reservation\":2}]",
        &["1 tdmrep-value"],
    ),
    (
        "[{\"location\":\"/\",\"tdm-reservation\":null}]",
        &["1 tdmrep-value"],
    ),
    ("[{\"location\":\"/a\"}]", &["1 tdmrep-missing-member"]),
    (
        "[{\"location\":\"a\"}]",
        &["1 tdmrep-missing-member", "1 tdmrep-location"],
    ),
    ("[{\"tdm-reservation\":1}]", &["1 tdmrep-location"]),
    ("[7]", &["1 tdmrep-missing-member"]),
    (
        "[{\"location\":\"https://e.example/\",\"tdm-reservation\":1}]",
        &["1 tdmrep-location"],
    ),
    ("[{\"location\":\"*.pdf\",\"tdm-reservation\":1}]", &[]),
    (
        "[{\"location\":\"/\",\"tdm-reservation\":0,\"tdm-policy\":\"https://p.example/\"}]",
        &["1 tdm-policy-with-zero"],
    ),
    (
        "[{\"location\":\"/*.pdf\",\"tdm-reservation\":1},\n{\"location\":\"/docs/*.pdf\",\"tdm-reservation\":0}]",
        &["2 tdmrep-shadowed-rule"],
    ),
    (
        "[{\"location\":\"/docs/*.pdf\",\"tdm-reservation\":1},\n{\"location\":\"/*.pdf\",\"tdm-reservation\":0}]",
        &[],
    ),
];

const LICENCES: &[Case] = &[
    (
        "<rsl xmlns=\"https://rslstandard.org/rsl\">\n<content url=\"/\"><license><permits type=\"usage\">search</permits></license></content></rsl>",
        &[],
    ),
    (
        "<rsl><content url=\"/\"><license><permits type=\"usage\">search</permits></license></content></rsl>",
        &["1 licence-not-rsl"],
    ),
    ("<!doctype html><p>x</p>", &["1 licence-not-rsl"]),
    (
        "<rsl xmlns=\"https://rslstandard.org/rsl\">\n<content url=\"/\"><license><permits type=\"usage\">search, ai-input</permits></license></content></rsl>",
        &["2 rsl-comma-list"],
    ),
    (
        "<rsl xmlns=\"https://rslstandard.org/rsl\">\n<content url=\"/\"><license><permits type=\"usage\">search training</permits></license></content></rsl>",
        &["2 rsl-unknown-word"],
    ),
    (
        "<rsl xmlns=\"https://rslstandard.org/rsl\">\n<content url=\"/\"><license><permits type=\"usage\">search train-ai</permits></license></content></rsl>",
        &["2 rsl-old-word"],
    ),
    (
        "<rsl xmlns=\"https://rslstandard.org/rsl\">\n<meta/><content url=\"/\"><license><permits type=\"usage\">search</permits></license></content></rsl>",
        &["2 rsl-unknown-element"],
    ),
    (
        "<rsl xmlns=\"https://rslstandard.org/rsl\">\n<content url=\"/\"><license><permits type=\"usage\">search</permits><prohibits type=\"usage\">all</prohibits></license></content></rsl>",
        &["2 rsl-permits-and-prohibits"],
    ),
    (
        "<rsl xmlns=\"https://rslstandard.org/rsl\">\n<content url=\"\"><license><permits type=\"usage\">all</permits></license></content></rsl>",
        &["2 rsl-empty-url"],
    ),
];
