//! `abide cache`

use crate::args::{CacheArgs, CacheCommand};
use crate::cache::{self, to_read};
use crate::commands::fetch::hops;
use crate::exit::{Exit, put, warn, written};
use crate::file_arg::{FileArg, shown_path};
use abide::Moment;
use abide::explain::{visible, visible_url};
use abide::rep::RetrievalState;
use abide_fetch::http::now;
use abide_fetch::machine::{Answer, CurrentRules, RetrievalSettings, State, Trail};
use abide_fetch::store::{FileStore, Place, SealKey, Store, StoreError};
use abide_fetch::{Body, BodyHash, Resource};
use anyhow::{Context, bail};
use std::io::{self, Write};

pub(crate) fn run(args: &CacheArgs) -> anyhow::Result<Exit> {
    match &args.command {
        CacheCommand::Ls { cache } => ls(cache),
        CacheCommand::Show {
            cache,
            what,
            cache_keys,
        } => show(cache, what, cache_keys),
        CacheCommand::Prune {
            cache,
            older_than,
            before,
        } => prune(cache, *older_than, *before),
    }
}

fn ls(cache: &FileArg) -> anyhow::Result<Exit> {
    let store = to_read(cache::file(&cache::place(cache)?, "abide cache ls")?)?;
    let sites = store.sites().with_context(|| reading(&store))?;
    let at = now();
    let list = || -> io::Result<()> {
        let mut out = anstream::stdout().lock();
        for site in &sites {
            let current = match &site.record {
                Ok(record) => current_rules(&record.state, at),
                Err(error) => format!("damaged: {error}; the next fetch replaces it"),
            };
            let served = match site.bodies {
                1 => "1 file".to_owned(),
                several => format!("{several} files"),
            };
            let name = visible(site.name.as_bytes());
            writeln!(out, "{name}  {current}; {served} served")?;
        }
        out.flush()
    };
    written(list())?;
    let is_whole = sites.iter().all(|site| site.record.is_ok());
    Ok(if is_whole { Exit::Done } else { Exit::Failed })
}

fn reading(store: &FileStore) -> String {
    format!("cannot read {}", shown_path(store.path()))
}

/// How long a file is, as far as it was kept.
pub(crate) fn size(bytes: usize, is_cut: bool) -> String {
    if is_cut {
        format!("the first {bytes} bytes of a file")
    } else {
        format!("a file of {bytes} bytes")
    }
}

/// A site's current rules, in a few words.
fn current_rules(state: &State<Body>, now: Moment) -> String {
    let plan = state.plan(now, &RetrievalSettings::default());
    let until = match (plan.why, state.copy()) {
        (RetrievalState::Fresh | RetrievalState::RefreshFailed, Some(copy)) => {
            format!(" until {}", copy.fresh_until)
        }
        (RetrievalState::GraceIsOver, _) => {
            ", because the site has been unreachable for too long".to_owned()
        }
        _ => String::new(),
    };
    match plan.current {
        CurrentRules::File(body) => {
            let bytes = body.as_bytes().len();
            format!("{}{until}", size(bytes, body.is_cut()))
        }
        CurrentRules::AllowAll(cause) => format!("no file ({cause}){until}"),
        CurrentRules::DisallowAll(cause) => format!("unreachable ({cause})"),
        CurrentRules::Unknown => "past its time".to_owned(),
    }
}

fn show(cache: &FileArg, what: &str, keys: &[SealKey]) -> anyhow::Result<Exit> {
    match (what.parse(), Resource::robots_txt(what)) {
        (Ok(hash), _) => show_body(cache, hash),
        (Err(_), Some(robots_txt)) => show_resource(cache, what, robots_txt, keys),
        (Err(_), None) => bail!(
            "{} is neither an http or https URL nor a SHA-256 of 64 digits",
            visible_url(what)
        ),
    }
}

fn show_body(cache: &FileArg, hash: BodyHash) -> anyhow::Result<Exit> {
    let store = to_read(cache::file(&cache::place(cache)?, "abide cache show HASH")?)?;
    let body = store.body(hash).with_context(|| reading(&store))?;
    let body = body.with_context(|| format!("the cache has no file with SHA-256 {hash}"))?;
    written(put(body.as_bytes()))?;
    Ok(Exit::Done)
}

fn show_resource(
    cache: &FileArg,
    url: &str,
    robots_txt: Resource,
    keys: &[SealKey],
) -> anyhow::Result<Exit> {
    let (resource, state, served) = match cache::place(cache)? {
        Place::File(path) => {
            let store = to_read(&path)?;
            let (resource, state) = find(&store, url, robots_txt)?;
            let served = store.served(&resource).with_context(|| reading(&store))?;
            (resource, state, served)
        }
        Place::Server(server) => {
            let server = cache::server(&server, keys, Vec::new())?;
            let (resource, state) = find(&server, url, robots_txt)?;
            (resource, state, Vec::new())
        }
    };
    let (state, damage) = match state {
        Ok(state) => {
            let nothing = || format!("the cache has nothing about {resource}");
            (state.with_context(nothing)?, None)
        }
        // The served files are known anyway.
        Err(error @ StoreError::Record(_)) => (State::default(), Some(error)),
        Err(error) => return Err(error).context("cannot read the cache"),
    };
    let tell = || -> io::Result<()> {
        let mut out = anstream::stdout().lock();
        writeln!(out, "{resource}")?;
        match &damage {
            Some(damage) => writeln!(out, "  damaged     {damage}; the next fetch replaces it")?,
            None => writeln!(out, "  current     {}", current_rules(&state, now()))?,
        }
        show_state(&mut out, &state)?;
        for body in &served {
            let (first, last) = (body.first, body.last);
            writeln!(
                out,
                "  served      {} ({} bytes), {first} to {last}",
                body.sha256, body.bytes
            )?;
        }
        out.flush()
    };
    written(tell())?;
    Ok(if damage.is_none() {
        Exit::Done
    } else {
        Exit::Failed
    })
}

/// Shows the last good copy, and the outage since then.
fn show_state(out: &mut impl Write, state: &State<Body>) -> io::Result<()> {
    if let Some(copy) = state.copy() {
        writeln!(out, "  fetched     {}", copy.fetched_at)?;
        writeln!(out, "  confirmed   {}", copy.checked_at)?;
        writeln!(out, "  fresh until {}", copy.fresh_until)?;
        if let Some(trail) = &copy.trail {
            show_trail(out, trail)?;
        }
        if let Answer::File(body) = &copy.kept {
            writeln!(out, "  sha256      {}", body.hash())?;
            if body.is_cut() {
                let bytes = body.as_bytes().len();
                writeln!(
                    out,
                    "  cut         after {bytes} bytes, which the hash covers"
                )?;
            }
        }
    }
    if let Some(outage) = state.outage() {
        let (since, attempts) = (outage.since, outage.attempts);
        writeln!(
            out,
            "  failing     since {since}, {attempts} times: {}",
            outage.cause
        )?;
        writeln!(out, "  ask again   at {}", outage.retry_at)?;
    }
    Ok(())
}

/// Shows where a file is from.
fn show_trail(out: &mut impl Write, trail: &Trail) -> io::Result<()> {
    hops(out, &trail.hops)?;
    for (name, value) in &trail.fields {
        let name = visible(name.as_bytes());
        writeln!(out, "  field       {name}: {}", visible(value))?;
    }
    if trail.is_cut {
        writeln!(out, "  note        there was more than is kept of it")?;
    }
    Ok(())
}

/// The state of a record, or why that cannot be read.
type LoadResult = Result<Option<State<Body>>, StoreError>;

/// The record of the document at `url`, if there is one, else that of its site's `robots_txt`.
fn find(
    store: &dyn Store,
    url: &str,
    robots_txt: Resource,
) -> anyhow::Result<(Resource, LoadResult)> {
    if let Some(document) = Resource::document(url) {
        let loaded = load(store, &document)?;
        if !matches!(loaded, Ok(None)) {
            return Ok((document, loaded));
        }
    }
    let loaded = load(store, &robots_txt)?;
    Ok((robots_txt, loaded))
}

/// The record of `resource`, or the error.
fn load(store: &dyn Store, resource: &Resource) -> anyhow::Result<LoadResult> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let record = runtime.block_on(store.load(resource));
    Ok(record.map(|record| record.map(|record| record.state)))
}

fn prune(cache: &FileArg, older_than: Option<u32>, before: Option<Moment>) -> anyhow::Result<Exit> {
    let place = cache::place(cache)?;
    let path = cache::file(&place, "abide cache prune")?;
    // Fails if the file does not exist, instead of creating it.
    drop(to_read(path)?);
    let days = i64::from(older_than.unwrap_or_default());
    let ago = Moment::from_unix_seconds(now().unix_seconds() - days * 86_400);
    let pruned = FileStore::prune(path, before.unwrap_or(ago))?;
    for name in &pruned.damaged {
        let name = visible(name.as_bytes());
        warn(&format!(
            "{name}: its record is damaged, so nothing was removed; the next fetch replaces it"
        ));
    }
    let (events, bodies) = (pruned.events, pruned.bodies);
    written(put(format!("removed: {events} events, {bodies} files\n")))?;
    Ok(if pruned.damaged.is_empty() {
        Exit::Done
    } else {
        Exit::Failed
    })
}
