//! What a request is answered with.

use crate::circumstances::Circumstances;
use crate::names::Object;
use crate::request::Request;
use crate::request_error::RequestError;
use crate::text;
use crate::{AnswerOptions, DecisionJson, RetrievalJson};
use abide::preference::Documents;
use abide::rep::Access;
use abide::tag::Response;
use abide::{Client, Policy, Profile, Target};
use abide_known_robots::Robot;
use std::fmt::Write as _;
use std::io;

/// What is known of the site that a request without a robots.txt asks about.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct FetchedRules<'a> {
    /// The current rules, for the client of the request.
    pub policy: &'a Policy,
    /// How they were fetched.
    pub retrieval: &'a RetrievalJson,
    /// The URL that would be requested: the rules are matched against this one.
    pub requested: &'a str,
    /// The page's response: [`Request::response`].
    pub response: &'a Response,
    /// The documents beside robots.txt.
    pub documents: &'a Documents,
}

impl Request<'_> {
    /// Writes the decision to `out`, or an object with `error`, in one line without a line end:
    /// [`crate::write_answer`] for a request that was read.
    ///
    /// # Errors
    /// Errors of `out`; then a part of the answer may be written.
    pub fn write_answer(
        &self,
        mut out: impl io::Write,
        options: AnswerOptions,
    ) -> io::Result<Option<RequestError>> {
        match self.decide(options, |answer| text::write(&mut out, answer)) {
            Ok(written) => written.map(|()| None),
            Err(error) => {
                self.write_error(out, &error, options)?;
                Ok(Some(error))
            }
        }
    }

    /// Decides by what the request says about robots.txt, and passes the decision to `write`.
    /// Returns what that returns.
    ///
    /// Reads the clock if the request has no `now`.
    ///
    /// # Errors
    /// [`RequestError`] for an invalid request.
    pub fn decide<T>(
        &self,
        options: AnswerOptions,
        write: impl FnOnce(&DecisionJson<'_>) -> T,
    ) -> Result<T, RequestError> {
        let robot = self.robot()?;
        let response = self.response(None);
        let documents = self.documents()?.unwrap_or_default();
        let target = self
            .target()?
            .with_response(&response)
            .with_documents(&documents)
            .with_now(self.circumstances.instant());
        let policy = self.compiled(robot.as_ref(), None)?;
        // Finding what is wrong takes memory for a moment: before the evidence takes its own.
        let _ = policy.diagnostics();
        let decision = policy.decide(&target);
        let json = DecisionJson::new(&self.question.url, &policy, &decision);
        let json = self.answered(json, robot.as_ref(), &policy, options);
        Ok(write(&self.noted(json)))
    }

    /// Decides by rules that were fetched, and passes the decision to `write`. Returns what that
    /// returns. What the request says about robots.txt is ignored.
    ///
    /// Reads the clock if the request has no `now`.
    ///
    /// # Errors
    /// [`RequestError`] for an invalid request.
    pub fn decide_by<T>(
        &self,
        rules: FetchedRules<'_>,
        options: AnswerOptions,
        write: impl FnOnce(&DecisionJson<'_>) -> T,
    ) -> Result<T, RequestError> {
        let robot = self.robot()?;
        let policy = rules.policy;
        let target = self
            .target_at(rules.requested, rules.response)?
            .with_documents(rules.documents)
            .with_now(self.circumstances.instant());
        let decision = policy.decide(&target);
        let json = DecisionJson::new(&self.question.url, policy, &decision)
            .with_requested(rules.requested)
            .with_retrieval(Some(rules.retrieval));
        Ok(write(&self.answered(json, robot.as_ref(), policy, options)))
    }

    /// `json` with the id and the robot of this request, and with the usages that are wanted.
    fn answered<'j>(
        &'j self,
        json: DecisionJson<'j>,
        robot: Option<&'j Robot>,
        policy: &Policy,
        options: AnswerOptions,
    ) -> DecisionJson<'j> {
        let json = json.with_id(self.question.id);
        let json = match robot {
            None => json.with_agent(&self.question.agent, policy),
            Some(robot) => json.with_robot(robot, policy),
        };
        if options.is_slim {
            json.without_unmentioned()
        } else {
            json
        }
    }

    /// The client of the request, if its names do not depend on what a robots.txt says; otherwise
    /// [`Request::policy_by`] is needed.
    ///
    /// # Errors
    /// [`RequestError`] for an invalid client.
    pub fn client_of_any_file(&self) -> Result<Option<Client>, RequestError> {
        let Some(robot) = self.robot()? else {
            return self.client().map(Some);
        };
        if self.profile() == Profile::Google || self.has_line() {
            // The first name that has a group counts.
            return Ok(None);
        }
        let policy = robot.try_policy(self.profile(), |client| {
            let client = self.described(client.clone())?;
            Ok::<_, RequestError>(Policy::without_rules(Access::Unknown, &client))
        });
        match policy {
            Ok(policy) => Ok(Some(policy.client().clone())),
            // The name may be in the file.
            Err(error) if error.robot_error().is_some() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Compiles the rules of a site for the client of the request: `compile` reads them for a
    /// client.
    ///
    /// # Errors
    /// [`RequestError`] for an invalid client.
    pub fn policy_by(&self, compile: impl Fn(&Client) -> Policy) -> Result<Policy, RequestError> {
        match self.robot()? {
            None => Ok(compile(&self.client()?)),
            Some(robot) => robot.try_policy(self.profile(), |client| {
                Ok(compile(&self.described(client.clone())?))
            }),
        }
    }

    /// What is asked about `requested`, the URL that would be requested: with what the client
    /// remembers about it, and the page's response.
    ///
    /// # Errors
    /// [`RequestError`] for a URL that is not absolute.
    pub fn target_at<'t>(
        &self,
        requested: &'t str,
        response: &'t Response,
    ) -> Result<Target<'t>, RequestError> {
        let target = Target::new(requested);
        let target = target.map_err(RequestError::invalid_url)?;
        let target = target.with_history(self.circumstances.history());
        if target.is_absolute() {
            Ok(target.with_response(response))
        } else {
            Err(RequestError::relative_url())
        }
    }

    /// Writes the answer to this request if it cannot be answered: one line of JSON without a line
    /// end.
    ///
    /// # Errors
    /// Errors of `out`.
    pub fn write_error(
        &self,
        out: impl io::Write,
        error: &RequestError,
        options: AnswerOptions,
    ) -> io::Result<()> {
        error.write(out, self.question.id, options.input_line)
    }

    /// Text that is the same for two requests only if these describe the same client.
    ///
    /// # Errors
    /// [`RequestError`] for invalid preferences.
    pub fn client_key(&self) -> Result<String, RequestError> {
        self.check_names()?;
        let (question, circumstances) = (&self.question, &self.circumstances);
        // Each name with its length, so that no two lists have the same text.
        let mut key = String::new();
        for name in question.agent.iter() {
            let _ = write!(key, "{}:{name}", name.len());
        }
        key.push_str(match (self.profile(), circumstances.nonstandard_token) {
            (Profile::Google, false) => "\0g",
            (Profile::Google, true) => "\0gn",
            (_, false) => "\0c",
            (_, true) => "\0cn",
        });
        if question.known_robots {
            key.push('k');
        }
        if let Some(bytes) = question.robots_limit {
            let _ = write!(key, "\0{bytes}");
        }
        let Circumstances {
            purposes,
            applications,
            acap,
            preferences,
            readings,
            registry,
            ..
        } = circumstances;
        if let Some(registry) = registry {
            let _ = write!(key, "\0registry {:?}", registry.given);
        }
        if !purposes.is_empty() || !applications.is_empty() || acap.is_some() {
            let _ = write!(key, "\0{purposes:?}{applications:?}{acap:?}");
        }
        if !readings.is_empty() {
            let _ = write!(key, "\0readings {readings:?}");
        }
        if let Some(Object(preferences)) = preferences {
            let own = if self.has_line() {
                Client::unnamed()
            } else {
                self.client()?
            };
            let profile = preferences.profile(own.product_tokens(), question.known_robots)?;
            let _ = write!(key, "\0{profile:?}");
        }
        Ok(key)
    }
}
