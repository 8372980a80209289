//! Logs on stderr. A line that cannot be written in time is dropped and counted: no answer waits
//! for the log.

use crate::config::{LogFormat, Settings};
use thiserror::Error;
use tracing_appender::non_blocking::{ErrorCounter, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::EnvFilter;

/// The log of a process. Dropping it writes what is left.
#[derive(Debug)]
#[must_use = "the log ends when this is dropped"]
pub struct Log {
    _worker: WorkerGuard,
    dropped: ErrorCounter,
}

/// Another log was started before.
#[derive(Debug, Error)]
#[error("the process already has a logger")]
#[non_exhaustive]
pub struct LogError;

impl Log {
    /// Starts the log of the process: one per process.
    ///
    /// # Errors
    /// [`LogError`] if there is another one.
    pub fn start(settings: &Settings) -> Result<Self, LogError> {
        let (writer, worker) = NonBlockingBuilder::default()
            .thread_name("log")
            .finish(std::io::stderr());
        let dropped = writer.error_counter();
        let builder = tracing_subscriber::fmt()
            .with_writer(writer)
            .with_ansi(false)
            .with_env_filter(EnvFilter::new(&settings.log));
        let started = match settings.log_format {
            LogFormat::Text => builder.try_init(),
            LogFormat::Json => builder.json().flatten_event(true).try_init(),
        };
        started.map_err(|_| LogError)?;
        Ok(Self {
            _worker: worker,
            dropped,
        })
    }

    /// How many lines were dropped.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped.dropped_lines() as u64
    }
}
