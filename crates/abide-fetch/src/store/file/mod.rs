//! Records in one file, which survives restarts and crashes: what is reported kept is on the disk.
//! Beside the records stands everything that happened, and every body that was ever served, under
//! its hash: so that what was in force at an instant of the past can be worked out by the same
//! machine, from the same events.
//!
//! One process writes; others may read at the same time.

mod history;
mod prune;
mod shelf;

pub use history::{Observed, Summary};
pub use prune::Pruned;

use super::{Store, StoreError};
use crate::http::BoxFuture;
use crate::machine::{Event, What};
use crate::record::{Body, BodyHash, Origin, Record, RecordError, Seal, write_event};
use abide::Moment;
use redb::{
    ConcurrencyMode, Database, DatabaseError, ReadOnlyDatabase, ReadTransaction, ReadableDatabase,
    ReadableTable, StorageError, TableDefinition, TableError, WriteTransaction,
};
use shelf::Shelf;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use thiserror::Error;
use tokio::sync::{Semaphore, mpsc, oneshot};

/// Authority to its record, without the body.
const RECORDS: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("records");
/// Hash to body.
const BODIES: TableDefinition<'_, &[u8; 32], &[u8]> = TableDefinition::new("bodies");
/// Authority, second and number within it to what happened.
const EVENTS: TableDefinition<'_, (&str, i64, u32), &[u8]> = TableDefinition::new("events");
/// Authority and hash to the instants at which the body came first and last.
const SERVED: TableDefinition<'_, (&str, &[u8; 32]), (i64, i64)> = TableDefinition::new("served");

/// Bytes of the file that are kept in memory.
const MEMORY: usize = 32 << 20;
/// A file of so many bytes is read through when it is opened, to see that it is whole.
const CHECKED: u64 = 64 << 20;
/// Records that are read at a time.
const MOST_READS: usize = 16;
/// Records that are written together.
const MOST_AT_A_TIME: usize = 256;

/// A store in one file. Cheap to clone.
#[derive(Clone, Debug)]
pub struct FileStore(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    shelf: Arc<Shelf>,
    /// Reads that go on at a time; each has a thread while it lasts, also when nobody waits for it
    /// any more.
    reads: Arc<Semaphore>,
    writer: Option<Writer>,
}

/// The thread that writes, in the order in which it is asked.
#[derive(Debug)]
struct Writer {
    work: Option<mpsc::Sender<Work>>,
    thread: Option<JoinHandle<()>>,
}

struct Save {
    record: Record,
    event: Event<Body>,
    done: oneshot::Sender<Result<(), StoreError>>,
}

/// What the thread is asked for.
enum Work {
    Save(Box<Save>),
    Forget {
        before: Moment,
        done: oneshot::Sender<Result<Pruned, StoreError>>,
    },
}

/// The open file.
enum Handle {
    Writer(Database),
    Reader(ReadOnlyDatabase),
}

impl Handle {
    fn read(&self) -> Result<ReadTransaction, redb::Error> {
        Ok(match self {
            Self::Writer(database) => database.begin_read()?,
            Self::Reader(database) => database.begin_read()?,
        })
    }

    fn to_write(&self) -> Result<&Database, StoreError> {
        match self {
            Self::Writer(database) => Ok(database),
            Self::Reader(_) => Err(StoreError::ReadOnly),
        }
    }
}

impl std::fmt::Debug for Handle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Writer(_) => "Writer",
            Self::Reader(_) => "Reader",
        })
    }
}

/// Why a file cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// Another process writes it.
    #[error("{} is in use by another process; one can write it at a time", shown(.0))]
    InUse(PathBuf),
    /// It may be read, and not written.
    #[error("{} may not be written", shown(.0))]
    ReadOnly(PathBuf),
    /// The system failed to read or write it, because a disk is full for example.
    #[error("{} cannot be used: {told}", shown(.path))]
    System {
        /// The file.
        path: PathBuf,
        /// What the system says.
        told: String,
    },
    /// It is another program's, or damaged.
    #[error("{} cannot be read: {told}; move it aside to start a new one", shown(.path))]
    RecordError {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        told: String,
    },
}

impl FileStore {
    /// Opens the file at `path` to write in it, and makes it where there is none.
    ///
    /// # Errors
    /// [`OpenError`] where it cannot be used.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        let path = path.as_ref();
        let open = |path: &Path| create(path).map(Handle::Writer);
        let shelf = Arc::new(Shelf::new(path, open)?);
        let (work, queue) = mpsc::channel(1_024);
        let writing = Arc::clone(&shelf);
        let thread = std::thread::Builder::new()
            .name("abide-store".to_owned())
            .spawn(move || write(&writing, queue))
            .map_err(|error| system(path, &error))?;
        Ok(Self(Arc::new(Inner {
            shelf,
            reads: Arc::new(Semaphore::new(MOST_READS)),
            writer: Some(Writer {
                work: Some(work),
                thread: Some(thread),
            }),
        })))
    }

    /// Opens the file at `path` to read it, also while another process writes it. Saving is
    /// refused.
    ///
    /// # Errors
    /// [`OpenError`] where it cannot be used.
    pub fn open_to_read(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        let path = path.as_ref();
        let open = |path: &Path| {
            let opened = builder().open_read_only(path);
            opened
                .map(Handle::Reader)
                .map_err(|error| unusable(path, &error))
        };
        Ok(Self(Arc::new(Inner {
            shelf: Arc::new(Shelf::new(path, open)?),
            reads: Arc::new(Semaphore::new(MOST_READS)),
            writer: None,
        })))
    }

    /// Where the file is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.0.shelf.path()
    }

    fn writer(&self) -> Result<&mpsc::Sender<Work>, StoreError> {
        let writer = self.0.writer.as_ref();
        let work = writer.and_then(|writer| writer.work.as_ref());
        work.ok_or(StoreError::ReadOnly)
    }

    /// Takes away what happened before `before`, but for what was in force then, while the store is
    /// in use. The room is used again; the file does not shrink.
    ///
    /// # Errors
    /// [`StoreError`] where it cannot be written.
    pub async fn forget(&self, before: Moment) -> Result<Pruned, StoreError> {
        let (done, forgotten) = oneshot::channel();
        let work = Work::Forget { before, done };
        self.writer()?.send(work).await.map_err(|_| gone())?;
        forgotten.await.map_err(|_| gone())?
    }

    /// Takes away what happened before `before`, but for what is still in force since then; and
    /// bodies that nothing refers to any more. The file shrinks.
    ///
    /// # Errors
    /// [`OpenError`] where it cannot be used.
    pub fn prune(path: &Path, before: Moment) -> Result<Pruned, OpenError> {
        let mut database = create(path)?;
        let failed = |error: redb::Error| match &error {
            redb::Error::Io(io) => of_system(path, io),
            other => damaged(path, other),
        };
        let pruned = prune::prune(&database, before).map_err(failed)?;
        database.compact().map_err(|error| failed(error.into()))?;
        Ok(pruned)
    }
}

impl Store for FileStore {
    fn patience(&self) -> Duration {
        Duration::from_secs(2)
    }

    fn load<'a>(&'a self, origin: &'a Origin) -> BoxFuture<'a, Result<Option<Record>, StoreError>> {
        Box::pin(async move {
            let place = Arc::clone(&self.0.reads).acquire_owned().await;
            let (file, origin) = (Arc::clone(&self.0.shelf), origin.clone());
            let loaded = tokio::task::spawn_blocking(move || {
                // A disk that hangs takes these threads, and no more.
                let _place = place;
                file.using(|handle| load(handle, &origin))
            });
            loaded
                .await
                .unwrap_or_else(|_| Err(RecordError::Shape.into()))
        })
    }

    fn save<'a>(
        &'a self,
        record: &'a Record,
        event: &'a Event<Body>,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            let writer = self.writer()?;
            let (done, kept) = oneshot::channel();
            let save = Save {
                record: record.clone(),
                event: event.clone(),
                done,
            };
            writer
                .send(Work::Save(Box::new(save)))
                .await
                .map_err(|_| gone())?;
            kept.await.map_err(|_| gone())?
        })
    }
}

impl Drop for Inner {
    /// Whatever was asked for is written before the file is closed.
    fn drop(&mut self) {
        if let Some(writer) = &mut self.writer {
            drop(writer.work.take());
            if let Some(thread) = writer.thread.take() {
                drop(thread.join());
            }
        }
    }
}

fn builder() -> redb::Builder {
    let mut builder = Database::builder();
    builder
        .set_cache_size(MEMORY)
        .set_concurrency_mode(ConcurrencyMode::SingleWriter);
    builder
}

fn create(path: &Path) -> Result<Database, OpenError> {
    make_private_file(path);
    let length = std::fs::metadata(path).map_or(0, |about| about.len());
    let mut builder = builder();
    builder.set_check_integrity_on_open((1..=CHECKED).contains(&length));
    builder.create(path).map_err(|error| unusable(path, &error))
}

/// Makes an empty file that its owner alone may read, if there is none: which sites somebody asked
/// is nobody else's business. A failure shows when the file is opened.
fn make_private_file(path: &Path) {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    drop(options.open(path));
}

fn unusable(path: &Path, error: &DatabaseError) -> OpenError {
    match error {
        DatabaseError::DatabaseAlreadyOpen | DatabaseError::LockProtocolMismatch => {
            OpenError::InUse(path.to_owned())
        }
        DatabaseError::Storage(StorageError::Io(error)) => of_system(path, error),
        other => damaged(path, other),
    }
}

/// An error of the system. Text that is no database at all is such an error to redb.
fn of_system(path: &Path, error: &io::Error) -> OpenError {
    match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            OpenError::ReadOnly(path.to_owned())
        }
        io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => damaged(path, error),
        _ => system(path, error),
    }
}

fn system(path: &Path, error: &io::Error) -> OpenError {
    OpenError::System {
        path: path.to_owned(),
        told: error.to_string(),
    }
}

/// A path as errors show it: a name may hold anything.
fn shown(path: &Path) -> String {
    abide::explain::visible(path.as_os_str().as_encoded_bytes())
}

fn damaged(path: &Path, error: &dyn std::fmt::Display) -> OpenError {
    OpenError::RecordError {
        path: path.to_owned(),
        told: error.to_string(),
    }
}

/// A table that nobody wrote in yet is an empty one.
fn opened<T>(table: Result<T, TableError>) -> Result<Option<T>, redb::Error> {
    match table {
        Ok(table) => Ok(Some(table)),
        Err(TableError::TableDoesNotExist(_)) => Ok(None),
        Err(other) => Err(other.into()),
    }
}

/// The first and the last key that an event of `origin` can have.
fn whole(origin: &str) -> ((&str, i64, u32), (&str, i64, u32)) {
    ((origin, i64::MIN, 0), (origin, i64::MAX, u32::MAX))
}

fn load(database: &Handle, origin: &Origin) -> Result<Option<Record>, StoreError> {
    let read = database.read()?;
    let Some(records) = opened(read.open_table(RECORDS))? else {
        return Ok(None);
    };
    let bytes = records.get(origin.as_str())?;
    bytes
        .map(|bytes| of_file(bytes.value(), origin, &read))
        .transpose()
}

fn of_file(bytes: &[u8], origin: &Origin, read: &ReadTransaction) -> Result<Record, StoreError> {
    let body = |hash| find(read, hash).ok().flatten();
    Ok(Record::from_bytes_apart(
        bytes,
        origin,
        &Seal::checksum(),
        body,
    )?)
}

fn find(read: &ReadTransaction, hash: BodyHash) -> Result<Option<Body>, StoreError> {
    let Some(bodies) = opened(read.open_table(BODIES))? else {
        return Ok(None);
    };
    let Some(bytes) = bodies.get(hash.as_bytes())? else {
        return Ok(None);
    };
    let body = Body::new(bytes.value().to_vec());
    if body.hash() == hash {
        Ok(Some(body))
    } else {
        Err(RecordError::Body.into())
    }
}

fn gone() -> StoreError {
    StoreError::Down("the thread that writes has ended".to_owned())
}

/// Writes what is asked for, as much as there is at a time: the disk is waited for once for all of
/// it.
fn write(shelf: &Shelf, mut queue: mpsc::Receiver<Work>) {
    let mut next = queue.blocking_recv();
    while let Some(work) = next.take() {
        let mut saves = Vec::new();
        let mut work = Some(work);
        while let Some(Work::Save(save)) = work {
            saves.push(save);
            work = (saves.len() < MOST_AT_A_TIME)
                .then(|| queue.try_recv().ok())
                .flatten();
        }
        if !saves.is_empty() {
            let written = shelf.using(|handle| commit(handle.to_write()?, &saves));
            for save in saves {
                // Whoever asked may have stopped waiting.
                let _ = save.done.send(written.clone());
            }
        }
        if let Some(Work::Forget { before, done }) = work {
            let pruned = shelf.using(|handle| Ok(prune::prune(handle.to_write()?, before)?));
            let _ = done.send(pruned);
        }
        next = queue.blocking_recv();
    }
}

fn commit(database: &Database, saves: &[Box<Save>]) -> Result<(), StoreError> {
    let write = database.begin_write().map_err(redb::Error::from)?;
    for save in saves {
        put(&write, &save.record, &save.event)?;
    }
    write.commit().map_err(redb::Error::from)?;
    Ok(())
}

fn put(write: &WriteTransaction, record: &Record, event: &Event<Body>) -> Result<(), redb::Error> {
    let origin = record.origin.as_str();
    let bytes = record.to_bytes_apart(&Seal::checksum());
    write
        .open_table(RECORDS)?
        .insert(origin, bytes.as_slice())?;
    if let Some(body) = record.state.body() {
        let mut bodies = write.open_table(BODIES)?;
        let hash = body.hash();
        // A body that is there and damaged is replaced: nothing else ever would.
        let is_there = |stored: redb::AccessGuard<'_, &[u8]>| stored.value() == body.as_bytes();
        if !bodies.get(hash.as_bytes())?.is_some_and(is_there) {
            bodies.insert(hash.as_bytes(), body.as_bytes())?;
        }
        let confirms = matches!(event.what(), What::File(..))
            || (matches!(event.what(), What::NotModified(..)) && record.state.outage().is_none());
        if confirms {
            let came = event.came().unix_seconds();
            let mut served = write.open_table(SERVED)?;
            let first = served.get((origin, hash.as_bytes()))?;
            let first = first.map_or(came, |times| times.value().0.min(came));
            served.insert((origin, hash.as_bytes()), (first, came))?;
        }
    }
    let came = event.came().unix_seconds();
    let mut events = write.open_table(EVENTS)?;
    let last = events
        .range((origin, came, 0)..=(origin, came, u32::MAX))?
        .next_back()
        .transpose()?;
    let number = last.map_or(0, |(key, _)| key.value().2.saturating_add(1));
    events.insert((origin, came, number), write_event(event).as_slice())?;
    Ok(())
}

/// Errors of the disk close the file; others are about what it holds.
impl From<redb::Error> for StoreError {
    fn from(error: redb::Error) -> Self {
        match error {
            redb::Error::Io(_) | redb::Error::PreviousIo => Self::Down(error.to_string()),
            other => Self::Unreadable(other.to_string()),
        }
    }
}

impl From<StorageError> for StoreError {
    fn from(error: StorageError) -> Self {
        redb::Error::from(error).into()
    }
}
