//! The service as a whole: listens, answers, ends.

use crate::config::Config;
use crate::routes;
use crate::sites::SitesError;
use crate::state::App;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

/// A service that listens.
#[derive(Debug)]
pub struct Service {
    app: Arc<App>,
    listener: TcpListener,
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
    /// The system failed.
    #[error("the service cannot go on: {0}")]
    System(#[from] io::Error),
}

impl Service {
    /// Sets everything up and listens. Nothing is answered yet.
    ///
    /// # Errors
    /// [`ServeError`] if something cannot be set up.
    pub async fn new(config: Config) -> Result<Self, ServeError> {
        let listen = config.listen;
        let app = App::new(config)?;
        let listener = TcpListener::bind(listen)
            .await
            .map_err(|error| ServeError::Listen { listen, error })?;
        Ok(Self { app, listener })
    }

    /// The address that it listens at: with a port, if port 0 was asked for.
    ///
    /// # Errors
    /// Those of the system.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers requests until SIGTERM or Ctrl-C.
    ///
    /// # Errors
    /// [`ServeError`] if the system fails.
    pub async fn run_until_signal(self) -> Result<(), ServeError> {
        let mut term = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        self.run(async move {
            tokio::select! {
                _ = term.recv() => {}
                _ = interrupt.recv() => {}
            }
        })
        .await
    }

    /// Answers requests until `end` is there.
    ///
    /// # Errors
    /// [`ServeError`] if the system fails.
    pub async fn run(
        self,
        end: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), ServeError> {
        let router = routes::router(Arc::clone(&self.app));
        let app = self.app;
        let end = async move {
            end.await;
            app.drain();
        };
        axum::serve(self.listener, router)
            .with_graceful_shutdown(end)
            .await?;
        Ok(())
    }
}
