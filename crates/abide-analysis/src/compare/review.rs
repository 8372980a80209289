//! What a reviewer has to know about a change: the worst effect first, then the causes.

use super::audience::{Audience, is_control_token, list};
use super::cause::{Cause, causes};
use super::changed_paths::{ChangedPaths, Turn};
use super::clients::NamedClient;
use super::effect::{self, PreferenceEffect, closes, closes_site, opens};
use super::files::{ClientDifferences, Differences};
use super::google::{GoogleReading, OneSided};
use super::openness::{AccessSurvey, Openness, SiteAccess};
use super::report::{Aspect, Region};
use super::shown::{Consequences, shown};
use super::{CompiledFile, prominence};
use crate::bound::{Bound, GoesOn, Work};
use crate::short_answer::ShortAnswer;
use crate::words::Phrase;
use crate::words::enumerated_lines;
use abide::preference::Vocabulary;
use abide::rep::CrawlDelay;
use abide::verdict::SelectedBy;
use abide::{Outcome, Robots, Usage};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What a reviewer has to know about a change.
///
/// ```
/// use abide::Robots;
/// use abide_analysis::Bound;
/// use abide_analysis::compare::{self, Review};
/// let old = Robots::parse(b"User-agent: omgili\nDisallow: /\n");
/// let new = Robots::parse(b"User-agent: *\nDisallow: /\n");
/// let clients = compare::known_clients(&old, &new);
/// let differences = compare::files(&old, &new, &clients, Bound::default());
/// let review = Review::new(&old, &new, &differences, true, Bound::default());
/// assert_eq!(
///     review.headline.to_string(),
///     "The whole site is now disallowed for every robot except omgili, for which it already was \
///      disallowed."
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Review {
    /// The worst effect, and whom it concerns, in words.
    pub headline: Phrase,
    /// The other effects, the worst first, in words.
    pub also: Vec<Phrase>,
    /// Who is affected at all, and by how many sets of URLs, in words; null if nobody is.
    pub affected: Option<Phrase>,
    /// Why answers change.
    pub causes: Vec<Cause>,
    /// Whether Google's parser sees a change of what may be crawled that RFC 9309 does not.
    pub google_sees_more: bool,
    /// Whether Google's parser does not see a change of what may be crawled.
    pub google_sees_less: bool,
    /// Whether the comparison in Google's reading reached its limit.
    #[serde(skip)]
    is_google_cut: bool,
    /// What was not compared, or only in part, because the comparison reached its limit, in words.
    pub not_compared: Vec<Phrase>,
}

/// An effect, the worst first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Effect {
    ClosesSite,
    ClosesPart,
    OpensSite,
    /// Opens parts of a site that was closed.
    Reopens,
    OpensPart,
    /// Changes what the site asks about some of training, AI input and search.
    Preferences(PreferenceEffect, Vec<Usage>),
    /// Changes the same by a rule that changes crawling, because control tokens follow it too.
    FollowsCrawling,
    /// Changes what may be done with pages, or under which conditions.
    Uses,
    Licences,
    /// Changes what one vocabulary says, but not the outcome.
    Vocabulary(Vocabulary),
    Directives,
    Delay(Option<CrawlDelay>, Option<CrawlDelay>),
    Requests,
}

/// Where an effect shows, and for whom.
#[derive(Default)]
struct Shown<'d> {
    clients: BTreeSet<usize>,
    regions: Vec<&'d Region>,
    applications: BTreeSet<&'d str>,
    /// Whether other robots have the effect too, by other rules.
    is_one_of_several: bool,
    /// Whether these robots have the effect by different rules.
    is_by_different_rules: bool,
}

impl Shown<'_> {
    fn extend(&mut self, other: Self) {
        self.clients.extend(other.clients);
        self.regions.extend(other.regions);
        self.applications.extend(other.applications);
    }
}

const DIFFERENT: &str = ", by different rules";

/// The largest number of sentences about one effect, each for other robots and by other rules.
const MAX_SENTENCES: usize = 3;

/// The largest number of lines in a sentence.
const MAX_LINES: usize = 2;

/// The statements by which an effect comes, for effects that differ by them.
type EffectStatements<'d> = BTreeSet<&'d [u8]>;

/// Effects, each apart for the robots that have it by the same statements.
#[derive(Default)]
struct Effects<'d>(BTreeMap<Effect, BTreeMap<EffectStatements<'d>, Shown<'d>>>);

impl<'d> Effects<'d> {
    fn add(&mut self, effect: Effect, at: usize, regions: Vec<&'d Region>) {
        let statements = match &effect {
            // What closes is in the new file, what opens was in the old one.
            Effect::ClosesPart => deciding(&regions, |region| &region.new),
            Effect::OpensPart => deciding(&regions, |region| &region.old),
            Effect::Preferences(..) => regions
                .iter()
                .filter_map(|region| effect::deciding(region))
                .map(|by| (by.line, by.statement))
                .collect(),
            _ => BTreeMap::new(),
        };
        let statements = statements.into_values().collect();
        let shown = self.0.entry(effect).or_default();
        let shown = shown.entry(statements).or_default();
        shown.clients.insert(at);
        shown.regions.extend(regions);
    }

    /// The effects, the worst first, and of equal ones those that concern more robots first. Those
    /// of a few robots are put together if there would be too many.
    fn in_order(self, audience: &Audience<'_>) -> Vec<(Effect, Shown<'d>)> {
        let mut all: BTreeMap<Effect, Vec<Shown<'d>>> = BTreeMap::new();
        let parts = self.0.into_iter();
        let parts = parts.flat_map(|(effect, parts)| {
            parts
                .into_values()
                .map(move |shown| (effect.clone(), shown))
        });
        for (effect, shown) in joined(parts) {
            all.entry(effect).or_default().push(shown);
        }
        let mut in_order = Vec::new();
        for (effect, mut parts) in all {
            let few = |shown: &Shown<'_>| {
                let is_few = !audience.includes_unnamed(&shown.clients);
                (is_few, std::cmp::Reverse(shown.clients.len()))
            };
            parts.sort_by_key(few);
            // The last sentence is about all others together.
            if parts.len() > MAX_SENTENCES {
                let mut rest = parts.split_off(MAX_SENTENCES - 1).into_iter();
                let mut together = rest.next().unwrap_or_default();
                rest.for_each(|shown| together.extend(shown));
                together.is_by_different_rules = true;
                parts.push(together);
            }
            let is_one_of_several = parts.len() > 1;
            in_order.extend(parts.into_iter().map(|mut shown| {
                shown.is_one_of_several = is_one_of_several;
                (effect.clone(), shown)
            }));
        }
        in_order
    }
}

impl Review {
    /// The review of `differences` between `old` and `new`. `is_everyone` says that the clients are
    /// those of [`known_clients`](super::known_clients) or [`clients`](super::clients), which stand
    /// for every robot. `bound` limits the work.
    ///
    /// # Panics
    /// Only on a bug.
    #[must_use]
    pub fn new(
        old: &Robots,
        new: &Robots,
        differences: &Differences,
        is_everyone: bool,
        bound: Bound,
    ) -> Self {
        let review = Self::new_while(old, new, differences, is_everyone, bound, &|| true);
        review.expect("nothing ends it early")
    }

    /// Like [`Review::new`], but stops when `goes_on` returns false before a client, and returns
    /// `None`.
    #[must_use]
    pub fn new_while(
        old: &Robots,
        new: &Robots,
        differences: &Differences,
        is_everyone: bool,
        bound: Bound,
        goes_on: GoesOn<'_>,
    ) -> Option<Self> {
        let entries = differences.clients.iter().enumerate();
        let own_groups = entries.filter(|(_, one)| has_own_group(new, one));
        let own_groups = own_groups.map(|(at, _)| at).collect();
        let mut reviewing = Reviewing {
            old,
            new,
            differences,
            audience: Audience::new(differences, is_everyone).with_own_groups(own_groups),
            bound,
            goes_on,
            old_access: AccessSurvey::new(old, bound),
            new_access: AccessSurvey::new(new, bound),
        };
        let effects = reviewing.effects();
        let mut sentences = Vec::new();
        for (effect, shown) in &effects {
            sentences.push(reviewing.sentence(effect, shown));
        }
        let worst = effects.first().map(|(effect, _)| effect);
        if matches!(worst, Some(Effect::ClosesSite | Effect::ClosesPart)) {
            sentences.extend(reviewing.ignoring(&effects));
        }
        sentences.extend(reviewing.control_tokens(&effects));
        if differences.sitemaps.is_some() {
            sentences.push(Phrase::default().words("The list of sitemaps changes."));
        }
        let mut not_compared = not_compared(differences);
        let google = reviewing.google();
        if google.is_unfinished {
            let words = "How Google's parser reads the files was not compared to the end.";
            not_compared.push(Phrase::default().words(words));
        }
        sentences.extend(reviewing.of_google(&google, sentences.is_empty()));
        let mut sentences = sentences.into_iter();
        let headline = sentences.next().unwrap_or_else(|| {
            let is_complete = differences.is_complete() && !google.is_unfinished;
            Phrase::default().words(match (is_complete, is_everyone) {
                (true, true) => {
                    "Nothing changes: for every URL, both files ask the same of every robot."
                }
                (true, false) => {
                    "Nothing changes: for every URL, both files ask the same of these robots."
                }
                (false, _) => "No change was found, but not everything was compared.",
            })
        });
        let review = Self {
            headline,
            also: sentences.collect(),
            affected: reviewing.affected(&effects),
            causes: reviewing.causes(bound),
            google_sees_more: google.only_google.is_some(),
            google_sees_less: google.only_rfc.is_some(),
            is_google_cut: google.is_unfinished,
            not_compared,
        };
        goes_on().then_some(review)
    }
}

impl Review {
    /// Whether no robot gets another answer, by RFC 9309 and from Google's parser.
    #[must_use]
    pub fn is_equivalent(&self, differences: &Differences) -> bool {
        differences.is_equivalent() && !self.google_sees_more && !self.is_google_cut
    }

    /// Whether everything was compared, in both readings.
    #[must_use]
    pub fn is_complete(&self, differences: &Differences) -> bool {
        differences.is_complete() && !self.is_google_cut
    }
}

struct Reviewing<'d> {
    old: &'d Robots,
    new: &'d Robots,
    differences: &'d Differences,
    audience: Audience<'d>,
    bound: Bound,
    goes_on: GoesOn<'d>,
    old_access: AccessSurvey<'d>,
    new_access: AccessSurvey<'d>,
}

/// Both files for the clients of an entry.
fn compared_files<'r>(
    old: &'r Robots,
    new: &'r Robots,
    one: &ClientDifferences,
) -> Option<[CompiledFile<'r>; 2]> {
    // What applications are asked is in the comparison already.
    let client = one.clients.first()?.client.clone().without_applications();
    Some([old, new].map(|robots| CompiledFile {
        robots,
        policy: robots.counting_policy(&client),
    }))
}

/// Whether the new file has a group that names the clients.
fn has_own_group(new: &Robots, one: &ClientDifferences) -> bool {
    let client = one.clients.first().map(|one| &one.client);
    let chosen = client.and_then(|client| new.chosen_groups(client).into_iter().next());
    chosen.is_some_and(|group| matches!(group.by, SelectedBy::ProductToken(_)))
}

impl<'d> Reviewing<'d> {
    fn google(&self) -> GoogleReading {
        let never_crawls = |at| self.audience.is_control_token(at);
        let (old, new, bound) = (self.old, self.new, self.bound);
        GoogleReading::of(
            old,
            new,
            self.differences,
            &never_crawls,
            bound,
            self.goes_on,
        )
    }

    /// One sentence for what only one of the two readings sees. `is_all`: there is no other change.
    fn of_google(&self, google: &GoogleReading, is_all: bool) -> Vec<Phrase> {
        let about = |words: &str, one: &OneSided| {
            let phrase = Phrase::default().words(words);
            let phrase = phrase.then(self.audience.whom(&one.clients, &|_| false));
            let phrase = phrase.words(", ").quoted(one.witness.as_bytes());
            (
                phrase,
                if one.has_others {
                    " There are more such changes."
                } else {
                    ""
                },
            )
        };
        let outcome = |is_allowed| if is_allowed { "allowed" } else { "disallowed" };
        let more = google.only_google.iter().map(|one| {
            let words = if is_all && self.differences.is_complete() {
                "By RFC 9309 nothing changes, but Google's parser sees a change: for "
            } else {
                "Google's parser sees a change that RFC 9309 does not: for "
            };
            let (old, new) = (outcome(one.was_allowed), outcome(!one.was_allowed));
            let (phrase, others) = about(words, one);
            phrase.words(format!(" was {old} and is now {new}.{others}"))
        });
        let less = google.only_rfc.iter().map(|one| {
            let words = "Google's parser does not see every change: for ";
            let (phrase, others) = about(words, one);
            phrase.words(format!(" stays what it was.{others}"))
        });
        more.chain(less).collect()
    }

    fn effects(&mut self) -> Vec<(Effect, Shown<'d>)> {
        let mut effects = Effects::default();
        let mut applications = BTreeSet::new();
        let consequences = Consequences::new(self.differences, &self.audience);
        for (at, one) in self.differences.clients.iter().enumerate() {
            let comparison = &one.comparison;
            if !(self.goes_on)() {
                break;
            }
            if !comparison.has_differences() {
                continue;
            }
            let of = |which: &dyn Fn(&Region) -> bool| -> Vec<&'d Region> {
                let regions = comparison.regions.iter();
                regions.filter(|region| which(region)).collect()
            };
            let is_preference = |region: &Region| Usage::PREFERENCES.contains(&region.usage);
            let others = of(&|region| !closes(region) && !opens(region) && !is_preference(region));
            let (following, preferences) =
                consequences.apart(at, shown(comparison).filter(|one| is_preference(one)));
            // A control token never crawls, so what closes for it is a use of pages.
            let is_use_only = self.audience.is_control_token(at) && !preferences.is_empty();
            let crawling = |which: fn(&Region) -> bool| of(&|region| which(region) && !is_use_only);
            let (closing, opening) = (crawling(closes), crawling(opens));
            let preferences = by_effect(preferences);
            let both = compared_files(self.old, self.new, one);
            if !closing.is_empty() {
                let whole = both
                    .as_ref()
                    .is_some_and(|[_, new]| closes_site(one, new, &mut self.new_access));
                let effect = if whole {
                    Effect::ClosesSite
                } else {
                    Effect::ClosesPart
                };
                effects.add(effect, at, closing);
            }
            if !opening.is_empty() {
                let effect = both.map_or(Effect::OpensPart, |[old, new]| {
                    // The new state first: that the whole site is open says more than what was
                    // closed.
                    if is(&self.new_access.access_of(&new.policy), Openness::Open) {
                        Effect::OpensSite
                    } else if is(&self.old_access.access_of(&old.policy), Openness::Closed) {
                        Effect::Reopens
                    } else {
                        Effect::OpensPart
                    }
                });
                effects.add(effect, at, opening);
            }
            if !others.is_empty() {
                effects.add(Effect::Uses, at, others);
            }
            for ((effect, usage), regions) in preferences {
                effects.add(Effect::Preferences(effect, vec![usage]), at, regions);
            }
            if !following.is_empty() {
                effects.add(Effect::FollowsCrawling, at, following);
            }
            if comparison.licences.is_some() {
                effects.add(Effect::Licences, at, Vec::new());
            }
            for change in &comparison.vocabularies {
                effects.add(Effect::Vocabulary(change.vocabulary), at, Vec::new());
            }
            if !comparison.directives.is_empty() {
                let ids = comparison.directives.iter();
                applications.extend(ids.map(|region| region.application.as_str()));
                effects.add(Effect::Directives, at, Vec::new());
            }
            if let Some(delay) = &comparison.crawl_delay {
                effects.add(Effect::Delay(delay.old, delay.new), at, Vec::new());
            }
            if comparison.action_requests.is_some() {
                effects.add(Effect::Requests, at, Vec::new());
            }
        }
        let mut effects = effects.in_order(&self.audience);
        // Applications belong to no robot, so they are listed once for all.
        let directives = |(effect, _): &&mut (Effect, _)| *effect == Effect::Directives;
        if let Some((_, shown)) = effects.iter_mut().find(directives) {
            shown.applications = applications;
        }
        effects
    }

    fn sentence(&mut self, effect: &Effect, shown: &Shown<'_>) -> Phrase {
        let (audience, clients) = (&self.audience, &shown.clients);
        let whom = if shown.is_one_of_several {
            audience.named(clients)
        } else {
            audience.whom(clients, &|_| false)
        };
        let begin = |words: &str| Phrase::default().words(words);
        let phrase = match effect {
            Effect::ClosesSite => {
                // "Every robot except A" would sound as if A were let in.
                let already = self.already_closed(clients);
                let whom = self.audience.whom(clients, &|at| already.contains(&at));
                begin("The whole site is now disallowed for ").then(whom)
            }
            Effect::ClosesPart => self.part(Turn::Closes, shown),
            Effect::OpensSite => begin("The whole site is now allowed for ").then(whom),
            Effect::Reopens => {
                let phrase = begin("Parts of the site are now allowed for ").then(whom);
                phrase.words("; all of it was disallowed")
            }
            Effect::OpensPart => self.part(Turn::Opens, shown),
            Effect::Uses => {
                let usages: BTreeSet<Usage> =
                    shown.regions.iter().map(|region| region.usage).collect();
                let in_order = Usage::ACAP.iter().filter(|one| usages.contains(one));
                let names: Vec<&str> = in_order.map(|usage| usage.name()).collect();
                let phrase = begin("What may be done with pages changes for ").then(whom);
                phrase.words(format!(" ({})", names.join(", ")))
            }
            Effect::Preferences(effect, usages) => {
                let by = if shown.is_by_different_rules {
                    begin(DIFFERENT)
                } else {
                    effect::by(&shown.regions)
                };
                effect.sentence(usages, self.whom_by_tokens(shown), by, &shown.regions)
            }
            Effect::FollowsCrawling => follows_crawling(shown, &whom),
            Effect::Licences => begin("The licence documents change for ").then(whom),
            Effect::Vocabulary(vocabulary) => {
                let phrase = begin("What ").quoted(vocabulary.name().as_bytes());
                let phrase = phrase.words(" says changes for ").then(whom);
                phrase.words(", but another vocabulary is as strict as before")
            }
            Effect::Directives => {
                let ids: Vec<&str> = shown.applications.iter().copied().collect();
                begin("App-Directives change for ").then(list(&ids, &[]))
            }
            Effect::Delay(old, new) => {
                let delay = |delay: &Option<CrawlDelay>| {
                    delay.map_or_else(|| "none".to_owned(), |delay| format!("{delay} s"))
                };
                let phrase = begin("The crawl delay changes for ").then(whom);
                phrase.words(format!(": {} → {}", delay(old), delay(new)))
            }
            Effect::Requests => begin("ACAP action requests change for ").then(whom),
        };
        phrase.words(".")
    }

    /// What becomes closed or open: the paths of the rules that decide, or else a part of the site.
    fn part(&self, turn: Turn, shown: &Shown<'_>) -> Phrase {
        let whom = if shown.is_one_of_several {
            self.audience.named(&shown.clients)
        } else {
            self.audience.whom_with_reason(&shown.clients)
        };
        let verb = match turn {
            Turn::Closes => " now disallowed for ",
            Turn::Opens => opening_verb(shown),
        };
        let side: fn(&Region) -> &ShortAnswer = match turn {
            Turn::Closes => |region| &region.new,
            Turn::Opens => |region| &region.old,
        };
        let by = deciding(&shown.regions, side);
        let lines = by.keys().copied().collect();
        let compared = shown.clients.iter();
        let compared: Vec<_> = compared
            .filter_map(|at| self.differences.clients.get(*at))
            .filter_map(|one| compared_files(self.old, self.new, one))
            .collect();
        let paths = if shown.is_by_different_rules {
            None
        } else {
            // The proof that whole paths change gets as much work as a comparison.
            ChangedPaths::of(&lines, turn, &compared, &mut Work::new(self.bound))
        };
        if let Some(paths) = paths {
            let numbers: Vec<_> = lines.iter().collect();
            let numbers = enumerated_lines(&numbers, MAX_LINES);
            let place = format!(" ({}{numbers})", turn.file());
            let phrase = paths.subject().capital().words(verb);
            return phrase.then(whom).words(&place);
        }
        let by = if shown.is_by_different_rules {
            Phrase::default().words(DIFFERENT)
        } else {
            by_lines(&by, turn.file(), &shown.regions)
        };
        let phrase = Phrase::default().words("Part of the site is").words(verb);
        phrase.then(whom).then(by)
    }

    /// Whom a change of preferences concerns. If control tokens decide, these are who is meant, and
    /// not the robots that fetch for them.
    fn whom_by_tokens(&self, shown: &Shown<'_>) -> Phrase {
        let audience = &self.audience;
        let mut regions = shown.regions.iter();
        let clients = if regions.all(|region| effect::is_by_control_token(region)) {
            let fetchers = audience.fetchers_for(&shown.clients);
            let named = shown.clients.iter().copied();
            // The token is named, and says how pages may be used that this robot fetches.
            let named = named.filter(|at| !audience.are_among(*at, &fetchers));
            named.collect()
        } else {
            shown.clients.clone()
        };
        if shown.is_one_of_several {
            audience.named(&clients)
        } else {
            audience.whom(&clients, &|_| false)
        }
    }

    /// What control tokens are, if the sentences name some.
    fn control_tokens(&self, effects: &[(Effect, Shown<'_>)]) -> Option<Phrase> {
        let clients = effects.iter().flat_map(|(_, shown)| &shown.clients);
        let clients: BTreeSet<usize> = clients.copied().collect();
        let mut tokens = self.audience.names(&clients);
        tokens.retain(|name| is_control_token(name));
        let known = tokens
            .iter()
            .filter_map(|name| abide_known_robots::named(name));
        let fetchers: BTreeSet<&str> = known
            .flat_map(|token| token.fetchers.iter().copied())
            .collect();
        let fetchers: Vec<&str> = fetchers.into_iter().collect();
        let words = match tokens.len() {
            0 => return None,
            1 => " is a control token. It never crawls: its group says how pages may be used",
            _ => " are control tokens. They never crawl: their groups say how pages may be used",
        };
        let phrase = list(&tokens, &[]).words(words);
        let phrase = match fetchers.as_slice() {
            [] => phrase,
            [_] => phrase
                .words(" that ")
                .then(list(&fetchers, &[]))
                .words(" crawls"),
            _ => phrase
                .words(" that ")
                .then(list(&fetchers, &[]))
                .words(" crawl"),
        };
        Some(phrase.words("."))
    }

    /// The entries to which the site was closed before, and is.
    fn already_closed(&mut self, concerned: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut already = BTreeSet::new();
        for (at, one) in self.differences.clients.iter().enumerate() {
            if concerned.contains(&at) {
                continue;
            }
            let Some(NamedClient { client, .. }) = one.clients.first() else {
                continue;
            };
            // Both files: a site that was closed and still is.
            let classes = [
                self.old_access.access_of_client(client),
                self.new_access.access_of_client(client),
            ];
            if classes.iter().all(|access| is(access, Openness::Closed)) {
                already.insert(at);
            }
        }
        already
    }

    /// The known robots that ignore groups for `*`, if these groups close something.
    fn ignoring(&self, effects: &[(Effect, Shown<'_>)]) -> Option<Phrase> {
        let closing = effects
            .iter()
            .filter(|(effect, _)| matches!(effect, Effect::ClosesSite | Effect::ClosesPart));
        let concerned: BTreeSet<usize> = closing
            .flat_map(|(_, shown)| shown.clients.iter().copied())
            .collect();
        if !self.audience.includes_unnamed(&concerned) {
            return None;
        }
        let mut names = self.ignoring_names();
        names.sort_by_cached_key(|name| prominence(name));
        let verb = if names.len() == 1 {
            (" ignores groups for ", " and is not affected.")
        } else {
            (" ignore groups for ", " and are not affected.")
        };
        let phrase = || list(&names, &[]).words(verb.0).quoted(b"*").words(verb.1);
        (!names.is_empty()).then(phrase)
    }

    /// The known robots that ignore groups for `*` and are not affected.
    fn ignoring_names(&self) -> Vec<&'d str> {
        let entries = self.differences.clients.iter();
        let entries = entries.filter(|one| one.comparison.is_equivalent());
        let clients = entries.flat_map(|one| &one.clients);
        let ignores = clients.filter(|one| one.is_implied && !one.client.any_group());
        ignores.filter_map(|one| one.agent.as_deref()).collect()
    }

    fn affected(&self, effects: &[(Effect, Shown<'_>)]) -> Option<Phrase> {
        let clients: BTreeSet<usize> = effects
            .iter()
            .flat_map(|(_, shown)| shown.clients.iter().copied())
            .collect();
        if clients.is_empty() {
            return None;
        }
        let mut sets = BTreeSet::new();
        for one in &self.differences.clients {
            // Counted once, however many robots see the change.
            sets.extend(shown(&one.comparison).map(Region::key));
            let directives = one.comparison.directives.iter();
            sets.extend(directives.map(|region| format!("{:?} {:?}", region.old, region.new)));
        }
        let whom = self.audience.whom(&clients, &|_| false).capital();
        let verb = if self.audience.is_plural(&clients) {
            "are"
        } else {
            "is"
        };
        let sets = match sets.len() {
            0 => String::new(),
            1 => " (1 set of URLs)".to_owned(),
            sets => format!(" ({sets} sets of URLs)"),
        };
        let phrase = whom.words(format!(" {verb} affected{sets}"));
        let has_others = self.audience.includes_unnamed(&clients);
        if has_others && !self.ignoring_names().is_empty() {
            let phrase = phrase.words("; robots that ignore groups for ");
            return Some(phrase.quoted(b"*").words(" are not."));
        }
        Some(phrase.words("."))
    }

    fn causes(&mut self, bound: Bound) -> Vec<Cause> {
        let (old, new, goes_on) = (self.old, self.new, self.goes_on);
        causes(
            self.differences,
            &|one| compared_files(old, new, one).filter(|_| goes_on()),
            &mut self.new_access,
            &self.audience,
            &mut Work::new(bound),
        )
    }
}

/// What becomes of URLs that were disallowed.
fn opening_verb(shown: &Shown<'_>) -> &'static str {
    let mut regions = shown.regions.iter();
    if regions.all(|region| region.new.outcome == Outcome::Permitted) {
        " now allowed for "
    } else {
        " no longer disallowed for "
    }
}

/// That control tokens change with crawling.
fn follows_crawling(shown: &Shown<'_>, whom: &Phrase) -> Phrase {
    let usages: BTreeSet<Usage> = shown.regions.iter().map(|region| region.usage).collect();
    let usages: Vec<Usage> = usages.into_iter().collect();
    let verb = if usages.len() == 1 {
        "changes"
    } else {
        "change"
    };
    let names = effect::names(&usages);
    let words = format!("Where crawling changes, {names} {verb} too for ");
    let phrase = Phrase::default().words(&words).then(whom.clone());
    phrase.words(": control tokens without a group of their own follow the same rules")
}

/// The regions of one client by what changes about which usage.
fn by_effect<'d>(regions: Vec<&'d Region>) -> BTreeMap<(PreferenceEffect, Usage), Vec<&'d Region>> {
    let mut all: BTreeMap<_, Vec<&'d Region>> = BTreeMap::new();
    for region in regions {
        let key = (PreferenceEffect::of(region), region.usage);
        all.entry(key).or_default().push(region);
    }
    all
}

/// Effects with those about several usages together, if one line changes them for the same robots.
fn joined<'d>(
    effects: impl Iterator<Item = (Effect, Shown<'d>)>,
) -> impl Iterator<Item = (Effect, Shown<'d>)> {
    let mut all = Vec::new();
    let mut by_clients: BTreeMap<_, (BTreeSet<Usage>, Shown<'d>)> = BTreeMap::new();
    for (effect, shown) in effects {
        let Effect::Preferences(effect, usages) = effect else {
            all.push((effect, shown));
            continue;
        };
        // The words are the key: effects with the same words are one sentence.
        let by = effect::by(&shown.regions).to_string();
        let key = (effect, shown.clients.clone(), by);
        let (known, together) = by_clients.entry(key).or_default();
        known.extend(usages);
        together.extend(shown);
    }
    let preferences = by_clients
        .into_iter()
        .map(|((effect, ..), (usages, shown))| {
            let usages = usages.into_iter().collect();
            (Effect::Preferences(effect, usages), shown)
        });
    all.into_iter().chain(preferences)
}

/// Whether a class is proven.
fn is(access: &SiteAccess, class: Openness) -> bool {
    access.class == class && access.is_exact
}

/// The statements that decide, by line.
fn deciding<'d>(
    regions: &[&'d Region],
    side: impl Fn(&'d Region) -> &'d ShortAnswer,
) -> BTreeMap<u32, &'d [u8]> {
    let by = regions
        .iter()
        .filter_map(|region| side(region).decided_by.as_ref());
    // A default has no statement to show.
    let by = by.filter(|by| by.source != abide::verdict::Source::Default);
    by.filter_map(|by| Some((by.line?, by.statement.as_slice())))
        .filter(|(_, statement)| !statement.is_empty())
        .collect()
}

/// The first deciding rule in parentheses, and how many more; a path if no line decides.
fn by_lines(by: &BTreeMap<u32, &[u8]>, file: &str, regions: &[&Region]) -> Phrase {
    let phrase = Phrase::default();
    let Some((_, statement)) = by.first_key_value() else {
        return match regions.first() {
            Some(region) => phrase
                .words(" (such as ")
                .quoted(region.witness.as_bytes())
                .words(")"),
            None => phrase,
        };
    };
    // A file can repeat a rule in many groups: all its lines are one rule here.
    let (equal, others): (Vec<_>, Vec<_>) = by.iter().partition(|(_, one)| *one == statement);
    let numbers: Vec<_> = equal.iter().map(|(line, _)| line).collect();
    let lines = enumerated_lines(&numbers, MAX_LINES);
    let more = match others.len() {
        0 => ")".to_owned(),
        1 => " and 1 more rule)".to_owned(),
        more => format!(" and {more} more rules)"),
    };
    phrase
        .words(format!(" ({file}{lines}: "))
        .quoted(statement)
        .words(&more)
}

/// What was not compared, for whom.
fn not_compared(differences: &Differences) -> Vec<Phrase> {
    let mut unfinished: BTreeMap<&Aspect, BTreeSet<usize>> = BTreeMap::new();
    for (at, one) in differences.clients.iter().enumerate() {
        for aspect in &one.comparison.unfinished {
            unfinished.entry(aspect).or_default().insert(at);
        }
    }
    // Every name counts here, so this audience has no "every robot except".
    let audience = Audience::new(differences, false);
    let mut all: Vec<Phrase> = Vec::new();
    for (aspect, clients) in unfinished {
        let what = match aspect {
            Aspect::Crawl => Phrase::default().words("which URLs may be crawled"),
            Aspect::AllUsages => {
                Phrase::default().words("what may be done with URLs, for every usage")
            }
            Aspect::Preferences => Phrase::default().words(
                "which URLs may be crawled, and what is asked about training, AI input and search",
            ),
            Aspect::Directives { application } => Phrase::default()
                .words("App-Directives for ")
                .name(application),
            Aspect::MoreDirectives { applications } => Phrase::default().words(format!(
                "App-Directives for {applications} more applications"
            )),
        };
        let phrase = Phrase::default()
            .words("Compared only in part: ")
            .then(what);
        let whom = audience.whom(&clients, &|_| false);
        all.push(phrase.words(", for ").then(whom).words("."));
    }
    if !differences.left_out.is_empty() {
        let names = differences.left_out.iter();
        let mut names: Vec<&str> = names.filter_map(|one| one.agent.as_deref()).collect();
        names.sort_by_cached_key(|name| prominence(name));
        let phrase = Phrase::default().words("Not compared at all: ");
        let phrase = if differences.left_out.iter().any(|one| one.agent.is_none()) {
            let comma = if names.is_empty() { "" } else { ", " };
            phrase.words("robots that neither file names").words(comma)
        } else {
            phrase
        };
        all.push(phrase.then(list(&names, &[])).words("."));
    }
    if !all.is_empty() {
        let complete = differences.clients.iter().enumerate();
        let complete: BTreeSet<usize> = complete
            .filter(|(_, one)| one.comparison.is_complete)
            .map(|(at, _)| at)
            .collect();
        if !complete.is_empty() {
            let whom = audience.whom(&complete, &|_| false);
            let phrase = Phrase::default().words("Compared for every URL: everything, for ");
            all.push(phrase.then(whom).words("."));
        }
    }
    all
}
