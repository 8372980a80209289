//! What Google's parser makes of lines that other robots ignore, such as `DisallowAITraining: /`.

use crate::bound::Bound;
use crate::compare::{AccessSurvey, Openness};
use crate::words::Phrase;
use abide::syntax::FieldKind;
use abide::{Limits, Profile, Robots};
use abide_known_robots::Robot;
use std::collections::{BTreeMap, BTreeSet};

/// The largest number of names in a sentence.
const MAX_NAMES: usize = 3;

/// A sentence for each line that decides for Google's robots among `agents`, and that RFC 9309 does
/// not know. `bound` limits the work.
pub(super) fn notes(robots: &Robots, agents: &[Robot], bound: Bound) -> Vec<Phrase> {
    let text = robots.text().as_bytes();
    let google = Robots::parse_as(text, Profile::Google, Limits::default());
    let lines = robots.lines().iter().zip(google.lines());
    let odd: BTreeSet<u32> = lines
        .filter_map(|(line, google)| {
            let kinds = (line.field()?.kind, google.field()?.kind);
            matches!(kinds, (FieldKind::Other, FieldKind::Disallow)).then_some(line.number)
        })
        .collect();
    if robots.profile() == Profile::Google || odd.is_empty() {
        return Vec::new();
    }
    let mut survey = AccessSurvey::new(&google, bound);
    let mut closed: BTreeMap<(u32, bool), Vec<String>> = BTreeMap::new();
    for robot in agents {
        let reads_so = robot
            .row()
            .is_some_and(|row| row.operator == "Google" && row.follows_robots_txt != Some(false));
        if !reads_so || robot.is_control_token() {
            continue;
        }
        let Ok(policy) = robot.policy(Profile::Google, |client| google.policy(client)) else {
            continue;
        };
        let access = survey.access_of(&policy);
        let exception = access.exception.and_then(|one| one.line);
        let mut lines = [access.line, exception].into_iter().flatten();
        let whole = access.class == Openness::Closed;
        if let Some(line) = lines.find(|line| odd.contains(line)) {
            closed.entry((line, whole)).or_default().push(robot.name());
        }
    }
    let sentences = closed.iter().map(|((line, whole), names)| {
        let what = if *whole {
            " may not crawl the site."
        } else {
            " may crawl only parts of the site."
        };
        let reads = format!("Google's parser reads line {line} as Disallow, so ");
        let names = names.iter().map(String::as_str);
        Phrase::of(reads).names(names, MAX_NAMES).words(what)
    });
    sentences.collect()
}
