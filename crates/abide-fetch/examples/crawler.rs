//! A crawler's loop around [`RobotsCache`]: which of these links may be fetched, and as which URL?
//!
//! ```text
//! cargo run -p abide-fetch --example crawler -- https://example.com/ https://example.com/a/../b
//! ```

#![expect(clippy::print_stdout, reason = "an example")]

use abide_fetch::{RequestUrl, RobotsCache};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let robots = RobotsCache::for_robot("ExampleBot/1.0 (+https://bot.example/)")?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(crawl(&robots, std::env::args().skip(1), async |url| {
        println!("fetch {url}");
    }));
    Ok(())
}

/// Fetches each of `links` that its site allows. `fetch` sends the URL that it is given, and
/// follows no redirect: each target is a link of its own.
pub(crate) async fn crawl(
    robots: &RobotsCache,
    links: impl Iterator<Item = String>,
    fetch: impl AsyncFn(RequestUrl),
) {
    for link in links {
        match robots.allows(&link).await {
            Some(url) => fetch(url).await,
            None => println!("leave {link}"),
        }
    }
}
