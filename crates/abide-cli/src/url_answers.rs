//! Answers about URLs, one after the other: each is read, judged and answered in the same way,
//! whether it is the only one or a line of a long list.
//!
//! What decides about crawling is a line of the file, and there are few lines beside the URLs. So
//! the decision about the first URL of each line is kept in brief, and repeated for the others.

use crate::bulk::{Answers, PassOn};
use crate::chunks::{Chunk, Input};
use crate::exit::ExitRank;
use crate::fetch::FetchedFile;
use crate::lines::Line;
use crate::page_args::PageContext;
use crate::source::{Content, Findings, Source};
use crate::table::{Brief, Layout, Problem, Row};
use abide::explain::{visible, visible_url};
use abide::preference::Documents;
use abide::syntax::ForeignBody;
use abide::tag::Response;
use abide::{
    DecidingRule, Decision, Outcome, Policy, Profile, Target, TargetError, Usage, UsageDecision,
};
use abide_analysis::table::{LineMemo, missing_scheme};
use abide_contract::{DecisionJson, ErrorJson, RetrievalJson, codes};
use abide_fetch::{RequestUrl, as_sent};
use abide_known_robots::{Robot, in_file};
use anyhow::ensure;
use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

/// The longest URL that is read, in bytes.
pub(crate) const MAX_URL_BYTES: usize = 1 << 20;

/// How many characters of a URL a message shows.
const MAX_SHOWN_CHARS: usize = 200;

/// The usages of rows that are about crawling alone.
pub(crate) const CRAWL: &[Usage] = &[Usage::Crawl];

/// What is asked about every URL.
pub(crate) struct Asking<'a> {
    pub(crate) robots: &'a [Robot],
    pub(crate) profile: Profile,
    /// The usages that have a row: at least one.
    pub(crate) usages: &'a [Usage],
    /// Whether every other usage that the site mentions has a row, too.
    pub(crate) shows_mentioned: bool,
    /// The usages that the exit status depends on: at least one.
    pub(crate) exit_usages: &'a [Usage],
    /// What is known of every page.
    pub(crate) page: &'a PageContext<'a>,
    pub(crate) requested: Requested,
    /// Whether a URL that cannot be read ends the command, which then has no answer beside it.
    pub(crate) ends_on_a_problem: bool,
    /// The table with a row for each robot and usage; `None` for whole answers.
    pub(crate) layout: Option<&'a Layout>,
    /// Whether only what is disallowed has a row.
    pub(crate) only_disallowed: bool,
    pub(crate) write: &'a WriteWhole<'a>,
}

/// Writes the whole answers about the URL on the line with a number, one for each robot.
pub(crate) type WriteWhole<'a> = dyn Fn(&mut Vec<u8>, u64, &[Answer<'_>]) + Sync + 'a;

/// What is requested from the sites of the URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Requested {
    Nothing,
    RobotsTxt,
    /// The page alone.
    Page,
}

impl Requested {
    /// Refuses a URL from whose site this cannot be requested.
    fn check(self, target: &Target<'_>) -> Result<(), Problem> {
        if self == Self::Nothing || target.is_web() {
            return Ok(());
        }
        let shown = shown(target.url());
        Err(invalid(match (self, target.is_absolute()) {
            (Self::Page, false) => {
                format!("--page needs an absolute URL, because the path {shown} has no site")
            }
            (Self::Page, true) => format!("--page needs http or https, and found {shown}"),
            (_, false) => format!(
                "the path {shown} has no site to fetch robots.txt from; give an absolute URL, or --robots"
            ),
            (_, true) => format!(
                "cannot fetch the robots.txt of {shown}: expected http or https; read the file by other \
                 means, and use --robots"
            ),
        }))
    }
}

/// A robots.txt, compiled for each robot.
pub(crate) struct Rules {
    pub(crate) policies: Arc<[Policy]>,
    /// The robots as the file names them, and these names.
    robots: Vec<(Robot, String)>,
    /// How it was fetched, if it was.
    retrieval: Option<RetrievalJson>,
    /// What the file is, if it is no robots.txt.
    foreign: Option<ForeignBody>,
}

impl Rules {
    /// What was read from a source, compiled by `policy` for each of `robots`. Warns of what is
    /// wrong with it.
    pub(crate) fn new(
        source: &Source,
        content: &Content,
        robots: &[Robot],
        which: Findings,
        policy: impl Fn(&Robot) -> anyhow::Result<Policy>,
    ) -> anyhow::Result<Self> {
        // A broken pipe gives an empty file, which would allow everything.
        ensure!(
            *source != Source::Stdin || !content.is_empty(),
            "robots.txt from stdin is empty; name an empty file if the site serves one"
        );
        let policies: Arc<[Policy]> = robots.iter().map(policy).collect::<anyhow::Result<_>>()?;
        source.warn_of(content, &policies, which);
        let robots = in_file(robots, &policies).into_iter();
        let foreign = policies.first();
        Ok(Self {
            robots: robots.map(|robot| (robot.clone(), robot.name())).collect(),
            foreign: foreign.and_then(|policy| policy.robots().foreign_body()),
            retrieval: content.fetched().map(FetchedFile::json),
            policies,
        })
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

/// A URL of the input.
pub(crate) struct InputUrl<'u> {
    /// The number of its line, from 1.
    pub(crate) number: u64,
    typed: &'u str,
    parsed: Target<'u>,
    /// The URL that would be requested, if that is not the text.
    sent: Option<String>,
    /// What the page's response says, if it was fetched.
    pub(crate) page: Option<Response>,
    /// What is known of the documents beside its robots.txt, for each robot; empty if that is the
    /// same for all.
    pub(crate) documents: Vec<Documents>,
}

impl InputUrl<'_> {
    /// The URL that the rules are matched against.
    pub(crate) fn target(&self) -> Target<'_> {
        let sent = self.sent.as_deref();
        let sent = sent.and_then(|sent| Target::new(sent).ok());
        sent.unwrap_or(self.parsed)
    }
}

/// A line of the input that has no answer.
pub(crate) struct Refused<'l> {
    number: u64,
    typed: Cow<'l, str>,
    pub(crate) problem: Problem,
}

/// The answer about a URL for one robot, with all its evidence.
pub(crate) struct Answer<'a> {
    pub(crate) typed: &'a str,
    /// The URL that the rules are matched against.
    pub(crate) target: Target<'a>,
    /// The robot as the file names it.
    pub(crate) robot: &'a Robot,
    pub(crate) policy: &'a Policy,
    pub(crate) decision: Decision<'a>,
    /// How the robots.txt was fetched, if it was.
    pub(crate) retrieval: Option<&'a RetrievalJson>,
}

impl Answer<'_> {
    pub(crate) fn json(&self) -> DecisionJson<'_> {
        DecisionJson::new(self.typed, self.policy, &self.decision)
            .with_requested(self.target.url())
            .with_robot(self.robot, self.policy)
            .with_retrieval(self.retrieval)
    }
}

/// Writes the decision objects, one per line. `is_slim`: without usages that no source mentions.
pub(crate) fn write_objects(out: &mut Vec<u8>, answers: &[Answer<'_>], is_slim: bool) {
    for answer in answers {
        let json = answer.json();
        let json = if is_slim {
            json.without_unmentioned()
        } else {
            json
        };
        json.write_line(out);
        out.push(b'\n');
    }
}

/// What answers chunks of URLs about one robots.txt.
pub(crate) fn answerer<'a>(
    asking: &'a Asking<'_>,
    rules: &'a Rules,
) -> impl FnMut(&Chunk, PassOn<'_>) -> Answers + 'a {
    let mut known = AnswerCache::default();
    // Rows are short: nothing is passed on before the chunk is answered.
    move |chunk, _| {
        let mut answers = Answers::new(asking.layout, chunk.size());
        for url in asking.urls(chunk) {
            match url {
                Ok(url) => asking.about(rules, &mut known, &url, &mut answers),
                Err(refused) => asking.refuse(refused, &mut answers),
            }
        }
        answers
    }
}

impl Asking<'_> {
    /// The URLs, so many at a time that their answers do not take much memory.
    pub(crate) fn in_portions(&self, urls: Input) -> Input {
        const MAX_KEPT_ANSWERS: usize = 4_096;
        let each = self.robots.len() * self.usages.len();
        urls.with_most_lines(MAX_KEPT_ANSWERS / each.max(1))
    }

    /// The URLs on the lines that are not blank.
    pub(crate) fn urls<'c>(
        &self,
        chunk: &'c Chunk,
    ) -> impl Iterator<Item = Result<InputUrl<'c>, Refused<'c>>> {
        let lines = chunk.lines();
        lines.filter_map(|(number, line, bytes)| match line {
            Line::Blank => None,
            Line::TooLong => Some(Err(Refused {
                number,
                typed: Cow::Borrowed(""),
                problem: Problem {
                    code: codes::LINE_TOO_LONG,
                    message: format!(
                        "expected a line of at most {MAX_URL_BYTES} bytes; shorten it or leave it out"
                    ),
                },
            })),
            Line::Whole => Some(self.read(number, bytes)),
        })
    }

    /// The URL on a line, without spaces around it and without a byte order mark, and the one that
    /// the rules are matched against: that of the request (AMB-REP-24). If nothing is requested
    /// from its site, a spelling that does not change the path, such as `/ü`, stays as typed.
    pub(crate) fn read<'l>(
        &self,
        number: u64,
        line: &'l [u8],
    ) -> Result<InputUrl<'l>, Refused<'l>> {
        let line = match line.strip_prefix(b"\xEF\xBB\xBF") {
            Some(rest) if number == 1 => rest,
            _ => line,
        };
        let line = line.trim_ascii();
        let refused = |problem| Refused {
            number,
            typed: String::from_utf8_lossy(line),
            problem,
        };
        let typed = str::from_utf8(line).map_err(|_| {
            let shown: String = visible(line).chars().take(MAX_SHOWN_CHARS).collect();
            refused(invalid(format!(
                "{shown} is not UTF-8; write its bytes as %XX"
            )))
        })?;
        let parsed = Target::new(typed).map_err(|error| refused(self.unreadable(typed, error)))?;
        self.requested.check(&parsed).map_err(refused)?;
        let sent = if self.requested == Requested::Nothing {
            as_sent(&parsed)
        } else {
            let request = RequestUrl::new(typed);
            let request = request.map_err(|error| refused(invalid(error.to_string())))?;
            (request.as_str() != typed).then(|| request.as_str().to_owned())
        };
        if let Some(sent) = &sent {
            Target::new(sent).map_err(|error| refused(self.unreadable(sent, error)))?;
        }
        Ok(InputUrl {
            number,
            typed,
            parsed,
            sent,
            page: None,
            documents: Vec::new(),
        })
    }

    /// What is wrong with the text of a URL, with a guess at what was meant. Rows and error objects
    /// have the URL beside this.
    fn unreadable(&self, typed: &str, error: TargetError) -> Problem {
        let shown = shown(typed);
        invalid(match missing_scheme(typed) {
            _ if self.ends_on_a_problem && Path::new(typed).is_file() => {
                format!("{shown} is a file, not a URL; did you mean --robots {shown}?")
            }
            Some(guess) => guess,
            None if self.ends_on_a_problem => format!("cannot read the URL {shown}: {error}"),
            None => error.to_string(),
        })
    }

    /// Adds the answers about a URL.
    pub(crate) fn about(
        &self,
        rules: &Rules,
        known: &mut AnswerCache,
        url: &InputUrl<'_>,
        answers: &mut Answers,
    ) {
        let is_of_crawl =
            self.usages == CRAWL && self.exit_usages == CRAWL && !self.shows_mentioned;
        let is_repeated = self
            .layout
            .is_some_and(|layout| is_of_crawl && !layout.needs_decision());
        let (mut whole, mut crawl) = (Vec::new(), ExitRank::Fine);
        for at in 0..self.robots.len() {
            let repeated = is_repeated.then(|| self.repeat(rules, at, known, url, answers));
            let repeated = repeated.flatten();
            let standing = repeated.unwrap_or_else(|| {
                let answer = self.decide(rules, at, url);
                let standing = self.add(rules, at, url, &answer, answers);
                whole.push(answer);
                standing
            });
            crawl = crawl.max(standing);
        }
        if let (None, Some(text)) = (self.layout, answers.out.text()) {
            (self.write)(text, url.number, &whole);
        }
        answers.counts.urls += 1;
        if crawl == ExitRank::Disallowed {
            answers.counts.disallowed.add(url.number, url.typed);
        }
    }

    /// The answer about a URL for one robot.
    fn decide<'t>(&'t self, rules: &'t Rules, at: usize, url: &'t InputUrl<'_>) -> Answer<'t> {
        let policy = &rules.policies[at];
        Answer {
            typed: url.typed,
            target: url.target(),
            robot: &rules.robots[at].0,
            policy,
            decision: policy.decide(&self.target(at, url)),
            retrieval: rules.retrieval.as_ref(),
        }
    }

    /// The URL with all that is known of its page.
    pub(crate) fn target<'t>(&'t self, at: usize, url: &'t InputUrl<'_>) -> Target<'t> {
        let target = self.page.described(url.target());
        target
            .with_response(url.page.as_ref().unwrap_or(&self.page.response))
            .with_documents(url.documents.get(at).unwrap_or(&self.page.documents))
    }

    /// Counts an answer, and adds its rows in a table. Returns how crawling counts.
    fn add(
        &self,
        rules: &Rules,
        at: usize,
        url: &InputUrl<'_>,
        answer: &Answer<'_>,
        answers: &mut Answers,
    ) -> ExitRank {
        let decision = &answer.decision;
        let whole = self.layout.filter(|layout| layout.needs_decision());
        let whole =
            whole.map(|_| serde_json::to_value(answer.json()).expect("a decision serialises"));
        let is_mentioned = |usage_decision: &&UsageDecision<'_>| {
            let is_new = !self.usages.contains(&usage_decision.usage);
            self.shows_mentioned && is_new && usage_decision.is_mentioned()
        };
        let decisions = self.usages.iter();
        let decisions = decisions.filter_map(|usage| decision.usage(*usage));
        for usage_decision in decisions.chain(decision.usages.iter().filter(is_mentioned)) {
            answers
                .counts
                .show(usage_decision.outcome, ExitRank::of(usage_decision));
            let brief = Brief::new(usage_decision, rules.foreign);
            answers.counts.note(brief.foreign);
            if let Some(layout) = self.layout
                && self.has_row(usage_decision.outcome)
            {
                let row = Row {
                    whole: whole.as_ref(),
                    ..row(rules, at, url, usage_decision.usage, &brief)
                };
                answers.out.push(layout, &row);
            }
        }
        let usages = self.exit_usages.iter();
        for usage_decision in usages.filter_map(|usage| decision.usage(*usage)) {
            answers.counts.stand(ExitRank::of(usage_decision));
        }
        ExitRank::of(decision.usages.crawl())
    }

    /// Whether an answer has a row.
    fn has_row(&self, outcome: Outcome) -> bool {
        !self.only_disallowed || outcome == Outcome::Prohibited
    }

    /// How crawling a URL counts for a robot.
    pub(crate) fn crawl_rank(
        &self,
        rules: &Rules,
        at: usize,
        known: &mut AnswerCache,
        url: &InputUrl<'_>,
    ) -> ExitRank {
        let repeated = self.repeated(rules, at, known, url);
        repeated.map_or_else(
            || ExitRank::of(self.decide(rules, at, url).decision.usages.crawl()),
            |repeated| repeated.standing,
        )
    }

    /// The answer about crawling, which is that of every URL that the line decides; `None` if
    /// something else than a line decides.
    fn repeated<'k>(
        &self,
        rules: &Rules,
        at: usize,
        known: &'k mut AnswerCache,
        url: &InputUrl<'_>,
    ) -> Option<&'k RepeatedAnswer> {
        let rule = match rules.policies[at].deciding_rule(&url.target()) {
            DecidingRule::Rule { line, .. } => line,
            DecidingRule::NoRule => 0,
            DecidingRule::Other => return None,
        };
        Some(known.get(at, rule, || {
            let decision = rules.policies[at].decide(&url.target());
            let crawl = decision.usages.crawl();
            let brief = Brief::new(crawl, rules.foreign);
            let row = row(rules, at, url, Usage::Crawl, &brief);
            RepeatedAnswer {
                standing: ExitRank::of(crawl),
                tail: self.layout.and_then(|layout| layout.tail(&row)),
                brief,
            }
        }))
    }

    /// Adds the row about crawling, if a line decides. Returns how it counts.
    fn repeat(
        &self,
        rules: &Rules,
        at: usize,
        known: &mut AnswerCache,
        url: &InputUrl<'_>,
        answers: &mut Answers,
    ) -> Option<ExitRank> {
        let layout = self.layout?;
        let repeated = self.repeated(rules, at, known, url)?;
        let (brief, standing) = (&repeated.brief, repeated.standing);
        answers.counts.note(brief.foreign);
        answers.counts.show(brief.answer.outcome, standing);
        answers.counts.stand(standing);
        if !self.has_row(brief.answer.outcome) {
            return Some(standing);
        }
        if let (Some(tail), Some(text)) = (&repeated.tail, answers.out.text()) {
            layout.head(text, url.typed);
            text.extend_from_slice(tail);
        } else {
            let row = row(rules, at, url, Usage::Crawl, brief);
            answers.out.push(layout, &row);
        }
        Some(standing)
    }

    /// Adds that a line has no answer, for each robot.
    pub(crate) fn refuse(&self, refused: Refused<'_>, answers: &mut Answers) {
        let (number, problem) = (refused.number, refused.problem);
        for robot in self.robots {
            if let Some(layout) = self.layout {
                for usage in self.usages {
                    let row = Row {
                        input_line: number,
                        url: &refused.typed,
                        robot: &robot.name(),
                        usage: usage.name(),
                        answer: Err(&problem),
                        whole: None,
                    };
                    answers.out.push(layout, &row);
                }
            } else if let Some(text) = answers.out.text() {
                let json = ErrorJson::new(problem.code, &problem.message);
                let json = json.with_input_line(Some(number));
                json.with_request(&refused.typed, robot, self.profile)
                    .write_line(text);
                text.push(b'\n');
            }
        }
        answers.unread.push((number, problem));
    }
}

/// The row about a URL for one robot.
fn row<'r>(
    rules: &'r Rules,
    at: usize,
    url: &InputUrl<'r>,
    usage: Usage,
    brief: &'r Brief,
) -> Row<'r> {
    Row {
        input_line: url.number,
        url: url.typed,
        robot: &rules.robots[at].1,
        usage: usage.name(),
        answer: Ok(brief),
        whole: None,
    }
}

/// A URL in a message: safe to print, and not longer than a message may be.
fn shown(url: &str) -> String {
    visible_url(url).chars().take(MAX_SHOWN_CHARS).collect()
}

/// A problem with the text of a URL.
const fn invalid(message: String) -> Problem {
    Problem {
        code: codes::INVALID_URL,
        message,
    }
}
