//! Shows answers to people: in full for one robot, as a table for several.

use crate::colour;
use crate::url_answers::Answer;
use crate::width::{self, cut};
use abide::explain::{self, Layout, visible, visible_url};
use abide::verdict::{Reason, Role, Source};
use abide::{Evidence, Outcome, Usage, UsageDecision, VocabularyAnswer};
use abide_analysis::view::sentences;
use abide_analysis::words;
use abide_known_robots::Robot;
use anstyle::Style;
use std::io::{self, Write};

/// Writes whether the site asks not to use a page for `purposes`: one sentence each, then what each
/// vocabulary says, and whether the page may be crawled.
pub(super) fn purposes(
    out: &mut impl Write,
    answers: &[Answer<'_>],
    purposes: &[Usage],
) -> io::Result<()> {
    let Some(first) = answers.first() else {
        return Ok(());
    };
    writeln!(out, "{}", visible_url(first.typed))?;
    requested(out, first)?;
    for answer in answers {
        let name = (answers.len() > 1).then(|| shown_name(answer.robot));
        for purpose in purposes {
            purpose_of(out, answer, name.as_deref(), *purpose)?;
        }
        crawl_and_needs(out, answer)?;
    }
    retrieved(out, first)
}

/// The sentence about one robot, with a row for each vocabulary.
fn purpose_of(
    out: &mut impl Write,
    answer: &Answer<'_>,
    name: Option<&str>,
    purpose: Usage,
) -> io::Result<()> {
    let Some(decision) = answer.decision.usage(purpose) else {
        return Ok(());
    };
    let name = name.map_or_else(String::new, |name| format!("{name}: "));
    let style = style(decision.outcome);
    writeln!(out, "{style}{}{style:#}", wish(answer, decision))?;
    for sentence in asked_of_applications(answer, purpose)
        .into_iter()
        .chain(remarks(answer, decision))
    {
        writeln!(out, "{sentence}")?;
    }
    writeln!(out, "{name}{}", sentence(answer, decision))?;
    if let Some(conditions) = explain::conditions(decision) {
        writeln!(out, "  {conditions}")?;
    }
    for vocabulary_answer in vocabularies(answer) {
        let own = || {
            let own = decision.evidence.iter();
            own.filter(|one| one.vocabulary == Some(vocabulary_answer.vocabulary))
        };
        let heard = own().find(|one| one.reason != Reason::OtherGroup);
        let first = heard.or_else(|| own().next());
        let outcome = vocabulary_answer.outcome(purpose);
        let statement = match outcome {
            Outcome::Unknown => "was not read".to_owned(),
            _ => first.map(located).unwrap_or_default(),
        };
        let outcome = words::preference_outcome(outcome);
        row(
            out,
            vocabulary_answer.vocabulary.name(),
            &outcome,
            &statement,
        )?;
        if let Some(why) = first.and_then(|first| without_effect(answer, first)) {
            row(out, "", "", &format!("because {why}"))?;
        }
    }
    let mut acap = decision.evidence.iter();
    if let Some(acap) = acap.find(|one| matches!(one.source, Source::Acap | Source::AcapReference))
    {
        row(out, "acap", &decision.outcome.to_string(), &located(acap))?;
    }
    Ok(())
}

/// The rows about crawling and about what is missing, and notes about licences.
fn crawl_and_needs(out: &mut impl Write, answer: &Answer<'_>) -> io::Result<()> {
    let crawl = answer.decision.usages.crawl();
    let (outcome, because) = if answer.robot.is_control_token() {
        ("–".to_owned(), NEVER_CRAWLS.to_owned())
    } else {
        (crawl.outcome.to_string(), why(crawl))
    };
    row(out, "crawl", &outcome, &because)?;
    for url in &answer.decision.needs {
        writeln!(out, "  {:<15} {}", "needs", visible_url(url))?;
    }
    licences(out, answer)
}

/// What is wrong with licences, so that they are not read as they were meant.
fn licences(out: &mut impl Write, answer: &Answer<'_>) -> io::Result<()> {
    let found = sentences::findings(answer.policy, &answer.decision);
    for finding in found
        .iter()
        .filter(|text| !text.ends_with("[url-not-as-sent]"))
    {
        writeln!(out, "  {finding}")?;
    }
    Ok(())
}

/// A row of the answer, cut to the width of the terminal.
fn row(out: &mut impl Write, name: &str, outcome: &str, text: &str) -> io::Result<()> {
    let row = format!("  {name:<15} {outcome:<14} {text}");
    writeln!(out, "{}", cut(row.trim_end(), width::columns(None)))
}

fn vocabularies<'a>(answer: &'a Answer<'_>) -> impl Iterator<Item = &'a VocabularyAnswer<'a>> {
    let preferences = answer.decision.preferences.iter();
    preferences.flat_map(|preferences| &preferences.vocabularies)
}

/// Why a statement does not count for the robot, and what makes an unreadable one count.
fn without_effect(answer: &Answer<'_>, evidence: &Evidence<'_>) -> Option<String> {
    Some(match evidence.reason {
        reason if reason.is_unreadable() => "it cannot be read".to_owned(),
        Reason::CrawlProhibited => {
            format!("the path may not be crawled{}", crawl_line(answer))
        }
        Reason::OtherGroup => format!("its group is not for {}", shown_name(answer.robot)),
        Reason::OlderWord => {
            let word = visible(evidence.rule().unwrap_or_default().as_bytes());
            format!("{word} is a word of an earlier revision")
        }
        Reason::OutsideGroup => "it is before the first User-agent line".to_owned(),
        Reason::Unparsable => "it cannot be read, so it says nothing".to_owned(),
        _ => return None,
    })
}

/// The line that decides about crawling: ` (line 3)`.
fn crawl_line(answer: &Answer<'_>) -> String {
    let decided = answer.decision.usages.crawl().evidence.first();
    let place = decided.and_then(|decided| decided.place);
    place.map_or_else(String::new, |place| format!(" (line {})", place.line))
}

/// What the site asks of the robot, in words: `The site asks Googlebot not to use this page for
/// training.`
fn wish(answer: &Answer<'_>, decision: &UsageDecision<'_>) -> String {
    let who = shown_name(answer.robot);
    let about = words::usage(decision.usage);
    let purpose = for_purpose(decision.usage);
    let asked = asked_of(&who, decision);
    let mut outcomes = vocabularies(answer).map(|one| one.outcome(decision.usage));
    let allows = outcomes.any(|one| matches!(one, Outcome::Permitted | Outcome::Conditional));
    let is_closed = answer.decision.outcome(Usage::Crawl) == Outcome::Prohibited
        && !answer.robot.is_control_token();
    let wish = match decision.outcome {
        Outcome::Prohibited if !is_asked(decision) => return unreadable(decision, &who, &purpose),
        Outcome::Prohibited if allows => {
            format!("{asked}. Another vocabulary allows it; the strictest counts.")
        }
        Outcome::Unknown => {
            let missing = answer.decision.needs.first();
            let missing = missing.map_or_else(|| "robots.txt".to_owned(), |url| visible_url(url));
            format!("{asked}: {missing} was not read.")
        }
        Outcome::Unspecified if is_closed => format!("About {about} the file says nothing."),
        _ => format!("{asked}."),
    };
    if !is_closed {
        return wish;
    }
    let by = crawl_line(answer);
    let void = lines_with(decision, Reason::CrawlProhibited);
    if decision.outcome == Outcome::Unspecified && !void.is_empty() {
        let (noun, verb) = match void.as_slice() {
            [_] => ("preference", "has"),
            _ => ("preferences", "have"),
        };
        let on = words::lines(&void);
        return format!(
            "{who} may not fetch this page{by}, so the {noun} on {on} {verb} no effect."
        );
    }
    format!("{who} may not fetch this page{by}. {wish}")
}

/// Whether a statement of the site prohibits the usage, and not only something unreadable.
fn is_asked(decision: &UsageDecision<'_>) -> bool {
    let mut evidence = decision.evidence.iter();
    evidence
        .any(|one| matches!(one.role, Role::Decided | Role::Agreed) && !one.reason.is_unreadable())
}

/// `The licence https://e.example/l cannot be read and therefore counts as unlicensed, so …`
fn unreadable(decision: &UsageDecision<'_>, who: &str, purpose: &str) -> String {
    let first = decision.evidence.first();
    let because = first.map(explain::why).unwrap_or_default();
    let url = first.and_then(|first| first.locator());
    let because = match url {
        Some(url) => because.replacen(
            "the licence",
            &format!("The licence {}", visible_url(url)),
            1,
        ),
        None => because.replacen("the licence", "The licence in the page", 1),
    };
    format!("{because}, so {who} may not use this page {purpose}.")
}

/// What else is to be known about a usage of which nothing is said: which lines do not count.
fn remarks(answer: &Answer<'_>, decision: &UsageDecision<'_>) -> Vec<String> {
    if decision.outcome != Outcome::Unspecified {
        return Vec::new();
    }
    let older = decision.evidence.iter();
    let older = older.filter(|one| one.reason == Reason::OlderWord);
    let older = older.map(|one| {
        let place = explain::place(one);
        let word = visible(one.rule().unwrap_or_default().as_bytes());
        format!("{place} says {word}, a word of an earlier revision, which does not count.")
    });
    let others = lines_with(decision, Reason::OtherGroup);
    let others = sentences::not_for(&shown_name(answer.robot), &others);
    older
        .map(|text| words::capital(&text))
        .chain(others)
        .collect()
}

/// The lines of evidence with a reason.
fn lines_with(decision: &UsageDecision<'_>, reason: Reason) -> Vec<u32> {
    let own = decision.evidence.iter().filter(|one| one.reason == reason);
    own.filter_map(|one| Some(one.place?.line)).collect()
}

/// What the site prefers for each application, with the statements that say so (AMB-APP-24).
fn asked_of_applications(answer: &Answer<'_>, purpose: Usage) -> Vec<String> {
    let mut sentences = Vec::new();
    for application in &answer.decision.applications {
        let mut preferences = application.preferences.iter();
        let Some(preference) = preferences.find(|one| one.usage == purpose) else {
            continue;
        };
        let who = visible(application.id.as_bytes());
        sentences.push(match explain::by_directives(application, preference) {
            Some(because) => {
                let asked = asked_of(&who, preference);
                format!("{asked}: {because}.")
            }
            None => format!(
                "For {who} the answer is the same: no registered directive of it is about {}.",
                words::usage(purpose)
            ),
        });
    }
    sentences
}

/// What the site asks about a usage: `The site allows examplesearch to use this page for training`.
fn asked_of(who: &str, decision: &UsageDecision<'_>) -> String {
    let purpose = for_purpose(decision.usage);
    match decision.outcome {
        Outcome::Prohibited => format!("The site asks {who} not to use this page {purpose}"),
        Outcome::Permitted => format!("The site allows {who} to use this page {purpose}"),
        Outcome::Conditional => {
            format!("The site allows {who} to use this page {purpose} on a condition")
        }
        Outcome::Unknown => format!("It is not known whether {who} may use this page {purpose}"),
        Outcome::Unspecified => {
            format!("The site does not say whether {who} may use this page {purpose}")
        }
    }
}

/// `for training`, `as AI input`.
fn for_purpose(usage: Usage) -> String {
    let about = words::usage(usage);
    match usage {
        Usage::AiInput => format!("as {about}"),
        _ => format!("for {about}"),
    }
}

/// Why the row about crawling is empty.
const NEVER_CRAWLS: &str = "control tokens never crawl";

/// `train: disallowed · line 2: Disallow: / · group line 1: User-agent: Google-Extended`
fn sentence(answer: &Answer<'_>, decision: &UsageDecision<'_>) -> String {
    let Some(decided) = decision
        .evidence
        .first()
        .filter(|_| decision.outcome != Outcome::Unspecified)
    else {
        return format!("{}: no preference is stated", decision.usage);
    };
    let mut parts = vec![
        format!("{}: {}", decision.usage, decision.outcome),
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

/// Writes one answer with all its evidence.
pub(super) fn one(out: &mut impl Write, answer: &Answer<'_>, usages: &[Usage]) -> io::Result<()> {
    let layout = Layout {
        usages,
        ..Layout::default()
    };
    let text = explain::text(answer.policy, &answer.decision, layout);
    let (headline, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let first = Usage::ALL
        .iter()
        .copied()
        .find(|usage| usages.contains(usage));
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
    let applied = answer.robot.applied(answer.policy);
    for (at, sentence) in applied.iter().enumerate() {
        let label = if at == 0 { "  documented" } else { "" };
        writeln!(out, "{label:<14}{sentence}")?;
    }
    if let Some(known) = answer.robot.row().filter(|_| !applied.is_empty()) {
        let (operator, checked) = (known.operator, known.checked);
        let page = known.documentation.unwrap_or("a list of robots");
        writeln!(out, "{:<14}{operator}: {page} (checked {checked})", "")?;
    }
    licences(out, answer)?;
    retrieved(out, answer)
}

/// Writes a row for each robot and usage. If none is asked for, a row for each robot about
/// crawling, and a grid of the other usages that the site mentions.
pub(super) fn several(
    out: &mut impl Write,
    answers: &[Answer<'_>],
    usages: &[Usage],
) -> io::Result<()> {
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
    let name = |answer: &Answer<'_>| shown_name(answer.robot);
    let widest = answers.iter().map(|one| name(one).chars().count()).max();
    let columns = width::columns(None);
    let width = widest.unwrap_or_default().min(columns / 2);
    for answer in answers {
        let decision = shown
            .iter()
            .filter_map(|usage| answer.decision.usage(*usage));
        for (at, decision) in decision.enumerate() {
            let name = if at == 0 { name(answer) } else { String::new() };
            let usage = match shown {
                [_] => String::new(),
                _ => format!("{:<20}  ", decision.usage.name()),
            };
            let (style, outcome) = (style(decision.outcome), decision.outcome.to_string());
            let before = 2 + width + 2 + usage.len() + 10 + 2;
            let why = cut(&why(decision), columns.saturating_sub(before).max(24));
            writeln!(
                out,
                "  {name:width$}  {usage}{style}{outcome:<10}{style:#}  {why}"
            )?;
        }
        let identified = answer.robot.identified().into_iter();
        for sentence in identified.chain(answer.robot.applied(answer.policy)) {
            writeln!(out, "  {:width$}  ({sentence})", "")?;
        }
    }
    if usages.is_empty() {
        grid(out, answers, width, columns)?;
    }
    for answer in answers {
        if let Some(missed) = explain::not_seen(&answer.decision, &name(answer)) {
            width::paragraph(out, &missed, 2, columns)?;
        }
    }
    retrieved(out, first)
}

/// The usages that the site mentions to any of the robots, beside crawling, with a row for each
/// robot. All that are about AI preferences are there if these are asked for. A grid that is too
/// wide for `columns` goes on below.
fn grid(
    out: &mut impl Write,
    answers: &[Answer<'_>],
    width: usize,
    columns: usize,
) -> io::Result<()> {
    let is_shown = |usage: &Usage| {
        let decision = answers.iter().filter_map(|one| one.decision.usage(*usage));
        let is_preference = Usage::PREFERENCES.contains(usage);
        decision
            .into_iter()
            .any(|decision| is_preference || decision.is_mentioned())
    };
    let others = Usage::ALL
        .iter()
        .copied()
        .filter(|usage| *usage != Usage::Crawl);
    let shown: Vec<Usage> = others.filter(is_shown).collect();
    let widest = shown.iter().map(|usage| usage.name().len()).max();
    let cell = widest.unwrap_or_default().max("unspecified".len()) + 2;
    let fitting = (columns.saturating_sub(2 + width + 2) / cell).max(1);
    for part in shown.chunks(fitting) {
        writeln!(out)?;
        let names = part.iter().map(|usage| format!("{:<cell$}", usage.name()));
        let head = format!("  {:width$}  {}", "", names.collect::<String>());
        writeln!(out, "{}", head.trim_end())?;
        for answer in answers {
            write!(out, "  {:<width$}", shown_name(answer.robot))?;
            let mut blanks = 2;
            for usage in part {
                let outcome = answer.decision.outcome(*usage);
                let (style, word) = (style(outcome), outcome.to_string());
                write!(out, "{:blanks$}{style}{word}{style:#}", "")?;
                blanks = cell.saturating_sub(word.len());
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

/// `line 5: Disallow: /`, or a reason that is not a line.
fn why(decision: &UsageDecision<'_>) -> String {
    let Some(decided) = decision.evidence.first() else {
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
    match answer.retrieval {
        Some(retrieval) => writeln!(out, "{:<14}{retrieval}", "  retrieved"),
        None => Ok(()),
    }
}

fn style(outcome: Outcome) -> Style {
    colour::of(outcome).bold()
}
