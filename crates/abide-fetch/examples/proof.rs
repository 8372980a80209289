//! Which rules applied to a URL at an instant, and what they said, from the file that a crawler
//! kept.
//!
//! ```text
//! cargo run -p abide-fetch --features file --example proof -- \
//!     robots.redb ExampleBot 2026-05-01T12:00:00Z https://news.example/archive/
//! ```

#![expect(clippy::print_stdout, reason = "an example")]

use abide::explain::{self, Layout};
use abide::{Client, Moment, ProductToken, Target};
use abide_fetch::Resource;
use abide_fetch::machine::RetrievalSettings;
use abide_fetch::store::FileStore;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, agent, at, url] = args.as_slice() else {
        return Err("usage: proof FILE AGENT INSTANT URL".into());
    };
    // The crawler may go on writing the file.
    let store = FileStore::open_to_read(file)?;
    let client = Client::new(ProductToken::new(agent)?);
    println!("{}", proof(&store, &client, at.parse()?, url)?);
    Ok(())
}

/// What the rules that applied at `at` said about `url`.
pub(crate) fn proof(
    store: &FileStore,
    client: &Client,
    at: Moment,
    url: &str,
) -> Result<String, Box<dyn Error>> {
    let resource = Resource::robots_txt(url).ok_or("the URL has no robots.txt")?;
    // As the crawler had them: its own settings, if they are others.
    let settings = RetrievalSettings::default();
    let Some(state) = store.state_at(&resource, at, &settings)? else {
        return Ok(format!("{}: never asked before {at}", resource.url()));
    };
    let policy = state.plan(at, &settings).current.policy(client);
    let decision = policy.decide(&Target::new(url)?.with_now(at));
    // `FileStore::body` has the file of a hash.
    let file = match state.body() {
        Some(body) => format!("sha256 {}", body.hash()),
        None => "no file".to_owned(),
    };
    let answer = explain::text(&policy, &decision, Layout::default());
    Ok(format!("{} at {at}: {file}\n{answer}", resource.url()))
}
