//! Comparisons of two files.

use super::agents::unknown_robot;
use super::file::file;
use super::lists::at_most_if_any;
use super::{Agents, MAX_ENTRIES, Work, invalid_url};
use crate::codes;
use crate::diff::Diff;
use crate::names::Object;
use crate::purposes::Purposes;
use crate::request::Body;
use crate::request_error::RequestError;
use crate::room::Room;
use abide::{Robots, Target};
use abide_analysis::Bound;
use abide_analysis::compare::{self, ChangedUrls, Review};
use serde::Deserialize;
use std::sync::Arc;

/// Two files, and the robots to compare for. At most `URLS` are looked up.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "DiffRequest"))]
#[cfg_attr(
    feature = "schema",
    schemars(description = "Two files, and the robots to compare for.")
)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct DiffRequest<const URLS: usize = MAX_ENTRIES> {
    /// The old file.
    pub before: Object<Side>,
    /// The new file.
    pub after: Object<Side>,
    /// Robots to compare for [default: every robot that either file names, one that neither names,
    /// and known robots that follow other groups]
    #[serde(default)]
    pub agents: Agents,
    /// Purposes that the robots claim, as `User-Agent-Purpose` lines name them.
    #[serde(default)]
    pub purposes: Purposes,
    /// Whether to leave out what operators document about their robots.
    #[serde(default)]
    pub literal: bool,
    /// URLs, or paths, to look for changes.
    #[serde(deserialize_with = "at_most_if_any::<_, _, URLS>", default)]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub urls: Option<Vec<String>>,
    /// Whether the answer may be longer than 20 times the files.
    #[serde(default)]
    pub all: bool,
}

/// A file: given, or that of a site.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Side {
    /// The robots.txt as text.
    pub robots: Option<Body>,
    /// The file in base64, for any bytes.
    pub robots_base64: Option<String>,
    /// The name of the file in the answer [default: before, after]
    pub file: Option<String>,
    /// A URL of the site whose robots.txt is fetched.
    pub url: Option<String>,
}

/// A file with its name.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct NamedFile {
    /// Its name in the answer.
    pub name: String,
    /// What it has.
    pub bytes: Arc<[u8]>,
}

impl Side {
    /// The file, which is the `member` of the request. `None` for one that has to be fetched.
    ///
    /// # Errors
    /// [`RequestError`] for no file, for a file and a URL, and for what is no base64.
    pub fn given(&self, member: &'static str) -> Result<Option<NamedFile>, RequestError> {
        let object = format!("/{member}");
        if self.url.is_none() {
            return Ok(Some(NamedFile {
                bytes: file(self.robots.as_ref(), self.robots_base64.as_deref(), &object)?,
                name: self.file.clone().unwrap_or_else(|| member.to_owned()),
            }));
        }
        if self.robots.is_some() || self.robots_base64.is_some() {
            let reason = "expected a file or \"url\", but found both";
            let error = RequestError::new(codes::INVALID_ROBOTS, object, reason);
            return Err(error.with_remedy("leave one of them out"));
        }
        Ok(None)
    }
}

impl<const URLS: usize> DiffRequest<URLS> {
    /// Compares the files of the request, neither of which has to be fetched.
    ///
    /// # Errors
    /// [`RequestError`] for a side that is no file, and where [`answer`](Self::answer) has one.
    pub fn answer_given<T>(
        &self,
        work: &Work<'_>,
        write: impl FnOnce(&Diff<'_>) -> T,
    ) -> Result<T, RequestError> {
        let given = |Object(side): &Object<Side>, member| {
            side.given(member)?.ok_or_else(|| {
                let reason = "expected a file, but found a URL, which nothing fetches here";
                RequestError::new(codes::INVALID_ROBOTS, format!("/{member}/url"), reason)
            })
        };
        let files = [given(&self.before, "before")?, given(&self.after, "after")?];
        self.answer(&files, work, write)
    }

    /// Compares the files, which are [given](Side::given) or were fetched.
    ///
    /// # Errors
    /// [`RequestError`] for members that cannot be read, and with
    /// [`TOO_MUCH_WORK`](super::TOO_MUCH_WORK).
    pub fn answer<T>(
        &self,
        [before, after]: &[NamedFile; 2],
        work: &Work<'_>,
        write: impl FnOnce(&Diff<'_>) -> T,
    ) -> Result<T, RequestError> {
        let purposes = self.purposes.tokens(None)?;
        let robots = self.agents.robots(self.literal)?;
        let [old, new] = [before, after].map(|side| Robots::parse(&side.bytes));
        let clients = compare::clients_named(&robots, self.literal, &old, &new)
            .map_err(|error| unknown_robot("/agents", &error))?;
        let clients = compare::claiming(clients, &purposes);
        let (bound, goes_on) = (Bound::default(), || work.goes_on());
        let differences = compare::files_while(&old, &new, &clients, bound, &goes_on);
        let differences = work.whole(differences)?;
        let is_everyone = robots.is_empty() && purposes.is_empty();
        let review = Review::new_while(&old, &new, &differences, is_everyone, bound, &goes_on);
        let review = work.whole(review)?;
        let mut changed = ChangedUrls::new(&old, &new, &differences);
        for (at, url) in self.urls.iter().flatten().enumerate() {
            work.check()?;
            changed.add(&Target::new(url).map_err(|error| invalid_url(at, error))?);
        }
        let changed = self.urls.is_some().then_some(changed);
        let diff = Diff::new(&before.name, &after.name, differences, review, changed);
        let bytes = before.bytes.len() + after.bytes.len();
        Ok(write(&if self.all {
            diff
        } else {
            diff.within(Room::for_bytes(bytes))
        }))
    }
}
