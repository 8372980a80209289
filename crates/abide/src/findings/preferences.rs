//! Findings about the AI preferences of a decision: in the response and its page, in the documents
//! beside robots.txt, and between vocabularies.

use super::{control_tokens, response, rsl, tdmrep};
use crate::decide::Preferences;
use crate::decide::preference::{Question, VocabularyRuling, ask};
use crate::decide::ruling::Ruling;
use crate::diagnostic::{Code, Diagnostic};
use crate::pattern::normal::Forms;
use crate::policy::Policy;
use crate::preference::content_signal::WORDS;
use crate::tag::Binding;
use crate::target::Target;
use crate::text::Span;
use crate::verdict::{Condition, Outcome, Place, Usage, Vocabulary};

/// The findings about a decision that has found `stated`. `path` is the one with which rules about
/// crawling were compared, and `is_closed` says whether they disallow the target.
pub(super) fn findings<'p>(
    policy: &'p Policy,
    target: &Target<'p>,
    path: &Forms<'_>,
    is_closed: bool,
    stated: &Preferences<'_>,
    tags: &Binding<'p>,
) -> Vec<Diagnostic> {
    let found = ask(policy, target, path, is_closed, |question| {
        let mut found: Vec<_> = conflict(question, stated, tags).into_iter().collect();
        found.extend(response::findings(question));
        let vocabularies = Vocabulary::ALL.iter().copied();
        for vocabulary in vocabularies.filter(|one| question.has(*one, tags)) {
            found.extend(match vocabulary {
                Vocabulary::Tdmrep => tdmrep::findings(question),
                Vocabulary::Rsl => rsl::findings(question),
                Vocabulary::ControlToken => control_tokens::findings(question),
                _ => Vec::new(),
            });
        }
        found
    });
    found.unwrap_or_default()
}

/// The finding that two vocabularies contradict each other for a usage: one prohibits what another
/// permits, with or without conditions. Only those two are asked again, for the places.
fn conflict<'p>(
    question: &Question<'p, '_>,
    stated: &Preferences<'_>,
    tags: &Binding<'p>,
) -> Option<Diagnostic> {
    Usage::OF_PREFERENCES.into_iter().find_map(|usage| {
        let which = |wanted: &'static [Outcome]| {
            let vocabularies = stated.vocabularies.iter();
            let wanted = vocabularies.filter(move |one| wanted.contains(&one.outcome(usage)));
            wanted.map(|one| one.vocabulary)
        };
        let strict = which(&[Outcome::Prohibited]).next()?;
        let mut lax = which(&[Outcome::Permitted, Outcome::Conditional]);
        let (lax, place) = lax.find_map(|lax| {
            let mut answer = question.answer(lax, tags);
            let said = std::mem::take(answer.about(usage)?);
            allows(&answer, &said, usage).then(|| (lax, place(&said)))
        })?;
        let place = place.or_else(|| place_of(question, strict, usage, tags));
        Some(Diagnostic::new(
            Code::PreferencesConflict,
            place.map(|place| place.line),
            place.map_or_else(Span::default, |place| place.span),
            format!("for {usage}, {strict} disallows what {lax} allows; the stricter counts"),
        ))
    })
}

/// The place of what a vocabulary says about a usage.
fn place_of<'p>(
    question: &Question<'p, '_>,
    vocabulary: Vocabulary,
    usage: Usage,
    tags: &Binding<'p>,
) -> Option<Place> {
    let mut answer = question.answer(vocabulary, tags);
    answer.about(usage).and_then(|said| place(said))
}

fn place(said: &Ruling<'_>) -> Option<Place> {
    said.evidence.iter().find_map(|evidence| evidence.place)
}

/// Whether a vocabulary allows a usage. The signal `use` alone does not: it says how far a robot
/// may go where something else allows the usage (PREF-53).
fn allows(answer: &VocabularyRuling<'_>, said: &Ruling<'_>, usage: Usage) -> bool {
    let is_limit = |condition: &Condition| matches!(condition, Condition::MaxUse(_));
    let mut words = WORDS.iter().filter(|(_, about)| *about == usage);
    match said.outcome {
        Outcome::Conditional if said.conditions.iter().all(is_limit) => {
            words.any(|(word, _)| answer.words.iter().any(|(stated, _)| stated == word))
        }
        Outcome::Permitted | Outcome::Conditional => true,
        _ => false,
    }
}
