//! One pass over the fields of a file that keeps what can matter to one client (REP-27 to REP-36,
//! PUR-8 to PUR-13, AMB-REP-23, AMB-PUR-1, AMB-PUR-11).
//!
//! A group addresses the client at a level: one of its names, in their order, then its purposes,
//! then `*`. The strongest level in the file decides, and all groups of that level merge.
//! A group with several levels counts at its strongest.

use super::reading::ends_head;
use crate::acap::{self, AcapLine};
use crate::client::Client;
use crate::pattern::set::Builder;
use crate::pattern::{PathPattern, PatternError, RuleValue};
use crate::profile::Profile;
use crate::purpose::PurposeToken;
use crate::reading::Reading;
use crate::rep::CrawlDelay;
use crate::rep::field::{Field, FieldKind, KeyedLine, google_space};
use crate::rep::group::Grouping;
use crate::rep::token::{self, ProductToken};
use crate::text::offset;
use crate::verdict::{Place, Sense};

/// How a group addresses the client. The smallest number is the strongest; names count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Level(u32);

impl Level {
    pub(crate) const PURPOSE: Level = Level(u32::MAX - 2);
    pub(crate) const ANY: Level = Level(u32::MAX - 1);
    /// No level at all.
    pub(crate) const NONE: Level = Level(u32::MAX);

    /// The number that is kept of the level.
    pub(crate) const fn number(self) -> u32 {
        self.0
    }

    /// The level that this number was kept of.
    pub(crate) const fn from_number(number: u32) -> Self {
        Self(number)
    }

    /// The level of the client's name at this position.
    fn token(at: usize) -> Self {
        Self(offset(at)).min(Self(u32::MAX - 3))
    }

    /// The level of the client's purposes: before all names if they win over these.
    pub(crate) fn purpose(client: &Client) -> Self {
        if client.reads(Reading::PurposeFirst) {
            Self(0)
        } else {
            Self::PURPOSE
        }
    }
}

/// A group that addresses the client, at some level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AddressedGroup {
    pub(crate) level: Level,
    /// The first `User-agent` or purpose line of that level: its number and its value.
    pub(crate) starter: Place,
    /// Offset of the key of that line.
    pub(crate) key: u32,
    /// Number of the first line of the group.
    pub(crate) begins: u32,
}

/// Which rules a scan keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keep {
    /// Rules of the strongest level.
    Strongest,
    /// Rules of addressed groups that are weaker than this level.
    WeakerThan(Level),
}

/// Follows the groups of a file and decides whose rules count for a client.
#[derive(Debug)]
pub(crate) struct Addressing<'c> {
    client: &'c Client,
    keep: Keep,
    grouping: Grouping,
    /// The level of the current group.
    level: Level,
    strongest: Level,
}

/// What a `User-agent` or purpose line changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroupStart {
    /// It opens a group.
    pub(crate) opens: bool,
    /// The level at which it addresses the client, if that is stronger than the group's level so
    /// far.
    pub(crate) finds: Option<Level>,
    /// It addresses the client more strongly than any line before: rules kept so far no longer
    /// count.
    pub(crate) strengthens: bool,
}

impl<'c> Addressing<'c> {
    /// Follows the groups that decide for `client`.
    pub(crate) fn new(client: &'c Client) -> Self {
        Self {
            client,
            keep: Keep::Strongest,
            grouping: Grouping::default(),
            level: Level::NONE,
            strongest: Level::NONE,
        }
    }

    /// Reads a `User-agent` or purpose line.
    pub(crate) fn starter(&mut self, kind: FieldKind, value: &[u8]) -> GroupStart {
        let opens = self.grouping.starter();
        if opens {
            self.level = Level::NONE;
        }
        let level = self.level_of(kind, value);
        if level >= self.level {
            return GroupStart {
                opens,
                finds: None,
                strengthens: false,
            };
        }
        self.level = level;
        let strengthens = level < self.strongest;
        self.strongest = self.strongest.min(level);
        GroupStart {
            opens,
            finds: Some(level),
            strengthens: strengthens && self.keep == Keep::Strongest,
        }
    }

    /// Reads a rule. Returns whether it counts, as far as is known so far.
    #[inline]
    pub(crate) fn rule(&mut self) -> bool {
        self.grouping.rule();
        self.counts()
    }

    /// Whether the current group counts, as far as is known so far.
    #[inline]
    fn counts(&self) -> bool {
        self.grouping.is_open()
            && self.level != Level::NONE
            && match self.keep {
                Keep::Strongest => self.level == self.strongest,
                Keep::WeakerThan(chosen) => self.level > chosen,
            }
    }

    /// Reads a rule that is not about crawling.
    pub(crate) fn other_rule(&mut self) {
        self.grouping.rule();
    }

    /// Reads a record that is not a rule and ends nothing. Returns whether its group counts, as far
    /// as is known so far.
    pub(crate) fn other_record(&self) -> bool {
        self.counts()
    }

    /// Whether the current group addresses the client, at any level.
    pub(crate) fn addresses(&self) -> bool {
        self.level != Level::NONE
    }

    /// Whether the groups for `*` are chosen, or would be if there were one.
    pub(crate) fn chooses_any(&self) -> bool {
        self.any() == Level::ANY && self.strongest >= Level::ANY
    }

    /// The level of a group for `*`.
    fn any(&self) -> Level {
        if self.client.any_group() {
            Level::ANY
        } else {
            Level::NONE
        }
    }

    /// The level at which a line addresses the client, or [`Level::NONE`].
    pub(crate) fn level_of(&self, kind: FieldKind, value: &[u8]) -> Level {
        let by_token = || named(self.client, value).map(|(at, _)| at);
        let level = match (self.client.profile(), kind) {
            (Profile::Google, _) if token::is_any(value, google_space) => return self.any(),
            // The groups of all product tokens merge, but not those of what else is sent.
            (Profile::Google, _) => {
                let own = self.client.product_tokens().len();
                let merged = |at| Level::token(if at < own { 0 } else { at });
                return by_token().map_or(Level::NONE, merged);
            }
            (Profile::Careful, FieldKind::UserAgentPurpose) => {
                claimed(self.client, value).map_or(Level::NONE, |_| Level::purpose(self.client))
            }
            (Profile::Careful, _) if token::is_any_as(value, self.client.chosen_readings()) => {
                self.any()
            }
            (Profile::Careful, _) if value.is_empty() => Level::NONE,
            (Profile::Careful, _) => {
                let behind_purposes = usize::from(self.client.reads(Reading::PurposeFirst));
                let level = |at: usize| Level::token(at.saturating_add(behind_purposes));
                by_token().map_or(Level::NONE, level)
            }
        };
        // Checked last, because most lines name other robots.
        if level != Level::NONE && token::is_unusable(value) {
            return Level::NONE;
        }
        level
    }
}

/// One pass over a file for one client.
#[derive(Debug)]
pub(crate) struct Scan<'c> {
    client: &'c Client,
    addressing: Addressing<'c>,
    /// Where the current group begins, and whether it is in `groups`.
    begins: u32,
    is_listed: bool,
    groups: Vec<AddressedGroup>,
    rules: Builder,
    sitemaps: Vec<Place>,
    /// Crawl delays, with the level at which the lines above address the client: a delay does not
    /// end the head of a group, but it is for whom the group names so far.
    delays: Vec<(Level, CrawlDelay, Place)>,
    acap: Vec<AcapLine>,
    asks_applications: bool,
}

/// What a scan found.
#[derive(Debug)]
pub(crate) struct ScanResult {
    pub(crate) groups: Vec<AddressedGroup>,
    /// The level that was chosen, if any group addresses the client.
    pub(crate) level: Option<Level>,
    pub(crate) rules: Builder,
    pub(crate) sitemaps: Vec<Place>,
    pub(crate) crawl_delay: Option<(CrawlDelay, Place)>,
    /// The fields of the ACAP stream, if the client reads it.
    pub(crate) acap: Vec<AcapLine>,
    /// Whether the file has `App-Directives` for any application.
    pub(crate) asks_applications: bool,
}

impl<'c> Scan<'c> {
    /// A scan that keeps the rules that decide for `client`.
    pub(crate) fn new(client: &'c Client) -> Self {
        Self {
            client,
            addressing: Addressing::new(client),
            begins: 0,
            is_listed: false,
            groups: Vec::new(),
            rules: Builder::default(),
            sitemaps: Vec::new(),
            delays: Vec::new(),
            acap: Vec::new(),
            asks_applications: false,
        }
    }

    /// A scan that keeps the rules of groups that address `client` at a weaker level than `chosen`.
    pub(crate) fn passed_over(client: &'c Client, chosen: Level) -> Self {
        let mut scan = Self::new(client);
        scan.addressing.keep = Keep::WeakerThan(chosen);
        scan
    }

    /// Reserves memory for the rules of a text of this many bytes.
    pub(crate) fn reserve_for_text(&mut self, bytes: usize) {
        self.rules.reserve_for_text(bytes);
    }

    /// Reads a line if it is a rule, and its value only if the rule counts. Returns whether it was
    /// a rule; pass any other line to [`Scan::field`].
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "once for every line of every file, in more than one pass"
    )]
    pub(crate) fn takes_rule(&mut self, line: &KeyedLine<'_>) -> bool {
        let Some(sense) = line.kind.sense() else {
            return false;
        };
        if self.addressing.rule() {
            self.rule(line.value(), sense, line.number);
        }
        true
    }

    /// Reads the next field of the file.
    pub(crate) fn field(&mut self, field: &Field, line: u32, text: &[u8]) {
        if let Some(sense) = field.kind.sense() {
            if self.addressing.rule() {
                self.rule(field.value.of(text), sense, line);
            }
            return;
        }
        match field.kind {
            FieldKind::UserAgent | FieldKind::UserAgentPurpose => self.starter(field, line, text),
            FieldKind::AppDirectives => {
                if ends_head(self.client.chosen_readings(), field, text) {
                    self.addressing.other_rule();
                }
                self.asks_applications = true;
            }
            FieldKind::Other if ends_head(self.client.chosen_readings(), field, text) => {
                self.addressing.other_rule();
            }
            FieldKind::Sitemap => {
                if !field.value.is_empty() && !field.has_control(text) {
                    self.sitemaps.push(Place {
                        line,
                        span: field.value,
                    });
                }
            }
            FieldKind::CrawlDelay => self.crawl_delay(field, line, text),
            FieldKind::Acap
                if self.addressing.keep == Keep::Strongest && self.client.for_acap().is_some() =>
            {
                self.acap.push(acap::line(field, line, text));
            }
            FieldKind::Allow | FieldKind::Disallow | FieldKind::Acap | FieldKind::Other => {}
        }
    }

    fn starter(&mut self, field: &Field, line: u32, text: &[u8]) {
        let started = self.addressing.starter(field.kind, field.value.of(text));
        if started.opens {
            (self.begins, self.is_listed) = (line, false);
        }
        if started.strengthens {
            self.rules.clear();
        }
        let Some(level) = started.finds else { return };
        let group = AddressedGroup {
            level,
            starter: Place {
                line,
                span: field.value,
            },
            key: field.key.start,
            begins: self.begins,
        };
        match self.groups.last_mut().filter(|_| self.is_listed) {
            Some(present) => *present = group,
            None => self.groups.push(group),
        }
        self.is_listed = true;
    }

    /// Adds a rule that counts.
    #[inline]
    fn rule(&mut self, value: &[u8], sense: Sense, line: u32) {
        if self.client.profile() == Profile::Careful {
            let written = RuleValue::new(value);
            if written.is_in_c1() {
                self.rules.push_c1(&written, sense, line);
                return;
            }
            match &PathPattern::of(&written) {
                Ok(pattern) => self.rules.push(pattern, sense, line),
                Err(PatternError::NoSlash) if self.client.reads(Reading::SlashImplied) => {
                    let rooted = [b"/", value].concat();
                    if let Ok(pattern) = &PathPattern::read(&rooted) {
                        self.rules.push(pattern, sense, line);
                    }
                }
                Err(_) => {}
            }
            return;
        }
        for_each_pattern(value, sense, self.client.profile(), |pattern| {
            self.rules.push(pattern, sense, line);
        });
    }

    fn crawl_delay(&mut self, field: &Field, line: u32, text: &[u8]) {
        if !self.addressing.addresses() {
            return;
        }
        if let Some(delay) = CrawlDelay::read(field.value.of(text)) {
            let place = Place {
                line,
                span: field.value,
            };
            self.delays.push((self.addressing.level, delay, place));
        }
    }

    /// Ends the scan.
    pub(crate) fn finish(self) -> ScanResult {
        let strongest = self.addressing.strongest;
        // Only the longest of several delays honours all of them.
        let crawl_delay = self
            .delays
            .iter()
            .filter(|(level, ..)| *level == strongest)
            .map(|&(_, delay, place)| (delay, place))
            .reduce(|longest, next| if next.0 > longest.0 { next } else { longest });
        ScanResult {
            level: (strongest != Level::NONE).then_some(strongest),
            rules: self.rules,
            crawl_delay,
            groups: self.groups,
            sitemaps: self.sitemaps,
            acap: self.acap,
            asks_applications: self.asks_applications,
        }
    }
}

/// Calls `see` for each pattern of a rule with this value: none if the value is invalid, and a
/// second one for `Allow: …/index.html` in the google profile.
#[inline]
pub(crate) fn for_each_pattern(
    value: &[u8],
    sense: Sense,
    reading: Profile,
    mut see: impl FnMut(&PathPattern<'_>),
) {
    // A reference, because a pattern is large to copy.
    let Ok(pattern) = &PathPattern::read_as(value, reading) else {
        return;
    };
    see(pattern);
    if reading == Profile::Google
        && sense == Sense::Allow
        && let Some(folder) = pattern.google_index_alias()
    {
        see(&folder);
    }
}

/// The first of the client's names that a user-agent value has, and its position.
pub(crate) fn named<'c>(client: &'c Client, value: &[u8]) -> Option<(usize, &'c ProductToken)> {
    let mut names = client.group_names().enumerate();
    match token::named_part(value, client.chosen_readings()) {
        None => names.find(|(_, token)| token.is_named_by(value)),
        Some(part) => names.find(|(_, token)| token.as_str().as_bytes().eq_ignore_ascii_case(part)),
    }
}

/// The first of the client's purposes that a purpose value names.
pub(crate) fn claimed<'c>(client: &'c Client, value: &[u8]) -> Option<&'c PurposeToken> {
    client
        .purposes()
        .iter()
        .find(|purpose| purpose.is_named_by(value))
}
