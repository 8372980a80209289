//! The decision about a page in plain English.

use crate::view::PageView;
use crate::words::{capital, cut, lines, shown_text, shown_url};
use abide::Evidence;
use abide::explain::{self, counted, visible};
use abide::verdict::{Reason, Source};
use abide::{Code, Decision, Outcome, Policy, Usage, UsageDecision, Usages};

/// What is decided about a page, and why. [`page_preferences`](super::page_preferences) has what is
/// decided about training, AI input and search.
#[must_use]
pub fn page(page: &PageView<'_>) -> String {
    let url = shown_url(page.url());
    let mut sentences = Vec::new();
    for said in &page.decision.usages {
        if said.usage == Usage::Crawl {
            sentences.push(crawl(said, &url));
        }
    }
    sentences.extend(other_usages(&page.decision.usages));
    let missed = explain::not_seen(&page.decision, "The robot");
    sentences.extend(missed.map(|missed| format!("{missed}.")));
    sentences.extend(page.decision.applications.iter().map(application));
    for request in page.decision.action_requests {
        sentences.push(format!(
            "The site asks to {} {} (line {}; to be confirmed by other means).",
            request.action.name(),
            shown_text(request.path.as_bytes()),
            request.place.line
        ));
    }
    for url in &page.decision.needs {
        sentences.push(format!("{} must be read first.", shown_url(url)));
    }
    sentences.join(" ")
}

/// Findings about the URL of a decision, such as that web clients send another one, and about
/// licences that are not read as they were meant.
#[must_use]
pub fn findings<'p>(policy: &'p Policy, decision: &Decision<'p>) -> Vec<String> {
    let found = policy.diagnostics_of(decision);
    let shown = found.iter().filter(|finding| {
        matches!(
            finding.code,
            Code::UrlNotAsSent | Code::LicenceNotRsl | Code::RslOldWord | Code::RslUnknownElement
        )
    });
    shown
        .map(|finding| {
            let message = &finding.message;
            let is_url = message.starts_with("http");
            let sentence = if is_url {
                message.clone().into_owned()
            } else {
                capital(message)
            };
            format!("{sentence} [{}]", finding.code)
        })
        .collect()
}

/// Whether the page may be fetched, and by which rule.
fn crawl(said: &UsageDecision<'_>, url: &str) -> String {
    let Some((first, others)) = said.evidence.split_first() else {
        return format!("No line is about {url}.");
    };
    let others: &[_] = &others.collect::<Vec<_>>();
    let sense = sense(said.outcome);
    let by = place(first);
    let sentences = match first.reason {
        Reason::OnlyMatch if first.bytes.is_some() => {
            format!(
                "{url} is {sense} by {by}, the only rule that matches ({}).",
                bytes(first)
            )
        }
        Reason::MostBytes => format!("{url} is {sense} by {by}{}.", longer_than(first, others)),
        Reason::AllowWinsTie => format!(
            "{url} is {sense} by {by}: {} has the same length ({}), and then Allow wins.",
            lines(&with_reason(others, Reason::LostTieToAllow)),
            bytes(first)
        ),
        Reason::NoRuleMatches => {
            format!("No rule of the group matches {url}, so it is allowed.")
        }
        Reason::NoGroup => format!("So {url} is allowed."),
        _ => format!("Crawling {url}: {}.", sentence(said)),
    };
    let elsewhere = match with_reason(others, Reason::OtherGroup).as_slice() {
        [] => return sentences,
        [only] => {
            format!("Line {only} also matches, in a group that does not apply to this robot.")
        }
        several => format!(
            "{} also match, in groups that do not apply to this robot.",
            capital(&lines(several))
        ),
    };
    format!("{sentences} {elsewhere}")
}

/// By how much the deciding rule is longer than those that lost.
fn longer_than(first: &Evidence<'_>, others: &[&Evidence<'_>]) -> String {
    let mut shorter: Vec<&Evidence<'_>> = others
        .iter()
        .copied()
        .filter(|other| other.reason == Reason::FewerBytes)
        .collect();
    shorter.sort_by_key(|other| std::cmp::Reverse(other.bytes));
    let own = bytes(first);
    match shorter.as_slice() {
        [] => format!(
            " ({own}); {} says the same",
            lines(&with_reason(others, Reason::EqualBytes))
        ),
        [only] => format!(
            ", longer ({own}) than {} ({})",
            place(only),
            only.bytes.unwrap_or_default()
        ),
        [longest, ..] => format!(
            ", longer ({own}) than the {} others that match; the next is {} ({})",
            shorter.len(),
            place(longest),
            longest.bytes.unwrap_or_default()
        ),
    }
}

/// The answers for all usages except crawl, with equal answers together.
fn other_usages(usages: &Usages<'_>) -> Vec<String> {
    let mut sentences: Vec<(String, Vec<&str>)> = Vec::new();
    for said in usages {
        // Preferences have sentences of their own.
        let is_preference = Usage::PREFERENCES.contains(&said.usage);
        if said.usage == Usage::Crawl || is_preference || said.outcome == Outcome::Unspecified {
            continue;
        }
        let sentence = sentence(said);
        match sentences.iter_mut().find(|(known, _)| *known == sentence) {
            Some((_, names)) => names.push(said.usage.name()),
            None => sentences.push((sentence, vec![said.usage.name()])),
        }
    }
    sentences
        .into_iter()
        .map(|(sentence, names)| format!("{}: {sentence}.", capital(&names.join(", "))))
        .collect()
}

/// `disallowed by line 9: the only field that matches`.
fn sentence(said: &UsageDecision<'_>) -> String {
    let conditions =
        explain::conditions(said).map_or_else(String::new, |sentences| format!(" ({sentences})"));
    let outcome = said.outcome;
    match said.evidence.first() {
        None => format!("{outcome}{conditions}"),
        Some(first) if first.place.is_none() && first.tag_place().is_none() => {
            format!("{outcome}{conditions}, because {}", explain::why(first))
        }
        Some(first) => format!(
            "{outcome}{conditions} by {}: {}",
            place(first),
            explain::why(first)
        ),
    }
}

fn application(said: &abide::app::ApplicationDecision<'_>) -> String {
    let directives: Vec<_> = said
        .directives
        .iter()
        .map(|(name, value)| visible(format!("{name}={value}").as_bytes()))
        .collect();
    let id = visible(said.id.as_bytes());
    let by: Vec<u32> = said
        .rules
        .iter()
        .filter(|rule| rule.applies)
        .map(|rule| rule.place.line)
        .collect();
    let notes = said.notes.iter();
    let notes = notes.map(|note| format!(" {}.", cut(&explain::directive_note(note))));
    let notes: String = notes.collect();
    let preferences = said.preferences.iter().filter_map(|preference| {
        let because = explain::by_directives(said, preference)?;
        let (usage, outcome) = (preference.usage, preference.outcome);
        Some(format!(" {usage}: {outcome} for {id}; {}.", cut(&because)))
    });
    let preferences: String = preferences.collect();
    if directives.is_empty() {
        return format!("No directives for {id}.{notes}{preferences}");
    }
    format!(
        "Directives for {id}: {} ({}).{notes}{preferences}",
        cut(&directives.join(", ")),
        lines(&by)
    )
}

/// The place of evidence: `line 9`, `the tag "*;noindex"`, `/searchbot.txt, line 3`.
pub(super) fn place(evidence: &Evidence<'_>) -> String {
    let statement = || shown_text(evidence.statement);
    match (evidence.place, evidence.locator()) {
        (place, Some(url)) if evidence.source == Source::Rsl => {
            let url = shown_url(url);
            match place {
                Some(place) => format!("the licence document {url} (line {})", place.line),
                None => format!("the licence document {url}"),
            }
        }
        (Some(place), Some(locator)) => {
            format!("{}, line {}", shown_text(locator.as_bytes()), place.line)
        }
        (Some(place), None) if evidence.source == Source::Acap => {
            format!("the ACAP field on line {}", place.line)
        }
        (Some(place), None) => format!("line {}", place.line),
        (None, _) => format!("the {} {}", evidence.source.name(), statement()),
    }
}

fn bytes(evidence: &Evidence<'_>) -> String {
    counted(evidence.bytes.unwrap_or_default().into(), "byte")
}

fn with_reason(evidence: &[&Evidence<'_>], reason: Reason) -> Vec<u32> {
    let found = evidence.iter().filter(|one| one.reason == reason);
    found.filter_map(|one| Some(one.place?.line)).collect()
}

const fn sense(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Permitted => "allowed",
        Outcome::Prohibited => "disallowed",
        other => other.name(),
    }
}
