//! Answers about many URLs, one after the other.
//!
//! What decides about crawling is a line of the file, and there are few lines beside the URLs. So
//! the decision about the first URL of each line is kept in brief, and repeated for the others.

use crate::args::AcapArgs;
use crate::bulk::{Answers, PassOn};
use crate::chunks::{Chunk, Input};
use crate::exit::Exit;
use crate::lines::Line;
use crate::robot_args::remembered;
use crate::table::{Brief, Layout, Problem, Row};
use crate::url_list::UrlList;
use abide::explain::{visible, visible_url};
use abide::preference::Documents;
use abide::syntax::ForeignBody;
use abide::tag::Response;
use abide::verdict::Reason;
use abide::{
    DecidingRule, Decision, Moment, Outcome, Policy, Profile, Target, TargetError, Usage,
    UsageDecision,
};
use abide_contract::{DecisionJson, ErrorJson, RetrievalJson};
use abide_fetch::{RequestUrl, as_sent};
use abide_known_robots::{Robot, in_file};
use abide_lint::table::{self, LineMemo};

/// The longest URL that is read, in bytes.
const LONGEST: usize = 1 << 20;

/// The usages of rows that are about crawling alone.
pub(crate) const CRAWL: &[Usage] = &[Usage::Crawl];

/// What is asked about every URL.
pub(crate) struct Asking<'a> {
    pub(crate) robots: &'a [Robot],
    /// Their names before a file is read, in the same order.
    pub(crate) names: Vec<String>,
    pub(crate) profile: Profile,
    /// The usages that have a row: at least one.
    pub(crate) usages: &'a [Usage],
    /// Whether every other usage that the site mentions has a row, too.
    pub(crate) shows_mentioned: bool,
    /// The usages that the exit status depends on: at least one.
    pub(crate) exit_usages: &'a [Usage],
    pub(crate) response: &'a Response,
    pub(crate) acap: Option<&'a AcapArgs>,
    pub(crate) documents: &'a Documents,
    pub(crate) now: Moment,
    /// Whether the URLs are on sites that are fetched.
    pub(crate) is_requested: bool,
    pub(crate) answer: AnswerKind<'a>,
}

/// What is written about each URL and robot.
#[derive(Clone, Copy)]
pub(crate) enum AnswerKind<'a> {
    /// A row for each usage.
    Rows(&'a Layout),
    /// The decision object.
    Decision {
        /// Whether usages that no source mentions are left out.
        is_slim: bool,
    },
}

/// A robots.txt, compiled for each robot.
#[derive(Default)]
pub(crate) struct Rules {
    pub(crate) policies: Vec<Policy>,
    /// The robots as the file names them, and these names.
    robots: Vec<(Robot, String)>,
    pub(crate) retrieval: Option<RetrievalJson>,
    /// What is known of the documents beside it, for each robot; empty if that is the same for all.
    pub(crate) documents: Vec<Documents>,
    /// What the file is, if it is no robots.txt.
    pub(crate) foreign: Option<ForeignBody>,
}

impl Rules {
    /// A file that was compiled for each of `robots`.
    pub(crate) fn new(
        robots: &[Robot],
        policies: Vec<Policy>,
        retrieval: Option<RetrievalJson>,
    ) -> Self {
        let foreign = policies
            .first()
            .and_then(|policy| policy.robots().foreign_body());
        let robots = in_file(robots, &policies).into_iter();
        let robots = robots.map(|robot| {
            let name = robot.name();
            (robot, name)
        });
        Self {
            robots: robots.collect(),
            policies,
            retrieval,
            documents: Vec::new(),
            foreign,
        }
    }
}

/// What was answered before, for each robot by deciding line.
pub(crate) type AnswerCache = LineMemo<RepeatedAnswer>;

/// An answer that many URLs get.
pub(crate) struct RepeatedAnswer {
    brief: Brief,
    standing: ExitRank,
    /// The row behind its URL, if that is the same for each of them.
    tail: Option<Vec<u8>>,
}

/// How an answer counts for the exit status, the worst last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ExitRank {
    /// Allowed, or nothing is said.
    #[default]
    Fine,
    /// It could not be found out.
    Unknown,
    /// Disallowed.
    Disallowed,
}

impl ExitRank {
    pub(crate) fn of(said: &UsageDecision<'_>) -> Self {
        let is_fine = match said.usage {
            Usage::Crawl => said.outcome == Outcome::Permitted,
            _ => !matches!(said.outcome, Outcome::Prohibited | Outcome::Unknown),
        };
        match (is_fine, is_unknown(said)) {
            (true, _) => Self::Fine,
            (false, true) => Self::Unknown,
            (false, false) => Self::Disallowed,
        }
    }

    /// The exit status of these answers.
    pub(crate) const fn exit(self) -> Exit {
        match self {
            Self::Fine => Exit::Done,
            Self::Unknown => Exit::Unknown,
            Self::Disallowed => Exit::Prohibited,
        }
    }
}

/// Whether the outcome is only due to something that could not be fetched.
fn is_unknown(said: &UsageDecision<'_>) -> bool {
    let decided = said.evidence.first().map(|decided| decided.reason);
    said.outcome == Outcome::Unknown
        || matches!(
            decided,
            Some(Reason::Unreachable | Reason::ReferenceUnreachable)
        )
}

/// What answers chunks of URLs about one robots.txt.
pub(crate) fn answer<'a>(
    asking: &'a Asking<'_>,
    rules: &'a Rules,
) -> impl FnMut(&Chunk, PassOn<'_>) -> Answers + 'a {
    let mut known = AnswerCache::default();
    // Rows are short: nothing is passed on before the chunk is answered.
    move |chunk, _| {
        let mut answers = asking.no_answers();
        for line in chunk.lines() {
            let Some((number, url)) = asking.line(line, &mut answers) else {
                continue;
            };
            if let Err(problem) = asking.about(rules, &mut known, (number, url), &mut answers) {
                asking.refuse(number, url, problem, &mut answers);
            }
        }
        answers
    }
}

impl Asking<'_> {
    /// Lines of URLs, so many at a time that their answers do not take much memory.
    pub(crate) fn input(&self, urls: UrlList) -> Input {
        const ANSWERS: usize = 4_096;
        let each = self.robots.len() * self.usages.len();
        urls.into_input(LONGEST)
            .with_most_lines(ANSWERS / each.max(1))
    }

    /// No answers yet.
    pub(crate) fn no_answers(&self) -> Answers {
        Answers::new(match self.answer {
            AnswerKind::Rows(layout) => Some(layout),
            AnswerKind::Decision { .. } => None,
        })
    }

    /// The number of a line and the URL on it. `None` for a blank line, and for one that has no URL
    /// that can be read, which is answered.
    pub(crate) fn line<'l>(
        &self,
        (number, line, bytes): (u64, Line, &'l [u8]),
        answers: &mut Answers,
    ) -> Option<(u64, &'l str)> {
        answers.bytes += bytes.len() as u64;
        match line {
            Line::Blank => None,
            Line::TooLong => {
                self.refuse(number, "", too_long(LONGEST), answers);
                None
            }
            Line::Whole => match Self::url_of(bytes, number) {
                Ok(url) => Some((number, url)),
                Err(problem) => {
                    let shown = String::from_utf8_lossy(bytes.trim_ascii());
                    self.refuse(number, &shown, problem, answers);
                    None
                }
            },
        }
    }

    /// The URL on a line, without spaces around it and without a byte order mark.
    fn url_of(line: &[u8], number: u64) -> Result<&str, Problem> {
        let line = match line.strip_prefix(b"\xEF\xBB\xBF") {
            Some(rest) if number == 1 => rest,
            _ => line,
        };
        let line = line.trim_ascii();
        str::from_utf8(line).map_err(|_| {
            let shown: String = visible(line).chars().take(200).collect();
            invalid(format!("{shown} is not UTF-8; write its bytes as %XX"))
        })
    }

    /// Adds the answers about a URL.
    pub(crate) fn about(
        &self,
        rules: &Rules,
        known: &mut AnswerCache,
        (number, typed): (u64, &str),
        answers: &mut Answers,
    ) -> Result<(), Problem> {
        let target = Target::new(typed).map_err(|error| unreadable(typed, error))?;
        if self.is_requested && !target.is_absolute() {
            return Err(invalid(format!(
                "the path {} has no site to fetch robots.txt from; write an absolute URL",
                visible_url(typed)
            )));
        }
        if self.is_requested && !target.is_web() {
            let message = "expected http or https, whose robots.txt abide can fetch";
            return Err(invalid(message.to_owned()));
        }
        let judged = if self.is_requested {
            let request = RequestUrl::new(typed).map_err(|error| invalid(error.to_string()))?;
            Some(request.as_str().to_owned())
        } else {
            as_sent(&target)
        };
        let target = match &judged {
            None => target,
            Some(judged) => Target::new(judged).map_err(|error| unreadable(judged, error))?,
        };
        answers.counts.urls += 1;
        let line = InputUrl {
            number,
            typed,
            target: &target,
        };
        let robots = 0..self.robots.len();
        let crawl = robots.map(|at| self.answer(rules, at, known, &line, answers));
        if crawl.max() == Some(ExitRank::Disallowed) {
            answers.counts.disallowed.add(number, typed);
        }
        Ok(())
    }

    /// Adds the answer about a URL for one robot. Returns how crawling counts.
    fn answer(
        &self,
        rules: &Rules,
        at: usize,
        known: &mut AnswerCache,
        line: &InputUrl<'_>,
        answers: &mut Answers,
    ) -> ExitRank {
        let policy = &rules.policies[at];
        match self.answer {
            AnswerKind::Rows(layout) if self.is_of_crawl() && !layout.needs_decision() => {
                let rule = match policy.deciding_rule(line.target) {
                    DecidingRule::Rule { line, .. } => line,
                    DecidingRule::NoRule => 0,
                    DecidingRule::Other => return self.rows(rules, at, layout, line, answers),
                };
                let decide = || repeated(layout, rules, at, line);
                let repeated = known.get(at, rule, decide);
                answers.counts.note(repeated.brief.foreign);
                answers
                    .counts
                    .add(repeated.brief.outcome, repeated.standing);
                if let (Some(tail), Some(text)) = (&repeated.tail, answers.out.text()) {
                    layout.head(text, line.typed);
                    text.extend_from_slice(tail);
                } else {
                    let row = row(rules, at, line, Usage::Crawl, &repeated.brief);
                    answers.out.push(layout, &row);
                }
                repeated.standing
            }
            AnswerKind::Rows(layout) => self.rows(rules, at, layout, line, answers),
            AnswerKind::Decision { is_slim } => {
                let decision = policy.decide(&self.target(rules, at, line.target));
                let json = json(rules, at, line, &decision);
                let json = if is_slim {
                    json.without_unmentioned()
                } else {
                    json
                };
                let crawl = decision.usages.crawl();
                let standing = ExitRank::of(crawl);
                answers.counts.add(crawl.outcome, standing);
                answers
                    .counts
                    .note(Brief::new(crawl).of_body(rules.foreign).foreign);
                if let Some(text) = answers.out.text() {
                    json.write_line(text);
                    text.push(b'\n');
                }
                standing
            }
        }
    }

    /// Whether only crawling is asked about.
    fn is_of_crawl(&self) -> bool {
        self.usages == CRAWL && self.exit_usages == CRAWL && !self.shows_mentioned
    }

    /// Adds the rows about a URL for one robot, from the whole decision. Returns how crawling
    /// counts.
    fn rows(
        &self,
        rules: &Rules,
        at: usize,
        layout: &Layout,
        line: &InputUrl<'_>,
        answers: &mut Answers,
    ) -> ExitRank {
        let target = self.target(rules, at, line.target);
        let decision = rules.policies[at].decide(&target);
        let whole = layout.needs_decision().then(|| {
            let json = json(rules, at, line, &decision);
            serde_json::to_value(&json).expect("a decision serialises")
        });
        for said in self
            .exit_usages
            .iter()
            .filter_map(|usage| decision.usage(*usage))
        {
            answers.counts.stand(ExitRank::of(said));
        }
        let is_mentioned = |said: &&UsageDecision<'_>| {
            let is_new = !self.usages.contains(&said.usage);
            self.shows_mentioned && is_new && said.is_mentioned()
        };
        let asked = self.usages.iter();
        let asked = asked.filter_map(|usage| decision.usage(*usage));
        for said in asked.chain(decision.usages.iter().filter(is_mentioned)) {
            answers.counts.show(said.outcome, ExitRank::of(said));
            let brief = Brief::new(said).of_body(rules.foreign);
            answers.counts.note(brief.foreign);
            let row = Row {
                whole: whole.as_ref(),
                ..row(rules, at, line, said.usage, &brief)
            };
            answers.out.push(layout, &row);
        }
        ExitRank::of(decision.usages.crawl())
    }

    fn target<'t>(&'t self, rules: &'t Rules, at: usize, target: &Target<'t>) -> Target<'t> {
        let target = target
            .with_response(self.response)
            .with_documents(rules.documents.get(at).unwrap_or(self.documents))
            .with_now(self.now);
        match self.acap {
            Some(acap) => remembered(acap, target),
            None => target,
        }
    }

    /// Adds that a line has no answer, for each robot.
    pub(crate) fn refuse(&self, number: u64, url: &str, problem: Problem, answers: &mut Answers) {
        for (robot, name) in self.robots.iter().zip(&self.names) {
            match self.answer {
                AnswerKind::Rows(layout) => {
                    for usage in self.usages {
                        let row = Row {
                            input_line: number,
                            url,
                            robot: name,
                            usage: usage.name(),
                            said: Err(&problem),
                            whole: None,
                        };
                        answers.out.push(layout, &row);
                    }
                }
                AnswerKind::Decision { .. } => {
                    if let Some(text) = answers.out.text() {
                        let json = ErrorJson::new(problem.code, &problem.message);
                        let json = json.with_input_line(Some(number));
                        json.with_request(url, robot, self.profile).write_line(text);
                        text.push(b'\n');
                    }
                }
            }
        }
        answers.unread.push((number, problem));
    }
}

/// What is repeated for the URLs that a line decides.
fn repeated(layout: &Layout, rules: &Rules, at: usize, line: &InputUrl<'_>) -> RepeatedAnswer {
    let decision = rules.policies[at].decide(line.target);
    let crawl = decision.usages.crawl();
    let brief = Brief::new(crawl).of_body(rules.foreign);
    let tail = layout.tail(&row(rules, at, line, Usage::Crawl, &brief));
    RepeatedAnswer {
        standing: ExitRank::of(crawl),
        brief,
        tail,
    }
}

/// The decision about a URL for one robot.
fn json<'r>(
    rules: &'r Rules,
    at: usize,
    line: &InputUrl<'r>,
    decision: &'r Decision<'r>,
) -> DecisionJson<'r> {
    let policy = &rules.policies[at];
    DecisionJson::new(line.typed, policy, decision)
        .with_requested(line.target.url())
        .with_robot(&rules.robots[at].0, policy)
        .with_retrieval(rules.retrieval.as_ref())
}

/// The row about a URL for one robot.
fn row<'r>(
    rules: &'r Rules,
    at: usize,
    line: &InputUrl<'r>,
    usage: Usage,
    brief: &'r Brief,
) -> Row<'r> {
    Row {
        input_line: line.number,
        url: line.typed,
        robot: &rules.robots[at].1,
        usage: usage.name(),
        said: Ok(brief),
        whole: None,
    }
}

/// A URL of the input.
struct InputUrl<'u> {
    /// The number of its line, from 1.
    number: u64,
    typed: &'u str,
    /// The URL that the rules are matched against.
    target: &'u Target<'u>,
}

/// A problem with the text of a URL.
const fn invalid(message: String) -> Problem {
    Problem {
        code: "invalid-url",
        message,
    }
}

/// A line that is longer than `limit`.
fn too_long(limit: usize) -> Problem {
    Problem {
        code: "line-too-long",
        message: format!("expected a line of at most {limit} bytes; shorten it or leave it out"),
    }
}

/// What is wrong with a URL.
fn unreadable(typed: &str, error: TargetError) -> Problem {
    invalid(table::unreadable(typed, error))
}
