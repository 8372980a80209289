//! One pass over the fields of a file that keeps what can matter to one client (REP-27 to REP-36,
//! PUR-8 to PUR-13, AMB-REP-23, AMB-PUR-1, AMB-PUR-11).
//!
//! Groups are found at levels: the client's product tokens in their order, its purposes, `*`. The
//! strongest level that any group has decides, and all groups of that level merge. A group that
//! could be found at several levels counts at its strongest: were a weaker one to be chosen, the
//! stronger would have been chosen instead.

use super::acap;
use crate::acap::AcapLine;
use crate::client::Client;
use crate::pattern::set::Builder;
use crate::pattern::sieve::Sieve;
use crate::pattern::{PathPattern, Written};
use crate::profile::Profile;
use crate::purpose::PurposeToken;
use crate::rep::CrawlDelay;
use crate::rep::field::{Field, FieldKind, Keyed, google_space};
use crate::rep::group::Grouping;
use crate::rep::token::{self, ProductToken};
use crate::text::{is_blank, offset};
use crate::verdict::{Place, Sense};

/// How well a group is found: the smaller, the stronger. Product tokens count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Level(u32);

impl Level {
    pub(crate) const PURPOSE: Level = Level(u32::MAX - 2);
    pub(crate) const ANY: Level = Level(u32::MAX - 1);
    const NONE: Level = Level(u32::MAX);

    /// The level as it is written down.
    pub(crate) const fn number(self) -> u32 {
        self.0
    }

    /// The level that was written down as `number`.
    pub(crate) const fn from_number(number: u32) -> Self {
        Self(number)
    }

    /// The level of the client's product token at this position.
    fn token(at: usize) -> Self {
        Self(offset(at)).min(Self(u32::MAX - 3))
    }
}

/// A group that addresses the client, at some level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AddressedGroup {
    pub(crate) level: Level,
    /// Line of the first starter of that level, and its value.
    pub(crate) starter: Place,
    /// Octet where that starter's key begins.
    pub(crate) key: u32,
    /// Line of the group's first starter of any kind: where the group begins.
    pub(crate) begins: u32,
}

/// Which rules a pass keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keep {
    /// Those of the strongest level.
    Strongest,
    /// Those of addressed groups that are weaker than this level.
    WeakerThan(Level),
}

/// Which of these rules a pass reads.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wanted<'c> {
    /// Every one.
    All,
    /// Those that match a path.
    Matching(Sieve<'c>),
}

impl Wanted<'_> {
    #[inline]
    fn leaves_out(&self, rule: &Keyed<'_>) -> bool {
        match self {
            Self::All => false,
            Self::Matching(sieve) => {
                sieve.stops_beginning(rule.begins_with()) || sieve.stops(rule.value())
            }
        }
    }

    fn is_matched_by(&self, pattern: &PathPattern<'_>) -> bool {
        match self {
            Self::All => true,
            Self::Matching(sieve) => pattern.matches_forms(sieve.path()),
        }
    }
}

/// Follows the groups of a file, and tells whose rules count for a client.
#[derive(Debug)]
pub(crate) struct Addressing<'c> {
    client: &'c Client,
    keep: Keep,
    grouping: Grouping,
    /// How well the present group is found.
    level: Level,
    strongest: Level,
}

/// What a starter line means.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Started {
    /// It opens a group.
    pub(crate) opens: bool,
    /// It finds the client, better than the lines of the group before it.
    pub(crate) finds: Option<Level>,
    /// It finds the client better than any line before it: rules that were kept count no more.
    pub(crate) strengthens: bool,
}

impl<'c> Addressing<'c> {
    /// The rules that decide for `client`.
    pub(crate) fn new(client: &'c Client) -> Self {
        Self {
            client,
            keep: Keep::Strongest,
            grouping: Grouping::default(),
            level: Level::NONE,
            strongest: Level::NONE,
        }
    }

    /// Takes a user-agent or purpose line.
    pub(crate) fn starter(&mut self, kind: FieldKind, value: &[u8]) -> Started {
        let opens = self.grouping.starter();
        if opens {
            self.level = Level::NONE;
        }
        let level = self.level_of(kind, value);
        if level >= self.level {
            return Started {
                opens,
                finds: None,
                strengthens: false,
            };
        }
        self.level = level;
        let strengthens = level < self.strongest;
        self.strongest = self.strongest.min(level);
        Started {
            opens,
            finds: Some(level),
            strengthens: strengthens && self.keep == Keep::Strongest,
        }
    }

    /// Takes a rule; whether it counts, as far as is known by now.
    #[inline]
    pub(crate) fn rule(&mut self) -> bool {
        self.grouping.rule();
        self.counts()
    }

    /// Whether the present place is in a group that counts, as far as is known by now.
    #[inline]
    fn counts(&self) -> bool {
        self.grouping.is_open()
            && self.level != Level::NONE
            && match self.keep {
                Keep::Strongest => self.level == self.strongest,
                Keep::WeakerThan(chosen) => self.level > chosen,
            }
    }

    /// Takes a rule that says nothing about access.
    pub(crate) fn other_rule(&mut self) {
        self.grouping.rule();
    }

    /// The level at which a starter line finds the client; [`Level::NONE`] where it does not.
    fn level_of(&self, kind: FieldKind, value: &[u8]) -> Level {
        let by_token = || named(self.client, value).map(|(at, _)| at);
        let level = match (self.client.reading(), kind) {
            (Profile::Google, _) if token::is_any(value, google_space) => return Level::ANY,
            (Profile::Google, _) => return by_token().map_or(Level::NONE, |_| Level(0)),
            (Profile::Careful, FieldKind::UserAgentPurpose) => {
                claimed(self.client, value).map_or(Level::NONE, |_| Level::PURPOSE)
            }
            (Profile::Careful, _) if token::is_any(value, is_blank) => Level::ANY,
            (Profile::Careful, _) if value.is_empty() => Level::NONE,
            (Profile::Careful, _) => by_token().map_or(Level::NONE, Level::token),
        };
        // Asked last, for most lines name others.
        if level != Level::NONE && token::is_unusable(value) {
            return Level::NONE;
        }
        level
    }
}

/// The pass.
#[derive(Debug)]
pub(crate) struct Scan<'c> {
    client: &'c Client,
    addressing: Addressing<'c>,
    wanted: Wanted<'c>,
    /// Where the present group begins, and whether it is among `groups`.
    begins: u32,
    is_listed: bool,
    groups: Vec<AddressedGroup>,
    rules: Builder,
    sitemaps: Vec<Place>,
    /// Delays of addressed groups, with where these begin.
    delays: Vec<(u32, CrawlDelay, Place)>,
    acap: Vec<AcapLine>,
    asks_applications: bool,
}

/// What a pass found.
#[derive(Debug)]
pub(crate) struct Scanned {
    pub(crate) groups: Vec<AddressedGroup>,
    /// The level that was chosen, if any group addresses the client.
    pub(crate) level: Option<Level>,
    pub(crate) rules: Builder,
    pub(crate) sitemaps: Vec<Place>,
    pub(crate) crawl_delay: Option<(CrawlDelay, Place)>,
    /// The fields of the ACAP stream, where the client reads it.
    pub(crate) acap: Vec<AcapLine>,
    /// Whether the file has App-Directives, for whomever.
    pub(crate) asks_applications: bool,
}

impl<'c> Scan<'c> {
    /// A pass that keeps the rules which decide for `client`.
    pub(crate) fn new(client: &'c Client) -> Self {
        Self {
            client,
            addressing: Addressing::new(client),
            wanted: Wanted::All,
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

    /// A pass that keeps the rules of groups which address `client`, and which `chosen` sets aside.
    pub(crate) fn passed_over(client: &'c Client, chosen: Level) -> Self {
        let mut scan = Self::new(client);
        scan.addressing.keep = Keep::WeakerThan(chosen);
        scan
    }

    /// The same pass, reading only the rules that are wanted.
    pub(crate) fn wanting(self, wanted: Wanted<'c>) -> Self {
        Self { wanted, ..self }
    }

    /// Makes room for what a text of so many octets may hold.
    pub(crate) fn expect(&mut self, octets: usize) {
        self.rules.expect(octets);
    }

    /// Takes a rule, of which nothing but the value is read, and that only where the rule counts. Whether the line is
    /// done with so; any other line has to be taken as a field.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "once for every line of every file, in more than one pass"
    )]
    pub(crate) fn takes_rule(&mut self, line: &Keyed<'_>) -> bool {
        let Some(sense) = line.kind.sense() else {
            return false;
        };
        if self.addressing.rule() && !self.wanted.leaves_out(line) {
            self.rule(line.value(), sense, line.number);
        }
        true
    }

    /// Takes the next field of the file.
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
                self.addressing.other_rule();
                self.asks_applications = true;
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
                if self.addressing.keep == Keep::Strongest && self.client.reads_acap() =>
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

    /// Takes a rule that counts.
    #[inline]
    fn rule(&mut self, value: &[u8], sense: Sense, line: u32) {
        if let (Profile::Careful, Wanted::All) = (self.client.reading(), self.wanted) {
            let written = Written::new(value);
            if written.is_in_c1() {
                self.rules.push_c1(&written, sense, line);
            } else if let Ok(pattern) = &PathPattern::of(&written) {
                self.rules.push(pattern, sense, line);
            }
            return;
        }
        self.rule_that_may_match(value, sense, line);
    }

    /// The same where not every rule is wanted, or its value may stand for two.
    #[inline(never)]
    fn rule_that_may_match(&mut self, value: &[u8], sense: Sense, line: u32) {
        for_each_pattern(value, sense, self.client.reading(), |pattern| {
            if self.wanted.is_matched_by(pattern) {
                self.rules.push(pattern, sense, line);
            }
        });
    }

    fn crawl_delay(&mut self, field: &Field, line: u32, text: &[u8]) {
        if !self.is_listed {
            return;
        }
        if let Some(delay) = CrawlDelay::read(field.value.of(text)) {
            let place = Place {
                line,
                span: field.value,
            };
            self.delays.push((self.begins, delay, place));
        }
    }

    /// Ends the pass.
    pub(crate) fn finish(self) -> Scanned {
        let strongest = self.addressing.strongest;
        let is_chosen = |begins: u32| {
            let at = self.groups.partition_point(|group| group.begins < begins);
            self.groups
                .get(at)
                .is_some_and(|group| group.begins == begins && group.level == strongest)
        };
        // Of several delays the longest is the one that keeps to all of them.
        let crawl_delay = self
            .delays
            .iter()
            .filter(|(begins, ..)| is_chosen(*begins))
            .map(|&(_, delay, place)| (delay, place))
            .reduce(|longest, next| if next.0 > longest.0 { next } else { longest });
        Scanned {
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

/// Shows the patterns that a rule of this value stands for: none where it is not valid, and a second one for
/// `Allow: …/index.html` in the google profile.
#[inline]
pub(crate) fn for_each_pattern(
    value: &[u8],
    sense: Sense,
    reading: Profile,
    mut see: impl FnMut(&PathPattern<'_>),
) {
    // Looked at where it was read, for it is large.
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

/// The first of the client's product tokens that a user-agent value names, and its position.
pub(crate) fn named<'c>(client: &'c Client, value: &[u8]) -> Option<(usize, &'c ProductToken)> {
    client
        .product_tokens()
        .iter()
        .enumerate()
        .find(|(_, token)| token.is_named_by(value))
}

/// The first of the client's purposes that a purpose value names.
pub(crate) fn claimed<'c>(client: &'c Client, value: &[u8]) -> Option<&'c PurposeToken> {
    client
        .purposes()
        .iter()
        .find(|purpose| purpose.is_named_by(value))
}
