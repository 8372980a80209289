//! Requests as JSON.

use crate::DecisionJson;
use crate::circumstances::{Circumstances, read_within, read_within_from};
use crate::codes;
use crate::names::{MAX_ID, MAX_NAME, MAX_USER_AGENT, Object, OneOrMany, Text};
use crate::request_error::{RequestError, check_name};
use abide::preference::Documents;
use abide::tag::Response;
use abide::{Client, ClientError, ClientNames, Limits, Policy, ProductToken, Profile, Target};
use abide_known_robots::{Robot, is_user_agent_line};
use base64::{DecodeError, Engine};
use serde::Deserialize;
use serde::de::{Deserializer, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

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
#[derive(Debug)]
pub struct Request<'a> {
    pub(crate) question: Question<'a>,
    pub(crate) circumstances: Circumstances<'a>,
}

/// The robot, the URL and the file of a request.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Question<'a> {
    /// Any JSON of at most 4,096 bytes, nested less than 128 deep; the answer repeats it.
    #[serde(borrow, default, deserialize_with = "bounded_id")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "serde_json::Value", extend("maxLength" = 4094))
    )]
    pub(crate) id: Option<&'a RawValue>,
    /// Absolute URL, as the client will send it.
    #[serde(borrow)]
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub(crate) url: Cow<'a, str>,
    /// Product tokens in order of preference: the first that has a group decides. `*` is every
    /// robot that the file does not name. A text with `/` or `(` is a whole `User-Agent` line,
    /// whose names are looked for in the file. A name has at most 256 bytes, a line 4,096.
    pub(crate) agent: OneOrMany,
    /// Body of robots.txt.
    #[serde(default)]
    pub(crate) robots: Option<Body>,
    /// Body of robots.txt, any bytes, in base64.
    #[serde(borrow, default)]
    pub(crate) robots_base64: Option<Text<'a>>,
    /// How many bytes of the robots.txt are read; RFC 9309 (2.5) lets robots ignore the rest
    /// [default: 512000, which is the least; 16 MiB with the google profile].
    #[serde(default)]
    #[cfg_attr(
        feature = "schema",
        schemars(range(min = 512_000, max = 1_073_741_824))
    )]
    pub(crate) robots_limit: Option<usize>,
    /// How open points of the specifications are read.
    #[serde(default)]
    pub(crate) profile: Profile,
    /// Whether to apply what the operators of known robots document: other names whose groups they
    /// follow, and that they ignore groups for `*` [default: false].
    #[serde(default)]
    pub(crate) known_robots: bool,
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

/// The bytes of a file that a request has as text. Callers that have bytes put them in its place.
/// Whoever reads the file shares them, so that they are copied once.
#[derive(Clone, Debug)]
pub struct Body(pub(crate) Arc<[u8]>);

impl<B: Into<Arc<[u8]>>> From<B> for Body {
    fn from(bytes: B) -> Self {
        Self(bytes.into())
    }
}

impl Body {
    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

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

impl<'a> Request<'a> {
    /// A request about `url` for the robot with these names, in order of preference.
    #[must_use]
    pub fn about(url: &'a str, agents: Vec<String>) -> Self {
        Self {
            question: Question {
                url: Cow::Borrowed(url),
                agent: OneOrMany::from(agents),
                ..Question::default()
            },
            circumstances: Circumstances::default(),
        }
    }

    /// Sets the interpretation of ambiguous points.
    #[must_use]
    pub fn with_profile(mut self, profile: Profile) -> Self {
        self.question.profile = profile;
        self
    }

    /// Sets whether to apply what the operators of known robots document.
    #[must_use]
    pub fn with_known_robots(mut self, known_robots: bool) -> Self {
        self.question.known_robots = known_robots;
        self
    }

    /// Sets whether to accept product tokens that REP-24 does not allow (CLA-9).
    #[must_use]
    pub fn with_nonstandard_token(mut self, nonstandard_token: bool) -> Self {
        self.circumstances.nonstandard_token = nonstandard_token;
        self
    }

    /// The URL, as the request writes it.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.question.url
    }

    /// Whether the request says what the robots.txt is: with a body, a status or a failure.
    #[must_use]
    pub fn has_robots(&self) -> bool {
        self.question.robots.is_some()
            || self.question.robots_base64.is_some()
            || self.circumstances.have_robots()
    }

    /// Reads one request.
    ///
    /// # Errors
    /// [`RequestError`] for text that is not JSON, and for JSON that is not a request.
    pub fn read(request: &'a [u8]) -> Result<Self, RequestError> {
        // What ends too early ends on its own line.
        let request = request.trim_ascii_end();
        match read_within(request) {
            Ok((question, circumstances)) => Ok(Self {
                question,
                circumstances,
            }),
            Err(error) if error.code() == codes::INVALID_JSON && is_bare_url(request) => {
                Err(RequestError::bare_url())
            }
            Err(error) => Err(error),
        }
    }

    /// Reads one request from its members, which are not JSON text, such as the arguments of
    /// another language.
    ///
    /// # Errors
    /// [`RequestError`] for values that are not those of a request, and in the words of `members`
    /// for what it cannot read itself.
    pub fn read_from<D: Deserializer<'a>>(members: D) -> Result<Self, RequestError> {
        let (question, circumstances) = read_within_from(members)?;
        Ok(Self {
            question,
            circumstances,
        })
    }

    /// The body of robots.txt.
    fn body(&self) -> Result<Option<Arc<[u8]>>, RequestError> {
        let Question {
            robots,
            robots_base64,
            ..
        } = &self.question;
        let text = robots.as_ref().map(|body| Arc::clone(&body.0));
        file_body(text, robots_base64.as_deref())
    }

    /// The client.
    ///
    /// # Errors
    /// [`RequestError`] for an invalid product token, purpose or ACAP value.
    pub(crate) fn client(&self) -> Result<Client, RequestError> {
        let names: &[String] = &self.question.agent;
        let (profile, nonstandard) = (self.profile(), self.circumstances.nonstandard_token);
        let client = if matches!(names, [only] if only == "*") {
            Ok(Client::unnamed().with_profile(profile))
        } else {
            ClientNames {
                agents: names,
                purposes: &[],
                profile,
                nonstandard,
            }
            .client()
        };
        let client = client.map_err(|error| {
            let ClientError::Agent(error) = error else {
                // There are no purposes.
                let reason =
                    "expected at least one product token in \"agent\", but found an empty list";
                return RequestError::new(codes::INVALID_AGENT, "/agent", reason).naming("");
            };
            let is_wrong = |name: &String| ProductToken::read(name, profile, nonstandard).is_err();
            let at = names.iter().position(is_wrong).unwrap_or(0);
            let pointer = self.question.agent.pointer("/agent", at);
            RequestError::product_token(codes::INVALID_AGENT, pointer, &error)
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
        let is_known = self.question.known_robots;
        if !is_known && !self.has_line() {
            return Ok(None);
        }
        let robot = match &*self.question.agent {
            [line] if self.has_line() => Robot::of_user_agent(line),
            names => Robot::with_fallbacks(names)?,
        };
        let robot = if is_known {
            robot
        } else {
            robot.without_known_facts()
        };
        Ok(Some(if self.circumstances.nonstandard_token {
            robot.with_any_name()
        } else {
            robot
        }))
    }

    /// Checks the length of every name: names are kept together with the rules for them.
    ///
    /// # Errors
    /// [`RequestError`] for the first that is too long.
    pub(crate) fn check_names(&self) -> Result<(), RequestError> {
        let agent = &self.question.agent;
        let limit = match &**agent {
            [only] if self.has_line() || is_user_agent_line(only) => MAX_USER_AGENT,
            _ => MAX_NAME,
        };
        for (at, name) in agent.iter().enumerate() {
            let pointer = || agent.pointer("/agent", at);
            check_name(codes::INVALID_AGENT, pointer, name, limit)?;
        }
        self.circumstances.check_names()
    }

    /// Whether the agent is a whole `User-Agent` line. The google profile takes any text for a
    /// name. Several words are a line if names need not be those of RFC 9309: no name has blanks.
    pub(crate) fn has_line(&self) -> bool {
        let takes_any_name = self.profile() == Profile::Google && !self.question.known_robots;
        match &*self.question.agent {
            [only] => {
                // A field of HTTP has one line.
                let is_one_line = !only.contains(['\n', '\r']);
                let has_words = self.circumstances.nonstandard_token && only.trim().contains(' ');
                is_one_line && !takes_any_name && (has_words || is_user_agent_line(only))
            }
            _ => false,
        }
    }

    /// The interpretation of ambiguous points.
    pub(crate) fn profile(&self) -> Profile {
        self.question.profile
    }

    /// Adds to a client what the request says beside its names.
    ///
    /// # Errors
    /// [`RequestError`] for an invalid purpose, application, limit, ACAP value or preference.
    pub(crate) fn described(&self, client: Client) -> Result<Client, RequestError> {
        self.check_names()?;
        let client = match self.question.robots_limit {
            None => client,
            Some(bytes) => client.with_limits(Limits::new(bytes).map_err(|error| {
                RequestError::new(codes::INVALID_ROBOTS, "/robots_limit", error)
            })?),
        };
        let is_known = self.question.known_robots;
        self.circumstances
            .described(client, self.profile(), is_known)
    }

    /// The URL, with what the client remembers about it.
    ///
    /// # Errors
    /// [`RequestError`] for a URL that is not absolute.
    pub(crate) fn target(&self) -> Result<Target<'_>, RequestError> {
        let target = Target::new(&self.question.url);
        let target = target.map_err(RequestError::invalid_url)?;
        let target = target.with_history(self.circumstances.history());
        if target.is_absolute() {
            Ok(target)
        } else {
            Err(RequestError::relative_url())
        }
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
        self.compiled_by(robot, |client| self.policy(given, client))
    }

    /// What `compile` makes for the client of the request.
    ///
    /// # Errors
    /// [`RequestError`] for an invalid client, and the errors of `compile`.
    pub(crate) fn compiled_by(
        &self,
        robot: Option<&Robot>,
        compile: impl Fn(&Client) -> Result<Policy, RequestError>,
    ) -> Result<Policy, RequestError> {
        match robot {
            None => compile(&self.client()?),
            Some(robot) => robot.try_policy(self.profile(), |client| {
                compile(&self.described(client.clone())?)
            }),
        }
    }

    /// Compiles `given`, or else the robots.txt of the request, for `client`.
    ///
    /// # Errors
    /// The errors of [`Request::compiled`] but for those about the client.
    pub(crate) fn policy(
        &self,
        given: Option<&Arc<[u8]>>,
        client: &Client,
    ) -> Result<Policy, RequestError> {
        let body = match given {
            Some(body) => Some(Arc::clone(body)),
            None => self.body()?,
        };
        self.circumstances.compiled(body.as_ref(), client)
    }

    /// Adds to `decision` why the status of the robots.txt leaves the rules unknown, and where it
    /// redirects to.
    pub(crate) fn noted<'d>(&'d self, decision: DecisionJson<'d>) -> DecisionJson<'d> {
        match self.circumstances.unread() {
            Some(notes) => decision.unread(notes, self.circumstances.robots_location.as_deref()),
            None => decision,
        }
    }

    /// What the request knows of the documents beside robots.txt. `None` if it does not ask for AI
    /// preferences.
    ///
    /// # Errors
    /// [`RequestError`] for documents that cannot be read.
    pub fn documents(&self) -> Result<Option<Documents>, RequestError> {
        self.circumstances.documents()
    }

    /// The page's response, with `html` as the bytes of its source, or else that of the request.
    pub fn response(&self, html: Option<&[u8]>) -> Response {
        self.circumstances.response(html)
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
/// [`RequestError`] for both, and for text that is not base64.
pub fn file_body(
    text: Option<Arc<[u8]>>,
    base64: Option<&str>,
) -> Result<Option<Arc<[u8]>>, RequestError> {
    let invalid = |reason: String, remedy| {
        Err(RequestError::new(codes::INVALID_ROBOTS, "/robots_base64", reason).with_remedy(remedy))
    };
    match (text, base64) {
        (Some(_), Some(_)) => {
            let reason = "expected either \"robots\" or \"robots_base64\", but found both";
            let error = invalid(reason.to_owned(), "send one of the two");
            error.map_err(|error| error.naming(""))
        }
        (None, Some(encoded)) => base64::engine::general_purpose::STANDARD
            .decode(encoded)
            .map(|bytes| Some(bytes.into()))
            .or_else(|error| {
                let remedy = "send the bytes of the file in base64, or its text in \"robots\"";
                invalid(not_base64(encoded, &error), remedy)
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
