//! Operations of one kind, reads or writes, with their own connections and breaker. A server that
//! is full or read-only refuses writes but still serves reads.

use super::address::Address;
use super::connection::{Connection, Trouble};
use crate::store::StoreError;
use crate::store::breaker::Breaker;
use redis::{Cmd, Value};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{Semaphore, oneshot};
use tokio::time::{Instant, timeout, timeout_at};

/// The number of connections per kind, which limits concurrent operations and the records in
/// memory.
const MAX_CONNECTIONS: usize = 8;
/// The time to connect and log in.
const CONNECT: Duration = Duration::from_secs(1);
/// A connection that got an error is not replaced before this age: after a failover another server
/// may respond, but trying more often is useless.
const RECONNECT: Duration = Duration::from_secs(1);

/// What the last argument of a command names.
#[derive(Clone, Copy, Debug)]
pub(super) enum Naming {
    /// Nothing in particular.
    Nothing,
    /// The run of the server that the connection leads to.
    Run,
}

/// Operations of one kind on one server.
pub(super) struct Lane {
    address: Arc<Address>,
    tls: Option<Arc<rustls::ClientConfig>>,
    deadline: Duration,
    breaker: Breaker,
    turns: Semaphore,
    idle: Arc<Mutex<Vec<Connection>>>,
}

impl Lane {
    pub(super) fn new(
        address: &Arc<Address>,
        tls: Option<&Arc<rustls::ClientConfig>>,
        deadline: Duration,
    ) -> Self {
        Self {
            address: Arc::clone(address),
            tls: tls.cloned(),
            deadline,
            breaker: Breaker::default(),
            turns: Semaphore::new(MAX_CONNECTIONS),
            idle: Arc::default(),
        }
    }

    /// Sends `command` and passes the reply to `read`, which returns `None` if the reply makes no
    /// sense for the command.
    pub(super) async fn ask<T>(
        &self,
        command: &Cmd,
        read: impl FnOnce(Value) -> Option<T>,
    ) -> Result<T, StoreError> {
        self.ask_as(command, Naming::Nothing, read).await
    }

    /// Sends `command`, with what `naming` says as its last argument, like [`Lane::ask`].
    pub(super) async fn ask_as<T>(
        &self,
        command: &Cmd,
        naming: Naming,
        read: impl FnOnce(Value) -> Option<T>,
    ) -> Result<T, StoreError> {
        // Nobody waits for a server whose breaker is open; it may have opened during the wait.
        drop(self.breaker.turn().map_err(StoreError::Down)?);
        let now = Instant::now();
        let deadline = now.checked_add(self.deadline).unwrap_or(now);
        // Many concurrent operations say nothing about the server.
        let permit = timeout_at(deadline, self.turns.acquire()).await;
        let _permit = permit.map_err(|_| StoreError::Slow)?;
        let turn = self.breaker.turn().map_err(StoreError::Down)?;
        if Instant::now() >= deadline {
            return Err(StoreError::Slow);
        }
        let Ok(reply) = timeout_at(deadline, self.reply(command, naming, read)).await else {
            turn.failed("it did not answer in time");
            return Err(StoreError::Slow);
        };
        match &reply {
            Ok(_) => turn.answered(),
            Err(Trouble::Refused(message)) if is_about_one_key(message) => turn.answered(),
            Err(Trouble::Refused(message) | Trouble::Broken(message)) => turn.failed(message),
        }
        reply.map_err(StoreError::from)
    }

    async fn reply<T>(
        &self,
        command: &Cmd,
        naming: Naming,
        read: impl FnOnce(Value) -> Option<T>,
    ) -> Result<T, Trouble> {
        let mut connection = match self.kept() {
            Some(kept) => kept,
            None => self.connected().await?,
        };
        // If the caller goes away here, the connection is closed.
        let reply = match naming {
            Naming::Nothing => connection.ask(command, &self.address).await,
            Naming::Run => match connection.run(&self.address).await {
                Ok(run) => {
                    let mut command = command.clone();
                    command.arg(run);
                    connection.ask(&command, &self.address).await
                }
                Err(trouble) => Err(trouble),
            },
        };
        match reply {
            Ok(value) => {
                let unreadable = || Trouble::Broken("its reply makes no sense".to_owned());
                let read = read(value).ok_or_else(unreadable)?;
                self.keep(connection);
                Ok(read)
            }
            Err(Trouble::Refused(message)) => {
                if is_about_one_key(&message) || connection.since.elapsed() < RECONNECT {
                    self.keep(connection);
                }
                Err(Trouble::Refused(message))
            }
            Err(broken) => Err(broken),
        }
    }

    /// Makes a new connection. To a distant server with TLS this may take longer than an operation:
    /// the caller then goes on without it, and the next one uses it.
    async fn connected(&self) -> Result<Connection, Trouble> {
        let (address, tls) = (Arc::clone(&self.address), self.tls.clone());
        let idle = Arc::clone(&self.idle);
        let (sender, made) = oneshot::channel();
        tokio::spawn(async move {
            let made = timeout(CONNECT, Connection::new(&address, tls.as_ref())).await;
            let late = || Trouble::Broken("no connection in time".to_owned());
            let unheard = sender.send(made.unwrap_or_else(|_| Err(late())));
            if let Err(Ok(connection)) = unheard {
                keep(&idle, connection);
            }
        });
        let ended = |_| Trouble::Broken("the connection attempt was interrupted".to_owned());
        made.await.map_err(ended)?
    }

    fn kept(&self) -> Option<Connection> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(connection) = idle.pop() {
            if connection.is_open() {
                return Some(connection);
            }
        }
        None
    }

    fn keep(&self, connection: Connection) {
        keep(&self.idle, connection);
    }
}

fn keep(idle: &Mutex<Vec<Connection>>, connection: Connection) {
    let mut idle = idle.lock().unwrap_or_else(PoisonError::into_inner);
    if idle.len() < MAX_CONNECTIONS {
        idle.push(connection);
    }
}

/// An error about one key says nothing about the server.
fn is_about_one_key(message: &str) -> bool {
    message.starts_with("WRONGTYPE")
}
