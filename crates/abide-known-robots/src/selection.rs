//! Names of sets of robots, such as `@search`.

use crate::robot::{Kind, KnownRobot, Purpose};
use abide::Named;

/// A set of known robots: `@all`, `@search` and other purposes, `@control-token` and other kinds.
///
/// ```
/// use abide_known_robots::Selection;
/// let ai: Selection = "@ai-training".parse()?;
/// assert!(ai.robots().any(|robot| robot.token == "GPTBot"));
/// assert!("@trainig".parse::<Selection>().is_err());
/// # Ok::<(), abide_known_robots::SelectionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Selection {
    /// Every known robot.
    All,
    /// Robots for a purpose.
    Purpose(Purpose),
    /// Robots of a kind.
    Kind(Kind),
}

impl Selection {
    /// The robots of the set, in the order of the table.
    pub fn robots(self) -> impl Iterator<Item = &'static KnownRobot> {
        crate::all().iter().filter(move |robot| match self {
            Self::All => true,
            Self::Purpose(purpose) => robot.is_for(purpose),
            Self::Kind(kind) => robot.kind == kind,
        })
    }

    /// The names of all sets, without `@`.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let purposes = Purpose::names();
        let kinds = Kind::names();
        std::iter::once("all").chain(purposes).chain(kinds)
    }
}

impl std::str::FromStr for Selection {
    type Err = SelectionError;

    fn from_str(text: &str) -> Result<Self, SelectionError> {
        let name = text.strip_prefix('@').unwrap_or(text);
        match (name, Purpose::by_name(name), Kind::by_name(name)) {
            ("all", ..) => Ok(Self::All),
            (_, Some(purpose), _) => Ok(Self::Purpose(purpose)),
            (_, _, Some(kind)) => Ok(Self::Kind(kind)),
            _ => Err(SelectionError {
                name: name.to_owned(),
            }),
        }
    }
}

/// An unknown set of robots.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown set @{} of robots; expected one of {}",
    abide::explain::visible(.name.as_bytes()),
    Selection::names().map(|name| format!("@{name}")).collect::<Vec<_>>().join(", ")
)]
#[non_exhaustive]
pub struct SelectionError {
    /// The unknown name, without `@`.
    pub name: String,
}
