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
use crate::pattern::PathPattern;
use crate::pattern::set::{Builder, PatternSet};
use crate::profile::Profile;
use crate::purpose::PurposeToken;
use crate::rep::CrawlDelay;
use crate::rep::field::{Field, FieldKind, google_space};
use crate::rep::group::Grouping;
use crate::rep::token::{self, ProductToken};
use crate::text::{Span, is_blank, offset};
use crate::verdict::{Place, Sense};

/// How well a group is found: the smaller, the stronger. Product tokens count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Level(u32);

impl Level {
    pub(crate) const PURPOSE: Level = Level(u32::MAX - 2);
    pub(crate) const ANY: Level = Level(u32::MAX - 1);
    const NONE: Level = Level(u32::MAX);

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

/// The pass.
#[derive(Debug)]
pub(crate) struct Scan<'c> {
    client: &'c Client,
    keep: Keep,
    grouping: Grouping,
    current: AddressedGroup,
    /// Index that the current group has among `groups`, once it is there.
    slot: Option<u32>,
    groups: Vec<AddressedGroup>,
    strongest: Level,
    rules: Builder,
    sitemaps: Vec<Place>,
    delays: Vec<(u32, CrawlDelay, Place)>,
    acap: Vec<AcapLine>,
}

/// What a pass found.
#[derive(Debug)]
pub(crate) struct Scanned {
    pub(crate) groups: Vec<AddressedGroup>,
    /// The level that was chosen, if any group addresses the client.
    pub(crate) level: Option<Level>,
    pub(crate) rules: PatternSet,
    pub(crate) sitemaps: Vec<Place>,
    pub(crate) crawl_delay: Option<(CrawlDelay, Place)>,
    /// The fields of the ACAP stream, where the client reads it.
    pub(crate) acap: Vec<AcapLine>,
}

const NOWHERE: AddressedGroup = AddressedGroup {
    level: Level::NONE,
    starter: Place {
        line: 0,
        span: Span { start: 0, end: 0 },
    },
    begins: 0,
};

impl<'c> Scan<'c> {
    /// A pass that keeps the rules which decide for `client`.
    pub(crate) fn new(client: &'c Client) -> Self {
        Self {
            client,
            keep: Keep::Strongest,
            grouping: Grouping::default(),
            current: NOWHERE,
            slot: None,
            groups: Vec::new(),
            strongest: Level::NONE,
            rules: Builder::default(),
            sitemaps: Vec::new(),
            delays: Vec::new(),
            acap: Vec::new(),
        }
    }

    /// A pass that keeps the rules of groups which address `client`, and which `chosen` sets aside.
    pub(crate) fn passed_over(client: &'c Client, chosen: Level) -> Self {
        Self {
            keep: Keep::WeakerThan(chosen),
            ..Self::new(client)
        }
    }

    /// Takes the next field of the file.
    pub(crate) fn field(&mut self, field: &Field, line: u32, text: &[u8]) {
        match field.kind {
            FieldKind::UserAgent | FieldKind::UserAgentPurpose => self.starter(field, line, text),
            FieldKind::Allow => self.rule(field, Sense::Allow, line, text),
            FieldKind::Disallow => self.rule(field, Sense::Disallow, line, text),
            FieldKind::AppDirectives => {
                self.grouping.rule();
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
            FieldKind::Acap if self.keep == Keep::Strongest && self.client.reads_acap() => {
                self.acap.push(acap::line(field, line, text));
            }
            FieldKind::Acap | FieldKind::Other => {}
        }
    }

    fn starter(&mut self, field: &Field, line: u32, text: &[u8]) {
        if self.grouping.starter() {
            self.current = AddressedGroup {
                begins: line,
                ..NOWHERE
            };
            self.slot = None;
        }
        let level = self.level(field, text);
        if level >= self.current.level {
            return;
        }
        self.current.level = level;
        self.current.starter = Place {
            line,
            span: field.value,
        };
        self.strongest = self.strongest.min(level);
        let present = self
            .slot
            .and_then(|slot| self.groups.get_mut(slot as usize));
        if let Some(group) = present {
            *group = self.current;
        } else {
            self.slot = Some(offset(self.groups.len()));
            self.groups.push(self.current);
        }
    }

    /// The level at which a starter line finds the client; [`Level::NONE`] where it does not.
    fn level(&self, field: &Field, text: &[u8]) -> Level {
        let value = field.value.of(text);
        match (self.client.reading(), field.kind) {
            (Profile::Google, _) if token::is_any(value, google_space) => Level::ANY,
            (Profile::Google, _) => named(self.client, value).map_or(Level::NONE, |_| Level(0)),
            (Profile::Careful, _) if token::is_unusable(value) => Level::NONE,
            (Profile::Careful, FieldKind::UserAgentPurpose) => {
                claimed(self.client, value).map_or(Level::NONE, |_| Level::PURPOSE)
            }
            (Profile::Careful, _) if token::is_any(value, is_blank) => Level::ANY,
            (Profile::Careful, _) if value.is_empty() => Level::NONE,
            (Profile::Careful, _) => {
                named(self.client, value).map_or(Level::NONE, |(at, _)| Level::token(at))
            }
        }
    }

    fn rule(&mut self, field: &Field, sense: Sense, line: u32, text: &[u8]) {
        if !self.grouping.rule() || !self.keeps(self.current.level) {
            return;
        }
        let Some(slot) = self.slot else { return };
        let reading = self.client.reading();
        if reading == Profile::Careful && field.has_control(text) {
            return;
        }
        let Ok(pattern) = PathPattern::read_as(field.value.of(text), reading) else {
            return;
        };
        self.rules
            .push(&pattern, sense, line, slot, field.value.start);
        if reading == Profile::Google
            && sense == Sense::Allow
            && let Some(folder) = pattern.google_index_alias()
        {
            self.rules
                .push(&folder, sense, line, slot, field.value.start);
        }
    }

    /// Whether rules of a group at `level` can still be wanted.
    fn keeps(&self, level: Level) -> bool {
        match self.keep {
            Keep::Strongest => level <= self.strongest && level != Level::NONE,
            Keep::WeakerThan(chosen) => level > chosen && level != Level::NONE,
        }
    }

    fn crawl_delay(&mut self, field: &Field, line: u32, text: &[u8]) {
        let (true, Some(slot)) = (self.grouping.is_open(), self.slot) else {
            return;
        };
        if let Some(delay) = CrawlDelay::read(field.value.of(text)) {
            self.delays.push((
                slot,
                delay,
                Place {
                    line,
                    span: field.value,
                },
            ));
        }
    }

    /// Ends the pass over `text`.
    pub(crate) fn finish(mut self, text: &[u8]) -> Scanned {
        let strongest = self.strongest;
        let level_of = |slot: u32| {
            self.groups
                .get(slot as usize)
                .map_or(Level::NONE, |g| g.level)
        };
        match self.keep {
            Keep::Strongest => self.rules.retain(|slot| level_of(slot) == strongest),
            Keep::WeakerThan(chosen) => self.rules.retain(|slot| level_of(slot) > chosen),
        }
        // Of several delays the longest is the one that keeps to all of them.
        let crawl_delay = self
            .delays
            .iter()
            .filter(|(slot, ..)| level_of(*slot) == strongest)
            .map(|&(_, delay, place)| (delay, place))
            .reduce(|longest, next| if next.0 > longest.0 { next } else { longest });
        Scanned {
            level: (strongest != Level::NONE).then_some(strongest),
            rules: self.rules.build(text),
            groups: self.groups,
            sitemaps: self.sitemaps,
            crawl_delay,
            acap: self.acap,
        }
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
