//! Requests as JSON.

use crate::DecisionJson;
use crate::error::ErrorJson;
use crate::instant::Instant;
use crate::json_error::JsonError;
use crate::names::{Distinct, LongName, MAX_ID, MAX_NAME, MAX_USER_AGENT};
use crate::names::{Members, Names, Object, OneOrMany};
use crate::preferences::PreferencesRequest;
use crate::redirect::{self, Status, StatusError};
use crate::text;
use abide::acap::{AcapMode, AcapProfile, FetchedReference, Qualifier};
use abide::preference::Documents;
use abide::rep::Access;
use abide::tag::{FieldLine, Response};
use abide::verdict::Note;
use abide::{
    Client, ClientError, ClientNames, Limits, Moment, Policy, ProductToken, Profile, PurposeToken,
    Target,
};
use abide_known_robots::{Robot, RobotError, is_user_agent_line};
use base64::{DecodeError, Engine};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Unexpected, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::io;
use std::sync::Arc;
use thiserror::Error;

/// A request that was read. An unknown field is an error, because a misspelt one would silently
/// change the answer. For programs that find the rules of a site themselves;
/// [`crate::write_answer`] is simpler.
///
/// ```
/// use abide_contract::{AnswerOptions, Request};
/// let request = Request::read(br#"{"url":"https://e.example/x","agent":"ExampleBot"}"#)?;
/// assert!(!request.has_robots());
/// let line = request.decide(AnswerOptions::default(), |json| json.to_line())?;
/// assert!(line.contains(r#""needs":["https://e.example/robots.txt"]"#));
/// # Ok::<(), abide_contract::RequestError>(())
/// ```
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request<'a> {
    /// A JSON value of at most [`MAX_ID`] bytes; the answer repeats it.
    #[serde(borrow, default, deserialize_with = "bounded_id")]
    pub(crate) id: Option<&'a RawValue>,
    /// Absolute URL.
    #[serde(borrow)]
    pub(crate) url: Cow<'a, str>,
    /// Product tokens, in order of preference.
    pub(crate) agent: OneOrMany,
    /// Purpose tokens that the client claims.
    #[serde(default)]
    pub(crate) purposes: Names,
    /// Applications whose directives to return.
    #[serde(default)]
    pub(crate) applications: Distinct<RequestedApplication>,
    /// The client in terms of ACAP.
    #[serde(default)]
    pub(crate) acap: Option<Object<Acap>>,
    /// Body of robots.txt.
    #[serde(default)]
    pub(crate) robots: Option<Body>,
    /// Body of robots.txt, any bytes, in base64.
    #[serde(borrow, default)]
    pub(crate) robots_base64: Option<Cow<'a, str>>,
    /// HTTP status of the robots.txt fetch, 200 to 599 [default: 200]. A status from 300 to 399
    /// says nothing about the site.
    #[serde(default)]
    pub(crate) robots_status: Option<Status>,
    /// The `Location` field, for a `robots_status` that is a redirect.
    #[serde(borrow, default)]
    pub(crate) robots_location: Option<Cow<'a, str>>,
    /// How many bytes of the robots.txt are read.
    #[serde(default)]
    pub(crate) robots_limit: Option<usize>,
    /// Network failure instead of a status.
    #[serde(default)]
    pub(crate) robots_error: Option<String>,
    /// Contents of ACAP permissions references.
    #[serde(default)]
    pub(crate) references: Members<Reference>,
    /// Header lines of the page's response.
    #[serde(default)]
    pub(crate) headers: Vec<(String, String)>,
    /// The page's source.
    #[serde(borrow, default)]
    pub(crate) html: Option<Cow<'a, str>>,
    /// The page's final DOM, serialised.
    #[serde(borrow, default)]
    pub(crate) rendered_html: Option<Cow<'a, str>>,
    /// The time of the decision, RFC 3339 [default: now].
    #[serde(default)]
    pub(crate) now: Option<Instant>,
    /// When the page was first indexed, for limits in days, RFC 3339.
    #[serde(default)]
    pub(crate) first_indexed: Option<Instant>,
    /// When the page was first copied, for limits in days, RFC 3339.
    #[serde(default)]
    pub(crate) first_copied: Option<Instant>,
    /// The version of the page that the question is about.
    #[serde(default)]
    pub(crate) version: Version,
    /// Whether to accept product tokens that REP-24 does not allow (CLA-9).
    #[serde(default)]
    pub(crate) nonstandard_token: bool,
    /// The interpretation of ambiguous points.
    #[serde(default)]
    pub(crate) profile: ProfileName,
    /// Whether to apply what the operators of known robots document.
    #[serde(default)]
    pub(crate) known_robots: bool,
    /// AI preferences, if the client asks for them. Read later, because its errors have a code of
    /// their own.
    #[serde(borrow, default)]
    pub(crate) preferences: Option<&'a RawValue>,
}

/// Reads an `id` that every reader of the answer can read too: not too long, not nested too deeply,
/// and without a number that no double can hold.
fn bounded_id<'de: 'a, 'a, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<&'a RawValue>, D::Error> {
    let id = Option::<&RawValue>::deserialize(deserializer)?;
    // The parser has limits of depth and of numbers.
    let is_bounded = |id: &RawValue| {
        id.get().len() <= MAX_ID && serde_json::from_str::<serde_json::Value>(id.get()).is_ok()
    };
    if id.is_none_or(is_bounded) {
        Ok(id)
    } else {
        Err(serde::de::Error::custom(format_args!(
            "expected at most {MAX_ID} bytes, nested less than 128 deep, with numbers that a double \
             can hold"
        )))
    }
}

/// The bytes of a body given as text. The policy shares them, so that they are copied once.
#[derive(Clone, Debug)]
pub(crate) struct Body(pub Arc<[u8]>);

impl<'de> Deserialize<'de> for Body {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;

        impl Visitor<'_> for Text {
            type Value = Body;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_str<E>(self, text: &str) -> Result<Body, E> {
                Ok(Body(text.as_bytes().into()))
            }
        }

        deserializer.deserialize_str(Text)
    }
}

/// An application: its identifier, or with its own product tokens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RequestedApplication {
    /// An identifier; the application has the client's product tokens.
    Id(String),
    /// An identifier with product tokens.
    Registered(RegisteredApplication),
}

/// An application with its own product tokens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RegisteredApplication {
    /// The identifier.
    pub(crate) id: String,
    /// Its product tokens, in order of preference [default: the client's].
    #[serde(default, deserialize_with = "product_tokens")]
    pub(crate) product_tokens: Option<Vec<String>>,
}

fn product_tokens<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<String>>, D::Error> {
    let tokens = Option::<Names>::deserialize(deserializer)?;
    Ok(tokens.map(|tokens| tokens.to_vec()))
}

impl<'de> Deserialize<'de> for RequestedApplication {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ApplicationVisitor;

        impl<'de> Visitor<'de> for ApplicationVisitor {
            type Value = RequestedApplication;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an application's identifier, or an object with \"id\"")
            }

            fn visit_str<E>(self, id: &str) -> Result<RequestedApplication, E> {
                Ok(RequestedApplication::Id(id.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(
                self,
                map: A,
            ) -> Result<RequestedApplication, A::Error> {
                let object = MapAccessDeserializer::new(map);
                RegisteredApplication::deserialize(object).map(RequestedApplication::Registered)
            }
        }

        deserializer.deserialize_any(ApplicationVisitor)
    }
}

/// The client in terms of ACAP.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Acap {
    /// Crawler names [default: the product tokens].
    pub(crate) names: Names,
    /// Usage purposes.
    pub(crate) purposes: Names,
    /// Whether site and client have a prior arrangement, which "amber" features require.
    pub(crate) prior_arrangement: bool,
    /// Qualifiers that the client cannot honour.
    pub(crate) unsupported: Names,
    /// Which ACAP records apply: `full`, `restrict` or `off`.
    pub(crate) mode: Option<String>,
}

/// The result of fetching an ACAP permissions reference.
#[derive(Clone, Debug)]
pub(crate) enum Reference {
    /// Its body.
    Body(String),
    /// A status or an error.
    Failure(ReferenceFailure),
}

impl<'de> Deserialize<'de> for Reference {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ReferenceVisitor;

        impl<'de> Visitor<'de> for ReferenceVisitor {
            type Value = Reference;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a body, or an object with \"status\" or \"error\"")
            }

            fn visit_str<E>(self, body: &str) -> Result<Reference, E> {
                Ok(Reference::Body(body.to_owned()))
            }

            fn visit_string<E>(self, body: String) -> Result<Reference, E> {
                Ok(Reference::Body(body))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Reference, A::Error> {
                let object = MapAccessDeserializer::new(map);
                ReferenceFailure::deserialize(object).map(Reference::Failure)
            }
        }

        deserializer.deserialize_any(ReferenceVisitor)
    }
}

/// A permissions reference that could not be fetched.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReferenceFailure {
    /// HTTP status.
    #[serde(default)]
    pub(crate) status: Option<Status>,
    /// Network failure.
    #[serde(default)]
    pub(crate) error: Option<String>,
}

/// A version of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Version {
    /// The latest.
    #[default]
    Latest,
    /// An older one.
    Old,
}

/// A profile, by its name: `careful` or `google`.
///
/// ```
/// use abide_contract::ProfileName;
/// let google: ProfileName = serde_json::from_str("\"google\"")?;
/// assert_eq!(abide::Profile::from(google), abide::Profile::Google);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProfileName {
    /// [`Profile::Careful`].
    #[default]
    Careful,
    /// [`Profile::Google`].
    Google,
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(OneOf {
            known: [("latest", Self::Latest), ("old", Self::Old)],
        })
    }
}

impl<'de> Deserialize<'de> for ProfileName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(OneOf {
            known: [("careful", Self::Careful), ("google", Self::Google)],
        })
    }
}

/// Reads one of two names. Derived code would call any other JSON than a string no JSON at all.
struct OneOf<T> {
    known: [(&'static str, T); 2],
}

impl<T: Copy> Visitor<'_> for OneOf<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [(first, _), (second, _)] = self.known;
        write!(f, "\"{first}\" or \"{second}\"")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<T, E> {
        let found = self.known.iter().find(|(known, _)| *known == name);
        let error = || E::invalid_value(Unexpected::Str(name), &self);
        found.map(|(_, value)| *value).ok_or_else(error)
    }
}

impl From<ProfileName> for Profile {
    fn from(name: ProfileName) -> Self {
        match name {
            ProfileName::Careful => Self::Careful,
            ProfileName::Google => Self::Google,
        }
    }
}

impl<'a> Request<'a> {
    /// A request about `url` for the robot with these names, in order of preference.
    #[must_use]
    pub fn about(url: &'a str, agents: Vec<String>) -> Self {
        Self {
            id: None,
            url: Cow::Borrowed(url),
            agent: OneOrMany::from(agents),
            purposes: Names::default(),
            applications: Distinct::default(),
            acap: None,
            robots: None,
            robots_base64: None,
            robots_status: None,
            robots_location: None,
            robots_limit: None,
            robots_error: None,
            references: Members::default(),
            headers: Vec::new(),
            html: None,
            rendered_html: None,
            now: None,
            first_indexed: None,
            first_copied: None,
            version: Version::Latest,
            nonstandard_token: false,
            profile: ProfileName::Careful,
            known_robots: false,
            preferences: None,
        }
    }

    /// Sets the interpretation of ambiguous points.
    #[must_use]
    pub fn with_profile(self, profile: Profile) -> Self {
        let profile = match profile {
            Profile::Google => ProfileName::Google,
            _ => ProfileName::Careful,
        };
        Self { profile, ..self }
    }

    /// Sets whether to apply what the operators of known robots document.
    #[must_use]
    pub fn with_known_robots(self, known_robots: bool) -> Self {
        Self {
            known_robots,
            ..self
        }
    }

    /// Sets whether to accept product tokens that REP-24 does not allow (CLA-9).
    #[must_use]
    pub fn with_nonstandard_token(self, nonstandard_token: bool) -> Self {
        Self {
            nonstandard_token,
            ..self
        }
    }

    /// The URL, as the request writes it.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Whether the request says what the robots.txt is: with a body, a status or a failure.
    #[must_use]
    pub fn has_robots(&self) -> bool {
        self.robots.is_some()
            || self.robots_base64.is_some()
            || self.robots_status.is_some()
            || self.robots_error.is_some()
    }

    /// Reads one request.
    ///
    /// # Errors
    /// [`RequestError`] for text that is not JSON, and for JSON that is not a request.
    pub fn read(request: &'a [u8]) -> Result<Self, RequestError> {
        // What ends too early ends on its own line.
        let request = request.trim_ascii_end();
        // It would be read as the members in their order.
        if request.trim_ascii_start().first() == Some(&b'[') {
            let message = "expected an object, but found a list".to_owned();
            return Err(RequestError::Request { message });
        }
        serde_json::from_slice(request).map_err(|error| {
            match JsonError::explain::<Self>(request, &error) {
                JsonError::Syntax(_) if is_bare_url(request) => RequestError::BareUrl,
                JsonError::Syntax(message) => RequestError::Json { message },
                JsonError::Form { member, message } => RequestError::Request {
                    message: match member {
                        Some(member) => format!("in {member:?}: {message}"),
                        None => message,
                    },
                },
            }
        })
    }

    /// The body of robots.txt.
    fn body(&self) -> Result<Option<Arc<[u8]>>, RequestError> {
        let text = self.robots.as_ref().map(|body| Arc::clone(&body.0));
        file_body(text, self.robots_base64.as_deref())
    }

    /// The client.
    ///
    /// # Errors
    /// [`RequestError`] for an invalid product token, purpose or ACAP value.
    pub(crate) fn client(&self) -> Result<Client, RequestError> {
        let names: &[String] = &self.agent;
        let client = if matches!(names, [only] if only == "*") {
            Ok(Client::unnamed().with_profile(self.profile()))
        } else {
            ClientNames {
                agents: names,
                purposes: &[],
                profile: self.profile(),
                nonstandard: self.nonstandard_token,
            }
            .client()
        };
        let client = client.map_err(|error| match error {
            ClientError::Agent(error) => RequestError::from(error),
            ClientError::Purpose(error) => error.into(),
            _ => RequestError::NoAgent,
        })?;
        self.described(client)
    }

    /// The robot, if its agent is a whole `User-Agent` line, or if the request asks for what is
    /// documented about it.
    ///
    /// # Errors
    /// [`RequestError`] for a name that no robot can have.
    pub(crate) fn robot(&self) -> Result<Option<Robot>, RequestError> {
        self.check_names()?;
        if !self.known_robots && !self.has_line() {
            return Ok(None);
        }
        let robot = match &*self.agent {
            [line] if self.has_line() => Robot::of_user_agent(line),
            names => Robot::with_fallbacks(names)?,
        };
        let robot = if self.known_robots {
            robot
        } else {
            robot.without_known_facts()
        };
        Ok(Some(if self.nonstandard_token {
            robot.with_any_name()
        } else {
            robot
        }))
    }

    /// Checks the length of every name: names are kept together with the rules for them.
    ///
    /// # Errors
    /// [`RequestError::LongName`] for the first that is too long.
    pub(crate) fn check_names(&self) -> Result<(), RequestError> {
        let limit = match &*self.agent {
            [only] if self.has_line() || is_user_agent_line(only) => MAX_USER_AGENT,
            _ => MAX_NAME,
        };
        LongName::check(self.agent.iter(), "agent", limit)?;
        LongName::check(self.purposes.iter(), "purposes", MAX_NAME)?;
        for application in self.applications.iter() {
            let (id, tokens) = match application {
                RequestedApplication::Id(id) => (id, None),
                RequestedApplication::Registered(registered) => {
                    (&registered.id, registered.product_tokens.as_ref())
                }
            };
            let names = tokens.into_iter().flatten();
            LongName::check(names.chain([id]), "applications", MAX_NAME)?;
        }
        if let Some(Object(acap)) = &self.acap {
            LongName::check(acap.names.iter(), "acap.names", MAX_NAME)?;
            LongName::check(acap.purposes.iter(), "acap.purposes", MAX_NAME)?;
        }
        Ok(())
    }

    /// Whether the agent is a whole `User-Agent` line. The google profile takes any text for a
    /// name. Several words are a line if names need not be those of RFC 9309: no name has blanks.
    pub(crate) fn has_line(&self) -> bool {
        let takes_any_name = self.profile() == Profile::Google && !self.known_robots;
        match &*self.agent {
            [only] => {
                // A field of HTTP has one line.
                let is_one_line = !only.contains(['\n', '\r']);
                let has_words = self.nonstandard_token && only.trim().contains(' ');
                is_one_line && !takes_any_name && (has_words || is_user_agent_line(only))
            }
            _ => false,
        }
    }

    /// The interpretation of ambiguous points.
    pub(crate) fn profile(&self) -> Profile {
        self.profile.into()
    }

    /// Adds to a client what the request says beside its names.
    ///
    /// # Errors
    /// [`RequestError`] for an invalid purpose, application or ACAP value.
    pub(crate) fn described(&self, mut client: Client) -> Result<Client, RequestError> {
        self.check_names()?;
        for purpose in self.purposes.iter() {
            client = client.with_purpose(PurposeToken::new(purpose)?);
        }
        let own: Arc<[ProductToken]> = client.product_tokens().into();
        let token =
            |name: &String| ProductToken::read(name, self.profile(), self.nonstandard_token);
        for application in self.applications.iter() {
            let (id, tokens) = match application {
                RequestedApplication::Id(id) => (id, None),
                RequestedApplication::Registered(registered) => {
                    (&registered.id, registered.product_tokens.as_ref())
                }
            };
            let tokens = match tokens {
                Some(names) => {
                    let tokens = names.iter().map(token).collect::<Result<Arc<[_]>, _>>();
                    tokens.map_err(|error| RequestError::ApplicationToken { error })?
                }
                None => Arc::clone(&own),
            };
            client = client.with_application(abide::app::Application::new(id, tokens)?);
        }
        if let Some(bytes) = self.robots_limit {
            client = client.with_limits(Limits::new(bytes)?);
        }
        if let Some(Object(acap)) = &self.acap {
            client = client.with_acap(acap.profile()?);
        }
        if let Some(preferences) = self.preferences()? {
            let profile = preferences.profile(client.product_tokens(), self.known_robots)?;
            client = client.with_preferences(profile);
        }
        Ok(client)
    }

    /// The member `preferences`.
    ///
    /// # Errors
    /// [`RequestError::Preferences`] if it cannot be read.
    pub(crate) fn preferences(&self) -> Result<Option<PreferencesRequest>, RequestError> {
        let member = self.preferences.map(RawValue::get);
        member.map(PreferencesRequest::read).transpose()
    }

    /// The URL, with what the client remembers about it.
    ///
    /// # Errors
    /// [`RequestError`] for a URL that is not absolute.
    pub(crate) fn target(&self) -> Result<Target<'_>, RequestError> {
        let target = self.path_or_url()?;
        if target.is_absolute() {
            Ok(target)
        } else {
            Err(RequestError::RelativeUrl)
        }
    }

    /// The URL or path, with what the client remembers about it.
    ///
    /// # Errors
    /// [`RequestError::Url`] for anything else.
    pub(crate) fn path_or_url(&self) -> Result<Target<'_>, RequestError> {
        Ok(self.remembered(Target::new(&self.url)?))
    }

    /// Adds to `target` what the client remembers about it.
    pub(crate) fn remembered<'t>(&self, mut target: Target<'t>) -> Target<'t> {
        if let Some(Instant(first)) = self.first_indexed {
            target = target.with_first_indexed(first);
        }
        if let Some(Instant(first)) = self.first_copied {
            target = target.with_first_copied(first);
        }
        target.with_version(match self.version {
            Version::Latest => abide::Version::Latest,
            Version::Old => abide::Version::Old,
        })
    }

    /// Compiles `given`, or else the robots.txt of the request, for its client. `robot` is that of
    /// [`Request::robot`].
    ///
    /// # Errors
    /// [`RequestError`] for an invalid client, two bodies, invalid base64, or an unknown network
    /// failure, also of a permissions reference.
    pub(crate) fn compiled(
        &self,
        robot: Option<&Robot>,
        given: Option<&Arc<[u8]>>,
    ) -> Result<Policy, RequestError> {
        match robot {
            None => self.policy(given, &self.client()?),
            Some(robot) => robot.try_policy(self.profile(), |client| {
                self.policy(given, &self.described(client.clone())?)
            }),
        }
    }

    /// Compiles `given`, or else the robots.txt of the request, for `client`.
    ///
    /// # Errors
    /// Those of [`Request::compiled`], except those about the client.
    pub(crate) fn policy(
        &self,
        given: Option<&Arc<[u8]>>,
        client: &Client,
    ) -> Result<Policy, RequestError> {
        let body = match given {
            Some(body) => Some(Arc::clone(body)),
            None => self.body()?,
        };
        // A status that cannot be is an error, even beside a failure that makes it irrelevant.
        let by_status = self.robots_status.map(redirect::access).transpose();
        let by_status = by_status.map_err(RequestError::Status)?;
        let access = match (&self.robots_error, by_status, &body) {
            (Some(name), ..) => {
                let cause = name
                    .parse()
                    .map_err(|_| RequestError::UnknownFailure { name: name.clone() })?;
                Access::from_failure(cause)
            }
            (None, Some(access), _) => access,
            (None, None, Some(_)) => Access::Rules,
            (None, None, None) => Access::Unknown,
        };
        let body = body.filter(|_| !redirect::has_no_body(self.robots_status));
        let policy = match (access, body) {
            (Access::Rules, Some(body)) => Policy::compile_shared(&body, client),
            _ => Policy::without_rules(access, client),
        };
        let references = self.references.iter();
        let references = references.map(|(locator, said)| Ok((locator.as_str(), said.read()?)));
        let references = references.collect::<Result<Vec<_>, RequestError>>()?;
        Ok(policy.with_references(references))
    }
}

impl Reference {
    fn read(&self) -> Result<FetchedReference<'_>, RequestError> {
        let failure = match self {
            Self::Body(body) => return Ok(FetchedReference::Bytes(body.as_bytes())),
            Self::Failure(failure) => failure,
        };
        let by_status = failure.status.map(redirect::access).transpose();
        let by_status = by_status.map_err(RequestError::ReferenceStatus)?;
        let access = match (&failure.error, by_status) {
            (Some(name), _) => {
                let cause = name
                    .parse()
                    .map_err(|_| RequestError::UnknownReferenceFailure { name: name.clone() })?;
                Access::from_failure(cause)
            }
            (None, Some(access)) => access,
            (None, None) => return Err(RequestError::EmptyReference),
        };
        Ok(FetchedReference::Failed(access))
    }
}

impl Request<'_> {
    /// Adds to `decision` why the status of the robots.txt leaves the rules unknown, and where it
    /// redirects to.
    pub(crate) fn noted<'d>(&'d self, decision: DecisionJson<'d>) -> DecisionJson<'d> {
        match self.unread() {
            Some(notes) => decision.unread(notes, self.robots_location.as_deref()),
            None => decision,
        }
    }

    /// What to note of a status that leaves the robots.txt unknown.
    pub(crate) fn unread(&self) -> Option<&'static [Note]> {
        let status = self.robots_status.filter(|_| self.robots_error.is_none());
        redirect::unread(status)
    }

    /// What the request knows of the documents beside robots.txt. `None` if it does not ask for AI
    /// preferences.
    ///
    /// # Errors
    /// [`RequestError`] for preferences or documents that cannot be read.
    pub fn documents(&self) -> Result<Option<Documents>, RequestError> {
        let asked = self.preferences()?;
        asked.map(|asked| asked.documents()).transpose()
    }

    /// The page's response, with `html` as the bytes of its source, or else that of the request.
    pub fn response(&self, html: Option<&[u8]>) -> Response {
        let page = html.or(self.html.as_ref().map(|page| page.as_bytes()));
        page_response(&self.headers, page, self.rendered_html.as_deref())
    }

    /// The time of the decision; the clock's if the request has none.
    #[must_use]
    pub(crate) fn instant(&self) -> Moment {
        let by_clock = || Moment::from_unix_seconds(jiff::Timestamp::now().as_second());
        self.now.map_or_else(by_clock, |Instant(now)| now)
    }
}

impl Acap {
    fn profile(&self) -> Result<AcapProfile, RequestError> {
        let qualifier = |name: &String| {
            // In requests names are written as the contract writes them.
            let mut known = Qualifier::ALL.iter().copied();
            known
                .find(|qualifier| qualifier.name() == name)
                .ok_or_else(|| RequestError::UnknownQualifier { name: name.clone() })
        };
        let mode = self.mode.as_ref().map_or(Ok(AcapMode::default()), |name| {
            name.parse()
                .map_err(|_| RequestError::UnknownMode { name: name.clone() })
        });
        Ok(AcapProfile {
            names: self.names.to_vec(),
            purposes: self.purposes.to_vec(),
            prior_arrangement: self.prior_arrangement,
            unsupported: self
                .unsupported
                .iter()
                .map(qualifier)
                .collect::<Result<_, _>>()?,
            mode: mode?,
        })
    }
}

/// Whether this is a URL or a path in place of a request.
fn is_bare_url(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    let scheme = text.iter().position(|byte| *byte == b':');
    let scheme = scheme.and_then(|end| text.split_at_checked(end));
    text.starts_with(b"/")
        || scheme.is_some_and(|(name, rest)| {
            !name.is_empty() && name.iter().all(u8::is_ascii_alphabetic) && rest.starts_with(b"://")
        })
}

/// The bytes of a file of which a request has the `text`, or its bytes in base64. `None` if it has
/// neither.
///
/// # Errors
/// [`RequestError::TwoBodies`] for both, and [`RequestError::Base64`] for text that is not base64.
pub fn file_body(
    text: Option<Arc<[u8]>>,
    base64: Option<&str>,
) -> Result<Option<Arc<[u8]>>, RequestError> {
    match (text, base64) {
        (Some(_), Some(_)) => Err(RequestError::TwoBodies),
        (None, Some(encoded)) => base64::engine::general_purpose::STANDARD
            .decode(encoded)
            .map(|bytes| Some(bytes.into()))
            .map_err(|error| RequestError::Base64 {
                message: not_base64(encoded, &error),
            }),
        (text, None) => Ok(text),
    }
}

/// Why text is no base64, and where.
fn not_base64(text: &str, error: &DecodeError) -> String {
    let (DecodeError::InvalidByte(at, _) | DecodeError::InvalidLastSymbol { offset: at, .. }) =
        *error
    else {
        let length = text.len();
        return format!("no base64: {length} bytes are not groups of four, with = at the end");
    };
    // Everything before is ASCII, so this is where a character begins.
    let found = text.get(at..).and_then(|rest| rest.chars().next());
    let found = found.map_or_else(String::new, |found| format!("{found:?} "));
    format!("no base64: {found}at byte {at}")
}

/// The response of a page: its header lines, the page's source, and its final DOM, serialised.
#[must_use]
pub fn page_response(
    headers: &[(String, String)],
    html: Option<&[u8]>,
    rendered_html: Option<&str>,
) -> Response {
    let fields = headers.iter();
    let fields = fields.map(|(name, value)| FieldLine::new(name, value.as_bytes()));
    abide_html::response(&fields.collect::<Vec<_>>(), html, rendered_html)
}

/// The `id` of an invalid request, if it can be read.
pub(crate) fn id_of(request: &[u8]) -> Option<&RawValue> {
    #[derive(Deserialize)]
    struct Identified<'a> {
        #[serde(borrow, default, deserialize_with = "bounded_id")]
        id: Option<&'a RawValue>,
    }
    let Object(identified) = serde_json::from_slice::<Object<Identified<'_>>>(request).ok()?;
    identified.id
}

/// Why a request is invalid.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RequestError {
    /// Not JSON.
    #[error("not valid JSON: {message}")]
    Json {
        /// The parser's error.
        message: String,
    },
    /// A URL or a path.
    #[error("expected a JSON request, but found a URL")]
    BareUrl,
    /// JSON that is not a request.
    #[error("invalid request: {message}")]
    Request {
        /// The parser's error.
        message: String,
    },
    /// A name that is too long.
    #[error(transparent)]
    LongName(#[from] LongName),
    /// An empty list of agents.
    #[error("expected at least one product token in \"agent\", but found an empty list")]
    NoAgent,
    /// An invalid product token.
    #[error("in \"agent\": {error}{}", hint(.error))]
    Agent {
        /// The error.
        #[from]
        error: abide::ProductTokenError,
    },
    /// A name that no robot can have.
    #[error("in \"agent\": {0}")]
    Robot(#[from] RobotError),
    /// An invalid status.
    #[error("in \"robots_status\": {0}")]
    Status(StatusError),
    /// An invalid limit.
    #[error("in \"robots_limit\": {0}")]
    Limit(#[from] abide::LimitError),
    /// An invalid status of a permissions reference.
    #[error("in \"references\": {0}")]
    ReferenceStatus(StatusError),
    /// An invalid application identifier.
    #[error("in \"applications\": {0}")]
    Application(#[from] abide::app::ApplicationError),
    /// An invalid product token of an application.
    #[error("in \"applications\": in \"product_tokens\": {error}{}", hint(.error))]
    ApplicationToken {
        /// The error.
        error: abide::ProductTokenError,
    },
    /// An invalid purpose.
    #[error("in \"purposes\": {0}")]
    Purpose(#[from] abide::PurposeTokenError),
    /// An invalid URL.
    #[error("in \"url\": {0}")]
    Url(#[from] abide::TargetError),
    /// A path where a URL is needed.
    #[error(
        "in \"url\": expected an absolute URL such as https://example.com/page, but found a path"
    )]
    RelativeUrl,
    /// A URL that no client requests.
    #[error("in \"url\": {message}")]
    NotRequestable {
        /// What is wrong.
        message: String,
    },
    /// Two bodies.
    #[error("expected either \"robots\" or \"robots_base64\", but found both")]
    TwoBodies,
    /// Not base64.
    #[error("in \"robots_base64\": {message}")]
    Base64 {
        /// The decoder's error.
        message: String,
    },
    /// An unknown network failure.
    #[error(
        "in \"robots_error\": expected dns, connect, tls, timeout, truncated, redirect-limit, bad-redirect, refused or network, but found {name:?}"
    )]
    UnknownFailure {
        /// What was given.
        name: String,
    },
    /// An unknown network failure of a permissions reference.
    #[error(
        "in \"references\": expected dns, connect, tls, timeout, truncated, redirect-limit, bad-redirect, refused or network, but found {name:?}"
    )]
    UnknownReferenceFailure {
        /// What was given.
        name: String,
    },
    /// A permissions reference without status or error.
    #[error("in \"references\": expected a body, or an object with \"status\" or \"error\"")]
    EmptyReference,
    /// An unknown qualifier.
    #[error(
        "in \"acap.unsupported\": expected time-limit, max-length, prohibited-modification, prohibited-context, required-context, must-use-resource or must-include-resource, but found {name:?}"
    )]
    UnknownQualifier {
        /// What was given.
        name: String,
    },
    /// An unknown ACAP mode.
    #[error("in \"acap.mode\": expected full, restrict or off, but found {name:?}")]
    UnknownMode {
        /// What was given.
        name: String,
    },
    /// A member of `preferences` that cannot be read.
    #[error("in \"{place}\": {message}")]
    Preferences {
        /// The member.
        place: String,
        /// What is wrong.
        message: String,
    },
    /// A line longer than the limit.
    #[error("expected a line of at most {limit} bytes")]
    TooLong {
        /// The limit in bytes.
        limit: usize,
    },
    /// A valid request that a program cannot answer, such as one that does not fetch what the
    /// answer needs.
    #[error("{message}")]
    NotAnswered {
        /// The stable code of the reason.
        code: &'static str,
        /// The reason.
        message: String,
    },
}

/// Says how else the robot can be named: with `nonstandard_token` if that would accept the token.
fn hint(error: &abide::ProductTokenError) -> &'static str {
    match error {
        abide::ProductTokenError::Character { token, .. } if token.starts_with('@') => {
            "; a request is about one robot, not about a set"
        }
        abide::ProductTokenError::Character { token, .. }
            if ProductToken::nonstandard(token).is_ok() =>
        {
            "; set \"nonstandard_token\" to admit names outside of the grammar"
        }
        _ => "",
    }
}

impl RequestError {
    /// The stable code of the error.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Json { .. } | Self::BareUrl => "invalid-json",
            Self::Request { .. } => "invalid-request",
            Self::LongName(name) => name.code(),
            Self::NoAgent | Self::Agent { .. } | Self::Robot(_) => "invalid-agent",
            Self::Application(_) | Self::ApplicationToken { .. } => "invalid-application",
            Self::Purpose(_) => "invalid-purpose",
            Self::Url(_) | Self::RelativeUrl | Self::NotRequestable { .. } => "invalid-url",
            Self::TwoBodies
            | Self::Base64 { .. }
            | Self::UnknownFailure { .. }
            | Self::Limit(_)
            | Self::Status(_) => "invalid-robots",
            Self::UnknownReferenceFailure { .. }
            | Self::EmptyReference
            | Self::ReferenceStatus(_) => "invalid-references",
            Self::UnknownQualifier { .. } | Self::UnknownMode { .. } => "invalid-acap",
            Self::Preferences { .. } => "invalid-preferences",
            Self::TooLong { .. } => "line-too-long",
            Self::NotAnswered { code, .. } => code,
        }
    }

    /// The answer to an invalid request whose `id` is unknown: one line of JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        let message = self.to_string();
        text::line(&ErrorJson::new(self.code(), &message))
    }

    /// Writes the answer to an invalid request on line `line` of the input, from 1, whose `id` is
    /// unknown: one line of JSON without a line end.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_at(&self, out: impl io::Write, line: u64) -> io::Result<()> {
        self.write(out, None, Some(line))
    }

    /// Writes the answer to the invalid request with this `id`.
    pub(crate) fn write(
        &self,
        out: impl io::Write,
        id: Option<&RawValue>,
        at: Option<u64>,
    ) -> io::Result<()> {
        let message = self.to_string();
        let json = ErrorJson::new(self.code(), &message).with_id(id);
        text::write(out, &json.with_input_line(at))
    }
}
