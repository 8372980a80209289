//! The preferences in a robots.txt, compiled for a client that asks for them (PREF-12 to PREF-18).

use super::compiled::Policy;
use super::reading::{ends_head, field_for};
use super::scan::{Addressing, Level};
use crate::acap::{AcapMode, AcapProfile};
use crate::client::Client;
use crate::pattern::PathPattern;
use crate::pattern::normal::Forms;
use crate::pattern::set::{Builder, PatternSet};
use crate::preference::content_signal::Signal;
use crate::preference::line::{PreferenceLine, split_path};
use crate::preference::{
    ControlToken, Preference, PreferenceProfile, Revision, SignalScope, StatedUsages, Vocabulary,
    content_signal, content_usage,
};
use crate::rep::field::{Content, Field, FieldKind, Fields};
use crate::target::Target;
use crate::text::{Span, Text};
use crate::verdict::{Place, Sense, Usage};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The preferences that a robots.txt states for a client.
#[derive(Clone, Debug, Default)]
pub(crate) struct PreferenceSide {
    /// `Content-Usage` lines that count. `None` for a statement that cannot be parsed.
    pub(crate) content_usage: PathLines<Option<StatedUsages>>,
    /// `Content-Signal` lines that count.
    pub(crate) content_signal: PathLines<Signal>,
    /// `Content-Usage` lines of other groups, which do not count.
    pub(crate) content_usage_of_others: PathLines<Option<StatedUsages>>,
    /// `Content-Signal` lines of other groups, which do not count.
    pub(crate) content_signal_of_others: PathLines<Signal>,
    /// The lines of either kind in groups that do not address the client at all, in file order.
    pub(crate) unaddressed: Vec<u32>,
    /// Lines of either kind before the first group, which have no effect.
    pub(crate) outside: Vec<(Place, Vocabulary)>,
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
    /// Each pattern once, by the number of the first line that has it.
    patterns: PatternSet,
    /// What each line says, sorted by pattern, then by line.
    stated: Vec<PathLine<T>>,
}

#[derive(Clone, Debug)]
struct PathLine<T> {
    /// The first line that has its pattern; [`EVERY_PATH`] without one.
    pattern: u32,
    /// Where its field is.
    place: Place,
    stated: T,
}

impl<T> PathLine<T> {
    /// The line for a path that its own path of so many bytes matches.
    const fn matching(&self, bytes: u32) -> MatchingLine<'_, T> {
        MatchingLine {
            place: self.place,
            bytes,
            stated: &self.stated,
        }
    }
}

/// Stands for no pattern, because lines count from 1.
const EVERY_PATH: u32 = 0;

impl<T> Default for PathLines<T> {
    fn default() -> Self {
        Self {
            patterns: PatternSet::default(),
            stated: Vec::new(),
        }
    }
}

/// A line that is about a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MatchingLine<'s, T> {
    pub(crate) place: Place,
    /// The bytes of its path; 0 without one.
    pub(crate) bytes: u32,
    pub(crate) stated: &'s T,
}

impl<T> PathLines<T> {
    /// The lines that are about `path`: the longest paths first, equally long ones in file order.
    pub(crate) fn matching(&self, path: &Forms<'_>) -> Vec<MatchingLine<'_, T>> {
        // Most lines have no path, and then all of them are about every one.
        if self
            .stated
            .last()
            .is_none_or(|line| line.pattern == EVERY_PATH)
        {
            let lines = self.stated.iter();
            return lines.map(|line| line.matching(0)).collect();
        }
        let patterns = self.patterns.all(path).into_iter();
        let patterns = patterns.map(|found| (found.line, found.bytes));
        let matching = patterns.chain([(EVERY_PATH, 0)]);
        let lines = matching.flat_map(|(pattern, bytes)| {
            let from = self.stated.partition_point(|line| line.pattern < pattern);
            let own = self.stated.iter().skip(from);
            let own = own.take_while(move |line| line.pattern == pattern);
            own.map(move |line| line.matching(bytes))
        });
        let mut lines: Vec<_> = lines.collect();
        lines.sort_by_key(|line| (Reverse(line.bytes), line.place));
        lines
    }

    /// The numbers of all lines, in file order.
    pub(super) fn lines(&self) -> impl Iterator<Item = u32> {
        self.stated.iter().map(|line| line.place.line)
    }

    fn memory(&self) -> usize {
        let stated = size_of_val(self.stated.as_slice());
        self.patterns.memory().saturating_add(stated)
    }
}

/// Collects lines with paths: path, place, what the line says.
#[derive(Debug)]
struct LineList<'t, T>(Vec<(Option<&'t [u8]>, Place, T)>);

impl<T> Default for LineList<'_, T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'t, T> LineList<'t, T> {
    fn add(&mut self, place: Place, path: Option<&'t [u8]>, stated: T) {
        self.0.push((path, place, stated));
    }

    /// Compiles the lines. A line whose path matches nothing says nothing.
    fn build(self) -> PathLines<T> {
        let mut patterns = Builder::default();
        let mut first_lines: BTreeMap<(Vec<u8>, bool), u32> = BTreeMap::new();
        let mut stated = Vec::with_capacity(self.0.len());
        for (path, place, says) in self.0 {
            let pattern = match path.map(PathPattern::read) {
                None => EVERY_PATH,
                Some(Err(_)) => continue,
                Some(Ok(pattern)) => {
                    let form = (pattern.forms().c1.to_vec(), pattern.is_anchored());
                    *first_lines.entry(form).or_insert_with(|| {
                        // What a rule allows does not matter here.
                        patterns.push(&pattern, Sense::Allow, place.line);
                        place.line
                    })
                }
            };
            stated.push(PathLine {
                pattern,
                place,
                stated: says,
            });
        }
        stated.sort_by_key(|line| (line.pattern, line.place));
        PathLines {
            patterns: patterns.build(&[]),
            stated,
        }
    }
}

/// What a word of AI preferences, in the lines of robots.txt that count, says about a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StatedWord {
    pub(crate) word: &'static str,
    pub(crate) vocabulary: Vocabulary,
    pub(crate) usage: Usage,
    pub(crate) preference: Preference,
    /// The line that decides.
    pub(crate) place: Place,
    /// The bytes of the path on it.
    pub(crate) bytes: u32,
}

/// What lines settle about each of the `known` words: place, bytes of the path, and what is stated,
/// the longest paths first.
fn settled(
    vocabulary: Vocabulary,
    known: &[(&'static str, Usage)],
    lines: &[(Place, u32, StatedUsages)],
) -> impl Iterator<Item = StatedWord> {
    known.iter().filter_map(move |&(word, usage)| {
        let stating = || {
            let each = lines.iter();
            each.filter_map(|&(place, bytes, stated)| Some((place, bytes, stated.about(usage)?)))
        };
        let (_, longest, _) = stating().next()?;
        let of_longest = || stating().take_while(|(_, bytes, _)| *bytes == longest);
        let strictest = of_longest().map(|(.., preference)| preference).max()?;
        let mut deciding = of_longest().filter(|(.., preference)| *preference == strictest);
        let (place, bytes, preference) = deciding.next()?;
        Some(StatedWord {
            word,
            vocabulary,
            usage,
            preference,
            place,
            bytes,
        })
    })
}

/// Whose line a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    /// The client's: its group is chosen.
    Own,
    /// A line of other robots.
    Others,
    /// It is before the first group.
    Nobody,
}

/// The lines of one field, by whose they are.
#[derive(Debug)]
struct ScopedLines<'t, T> {
    own: LineList<'t, T>,
    others: LineList<'t, T>,
    outside: LineList<'t, T>,
    /// Whether the client has lines of its own, even if they state nothing.
    has_own: bool,
    /// Whether lines are before the first group, even if they state nothing.
    has_outside: bool,
}

impl<T> Default for ScopedLines<'_, T> {
    fn default() -> Self {
        Self {
            own: LineList::default(),
            others: LineList::default(),
            outside: LineList::default(),
            has_own: false,
            has_outside: false,
        }
    }
}

impl<'t, T> ScopedLines<'t, T> {
    /// Adds a line, which states nothing if nothing is `stated`.
    fn add(&mut self, whose: Whose, place: Place, path: Option<&'t [u8]>, stated: Option<T>) {
        let list = match whose {
            Whose::Own => &mut self.own,
            Whose::Others => &mut self.others,
            Whose::Nobody => &mut self.outside,
        };
        self.has_own |= whose == Whose::Own;
        self.has_outside |= whose == Whose::Nobody;
        if let Some(stated) = stated {
            list.add(place, path, stated);
        }
    }

    /// A better match for the client was found: the groups so far are those of others.
    fn pass_over(&mut self) {
        self.others.0.append(&mut self.own.0);
        self.has_own = false;
    }

    /// The lines before the first group are the client's own if they count, and else of others.
    fn own_outside(&mut self, counts: bool) {
        if counts {
            self.has_own |= self.has_outside;
            self.own.0.append(&mut self.outside.0);
        } else {
            self.others.0.append(&mut self.outside.0);
        }
    }

    /// Makes all lines of the file count if the client has none of its own. Returns whether they
    /// do.
    fn count_in_file(&mut self) -> bool {
        if !self.has_own {
            self.own.0.append(&mut self.others.0);
            self.own.0.append(&mut self.outside.0);
        }
        !self.has_own
    }
}

impl Policy {
    /// What the words of AI preferences in the file say about `path`, whether or not the client
    /// asks for them (APP-22).
    pub(crate) fn stated_words(&self, path: &Forms<'_>) -> Vec<StatedWord> {
        if let (Some(side), Some(profile)) = (self.preferences(), self.client().preferences()) {
            return side.stated_words(self, path, profile.revision);
        }
        let profile = PreferenceProfile::default();
        let revision = profile.revision;
        let client = self.client().clone().with_preferences(profile);
        compile(self.text(), &client)
            .map_or_else(Vec::new, |side| side.stated_words(self, path, revision))
    }
}

impl PreferenceSide {
    /// For each word of a vocabulary the first line that has what counts: of `Content-Usage` only
    /// lines with the longest path (PREF-24), of `Content-Signal` those with the longest path that
    /// state the word (PREF-60), and of these the strictest.
    fn stated_words(
        &self,
        policy: &Policy,
        path: &Forms<'_>,
        revision: &Revision,
    ) -> Vec<StatedWord> {
        let mut words = Vec::new();
        let content_usage = self.content_usage.matching(path);
        let longest = content_usage.first().map_or(0, |line| line.bytes);
        // They say nothing about a path that may not be crawled (PREF-20).
        if !content_usage.is_empty() && policy.disallowing(path).is_none() {
            let longest = content_usage.iter().filter(|line| line.bytes == longest);
            let lines: Vec<_> = longest
                .filter_map(|line| Some((line.place, line.bytes, (*line.stated)?)))
                .collect();
            words.extend(settled(Vocabulary::ContentUsage, revision.words, &lines));
        }
        let lines = self.content_signal.matching(path).into_iter();
        let lines: Vec<_> = lines
            .map(|line| (line.place, line.bytes, line.stated.stated))
            .collect();
        let known = &content_signal::WORDS;
        words.extend(settled(Vocabulary::ContentSignal, known, &lines));
        words
    }

    pub(crate) fn has_no_content_usage(&self) -> bool {
        let lines = [&self.content_usage, &self.content_usage_of_others];
        lines.iter().all(|lines| lines.stated.is_empty()) && self.outside.is_empty()
    }

    pub(crate) fn has_no_content_signal(&self) -> bool {
        let lines = [&self.content_signal, &self.content_signal_of_others];
        lines.iter().all(|lines| lines.stated.is_empty()) && self.outside.is_empty()
    }

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
            .saturating_add(self.content_usage_of_others.memory())
            .saturating_add(self.content_signal_of_others.memory())
            .saturating_add(size_of_val(self.unaddressed.as_slice()))
            .saturating_add(tokens.chain(licences).sum())
    }
}

/// Compiles the preferences of a file. `None` if the client does not ask for any: then no line of
/// them is looked at (PREF-140).
pub(crate) fn compile(text: &Text<'static>, client: &Client) -> Option<Box<PreferenceSide>> {
    client.preferences()?;
    let fields = Fields::new(text, client.profile()).filter_map(|line| match line.content {
        Content::Field(field) => Some((field, line.raw.number)),
        _ => None,
    });
    compile_fields(fields, text, client, |own| {
        Policy::of_text(text.clone(), own)
    })
}

/// Like [`compile`] with those fields of a text that can matter to the client, and their
/// line numbers. `of_token` compiles the file for the client of a control token.
pub(super) fn compile_fields(
    fields: impl Iterator<Item = (Field, u32)>,
    text: &Text<'static>,
    client: &Client,
    of_token: impl Fn(&Client) -> Policy,
) -> Option<Box<PreferenceSide>> {
    let profile = client.preferences()?;
    let mut reader = PreferenceReader::new(client, profile, text.as_bytes());
    for (field, line) in fields {
        reader.field(&field, line);
    }
    let mut side = reader.finish();
    if profile.asks(Vocabulary::ControlToken) {
        let tokens = profile.control_tokens.iter();
        side.tokens = tokens
            .map(|token| TokenRules {
                token: token.clone(),
                policy: of_token(&token_client(token, client)),
            })
            .collect();
    }
    Some(Box::new(side))
}

/// The client of a control token: its groups are found as any robot's (PREF-120), and neither
/// purposes nor ACAP matter (PREF-123, PREF-128).
fn token_client(token: &ControlToken, client: &Client) -> Client {
    let own = Client::new(token.token.clone());
    let own = client.readings().fold(own, Client::with_reading);
    own.with_profile(client.profile())
        .with_limits(client.limits())
        .with_acap(AcapProfile {
            mode: AcapMode::Off,
            ..AcapProfile::default()
        })
}

/// One pass over the fields of a file that keeps preferences.
struct PreferenceReader<'c, 't> {
    client: &'c Client,
    profile: &'c PreferenceProfile,
    text: &'t [u8],
    addressing: Addressing<'c>,
    has_groups: bool,
    /// The lines of the current group. Whether they count is known when the group ends, because
    /// they end nothing: more user-agent lines may follow (PREF-13).
    group: Vec<(PreferenceLine, Place, &'t [u8])>,
    usage: ScopedLines<'t, Option<StatedUsages>>,
    signals: ScopedLines<'t, Signal>,
    unaddressed: Vec<u32>,
    outside: Vec<(Place, Vocabulary)>,
    licences: Vec<(u32, String)>,
    licences_of_site: Vec<(u32, String)>,
}

impl<'c, 't> PreferenceReader<'c, 't> {
    fn new(client: &'c Client, profile: &'c PreferenceProfile, text: &'t [u8]) -> Self {
        Self {
            client,
            profile,
            text,
            addressing: Addressing::new(client),
            has_groups: false,
            group: Vec::new(),
            usage: ScopedLines::default(),
            signals: ScopedLines::default(),
            unaddressed: Vec::new(),
            outside: Vec::new(),
            licences: Vec::new(),
            licences_of_site: Vec::new(),
        }
    }

    fn field(&mut self, field: &Field, line: u32) {
        let field = &field_for(self.client, *field, self.text);
        if ends_head(self.client.chosen_readings(), field, self.text) {
            self.addressing.other_rule();
        }
        match field.kind {
            kind if kind.starts_group() => self.starter(field),
            FieldKind::Other => {
                let Some(kind) = PreferenceLine::of(field.key.of(self.text)) else {
                    return;
                };
                let span = Span::new(field.key.start, field.value.end);
                let (place, value) = (Place { line, span }, field.value.of(self.text));
                if self.has_groups {
                    self.group.push((kind, place, value));
                } else {
                    self.before_groups(kind, place, value);
                }
            }
            _ => {}
        }
    }

    fn starter(&mut self, field: &Field) {
        self.has_groups = true;
        let counted = self.addressing.other_record();
        let is_addressed = self.addressing.addresses();
        let value = field.value.of(self.text);
        let started = self.addressing.starter(field.kind, value);
        if started.opens {
            self.end_group(counted, is_addressed);
        }
        if started.strengthens {
            self.usage.pass_over();
            self.signals.pass_over();
            self.licences.clear();
        }
    }

    /// Keeps the lines of the group that ends. Licences of other groups say nothing here.
    fn end_group(&mut self, counts: bool, is_addressed: bool) {
        let whose = if counts { Whose::Own } else { Whose::Others };
        for (kind, place, value) in std::mem::take(&mut self.group) {
            match kind {
                PreferenceLine::ContentUsage => self.usage(whose, place, value),
                PreferenceLine::ContentSignal => self.signal(whose, place, value),
                PreferenceLine::License => {
                    let url = licence_url(value).filter(|_| counts);
                    self.licences.extend(url.map(|url| (place.line, url)));
                    continue;
                }
            }
            if !is_addressed {
                self.unaddressed.push(place.line);
            }
        }
    }

    fn usage(&mut self, whose: Whose, place: Place, value: &'t [u8]) {
        let (path, statement) = split_path(value);
        let stated = content_usage::read(statement, self.profile.revision);
        self.usage.add(whose, place, path, Some(stated));
    }

    /// A signal that states nothing hides none, but is a line of the client's own.
    fn signal(&mut self, whose: Whose, place: Place, value: &'t [u8]) {
        let (path, statement) = split_path(value);
        let stated = Some(Signal::read(statement)).filter(|signal| !signal.is_silent());
        self.signals.add(whose, place, path, stated);
    }

    /// A line before the first group.
    fn before_groups(&mut self, kind: PreferenceLine, place: Place, value: &'t [u8]) {
        match kind {
            PreferenceLine::ContentUsage => {
                self.usage(Whose::Nobody, place, value);
                self.outside.push((place, Vocabulary::ContentUsage));
            }
            PreferenceLine::ContentSignal => {
                self.signal(Whose::Nobody, place, value);
                if !self.profile.signals_outside_groups {
                    self.outside.push((place, Vocabulary::ContentSignal));
                }
            }
            PreferenceLine::License => {
                let url = licence_url(value).map(|url| (place.line, url));
                self.licences_of_site.extend(url);
            }
        }
    }

    fn finish(mut self) -> PreferenceSide {
        let counts = self.addressing.other_record();
        self.end_group(counts, self.addressing.addresses());
        // The lines before the first group are a group for `*`: they count beside other such
        // groups, and if no group addresses the client.
        if self.profile.signals_outside_groups {
            self.signals.own_outside(self.addressing.chooses_any());
        }
        if self.profile.signal_scope == SignalScope::File {
            let counts = [
                (Vocabulary::ContentUsage, self.usage.count_in_file()),
                (Vocabulary::ContentSignal, self.signals.count_in_file()),
            ];
            self.outside
                .retain(|(_, of)| !counts.contains(&(*of, true)));
        }
        let licences = if self.licences.is_empty() {
            self.licences_of_site
        } else {
            self.licences
        };
        PreferenceSide {
            content_usage: self.usage.own.build(),
            content_signal: self.signals.own.build(),
            content_usage_of_others: self.usage.others.build(),
            content_signal_of_others: self.signals.others.build(),
            unaddressed: self.unaddressed,
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
