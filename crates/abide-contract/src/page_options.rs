//! What a tool is asked beside robots and URLs: the members of a request that hold for all of them.

use crate::instant::Instant;
use crate::names::{Distinct, Members, Names, Object};
use crate::redirect::Status;
use crate::request::{
    Acap, ProfileName, Reference, Request, RequestError, RequestedApplication, Version,
};
use abide::preference::Documents;
use abide::tag::Response;
use abide::{Client, Moment, Policy, Profile, Target};
use abide_known_robots::Robot;
use abide_lint::preferences;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::sync::Arc;

/// Members of a [request](crate) that hold for every robot and every URL that a tool is asked
/// about. They are read as strictly as in a request.
///
/// ```
/// use abide::{Policy, Profile};
/// use abide_contract::PageOptions;
/// use abide_known_robots::Robot;
/// let options: PageOptions<'_> = serde_json::from_str(r#"{"purposes":["ExampleSearch"]}"#)?;
/// let file = b"User-Agent-Purpose: ExampleSearch\nDisallow: /\n";
/// let robot = Robot::named("ExampleBot")?;
/// let policy = options.policy(&robot, Profile::Careful, Some(&file[..].into()))?;
/// assert!(!policy.allows("/x"));
/// assert!(serde_json::from_str::<PageOptions<'_>>(r#"{"purpose":[]}"#).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PageOptions<'a>(Request<'a>);

impl PageOptions<'_> {
    /// The names of the members.
    pub const MEMBERS: [&'static str; 16] = [
        "purposes",
        "applications",
        "acap",
        "references",
        "headers",
        "html",
        "rendered_html",
        "now",
        "first_indexed",
        "first_copied",
        "version",
        "nonstandard_token",
        "preferences",
        "robots_status",
        "robots_location",
        "robots_error",
    ];
}

/// The members, with the types that they have in a request.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given<'a> {
    #[serde(default)]
    purposes: Names,
    #[serde(default)]
    applications: Distinct<RequestedApplication>,
    #[serde(default)]
    acap: Option<Object<Acap>>,
    #[serde(default)]
    references: Members<Reference>,
    #[serde(default)]
    headers: Vec<(String, String)>,
    #[serde(borrow, default)]
    html: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    rendered_html: Option<Cow<'a, str>>,
    #[serde(default)]
    now: Option<Instant>,
    #[serde(default)]
    first_indexed: Option<Instant>,
    #[serde(default)]
    first_copied: Option<Instant>,
    #[serde(default)]
    version: Version,
    #[serde(default)]
    nonstandard_token: bool,
    #[serde(borrow, default)]
    preferences: Option<&'a RawValue>,
    #[serde(default)]
    robots_status: Option<Status>,
    #[serde(borrow, default)]
    robots_location: Option<Cow<'a, str>>,
    #[serde(default)]
    robots_error: Option<String>,
}

impl<'de: 'a, 'a> Deserialize<'de> for PageOptions<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let given = Given::deserialize(deserializer)?;
        Ok(Self(Request {
            id: None,
            url: Cow::Borrowed("/"),
            agent: crate::names::OneOrMany::default(),
            purposes: given.purposes,
            applications: given.applications,
            acap: given.acap,
            robots: None,
            robots_base64: None,
            robots_status: given.robots_status,
            robots_location: given.robots_location,
            robots_limit: None,
            robots_error: given.robots_error,
            references: given.references,
            headers: given.headers,
            html: given.html,
            rendered_html: given.rendered_html,
            now: given.now,
            first_indexed: given.first_indexed,
            first_copied: given.first_copied,
            version: given.version,
            nonstandard_token: given.nonstandard_token,
            profile: ProfileName::default(),
            known_robots: true,
            preferences: given.preferences,
        }))
    }
}

impl PageOptions<'_> {
    /// Whether anything is asked that only matters with AI preferences, or that may state some: the
    /// member `preferences`, or a response.
    #[must_use]
    pub fn ask_preferences(&self) -> bool {
        let request = &self.0;
        request.preferences.is_some()
            || !request.headers.is_empty()
            || request.html.is_some()
            || request.rendered_html.is_some()
    }

    /// The policy of `body`, or of the status or failure in its place, for a robot.
    ///
    /// # Errors
    /// [`RequestError`] for a name that no robot can have, and for members that cannot be read.
    pub fn policy(
        &self,
        robot: &Robot,
        profile: Profile,
        body: Option<&Arc<[u8]>>,
    ) -> Result<Policy, RequestError> {
        self.compiled(robot, profile, body, &|client| client)
    }

    /// Like [`PageOptions::policy`], for a robot that asks for AI preferences even if the
    /// options do not.
    ///
    /// # Errors
    /// Those of [`PageOptions::policy`].
    pub fn policy_with_preferences(
        &self,
        robot: &Robot,
        profile: Profile,
        body: Option<&Arc<[u8]>>,
    ) -> Result<Policy, RequestError> {
        self.compiled(robot, profile, body, &|client| preferences::asked(&client))
    }

    fn compiled(
        &self,
        robot: &Robot,
        profile: Profile,
        body: Option<&Arc<[u8]>>,
        asking: &dyn Fn(Client) -> Client,
    ) -> Result<Policy, RequestError> {
        let any_name = self.0.nonstandard_token;
        let robot = if any_name {
            Cow::Owned(robot.clone().with_any_name())
        } else {
            Cow::Borrowed(robot)
        };
        robot.try_policy(profile, |client| {
            let client = asking(self.0.described(client.clone())?);
            self.0.policy(body, &client)
        })
    }

    /// What the options say about the page. Reads the clock if they have no `now`.
    ///
    /// # Errors
    /// [`RequestError`] for documents that cannot be read.
    pub fn page(&self) -> Result<Page<'_>, RequestError> {
        Ok(Page {
            options: self,
            response: self.0.response(None),
            documents: self.0.documents()?.unwrap_or_default(),
            now: self.0.instant(),
        })
    }
}

/// What a tool is asked about pages, whatever their URLs.
#[derive(Debug)]
pub struct Page<'o> {
    options: &'o PageOptions<'o>,
    response: Response,
    documents: Documents,
    now: Moment,
}

impl Page<'_> {
    /// The response.
    #[must_use]
    pub fn response(&self) -> &Response {
        &self.response
    }

    /// The target, with everything that the options say about it.
    #[must_use]
    pub fn target<'t>(&'t self, target: Target<'t>) -> Target<'t> {
        let target = self.options.0.remembered(target);
        target
            .with_response(&self.response)
            .with_documents(&self.documents)
            .with_now(self.now)
    }
}
