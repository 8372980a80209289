//! A search engine that decides again: a robots.txt has changed, so which of the pages in the index
//! may no longer be crawled or indexed, and which may be now? Each page is a line: its URL, and the
//! `X-Robots-Tag` values that came with it, each after a tab. A file with ACAP records or AI
//! preferences can change more than that: then decide about every page.
//!
//! ```text
//! cargo run -p abide --example decide_again -- old.txt new.txt ExampleBot < pages.tsv
//! ```

#![expect(clippy::print_stdout, reason = "an example")]

use abide::tag::{FieldLine, Response};
use abide::verdict::Sense;
use abide::{Client, DecidingRule, Outcome, Policy, ProductToken, Target, TargetError, Usage};
use std::error::Error;
use std::io;

/// A usage whose outcome is another one now.
#[derive(Debug, PartialEq)]
pub(crate) struct Change {
    pub(crate) usage: Usage,
    pub(crate) was: Outcome,
    pub(crate) is: Outcome,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [old, new, agent] = args.as_slice() else {
        return Err("usage: decide_again OLD NEW AGENT < PAGES".into());
    };
    let client = Client::new(ProductToken::new(agent)?);
    let old = Policy::compile(std::fs::read(old)?, &client);
    let new = Policy::compile(std::fs::read(new)?, &client);
    for page in io::stdin().lines() {
        let page = page?;
        let mut parts = page.split('\t');
        let url = parts.next().unwrap_or_default();
        let tags: Vec<&str> = parts.collect();
        for Change { usage, was, is } in changes(&old, &new, url, &tags)? {
            println!("{url}: {}: {} -> {}", usage.name(), was.name(), is.name());
        }
    }
    Ok(())
}

/// What changes for a stored page.
pub(crate) fn changes(
    old: &Policy,
    new: &Policy,
    url: &str,
    tags: &[&str],
) -> Result<Vec<Change>, TargetError> {
    let target = Target::new(url)?;
    // Most pages stay as they were, which takes less than a microsecond to see.
    if let (Some(was), Some(is)) = (crawls(old, &target), crawls(new, &target))
        && was == is
    {
        return Ok(Vec::new());
    }
    let fields: Vec<_> = tags
        .iter()
        .map(|tag| FieldLine::new("X-Robots-Tag", *tag))
        .collect();
    let response = Response::new(&fields);
    let target = target.with_response(&response);
    let (old, new) = (old.decide(&target), new.decide(&target));
    let all = [Usage::Crawl, Usage::Index].map(|usage| Change {
        usage,
        was: old.outcome(usage),
        is: new.outcome(usage),
    });
    Ok(all
        .into_iter()
        .filter(|change| change.was != change.is)
        .collect())
}

/// Whether the rules allow crawling; `None` if something else decides.
fn crawls(policy: &Policy, target: &Target<'_>) -> Option<bool> {
    match policy.deciding_rule(target) {
        DecidingRule::Rule { sense, .. } => Some(sense == Sense::Allow),
        DecidingRule::NoRule => Some(true),
        DecidingRule::Other => None,
    }
}
