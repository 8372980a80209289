//! What sites ask about training, AI input and search.

use super::{BarPart, missing, robot_name};
use crate::report::document::{
    Cell, Chart, Color, Figure, ReportTable, RowLabel, Section, Series, percent,
};
use crate::report::numbers::{Numbers, Outcomes, RobotAccess, RobotCount, VocabularyCount};
use abide::Usage;
use abide_analysis::words::{Phrase, counted, usage};

pub(super) fn section(numbers: &Numbers) -> Section {
    let mut section = Section {
        id: "preferences",
        title: "Preferences about AI",
        paragraphs: Vec::new(),
        figures: vec![vocabularies(numbers)],
    };
    section.paragraphs.push(Phrase::of(
        "Sites state preferences about AI in several vocabularies. A control token is a name such as Google-Extended: its group says how content may be used that other robots crawl. ACAP is older, and not about AI.",
    ));
    match &numbers.robots {
        None => section.paragraphs.push(missing("robots")),
        Some(robots) => section.figures.extend(outcomes(numbers, robots)),
    }
    section
}

/// The name of a vocabulary as people know it.
fn title(vocabulary: &str) -> &str {
    match vocabulary {
        "content-usage" => "Content-Usage lines",
        "content-signal" => "Content-Signal lines",
        "rsl" => "License lines (RSL)",
        "control-token" => "control tokens",
        "acap" => "ACAP lines",
        other => other,
    }
}

fn vocabularies(numbers: &Numbers) -> Figure {
    let sites = numbers.coverage.with_file;
    let value = |count: &VocabularyCount| percent(count.sites, sites).unwrap_or_default();
    let counts = &numbers.vocabularies;
    let chart = Chart::Bars {
        rows: counts
            .iter()
            .map(|count| RowLabel::named(title(count.vocabulary)))
            .collect(),
        values: counts.iter().map(value).collect(),
    };
    let row = |count: &VocabularyCount| {
        vec![
            Cell::words(title(count.vocabulary)),
            Cell::Share(count.sites, sites),
            Cell::Count(count.lines),
        ]
    };
    Figure {
        caption: Phrase::of(format!(
            "Sites whose robots.txt uses a vocabulary ({} with a robots.txt)",
            counted(sites, "site", "sites")
        )),
        chart: (sites > 0).then_some(chart),
        table: ReportTable::new(
            ["vocabulary", "sites", "lines or names"],
            counts.iter().map(row),
        ),
    }
}

/// The three uses of a robot's count, in order.
fn uses(robot: &RobotCount) -> [(&'static str, Outcomes); 3] {
    [
        (usage(Usage::Train), robot.train),
        (usage(Usage::AiInput), robot.ai_input),
        (usage(Usage::Search), robot.search),
    ]
}

/// What sites ask of one robot, as a chart, and of each robot, as a table.
fn outcomes(numbers: &Numbers, robots: &RobotAccess) -> Option<Figure> {
    let any = robots.robots.iter().find(|robot| robot.robot == "*");
    let shown = any.or_else(|| robots.robots.first())?;
    let caption = Phrase::of(
        "What sites ask of each robot about training, AI input and search, on the path ",
    )
    .name(&robots.path)
    .words(format!(
        " ({}).",
        counted(
            numbers.coverage.answered,
            "site that answers",
            "sites that answer"
        )
    ));
    let is_stated = |(_, outcomes): &(_, Outcomes)| outcomes.stated() > 0;
    let has_chart = uses(shown).iter().any(is_stated);
    let caption = if has_chart {
        caption
            .words(" The chart is about ")
            .name(&robot_name(&shown.robot))
            .words(".")
    } else {
        caption
    };
    Some(Figure {
        caption,
        chart: has_chart.then(|| chart(shown)),
        table: table(robots),
    })
}

const PARTS: [BarPart<Outcomes>; 5] = [
    ("disallowed", Color::Closed, |outcomes| outcomes.prohibited),
    ("conditional", Color::Some, |outcomes| outcomes.conditional),
    ("allowed", Color::Open, |outcomes| outcomes.permitted),
    ("not known", Color::Unknown, |outcomes| outcomes.unknown),
    ("no preference", Color::Silent, |outcomes| {
        outcomes.unspecified
    }),
];

fn chart(robot: &RobotCount) -> Chart {
    let uses = uses(robot);
    let is_there = |part: &BarPart<Outcomes>| uses.iter().any(|(_, outcomes)| part.2(outcomes) > 0);
    let parts = PARTS.into_iter().filter(is_there);
    let parts = parts.map(|(name, color, part)| Series {
        name: name.to_owned(),
        color,
        values: uses
            .iter()
            .map(|(_, outcomes)| percent(part(outcomes), outcomes.sites()))
            .collect(),
    });
    Chart::Stacked {
        rows: uses
            .iter()
            .map(|(name, _)| RowLabel::named(*name))
            .collect(),
        parts: parts.collect(),
    }
}

fn table(robots: &RobotAccess) -> ReportTable {
    let names = PARTS.iter().map(|(name, _, _)| *name);
    let columns = ["robot", "use"].into_iter().chain(names);
    let robots = robots.robots.iter();
    let uses = robots.flat_map(|robot| uses(robot).map(|used| (robot, used)));
    let rows = uses.map(|(robot, (name, outcomes))| {
        let mut cells = vec![Cell::name(&robot.robot), Cell::words(name)];
        let counts = PARTS.iter().map(|(_, _, part)| part(&outcomes));
        cells.extend(counts.map(|count| Cell::Share(count, outcomes.sites())));
        cells
    });
    ReportTable::new(columns, rows)
}
