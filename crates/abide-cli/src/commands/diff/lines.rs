//! Parts of the report that people read, made of text that `show` makes safe.

use abide::verdict::{Reason, SelectionLevel, Source};
use abide::{Outcome, Usage};
use abide_analysis::ShortAnswer;
use abide_analysis::compare::{
    Cause, Change, Chosen, Differences, Directives, NamedClient, Region,
};
use abide_analysis::words::{self, preference_outcome};
use abide_known_robots::KnownRobot;
use std::collections::BTreeSet;

/// Makes foreign text safe.
pub(super) type Show<'s> = &'s dyn Fn(&[u8]) -> String;

/// The line that decides, or why none does.
pub(super) fn decided(answer: &ShortAnswer, show: Show<'_>) -> String {
    let what = match &answer.decided_by {
        None => "no line is about it".to_owned(),
        Some(by) => {
            let words = by.reason.name().replace('-', " ");
            match by.line {
                Some(line) if by.source == Source::Default => {
                    format!("{words} in the group of line {line}")
                }
                Some(line) => format!("line {line}: {}", show(&by.statement)),
                None => words,
            }
        }
    };
    let conditions = answer.conditions.iter();
    let conditions: Vec<String> = conditions
        .map(|condition| format!("; only with {}", show(condition.to_string().as_bytes())))
        .collect();
    what + &conditions.concat()
}

/// What changes for the URLs of a region: usages that the same lines decide are together.
pub(super) struct ChangeRow<'d> {
    pub(super) usages: Vec<Usage>,
    pub(super) region: &'d Region,
    /// Whether the usages are those of a control token, which never crawls.
    pub(super) is_use: bool,
    /// Whom it concerns: places in [`Differences::clients`].
    clients: BTreeSet<usize>,
}

impl ChangeRow<'_> {
    /// The usages and their outcomes: `crawl: allowed → disallowed`.
    pub(super) fn change(&self, outcome: &dyn Fn(Usage, Outcome) -> String) -> String {
        self.change_for("", outcome)
    }

    /// The usages, for whom they change, and their outcomes.
    pub(super) fn change_for(
        &self,
        whom: &str,
        outcome: &dyn Fn(Usage, Outcome) -> String,
    ) -> String {
        let usage = self.region.usage;
        let old = outcome(usage, self.region.old.outcome);
        let new = outcome(usage, self.region.new.outcome);
        format!("{}{whom}: {old} → {new}", self.usages())
    }

    /// Whether `Content-Usage` says nothing because crawling is disallowed.
    pub(super) fn is_void(&self) -> bool {
        let mut sides = [&self.region.old, &self.region.new].into_iter();
        sides.any(|answer| {
            let by = answer.decided_by.as_ref();
            by.is_some_and(|by| by.reason == Reason::CrawlProhibited)
        })
    }

    /// Those it concerns, if `leader` concerns others too. Of control tokens and the robots that
    /// fetch for them, these are the tokens.
    pub(super) fn only_for(
        &self,
        leader: &Self,
        differences: &Differences,
    ) -> Option<Vec<NamedClient>> {
        let is_token = |at: &&usize| is_control_token(differences, **at);
        let tokens: BTreeSet<usize> = self.clients.iter().filter(is_token).copied().collect();
        let named = if tokens.is_empty() {
            &self.clients
        } else {
            &tokens
        };
        let named = named.iter().filter_map(|at| differences.clients.get(*at));
        (self.clients != leader.clients)
            .then(|| named.flat_map(|one| one.clients.clone()).collect())
    }

    fn usages(&self) -> String {
        let name = |usage: &Usage| match usage {
            Usage::Crawl if self.is_use => "use",
            other => other.name(),
        };
        let names: Vec<&str> = self.usages.iter().map(name).collect();
        names.join(", ")
    }

    /// Whether people need not see the lines of this row, because those of `crawl` explain it: a
    /// preference that changes by the same line, or because crawling is disallowed.
    pub(super) fn follows(&self, crawl: &Self) -> bool {
        let line = |answer: &ShortAnswer| answer.decided_by.as_ref().and_then(|by| by.line);
        let changed = |region: &Region| (line(&region.old), line(&region.new));
        let (own, other) = (changed(self.region), changed(crawl.region));
        let is_preference = Usage::PREFERENCES.contains(&self.region.usage);
        let same = |one: Option<u32>, other: Option<u32>| one.is_some() && one == other;
        crawl.region.usage == Usage::Crawl
            && self.region.witness == crawl.region.witness
            && is_preference
            && (self.is_void() || same(own.1, other.1) || same(own.0, other.0))
    }
}

/// The causes that people see. A cause only of what changes for `/robots.txt`, which no rule
/// disallows, is left out if something else changes for the same robots.
pub(super) fn shown_causes<'r>(causes: &'r [Cause], differences: &Differences) -> Vec<&'r Cause> {
    let is_shown =
        |cause: &Cause| places(cause, differences).any(|(_, region)| !region.is_robots_txt());
    let clients: BTreeSet<usize> = causes
        .iter()
        .filter(|cause| is_shown(cause))
        .flat_map(|cause| cause.regions.iter().map(|place| place.clients))
        .collect();
    let causes = causes.iter().filter(|cause| {
        let mut places = cause.regions.iter();
        is_shown(cause) || !places.all(|place| clients.contains(&place.clients))
    });
    causes.collect()
}

/// The regions of a cause, each set of URLs once: crawling first, the shortest URLs first, and
/// `/robots.txt` only if there are no other URLs.
pub(super) fn rows<'d>(cause: &Cause, differences: &'d Differences) -> Vec<ChangeRow<'d>> {
    let is_told = |region: &Region| !region.is_robots_txt();
    let has_others = places(cause, differences).any(|(_, region)| is_told(region));
    // Groups of several robots in which no rule matches are no difference to people.
    let line = |answer: &ShortAnswer| {
        let by = answer.decided_by.as_ref();
        by.filter(|by| by.source != Source::Default)?.line
    };
    let is_preference = |region: &Region| Usage::PREFERENCES.contains(&region.usage);
    let with_preferences: BTreeSet<usize> = places(cause, differences)
        .filter(|(_, region)| is_preference(region))
        .map(|(clients, _)| clients)
        .collect();
    let mut regions: Vec<(usize, bool, &Region)> = places(cause, differences)
        .filter(|(_, region)| is_told(region) || !has_others)
        .map(|(clients, region)| (clients, is_control_token(differences, clients), region))
        .filter(|(clients, is_token, region)| {
            let is_crawl = region.usage == Usage::Crawl;
            !(*is_token && is_crawl && with_preferences.contains(clients))
        })
        .collect();
    regions.sort_by_key(|(_, is_token, region)| (region.witness.len(), *is_token));
    let mut rows: Vec<ChangeRow<'d>> = Vec::new();
    for (clients, is_use, region) in regions {
        let sides = |one: &'d Region| {
            let side = |answer: &'d ShortAnswer| (answer.outcome, &answer.conditions, line(answer));
            (&one.witness, side(&one.old), side(&one.new))
        };
        let is_crawl = |usage| usage == Usage::Crawl;
        let known = rows.iter_mut().find(|row| {
            let both = [row.region.usage, region.usage];
            let words = both.map(|usage| words::outcome(usage, region.new.outcome));
            sides(row.region) == sides(region)
                && words[0] == words[1]
                && is_crawl(both[0]) == is_crawl(both[1])
        });
        match known {
            Some(row) => {
                if !row.usages.contains(&region.usage) {
                    row.usages.push(region.usage);
                }
                row.clients.insert(clients);
            }
            None => rows.push(ChangeRow {
                usages: vec![region.usage],
                region,
                is_use,
                clients: BTreeSet::from([clients]),
            }),
        }
    }
    rows
}

/// The regions of a cause, each with its place in [`Differences::clients`].
fn places<'d>(
    cause: &Cause,
    differences: &'d Differences,
) -> impl Iterator<Item = (usize, &'d Region)> {
    let places = cause.regions.iter();
    places.filter_map(|place| {
        let clients = differences.clients.get(place.clients)?;
        Some((place.clients, clients.comparison.regions.get(place.region)?))
    })
}

/// Whether all names of an entry are those of control tokens.
fn is_control_token(differences: &Differences, clients: usize) -> bool {
    let names = differences.clients.get(clients);
    let mut names = names.map_or(&[][..], |one| &one.clients).iter();
    names.len() > 0
        && names.all(|one| {
            let known = one.agent.as_deref().and_then(abide_known_robots::named);
            known.is_some_and(KnownRobot::is_control_token)
        })
}

/// A change that concerns preferences and is no region.
pub(super) struct PreferenceRow<'d> {
    pub(super) clients: Vec<NamedClient>,
    pub(super) what: String,
    pub(super) old: String,
    pub(super) new: String,
    pub(super) witness: Option<&'d str>,
}

/// Licence documents, and what single vocabularies say otherwise; each change once.
pub(super) fn preference_rows<'d>(
    differences: &'d Differences,
    show: Show<'_>,
) -> Vec<PreferenceRow<'d>> {
    let mut rows: Vec<PreferenceRow<'d>> = Vec::new();
    let mut add = |clients: &[NamedClient], what: String, (old, new), witness| {
        let is_like = |row: &&mut PreferenceRow<'_>| {
            (&row.what, &row.old, &row.new, row.witness) == (&what, &old, &new, witness)
        };
        match rows.iter_mut().find(is_like) {
            Some(row) => row.clients.extend_from_slice(clients),
            None => rows.push(PreferenceRow {
                clients: clients.to_vec(),
                what,
                old,
                new,
                witness,
            }),
        }
    };
    for one in &differences.clients {
        for change in &one.comparison.vocabularies {
            let what = format!("{} about {}", change.vocabulary, change.usage);
            let sides = (
                preference_outcome(change.old),
                preference_outcome(change.new),
            );
            add(&one.clients, what, sides, Some(change.witness.as_str()));
        }
        if let Some(Change { old, new }) = &one.comparison.licences {
            let urls = |urls: &[String]| {
                let urls: Vec<_> = urls.iter().map(|url| show(url.as_bytes())).collect();
                nothing_or(&urls)
            };
            let what = "licence documents".to_owned();
            add(&one.clients, what, (urls(old), urls(new)), None);
        }
    }
    rows
}

pub(super) fn nothing_or(all: &[String]) -> String {
    if all.is_empty() {
        "nothing".to_owned()
    } else {
        all.join(", ")
    }
}

pub(super) fn group(chosen: Option<&Chosen>) -> &'static str {
    match chosen {
        None => "none",
        Some(chosen) if chosen.by == SelectionLevel::AnyCrawler => "that of \"*\"",
        Some(chosen) if chosen.by == SelectionLevel::Purpose => "that of its purpose",
        Some(_) => "its own",
    }
}

pub(super) fn directives_in_words(directives: &Directives, show: Show<'_>) -> String {
    let value = |(name, value): (&String, &abide::app::DirectiveValue)| {
        format!("{name}={}", show(value.to_string().as_bytes()))
    };
    let values = nothing_or(&directives.values.iter().map(value).collect::<Vec<_>>());
    let lines: Vec<_> = directives.lines.iter().map(u32::to_string).collect();
    match lines.as_slice() {
        [] => values,
        [line] => format!("line {line}: {values}"),
        _ => format!("lines {}: {values}", lines.join(", ")),
    }
}
