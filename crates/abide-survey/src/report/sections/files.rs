//! What counts, what sites answer, and how large the files are.

use super::by_last_capture;
use crate::report::document::{Cell, Figure, ReportColumn, ReportTable, Section, share, sites_in};
use crate::report::numbers::{Bucket, CaptureState, Numbers, StateCount, StatusCount};
use abide_analysis::words::{Phrase, counted, grouped};

pub(super) fn coverage(numbers: &Numbers) -> Section {
    let coverage = &numbers.coverage;
    let mut paragraphs = vec![Phrase::of(
        "A site is a host, with its port if that is not the default one. It counts once: with its last capture.",
    )];
    let left_out = (coverage.sites - coverage.answered).number();
    let how = "what robots may do: with a robots.txt, or by having none, which allows everything.";
    paragraphs.push(Phrase::of(match (left_out, coverage.sites.number()) {
        (_, 0) => "The survey has no site.".to_owned(),
        (0, 1) => format!("The site answers {how}"),
        (0, _) => format!("All sites answer {how}"),
        (left_out, _) => format!(
            "{} of {} ({}) {} {how} Shares of sites that are about robots leave out the other {}, because the answer is not known.",
            grouped(coverage.answered.number()),
            sites_in(coverage.sites, "site", "sites"),
            share(coverage.answered, coverage.sites),
            if coverage.answered.number() == 1 { "answers" } else { "answer" },
            if left_out == 1 { "one".to_owned() } else { grouped(left_out) }
        ),
    }));
    Section {
        id: "coverage",
        title: "What is counted",
        paragraphs,
        figures: vec![states(numbers)],
    }
}

/// What a state means.
const fn meaning(state: CaptureState) -> &'static str {
    match state {
        CaptureState::Rules => "robots.txt with rules",
        CaptureState::Empty => "robots.txt without rules",
        CaptureState::Cut => "robots.txt, cut at the parsing limit",
        CaptureState::Missing => "no robots.txt",
        CaptureState::Unreachable => "unreachable",
        CaptureState::RedirectNotFollowed => "redirect, target not in the survey",
        CaptureState::NotModified => "not modified, former file not in the survey",
        CaptureState::NoFields => "text without any field",
        CaptureState::Html => "HTML in place of robots.txt",
        CaptureState::Json => "JSON in place of robots.txt",
        CaptureState::Image => "image in place of robots.txt",
        CaptureState::Compressed => "compressed bytes in place of robots.txt",
        CaptureState::Damaged => "body that cannot be decoded",
        CaptureState::Other => "another state",
    }
}

fn states(numbers: &Numbers) -> Figure {
    let sites = numbers.coverage.sites;
    let row = |state: &StateCount| {
        vec![
            Cell::words(meaning(state.state)),
            Cell::Share(state.sites, sites),
            Cell::words(if state.answers { "counted" } else { "left out" }),
        ]
    };
    let columns = vec![
        ReportColumn::text("answer"),
        ReportColumn::part("sites"),
        ReportColumn::text("in shares about robots"),
    ];
    let all = sites_in(sites, "site", "sites");
    let by = by_last_capture(&numbers.coverage);
    let figure = Figure::new(
        "states",
        format!("What sites answer ({all})"),
        format!("Each bar is an answer: its share of {all}, {by}."),
        ReportTable::new(columns, numbers.states.iter().map(row)),
    );
    figure.with_bars(1, usize::MAX)
}

/// The largest number of statuses in the chart.
const MAX_STATUSES: usize = 12;

fn statuses(numbers: &Numbers) -> Figure {
    let sites = numbers.coverage.sites;
    let mut statuses: Vec<&StatusCount> = numbers.statuses.iter().collect();
    statuses.sort_by_key(|status| std::cmp::Reverse(status.sites.size()));
    let name = |status: &StatusCount| match status.status {
        Some(status) => status.to_string(),
        None => "none".to_owned(),
    };
    let row =
        |status: &&StatusCount| vec![Cell::words(name(status)), Cell::Share(status.sites, sites)];
    let columns = vec![ReportColumn::text("status"), ReportColumn::part("sites")];
    let all = sites_in(sites, "site", "sites");
    let by = by_last_capture(&numbers.coverage);
    let figure = Figure::new(
        "statuses",
        format!("The status of the response, after redirects that were followed ({all})"),
        format!("Each bar is a status: its share of {all}, {by}."),
        ReportTable::new(columns, statuses.iter().map(row)),
    );
    figure.with_bars(1, MAX_STATUSES)
}

pub(super) fn sizes(numbers: &Numbers) -> Section {
    let sizes = &numbers.sizes;
    let mut section = Section {
        id: "sizes",
        title: "Statuses and sizes",
        paragraphs: Vec::new(),
        figures: vec![statuses(numbers)],
    };
    if sizes.sites.is_none() {
        section.paragraphs = vec![Phrase::of("No site has a robots.txt.")];
        return section;
    }
    section.paragraphs.push(Phrase::of(format!(
        "Half of the files have at most {} bytes, 90% at most {}, 99% at most {}. The largest has {}. Sizes above 64 KiB are exact to 1%, except for the largest. Robots have to read at least 500 KiB, which is 512,000 bytes (RFC 9309).",
        grouped(sizes.median),
        grouped(sizes.p90),
        grouped(sizes.p99),
        counted(sizes.largest, "byte", "bytes")
    )));
    let row = |bucket: &Bucket| {
        vec![
            Cell::words(range(bucket)),
            Cell::Share(bucket.sites, sizes.sites),
        ]
    };
    let columns = vec![ReportColumn::text("bytes"), ReportColumn::part("sites")];
    let all = sites_in(sizes.sites, "site", "sites");
    let by = by_last_capture(&numbers.coverage);
    let figure = Figure::new(
        "sizes",
        format!("Files by their size in bytes ({all} with a robots.txt)"),
        format!("Each bar is a range of sizes: its share of {all} with a robots.txt, {by}."),
        ReportTable::new(columns, sizes.buckets.iter().map(row)),
    );
    section.figures.push(figure.with_bars(1, usize::MAX));
    section
}

fn range(bucket: &Bucket) -> String {
    match bucket.to {
        Some(to) if to == bucket.from => grouped(to),
        Some(to) => format!("{} to {}", grouped(bucket.from), grouped(to)),
        None => format!("more than {}", grouped(bucket.from.saturating_sub(1))),
    }
}
