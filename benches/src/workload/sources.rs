//! W8: what further sources add to a decision (ACAP records, App-Directives, robots tags, AI
//! preferences), and what a file without them pays for the chance that they could be there.

use super::{Goal, Row, Setting, time, warm};
use crate::clock::timed;
use crate::contest::{Entry, Pass, Sample, Thinned, run};
use crate::corpus::Case;
use crate::peer::{AGENT, client};
use abide::acap::{AcapMode, AcapProfile};
use abide::app::{Application, Registry};
use abide::preference::PreferenceProfile;
use abide::tag::{FieldLine, Response};
use abide::{Client, Policy, ProductToken, Target};
use std::hint::black_box;

const RECORDS: &[u8] = b"\nACAP-crawler: *\nACAP-allow-crawl: /\nACAP-disallow-crawl: /private/\n\
ACAP-allow-index: /\nACAP-disallow-preserve: /archive/\nACAP-allow-present-snippet: /news/\n";
const DIRECTIVES: &[u8] =
    b"\nUser-agent: examplesearch\nApp-Directives: /news/ examplesearch;widgets=?0\n\
App-Directives: examplesearch;widgets;boxes\n";
/// The lines that Cloudflare adds to the robots.txt of its customers.
pub const SIGNALS: &[u8] = b"\nUser-agent: *\nContent-Signal: search=yes,ai-train=no\n\
Content-Signal: use=reference\n";

/// The client, asking for AI preferences.
#[must_use]
pub fn with_preferences() -> Client {
    client()
        .clone()
        .with_preferences(PreferenceProfile::default())
}

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
    /// How many times the cost of the first way it should have at most.
    most: Option<f64>,
}

impl Way {
    const fn at_most(mut self, times: f64) -> Self {
        self.most = Some(times);
        self
    }
}

fn ways() -> Vec<Way> {
    let way = |name, client: Client, added, has_tags, is_whole| Way {
        name,
        client,
        added,
        has_tags,
        is_whole,
        most: None,
    };
    let plain = || client().clone();
    vec![
        way("`decide`, ACAP off", without_acap(), b"", false, true),
        way("`decide`, the default client", plain(), b"", false, true).at_most(1.1),
        way(
            "`decide`, an application asked for, nothing said to it",
            with_applications(),
            b"",
            false,
            true,
        )
        .at_most(1.1),
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
        way(
            "`decide`, AI preferences asked for, none stated",
            with_preferences(),
            b"",
            false,
            true,
        )
        .at_most(3.0),
        way(
            "`decide`, AI preferences asked for, Cloudflare's Content-Signal lines",
            with_preferences(),
            SIGNALS,
            false,
            true,
        )
        .at_most(3.0),
        way("`allows`, ACAP off", without_acap(), b"", false, false),
        way("`allows`, the default client", plain(), b"", false, false).at_most(1.1),
        way(
            "`allows`, an application asked for, nothing said to it",
            with_applications(),
            b"",
            false,
            false,
        )
        .at_most(1.1),
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
    let (whole, hot): (Vec<_>, Vec<_>) = ways().into_iter().partition(|way| way.is_whole);
    let mut rows = Vec::new();
    for ways in [whole, hot] {
        let entry = |way| entry(way, &cases, &response);
        let mut entries: Vec<_> = ways.iter().map(entry).collect();
        let timings = run(&mut entries, Thinned::Cases, 1, setting.effort);
        for (at, (way, timing)) in ways.iter().zip(&timings).enumerate() {
            let row = Row::new("W8", timing.name, "abide", time(timing.nanoseconds));
            let ratio = timing.ratio();
            rows.push(match way.most {
                _ if at == 0 => row,
                Some(most) => row.ratio(ratio).goal(ratio, Goal::AtMost(most), " ×"),
                None => row.ratio(ratio),
            });
        }
    }
    rows
}
