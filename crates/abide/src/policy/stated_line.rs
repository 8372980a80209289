//! A preference line as tools show it: its path and what it states, whomever it is for.

use super::compiled::Policy;
use super::document::{Line, Robots};
use super::preference::licence_url;
use crate::preference::content_signal::Signal;
use crate::preference::line::{PreferenceLine, split_path};
use crate::preference::{
    ControlToken, Preference, Revision, Stated, UseLevel, Vocabulary, content_usage,
};
use crate::verdict::{Outcome, Usage};

/// A `Content-Usage`, `Content-Signal` or `License` line of robots.txt.
///
/// ```
/// use abide::preference::Revision;
/// use abide::syntax::LineStatement;
/// use abide::{Outcome, Robots, Usage};
/// let robots = Robots::parse(b"User-agent: *\nContent-Signal: /blog/ ai-train=no\n");
/// let stated = robots.stated(&robots.lines()[1], Revision::named("08")?);
/// let stated = stated.ok_or("not a preference line")?;
/// assert_eq!(stated.path, Some(&b"/blog/"[..]));
/// assert_eq!(
///     stated.states,
///     LineStatement::Usages(vec![(Usage::Train, Outcome::Prohibited)], None),
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StatedLine<'t> {
    /// Its vocabulary; RSL for `License`.
    pub vocabulary: Vocabulary,
    /// Its path as written; `None` for a line about every path.
    pub path: Option<&'t [u8]>,
    /// What it states.
    pub states: LineStatement,
}

/// What a preference line states.
#[derive(Clone, Debug, PartialEq, Eq)]
// Exhaustive: callers handle every case; a new one must not pass unseen.
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

impl<'t> StatedLine<'t> {
    /// Reads the line with this key and value. `None` for every other field.
    fn read(key: &[u8], value: &'t [u8], revision: &Revision) -> Option<Self> {
        let (path, statement) = split_path(value);
        let (vocabulary, path, states) = match PreferenceLine::of(key)? {
            PreferenceLine::ContentUsage => {
                let read = content_usage::read(statement, revision);
                let states = read.map_or(LineStatement::Unreadable, |said| usages(&said, None));
                (Vocabulary::ContentUsage, path, states)
            }
            PreferenceLine::ContentSignal => {
                let signal = Signal::read(statement);
                let states = usages(&signal.stated, signal.max_use);
                (Vocabulary::ContentSignal, path, states)
            }
            PreferenceLine::License => {
                let url = licence_url(value);
                let states = url.map_or(LineStatement::Unreadable, LineStatement::Licence);
                (Vocabulary::Rsl, None, states)
            }
        };
        Some(Self {
            vocabulary,
            path,
            states,
        })
    }
}

fn usages(stated: &Stated, max_use: Option<UseLevel>) -> LineStatement {
    let outcome = |preference| match preference {
        Preference::Yes => Outcome::Permitted,
        Preference::No => Outcome::Prohibited,
    };
    let each = Usage::PREFERENCES.into_iter();
    let stated = each.filter_map(|usage| Some((usage, outcome(stated.about(usage)?))));
    let stated: Vec<_> = stated.collect();
    if stated.is_empty() && max_use.is_none() {
        LineStatement::Nothing
    } else {
        LineStatement::Usages(stated, max_use)
    }
}

impl Robots {
    /// What a line states about training, AI input and search, whomever it is for. `None` if it is
    /// no preference line.
    #[must_use]
    pub fn stated(&self, line: &Line, revision: &Revision) -> Option<StatedLine<'_>> {
        let field = line.field()?;
        let text = self.text().as_bytes();
        StatedLine::read(field.key.of(text), field.value.of(text), revision)
    }
}

impl Policy {
    /// The numbers of the preference lines that count for the client, in file order (PREF-12,
    /// PREF-87). Empty if the client does not ask for preferences. Signals that state nothing are
    /// left out; `Content-Usage` lines that cannot be read hide shorter ones, so they count.
    #[must_use]
    pub fn preference_lines(&self) -> Vec<u32> {
        let Some(side) = self.preferences() else {
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

    /// The control tokens that the client asks about, each with the file compiled for it (PREF-119,
    /// PREF-120). Without a group of its own, the groups for `*` can only prohibit (PREF-122).
    pub fn control_tokens(&self) -> impl Iterator<Item = (&ControlToken, &Policy)> {
        let tokens = self.preferences().map_or(&[][..], |side| &side.tokens);
        tokens.iter().map(|rules| (&rules.token, &rules.policy))
    }
}
