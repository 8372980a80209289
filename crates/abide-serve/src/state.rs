//! What all requests share.

use crate::config::Settings;
use crate::counts::Counts;
use crate::in_flight::InFlight;
use crate::leases::Leases;
use crate::process;
use crate::retrievals::Retrievals;
use crate::shares::Shares;
use crate::site_files::SiteFiles;
use crate::sites::Sites;
use crate::tokens::Callers;
use crate::tool_limits::Tools;
use crate::workers::Workers;
use abide_fetch::http::{ConcurrencyLimits, Retrieval};
use abide_fetch::store::{FileStore, StoreError};
use abide_fetch::{BodyHash, Observer, Resource, Warning};
use std::sync::Arc;
use std::thread;
use tokio::sync::watch;

/// Files that the process has open besides connections and fetches.
const OWN_FILES: usize = 64;

/// The state of the service.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) settings: Settings,
    /// The robots.txt files of sites.
    pub(crate) sites: Sites,
    pub(crate) callers: Callers,
    pub(crate) counts: Arc<Counts>,
    /// Room for requests in progress.
    pub(crate) room: Shares,
    /// Room in memory for what is on its way.
    pub(crate) in_flight: Arc<InFlight>,
    /// Room for retrievals.
    pub(crate) retrievals: Retrievals,
    /// The visits of crawlers, if turns are given.
    pub(crate) leases: Option<Leases>,
    /// How many chunks of a batch are answered at the same time.
    pub(crate) threads: usize,
    /// Room for threads that compute.
    pub(crate) workers: Workers,
    /// What tools may do.
    pub(crate) tools: Tools,
    /// The robots.txt files for forward auth, if it is on.
    pub(crate) site_files: Option<SiteFiles>,
    /// Whether the service ends: requests in progress are still answered.
    pub(crate) draining: watch::Sender<bool>,
    /// Whether batches in progress end now.
    pub(crate) end: watch::Receiver<bool>,
    ending: watch::Sender<bool>,
}

impl App {
    /// The state of a service with these parts.
    pub(crate) fn new(
        settings: Settings,
        sites: Sites,
        callers: Callers,
        counts: Arc<Counts>,
    ) -> Self {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let (ending, end) = watch::channel(false);
        Self {
            room: Shares::new(settings.limits.requests),
            in_flight: Arc::new(InFlight::new(settings.memory_parts().in_flight)),
            retrievals: Retrievals::new(),
            leases: sites.pacer().map(|pacer| {
                let bytes = settings.memory_parts().visits;
                Leases::new(pacer.clone(), bytes)
            }),
            workers: Workers::new(threads, counts.workers_waiting.clone()),
            tools: Tools::new(threads, settings.limits.request_timeout),
            site_files: settings.authz.as_ref().map(|on| SiteFiles::new(&on.folder)),
            draining: watch::Sender::new(false),
            settings,
            sites,
            callers,
            counts,
            threads,
            end,
            ending,
        }
    }

    /// Warns of what the operator should change.
    pub(crate) fn warn_at_start(&self) {
        let (connections, fetches) = (
            self.settings.limits.connections,
            ConcurrencyLimits::default().in_all,
        );
        let needed = connections
            .saturating_add(fetches)
            .saturating_add(OWN_FILES) as u64;
        if let Some(limit) = process::most_open_files().filter(|limit| *limit < needed) {
            tracing::warn!(
                limit,
                needed,
                "max-connections and {fetches} fetches need more open files than the process may \
                 have; raise that limit (ulimit -n), or lower max-connections"
            );
        }
        let history = self.sites.history.as_ref();
        if !self.settings.offline && history.is_some_and(FileStore::is_read_only) {
            tracing::warn!(
                "another process writes the cache: what this one fetches is kept only after that one \
                 has ended"
            );
        }
    }

    /// Whether the service ends.
    pub(crate) fn is_draining(&self) -> bool {
        *self.draining.borrow()
    }

    /// Ends batches in progress with an error line.
    pub(crate) fn end_batches(&self) {
        self.ending.send_replace(true);
    }
}

/// Logs what happens to the files of sites.
#[derive(Debug)]
pub(crate) struct SiteEvents;

impl Observer for SiteEvents {
    fn retrieved(&self, resource: &Resource, retrieval: &Retrieval) {
        let last = retrieval.hops.last();
        let status = last.and_then(|hop| hop.status);
        let failure = last.and_then(|hop| hop.failure.as_deref());
        tracing::debug!(
            site = resource.origin().as_str(),
            status,
            failure,
            "fetched"
        );
    }

    fn emptied(&self, resource: &Resource, was: BodyHash, _is: BodyHash) {
        let site = resource.origin();
        let was = was.to_string();
        tracing::warn!(
            site = site.as_str(),
            was,
            "the file had rules, and has none any more"
        );
    }

    fn warned(&self, warning: &Warning) {
        // The service said so when it started.
        if warning.error != StoreError::ReadOnly {
            tracing::warn!(error = %warning, "the cache failed");
        }
    }
}
