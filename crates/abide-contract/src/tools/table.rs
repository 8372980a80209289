//! Which URLs which robots may have, thousands at a time.

use super::file::optional_file;
use super::lists::at_most;
use super::work::too_much;
use super::{Agents, Work};
use crate::Versioned;
use crate::circumstances::Circumstances;
use crate::codes;
use crate::request::Body;
use crate::request_error::RequestError;
use crate::table::{TableUrl, UrlError, UrlTable};
use abide::{Named, Profile, Target, Usage};
use abide_analysis::table::{Table, TableRobot, missing_scheme};
use serde::Deserialize;
use std::sync::LazyLock;

/// The largest number of URLs.
const MAX_URLS: usize = 20_000;
/// The largest number of cells.
const MAX_CELLS: usize = 2_000_000;
/// How many bytes are read at most: those of the file, for each robot and profile.
const MAX_READ_BYTES: usize = 512 << 20;

/// What to do about a usage that nothing has.
static NAME_USAGE: LazyLock<String> = LazyLock::new(|| format!("write one of {}", Usage::listed()));

/// A file, robots and URLs. [`Circumstances`] may be beside its members.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "schema",
    schemars(
        rename = "TableBody",
        description = "A file, robots and URLs. Members of a request of `/v1/decide` that hold for all of them may follow."
    )
)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TableRequest {
    /// The robots.txt as text.
    pub robots: Option<Body>,
    /// The file in base64, for any bytes.
    pub robots_base64: Option<String>,
    /// The robots: one column each.
    pub agents: Agents,
    /// Absolute URLs, or paths: one row each.
    #[serde(deserialize_with = "at_most::<_, _, MAX_URLS>")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub urls: Vec<String>,
    /// How to read what the specifications leave open: one profile, or two to see where they differ
    /// [default: careful]
    #[serde(default = "careful", deserialize_with = "at_most::<_, _, 2>")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Profile>"))]
    pub profiles: Vec<Profile>,
    /// The usage to answer for [default: crawl]
    pub usage: Option<String>,
    /// Whether to leave out what operators document about their robots.
    #[serde(default)]
    pub literal: bool,
}

fn careful() -> Vec<Profile> {
    vec![Profile::default()]
}

impl TableRequest {
    /// Answers about each URL for each robot. `as_sent` says what clients send for a URL, if that
    /// is another one.
    ///
    /// # Errors
    /// [`RequestError`] for members that cannot be read, and with
    /// [`TOO_MUCH_WORK`](super::TOO_MUCH_WORK).
    pub fn answer<T>(
        &self,
        circumstances: &Circumstances<'_>,
        as_sent: fn(&Target<'_>) -> Option<String>,
        work: &Work<'_>,
        write: impl FnOnce(&Versioned<UrlTable<'_>>) -> T,
    ) -> Result<T, RequestError> {
        let robots = self.agents.needed(self.literal)?;
        let body = optional_file(self.robots.as_ref(), self.robots_base64.as_deref(), "")?;
        let profiles = profiles(&self.profiles);
        let [first, others @ ..] = &profiles[..] else {
            let reason = "expected careful, google or both, but found an empty list";
            let error = RequestError::new(codes::INVALID_REQUEST, "/profiles", reason);
            return Err(error.with_remedy("name a profile, or leave the member out"));
        };
        let usage = usage(self.usage.as_deref())?;
        let read = body.as_ref().map_or(0, |body| body.len());
        check_size(read * profiles.len(), robots.len(), self.urls.len())?;
        let page = circumstances.page()?;
        let mut table_robots = Vec::new();
        for robot in &robots {
            work.check()?;
            let policy = |profile: &Profile| {
                let profile = *profile;
                let policy = if Usage::PREFERENCES.contains(&usage) {
                    circumstances.policy_with_preferences(robot, profile, body.as_ref())
                } else {
                    circumstances.policy(robot, profile, body.as_ref())
                };
                policy.map_err(|error| self.agents.error(robot, error))
            };
            let first = policy(first)?;
            let second = others.first().map(policy).transpose()?;
            table_robots.push(TableRobot::new(first, second));
        }
        let urls = self.urls.iter().map(|url| table_url(url, as_sent));
        let urls: Vec<TableUrl<'_>> = urls.collect();
        let readable = urls.iter().filter(|url| url.error.is_none());
        let targets = readable.filter_map(|url| {
            let judged = url.requested.as_deref().unwrap_or(url.url.trim());
            Target::new(judged).ok().map(|target| page.target(target))
        });
        let targets: Vec<Target<'_>> = targets.collect();
        let table = Table::of_while(&table_robots, &targets, usage, || work.goes_on());
        let table = work.whole(table)?;
        let robots = robots.iter().zip(&table_robots);
        Ok(write(&UrlTable::new(
            &profiles, usage, robots, &urls, &table,
        )))
    }
}

/// What a URL of the request is, and what clients send for it.
fn table_url(url: &str, as_sent: fn(&Target<'_>) -> Option<String>) -> TableUrl<'_> {
    let typed = url.trim();
    let (requested, error) = match Target::new(typed) {
        Ok(target) => (as_sent(&target), None),
        Err(error) => {
            let message = missing_scheme(typed).unwrap_or_else(|| error.to_string());
            let code = codes::INVALID_URL;
            (None, Some(UrlError { code, message }))
        }
    };
    // What clients send can be read: they made it.
    let requested = requested.filter(|url| Target::new(url).is_ok());
    TableUrl {
        url,
        requested,
        error,
    }
}

/// Each profile once.
fn profiles(names: &[Profile]) -> Vec<Profile> {
    let mut profiles: Vec<Profile> = Vec::new();
    for profile in names.iter().copied() {
        if !profiles.contains(&profile) {
            profiles.push(profile);
        }
    }
    profiles
}

fn usage(name: Option<&str>) -> Result<Usage, RequestError> {
    Usage::by_name(name.unwrap_or("crawl")).ok_or_else(|| {
        let reason = "there is no such usage";
        RequestError::new(codes::INVALID_REQUEST, "/usage", reason).with_remedy(&NAME_USAGE)
    })
}

/// Refuses more than can be answered at once.
fn check_size(read: usize, robots: usize, urls: usize) -> Result<(), RequestError> {
    let cells = robots.saturating_mul(urls);
    if cells > MAX_CELLS {
        let reason = format!(
            "expected at most {MAX_CELLS} cells, but {urls} URLs for {robots} robots are {cells}"
        );
        return Err(too_much("/urls", reason).naming(""));
    }
    let most = MAX_READ_BYTES / read.max(1);
    if robots > most {
        let reason =
            format!("expected at most {most} robots for a file of this size, but found {robots}");
        return Err(too_much("/agents", reason));
    }
    Ok(())
}
