//! A retriever of one's own: fetches robots.txt files through a proxy, with the client that fetches
//! the pages. abide keeps the files, decides, and says when to ask again.
//!
//! ```text
//! cargo run -p abide-fetch --features reqwest-middleware --example own_retriever -- \
//!     http://proxy.example:3128 http://example.com/
//! ```

#![expect(clippy::print_stdout, reason = "an example")]

use abide::rep::Cause;
use abide::{Client, Limits, ProductToken};
use abide_fetch::http::{BoxFuture, HopReport, RedirectCheck, Retrieval, now};
use abide_fetch::machine::{
    Chain, Event, Field, Hop, ResponseTimes, RetrievalSettings, Validators,
};
use abide_fetch::{Retriever, RobotsCache};
use reqwest::header::{HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LOCATION};
use std::time::Duration;

/// Fetches through a proxy, which looks up names and connects: no guard checks its addresses.
pub(crate) struct ThroughProxy {
    client: reqwest::Client,
    settings: RetrievalSettings,
}

impl ThroughProxy {
    pub(crate) fn new(proxy: &str) -> reqwest::Result<Self> {
        let client = reqwest::Client::builder()
            .proxy(reqwest::Proxy::all(proxy)?)
            .user_agent("ExampleBot/1.0 (+https://bot.example/)")
            // `Chain` follows redirects, as often as RFC 9309 says.
            .redirect(reqwest::redirect::Policy::none())
            // A retrieval has to finish.
            .timeout(Duration::from_secs(30))
            .build()?;
        let settings = RetrievalSettings::default();
        Ok(Self { client, settings })
    }

    /// What a request to `url` and its redirects found. `check` is there for documents beside a
    /// robots.txt, which are subject to the robots.txt of each site on the way.
    async fn retrieval(
        &self,
        url: &str,
        validators: &Validators,
        check: Option<&dyn RedirectCheck>,
    ) -> Retrieval {
        let (mut hops, mut kept) = (Vec::new(), Vec::new());
        let event = self.event(url, validators, check, (&mut hops, &mut kept));
        let event = event.await;
        if let (Some(hop), Err(cause)) = (hops.last_mut(), &event) {
            hop.cause = Some(*cause);
        }
        let event = event.unwrap_or_else(|cause| Event::failure(cause, now()));
        // What was requested and what answered is kept with the file, as a proof.
        let mut retrieval = Retrieval::new(event);
        (retrieval.hops, retrieval.fields) = (hops, kept);
        retrieval
    }

    async fn event(
        &self,
        url: &str,
        validators: &Validators,
        check: Option<&dyn RedirectCheck>,
        (hops, kept): (&mut Vec<HopReport>, &mut Vec<(String, Vec<u8>)>),
    ) -> Result<Event<Vec<u8>>, Cause> {
        let mut chain = Chain::new(url)?;
        let mut request = self.client.get(url);
        if let Some(etag) = &validators.etag {
            request = request.header(IF_NONE_MATCH, etag);
        }
        if let Some(modified) = &validators.last_modified {
            request = request.header(IF_MODIFIED_SINCE, modified);
        }
        loop {
            let requested_at = now();
            hops.extend(chain.urls().last().cloned().map(HopReport::new));
            let mut response = request.send().await.map_err(|error| cause(&error))?;
            let (status, headers) = (response.status().as_u16(), response.headers().clone());
            if let Some(hop) = hops.last_mut() {
                hop.status = Some(status);
            }
            if !Chain::redirects(status) {
                let body = body(&mut response).await?;
                let fields = headers.iter();
                let fields: Vec<_> = fields
                    .map(|(name, value)| Field::new(name.as_str(), value.as_bytes()))
                    .collect();
                let lines = headers.iter();
                kept.extend(
                    lines.map(|(name, value)| (name.to_string(), value.as_bytes().to_vec())),
                );
                let times = ResponseTimes {
                    requested_at,
                    received_at: now(),
                };
                let event = Event::response(status, &fields, body, times, &self.settings);
                // A 304 only means something to the site that was sent validators.
                return Ok(match chain.urls().len() {
                    1 if validators.is_empty() => event.unconditional(),
                    1 => event,
                    _ => event.of_another_authority(),
                });
            }
            let locations = headers.get_all(LOCATION).iter();
            let locations: Vec<_> = locations.map(HeaderValue::as_bytes).collect();
            let next = match chain.follow(&locations, &self.settings) {
                Hop::Follow(next) => next,
                Hop::End(cause) => return Err(cause),
            };
            if let Some(check) = check
                && !check.may_follow(&next).await
            {
                return Err(Cause::BadRedirect);
            }
            // Validators belong to the first site.
            request = self.client.get(next.as_str());
        }
    }
}

/// The body, up to what every parser reads.
async fn body(response: &mut reqwest::Response) -> Result<Vec<u8>, Cause> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| cause(&error))? {
        body.extend_from_slice(&chunk);
        if body.len() > Limits::FLOOR {
            break;
        }
    }
    Ok(body)
}

fn cause(error: &reqwest::Error) -> Cause {
    if error.is_timeout() {
        Cause::Timeout
    } else if error.is_connect() {
        Cause::Connect
    } else {
        Cause::Network
    }
}

impl Retriever for ThroughProxy {
    fn retrieve<'a>(
        &'a self,
        url: &'a str,
        validators: &'a Validators,
    ) -> BoxFuture<'a, Retrieval> {
        Box::pin(self.retrieval(url, validators, None))
    }

    fn retrieve_document<'a>(
        &'a self,
        url: &'a str,
        validators: &'a Validators,
        check: &'a dyn RedirectCheck,
    ) -> BoxFuture<'a, Retrieval> {
        Box::pin(self.retrieval(url, validators, Some(check)))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let proxy = args.next().ok_or("usage: own_retriever PROXY URL...")?;
    let client = Client::new(ProductToken::new("ExampleBot")?);
    let robots = RobotsCache::with_retriever(client, ThroughProxy::new(&proxy)?).build();
    for link in args {
        match robots.allows(&link).await {
            Some(url) => println!("fetch {url} through {proxy}"),
            None => println!("leave {link}"),
        }
    }
    Ok(())
}
