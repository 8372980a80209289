//! Combines the vocabularies of AI preferences (docs/spec/preferences.md, step 7').
//!
//! Each module answers for one vocabulary. The strictest answer decides (PREF-6); of equally strict
//! ones the first in the order of [`Vocabulary::ALL`].

mod content_signal;
mod content_usage;
pub(crate) mod control_token;
mod robots_tag;
pub(crate) mod rsl;
pub(crate) mod tdmrep;

use super::acap::AcapSays;
use super::latest::Latest;
use super::ruling::Ruling;
use crate::pattern::normal::{self, Forms};
use crate::policy::Policy;
use crate::policy::preference::PreferenceSide;
use crate::preference::page::{PageStatements, StatedField};
use crate::preference::{Documents, PreferenceProfile};
use crate::profile::Profile;
use crate::rep::Access;
use crate::tag::{Binding, Response};
use crate::target::Target;
use crate::verdict::{
    Evidence, Outcome, Place, Provenance, Reason, Role, Selection, SharedEvidence, Source,
    SourceDetails, Usage, UsageDecision, Vocabulary,
};
use std::borrow::Cow;
use std::sync::Arc;

/// What the vocabularies of a decision say, each in its own words (PREF-5).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Preferences<'p> {
    /// Each vocabulary that counts, in the order of [`Vocabulary::ALL`].
    pub vocabularies: Vec<VocabularyAnswer<'p>>,
}

/// What one vocabulary says.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VocabularyAnswer<'p> {
    /// The vocabulary.
    pub vocabulary: Vocabulary,
    /// The document that defines its words, if there are several revisions of it (PREF-11).
    pub revision: Option<&'static str>,
    /// The words that it settles, with their values as written in lower case. For licences and
    /// control tokens the values are outcomes.
    pub words: Vec<(&'p str, Cow<'p, str>)>,
    /// The licence documents that bind the client.
    pub documents: Vec<LicenceDocument>,
    /// Its own outcome for each of [`Usage::PREFERENCES`].
    outcomes: [Outcome; 3],
}

impl VocabularyAnswer<'_> {
    /// Its own outcome for one of [`Usage::PREFERENCES`]; unspecified for other usages.
    #[must_use]
    pub fn outcome(&self, usage: Usage) -> Outcome {
        let found = self.outcomes().find(|(about, _)| *about == usage);
        found.map_or(Outcome::Unspecified, |(_, outcome)| outcome)
    }

    /// Its own outcome for each of [`Usage::PREFERENCES`], in that order.
    ///
    /// ```
    /// use abide::preference::PreferenceProfile;
    /// use abide::{Client, Outcome, Policy, Target, Usage};
    /// let client = Client::unnamed().with_preferences(PreferenceProfile::default());
    /// let policy = Policy::compile(b"User-agent: *\nContent-Signal: search=yes\n", &client);
    /// let decision = policy.decide(&Target::new("https://e.example/x")?);
    /// let signals = &decision.preferences.ok_or("asked")?.vocabularies[1];
    /// assert_eq!(signals.outcome(Usage::Search), Outcome::Permitted);
    /// assert!(signals.outcomes().map(|(usage, _)| usage).eq(Usage::PREFERENCES.iter().copied()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn outcomes(&self) -> impl ExactSizeIterator<Item = (Usage, Outcome)> + Clone {
        Usage::OF_PREFERENCES.into_iter().zip(self.outcomes)
    }
}

/// A licence document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct LicenceDocument {
    /// Its URL; null for a document in the page.
    pub url: Option<String>,
    /// What names it.
    pub from: LicenceSource,
    /// What is known of it.
    pub state: DocumentState,
}

/// What names a licence document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LicenceSource {
    /// A `License` line of robots.txt.
    RobotsTxt,
    /// The response field `Link`.
    Link,
    /// A `link` element of the page.
    Html,
    /// A `script` element of the page, which contains it.
    Inline,
}

crate::named!(
    LicenceSource,
    "source of a licence",
    [
        RobotsTxt = "robots.txt",
        Link = "link",
        Html = "html",
        Inline = "inline"
    ]
);

/// What is known of a licence document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DocumentState {
    /// It was read.
    Read,
    /// It cannot be had or read.
    Unreadable,
    /// The client has not asked for it.
    NotKnown,
}

crate::named!(
    DocumentState,
    "state of a document",
    [
        Read = "read",
        Unreadable = "unreadable",
        NotKnown = "not-known"
    ]
);

/// The answers for the three usages, or none if no source states any.
pub(super) struct PreferenceAnswers<'p> {
    pub(super) usages: Vec<UsageDecision<'p>>,
    pub(super) preferences: Preferences<'p>,
    /// URLs that must be fetched for a better answer.
    pub(super) needs: Vec<String>,
}

impl PreferenceAnswers<'_> {
    /// No vocabulary that counts says anything.
    fn silent(profile: &PreferenceProfile) -> Self {
        let wanted = Vocabulary::ALL
            .iter()
            .copied()
            .filter(|one| profile.asks(*one));
        let mut vocabularies = Vec::with_capacity(Vocabulary::ALL.len());
        vocabularies.extend(wanted.map(|vocabulary| VocabularyAnswer {
            vocabulary,
            revision: (vocabulary == Vocabulary::ContentUsage).then_some(profile.revision.document),
            words: Vec::new(),
            documents: Vec::new(),
            outcomes: [Outcome::Unspecified; 3],
        }));
        Self {
            usages: Vec::new(),
            preferences: Preferences { vocabularies },
            needs: Vec::new(),
        }
    }
}

/// What all vocabularies are asked about.
#[derive(Clone, Copy)]
pub(crate) struct Question<'p, 'q> {
    pub(crate) policy: &'p Policy,
    pub(crate) profile: &'p PreferenceProfile,
    pub(crate) target: &'q Target<'p>,
    /// The path in the forms in which rules about crawling are compared with it.
    crawl_path: &'q Forms<'q>,
    /// The canonical forms of the path, which are the careful ones in every profile (CLA-PREF-12).
    path: &'q Forms<'q>,
    pub(crate) page: Option<&'p PageStatements>,
    pub(crate) documents: Option<&'p Documents>,
    /// Whether the client may not crawl the target.
    pub(crate) is_closed: bool,
    /// Whether the words count that robots.txt states. For an application they are answered one by
    /// one, because directives override them.
    has_words: bool,
    selections: &'q Latest<Selection<'p>>,
}

/// What one vocabulary says about the three usages, with an input that is missing.
#[derive(Debug, Default)]
pub(crate) struct VocabularyRuling<'p> {
    pub(crate) words: Vec<(&'p str, Cow<'p, str>)>,
    usages: [Ruling<'p>; 3],
    documents: Vec<LicenceDocument>,
    /// URLs of what is missing, each with a usage that it can change.
    needs: Vec<(Usage, String)>,
}

impl<'p> VocabularyRuling<'p> {
    /// What it says about `usage`.
    pub(crate) fn about(&mut self, usage: Usage) -> Option<&mut Ruling<'p>> {
        let mut each = Usage::OF_PREFERENCES.into_iter().zip(&mut self.usages);
        each.find(|(about, _)| *about == usage)
            .map(|(_, ruling)| ruling)
    }

    /// Adds what another statement says about `usage`.
    fn add(&mut self, usage: Usage, own: Ruling<'p>) {
        if let Some(ruling) = self.about(usage) {
            *ruling = std::mem::take(ruling).meet_preference(own);
        }
    }

    /// Takes over what the vocabulary prohibited when robots.txt was last known (CLA-PREF-15).
    fn keep_prohibitions(&mut self, before: Self) {
        for (now, before) in self.usages.iter_mut().zip(before.usages) {
            if before.outcome == Outcome::Prohibited && now.outcome != Outcome::Prohibited {
                *now = before;
            }
        }
    }
}

impl<'p> Question<'p, '_> {
    /// The preferences that robots.txt states, if there is a file to read.
    pub(crate) fn side(&self) -> Option<&'p PreferenceSide> {
        match self.policy.access() {
            Access::Rules => self.policy.preferences(),
            _ => None,
        }
    }

    /// Whether the client asks about a vocabulary that may say something.
    pub(crate) fn has(&self, vocabulary: Vocabulary, tags: &Binding<'p>) -> bool {
        self.profile.asks(vocabulary) && !self.is_silent(vocabulary, tags)
    }

    /// The answer of a vocabulary. What it prohibited when robots.txt was last known counts too.
    pub(crate) fn answer(
        &self,
        vocabulary: Vocabulary,
        tags: &Binding<'p>,
    ) -> VocabularyRuling<'p> {
        let mut answer = answer(vocabulary, self, tags);
        if let Some(policy) = self.policy.last_known() {
            let before = Question { policy, ..*self };
            answer.keep_prohibitions(self::answer(vocabulary, &before, tags));
        }
        answer
    }

    /// Whether a vocabulary certainly says nothing. Most vocabularies are silent on most sites, so
    /// this costs little.
    fn is_silent(&self, vocabulary: Vocabulary, tags: &Binding<'p>) -> bool {
        if vocabulary == Vocabulary::RobotsTag {
            return tags.statements.is_empty();
        }
        let page_is_silent = self.page.is_none_or(PageStatements::is_empty);
        if self.is_robots_txt_unknown() || self.policy.last_known().is_some() || !page_is_silent {
            return false;
        }
        let side = self.side();
        match vocabulary {
            Vocabulary::ContentUsage => side.is_none_or(PreferenceSide::has_no_content_usage),
            Vocabulary::ContentSignal => side.is_none_or(PreferenceSide::has_no_content_signal),
            Vocabulary::Tdmrep => self.documents.is_none() && !self.profile.names(vocabulary),
            Vocabulary::Rsl => side.is_none_or(|side| side.licences.is_empty()),
            Vocabulary::ControlToken => self.profile.control_tokens.is_empty(),
            Vocabulary::RobotsTag => false,
        }
    }

    /// Whether robots.txt is missing from the input or out of reach, so that what it says is not
    /// known (PREF-134).
    pub(crate) fn is_robots_txt_unknown(&self) -> bool {
        matches!(
            self.policy.access(),
            Access::Unknown | Access::Unreachable(_)
        )
    }

    /// The answer of a vocabulary for the `usages` that it has words for, if robots.txt is not
    /// known.
    fn unknown(&self, vocabulary: Vocabulary, usages: &[Usage]) -> VocabularyRuling<'p> {
        let mut answer = VocabularyRuling::default();
        let robots_url = self.target.robots_url();
        for usage in usages {
            if let Some(ruling) = answer.about(*usage) {
                *ruling = robots_txt_unknown(vocabulary);
            }
            let needed = robots_url.clone().map(|url| (*usage, url));
            answer.needs.extend(needed);
        }
        answer
    }

    /// The group of the line, if it addresses the client.
    fn selected_by(&self, line: u32) -> Option<Arc<Selection<'p>>> {
        let side = self.policy.preferences();
        if side.is_some_and(|side| side.unaddressed.binary_search(&line).is_ok()) {
            return None;
        }
        let group = self.policy.group_of(line);
        group.map(|group| self.selections.shared(group))
    }

    /// What everything but the words that robots.txt states says about each usage.
    pub(super) fn without_words(&self, tags: &Binding<'p>, acap: &AcapSays<'p>) -> [Ruling<'p>; 3] {
        let question = Question {
            has_words: false,
            ..*self
        };
        let mut rulings = [const { Ruling::empty() }; 3];
        for vocabulary in Vocabulary::ALL {
            if question.has(*vocabulary, tags) {
                let answer = question.answer(*vocabulary, tags);
                meet_each(&mut rulings, answer.usages);
            }
        }
        meet_each(
            &mut rulings,
            Usage::OF_PREFERENCES.map(|usage| acap.about_preference(usage)),
        );
        rulings
    }

    /// Where a line of robots.txt is, what it says, and how many bytes its path has, if any.
    pub(super) fn line(
        &self,
        vocabulary: Vocabulary,
        source: Source,
        place: Place,
        bytes: u32,
    ) -> Provenance<'p> {
        Provenance {
            place: Some(place),
            statement: place.span.of(self.policy.text().as_bytes()),
            selected_by: self.selected_by(place.line),
            bytes: (bytes > 0).then_some(bytes),
            ..Provenance::of_preference(vocabulary, source)
        }
    }
}

/// Asks a question about AI preferences, if the client does so. `path` is the one with which rules
/// about crawling were compared, and `is_closed` says whether they disallow the target.
pub(crate) fn ask<'p, T>(
    policy: &'p Policy,
    target: &Target<'p>,
    path: &Forms<'_>,
    is_closed: bool,
    answer: impl FnOnce(&Question<'p, '_>) -> T,
) -> Option<T> {
    let profile = policy.client().preferences()?;
    let (requested, careful);
    let careful = match policy.client().profile() {
        Profile::Careful => path,
        Profile::Google => {
            requested = target.requested(Profile::Careful);
            careful = normal::target(requested.as_bytes());
            &careful
        }
    };
    Some(answer(&Question {
        policy,
        profile,
        target,
        crawl_path: path,
        path: careful,
        page: target.response().map(Response::preferences),
        documents: target.documents(),
        is_closed,
        has_words: true,
        selections: &Latest::default(),
    }))
}

/// The answers for the three usages. `tags` are the robots tags that apply to the client.
pub(super) fn preferences<'p>(
    question: &Question<'p, '_>,
    tags: &Binding<'p>,
    acap: &AcapSays<'p>,
    shared: &mut SharedEvidence<'p>,
) -> PreferenceAnswers<'p> {
    let vocabularies = Vocabulary::ALL.iter().copied();
    let answers = vocabularies.filter(|one| question.has(*one, tags));
    let answers: Vec<_> = answers
        .map(|one| (one, question.answer(one, tags)))
        .collect();
    let all = PreferenceAnswers::silent(question.profile);
    if answers.is_empty() && question.page.is_none() && question.policy.acap().is_none() {
        return all;
    }
    combined(all, answers, question, acap, shared)
}

/// The answer of one vocabulary.
fn answer<'p>(
    vocabulary: Vocabulary,
    question: &Question<'p, '_>,
    tags: &Binding<'p>,
) -> VocabularyRuling<'p> {
    match vocabulary {
        Vocabulary::ContentUsage => content_usage::answer(question),
        Vocabulary::ContentSignal => content_signal::answer(question),
        Vocabulary::Tdmrep => tdmrep::answer(question),
        Vocabulary::Rsl => rsl::answer(question),
        Vocabulary::RobotsTag => robots_tag::answer(question, tags),
        Vocabulary::ControlToken => control_token::answer(question),
    }
}

/// Adds the `answers` of the vocabularies that are not silent, combined.
fn combined<'p>(
    mut preference_answers: PreferenceAnswers<'p>,
    answers: Vec<(Vocabulary, VocabularyRuling<'p>)>,
    question: &Question<'p, '_>,
    acap: &AcapSays<'p>,
    shared: &mut SharedEvidence<'p>,
) -> PreferenceAnswers<'p> {
    let mut rulings = [const { Ruling::empty() }; 3];
    let mut missing = Vec::new();
    for (vocabulary, answer) in answers {
        let outcomes = answer.usages.each_ref().map(|ruling| ruling.outcome);
        let mut listed = preference_answers.preferences.vocabularies.iter_mut();
        if let Some(listed) = listed.find(|listed| listed.vocabulary == vocabulary) {
            listed.words = answer.words;
            listed.outcomes = outcomes;
            listed.documents = answer.documents;
        }
        missing.extend(answer.needs);
        meet_each(&mut rulings, answer.usages);
    }
    preference_answers.usages.reserve_exact(rulings.len());
    for (usage, ruling) in Usage::OF_PREFERENCES.into_iter().zip(rulings) {
        let mut ruling = ruling.meet_preference(acap.about_preference(usage));
        if question.is_closed {
            ruling.evidence.iter_mut().for_each(note_needs_fetch);
        }
        preference_answers
            .usages
            .push(UsageDecision::new(usage, ruling, shared));
    }
    // An input that is missing matters if it can still change a usage that is asked (PREF-136).
    for (usage, url) in missing {
        let mut decisions = preference_answers.usages.iter();
        let is_open = decisions.any(|all| all.usage == usage && all.outcome != Outcome::Prohibited);
        if is_open && question.profile.wants(usage) && !preference_answers.needs.contains(&url) {
            preference_answers.needs.push(url);
        }
    }
    preference_answers
}

/// Combines two sources, usage by usage.
fn meet_each<'p>(rulings: &mut [Ruling<'p>; 3], others: [Ruling<'p>; 3]) {
    for (ruling, other) in rulings.iter_mut().zip(others) {
        *ruling = std::mem::take(ruling).meet_preference(other);
    }
}

/// What is said of a usage about which a robots.txt that is not known may speak.
fn robots_txt_unknown<'p>(vocabulary: Vocabulary) -> Ruling<'p> {
    let fetch = Provenance::of_preference(vocabulary, Source::Fetch);
    let evidence = Evidence::new(fetch, Role::Decided, Reason::RobotsTxtNotKnown);
    Ruling::new(Outcome::Unknown, vec![evidence])
}

/// Evidence of the lines of a vocabulary before the first group, which have no effect (PREF-14,
/// PREF-62).
fn outside<'p>(
    question: &Question<'p, '_>,
    side: &PreferenceSide,
    vocabulary: Vocabulary,
    source: Source,
) -> Vec<Evidence<'p>> {
    let own = side.outside.iter().filter(|(_, of)| *of == vocabulary);
    let evidence = own.map(|&(place, _)| {
        let line = question.line(vocabulary, source, place, 0);
        Evidence::new(line, Role::Void, Reason::OutsideGroup)
    });
    evidence.collect()
}

/// Evidence of an older word, which does not count (CLA-PREF-22).
fn of_older_word<'p>(mut statement: Provenance<'p>, word: &'p str) -> Evidence<'p> {
    let details = statement.details.take();
    let details = SourceDetails {
        rule: Some(word),
        ..details.as_deref().cloned().unwrap_or_default()
    };
    let statement = statement.with_details(details);
    Evidence::new(statement, Role::Void, Reason::OlderWord)
}

/// Evidence of a line of a response field.
fn of_field(
    vocabulary: Vocabulary,
    source: Source,
    stated: &StatedField,
    role: Role,
    reason: Reason,
) -> Evidence<'_> {
    let field = Provenance {
        statement: &stated.text,
        ..Provenance::of_preference(vocabulary, source)
    };
    let details = SourceDetails {
        field_line: Some(stated.line),
        ..SourceDetails::default()
    };
    Evidence::new(field.with_details(details), role, reason)
}

/// The deciding piece first, the others in file order.
fn decided_first(mut evidence: Vec<Evidence<'_>>) -> Vec<Evidence<'_>> {
    let key = |one: &Evidence<'_>| (one.role != Role::Decided, one.place);
    // Sorting takes memory, and most evidence is in order.
    if !evidence.is_sorted_by_key(key) {
        evidence.sort_by_key(key);
    }
    evidence
}

/// Notes that crawling is disallowed, so nobody can have seen the preference at an allowed visit
/// (CLA-11).
pub(super) fn note_needs_fetch(evidence: &mut Evidence<'_>) {
    if evidence.role == Role::Void || evidence.reason == Reason::OtherGroup {
        return;
    }
    evidence.notes = evidence.notes.and_needs_fetch();
}
