//! Reads JSON, or values of the same form, in one pass, and says what is wrong and where
//! (RFC 6901).
//!
//! Between the parser and the types that are read stands [`Tracked`]. The types fail with a
//! [`Fault`], which keeps apart what serde would make a sentence of; on the way out the names of
//! members are collected. Nothing is collected or copied while nothing is wrong.

use crate::codes;
use crate::names::{MAX_ID, Object, Text, cut};
use crate::request_error::{RequestError, dotted, escaped};
use abide::syntax::nearest_text;
use serde::de::value::BorrowedStrDeserializer;
use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, EnumAccess, Expected, IntoDeserializer,
    MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde_json::error::Category;
use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;

/// Reads a JSON object. An array is no object: derived code would take it for the members in their
/// order.
///
/// ```
/// #[derive(Debug, serde::Deserialize)]
/// #[serde(deny_unknown_fields)]
/// struct Side {
///     robots: String,
/// }
/// let side: Side = abide_contract::read(br#"{"robots":""}"#)?;
/// assert_eq!(side.robots, "");
/// let error = abide_contract::read::<Side>(br#"{"robots":1}"#).unwrap_err();
/// assert_eq!((error.code(), error.pointer()), ("invalid-request", "/robots"));
/// # Ok::<(), abide_contract::RequestError>(())
/// ```
///
/// # Errors
/// [`RequestError`] for text that is not JSON, and for JSON of another form.
pub fn read<'de, T: Deserialize<'de>>(json: &'de [u8]) -> Result<T, RequestError> {
    let Object(value) = parsed(json, &[])?;
    Ok(value)
}

/// Like [`read`], but reads values of another form than JSON text, such as the arguments of another
/// language.
///
/// # Errors
/// [`RequestError`] for values of another form, and in the words of `members` for what it cannot
/// read itself.
pub fn read_from<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    members: D,
) -> Result<T, RequestError> {
    let words = |error: &D::Error| Ok(error.to_string());
    let Object(value) = tracked(members, &[], words)?;
    Ok(value)
}

/// Reads all of `json`. If its root has members beside those that its type names, these are
/// `further`.
pub(crate) fn parsed<'de, T: Deserialize<'de>>(
    json: &'de [u8],
    further: &[&str],
) -> Result<T, RequestError> {
    let mut parser = serde_json::Deserializer::from_slice(json);
    let value = tracked(&mut parser, further, |error| match error.classify() {
        Category::Data => Ok(parser_text(error)),
        _ => Err(not_json(json, error)),
    })?;
    parser.end().map_err(|error| not_json(json, &error))?;
    Ok(value)
}

/// Reads all that `inner` has. `words` are for an error of `inner` itself: what is wrong with the
/// value there, or the error of the whole.
pub(crate) fn tracked<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    inner: D,
    further: &[&str],
    words: impl FnOnce(&D::Error) -> Result<String, RequestError>,
) -> Result<T, RequestError> {
    let track = Track::default();
    let mut stop = None;
    let read = T::deserialize(Tracked {
        inner,
        track: &track,
        stop: &mut stop,
    });
    read.map_err(|fault| track.error(fault, || stop.as_ref().map(words), further))
}

/// What is wrong with JSON of another form. `None` if the [`Track`] has it, or if the parser has
/// stopped.
#[derive(Debug)]
struct Fault(Option<Box<Wrong>>);

#[derive(Debug)]
enum Wrong {
    Mismatch {
        expected: String,
        found: String,
        /// Whether what was found has another type.
        is_type: bool,
    },
    Unknown(String, &'static [&'static str]),
    Missing(&'static str),
    Repeated(&'static str),
    Other(String),
}

impl Fault {
    fn of(wrong: Wrong) -> Self {
        Self(Some(Box::new(wrong)))
    }

    /// Says in words of JSON what was expected.
    fn expecting(mut self, words: Option<&'static str>) -> Self {
        if let (Some(words), Some(Wrong::Mismatch { expected, .. })) =
            (words, self.0.as_deref_mut())
        {
            words.clone_into(expected);
        }
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl std::error::Error for Fault {}

impl de::Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::of(Wrong::Other(message.to_string()))
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let found = match found {
            Unexpected::Bool(value) => value.to_string(),
            Unexpected::Unsigned(value) => format!("the number {value}"),
            Unexpected::Signed(value) => format!("the number {value}"),
            Unexpected::Float(value) => format!("the number {value:?}"),
            Unexpected::Str(text) => format!("the text {:?}", cut(text)),
            Unexpected::Unit | Unexpected::Option => "null".to_owned(),
            Unexpected::Seq => "a list".to_owned(),
            Unexpected::Map => "an object".to_owned(),
            other => other.to_string(),
        };
        Self::of(Wrong::Mismatch {
            expected: expected.to_string(),
            found,
            is_type: true,
        })
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let mut fault = Self::invalid_type(found, expected);
        if let Some(Wrong::Mismatch { is_type, .. }) = fault.0.as_deref_mut() {
            *is_type = false;
        }
        fault
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Self::of(Wrong::Mismatch {
            expected: expected.to_string(),
            found: format!("a list of {length}"),
            is_type: false,
        })
    }

    fn unknown_field(name: &str, known: &'static [&'static str]) -> Self {
        Self::of(Wrong::Unknown(name.to_owned(), known))
    }

    fn missing_field(name: &'static str) -> Self {
        Self::of(Wrong::Missing(name))
    }

    fn duplicate_field(name: &'static str) -> Self {
        Self::of(Wrong::Repeated(name))
    }
}

/// The fault that ends the reading, and where: from the inside out.
#[derive(Debug, Default)]
struct Track(RefCell<Trail>);

#[derive(Debug, Default)]
struct Trail {
    wrong: Option<Box<Wrong>>,
    path: Vec<String>,
}

impl Track {
    /// The error with which the reader below goes on: the one that stopped it, or else an empty one
    /// in place of `fault`, which is kept here.
    fn kept<E: de::Error>(&self, fault: Fault, stop: Option<E>) -> E {
        if let Fault(Some(wrong)) = fault {
            self.0.borrow_mut().wrong = Some(wrong);
        }
        stop.unwrap_or_else(|| E::custom(""))
    }

    /// Notes that the fault is in this member or place.
    fn within(&self, segment: impl fmt::Display) {
        self.0.borrow_mut().path.push(segment.to_string());
    }

    /// The error of the whole. Without a fault, `stop` says why the reader below has stopped.
    fn error(
        self,
        fault: Fault,
        stop: impl FnOnce() -> Option<Result<String, RequestError>>,
        further: &[&str],
    ) -> RequestError {
        let Trail { wrong, mut path } = self.0.into_inner();
        path.reverse();
        let wrong = match fault.0.or(wrong) {
            Some(wrong) => *wrong,
            None => match stop() {
                Some(Ok(words)) => Wrong::Other(words),
                Some(Err(error)) => return error,
                None => Wrong::Other("it cannot be read".to_owned()),
            },
        };
        of_form(&wrong, &path, further)
    }
}

/// The error of JSON of another form: in the member at `path`, or in one of its members.
fn of_form(wrong: &Wrong, path: &[String], further: &[&str]) -> RequestError {
    // The member of a request whose errors have a code of their own.
    let own = "preferences";
    let is_own = !further.is_empty() && path.first().is_some_and(|first| first == own);
    let (code, start) = if is_own {
        (codes::INVALID_PREFERENCES, "")
    } else {
        (codes::INVALID_REQUEST, "invalid request: ")
    };
    let object = if is_own { own } else { "" };
    let below = |name: &str| {
        let inside = path.iter().skip(usize::from(is_own)).cloned();
        dotted(inside.chain([name.to_owned()]))
    };
    let (member, reason) = match wrong {
        Wrong::Mismatch {
            expected, found, ..
        } => (None, format!("expected {expected}, but found {found}")),
        Wrong::Other(message) => (None, message.clone()),
        Wrong::Unknown(name, known) => {
            let of_root = further.iter().filter(|_| path.is_empty());
            let known: Vec<&str> = known.iter().chain(of_root).copied().collect();
            let hint = match nearest_text(name, known.iter().copied()) {
                Some(near) => format!("did you mean {near}?"),
                None => format!("expected {}", either(&known)),
            };
            let reason = format!("unknown member {:?}; {hint}", below(name));
            (Some(name.as_str()), reason)
        }
        Wrong::Missing(name) => {
            let reason = format!("the member {:?} is missing", below(name));
            (Some(*name), reason)
        }
        Wrong::Repeated(name) => {
            let reason = format!("the member {:?} occurs twice", below(name));
            (Some(*name), reason)
        }
    };
    let segments = path.iter().map(String::as_str).chain(member);
    let mut error = RequestError::new(code, pointer(segments), reason).starting(start);
    if let Wrong::Mismatch { is_type: true, .. } = wrong {
        error = error.of_type();
    }
    match member {
        Some(_) => error.naming(object),
        None => error,
    }
}

/// The JSON Pointer to a member. It ends before a name that is too long to be repeated.
fn pointer<'n>(segments: impl Iterator<Item = &'n str>) -> String {
    let segments = segments.take_while(|name| name.len() <= MAX_ID);
    segments.fold(String::new(), |pointer, name| {
        pointer + "/" + &escaped(name)
    })
}

/// The names in words.
fn either(names: &[&str]) -> String {
    match names {
        [] => "no members".to_owned(),
        [only] => (*only).to_owned(),
        [first, second] => format!("{first} or {second}"),
        several => format!("one of {}", several.join(", ")),
    }
}

/// The error of text that is not JSON.
fn not_json(json: &[u8], error: &serde_json::Error) -> RequestError {
    let start = json.get(..2).unwrap_or(json);
    let reason = if json.starts_with(b"\xEF\xBB\xBF") {
        "it begins with a byte order mark; send UTF-8 without one".to_owned()
    } else if start.contains(&0) || matches!(start, b"\xFF\xFE" | b"\xFE\xFF") {
        "it is UTF-16; send UTF-8".to_owned()
    } else {
        match (error.is_eof(), error.line(), error.column()) {
            (true, ..) => parser_text(error),
            // A request is one line, as a rule.
            (_, 1, column) => format!("{} at column {column}", parser_text(error)),
            (_, line, column) => {
                format!("{} at line {line}, column {column}", parser_text(error))
            }
        }
    };
    RequestError::new(codes::INVALID_JSON, "", reason).starting("not valid JSON: ")
}

/// The words of the parser, without the place that it adds, and in the style of this crate.
fn parser_text(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let text = text.strip_suffix(&place).unwrap_or(&text);
    let text = text.replace(
        "EOF while parsing a value",
        "it ends where a value is expected",
    );
    let text = text.replace("EOF while parsing", "it ends inside");
    text.replace('`', "\"")
}

/// A deserializer whose types fail with a [`Fault`].
struct Tracked<'t, 'de, D: Deserializer<'de>> {
    inner: D,
    track: &'t Track,
    /// Where the error that stopped `inner` is kept.
    stop: &'t mut Option<D::Error>,
}

impl<'t, 'de, D: Deserializer<'de>> Tracked<'t, 'de, D> {
    /// Reads what the JSON has. A mismatch names what was `expected`, or else what the visitor
    /// expects.
    fn any<V: Visitor<'de>>(
        self,
        visitor: V,
        expected: Option<&'static str>,
    ) -> Result<V::Value, Fault> {
        let visitor = TrackedVisitor {
            visitor,
            track: self.track,
            expected,
        };
        let read = self.inner.deserialize_any(visitor);
        read.map_err(|error| stopped(self.stop, error))
    }

    /// Reads with one of the other methods of the parser.
    fn with<V: Visitor<'de>>(
        self,
        visitor: V,
        read: impl FnOnce(D, TrackedVisitor<'t, V>) -> Result<V::Value, D::Error>,
    ) -> Result<V::Value, Fault> {
        let visitor = TrackedVisitor {
            visitor,
            track: self.track,
            expected: None,
        };
        read(self.inner, visitor).map_err(|error| stopped(self.stop, error))
    }
}

/// Keeps what stopped the reader below.
fn stopped<E>(stop: &mut Option<E>, error: E) -> Fault {
    *stop = Some(error);
    Fault(None)
}

/// Methods that read what the JSON has, with what a mismatch calls the expected value.
macro_rules! any {
    ($($method:ident: $expected:expr;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            self.any(visitor, $expected)
        })*
    };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Tracked<'_, 'de, D> {
    type Error = Fault;

    any! {
        deserialize_any: None;
        deserialize_bool: Some("true or false");
        deserialize_i8: Some("a whole number");
        deserialize_i16: Some("a whole number");
        deserialize_i32: Some("a whole number");
        deserialize_i64: None;
        deserialize_u8: Some("a whole number, 0 or more");
        deserialize_u16: Some("a whole number, 0 or more");
        deserialize_u32: Some("a whole number, 0 or more");
        deserialize_u64: Some("a whole number, 0 or more");
        deserialize_f32: Some("a number");
        deserialize_f64: Some("a number");
        deserialize_char: None;
        deserialize_str: None;
        deserialize_string: None;
        deserialize_bytes: None;
        deserialize_byte_buf: None;
        deserialize_unit: Some("null");
        deserialize_seq: Some("a list");
        deserialize_map: Some("an object");
        deserialize_identifier: None;
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.with(visitor, D::deserialize_option)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.with(visitor, D::deserialize_ignored_any)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        // The parser knows raw values by their name.
        self.with(visitor, |inner, visitor| {
            inner.deserialize_newtype_struct(name, visitor)
        })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.with(visitor, |inner, visitor| {
            inner.deserialize_enum(name, variants, visitor)
        })
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.any(visitor, Some("null"))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Fault> {
        self.any(visitor, Some("a pair [name, value]"))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.any(visitor, Some("a list"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.any(visitor, Some("an object"))
    }
}

/// A visitor whose errors are kept in a [`Track`].
struct TrackedVisitor<'t, V> {
    visitor: V,
    track: &'t Track,
    expected: Option<&'static str>,
}

/// Methods that take a value.
macro_rules! values {
    ($($method:ident: $type:ty;)*) => {
        $(fn $method<E: de::Error>(self, value: $type) -> Result<V::Value, E> {
            let read = self.visitor.$method::<Fault>(value);
            read.map_err(|fault| self.track.kept(fault.expecting(self.expected), None))
        })*
    };
}

/// Methods that take none.
macro_rules! nothing {
    ($($method:ident;)*) => {
        $(fn $method<E: de::Error>(self) -> Result<V::Value, E> {
            let read = self.visitor.$method::<Fault>();
            read.map_err(|fault| self.track.kept(fault.expecting(self.expected), None))
        })*
    };
}

/// Methods that take a deserializer.
macro_rules! inside {
    ($($method:ident;)*) => {
        $(fn $method<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
            let mut stop = None;
            let read = self.visitor.$method(Tracked {
                inner,
                track: self.track,
                stop: &mut stop,
            });
            read.map_err(|fault| self.track.kept(fault, stop))
        })*
    };
}

impl<'de, V: Visitor<'de>> Visitor<'de> for TrackedVisitor<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(f)
    }

    values! {
        visit_bool: bool;
        visit_i64: i64;
        visit_u64: u64;
        visit_f64: f64;
        visit_str: &str;
        visit_borrowed_str: &'de str;
        visit_string: String;
    }

    nothing! {
        visit_unit;
        visit_none;
    }

    inside! {
        visit_some;
        visit_newtype_struct;
    }

    fn visit_seq<A: SeqAccess<'de>>(self, inner: A) -> Result<V::Value, A::Error> {
        let mut list = TrackedList {
            inner,
            track: self.track,
            next: 0,
            stop: None,
        };
        let read = self.visitor.visit_seq(&mut list);
        read.map_err(|fault| self.track.kept(fault.expecting(self.expected), list.stop))
    }

    fn visit_map<A: MapAccess<'de>>(self, inner: A) -> Result<V::Value, A::Error> {
        let mut object = TrackedObject {
            inner,
            track: self.track,
            key: Cow::Borrowed(""),
            stop: None,
        };
        let read = self.visitor.visit_map(&mut object);
        read.map_err(|fault| self.track.kept(fault.expecting(self.expected), object.stop))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, variant: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_enum(variant)
    }
}

/// The value of a member or an entry of a list.
struct TrackedSeed<'t, S> {
    seed: S,
    track: &'t Track,
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for TrackedSeed<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, inner: D) -> Result<S::Value, D::Error> {
        let mut stop = None;
        let read = self.seed.deserialize(Tracked {
            inner,
            track: self.track,
            stop: &mut stop,
        });
        read.map_err(|fault| self.track.kept(fault, stop))
    }
}

struct TrackedList<'t, 'de, A: SeqAccess<'de>> {
    inner: A,
    track: &'t Track,
    next: usize,
    stop: Option<A::Error>,
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for TrackedList<'_, 'de, A> {
    type Error = Fault;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Fault> {
        let track = self.track;
        let entry = self.inner.next_element_seed(TrackedSeed { seed, track });
        let at = self.next;
        self.next += 1;
        entry.map_err(|error| {
            track.within(at);
            stopped(&mut self.stop, error)
        })
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

struct TrackedObject<'t, 'de, A: MapAccess<'de>> {
    inner: A,
    track: &'t Track,
    /// The name of the last member.
    key: Cow<'de, str>,
    stop: Option<A::Error>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for TrackedObject<'_, 'de, A> {
    type Error = Fault;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Fault> {
        let key = self.inner.next_key_seed(PhantomData::<Text<'de>>);
        let key = key.map_err(|error| stopped(&mut self.stop, error))?;
        let Some(Text(key)) = key else {
            return Ok(None);
        };
        self.key = key;
        named(seed, &self.key).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Fault> {
        let track = self.track;
        let value = self.inner.next_value_seed(TrackedSeed { seed, track });
        value.map_err(|error| {
            track.within(&self.key);
            stopped(&mut self.stop, error)
        })
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

/// Reads the name of a member that is read already.
pub(crate) fn named<'de, S: DeserializeSeed<'de>, E: de::Error>(
    seed: S,
    name: &Cow<'de, str>,
) -> Result<S::Value, E> {
    match name {
        Cow::Borrowed(name) => seed.deserialize(BorrowedStrDeserializer::new(name)),
        Cow::Owned(name) => seed.deserialize(name.as_str().into_deserializer()),
    }
}
