//! `content-usage-dropped-word`: reports a diagnostic of the engine.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::preference_overlap::{self, DroppedWord};
use crate::preference_witness::{MAX_AGENTS, agents};
use crate::rule::{Findings, Rule};
use abide::preference::Vocabulary;
use abide::{Code, Diagnostic, Span};
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule::engine(
    Code::ContentUsageDroppedWord,
    include_str!("content_usage_dropped_word.md"),
)
.with_fix(fix_for)
.with_check(check);

/// The engine compares paths of which one begins with the other. This finds lines with wildcards
/// that share a path.
fn check(file: &File<'_>, found: &mut Findings) {
    let lines = file.preferences(Vocabulary::ContentUsage);
    let stating: BTreeSet<_> = lines.filter_map(|at| at.line.group).collect();
    let reported = file.diagnostics().iter();
    let reported = reported.filter(|one| one.code == Code::ContentUsageDroppedWord);
    let mut known: BTreeSet<u32> = reported.filter_map(|one| one.line).collect();
    let mut search = preference_overlap::search();
    for (agent, _) in agents(file, &stating).into_iter().take(MAX_AGENTS) {
        let Some(client) = preference_overlap::client(agent.as_deref()) else {
            continue;
        };
        let policy = file.robots.policy(&client);
        let is_known = |line| known.contains(&line);
        for one in preference_overlap::dropped_words(file, &policy, &is_known, &mut search) {
            if let (Some(line), true) = (file.line(one.line), known.insert(one.line)) {
                let span = line.field().map_or(line.span, |field| field.value);
                // No fix: with the word, this line would ask it for its other paths too.
                found.say(Some(one.line), span, shown(&one));
            }
        }
    }
}

fn shown(dropped: &DroppedWord) -> String {
    let DroppedWord {
        from, word, path, ..
    } = dropped;
    format!(
        "at {path} this longer path decides alone, so {word}=n on line {from} does not count there; \
         add a line for the paths of both"
    )
}

/// The message begins with the words that are to be repeated.
fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let (words, _) = diagnostic.message.split_once(" on line ")?;
    let words = words.replace(" and ", ", ");
    let end = file.preference_of(diagnostic)?.statement().end;
    let title = format!("add {words}");
    let span = Span::new(end, end);
    Some(Fix::replace(
        Safety::Unsafe,
        title,
        span,
        format!(", {words}"),
    ))
}
