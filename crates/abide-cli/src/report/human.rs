//! Shows findings to people, with the lines quoted.

use super::Linted;
use abide::Severity;
use abide::Span;
use abide::explain::visible;
use abide_lint::Finding;
use abide_lint::finding::Safety;
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::io::{self, Write};

/// The number of bytes shown on each side of a finding's span.
const AROUND: usize = 60;
/// The largest number of bytes shown of a finding's span.
const WITHIN: usize = 120;

/// Writes the findings, then their number.
pub(crate) fn human(out: &mut dyn Write, linted: &[Linted]) -> io::Result<()> {
    let renderer = Renderer::styled().decor_style(DecorStyle::Ascii);
    for one in linted {
        for finding in &one.findings {
            writeln!(out, "{}\n", rendered(&renderer, one, finding))?;
        }
    }
    summary(out, linted)
}

fn rendered(renderer: &Renderer, linted: &Linted, finding: &Finding) -> String {
    let level = match finding.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let name = linted.name.to_string();
    let title = visible(finding.message.as_bytes());
    let title = level.primary_title(title).id(finding.rule.code());
    let places: Vec<(u32, Quoted, bool, &str)> = finding
        .line
        .map(|line| (line, Quoted::new(&linted.text, finding.span), true, ""))
        .into_iter()
        .chain(finding.related.iter().map(|related| {
            let quoted = Quoted::new(&linted.text, related.span);
            (related.line, quoted, false, &*related.message)
        }))
        .collect();
    let mut group = Group::with_title(title);
    for (line, quoted, is_primary, label) in &places {
        let kind = if *is_primary {
            AnnotationKind::Primary
        } else {
            AnnotationKind::Context
        };
        let range = quoted.start..quoted.end;
        let annotation = kind
            .span(range)
            .label((!label.is_empty()).then_some(*label));
        let snippet = Snippet::source(quoted.text.as_str())
            .line_start(*line as usize)
            .path(name.as_str())
            .annotation(annotation);
        group = group.element(snippet);
    }
    if places.is_empty() {
        group = group.element(annotate_snippets::Origin::path(linted.name.as_str()));
    }
    if let Some(fix) = &finding.fix {
        let how = match fix.safety {
            Safety::Safe => "--fix",
            Safety::Unsafe => "--unsafe-fixes",
        };
        let help = format!("{how}: {}", fix.title);
        group = group.element(Level::HELP.message(help));
    }
    renderer.render(&[group])
}

/// A line made safe to print, with the span of a finding.
struct Quoted {
    text: String,
    start: usize,
    end: usize,
}

impl Quoted {
    /// The line of `span`, cut on both sides if it is long.
    fn new(text: &[u8], span: Span) -> Self {
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let (start, end) = (span.start as usize, span.end as usize);
        let before = text.get(..start).unwrap_or_default();
        let before = before.rsplit(is_end).next().unwrap_or_default();
        let within = text.get(start..end).unwrap_or_default();
        let within = within.split(is_end).next().unwrap_or_default();
        let after = text.get(start + within.len()..).unwrap_or_default();
        let after = after.split(is_end).next().unwrap_or_default();
        let mut shown = match before.len().checked_sub(AROUND) {
            Some(cut @ 1..) => format!("…{}", visible(before.get(cut..).unwrap_or_default())),
            _ => visible(before),
        };
        let start = shown.len();
        shown.push_str(&cut(within, WITHIN));
        let end = shown.len();
        shown.push_str(&cut(after, AROUND));
        Self {
            text: shown,
            start,
            end,
        }
    }
}

fn cut(bytes: &[u8], most: usize) -> String {
    match bytes.get(..most) {
        Some(kept) if kept.len() < bytes.len() => format!("{}…", visible(kept)),
        _ => visible(bytes),
    }
}

/// Writes the number of findings, and how to fix some of them.
pub(crate) fn summary(out: &mut dyn Write, linted: &[Linted]) -> io::Result<()> {
    writeln!(out, "{}", counted(linted))
}

fn counted(linted: &[Linted]) -> String {
    let count = |severity| {
        let all = super::all(linted);
        all.filter(|(_, finding)| finding.severity() == severity)
            .count()
    };
    let (errors, warnings, infos) = (
        count(Severity::Error),
        count(Severity::Warning),
        count(Severity::Info),
    );
    let fixed: usize = linted.iter().map(|one| one.fixed).sum();
    let fixed = match fixed {
        0 => String::new(),
        fixed => format!("{fixed} fixed, "),
    };
    if errors + warnings + infos == 0 {
        return format!("{fixed}no findings in {}", files(linted.len()));
    }
    let with_fix = |safety| {
        let all = super::all(linted).filter_map(|(_, finding)| finding.fix.as_ref());
        all.filter(|fix| fix.safety == safety).count()
    };
    let hint = match (with_fix(Safety::Safe), with_fix(Safety::Unsafe)) {
        (0, 0) => String::new(),
        (0, more) => format!("; {more} fixable with --unsafe-fixes"),
        (safe, 0) => format!("; {safe} fixable with --fix"),
        (safe, more) => format!("; {safe} fixable with --fix, {more} more with --unsafe-fixes"),
    };
    let of = |count: usize, what: &str| match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    };
    format!(
        "{fixed}{}, {}, {} in {}{hint}",
        of(errors, "error"),
        of(warnings, "warning"),
        of(infos, "note"),
        files(linted.len())
    )
}

fn files(count: usize) -> String {
    match count {
        1 => "1 file".to_owned(),
        _ => format!("{count} files"),
    }
}
