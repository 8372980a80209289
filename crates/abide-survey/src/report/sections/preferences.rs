//! What sites ask about training, AI input and search.

use super::{BarPart, by_last_capture, missing, part_columns, present, robot_name, that_answer};
use crate::report::document::{
    Cell, Chart, ChartRow, Color, Figure, ReportColumn, ReportTable, RowLabel, Section, sites_in,
};
use crate::report::numbers::{Numbers, Outcomes, RobotAccess, RobotCount, VocabularyCount};
use abide::Usage;
use abide_analysis::words::{Phrase, usage};

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
    let row = |count: &VocabularyCount| {
        vec![
            Cell::words(title(count.vocabulary)),
            Cell::Share(count.sites, sites),
            Cell::Count(count.lines),
        ]
    };
    let columns = vec![
        ReportColumn::text("vocabulary"),
        ReportColumn::part("sites"),
        ReportColumn::count("lines or names"),
    ];
    let all = sites_in(sites, "site", "sites");
    let by = by_last_capture(&numbers.coverage);
    let figure = Figure::new(
        "vocabularies",
        format!("Sites whose robots.txt uses a vocabulary ({all} with a robots.txt)"),
        format!(
            "Each bar is a vocabulary: the share of {all} with a robots.txt that use it, {by}, whatever they say with it."
        ),
        ReportTable::new(columns, numbers.vocabularies.iter().map(row)),
    );
    figure.with_bars(1, usize::MAX)
}

/// The three uses of a robot's count, in order.
fn uses(robot: &RobotCount) -> [(&'static str, Outcomes); 3] {
    [
        (usage(Usage::Train), robot.train),
        (usage(Usage::AiInput), robot.ai_input),
        (usage(Usage::Search), robot.search),
    ]
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

/// What sites ask of one robot, as a chart, and of each robot, as a table.
fn outcomes(numbers: &Numbers, robots: &RobotAccess) -> Option<Figure> {
    let any = robots.robots.iter().position(|robot| robot.robot == "*");
    let at = any.unwrap_or_default();
    let shown = robots.robots.get(at)?;
    let answering = that_answer(&numbers.coverage);
    let caption = Phrase::of(
        "What sites ask of each robot about training, AI input and search, on the path ",
    );
    let caption = caption.name(&robots.path).words(format!(" ({answering})"));
    let has_chart = uses(shown)
        .iter()
        .any(|(_, outcomes)| !outcomes.stated().is_none());
    let by = by_last_capture(&numbers.coverage);
    let robot = robot_name(&shown.robot);
    let note = if has_chart {
        format!(
            "Each bar is a use, for {robot}: what {answering} ask about it, {by}. The table has each robot. A site that only closes itself to a robot states no preference."
        )
    } else {
        format!("Each row is a robot and a use: what {answering} ask about it, {by}.")
    };
    let mut figure = Figure::new("preferences", "", note, table(robots));
    figure.caption = caption;
    let drawn = present(&PARTS, uses(shown).iter().map(|(_, outcomes)| outcomes));
    Some(figure.drawn(has_chart, || {
        let rows = uses(shown)
            .into_iter()
            .enumerate()
            .map(|(used, (name, _))| ChartRow {
                row: at * uses(shown).len() + used,
                label: RowLabel::named(name),
            });
        // Only parts that the robot has, in the columns of all.
        let (_, parts) = part_columns(&PARTS, 2);
        let is_there = |color| drawn.iter().any(|(_, one, _)| *one == color);
        let parts = parts.into_iter().filter(|part| is_there(part.color));
        Chart::Stacked {
            rows: rows.collect(),
            parts: parts.collect(),
        }
    }))
}

fn table(robots: &RobotAccess) -> ReportTable {
    let (columns, _) = part_columns(&PARTS, 2);
    let first = [ReportColumn::text("robot"), ReportColumn::text("use")];
    let columns = first
        .into_iter()
        .chain(columns)
        .chain([ReportColumn::whole()]);
    let robots = robots.robots.iter();
    let uses = robots.flat_map(|robot| uses(robot).map(|used| (robot, used)));
    let rows = uses.map(|(robot, (name, outcomes))| {
        let cells = [Cell::name(&robot.robot), Cell::words(name)];
        let counts = PARTS.iter().map(|(_, _, part)| part(&outcomes));
        let counts = counts.map(|count| Cell::Share(count, outcomes.sites()));
        let sites = [Cell::Sites(outcomes.sites())];
        cells.into_iter().chain(counts).chain(sites).collect()
    });
    ReportTable::new(columns.collect(), rows)
}
