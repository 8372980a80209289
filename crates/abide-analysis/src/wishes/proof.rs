//! Reads a file back, and checks the wishes robot by robot.

use super::error::WishError;
use super::plan::{ClosedRobot, Plan, comes_by_name};
use crate::bound::Bound;
use crate::compare::has_own_group;
use crate::matrix::{Matrix, MatrixSettings, RobotAccess, Row};
use abide::explain::{visible, visible_url};
use abide::{Profile, Robots};
use abide_known_robots::Robot;
use std::collections::BTreeMap;

/// What a file was proved to do.
#[derive(Debug, Default)]
pub(super) struct Proof {
    /// The number of robots that the file names to close the site to them.
    pub(super) closed: usize,
    /// The number of robots that were wished to be let in.
    pub(super) kept: usize,
    /// What the file does besides, in sentences.
    pub(super) side_effects: Vec<String>,
}

/// The proof that `text` keeps the wishes of `plan`.
pub(super) fn of(plan: &Plan<'_>, text: &str) -> Result<Proof, WishError> {
    let file = Robots::parse(text);
    let matrix = every_robot(plan, &file)?;
    let rows: BTreeMap<&str, &Row> = matrix
        .sections
        .iter()
        .flat_map(|section| &section.rows)
        .map(|row| (row.name.as_str(), row))
        .collect();
    let mut failures = Vec::new();
    let access = |name: &str| rows.get(name).filter(|row| row.is_proven);
    for closing in &plan.closings {
        for robot in &closing.robots {
            let row = access(&robot.name);
            if let Some(why) = why_open(robot, row.copied()) {
                failures.push(format!(
                    "{} is not kept: {why}",
                    visible(closing.wish.as_bytes())
                ));
            }
        }
    }
    for row in &plan.kept {
        let is_let_in = access(row.token).is_some_and(|row| row.access == RobotAccess::Allowed);
        // The matrix says what the lines allow, and not that such a robot does not come.
        let comes = !comes_by_name(row) || {
            let policy =
                Robot::known(row).policy(Profile::Careful, |client| file.policy(client))?;
            has_own_group(&policy)
        };
        if !is_let_in || !comes {
            failures.push(format!(
                "keep-search is not kept: {} is not let in",
                row.token
            ));
        }
    }
    for (name, row) in &rows {
        let is_deaf = row.follows_robots_txt == Some(false);
        if plan.wishes.staging && !is_deaf && row.access != RobotAccess::Closed {
            failures.push(format!(
                "staging is not kept: {} may crawl",
                visible(name.as_bytes())
            ));
        }
    }
    check_lines(plan, &file, &mut failures)?;
    if !failures.is_empty() {
        return Err(WishError::NotKept(failures));
    }
    Ok(Proof {
        closed: plan.closed().count(),
        kept: plan.kept.len(),
        side_effects: side_effects(plan, &rows),
    })
}

/// The answers for all known robots and those that the plan names.
fn every_robot(plan: &Plan<'_>, file: &Robots) -> Result<Matrix, WishError> {
    let robots = crate::matrix::every_robot(file);
    let settings = MatrixSettings::default();
    let named = plan.closed().filter(|robot| robot.row.is_none());
    let mut all = robots;
    for robot in named {
        let robot = Robot::named(&robot.name)?;
        if !all.contains(&robot) && !all.contains(&robot.clone().with_any_name()) {
            all.push(robot);
        }
    }
    Ok(Matrix::of(file, &all, &settings, Bound::default())?)
}

/// Why the site is not closed to a robot; `None` if it is.
fn why_open(robot: &ClosedRobot, row: Option<&Row>) -> Option<String> {
    let name = visible(robot.name.as_bytes());
    match row {
        Some(row) if row.follows_robots_txt == Some(false) => {
            Some(format!("{name} does not follow robots.txt"))
        }
        Some(row) if row.access == RobotAccess::Closed => None,
        _ => Some(format!("{name} may still crawl")),
    }
}

/// Checks the lines that no matrix shows.
fn check_lines(
    plan: &Plan<'_>,
    file: &Robots,
    failures: &mut Vec<String>,
) -> Result<(), WishError> {
    let sitemaps: Vec<&[u8]> = file.sitemaps().map(|(_, url)| url).collect();
    for url in &plan.wishes.sitemaps {
        if !sitemaps.contains(&url.as_bytes()) {
            let url = visible_url(url);
            failures.push(format!(
                "sitemap is not kept: robots read another URL than {url}"
            ));
        }
    }
    let Some(seconds) = plan.wishes.delay else {
        return Ok(());
    };
    let honour = abide_known_robots::all().iter();
    let honour = honour.filter(|row| row.honours_crawl_delay == Some(true));
    let honour = honour.filter(|row| !plan.closed().any(|closed| closed.name == row.token));
    for robot in honour.map(Robot::known).chain([Robot::unnamed()]) {
        let policy = robot.policy(Profile::Careful, |client| file.policy(client))?;
        let delay = policy.crawl_delay().map(|(delay, _)| delay.duration());
        let is_closed = !policy.allows("/");
        if !is_closed && delay.is_none_or(|delay| delay.as_secs() != u64::from(seconds)) {
            failures.push(format!(
                "delay is not kept: {robot} is asked for another one"
            ));
        }
    }
    Ok(())
}

/// Robots that no wish closes the site to, but that follow the group of one that is closed, in
/// sentences.
fn side_effects(plan: &Plan<'_>, rows: &BTreeMap<&str, &Row>) -> Vec<String> {
    let is_closed = |name: &str| plan.closed().any(|closed| closed.name == name);
    let others = rows.values().filter(|row| {
        let known = abide_known_robots::named(&row.name);
        let follows = known.is_some_and(|known| {
            let mut others = known.falls_back_to.iter();
            others.any(|name| is_closed(name))
        });
        follows && row.access != RobotAccess::Allowed && !is_closed(&row.name)
    });
    let others = others.filter_map(|row| row.documented.first());
    others
        .map(|why| format!("Another robot is closed out too: {why}."))
        .collect()
}
