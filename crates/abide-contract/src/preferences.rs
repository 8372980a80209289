//! AI preferences: the member `preferences` of requests and of answers (docs/spec/preferences.md).

use crate::codes;
use crate::names::{Distinct, MAX_NAME, Members, Names};
use crate::reference::Reference;
use crate::request_error::{RequestError, check_name, escaped};
use abide::preference::{
    ControlToken, Documents, LicenceState, PreferenceProfile, Revision, SignalScope, TdmrepState,
    UseLevel, Vocabulary,
};
use abide::rep::Access;
use abide::{
    LicenceDocument, Moment, Named, Outcome, Preferences, ProductToken, UnknownNameError, Usage,
    VocabularyAnswer,
};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// The member `preferences` of a request.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Preferences"))]
#[serde(deny_unknown_fields, default)]
pub(crate) struct PreferencesRequest {
    /// The vocabularies that count [default: all]. With `tdmrep` and without that file, `train` and
    /// `ai-input` are unknown.
    #[cfg_attr(
        feature = "schema",
        schemars(with = "Option<Vec<Vocabulary>>", length(min = 1))
    )]
    vocabularies: Option<Names>,
    /// The revision of draft-ietf-aipref-vocab that has the words of `Content-Usage` [default: 08].
    #[cfg_attr(
        feature = "schema",
        schemars(schema_with = "crate::request_schema::revisions")
    )]
    revision: Option<String>,
    /// Whether `noai`, `noimageai` and `noml` count [default: true].
    vendor_tags: Option<bool>,
    /// Whether `Content-Signal` lines before the first group count as a group for `*` [default:
    /// false].
    signals_outside_groups: bool,
    /// For whom a `Content-Usage` or `Content-Signal` line counts: the robots of its group, or
    /// every robot whose own groups have no such line, also before the first group [default:
    /// group].
    #[cfg_attr(feature = "schema", schemars(with = "Option<SignalScope>"))]
    signal_scope: Option<String>,
    /// The level to which the client means to use content.
    #[serde(rename = "use")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<UseLevel>"))]
    intended_use: Option<String>,
    /// Control tokens to ask about [default: those of the client's operator]. A text is one that
    /// abide knows, such as `Google-Extended`.
    control_tokens: Option<Distinct<Token>>,
    /// The site's `/.well-known/tdmrep.json`: a body, or its `status` or `error`.
    tdmrep: Option<Reference>,
    /// RSL licence documents, by URL as the site writes it: a body, or its `status` or `error`.
    rsl: Members<Reference>,
    /// When the page was fetched, RFC 3339.
    fetched_at: Option<Moment>,
}

/// A control token: one of the table, or with its usages.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Token {
    Known(String),
    Own(OwnToken),
}

/// A control token with its usages.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ControlToken"))]
#[serde(deny_unknown_fields)]
pub(crate) struct OwnToken {
    #[cfg_attr(feature = "schema", schemars(length(max = 256)))]
    token: String,
    #[cfg_attr(
        feature = "schema",
        schemars(schema_with = "crate::request_schema::usages")
    )]
    usages: Vec<String>,
}

impl<'de> Deserialize<'de> for Token {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TokenVisitor;

        impl<'de> Visitor<'de> for TokenVisitor {
            type Value = Token;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a control token, or an object with \"token\" and \"usages\"")
            }

            fn visit_str<E>(self, token: &str) -> Result<Token, E> {
                Ok(Token::Known(token.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Token, A::Error> {
                let object = MapAccessDeserializer::new(map);
                OwnToken::deserialize(object).map(Token::Own)
            }
        }

        deserializer.deserialize_any(TokenVisitor)
    }
}

impl PreferencesRequest {
    /// What a client with these product tokens asks for. `is_known_robot` says whether some of them
    /// are names that a known robot falls back to.
    ///
    /// # Errors
    /// [`RequestError`] for an unknown name.
    pub(crate) fn profile(
        &self,
        product_tokens: &[ProductToken],
        is_known_robot: bool,
    ) -> Result<PreferenceProfile, RequestError> {
        let standard = PreferenceProfile::default();
        let vocabularies = self.vocabularies.as_ref().map(vocabularies).transpose()?;
        let revision = self.revision.as_deref().map(revision).transpose()?;
        let signal_scope = self.signal_scope.as_deref().map(signal_scope).transpose()?;
        let intended_use = self.intended_use.as_deref().map(|name| {
            let levels = UseLevel::names();
            name.parse::<UseLevel>()
                .map_err(|error| one_of("/preferences/use", &error, levels))
        });
        let control_tokens = match &self.control_tokens {
            None => {
                let tokens = product_tokens.iter().map(ProductToken::as_str);
                if is_known_robot {
                    abide_known_robots::control_tokens_of_robot(tokens)
                } else {
                    abide_known_robots::control_tokens(tokens)
                }
            }
            Some(tokens) => {
                let tokens = tokens
                    .placed()
                    .map(|(at, token)| token.read(&format!("/preferences/control_tokens/{at}")));
                tokens.collect::<Result<_, _>>()?
            }
        };
        Ok(PreferenceProfile {
            vocabularies,
            usages: None,
            revision: revision.unwrap_or(standard.revision),
            vendor_tags: self.vendor_tags.unwrap_or(standard.vendor_tags),
            signals_outside_groups: self.signals_outside_groups,
            signal_scope: signal_scope.unwrap_or_default(),
            intended_use: intended_use.transpose()?,
            control_tokens,
        })
    }

    /// What the request knows of the documents beside robots.txt.
    ///
    /// # Errors
    /// [`RequestError`] for an impossible status, and an unknown failure.
    pub(crate) fn documents(&self) -> Result<Documents, RequestError> {
        documents(self.tdmrep.as_ref(), &self.rsl)
    }
}

/// What the members `tdmrep` and `rsl` say.
pub(crate) fn documents(
    tdmrep: Option<&Reference>,
    rsl: &Members<Reference>,
) -> Result<Documents, RequestError> {
    let mut documents = Documents::default();
    if let Some(given) = tdmrep {
        documents = match given.read(codes::INVALID_PREFERENCES, "/preferences/tdmrep")? {
            Ok(body) => abide_documents::add_tdmrep(documents, body),
            // Only these leave open what the file says (PREF-82).
            Err(Access::Unreachable(_) | Access::Unknown) => {
                documents.with_tdmrep(TdmrepState::NotKnown)
            }
            Err(_) => documents.with_tdmrep(TdmrepState::Absent),
        };
    }
    for (url, given) in rsl.iter() {
        let pointer = format!("/preferences/rsl/{}", escaped(url));
        documents = match given.read(codes::INVALID_PREFERENCES, &pointer)? {
            Ok(body) => abide_documents::add_rsl(documents, url, body),
            Err(Access::Unknown) => documents.with_licence(url, LicenceState::NotKnown),
            // A document that cannot be had permits nothing, whatever the reason (PREF-94).
            Err(_) => documents.with_licence(url, LicenceState::Unreadable),
        };
    }
    Ok(documents)
}

impl Token {
    /// The control token at `pointer`.
    fn read(&self, pointer: &str) -> Result<ControlToken, RequestError> {
        match self {
            Self::Known(name) => {
                check_name(
                    codes::INVALID_PREFERENCES,
                    || pointer.to_owned(),
                    name,
                    MAX_NAME,
                )?;
                let known = abide_known_robots::named(name);
                known.and_then(abide_known_robots::KnownRobot::control_token).ok_or_else(|| {
                    let reason = format!(
                        "expected a known control token such as Google-Extended, or an object with \"token\" and \"usages\", but found {name:?}"
                    );
                    invalid(pointer, reason)
                })
            }
            Self::Own(OwnToken { token, usages }) => {
                let of_name = || format!("{pointer}/token");
                check_name(codes::INVALID_PREFERENCES, of_name, token, MAX_NAME)?;
                let token = ProductToken::new(token).map_err(|error| invalid(of_name(), error))?;
                let usage = |(at, name): (usize, &String)| {
                    let mut known = Usage::PREFERENCES.iter().copied();
                    known.find(|usage| usage.name() == name).ok_or_else(|| {
                        let reason =
                            format!("expected train, ai-input or search, but found {name:?}");
                        invalid(format!("{pointer}/usages/{at}"), reason)
                    })
                };
                let usages = usages.iter().enumerate().map(usage);
                let usages = usages.collect::<Result<_, _>>()?;
                Ok(ControlToken { token, usages })
            }
        }
    }
}

/// The member `revision`.
pub(crate) fn revision(number: &str) -> Result<&'static Revision, RequestError> {
    let known = Revision::ALL.iter().map(|one| one.number);
    Revision::named(number).map_err(|error| one_of("/preferences/revision", &error, known))
}

/// The member `signal_scope`.
pub(crate) fn signal_scope(name: &str) -> Result<SignalScope, RequestError> {
    let known = SignalScope::names();
    name.parse()
        .map_err(|error| one_of("/preferences/signal_scope", &error, known))
}

/// The member `vocabularies`.
pub(crate) fn vocabularies(names: &Names) -> Result<Vec<Vocabulary>, RequestError> {
    let pointer = "/preferences/vocabularies";
    if names.is_empty() {
        let reason = "expected at least one vocabulary, but found an empty list";
        return Err(invalid(pointer, reason));
    }
    let read = |(at, name): (usize, &String)| {
        name.parse()
            .map_err(|error| one_of(&format!("{pointer}/{at}"), &error, Vocabulary::names()))
    };
    names.placed().map(read).collect()
}

/// The error of the member at `pointer`.
pub(crate) fn invalid(pointer: impl Into<String>, reason: impl fmt::Display) -> RequestError {
    RequestError::new(codes::INVALID_PREFERENCES, pointer, reason)
}

fn one_of<'n>(
    pointer: &str,
    error: &UnknownNameError,
    known: impl Iterator<Item = &'n str>,
) -> RequestError {
    let known = known.collect::<Vec<_>>().join(", ");
    invalid(pointer, format_args!("{error}; expected one of {known}"))
}

/// What each vocabulary says, as a member of a decision.
pub(crate) fn answered<'a>(
    preferences: &'a Preferences<'a>,
) -> BTreeMap<Vocabulary, VocabularyJson<'a>> {
    let vocabularies = preferences.vocabularies.iter();
    vocabularies
        .map(|answer| (answer.vocabulary, VocabularyJson::new(answer)))
        .collect()
}

/// What one vocabulary says.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "VocabularyAnswer"))]
pub(crate) struct VocabularyJson<'a> {
    /// The document that defines the words of `Content-Usage`.
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<Cow<'static, str>>,
    /// The words that the vocabulary settles, with their values as written in lower case; for
    /// licences and control tokens an outcome, for a robots tag `true`.
    #[cfg_attr(
        feature = "schema",
        schemars(with = "BTreeMap<String, StatedValue<'a>>")
    )]
    words: WordsJson<'a>,
    /// Its own outcomes for the usages that are about AI.
    #[cfg_attr(
        feature = "schema",
        schemars(extend("required" = Usage::PREFERENCES.iter().map(|usage| usage.name()).collect::<Vec<_>>()))
    )]
    usages: BTreeMap<Usage, Outcome>,
    /// For RSL: the licence documents that bind the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    documents: Option<Cow<'a, [LicenceDocument]>>,
}

/// The value of a word or rule; `true` if it has none.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(inline))]
pub(crate) enum StatedValue<'a> {
    Stated(bool),
    Value(Cow<'a, str>),
}

impl<'a> StatedValue<'a> {
    pub(crate) fn new(value: Option<&'a str>) -> Self {
        value.map_or(Self::Stated(true), |value| Self::Value(value.into()))
    }
}

/// Words and their values, in the order of the vocabulary.
#[derive(Debug)]
struct WordsJson<'a>(Vec<(Cow<'a, str>, StatedValue<'a>)>);

impl Serialize for WordsJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(word, value)| (word, value)))
    }
}

impl<'de> Deserialize<'de> for WordsJson<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Words;

        impl<'de> Visitor<'de> for Words {
            type Value = WordsJson<'static>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut words = Vec::new();
                while let Some((word, value)) = map.next_entry()? {
                    words.push((word, value));
                }
                Ok(WordsJson(words))
            }
        }

        deserializer.deserialize_map(Words)
    }
}

impl<'a> VocabularyJson<'a> {
    fn new(answer: &'a VocabularyAnswer<'a>) -> Self {
        // A robots tag has no value.
        let has_values = answer.vocabulary != Vocabulary::RobotsTag;
        let words = answer.words.iter().map(|(word, value)| {
            let value = has_values.then_some(&**value);
            (Cow::from(*word), StatedValue::new(value))
        });
        Self {
            revision: answer.revision.map(Cow::from),
            words: WordsJson(words.collect()),
            usages: answer.outcomes().collect(),
            documents: (answer.vocabulary == Vocabulary::Rsl).then(|| (&answer.documents).into()),
        }
    }
}
