//! The findings of every rule in the examples on its page, and the results of its fixes.

use crate::pages::{context, found};
use abide::explain::visible;
use abide_lint::finding::Safety;
use abide_lint::page::Example;
use abide_lint::rules::ALL;
use abide_lint::{Finding, Linter};
use std::fmt::Write;

/// A finding with its other locations and its fix.
fn view(finding: &Finding) -> String {
    let place = finding.line.map_or_else(
        || "file".to_owned(),
        |line| {
            format!(
                "line {line}, bytes {}..{}",
                finding.span.start, finding.span.end
            )
        },
    );
    let mut view = format!(
        "{} {}: {place}: {}\n",
        finding.severity().name(),
        finding.rule.code(),
        finding.message
    );
    for related in &finding.related {
        writeln!(view, "  line {}: {}", related.line, related.message).unwrap();
    }
    if let Some(fix) = &finding.fix {
        writeln!(view, "  {:?} fix: {}", fix.safety, fix.title).unwrap();
    }
    view
}

/// Applies the fixes of one rule to an example, line by line; `None` if there are none or the file
/// is long.
fn mended(code: &str, example: &Example) -> Option<String> {
    const MAX_BYTES: usize = 4_096;
    let bytes = example
        .robots_txt
        .as_ref()
        .filter(|bytes| bytes.len() < MAX_BYTES)?;
    let linter = Linter::new().select([code]).unwrap();
    let fixed = linter.fixed(bytes, &context(example), Safety::Unsafe);
    let lines = fixed.bytes.split_inclusive(|&byte| byte == b'\n');
    let shown = lines.map(|line| {
        format!(
            "  | {}\n",
            visible(line.strip_suffix(b"\n").unwrap_or(line))
        )
    });
    (fixed.fixed > 0).then(|| shown.collect())
}

fn views(about: &str) -> String {
    let mut all = String::new();
    for rule in ALL
        .iter()
        .filter(|rule| crate::pages::path(rule.code()).contains(about))
    {
        let code = rule.code();
        for example in rule
            .page()
            .examples
            .iter()
            .filter(|example| example.is_wrong)
        {
            writeln!(all, "== {code}").unwrap();
            for finding in found(example)
                .iter()
                .filter(|finding| finding.rule.code() == code)
            {
                all.push_str(&view(finding));
            }
            all.extend(mended(code, example));
        }
    }
    all
}

#[test]
fn what_every_rule_says_and_mends() {
    for about in ["rep", "purpose", "app", "tag", "acap", "linter"] {
        insta::assert_snapshot!(about, views(&format!("/{about}/")));
    }
}
