//! Findings about text and data mining: in the response, and between the places that say something.

use crate::array_windows::array_windows;
use crate::decide::preference::Question;
use crate::decide::preference::tdmrep::outcomes;
use crate::diagnostic::{Code, Diagnostic};
use crate::preference::page::PreferenceField;
use crate::preference::{Documents, TdmrepState, Vocabulary, tdmrep};
use crate::verdict::Outcome;
use crate::visible::shown;

/// The findings.
pub(super) fn findings(question: &Question<'_, '_>) -> Vec<Diagnostic> {
    let outcomes = outcomes(question);
    // Whether a place says something else than one that it replaces (PREF-77).
    let contradicts = array_windows(&outcomes).any(|[before, next]| {
        matches!(before, Outcome::Prohibited | Outcome::Permitted) && before != next
    });
    let is_reserved = outcomes.last() == Some(&Outcome::Prohibited);
    let mut found = of_documents(question);
    found.extend(values(question));
    if contradicts {
        found.push(Diagnostic::of_decision(
            Code::TdmrepSuperseded,
            "the page or its response says something else about text and data mining than \
             tdmrep.json or the response; robots follow the last of file, field and meta element",
        ));
    }
    if !is_reserved && has_policy(question) {
        found.push(Diagnostic::of_decision(
            Code::TdmPolicyWithZero,
            "robots ignore tdm-policy unless tdm-reservation is 1",
        ));
    }
    found.extend(disallowed(question));
    found
}

/// What is wrong with the text of the file.
fn of_documents(question: &Question<'_, '_>) -> Vec<Diagnostic> {
    let all = question.documents.map_or(&[][..], Documents::diagnostics);
    let own = all
        .iter()
        .filter(|found| found.code.name().starts_with("tdm"));
    own.cloned().collect()
}

/// Reservations in fields and meta elements that are neither 1 nor 0 (PREF-68).
fn values(question: &Question<'_, '_>) -> impl Iterator<Item = Diagnostic> {
    let page = question.page.into_iter();
    let lines = page.flat_map(|page| page.lines(PreferenceField::TdmReservation));
    let metas = question.page.into_iter().flat_map(|page| &page.metas);
    let metas = metas.filter(|meta| !meta.is_policy);
    let of_lines = lines.map(|line| ("the field", line.value.as_slice()));
    let of_metas = metas.map(|meta| ("the meta element", meta.content.as_bytes()));
    let values = of_lines.chain(of_metas);
    let wrong = values.filter(|(_, value)| tdmrep::reservation(value).is_none());
    wrong.map(|(place, value)| {
        let message = format!(
            "robots ignore {} in {place} tdm-reservation: write 1 or 0",
            shown(value)
        );
        Diagnostic::of_decision(Code::TdmrepValue, message)
    })
}

/// Whether a field or a meta element names a policy.
fn has_policy(question: &Question<'_, '_>) -> bool {
    question.page.is_some_and(|page| {
        let mut lines = page.lines(PreferenceField::TdmPolicy);
        let mut metas = page.metas.iter().filter(|meta| meta.is_policy);
        lines.any(|line| tdmrep::policy(&line.value).is_some())
            || metas.any(|meta| tdmrep::policy(meta.content.as_bytes()).is_some())
    })
}

/// The finding that the client may not read the file, if the site has one or may have one
/// (PREF-132).
fn disallowed(question: &Question<'_, '_>) -> Option<Diagnostic> {
    let may_be_there = match question.documents.and_then(Documents::tdmrep) {
        Some(TdmrepState::Absent) => false,
        Some(_) => true,
        None => question.profile.names(Vocabulary::Tdmrep),
    };
    if !may_be_there {
        return None;
    }
    let path = question.policy.normalise(tdmrep::PATH.as_bytes());
    let rule = question.policy.disallowing(&path)?;
    let place = question.policy.statement_place(rule.line);
    Some(Diagnostic::new(
        Code::TdmrepDisallowed,
        Some(place.line),
        place.span,
        format!(
            "robots.txt disallows {}, so robots that obey it cannot read the file; allow that path",
            tdmrep::PATH
        ),
    ))
}
