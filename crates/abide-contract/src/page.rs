//! What a tool is asked about pages, whatever their URLs: by the members of a request that hold for
//! all of them.

use crate::circumstances::Circumstances;
use crate::request_error::RequestError;
use abide::preference::Documents;
use abide::tag::Response;
use abide::{Client, Moment, Policy, Profile, Target};
use abide_analysis::preferences;
use abide_known_robots::Robot;
use std::borrow::Cow;
use std::sync::Arc;

impl Circumstances<'_> {
    /// Whether anything is asked that only matters with AI preferences, or that may state some: the
    /// member `preferences`, or a response.
    #[must_use]
    pub fn ask_preferences(&self) -> bool {
        self.preferences.is_some()
            || !self.headers.is_empty()
            || self.html.is_some()
            || self.rendered_html.is_some()
    }

    /// The policy of `body`, or of the status or failure in its place, for a robot.
    ///
    /// ```
    /// use abide::{Policy, Profile};
    /// use abide_known_robots::Robot;
    /// #[derive(serde::Deserialize)]
    /// #[serde(deny_unknown_fields)]
    /// struct Nothing {}
    /// let json = br#"{"purposes":["ExampleSearch"]}"#;
    /// let (Nothing {}, circumstances) = abide_contract::read_within(json)?;
    /// let file = b"User-Agent-Purpose: ExampleSearch\nDisallow: /\n";
    /// let robot = Robot::named("ExampleBot")?;
    /// let policy = circumstances.policy(&robot, Profile::Careful, Some(&file[..].into()))?;
    /// assert!(!policy.allows("/x"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`RequestError`] for a name that no robot can have, and for members that cannot be read.
    pub fn policy(
        &self,
        robot: &Robot,
        profile: Profile,
        body: Option<&Arc<[u8]>>,
    ) -> Result<Policy, RequestError> {
        self.policy_asking(robot, profile, body, &|client| client)
    }

    /// Like [`Circumstances::policy`], for a robot that asks for AI preferences even if the request
    /// does not.
    ///
    /// # Errors
    /// [`RequestError`] for a name that no robot can have, and for members that cannot be read.
    pub fn policy_with_preferences(
        &self,
        robot: &Robot,
        profile: Profile,
        body: Option<&Arc<[u8]>>,
    ) -> Result<Policy, RequestError> {
        self.policy_asking(robot, profile, body, &|client| {
            preferences::with_all_preferences(&client)
        })
    }

    fn policy_asking(
        &self,
        robot: &Robot,
        profile: Profile,
        body: Option<&Arc<[u8]>>,
        asking: &dyn Fn(Client) -> Client,
    ) -> Result<Policy, RequestError> {
        let robot = if self.nonstandard_token {
            Cow::Owned(robot.clone().with_any_name())
        } else {
            Cow::Borrowed(robot)
        };
        robot.try_policy(profile, |client| {
            let client = self.described(client.clone(), profile, true)?;
            self.compiled(body, &asking(client))
        })
    }

    /// What is said about the page. Reads the clock if there is no `now`.
    ///
    /// # Errors
    /// [`RequestError`] for documents that cannot be read.
    pub fn page(&self) -> Result<Page<'_>, RequestError> {
        Ok(Page {
            circumstances: self,
            response: self.response(None),
            documents: self.documents()?.unwrap_or_default(),
            now: self.instant(),
        })
    }
}

/// What a tool is asked about pages, whatever their URLs.
#[derive(Debug)]
pub struct Page<'o> {
    circumstances: &'o Circumstances<'o>,
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

    /// The target, with everything that the request says about it.
    #[must_use]
    pub fn target<'t>(&'t self, target: Target<'t>) -> Target<'t> {
        target
            .with_history(self.circumstances.history())
            .with_response(&self.response)
            .with_documents(&self.documents)
            .with_now(self.now)
    }
}
