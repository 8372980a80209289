//! What a request says beside its robot and URL: the members that hold for all robots and URLs.

use crate::client::{Acap, ChosenReading, RequestedApplication};
use crate::codes;
use crate::names::{Distinct, Members, Object, Text};
use crate::preferences::PreferencesRequest;
use crate::purposes::Purposes;
use crate::reader::{named, parsed, tracked};
use crate::redirect::{self, Status};
use crate::reference::{FailureName, Reference};
use crate::registry::Registries;
use crate::registry::form::RequestedRegistry;
use crate::request_error::{RequestError, escaped};
use abide::acap::FetchedReference;
use abide::preference::Documents;
use abide::rep::Access;
use abide::tag::{FieldLine, Response};
use abide::verdict::Note;
use abide::{Client, History, Moment, Policy, ProductToken, Profile, Reading, Version};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// Makes the struct, the list of its members, and their reader.
macro_rules! circumstances {
    ($($(#[doc = $doc:literal])+ $name:ident: $type:ty,)*) => {
        /// Members of a [request](crate::Request) that hold for every robot and every URL. They are
        /// optional.
        ///
        /// ```
        /// use abide_contract::{Circumstances, read_within};
        /// #[derive(Debug, serde::Deserialize)]
        /// #[serde(deny_unknown_fields)]
        /// struct Question {
        ///     agent: String,
        /// }
        /// let json = br#"{"agent":"ExampleBot","purposes":["ExampleSearch"]}"#;
        /// let (question, _) = read_within::<Question>(json)?;
        /// assert_eq!(question.agent, "ExampleBot");
        /// assert!(Circumstances::MEMBERS.contains(&"purposes"));
        /// let error = read_within::<Question>(br#"{"purpose":[]}"#).unwrap_err();
        /// assert_eq!(error.pointer(), "/purpose");
        /// # Ok::<(), abide_contract::RequestError>(())
        /// ```
        #[derive(Debug, Default)]
        #[non_exhaustive]
        pub struct Circumstances<'a> {
            $($(#[doc = $doc])+ pub(crate) $name: $type,)*
        }

        impl<'a> Circumstances<'a> {
            /// The names of the members.
            pub const MEMBERS: &'static [&'static str] = &[$(stringify!($name)),*];

            /// Reads the value of the member `name`, if it is one of these. `given` are those that
            /// were read before.
            fn read<'de: 'a, A: MapAccess<'de>>(
                &mut self,
                name: &str,
                given: &mut Vec<&'static str>,
                map: &mut A,
            ) -> Result<bool, A::Error> {
                match name {
                    $(stringify!($name) => {
                        if given.contains(&stringify!($name)) {
                            return Err(A::Error::duplicate_field(stringify!($name)));
                        }
                        given.push(stringify!($name));
                        self.$name = map.next_value()?;
                    })*
                    _ => return Ok(false),
                }
                Ok(true)
            }

            /// The JSON Schemas of the members.
            #[cfg(feature = "schema")]
            pub(crate) fn schemas(
                generator: &mut schemars::SchemaGenerator,
            ) -> Vec<(&'static str, schemars::Schema)> {
                vec![$({
                    let mut schema = generator.subschema_for::<$type>();
                    let description = [$($doc),+].concat().trim().to_owned();
                    schema.insert("description".to_owned(), description.into());
                    (stringify!($name), schema)
                }),*]
            }
        }
    };
}

circumstances! {
    /// `User-Agent-Purpose` tokens that the client claims.
    purposes: Purposes,
    /// Applications whose directives to return. A text is one with the product tokens of `agent`.
    applications: Distinct<RequestedApplication>,
    /// What is registered: applications with their directives, the purposes that exist, and the
    /// robots tag rules that count. An object, or the text of a TOML, JSON or CSV file.
    registry: Option<RequestedRegistry>,
    /// The client in terms of ACAP.
    acap: Option<Object<Acap>>,
    /// Contents of ACAP permissions references, by locator as the file writes it: a body, or its
    /// `status` or `error`.
    references: Members<Reference>,
    /// Field lines of the page's response, in order.
    headers: Vec<(String, String)>,
    /// The page's source.
    html: Option<Text<'a>>,
    /// The page's final DOM, serialised.
    rendered_html: Option<Text<'a>>,
    /// The time of the decision, RFC 3339 [default: now].
    now: Option<Moment>,
    /// When the page was first indexed, for limits in days, RFC 3339.
    first_indexed: Option<Moment>,
    /// When the page was first copied, for limits in days, RFC 3339.
    first_copied: Option<Moment>,
    /// The version of the page that the question is about.
    version: Version,
    /// Whether to accept product tokens outside of RFC 9309, such as `MJ12bot`.
    nonstandard_token: bool,
    /// Readings of ambiguous points in place of abide's own, each as the ID of the point and the
    /// name of the reading.
    readings: Distinct<ChosenReading>,
    /// Asks for AI preferences: the usages `train`, `ai-input` and `search`.
    preferences: Option<Object<PreferencesRequest>>,
    /// Final HTTP status of the robots.txt fetch, 200 to 599 [default: 200]. One from 300 to 399 is
    /// a redirect that nobody followed, and says nothing about the site; 304 means that the stored
    /// copy has to be given instead.
    robots_status: Option<Status>,
    /// Where a redirecting `robots_status` leads: the field `Location` of the answer.
    robots_location: Option<Text<'a>>,
    /// Network failure instead of a status.
    robots_error: Option<FailureName>,
}

/// Reads the members of `T` and those of [`Circumstances`] from one object, as strictly as
/// [`read`](crate::read).
///
/// # Errors
/// [`RequestError`] for text that is not JSON, and for JSON of another form. Errors in the member
/// `preferences` have a code of their own.
pub fn read_within<'de, T: Deserialize<'de>>(
    json: &'de [u8],
) -> Result<(T, Circumstances<'de>), RequestError> {
    let Within { own, circumstances } = parsed(json, Circumstances::MEMBERS)?;
    Ok((own, circumstances))
}

/// Like [`read_within`], but reads values of another form than JSON text, such as the arguments of
/// another language.
///
/// # Errors
/// [`RequestError`] for values of another form, and in the words of `members` for what it cannot
/// read itself.
pub(crate) fn read_within_from<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    members: D,
) -> Result<(T, Circumstances<'de>), RequestError> {
    let words = |error: &D::Error| Ok(error.to_string());
    let Within { own, circumstances } = tracked(members, Circumstances::MEMBERS, words)?;
    Ok((own, circumstances))
}

/// An object with the members of `T` and those of [`Circumstances`].
struct Within<'a, T> {
    own: T,
    circumstances: Circumstances<'a>,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Within<'de, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct WithinVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for WithinVisitor<T> {
            type Value = Within<'de, T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Within<'de, T>, A::Error> {
                let mut rest = Rest {
                    map,
                    circumstances: Circumstances::default(),
                    given: Vec::new(),
                };
                let own = T::deserialize(MapAccessDeserializer::new(&mut rest))?;
                Ok(Within {
                    own,
                    circumstances: rest.circumstances,
                })
            }
        }

        deserializer.deserialize_map(WithinVisitor(PhantomData))
    }
}

/// The members of an object that are no circumstances. These are read on the way.
struct Rest<'de, A> {
    map: A,
    circumstances: Circumstances<'de>,
    given: Vec<&'static str>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Rest<'de, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        while let Some(Text(name)) = self.map.next_key()? {
            let (given, map) = (&mut self.given, &mut self.map);
            if !self.circumstances.read(&name, given, map)? {
                return named(seed, &name).map(Some);
            }
        }
        Ok(None)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

impl<'a> Circumstances<'a> {
    /// Reads the members, which are not JSON text, such as the arguments of another language.
    ///
    /// ```
    /// use abide_contract::Circumstances;
    /// use serde::de::value::{Error, MapDeserializer};
    /// let members = [("version", "old"), ("now", "today")];
    /// let members = MapDeserializer::<_, Error>::new(members.into_iter());
    /// let error = Circumstances::read_from(members).unwrap_err();
    /// assert_eq!((error.code(), error.pointer()), ("invalid-request", "/now"));
    /// ```
    ///
    /// # Errors
    /// [`RequestError`] for a value that a member cannot have, and in the words of `members` for
    /// what it cannot read itself.
    pub fn read_from<D: Deserializer<'a>>(members: D) -> Result<Self, RequestError> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Nothing {}
        let (Nothing {}, circumstances) = read_within_from(members)?;
        Ok(circumstances)
    }

    /// Checks the length of every name.
    ///
    /// # Errors
    /// [`RequestError`] for the first that is too long.
    pub(crate) fn check_names(&self) -> Result<(), RequestError> {
        self.purposes.check_names()?;
        for (at, application) in self.applications.placed() {
            application.check_names(&format!("/applications/{at}"))?;
        }
        match &self.acap {
            Some(Object(acap)) => acap.check_names(),
            None => Ok(()),
        }
    }

    /// Adds to a client what is said about it beside its names. `is_known_robot` says whether some
    /// of these are names that a known robot falls back to.
    ///
    /// # Errors
    /// [`RequestError`] for an invalid registry, purpose, application, ACAP value or preference.
    pub(crate) fn described(
        &self,
        mut client: Client,
        profile: Profile,
        is_known_robot: bool,
    ) -> Result<Client, RequestError> {
        self.check_names()?;
        let registries = self.registries()?;
        let purposes = self.purposes.tokens(registries)?;
        client = purposes.into_iter().fold(client, Client::with_purpose);
        let readings = self.checked_readings(profile)?;
        client = readings.into_iter().fold(client, Client::with_reading);
        let tokens: Arc<[ProductToken]> = client.product_tokens().into();
        for (at, application) in self.applications.placed() {
            let pointer = format!("/applications/{at}");
            let registered = registries.and_then(|all| all.product_tokens(application.id()));
            let tokens = match registered {
                Some(registered) => registered.into(),
                None => Arc::clone(&tokens),
            };
            let application =
                application.read(&pointer, &tokens, profile, self.nonstandard_token)?;
            client = client.with_application(application);
        }
        if let Some(registries) = registries {
            client = registries.described(client);
        }
        if let Some(Object(acap)) = &self.acap {
            client = client.with_acap(acap.profile()?);
        }
        if let Some(Object(preferences)) = &self.preferences {
            let profile = preferences.profile(client.product_tokens(), is_known_robot)?;
            client = client.with_preferences(profile);
        }
        Ok(client)
    }

    /// The readings, of which each ambiguous point has one, in the careful profile.
    ///
    /// # Errors
    /// [`RequestError`] for two readings of one point, and for any in the google profile, which is
    /// a reading of its own.
    fn checked_readings(&self, profile: Profile) -> Result<Vec<Reading>, RequestError> {
        let mut readings: Vec<Reading> = Vec::new();
        for (at, ChosenReading(reading)) in self.readings.placed() {
            let other = readings.iter().find(|other| other.id() == reading.id());
            let reason = match other {
                _ if profile == Profile::Google => format!(
                    "expected no reading beside the profile \"google\", but found {reading}"
                ),
                Some(other) => format!(
                    "expected one reading of {}, but found {other} and {reading}",
                    reading.id()
                ),
                None => {
                    readings.push(*reading);
                    continue;
                }
            };
            let pointer = format!("/readings/{at}");
            return Err(RequestError::new(codes::INVALID_REQUEST, pointer, reason)
                .with_remedy("leave out one of the two"));
        }
        Ok(readings)
    }

    /// What is registered.
    ///
    /// # Errors
    /// [`RequestError`] for the first entry that is invalid.
    fn registries(&self) -> Result<Option<&Registries>, RequestError> {
        let registry = self.registry.as_ref();
        registry
            .map(|registry| registry.read("/registry"))
            .transpose()
    }

    /// Whether these say what the robots.txt is, in place of a file: with a status or a failure.
    pub(crate) fn have_robots(&self) -> bool {
        self.robots_status.is_some() || self.robots_error.is_some()
    }

    /// Compiles `body` for `client`, or the status or failure in its place.
    ///
    /// # Errors
    /// [`RequestError`] for an impossible status, and an unknown network failure, also of a
    /// permissions reference.
    pub(crate) fn compiled(
        &self,
        body: Option<&Arc<[u8]>>,
        client: &Client,
    ) -> Result<Policy, RequestError> {
        // A status that cannot be is an error, even beside a failure that makes it irrelevant.
        let by_status = self.robots_status.map(redirect::access).transpose();
        let by_status = by_status.map_err(|error| {
            let error = RequestError::new(codes::INVALID_ROBOTS, "/robots_status", error);
            error.with_remedy("write the final status of the robots.txt, or leave the member out")
        })?;
        let access = match (&self.robots_error, by_status, body) {
            (Some(name), ..) => name.read(codes::INVALID_ROBOTS, || "/robots_error".to_owned())?,
            (None, Some(access), _) => access,
            (None, None, Some(_)) => Access::Rules,
            (None, None, None) => Access::Unknown,
        };
        let body = body.filter(|_| !redirect::has_no_body(self.robots_status));
        let policy = match (access, body) {
            (Access::Rules, Some(body)) => Policy::compile_shared(body, client),
            _ => Policy::without_rules(access, client),
        };
        let references = self.references.iter().map(|(locator, reference)| {
            let pointer = format!("/references/{}", escaped(locator));
            let fetched = match reference.read(codes::INVALID_REFERENCES, &pointer)? {
                Ok(bytes) => FetchedReference::Bytes(bytes),
                Err(access) => FetchedReference::Failed(access),
            };
            Ok((locator.as_str(), fetched))
        });
        let references = references.collect::<Result<Vec<_>, RequestError>>()?;
        Ok(policy.with_references(references))
    }

    /// What to note of a status that leaves the robots.txt unknown.
    pub(crate) fn unread(&self) -> Option<&'static [Note]> {
        let status = self.robots_status.filter(|_| self.robots_error.is_none());
        redirect::unread(status)
    }

    /// What the client knows of earlier visits.
    pub(crate) fn history(&self) -> History {
        History {
            first_indexed: self.first_indexed,
            first_copied: self.first_copied,
            version: self.version,
        }
    }

    /// What is known of the documents beside robots.txt. `None` if nobody asks for AI preferences.
    ///
    /// # Errors
    /// [`RequestError`] for documents that cannot be read.
    pub(crate) fn documents(&self) -> Result<Option<Documents>, RequestError> {
        let preferences = self.preferences.as_ref();
        preferences
            .map(|Object(preferences)| preferences.documents())
            .transpose()
    }

    /// The page's response, with `html` as the bytes of its source, or else that of the request.
    pub(crate) fn response(&self, html: Option<&[u8]>) -> Response {
        let page = html.or(self.html.as_deref().map(str::as_bytes));
        page_response(&self.headers, page, self.rendered_html.as_deref())
    }

    /// The time of the decision; the clock's if none is given.
    pub(crate) fn instant(&self) -> Moment {
        self.now.unwrap_or_else(clock)
    }
}

/// Now.
pub(crate) fn clock() -> Moment {
    Moment::from_unix_seconds(jiff::Timestamp::now().as_second())
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
