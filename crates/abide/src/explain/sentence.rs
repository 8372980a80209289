//! A few words for each outcome and each piece of evidence.

use super::condition;
use crate::app::{ApplicationDecision, DirectiveNote, NoteKind};
use crate::decide::Decision;
use crate::tag::TagPlace;
use crate::verdict::{
    Evidence, Note, Outcome, Reason, Role, SelectedBy, Selection, Source, Usage, UsageDecision,
};
use crate::visible::visible;
use std::collections::BTreeSet;

/// Returns the outcome for a usage, with the reason if no line decided: `crawl: disallowed`,
/// `preserve: conditional`, `crawl: allowed, because robots.txt is unavailable (HTTP status 404)`.
#[must_use]
pub fn outcome(decision: &UsageDecision<'_>) -> String {
    let fact = decision
        .evidence
        .first()
        .filter(|decided| !has_statement(decided));
    match fact {
        Some(fact) => format!(
            "{}: {}, because {}",
            decision.usage,
            decision.outcome,
            why(fact)
        ),
        None => format!("{}: {}", decision.usage, decision.outcome),
    }
}

/// Returns the conditions of a usage in words, with their lines: `may be kept until it is crawled
/// again: line 41`. `None` if there are none.
#[must_use]
pub fn conditions(decision: &UsageDecision<'_>) -> Option<String> {
    let all: Vec<_> = decision.conditions.iter().map(condition::words).collect();
    let all = joined(&all, ", and ")?;
    let permitted = condition::permitted(decision.usage);
    Some(format!("{permitted} {all}{}", lines(decision)))
}

/// `A`, `A and B`, `A, B and C`, in which `and` is before the last. `None` of none.
fn joined(texts: &[String], and: &str) -> Option<String> {
    let (last, others) = texts.split_last()?;
    Some(match others {
        [] => last.clone(),
        others => format!("{}{and}{last}", others.join(", ")),
    })
}

/// Returns a note of the registry in words, with the address to read on: `boxes is deprecated
/// (https://search.example/boxes)`.
#[must_use]
pub fn directive_note(note: &DirectiveNote) -> String {
    let what = match &note.kind {
        NoteKind::Unregistered => "is not registered".to_owned(),
        NoteKind::Deprecated => "is deprecated".to_owned(),
        NoteKind::TypeMismatch => "has a value of another type, so it does not apply".to_owned(),
        NoteKind::Overrides(words) => format!("overrides the preference {}", words.join(", ")),
        NoteKind::MayOverride(words) => format!("may override the preference {}", words.join(", ")),
    };
    let address = note
        .documentation
        .as_ref()
        .map_or_else(String::new, |address| {
            format!(" ({})", visible(address.as_bytes()))
        });
    format!("{} {what}{address}", visible(note.name.as_bytes()))
}

/// What `who` misses that may not fetch the page: `Googlebot may not fetch this page, so it never
/// sees its noindex; the URL can still be indexed` (CLA-24). `None` if it misses nothing.
#[must_use]
pub fn not_seen(decision: &Decision<'_>, who: &str) -> Option<String> {
    let each = decision
        .usages
        .iter()
        .flat_map(|usage_decision| &usage_decision.evidence);
    let missed = each.filter(|one| one.is_not_seen());
    let rules: BTreeSet<&str> = missed.filter_map(|one| one.rule()).collect();
    let rules: Vec<_> = rules.iter().map(|rule| visible(rule.as_bytes())).collect();
    let rules = joined(&rules, " and ")?;
    let still = if decision.hides_noindex() && decision.outcome(Usage::Index) != Outcome::Prohibited
    {
        "; the URL can still be indexed"
    } else {
        ""
    };
    Some(format!(
        "{who} may not fetch this page, so it never sees its {rules}{still}"
    ))
}

/// Whether evidence is a statement of the site, not a fact about the fetch.
pub(super) fn has_statement(evidence: &Evidence<'_>) -> bool {
    let default = evidence.source == Source::Default || evidence.source == Source::Fetch;
    let is_in_response = evidence.tag_place().is_some() || evidence.field_line().is_some();
    is_in_response || evidence.member().is_some() || (evidence.place.is_some() && !default)
}

/// The lines of robots.txt that conditions come from, if they come from nothing else: `: line 41`.
fn lines(decision: &UsageDecision<'_>) -> String {
    let counts = |one: &&Evidence<'_>| {
        one.role == Role::Decided
            || (one.role == Role::Agreed && one.tag_place().is_some())
            || one.reason == Reason::AppliesToo
    };
    let deciding = decision.evidence.iter().filter(counts);
    let lines: Option<Vec<_>> = deciding
        .map(|one| match (one.source, one.place) {
            (Source::Acap, Some(place)) => Some(place.line.to_string()),
            _ => None,
        })
        .collect();
    match lines.as_deref() {
        None | Some([]) => String::new(),
        Some([only]) => format!(": line {only}"),
        Some(several) => format!(": lines {}", several.join(", ")),
    }
}

/// Returns why evidence decided, agreed or lost.
#[must_use]
pub fn why(evidence: &Evidence<'_>) -> String {
    let bytes = evidence
        .bytes
        .map_or_else(String::new, |bytes| match bytes {
            1 => " (1 byte)".to_owned(),
            _ => format!(" ({bytes} bytes)"),
        });
    let cause = evidence.cause.map(|cause| format!(" ({cause})"));
    let cause = cause.unwrap_or_default();
    match evidence.reason {
        Reason::OnlyMatch if evidence.bytes.is_none() => "the only field that matches".to_owned(),
        Reason::OnlyMatch => format!("the only rule that matches{bytes}"),
        Reason::MostBytes => {
            format!("longest matching rule{bytes}")
        }
        Reason::EqualBytes => format!("same length, but later in the file{bytes}"),
        Reason::AllowWinsTie => format!("Allow wins over a Disallow of the same length{bytes}"),
        Reason::LostTieToAllow => format!("same length, and then Allow wins{bytes}"),
        Reason::FewerBytes => format!("shorter match{bytes}"),
        Reason::OtherGroup => "in a group that does not apply to this robot".to_owned(),
        Reason::NoRuleMatches => "no rule of the group matches".to_owned(),
        Reason::NoGroup => "no group applies to this robot".to_owned(),
        Reason::StricterWins if evidence.rule().is_none() || is_stated(evidence.source) => {
            "something stricter applies".to_owned()
        }
        Reason::TagRule | Reason::StricterWins => tag_rule(evidence),
        Reason::TagExpired => format!("{}; its date has passed", tag_rule(evidence)),
        Reason::TagUnreadable => format!("{}; its value cannot be read", tag_rule(evidence)),
        _ if evidence.is_not_seen() => {
            let rule = tag_rule(evidence);
            format!("crawling is disallowed, so it is never seen; {rule}")
        }
        Reason::RobotsTxtItself => "/robots.txt itself may always be fetched".to_owned(),
        Reason::Unavailable => format!("robots.txt is unavailable{cause}"),
        Reason::Unreachable => format!("robots.txt is unreachable{cause}"),
        Reason::RobotsTxtNotKnown => "robots.txt was not read".to_owned(),
        Reason::ReferenceUnreachable => {
            format!("the permissions that it refers to are unreachable{cause}")
        }
        Reason::SaysSo if evidence.source == Source::ControlToken => {
            let by_star = evidence.notes().contains(&Note::ByStar);
            let whose = if by_star {
                ", in a group for all robots"
            } else {
                ""
            };
            format!("the rule for the control token{whose}{bytes}")
        }
        Reason::SaysSo if evidence.bytes.is_some() => {
            format!("the longest path that matches{bytes}")
        }
        Reason::OlderWord => format!(
            "{} is a word of an earlier revision, which does not count",
            visible(evidence.rule().unwrap_or_default().as_bytes())
        ),
        other if evidence.vocabulary.is_some() || is_stated(evidence.source) => {
            preference(other).to_owned()
        }
        other => acap(other).to_owned(),
    }
}

/// Whether it is a line of robots.txt that states a preference about AI.
const fn is_stated(source: Source) -> bool {
    matches!(
        source,
        Source::ContentUsage | Source::ContentSignal | Source::AppDirectives
    )
}

/// The reason of a preference about AI.
const fn preference(reason: Reason) -> &'static str {
    match reason {
        Reason::SaysSo => "it applies to this page",
        Reason::SaysTheSame => "says the same",
        Reason::CrawlProhibited => "the path may not be crawled, so it has no effect",
        Reason::Unparsable => "it cannot be read, so it says nothing",
        Reason::Superseded => "a later place replaces it",
        Reason::NotListed => "the licence lists what it permits, and not this",
        Reason::LicenceUnreadable => {
            "the licence cannot be read and therefore counts as unlicensed"
        }
        Reason::LicenceNotKnown => "the licence was not read",
        Reason::TdmrepNotKnown => "tdmrep.json was not read",
        Reason::TdmrepTooLarge => {
            "tdmrep.json is too long to be read and therefore counts as a reservation"
        }
        Reason::OutsideGroup => "before the first User-agent line, so it has no effect",
        Reason::FieldPermitsNothing => "a response field can only disallow",
        Reason::UseExceeded => "it limits use to less than is intended",
        Reason::DirectiveOverrides => "a directive for the application says the opposite",
        Reason::MeaningUnknown => "the registry does not say what its value means",
        _ => "",
    }
}

/// Returns where a piece of evidence is: `line 3`, `field line 1`, `rule 2 of tdmrep.json`. Empty
/// for a fact.
#[must_use]
pub fn place(evidence: &Evidence<'_>) -> String {
    let document = evidence.locator();
    let of = document.map_or_else(String::new, |url| {
        format!(" of {}", visible(url.as_bytes()))
    });
    match (evidence.member(), evidence.place, evidence.field_line()) {
        (Some(number), ..) if evidence.source == Source::Tdmrep => {
            format!("rule {number} of tdmrep.json")
        }
        (Some(number), ..) => format!("content {number}{of}"),
        (None, Some(place), _) => format!("line {}", place.line),
        (None, None, Some(line)) => format!("field line {line}"),
        (None, None, None) => match evidence.tag_place() {
            Some(TagPlace::Element { offset: at }) => format!("byte {at} of the page"),
            Some(TagPlace::Field { line, member }) => format!("field line {line}, member {member}"),
            None => String::new(),
        },
    }
}

/// Returns how the directives of an application bear on a preference for it, with every statement
/// and its line: `train=?1 on line 4 overrides train-ai=n on line 3`. `None` if no directive is
/// about the usage.
#[must_use]
pub fn by_directives(
    application: &ApplicationDecision<'_>,
    preference: &UsageDecision<'_>,
) -> Option<String> {
    let evidence = || preference.evidence.iter();
    let is_directive = |one: &Evidence<'_>| one.source == Source::AppDirectives;
    evidence().find(|one| is_directive(one))?;
    let shown = |one: &Evidence<'_>| statement(application, one);
    let list = |part: &dyn Fn(&Evidence<'_>) -> bool| {
        let own: Vec<_> = evidence().filter(|one| part(one)).map(shown).collect();
        (!own.is_empty()).then(|| own.join(" and "))
    };
    let replaced = list(&|one| one.reason == Reason::DirectiveOverrides);
    let weaker = list(&|one| is_directive(one) && one.reason == Reason::StricterWins);
    let agreed = list(&|one| one.role == Role::Agreed);
    let unclear = list(&|one| one.reason == Reason::MeaningUnknown);
    let decided = evidence().next().filter(|one| one.role == Role::Decided);
    let mut clauses = Vec::new();
    if let Some(decided) = decided {
        let overrides = replaced
            .as_ref()
            .filter(|_| is_overriding(application, decided));
        let verbs = [
            agreed.map(|same| format!("says the same as {same}")),
            overrides.map(|replaced| format!("overrides {replaced}")),
            weaker
                .as_ref()
                .map(|weaker| format!("is stricter than {weaker}")),
        ];
        let verbs: Vec<_> = verbs.into_iter().flatten().collect();
        clauses.push(format!("{} {}", shown(decided), verbs.join(" and ")));
    }
    if decided.is_none_or(|decided| !is_overriding(application, decided))
        && let Some((weaker, replaced)) = weaker.zip(replaced)
    {
        clauses.push(format!("{weaker} overrides only {replaced}"));
    }
    clauses
        .extend(unclear.map(|unclear| format!("the registry does not say what {unclear} means")));
    let clauses: Vec<_> = clauses.iter().map(|clause| clause.trim_end()).collect();
    Some(clauses.join("; "))
}

/// Whether it is a directive that says the opposite of a word.
fn is_overriding(application: &ApplicationDecision<'_>, evidence: &Evidence<'_>) -> bool {
    let name = evidence.rule();
    let name = name.filter(|_| evidence.source == Source::AppDirectives);
    let mut notes = application.notes.iter();
    name.is_some_and(|name| {
        notes.any(|note| note.name == name && matches!(note.kind, NoteKind::Overrides(_)))
    })
}

/// A statement with its place: `train=?1 on line 4`.
fn statement(application: &ApplicationDecision<'_>, evidence: &Evidence<'_>) -> String {
    let text = match evidence.rule() {
        Some(name) if evidence.source == Source::AppDirectives => {
            let value = application.directives.get(name);
            value.map_or_else(|| name.to_owned(), |value| format!("{name}={value}"))
        }
        Some(word) if is_stated(evidence.source) => word.to_owned(),
        _ => String::from_utf8_lossy(evidence.statement).into_owned(),
    };
    let text = visible(text.as_bytes());
    match (text.is_empty(), place(evidence)) {
        (true, _) => why(evidence),
        (false, place) if place.is_empty() => text,
        (false, place) => format!("{text} on {place}"),
    }
}

/// The reason of an ACAP field, or of a rule beside it.
const fn acap(reason: Reason) -> &'static str {
    match reason {
        Reason::NarrowestScope => "of the fields that match, the one with the narrowest scope",
        Reason::WiderScope => "wider scope",
        Reason::NoNarrowerPermission => "no permission that matches has a narrower scope",
        Reason::NotNarrower => "not narrower than every prohibition that matches",
        Reason::SaysTheSame => "says the same",
        Reason::AppliesToo => "same scope: its qualifiers also apply",
        Reason::NamedOverAny => "a field for the crawler's name applies instead",
        Reason::ByOther => "it covers every usage that no other field is about",
        Reason::QualifierInvalid => "its qualifiers are invalid, so it permits nothing",
        Reason::QualifierUnsupported => "the crawler cannot honour one of its qualifiers",
        Reason::NoPriorArrangement => "one of its qualifiers needs a prior arrangement",
        Reason::QualifierNotReady => "one of its qualifiers is not ready for use in ACAP 1.0",
        Reason::TimeLimitPassed => "its time limit has passed",
        Reason::NothingLeft => "its limit leaves nothing",
        Reason::NotHtml => "the element that it names needs an HTML page, and this is not one",
        Reason::SubstituteNotCrawlable => "the resource to use instead may not be fetched",
        Reason::AcapTruncated => "ACAP records were cut off, so what they say is not known",
        Reason::ReferenceNotKnown => "the permissions that it refers to were not read",
        Reason::AcapSamePattern => "an ACAP field with the same pattern applies instead",
        Reason::ConventionalIgnored => "the file asks to ignore conventional records",
        Reason::PreserveProhibited => "no copy may be kept to present",
        Reason::PreserveUntilRecrawled => "copies may only be kept until the next crawl",
        Reason::OlderVersion => "the permission ended when the resource was crawled again",
        _ => "",
    }
}

/// The rule and its place: `rule noindex, field line 1, member 2`.
fn tag_rule(evidence: &Evidence<'_>) -> String {
    let rule = visible(evidence.rule().unwrap_or_default().as_bytes());
    match (evidence.source, evidence.tag_place()) {
        (Source::Meta, Some(TagPlace::Element { offset: at })) => {
            format!("rule {rule}, byte {at} of the page's source")
        }
        (Source::RenderedMeta, Some(TagPlace::Element { offset: at })) => {
            format!("rule {rule}, byte {at} of the rendered page")
        }
        (_, Some(TagPlace::Field { line, member })) => {
            format!("rule {rule}, field line {line}, member {member}")
        }
        _ => format!("rule {rule}"),
    }
}

/// How a group was selected, if its line does not show it.
pub(super) fn group(selection: &Selection<'_>) -> Option<String> {
    match &selection.by {
        SelectedBy::ProductToken(token) => Some(format!(
            "matched by the product token {}",
            visible(token.as_bytes())
        )),
        SelectedBy::Purpose(token) => Some(format!(
            "matched by the purpose {}",
            visible(token.as_bytes())
        )),
        SelectedBy::CrawlerName(name) => Some(format!(
            "matched by the crawler name {}",
            visible(name.as_bytes())
        )),
        SelectedBy::AnyCrawler => None,
    }
}
