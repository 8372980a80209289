//! `purpose-legacy-leak`: rules for a purpose that older parsers apply to other robots.

use crate::edits::{self, Edits};
use crate::file::File;
use crate::finding::{Edit, Fix, Safety};
use crate::parser_differences::{is_extension, masked};
use crate::rule::{Findings, Rule, RuleCheck};
use crate::safety;
use abide::syntax::{FieldKind, Group, Line};
use abide::{Robots, Severity, Span};
use abide_analysis::meaning::{self, Readings};
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule::new(
    "purpose-legacy-leak",
    Severity::Error,
    include_str!("purpose_legacy_leak.md"),
    RuleCheck::File(check),
);

fn check(file: &File<'_>, found: &mut Findings) {
    let leaking = leaking(file.robots);
    for (number, leak) in leaking.iter().enumerate() {
        let lines = file.robots.lines();
        let Some(first) = leak.group.starters.first().and_then(|at| lines.get(*at)) else {
            continue;
        };
        let diagnostic = file.effect_for_legacy(leak.into);
        let shown = diagnostic.map_or_else(String::new, |diagnostic| format!(": {diagnostic}"));
        let mut message = format!(
            "robots that do not know purposes add these rules to the group before{shown}; put groups for purposes first"
        );
        // One fix moves all of these groups, because each of them alone still leaks.
        let fix = (number == 0).then(|| fix(file, &leaking));
        if let Some(Err(why)) = fix {
            message = format!("{message}. Move them by hand: {why}");
        }
        let fix = fix.and_then(Result::ok);
        found.say(Some(first.number), first.span, message).fix(fix);
    }
}

/// A group that only purposes start, below a `User-agent` line.
struct Leak<'a> {
    group: &'a Group,
    /// The group that gets its rules from robots that do not know purposes.
    into: usize,
}

fn leaking(robots: &Robots) -> Vec<Leak<'_>> {
    let is_purpose = |at: &usize| {
        let field = robots.lines().get(*at).and_then(Line::field);
        field.is_some_and(|field| field.kind == FieldKind::UserAgentPurpose)
    };
    let mut before = None;
    let mut leaking = Vec::new();
    for (at, group) in robots.groups().iter().enumerate() {
        match before {
            _ if !group.starters.iter().all(is_purpose) => before = Some(at),
            Some(into) if !group.rules.is_empty() => leaking.push(Leak { group, into }),
            _ => {}
        }
    }
    leaking
}

/// Moves these groups before all others, if that provably ends the leak and changes nothing else.
/// `Err` says why not.
fn fix(file: &File<'_>, leaking: &[Leak<'_>]) -> Result<Fix, &'static str> {
    let text = file.robots.text();
    if text.is_truncated() {
        return Err("the file is longer than robots have to read");
    }
    let fix = moved(file, leaking).ok_or("the file has no place before its groups")?;
    let edits: Edits<'_> = fix
        .edits
        .iter()
        .map(|edit| (edit.span.start, edit))
        .collect();
    let after = edits::applied(file.bytes, &edits);
    let is_same = |one: &[u8], other: &[u8]| {
        let (one, other) = (Readings::of(one), Readings::of(other));
        meaning::same(&one, &other, safety::BOUND, &|| true)
    };
    // Robots that know purposes, and Google's parser, to which the line is a `User-agent` line.
    if !is_same(file.bytes, &after) {
        return Err(
            "it is not proved that robots that know purposes, and Google, keep their answers",
        );
    }
    // Robots of RFC 9309 alone get what the file says without these groups.
    let groups = leaking.iter().map(|leak| leak.group);
    let members = groups.flat_map(|group| group.rules.iter().chain(&group.others));
    let members: BTreeSet<usize> = members.copied().collect();
    let is_leaking = |line: &Line| members.contains(&(line.number as usize - 1));
    let without = masked(file.robots, |line, kind| {
        is_extension(kind) || kind != FieldKind::Sitemap && is_leaking(line)
    });
    let after = masked(&Robots::parse(&after), |_, kind| is_extension(kind));
    if !is_same(&without, &after) {
        return Err("robots that do not know purposes would still apply a line of these groups");
    }
    Ok(fix)
}

/// Moves the groups, with the comments right above them, before the first group.
fn moved(file: &File<'_>, leaking: &[Leak<'_>]) -> Option<Fix> {
    let lines = file.robots.lines();
    let first = *file.robots.groups().first()?.starters.first()?;
    let first = lines.get(commented(lines, first))?;
    let ending = first.ending.as_bytes();
    let start = u32::try_from(file.robots.text().body()).unwrap_or_default();
    let top = first.span.start.max(start);
    let mut groups = Vec::new();
    let mut edits: Vec<Edit> = Vec::new();
    for leak in leaking {
        let (from, to) = extent(lines, leak.group)?;
        let (begin, last) = (lines.get(from)?, lines.get(to)?);
        groups.extend_from_slice(Span::new(begin.span.start, last.span.end).of(file.text()));
        groups.extend([ending, ending].concat());
        let span = with_blank_line(lines, from, to)?;
        // The blank line between two of these groups goes with the first.
        let before = edits.last().map_or(top, |edit| edit.span.end);
        edits.push(Edit {
            span: Span::new(span.start.max(before), span.end),
            replacement: Vec::new(),
        });
    }
    let span = Span::new(top, top);
    edits.insert(
        0,
        Edit {
            span,
            replacement: groups,
        },
    );
    Some(Fix {
        safety: Safety::Unsafe,
        title: "move the groups for purposes before all others".into(),
        edits,
    })
}

/// The first and the last line of a group.
fn extent(lines: &[Line], group: &Group) -> Option<(usize, usize)> {
    let first = *group.starters.first()?;
    let members = group.rules.iter().chain(&group.others);
    let last = members.copied().max()?;
    Some((commented(lines, first), last))
}

/// The first of the lines with comments right above line `at`.
fn commented(lines: &[Line], at: usize) -> usize {
    let is_comment = |line: &&Line| line.comment.is_some() && line.field().is_none();
    let above = lines.get(..at).unwrap_or_default().iter().rev();
    at - above.take_while(is_comment).count()
}

/// These lines, with a blank line below them, or above them at the end of the file.
fn with_blank_line(lines: &[Line], from: usize, to: usize) -> Option<Span> {
    let is_blank = |line: &&Line| line.span.is_empty();
    let below = lines.get(to + 1);
    let above = from.checked_sub(1).and_then(|at| lines.get(at));
    let end = below.filter(is_blank).or(lines.get(to))?;
    let begin = match below {
        None => above.filter(is_blank).or(lines.get(from))?,
        Some(_) => lines.get(from)?,
    };
    Some(Span::new(File::whole(begin).start, File::whole(end).end))
}
