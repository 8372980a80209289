//! What a robots.txt says about training, AI input and search on each path that it names.

use super::{ConversionFinding, Loss};
use crate::meaning::Starters;
use abide::preference::{Revision, Vocabulary};
use abide::syntax::{FieldKind, Group, PathPattern, PreferenceStatement, StatedValues};
use abide::{Robots, Usage};
use std::collections::BTreeMap;

/// A path, and what holds there for the robots of a group.
#[derive(Clone, Debug)]
pub(super) struct PathStatement<'r> {
    /// The first line that names the path.
    pub(super) line: u32,
    /// The path as written; `None` for every path.
    pub(super) path: Option<&'r [u8]>,
    pub(super) says: StatedValues,
    /// Whether the group is for `*`.
    pub(super) is_for_any: bool,
}

/// What a file says, and what of it cannot be converted.
pub(super) struct Source<'r> {
    pub(super) stated: Vec<PathStatement<'r>>,
    pub(super) findings: Vec<ConversionFinding>,
}

/// How many pairs of paths are looked at for the words that one of them leaves open.
const MAX_PAIRS: usize = 20_000_000;

/// A path and its lines within the groups that name the same robots.
struct OnPath<'r> {
    statement: PreferenceStatement<'r>,
    says: StatedValues,
    pattern: Option<PathPattern<'r>>,
}

impl OnPath<'_> {
    /// Whether wider paths fill what it leaves open.
    fn is_open(&self) -> bool {
        let mut each = self.says.each();
        self.statement.vocabulary == Vocabulary::ContentSignal
            && each.any(|(_, permits)| permits.is_none())
    }
}

/// Form C1 of a path, and whether it is anchored.
type PathForm = (Vec<u8>, bool);

impl<'r> Source<'r> {
    /// Reads the lines of some vocabularies.
    pub(super) fn read(
        robots: &'r Robots,
        from: &[Vocabulary],
        revision: &'static Revision,
    ) -> Self {
        let mut source = Self {
            stated: Vec::new(),
            findings: Vec::new(),
        };
        let mut groups: BTreeMap<Starters, Vec<PreferenceStatement<'r>>> = BTreeMap::new();
        for line in robots.lines() {
            let Some(found) = robots.preference_statement(line, revision) else {
                continue;
            };
            if !from.contains(&found.vocabulary) {
                continue;
            }
            let group = line.group.and_then(|at| robots.groups().get(at));
            let Some(group) = group else {
                let message = "before the first User-agent line it has no effect; not converted";
                let warning = ConversionFinding::warning(Loss::Record, found.line, message);
                source.findings.push(warning);
                continue;
            };
            source.check(&found, revision);
            groups
                .entry(starters(robots, group))
                .or_default()
                .push(found);
        }
        for (starters, statements) in groups {
            let is_for_any = starters.contains(&(false, b"*".to_vec()));
            source.add(statements, is_for_any);
        }
        source.stated.sort_by_key(|stated| stated.line);
        if source.stated.is_empty() && !source.is_refused() {
            let fields: Vec<&str> = from.iter().map(|one| super::key(*one)).collect();
            let message = format!("no group has a {} line to convert", fields.join(" or "));
            source
                .findings
                .push(ConversionFinding::refusal(Loss::Silent, None, message));
        }
        source
    }

    pub(super) fn is_refused(&self) -> bool {
        self.findings.iter().any(|finding| finding.refuses)
    }

    /// Refuses what the other vocabularies cannot say, and what says nothing by mistake.
    fn check(&mut self, found: &PreferenceStatement<'_>, revision: &Revision) {
        let text = String::from_utf8_lossy(found.statement);
        let mut refuse = |loss, message: String| {
            self.findings
                .push(ConversionFinding::refusal(loss, found.line, message));
        };
        if !found.says.is_readable {
            let message =
                format!("\"{text}\" cannot be read, so it says nothing; correct it first");
            return refuse(Loss::Malformed, message);
        }
        if let Some(level) = found.says.max_use {
            let message = format!(
                "no other vocabulary has a level of use, so use={} cannot be converted",
                level.name()
            );
            refuse(Loss::Level, message);
        }
        for item in text.split([',', ';']).map(str::trim) {
            let word = item.split(['=', ';']).next().unwrap_or_default().trim();
            let word = word.to_ascii_lowercase();
            let about = match found.vocabulary {
                Vocabulary::ContentUsage => usage_word(&word, revision),
                _ => signal_word(&word),
            };
            match about {
                WordSubject::Nothing if item.is_empty() => {}
                WordSubject::Nothing => {
                    let message = format!("{word} is no known word, so it is not converted");
                    let warning = ConversionFinding::warning(Loss::Word, found.line, message);
                    self.findings.push(warning);
                }
                WordSubject::Later => {
                    let message = format!("{} has no word {word}", revision.document);
                    let refusal = ConversionFinding::refusal(Loss::Word, found.line, message);
                    self.findings.push(refusal);
                }
                WordSubject::Usage(usage) if found.says.permits(usage).is_none() => {
                    let message = format!("\"{item}\" says nothing; correct the value first");
                    let refusal = ConversionFinding::refusal(Loss::Value, found.line, message);
                    self.findings.push(refusal);
                }
                WordSubject::Level if found.says.max_use.is_none() => {
                    let message = format!("\"{item}\" says nothing; correct the value first");
                    let refusal = ConversionFinding::refusal(Loss::Value, found.line, message);
                    self.findings.push(refusal);
                }
                WordSubject::Usage(_) | WordSubject::Level => {}
            }
        }
    }

    /// Adds the lines of the groups that name the same robots, each path once.
    fn add(&mut self, statements: Vec<PreferenceStatement<'r>>, is_for_any: bool) {
        let mut paths: Vec<OnPath<'r>> = Vec::new();
        let mut known: BTreeMap<(Vocabulary, Option<PathForm>), usize> = BTreeMap::new();
        for statement in statements {
            let pattern = match statement.pattern() {
                None => None,
                Some(Ok(pattern)) => Some(pattern),
                // It matches no path.
                Some(Err(_)) => continue,
            };
            let says = statement.says;
            let form = pattern.as_ref();
            let form = form.map(|path| (path.forms().c1.to_vec(), path.is_anchored()));
            let at = *known
                .entry((statement.vocabulary, form))
                .or_insert(paths.len());
            match paths.get_mut(at) {
                Some(known) => known.says = known.says.strictest(says),
                None => paths.push(OnPath {
                    statement,
                    says,
                    pattern,
                }),
            }
        }
        let open = paths.iter().filter(|own| own.is_open()).count();
        if open.saturating_mul(paths.len()) > MAX_PAIRS {
            let message = "too many signals leave a word open to look for it on all other paths";
            let refusal = ConversionFinding::refusal(Loss::Unproved, None, message);
            return self.findings.push(refusal);
        }
        for own in &paths {
            self.stated.push(PathStatement {
                line: own.statement.line,
                path: own.statement.path,
                says: inherited(own, &paths),
                is_for_any,
            });
        }
    }
}

/// What holds on a path: for signals, what the line leaves open comes from the longest of the lines
/// that cover its path (PREF-60).
fn inherited(own: &OnPath<'_>, paths: &[OnPath<'_>]) -> StatedValues {
    let mut says = own.says;
    if !own.is_open() {
        return says;
    }
    let length = |one: &OnPath<'_>| {
        one.pattern
            .as_ref()
            .map_or(0, |pattern| 1 + pattern.length())
    };
    let wider = paths.iter().filter(|one| {
        let is_signal = one.statement.vocabulary == Vocabulary::ContentSignal;
        is_signal && length(one) < length(own) && covers(one.pattern.as_ref(), own.statement.path)
    });
    let mut wider: Vec<&OnPath<'_>> = wider.collect();
    wider.sort_by_key(|one| std::cmp::Reverse(length(one)));
    for same in wider.chunk_by(|one, other| length(one) == length(other)) {
        let wider = same.iter().map(|one| one.says);
        says = says.or(wider.reduce(StatedValues::strictest).unwrap_or_default());
    }
    says
}

/// Whether a pattern provably matches whatever a path matches: it matches already what every such
/// path begins with. `None` matches everything.
fn covers(pattern: Option<&PathPattern<'_>>, path: Option<&[u8]>) -> bool {
    let Some(pattern) = pattern else { return true };
    let Some(path) = path else { return false };
    let literal = path.split(|byte| *byte == b'*').next().unwrap_or_default();
    let literal = literal.strip_suffix(b"$").unwrap_or(literal);
    !pattern.is_anchored() && pattern.matches(literal)
}

fn starters(robots: &Robots, group: &Group) -> Starters {
    let text = robots.text().as_bytes();
    let lines = group
        .starters
        .iter()
        .filter_map(|at| robots.lines().get(*at));
    let fields = lines.filter_map(|line| line.field());
    let names = fields.map(|field| {
        let is_purpose = field.kind == FieldKind::UserAgentPurpose;
        (is_purpose, field.value.of(text).to_ascii_lowercase())
    });
    names.collect()
}

/// What a word is about.
enum WordSubject {
    /// A usage.
    Usage(Usage),
    /// The level of use.
    Level,
    /// A usage, in a later revision.
    Later,
    Nothing,
}

fn usage_word(word: &str, revision: &Revision) -> WordSubject {
    let find = |revision: &Revision| {
        let found = revision.words.iter().find(|(known, _)| *known == word);
        found.map(|(_, usage)| *usage)
    };
    let is_in_another = || Revision::ALL.iter().any(|other| find(other).is_some());
    match find(revision) {
        Some(usage) => WordSubject::Usage(usage),
        None if is_in_another() => WordSubject::Later,
        None => WordSubject::Nothing,
    }
}

fn signal_word(word: &str) -> WordSubject {
    match word {
        "ai-train" => WordSubject::Usage(Usage::Train),
        "ai-input" => WordSubject::Usage(Usage::AiInput),
        "search" => WordSubject::Usage(Usage::Search),
        "use" => WordSubject::Level,
        _ => WordSubject::Nothing,
    }
}
