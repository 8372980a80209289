//! A file as robots read it.

use super::{Answer, Files, robots};
use abide::{Policy, Profile, Target};
use abide_analysis::preferences;
use abide_analysis::view::{FileView, MAX_PAGES, PageView, Tally};
use abide_contract::explain::Explanation;
use abide_contract::{Circumstances, Page, RequestError, codes, read_within};
use abide_known_robots::{Robot, in_file};
use serde::Deserialize;
use std::sync::Arc;

/// The robots that read the file, and pages. Circumstances may follow.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExplainRequest {
    agents: Vec<String>,
    /// Absolute URLs, or paths. More than eight are counted.
    #[serde(default)]
    urls: Vec<String>,
    #[serde(default)]
    profile: Profile,
    #[serde(default)]
    literal: bool,
}

pub(super) fn explain(request: &[u8], [file, _]: Files<'_>) -> Result<Answer, RequestError> {
    let (request, circumstances) = read_within::<ExplainRequest>(request)?;
    let body: Option<Arc<[u8]>> = file.map(Into::into);
    let robots = robots(&request.agents, request.literal)?;
    let page = circumstances.page()?;
    let policies = policies(&circumstances, &robots, request.profile, body.as_ref())?;
    let robots = in_file(&robots, &policies);
    let views = FileView::for_robots(&policies, &robots);
    let readings: Vec<_> = robots.iter().zip(&views).collect();
    let mut targets = Vec::new();
    for (at, url) in request.urls.iter().enumerate() {
        targets.push(target(url, at, &page)?);
    }
    Ok(if targets.len() > MAX_PAGES {
        counted(&readings, &page, &targets)
    } else {
        in_full(&readings, &page, &targets)
    })
}

fn in_full(
    readings: &[(&Robot, &FileView<'_>)],
    page: &Page<'_>,
    targets: &[Target<'_>],
) -> Answer {
    let pages = readings.iter().map(|(_, view)| {
        let pages = targets.iter().map(|target| view.page(target));
        pages.collect()
    });
    let pages: Vec<Vec<PageView<'_>>> = pages.collect();
    let views = readings.iter().zip(&pages).map(|((robot, view), pages)| {
        Explanation::new(&robot.name(), view, page.response()).with_pages(view, pages)
    });
    Answer::of(&views.collect::<Vec<_>>())
}

fn counted(
    readings: &[(&Robot, &FileView<'_>)],
    page: &Page<'_>,
    targets: &[Target<'_>],
) -> Answer {
    let tally = |view: &FileView<'_>| {
        let mut tally = Tally::new(view);
        for target in targets {
            tally.add(&view.page(target));
        }
        tally
    };
    let tallies: Vec<_> = readings.iter().map(|(_, view)| tally(view)).collect();
    let views = readings.iter().zip(&tallies).map(|((robot, view), tally)| {
        Explanation::new(&robot.name(), view, page.response()).with_tally(tally)
    });
    Answer::of(&views.collect::<Vec<_>>())
}

/// The policies of the robots. They ask for AI preferences if the request does, or if the file
/// states any.
fn policies(
    circumstances: &Circumstances<'_>,
    robots: &[Robot],
    profile: Profile,
    body: Option<&Arc<[u8]>>,
) -> Result<Vec<Policy>, RequestError> {
    let every = circumstances.policy(&Robot::unnamed(), profile, body)?;
    let asks = circumstances.ask_preferences() || preferences::are_stated(&every.robots());
    let policies = robots.iter().map(|robot| {
        if asks {
            circumstances.policy_with_preferences(robot, profile, body)
        } else {
            circumstances.policy(robot, profile, body)
        }
    });
    policies.collect()
}

fn target<'t>(url: &'t str, at: usize, page: &'t Page<'_>) -> Result<Target<'t>, RequestError> {
    let target = Target::new(url);
    let target =
        target.map_err(|error| RequestError::new(codes::INVALID_URL, format!("/urls/{at}"), error));
    target.map(|target| page.target(target))
}
