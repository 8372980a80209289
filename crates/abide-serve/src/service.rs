//! The service as a whole: listens, answers, ends.

use crate::config::Settings;
use crate::connections;
use crate::counts::Counts;
use crate::logs::Log;
use crate::routes;
use crate::sites::{Sites, SitesError};
use crate::state::{App, SiteEvents};
use crate::tokens::{Callers, TokensError};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

/// How often counters are tidied.
const TIDY: Duration = Duration::from_secs(5);

/// A service that listens.
#[derive(Debug)]
pub struct Service {
    app: Arc<App>,
    listener: TcpListener,
    log: Option<Log>,
}

/// Why the service cannot start or had to end.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address cannot be used.
    #[error("cannot listen at {listen}: {error}; choose another address with listen")]
    Listen {
        /// The address.
        listen: SocketAddr,
        /// The error of the system.
        error: io::Error,
    },
    /// The files of sites cannot be kept or fetched.
    #[error(transparent)]
    Sites(#[from] SitesError),
    /// The tokens cannot be read.
    #[error(transparent)]
    Tokens(#[from] TokensError),
    /// The counters cannot be set up.
    #[error("the counters cannot be set up: {0}")]
    Counts(String),
    /// The system failed.
    #[error("the service stopped: {0}")]
    System(#[from] io::Error),
}

impl Service {
    /// Sets everything up and listens. Nothing is answered yet.
    ///
    /// # Errors
    /// [`ServeError`] if something cannot be set up.
    pub async fn new(settings: Settings) -> Result<Self, ServeError> {
        let listen = settings.listen;
        let counts = Counts::new().map_err(|error| ServeError::Counts(error.to_string()))?;
        let counts = Arc::new(counts);
        let callers = Callers::open(&settings)?;
        let sites = Sites::open(&settings, (counts.of_sites(), SiteEvents))?;
        let app = Arc::new(App::new(settings, sites, callers, counts));
        let listener = TcpListener::bind(listen)
            .await
            .map_err(|error| ServeError::Listen { listen, error })?;
        Ok(Self {
            app,
            listener,
            log: None,
        })
    }

    /// Keeps the log until the service has ended, and counts its lost lines.
    #[must_use]
    pub fn with_log(self, log: Log) -> Self {
        let log = Some(log);
        Self { log, ..self }
    }

    /// The address that it listens at: with a port, if port 0 was asked for.
    ///
    /// # Errors
    /// I/O errors of the system.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers requests until SIGTERM or Ctrl-C. Reads the tokens again on SIGHUP.
    ///
    /// # Errors
    /// [`ServeError`] if the system fails.
    pub async fn run_until_signal(self) -> Result<(), ServeError> {
        let mut term = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut hangup = signal(SignalKind::hangup())?;
        let app = Arc::clone(&self.app);
        let reload = tokio::spawn(async move {
            while hangup.recv().await.is_some() {
                reload_tokens(&app);
            }
        });
        self.run(async move {
            tokio::select! {
                _ = term.recv() => {}
                _ = interrupt.recv() => {}
            }
        })
        .await;
        reload.abort();
        Ok(())
    }

    /// Answers requests until `end` is there, and then what is in progress.
    pub async fn run(self, end: impl Future<Output = ()> + Send) {
        let router = routes::router(Arc::clone(&self.app));
        let tidied = tokio::spawn(tidy(Arc::clone(&self.app), self.log));
        if let Ok(address) = self.listener.local_addr() {
            let address = address.to_string();
            let settings = &self.app.settings;
            let (fetches, needs_token) = (!settings.offline, settings.tokens.is_some());
            let authz = settings.authz.is_some();
            tracing::info!(address, fetches, needs_token, authz, "listening");
        }
        self.app.warn_at_start();
        connections::serve(&self.app, self.listener, &router, end).await;
        tracing::info!("ended");
        tidied.abort();
        // The log writes what is left when it is dropped.
        let _ = tidied.await;
    }
}

fn reload_tokens(app: &App) {
    match app.callers.reload() {
        Ok(number) => tracing::info!(number, "the tokens were read again"),
        Err(error) => {
            app.counts.problem("tokens-not-read");
            tracing::error!(%error, "the tokens were not read; those from before stay");
        }
    }
}

/// Keeps counters small, and counts what the log lost.
async fn tidy(app: Arc<App>, log: Option<Log>) {
    let mut interval = tokio::time::interval(TIDY);
    loop {
        interval.tick().await;
        app.counts.tidy();
        if let Some(log) = &log {
            app.counts.logs_dropped.absolute(log.dropped());
        }
    }
}
