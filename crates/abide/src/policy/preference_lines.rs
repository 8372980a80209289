//! The lines of a file that carry AI preferences, for tools.

use super::compiled::Policy;
use super::document::{Line, Robots};
use super::inspect::Inspect;
use super::preference::{PreferenceSide, licence_url};
use crate::pattern::{PathPattern, PatternError};
use crate::preference::content_signal::{self, Signal};
use crate::preference::line::{PreferenceLine, split_path};
use crate::preference::{
    ControlToken, Preference, Revision, StatedUsages, UseLevel, Vocabulary, content_usage,
    usage_member,
};
use crate::rep::field::FieldKind;
use crate::verdict::{Outcome, Usage};

/// A line with an AI preference: `Content-Usage`, `Content-Signal` or `License`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PreferenceStatement<'r> {
    /// The number of the line.
    pub line: u32,
    /// The vocabulary: [`Vocabulary::ContentUsage`], [`Vocabulary::ContentSignal`], or
    /// [`Vocabulary::Rsl`] for a `License` line.
    pub vocabulary: Vocabulary,
    /// The path as written; `None` if the line is about every path.
    pub path: Option<&'r [u8]>,
    /// What is written after the path.
    pub statement: &'r [u8],
    /// What the line says.
    pub says: StatedValues,
}

/// What a line with a preference says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct StatedValues {
    /// For each of [`Usage::PREFERENCES`] whether the line permits it; `None` if it does not say.
    usages: [Option<bool>; 3],
    /// The level of use that `use=` limits to.
    pub max_use: Option<UseLevel>,
    /// Whether the statement can be read. A `Content-Usage` line that cannot be read is still
    /// selected by its path (PREF-27).
    pub is_readable: bool,
}

/// What a line with a preference says, in the terms of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum LineStatement {
    /// The usages that it permits and prohibits, in the order of [`Usage::PREFERENCES`], and the
    /// level of use that it limits all of them to.
    Usages(Vec<(Usage, Outcome)>, Option<UseLevel>),
    /// The URL of a licence document.
    Licence(String),
    /// It has the right form, and none of its words states a preference.
    Nothing,
    /// Its statement cannot be read (PREF-27, PREF-86).
    Unreadable,
}

impl StatedValues {
    fn of(stated: StatedUsages, max_use: Option<UseLevel>) -> Self {
        let permits = |usage| {
            stated
                .about(usage)
                .map(|preference| preference == Preference::Yes)
        };
        Self {
            usages: Usage::OF_PREFERENCES.map(permits),
            max_use,
            is_readable: true,
        }
    }

    /// Whether the line permits one of [`Usage::PREFERENCES`]; `None` if it does not say.
    #[must_use]
    pub fn permits(&self, usage: Usage) -> Option<bool> {
        let found = self.each().find(|(about, _)| *about == usage);
        found.and_then(|(_, permits)| permits)
    }

    /// Whether the line permits each of [`Usage::PREFERENCES`], in that order.
    pub fn each(&self) -> impl ExactSizeIterator<Item = (Usage, Option<bool>)> + Clone {
        Usage::OF_PREFERENCES.into_iter().zip(self.usages)
    }

    /// The values, which also permit or prohibit one of [`Usage::PREFERENCES`].
    ///
    /// ```
    /// use abide::{Usage, syntax::StatedValues};
    /// let closed = StatedValues::default().with(Usage::Train, false);
    /// let open = StatedValues::default().with(Usage::Train, true).with(Usage::Search, true);
    /// assert_eq!(closed.strictest(open).permits(Usage::Train), Some(false));
    /// assert_eq!(closed.or(open).permits(Usage::Search), Some(true));
    /// ```
    #[must_use]
    pub fn with(mut self, usage: Usage, permits: bool) -> Self {
        let mut each = Usage::OF_PREFERENCES.into_iter().zip(&mut self.usages);
        if let Some((_, own)) = each.find(|(about, _)| *about == usage) {
            *own = Some(permits);
        }
        self
    }

    /// Both together: of each usage the stricter value, and the lower level of use.
    #[must_use]
    pub fn strictest(mut self, other: Self) -> Self {
        self.max_use = self.max_use.into_iter().chain(other.max_use).min();
        self.joined(other, |own, other| own && other)
    }

    /// The values, with what they leave open about usages from `wider`.
    #[must_use]
    pub fn or(self, wider: Self) -> Self {
        self.joined(wider, |own, _| own)
    }

    fn joined(mut self, other: Self, both: fn(bool, bool) -> bool) -> Self {
        for (own, other) in self.usages.iter_mut().zip(other.usages) {
            *own = match (*own, other) {
                (Some(own), Some(other)) => Some(both(own, other)),
                (own, other) => own.or(other),
            };
        }
        self
    }
}

impl<'r> PreferenceStatement<'r> {
    /// The path as a pattern, or why it never matches; `None` for a line about every path.
    ///
    /// ```
    /// use abide::preference::{Revision, Vocabulary};
    /// use abide::{Robots, Usage};
    /// let robots = Robots::parse(b"User-agent: *\nContent-Usage: /a$ train-ai=n, search=y\n");
    /// let found = robots.preference_statement(&robots.lines()[1], &Revision::ALL[0]).unwrap();
    /// assert_eq!(found.vocabulary, Vocabulary::ContentUsage);
    /// assert!(found.pattern().unwrap().is_ok_and(|path| path.is_anchored()));
    /// assert_eq!(found.says.permits(Usage::Train), Some(false));
    /// assert_eq!(found.says.permits(Usage::AiInput), None);
    /// ```
    #[must_use]
    pub fn pattern(&self) -> Option<Result<PathPattern<'r>, PatternError>> {
        self.path.map(PathPattern::read)
    }

    /// What the line says, in the terms of a decision.
    ///
    /// ```
    /// use abide::preference::Revision;
    /// use abide::syntax::LineStatement;
    /// use abide::{Outcome, Robots, Usage};
    /// let robots = Robots::parse(b"User-agent: *\nContent-Signal: /blog/ ai-train=no\n");
    /// let found = robots.preference_statement(&robots.lines()[1], &Revision::ALL[0]);
    /// let states = found.ok_or("no preference")?.states();
    /// let expected = vec![(Usage::Train, Outcome::Prohibited)];
    /// assert_eq!(states, LineStatement::Usages(expected, None));
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn states(&self) -> LineStatement {
        if !self.says.is_readable {
            return LineStatement::Unreadable;
        }
        if self.vocabulary == Vocabulary::Rsl {
            return LineStatement::Licence(String::from_utf8_lossy(self.statement).into_owned());
        }
        let stated = self.says.each().filter_map(|(usage, says)| {
            let permits = says?;
            let outcome = if permits {
                Outcome::Permitted
            } else {
                Outcome::Prohibited
            };
            Some((usage, outcome))
        });
        let stated: Vec<_> = stated.collect();
        if stated.is_empty() && self.says.max_use.is_none() {
            return LineStatement::Nothing;
        }
        LineStatement::Usages(stated, self.says.max_use)
    }

    /// The words that the statement settles, with their values in lower case. Empty for a licence,
    /// and for a statement that cannot be read.
    #[must_use]
    pub fn words(&self, revision: &Revision) -> Vec<(&'static str, &'static str)> {
        let (words, [yes, no]) = match self.vocabulary {
            Vocabulary::ContentUsage => (revision.words, ["y", "n"]),
            Vocabulary::ContentSignal => (&content_signal::WORDS[..], ["yes", "no"]),
            _ => return Vec::new(),
        };
        let settled = words.iter().filter_map(|&(word, usage)| {
            let permits = self.says.permits(usage)?;
            Some((word, if permits { yes } else { no }))
        });
        let level = self.says.max_use;
        let level = level.map(|level| (content_signal::USE, level.name()));
        settled.chain(level).collect()
    }

    /// Reads a line by its key and its value, with the words of `revision`. `line` is its number.
    /// `None` if the key is of another field.
    ///
    /// ```
    /// use abide::preference::Revision;
    /// use abide::syntax::PreferenceStatement;
    /// let latest = &Revision::ALL[0];
    /// let read = PreferenceStatement::read(b"Content-Signal", b"/a AI-Train=no", 2, latest);
    /// let read = read.ok_or("no preference")?;
    /// assert_eq!(read.path, Some(&b"/a"[..]));
    /// assert_eq!(read.words(latest), [("ai-train", "no")]);
    /// assert!(PreferenceStatement::read(b"Disallow", b"/a", 3, &latest).is_none());
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn read(key: &[u8], value: &'r [u8], line: u32, revision: &Revision) -> Option<Self> {
        let kind = PreferenceLine::of(key)?;
        Some(Self::new(kind, line, value, revision))
    }

    /// Reads the value of a line of this kind.
    fn new(kind: PreferenceLine, line: u32, value: &'r [u8], revision: &Revision) -> Self {
        let (path, statement) = match kind {
            PreferenceLine::License => (None, value),
            _ => split_path(value),
        };
        let (vocabulary, says) = match kind {
            PreferenceLine::ContentUsage => {
                let read = content_usage::read(statement, revision);
                let says = read.map(|stated| StatedValues::of(stated, None));
                (Vocabulary::ContentUsage, says)
            }
            PreferenceLine::ContentSignal => {
                let signal = Signal::read(statement);
                let says = StatedValues::of(signal.stated, signal.max_use);
                (Vocabulary::ContentSignal, Some(says))
            }
            PreferenceLine::License => {
                let says =
                    licence_url(value).map(|_| StatedValues::of(StatedUsages::default(), None));
                (Vocabulary::Rsl, says)
            }
        };
        Self {
            line,
            vocabulary,
            path,
            statement,
            says: says.unwrap_or_default(),
        }
    }
}

impl Robots {
    /// Whether a line is a `Content-Usage`, `Content-Signal` or `License` line, in a group or not.
    #[must_use]
    pub fn is_preference(&self, line: &Line) -> bool {
        self.preference_field(line).is_some()
    }

    fn preference_field(&self, line: &Line) -> Option<(PreferenceLine, &[u8])> {
        let text = self.text().as_bytes();
        let field = line
            .field()
            .filter(|field| field.kind == FieldKind::Other)?;
        let kind = PreferenceLine::of(field.key.of(text))?;
        Some((kind, field.value.of(text)))
    }

    /// The preference on a line, whether or not the line is in a group, with the words of
    /// `revision`. `None` for other lines.
    #[must_use]
    pub fn preference_statement<'r>(
        &'r self,
        line: &Line,
        revision: &Revision,
    ) -> Option<PreferenceStatement<'r>> {
        let (kind, value) = self.preference_field(line)?;
        Some(PreferenceStatement::new(kind, line.number, value, revision))
    }
}

/// The vocabulary of lines with this key, in any case; RSL for `License`. `None` for keys that
/// carry no preferences.
///
/// ```
/// use abide::preference::Vocabulary;
/// use abide::syntax::preference_vocabulary;
/// assert_eq!(preference_vocabulary(b"content-usage"), Some(Vocabulary::ContentUsage));
/// assert_eq!(preference_vocabulary(b"Disallow"), None);
/// ```
#[must_use]
pub fn preference_vocabulary(key: &[u8]) -> Option<Vocabulary> {
    Some(match PreferenceLine::of(key)? {
        PreferenceLine::ContentUsage => Vocabulary::ContentUsage,
        PreferenceLine::ContentSignal => Vocabulary::ContentSignal,
        PreferenceLine::License => Vocabulary::Rsl,
    })
}

/// The words of a `Content-Usage` or `Content-Signal` statement, as written and without parameters,
/// each with its value if it has one. Empty for other vocabularies.
///
/// ```
/// use abide::preference::Vocabulary;
/// use abide::syntax::statement_words;
/// let words = statement_words(Vocabulary::ContentUsage, b"train-ai=n;x, new");
/// assert_eq!(words, [(&b"train-ai"[..], Some(&b"n"[..])), (b"new", None)]);
/// ```
#[must_use]
pub fn statement_words(vocabulary: Vocabulary, statement: &[u8]) -> Vec<(&[u8], Option<&[u8]>)> {
    match vocabulary {
        Vocabulary::ContentUsage => {
            let members = usage_member::members(statement);
            members.map(|member| (member.key, member.value)).collect()
        }
        Vocabulary::ContentSignal => {
            let items = content_signal::items(statement);
            items.map(|item| (item.key, item.value)).collect()
        }
        _ => Vec::new(),
    }
}

impl<'p> Inspect<'p> {
    /// The lines with preferences that count for the client, for any resource, in file order: those
    /// of its groups, and the `License` lines that apply to it. Lines that can say nothing are left
    /// out. Empty if the client does not ask for preferences.
    ///
    /// ```
    /// use abide::preference::PreferenceProfile;
    /// use abide::syntax::Inspect;
    /// use abide::{Client, Policy, ProductToken};
    /// let client = Client::new(ProductToken::new("ExampleBot")?)
    ///     .with_preferences(PreferenceProfile::default());
    /// let robots_txt = b"User-agent: *\nContent-Signal: /blog/ ai-train=no\n";
    /// let policy = Policy::compile(robots_txt, &client);
    /// let [signal] = Inspect::of(&policy).preference_statements().try_into().unwrap();
    /// assert_eq!((signal.line, signal.path), (2, Some(&b"/blog/"[..])));
    /// # Ok::<(), abide::ProductTokenError>(())
    /// ```
    #[must_use]
    pub fn preference_statements(self) -> Vec<PreferenceStatement<'p>> {
        let (Some(side), Some(profile)) = (self.0.preferences(), self.0.client().preferences())
        else {
            return Vec::new();
        };
        let read = |kind, line| {
            let value = self.0.value_of(line);
            PreferenceStatement::new(kind, line, value, profile.revision)
        };
        let usage = side.content_usage.lines();
        let usage = usage.map(|line| read(PreferenceLine::ContentUsage, line));
        let signals = side.content_signal.lines();
        let signals = signals.map(|line| read(PreferenceLine::ContentSignal, line));
        let licences = side.licences.iter();
        let licences = licences.map(|(line, _)| read(PreferenceLine::License, *line));
        let mut all: Vec<_> = usage.chain(signals).chain(licences).collect();
        all.sort_by_key(|statement| statement.line);
        all
    }

    /// The numbers of the preference lines that count for the client, in file order (PREF-12,
    /// PREF-87). Empty if the client does not ask for preferences. Signals that state nothing are
    /// left out; `Content-Usage` lines that cannot be read hide shorter ones, so they count.
    #[must_use]
    pub fn preference_lines(self) -> Vec<u32> {
        let Some(side) = self.0.preferences() else {
            return Vec::new();
        };
        let licences = side.licences.iter().map(|(line, _)| *line);
        let statements = side
            .content_usage
            .lines()
            .chain(side.content_signal.lines());
        let mut lines: Vec<u32> = statements.chain(licences).collect();
        lines.sort_unstable();
        lines
    }

    /// The control tokens that the client asks about, each with the file compiled for it.
    pub fn control_tokens(self) -> impl Iterator<Item = (&'p ControlToken, &'p Policy)> {
        let tokens = self.0.preferences().map_or(&[][..], PreferenceSide::tokens);
        tokens.iter().map(|rules| (&rules.token, &rules.policy))
    }
}
