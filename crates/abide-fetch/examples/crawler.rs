//! A crawler's loop around [`RobotsCache`]: which of these URLs may be fetched?
//!
//! ```text
//! cargo run -p abide-fetch --example crawler -- https://example.com/ https://example.com/a
//! ```

#![expect(clippy::print_stdout, reason = "an example")]

use abide_fetch::RobotsCache;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let robots = RobotsCache::for_robot("ExampleBot/1.0 (+https://bot.example/)")?;
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
