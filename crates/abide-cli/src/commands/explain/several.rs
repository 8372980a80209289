//! Shows the file as several robots read it: a table with one row per robot, then the reasons.
//! Robots that share their reasons share a paragraph.

use super::view::View;
use super::{asked_by, verb};
use crate::colour;
use crate::width::{cut, heading, paragraph};
use abide::explain::visible_url;
use abide::rep::Access;
use abide::verdict::Place;
use abide::{Outcome, Usage, explain};
use abide_analysis::view::{Extent, FileView, PageView, sentences};
use abide_analysis::words::enumerated_all;
use abide_known_robots::Robot;
use anstyle::Style;
use std::io::{self, Write};

/// The largest width of the names in a table.
const MAX_NAME_COLUMNS: usize = 28;

/// Writes the answers for all robots; with `all`, also the marked file of each.
pub(super) fn write(
    out: &mut impl Write,
    views: &[(&Robot, View<'_>)],
    name: &str,
    all: bool,
) -> io::Result<()> {
    for (robot, _) in views {
        asked_by(out, robot)?;
    }
    writeln!(out, "{name} as {} robots read it", views.len())?;
    table(out, views)?;
    let mut shared = shared(views);
    for (own, robots) in &mut shared {
        block(out, own, robots)?;
    }
    if all {
        for (_, view) in views {
            view.marked(out, name)?;
        }
    }
    Ok(())
}

/// Writes a row for each robot; with pages, a table for each of them.
fn table(out: &mut impl Write, views: &[(&Robot, View<'_>)]) -> io::Result<()> {
    let names = views.iter().map(|(robot, _)| robot.to_string());
    let longest = names.map(|name| name.chars().count()).max();
    let width = longest
        .unwrap_or_default()
        .clamp("robot".len(), MAX_NAME_COLUMNS);
    let pages = views.first().map_or(0, |(_, view)| view.pages.len());
    if pages == 0 {
        let has_token = views.iter().any(|(robot, _)| verb(robot) == "use");
        let may = if has_token {
            "may crawl or use"
        } else {
            "may crawl"
        };
        let columns = views.first().map_or(0, |(_, view)| view.width);
        let may = cut(may, columns.saturating_sub(width + 4));
        writeln!(out, "\n  {:width$}  {may}", "robot")?;
        for (robot, view) in views {
            let extent = sentences::extent(view.reading);
            let refuses = robot
                .row()
                .is_some_and(|row| row.follows_robots_txt == Some(false));
            let but = if refuses { " (ignores robots.txt)" } else { "" };
            let extent = format!("{extent}{but}");
            let style = style_of(view.reading);
            row(out, &robot.to_string(), width, &extent, style, view.width)?;
        }
    }
    for at in 0..pages {
        let page = views.first().and_then(|(_, view)| view.pages.get(at));
        let url = page.map_or_else(String::new, |page| visible_url(page.url()));
        let columns = views.first().map_or(0, |(_, view)| view.width);
        writeln!(out, "\n{}", cut(&url, columns))?;
        for (robot, view) in views {
            if let Some(page) = view.pages.get(at) {
                let outcome = page.decision.outcome(Usage::Crawl);
                let answer = answer(view, page, outcome);
                row(
                    out,
                    &robot.to_string(),
                    width,
                    &answer,
                    colour::of(outcome),
                    view.width,
                )?;
            }
        }
    }
    Ok(())
}

fn row(
    out: &mut impl Write,
    name: &str,
    names: usize,
    answer: &str,
    style: Style,
    width: usize,
) -> io::Result<()> {
    let name = cut(name, names);
    let answer = cut(answer, width.saturating_sub(names + 4));
    writeln!(out, "  {name:names$}  {style}{answer}{style:#}")
}

/// ``disallowed  line 4: `Disallow: /` ``
fn answer(view: &View<'_>, page: &PageView<'_>, outcome: Outcome) -> String {
    let crawl = page.decision.usage(Usage::Crawl);
    let first = crawl.and_then(|crawl| crawl.evidence.first());
    let why = first.map(|first| match (first.place, first.locator()) {
        (Some(Place { line, .. }), None) if sentences::is_statement(first) => {
            format!(
                "line {line}: {}",
                sentences::quoted(view.reading.policy(), line)
            )
        }
        _ => explain::why(first),
    });
    let outcome = outcome.to_string();
    format!("{outcome:10}  {}", why.unwrap_or_default())
}

fn style_of(view: &FileView<'_>) -> Style {
    colour::of(match (view.access(), view.extent()) {
        (Access::Rules, Extent::Everything) | (Access::Unavailable(_), _) => Outcome::Permitted,
        (Access::Rules, Extent::Nothing) | (Access::Unreachable(_), _) => Outcome::Prohibited,
        _ => Outcome::Conditional,
    })
}

type SharedViews<'r, 'v> = Vec<(&'r View<'v>, Vec<&'r Robot>)>;

/// The robots with the same reasons, and the view of the first of them.
fn shared<'r, 'v>(views: &'r [(&'r Robot, View<'v>)]) -> SharedViews<'r, 'v> {
    let mut shared: Vec<(String, (&View<'v>, Vec<&Robot>))> = Vec::new();
    for (robot, view) in views {
        let text = reasons(view, Some("")).join("\n");
        // `*` has sentences of its own.
        let known = shared
            .iter_mut()
            .find(|(known, _)| *known == text && robot.name() != "*");
        match known {
            Some((_, (_, robots))) => robots.push(robot),
            None if robot.name() == "*" => shared.push((String::new(), (view, vec![robot]))),
            None => shared.push((text, (view, vec![robot]))),
        }
    }
    shared.into_iter().map(|(_, own)| own).collect()
}

/// The verdicts, then the paragraphs; for several robots, with their names.
fn reasons(view: &View<'_>, several: Option<&str>) -> Vec<String> {
    let reading = match several {
        Some(names) => view.reading.clone().for_several(names),
        None => view.reading.clone(),
    };
    if view.pages.is_empty() {
        let mut reasons = vec![sentences::verdict(&reading)];
        reasons.extend(sentences::site_preferences(&reading));
        reasons.push(sentences::file(&reading));
        return reasons;
    }
    let verdicts = view.pages.iter();
    let verdicts = verdicts.map(|page| sentences::page_verdict(&reading, page));
    let pages = view.pages.iter().flat_map(|page| {
        let findings = sentences::findings(reading.policy(), &page.decision).into_iter();
        let findings = findings.map(|finding| format!("Warning: {finding}"));
        let preferences = sentences::page_preferences(&reading, page);
        let reasons = preferences.into_iter().chain([sentences::page(page)]);
        reasons.chain(findings)
    });
    let groups = std::iter::once(sentences::groups(&reading));
    let delay = sentences::delay(&reading);
    verdicts.chain(groups).chain(delay).chain(pages).collect()
}

/// Writes the verdicts and the reasons of some robots.
fn block(out: &mut impl Write, view: &View<'_>, robots: &[&Robot]) -> io::Result<()> {
    let names: Vec<_> = robots.iter().map(ToString::to_string).collect();
    let reasons = match names.as_slice() {
        [_] => reasons(view, None),
        [] => return Ok(()),
        several => reasons(view, Some(&enumerated_all(several))),
    };
    let verdicts = view.pages.len().max(1);
    writeln!(out)?;
    for verdict in reasons.iter().take(verdicts) {
        heading(out, verdict, view.width)?;
    }
    let rest: Vec<_> = reasons.iter().skip(verdicts).cloned().collect();
    paragraph(out, &rest.join(" "), 2, view.width)
}
