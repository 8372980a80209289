//! `abide fetch`

use super::cache::size;
use crate::args::FetchArgs;
use crate::exit::{Exit, written};
use crate::fetch::{FetchedFile, Network};
use abide::explain::{visible, visible_url};
use abide::rep::RetrievalState;
use abide::{Client, ProductToken, Target};
use abide_fetch::http::HopReport;
use abide_fetch::machine::{CurrentRules, NextFetch};
use anyhow::Context;
use std::io::{self, Write};

/// Fetches the robots.txt of each URL's site, and shows the requests and the current rules.
pub(crate) fn run(args: &FetchArgs) -> anyhow::Result<Exit> {
    let token = ProductToken::nonstandard(&args.agent).context("in --agent")?;
    let network = Network::new(Client::new(token), &args.network, None);
    let site = network.site()?;
    let mut reached = true;
    for (at, url) in args.urls.iter().enumerate() {
        let target = Target::new(url)
            .with_context(|| format!("cannot read the URL {}", visible_url(url)))?;
        let robots_url = target.robots_url().with_context(|| {
            format!(
                "the path {} has no site; give an absolute URL",
                visible_url(url)
            )
        })?;
        let fetched = site.fetch(&robots_url)?;
        let current = fetched.current();
        reached &= !matches!(
            current,
            CurrentRules::DisallowAll(_) | CurrentRules::Unknown
        );
        match show(&robots_url, &fetched, &site.user_agent, at > 0) {
            // The output is closed, as in `abide fetch … | head -1`: stop sending requests.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => break,
            text => written(text)?,
        }
    }
    Ok(if reached { Exit::Done } else { Exit::Unknown })
}

fn show(
    robots_url: &str,
    fetched: &FetchedFile,
    user_agent: &str,
    is_behind_another: bool,
) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    if is_behind_another {
        writeln!(out)?;
    }
    writeln!(out, "{}", visible(robots_url.as_bytes()))?;
    if fetched.retrieval.is_some() {
        row(&mut out, "sent as", &visible(user_agent.as_bytes()))?;
    }
    requests(&mut out, fetched)?;
    rules(&mut out, fetched)?;
    freshness(&mut out, fetched)?;
    out.flush()
}

fn row(out: &mut impl Write, label: &str, text: &str) -> io::Result<()> {
    writeln!(out, "  {label:<12}{text}")
}

/// The requests that were sent, or what the cache has.
fn requests(out: &mut impl Write, fetched: &FetchedFile) -> io::Result<()> {
    let Some(retrieval) = &fetched.retrieval else {
        return row(out, "cache", &stored(fetched));
    };
    for hop in &retrieval.hops {
        let answer = answer_in_words(hop);
        let at = hop
            .address
            .map_or_else(String::new, |address| format!(", {address}"));
        let took = hop.took.as_millis();
        let url = visible(hop.url.as_str().as_bytes());
        row(out, "asked", &format!("{url}: {answer} ({took} ms{at})"))?;
    }
    if retrieval.is_downgraded {
        row(out, "note", "a redirect led from https to http")?;
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
    if let CurrentRules::File(body) = plan.current {
        row(out, "sha256", &body.hash().to_string())?;
    }
    let retrieval = fetched.retrieval.as_ref();
    let media_type = retrieval.and_then(|retrieval| retrieval.media_type.as_ref());
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
