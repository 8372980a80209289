//! `resources-blocked`: style sheets or scripts that search robots may not fetch.

use crate::file::{File, PageResource};
use crate::resource_folders::{self, ResourceFolder, ResourceKind, SCRIPTS, STYLES};
use crate::rule::{Findings, Rule, RuleCheck};
use abide::syntax::Addressee;
use abide::verdict::Sense;
use abide::{DecidingRule, Policy, Severity, Target};
use abide_analysis::sample;
use abide_analysis::words::{enumerated, enumerated_all, enumerated_lines};
use abide_known_robots::Robot;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) static RULE: Rule = Rule::new(
    "resources-blocked",
    Severity::Warning,
    include_str!("resources_blocked.md"),
    RuleCheck::File(check),
)
.or(Severity::Info);

/// How many further lines a finding names.
const MAX_LINES: usize = 5;

fn check(file: &File<'_>, found: &mut Findings) {
    let seen = of_page(file, found);
    // Groups for the same robot together, so that the file is compiled once for each robot.
    let mut of_robot: BTreeMap<String, (Robot, Vec<Blocking<'_>>)> = BTreeMap::new();
    for (rules, addressees) in file.rules.iter().zip(&file.addressees) {
        let Some(who) = addressees.iter().find_map(search_robot) else {
            continue;
        };
        let rules = rules.iter().filter(|rule| rule.sense == Sense::Disallow);
        let rules = rules.filter_map(|rule| Some((rule, resources(rule.value)?)));
        let of_robot = of_robot.entry(who.name());
        of_robot.or_insert((who, Vec::new())).1.extend(rules);
    }
    for (who, rules) in of_robot.into_values() {
        let policy = (!rules.is_empty()).then(|| file.policy_of(&who)).flatten();
        let Some(policy) = policy else { continue };
        // Folders that only one system has, and that the site may not be made with, are one note.
        let mut supposed: BTreeMap<&str, Vec<Closed<'_>>> = BTreeMap::new();
        let rules = rules.into_iter();
        for (rule, blocked) in rules.filter(|(rule, _)| !seen.contains(&rule.line.number)) {
            let Some(closed) = closed(&policy, rule, &blocked) else {
                continue;
            };
            match closed.supposed_system() {
                Some(system) => supposed.entry(system).or_default().push(closed),
                None => report(&who, &[closed], found),
            }
        }
        for closed in supposed.into_values() {
            report(&who, &closed, found);
        }
    }
}

/// The names of robots that a finding lists.
const MAX_NAMES: usize = 4;

/// What a rule keeps robots from of what a page loads.
#[derive(Default)]
struct Kept<'f> {
    names: Vec<String>,
    /// By their places among those of the page.
    resources: BTreeMap<usize, &'f PageResource>,
}

/// Reports which files of a page search robots may not load, and returns the lines that close them.
fn of_page<'f>(file: &'f File<'_>, found: &mut Findings) -> BTreeSet<u32> {
    let resources = &file.context.page_resources;
    let mut by_line: BTreeMap<u32, Kept<'f>> = BTreeMap::new();
    if resources.is_empty() {
        return BTreeSet::new();
    }
    let robots = file.context.mattering_robots().chain([Robot::unnamed()]);
    for robot in robots {
        let Some(policy) = file.policy_of(&robot) else {
            continue;
        };
        let name = robot
            .row()
            .map_or("robots without their own group", |row| row.token);
        for (at, resource) in resources.iter().enumerate() {
            let Ok(target) = Target::new(&resource.url) else {
                continue;
            };
            let DecidingRule::Rule {
                line,
                sense: Sense::Disallow,
            } = policy.deciding_rule(&target)
            else {
                continue;
            };
            let kept = by_line.entry(line).or_default();
            if kept.names.last().is_none_or(|last| last != name) {
                kept.names.push(name.to_owned());
            }
            kept.resources.insert(at, resource);
        }
    }
    for (number, kept) in &by_line {
        report_of_page(file, *number, kept, found);
    }
    by_line.into_keys().collect()
}

fn report_of_page(file: &File<'_>, number: u32, kept: &Kept<'_>, found: &mut Findings) {
    let (Some(line), Some(first)) = (file.line(number), kept.resources.values().next()) else {
        return;
    };
    let is_broken = kept.resources.values().any(|one| !one.is_image);
    let first = kept
        .resources
        .values()
        .find(|one| !one.is_image)
        .unwrap_or(first);
    let all = file.context.page_resources.len();
    let message = format!(
        "{} cannot load {} of the {all} files that the page loads from this site, such as {}{}",
        enumerated(&kept.names, MAX_NAMES),
        kept.resources.len(),
        abide::explain::shown(first.url.as_bytes()),
        if is_broken {
            ", and may see a broken page"
        } else {
            ""
        },
    );
    let place = found.say(Some(number), File::statement(line), message);
    place.severity(if is_broken {
        Severity::Warning
    } else {
        Severity::Info
    });
}

/// A rule about what pages load, and what that is.
type Blocking<'f> = (&'f abide::syntax::Rule<'f>, BlockedResources);

/// A rule, and what it keeps a robot from.
struct Closed<'f> {
    rule: &'f abide::syntax::Rule<'f>,
    kinds: Vec<&'static str>,
    are_needed: bool,
    folder: Option<&'static ResourceFolder>,
}

impl Closed<'_> {
    /// The system whose folder it is, if the site may be made with another.
    fn supposed_system(&self) -> Option<&'static str> {
        let folder = self.folder?;
        folder.system.filter(|_| folder.proven_system().is_none())
    }
}

/// What a rule keeps a robot from, if no other rule allows it.
fn closed<'f>(
    policy: &Policy,
    rule: &'f abide::syntax::Rule<'f>,
    blocked: &BlockedResources,
) -> Option<Closed<'f>> {
    let path = rule.pattern.as_ref().ok().and_then(sample::matching)?;
    let is_closed = |kind: &&ResourceKind| {
        let mut paths = paths(&path, kind, blocked.folder).into_iter();
        paths.all(|path| !policy.allows(&path))
    };
    let kinds = blocked.kinds.iter().filter(is_closed);
    let kinds: Vec<&str> = kinds.map(|kind| kind.name).collect();
    (!kinds.is_empty()).then_some(Closed {
        rule,
        kinds,
        are_needed: blocked.are_needed,
        folder: blocked.folder,
    })
}

/// Reports what rules keep a robot from, at the first of them.
fn report(who: &Robot, closed: &[Closed<'_>], found: &mut Findings) {
    let Some(Closed {
        rule,
        are_needed,
        folder,
        ..
    }) = closed.first()
    else {
        return;
    };
    let severity = if *are_needed {
        Severity::Warning
    } else {
        Severity::Info
    };
    let mut kinds: Vec<&str> = Vec::new();
    for kind in closed.iter().flat_map(|one| &one.kinds) {
        if !kinds.contains(kind) {
            kinds.push(kind);
        }
    }
    let what = enumerated_all(&kinds);
    let others = closed.iter().skip(1).map(|one| one.rule.line.number);
    let others: Vec<u32> = others.collect();
    let here = match others.len() {
        0 => "here".to_owned(),
        _ => format!("here and on {}", enumerated_lines(&others, MAX_LINES)),
    };
    let who = who.row().map_or("search robots", |known| known.token);
    let proven = folder.and_then(ResourceFolder::proven_system);
    let system = folder.and_then(|folder| folder.system);
    let message = match (proven, system) {
        (Some(system), _) => format!(
            "{who} cannot load {what}, and may see a broken page: {system} keeps them in this folder"
        ),
        (None, Some(system)) => format!(
            "if this site is made with {system}, it keeps its {what} {here}: {who} cannot load them, and may see a broken page"
        ),
        (None, None) => format!("{who} cannot load {what}, and may see a broken page"),
    };
    let place = found.say(Some(rule.line.number), File::statement(rule.line), message);
    place.severity(severity);
}

/// Paths of resources of a kind that a rule closes, if other rules allow none of them: `path` is
/// one that its pattern matches, in `folder` if it is about one.
fn paths(path: &str, kind: &ResourceKind, folder: Option<&ResourceFolder>) -> Vec<String> {
    let ending = kind.ending;
    let Some(folder) = folder else {
        let is_one = path.ends_with(ending);
        return vec![if is_one {
            path.to_owned()
        } else {
            format!("{path}x{ending}")
        }];
    };
    // The sample of a folder is a page in it.
    let base = path.strip_suffix("/page").unwrap_or(path);
    let base = base.trim_end_matches('/');
    let places = folder.places_of(kind);
    places
        .map(|place| format!("{base}{place}/x{ending}"))
        .collect()
}

/// The search robot that a group names, or the robots that no group names.
fn search_robot(addressee: &Addressee<'_>) -> Option<Robot> {
    match addressee {
        Addressee::Anybody => Some(Robot::unnamed()),
        Addressee::Token(token) => {
            let known = abide_known_robots::named(token)?;
            known.searches().then(|| Robot::known(known))
        }
        _ => None,
    }
}

/// What a pattern keeps robots from.
struct BlockedResources {
    kinds: &'static [ResourceKind],
    /// Whether pages plainly need them: a folder may hold none that they do.
    are_needed: bool,
    /// The folder that has them, if the pattern is about one.
    folder: Option<&'static ResourceFolder>,
}

/// What a pattern keeps robots from, if it is plainly style sheets or scripts. A folder such as
/// `/scripts/` may hold programs of the server.
fn resources(value: &[u8]) -> Option<BlockedResources> {
    let value = value.to_ascii_lowercase();
    let value = value.strip_suffix(b"$").unwrap_or(&value);
    let value = value.strip_suffix(b"*").unwrap_or(value);
    let folder = value.strip_suffix(b"/").unwrap_or(value);
    // The resources of the whole site, or of one folder, which may hold none that pages need.
    let is_every = |value: &[u8]| {
        matches!(value.split_first(), Some((b'*' | b'/', _)))
            && !value.get(1..).unwrap_or_default().contains(&b'/')
    };
    let of = |kinds, are_needed| {
        Some(BlockedResources {
            kinds,
            are_needed,
            folder: None,
        })
    };
    if value.ends_with(b"*.css") {
        return of(STYLES, is_every(value));
    } else if value.ends_with(b"*.js") {
        return of(SCRIPTS, is_every(value));
    }
    let known = resource_folders::holding(folder)?;
    Some(BlockedResources {
        kinds: known.kinds,
        are_needed: false,
        folder: Some(known),
    })
}
