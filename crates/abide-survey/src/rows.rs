//! Captures in, rows out. Nothing here opens a file.

use crate::capture::{Capture, Meaning};
use crate::facts::{Analyst, Answer, Facts};
use crate::input::InputProblem;
use crate::options::Options;
use crate::schema::{Kind, Table};
use abide::rep::Access;
use abide_fetch::BodyHash;
use arrow_array::builder::{
    BooleanBuilder, Float64Builder, Int64Builder, StringBuilder, TimestampMillisecondBuilder,
};
use arrow_array::{ArrayRef, RecordBatch};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// The largest number of bytes of facts that are kept for equal bodies.
const KEPT: usize = 24 << 20;

/// Makes rows of captures. One can serve many threads.
///
/// ```
/// use abide_survey::{Capture, Options, Surveyor, schema::Table};
/// let surveyor = Surveyor::new(&Options::default());
/// let body = b"User-agent: *\nDisallow: /\n".to_vec();
/// let capture =
/// Capture::of_url("https://example.com/robots.txt").with_status(200).with_body(body); let tables =
/// surveyor.tables(&[capture]); assert_eq!(tables[&Table::Robots].num_rows(), 1);
/// ```
#[derive(Debug)]
pub struct Surveyor {
    analyst: Analyst,
    robots: Vec<(String, Option<&'static str>)>,
    tables: BTreeSet<Table>,
    known: Mutex<Known>,
}

/// Facts about bodies that were seen, in two generations: the older one is dropped when the younger
/// one is full.
#[derive(Debug, Default)]
struct Known {
    young: HashMap<BodyKey, Arc<Facts>>,
    old: HashMap<BodyKey, Arc<Facts>>,
    bytes: usize,
}

/// A body by its hash, or what replaces it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum BodyKey {
    /// With the number of bytes that are parsed, if the body is cut.
    File([u8; 32], Option<usize>),
    None(Option<Access>, &'static str),
}

impl Surveyor {
    /// Prepares a survey.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        let analyst = Analyst::new(options);
        Self {
            robots: analyst.robots().collect(),
            analyst,
            tables: options.tables.clone(),
            known: Mutex::default(),
        }
    }

    /// The rows of these captures in each table but `errors`. They are counted from 0.
    #[must_use]
    pub fn tables(&self, captures: &[Capture]) -> BTreeMap<Table, RecordBatch> {
        self.numbered_tables((0..).zip(captures))
    }

    /// The rows of these captures in each table but `errors`, with numbers of the caller.
    pub fn numbered_tables<'c>(
        &self,
        captures: impl IntoIterator<Item = (i64, &'c Capture)>,
    ) -> BTreeMap<Table, RecordBatch> {
        let mut rows = self.rows();
        for (number, capture) in captures {
            self.add(&mut rows, number, capture);
        }
        rows.finish()
    }

    /// No rows yet.
    pub(crate) fn rows(&self) -> Rows {
        let tables = self.tables.iter().filter(|table| **table != Table::Errors);
        Rows(
            tables
                .map(|table| (*table, TableRows::new(*table)))
                .collect(),
        )
    }

    /// Adds the rows of a capture.
    pub(crate) fn add(&self, rows: &mut Rows, number: i64, capture: &Capture) {
        let facts = self.facts(capture);
        for (table, rows) in &mut rows.0 {
            let mut to = At {
                rows,
                number,
                capture,
            };
            match table {
                Table::Files => to.add_file(&facts),
                Table::Robots => to.add_robots(&facts, &self.robots, self.analyst.paths()),
                Table::Groups => to.add_groups(&facts),
                Table::Rules => to.add_rules(&facts),
                Table::Findings => to.add_findings(&facts),
                Table::Sitemaps => to.add_sitemaps(&facts),
                Table::Errors => {}
            }
        }
    }

    fn facts(&self, capture: &Capture) -> Arc<Facts> {
        let meaning = capture.meaning();
        let key = match meaning {
            Meaning::Redirect(_) => BodyKey::None(None, "redirect-not-followed"),
            Meaning::NotModified => BodyKey::None(None, "not-modified"),
            Meaning::Access(Access::Rules) if capture.has_no_body() => BodyKey::File([0; 32], None),
            Meaning::Access(Access::Rules) => {
                let body = &capture.body;
                let parsed = body.is_cut.then(|| body.to_parse().len());
                BodyKey::File(body.digest.unwrap_or_default(), parsed)
            }
            Meaning::Access(access @ Access::Unavailable(_)) => {
                BodyKey::None(Some(access), "missing")
            }
            Meaning::Access(access) => BodyKey::None(Some(access), "unreachable"),
        };
        if let Some(facts) = self.known().get(&key) {
            return facts;
        }
        let facts = match key {
            BodyKey::None(access, state) => self.analyst.without_rules(access, state),
            BodyKey::File(..) if capture.has_no_body() => {
                self.analyst.facts(&crate::capture::Body::default())
            }
            BodyKey::File(..) => self.analyst.facts(&capture.body),
        };
        let facts = Arc::new(facts);
        self.known().keep(key, &facts);
        facts
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn get(&mut self, body: &BodyKey) -> Option<Arc<Facts>> {
        if let Some(facts) = self.young.get(body) {
            return Some(Arc::clone(facts));
        }
        let facts = self.old.remove(body)?;
        self.keep(*body, &facts);
        Some(facts)
    }

    fn keep(&mut self, body: BodyKey, facts: &Arc<Facts>) {
        let size = facts.size();
        if size > KEPT / 16 {
            return;
        }
        if self.bytes + size > KEPT / 2 {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
        self.bytes += size;
        self.young.insert(body, Arc::clone(facts));
    }
}

impl Facts {
    /// About how many bytes it takes in memory.
    fn size(&self) -> usize {
        // Several robots may share their answers.
        let shared = |answers: &Arc<[Answer]>| 200 * answers.len() / Arc::strong_count(answers);
        let answers: usize = self.answers.iter().map(|one| 24 + shared(one)).sum();
        let rules: usize = self.rules.iter().map(|rule| 80 + rule.pattern.len()).sum();
        let findings: usize = self
            .findings
            .iter()
            .map(|one| 120 + one.message.len())
            .sum();
        let sitemaps: usize = self.sitemaps.iter().map(|one| 60 + one.url.len()).sum();
        let groups: usize = self.groups.iter().map(|one| 80 + one.names.len()).sum();
        600 + answers + rules + findings + sitemaps + groups
    }
}

/// Rows of several tables, not yet in batches.
#[derive(Debug)]
pub(crate) struct Rows(BTreeMap<Table, TableRows>);

impl Rows {
    /// The rows, in one batch per table.
    pub(crate) fn finish(self) -> BTreeMap<Table, RecordBatch> {
        self.0
            .into_iter()
            .map(|(table, rows)| (table, rows.finish()))
            .collect()
    }

    /// The number of rows of all tables.
    pub(crate) fn len(&self) -> usize {
        self.0.values().map(|rows| rows.len).sum()
    }
}

/// Rows of one table, column by column.
#[derive(Debug)]
pub(crate) struct TableRows {
    table: Table,
    columns: Vec<Cells>,
    /// The column of the next cell.
    next: usize,
    len: usize,
}

#[derive(Debug)]
enum Cells {
    Text(StringBuilder),
    Number(Int64Builder),
    Real(Float64Builder),
    Flag(BooleanBuilder),
    Instant(TimestampMillisecondBuilder),
}

impl Cells {
    fn of(kind: Kind) -> Self {
        match kind {
            Kind::Text => Self::Text(StringBuilder::new()),
            Kind::Number => Self::Number(Int64Builder::new()),
            Kind::Real => Self::Real(Float64Builder::new()),
            Kind::Flag => Self::Flag(BooleanBuilder::new()),
            Kind::Instant => Self::Instant(TimestampMillisecondBuilder::new().with_timezone("UTC")),
        }
    }

    fn finish(self) -> ArrayRef {
        match self {
            Self::Text(mut cells) => Arc::new(cells.finish()),
            Self::Number(mut cells) => Arc::new(cells.finish()),
            Self::Real(mut cells) => Arc::new(cells.finish()),
            Self::Flag(mut cells) => Arc::new(cells.finish()),
            Self::Instant(mut cells) => Arc::new(cells.finish()),
        }
    }
}

impl TableRows {
    pub(crate) fn new(table: Table) -> Self {
        Self {
            table,
            columns: table
                .columns()
                .iter()
                .map(|column| Cells::of(column.kind))
                .collect(),
            next: 0,
            len: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn finish(self) -> RecordBatch {
        let columns = self.columns.into_iter().map(Cells::finish).collect();
        RecordBatch::try_new(Arc::new(self.table.schema()), columns)
            .expect("each row has a cell for each column, of its kind")
    }

    /// The builder of the next cell; the last cell ends the row.
    fn cell(&mut self) -> &mut Cells {
        let at = self.next;
        self.next += 1;
        if self.next == self.columns.len() {
            self.next = 0;
            self.len += 1;
        }
        self.columns
            .get_mut(at)
            .expect("`next` stays below the number of columns")
    }

    pub(crate) fn text(&mut self, value: impl AsRef<str>) -> &mut Self {
        self.text_or(Some(value))
    }

    pub(crate) fn text_or(&mut self, value: Option<impl AsRef<str>>) -> &mut Self {
        match self.cell() {
            Cells::Text(cells) => cells.append_option(value),
            other => unreachable!("text in {other:?}"),
        }
        self
    }

    /// Adds a row of table `errors`.
    pub(crate) fn problem(&mut self, source: &str, problem: &InputProblem) {
        self.text(source)
            .text(&problem.place)
            .text(problem.code)
            .text(&problem.message);
    }

    fn number(&mut self, value: i64) -> &mut Self {
        self.number_or(Some(value))
    }

    fn number_or(&mut self, value: Option<i64>) -> &mut Self {
        match self.cell() {
            Cells::Number(cells) => cells.append_option(value),
            other => unreachable!("a number in {other:?}"),
        }
        self
    }

    fn real_or(&mut self, value: Option<f64>) -> &mut Self {
        match self.cell() {
            Cells::Real(cells) => cells.append_option(value),
            other => unreachable!("a fraction in {other:?}"),
        }
        self
    }

    fn flag(&mut self, value: bool) -> &mut Self {
        match self.cell() {
            Cells::Flag(cells) => cells.append_value(value),
            other => unreachable!("a flag in {other:?}"),
        }
        self
    }

    fn instant_or(&mut self, value: Option<i64>) -> &mut Self {
        match self.cell() {
            Cells::Instant(cells) => cells.append_option(value),
            other => unreachable!("an instant in {other:?}"),
        }
        self
    }
}

/// Where the rows of one capture go.
struct At<'a> {
    rows: &'a mut TableRows,
    number: i64,
    capture: &'a Capture,
}

impl At<'_> {
    /// Begins a row with the cells that identify the capture.
    fn row(&mut self) -> &mut TableRows {
        self.rows
            .number(self.number)
            .text_or(self.capture.url.as_deref())
            .text(&self.capture.host)
            .instant_or(self.capture.date)
    }

    fn add_file(&mut self, facts: &Facts) {
        let capture = self.capture;
        let redirect = match capture.meaning() {
            _ if capture.redirect.is_some() => capture.redirect.clone(),
            Meaning::Redirect(to) => Some(to),
            _ => None,
        };
        let digest = capture.body.digest.map(BodyHash::from_bytes);
        let digest = digest.map(|digest| digest.to_string());
        let [errors, warnings, infos] = match facts.severities {
            Some(counts) => counts.map(Some),
            None => [None; 3],
        };
        self.row()
            .text_or(domain(&capture.host))
            .number_or(capture.status.map(Into::into))
            .text(facts.state)
            .text_or(redirect)
            .number(i64::try_from(capture.body.length).unwrap_or(i64::MAX))
            .text_or(digest)
            .text_or(facts.encoding)
            .number(facts.lines)
            .number(facts.group_count)
            .number(facts.allow_rules)
            .number(facts.disallow_rules)
            .number(facts.longest_rule)
            .number(facts.wildcard_rules)
            .number(facts.sitemap_count)
            .number(facts.crawl_delays)
            .real_or(facts.crawl_delay_max)
            .number(facts.acap_lines)
            .number(facts.unknown_fields)
            .number_or(errors)
            .number_or(warnings)
            .number_or(infos)
            .number(facts.content_usage)
            .number(facts.content_signal)
            .number(facts.licenses)
            .number(facts.control_tokens);
    }

    fn add_robots(
        &mut self,
        facts: &Facts,
        robots: &[(String, Option<&'static str>)],
        paths: &[String],
    ) {
        for ((name, kind), answers) in robots.iter().zip(&facts.answers) {
            for (path, answer) in paths.iter().zip(answers.iter()) {
                self.add_answer(name, *kind, path, answer);
            }
        }
    }

    fn add_answer(&mut self, name: &str, kind: Option<&str>, path: &str, answer: &Answer) {
        let [train, ai_input, search] = answer.preferences;
        let line = answer.line();
        self.row()
            .text(name)
            .text_or(kind)
            .text(path)
            .text(answer.short.outcome.name())
            .text_or(answer.group.as_deref())
            .flag(answer.is_own)
            .text(answer.class)
            .flag(answer.is_exact)
            .number_or(line.as_ref().map(|(line, _)| i64::from(*line)))
            .text_or(line.as_ref().map(|(_, rule)| rule.as_str()))
            .real_or(answer.delay)
            .text(train)
            .text(ai_input)
            .text(search);
    }

    fn add_groups(&mut self, facts: &Facts) {
        for (number, group) in (0..).zip(&facts.groups) {
            self.row()
                .number(number)
                .number(group.line)
                .number(group.offset)
                .text(&group.names)
                .number(group.rules)
                .real_or(group.delay);
        }
    }

    fn add_rules(&mut self, facts: &Facts) {
        for rule in &facts.rules {
            self.row()
                .number(rule.group)
                .number(rule.line)
                .number(rule.offset)
                .text(rule.field)
                .text(&rule.pattern);
        }
    }

    fn add_findings(&mut self, facts: &Facts) {
        for finding in &facts.findings {
            self.row()
                .text(finding.code)
                .text(finding.severity)
                .number_or(finding.line)
                .number_or(finding.column)
                .number_or(finding.offset)
                .text(&finding.message);
        }
    }

    fn add_sitemaps(&mut self, facts: &Facts) {
        for sitemap in &facts.sitemaps {
            self.row()
                .number(sitemap.line)
                .number(sitemap.offset)
                .text(&sitemap.url)
                .flag(sitemap.is_valid);
        }
    }
}

/// What belongs to one registrant: `example.co.uk` of `www.example.co.uk:8080`.
fn domain(host: &str) -> Option<&str> {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let is_address = name.parse::<std::net::IpAddr>().is_ok() || name.starts_with('[');
    if is_address {
        return None;
    }
    psl::domain_str(name.trim_end_matches('.'))
}
