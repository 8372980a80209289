//! Names of sets of robots, such as `@search`, and of what is left of one without others.

use crate::robot::{Kind, KnownRobot, Purpose};
use abide::Named;

/// A set of known robots: `@all`, `@search` and other purposes, `@control-token` and other kinds.
/// Sets and robots can be subtracted: `@ai-training - @search - CCBot`.
///
/// ```
/// use abide_known_robots::Selection;
/// let ai: Selection = "@ai-training - @search".parse()?;
/// assert!(ai.robots().any(|robot| robot.token == "GPTBot"));
/// assert!(ai.robots().all(|robot| robot.token != "bingbot"));
/// assert!("@trainig".parse::<Selection>().is_err());
/// # Ok::<(), abide_known_robots::SelectionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    robots: Vec<&'static KnownRobot>,
}

impl Selection {
    /// The robots of the set, in the order of the table.
    pub fn robots(&self) -> impl Iterator<Item = &'static KnownRobot> {
        self.robots.iter().copied()
    }

    /// The names of all sets, without `@`.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let purposes = Purpose::names();
        let kinds = Kind::names();
        std::iter::once("all").chain(purposes).chain(kinds)
    }

    /// The robots of the set with this name, without `@`.
    fn named(name: &str) -> Result<Self, SelectionError> {
        let (purpose, kind) = (Purpose::by_name(name), Kind::by_name(name));
        if name != "all" && purpose.is_none() && kind.is_none() {
            return Err(SelectionError::UnknownSet {
                name: name.to_owned(),
            });
        }
        let is_member = |robot: &&KnownRobot| {
            purpose.is_none_or(|purpose| robot.is_for(purpose))
                && kind.is_none_or(|kind| robot.kind == kind)
        };
        Ok(Self {
            robots: crate::all().iter().filter(is_member).collect(),
        })
    }

    /// Takes out the set or robot with this name.
    fn without(&mut self, name: &str) -> Result<(), SelectionError> {
        let others = match name.strip_prefix('@') {
            Some(name) => Self::named(name)?.robots,
            None => vec![
                crate::named(name).ok_or_else(|| SelectionError::UnknownRobot {
                    name: if name.is_empty() { "-" } else { name }.to_owned(),
                    nearest: crate::nearest(name),
                })?,
            ],
        };
        self.robots.retain(|robot| !others.contains(robot));
        Ok(())
    }
}

impl std::str::FromStr for Selection {
    type Err = SelectionError;

    fn from_str(text: &str) -> Result<Self, SelectionError> {
        let mut names = terms(text).into_iter();
        let first = names.next().unwrap_or_default();
        let mut selection = Self::named(first.strip_prefix('@').unwrap_or(first))?;
        for name in names {
            selection.without(name)?;
        }
        if selection.robots.is_empty() {
            return Err(SelectionError::Empty {
                text: text.trim().to_owned(),
            });
        }
        Ok(selection)
    }
}

/// What the minus signs of a text are between. Names have a `-`, too: one is a minus sign if a
/// space comes before it, or `@` follows it.
fn terms(text: &str) -> Vec<&str> {
    let mut terms = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices('-') {
        let (before, after) = (&text[start..at], &text[at + 1..]);
        if before.ends_with(char::is_whitespace) || after.trim_start().starts_with('@') {
            terms.push(before.trim());
            start = at + 1;
        }
    }
    terms.push(text[start..].trim());
    terms
}

/// Why a text is no set of robots.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SelectionError {
    /// A set that does not exist.
    #[error(
        "unknown set @{} of robots; {}",
        abide::explain::visible(.name.as_bytes()),
        expected(.name)
    )]
    UnknownSet {
        /// Its name, without `@`.
        name: String,
    },
    /// A robot to subtract that the table does not have.
    #[error(
        "{} is not a known robot, so it cannot be subtracted from a set{}",
        abide::explain::visible(.name.as_bytes()),
        .nearest.map_or_else(String::new, |near| format!("; did you mean {near}?"))
    )]
    UnknownRobot {
        /// The name.
        name: String,
        /// The most similar name in the table, if one is similar.
        nearest: Option<&'static str>,
    },
    /// Every robot was subtracted.
    #[error("no robot is left of {}", abide::explain::visible(.text.as_bytes()))]
    Empty {
        /// The text.
        text: String,
    },
}

/// The sets that somebody may have meant who wrote `name`: those of which it is a part, or else
/// one that is spelled almost so. Without any, every set.
fn expected(name: &str) -> String {
    /// How many letters may differ.
    const MAX_LETTERS: usize = 2;
    let name = name.to_ascii_lowercase();
    let shown = |name: &str| format!("@{name}");
    let is_part = |set: &&str| {
        let mut words = set.split('-');
        !name.is_empty() && (set.starts_with(&name) || words.any(|word| word == name))
    };
    let mut meant: Vec<_> = Selection::names().filter(is_part).map(shown).collect();
    if meant.is_empty() {
        let near = Selection::names().map(|set| (crate::letters_between(set, &name), set));
        let near = near.filter(|(letters, _)| name.len() > MAX_LETTERS && *letters <= MAX_LETTERS);
        meant.extend(near.min().map(|(_, set)| shown(set)));
    }
    if meant.is_empty() {
        let all: Vec<_> = Selection::names().map(shown).collect();
        return format!("expected one of {}", all.join(", "));
    }
    format!("did you mean {}?", meant.join(" or "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error_of(text: &str) -> String {
        text.parse::<Selection>().unwrap_err().to_string()
    }

    #[test]
    fn minus_signs_and_hyphens() {
        for (text, expected) in [
            ("@ai-training", &["@ai-training"][..]),
            ("@ai-training - @search", &["@ai-training", "@search"]),
            ("@ai-training-@search", &["@ai-training", "@search"]),
            ("@seo -AhrefsBot", &["@seo", "AhrefsBot"]),
            ("@seo\t-\tX-Y - @ads", &["@seo", "X-Y", "@ads"]),
            ("@seo -", &["@seo", ""]),
        ] {
            assert_eq!(terms(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_left_of_a_set() {
        let left = |text: &str| -> Vec<&str> {
            let selection: Selection = text.parse().unwrap();
            selection.robots().map(|robot| robot.token).collect()
        };
        for robot in crate::all() {
            let is_left = robot.is_for(Purpose::AiTraining) && !robot.is_for(Purpose::Search);
            let found = left("@ai-training - @search").contains(&robot.token);
            assert_eq!(found, is_left, "{}", robot.token);
        }
        let one_less = left("@seo").len() - 1;
        assert_eq!(left("@seo - ahrefsbot").len(), one_less);
        assert_eq!(left("@seo - AhrefsBot - AhrefsBot").len(), one_less);
        assert_eq!(left("@seo - GPTBot"), left("@seo"));
    }

    #[test]
    fn sets_that_are_none() {
        for (text, why) in [
            (
                "@ai",
                "unknown set @ai of robots; did you mean @ai-training or @ai-input?",
            ),
            (
                "@training",
                "unknown set @training of robots; did you mean @ai-training?",
            ),
            (
                "@serach",
                "unknown set @serach of robots; did you mean @search?",
            ),
            (
                "@seo - @ia",
                "unknown set @ia of robots; expected one of @all, @search, ",
            ),
            ("@", "unknown set @ of robots; expected one of @all, "),
            (
                "@seo -",
                "- is not a known robot, so it cannot be subtracted from a set",
            ),
            (
                "@seo - AhrefBot",
                "AhrefBot is not a known robot, so it cannot be subtracted from a set; did you mean AhrefsBot?",
            ),
            ("@search - @all", "no robot is left of @search - @all"),
        ] {
            let error = error_of(text);
            assert!(error.starts_with(why), "{text}: {error}");
        }
        assert!(!error_of("@se\u{1b}[2J").contains('\u{1b}'));
    }
}
