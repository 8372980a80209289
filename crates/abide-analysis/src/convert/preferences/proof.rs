//! Compares what source and result of a conversion say about preferences, for every path.

use super::{ConversionFinding, GoesOn, Loss};
use crate::bound::{Bound, Work};
use crate::compare::{self, AddressedLines, NamedClient, each_case};
use abide::acap::{AcapMode, AcapProfile};
use abide::preference::{
    Documents, PreferenceProfile, Revision, TdmrepState, Vocabulary, tdmrep::TdmrepFile,
};
use abide::syntax::{Inspect, PathPattern};
use abide::tag::Response;
use abide::verdict::{Role, Sense};
use abide::{Client, Outcome, Policy, Robots, Target, Usage};
use abide_known_robots::KnownRobot;
use std::collections::BTreeSet;

/// The work for one robot, and for all of them.
const BOUND: Bound = Bound { work: 10_000_000 };
const BOUND_OF_ALL: Bound = Bound { work: 50_000_000 };
/// The largest number of robots that are compared.
const MAX_ROBOTS: usize = 1_000;

/// The two sides of a conversion.
pub(super) struct PreferenceSides<'s> {
    pub(super) old: &'s Robots,
    pub(super) new: &'s Robots,
    /// What the result is beside the new robots.txt.
    pub(super) beside: Beside<'s>,
}

/// What a site says beside its robots.txt.
#[derive(Clone, Copy)]
pub(super) enum Beside<'s> {
    Nothing,
    /// A `tdmrep.json`.
    Tdmrep(&'s TdmrepFile),
    /// A field of every response.
    Response(&'s Response),
}

impl<'s> Beside<'s> {
    const fn tdmrep(self) -> Option<&'s TdmrepFile> {
        match self {
            Self::Tdmrep(file) => Some(file),
            _ => None,
        }
    }

    /// Whether it is about every robot alike.
    const fn is_for_every_robot(self) -> bool {
        !matches!(self, Self::Nothing)
    }
}

/// A path for which source and result say different things.
struct PathDifference {
    usage: Usage,
    path: String,
    old: Outcome,
    new: Outcome,
    /// The line that decides in the source.
    line: Option<u32>,
}

/// Refuses if any robot gets another answer from the vocabulary `to` in the result than from the
/// vocabularies `from` in the source. Paths that may not be crawled are another matter: there
/// `Content-Usage` says nothing, and a warning says so.
pub(super) fn prove(
    sides: &PreferenceSides<'_>,
    from: &[Vocabulary],
    (to, revision): (Vocabulary, &'static Revision),
    goes_on: GoesOn<'_>,
) -> Vec<ConversionFinding> {
    // What may be crawled decides nothing here, so rules match nothing.
    let [old, new] = [sides.old, sides.new].map(without_rules);
    let clients = compare::clients(&old, &new);
    if clients.len() > MAX_ROBOTS {
        let message = format!("the file names more than {MAX_ROBOTS} robots, too many to compare");
        return vec![ConversionFinding::refusal(Loss::Unproved, None, message)];
    }
    let documents = sides.beside.tdmrep().map(|file| {
        let state = TdmrepState::File(file.clone().into());
        Documents::default().with_tdmrep(state)
    });
    let mut work = Work::new(BOUND_OF_ALL);
    let mut seen = BTreeSet::new();
    for one in clients.iter().filter(|one| !is_control_token(one)) {
        let asking = |vocabularies: &[Vocabulary]| asking(&one.client, vocabularies, revision);
        // Robots that the same lines address get the same answers.
        let addressed = AddressedLines::of(&asking(from), &[&old, &new], &BTreeSet::new());
        if !seen.insert(addressed) {
            continue;
        }
        if !goes_on() {
            break;
        }
        let policies = [
            old.counting_policy(&asking(from)),
            new.counting_policy(&asking(&[to])),
        ];
        let before = work.at_most(BOUND);
        let mut own = before;
        let found = difference(&policies, sides.beside, documents.as_ref(), &mut own);
        work.spend(own.spent_since(before));
        match found {
            Ok(None) => {}
            Ok(Some(found)) => return vec![refusal(one, &found, to, sides.beside)],
            Err(()) => {
                let message = "the paths overlap in too many ways to compare all URLs";
                return vec![ConversionFinding::refusal(Loss::Unproved, None, message)];
            }
        }
    }
    // Both sides of a field are of one vocabulary, or of one that says more.
    let disallowed = disallowed(sides.old, to);
    disallowed
        .filter(|_| !from.contains(&to))
        .into_iter()
        .collect()
}

/// Whether a name is only that of a control token. It sends no requests, so no lines about
/// preferences bind it, and the file of the recipe in docs/preferences.md converts.
fn is_control_token(client: &NamedClient) -> bool {
    let known = client.agent.as_deref().and_then(abide_known_robots::named);
    known.is_some_and(KnownRobot::is_control_token)
}

fn asking(client: &Client, from: &[Vocabulary], revision: &'static Revision) -> Client {
    let profile = PreferenceProfile {
        vocabularies: Some(from.to_vec()),
        revision,
        ..PreferenceProfile::default()
    };
    let no_acap = AcapProfile {
        mode: AcapMode::Off,
        ..AcapProfile::default()
    };
    client.clone().with_acap(no_acap).with_preferences(profile)
}

/// The first path, of the shortest, with another answer. An error if not all could be compared.
fn difference(
    policies: &[Policy; 2],
    beside: Beside<'_>,
    documents: Option<&Documents>,
    work: &mut Work,
) -> Result<Option<PathDifference>, ()> {
    let [old, new] = policies;
    let tdmrep = beside.tdmrep();
    let statements: Vec<_> = policies
        .iter()
        .flat_map(|policy| Inspect::of(policy).preference_statements())
        .collect();
    let of_lines = statements.iter().filter_map(|one| one.pattern()?.ok());
    let rules = tdmrep.iter().flat_map(|file| file.rules.iter().flatten());
    let locations = rules.filter_map(|rule| rule.location.as_deref());
    let of_rules = locations.filter_map(|text| PathPattern::read(text.as_bytes()).ok());
    let mut found: Option<PathDifference> = None;
    let is_complete = each_case(of_lines.chain(of_rules), work, |path| {
        if found.is_some() {
            return;
        }
        // A tdmrep.json belongs to a site, so the URL has to be absolute.
        let url = format!("https://example.com{path}");
        let (Ok(target), Ok(bare)) = (Target::new(&url), Target::new(&url)) else {
            return;
        };
        let target = match (documents, beside) {
            (Some(documents), _) => target.with_documents(documents),
            (None, Beside::Response(response)) => target.with_response(response),
            (None, _) => target,
        };
        let (of_old, of_new) = (old.decide(&bare), new.decide(&target));
        // TDMRep has no word for search.
        let usages = Usage::PREFERENCES.iter().copied();
        let mut usages = usages.filter(|usage| tdmrep.is_none() || *usage != Usage::Search);
        found = usages.find_map(|usage| {
            let (old, new) = (of_old.outcome(usage), of_new.outcome(usage));
            let path = path.to_owned();
            let decision = of_old.usage(usage)?;
            let mut decided = decision
                .evidence
                .iter()
                .filter(|one| one.role == Role::Decided);
            let place = decided.next().and_then(|one| one.place);
            (old != new).then_some(PathDifference {
                usage,
                path,
                old,
                new,
                line: place.map(|place| place.line),
            })
        });
    });
    match found {
        None if !is_complete => Err(()),
        found => Ok(found),
    }
}

fn refusal(
    client: &NamedClient,
    found: &PathDifference,
    to: Vocabulary,
    beside: Beside<'_>,
) -> ConversionFinding {
    let is_one_robot = client.agent.is_some() || client.purpose.is_some();
    let name = match (&client.agent, &client.purpose) {
        (Some(agent), _) => agent.clone(),
        (None, Some(purpose)) => format!("robots with the purpose {purpose}"),
        (None, None) => "robots that the file does not name".to_owned(),
    };
    let PathDifference {
        usage,
        path,
        old,
        new,
        line,
    } = found;
    let why = match to {
        _ if matches!(beside, Beside::Response(_)) => {
            "a response field is about every robot; ask the same of all of them first"
        }
        _ if is_one_robot && beside.is_for_every_robot() => {
            "a tdmrep.json is about every robot; ask the same of all of them first"
        }
        Vocabulary::ContentUsage => {
            "Content-Usage takes the line with the longest path alone; add a line with all words \
             for paths that several lines match"
        }
        Vocabulary::ContentSignal => {
            "Content-Signal decides each word by itself, so a longer path cannot leave a word \
             open; state the word on both paths"
        }
        _ => {
            "TDMRep takes the first rule that matches, and no rule can leave a path open; state \
             both words on every path"
        }
    };
    let message = format!("for {name}, {usage} on {path} is {old}, and would become {new}: {why}");
    let is_of_robots = beside.is_for_every_robot() && client.agent.is_some();
    let loss = if is_of_robots {
        Loss::Robots
    } else {
        Loss::Path
    };
    ConversionFinding::refusal(loss, *line, message)
}

/// The warning that one of the vocabularies says nothing where crawling is disallowed.
fn disallowed(robots: &Robots, to: Vocabulary) -> Option<ConversionFinding> {
    let mut rules = robots.lines().iter().filter_map(|line| robots.rule(line));
    let closing = rules.find(|rule| rule.sense == Sense::Disallow && rule.pattern.is_ok())?;
    let message = match to {
        Vocabulary::ContentUsage => {
            "on disallowed paths Content-Usage says nothing, while Content-Signal does"
        }
        Vocabulary::ContentSignal => {
            "on disallowed paths Content-Signal says something, while Content-Usage does not"
        }
        _ => "on disallowed paths tdmrep.json says something, while Content-Usage does not",
    };
    Some(ConversionFinding::warning(
        Loss::Disallowed,
        closing.line.number,
        message,
    ))
}

/// The file with rules that match nothing, so that groups and line numbers stay as they are.
fn without_rules(robots: &Robots) -> Robots {
    let text = robots.text().as_bytes();
    let mut out = Vec::with_capacity(text.len());
    for line in robots.lines() {
        if robots.rule(line).is_some() {
            out.extend_from_slice(b"Allow:");
        } else {
            out.extend_from_slice(line.span.of(text));
        }
        out.push(b'\n');
    }
    Robots::parse(out)
}
