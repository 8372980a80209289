//! The words behind a resource: qualifiers, and how their values are read (ACAP-49 to ACAP-52,
//! ACAP-84 to ACAP-87, ACAP-92, ACAP-93, ACAP-102 to ACAP-114, ACAP-134, ACAP-135, AMB-ACAP-6).

use super::name::is_name;
use super::qualifier::Qualifier;
use crate::text::Part as _;
use crate::text::is_blank;
use crate::verdict::resource::{Inclusion, Substitute, unescaped};
use crate::verdict::{Condition, Context, Modification};

impl Qualifier {
    /// The condition of a value as written; `None` if the value is invalid.
    pub(super) fn condition(self, value: &[u8]) -> Option<Condition> {
        let written = std::str::from_utf8(value).ok()?;
        let word = unescaped(written)?.to_ascii_lowercase();
        match self {
            Self::TimeLimit => time_limit(&word),
            Self::MaxLength => match word.split_once('-')? {
                (number, "chars") => Some(Condition::MaxLengthChars(count(number)?)),
                (number, "words") => Some(Condition::MaxLengthWords(count(number)?)),
                _ => None,
            },
            Self::ProhibitedModification => Modification::ALL
                .iter()
                .copied()
                .find(|modification| modification.name() == word)
                .map(Condition::ProhibitedModification),
            Self::ProhibitedContext => (word == Context::UserFrame.name())
                .then_some(Condition::ProhibitedContext(Context::UserFrame)),
            Self::RequiredContext => (word == Context::OriginalFrame.name())
                .then_some(Condition::RequiredContext(Context::OriginalFrame)),
            // These two name resources, whose case counts.
            Self::MustUseResource => Substitute::read(written).map(Condition::MustUse),
            Self::MustIncludeResource => Inclusion::read(written).map(Condition::MustInclude),
        }
    }

    /// The qualifier that a condition comes from.
    pub(super) fn of(condition: &Condition) -> Option<Self> {
        Self::named(condition.kind().name())
    }
}

/// `until-recrawled`, `until-2007-12-31` or `3-days`, and `until-recrawl`, which the specification
/// writes once (AMB-ACAP-6).
fn time_limit(word: &str) -> Option<Condition> {
    match word.strip_prefix("until-") {
        Some("recrawled" | "recrawl") => Some(Condition::UntilRecrawled),
        Some(date) => date.parse().ok().map(Condition::UntilDay),
        None => word
            .strip_suffix("-days")
            .and_then(count)
            .map(Condition::Days),
    }
}

/// Reads digits. A number that is too large is read as the greatest.
fn count(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u64::MAX))
}

/// A `type=value`, or another word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AcapWord<'t> {
    /// Type and value.
    Qualifier(&'t [u8], &'t [u8]),
    /// A word without `=`, or with an invalid type.
    Bare(&'t [u8]),
}

/// The words after a resource specification. There may be blanks around `=` (ACAP-134).
pub(super) fn words(mut rest: &[u8]) -> Vec<AcapWord<'_>> {
    let mut found = Vec::new();
    loop {
        rest = skip(rest, is_blank);
        if rest.is_empty() {
            return found;
        }
        let name = until(rest, |byte| is_blank(byte) || byte == b'=');
        let behind = skip(rest.part(name.len()..), is_blank);
        // `=x` and `3-day=x` have no name of a qualifier (ACAP-12), so they are words.
        let assigned = behind.strip_prefix(b"=").filter(|_| is_name(name));
        if let Some(value) = assigned {
            let value = skip(value, is_blank);
            let value_word = until(value, is_blank);
            found.push(AcapWord::Qualifier(name, value_word));
            rest = value.part(value_word.len()..);
        } else {
            let word = until(rest, is_blank);
            found.push(AcapWord::Bare(word));
            rest = rest.part(word.len()..);
        }
    }
}

/// The first word of `text`, and the rest.
pub(super) fn first_word(text: &[u8]) -> (&[u8], &[u8]) {
    let text = skip(text, is_blank);
    let word = until(text, is_blank);
    (word, text.part(word.len()..))
}

fn skip(text: &[u8], over: fn(u8) -> bool) -> &[u8] {
    let at = text.iter().take_while(|&&byte| over(byte)).count();
    text.part(at..)
}

fn until(text: &[u8], end: fn(u8) -> bool) -> &[u8] {
    let at = text.iter().take_while(|&&byte| !end(byte)).count();
    text.part(..at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acap_85_values_of_time_limits() {
        let read = |value: &str| Qualifier::TimeLimit.condition(value.as_bytes());
        assert_eq!(read("3-days"), Some(Condition::Days(3)));
        assert_eq!(read("UNTIL-RECRAWLED"), Some(Condition::UntilRecrawled));
        assert_eq!(read("until-recrawl"), Some(Condition::UntilRecrawled));
        assert_eq!(
            read("99999999999999999999-days"),
            Some(Condition::Days(u64::MAX))
        );
        for wrong in [
            "until-2007-2-3",
            "until-2007-02-30",
            "until-99999-01-01",
            "x-days",
            "-1-days",
            "1.5-days",
            "3-day",
            "3",
            "permanent",
            "",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn acap_134_blanks_around_the_equals_sign() {
        let qualifier = AcapWord::Qualifier(b"time-limit", b"3-days");
        for text in [
            "time-limit=3-days",
            " time-limit = 3-days ",
            "time-limit= 3-days",
            "time-limit\t=3-days",
        ] {
            assert_eq!(words(text.as_bytes()), [qualifier], "{text:?}");
        }
        assert_eq!(
            words(b"time-limit 3-days a=b=c =x"),
            [
                AcapWord::Bare(b"time-limit"),
                AcapWord::Bare(b"3-days"),
                AcapWord::Qualifier(b"a", b"b=c"),
                AcapWord::Bare(b"=x"),
            ]
        );
        assert_eq!(
            words(b"time-limit="),
            [AcapWord::Qualifier(b"time-limit", b"")]
        );
    }
}
