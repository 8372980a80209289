//! TDMRep: the file, replaced by response fields, replaced by meta elements (PREF-67 to PREF-85).

use super::super::ruling::Ruling;
use super::{Question, VocabularyRuling, of_field};
use crate::preference::page::PreferenceField;
use crate::preference::tdmrep::{self, TdmrepFile};
use crate::preference::{Documents, TdmrepState};
use crate::tag::TagPlace;
use crate::verdict::{
    Evidence, Outcome, Provenance, Reason, Role, Source, SourceDetails, Usage, Vocabulary,
};
use std::borrow::Cow;

const VOCABULARY: Vocabulary = Vocabulary::Tdmrep;
/// A reservation is about these usages, and says nothing about search (AMB-PREF-17).
const USAGES: [Usage; 2] = [Usage::Train, Usage::AiInput];

/// What one place says.
#[derive(Debug)]
struct InPlace<'p> {
    /// What it says about the usages, if it has a valid reservation or makes it unknown.
    outcome: Option<Outcome>,
    policy: Option<Cow<'p, str>>,
    evidence: Vec<Evidence<'p>>,
}

/// The answer of the vocabulary.
pub(super) fn answer<'p>(question: &Question<'p, '_>) -> VocabularyRuling<'p> {
    let mut answer = VocabularyRuling::default();
    let mut ruling = Ruling::default();
    let mut policy = None;
    for place in places(question) {
        policy = place.policy.or(policy);
        let Some(outcome) = place.outcome else {
            ruling.evidence.extend(place.evidence);
            continue;
        };
        // A later place replaces an earlier one, whichever is stricter (PREF-77).
        let replaced = std::mem::take(&mut ruling.evidence)
            .into_iter()
            .map(superseded);
        ruling.outcome = outcome;
        ruling.evidence = place.evidence.into_iter().chain(replaced).collect();
    }
    let reserved = match ruling.outcome {
        Outcome::Prohibited => Some("1"),
        Outcome::Permitted => Some("0"),
        _ => None,
    };
    let is_said = ruling
        .evidence
        .first()
        .is_some_and(|first| first.reason == Reason::SaysSo);
    if let Some(reserved) = reserved.filter(|_| is_said) {
        answer.words.push(("tdm-reservation", reserved.into()));
        if let Some(policy) = policy.filter(|_| reserved == "1") {
            answer.words.push(("tdm-policy", policy));
        }
    }
    let missing = question.target.tdmrep_url();
    let missing = missing.filter(|_| ruling.outcome == Outcome::Unknown);
    for usage in USAGES {
        if let Some(own) = answer.about(usage) {
            *own = ruling.clone();
        }
        answer.needs.extend(missing.clone().map(|url| (usage, url)));
    }
    answer
}

/// What each place says, in their order.
fn places<'p>(question: &Question<'p, '_>) -> [InPlace<'p>; 3] {
    [file(question), fields(question), metas(question)]
}

/// What each place says that has a valid reservation or makes it unknown, in their order.
pub(crate) fn outcomes(question: &Question<'_, '_>) -> Vec<Outcome> {
    let places = places(question).into_iter();
    places.filter_map(|place| place.outcome).collect()
}

fn superseded(evidence: Evidence<'_>) -> Evidence<'_> {
    match evidence.role {
        Role::Void => evidence,
        _ => evidence.in_part(Role::Overridden, Reason::Superseded),
    }
}

const fn outcome(is_reserved: bool) -> Outcome {
    if is_reserved {
        Outcome::Prohibited
    } else {
        Outcome::Permitted
    }
}

/// What `tdmrep.json` says.
fn file<'p>(question: &Question<'p, '_>) -> InPlace<'p> {
    let of_file = |outcome, reason| InPlace {
        outcome: Some(outcome),
        policy: None,
        evidence: vec![Evidence::new(
            provenance(question, None),
            Role::Decided,
            reason,
        )],
    };
    let silent = InPlace {
        outcome: None,
        policy: None,
        evidence: Vec::new(),
    };
    let not_known = || of_file(Outcome::Unknown, Reason::TdmrepNotKnown);
    match question.documents.and_then(Documents::tdmrep) {
        // Hardly any site has the file, so only who asks for it misses it (CLA-PREF-1).
        None if question.profile.names(VOCABULARY) => not_known(),
        None | Some(TdmrepState::Absent) => silent,
        Some(TdmrepState::NotKnown) => not_known(),
        Some(TdmrepState::TooLarge) => of_file(Outcome::Prohibited, Reason::TdmrepTooLarge),
        Some(TdmrepState::File(file)) => by_rule(question, file),
        // Only what it prohibited stays (CLA-PREF-15).
        Some(TdmrepState::LastKnown(file)) => match by_rule(question, file) {
            known if known.outcome == Some(Outcome::Prohibited) => known,
            _ => not_known(),
        },
    }
}

/// Where the file is, or its rule with a number.
fn provenance<'p>(question: &Question<'p, '_>, member: Option<u32>) -> Provenance<'p> {
    Provenance::of_preference(VOCABULARY, Source::Tdmrep).with_details(SourceDetails {
        locator: question.target.tdmrep_url().map(Cow::Owned),
        member,
        ..SourceDetails::default()
    })
}

/// What the first rule of the file that matches says.
fn by_rule<'p>(question: &Question<'p, '_>, file: &'p TdmrepFile) -> InPlace<'p> {
    let matching = file.matching(question.path);
    let evidence = matching.filter(|(_, rule)| rule.reservation.is_some());
    let evidence = evidence.map(|(number, rule)| {
        let rule = Provenance {
            statement: rule.text.as_bytes(),
            ..provenance(question, Some(number))
        };
        Evidence::new(rule, Role::Decided, Reason::SaysSo)
    });
    InPlace {
        outcome: matching.and_then(|(_, rule)| rule.reservation.map(outcome)),
        policy: matching.and_then(|(_, rule)| rule.policy.as_deref().map(Cow::Borrowed)),
        evidence: evidence.into_iter().collect(),
    }
}

/// What the response fields say.
fn fields<'p>(question: &Question<'p, '_>) -> InPlace<'p> {
    let lines = |field| {
        question
            .page
            .into_iter()
            .flat_map(move |page| page.lines(field))
    };
    let reservations = lines(PreferenceField::TdmReservation).filter_map(|line| {
        let is_reserved = tdmrep::reservation(&line.value)?;
        let (role, reason) = (Role::Decided, Reason::SaysSo);
        let evidence = of_field(VOCABULARY, Source::TdmField, line, role, reason);
        Some((is_reserved, evidence))
    });
    let policy = lines(PreferenceField::TdmPolicy)
        .find_map(|line| tdmrep::policy(&line.value).map(Cow::Owned));
    in_one_place(reservations.collect(), policy)
}

/// What the meta elements say.
fn metas<'p>(question: &Question<'p, '_>) -> InPlace<'p> {
    let metas = |is_policy| {
        let all = question.page.into_iter().flat_map(|page| &page.metas);
        all.filter(move |meta| meta.is_policy == is_policy)
    };
    let reservations = metas(false).filter_map(|meta| {
        let is_reserved = tdmrep::reservation(meta.content.as_bytes())?;
        let details = SourceDetails {
            tag_place: Some(TagPlace::Element {
                offset: meta.offset,
            }),
            ..SourceDetails::default()
        };
        let meta = Provenance {
            statement: meta.text.as_bytes(),
            ..Provenance::of_preference(VOCABULARY, Source::TdmMeta)
        };
        let evidence = Evidence::new(meta.with_details(details), Role::Decided, Reason::SaysSo);
        Some((is_reserved, evidence))
    });
    let policy =
        metas(true).find_map(|meta| tdmrep::policy(meta.content.as_bytes()).map(Cow::Owned));
    in_one_place(reservations.collect(), policy)
}

/// Of several values in one place, `1` wins (PREF-79).
fn in_one_place<'p>(
    reservations: Vec<(bool, Evidence<'p>)>,
    policy: Option<Cow<'p, str>>,
) -> InPlace<'p> {
    let mut ruling = Ruling::default();
    for (is_reserved, evidence) in reservations {
        ruling = ruling.meet_preference(Ruling::new(outcome(is_reserved), vec![evidence]));
    }
    InPlace {
        outcome: (!ruling.evidence.is_empty()).then_some(ruling.outcome),
        policy,
        evidence: ruling.evidence,
    }
}
