//! The preferences in a robots.txt, compiled for a client that asks for them (PREF-12 to PREF-18).

use super::compiled::Policy;
use super::scan::{Addressing, Level};
use crate::acap::{AcapMode, AcapProfile};
use crate::client::Client;
use crate::pattern::PathPattern;
use crate::pattern::normal::Forms;
use crate::pattern::set::{Builder, PatternSet};
use crate::preference::content_signal::Signal;
use crate::preference::line::{PreferenceLine, split_path};
use crate::preference::{ControlToken, PreferenceProfile, Stated, Vocabulary, content_usage};
use crate::rep::field::{Content, Field, FieldKind, Fields};
use crate::target::Target;
use crate::text::Text;
use crate::verdict::Sense;

/// The preferences that a robots.txt states for a client.
#[derive(Clone, Debug, Default)]
pub(crate) struct PreferenceSide {
    /// `Content-Usage` lines of the chosen groups. `None` for a statement that cannot be parsed.
    pub(crate) content_usage: PathLines<Option<Stated>>,
    /// `Content-Signal` lines of the chosen groups.
    pub(crate) content_signal: PathLines<Signal>,
    /// Lines of either kind before the first group, which have no effect.
    pub(crate) outside: Vec<(u32, Vocabulary)>,
    /// The lines of `License` that count, with the URLs in them.
    pub(crate) licences: Vec<(u32, String)>,
    /// The rules of each control token that the client asks about.
    pub(crate) tokens: Vec<TokenRules>,
}

/// The rules for a control token.
#[derive(Clone, Debug)]
pub(crate) struct TokenRules {
    pub(crate) token: ControlToken,
    /// The file, compiled for the token.
    pub(crate) policy: Policy,
}

impl TokenRules {
    /// Whether a group names the token; otherwise only groups for `*` can apply to it (PREF-122).
    pub(crate) fn has_own_group(&self) -> bool {
        let mut groups = self.policy.annex().groups();
        groups.any(|group| group.level < Level::PURPOSE)
    }
}

/// Lines with a path each, or without one.
#[derive(Clone, Debug)]
pub(crate) struct PathLines<T> {
    patterns: PatternSet,
    /// The numbers of lines without a path, which are about every path.
    everywhere: Vec<u32>,
    /// What each line says, by its number.
    said: Vec<(u32, T)>,
}

impl<T> Default for PathLines<T> {
    fn default() -> Self {
        Self {
            patterns: PatternSet::default(),
            everywhere: Vec::new(),
            said: Vec::new(),
        }
    }
}

/// A line that is about a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MatchingLine<'s, T> {
    pub(crate) line: u32,
    /// The bytes of its path; 0 without one.
    pub(crate) bytes: u32,
    pub(crate) said: &'s T,
}

impl<T> PathLines<T> {
    /// The lines that are about `path`: the longest paths first, equally long ones in file order.
    pub(crate) fn matching(&self, path: &Forms<'_>) -> Vec<MatchingLine<'_, T>> {
        if self.said.is_empty() {
            return Vec::new();
        }
        let with_path = self.patterns.all(path).into_iter();
        let with_path = with_path.map(|found| (found.line, found.bytes));
        let everywhere = self.everywhere.iter().map(|&line| (line, 0));
        let found = with_path.chain(everywhere).filter_map(|(line, bytes)| {
            let at = self.said.binary_search_by_key(&line, |(line, _)| *line);
            let (_, said) = self.said.get(at.ok()?)?;
            Some(MatchingLine { line, bytes, said })
        });
        found.collect()
    }

    /// The numbers of all lines, in file order.
    pub(super) fn lines(&self) -> impl Iterator<Item = u32> {
        self.said.iter().map(|(line, _)| *line)
    }

    fn memory(&self) -> usize {
        self.patterns
            .memory()
            .saturating_add(size_of_val(self.everywhere.as_slice()))
            .saturating_add(size_of_val(self.said.as_slice()))
    }
}

/// Collects lines with paths.
#[derive(Debug)]
struct Collected<T> {
    patterns: Builder,
    everywhere: Vec<u32>,
    said: Vec<(u32, T)>,
}

impl<T> Default for Collected<T> {
    fn default() -> Self {
        Self {
            patterns: Builder::default(),
            everywhere: Vec::new(),
            said: Vec::new(),
        }
    }
}

impl<T> Collected<T> {
    /// Adds a line. A line whose path matches nothing says nothing.
    fn add(&mut self, line: u32, path: Option<&[u8]>, said: T) {
        match path.map(PathPattern::read) {
            None => self.everywhere.push(line),
            // All lines are told apart by their numbers; what rules say does not matter here.
            Some(Ok(pattern)) => self.patterns.push(&pattern, Sense::Allow, line),
            Some(Err(_)) => return,
        }
        self.said.push((line, said));
    }

    fn clear(&mut self) {
        self.patterns.clear();
        self.everywhere.clear();
        self.said.clear();
    }

    fn build(self) -> PathLines<T> {
        PathLines {
            patterns: self.patterns.build(&[]),
            everywhere: self.everywhere,
            said: self.said,
        }
    }
}

impl PreferenceSide {
    /// The rules of each control token.
    pub(super) fn tokens(&self) -> &[TokenRules] {
        &self.tokens
    }

    /// How many bytes of heap the compiled preferences take.
    pub(crate) fn memory(&self) -> usize {
        let tokens = self.tokens.iter().map(|rules| rules.policy.compiled_size());
        let licences = self.licences.iter().map(|(_, url)| url.len());
        size_of::<Self>()
            .saturating_add(self.content_usage.memory())
            .saturating_add(self.content_signal.memory())
            .saturating_add(tokens.chain(licences).sum())
    }
}

/// Compiles the preferences of a file. `None` if the client does not ask for any: then no line of
/// them is looked at (PREF-140).
pub(crate) fn compile(text: &Text<'static>, client: &Client) -> Option<Box<PreferenceSide>> {
    let profile = client.preferences()?;
    let mut reader = Reader::new(client, profile);
    let bytes = text.as_bytes();
    for line in Fields::new(text, client.profile()) {
        if let Content::Field(field) = line.content {
            reader.field(&field, line.raw.number, bytes);
        }
    }
    let mut side = reader.finish();
    if profile.asks(Vocabulary::ControlToken) {
        let tokens = profile.control_tokens.iter();
        side.tokens = tokens
            .map(|token| token_rules(token, text, client))
            .collect();
    }
    Some(Box::new(side))
}

/// Compiles the file for a control token: its groups are found as any robot's (PREF-120), and
/// neither purposes nor ACAP matter (PREF-123, PREF-128).
fn token_rules(token: &ControlToken, text: &Text<'static>, client: &Client) -> TokenRules {
    let own = Client::new(token.token.clone())
        .with_profile(client.profile())
        .with_limits(client.limits())
        .with_acap(AcapProfile {
            mode: AcapMode::Off,
            ..AcapProfile::default()
        });
    TokenRules {
        token: token.clone(),
        policy: Policy::of_text(text.clone(), &own),
    }
}

/// One pass over the fields of a file that keeps preferences.
struct Reader<'c> {
    profile: &'c PreferenceProfile,
    addressing: Addressing<'c>,
    has_groups: bool,
    usage: Collected<Option<Stated>>,
    signals: Collected<Signal>,
    /// Signals before the first group, if they count as a group for `*`: line, path, what they say
    /// (CLA-PREF-11).
    signals_outside: Vec<(u32, Option<Vec<u8>>, Signal)>,
    outside: Vec<(u32, Vocabulary)>,
    licences: Vec<(u32, String)>,
    licences_of_site: Vec<(u32, String)>,
}

impl<'c> Reader<'c> {
    fn new(client: &'c Client, profile: &'c PreferenceProfile) -> Self {
        Self {
            profile,
            addressing: Addressing::new(client),
            has_groups: false,
            usage: Collected::default(),
            signals: Collected::default(),
            signals_outside: Vec::new(),
            outside: Vec::new(),
            licences: Vec::new(),
            licences_of_site: Vec::new(),
        }
    }

    fn field(&mut self, field: &Field, line: u32, text: &[u8]) {
        match field.kind {
            FieldKind::UserAgent | FieldKind::UserAgentPurpose => {
                self.has_groups = true;
                let started = self.addressing.starter(field.kind, field.value.of(text));
                if started.strengthens {
                    self.usage.clear();
                    self.signals.clear();
                    self.licences.clear();
                }
            }
            kind if kind.is_rule() => self.addressing.other_rule(),
            FieldKind::Other => {
                if let Some(kind) = PreferenceLine::of(field.key.of(text)) {
                    self.preference(kind, line, field.value.of(text));
                }
            }
            _ => {}
        }
    }

    fn preference(&mut self, kind: PreferenceLine, line: u32, value: &[u8]) {
        let counts = self.addressing.other_record();
        match kind {
            PreferenceLine::ContentUsage if self.profile.asks(Vocabulary::ContentUsage) => {
                if counts {
                    let (path, statement) = split_path(value);
                    let said = content_usage::read(statement, self.profile.revision);
                    self.usage.add(line, path, said);
                } else if !self.has_groups {
                    self.outside.push((line, Vocabulary::ContentUsage));
                }
            }
            PreferenceLine::ContentSignal if self.profile.asks(Vocabulary::ContentSignal) => {
                self.signal(counts, line, value);
            }
            PreferenceLine::License if self.profile.asks(Vocabulary::Rsl) => {
                if let Some(url) = licence_url(value) {
                    if counts {
                        self.licences.push((line, url));
                    } else if !self.has_groups {
                        self.licences_of_site.push((line, url));
                    }
                }
            }
            _ => {}
        }
    }

    fn signal(&mut self, counts: bool, line: u32, value: &[u8]) {
        let (path, statement) = split_path(value);
        let signal = Signal::read(statement);
        if signal.is_silent() {
            return;
        }
        if counts {
            self.signals.add(line, path, signal);
        } else if !self.has_groups {
            if self.profile.signals_outside_groups {
                let path = path.map(<[u8]>::to_vec);
                self.signals_outside.push((line, path, signal));
            } else {
                self.outside.push((line, Vocabulary::ContentSignal));
            }
        }
    }

    fn finish(self) -> PreferenceSide {
        // The lines before the first group are a group for `*`: they count beside other such groups,
        // and if no group addresses the client.
        let mut signals = self.signals;
        if self.addressing.chooses_any() {
            for (line, path, signal) in self.signals_outside {
                signals.add(line, path.as_deref(), signal);
            }
            signals.said.sort_unstable_by_key(|(line, _)| *line);
            signals.everywhere.sort_unstable();
        }
        let licences = if self.licences.is_empty() {
            self.licences_of_site
        } else {
            self.licences
        };
        PreferenceSide {
            content_usage: self.usage.build(),
            content_signal: signals.build(),
            outside: self.outside,
            licences,
            tokens: Vec::new(),
        }
    }
}

/// The value of a `License` line, if it is an absolute web URL (PREF-86).
pub(crate) fn licence_url(value: &[u8]) -> Option<String> {
    let url = std::str::from_utf8(value).ok()?;
    let is_one_word = !url.contains(|c: char| c.is_whitespace() || c.is_control());
    let is_absolute = Target::new(url).is_ok_and(|target| target.is_web());
    (is_one_word && is_absolute).then(|| url.to_owned())
}
