//! The findings as JSON: `schema/lint.json`.

use super::Linted;
use abide_json::text;
use abide_lint::Finding;
use abide_lint::finding::{Fix, Origin, Related, Safety};
use serde_json::{Value, json};
use std::io::{self, Write};

/// One array.
pub(crate) fn json(out: &mut dyn Write, linted: &[Linted]) -> io::Result<()> {
    let all: Vec<Value> = super::all(linted)
        .map(|(one, found)| value(one, found))
        .collect();
    out.write_all(text::pretty(&all).as_bytes())?;
    writeln!(out)
}

/// One object a line.
pub(crate) fn jsonl(out: &mut dyn Write, linted: &[Linted]) -> io::Result<()> {
    for (one, finding) in super::all(linted) {
        out.write_all(text::line(&value(one, finding)).as_bytes())?;
        writeln!(out)?;
    }
    Ok(())
}

fn value(linted: &Linted, finding: &Finding) -> Value {
    let origin = match finding.origin {
        Origin::RobotsTxt => "robots.txt",
        Origin::Response => "response",
    };
    let mut value = json!({
        "schema": 1,
        "file": linted.name.as_str(),
        "origin": origin,
        "code": finding.rule.code(),
        "severity": super::severity(finding),
        "message": finding.message,
    });
    if let (Some(line), Some(members)) = (finding.line, value.as_object_mut()) {
        members.insert("line".to_owned(), line.into());
        members.insert("span".to_owned(), span(finding.span));
        members.insert("column".to_owned(), linted.columns(finding.span).0.into());
    }
    if let Some(members) = value.as_object_mut() {
        if !finding.related.is_empty() {
            let related = finding.related.iter().map(related).collect();
            members.insert("related".to_owned(), related);
        }
        if let Some(fixes) = &finding.fix {
            members.insert("fix".to_owned(), fix(fixes));
        }
    }
    value
}

fn span(span: abide::Span) -> Value {
    json!([span.start, span.end])
}

fn related(related: &Related) -> Value {
    json!({"line": related.line, "span": span(related.span), "message": related.message})
}

fn fix(fix: &Fix) -> Value {
    let edits = fix.edits.iter().map(|edit| {
        json!({
            "span": span(edit.span),
            "replacement": String::from_utf8_lossy(&edit.replacement),
        })
    });
    json!({
        "safety": match fix.safety {
            Safety::Safe => "safe",
            Safety::Unsafe => "unsafe",
        },
        "title": fix.title,
        "edits": edits.collect::<Vec<_>>(),
    })
}
