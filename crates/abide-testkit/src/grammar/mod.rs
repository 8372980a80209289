//! The grammars of the documents as data: the same productions make random texts and say whether a
//! text can be derived. They are written down from the documents, not from any parser.
//!
//! What a grammar leaves to a note, or gets wrong by an erratum, says the comment of its
//! production.

mod acap;
mod robots;
mod structured;

pub use acap::acap_file;
pub use robots::{app_directives_line, content_usage_line, purpose_line, robots_txt};
pub use structured::robots_tag_list;

use crate::preference_files::Dice;
use std::collections::BTreeSet;

/// One production of a grammar.
#[derive(Clone, Debug)]
pub enum Production {
    /// This text, in any case, as in ABNF.
    Literal(&'static str),
    /// This text, in this case.
    Exact(&'static str),
    /// One character of these ranges.
    Character(&'static [(char, char)]),
    /// All of these, in order.
    Sequence(Vec<Production>),
    /// One of these.
    Choice(Vec<Production>),
    /// From the first to the second number of them; at most five more than the first are made.
    Repeated(usize, usize, Box<Production>),
    /// A part that [`Production::make`] reports by this name.
    Part(&'static str, Box<Production>),
    /// The second production, of which only texts of the first one are made: those with one way to
    /// write what they say.
    Made(Box<Production>, Box<Production>),
}

/// This text, in any case.
#[must_use]
pub fn literal(text: &'static str) -> Production {
    Production::Literal(text)
}

/// This text, in this case.
#[must_use]
pub fn exact(text: &'static str) -> Production {
    Production::Exact(text)
}

/// One character of these ranges.
#[must_use]
pub fn character(ranges: &'static [(char, char)]) -> Production {
    Production::Character(ranges)
}

/// All of these, in order.
#[must_use]
pub fn sequence<const N: usize>(parts: [Production; N]) -> Production {
    Production::Sequence(parts.into())
}

/// One of these.
#[must_use]
pub fn choice<const N: usize>(of: [Production; N]) -> Production {
    Production::Choice(of.into())
}

/// Any number, but at least `least`.
#[must_use]
pub fn many(least: usize, of: Production) -> Production {
    Production::Repeated(least, usize::MAX, Box::new(of))
}

/// One, or none.
#[must_use]
pub fn optional(of: Production) -> Production {
    Production::Repeated(0, 1, Box::new(of))
}

/// From `least` to `most`.
#[must_use]
pub fn repeated(least: usize, most: usize, of: Production) -> Production {
    Production::Repeated(least, most, Box::new(of))
}

/// A part with a name.
#[must_use]
pub fn part(name: &'static str, of: Production) -> Production {
    Production::Part(name, Box::new(of))
}

/// Texts of `all`, of which those of `made` are made.
#[must_use]
pub fn made(made: Production, all: Production) -> Production {
    Production::Made(Box::new(made), Box::new(all))
}

/// A text that a grammar made, and its parts by name, in the order in which they begin.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct MadeText {
    /// The text.
    pub text: String,
    /// The parts.
    pub parts: Vec<(&'static str, String)>,
}

impl Production {
    /// Makes a text.
    #[must_use]
    pub fn make(&self, dice: &mut Dice) -> MadeText {
        let mut made = MadeText::default();
        self.add(dice, &mut made);
        made
    }

    fn add(&self, dice: &mut Dice, made: &mut MadeText) {
        match self {
            Self::Literal(text) => made.text.extend(text.chars().map(|letter| {
                if dice.chance(20) {
                    letter.to_ascii_uppercase()
                } else {
                    letter
                }
            })),
            Self::Exact(text) => made.text.push_str(text),
            Self::Character(ranges) => {
                let (first, last) = dice.pick(ranges);
                let size = (last as usize) - (first as usize) + 1;
                let code = (first as usize) + dice.below(size);
                let code = u32::try_from(code).expect("a character");
                made.text
                    .push(char::from_u32(code).expect("no range has surrogates"));
            }
            Self::Sequence(parts) => parts.iter().for_each(|part| part.add(dice, made)),
            Self::Choice(of) => of[dice.below(of.len())].add(dice, made),
            Self::Repeated(least, most, of) => {
                let most = (*most).min(least + 5);
                for _ in 0..(least + dice.below(most - least + 1)) {
                    of.add(dice, made);
                }
            }
            Self::Part(name, of) => {
                let (at, begin) = (made.parts.len(), made.text.len());
                made.parts.push((name, String::new()));
                of.add(dice, made);
                made.parts[at].1 = made.text[begin..].to_owned();
            }
            Self::Made(of, _) => of.add(dice, made),
        }
    }

    /// Whether the grammar derives a text.
    #[must_use]
    pub fn derives(&self, text: &str) -> bool {
        let text: Vec<char> = text.chars().collect();
        self.ends(&text, &BTreeSet::from([0])).contains(&text.len())
    }

    /// Where texts of the production end that begin at one of `starts`.
    fn ends(&self, text: &[char], starts: &BTreeSet<usize>) -> BTreeSet<usize> {
        let is_at = |at: usize, wanted: &str, same: fn(char, char) -> bool| {
            let count = wanted.chars().count();
            let rest = text.get(at..at + count)?;
            let mut pairs = rest.iter().zip(wanted.chars());
            pairs.all(|(a, b)| same(*a, b)).then_some(at + count)
        };
        match self {
            Self::Literal(wanted) => {
                let found = starts.iter();
                let same = |a: char, b: char| a.eq_ignore_ascii_case(&b);
                found.filter_map(|at| is_at(*at, wanted, same)).collect()
            }
            Self::Exact(wanted) => {
                let found = starts.iter();
                found
                    .filter_map(|at| is_at(*at, wanted, |a, b| a == b))
                    .collect()
            }
            Self::Character(ranges) => {
                let is_in = |c: &char| ranges.iter().any(|(from, to)| (from..=to).contains(&c));
                let found = starts.iter().filter(|at| text.get(**at).is_some_and(is_in));
                found.map(|at| at + 1).collect()
            }
            Self::Sequence(parts) => parts
                .iter()
                .fold(starts.clone(), |starts, part| part.ends(text, &starts)),
            Self::Choice(of) => of.iter().flat_map(|of| of.ends(text, starts)).collect(),
            Self::Repeated(least, most, of) => {
                let mut at = starts.clone();
                for _ in 0..*least {
                    at = of.ends(text, &at);
                }
                let (mut all, mut more) = (at.clone(), *most - least);
                while !at.is_empty() && more > 0 {
                    at = of.ends(text, &at).difference(&all).copied().collect();
                    all.extend(&at);
                    more -= 1;
                }
                all
            }
            Self::Part(_, of) | Self::Made(_, of) => of.ends(text, starts),
        }
    }
}

/// A text with one or two characters removed, replaced, added, or swapped with their neighbours.
/// Added characters are those of `alphabet`.
#[must_use]
pub fn near_miss(text: &str, alphabet: &[char], dice: &mut Dice) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..=dice.below(2) {
        let at = dice.below(letters.len() + 1);
        match dice.below(4) {
            0 if at < letters.len() => drop(letters.remove(at)),
            1 if at < letters.len() => letters[at] = dice.pick(alphabet),
            2 if at + 1 < letters.len() => letters.swap(at, at + 1),
            _ => letters.insert(at, dice.pick(alphabet)),
        }
    }
    letters.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a grammar makes, it derives; and it does not derive everything.
    #[test]
    fn grammars_derive_what_they_make() {
        let grammars = [
            robots_txt(),
            robots_tag_list(),
            app_directives_line(),
            purpose_line(),
            content_usage_line(),
            acap_file(),
        ];
        for (number, grammar) in grammars.iter().enumerate() {
            let mut dice = Dice::new(7);
            let (mut longest, mut refused) = (0, 0);
            for _ in 0..300 {
                let made = grammar.make(&mut dice);
                assert!(grammar.derives(&made.text), "{number}: {:?}", made.text);
                longest = longest.max(made.text.len());
                let other = near_miss(&made.text, &['\u{7f}', '"', ' '], &mut dice);
                refused += usize::from(!grammar.derives(&other));
            }
            assert!(
                longest > 20 && refused > 50,
                "{number}: {longest}, {refused}"
            );
        }
    }

    #[test]
    fn repetitions_have_bounds() {
        let digits = repeated(2, 3, character(&[('0', '9')]));
        let derived = ["1", "12", "123", "1234"].map(|text| digits.derives(text));
        assert_eq!(derived, [false, true, true, false]);
        let nothing = many(0, optional(literal("a")));
        assert!(nothing.derives("") && nothing.derives("aA"));
    }
}
