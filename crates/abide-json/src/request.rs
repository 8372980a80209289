//! Requests: what is asked.

use crate::DecisionJson;
use crate::names::{Distinct, Members, Names, OneOrMany};
use crate::redirect::{self, StatusError};
use crate::text;
use abide::acap::{AcapMode, AcapProfile, Qualifier, Referenced};
use abide::rep::Access;
use abide::tag::{FieldLine, Response};
use abide::{Client, ClientError, ClientNames, Moment, Policy, ProductToken, Profile, Target};
use base64::Engine;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// A request, as written. Fields are those of the contract; an unknown one is an error, for a
/// misspelt field would change the answer unseen.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Request<'a> {
    /// Any JSON; echoed.
    #[serde(borrow, default)]
    pub id: Option<&'a RawValue>,
    /// Absolute URL of the resource.
    #[serde(borrow)]
    pub url: Cow<'a, str>,
    /// Product tokens, in order of preference.
    pub agent: OneOrMany,
    /// Purpose tokens that the client claims.
    #[serde(default)]
    pub purposes: Names,
    /// Applications whose directives are asked for.
    #[serde(default)]
    pub applications: Distinct<Application>,
    /// What the client is to ACAP.
    #[serde(default)]
    pub acap: Option<Acap>,
    /// Body of robots.txt.
    #[serde(default)]
    pub robots: Option<Body>,
    /// Body of robots.txt, any bytes, in base64.
    #[serde(borrow, default)]
    pub robots_base64: Option<Cow<'a, str>>,
    /// HTTP status of the robots.txt fetch, 200 to 599 [default: 200]. One from 300 to 399 says nothing
    /// about the site.
    #[serde(default)]
    pub robots_status: Option<u16>,
    /// Where a redirecting `robots_status` leads, as its field `Location` has it.
    #[serde(borrow, default)]
    pub robots_location: Option<Cow<'a, str>>,
    /// Network failure instead of a status.
    #[serde(default)]
    pub robots_error: Option<String>,
    /// Contents of ACAP permissions references.
    #[serde(default)]
    pub references: Members<Reference>,
    /// Response field lines of the resource.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
    /// Initial source of the resource.
    #[serde(borrow, default)]
    pub html: Option<Cow<'a, str>>,
    /// Final DOM of the resource, serialised.
    #[serde(borrow, default)]
    pub rendered_html: Option<Cow<'a, str>>,
    /// The instant of the decision, RFC 3339.
    #[serde(default)]
    pub now: Option<jiff::Timestamp>,
    /// Base time for limits on index, RFC 3339.
    #[serde(default)]
    pub first_indexed: Option<jiff::Timestamp>,
    /// Base time for limits on copies, RFC 3339.
    #[serde(default)]
    pub first_copied: Option<jiff::Timestamp>,
    /// Which version of the resource is asked about.
    #[serde(default)]
    pub version: Version,
    /// Whether product tokens outside of REP-24 are admitted (CLA-9).
    #[serde(default)]
    pub nonstandard_token: bool,
    /// The reading of the open points.
    #[serde(default)]
    pub profile: ProfileName,
}

/// The bytes of a body that was given as text. The policy that is made of it keeps them, so that they are copied once.
#[derive(Clone, Debug)]
pub struct Body(pub Arc<[u8]>);

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

/// An application, by identifier or with product tokens of its own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Application {
    /// The identifier; the client's product tokens are the application's.
    Id(String),
    /// Both.
    Registered(RegisteredApplication),
}

/// An application with product tokens of its own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegisteredApplication {
    /// The identifier.
    pub id: String,
    /// Its product tokens, in order of preference [default: the client's].
    #[serde(default, deserialize_with = "product_tokens")]
    pub product_tokens: Option<Vec<String>>,
}

fn product_tokens<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<String>>, D::Error> {
    let tokens = Option::<Names>::deserialize(deserializer)?;
    Ok(tokens.map(|tokens| tokens.to_vec()))
}

impl<'de> Deserialize<'de> for Application {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = Application;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an application's identifier, or an object with \"id\"")
            }

            fn visit_str<E>(self, id: &str) -> Result<Application, E> {
                Ok(Application::Id(id.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Application, A::Error> {
                let object = MapAccessDeserializer::new(map);
                RegisteredApplication::deserialize(object).map(Application::Registered)
            }
        }

        deserializer.deserialize_any(Either)
    }
}

/// What the client is to ACAP.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Acap {
    /// Crawler names; the product tokens where left out.
    pub names: Names,
    /// Usage purposes.
    pub purposes: Names,
    /// Whether amber features may be used.
    pub prior_arrangement: bool,
    /// Qualifiers that cannot be honoured.
    pub unsupported: Names,
    /// How far ACAP counts: `full`, `restrict` or `off`.
    pub mode: Option<String>,
}

/// What came of fetching an ACAP permissions reference.
#[derive(Clone, Debug)]
pub enum Reference {
    /// Its body.
    Body(String),
    /// A status or an error.
    Failure(ReferenceFailure),
}

impl<'de> Deserialize<'de> for Reference {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
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

        deserializer.deserialize_any(Either)
    }
}

/// A permissions reference that could not be fetched.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReferenceFailure {
    /// HTTP status.
    #[serde(default)]
    pub status: Option<u16>,
    /// Network failure.
    #[serde(default)]
    pub error: Option<String>,
}

/// Which version of a resource is asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Version {
    /// The latest.
    #[default]
    Latest,
    /// An older one.
    Old,
}

/// A profile, by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProfileName {
    /// [`Profile::Careful`].
    #[default]
    Careful,
    /// [`Profile::Google`].
    Google,
}

impl<'a> Request<'a> {
    /// Reads one request.
    ///
    /// # Errors
    /// [`RequestError`] for text that is no JSON, and for JSON that is no request.
    pub fn read(request: &'a [u8]) -> Result<Self, RequestError> {
        serde_json::from_slice(request).map_err(|error| match error.classify() {
            serde_json::error::Category::Data => RequestError::Request { error },
            _ => RequestError::Json { error },
        })
    }

    /// The client that asks.
    ///
    /// # Errors
    /// [`RequestError`] for a product token, purpose or ACAP value that is none.
    pub fn client(&self) -> Result<Client, RequestError> {
        let profile = match self.profile {
            ProfileName::Careful => Profile::Careful,
            ProfileName::Google => Profile::Google,
        };
        let names: &[String] = &self.agent;
        let mut client = ClientNames {
            agents: names,
            purposes: &self.purposes,
            profile,
            nonstandard: self.nonstandard_token,
        }
        .client()
        .map_err(|error| match error {
            ClientError::Agent(error) => RequestError::from(error),
            ClientError::Purpose(error) => error.into(),
            _ => RequestError::NoAgent,
        })?;
        let token = |name: &String| ProductToken::read(name, profile, self.nonstandard_token);
        for application in self.applications.iter() {
            let (id, own) = match application {
                Application::Id(id) => (id, None),
                Application::Registered(registered) => {
                    (&registered.id, registered.product_tokens.as_ref())
                }
            };
            let tokens = own.map_or(names, Vec::as_slice).iter().map(token);
            let tokens = tokens.collect::<Result<_, _>>()?;
            client = client.with_application(abide::app::Application::new(id, tokens)?);
        }
        match &self.acap {
            Some(acap) => Ok(client.with_acap(acap.profile()?)),
            None => Ok(client),
        }
    }

    /// The resource asked about, with what the client remembers of it.
    ///
    /// # Errors
    /// [`RequestError`] for a URL that is not absolute.
    pub fn target(&self) -> Result<Target<'_>, RequestError> {
        let mut target = Target::new(&self.url)?;
        if !target.is_absolute() {
            return Err(RequestError::RelativeUrl);
        }
        let moment = |instant: &jiff::Timestamp| Moment::from_unix_seconds(instant.as_second());
        if let Some(first) = &self.first_indexed {
            target = target.with_first_indexed(moment(first));
        }
        if let Some(first) = &self.first_copied {
            target = target.with_first_copied(moment(first));
        }
        Ok(target.with_version(match self.version {
            Version::Latest => abide::Version::Latest,
            Version::Old => abide::Version::Old,
        }))
    }

    /// What the robots.txt of the request asks of `client`.
    ///
    /// # Errors
    /// [`RequestError`] for a body given twice or not in base64, and for an unknown failure, here or
    /// of a permissions reference.
    pub fn policy(&self, client: &Client) -> Result<Policy, RequestError> {
        let body = match (&self.robots, &self.robots_base64) {
            (Some(_), Some(_)) => return Err(RequestError::TwoBodies),
            (Some(body), None) => Some(Arc::clone(&body.0)),
            (None, Some(encoded)) => Some(
                base64::engine::general_purpose::STANDARD
                    .decode(encoded.as_bytes())
                    .map_err(|error| RequestError::Base64 { error })?
                    .into(),
            ),
            (None, None) => None,
        };
        let access = match (&self.robots_error, self.robots_status, &body) {
            (Some(name), ..) => {
                let cause = name
                    .parse()
                    .map_err(|_| RequestError::UnknownFailure { name: name.clone() })?;
                Access::from_failure(cause)
            }
            (None, Some(status), _) => redirect::access(status).map_err(RequestError::Status)?,
            (None, None, Some(_)) => Access::Rules,
            (None, None, None) => Access::Unknown,
        };
        let policy = match (access, self.robots_status, body) {
            // These answers have no body by definition (AMB-REP-19).
            (Access::Rules, Some(204 | 205), _) => Policy::without_rules(access, client),
            (Access::Rules, _, Some(body)) => Policy::compile_shared(&body, client),
            _ => Policy::without_rules(access, client),
        };
        let references = self.references.iter();
        let references = references.map(|(locator, said)| Ok((locator.as_str(), said.read()?)));
        let references = references.collect::<Result<Vec<_>, RequestError>>()?;
        Ok(policy.with_references(references))
    }
}

impl Reference {
    fn read(&self) -> Result<Referenced<'_>, RequestError> {
        let failure = match self {
            Self::Body(body) => return Ok(Referenced::Bytes(body.as_bytes())),
            Self::Failure(failure) => failure,
        };
        let access = match (&failure.error, failure.status) {
            (Some(name), _) => {
                let cause = name
                    .parse()
                    .map_err(|_| RequestError::UnknownReferenceFailure { name: name.clone() })?;
                Access::from_failure(cause)
            }
            (None, Some(status)) => {
                redirect::access(status).map_err(RequestError::ReferenceStatus)?
            }
            (None, None) => return Err(RequestError::EmptyReference),
        };
        Ok(Referenced::Failed(access))
    }
}

impl Request<'_> {
    /// `decision`, about a site whose robots.txt redirects: nobody knows its rules, and where to go on.
    pub(crate) fn redirected<'d>(&'d self, decision: DecisionJson<'d>) -> DecisionJson<'d> {
        let follows = self.robots_error.is_none() && redirect::is_redirect(self.robots_status);
        if follows {
            decision.redirected(self.robots_location.as_deref())
        } else {
            decision
        }
    }

    /// What the response says that brought the resource.
    #[must_use]
    pub fn response(&self) -> Response {
        let fields = self.headers.iter();
        let fields = fields.map(|(name, value)| FieldLine::new(name, value.as_bytes()));
        let page = self.html.as_ref().map(|page| page.as_bytes());
        abide_html::response(
            &fields.collect::<Vec<_>>(),
            page,
            self.rendered_html.as_deref(),
        )
    }

    /// The instant of the decision: the clock's where the request leaves it out.
    #[must_use]
    pub fn instant(&self) -> Moment {
        let now = self.now.unwrap_or_else(jiff::Timestamp::now);
        Moment::from_unix_seconds(now.as_second())
    }
}

impl Acap {
    fn profile(&self) -> Result<AcapProfile, RequestError> {
        let qualifier = |name: &String| {
            name.parse::<Qualifier>()
                .map_err(|_| RequestError::UnknownQualifier { name: name.clone() })
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

/// The `id` of a request that could not be read, if that much can be.
pub(crate) fn id_of(request: &[u8]) -> Option<&RawValue> {
    #[derive(Deserialize)]
    struct Identified<'a> {
        #[serde(borrow, default)]
        id: Option<&'a RawValue>,
    }
    serde_json::from_slice::<Identified<'_>>(request).ok()?.id
}

/// Why a request has no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RequestError {
    /// No JSON.
    #[error("not valid JSON: {error}")]
    Json {
        /// What the JSON parser says.
        error: serde_json::Error,
    },
    /// JSON, but no request.
    #[error("invalid request: {error}")]
    Request {
        /// What the JSON parser says.
        error: serde_json::Error,
    },
    /// An empty list of agents.
    #[error("expected at least one product token in \"agent\", but found an empty list")]
    NoAgent,
    /// A product token that is none.
    #[error("in \"agent\": {error}{}", hint(.error))]
    Agent {
        /// What is wrong with it.
        #[from]
        error: abide::ProductTokenError,
    },
    /// A status that no final answer has.
    #[error("in \"robots_status\": {0}")]
    Status(StatusError),
    /// One of a permissions reference.
    #[error("in \"references\": {0}")]
    ReferenceStatus(StatusError),
    /// An application identifier that is none.
    #[error("in \"applications\": {0}")]
    Application(#[from] abide::app::ApplicationError),
    /// A purpose that is none.
    #[error("in \"purposes\": {0}")]
    Purpose(#[from] abide::PurposeTokenError),
    /// A URL that is none.
    #[error("in \"url\": {0}")]
    Url(#[from] abide::TargetError),
    /// A path where a URL is needed.
    #[error(
        "in \"url\": expected an absolute URL such as https://example.com/page, but found a path"
    )]
    RelativeUrl,
    /// Both ways to give a body.
    #[error("expected either \"robots\" or \"robots_base64\", but found both")]
    TwoBodies,
    /// Not base64.
    #[error("in \"robots_base64\": {error}")]
    Base64 {
        /// What the decoder says.
        error: base64::DecodeError,
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
    /// A permissions reference of which nothing is told.
    #[error("in \"references\": expected a body, or an object with \"status\" or \"error\"")]
    EmptyReference,
    /// An unknown qualifier.
    #[error("in \"acap.unsupported\": expected a qualifier of ACAP 1.0, but found {name:?}")]
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
    /// A line longer than requests may be.
    #[error("expected a line of at most {limit} bytes")]
    TooLong {
        /// The limit in bytes.
        limit: usize,
    },
}

/// What to do about a product token that is refused, if `nonstandard_token` would admit it.
fn hint(error: &abide::ProductTokenError) -> &'static str {
    match error {
        abide::ProductTokenError::Character { token, .. }
            if ProductToken::nonstandard(token).is_ok() =>
        {
            "; set \"nonstandard_token\" to admit names outside of the grammar"
        }
        _ => "",
    }
}

impl RequestError {
    /// The error's stable name.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Json { .. } => "invalid-json",
            Self::Request { .. } => "invalid-request",
            Self::NoAgent | Self::Agent { .. } => "invalid-agent",
            Self::Application(_) => "invalid-application",
            Self::Purpose(_) => "invalid-purpose",
            Self::Url(_) | Self::RelativeUrl => "invalid-url",
            Self::TwoBodies
            | Self::Base64 { .. }
            | Self::UnknownFailure { .. }
            | Self::Status(_) => "invalid-robots",
            Self::UnknownReferenceFailure { .. }
            | Self::EmptyReference
            | Self::ReferenceStatus(_) => "invalid-references",
            Self::UnknownQualifier { .. } | Self::UnknownMode { .. } => "invalid-acap",
            Self::TooLong { .. } => "line-too-long",
        }
    }

    /// The line that answers the request instead of a decision.
    #[must_use]
    pub fn to_json(&self, id: Option<&RawValue>) -> String {
        let id = id.map_or("null", RawValue::get);
        let message = text::line(&self.to_string());
        format!(
            "{{\"id\":{id},\"error\":{{\"code\":\"{}\",\"message\":{message}}}}}",
            self.code()
        )
    }
}
