//! W13: what a crawler's loop asks of a warm [`RobotsCache`], beside a bare lookup of the same keys
//! in the cache that it is built on.

use super::{Row, Setting, short, time};
use crate::clock::timed;
use crate::contest::{Entry, Pass, Sample, Thinned, run};
use crate::generated;
use crate::peer::client;
use abide_fetch::http::{BoxFuture, Retrieval, now};
use abide_fetch::machine::{Event, Validators};
use abide_fetch::{Retriever, RobotsCache};
use std::hint::black_box;
use tokio::runtime::{Builder, Runtime};

/// Answers with one of the generated files, always the same for a site.
struct Generated(Vec<(String, Vec<u8>)>);

impl Retriever for Generated {
    fn retrieve<'a>(&'a self, url: &'a str, _: &'a Validators) -> BoxFuture<'a, Retrieval> {
        let (_, file) = &self.0[url.len() % self.0.len()];
        Box::pin(async { Retrieval::new(Event::file(&file[..], &[], now())) })
    }
}

/// A warm cache, and URLs of its sites.
#[expect(missing_debug_implementations, reason = "a runtime says nothing")]
pub struct Warm {
    runtime: Runtime,
    robots: RobotsCache,
    bare: moka::sync::Cache<String, u64>,
    urls: Vec<String>,
}

impl Warm {
    /// With so many sites, and ten URLs of each, whose sites take turns.
    ///
    /// # Panics
    /// If there is no runtime.
    #[must_use]
    pub fn new(sites: usize) -> Self {
        let runtime = Builder::new_current_thread().build().expect("a runtime");
        let retriever = Generated(generated::sites(100));
        let robots = RobotsCache::with_retriever(client().clone(), retriever).build();
        let bare = moka::sync::Cache::new(u64::MAX);
        let url = |at: usize| {
            let site = at * 7_919 % sites;
            format!("https://www.site-{site}.example/articles/{at}/a-page.html?page={site}")
        };
        let urls: Vec<String> = (0..sites * 10).map(url).collect();
        runtime.block_on(async {
            for url in &urls {
                robots.for_url(url).await;
                bare.insert(key(url).to_owned(), 0);
            }
        });
        Self {
            runtime,
            robots,
            bare,
            urls,
        }
    }

    /// Looks up the site of each URL, and no more.
    pub fn look_up_each(&self) {
        for url in &self.urls {
            black_box(self.bare.get(key(url)));
        }
    }

    /// Asks for the rules of each site, then about the URL.
    pub fn ask_rules_of_each(&self) {
        self.runtime.block_on(async {
            for url in &self.urls {
                black_box(self.robots.for_url(url).await.allows(url));
            }
        });
    }

    /// Asks which URL to send.
    pub fn ask_about_each(&self) {
        self.runtime.block_on(async {
            for url in &self.urls {
                black_box(self.robots.allows(url).await);
            }
        });
    }
}

/// Scheme and host.
fn key(url: &str) -> &str {
    let end = url
        .match_indices('/')
        .nth(2)
        .map_or(url.len(), |(at, _)| at);
    &url[..end]
}

/// The rows of W13.
#[must_use]
pub fn rows(setting: &Setting) -> Vec<Row> {
    let sites = if setting.is_quick { 100 } else { 1_000 };
    let warm = &Warm::new(sites);
    let entry = |name, ask: fn(&Warm)| Entry {
        name,
        pass: Box::new(move |_: &Sample| {
            let (nanoseconds, ()) = timed(|| ask(warm));
            let items = warm.urls.len() as u64;
            Pass { items, nanoseconds }
        }),
    };
    let mut entries = [
        entry("a lookup in moka", Warm::look_up_each),
        entry("`for_url`, then `allows`", Warm::ask_rules_of_each),
        entry("`RobotsCache::allows`", Warm::ask_about_each),
    ];
    let timings = run(&mut entries, Thinned::Cases, 1, setting.effort);
    let what = format!("a URL of a warm cache, {sites} sites");
    let row = |timing: &crate::contest::Timing| {
        let rate = short(1e3 / timing.nanoseconds);
        Row::new("W13", &what, timing.name, time(timing.nanoseconds))
            .ratio(timing.ratio())
            .note(format!("{rate} million a second and core"))
    };
    timings.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use abide_fetch::Origin;

    #[test]
    fn every_site_has_rules_that_answer() {
        let warm = Warm::new(20);
        let allowed = warm.runtime.block_on(async {
            let mut allowed = 0;
            for url in &warm.urls {
                let sent = warm.robots.allows(url).await;
                assert_eq!(sent.is_some(), warm.robots.for_url(url).await.allows(url));
                allowed += usize::from(sent.is_some());
                assert_eq!(Origin::of(url).expect("a site").as_str(), key(url));
                assert!(warm.bare.contains_key(key(url)));
            }
            allowed
        });
        assert!(allowed > 0);
        assert_eq!(warm.robots.sites(), 20);
    }
}
