//! A client of reqwest that keeps to robots.txt, also where redirects lead, and tells whether what
//! it fetched may be indexed. For https it takes one of reqwest's features.
//!
//! ```text
//! cargo run -p abide-fetch --features reqwest-middleware --example reqwest_middleware -- \
//!     http://example.com/
//! ```

#![expect(clippy::print_stdout, reason = "an example")]

use abide::Usage;
use abide_fetch::RobotsCache;
use abide_fetch::adapters::{AdapterError, RobotsMiddleware, Tags};
use abide_fetch::http::now;
use reqwest::redirect::Policy;
use reqwest_middleware::{ClientBuilder, Error as Failure};

const NAME: &str = "ExampleBot/1.0 (+https://bot.example/)";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let robots = RobotsCache::for_robot(NAME)?;
    // The middleware follows redirects, for it asks before each.
    let reqwest = reqwest::Client::builder()
        .user_agent(NAME)
        .redirect(Policy::none())
        .build()?;
    let client = ClientBuilder::new(reqwest)
        .with(
            RobotsMiddleware::new(robots)
                .with_max_redirects(10)
                .with_read_tags(true),
        )
        .build();

    for url in std::env::args().skip(1) {
        match client.get(&url).send().await {
            Ok(response) => {
                let tags = response.extensions().get::<Tags>();
                let index = tags.map(|tags| tags.decision(now()).outcome(Usage::Index));
                println!(
                    "{}: {}, index: {index:?}",
                    response.url(),
                    response.status()
                );
            }
            Err(Failure::Middleware(error)) => match error.downcast_ref() {
                Some(AdapterError::Disallowed(refused)) => println!("{url}: {refused}"),
                _ => println!("{url}: {error}"),
            },
            Err(error) => println!("{url}: {error}"),
        }
    }
    Ok(())
}
