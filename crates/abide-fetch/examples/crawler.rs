//! A crawler's loop around [`Robots`]: which of these URLs may be fetched?
//!
//! ```text
//! cargo run -p abide-fetch --example crawler -- https://example.com/ https://example.com/a
//! ```

#![expect(clippy::print_stdout, reason = "an example")]

use abide::{Client, ProductToken};
use abide_fetch::Robots;
use abide_fetch::guard::Guard;
use abide_fetch::http::{Fetcher, Options};
use abide_fetch::machine::Settings;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = Client::new(ProductToken::new("ExampleBot")?);
    let user_agent = "ExampleBot/1.0 (+https://bot.example/)";
    for finding in client.check_identification(user_agent) {
        println!("{finding}");
    }
    let settings = Settings::default();
    let fetcher = Fetcher::new(Guard::new(), Options::new(user_agent), settings.clone())?;
    let robots = Robots::builder(client, fetcher).settings(settings).build();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        for url in std::env::args().skip(1) {
            let policy = robots.for_url(&url).await;
            let said = if policy.allows(&url) {
                "fetch"
            } else {
                "leave"
            };
            println!("{said} {url}");
        }
    });
    Ok(())
}
