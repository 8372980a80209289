//! Shows answers to people: in full for one robot, as a table for several.

use super::Answer;
use crate::colour;
use crate::width::{self, cut};
use abide::explain::{self, Layout, visible, visible_url};
use abide::verdict::Source;
use abide::{Evidence, Outcome, Usage, UsageDecision};
use abide_known_robots::Robot;
use anstyle::Style;
use std::io::{self, Write};

/// Writes the answers about each URL; `robots` is the number of robots that were asked about.
pub(super) fn write(answers: &[Answer<'_>], robots: usize, usages: &[Usage]) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    for (at, of_url) in answers.chunks(robots.max(1)).enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        match of_url {
            [only] => alone(&mut out, only, usages)?,
            several => table(&mut out, several, usages)?,
        }
    }
    out.flush()
}

/// Writes whether the site asks not to use each page for `purpose`: one sentence, then what each
/// vocabulary says, and whether the page may be crawled.
pub(super) fn write_for(answers: &[Answer<'_>], robots: usize, purpose: Usage) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    for (at, of_url) in answers.chunks(robots.max(1)).enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        let Some(first) = of_url.first() else {
            continue;
        };
        writeln!(out, "{}", visible_url(first.typed))?;
        requested(&mut out, first)?;
        for answer in of_url {
            let name = (of_url.len() > 1).then(|| shown_name(&answer.robot));
            purpose_of(&mut out, answer, name, purpose)?;
        }
        retrieved(&mut out, first)?;
    }
    out.flush()
}

/// The sentence about one robot, with a row for each vocabulary.
fn purpose_of(
    out: &mut impl Write,
    answer: &Answer<'_>,
    name: Option<String>,
    purpose: Usage,
) -> io::Result<()> {
    let Some(said) = answer.decision.usage(purpose) else {
        return Ok(());
    };
    let columns = width::columns(None);
    let name = name.map_or_else(String::new, |name| format!("{name}: "));
    let style = style(said.outcome);
    writeln!(out, "{style}{}{style:#}", wish(answer, said))?;
    writeln!(out, "{name}{}", sentence(answer, said))?;
    if let Some(conditions) = explain::conditions(said) {
        writeln!(out, "  {conditions}")?;
    }
    let place = Usage::PREFERENCES
        .iter()
        .position(|usage| *usage == purpose);
    let place = place.unwrap_or_default();
    for told in answer
        .decision
        .preferences
        .iter()
        .flat_map(|told| &told.vocabularies)
    {
        let own = said.evidence.iter();
        let own = own.filter(|one| one.vocabulary == Some(told.vocabulary));
        let statement = own.map(located).next().unwrap_or_default();
        let (outcome, statement) = match told.usages.get(place) {
            None | Some(Outcome::Unspecified) => ("no preference".to_owned(), statement),
            Some(Outcome::Unknown) => ("unknown".to_owned(), "was not read".to_owned()),
            Some(outcome) => (outcome.to_string(), statement),
        };
        let row = format!("  {:<15} {outcome:<14} {statement}", told.vocabulary.name());
        writeln!(out, "{}", cut(row.trim_end(), columns))?;
    }
    let crawl = answer.decision.usages.crawl();
    let (outcome, because) = if answer.robot.is_control_token() {
        ("–".to_owned(), NEVER_CRAWLS.to_owned())
    } else {
        (crawl.outcome.to_string(), why(crawl))
    };
    let row = format!("  {:<15} {outcome:<14} {because}", "crawl");
    writeln!(out, "{}", cut(row.trim_end(), columns))?;
    for url in &answer.decision.needs {
        writeln!(out, "  {:<15} {}", "needs", visible_url(url))?;
    }
    Ok(())
}

/// What the site asks of the robot, in words: `The site asks Googlebot not to use this page for
/// training.`
fn wish(answer: &Answer<'_>, said: &UsageDecision<'_>) -> String {
    let who = shown_name(&answer.robot);
    let purpose = match said.usage {
        Usage::Train => "for training",
        Usage::AiInput => "as AI input",
        _ => "for search",
    };
    let place = Usage::PREFERENCES.iter().position(|one| *one == said.usage);
    let told = answer.decision.preferences.iter();
    let told = told.flat_map(|told| &told.vocabularies);
    let mut told = told.filter_map(|one| one.usages.get(place?));
    let allows = told.any(|one| matches!(one, Outcome::Permitted | Outcome::Conditional));
    match said.outcome {
        Outcome::Prohibited if allows => format!(
            "The site asks {who} not to use this page {purpose}. Another vocabulary allows it; the \
             strictest counts."
        ),
        Outcome::Prohibited => format!("The site asks {who} not to use this page {purpose}."),
        Outcome::Permitted => format!("The site allows {who} to use this page {purpose}."),
        Outcome::Conditional => {
            format!("The site allows {who} to use this page {purpose} on a condition.")
        }
        Outcome::Unknown => {
            let missing = answer.decision.needs.first();
            let missing = missing.map_or_else(|| "robots.txt".to_owned(), |url| visible_url(url));
            format!(
                "It is not known whether {who} may use this page {purpose}: {missing} was not read."
            )
        }
        Outcome::Unspecified => {
            format!("The site does not say whether {who} may use this page {purpose}.")
        }
    }
}

/// Why the row about crawling is empty.
const NEVER_CRAWLS: &str = "control tokens never crawl";

/// `train: disallowed · line 2: Disallow: / · group line 1: User-agent: Google-Extended`
fn sentence(answer: &Answer<'_>, said: &UsageDecision<'_>) -> String {
    let Some(decided) = said
        .evidence
        .first()
        .filter(|_| said.outcome != Outcome::Unspecified)
    else {
        return format!("{}: no preference is stated", said.usage);
    };
    let mut parts = vec![
        format!("{}: {}", said.usage, said.outcome),
        located(decided),
    ];
    if let Some(group) = &decided.selected_by {
        let starter = group.place.span.of(answer.policy.text().as_bytes());
        parts.push(format!(
            "group line {}: {}",
            group.place.line,
            visible(starter)
        ));
    }
    parts.join(" · ")
}

/// A statement with its place, or why there is none.
fn located(evidence: &Evidence<'_>) -> String {
    let place = explain::place(evidence);
    match (place.is_empty(), evidence.statement.is_empty()) {
        (_, true) => explain::why(evidence),
        (true, false) => visible(evidence.statement),
        (false, false) => format!("{place}: {}", visible(evidence.statement)),
    }
}

/// One answer with all its evidence.
fn alone(out: &mut impl Write, answer: &Answer<'_>, usages: &[Usage]) -> io::Result<()> {
    let layout = Layout {
        usages,
        ..Layout::default()
    };
    let text = explain::text(answer.policy, &answer.decision, layout);
    let (headline, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let first = Usage::ALL.into_iter().find(|usage| usages.contains(usage));
    let style = style(answer.decision.outcome(first.unwrap_or(Usage::Crawl)));
    writeln!(out, "{}", visible_url(answer.typed))?;
    writeln!(out, "{style}{headline}{style:#}")?;
    requested(out, answer)?;
    write!(out, "{rest}")?;
    if let Some(line) = answer.robot.user_agent_line() {
        let line = visible(line.as_bytes());
        writeln!(out, "{:<14}{}, from \"{line}\"", "  robot", answer.robot)?;
        writeln!(
            out,
            "{:<14}{}",
            "",
            answer.robot.identified().unwrap_or_default()
        )?;
    }
    for (at, sentence) in answer.robot.applied(answer.policy).iter().enumerate() {
        let label = if at == 0 { "  documented" } else { "" };
        writeln!(out, "{label:<14}{sentence}")?;
    }
    if let Some(source) = documented_by(answer) {
        writeln!(out, "{:<14}{source}", "")?;
    }
    retrieved(out, answer)
}

/// The page that says so.
fn documented_by(answer: &Answer<'_>) -> Option<String> {
    let known = answer.robot.row()?;
    if answer.robot.applied(answer.policy).is_empty() {
        return None;
    }
    let (operator, checked) = (known.operator, known.checked);
    let page = known.documentation.unwrap_or("a list of robots");
    Some(format!("{operator}: {page} (checked {checked})"))
}

/// A row for each robot and usage.
fn table(out: &mut impl Write, answers: &[Answer<'_>], usages: &[Usage]) -> io::Result<()> {
    let Some(first) = answers.first() else {
        return Ok(());
    };
    let bold = Style::new().bold();
    writeln!(out, "{bold}{}{bold:#}", visible_url(first.typed))?;
    requested(out, first)?;
    let shown: &[Usage] = match usages {
        [] => &[Usage::Crawl],
        usages => usages,
    };
    let name = |answer: &Answer<'_>| shown_name(&answer.robot);
    let widest = answers.iter().map(|one| name(one).chars().count()).max();
    let columns = width::columns(None);
    let width = widest.unwrap_or_default().min(columns / 2);
    for answer in answers {
        let said = shown
            .iter()
            .filter_map(|usage| answer.decision.usage(*usage));
        for (at, said) in said.enumerate() {
            let name = if at == 0 { name(answer) } else { String::new() };
            let row = RowLayout {
                name: &name,
                width,
                shows_usage: shown.len() > 1,
                columns,
            };
            row.write(out, said)?;
        }
        let identified = answer.robot.identified().into_iter();
        for sentence in identified.chain(answer.robot.applied(answer.policy)) {
            writeln!(out, "  {:width$}  ({sentence})", "")?;
        }
    }
    retrieved(out, first)
}

/// A row of the table.
struct RowLayout<'a> {
    name: &'a str,
    /// The width of names.
    width: usize,
    shows_usage: bool,
    /// The width of the whole.
    columns: usize,
}

impl RowLayout<'_> {
    fn write(&self, out: &mut impl Write, said: &UsageDecision<'_>) -> io::Result<()> {
        let style = style(said.outcome);
        let usage = if self.shows_usage {
            format!("{:<20}  ", said.usage.name())
        } else {
            String::new()
        };
        let outcome = said.outcome.to_string();
        let (name, width) = (self.name, self.width);
        let before = 2 + width + 2 + usage.len() + 10 + 2;
        let why = cut(&why(said), self.columns.saturating_sub(before).max(24));
        writeln!(
            out,
            "  {name:width$}  {usage}{style}{outcome:<10}{style:#}  {why}"
        )
    }
}

/// `line 5: Disallow: /`, or a reason that is not a line.
fn why(said: &UsageDecision<'_>) -> String {
    let Some(decided) = said.evidence.first() else {
        return String::new();
    };
    let is_statement = decided.source != Source::Default && !decided.statement.is_empty();
    match decided.place {
        Some(place) if is_statement => {
            format!("line {}: {}", place.line, visible(decided.statement))
        }
        _ => explain::why(decided),
    }
}

/// The name of a robot in a table.
fn shown_name(robot: &Robot) -> String {
    if robot.names().is_empty() {
        "any other robot".to_owned()
    } else {
        robot.to_string()
    }
}

fn requested(out: &mut impl Write, answer: &Answer<'_>) -> io::Result<()> {
    if answer.typed == answer.target.url() {
        return Ok(());
    }
    let requested = visible_url(answer.target.url());
    writeln!(out, "{:<14}{requested}", "  requested")
}

fn retrieved(out: &mut impl Write, answer: &Answer<'_>) -> io::Result<()> {
    match &answer.retrieval {
        Some(retrieval) => writeln!(out, "{:<14}{retrieval}", "  retrieved"),
        None => Ok(()),
    }
}

fn style(outcome: Outcome) -> Style {
    colour::of(outcome).on_default().bold()
}
