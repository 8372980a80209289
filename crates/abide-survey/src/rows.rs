//! Captures in, rows out. Nothing here opens a file.

use crate::capture::{Capture, Meaning};
use crate::facts::{Analyst, Facts};
use crate::input::{InputProblem, whole};
use crate::options::Options;
use crate::schema::{
    AcapCells, CaptureCells, CaptureRow, Cells, ChangeCells, DirectiveCells, ErrorCells, FileCells,
    FileRow, FindingCells, GroupCells, Instant, RobotCells, RobotRow, RuleCells, SitemapCells,
    Table, Text,
};
use abide::rep::Access;
use abide_fetch::BodyHash;
use arrow_array::{ArrayRef, RecordBatch};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// The largest number of bytes of facts that are kept for equal bodies.
const MAX_KEPT_BYTES: usize = 24 << 20;

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
    /// Whether digests are checked.
    pub(crate) verifies: bool,
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
            verifies: options.verify,
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
        let mut tables = rows.finish();
        tables.remove(&Table::Errors);
        tables
    }

    /// No rows yet.
    pub(crate) fn rows(&self) -> Rows {
        Rows::of(&self.tables)
    }

    /// Adds the rows of a capture.
    pub(crate) fn add(&self, rows: &mut Rows, number: i64, capture: &Capture) {
        let facts = self.facts(capture);
        let of = CaptureRow {
            capture: number,
            url: capture.url.as_deref().map(Into::into),
            host: capture.host.as_str().into(),
            date: capture.date.map(Instant),
        };
        if let Some(rows) = &mut rows.files {
            rows.add(&of, &file_row(capture, &facts));
        }
        if let Some(rows) = &mut rows.robots {
            for ((robot, kind), answers) in self.robots.iter().zip(&facts.answers) {
                for (path, answer) in self.analyst.paths().iter().zip(answers.iter()) {
                    let row = RobotRow {
                        state: facts.file.state.clone(),
                        robot: robot.into(),
                        kind: kind.map(Into::into),
                        path: path.into(),
                        ..answer.clone()
                    };
                    rows.add(&of, &row);
                }
            }
        }
        if let Some(rows) = &mut rows.groups {
            facts.groups.iter().for_each(|row| rows.add(&of, row));
        }
        if let Some(rows) = &mut rows.rules {
            facts.rules.iter().for_each(|row| rows.add(&of, row));
        }
        if let Some(rows) = &mut rows.findings {
            facts.findings.iter().for_each(|row| rows.add(&of, row));
        }
        if let Some(rows) = &mut rows.sitemaps {
            facts.sitemaps.iter().for_each(|row| rows.add(&of, row));
        }
        if let Some(rows) = &mut rows.directives {
            facts.directives.iter().for_each(|row| rows.add(&of, row));
        }
        if let Some(rows) = &mut rows.acap {
            facts.acap.iter().for_each(|row| rows.add(&of, row));
        }
        if let Some(rows) = &mut rows.changes {
            facts.changes.iter().for_each(|row| rows.add(&of, row));
        }
    }

    fn facts(&self, capture: &Capture) -> Arc<Facts> {
        let meaning = capture.meaning();
        let key = match meaning {
            Meaning::Redirect(_) => BodyKey::None(None, "redirect-not-followed"),
            Meaning::NotModified => BodyKey::None(None, "not-modified"),
            Meaning::Access(Access::Rules) if capture.has_no_body() => BodyKey::File([0; 32], None),
            Meaning::Access(Access::Rules) if capture.body.is_undecoded() => {
                BodyKey::None(None, "damaged")
            }
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
        if size > MAX_KEPT_BYTES / 16 {
            return;
        }
        if self.bytes + size > MAX_KEPT_BYTES / 2 {
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
        let shared =
            |answers: &Arc<[RobotRow<'_>]>| 300 * answers.len() / Arc::strong_count(answers);
        let answers: usize = self.answers.iter().map(|one| 24 + shared(one)).sum();
        let rules: usize = self.rules.iter().map(|rule| 80 + rule.pattern.len()).sum();
        let findings: usize = self
            .findings
            .iter()
            .map(|one| 120 + one.message.len())
            .sum();
        let sitemaps: usize = self.sitemaps.iter().map(|one| 60 + one.sitemap.len()).sum();
        let groups: usize = self.groups.iter().map(|one| 80 + one.names.len()).sum();
        let directives = self.directives.iter().map(|one| {
            let texts = [&one.path, &one.name, &one.value].into_iter().flatten();
            let lengths: usize = texts.map(|text| text.len()).sum();
            200 + one.application.len() + lengths
        });
        let acap = self.acap.iter().map(|one| {
            let qualifiers = one.qualifiers.as_ref().map_or(0, |text| text.len());
            150 + one.resource.len() + qualifiers
        });
        let changes = self
            .changes
            .iter()
            .map(|one| 200 + one.robot.len() + one.path.len());
        let asked = directives.sum::<usize>() + acap.sum::<usize>() + changes.sum::<usize>();
        600 + answers + rules + findings + sitemaps + groups + asked
    }
}

/// Rows of several tables, not yet in batches.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    files: Option<CaptureRows<FileCells<'static>>>,
    robots: Option<CaptureRows<RobotCells<'static>>>,
    groups: Option<CaptureRows<GroupCells<'static>>>,
    rules: Option<CaptureRows<RuleCells<'static>>>,
    findings: Option<CaptureRows<FindingCells<'static>>>,
    sitemaps: Option<CaptureRows<SitemapCells<'static>>>,
    directives: Option<CaptureRows<DirectiveCells<'static>>>,
    acap: Option<CaptureRows<AcapCells<'static>>>,
    changes: Option<CaptureRows<ChangeCells<'static>>>,
    errors: ErrorCells<'static>,
}

impl Rows {
    /// No rows of these tables, and of table `errors`.
    fn of(tables: &BTreeSet<Table>) -> Self {
        fn of<T: Default>(table: Table, tables: &BTreeSet<Table>) -> Option<T> {
            tables.contains(&table).then(T::default)
        }
        Self {
            files: of(Table::Files, tables),
            robots: of(Table::Robots, tables),
            groups: of(Table::Groups, tables),
            rules: of(Table::Rules, tables),
            findings: of(Table::Findings, tables),
            sitemaps: of(Table::Sitemaps, tables),
            directives: of(Table::Directives, tables),
            acap: of(Table::Acap, tables),
            changes: of(Table::Changes, tables),
            errors: ErrorCells::default(),
        }
    }

    pub(crate) fn add_problem(&mut self, source: &str, problem: &InputProblem) {
        self.errors.append(&problem.row(source));
    }

    /// The rows, in one batch per table.
    pub(crate) fn finish(self) -> BTreeMap<Table, RecordBatch> {
        let tables = [
            (Table::Files, self.files.map(CaptureRows::finish)),
            (Table::Robots, self.robots.map(CaptureRows::finish)),
            (Table::Groups, self.groups.map(CaptureRows::finish)),
            (Table::Rules, self.rules.map(CaptureRows::finish)),
            (Table::Findings, self.findings.map(CaptureRows::finish)),
            (Table::Sitemaps, self.sitemaps.map(CaptureRows::finish)),
            (Table::Directives, self.directives.map(CaptureRows::finish)),
            (Table::Acap, self.acap.map(CaptureRows::finish)),
            (Table::Changes, self.changes.map(CaptureRows::finish)),
            (Table::Errors, Some(self.errors.finish())),
        ];
        let tables = tables.into_iter();
        tables
            .filter_map(|(table, columns)| Some((table, table.batch(columns?))))
            .collect()
    }

    /// The number of rows of all tables.
    pub(crate) fn len(&self) -> usize {
        fn len<C: Cells>(rows: Option<&CaptureRows<C>>) -> usize {
            rows.map_or(0, |rows| rows.captures.len())
        }
        len(self.files.as_ref())
            + len(self.robots.as_ref())
            + len(self.groups.as_ref())
            + len(self.rules.as_ref())
            + len(self.findings.as_ref())
            + len(self.sitemaps.as_ref())
            + len(self.directives.as_ref())
            + len(self.acap.as_ref())
            + len(self.changes.as_ref())
            + self.errors.len()
    }
}

/// Rows that begin with the cells that identify the capture.
#[derive(Debug, Default)]
struct CaptureRows<C> {
    captures: CaptureCells<'static>,
    cells: C,
}

impl<C: Cells> CaptureRows<C> {
    fn add(&mut self, capture: &CaptureRow<'_>, row: &C::Row<'_>) {
        self.captures.append(capture);
        self.cells.append(row);
    }

    fn finish(self) -> Vec<ArrayRef> {
        let mut columns = self.captures.finish();
        columns.extend(self.cells.finish());
        columns
    }
}

/// The row of a capture in table `files`.
fn file_row<'a>(capture: &'a Capture, facts: &Facts) -> FileRow<'a> {
    let redirect = match capture.meaning() {
        _ if capture.redirect.is_some() => capture.redirect.as_deref().map(Text::from),
        Meaning::Redirect(to) => Some(to.into()),
        _ => None,
    };
    let digest = capture.body.digest.map(BodyHash::from_bytes);
    let record = &capture.record;
    FileRow {
        domain: domain(&capture.host).map(Into::into),
        status: capture.status.map(Into::into),
        redirect,
        bytes: whole(capture.body.length),
        digest: digest.map(|digest| digest.to_string().into()),
        source: record.source.as_deref().map(Into::into),
        offset: record.offset.map(whole),
        length: record.length.map(whole),
        row: record.row.map(whole),
        ..facts.file.clone()
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
