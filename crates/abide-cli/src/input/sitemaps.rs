//! The pages that sitemaps list (sitemaps.org): sitemaps in files, at URLs, and named by a
//! robots.txt. A sitemap index from a URL is followed; one in a file is not, because a file
//! must not decide what is requested.

use crate::exit::{UnknownError, note, warn};
use crate::fetch::Network;
use crate::file_arg::FileArg;
use crate::lines;
use crate::source::{Source, read_up_to};
use crate::url_list::{index_advice, is_gzip};
use abide::explain::{visible, visible_url};
use abide_analysis::words::{counted, enumerated_of};
use abide_documents::{MAX_SITEMAP_BYTES, MAX_SITEMAP_URLS, Sitemap, SitemapUrl};
use abide_fetch::RequestUrl;
use anyhow::{Context as _, bail, ensure};
use flate2::read::MultiGzDecoder;
use std::borrow::Cow;
use std::collections::{BTreeSet, VecDeque};
use std::io::Read;
use std::path::Path;

/// How many sitemaps and indexes are fetched in a run.
const MAX_SITEMAPS: usize = 1_000;

/// How many indexes may lead to a sitemap, one from the other. The protocol has one.
const MAX_DEPTH: usize = 3;

/// The largest size of all URLs together, in bytes.
const MAX_PAGES_BYTES: usize = 256 << 20;

/// How many entries of indexes that are no URLs are shown.
const MAX_SHOWN_ENTRIES: usize = 20;

/// How many hosts a note names.
const MAX_SHOWN_HOSTS: usize = 3;

/// The word of `--sitemap` for the sitemaps that the robots.txt names.
const NAMED_BY_ROBOTS: &str = "robots";

/// The sitemaps that a robots.txt names.
pub(crate) struct NamedSitemaps {
    /// The robots.txt in messages.
    pub(crate) robots: String,
    /// The host of the site, if it is known.
    pub(crate) host: Option<String>,
    /// The values of its `Sitemap` lines.
    pub(crate) urls: Vec<String>,
}

impl NamedSitemaps {
    /// The sitemaps that a robots.txt from `source` names.
    pub(crate) fn new<'v>(source: &Source, values: impl Iterator<Item = &'v [u8]>) -> Self {
        let host = match source {
            Source::Url(url) => host_of(url.as_str()),
            _ => None,
        };
        Self {
            robots: source.to_string(),
            host,
            urls: values
                .map(|value| String::from_utf8_lossy(value).into_owned())
                .collect(),
        }
    }
}

/// Whether `--sitemap` asks for the sitemaps that the robots.txt names.
pub(crate) fn asks_robots(names: &[FileArg]) -> bool {
    names.iter().any(is_robots)
}

/// The name of a sitemap that the file `other` names: a file is beside that one.
pub(crate) fn beside(other: &FileArg, name: &FileArg) -> FileArg {
    if is_robots(name) || is_url(name.as_str()) || name.is_stdin() {
        return name.clone();
    }
    let folder = Path::new(other.as_str()).parent();
    let path = folder.map(|folder| folder.join(name.as_str()));
    let path = path.and_then(|path| path.to_str().map(FileArg::from));
    path.unwrap_or_else(|| name.clone())
}

/// Whether a name means the sitemaps that the robots.txt names.
pub(crate) fn is_robots(name: &FileArg) -> bool {
    name.as_str() == NAMED_BY_ROBOTS
}

/// Whether a sitemap is fetched.
pub(crate) fn are_fetched(names: &[FileArg]) -> bool {
    asks_robots(names) || names.iter().any(|name| is_url(name.as_str()))
}

/// A page of a sitemap.
pub(crate) struct SitemapPage {
    /// The place of its sitemap in [`SitemapPages::sitemaps`].
    pub(crate) sitemap: usize,
    /// The line on which it is listed.
    pub(crate) line: u64,
    /// Its URL as written.
    pub(crate) url: String,
}

/// The pages of sitemaps, and what was left out.
#[derive(Default)]
pub(crate) struct SitemapPages {
    pub(crate) pages: Vec<SitemapPage>,
    /// The sitemaps that list them, in messages.
    pub(crate) sitemaps: Vec<String>,
    /// Sitemaps of an index or of a robots.txt that could not be read: the others are.
    pub(crate) trouble: Vec<anyhow::Error>,
    bytes: usize,
    /// Sitemaps on other hosts, and pages on other hosts.
    foreign_sitemaps: Foreign,
    foreign_pages: Foreign,
}

/// What is on other hosts.
#[derive(Default)]
struct Foreign {
    count: usize,
    hosts: BTreeSet<String>,
}

impl Foreign {
    fn add(&mut self, host: String) {
        self.count += 1;
        // One more than is named tells that there are more.
        if self.hosts.len() <= MAX_SHOWN_HOSTS {
            self.hosts.insert(host);
        }
    }

    fn note(&self, what: &str, why: &str) -> Option<String> {
        let hosts: Vec<_> = self.hosts.iter().map(|host| visible_url(host)).collect();
        let is_part = hosts.len() > MAX_SHOWN_HOSTS;
        let hosts: Vec<_> = hosts.into_iter().take(MAX_SHOWN_HOSTS).collect();
        let such_as = if is_part { "such as " } else { "" };
        let named = format!(
            "{such_as}{}",
            enumerated_of(&hosts, hosts.len(), MAX_SHOWN_HOSTS)
        );
        let count = counted(self.count as u64, what, &format!("{what}s"));
        let place = if self.count == 1 {
            "another host"
        } else {
            "other hosts"
        };
        (self.count > 0).then(|| format!("{count} on {place} ({named}) left out: {why}"))
    }
}

/// A sitemap that is still to be read.
struct Waiting {
    url: String,
    /// How many indexes led to it.
    depth: usize,
    /// The hosts whose pages it may list.
    hosts: Vec<String>,
}

impl SitemapPages {
    /// Reads the sitemaps of `--sitemap`, those of `named` for the word `robots`.
    ///
    /// # Errors
    /// If one of `asked` itself cannot be read. One that is only named in another file is in
    /// [`trouble`](Self::trouble).
    pub(crate) fn read(
        asked: &[FileArg],
        named: Option<&NamedSitemaps>,
        network: &Network<'_>,
    ) -> anyhow::Result<Self> {
        let mut pages = Self::default();
        let of_robots: BTreeSet<String> = named
            .into_iter()
            .flat_map(|named| &named.urls)
            .filter_map(|url| sent(url))
            .collect();
        let mut walk = Walk {
            network,
            of_robots,
            seen: BTreeSet::new(),
            waiting: VecDeque::new(),
            fetched: 0,
            malformed: 0,
        };
        for name in asked {
            match name.as_str() {
                NAMED_BY_ROBOTS => match named {
                    Some(named) => walk.add_named(named, &mut pages)?,
                    None => continue,
                },
                url if is_url(url) => {
                    let first = walk.first(url, None);
                    if let Some(one) = first? {
                        walk.one(&one, &mut pages)?;
                    }
                }
                _ => pages.add_file(name)?,
            }
            walk.rest(&mut pages)?;
        }
        if let Some(more @ 1..) = walk.malformed.checked_sub(MAX_SHOWN_ENTRIES) {
            let entries = counted(more as u64, "entry", "entries");
            warn(&format!(
                "and {entries} more of indexes that are no absolute URLs"
            ));
        }
        Ok(pages)
    }

    /// Says what was left out.
    pub(crate) fn notes(&self) -> Vec<String> {
        let sitemaps = self.foreign_sitemaps.note(
            "sitemap",
            "an index may list only sitemaps of its own host, unless the robots.txt names them",
        );
        let pages = self.foreign_pages.note(
            "URL",
            "a sitemap may list only pages of its own host, and of the site whose robots.txt names it",
        );
        sitemaps.into_iter().chain(pages).collect()
    }

    /// `12 URLs in 2 sitemaps`
    pub(crate) fn sizes(&self) -> String {
        format!(
            "{} in {}",
            counted(self.pages.len() as u64, "URL", "URLs"),
            counted(self.sitemaps.len() as u64, "sitemap", "sitemaps")
        )
    }

    /// Says on stderr what was left out.
    pub(crate) fn tell_notes(&self) {
        self.notes().iter().for_each(|text| note(text));
    }

    /// Calls `each` with every URL. Warns of the first ones that it cannot read, with their places,
    /// and returns their number.
    pub(crate) fn for_each(&self, mut each: impl FnMut(&str) -> anyhow::Result<()>) -> u64 {
        const MAX_SHOWN: u64 = 20;
        let mut unread = 0;
        for page in &self.pages {
            let Err(error) = each(page.url.trim()) else {
                continue;
            };
            unread += 1;
            if unread <= MAX_SHOWN {
                let sitemap = self.sitemaps.get(page.sitemap).map_or("", String::as_str);
                warn(&format!("{sitemap}, line {}: {error:#}", page.line));
            }
        }
        if let Some(more @ 1..) = unread.checked_sub(MAX_SHOWN) {
            warn(&format!(
                "and {more} more URLs of the sitemaps that cannot be read"
            ));
        }
        unread
    }

    /// The pages as lines of input, and their sitemaps as its name.
    pub(crate) fn into_lines(self) -> (String, Vec<(u64, String)>) {
        let name = match self.sitemaps.as_slice() {
            [only] => only.clone(),
            several => counted(several.len() as u64, "sitemap", "sitemaps"),
        };
        let lines = self.pages.into_iter().map(|page| (page.line, page.url));
        (name, lines.collect())
    }

    fn add_file(&mut self, name: &FileArg) -> anyhow::Result<()> {
        let shown = name.shown();
        let hint = "--sitemap takes a sitemap or a list of URLs: a file, \"-\" for stdin, a URL, or \
                    robots for those that the robots.txt names";
        let (input, _) = lines::open(name, hint)?;
        let bytes = read_up_to(input, 0, MAX_SITEMAP_BYTES)
            .with_context(|| format!("cannot read {shown}"))?;
        match parsed(&shown, &bytes)? {
            Sitemap::Index(sitemaps) => bail!(index_advice(name, &sitemaps)),
            Sitemap::Pages(listed) => self.add(shown, listed, &[]),
            _ => bail!("{shown} is a sitemap of a kind that abide does not know"),
        }
    }

    /// Adds the pages of a sitemap, which may be those of `hosts`, or any if these are unknown.
    fn add(
        &mut self,
        shown: String,
        listed: Vec<SitemapUrl>,
        hosts: &[String],
    ) -> anyhow::Result<()> {
        let sitemap = self.sitemaps.len();
        self.sitemaps.push(shown);
        for SitemapUrl { url, line, .. } in listed {
            let foreign = host_of(&url).filter(|host| !hosts.is_empty() && !hosts.contains(host));
            if let Some(host) = foreign {
                self.foreign_pages.add(host);
                continue;
            }
            self.bytes += url.len() + size_of::<SitemapPage>();
            ensure!(
                self.bytes <= MAX_PAGES_BYTES,
                "the URLs of all sitemaps together are longer than {MAX_PAGES_BYTES} bytes; name some \
                 of the sitemaps at a time"
            );
            self.pages.push(SitemapPage { sitemap, line, url });
        }
        Ok(())
    }
}

/// The way from sitemap to sitemap.
struct Walk<'a> {
    network: &'a Network<'a>,
    /// The sitemaps that the robots.txt names: these may be on any host.
    of_robots: BTreeSet<String>,
    /// Sitemaps that were read or wait: an index that lists itself, or two that list each other,
    /// end.
    seen: BTreeSet<String>,
    waiting: VecDeque<Waiting>,
    /// How many were fetched, or were to be.
    fetched: usize,
    /// How many entries of indexes are no URLs.
    malformed: usize,
}

impl Walk<'_> {
    /// Adds the sitemaps that a robots.txt names.
    fn add_named(&mut self, named: &NamedSitemaps, pages: &mut SitemapPages) -> anyhow::Result<()> {
        ensure!(
            !named.urls.is_empty(),
            "{} names no sitemap; name one with --sitemap FILE or --sitemap URL",
            named.robots
        );
        for url in &named.urls {
            match self.first(url, named.host.as_ref()) {
                Ok(one) => self.waiting.extend(one),
                Err(error) => pages.trouble.push(error),
            }
        }
        Ok(())
    }

    /// A sitemap to which no index led, unless it is known already.
    fn first(&mut self, url: &str, site: Option<&String>) -> anyhow::Result<Option<Waiting>> {
        let Some((sent, host)) = sent(url).zip(host_of(url)) else {
            bail!(
                "{} is not an absolute URL, so no robot reads this sitemap; write it as \
                 https://example.com/sitemap.xml",
                visible_url(url)
            );
        };
        let is_new = self.seen.insert(sent.clone());
        let mut hosts = vec![host];
        hosts.extend(site.cloned());
        Ok(is_new.then_some(Waiting {
            url: sent,
            depth: 0,
            hosts,
        }))
    }

    /// Reads what waits, and what that leads to.
    fn rest(&mut self, pages: &mut SitemapPages) -> anyhow::Result<()> {
        while let Some(next) = self.waiting.pop_front() {
            if self.fetched >= MAX_SITEMAPS {
                let more = self.waiting.len() + 1;
                warn(&format!(
                    "{} not read, because {MAX_SITEMAPS} are the most; name them one by one",
                    counted(more as u64, "sitemap was", "sitemaps were")
                ));
                self.waiting.clear();
                return Ok(());
            }
            if let Err(error) = self.one(&next, pages) {
                // What is beyond a limit of the run ends it.
                if pages.bytes > MAX_PAGES_BYTES {
                    return Err(error);
                }
                pages.trouble.push(error);
            }
        }
        Ok(())
    }

    /// Fetches a sitemap, and adds its pages, or the sitemaps that it lists.
    fn one(&mut self, sitemap: &Waiting, pages: &mut SitemapPages) -> anyhow::Result<()> {
        self.fetched += 1;
        let shown = visible_url(&sitemap.url);
        let site = self.network.site()?;
        let bytes = site.sitemap(&sitemap.url, MAX_SITEMAP_BYTES)?;
        match parsed(&shown, &bytes)? {
            Sitemap::Pages(listed) => pages.add(shown, listed, &sitemap.hosts),
            Sitemap::Index(_) if sitemap.depth >= MAX_DEPTH => bail!(
                "{shown} is a sitemap index behind {MAX_DEPTH} others, and is not followed; an index \
                 lists sitemaps, not indexes"
            ),
            Sitemap::Index(listed) => {
                for entry in &listed {
                    self.follow(sitemap, &shown, entry, pages);
                }
                Ok(())
            }
            _ => bail!("{shown} is a sitemap of a kind that abide does not know"),
        }
    }

    /// Adds a sitemap that an index lists, unless it is on another host or is known.
    fn follow(
        &mut self,
        index: &Waiting,
        shown: &str,
        entry: &SitemapUrl,
        pages: &mut SitemapPages,
    ) {
        let Some((url, host)) = sent(&entry.url).zip(host_of(&entry.url)) else {
            self.malformed += 1;
            if self.malformed <= MAX_SHOWN_ENTRIES {
                let line = entry.line;
                let url = visible_url(&entry.url);
                pages.trouble.push(anyhow::anyhow!(
                    "{shown}, line {line}: {url} is not an absolute URL of a sitemap"
                ));
            }
            return;
        };
        let is_own = host_of(&index.url).as_ref() == Some(&host);
        if !is_own && !self.of_robots.contains(&url) {
            pages.foreign_sitemaps.add(host);
            return;
        }
        if self.seen.len() > MAX_SITEMAP_URLS || !self.seen.insert(url.clone()) {
            return;
        }
        let mut hosts = index.hosts.clone();
        if !hosts.contains(&host) {
            hosts.push(host);
        }
        self.waiting.push_back(Waiting {
            url,
            depth: index.depth + 1,
            hosts,
        });
    }
}

/// Reads the bytes of a sitemap: XML, or a list with one URL per line, each also in gzip.
fn parsed(shown: &str, bytes: &[u8]) -> anyhow::Result<Sitemap> {
    let unpacked: Cow<'_, [u8]> = if is_gzip(bytes) == Some(true) {
        let mut unpacked = Vec::new();
        let most = MAX_SITEMAP_BYTES as u64 + 1;
        MultiGzDecoder::new(bytes)
            .take(most)
            .read_to_end(&mut unpacked)
            .with_context(|| format!("cannot read {shown}"))?;
        unpacked.into()
    } else {
        bytes.into()
    };
    let listed = abide_documents::sitemap_or_list(&unpacked);
    listed.map_err(|error| anyhow::anyhow!("{shown}, {error}"))
}

fn is_url(name: &str) -> bool {
    let scheme = name.split_once("://").map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| {
        scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
    })
}

/// The URL as it is requested; `None` for one that cannot be.
fn sent(url: &str) -> Option<String> {
    let request = is_url(url).then(|| RequestUrl::new(url));
    Some(request?.ok()?.as_str().to_owned())
}

/// The host and port of an absolute URL, in its usual spelling. The scheme does not count: sites
/// list pages of `http` beside those of `https`.
pub(crate) fn host_of(url: &str) -> Option<String> {
    let url = url::Url::parse(url.trim()).ok()?;
    let host = url.host_str()?;
    Some(match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    })
}

/// Why a sitemap could not be fetched.
pub(crate) fn unknown(url: &str, why: &str) -> anyhow::Error {
    let (url, why) = (visible_url(url), visible(why.as_bytes()));
    UnknownError(format!("cannot read the sitemap {url}: {why}")).into()
}
