//! Step 9: what a file asks each application of the client to do, and what the site prefers for it.
//!
//! A registry says which words of AI preferences a directive covers, and what its values mean. For
//! its application, a directive overrides words of the same robots.txt that say the opposite
//! (APP-22, AMB-APP-14), and is itself a preference, of which there may be stricter ones elsewhere
//! (AMB-APP-24). No usage of the client changes.

use super::preference::{Question, note_needs_fetch};
use super::ruling::Ruling;
use crate::app::{self, ApplicationDecision, DirectiveNote, Groups, NoteKind};
use crate::pattern::normal::Forms;
use crate::policy::Policy;
use crate::policy::preference::StatedWord;
use crate::policy::reading::{ends_head, field_for};
use crate::preference::line::split_path;
use crate::preference::usage_member::written_member;
use crate::preference::{content_signal, robots_txt_words};
use crate::profile::Profile;
use crate::verdict::{
    Evidence, Outcome, Place, Provenance, Reason, Role, Sense, SharedEvidence, Source,
    SourceDetails, Usage, UsageDecision, Vocabulary,
};

/// The directives for every application of the client.
pub(super) struct Applications<'p> {
    pub(super) decisions: Vec<ApplicationDecision<'p>>,
    /// By application, the directives that are about AI preferences.
    stating: Vec<Vec<StatingDirective<'p>>>,
    /// What words of robots.txt state about the path, if a directive is about any.
    words: Vec<StatedWord>,
}

/// A directive that a registry says to be about words of AI preferences.
struct StatingDirective<'p> {
    name: &'p str,
    words: &'p [String],
    /// What its value means for them, if that is known.
    meant: Option<Sense>,
    place: Place,
}

impl StatingDirective<'_> {
    fn covers(&self, word: &str) -> bool {
        self.words.iter().any(|own| own == word)
    }

    fn is_about(&self, usage: Usage) -> bool {
        robots_txt_words().any(|(word, about)| about == usage && self.covers(word))
    }

    /// Whether it says the opposite of a word.
    fn overrides(&self, stated: &StatedWord) -> bool {
        let opposite = |meant| meant != stated.preference.sense();
        self.covers(stated.word) && self.meant.is_some_and(opposite)
    }
}

impl<'p> Applications<'p> {
    /// The google profile has no directives (CLA-16), and neither has a file that was not read
    /// (AMB-APP-23).
    pub(super) fn new(
        policy: &'p Policy,
        requested: &[u8],
        path: &Forms<'_>,
        crawl: Outcome,
    ) -> Self {
        let client = policy.client();
        let applications = client.applications();
        let mut all = Self {
            decisions: Vec::new(),
            stating: Vec::new(),
            words: Vec::new(),
        };
        // For nobody, no line has to be read.
        if client.profile() == Profile::Google || applications.is_empty() {
            return all;
        }
        all.decisions = if policy.asks_applications() {
            let registry = client.registry();
            let groups = directive_groups(policy);
            app::select(policy.text(), &groups, requested, applications, registry)
        } else {
            let silent = applications.iter().map(ApplicationDecision::silent);
            silent.collect()
        };
        let decisions = all.decisions.iter();
        all.stating = decisions
            .map(|decision| stating(policy, decision))
            .collect();
        if all.stating.iter().any(|stating| !stating.is_empty()) {
            all.words = policy.stated_words(path);
        }
        for (decision, stating) in all.decisions.iter_mut().zip(&all.stating) {
            decision.crawl_disallowed = crawl == Outcome::Prohibited;
            decision
                .notes
                .retain_mut(|note| settle(note, stating, &all.words));
        }
        all
    }

    /// Adds what the site prefers for each application. `of_client` is what it prefers for the
    /// client, and `without_words` what all else says than words of robots.txt.
    pub(super) fn add_preferences(
        &mut self,
        question: &Question<'p, '_>,
        of_client: &[UsageDecision<'p>],
        without_words: impl FnOnce() -> [Ruling<'p>; 3],
        shared: &mut SharedEvidence<'p>,
    ) {
        if self.decisions.is_empty() {
            return;
        }
        let has_directives = self.stating.iter().any(|stating| !stating.is_empty());
        let beside = has_directives.then(without_words);
        let beside = beside.map(|rulings| rulings.map(Ruling::into_deciding));
        for (decision, stating) in self.decisions.iter_mut().zip(&self.stating) {
            let usages = Usage::OF_PREFERENCES.into_iter().enumerate();
            let preferences = usages.map(|(at, usage)| {
                let own = stating.iter().filter(|directive| directive.is_about(usage));
                let own: Vec<_> = own.collect();
                let beside = beside.as_ref().and_then(|rulings| rulings.get(at));
                let mut ruling = match (beside, of_client.get(at)) {
                    (Some(beside), _) if !own.is_empty() => {
                        let words = self.words.iter().filter(|stated| stated.usage == usage);
                        joined(question, &own, words, beside.clone())
                    }
                    (_, Some(of_client)) => Ruling::deciding(of_client),
                    (_, None) => Ruling::empty(),
                };
                if question.is_closed {
                    ruling.evidence.iter_mut().for_each(note_needs_fetch);
                }
                UsageDecision::new(usage, ruling, shared)
            });
            decision.preferences = preferences.collect();
        }
    }
}

/// The directives of an application that are about AI preferences.
fn stating<'p>(
    policy: &'p Policy,
    decision: &ApplicationDecision<'p>,
) -> Vec<StatingDirective<'p>> {
    let registry = policy.client().registry();
    let Some(entry) = registry.and_then(|all| all.get(decision.id)) else {
        return Vec::new();
    };
    let notes = decision.notes.iter();
    let notes = notes.filter(|note| matches!(note.kind, NoteKind::Overrides(_)));
    let stating = notes.filter_map(|note| {
        let (name, known) = entry.directives.get_key_value(&note.name)?;
        let value = decision.directives.get(name)?;
        Some(StatingDirective {
            name,
            words: &known.overrides,
            meant: known.meaning_of(value),
            place: note.place,
        })
    });
    stating.collect()
}

/// Whether a note is true of what the file states: only that can be overridden, and only by its
/// opposite. Of a value of unknown meaning the note says that it may (APP-22, AMB-APP-14).
fn settle(
    note: &mut DirectiveNote,
    stating: &[StatingDirective<'_>],
    stated: &[StatedWord],
) -> bool {
    let NoteKind::Overrides(words) = &mut note.kind else {
        return true;
    };
    let Some(own) = stating.iter().find(|own| own.name == note.name) else {
        return false;
    };
    let mut usages = Vec::new();
    words.retain(|word| {
        let all = stated.iter().filter(|stated| stated.word == word);
        let mut covered = all.filter(|stated| own.meant.is_none() || own.overrides(stated));
        let covered = covered.next();
        usages.extend(covered.map(|stated| stated.usage));
        covered.is_some()
    });
    note.usages = usages;
    let is_covered = !words.is_empty();
    if own.meant.is_none() {
        note.kind = NoteKind::MayOverride(std::mem::take(words));
    }
    is_covered
}

/// What the site prefers about one usage for an application that has directives about it: these,
/// the words of robots.txt that they do not override, and what is said `beside` them; the strictest
/// decides.
fn joined<'p, 's>(
    question: &Question<'p, '_>,
    own: &[&StatingDirective<'p>],
    words: impl Iterator<Item = &'s StatedWord>,
    beside: Ruling<'p>,
) -> Ruling<'p> {
    let mut ruling = Ruling::empty();
    let mut without_effect = Vec::new();
    for directive in own {
        let evidence = of_directive(question, directive);
        match directive.meant {
            None => {
                without_effect.push(evidence.in_part(Role::Void, Reason::MeaningUnknown));
            }
            Some(sense) => {
                let outcome = match sense {
                    Sense::Allow => Outcome::Permitted,
                    Sense::Disallow => Outcome::Prohibited,
                };
                ruling = ruling.meet_preference(Ruling::new(outcome, vec![evidence]));
            }
        }
    }
    for stated in words {
        let evidence = of_word(question, stated);
        if own.iter().any(|directive| directive.overrides(stated)) {
            let overridden = evidence.in_part(Role::Overridden, Reason::DirectiveOverrides);
            without_effect.push(overridden);
        } else {
            let outcome = stated.preference.outcome();
            ruling = ruling.meet_preference(Ruling::new(outcome, vec![evidence]));
        }
    }
    ruling = ruling.meet_preference(beside);
    ruling.evidence.extend(without_effect);
    ruling.sort_evidence();
    ruling
}

/// The line that states a directive.
fn of_directive<'p>(question: &Question<'p, '_>, directive: &StatingDirective<'p>) -> Evidence<'p> {
    let place = question.policy.statement_place(directive.place.line);
    let line = Provenance {
        place: Some(place),
        statement: place.span.of(question.policy.text().as_bytes()),
        ..Provenance::of(Source::AppDirectives)
    };
    let details = SourceDetails {
        rule: Some(directive.name),
        ..SourceDetails::default()
    };
    Evidence::new(line.with_details(details), Role::Decided, Reason::SaysSo)
}

/// The line that states a word.
fn of_word<'p>(question: &Question<'p, '_>, stated: &StatedWord) -> Evidence<'p> {
    let (_, statement) = split_path(question.policy.value_of(stated.place.line));
    let (source, rule) = match stated.vocabulary {
        Vocabulary::ContentSignal => (
            Source::ContentSignal,
            content_signal::written(statement, stated.usage, stated.preference),
        ),
        _ => (Source::ContentUsage, written_member(statement, stated.word)),
    };
    let line = question.line(stated.vocabulary, source, stated.place, stated.bytes);
    let details = SourceDetails {
        rule,
        ..SourceDetails::default()
    };
    Evidence::new(line.with_details(details), Role::Decided, Reason::SaysSo)
}

/// The groups of a file that count for applications, as the client reads them.
fn directive_groups(policy: &Policy) -> Groups {
    let (client, text) = (policy.client(), policy.text());
    let readings = client.chosen_readings();
    Groups::read_as(text, readings, |field| {
        let field = field_for(client, field, text.as_bytes());
        (field, ends_head(readings, &field, text.as_bytes()))
    })
}
