//! Decides about URLs by a robots.txt file, and shows the evidence.
//!
//! ```text
//! cargo run -p abide --example decide -- docs/examples/robots.txt ExampleBot \
//!     https://news.example/archive/2026/front.html
//! ```

#![expect(clippy::print_stdout, reason = "an example")]

use abide::explain::{self, Layout};
use abide::{Client, Policy, ProductToken, Target};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(file), Some(agent)) = (args.next(), args.next()) else {
        return Err("usage: decide FILE AGENT URL...".into());
    };
    let client = Client::new(ProductToken::new(&agent)?);
    // Compiled once, for any number of URLs.
    let policy = Policy::compile(std::fs::read(file)?, &client);
    for url in args {
        let decision = policy.decide(&Target::new(&url)?);
        print!("{}", explain::text(&policy, &decision, Layout::default()));
    }
    Ok(())
}
