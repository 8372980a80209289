//! Counts, before the rows, how many pages of the sitemaps each robot may not crawl.

use super::Sites;
use crate::exit::ExitRank;
use crate::sitemaps::SitemapPages;
use crate::url_answers::AnswerCache;
use abide::explain::visible;
use abide_analysis::words::{counted, grouped};
use abide_known_robots::Robot;
use std::collections::HashMap;
use std::fmt::Write as _;

/// Of how many pages the sites are fetched at once.
const MAX_PORTION: usize = 4_096;

/// What was counted for a robot.
#[derive(Clone, Default)]
struct Count {
    disallowed: u64,
    /// Pages of a site whose robots.txt could not be fetched.
    unknown: u64,
}

impl Sites<'_> {
    /// The totals as text: a line about the sitemaps, one for each robot, and what was left out.
    pub(super) fn totals(&mut self, pages: &SitemapPages) -> anyhow::Result<String> {
        let asking = self.asking;
        let mut counts = vec![Count::default(); asking.robots.len()];
        let mut answers: HashMap<_, AnswerCache> = HashMap::new();
        let (mut read, mut unread) = (0, 0);
        for portion in pages.pages.chunks(MAX_PORTION) {
            let urls = portion.iter();
            let urls: Vec<_> = urls
                .filter_map(|page| asking.read(page.line, page.url.as_bytes()).ok())
                .collect();
            read += urls.len() as u64;
            unread += (portion.len() - urls.len()) as u64;
            self.fetch_ahead(urls.iter())?;
            for url in &urls {
                let source = self.source(url)?;
                self.load(&source)?;
                let (rules, _) = &self.known[&source];
                let known = answers.entry(source).or_default();
                for (at, count) in counts.iter_mut().enumerate() {
                    match asking.crawl_rank(rules, at, known, url) {
                        ExitRank::Disallowed => count.disallowed += 1,
                        ExitRank::Unknown => count.unknown += 1,
                        ExitRank::Fine => {}
                    }
                }
            }
        }
        // Writing to a String cannot fail.
        let mut text = format!("{}\n", pages.sizes());
        let names = asking.robots.iter().map(Robot::name);
        let names: Vec<String> = names.map(|name| visible(name.as_bytes())).collect();
        let width = names.iter().map(|name| name.chars().count()).max();
        let width = width.unwrap_or_default();
        for (
            name,
            Count {
                disallowed,
                unknown,
            },
        ) in names.iter().zip(&counts)
        {
            let (disallowed, read) = (grouped(*disallowed), grouped(read));
            let _ = write!(text, "{name:<width$}  {disallowed} of {read} disallowed");
            if *unknown > 0 {
                let _ = write!(text, ", {} unknown: no robots.txt", grouped(*unknown));
            }
            text.push('\n');
        }
        if unread > 0 {
            let what = counted(unread, "entry is no URL", "entries are no URLs");
            let _ = writeln!(text, "{what}");
        }
        for note in pages.notes() {
            let _ = writeln!(text, "{note}");
        }
        text.push('\n');
        Ok(text)
    }
}
