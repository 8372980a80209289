//! A decision as plain text, for people.

use super::sentence::{
    by_directives, conditions, directive_note, group, has_statement, not_seen, outcome, place, why,
};
use crate::app::ApplicationDecision;
use crate::decide::Decision;
use crate::policy::{Inspect, Policy};
use crate::text::Part as _;
use crate::verdict::{Evidence, Outcome, Reason, Role, Source, Usage, UsageDecision};
use crate::visible::visible;
use std::fmt::Write;

/// How much a text shows, and how wide it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct Layout<'u> {
    /// Columns. Longer lines are cut and end with `…`.
    pub width: usize,
    /// How many losing pieces of evidence are shown one by one.
    pub lost: usize,
    /// The usages to show. If empty: every usage that a source mentions.
    pub usages: &'u [Usage],
}

impl Default for Layout<'_> {
    /// 80 columns, ten losing pieces of evidence, every usage that a source mentions.
    fn default() -> Self {
        Self {
            width: 80,
            lost: 10,
            usages: &[],
        }
    }
}

/// Returns the decision in words: the outcome, the deciding line with its number and text, the
/// group, and what lost. Every usage that a source mentions has a paragraph.
///
/// ```
/// use abide::{Client, Policy, ProductToken, Target, explain};
/// let client = Client::new(ProductToken::new("ExampleBot")?);
/// let policy = Policy::compile(b"User-agent: *\nDisallow: /x\n", &client);
/// let decision = policy.decide(&Target::new("/x/y")?);
/// assert_eq!(
///     explain::text(&policy, &decision, explain::Layout::default()),
///     "crawl: disallowed\n\
///      \x20 decided by  line 2: Disallow: /x\n\
///      \x20             the only rule that matches (2 bytes)\n\
///      \x20 group       line 1: User-agent: *\n",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn text(policy: &Policy, decision: &Decision<'_>, layout: Layout<'_>) -> String {
    let mut page = Page {
        out: String::new(),
        layout,
    };
    let spoken = |usage_decision: &&UsageDecision<'_>| match layout.usages {
        [] => {
            usage_decision.usage == Usage::Crawl || usage_decision.outcome != Outcome::Unspecified
        }
        usages => usages.contains(&usage_decision.usage),
    };
    let spoken: Vec<_> = decision.usages.iter().filter(spoken).collect();
    for (at, usage_decision) in spoken.iter().enumerate() {
        let before = spoken.part(..at);
        if !before
            .iter()
            .any(|other| is_told_with(other, usage_decision))
        {
            let behind = spoken.part(at..);
            let also = behind
                .iter()
                .filter(|other| is_told_with(usage_decision, other));
            let names: Vec<_> = also.map(|other| other.usage.name()).collect();
            page.usage(policy, decision, usage_decision, &names);
        }
    }
    if let Some(missed) = not_seen(decision, &who(policy)) {
        page.headline(missed.split(' '));
    }
    for application in &decision.applications {
        page.application(policy, application);
    }
    for request in decision.action_requests {
        page.wrapped_row(
            "asked",
            &format!(
                "{} {} (line {}; to be confirmed by other means)",
                request.action.name(),
                visible(request.path.as_bytes()),
                request.place.line
            ),
        );
    }
    for url in &decision.needs {
        page.row("needs", &visible(url.as_bytes()));
    }
    page.out
}

/// The client's first name.
fn who(policy: &Policy) -> String {
    let name = policy.client().product_tokens().first();
    name.map_or_else(
        || "The robot".to_owned(),
        |name| visible(name.as_str().as_bytes()),
    )
}

/// Whether two usages have the same answer for the same reason, so that one paragraph covers both.
fn is_told_with(one: &UsageDecision<'_>, other: &UsageDecision<'_>) -> bool {
    let own = one.usage == other.usage;
    let general = one.usage != Usage::Crawl && one.conditions.is_empty();
    own || (general
        && (one.outcome, &one.conditions, &one.evidence)
            == (other.outcome, &other.conditions, &other.evidence))
}

/// What a piece of evidence does.
const fn label(evidence: &Evidence<'_>) -> &'static str {
    match evidence.role {
        Role::Decided => "decided by",
        Role::Agreed => "agrees",
        Role::Overridden => "overridden",
        Role::Void => "no effect",
    }
}

/// Lines with a label each, cut to the width of the layout.
struct Page<'u> {
    out: String,
    layout: Layout<'u>,
}

impl Page<'_> {
    /// The paragraph of a usage, and of the usages with these `names`.
    fn usage(
        &mut self,
        policy: &Policy,
        decision: &Decision<'_>,
        usage_decision: &UsageDecision<'_>,
        names: &[&str],
    ) {
        match names {
            [_] | [] => self.headline(outcome(usage_decision).split(' ')),
            several => {
                let others = several.part(1..);
                let text = outcome(usage_decision);
                let (own, what) = text.split_once(':').unwrap_or((&text, ""));
                let text = format!("{own}, {}:{what}", others.join(", "));
                self.headline(text.split(' '));
            }
        }
        if let Some(conditions) = conditions(usage_decision) {
            self.wrapped(&conditions);
        }
        let Some((decided, lost)) = usage_decision.evidence.split_first() else {
            return;
        };
        if has_statement(decided) {
            self.evidence(label(decided), decided);
        }
        if usage_decision.usage == Usage::Crawl && !Inspect::of(policy).ignores_conventional() {
            self.groups(policy);
        }
        self.record(policy, decided);
        self.group_of_preference(policy, decided);
        let more = lost.len().saturating_sub(self.layout.lost);
        for evidence in lost.take(self.layout.lost) {
            self.evidence(label(evidence), evidence);
        }
        if more > 0 {
            self.row(
                "",
                &format!("and {more} more that match (the JSON formats list them all)"),
            );
        }
        if let Some((delay, place)) = decision
            .crawl_delay
            .filter(|_| usage_decision.usage == Usage::Crawl)
        {
            self.row(
                "delay",
                &format!("line {}: {delay} s between visits", place.line),
            );
        }
    }

    fn application(&mut self, policy: &Policy, decision: &ApplicationDecision<'_>) {
        let each = decision.directives.iter();
        let mut directives: Vec<_> = each
            .map(|(name, value)| visible(format!("{name}={value},").as_bytes()))
            .collect();
        match directives.last_mut() {
            Some(last) => drop(last.pop()),
            None => directives.push("nothing".to_owned()),
        }
        // Wrapped between directives only: a value may have spaces.
        let head = format!("{} is asked:", visible(decision.id.as_bytes()));
        let words = head.split(' ').chain(directives.iter().map(String::as_str));
        self.headline(words);
        for rule in &decision.rules {
            let statement = policy.statement_place(rule.place.line).span;
            let statement = self.shown(statement.of(policy.text().as_bytes()));
            let label = if rule.applies { "by" } else { "not by" };
            self.row(label, &format!("line {}: {statement}", rule.place.line));
        }
        for note in &decision.notes {
            self.wrapped_row("note", &directive_note(note));
        }
        for preference in &decision.preferences {
            if let Some(because) = by_directives(decision, preference) {
                let outcome = preference.outcome;
                self.wrapped_row(preference.usage.name(), &format!("{outcome}: {because}"));
            }
        }
    }

    fn evidence(&mut self, label: &str, evidence: &Evidence<'_>) {
        let statement = self.shown(evidence.statement);
        if evidence.vocabulary.is_some() && !statement.is_empty() {
            self.row(label, &format!("{}: {statement}", place(evidence)));
            self.row("", &why(evidence));
            return;
        }
        match (evidence.place, evidence.locator()) {
            (Some(place), Some(locator)) => {
                let locator = self.shown(locator.as_bytes());
                self.row(
                    label,
                    &format!("{locator}, line {}: {statement}", place.line),
                );
            }
            (Some(place), None) => self.row(label, &format!("line {}: {statement}", place.line)),
            (None, _) if statement.is_empty() => self.row(label, &why(evidence)),
            (None, _) => self.row(label, &format!("{}: {statement}", evidence.source.name())),
        }
        if evidence.place.is_some() || !statement.is_empty() {
            self.row("", &why(evidence));
        }
    }

    /// The record of an ACAP field.
    fn record(&mut self, policy: &Policy, decided: &Evidence<'_>) {
        let acap = decided.source == Source::Acap || decided.source == Source::Dependency;
        let Some(selection) = decided.selected_by.as_ref().filter(|_| acap) else {
            return;
        };
        if decided.locator().is_none() {
            let place = selection.place;
            let starter = visible(place.span.of(policy.text().as_bytes()));
            self.row("record", &format!("line {}: {starter}", place.line));
        }
    }

    /// The group of a preference.
    fn group_of_preference(&mut self, policy: &Policy, decided: &Evidence<'_>) {
        let selection = decided.selected_by.as_ref();
        let selection = selection.filter(|_| decided.reason != Reason::OtherGroup);
        if let Some(selection) = selection.filter(|_| decided.vocabulary.is_some()) {
            let place = selection.place;
            let starter = visible(place.span.of(policy.text().as_bytes()));
            self.row("group", &format!("line {}: {starter}", place.line));
        }
    }

    fn groups(&mut self, policy: &Policy) {
        let groups = policy.chosen_groups();
        let Some((first, others)) = groups.split_first() else {
            return;
        };
        let starter = visible(first.place.span.of(policy.text().as_bytes()));
        self.row("group", &format!("line {}: {starter}", first.place.line));
        if let Some(note) = group(first) {
            self.row("", &note);
        }
        if !others.is_empty() {
            self.row(
                "",
                &format!("merged with {} more of the same name", others.len()),
            );
        }
    }

    /// The part of `text` that a line can show, made visible. One statement may be evidence for a
    /// thousand applications, so the rest is not even looked at.
    fn shown(&self, text: &[u8]) -> String {
        const MAX_CHARACTER_BYTES: usize = 4;
        let room = self.layout.width.saturating_mul(MAX_CHARACTER_BYTES);
        visible(text.get(..room).unwrap_or(text))
    }

    fn row(&mut self, label: &str, text: &str) {
        self.line(&format!("  {label:<12}{text}"));
    }

    /// A row that is wrapped instead of cut.
    fn wrapped_row(&mut self, label: &str, text: &str) {
        for (at, line) in self.folded(text.split(' '), 14).iter().enumerate() {
            self.row(if at == 0 { label } else { "" }, line);
        }
    }

    /// Indented text that is wrapped instead of cut.
    fn wrapped(&mut self, text: &str) {
        for line in self.folded(text.split(' '), 2) {
            self.line(&format!("  {line}"));
        }
    }

    /// Wrapped text whose first line is not indented.
    fn headline<'t>(&mut self, words: impl IntoIterator<Item = &'t str>) {
        for (at, line) in self.folded(words, 2).iter().enumerate() {
            let indent = if at == 0 { "" } else { "  " };
            self.line(&format!("{indent}{line}"));
        }
    }

    /// Words in lines that leave room for `indent` columns. A word that is longer than a line goes
    /// on in the next one.
    fn folded<'t>(&self, words: impl IntoIterator<Item = &'t str>, indent: usize) -> Vec<String> {
        let room = self.layout.width.saturating_sub(indent).max(20);
        let mut lines = vec![String::new()];
        for word in words.into_iter().flat_map(|word| pieces(word, room)) {
            let last = lines.last().map_or(0, |line| line.chars().count());
            let length = last.saturating_add(word.chars().count());
            match lines.last_mut() {
                Some(line) if line.is_empty() => line.push_str(word),
                Some(line) if length < room => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_owned()),
            }
        }
        lines
    }

    fn line(&mut self, text: &str) {
        let width = self.layout.width;
        let fits = text.chars().count() <= width;
        let kept = if fits { width } else { width.saturating_sub(1) };
        self.out.extend(text.chars().take(kept));
        // Writing to a String cannot fail.
        let _ = writeln!(self.out, "{}", if fits { "" } else { "…" });
    }
}

/// A word in pieces of at most `room` characters.
fn pieces(word: &str, room: usize) -> impl Iterator<Item = &str> {
    let mut rest = Some(word);
    std::iter::from_fn(move || {
        let word = rest?;
        let end = word.char_indices().nth(room).map(|(end, _)| end);
        let (piece, behind) = match end.and_then(|end| word.split_at_checked(end)) {
            Some((piece, behind)) => (piece, Some(behind)),
            None => (word, None),
        };
        rest = behind;
        Some(piece)
    })
}
