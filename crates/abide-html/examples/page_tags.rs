//! What a site asks about a fetched page: its robots.txt, the fields of the response and the meta
//! elements of the page, in one decision.
//!
//! ```text
//! curl -sD fields.txt -o page.html https://example.com/
//! cargo run -p abide-html --example page_tags -- \
//!     ExampleBot https://example.com/ robots.txt fields.txt page.html
//! ```

#![expect(clippy::print_stdout, reason = "an example")]

use abide::tag::FieldLine;
use abide::{Client, Outcome, Policy, ProductToken, Target, Usage};
use std::error::Error;
use std::fs;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [agent, url, robots, fields, page] = args.as_slice() else {
        return Err("usage: page_tags AGENT URL ROBOTS FIELDS PAGE".into());
    };
    let policy = Policy::compile(fs::read(robots)?, &Client::new(ProductToken::new(agent)?));
    let fields = fs::read(fields)?;
    for (usage, outcome) in answers(&policy, url, &fields, &fs::read(page)?)? {
        println!("{}: {}", usage.name(), outcome.name());
    }
    Ok(())
}

/// What may be done with a page, for each usage that the site says something about.
pub(crate) fn answers(
    policy: &Policy,
    url: &str,
    fields: &[u8],
    page: &[u8],
) -> Result<Vec<(Usage, Outcome)>, Box<dyn Error>> {
    // Lines that are no fields, such as the status line, are left out.
    let fields: Vec<FieldLine> = fields
        .split(|&byte| byte == b'\n')
        .filter_map(FieldLine::read)
        .collect();
    let response = abide_html::response(&fields, Some(page), None);
    let target = Target::new(url)?.with_response(&response);
    let decision = policy.decide(&target);
    Ok(Usage::ALL
        .iter()
        .map(|&usage| (usage, decision.outcome(usage)))
        .filter(|(_, outcome)| *outcome != Outcome::Unspecified)
        .collect())
}
