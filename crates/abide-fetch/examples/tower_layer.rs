//! A client of hyper that keeps to robots.txt, and tells whether what it fetched may be indexed.
//! Redirects are shown, not followed.
//!
//! ```text
//! cargo run -p abide-fetch --features tower --example tower_layer -- http://example.com/
//! ```

#![expect(clippy::print_stdout, reason = "an example")]

use abide::Usage;
use abide_fetch::RobotsCache;
use abide_fetch::adapters::{AdapterError, RobotsLayer, Tags};
use abide_fetch::http::now;
use http::{Request, header::USER_AGENT};
use hyper_util::{client::legacy, rt::TokioExecutor};
use tower::{ServiceBuilder, ServiceExt};

const NAME: &str = "ExampleBot/1.0 (+https://bot.example/)";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let robots = RobotsCache::for_robot(NAME)?;
    let hyper = legacy::Client::builder(TokioExecutor::new()).build_http::<String>();
    let service = ServiceBuilder::new()
        .layer(RobotsLayer::new(robots).with_read_tags(true))
        .service(hyper);

    for url in std::env::args().skip(1) {
        let request = Request::get(&url)
            .header(USER_AGENT, NAME)
            .body(String::new())?;
        match service.clone().oneshot(request).await {
            Ok(response) => {
                let tags = response.extensions().get::<Tags>();
                let index = tags.map(|tags| tags.decision(now()).outcome(Usage::Index));
                println!("{url}: {}, index: {index:?}", response.status());
            }
            Err(AdapterError::Disallowed(refused)) => println!("{url}: {refused}"),
            Err(AdapterError::Inner(error)) => println!("{url}: no response: {error}"),
            Err(error) => println!("{url}: {error}"),
        }
    }
    Ok(())
}
