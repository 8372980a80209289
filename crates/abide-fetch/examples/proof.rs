//! Which rules applied to a URL at an instant, and what they said, from the file that a crawler
//! kept.
//!
//! ```text
//! cargo run -p abide-fetch --features file --example proof -- \
//!     robots.redb ExampleBot 2026-05-01T12:00:00Z https://news.example/archive/
//! ```

#![expect(clippy::print_stdout, reason = "an example")]

use abide::explain::{self, Layout};
use abide::{Moment, Target};
use abide_fetch::RobotsCache;
use abide_fetch::store::FileStore;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, agent, at, url] = args.as_slice() else {
        return Err("usage: proof FILE AGENT INSTANT URL".into());
    };
    // The crawler may go on writing the file.
    let store = FileStore::open_to_read(file)?;
    // As the crawler had it: with its own settings, if they are others.
    let robots = RobotsCache::builder(agent)?.offline(true).build()?;
    println!("{}", proof(&store, &robots, at.parse()?, url)?);
    Ok(())
}

/// What the rules that applied at `at` said about `url`.
pub(crate) fn proof(
    store: &FileStore,
    robots: &RobotsCache,
    at: Moment,
    url: &str,
) -> Result<String, Box<dyn Error>> {
    let Some(rules) = robots.site_rules_at(store, url, at)? else {
        return Ok(format!("{url}: never asked before {at}"));
    };
    let decision = rules.policy.decide(&Target::new(url)?.with_now(at));
    // `FileStore::body` has the file of a hash.
    let from = rules.trail.iter().flat_map(|trail| &trail.hops);
    let from: String = from
        .map(|hop| match (hop.status, hop.address) {
            (Some(status), Some(address)) => format!("\n{}: {status}, {address}", hop.url),
            _ => format!("\n{}: no answer", hop.url),
        })
        .collect();
    let file = match rules.sha256 {
        Some(sha256) => format!("sha256 {sha256}"),
        None => "no file".to_owned(),
    };
    let answer = explain::text(&rules.policy, &decision, Layout::default());
    Ok(format!("{url} at {at}: {file}{from}\n{answer}"))
}
