//! What counts, what sites answer, and how large the files are.

use crate::report::document::{
    Cell, Chart, Figure, ReportTable, RowLabel, Section, percent, share,
};
use crate::report::numbers::{Bucket, CaptureState, Numbers, StateCount, StatusCount};
use abide_analysis::words::{Phrase, counted, grouped};

pub(super) fn coverage(numbers: &Numbers) -> Section {
    let coverage = &numbers.coverage;
    let mut paragraphs = vec![Phrase::of(
        "A site is a host, with its port if that is not the default one. It counts once: with its last capture.",
    )];
    let left_out = coverage.sites - coverage.answered;
    let how = "what robots may do: with a robots.txt, or by having none, which allows everything.";
    paragraphs.push(Phrase::of(match (left_out, coverage.sites) {
        (_, 0) => "The survey has no site.".to_owned(),
        (0, 1) => format!("The site answers {how}"),
        (0, _) => format!("All sites answer {how}"),
        (left_out, sites) => format!(
            "{} of {} ({}) {} {how} Shares of sites that are about robots leave out the other {}, because the answer is not known.",
            grouped(coverage.answered),
            counted(sites, "site", "sites"),
            share(coverage.answered, sites),
            if coverage.answered == 1 { "answers" } else { "answer" },
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
    let value = |state: &StateCount| percent(state.sites, sites).unwrap_or_default();
    let chart = Chart::Bars {
        rows: numbers
            .states
            .iter()
            .map(|state| RowLabel::named(meaning(state.state)))
            .collect(),
        values: numbers.states.iter().map(value).collect(),
    };
    let row = |state: &StateCount| {
        vec![
            Cell::words(meaning(state.state)),
            Cell::Share(state.sites, sites),
            Cell::words(if state.answers { "counted" } else { "left out" }),
        ]
    };
    Figure {
        caption: Phrase::of(format!(
            "What sites answer ({})",
            counted(sites, "site", "sites")
        )),
        chart: (sites > 0).then_some(chart),
        table: ReportTable::new(
            ["answer", "sites", "in shares about robots"],
            numbers.states.iter().map(row),
        ),
    }
}

fn statuses(numbers: &Numbers) -> Figure {
    let sites = numbers.coverage.sites;
    let mut statuses: Vec<&StatusCount> = numbers.statuses.iter().collect();
    statuses.sort_by_key(|status| std::cmp::Reverse(status.sites));
    let name = |status: &StatusCount| match status.status {
        Some(status) => status.to_string(),
        None => "none".to_owned(),
    };
    let value = |status: &&StatusCount| percent(status.sites, sites).unwrap_or_default();
    let drawn = statuses.get(..12).unwrap_or(&statuses);
    let chart = Chart::Bars {
        rows: drawn
            .iter()
            .map(|status| RowLabel::named(name(status)))
            .collect(),
        values: drawn.iter().map(value).collect(),
    };
    let row =
        |status: &&StatusCount| vec![Cell::words(name(status)), Cell::Share(status.sites, sites)];
    Figure {
        caption: Phrase::of(format!(
            "The status of the response, after redirects that were followed ({})",
            counted(sites, "site", "sites")
        )),
        chart: (sites > 0).then_some(chart),
        table: ReportTable::new(["status", "sites"], statuses.iter().map(row)),
    }
}

pub(super) fn sizes(numbers: &Numbers) -> Section {
    let sizes = &numbers.sizes;
    let mut section = Section {
        id: "sizes",
        title: "Statuses and sizes",
        paragraphs: Vec::new(),
        figures: vec![statuses(numbers)],
    };
    if sizes.sites == 0 {
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
    let value = |bucket: &Bucket| percent(bucket.sites, sizes.sites).unwrap_or_default();
    let chart = Chart::Bars {
        rows: sizes
            .buckets
            .iter()
            .map(|bucket| RowLabel::named(range(bucket)))
            .collect(),
        values: sizes.buckets.iter().map(value).collect(),
    };
    let row = |bucket: &Bucket| {
        vec![
            Cell::words(range(bucket)),
            Cell::Share(bucket.sites, sizes.sites),
        ]
    };
    section.figures.push(Figure {
        caption: Phrase::of(format!(
            "Files by their size in bytes ({} with a robots.txt)",
            counted(sizes.sites, "site", "sites")
        )),
        chart: Some(chart),
        table: ReportTable::new(["bytes", "sites"], sizes.buckets.iter().map(row)),
    });
    section
}

fn range(bucket: &Bucket) -> String {
    match bucket.to {
        Some(to) if to == bucket.from => grouped(to),
        Some(to) => format!("{} to {}", grouped(bucket.from), grouped(to)),
        None => format!("more than {}", grouped(bucket.from.saturating_sub(1))),
    }
}
