//! `abide fetch`

use super::cache::size;
use crate::args::{FetchArgs, FetchFormat};
use crate::chunks::{Chunk, Input};
use crate::exit::{Exit, put, warn, written};
use crate::fetch::{FetchedFile, Network, SiteFetcher};
use crate::lines::Line;
use crate::url_answers::MAX_URL_BYTES;
use crate::url_list;
use abide::explain::{visible, visible_url};
use abide::rep::RetrievalState;
use abide::{Client, ProductToken, Target};
use abide_analysis::words::counted;
use abide_contract::fetch::{FetchedSite, SentRequest};
use abide_contract::{Versioned, text};
use abide_fetch::http::HopReport;
use abide_fetch::machine::{CurrentRules, NextFetch};
use anyhow::{Context, anyhow, ensure};
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::ops::ControlFlow;

/// How many lines of a list are fetched before they are shown.
const MAX_PORTION: usize = 256;
/// Of how many sites is remembered that they were shown.
const MAX_SEEN_SITES: usize = 1 << 20;
/// How many lines that cannot be read are reported one by one.
const MAX_REPORTED_LINES: u64 = 5;

/// Fetches the robots.txt of each URL's site, and shows the requests and the current rules.
pub(crate) fn run(args: &FetchArgs) -> anyhow::Result<Exit> {
    ensure!(
        args.list.is_none() || args.format != FetchFormat::Json,
        "--format json is one value, and a list of URLs may have no end; use --format jsonl"
    );
    let token = ProductToken::nonstandard(&args.agent).context("in --agent")?;
    let network = Network::new(Client::new(token), &args.network, None);
    let network = network.paced(args.list.is_some());
    let mut fetch = Fetch {
        site: network.site()?,
        format: args.format,
        seen: HashSet::new(),
        shown: 0,
        reached: true,
        unread: 0,
    };
    let end = if let Some(list) = &args.list {
        let hint = "--urls takes a file of URLs, a sitemap, or \"-\" for stdin";
        let input = url_list::open(list, hint, MAX_URL_BYTES)?;
        fetch.listed(input.with_most_lines(MAX_PORTION))?
    } else {
        let urls = args.urls.iter().map(|url| robots_url(url));
        fetch.all(urls.collect::<anyhow::Result<_>>()?)?
    };
    if end.is_continue() && args.format == FetchFormat::Json {
        let text = if fetch.shown == 0 { "[]\n" } else { "\n]\n" };
        written(put(text))?;
    }
    if fetch.unread > MAX_REPORTED_LINES {
        let unread = counted(fetch.unread, "line", "lines");
        warn(&format!("{unread} could not be read"));
    }
    Ok(match (fetch.unread, fetch.reached) {
        (0, true) => Exit::Done,
        (0, false) => Exit::Unknown,
        _ => Exit::Failed,
    })
}

/// The robots.txt of the site of a URL.
fn robots_url(url: &str) -> anyhow::Result<String> {
    let target =
        Target::new(url).with_context(|| format!("cannot read the URL {}", visible_url(url)))?;
    ensure!(
        target.is_web() || !target.is_absolute(),
        "cannot fetch {}: expected http or https",
        visible_url(url)
    );
    target.robots_url().with_context(|| {
        format!(
            "the path {} has no site; give an absolute URL",
            visible_url(url)
        )
    })
}

/// A run of the command.
struct Fetch<'a> {
    site: &'a SiteFetcher,
    format: FetchFormat,
    /// The sites of a list that were shown.
    seen: HashSet<u64>,
    shown: u64,
    /// Whether the rules of every site are known.
    reached: bool,
    /// How many lines of a list could not be read.
    unread: u64,
}

impl Fetch<'_> {
    /// Fetches the sites of a list, each once.
    fn listed(&mut self, mut input: Input) -> anyhow::Result<ControlFlow<()>> {
        let hasher = RandomState::new();
        let mut chunk = Chunk::default();
        while input.read(&mut chunk) {
            let mut urls = Vec::new();
            for (number, line, bytes) in chunk.lines() {
                let url = match line {
                    Line::Blank => continue,
                    Line::TooLong => {
                        Err(anyhow!("expected a line of at most {MAX_URL_BYTES} bytes"))
                    }
                    Line::Whole => text_of(bytes).and_then(robots_url),
                };
                match url {
                    Ok(url) if self.is_new(hasher.hash_one(&url)) => urls.push(url),
                    Ok(_) => {}
                    Err(error) => self.refuse(number, &error),
                }
            }
            self.site.fetch_ahead(urls.clone())?;
            if self.all(urls)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        input.into_result()?;
        Ok(ControlFlow::Continue(()))
    }

    /// Whether a site was not shown before, as far as that is remembered.
    fn is_new(&mut self, site: u64) -> bool {
        if self.seen.len() >= MAX_SEEN_SITES {
            self.seen.clear();
        }
        self.seen.insert(site)
    }

    fn refuse(&mut self, number: u64, error: &anyhow::Error) {
        self.unread += 1;
        if self.unread <= MAX_REPORTED_LINES {
            warn(&format!("line {number}: {error:#}"));
        }
    }

    /// Shows these files, one after the other. Breaks if nobody reads the output any more, as in
    /// `abide fetch … | head -1`.
    fn all(&mut self, urls: Vec<String>) -> anyhow::Result<ControlFlow<()>> {
        for url in urls {
            let fetched = self.site.fetch(&url)?;
            self.reached &= !matches!(
                fetched.current(),
                CurrentRules::DisallowAll(_) | CurrentRules::Unknown
            );
            let shown = self.show(&url, &fetched);
            self.shown += 1;
            match shown {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                    return Ok(ControlFlow::Break(()));
                }
                shown => written(shown)?,
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn show(&self, robots_url: &str, fetched: &FetchedFile) -> io::Result<()> {
        let user_agent = &self.site.user_agent;
        let object = || Versioned::new(fetched_site(robots_url, fetched, user_agent));
        match self.format {
            FetchFormat::Human => {
                let mut out = anstream::stdout().lock();
                if self.shown > 0 {
                    writeln!(out)?;
                }
                in_words(&mut out, robots_url, fetched, user_agent)
            }
            FetchFormat::Json => {
                let before = if self.shown > 0 { ",\n" } else { "[\n" };
                put(before.to_owned() + &text::pretty(&object()))
            }
            FetchFormat::Jsonl => put(text::line(&object()) + "\n"),
        }
    }
}

/// A URL of a list.
fn text_of(bytes: &[u8]) -> anyhow::Result<&str> {
    let text = str::from_utf8(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes));
    Ok(text
        .context("it is not UTF-8; write its bytes as %XX")?
        .trim())
}

/// What is known of a robots.txt, for programs.
fn fetched_site(robots_url: &str, fetched: &FetchedFile, user_agent: &str) -> FetchedSite {
    let (state, plan) = (&fetched.state, fetched.plan());
    let site = FetchedSite::of(
        robots_url.to_owned(),
        state,
        &plan,
        fetched.at,
        SentRequest::of,
    );
    let Some(sent) = &fetched.sent else {
        return site;
    };
    FetchedSite {
        user_agent: Some(user_agent.to_owned()),
        requests: sent.hops.iter().map(SentRequest::of).collect(),
        media_type: sent.media_type.clone(),
        downgraded: sent.is_downgraded,
        ..site
    }
}

fn in_words(
    out: &mut impl Write,
    robots_url: &str,
    fetched: &FetchedFile,
    user_agent: &str,
) -> io::Result<()> {
    writeln!(out, "{}", visible(robots_url.as_bytes()))?;
    if fetched.sent.is_some() {
        row(out, "sent as", &visible(user_agent.as_bytes()))?;
    }
    requests(out, fetched)?;
    rules(out, fetched)?;
    freshness(out, fetched)?;
    out.flush()
}

fn row(out: &mut impl Write, label: &str, text: &str) -> io::Result<()> {
    writeln!(out, "  {label:<12}{text}")
}

/// The requests that were sent, or what the cache has.
fn requests(out: &mut impl Write, fetched: &FetchedFile) -> io::Result<()> {
    let Some(sent) = &fetched.sent else {
        row(out, "cache", &stored(fetched))?;
        return fetched
            .trail()
            .map_or(Ok(()), |trail| hops(out, &trail.hops));
    };
    hops(out, &sent.hops)?;
    if sent.is_downgraded {
        row(out, "note", "a redirect led from https to http")?;
    }
    Ok(())
}

/// The requests of a retrieval, and what answered each.
pub(super) fn hops(out: &mut impl Write, hops: &[HopReport]) -> io::Result<()> {
    for hop in hops {
        let answer = answer_in_words(hop);
        let at = hop
            .address
            .map_or_else(String::new, |address| format!(", {address}"));
        let took = hop.took.as_millis();
        let url = visible(hop.url.as_str().as_bytes());
        row(out, "asked", &format!("{url}: {answer} ({took} ms{at})"))?;
    }
    Ok(())
}

/// The status of a response, or why there is none.
pub(super) fn answer_in_words(hop: &HopReport) -> String {
    match (hop.status, &hop.failure) {
        (Some(status), Some(failure)) => {
            format!("{status}, but {}", visible(failure.as_bytes()))
        }
        (Some(status), None) => status.to_string(),
        (None, Some(failure)) => visible(failure.as_bytes()),
        (None, None) => "no answer".to_owned(),
    }
}

fn stored(fetched: &FetchedFile) -> String {
    match (fetched.state.copy(), fetched.state.outage()) {
        (_, Some(outage)) => format!(
            "{} failed attempts since {}, the last {}",
            outage.attempts, outage.since, outage.last
        ),
        (Some(copy), None) => format!("stored {}, confirmed {}", copy.fetched_at, copy.checked_at),
        (None, None) => "nothing is stored, and no request was sent".to_owned(),
    }
}

/// The current rules, and the file that has them.
fn rules(out: &mut impl Write, fetched: &FetchedFile) -> io::Result<()> {
    let plan = fetched.plan();
    row(out, "current", &rules_in_words(fetched))?;
    if let Some(body) = plan.file() {
        row(out, "sha256", &body.hash().to_string())?;
    }
    let sent = fetched.sent.as_ref();
    let media_type = sent.and_then(|sent| sent.media_type.as_ref());
    match media_type.filter(|_| plan.why == RetrievalState::Fresh) {
        Some(media_type) => row(out, "type", &judged(media_type)),
        None => Ok(()),
    }
}

/// What the current rules are.
pub(super) fn rules_in_words(fetched: &FetchedFile) -> String {
    match fetched.current() {
        CurrentRules::File(body) => format!(
            "the rules of {}",
            size(body.as_bytes().len(), body.is_cut())
        ),
        CurrentRules::AllowAll(cause) => {
            format!("everything is allowed: the file is unavailable ({cause})")
        }
        CurrentRules::DisallowAll(cause) => {
            format!("only robots.txt itself is allowed: it is unreachable ({cause})")
        }
        CurrentRules::Unknown => "nothing is known".to_owned(),
    }
}

/// A media type, and what is wrong with it.
fn judged(media_type: &str) -> String {
    let text = visible(media_type.as_bytes());
    let bare = text.split(';').next().unwrap_or_default().trim();
    if bare.eq_ignore_ascii_case("text/plain") {
        text
    } else {
        format!("{text}, where RFC 9309 asks for text/plain")
    }
}

/// How long the rules are fresh, and when to ask again.
fn freshness(out: &mut impl Write, fetched: &FetchedFile) -> io::Result<()> {
    if let Some(copy) = fetched.state.copy() {
        let lifetime = match copy.freshness.seconds {
            Some(seconds) => format!("the site says {seconds} s"),
            None => "the site says nothing".to_owned(),
        };
        let text = format!("{} ({lifetime})", copy.fresh_until);
        row(out, "fresh until", &text)?;
    }
    match fetched.plan().next {
        NextFetch::At(moment) => row(out, "ask again", &format!("at {moment}")),
        NextFetch::Now => Ok(()),
    }
}
