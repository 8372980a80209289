//! Which robots may crawl a site.

use super::agents::unknown_robot;
use super::file::file;
use super::{Agents, Work, robots_txt};
use crate::Versioned;
use crate::codes;
use crate::matrix::FileMatrix;
use crate::purposes::Purposes;
use crate::request::Body;
use crate::request_error::RequestError;
use crate::site_preferences::SitePreferences;
use abide::{Limits, Profile, Robots};
use abide_analysis::Bound;
use abide_analysis::matrix::{Matrix, MatrixSettings};
use abide_analysis::preferences::{self, SiteQuestion};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};
use std::fmt;

/// A file, and the robots to answer for.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct MatrixRequest {
    /// The robots.txt as text.
    pub robots: Option<Body>,
    /// The file in base64, for any bytes.
    pub robots_base64: Option<String>,
    /// The name of the file in the answer [default: robots.txt]
    #[serde(default = "robots_txt")]
    pub file: String,
    /// Robots [default: all known robots, those that the file names, and every other robot]
    #[serde(default)]
    pub agents: Agents,
    /// Purposes that the robots claim, as `User-Agent-Purpose` lines name them.
    #[serde(default)]
    pub purposes: Purposes,
    /// How to read what the specifications leave open [default: careful]
    #[serde(default)]
    pub profile: Profile,
    /// Whether to leave out what operators document about their robots.
    #[serde(default)]
    pub literal: bool,
    /// Whether to answer for training, AI input and search too, or by which vocabularies and
    /// documents [default: if the file states a preference]
    #[serde(default)]
    pub preferences: PreferenceChoice,
    /// A URL of the site that the file is from. Without it, licences for whole URLs do not count.
    pub site: Option<String>,
}

/// Whether to ask about preferences, or what exactly.
#[derive(Debug, Default)]
#[non_exhaustive]
pub enum PreferenceChoice {
    /// If the file states any.
    #[default]
    IfStated,
    /// In any case, or in no case.
    Flag(bool),
    /// In any case, with these vocabularies and documents.
    With(Box<SitePreferences>),
}

impl<'de> Deserialize<'de> for PreferenceChoice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PreferenceChoiceVisitor;

        impl<'de> Visitor<'de> for PreferenceChoiceVisitor {
            type Value = PreferenceChoice;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("true, false or an object with vocabularies and documents")
            }

            fn visit_unit<E>(self) -> Result<PreferenceChoice, E> {
                Ok(PreferenceChoice::IfStated)
            }

            fn visit_bool<E>(self, asks: bool) -> Result<PreferenceChoice, E> {
                Ok(PreferenceChoice::Flag(asks))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<PreferenceChoice, A::Error> {
                let object = MapAccessDeserializer::new(map);
                let preferences = SitePreferences::deserialize(object)?;
                Ok(PreferenceChoice::With(Box::new(preferences)))
            }
        }

        deserializer.deserialize_any(PreferenceChoiceVisitor)
    }
}

impl MatrixRequest {
    /// Shows which robots may crawl the site.
    ///
    /// # Errors
    /// [`RequestError`] for members that cannot be read, and with
    /// [`TOO_MUCH_WORK`](super::TOO_MUCH_WORK).
    pub fn answer<T>(
        &self,
        work: &Work<'_>,
        write: impl FnOnce(&Versioned<FileMatrix<'_>>) -> T,
    ) -> Result<T, RequestError> {
        let profile = self.profile;
        let agents = self.agents.robots(false)?;
        let bytes = file(self.robots.as_ref(), self.robots_base64.as_deref(), "")?;
        let robots = Robots::parse_as(&bytes, profile, Limits::default());
        let settings = MatrixSettings {
            literal: self.literal,
            preferences: self.question(&robots)?,
            purposes: self.purposes.tokens(None)?,
        };
        let goes_on = || work.goes_on();
        let matrix = Matrix::of_file_while(&robots, &agents, &settings, Bound::default(), goes_on)
            .map_err(|error| unknown_robot("/agents", &error))?;
        let matrix = work.whole(matrix)?;
        Ok(write(&FileMatrix::new(
            &self.file,
            profile,
            self.literal,
            &matrix,
        )))
    }

    /// What is asked about preferences, if anything.
    fn question(&self, robots: &Robots) -> Result<Option<SiteQuestion>, RequestError> {
        let question = match &self.preferences {
            PreferenceChoice::Flag(false) => return Ok(None),
            PreferenceChoice::IfStated if !preferences::are_stated(robots) => return Ok(None),
            PreferenceChoice::IfStated | PreferenceChoice::Flag(true) => SiteQuestion::default(),
            PreferenceChoice::With(choice) => choice.question()?,
        };
        let Some(url) = &self.site else {
            return Ok(Some(question));
        };
        let question = question.with_origin_of(url);
        if question.origin.is_none() {
            let reason = "expected a URL such as https://example.com/";
            let error = RequestError::new(codes::INVALID_URL, "/site", reason);
            return Err(error.with_remedy("write a whole URL of the site, or leave the member out"));
        }
        Ok(Some(question))
    }
}
