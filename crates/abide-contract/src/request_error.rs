//! Why a request is invalid: what is wrong, where, and what to do.

use crate::codes;
use crate::error::ErrorJson;
use crate::names::{MAX_NAME, cut};
use crate::text;
use abide_known_robots::RobotError;
use serde_json::value::RawValue;
use std::fmt::{self, Write as _};
use std::io;

/// Why a request is invalid. Its code, its pointer and its remedy are made where the fault is
/// found; nothing reads its message, which is for people.
///
/// ```
/// use abide_contract::Request;
/// let request = r#"{"url":"/","agent":["A","B"],"acap":{"names":[1]}}"#;
/// let error = Request::read(request.as_bytes()).unwrap_err();
/// assert_eq!((error.code(), error.pointer()), ("invalid-request", "/acap/names/0"));
/// let message = r#"in "acap.names[0]": expected a string, but found the number 1"#;
/// assert_eq!(error.to_string(), format!("invalid request: {message}"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestError {
    code: &'static str,
    pointer: Box<str>,
    /// How the message begins.
    start: &'static str,
    /// The member that the message names; empty if it names none, or names it in its own words.
    place: Box<str>,
    reason: Box<str>,
    remedy: &'static str,
    kind: ErrorKind,
}

/// What callers of this crate want to know about an error beside its code.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ErrorKind {
    Other,
    BareUrl,
    Type,
    Robot(Box<RobotError>),
}

/// What to do about a set of robots where one is expected.
const ONE_ROBOT: &str = "name one robot, such as \"GPTBot\"; sets are for explain and table";

impl RequestError {
    /// An error with a code of the contract or of a program, in the member at `pointer`
    /// (RFC 6901); for the whole request that is empty.
    #[must_use]
    pub fn new(code: &'static str, pointer: impl Into<String>, reason: impl fmt::Display) -> Self {
        let pointer = pointer.into();
        Self {
            code,
            place: dotted(pointer.split('/').skip(1).map(unescaped)).into(),
            pointer: pointer.into(),
            start: "",
            reason: reason.to_string().into(),
            remedy: remedy(code),
            kind: ErrorKind::Other,
        }
    }

    /// The error for a URL that cannot be read.
    pub(crate) fn invalid_url(error: abide::TargetError) -> Self {
        Self::new(codes::INVALID_URL, "/url", error)
    }

    /// The error for a path where a URL is needed.
    #[must_use]
    pub fn relative_url() -> Self {
        let reason = "expected an absolute URL such as https://example.com/page, but found a path";
        Self::new(codes::INVALID_URL, "/url", reason)
    }

    /// The error for a line longer than `limit` bytes.
    #[must_use]
    pub fn too_long(limit: usize) -> Self {
        let reason = format!("expected a line of at most {limit} bytes");
        Self::new(codes::LINE_TOO_LONG, "", reason)
    }

    /// The error for a URL or a path in place of a request.
    pub(crate) fn bare_url() -> Self {
        let reason = "expected a JSON request, but found a URL";
        let mut error = Self::new(codes::INVALID_JSON, "", reason);
        error.kind = ErrorKind::BareUrl;
        error
    }

    /// The error for the product token of number `at` among the names at `pointer`.
    pub(crate) fn product_token(
        code: &'static str,
        pointer: impl Into<String>,
        error: &abide::ProductTokenError,
    ) -> Self {
        let made = Self::new(code, pointer, format!("{error}{}", hint(error)));
        match error {
            abide::ProductTokenError::Character { token, .. } if token.starts_with('@') => {
                made.with_remedy(ONE_ROBOT)
            }
            _ => made,
        }
    }

    /// Replaces what to do.
    #[must_use]
    pub fn with_remedy(mut self, remedy: &'static str) -> Self {
        self.remedy = remedy;
        self
    }

    /// Replaces the message, for example by one in another language. Everything else stays.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.start = "";
        self.place = Box::default();
        self.reason = message.into().into();
        self
    }

    /// Says that the member is one of the object at `pointer`. The message stays.
    #[cfg(feature = "tools")]
    pub(crate) fn within(mut self, pointer: &str) -> Self {
        self.pointer = format!("{pointer}{}", self.pointer).into();
        self
    }

    /// Begins the message with `start`.
    pub(crate) fn starting(mut self, start: &'static str) -> Self {
        self.start = start;
        self
    }

    /// Says that a value has the wrong type.
    pub(crate) fn of_type(mut self) -> Self {
        self.kind = ErrorKind::Type;
        self
    }

    /// Names this member in the message, or none if it is empty.
    pub(crate) fn naming(mut self, place: impl Into<Box<str>>) -> Self {
        self.place = place.into();
        self
    }

    /// The stable code of the error.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// The JSON Pointer (RFC 6901) to the member that is wrong, unknown, missing or repeated. Empty
    /// if it is the whole request.
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// The member that is wrong, as messages write it, such as `acap.names[0]`. Empty if no member
    /// is to blame, or if [`reason`](Self::reason) names it.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }

    /// What is wrong: the message without the member.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// What to do.
    #[must_use]
    pub fn remedy(&self) -> &'static str {
        self.remedy
    }

    /// Whether the remedy is more than what helps with every error of this code.
    #[must_use]
    pub fn has_own_remedy(&self) -> bool {
        self.remedy != remedy(self.code)
    }

    /// Whether there is a URL or a path in place of the request.
    #[must_use]
    pub fn is_bare_url(&self) -> bool {
        matches!(self.kind, ErrorKind::BareUrl)
    }

    /// Whether a value has another type than its member, such as a text in place of a number.
    #[must_use]
    pub fn is_wrong_type(&self) -> bool {
        matches!(self.kind, ErrorKind::Type)
    }

    /// Why a name is that of no robot, if that is the error.
    #[must_use]
    pub fn robot_error(&self) -> Option<&RobotError> {
        match &self.kind {
            ErrorKind::Robot(error) => Some(error),
            _ => None,
        }
    }

    /// The answer to an invalid request whose `id` is unknown: one line of JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        let message = self.to_string();
        text::line(&ErrorJson::new(self.code, &message).with_pointer(&self.pointer))
    }

    /// Writes the answer to an invalid request on line `line` of the input, from 1, whose `id` is
    /// unknown: one line of JSON without a line end.
    ///
    /// # Errors
    /// Errors of `out`.
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
        let json = ErrorJson::new(self.code, &message).with_pointer(&self.pointer);
        text::write(out, &json.with_id(id).with_input_line(at))
    }
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.start)?;
        if !self.place.is_empty() {
            write!(f, "in {:?}: ", self.place)?;
        }
        f.write_str(&self.reason)
    }
}

impl std::error::Error for RequestError {}

/// A name that no robot can have.
impl From<RobotError> for RequestError {
    fn from(error: RobotError) -> Self {
        let mut made = Self::new(codes::INVALID_AGENT, "/agent", &error);
        if matches!(error, RobotError::Set { .. } | RobotError::Selection(_)) {
            made = made.with_remedy(ONE_ROBOT);
        }
        made.kind = ErrorKind::Robot(Box::new(error));
        made
    }
}

/// Checks that no name is longer than [`MAX_NAME`] bytes: names are kept together with the rules
/// for them. The names are those of the list at `pointer`, each with its place.
///
/// # Errors
/// With `code`, for the first that is longer.
pub fn check_names<'n>(
    code: &'static str,
    pointer: &str,
    names: impl IntoIterator<Item = (usize, &'n String)>,
) -> Result<(), RequestError> {
    let mut names = names.into_iter();
    names.try_for_each(|(at, name)| check_name(code, || format!("{pointer}/{at}"), name, MAX_NAME))
}

/// Checks that a name has at most `limit` bytes.
///
/// # Errors
/// With `code`, if it is longer.
pub(crate) fn check_name(
    code: &'static str,
    pointer: impl FnOnce() -> String,
    name: &str,
    limit: usize,
) -> Result<(), RequestError> {
    let length = name.len();
    if length <= limit {
        return Ok(());
    }
    let start = cut(name);
    let reason = format!("expected at most {limit} bytes, but found {length}: {start:?}");
    let error = RequestError::new(code, pointer(), reason);
    Err(error.with_remedy("send the name as robots.txt files write it"))
}

/// What to do about an error with this code, unless something else helps more.
fn remedy(code: &str) -> &'static str {
    match code {
        codes::INVALID_JSON => "send one JSON object in UTF-8",
        codes::INVALID_REQUEST => "see the members of a request in schema/request.json",
        codes::INVALID_AGENT => "write the name as robots.txt files do, such as \"ExampleBot\"",
        codes::INVALID_URL => "write an absolute URL, as the client will send it",
        codes::LINE_TOO_LONG => "send a shorter request",
        _ => "correct this member, or leave it out",
    }
}

/// Says how else the robot can be named: with `nonstandard_token` if that would accept the token.
fn hint(error: &abide::ProductTokenError) -> &'static str {
    match error {
        abide::ProductTokenError::Character { token, .. } if token.starts_with('@') => {
            "; a request is about one robot, not about a set"
        }
        abide::ProductTokenError::Character { token, .. }
            if abide::ProductToken::nonstandard(token).is_ok() =>
        {
            "; set \"nonstandard_token\" to admit names outside of the grammar"
        }
        _ => "",
    }
}

/// A name as a JSON Pointer writes it.
pub(crate) fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

fn unescaped(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}

/// Names of members and places in lists as messages write them: `acap.names[0]`. A long text is
/// cut.
pub(crate) fn dotted(segments: impl IntoIterator<Item = String>) -> String {
    let mut place = String::new();
    for segment in segments {
        let is_number = segment.bytes().all(|byte| byte.is_ascii_digit());
        let _ = match (place.is_empty(), is_number && !segment.is_empty()) {
            (true, _) => write!(place, "{segment}"),
            (false, true) => write!(place, "[{segment}]"),
            (false, false) => write!(place, ".{segment}"),
        };
    }
    cut(&place).into_owned()
}
