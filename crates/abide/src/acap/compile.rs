//! Compiles ACAP records for one client, ready for any number of paths.
//!
//! Each pattern is kept once, in a [`PatternSet`] like the rules of a robots.txt, with links to the
//! fields and sets that name it. So the cost of a decision depends on what the path matches, and
//! each set is visited once, however many fields refer to it.

use super::definition::{ResourceSet, Terms};
use super::profile::AcapProfile;
use super::record::{AcapFile, CrawlerNames, PurposePattern, Record, Resource, UsageField};
use super::reference::{PermissionsReference, rooted};
use super::request::ActionRequest;
use super::scope::{AcapPattern, Summit, folded, narrowest};
use crate::pattern::normal::Forms;
use crate::pattern::set::{Builder, PatternSet};
use crate::text::Part as _;
use crate::text::offset;
use crate::verdict::{Place, Sense, Usage};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// A permission or prohibition of one usage, addressed to the client.
#[derive(Clone, Debug)]
pub(crate) struct AcapStatement {
    pub(crate) place: Place,
    /// The number of its file: 0 for robots.txt, then its references.
    pub(crate) file: u32,
    /// The crawler field of its record.
    pub(crate) starter: Place,
    /// The position of the client's name in that field; `None` for `*`.
    pub(crate) name: Option<u32>,
    pub(crate) in_sub_record: bool,
    pub(crate) sense: Sense,
    pub(crate) usage: Usage,
    /// The terms of a permission, if it has any.
    pub(crate) terms: Option<Arc<Terms>>,
}

/// Lists of items, by number.
#[derive(Clone, Debug)]
struct Table<T> {
    ends: Box<[u32]>,
    items: Box<[T]>,
}

impl<T: Copy> Table<T> {
    /// Of pairs of number and item.
    fn new(mut pairs: Vec<(u32, T)>) -> Self {
        pairs.sort_by_key(|(number, _)| *number);
        let most = pairs
            .last()
            .map_or(0, |(number, _)| number.saturating_add(1));
        // A number without items ends where the one before it ends.
        let end = |number: u32| offset(pairs.partition_point(|(other, _)| *other <= number));
        Self {
            ends: (0..most).map(end).collect(),
            items: pairs.iter().map(|(_, item)| *item).collect(),
        }
    }

    fn get(&self, number: usize) -> &[T] {
        let end = |at: usize| self.ends.get(at).map(|&end| end as usize);
        let start = number.checked_sub(1).map_or(Some(0), end);
        match (start, end(number)) {
            (Some(start), Some(end)) => self.items.part(start..end),
            _ => &[],
        }
    }

    fn memory(&self) -> usize {
        size_of_val(&*self.ends).saturating_add(size_of_val(&*self.items))
    }
}

/// The compiled ACAP records for one client.
#[derive(Clone, Debug)]
pub(crate) struct AcapPolicy {
    statements: Box<[AcapStatement]>,
    /// The symbols of each pattern, by its number.
    symbols: Table<u8>,
    set: PatternSet,
    /// The fields and sets that name a pattern, by its number.
    named_by: Table<PatternLink>,
    /// The statements about each set, by its number.
    about_set: Table<u32>,
    /// Statements about unknown paths.
    about_any: Box<[u32]>,
    /// The references of robots.txt that concern the client, each locator once.
    pub(crate) references: Vec<PermissionsReference>,
    pub(crate) requests: Vec<ActionRequest>,
    /// Whether a valid permission or prohibition is for the client, and for its purposes or for
    /// all (AMB-ACAP-15).
    pub(crate) has_valid_statement: bool,
}

#[derive(Clone, Copy, Debug)]
enum PatternLink {
    Statement(u32),
    Set(u32),
}

/// The statements that match a path.
#[derive(Clone, Debug, Default)]
pub(crate) struct MatchingStatements {
    /// The patterns by which statements match, each list once, the narrowest first. A list has
    /// several if a set matches by patterns of which none is the narrowest (AMB-ACAP-27), and is
    /// empty if the patterns are unknown.
    scopes: Vec<Vec<usize>>,
    /// For each scope of several patterns the first place at which two of them cannot be compared.
    forks: Vec<Option<usize>>,
    /// In the order of files and lines.
    pub(crate) matched: Vec<StatementMatch>,
}

/// A statement that matches a path, by its number, and the number of its scope: equal ones are
/// equal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StatementMatch {
    pub(crate) statement: u32,
    pub(crate) scope: u32,
}

impl MatchingStatements {
    /// The patterns of a scope, the narrowest first; empty if they are unknown.
    pub(crate) fn patterns(&self, scope: u32) -> &[usize] {
        self.scopes.get(scope as usize).map_or(&[], Vec::as_slice)
    }

    /// What is narrower than all patterns of a scope; `None` if they are unknown.
    pub(crate) fn summit<'p>(&self, policy: &'p AcapPolicy, scope: u32) -> Option<Summit<'p>> {
        let narrowest = policy.symbols(*self.patterns(scope).first()?);
        let fork = self.forks.get(scope as usize).copied().flatten();
        Some(Summit::new(narrowest, fork))
    }

    fn add(&mut self, statements: &[u32], patterns: Vec<usize>, fork: Option<usize>) {
        let scope = offset(self.scopes.len());
        self.scopes.push(patterns);
        self.forks.push(fork);
        self.matched.extend(
            statements
                .iter()
                .map(|&statement| StatementMatch { statement, scope }),
        );
    }
}

impl AcapPolicy {
    /// Compiles `files`, the first of which is robots.txt, for a client with these `names`.
    pub(crate) fn compile<'f, 'n>(
        files: impl Iterator<Item = &'f AcapFile>,
        names: impl Iterator<Item = &'n str>,
        profile: &AcapProfile,
    ) -> Self {
        let mut compiler = Compiler::new(AcapClient::new(names, profile));
        for (at, file) in files.enumerate() {
            for record in file.records_for(&compiler.client.names) {
                compiler.record(offset(at), record);
            }
        }
        compiler.finish()
    }

    pub(crate) fn statement(&self, at: u32) -> Option<&AcapStatement> {
        self.statements.get(at as usize)
    }

    pub(crate) fn statements(&self) -> &[AcapStatement] {
        &self.statements
    }

    pub(crate) fn symbols(&self, pattern: usize) -> &[u8] {
        self.symbols.get(pattern)
    }

    /// The symbols of every pattern that a field or set names, each once.
    pub(crate) fn patterns(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.symbols.ends.len()).map(|pattern| self.symbols.get(pattern))
    }

    /// How many bytes of memory the compiled records take, without the terms of permissions.
    pub(crate) fn memory(&self) -> usize {
        [
            size_of::<Self>(),
            size_of_val(&*self.statements),
            self.symbols.memory(),
            self.set.memory(),
            self.named_by.memory(),
            self.about_set.memory(),
            size_of_val(&*self.about_any),
        ]
        .into_iter()
        .fold(0, usize::saturating_add)
    }

    /// Whether any field is about `usage`.
    pub(crate) fn speaks_of(&self, usage: Usage) -> bool {
        self.statements.iter().any(|field| field.usage == usage)
    }

    /// The statements that match a path.
    pub(crate) fn matching(&self, path: &Forms<'_>) -> MatchingStatements {
        // By their patterns, so that statements with the same patterns share a scope.
        let mut statements: BTreeMap<Vec<usize>, Vec<u32>> = BTreeMap::new();
        let mut members: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for pattern in self.set.all(&folded(path)) {
            // `Compiler::pattern` gives the number of a pattern as the line of its rule.
            let number = pattern.line as usize;
            for link in self.named_by.get(number) {
                match *link {
                    PatternLink::Statement(statement) => {
                        statements.entry(vec![number]).or_default().push(statement);
                    }
                    PatternLink::Set(set) => members.entry(set).or_default().push(number),
                }
            }
        }
        for (set, numbers) in members {
            let about = self.about_set.get(set as usize);
            let scope = statements.entry(self.narrowest_of(numbers)).or_default();
            scope.extend(about);
        }
        // No patterns: a prohibition for an undefined set holds for every path (AMB-ACAP-5).
        statements
            .entry(Vec::new())
            .or_default()
            .extend(&self.about_any);
        let mut matching = MatchingStatements::default();
        for (patterns, statements) in statements {
            let symbols = patterns.iter().map(|&pattern| self.symbols(pattern));
            // Once for a scope: every contest that reads it needs the same.
            let fork = Summit::of(symbols).and_then(Summit::fork);
            matching.add(&statements, patterns, fork);
        }
        matching.matched.sort_by_key(|matched| matched.statement);
        matching
    }

    /// The narrowest of the matching patterns of a set (AMB-ACAP-27).
    fn narrowest_of(&self, mut numbers: Vec<usize>) -> Vec<usize> {
        numbers.sort_unstable();
        numbers.dedup();
        narrowest(numbers, |number| self.symbols(*number))
    }
}

/// The names and purposes of the client, in the form in which records name them.
struct AcapClient {
    names: Vec<Box<[u8]>>,
    purposes: Vec<Box<[u8]>>,
}

impl AcapClient {
    /// Names default to the product tokens (ACAP-32, AMB-ACAP-19, AMB-X-6).
    fn new<'n>(names: impl Iterator<Item = &'n str>, profile: &AcapProfile) -> Self {
        let folded = |text: &str| text.to_ascii_lowercase().into_bytes().into_boxed_slice();
        Self {
            names: names.map(folded).collect(),
            purposes: profile.purposes.iter().map(|text| folded(text)).collect(),
        }
    }

    /// How a record addresses the client: by one of its names, which is stronger (AMB-ACAP-20), or
    /// as any crawler. Also returns the field.
    fn addressed(&self, record: &Record) -> Option<(Option<u32>, Place)> {
        let position = |name: &[u8]| self.names.iter().position(|own| **own == *name);
        let named = record.crawlers.iter().find_map(|field| match &field.named {
            CrawlerNames::Crawler(name) => Some((Some(offset(position(name)?)), field.place)),
            _ => None,
        });
        let any = || {
            let field = record
                .crawlers
                .iter()
                .find(|field| field.named == CrawlerNames::Any)?;
            Some((None, field.place))
        };
        named.or_else(any)
    }

    /// Whether a sub-record is for a purpose of the client (ACAP-44 to ACAP-47).
    fn serves(&self, purposes: &[PurposePattern]) -> bool {
        purposes
            .iter()
            .any(|pattern| self.purposes.iter().any(|own| pattern.matches(own)))
    }
}

struct Compiler {
    client: AcapClient,
    statements: Vec<AcapStatement>,
    /// The symbols of all patterns, and where those of each end.
    symbols: Vec<u8>,
    symbols_end: Vec<u32>,
    named_by: Vec<(u32, PatternLink)>,
    about_set: Vec<(u32, u32)>,
    about_any: Vec<u32>,
    references: Vec<PermissionsReference>,
    requests: Vec<ActionRequest>,
    has_valid_statement: bool,
    /// Numbers of patterns, by their symbols. Never iterated, so its order does not matter.
    numbers: HashMap<Box<[u8]>, u32>,
    /// Numbers of sets, by where they are kept.
    set_numbers: BTreeMap<*const ResourceSet, u32>,
    /// Locators of references that are known already.
    locators: BTreeSet<String>,
    builder: Builder,
}

impl Compiler {
    fn new(client: AcapClient) -> Self {
        Self {
            client,
            statements: Vec::new(),
            symbols: Vec::new(),
            symbols_end: Vec::new(),
            named_by: Vec::new(),
            about_set: Vec::new(),
            about_any: Vec::new(),
            references: Vec::new(),
            requests: Vec::new(),
            has_valid_statement: false,
            numbers: HashMap::new(),
            set_numbers: BTreeMap::new(),
            locators: BTreeSet::new(),
            builder: Builder::default(),
        }
    }

    fn finish(self) -> AcapPolicy {
        AcapPolicy {
            statements: self.statements.into_boxed_slice(),
            symbols: Table {
                ends: self.symbols_end.into_boxed_slice(),
                items: self.symbols.into_boxed_slice(),
            },
            set: self.builder.build(&[]),
            named_by: Table::new(self.named_by),
            about_set: Table::new(self.about_set),
            about_any: self.about_any.into_boxed_slice(),
            references: self.references,
            requests: self.requests,
            has_valid_statement: self.has_valid_statement,
        }
    }

    fn record(&mut self, file: u32, record: &Record) {
        let Some((name, starter)) = self.client.addressed(record) else {
            return;
        };
        let serves: Vec<bool> = record
            .sub_records
            .iter()
            .map(|purposes| self.client.serves(purposes))
            .collect();
        for field in &record.statements {
            let counts = field
                .sub_record
                .is_none_or(|at| serves.get(at as usize).copied().unwrap_or_default());
            if counts {
                // A sub-record for other purposes does not count (AMB-ACAP-15).
                self.has_valid_statement |= field.is_valid;
                self.field(file, name, starter, field);
            }
        }
        for reference in &record.references {
            // A referenced file may not refer to others (ACAP-40).
            if file == 0 && self.locators.insert(rooted(&reference.locator)) {
                self.references.push(PermissionsReference {
                    locator: reference.locator.clone(),
                    place: reference.place,
                });
            }
        }
        // Requests are general fields, so no purpose limits them (ACAP-122).
        self.requests.extend_from_slice(&record.requests);
    }

    /// A composite usage is one statement for each of its parts (ACAP-129).
    fn field(&mut self, file: u32, name: Option<u32>, starter: Place, field: &UsageField) {
        for part in &field.parts {
            let number = offset(self.statements.len());
            self.statements.push(AcapStatement {
                place: field.place,
                file,
                starter,
                name,
                in_sub_record: field.sub_record.is_some(),
                sense: field.sense,
                usage: part.usage,
                terms: part.terms.clone(),
            });
            match &field.resource {
                Resource::Pattern(pattern) => {
                    let pattern = self.pattern(pattern);
                    self.named_by
                        .push((pattern, PatternLink::Statement(number)));
                }
                Resource::Set(set) => {
                    let set = self.set(set);
                    self.about_set.push((set, number));
                }
                Resource::Unknown => self.about_any.push(number),
            }
        }
    }

    fn pattern(&mut self, pattern: &AcapPattern) -> u32 {
        let symbols = pattern.symbols();
        if let Some(&number) = self.numbers.get(symbols) {
            return number;
        }
        let number = offset(self.numbers.len());
        self.numbers.insert(symbols.into(), number);
        self.symbols.extend_from_slice(symbols);
        self.symbols_end.push(offset(self.symbols.len()));
        // In a set of rules the sense would matter; here all that counts is which patterns match.
        let (sense, path) = (Sense::Allow, pattern.path_pattern());
        self.builder.push(path, sense, number);
        number
    }

    fn set(&mut self, set: &Arc<ResourceSet>) -> u32 {
        // By address: a robots.txt and its references may define sets of one name.
        let place = Arc::as_ptr(set);
        if let Some(&number) = self.set_numbers.get(&place) {
            return number;
        }
        let number = offset(self.set_numbers.len());
        self.set_numbers.insert(place, number);
        for pattern in &set.patterns {
            let pattern = self.pattern(pattern);
            self.named_by.push((pattern, PatternLink::Set(number)));
        }
        number
    }
}
