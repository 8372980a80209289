//! Shows findings to people, with the lines quoted.

use super::LintedFile;
use abide::Severity;
use abide::Span;
use abide::explain::{counted, visible};
use abide_lint::Finding;
use abide_lint::finding::Safety;
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::io::{self, Write};

/// The number of bytes shown on each side of a finding's span.
const AROUND: usize = 60;
/// The largest number of bytes shown of a finding's span.
const MAX_SPAN_BYTES: usize = 120;

/// Writes the findings; with `shows_all`, every note.
pub(crate) fn human(out: &mut dyn Write, linted: &[LintedFile], shows_all: bool) -> io::Result<()> {
    let renderer = Renderer::styled().decor_style(DecorStyle::Ascii);
    for one in linted {
        let shown = one.shown(shows_all);
        for finding in shown.findings {
            writeln!(out, "{}\n", rendered(&renderer, one, finding))?;
        }
        for (code, rest) in shown.counted {
            let group = Group::with_title(Level::INFO.primary_title(rest).id(code));
            let group = group.element(annotate_snippets::Origin::path(one.name.as_str()));
            writeln!(out, "{}\n", renderer.render(&[group]))?;
        }
    }
    Ok(())
}

fn rendered(renderer: &Renderer, linted: &LintedFile, finding: &Finding) -> String {
    let level = match finding.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let name = linted.name.to_string();
    let title = visible(finding.message.as_bytes());
    let title = level.primary_title(title).id(finding.rule.code());
    let places: Vec<(u32, Quote, bool, &str)> = finding
        .line
        .map(|line| (line, Quote::new(&linted.text, finding.span), true, ""))
        .into_iter()
        .chain(finding.related.iter().map(|related| {
            let quoted = Quote::new(&linted.text, related.span);
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
struct Quote {
    text: String,
    start: usize,
    end: usize,
}

impl Quote {
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
        shown.push_str(&cut(within, MAX_SPAN_BYTES));
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

/// What the last line says beside the number of findings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Footer {
    /// Whether fixes were shown, not applied.
    pub(crate) is_diff: bool,
    /// Whether the files are named.
    pub(crate) has_names: bool,
}

/// Writes the number of fixes and findings, and how to fix some of them.
pub(crate) fn summary(
    out: &mut dyn Write,
    linted: &[LintedFile],
    footer: Footer,
) -> io::Result<()> {
    writeln!(out, "{}", totals(linted, footer))
}

fn totals(linted: &[LintedFile], footer: Footer) -> String {
    let files = files(linted, footer);
    let left = left(linted);
    let fixed: usize = linted.iter().map(|one| one.fixed).sum();
    let hint = hint(linted);
    match (fixed, left) {
        (0, None) if footer.is_diff => format!("Nothing to fix, and no findings in {files}."),
        (0, None) => format!("No findings in {files}."),
        (0, Some(left)) if footer.is_diff => format!("Nothing to fix. {left} in {files}.{hint}"),
        (0, Some(left)) => format!("{left} in {files}.{hint}"),
        (fixed, left) => {
            let verb = if footer.is_diff { "Would fix" } else { "Fixed" };
            let fixed = counted(fixed as u64, "finding");
            match left {
                None => format!("{verb} {fixed}, leaving none in {files}."),
                Some(left) => format!("{verb} {fixed}, leaving {left} in {files}.{hint}"),
            }
        }
    }
}

/// The number of findings of each severity; `None` if there are none.
fn left(linted: &[LintedFile]) -> Option<String> {
    let count = |severity| {
        let all = super::all(linted);
        all.filter(|(_, finding)| finding.severity() == severity)
            .count()
    };
    let counts = [
        (count(Severity::Error), "error"),
        (count(Severity::Warning), "warning"),
        (count(Severity::Info), "note"),
    ];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<_> = counts
        .map(|(count, what)| counted(count as u64, what))
        .collect();
    (!counts.is_empty()).then(|| counts.join(", "))
}

fn hint(linted: &[LintedFile]) -> String {
    let with_fix = |safety| {
        let all = super::all(linted).filter_map(|(_, finding)| finding.fix.as_ref());
        all.filter(|fix| fix.safety == safety).count()
    };
    match (with_fix(Safety::Safe), with_fix(Safety::Unsafe)) {
        (0, 0) => String::new(),
        (0, more) => format!(" {more} fixable with `--unsafe-fixes`."),
        (safe, 0) => format!(" {safe} fixable with `--fix`."),
        (safe, more) => {
            format!(" {safe} fixable with `--fix`, {more} more with `--unsafe-fixes`.")
        }
    }
}

fn files(linted: &[LintedFile], footer: Footer) -> String {
    let count = counted(linted.len() as u64, "file");
    if !footer.has_names {
        return count;
    }
    let names: Vec<_> = linted.iter().map(|one| one.name.to_string()).collect();
    format!("{count} ({})", names.join(", "))
}
