//! The robots that a file names.

use abide::syntax::{Addressee, FieldKind, Line};
use abide::{ProductToken, Robots};
use abide_known_robots::Robot;
use std::collections::BTreeSet;

/// Every robot that an owner may want to see: `*`, all known robots, and those that the file names.
///
/// ```
/// use abide::Robots;
/// let robots = Robots::parse(b"User-agent: MyOwnBot\nDisallow: /\n");
/// let all = abide_analysis::matrix::every_robot(&robots);
/// assert!(all.iter().any(|robot| robot.name() == "MyOwnBot"));
/// ```
#[must_use]
pub fn every_robot(robots: &Robots) -> Vec<Robot> {
    let mut named = unknown_robots(robots);
    named.sort_by_cached_key(|robot| robot.name().to_ascii_lowercase());
    known_robots().chain(named).collect()
}

/// `*` and all known robots.
pub(super) fn known_robots() -> impl Iterator<Item = Robot> {
    let known = abide_known_robots::all().iter().map(Robot::known);
    std::iter::once(Robot::unnamed()).chain(known)
}

/// The robots that the file names and the table does not have, in the order of the file.
pub(super) fn unknown_robots(robots: &Robots) -> Vec<Robot> {
    let mut seen = BTreeSet::new();
    let lines = robots.lines().iter();
    let names = lines.filter_map(|line| named_robot(robots, line));
    let unknown = names.filter(|name| abide_known_robots::named(name).is_none());
    let robots = unknown.filter_map(|name| {
        let robot = Robot::named(&name).ok()?.with_any_name();
        seen.insert(name.to_ascii_lowercase()).then_some(robot)
    });
    robots.collect()
}

/// The robot that a `User-agent` line names, as robots read it. Known robots come first: one with
/// the name up to the first space, tab or `/`, or with the letters, `-` and `_` at its beginning,
/// which is all that most robots compare. `None` for a line that names every robot or nobody, and
/// for other lines.
///
/// ```
/// use abide::Robots;
/// use abide_analysis::matrix::named_robot;
/// let robots = Robots::parse(b"User-agent: MJ12bot/1.4\nUser-agent: Offline Explorer\n");
/// let names = robots.lines().iter().filter_map(|line| named_robot(&robots, line));
/// let names: Vec<_> = names.collect();
/// assert_eq!(names, ["MJ12bot", "Offline"]);
/// ```
#[must_use]
pub fn named_robot(robots: &Robots, line: &Line) -> Option<String> {
    let field = line.field()?;
    if field.kind != FieldKind::UserAgent || robots.addressee(line) == Some(Addressee::Anybody) {
        return None;
    }
    let value = String::from_utf8_lossy(field.value.of(robots.text().as_bytes()));
    let is_control = |found: char| found.is_ascii_control() && found != '\t';
    if value.contains(is_control) {
        return None;
    }
    let word = value.split([' ', '\t', '/']).next().unwrap_or_default();
    let other = |found: char| !(found.is_ascii_alphabetic() || "-_".contains(found));
    let token = value.split(other).next().unwrap_or_default();
    let is_known = |name: &&str| abide_known_robots::named(name).is_some();
    let known = [word, token].into_iter().find(is_known);
    let name = known.or_else(|| [word, token].into_iter().find(|name| is_name(name)));
    name.map(str::to_owned)
}

/// Whether a robot can have this name. The marks of wildcards, lists and sets are no part of one.
fn is_name(text: &str) -> bool {
    ProductToken::nonstandard(text).is_ok()
        && !text.contains(['*', '>', '(', ','])
        && !text.starts_with('@')
}
