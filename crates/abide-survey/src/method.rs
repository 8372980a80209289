//! How a survey was made: what somebody needs who cites it or repeats it.

use crate::input::sources::Source;
use crate::options::Options;
use crate::schema;
use abide::PurposeToken;
use abide_fetch::BodyHash;
use abide_known_robots::Robot;
use ring::digest::{Context, SHA256};
use serde::{Deserialize, Serialize};

/// The key in the metadata of Parquet files.
pub(crate) const METADATA_KEY: &str = "abide.survey.method";
/// The file beside tables in formats that have no metadata.
pub(crate) const FILE: &str = "method.json";

/// How a survey was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
#[non_exhaustive]
pub struct Method {
    /// The version of abide.
    pub abide: String,
    /// The version of the schema of the tables.
    pub tables_version: u32,
    /// The day on which a row of the table of known robots was last checked, such as `2026-11-24`.
    pub known_robots: String,
    /// The robots that the survey asked about.
    pub robots: Vec<String>,
    /// How somebody asked for them: lists of names and sets, such as `GPTBot,@search`. Empty if
    /// a program gave the robots.
    pub asked: Vec<String>,
    /// The purposes that all of them claim.
    pub purposes: Vec<String>,
    /// The paths.
    pub paths: Vec<String>,
    /// The profile.
    pub profile: String,
    /// Whether what operators document about their robots was left out.
    pub literal: bool,
    /// Whether the digests in archives were checked.
    pub verified: bool,
    /// The changes that were asked about.
    pub what_if: Vec<String>,
    /// The tables.
    pub tables: Vec<String>,
    /// What was read.
    pub inputs: MethodInputs,
}

/// What a survey read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
#[non_exhaustive]
pub struct MethodInputs {
    /// Files.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// The SHA-256 of one line for each file, in order: its size in bytes, a space and its name
    /// without folders.
    pub sha256: String,
}

impl Method {
    pub(crate) fn of(options: &Options, sources: &[Source]) -> Self {
        let known = abide_known_robots::all().iter().map(|row| row.checked);
        let names = |names: &mut dyn Iterator<Item = &str>| names.map(str::to_owned).collect();
        Self {
            abide: env!("CARGO_PKG_VERSION").to_owned(),
            tables_version: schema::VERSION,
            known_robots: known.max().unwrap_or_default().to_owned(),
            robots: options.robots.iter().map(Robot::name).collect(),
            asked: options.asked.clone(),
            purposes: names(&mut options.purposes.iter().map(PurposeToken::as_str)),
            paths: options.paths.clone(),
            profile: options.profile.name().to_owned(),
            literal: options.literal,
            verified: options.verify,
            what_if: names(&mut options.what_if.iter().map(|one| one.name())),
            tables: names(&mut options.tables.iter().map(|table| table.name())),
            inputs: MethodInputs::of(sources),
        }
    }

    /// The robots that somebody asked for by name, and not by a set, in this order.
    #[cfg(feature = "report")]
    pub(crate) fn named_robots(&self) -> Vec<String> {
        let lists = self.asked.iter().map(String::as_str);
        let names = lists.flat_map(|list| {
            if abide_known_robots::is_user_agent_line(list) {
                vec![list]
            } else {
                list.split(',').map(str::trim).collect()
            }
        });
        let robots = names.filter_map(|name| Robot::named(name).ok());
        robots.map(|robot| robot.name()).collect()
    }

    /// One line of JSON.
    pub(crate) fn text(&self) -> String {
        abide_contract::text::line(self)
    }
}

impl MethodInputs {
    fn of(sources: &[Source]) -> Self {
        let mut lines = Context::new(&SHA256);
        for source in sources {
            let name = match source.path.file_name() {
                Some(name) if !source.is_stdin => name.as_encoded_bytes(),
                _ => b"stdin",
            };
            lines.update(format!("{} ", source.size).as_bytes());
            lines.update(name);
            lines.update(b"\n");
        }
        let hash = lines.finish().as_ref().try_into().unwrap_or_default();
        Self {
            files: sources.len() as u64,
            bytes: sources.iter().map(|source| source.size).sum(),
            sha256: BodyHash::from_bytes(hash).to_string(),
        }
    }
}
