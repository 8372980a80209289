//! Really Simple Licensing 1.0: licence documents (PREF-86 to PREF-108).
//!
//! This module decides by a document that was read; `abide-documents` reads the XML.

use crate::pattern::PathPattern;
use crate::pattern::normal::Forms;
use crate::text::offset;
use crate::verdict::{Condition, Outcome, Reason};
use std::collections::BTreeSet;

/// How many documents count that robots.txt names, and how many that the page names (PREF-108).
pub const MAX_DOCUMENTS: usize = 8;

/// A licence document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RslDocument {
    /// Its `content` elements, in order.
    pub contents: Vec<RslContent>,
}

/// A `content` element: licences for some URLs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RslContent {
    /// Which URLs: a whole URL or a path, with `*` and `$`; empty for the page that names the
    /// document (PREF-95, PREF-96).
    pub url: String,
    /// Other spellings of a whole URL: its host in ASCII and in Unicode (RFC 5890). The URL of the
    /// page can have any of them.
    pub other_spellings: Vec<String>,
    /// The URL of the licence server.
    pub server: Option<String>,
    /// For how many days the document is fresh (PREF-107).
    pub max_age: Option<u64>,
    /// Its licences, in order.
    pub licences: Vec<RslLicence>,
}

/// A `license` element. Words are in lower case, those of places in upper case (CLA-PREF-20).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RslLicence {
    /// The usages that it permits: a closed list (PREF-98). `None` without such a list.
    pub permits_usage: Option<Vec<String>>,
    /// Whether a `permits` of an unknown type could have had more of them (CLA-PREF-19).
    pub has_unread_permits: bool,
    /// The usages that it prohibits.
    pub prohibits_usage: Vec<String>,
    /// The kinds of users that it is for.
    pub permits_user: Vec<String>,
    /// The kinds of users that it is not for.
    pub prohibits_user: Vec<String>,
    /// The places that it is for.
    pub permits_geo: Vec<String>,
    /// The places that it is not for.
    pub prohibits_geo: Vec<String>,
    /// The type of each payment that it asks for; `None` without a type (CLA-PREF-7).
    pub payments: Vec<Option<String>>,
    /// The type of each report that it asks for.
    pub reporting: Vec<String>,
    /// The element as written.
    pub text: String,
}

impl RslDocument {
    /// A document with these `content` elements.
    #[must_use]
    pub const fn new(contents: Vec<RslContent>) -> Self {
        Self { contents }
    }
}

impl RslContent {
    /// Licences for some URLs.
    #[must_use]
    pub fn new(url: impl Into<String>, licences: Vec<RslLicence>) -> Self {
        Self {
            url: url.into(),
            licences,
            ..Self::default()
        }
    }
}

/// A usage word of RSL 0.9, which its guides and programs still write (CLA-PREF-18).
///
/// ```
/// use abide::preference::rsl::OldWord;
/// assert_eq!(OldWord::named("train-ai").map(|old| old.successor), Some("ai-train"));
/// assert!(OldWord::named("ai-train").is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OldWord {
    /// The word, in lower case.
    pub word: &'static str,
    /// The word of RSL 1.0.
    pub successor: &'static str,
    /// Whether it means a part of what its successor means: then it prohibits all of that, and
    /// permits none of it.
    pub is_narrower: bool,
}

impl OldWord {
    const ALL: [Self; 4] = [
        Self {
            word: "train-ai",
            successor: "ai-train",
            is_narrower: false,
        },
        Self {
            word: "ai-use",
            successor: "ai-input",
            is_narrower: false,
        },
        Self {
            word: "train-genai",
            successor: "ai-train",
            is_narrower: true,
        },
        Self {
            word: "ai-summarize",
            successor: "ai-input",
            is_narrower: true,
        },
    ];

    /// The old word with this spelling in lower case.
    #[must_use]
    pub fn named(word: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|old| old.word == word)
    }

    /// The word of RSL 1.0 that a word in a list of permitted usages stands for, if for any.
    #[must_use]
    pub fn permitted_by(word: &str) -> Option<&str> {
        match Self::named(word) {
            Some(old) => (!old.is_narrower).then_some(old.successor),
            None => Some(word),
        }
    }

    /// The word of RSL 1.0 that a word in a list of prohibited usages stands for.
    #[must_use]
    pub fn prohibited_by(word: &str) -> &str {
        Self::named(word).map_or(word, |old| old.successor)
    }
}

/// What a document can say something about. Only the first three are usages of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RslUsage {
    Train,
    AiInput,
    Search,
    /// Building an index for AI. Reported among the words, and not decided (PREF-97).
    AiIndex,
}

impl RslUsage {
    /// All of them, in the order in which answers list their words.
    pub(crate) const ALL: [Self; 4] = [Self::Train, Self::AiInput, Self::AiIndex, Self::Search];

    /// Its own word.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Train => "ai-train",
            Self::AiInput => "ai-input",
            Self::Search => "search",
            Self::AiIndex => "ai-index",
        }
    }

    /// Whether `word` covers it.
    fn is_covered_by(self, word: &str) -> bool {
        word == "all" || (word == "ai-all" && self != Self::Search) || word == self.word()
    }

    fn is_permitted_by(self, words: &[String]) -> bool {
        let mut words = words.iter().filter_map(|word| OldWord::permitted_by(word));
        words.any(|word| self.is_covered_by(word))
    }

    fn is_prohibited_by(self, words: &[String]) -> bool {
        let mut words = words.iter().map(|word| OldWord::prohibited_by(word));
        words.any(|word| self.is_covered_by(word))
    }
}

/// What asked for a document: the place decides what `url=""` means (PREF-96).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DocumentReferrer {
    /// robots.txt.
    Site,
    /// The page's field, element or script.
    Page,
}

/// What a licence says about a usage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LicenceSays<'d> {
    pub(crate) outcome: Outcome,
    /// Why: it says so, or it does not list the usage (PREF-98).
    pub(crate) reason: Reason,
    /// The number of its `content`, from 1.
    pub(crate) content: u32,
    pub(crate) text: &'d str,
}

/// What a document says about a usage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DocumentSays<'d> {
    pub(crate) outcome: Outcome,
    pub(crate) conditions: Vec<Condition>,
    /// The licences that speak, the deciding ones first.
    pub(crate) licences: Vec<LicenceSays<'d>>,
}

/// The parts of a document that are about one page, the narrowest first.
#[derive(Clone, Debug)]
pub(crate) struct MatchingLicences<'d> {
    /// Licences of equal width, each with its `content` and the number of it.
    widths: Vec<Vec<(u32, &'d RslContent, &'d RslLicence)>>,
}

impl RslDocument {
    /// The parts that are about a page. `own_path` returns the path of a content with a whole URL,
    /// if that is on the page's site (PREF-95).
    pub(crate) fn matching<'d>(
        &'d self,
        path: &Forms<'_>,
        referrer: DocumentReferrer,
        own_path: impl Fn(&'d RslContent) -> Option<&'d str>,
    ) -> MatchingLicences<'d> {
        let width = |content: &'d RslContent| {
            if content.url.is_empty() {
                return (referrer == DocumentReferrer::Page).then_some(usize::MAX);
            }
            let pattern = if content.url.starts_with(['/', '*']) {
                &content.url
            } else {
                own_path(content)?
            };
            let pattern = PathPattern::read(pattern.as_bytes()).ok()?;
            pattern.matches_forms(path).then(|| pattern.length())
        };
        let numbered = (1_usize..).zip(&self.contents);
        let mut found: Vec<_> = numbered
            .filter_map(|(number, content)| Some((width(content)?, offset(number), content)))
            .collect();
        found.sort_by_key(|&(width, number, _)| (std::cmp::Reverse(width), number));
        let widths = found.chunk_by(|a, b| a.0 == b.0).map(|same| {
            let licences = same.iter().flat_map(|&(_, number, content)| {
                let licences = content.licences.iter();
                licences.map(move |licence| (number, content, licence))
            });
            licences.collect()
        });
        MatchingLicences {
            widths: widths.collect(),
        }
    }

    /// For how many days the document is fresh: the least of its contents, 30 at most (PREF-107).
    #[must_use]
    pub fn max_age_days(&self) -> u64 {
        let stated = self.contents.iter().filter_map(|content| content.max_age);
        stated.min().unwrap_or(30).min(30)
    }
}

impl RslContent {
    /// Its URL in each spelling of the host.
    pub(crate) fn spellings(&self) -> impl Iterator<Item = &str> {
        let others = self.other_spellings.iter().map(String::as_str);
        std::iter::once(&*self.url).chain(others)
    }
}

impl<'d> MatchingLicences<'d> {
    /// What the document says about `usage`: the narrowest width that says something decides
    /// (PREF-100, CLA-PREF-4).
    pub(crate) fn about(&self, usage: RslUsage) -> DocumentSays<'d> {
        let answers = self.widths.iter().map(|same| of_one_width(same, usage));
        answers
            .into_iter()
            .find(|one| one.outcome != Outcome::Unspecified)
            .unwrap_or_default()
    }
}

/// What licences of one width say about `usage`.
fn of_one_width<'d>(
    licences: &[(u32, &'d RslContent, &'d RslLicence)],
    usage: RslUsage,
) -> DocumentSays<'d> {
    let by = |outcome: Outcome, speaks: &dyn Fn(&RslLicence) -> bool| {
        let speaking = licences
            .iter()
            .filter(|(_, content, licence)| {
                speaks(licence) && (outcome != Outcome::Conditional || asks(content, licence))
            })
            .map(|&(content, _, licence)| LicenceSays {
                outcome,
                reason: Reason::SaysSo,
                content,
                text: &licence.text,
            });
        speaking.collect::<Vec<_>>()
    };
    let prohibits = |licence: &RslLicence| usage.is_prohibited_by(&licence.prohibits_usage);
    let lists = |licence: &RslLicence| {
        let listed = licence.permits_usage.as_ref();
        listed.is_some_and(|words| usage.is_permitted_by(words))
    };
    let has_no_list = |licence: &RslLicence| licence.permits_usage.is_none();

    let mut prohibiting = by(Outcome::Prohibited, &prohibits);
    if !prohibiting.is_empty() {
        prohibiting.extend(by(Outcome::Permitted, &|licence| {
            lists(licence) && !prohibits(licence)
        }));
        return DocumentSays {
            outcome: Outcome::Prohibited,
            conditions: Vec::new(),
            licences: prohibiting,
        };
    }
    let mut permitting = by(Outcome::Permitted, &lists);
    let open_and_asking = by(Outcome::Conditional, &has_no_list);
    if permitting.is_empty() && open_and_asking.is_empty() {
        // A list that could not be read may name the usage.
        let is_read = |licence: &RslLicence| {
            let lists_nothing = licence.permits_usage.as_ref().is_some_and(Vec::is_empty);
            !(licence.has_unread_permits && lists_nothing)
        };
        let mut closed = by(Outcome::Prohibited, &|licence| {
            !has_no_list(licence) && !is_read(licence)
        });
        let unread = closed.len();
        closed.extend(by(Outcome::Prohibited, &|licence| {
            !has_no_list(licence) && is_read(licence)
        }));
        for (at, licence) in closed.iter_mut().enumerate() {
            licence.reason = if at < unread {
                Reason::LicenceUnreadable
            } else {
                Reason::NotListed
            };
        }
        let outcome = match closed.as_slice() {
            [] => Outcome::Unspecified,
            _ => Outcome::Prohibited,
        };
        return DocumentSays {
            outcome,
            conditions: Vec::new(),
            licences: closed,
        };
    }
    let counts: &dyn Fn(&RslLicence) -> bool = if permitting.is_empty() {
        &has_no_list
    } else {
        &lists
    };
    let mut conditions = Vec::new();
    let speaking = licences.iter().filter(|(.., licence)| counts(licence));
    for (_, content, licence) in speaking {
        for condition in conditions_of(content, licence) {
            condition.join(&mut conditions);
        }
    }
    let outcome = match conditions.as_slice() {
        [] => Outcome::Permitted,
        _ => Outcome::Conditional,
    };
    if permitting.is_empty() {
        permitting = open_and_asking;
    }
    for licence in &mut permitting {
        licence.outcome = outcome;
    }
    DocumentSays {
        outcome,
        conditions,
        licences: permitting,
    }
}

/// Whether a licence asks for something.
fn asks(content: &RslContent, licence: &RslLicence) -> bool {
    conditions_of(content, licence).next().is_some()
}

/// What a licence asks for (PREF-102).
fn conditions_of<'d>(
    content: &'d RslContent,
    licence: &'d RslLicence,
) -> impl Iterator<Item = Condition> + 'd {
    type Kind = fn(String) -> Condition;
    let words = |words: &[String], kind: Kind| {
        let sorted: BTreeSet<&str> = words.iter().map(String::as_str).collect();
        let joined = sorted.into_iter().collect::<Vec<_>>().join(" ");
        (!joined.is_empty()).then(|| kind(joined))
    };
    let payments = licence
        .payments
        .iter()
        .map(|kind| kind.as_deref().unwrap_or("custom"));
    let payments = payments.filter(|kind| *kind != "free");
    let of_users = [
        words(&licence.permits_user, Condition::LicensedUser),
        words(&licence.permits_geo, Condition::LicensedGeo),
        words(&licence.prohibits_user, Condition::ExcludedUser),
        words(&licence.prohibits_geo, Condition::ExcludedGeo),
    ];
    let server = content.server.clone().map(Condition::LicenceServer);
    payments
        .map(|kind| Condition::Payment(kind.to_owned()))
        .chain(licence.reporting.iter().cloned().map(Condition::Reporting))
        .chain(server)
        .chain(of_users.into_iter().flatten())
}
