//! `abide fetch`

use super::cache::size;
use crate::args::FetchArgs;
use crate::exit::{Exit, written};
use crate::fetch::{FetchedFile, Network};
use abide::explain::{visible, visible_url};
use abide::{Client, ProductToken, Target};
use abide_fetch::machine::{Basis, CurrentRules, NextFetch};
use anyhow::Context;
use std::io::{self, Write};

/// Fetches the robots.txt of each URL's site, and shows the requests and the current rules.
pub(crate) fn run(args: &FetchArgs) -> anyhow::Result<Exit> {
    let token = ProductToken::nonstandard(&args.agent).context("in --agent")?;
    let client = Client::new(token);
    let network = Network::new(&client, &args.network, None);
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
        match tell(&robots_url, &fetched, at > 0) {
            // The output is closed, as in `abide fetch … | head -1`: stop sending requests.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => break,
            text => written(text)?,
        }
    }
    Ok(if reached { Exit::Done } else { Exit::Unknown })
}

fn tell(robots_url: &str, fetched: &FetchedFile, behind: bool) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    if behind {
        writeln!(out)?;
    }
    writeln!(out, "{}", visible(robots_url.as_bytes()))?;
    let row = |out: &mut dyn Write, label: &str, text: &str| writeln!(out, "  {label:<12}{text}");
    let retrieval = fetched.retrieval.as_ref();
    for hop in retrieval.map_or(&[][..], |retrieval| &retrieval.hops) {
        let said = match (hop.status, &hop.failure) {
            (Some(status), _) => status.to_string(),
            (None, Some(failure)) => visible(failure.as_bytes()),
            (None, None) => "no answer".to_owned(),
        };
        let at = hop
            .address
            .map_or_else(String::new, |address| format!(", {address}"));
        let took = hop.took.as_millis();
        let url = visible(hop.url.as_str().as_bytes());
        row(&mut out, "asked", &format!("{url}: {said} ({took} ms{at})"))?;
    }
    if retrieval.is_none() {
        let text = match (fetched.state.copy(), fetched.state.outage()) {
            (_, Some(outage)) => format!(
                "{} failed attempts since {}, the last {}",
                outage.attempts, outage.since, outage.last
            ),
            (Some(copy), None) => {
                format!("stored {}, confirmed {}", copy.fetched_at, copy.checked_at)
            }
            (None, None) => "nothing is stored, and no request was sent".to_owned(),
        };
        row(&mut out, "cache", &text)?;
    }
    if retrieval.is_some_and(|retrieval| retrieval.is_downgraded) {
        row(&mut out, "note", "a redirect led from https to http")?;
    }
    let plan = fetched.plan();
    let text = match plan.current {
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
    };
    row(&mut out, "current", &text)?;
    if let CurrentRules::File(body) = plan.current {
        row(&mut out, "sha256", &body.hash().to_string())?;
    }
    let media_type = retrieval.and_then(|retrieval| retrieval.media_type.as_ref());
    if let Some(media_type) = media_type.filter(|_| plan.why == Basis::Fresh) {
        let text = visible(media_type.as_bytes());
        let is_text = text
            .split(';')
            .next()
            .is_some_and(|bare| bare.trim().eq_ignore_ascii_case("text/plain"));
        let wants = if is_text {
            ""
        } else {
            ", where RFC 9309 asks for text/plain"
        };
        row(&mut out, "type", &format!("{text}{wants}"))?;
    }
    if let Some(copy) = fetched.state.copy() {
        let says = copy.freshness.seconds;
        let says = says.map_or("the site says nothing".to_owned(), |seconds| {
            format!("the site says {seconds} s")
        });
        row(
            &mut out,
            "fresh until",
            &format!("{} ({says})", copy.fresh_until),
        )?;
    }
    if let NextFetch::At(moment) = plan.next {
        row(&mut out, "ask again", &format!("at {moment}"))?;
    }
    out.flush()
}
