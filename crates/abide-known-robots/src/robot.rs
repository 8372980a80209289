//! A row of the table.

use abide::preference::ControlToken;
use abide::{ProductToken, Usage};

/// A known robot: facts about it, with their source. Facts that nobody documents are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct KnownRobot {
    /// The token that robots.txt uses.
    pub token: &'static str,
    /// Who operates the robot.
    pub operator: &'static str,
    /// Whether it crawls, fetches for people, or only controls the use of content.
    pub kind: Kind,
    /// What it is for; at least one, the main purpose first.
    pub purposes: &'static [Purpose],
    /// Tokens whose groups the robot follows, in this order, if no group has its own.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "<[_]>::is_empty"))]
    pub falls_back_to: &'static [&'static str],
    /// How it reads groups for `*`, if that is documented.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub follows_any_group: Option<AnyGroup>,
    /// Whether it honours `Crawl-delay`, if that is documented.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub honours_crawl_delay: Option<bool>,
    /// Whether it follows robots.txt at all, if that is documented.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub follows_robots_txt: Option<bool>,
    /// Text in its `User-Agent` header, ignoring case, if it sends requests.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub user_agent: Option<&'static str>,
    /// URL of its published address ranges.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub ip_ranges: Option<&'static str>,
    /// Suffixes of its host names in reverse DNS.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "<[_]>::is_empty"))]
    pub reverse_dns: &'static [&'static str],
    /// URL of the operator's documentation.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub documentation: Option<&'static str>,
    /// For a legacy token: those that the operator has for the same today.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "<[_]>::is_empty"))]
    pub replaced_by: &'static [&'static str],
    /// What people write in place of the token: products that are trained on what it lets through.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "<[_]>::is_empty"))]
    pub products: &'static [&'static str],
    /// What the row rests on.
    pub basis: Basis,
    /// Date on which the row was checked, as `2026-11-24`.
    pub checked: &'static str,
    /// What blocking it does and does not do; empty if there is nothing to add.
    pub note: &'static str,
    /// For a control token: the robots whose content its groups are about.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub fetchers: &'static [&'static str],
    /// For a control token: the usages that its groups are about, of
    /// [`Usage::PREFERENCES`](abide::Usage::PREFERENCES) (PREF-116). Empty if no page of the
    /// operator says so.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub controls: &'static [Usage],
}

impl KnownRobot {
    /// Whether the row is a control token, which sends no requests.
    ///
    /// ```
    /// assert!(abide_known_robots::named("Google-Extended").unwrap().is_control_token());
    /// assert!(!abide_known_robots::named("Googlebot").unwrap().is_control_token());
    /// ```
    #[must_use]
    pub fn is_control_token(&self) -> bool {
        self.kind == Kind::ControlToken
    }

    /// Whether the operator does not list the token any more.
    #[must_use]
    pub const fn is_legacy(&self) -> bool {
        !self.replaced_by.is_empty()
    }

    /// The row as a control token; `None` for every row that controls no usage.
    ///
    /// ```
    /// let robot = abide_known_robots::named("Applebot-Extended").unwrap();
    /// let token = robot.control_token().unwrap();
    /// assert_eq!(token.usages, [abide::Usage::Train]);
    /// ```
    #[must_use]
    pub fn control_token(&self) -> Option<ControlToken> {
        if self.controls.is_empty() {
            return None;
        }
        Some(ControlToken {
            token: ProductToken::nonstandard(self.token).ok()?,
            usages: self.controls.to_vec(),
        })
    }
}

/// How a robot reads groups for `*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AnyGroup {
    /// They apply to it, as RFC 9309 says.
    Followed,
    /// They do not apply to it.
    Ignored,
    /// They do not let it in: it comes only if another group allows it, such as its own.
    NotAsPermission,
}

impl AnyGroup {
    /// Whether they apply, in words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Followed => "yes",
            Self::Ignored => "no",
            Self::NotAsPermission => "not as permission",
        }
    }
}

/// Data says whether they apply, as a boolean if it can.
#[cfg(feature = "serde")]
impl serde::Serialize for AnyGroup {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Followed => serializer.serialize_bool(true),
            Self::Ignored => serializer.serialize_bool(false),
            Self::NotAsPermission => serializer.serialize_str("not-as-permission"),
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for AnyGroup {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "AnyGroup".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "Whether groups for `*` apply to the robot. not-as-permission: they do \
                not let it in; it comes only if another group allows it.",
            "anyOf": [{"type": "boolean"}, {"type": "string", "enum": ["not-as-permission"]}],
        })
    }
}

/// How a robot's token works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Crawls by itself.
    Robot,
    /// Fetches a page because a person asked for it.
    UserTriggered,
    /// Sends no requests; the token only controls how content is used.
    ControlToken,
}

abide::named!(
    Kind,
    "kind of robot",
    [
        Robot = "robot",
        UserTriggered = "user-triggered",
        ControlToken = "control-token"
    ]
);

/// What a robot is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Purpose {
    /// A search engine.
    Search,
    /// Training of AI models.
    AiTraining,
    /// Input of AI answers.
    AiInput,
    /// An archive.
    Archive,
    /// Search engine optimisation.
    Seo,
    /// Previews of links.
    Preview,
    /// Monitoring of sites.
    Monitoring,
    /// Advertising.
    Ads,
    /// Feeds.
    Feeds,
    /// Research.
    Academic,
    /// Security.
    Security,
    /// Shopping.
    Shopping,
    /// Translation.
    Translation,
    /// Anything else.
    Other,
}

abide::named!(
    Purpose,
    "purpose",
    [
        Search = "search",
        AiTraining = "ai-training",
        AiInput = "ai-input",
        Archive = "archive",
        Seo = "seo",
        Preview = "preview",
        Monitoring = "monitoring",
        Ads = "ads",
        Feeds = "feeds",
        Academic = "academic",
        Security = "security",
        Shopping = "shopping",
        Translation = "translation",
        Other = "other"
    ]
);

/// What a row rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Basis {
    /// The operator's own documentation.
    Operator,
    /// Lists of others.
    Secondary,
}

abide::named!(
    Basis,
    "basis",
    [Operator = "operator", Secondary = "secondary"]
);

impl Purpose {
    /// The purpose in words, such as `AI training`.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::AiTraining => "AI training",
            Self::AiInput => "AI answers",
            Self::Archive => "archives",
            Self::Seo => "SEO",
            Self::Preview => "link previews",
            Self::Monitoring => "monitoring",
            Self::Ads => "advertising",
            Self::Feeds => "feeds",
            Self::Academic => "research",
            Self::Security => "security",
            Self::Shopping => "shopping",
            Self::Translation => "translation",
            Self::Other => "other purposes",
        }
    }
}

impl KnownRobot {
    /// Whether the robot is for this purpose.
    #[must_use]
    pub fn is_for(&self, purpose: Purpose) -> bool {
        self.purposes.contains(&purpose)
    }

    /// What it is mainly for: its first purpose.
    #[must_use]
    pub fn main_purpose(&self) -> Purpose {
        self.purposes.first().copied().unwrap_or(Purpose::Other)
    }

    /// Whether its token mainly controls what a search engine crawls by itself.
    #[must_use]
    pub fn searches(&self) -> bool {
        self.kind != Kind::UserTriggered && self.main_purpose() == Purpose::Search
    }
}
