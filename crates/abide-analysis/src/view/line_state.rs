//! The state of each line of a file for one client.

use super::preference::token_groups;
use abide::app::field::Directives;
use abide::preference::Vocabulary;
use abide::rep::CrawlDelay;
use abide::syntax::{
    Content, Field, FieldKind, Inspect, Line, LineStatement, PathPattern, PatternError,
    PreferenceStatement,
};
use abide::{Policy, Profile, Robots};
use std::collections::BTreeSet;
use std::fmt;

/// The state of a line for the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum LineState {
    /// It begins a group or record that applies to the client (REP-27, REP-32, PUR-8, ACAP-29).
    Head,
    /// It applies to the client.
    Counts,
    /// It would apply, but has no effect.
    Void(Void),
    /// It is in the group of a control token that is about what the client fetches (PREF-119).
    ControlToken,
    /// It is for other robots, or is a comment or blank line.
    Others,
}

/// A [`LineState`] without the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineStateName {
    Head,
    Counts,
    Void,
    ControlToken,
    Others,
}

abide::named!(
    LineStateName,
    [
        Head = "head",
        Counts = "counts",
        Void = "void",
        ControlToken = "control-token",
        Others = "others"
    ]
);

impl LineState {
    pub(super) const fn named(self) -> LineStateName {
        match self {
            Self::Head => LineStateName::Head,
            Self::Counts => LineStateName::Counts,
            Self::Void(_) => LineStateName::Void,
            Self::ControlToken => LineStateName::ControlToken,
            Self::Others => LineStateName::Others,
        }
    }

    /// The name in `schema/explain.json`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.named().name()
    }
}

/// Why a line has no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Void {
    /// A rule whose value cannot match (REP-20, AMB-REP-3, AMB-REP-12).
    Pattern(PatternError),
    /// A rule or `Crawl-delay` before the first group (REP-36).
    NoGroup,
    /// Text that is not a field (REP-77).
    NoField,
    /// An unknown record (REP-65, REP-66).
    UnknownRecord,
    /// A `Crawl-delay` that is not the longest one that applies.
    OtherDelay,
    /// A `Crawl-delay` that is no number of seconds (REP-63).
    NoDelay,
    /// A `Sitemap` without a usable value (REP-63).
    NoSitemap,
    /// `App-Directives` that are not a structured list (APP-31).
    NoDirectives,
    /// A conventional rule in a file that asks to ignore these (ACAP-15).
    ConventionalIgnored,
    /// A field that the client does not read: ACAP or directives in the google profile (CLA-16),
    /// or a vocabulary of preferences that it does not ask for.
    NotRead,
    /// A preference line before the first group (PREF-14, PREF-62).
    PreferenceOutside,
    /// A preference line whose statement cannot be read (PREF-27).
    PreferenceUnreadable,
    /// A preference line none of whose words states a preference (PREF-36, PREF-56).
    NoPreference(Vocabulary),
    /// A `License` line without an absolute URL (PREF-86).
    NoLicenceUrl,
    /// A `License` line of the site, beside those of the client's group (PREF-87).
    LicenceReplaced,
}

/// In words that follow "ignored:".
impl fmt::Display for Void {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pattern(why) => write!(f, "{why}"),
            Self::NoGroup => {
                f.write_str("a line before the first User-agent line applies to no robot")
            }
            Self::NoField => f.write_str("not a field"),
            Self::UnknownRecord => f.write_str("unknown field"),
            Self::OtherDelay => f.write_str("another Crawl-delay applies"),
            Self::NoDelay => f.write_str("a delay is a number of seconds"),
            Self::NoSitemap => f.write_str("a sitemap needs a URL"),
            Self::NoDirectives => f.write_str("not a structured list of directives"),
            Self::ConventionalIgnored => {
                f.write_str("the file asks robots to ignore its Allow and Disallow lines")
            }
            Self::NotRead => f.write_str("this robot does not read such lines"),
            Self::PreferenceOutside => {
                f.write_str("a preference before the first User-agent line is for no robot")
            }
            Self::PreferenceUnreadable => f.write_str(
                "its statement cannot be read, so it states no preference; write, for example, \
                 `train-ai=n, search=y`",
            ),
            Self::NoPreference(Vocabulary::ContentSignal) => f.write_str(
                "none of its words states a preference; write, for example, \
                 `search=yes, ai-train=no`",
            ),
            Self::NoPreference(_) => f.write_str(
                "none of its words states a preference; write, for example, \
                 `train-ai=n, search=y`",
            ),
            Self::NoLicenceUrl => f.write_str(
                "a licence document needs a whole URL, such as https://example.com/license.xml",
            ),
            Self::LicenceReplaced => {
                f.write_str("the License lines of this robot's own group replace it")
            }
        }
    }
}

/// The state of each line of `robots`, which is the file of `policy`.
pub(super) fn of_lines(robots: &Robots, policy: &Policy) -> Vec<LineState> {
    let counting = Counting::new(robots, policy);
    let lines = robots.lines().iter();
    lines.map(|line| counting.state(line)).collect()
}

/// What counts for a client, by line and group.
struct Counting<'r> {
    robots: &'r Robots,
    policy: &'r Policy,
    /// The groups that were chosen, as indices.
    groups: BTreeSet<usize>,
    /// Lines that begin a record that counts.
    records: BTreeSet<u32>,
    /// Lines of ACAP and of directives that count.
    fields: BTreeSet<u32>,
    sitemaps: BTreeSet<u32>,
    /// Preference lines that count.
    preferences: BTreeSet<u32>,
    /// The groups of control tokens that are about the client, as indices.
    token_groups: BTreeSet<usize>,
}

impl<'r> Counting<'r> {
    fn new(robots: &'r Robots, policy: &'r Policy) -> Self {
        let chosen: BTreeSet<u32> = policy
            .chosen_groups()
            .iter()
            .map(|group| group.place.line)
            .collect();
        let starts = |line: &&Line| chosen.contains(&line.number);
        let groups = robots.lines().iter().filter(starts);
        let acap = Inspect::of(policy).acap_fields();
        let applications = policy.client().applications().iter();
        let directives =
            applications.flat_map(|application| Inspect::of(policy).directive_lines(application));
        let references = policy.references().iter().map(|reference| reference.place);
        let fields = acap.iter().map(|(place, _)| *place);
        let tokens = token_groups(policy);
        let of_token = |line: &&Line| tokens.contains(&line.number);
        let token_groups = robots.lines().iter().filter(of_token);
        Self {
            groups: groups.filter_map(|line| line.group).collect(),
            records: acap
                .iter()
                .map(|(_, selection)| selection.place.line)
                .collect(),
            fields: fields
                .chain(directives)
                .chain(references)
                .map(|place| place.line)
                .collect(),
            sitemaps: robots.sitemaps().map(|(line, _)| line.number).collect(),
            preferences: Inspect::of(policy).preference_lines().into_iter().collect(),
            token_groups: token_groups.filter_map(|line| line.group).collect(),
            robots,
            policy,
        }
    }

    fn state(&self, line: &Line) -> LineState {
        let field = match &line.content {
            Content::Field(field) => field,
            Content::Blank => return LineState::Others,
            Content::Unreadable => return LineState::Void(Void::NoField),
        };
        let in_group = line.group.is_some_and(|group| self.groups.contains(&group));
        if let Some(stated) = self.stated(line) {
            return self.preference(line, &stated, in_group);
        }
        match field.kind {
            FieldKind::UserAgent | FieldKind::Allow | FieldKind::Disallow
                if !in_group && self.is_of_token(line) =>
            {
                LineState::ControlToken
            }
            FieldKind::UserAgent | FieldKind::UserAgentPurpose if in_group => LineState::Head,
            FieldKind::UserAgent | FieldKind::UserAgentPurpose => LineState::Others,
            FieldKind::Allow | FieldKind::Disallow => self.rule(line, in_group),
            FieldKind::AppDirectives => self.directives(line, field),
            FieldKind::Sitemap if self.sitemaps.contains(&line.number) => LineState::Counts,
            FieldKind::Sitemap => LineState::Void(Void::NoSitemap),
            FieldKind::CrawlDelay => self.delay(line, field, in_group),
            FieldKind::Acap => self.acap(line, field),
            _ if in_group || line.group.is_none() => LineState::Void(Void::UnknownRecord),
            _ => LineState::Others,
        }
    }

    fn is_of_token(&self, line: &Line) -> bool {
        let group = line.group.as_ref();
        group.is_some_and(|group| self.token_groups.contains(group))
    }

    /// The preference line, if the client asks for preferences.
    fn stated(&self, line: &Line) -> Option<PreferenceStatement<'r>> {
        let profile = self.policy.client().preferences()?;
        self.robots.preference_statement(line, profile.revision)
    }

    fn preference(
        &self,
        line: &Line,
        stated: &PreferenceStatement<'_>,
        in_group: bool,
    ) -> LineState {
        let profile = self.policy.client().preferences();
        let is_asked = profile.is_some_and(|profile| profile.asks(stated.vocabulary));
        let counts = self.preferences.contains(&line.number);
        let is_licence = stated.vocabulary == Vocabulary::Rsl;
        if line.group.is_some() && !in_group {
            return LineState::Others;
        }
        let bad_path = stated.path.and_then(|path| PathPattern::read(path).err());
        LineState::Void(match (&stated.states(), bad_path) {
            _ if !is_asked => Void::NotRead,
            (LineStatement::Unreadable, _) if is_licence => Void::NoLicenceUrl,
            _ if line.group.is_none() && !is_licence && !counts => Void::PreferenceOutside,
            (LineStatement::Unreadable, _) => Void::PreferenceUnreadable,
            (LineStatement::Nothing, _) => Void::NoPreference(stated.vocabulary),
            (_, Some(why)) => Void::Pattern(why),
            (LineStatement::Licence(_), _) if !counts => Void::LicenceReplaced,
            _ => return LineState::Counts,
        })
    }

    fn rule(&self, line: &Line, in_group: bool) -> LineState {
        if line.group.is_none() {
            return LineState::Void(Void::NoGroup);
        }
        if !in_group {
            return LineState::Others;
        }
        match self.robots.rule(line).map(|rule| rule.pattern) {
            Some(Err(why)) => LineState::Void(Void::Pattern(why)),
            _ if Inspect::of(self.policy).ignores_conventional() => {
                LineState::Void(Void::ConventionalIgnored)
            }
            _ => LineState::Counts,
        }
    }

    fn delay(&self, line: &Line, field: &Field, in_group: bool) -> LineState {
        if line.group.is_none() {
            return LineState::Void(Void::NoGroup);
        }
        if !in_group {
            return LineState::Others;
        }
        let Some(own) = CrawlDelay::read(field.value.of(self.robots.text().as_bytes())) else {
            return LineState::Void(Void::NoDelay);
        };
        match self.policy.crawl_delay() {
            Some((_, place)) if place.line == line.number => LineState::Counts,
            Some((longest, _)) if longest >= own => LineState::Void(Void::OtherDelay),
            // It would apply if the client were named above it.
            _ => LineState::Others,
        }
    }

    fn directives(&self, line: &Line, field: &Field) -> LineState {
        let value = field.value.of(self.robots.text().as_bytes());
        if self.fields.contains(&line.number) {
            LineState::Counts
        } else if self.policy.client().profile() == Profile::Google {
            LineState::Void(Void::NotRead)
        } else if line.group.is_none() {
            LineState::Void(Void::NoGroup)
        } else if Directives::read(value).is_none() {
            LineState::Void(Void::NoDirectives)
        } else {
            LineState::Others
        }
    }

    /// Definitions are shared by all records; they count where anything does.
    fn acap(&self, line: &Line, field: &Field) -> LineState {
        const SHARED: [&[u8]; 4] = [
            b"acap-qualified-usage",
            b"acap-composite-usage",
            b"acap-resource-set",
            b"acap-ignore-conventional-records",
        ];
        let key = field.key.of(self.robots.text().as_bytes());
        let shared = SHARED.iter().any(|name| key.eq_ignore_ascii_case(name));
        if self.records.contains(&line.number) {
            LineState::Head
        } else if self.fields.contains(&line.number) || (shared && !self.records.is_empty()) {
            LineState::Counts
        } else {
            LineState::Others
        }
    }
}
