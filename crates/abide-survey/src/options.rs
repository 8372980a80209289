//! What a survey asks.

use crate::schema::Table;
use abide::{Profile, PurposeToken, Reading};
use abide_known_robots::Robot;
use std::collections::BTreeSet;

/// A change whose effects a survey counts: that crawlers adopt a document, or read a point of it as
/// another document does.
///
/// ```
/// use abide::Reading;
/// use abide_survey::WhatIf;
/// let readings = WhatIf::Attach.readings().expect("it is about robots.txt");
/// assert_eq!(readings.1, Reading::UsageIsRule);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum WhatIf {
    /// `Content-Usage` lines end runs of user-agent lines, as the grammar of attach says.
    Attach,
    /// `App-Directives` lines end runs of user-agent lines, as the grammar of plan-b says. RFC 9309
    /// alone does not know them.
    PlanB,
    /// `User-Agent-Purpose` lines start groups. RFC 9309 alone does not know them.
    Purpose,
    /// `Robots-Tag` fields count. Robots that only know `X-Robots-Tag` and meta elements do not
    /// read them. It is about pages.
    Repext,
}

abide::named!(
    WhatIf,
    [
        Attach = "attach",
        PlanB = "plan-b",
        Purpose = "purpose",
        Repext = "repext"
    ]
);

impl WhatIf {
    /// The readings of robots.txt before and after the change; `None` if it is about pages.
    #[must_use]
    pub const fn readings(self) -> Option<(Reading, Reading)> {
        Some(match self {
            Self::Attach => (Reading::UsageEndsNothing, Reading::UsageIsRule),
            Self::PlanB => (Reading::DirectivesEndNothing, Reading::DirectivesAreRules),
            Self::Purpose => (Reading::PurposeUnknown, Reading::PurposeKey),
            Self::Repext => return None,
        })
    }
}

/// What a survey asks about each file.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct Options {
    /// The robots of table `robots`.
    pub robots: Vec<Robot>,
    /// How somebody asked for them, in words for [`Robot::lists`], which tables and reports say.
    /// Reports show first whom they name.
    pub asked: Vec<String>,
    /// The purposes that every robot claims.
    pub purposes: Vec<PurposeToken>,
    /// The paths of table `robots`, such as `/`.
    pub paths: Vec<String>,
    /// The tables to write. The linter runs only for the table `findings`, since it takes longer
    /// than everything else together; without it the columns `errors`, `warnings` and `infos` of
    /// `files` are empty.
    pub tables: BTreeSet<Table>,
    /// Which interpretation to use where the specifications are ambiguous.
    pub profile: Profile,
    /// Whether to leave out what operators document about their robots.
    pub literal: bool,
    /// Whether to check the digests of captures in archives.
    pub verify: bool,
    /// The changes whose effects table `changes` shows, in the careful profile.
    pub what_if: BTreeSet<WhatIf>,
}

impl Options {
    /// Whether pages are read: if a table of them is wanted, or a change that is about them.
    #[must_use]
    pub fn asks_pages(&self) -> bool {
        let is_wanted = |table: &Table| self.tables.contains(table);
        Table::OF_PAGES.iter().any(is_wanted) || self.what_if.contains(&WhatIf::Repext)
    }
}

impl Default for Options {
    /// The [standard](Table::standard) tables, for every robot that a file does not name, and `/`.
    fn default() -> Self {
        Self {
            robots: vec![Robot::unnamed()],
            asked: Vec::new(),
            purposes: Vec::new(),
            paths: vec!["/".to_owned()],
            tables: Table::standard().collect(),
            profile: Profile::default(),
            literal: false,
            verify: false,
            what_if: BTreeSet::new(),
        }
    }
}
