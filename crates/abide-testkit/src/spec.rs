//! The requirements as `docs/spec` states them: their section, their level, and for resolutions the
//! readings. What repeats these facts, such as the vectors as JSON and the issue lists of
//! `docs/issues`, is made from here.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

/// The pages that define requirements.
const PAGES: [&str; 7] = [
    "rep",
    "purpose",
    "tags",
    "applications",
    "acap",
    "preferences",
    "decision",
];

/// A document whose requirements the pages state.
#[derive(Clone, Copy, Debug)]
pub struct Document {
    /// The name that the command and the vectors as JSON use.
    pub name: &'static str,
    /// The prefixes of its requirements.
    pub prefixes: &'static [&'static str],
    /// The title, with its revision.
    pub title: &'static str,
    /// The file of `docs/issues` with its issues, without the extension.
    pub issues: &'static str,
}

/// The documents, and what joins them.
pub const DOCUMENTS: [Document; 7] = [
    Document {
        name: "rfc9309",
        prefixes: &["REP", "AMB-REP"],
        title: "RFC 9309, Robots Exclusion Protocol, September 2022",
        issues: "rfc9309",
    },
    Document {
        name: "repext-03",
        prefixes: &["TAG", "AMB-TAG"],
        title: "draft-illyes-repext-03, Robots-Tag",
        issues: "repext",
    },
    Document {
        name: "plan-b",
        prefixes: &["APP", "AMB-APP"],
        title: "draft-nottingham-plan-b-latest, App-Directives",
        issues: "plan-b",
    },
    Document {
        name: "purpose-00",
        prefixes: &["PUR", "AMB-PUR"],
        title: "draft-illyes-rep-purpose-00, User-Agent-Purpose",
        issues: "purpose",
    },
    Document {
        name: "acap-1.0",
        prefixes: &["ACAP", "AMB-ACAP"],
        title: "ACAP 1.0 Part 1, corrected, 30 November 2007",
        issues: "acap",
    },
    Document {
        name: "aipref",
        prefixes: &["PREF", "AMB-PREF", "CLA-PREF"],
        title: "AI preferences: draft-ietf-aipref-attach-05, \
                draft-ietf-aipref-vocab-07, and other vocabularies",
        issues: "aipref",
    },
    Document {
        name: "across",
        prefixes: &["AMB-X", "CLA"],
        title: "Several of these documents together",
        issues: "across",
    },
];

impl Document {
    /// The document that an ID belongs to.
    ///
    /// # Panics
    /// Panics if the prefix belongs to none.
    #[must_use]
    pub fn of(id: &str) -> &'static Self {
        let prefix = id.rsplit_once('-').map_or(id, |(prefix, _)| prefix);
        let mut documents = DOCUMENTS.iter();
        let found = documents.find(|document| document.prefixes.contains(&prefix));
        found.unwrap_or_else(|| panic!("{id} belongs to no document"))
    }
}

/// A requirement, a resolution or a clarification.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// The ID.
    pub id: String,
    /// The section of the document, as the page writes it: `§2.2`, or `own`.
    pub section: String,
    /// How strong the words of the document are.
    pub level: Level,
    /// For a resolution, why there is one: `silent`, `contradiction`, `text`. For others, the
    /// strength as the page writes it.
    pub strength: String,
    /// The text, on one line, without examples.
    pub text: String,
}

/// What a vector that fails breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The document demands it.
    Must,
    /// The document recommends it.
    Should,
    /// The document permits it.
    May,
    /// The document states it without a word of strength.
    Descriptive,
    /// The document leaves it open, or says nothing: another reading is possible.
    Resolution,
}

impl Level {
    /// The name, as vectors write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Must => "must",
            Self::Should => "should",
            Self::May => "may",
            Self::Descriptive => "descriptive",
            Self::Resolution => "resolution",
        }
    }

    /// Reads the brackets of an item. ACAP has "may not" and "may only", which
    /// demand, and "may or recommended", of which the stronger counts.
    fn read(id: &str, brackets: &str, strength: &str) -> Option<Self> {
        let mut parts = brackets.split([',', ';']).map(str::trim);
        let is_own = parts.any(|part| part == "own") || brackets.starts_with("CLA-");
        if is_own || id.starts_with("AMB-") || id.starts_with("CLA-") {
            return Some(Self::Resolution);
        }
        let words = strength.trim_end_matches(" (lower case)").to_lowercase();
        match words.as_str() {
            "must" | "must not" | "may not" | "may only" | "must or recommended" => {
                Some(Self::Must)
            }
            "should" | "should not" | "recommended" | "may or recommended" => Some(Self::Should),
            "may" => Some(Self::May),
            "descriptive" => Some(Self::Descriptive),
            _ => None,
        }
    }
}

/// All requirements, by ID.
///
/// # Panics
/// Panics if a page cannot be read, or an item has no section and strength.
#[must_use]
pub fn requirements() -> &'static BTreeMap<String, Requirement> {
    static RECORDS: LazyLock<BTreeMap<String, Requirement>> = LazyLock::new(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/spec");
        let pages = PAGES.map(|page| {
            let text = fs::read_to_string(folder.join(format!("{page}.md")));
            text.unwrap_or_else(|error| panic!("docs/spec/{page}.md: {error}"))
        });
        let items = pages.iter().flat_map(|page| items(page));
        items
            .map(|item| {
                let record =
                    Requirement::read(&item).unwrap_or_else(|error| panic!("{error}: {item}"));
                (record.id.clone(), record)
            })
            .collect()
    });
    &RECORDS
}

/// The items of a page that define an ID, each on one line and without its examples.
fn items(page: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    let (mut is_open, mut is_example) = (false, false);
    for line in page.lines() {
        if let Some(item) = line.strip_prefix("- **") {
            let is_definition = item.split("**").next().is_some_and(|id| {
                id.contains('-') && id.ends_with(|last: char| last.is_ascii_digit())
            });
            (is_open, is_example) = (is_definition, false);
            if is_definition {
                items.push(item.to_owned());
            }
        } else if let Some(more) = line.strip_prefix("  ").filter(|_| is_open) {
            is_example |= more.starts_with("Example:");
            is_example &= !more.starts_with("*Other reading:*");
            if !is_example && let Some(item) = items.last_mut() {
                item.push(' ');
                item.push_str(more.trim_start());
            }
        } else {
            is_open = false;
        }
    }
    items
}

impl Requirement {
    /// Reads `ID** (SECTION, STRENGTH): TEXT`.
    fn read(item: &str) -> Result<Self, String> {
        let (id, rest) = item.split_once("** (").ok_or("no section and strength")?;
        let (brackets, text) = rest.split_once("): ").ok_or("no end of the strength")?;
        let (before, strength) = brackets.rsplit_once([',', ';']).ok_or("no strength")?;
        let section = before.split(';').next().unwrap_or_default();
        let section = section.split(", second-hand").next().unwrap_or_default();
        let level = Level::read(id, brackets, strength.trim());
        Ok(Self {
            id: id.to_owned(),
            section: section.to_owned(),
            level: level.ok_or_else(|| format!("{id}: unknown strength {strength}"))?,
            strength: strength.trim().to_owned(),
            text: text.to_owned(),
        })
    }

    /// The part of the text after the mark `*NAME:*`, up to the next mark.
    #[must_use]
    pub fn part(&self, name: &str) -> Option<&str> {
        const MARKS: [&str; 5] = [
            RESOLUTION,
            AGAINST_THE_LETTER,
            "*Why:*",
            "*Other reading:*",
            "*Proposed words:*",
        ];
        let (_, part) = self.text.split_once(&format!("*{name}:*"))?;
        let ends = MARKS.iter().filter_map(|mark| part.find(mark));
        Some(part[..ends.min().unwrap_or(part.len())].trim())
    }

    /// The question of a resolution: the text before the answer.
    #[must_use]
    pub fn question(&self) -> &str {
        let ends = [RESOLUTION, AGAINST_THE_LETTER].iter();
        let ends = ends.filter_map(|mark| self.text.find(mark));
        self.text[..ends.min().unwrap_or(self.text.len())].trim()
    }

    /// The reading of abide.
    #[must_use]
    pub fn reading(&self) -> Option<&str> {
        let literal = self.part("Resolution");
        literal.or_else(|| self.part("Resolution, against the letter"))
    }

    /// Whether abide does something else than the text says literally.
    #[must_use]
    pub fn deviates(&self) -> bool {
        self.text.contains(AGAINST_THE_LETTER)
    }
}

/// What begins the reading of abide.
const RESOLUTION: &str = "*Resolution:*";
/// What begins it where it is not the letter of the text.
const AGAINST_THE_LETTER: &str = "*Resolution, against the letter:*";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::requirements;

    #[test]
    fn every_requirement_has_a_section_and_a_level() {
        let known = requirements();
        let missing: Vec<_> = requirements::all()
            .into_iter()
            .filter(|id| !known.contains_key(id))
            .collect();
        assert!(missing.is_empty(), "not in docs/spec: {missing:?}");
        let of = |id: &str| (known[id].section.as_str(), known[id].level);
        assert_eq!(of("TAG-6"), ("§3.1.1 and §5.3", Level::Should));
        assert_eq!(of("PREF-95"), ("RSL §3.3", Level::Descriptive));
        assert_eq!(
            of("PREF-6"),
            (
                "vocab-07 §5.1, which combines statements in the same way",
                Level::Resolution
            )
        );
        assert_eq!(of("ACAP-26").1, Level::Must);
        assert_eq!(of("AMB-TAG-6"), ("§3.1.1", Level::Resolution));
    }

    #[test]
    fn an_item_without_a_strength_is_an_error() {
        for (item, error) in [
            ("REP-1**: A rule.", "no section and strength"),
            ("REP-1** (§2): A rule.", "no strength"),
            (
                "REP-1** (§2, mumst): A rule.",
                "REP-1: unknown strength  mumst",
            ),
        ] {
            assert_eq!(Requirement::read(item).expect_err(item), error);
        }
    }

    fn known_to_deviate() -> &'static Requirement {
        &requirements()["AMB-TAG-6"]
    }

    #[test]
    fn the_parts_of_a_resolution() {
        let page = "- **AMB-REP-1** (§2, silent): What?\n  *Resolution:* that.\n  \
                    *Other reading:* this\n  way.\n  *Proposed words:* Do that.\n  Example: `/x`.\n\n- **a**: b\n  c";
        let [item] = items(page).try_into().expect("one item");
        let record = Requirement::read(&item).expect("a record");
        assert_eq!(record.question(), "What?");
        assert_eq!(record.reading(), Some("that."));
        assert!(!record.deviates() && known_to_deviate().deviates());
        assert_eq!(record.part("Why"), None);
        assert_eq!(record.part("Other reading"), Some("this way."));
        assert_eq!(record.part("Proposed words"), Some("Do that."));
    }
}
