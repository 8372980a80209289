//! Caches: every file that a site served, and what it answers now.

use crate::Trial;
use abide::Moment;
use abide::rep::Cause;
use abide_fetch::machine::{Event, ResponseTimes, RetrievalSettings, State};
use abide_fetch::store::{FileStore, Store};
use abide_fetch::{Body, Record, Resource};
use abide_survey::schema::Table;
use serde_json::json;
use std::fs;

fn at(day: i64) -> Moment {
    Moment::from_unix_seconds(day * 86_400)
}

/// Stores what happened at a site.
async fn happen(store: &FileStore, site: &str, events: Vec<Event<Body>>) {
    let resource = Resource::robots_txt(&format!("https://{site}.example/")).unwrap();
    let mut state = State::default();
    for event in events {
        state = state.after(event.clone(), &RetrievalSettings::default());
        let record = Record {
            resource: resource.clone(),
            state: state.clone(),
        };
        store.save(&record, &event).await.unwrap();
    }
}

fn file(text: &str, day: i64) -> Event<Body> {
    Event::file(text.as_bytes().to_vec(), &[], at(day)).with_body(Body::new)
}

/// A body of which `text` and one byte were fetched.
fn cut(text: &str, day: i64) -> Event<Body> {
    Event::file(text.as_bytes().to_vec(), &[], at(day)).with_body(Body::cut)
}

fn survey(happened: Vec<(&str, Vec<Event<Body>>)>) -> Trial {
    let mut trial = Trial::new();
    let folder = trial.folder.path().join("cache");
    fs::create_dir(&folder).unwrap();
    let store = FileStore::open(folder.join("robots.redb")).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.unwrap().block_on(async {
        for (site, events) in happened {
            happen(&store, site, events).await;
        }
    });
    drop(store);
    trial.survey.inputs.push(folder);
    trial
}

#[test]
fn a_cache_has_its_history() {
    let open = "User-agent: *\nAllow: /\n";
    let closed = "User-agent: *\nDisallow: /\n";
    let settings = RetrievalSettings::default();
    let times = |day| ResponseTimes::at(at(day));
    let gone =
        |day| Event::response(404, &[], Vec::new(), times(day), &settings).with_body(Body::new);
    let trial = survey(vec![
        (
            "changed",
            vec![file(open, 1), file(closed, 2), file(open, 3)],
        ),
        (
            "down",
            vec![file(closed, 1), Event::failure(Cause::Timeout, at(9))],
        ),
        ("gone", vec![file(closed, 4), gone(6)]),
    ]);
    let summary = trial.run();
    assert_eq!((summary.records, summary.captures), (6, 6));
    let rows = trial.rows(Table::Files);
    let told: Vec<_> = rows
        .iter()
        .map(|row| {
            let of = |name: &str| row[name].as_str().unwrap().to_owned();
            (of("host"), of("date")[..10].to_owned(), of("state"))
        })
        .collect();
    let told: Vec<(&str, &str, &str)> = told
        .iter()
        .map(|(host, date, state)| (host.as_str(), date.as_str(), state.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            ("changed.example", "1970-01-02", "rules"),
            ("changed.example", "1970-01-03", "rules"),
            ("down.example", "1970-01-02", "rules"),
            ("down.example", "1970-01-10", "unreachable"),
            ("gone.example", "1970-01-05", "rules"),
            ("gone.example", "1970-01-07", "missing"),
        ]
    );
    assert_eq!(rows[0]["url"], "https://changed.example/robots.txt");
    assert_eq!(rows[5]["status"], 404);
    let robots = trial.rows(Table::Robots);
    let classes = robots.iter().filter(|row| row["robot"] == "*");
    let classes: Vec<_> = classes.map(|row| row["class"].as_str().unwrap()).collect();
    assert_eq!(
        classes,
        ["open", "closed", "closed", "closed", "closed", "open"]
    );
}

/// The last line of a body that the cache cut counts if it is complete, and only then.
#[test]
fn the_last_line_of_a_cut_body_counts_if_it_is_complete() {
    let trial = survey(vec![
        (
            "a-complete",
            vec![cut("User-agent: *\nDisallow: /all\n", 1)],
        ),
        (
            "b-in-line",
            vec![cut("User-agent: *\nDisallow: /all/of/it", 1)],
        ),
    ]);
    assert_eq!(trial.run().captures, 2);
    assert_eq!(trial.cells(Table::Files, "state"), ["cut", "cut"]);
    assert_eq!(trial.cells(Table::Files, "disallow_rules"), [1, 0]);
    assert_eq!(trial.cells(Table::Files, "bytes"), [28, 33]);
    assert_eq!(trial.cells(Table::Rules, "pattern"), ["/all"]);
}

#[test]
fn a_damaged_cache_is_an_error() {
    let mut trial = survey(vec![("a", vec![file("User-agent: *\n", 1)])]);
    let path = trial.survey.inputs[0].join("robots.redb");
    let size = fs::metadata(&path).unwrap().len();
    let mut bytes = fs::read(&path).unwrap();
    bytes[..64].fill(0x55);
    fs::write(&path, &bytes).unwrap();
    trial = trial.with("b.example", b"User-agent: *\n");
    let summary = trial.run();
    assert_eq!((summary.captures, summary.failed["read"]), (1, 1), "{size}");
    let errors = trial.rows(Table::Errors);
    assert_eq!(errors[0]["code"], json!("read"));
}
