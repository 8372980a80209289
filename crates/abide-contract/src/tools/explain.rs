//! Files as robots read them.

use super::file::optional_file;
use super::lists::at_most;
use super::work::too_much;
use super::{Agents, MAX_ENTRIES, Work, invalid_url};
use crate::circumstances::Circumstances;
use crate::explain::Explanation;
use crate::page::Page;
use crate::request::Body;
use crate::request_error::RequestError;
use abide::{Policy, Profile, Target};
use abide_analysis::preferences;
use abide_analysis::view::{FileView, MAX_PAGES, PageView, Tally};
use abide_known_robots::{Robot, in_file};
use serde::Deserialize;
use std::sync::Arc;

/// How much may be shown: the bytes of the file and [`PER_LINE`] for each of its lines, for each
/// robot. The answer has every line of the file for every robot.
const MAX_SHOWN_BYTES: usize = 64 << 20;
/// About how many bytes of memory a line takes.
const PER_LINE: usize = 100;

/// A file, the robots that read it, and pages, of which there are at most `URLS`.
/// [`Circumstances`] may be beside its members:
///
/// ```
/// use abide_contract::read_within;
/// use abide_contract::tools::{ExplainRequest, Work};
/// let json = br#"{"robots":"","agents":"ExampleBot","urls":["/x"],"purposes":["search"]}"#;
/// let (request, circumstances) = read_within::<ExplainRequest>(json)?;
/// let robots = request.answer(&circumstances, &Work::endless(), |explained| explained.len())?;
/// assert_eq!(robots, 1);
/// # Ok::<(), abide_contract::RequestError>(())
/// ```
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "schema",
    schemars(
        rename = "ExplainBody",
        description = "A file, the robots that read it, and pages. Members of a request of `/v1/decide` that hold for all of them may follow."
    )
)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ExplainRequest<const URLS: usize = MAX_ENTRIES> {
    /// The robots.txt as text.
    pub robots: Option<Body>,
    /// The file in base64, for any bytes.
    pub robots_base64: Option<String>,
    /// The robots that read it.
    pub agents: Agents,
    /// Absolute URLs, or paths. More than eight are counted.
    #[serde(default, deserialize_with = "at_most::<_, _, URLS>")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub urls: Vec<String>,
    /// How to read what the specifications leave open [default: careful]
    #[serde(default)]
    pub profile: Profile,
    /// Whether to leave out what operators document about their robots.
    #[serde(default)]
    pub literal: bool,
}

impl<const URLS: usize> ExplainRequest<URLS> {
    /// Shows the file to each robot.
    ///
    /// # Errors
    /// [`RequestError`] for members that cannot be read, and with
    /// [`TOO_MUCH_WORK`](super::TOO_MUCH_WORK).
    pub fn answer<T>(
        &self,
        circumstances: &Circumstances<'_>,
        work: &Work<'_>,
        write: impl FnOnce(Vec<Explanation<'_>>) -> T,
    ) -> Result<T, RequestError> {
        let robots = self.agents.needed(self.literal)?;
        let body = optional_file(self.robots.as_ref(), self.robots_base64.as_deref(), "")?;
        if let Some(body) = &body {
            check_size(body, robots.len())?;
        }
        let page = circumstances.page()?;
        let policies = self.policies(circumstances, &robots, body.as_ref(), work)?;
        let robots = in_file(&robots, &policies);
        let views = FileView::for_robots(&policies, &robots);
        let readings: Vec<Reading<'_>> = robots.iter().zip(&views).collect();
        if self.urls.len() > MAX_PAGES {
            self.counted(&readings, &page, work, write)
        } else {
            self.in_full(&readings, &page, work, write)
        }
    }

    fn in_full<T>(
        &self,
        readings: &[Reading<'_>],
        page: &Page<'_>,
        work: &Work<'_>,
        write: impl FnOnce(Vec<Explanation<'_>>) -> T,
    ) -> Result<T, RequestError> {
        let targets = self.urls.iter().enumerate();
        let targets: Vec<Target<'_>> = targets
            .map(|(at, url)| target(url, at, page))
            .collect::<Result<_, _>>()?;
        let mut pages: Vec<Vec<PageView<'_>>> = Vec::new();
        for (_, view) in readings {
            work.check()?;
            pages.push(targets.iter().map(|target| view.page(target)).collect());
        }
        let views = readings.iter().zip(&pages).map(|((robot, view), pages)| {
            work.check()?;
            let json = Explanation::new(&robot.name(), view, page.response());
            Ok(json.with_pages(view, pages))
        });
        Ok(write(views.collect::<Result<_, RequestError>>()?))
    }

    fn counted<T>(
        &self,
        readings: &[Reading<'_>],
        page: &Page<'_>,
        work: &Work<'_>,
        write: impl FnOnce(Vec<Explanation<'_>>) -> T,
    ) -> Result<T, RequestError> {
        let mut tallies: Vec<_> = readings.iter().map(|(_, view)| Tally::new(view)).collect();
        for (at, url) in self.urls.iter().enumerate() {
            let target = target(url, at, page)?;
            for ((_, view), tally) in readings.iter().zip(&mut tallies) {
                work.check()?;
                tally.add(&view.page(&target));
            }
        }
        let views = readings.iter().zip(&tallies).map(|((robot, view), tally)| {
            work.check()?;
            let json = Explanation::new(&robot.name(), view, page.response());
            Ok(json.with_tally(tally))
        });
        Ok(write(views.collect::<Result<_, RequestError>>()?))
    }

    /// The policies of the robots. They ask for AI preferences if the request does, or if the file
    /// states any.
    fn policies(
        &self,
        circumstances: &Circumstances<'_>,
        robots: &[Robot],
        body: Option<&Arc<[u8]>>,
        work: &Work<'_>,
    ) -> Result<Vec<Policy>, RequestError> {
        let profile = self.profile;
        let every = circumstances.policy(&Robot::unnamed(), profile, body)?;
        // Without any preference, groups for `*` alone could say something about control tokens.
        let asks = circumstances.ask_preferences() || preferences::are_stated(&every.robots());
        let policies = robots.iter().map(|robot| {
            work.check()?;
            let policy = if asks {
                circumstances.policy_with_preferences(robot, profile, body)
            } else {
                circumstances.policy(robot, profile, body)
            };
            policy.map_err(|error| self.agents.error(robot, error))
        });
        policies.collect()
    }
}

/// A robot, and the file as it reads it.
type Reading<'r> = (&'r Robot, &'r FileView<'r>);

fn target<'t>(url: &'t str, at: usize, page: &'t Page<'_>) -> Result<Target<'t>, RequestError> {
    let target = Target::new(url).map_err(|error| invalid_url(at, error))?;
    Ok(page.target(target))
}

/// Refuses a file that is too long to be shown for so many robots.
fn check_size(body: &[u8], robots: usize) -> Result<(), RequestError> {
    let lines = body.iter().filter(|byte| matches!(byte, b'\n' | b'\r'));
    let size = body.len() + PER_LINE * lines.count();
    let most = (MAX_SHOWN_BYTES / size.max(1)).min(MAX_ENTRIES);
    if robots <= most {
        return Ok(());
    }
    let reason =
        format!("expected at most {most} robots for a file of this size, but found {robots}");
    Err(too_much("/agents", reason)
        .with_remedy("ask about fewer robots at a time, or for a table with POST /v1/table"))
}
