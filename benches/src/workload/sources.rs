//! W8: what further sources add to a decision (ACAP records, App-Directives, robots tags), and what
//! a file without them pays for the chance that they could be there.

use super::{Goal, Row, Setting, time, warm};
use crate::clock::timed;
use crate::contest::{Entry, Pass, Sample, Thinned, run};
use crate::corpus::Case;
use crate::peer::{AGENT, client};
use abide::acap::{AcapMode, AcapProfile};
use abide::app::{Application, Registry};
use abide::tag::{FieldLine, Response};
use abide::{Client, Policy, ProductToken, Target};
use std::hint::black_box;

const RECORDS: &[u8] = b"\nACAP-crawler: *\nACAP-allow-crawl: /\nACAP-disallow-crawl: /private/\n\
ACAP-allow-index: /\nACAP-disallow-preserve: /archive/\nACAP-allow-present-snippet: /news/\n";
const DIRECTIVES: &[u8] =
    b"\nUser-agent: examplesearch\nApp-Directives: /news/ examplesearch;widgets=?0\n\
App-Directives: examplesearch;widgets;boxes\n";

/// The client with an application and a registry.
fn with_applications() -> Client {
    let token = ProductToken::new("ExampleSearch").expect("a product token");
    let mut registry = Registry::default();
    registry
        .application("examplesearch", &["ExampleSearch".to_owned()])
        .expect("an application");
    let application = Application::new("examplesearch", vec![token]).expect("an application");
    client()
        .clone()
        .with_application(application)
        .with_registry(registry)
}

/// The client, not reading ACAP records.
fn without_acap() -> Client {
    let token = ProductToken::new(AGENT).expect("a product token");
    Client::new(token).with_acap(AcapProfile {
        mode: AcapMode::Off,
        ..AcapProfile::default()
    })
}

/// A way to ask: the client, what is added to each file, whether there are tags, and whether the
/// whole decision is asked for.
struct Way {
    name: &'static str,
    client: Client,
    added: &'static [u8],
    has_tags: bool,
    is_whole: bool,
}

fn ways() -> Vec<Way> {
    let way = |name, client: Client, added, has_tags, is_whole| Way {
        name,
        client,
        added,
        has_tags,
        is_whole,
    };
    let plain = || client().clone();
    vec![
        way("`decide`, ACAP off", without_acap(), b"", false, true),
        way("`decide`, the default client", plain(), b"", false, true),
        way(
            "`decide`, an application asked for, nothing said to it",
            with_applications(),
            b"",
            false,
            true,
        ),
        way("`decide`, robots tags given", plain(), b"", true, true),
        way(
            "`decide`, App-Directives in the file",
            with_applications(),
            DIRECTIVES,
            false,
            true,
        ),
        way(
            "`decide`, ACAP records in the file",
            plain(),
            RECORDS,
            false,
            true,
        ),
        way(
            "`decide`, all of them",
            with_applications(),
            b"both",
            true,
            true,
        ),
        way("`allows`, ACAP off", without_acap(), b"", false, false),
        way("`allows`, the default client", plain(), b"", false, false),
        way(
            "`allows`, an application asked for, nothing said to it",
            with_applications(),
            b"",
            false,
            false,
        ),
        way(
            "`allows`, ACAP records in the file",
            plain(),
            RECORDS,
            false,
            false,
        ),
    ]
}

fn entry<'e>(way: &Way, cases: &'e [Case], response: &'e Response) -> Entry<'e> {
    let added = match way.added {
        b"both" => [RECORDS, DIRECTIVES].concat(),
        one => one.to_vec(),
    };
    let compile = |case: &Case| Policy::compile([&*case.bytes, &*added].concat(), &way.client);
    let policies: Vec<Policy> = cases.iter().map(compile).collect();
    let (has_tags, is_whole) = (way.has_tags, way.is_whole);
    let ask = move |policy: &Policy, url: &str| {
        if !is_whole {
            black_box(policy.allows(url));
        } else if let Ok(target) = Target::new(url) {
            let target = if has_tags {
                target.with_response(response)
            } else {
                target
            };
            black_box(policy.decide(&target));
        }
    };
    let pass = move |_: &Sample| {
        let (nanoseconds, items) = timed(|| {
            let mut items = 0;
            for (case, policy) in cases.iter().zip(&policies) {
                for url in case.urls.iter().take(100) {
                    ask(policy, url);
                    items += 1;
                }
            }
            items
        });
        Pass { items, nanoseconds }
    };
    Entry {
        name: way.name,
        pass: Box::new(pass),
    }
}

/// Cases without ACAP records.
#[must_use]
pub fn conventional(mut cases: Vec<Case>) -> Vec<Case> {
    cases.retain(|case| {
        let text = case.bytes.to_ascii_lowercase();
        !text.windows(5).any(|five| five == b"acap-")
    });
    cases
}

/// A response with two fields of tags.
#[must_use]
pub fn response() -> Response {
    Response::new(&[
        FieldLine::new("X-Robots-Tag", "noarchive, max-snippet:20"),
        FieldLine::new("Robots-Tag", "Googlebot;nosnippet"),
    ])
}

/// All ways to ask, as entries of a contest.
#[must_use]
pub fn entries<'e>(cases: &'e [Case], response: &'e Response) -> Vec<Entry<'e>> {
    ways()
        .iter()
        .map(|way| entry(way, cases, response))
        .collect()
}

/// The rows of W8.
#[must_use]
pub fn rows(setting: &Setting) -> Vec<Row> {
    let cases = conventional(warm::cases(setting));
    let response = response();
    let mut whole = entries(&cases, &response);
    let hot = whole
        .iter()
        .position(|entry| entry.name.starts_with("`allows`"));
    let mut hot = whole.split_off(hot.unwrap_or(whole.len()));
    let mut rows = Vec::new();
    for entries in [&mut whole, &mut hot] {
        let timings = run(entries, Thinned::Cases, 1, setting.effort);
        for (at, timing) in timings.iter().enumerate() {
            let row = Row::new("W8", timing.name, "abide", time(timing.nanoseconds));
            // The second and third have no more to say than the first.
            rows.push(match at {
                0 => row,
                1 | 2 => row
                    .ratio(timing.ratio())
                    .goal(timing.ratio(), Goal::AtMost(1.1), " ×"),
                _ => row.ratio(timing.ratio()),
            });
        }
    }
    rows
}
