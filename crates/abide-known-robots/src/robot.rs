//! A row of the table.

use abide::preference::ControlToken;
use abide::{ProductToken, UnknownNameError, Usage};

/// A known robot: facts about it, with their source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KnownRobot {
    /// The token that robots.txt uses.
    pub token: &'static str,
    /// Who operates the robot.
    pub operator: &'static str,
    /// Whether it crawls, fetches for people, or only controls the use of content.
    pub kind: Kind,
    /// What it is for; at least one.
    pub purposes: &'static [Purpose],
    /// Tokens whose groups the robot follows, in this order, if no group has its own.
    pub falls_back_to: &'static [&'static str],
    /// How it reads groups for `*`; `None` if that is not documented.
    pub follows_any_group: Option<AnyGroup>,
    /// Whether it honours `Crawl-delay`; `None` if that is not documented.
    pub honours_crawl_delay: Option<bool>,
    /// Whether it follows robots.txt at all; `None` if that is not documented.
    pub follows_robots_txt: Option<bool>,
    /// For a control token: the robots whose content its groups are about.
    pub fetchers: &'static [&'static str],
    /// For a control token: the usages that its groups are about, of
    /// [`Usage::PREFERENCES`](abide::Usage::PREFERENCES) (PREF-116). Empty if no page of the
    /// operator says so.
    pub controls: &'static [Usage],
    /// Text in its `User-Agent` header, ignoring case; `None` if it sends no requests.
    pub user_agent: Option<&'static str>,
    /// URL of its published address ranges.
    pub ip_ranges: Option<&'static str>,
    /// Suffixes of its host names in reverse DNS.
    pub reverse_dns: &'static [&'static str],
    /// URL of the operator's documentation.
    pub documentation: Option<&'static str>,
    /// What the row rests on.
    pub basis: Basis,
    /// Date on which the row was checked, as `2026-11-24`.
    pub checked: &'static str,
    /// For a legacy token: those that the operator has for the same today.
    pub replaced_by: &'static [&'static str],
    /// What blocking it does and does not do; empty if there is nothing to add.
    pub note: &'static str,
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

/// A row in which nothing is known, for the table to begin with.
pub(crate) const UNKNOWN: KnownRobot = KnownRobot {
    token: "",
    operator: "",
    kind: Kind::Robot,
    purposes: &[],
    falls_back_to: &[],
    follows_any_group: None,
    honours_crawl_delay: None,
    follows_robots_txt: None,
    fetchers: &[],
    controls: &[],
    user_agent: None,
    ip_ranges: None,
    reverse_dns: &[],
    documentation: None,
    basis: Basis::Secondary,
    checked: "2026-11-24",
    replaced_by: &[],
    note: "",
};

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

/// What a row rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Basis {
    /// The operator's own documentation.
    Operator,
    /// Lists of others.
    Secondary,
}

impl AnyGroup {
    /// All values.
    pub const ALL: [Self; 3] = [Self::Followed, Self::Ignored, Self::NotAsPermission];

    /// The name in tables: `yes`, `no` or `not as permission`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Followed => "yes",
            Self::Ignored => "no",
            Self::NotAsPermission => "not as permission",
        }
    }
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Robot, Self::UserTriggered, Self::ControlToken];

    /// The name, such as `control-token`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Robot => "robot",
            Self::UserTriggered => "user-triggered",
            Self::ControlToken => "control-token",
        }
    }
}

/// Reads the names that [`Kind::name`] returns.
///
/// ```
/// use abide_known_robots::Kind;
/// for one in Kind::ALL {
///     assert_eq!(one.name().parse(), Ok(one));
/// }
/// ```
impl std::str::FromStr for Kind {
    type Err = UnknownNameError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        UnknownNameError::find("kind of robot", name, Self::ALL, Self::name)
    }
}

impl Purpose {
    /// All purposes, in the order of reports.
    pub const ALL: [Self; 14] = [
        Self::Search,
        Self::AiTraining,
        Self::AiInput,
        Self::Archive,
        Self::Seo,
        Self::Preview,
        Self::Monitoring,
        Self::Ads,
        Self::Feeds,
        Self::Academic,
        Self::Security,
        Self::Shopping,
        Self::Translation,
        Self::Other,
    ];

    /// The name, such as `ai-training`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::AiTraining => "ai-training",
            Self::AiInput => "ai-input",
            Self::Archive => "archive",
            Self::Seo => "seo",
            Self::Preview => "preview",
            Self::Monitoring => "monitoring",
            Self::Ads => "ads",
            Self::Feeds => "feeds",
            Self::Academic => "academic",
            Self::Security => "security",
            Self::Shopping => "shopping",
            Self::Translation => "translation",
            Self::Other => "other",
        }
    }

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

/// Reads the names that [`Purpose::name`] returns.
///
/// ```
/// use abide_known_robots::Purpose;
/// for one in Purpose::ALL {
///     assert_eq!(one.name().parse(), Ok(one));
/// }
/// ```
impl std::str::FromStr for Purpose {
    type Err = UnknownNameError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        UnknownNameError::find("purpose", name, Self::ALL, Self::name)
    }
}

impl Basis {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Operator, Self::Secondary];

    /// The name: `operator` or `secondary`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Operator => "operator",
            Self::Secondary => "secondary",
        }
    }
}

/// Reads the names that [`Basis::name`] returns.
///
/// ```
/// use abide_known_robots::Basis;
/// for one in Basis::ALL {
///     assert_eq!(one.name().parse(), Ok(one));
/// }
/// ```
impl std::str::FromStr for Basis {
    type Err = UnknownNameError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        UnknownNameError::find("basis", name, Self::ALL, Self::name)
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
