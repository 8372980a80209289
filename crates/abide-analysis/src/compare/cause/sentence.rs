//! Causes in words.

use super::{CauseFacts, CauseKind};
use crate::compare::audience::{Audience, list};
use crate::words::Phrase;
use abide::verdict::SelectionLevel;

pub(super) fn sentence(
    kind: CauseKind,
    line: Option<u32>,
    found: &CauseFacts,
    audience: &Audience<'_>,
) -> Phrase {
    let place = |file: &str| line.map_or_else(String::new, |line| format!(" ({file}line {line})"));
    let statement = |what: &str, place: &str| {
        let phrase = Phrase::default().words(what);
        phrase.quoted(&found.statement).words(place)
    };
    match kind {
        CauseKind::SiteClosed => site_closed(found, &place("")),
        CauseKind::OwnGroup => follows_everyone(
            found,
            audience,
            [
                " has its own group, and no longer follows ",
                " have groups of their own, and no longer follow ",
            ],
        ),
        CauseKind::GroupLost => follows_everyone(
            found,
            audience,
            [
                " has no group of its own any more, and follows ",
                " have no groups of their own any more, and follow ",
            ],
        ),
        CauseKind::OtherGroup => other_group(found, audience),
        CauseKind::RuleAdded => statement(&format!("{} added: ", what(found)), &place("")),
        CauseKind::RuleRemoved => statement(&format!("{} removed: ", what(found)), &place("old ")),
        CauseKind::PreferenceAdded => statement("Preference added: ", &place("")),
        CauseKind::PreferenceRemoved => statement("Preference removed: ", &place("old ")),
        CauseKind::Other => Phrase::default().words("Other changes"),
    }
}

/// What a statement is. The line that begins the group of a control token counts by itself.
fn what(found: &CauseFacts) -> &'static str {
    let key = b"user-agent";
    let own = found.statement.get(..key.len()).unwrap_or_default();
    if own.eq_ignore_ascii_case(key) {
        "Group"
    } else {
        "Rule"
    }
}

fn site_closed(found: &CauseFacts, place: &str) -> Phrase {
    let chosen = found.chosen.as_ref();
    let phrase = Phrase::default().words("The group for ");
    let names: Vec<&str> = found.group.iter().map(String::as_str).collect();
    let phrase = match chosen.filter(|chosen| chosen.by != SelectionLevel::AnyCrawler) {
        Some(chosen) if names.is_empty() => phrase.name(&chosen.token),
        Some(_) => phrase.then(list(&names, &[])),
        None => phrase.quoted(b"*"),
    };
    let phrase = phrase.words(" disallows the whole site");
    if found.statement.is_empty() {
        phrase.words(place)
    } else {
        phrase.words(": ").quoted(&found.statement).words(place)
    }
}

/// Who follows the rules of `*`, or no longer does, by a verb for one robot and for several.
fn follows_everyone(found: &CauseFacts, audience: &Audience<'_>, verb: [&str; 2]) -> Phrase {
    let [of_one, of_several] = verb;
    let rules = match found.rules {
        1 => "the 1 rule".to_owned(),
        rules => format!("the {rules} rules"),
    };
    let is_plural = audience.is_plural(&found.clients);
    let verb = if is_plural { of_several } else { of_one };
    let phrase = robots(found, audience).words(verb);
    phrase.words(&rules).words(" of ").quoted(b"*")
}

fn other_group(found: &CauseFacts, audience: &Audience<'_>) -> Phrase {
    let is_plural = audience.is_plural(&found.clients);
    let Some(chosen) = &found.chosen else {
        let verb = if is_plural { "follow" } else { "follows" };
        let verb = format!(" had a group before, and now {verb} none");
        return robots(found, audience).words(&verb);
    };
    let verb = match (found.had_group, is_plural) {
        (true, true) => " follow another group: that for ",
        (true, false) => " follows another group: that for ",
        (false, true) => " had no group before, and now follow that for ",
        (false, false) => " had no group before, and now follows that for ",
    };
    let phrase = robots(found, audience).words(verb);
    match chosen.by {
        SelectionLevel::AnyCrawler => phrase.quoted(b"*"),
        SelectionLevel::Purpose => phrase.words("the purpose ").name(&chosen.token),
        _ => phrase.name(&chosen.token),
    }
}

/// The robots that the cause affects, at the beginning of a sentence.
fn robots(found: &CauseFacts, audience: &Audience<'_>) -> Phrase {
    audience.whom(&found.clients, &|_| false).capital()
}
