//! The parts of a matrix.

use abide::UnknownNameError;
use abide_known_robots::{Kind, KnownRobot, Purpose};
use serde::{Serialize, Serializer};

/// What the robots of one part of a matrix have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Category {
    /// Every robot that the file does not name: `*`.
    EveryOther,
    /// Robots that crawl by themselves, by their main purpose.
    Purpose(Purpose),
    /// Robots that fetch a page because a person asked for it.
    UserTriggered,
    /// Tokens that only control how content is used.
    ControlToken,
    /// Robots that the table of known robots does not have: those that the file or the caller
    /// names.
    Unknown,
}

impl Category {
    /// All categories, in the order of reports.
    pub fn all() -> impl Iterator<Item = Self> {
        let purposes = Purpose::ALL.iter().copied().map(Self::Purpose);
        let (ai, others): (Vec<Self>, Vec<Self>) = purposes.partition(|category| {
            matches!(
                category,
                Self::Purpose(Purpose::Search | Purpose::AiTraining | Purpose::AiInput)
            )
        });
        [Self::EveryOther]
            .into_iter()
            .chain(ai)
            .chain([Self::ControlToken, Self::UserTriggered])
            .chain(others)
            .chain([Self::Unknown])
    }

    /// The category of a known robot.
    #[must_use]
    pub fn of(robot: &KnownRobot) -> Self {
        match robot.kind {
            Kind::UserTriggered => Self::UserTriggered,
            Kind::ControlToken => Self::ControlToken,
            _ => Self::Purpose(robot.main_purpose()),
        }
    }

    /// The name: a purpose such as `ai-training`, or `every-other`, `user-triggered`,
    /// `control-token` or `unknown`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::EveryOther => "every-other",
            Self::Purpose(purpose) => purpose.name(),
            Self::UserTriggered => "user-triggered",
            Self::ControlToken => "control-token",
            Self::Unknown => "unknown",
        }
    }

    /// What the robots are called, such as `AI training robots`.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::EveryOther => "robots that the file does not name",
            Self::UserTriggered => "robots that fetch pages for people",
            Self::ControlToken => "control tokens",
            Self::Unknown => "robots that are not in the table",
            Self::Purpose(purpose) => match purpose {
                Purpose::Search => "search robots",
                Purpose::AiTraining => "AI training robots",
                Purpose::AiInput => "AI answer robots",
                Purpose::Archive => "archive robots",
                Purpose::Seo => "SEO robots",
                Purpose::Preview => "link preview robots",
                Purpose::Monitoring => "monitoring robots",
                Purpose::Ads => "advertising robots",
                Purpose::Feeds => "feed robots",
                Purpose::Academic => "research robots",
                Purpose::Security => "security robots",
                Purpose::Shopping => "shopping robots",
                Purpose::Translation => "translation robots",
                _ => "robots for other purposes",
            },
        }
    }

    /// What people have to know about all robots of the category; empty if nothing.
    #[must_use]
    pub const fn note(self) -> &'static str {
        match self {
            Self::ControlToken => {
                "Control tokens send no requests: they only say how pages that other robots crawl may be used."
            }
            _ => "",
        }
    }
}

/// Writes the name that [`Category::name`] returns.
impl Serialize for Category {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Category {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Category".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let names: Vec<&str> = Self::all().map(Self::name).collect();
        schemars::json_schema!({
            "description": "The main purpose of robots that crawl by themselves, or another kind. \
                every-other: robots that the file does not name. unknown: robots that the file names \
                and the table of known robots does not have.",
            "type": "string",
            "enum": names,
        })
    }
}

/// Reads the names that [`Category::name`] returns.
///
/// ```
/// use abide_analysis::matrix::Category;
/// for one in Category::all() {
///     assert_eq!(one.name().parse(), Ok(one));
/// }
/// ```
impl std::str::FromStr for Category {
    type Err = UnknownNameError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        UnknownNameError::find("category of robots", name, Self::all(), Self::name)
    }
}
