//! What all requests share.

use crate::config::Config;
use crate::sites::{Sites, SitesError};
use crate::tools::Workers;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The state of the service.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) config: Config,
    /// The robots.txt files of sites.
    pub(crate) sites: Sites,
    /// Where tools work.
    pub(crate) workers: Workers,
    is_draining: AtomicBool,
}

impl App {
    /// Sets up what `config` describes. Must be called within a tokio runtime.
    pub(crate) fn new(config: Config) -> Result<Arc<Self>, SitesError> {
        let sites = Sites::open(&config, Events)?;
        let workers = Workers::new(config.limits.request_timeout);
        Ok(Arc::new(Self {
            workers,
            config,
            sites,
            is_draining: AtomicBool::new(false),
        }))
    }

    /// Whether the service ends: requests in progress are still answered.
    pub(crate) fn is_draining(&self) -> bool {
        self.is_draining.load(Ordering::Relaxed)
    }

    /// Begins to end.
    pub(crate) fn drain(&self) {
        self.is_draining.store(true, Ordering::Relaxed);
    }
}

/// Receives what happens to the files of sites.
#[derive(Debug)]
struct Events;

impl abide_fetch::Observer for Events {}
