//! The readings of ambiguous points that a client can choose in place of abide's own.

use crate::profile::Profile;
use crate::spelling::slips;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// How to read a point that the specifications leave open or contradict each other about: the ID of
/// its resolution, and one of its readings. For each ID, the first reading is abide's own.
///
/// ```
/// use abide::{Client, ProductToken, Reading};
/// let reading: Reading = "AMB-PREF-1=attach".parse()?;
/// assert_eq!((reading.id(), reading.choice()), ("AMB-PREF-1", "attach"));
/// let file = b"User-agent: a\nContent-Usage: train-ai=n\nUser-agent: b\nDisallow: /\n";
/// let client = Client::new(ProductToken::new("a")?);
/// assert!(!abide::allows(file, &client, "/x"));
/// assert!(abide::allows(file, &client.with_reading(reading), "/x"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Reading {
    /// `Content-Usage` lines end no run of user-agent lines.
    UsageEndsNothing,
    /// `Content-Usage` lines are rules, as the grammar of attach says: a user-agent line after one
    /// starts a new group.
    UsageIsRule,
    /// `App-Directives` lines are rules, as the grammar of the draft says.
    DirectivesAreRules,
    /// `App-Directives` lines end nothing, as for parsers that do not know the field.
    DirectivesEndNothing,
    /// A group for the product token wins over one for a purpose.
    ProductTokenFirst,
    /// A group for a purpose wins over one for the product token.
    PurposeFirst,
    /// `User-Agent-Purpose` lines start groups.
    PurposeKey,
    /// `User-Agent-Purpose` lines are dropped, as parsers of RFC 9309 alone do.
    PurposeUnknown,
    /// `User-Agent-Purpose` lines are user-agent lines, as for parsers that look only at how a key
    /// begins.
    PurposeIsAgent,
    /// A purpose line whose token the client does not claim starts a group all the same.
    PurposeTokenDropped,
    /// A purpose line whose token the client does not claim is dropped.
    PurposeLineDropped,
    /// The members of an invalid `Robots-Tag` List count up to the first mistake.
    ListUntilMistake,
    /// An invalid `Robots-Tag` List is void as a whole.
    ListVoid,
    /// `Robots-Tag: noindex` names a robot.
    BareWordIsRobot,
    /// `Robots-Tag: noindex` is a rule for all robots.
    BareWordIsRule,
    /// A pattern that begins neither with `/` nor with `*` matches nothing.
    SlashRequired,
    /// A pattern that begins neither with `/` nor with `*` is read with a `/` before it.
    SlashImplied,
    /// A user-agent value counts up to the first byte that a product token may not contain.
    AgentIdentifier,
    /// A user-agent value counts up to the first blank or `/`, and names the robot with exactly
    /// that name.
    AgentWord,
    /// A user-agent value names the robot with exactly that name; one with more than a product
    /// token names nobody.
    AgentWhole,
}

crate::named!(
    Reading,
    [
        UsageEndsNothing = "AMB-PREF-1=ends-nothing",
        UsageIsRule = "AMB-PREF-1=attach",
        DirectivesAreRules = "AMB-APP-2=plan-b",
        DirectivesEndNothing = "AMB-APP-2=ends-nothing",
        ProductTokenFirst = "AMB-PUR-1=product-token",
        PurposeFirst = "AMB-PUR-1=purpose",
        PurposeKey = "AMB-PUR-3=purpose",
        PurposeUnknown = "AMB-PUR-3=unknown",
        PurposeIsAgent = "AMB-PUR-3=user-agent",
        PurposeTokenDropped = "AMB-PUR-4=token",
        PurposeLineDropped = "AMB-PUR-4=line",
        ListUntilMistake = "AMB-TAG-6=until-mistake",
        ListVoid = "AMB-TAG-6=void",
        BareWordIsRobot = "AMB-TAG-7=robot",
        BareWordIsRule = "AMB-TAG-7=rule",
        SlashRequired = "AMB-REP-3=no-match",
        SlashImplied = "AMB-REP-3=implied-slash",
        AgentIdentifier = "AMB-REP-6=identifier",
        AgentWord = "AMB-REP-6=word",
        AgentWhole = "AMB-REP-6=whole",
    ]
);

impl Reading {
    /// The ID of the resolution, as `docs/spec` defines it.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.divided().0
    }

    /// The name of the reading among those of its ID.
    #[must_use]
    pub fn choice(self) -> &'static str {
        self.divided().1
    }

    /// Whether it is abide's own reading, which applies if none is chosen.
    #[must_use]
    pub fn is_default(self) -> bool {
        let mut all = Self::ALL.iter();
        all.find(|other| other.id() == self.id()) == Some(&self)
    }

    fn divided(self) -> (&'static str, &'static str) {
        self.name().split_once('=').unwrap_or((self.name(), ""))
    }

    const fn bit(self) -> u32 {
        1 << (self as u32)
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Reading {
    type Err = ReadingError;

    fn from_str(given: &str) -> Result<Self, ReadingError> {
        let mut all = Self::ALL.iter().copied();
        let found = all.find(|reading| reading.name() == given);
        found.ok_or_else(|| ReadingError::new(given))
    }
}

/// A text that is no [`Reading`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown reading {given:?}; {hint}")]
#[non_exhaustive]
pub struct ReadingError {
    /// The text as given, or its beginning.
    given: Box<str>,
    hint: Box<str>,
}

impl ReadingError {
    /// How many characters of a text the message repeats.
    const MAX_SHOWN: usize = 60;

    fn new(given: &str) -> Self {
        let given: String = given.chars().take(Self::MAX_SHOWN).collect();
        Self {
            hint: hint(&given).into(),
            given: given.into(),
        }
    }
}

/// The readings of the ID that a text begins with, or the reading that is most like the text.
fn hint(given: &str) -> String {
    let id = given.split_once('=').map_or(given, |(id, _)| id);
    let unlike = |reading: &Reading| slips(given.as_bytes(), reading.name().as_bytes());
    let of_id = |reading: &&Reading| reading.id().eq_ignore_ascii_case(id);
    let of_id: Vec<_> = Reading::ALL.iter().filter(of_id).collect();
    if of_id.is_empty() {
        let nearest = Reading::ALL.iter().min_by_key(|reading| unlike(reading));
        return nearest.map_or_else(String::new, |near| format!("did you mean {near}?"));
    }
    let names: Vec<_> = of_id.iter().map(|reading| reading.name()).collect();
    match of_id.iter().min_by_key(|reading| unlike(reading)) {
        Some(near) if id.len() < given.len() => {
            format!("did you mean {near}? There are {}", names.join(", "))
        }
        _ => format!("there are {}", names.join(", ")),
    }
}

/// The readings that a client chose: those that are not abide's own, one bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Readings(u32);

impl Readings {
    /// These readings with `reading`, in place of another one of its ID.
    #[must_use]
    pub(crate) fn with(self, reading: Reading) -> Self {
        let others = Reading::ALL
            .iter()
            .filter(|other| other.id() == reading.id());
        let cleared = others.fold(self.0, |bits, other| bits & !other.bit());
        Self(if reading.is_default() {
            cleared
        } else {
            cleared | reading.bit()
        })
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) const fn has(self, reading: Reading) -> bool {
        self.0 & reading.bit() != 0
    }

    /// Those that count in `profile`: the google profile is one reading of everything.
    pub(crate) const fn within(self, profile: Profile) -> Self {
        match profile {
            Profile::Careful => self,
            Profile::Google => Self(0),
        }
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Reading> {
        let all = Reading::ALL.iter().copied();
        all.filter(move |reading| self.has(*reading))
    }
}

#[cfg(test)]
mod tests {
    use super::{Reading, ReadingError, Readings};

    #[test]
    fn one_reading_of_each_id() {
        let both = Readings::default()
            .with(Reading::AgentWord)
            .with(Reading::AgentWhole);
        assert_eq!(both.iter().collect::<Vec<_>>(), [Reading::AgentWhole]);
        assert!(both.with(Reading::AgentIdentifier).is_empty());
        for reading in Reading::ALL {
            let chosen = Readings::default().with(*reading);
            assert_eq!(chosen.has(*reading), !reading.is_default(), "{reading}");
            assert!(!reading.choice().is_empty());
        }
        let defaults = Reading::ALL.iter().filter(|reading| reading.is_default());
        assert_eq!(defaults.count(), 9);
    }

    #[test]
    fn an_unknown_reading_has_a_nearest_one() {
        let error = |text: &str| text.parse::<Reading>().unwrap_err().to_string();
        assert_eq!(
            error("AMB-PREF-1=atach"),
            "unknown reading \"AMB-PREF-1=atach\"; did you mean AMB-PREF-1=attach? There are \
             AMB-PREF-1=ends-nothing, AMB-PREF-1=attach"
        );
        assert_eq!(
            error("amb-tag-6"),
            "unknown reading \"amb-tag-6\"; there are AMB-TAG-6=until-mistake, AMB-TAG-6=void"
        );
        assert_eq!(
            error("PUR-1=purpose"),
            "unknown reading \"PUR-1=purpose\"; did you mean AMB-PUR-1=purpose?"
        );
        let long = "ä".repeat(1_000_000).parse::<Reading>();
        assert!(long.is_err_and(|error: ReadingError| error.to_string().len() < 300));
    }
}
