//! ACAP records to what concerns one client, ready for any number of paths.
//!
//! Patterns are kept once each, in the form that robots.txt rules have ([`PatternSet`]), and every
//! pattern knows the fields and sets that name it. So a decision costs what the path matches, and no
//! set is looked at twice however many fields refer to it.

use super::definition::{ResourceSet, Terms};
use super::record::{AcapFile, Named, PurposePattern, Record, Resource, UsageField};
use super::reference::PermissionsReference;
use super::request::ActionRequest;
use super::scope::{AcapPattern, folded, narrowest};
use crate::client::Client;
use crate::pattern::normal::Forms;
use crate::pattern::set::{Builder, PatternSet};
use crate::text::offset;
use crate::verdict::{Place, Sense, Usage};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A permission or prohibition of one usage, addressed to the client.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) place: Place,
    /// The file that it stands in: 0 for robots.txt itself, then its references.
    pub(crate) file: usize,
    /// The crawler field that brought it.
    pub(crate) starter: Place,
    /// The client's name in that field, by its position; `None` for `*`.
    pub(crate) name: Option<usize>,
    pub(crate) in_sub_record: bool,
    pub(crate) sense: Sense,
    pub(crate) usage: Usage,
    pub(crate) terms: Arc<Terms>,
}

/// Everything that ACAP says to one client.
#[derive(Clone, Debug, Default)]
pub(crate) struct AcapPolicy {
    statements: Vec<Statement>,
    /// The symbols of each pattern, by its number.
    symbols: Vec<Box<[u8]>>,
    set: PatternSet,
    /// What names a pattern, by its number.
    named_by: Vec<Vec<Link>>,
    /// The statements about each set, by its number.
    about_set: Vec<Vec<usize>>,
    /// Statements about nobody knows which paths.
    about_any: Vec<usize>,
    /// The references of robots.txt that concern the client, each locator once.
    pub(crate) references: Vec<PermissionsReference>,
    pub(crate) requests: Vec<ActionRequest>,
    /// Whether some record addresses the client, and says something.
    pub(crate) has_record: bool,
}

#[derive(Clone, Copy, Debug)]
enum Link {
    Statement(usize),
    Set(usize),
}

/// Where a statement matches a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scope {
    /// By this pattern.
    Pattern(usize),
    /// By several patterns of a set, of which none is the narrowest (AMB-ACAP-27).
    Patterns(Arc<[usize]>),
    /// Nobody knows by what.
    Unknown,
}

/// A statement that matches a path, by its number.
#[derive(Clone, Debug)]
pub(crate) struct Matched {
    pub(crate) statement: usize,
    pub(crate) scope: Scope,
}

impl AcapPolicy {
    /// Keeps what `files`, the first of which is robots.txt, say to `client`.
    pub(crate) fn compile<'f>(files: impl Iterator<Item = &'f AcapFile>, client: &Client) -> Self {
        let mut compiler = Compiler {
            client: Addressee::new(client),
            policy: Self::default(),
            numbers: BTreeMap::new(),
            set_numbers: BTreeMap::new(),
            builder: Builder::default(),
        };
        for (at, file) in files.enumerate() {
            for record in &file.records {
                compiler.record(at, record);
            }
        }
        compiler.policy.set = compiler.builder.build(b"");
        compiler.policy
    }

    pub(crate) fn statement(&self, at: usize) -> Option<&Statement> {
        self.statements.get(at)
    }

    pub(crate) fn symbols(&self, pattern: usize) -> &[u8] {
        self.symbols.get(pattern).map_or(b"", |symbols| symbols)
    }

    /// Whether any field is about `usage`.
    pub(crate) fn speaks_of(&self, usage: Usage) -> bool {
        self.statements.iter().any(|field| field.usage == usage)
    }

    /// The statements that match a path, in the order of files and lines.
    pub(crate) fn matching(&self, path: &Forms<'_>) -> Vec<Matched> {
        let mut found: Vec<Matched> = Vec::new();
        let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for pattern in self.set.all(b"", &folded(path)) {
            let number = pattern.line as usize;
            for link in self.named_by.get(number).into_iter().flatten() {
                match *link {
                    Link::Statement(statement) => found.push(Matched {
                        statement,
                        scope: Scope::Pattern(number),
                    }),
                    Link::Set(set) => members.entry(set).or_default().push(number),
                }
            }
        }
        for (set, numbers) in members {
            let scope = self.scope_of(numbers);
            let about = self.about_set.get(set).into_iter().flatten();
            found.extend(about.map(|&statement| Matched {
                statement,
                scope: scope.clone(),
            }));
        }
        found.extend(self.about_any.iter().map(|&statement| Matched {
            statement,
            scope: Scope::Unknown,
        }));
        found.sort_by_key(|matched| matched.statement);
        found
    }

    /// The narrowest of the matching patterns of a set (AMB-ACAP-27).
    fn scope_of(&self, mut numbers: Vec<usize>) -> Scope {
        numbers.sort_unstable();
        numbers.dedup();
        let narrowest = narrowest(numbers, |number| self.symbols(*number));
        match narrowest.as_slice() {
            [only] => Scope::Pattern(*only),
            several => Scope::Patterns(several.into()),
        }
    }
}

/// Whom records have to address to concern the client.
struct Addressee {
    names: Vec<Box<[u8]>>,
    purposes: Vec<Box<[u8]>>,
}

impl Addressee {
    /// Names default to the product tokens (ACAP-32, AMB-ACAP-19, AMB-X-6).
    fn new(client: &Client) -> Self {
        let folded = |text: &str| text.to_ascii_lowercase().into_bytes().into_boxed_slice();
        let profile = client.acap_profile();
        Self {
            names: client.acap_names().map(folded).collect(),
            purposes: profile.purposes.iter().map(|text| folded(text)).collect(),
        }
    }

    /// How a record addresses the client: by one of its names, which counts for more (AMB-ACAP-20),
    /// or as any crawler. With the field that does.
    fn addressed(&self, record: &Record) -> Option<(Option<usize>, Place)> {
        let position = |name: &[u8]| self.names.iter().position(|own| **own == *name);
        let named = record.crawlers.iter().find_map(|field| match &field.named {
            Named::Crawler(name) => Some((Some(position(name)?), field.place)),
            _ => None,
        });
        let any = || {
            let field = record
                .crawlers
                .iter()
                .find(|field| field.named == Named::Any)?;
            Some((None, field.place))
        };
        named.or_else(any)
    }

    /// Whether a sub-record is about a purpose of the client's (ACAP-44 to ACAP-47).
    fn serves(&self, purposes: &[PurposePattern]) -> bool {
        purposes
            .iter()
            .any(|pattern| self.purposes.iter().any(|own| pattern.matches(own)))
    }
}

struct Compiler {
    client: Addressee,
    policy: AcapPolicy,
    /// Numbers of patterns, by their symbols.
    numbers: BTreeMap<Box<[u8]>, usize>,
    /// Numbers of sets, by where they are kept.
    set_numbers: BTreeMap<*const ResourceSet, usize>,
    builder: Builder,
}

impl Compiler {
    fn record(&mut self, file: usize, record: &Record) {
        let Some((name, starter)) = self.client.addressed(record) else {
            return;
        };
        self.policy.has_record |= !record.statements.is_empty() || !record.references.is_empty();
        let serves: Vec<bool> = record
            .sub_records
            .iter()
            .map(|purposes| self.client.serves(purposes))
            .collect();
        for field in &record.statements {
            let counts = field
                .sub_record
                .is_none_or(|at| serves.get(at).copied().unwrap_or_default());
            if counts {
                self.field(file, name, starter, field);
            }
        }
        for reference in &record.references {
            let known = &mut self.policy.references;
            if file == 0 && known.iter().all(|one| one.locator != reference.locator) {
                known.push(PermissionsReference {
                    locator: reference.locator.clone(),
                    place: reference.place,
                });
            }
        }
        self.policy.requests.extend_from_slice(&record.requests);
    }

    /// A composite usage is one statement for each of its parts (ACAP-129).
    fn field(&mut self, file: usize, name: Option<usize>, starter: Place, field: &UsageField) {
        for part in &field.parts {
            let number = self.policy.statements.len();
            self.policy.statements.push(Statement {
                place: field.place,
                file,
                starter,
                name,
                in_sub_record: field.sub_record.is_some(),
                sense: field.sense,
                usage: part.usage,
                terms: Arc::clone(&part.terms),
            });
            match &field.resource {
                Resource::Pattern(pattern) => {
                    let pattern = self.pattern(pattern);
                    self.link(pattern, Link::Statement(number));
                }
                Resource::Set(set) => {
                    let set = self.set(set);
                    if let Some(about) = self.policy.about_set.get_mut(set) {
                        about.push(number);
                    }
                }
                Resource::Unknown => self.policy.about_any.push(number),
            }
        }
    }

    fn pattern(&mut self, pattern: &AcapPattern) -> usize {
        if let Some(&number) = self.numbers.get(pattern.symbols()) {
            return number;
        }
        let number = self.policy.symbols.len();
        self.numbers.insert(pattern.symbols().into(), number);
        self.policy.symbols.push(pattern.symbols().into());
        self.policy.named_by.push(Vec::new());
        // In a set of rules the sense would matter; here all that counts is which patterns match.
        let (sense, path) = (Sense::Allow, pattern.path_pattern());
        self.builder.push(path, sense, offset(number), 0, 0);
        number
    }

    fn set(&mut self, set: &Arc<ResourceSet>) -> usize {
        let place = Arc::as_ptr(set);
        if let Some(&number) = self.set_numbers.get(&place) {
            return number;
        }
        let number = self.policy.about_set.len();
        self.set_numbers.insert(place, number);
        self.policy.about_set.push(Vec::new());
        for pattern in &set.patterns {
            let pattern = self.pattern(pattern);
            self.link(pattern, Link::Set(number));
        }
        number
    }

    fn link(&mut self, pattern: usize, link: Link) {
        if let Some(links) = self.policy.named_by.get_mut(pattern) {
            links.push(link);
        }
    }
}
