//! Captures in, rows out. Nothing here opens a file.

use crate::capture::{Capture, Meaning};
use crate::facts::{Analyst, Facts, asked_robots};
use crate::input::{InputProblem, whole};
use crate::options::Options;
use crate::page::PageAnalyst;
use crate::schema::{
    AcapCells, AgentCells, CaptureCells, CaptureRow, Cells, ChangeCells, DirectiveCells,
    ErrorCells, FileCells, FileRow, FindingCells, GroupCells, Instant, PageAnswerCells, PageCells,
    PreferenceCells, RobotCells, RobotRow, RuleCells, SitemapCells, Table, TagCells, Text,
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
    /// `None` if pages are not wanted.
    pages: Option<PageAnalyst>,
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
        let robots = asked_robots(options).map(|(name, kind, _)| (name, kind));
        Self {
            robots: robots.collect(),
            analyst: Analyst::new(options),
            pages: options.asks_pages().then(|| PageAnalyst::new(options)),
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
        let of = capture_row(number, capture);
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
        add_all(&mut rows.groups, &of, &facts.groups);
        add_all(&mut rows.agents, &of, &facts.agents);
        add_all(&mut rows.rules, &of, &facts.rules);
        add_all(&mut rows.findings, &of, &facts.findings);
        add_all(&mut rows.sitemaps, &of, &facts.sitemaps);
        add_all(&mut rows.directives, &of, &facts.directives);
        add_all(&mut rows.acap, &of, &facts.acap);
        add_all(&mut rows.preferences, &of, &facts.preferences);
        add_all(&mut rows.changes, &of, &facts.changes);
    }

    /// Whether responses to requests for other URLs than that of a robots.txt are wanted.
    pub(crate) fn asks_pages(&self) -> bool {
        self.pages.is_some()
    }

    /// Adds the rows of a page. Returns false for a response that has none.
    pub(crate) fn add_page(&self, rows: &mut Rows, number: i64, page: &Capture) -> bool {
        let facts = self.pages.as_ref().and_then(|pages| pages.facts(page));
        let Some(facts) = facts else {
            return false;
        };
        let of = capture_row(number, page);
        add_all(&mut rows.pages, &of, [&facts.page]);
        add_all(&mut rows.tags, &of, &facts.tags);
        add_all(&mut rows.preferences, &of, &facts.preferences);
        add_all(&mut rows.page_answers, &of, &facts.answers);
        add_all(&mut rows.changes, &of, &facts.changes);
        true
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
        let agents = self.agents.iter().map(|one| 250 + one.text.len());
        let asked = directives.sum::<usize>()
            + agents.sum::<usize>()
            + acap.sum::<usize>()
            + changes.sum::<usize>()
            + 400 * self.preferences.len();
        600 + answers + rules + findings + sitemaps + groups + asked
    }
}

/// Defines the rows of all tables whose rows begin with a capture.
macro_rules! rows {
    ($($rows:ident: $table:ident, $cells:ident;)*) => {
        /// Rows of several tables, not yet in batches.
        #[derive(Debug, Default)]
        pub(crate) struct Rows {
            $($rows: Option<CaptureRows<$cells<'static>>>,)*
            errors: ErrorCells<'static>,
        }

        impl Rows {
            /// No rows of these tables, and of table `errors`.
            fn of(tables: &BTreeSet<Table>) -> Self {
                Self {
                    $($rows: tables.contains(&Table::$table).then(CaptureRows::default),)*
                    errors: ErrorCells::default(),
                }
            }

            /// The rows, in one batch per table.
            pub(crate) fn finish(self) -> BTreeMap<Table, RecordBatch> {
                let tables = [
                    $((Table::$table, self.$rows.map(CaptureRows::finish)),)*
                    (Table::Errors, Some(self.errors.finish())),
                ];
                let tables = tables.into_iter();
                tables
                    .filter_map(|(table, columns)| Some((table, table.batch(columns?))))
                    .collect()
            }

            /// The number of rows of all tables.
            pub(crate) fn len(&self) -> usize {
                let counts = [
                    $(self.$rows.as_ref().map_or(0, |rows| rows.captures.len()),)*
                    self.errors.len(),
                ];
                counts.iter().sum()
            }
        }
    };
}

rows! {
    files: Files, FileCells;
    robots: Robots, RobotCells;
    groups: Groups, GroupCells;
    agents: Agents, AgentCells;
    rules: Rules, RuleCells;
    findings: Findings, FindingCells;
    sitemaps: Sitemaps, SitemapCells;
    directives: Directives, DirectiveCells;
    acap: Acap, AcapCells;
    preferences: Preferences, PreferenceCells;
    changes: Changes, ChangeCells;
    pages: Pages, PageCells;
    tags: Tags, TagCells;
    page_answers: PageAnswers, PageAnswerCells;
}

impl Rows {
    pub(crate) fn add_problem(&mut self, source: &str, problem: &InputProblem) {
        self.errors.append(&problem.row(source));
    }
}

/// Adds rows of a capture to a table, if it is wanted.
fn add_all<'r, C: Cells>(
    rows: &mut Option<CaptureRows<C>>,
    of: &CaptureRow<'_>,
    all: impl IntoIterator<Item = &'r C::Row<'static>>,
) where
    C::Row<'static>: 'r,
{
    if let Some(rows) = rows {
        all.into_iter().for_each(|row| rows.add(of, row));
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

/// What every row of a capture begins with.
fn capture_row(number: i64, capture: &Capture) -> CaptureRow<'_> {
    CaptureRow {
        capture: number,
        url: capture.url.as_deref().map(Into::into),
        host: capture.host.as_str().into(),
        date: capture.date.map(Instant),
        domain: domain(&capture.host).map(Into::into),
        registered_domain: registered_domain(&capture.host).map(Into::into),
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
        status: capture.status.map(Into::into),
        first_status: capture.first_status.or(capture.status).map(Into::into),
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
    psl::domain_str(name(host)?)
}

/// What a registry has registered, whoever gives names below it to others: `github.io` of
/// `user.github.io`.
fn registered_domain(host: &str) -> Option<&str> {
    let name = name(host)?;
    let is_private = |part: &str| {
        let suffix = psl::suffix(part.as_bytes());
        suffix.is_some_and(|suffix| suffix.typ() == Some(psl::Type::Private))
    };
    if !is_private(name) {
        return psl::domain_str(name);
    }
    // Of a part that is short enough, the suffix is that of the registry.
    let dots = name.rmatch_indices('.').map(|(dot, _)| dot + 1);
    let parts = dots.chain([0]).filter_map(|start| name.get(start..));
    let mut parts = parts.skip_while(|part| !is_private(part) && psl::domain_str(part).is_none());
    parts.next()
}

/// The name of a host; `None` for an address.
fn name(host: &str) -> Option<&str> {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let is_address = name.parse::<std::net::IpAddr>().is_ok() || name.starts_with('[');
    (!is_address).then(|| name.trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::{domain, registered_domain};

    #[test]
    fn domains_with_and_without_private_suffixes() {
        for (host, with, without) in [
            (
                "www.example.co.uk:8080",
                Some("example.co.uk"),
                Some("example.co.uk"),
            ),
            ("user.github.io", Some("user.github.io"), Some("github.io")),
            (
                "a.user.github.io.",
                Some("user.github.io"),
                Some("github.io"),
            ),
            ("github.io", None, Some("github.io")),
            (
                "x.s3.eu-west-1.amazonaws.com",
                Some("x.s3.eu-west-1.amazonaws.com"),
                Some("amazonaws.com"),
            ),
            ("shop.co.jp", Some("shop.co.jp"), Some("shop.co.jp")),
            ("com", None, None),
            ("127.0.0.1", None, None),
            ("[::1]:8080", None, None),
            ("", None, None),
        ] {
            assert_eq!(
                (domain(host), registered_domain(host)),
                (with, without),
                "{host}"
            );
        }
    }
}
