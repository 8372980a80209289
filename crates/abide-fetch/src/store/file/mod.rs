//! Keeps records in one file that survives restarts and crashes: a save that returned is on the
//! disk. The file also has the history of all events, and every body ever served, under its hash.
//! So the rules at a past time can be computed by replaying the same events.
//!
//! One process writes; others can read at the same time. Processes that share the file all write.
//!
//! - `history`: reads what was kept.
//! - `prune`: removes what is too old, and what there is no room for.
//! - `room`: keeps the file within its bounds while it is written.
//! - `shelf`: the open file.

mod history;
mod prune;
mod room;
mod shelf;

pub use history::{ServedBody, Summary};
pub use prune::PruneResult;
pub use room::FileBounds;

use super::{Store, StoreError};
use crate::http::BoxFuture;
use crate::machine::{Event, EventKind};
use crate::record::{Body, BodyHash, Record, RecordError, Resource, Seal, write_event};
use abide::Moment;
use abide::explain::visible_path;
use redb::{
    ConcurrencyMode, Database, DatabaseError, ReadOnlyDatabase, ReadTransaction, ReadableDatabase,
    ReadableTable, StorageError, TableDefinition, TableError, WriteTransaction,
};
use room::FileRoom;
use shelf::Shelf;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use thiserror::Error;
use tokio::sync::{Semaphore, mpsc, oneshot};

/// Key of a resource → its record, without the body.
const RECORDS: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("records");
/// Hash → body.
const BODIES: TableDefinition<'_, &[u8; 32], &[u8]> = TableDefinition::new("bodies");
/// Key of a resource, second, and number within the second → event.
const EVENTS: TableDefinition<'_, (&str, i64, u32), &[u8]> = TableDefinition::new("events");
/// Key of a resource and hash → the first and the last time that the body was served.
const SERVED: TableDefinition<'_, (&str, &[u8; 32]), (i64, i64)> = TableDefinition::new("served");

/// The size of the file's cache in memory, in bytes.
const MEMORY: usize = 32 << 20;
/// A file up to this size in bytes is checked completely when it is opened.
const CHECKED: u64 = 64 << 20;
/// The largest number of concurrent reads.
const MAX_READS: usize = 16;
/// The largest number of records written in one transaction.
const MAX_BATCH_RECORDS: usize = 256;

/// A store in one file. Cheap to clone.
#[derive(Clone, Debug)]
pub struct FileStore(Arc<FileStoreInner>);

#[derive(Debug)]
struct FileStoreInner {
    shelf: Arc<Shelf>,
    /// Permits for reads. Each read uses a thread while it runs, even if its caller has gone.
    reads: Arc<Semaphore>,
    writer: Option<WriterThread>,
    /// Whether other processes may write too.
    is_shared: bool,
}

/// The thread that writes, in the order of the calls.
#[derive(Debug)]
struct WriterThread {
    work: Option<mpsc::Sender<Work>>,
    thread: Option<JoinHandle<()>>,
}

struct Save {
    record: Record,
    event: Event<Body>,
    done: oneshot::Sender<Result<(), StoreError>>,
}

impl Save {
    /// How many bytes of the file it takes, at most about.
    fn bytes(&self) -> u64 {
        let body = self.record.state.body();
        let trail = self.event.trail().map_or(0, |trail| trail.size() as u64);
        // The event and the record have it.
        body.map_or(0, |body| body.as_bytes().len() as u64)
            .saturating_add(trail.saturating_mul(2))
            .saturating_add(1_024)
    }
}

/// A task for the thread.
enum Work {
    Save(Box<Save>),
    Forget {
        before: Moment,
        done: oneshot::Sender<Result<PruneResult, StoreError>>,
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
    /// Another process has it open for writing.
    #[error("{} is in use by another process; one can write it at a time", visible_path(.0))]
    InUse(PathBuf),
    /// It can be read but not written.
    #[error("{} is read-only", visible_path(.0))]
    ReadOnly(PathBuf),
    /// It does not exist, and cannot be made.
    #[error("no file can be made in {}: {message}", visible_path(.folder))]
    Folder {
        /// Where it would be.
        folder: PathBuf,
        /// The system's message.
        message: String,
    },
    /// Reading or writing failed, for example because the disk is full.
    #[error("{} cannot be used: {message}", visible_path(.path))]
    System {
        /// The file.
        path: PathBuf,
        /// The system's message.
        message: String,
    },
    /// It is damaged, or belongs to another program.
    #[error("{} cannot be read: {message}; move it aside to start a new one", visible_path(.path))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
}

impl FileStore {
    /// Opens the file at `path` for reading and writing, and creates it if it does not exist.
    ///
    /// # Errors
    /// [`OpenError`] if the file cannot be used.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        let open = |path: &Path| create(path).map(Handle::Writer);
        Self::with_writer(path.as_ref(), FileBounds::default(), open, false)
    }

    /// Opens the file at `path` as [`FileStore::open`] does, and shares it: any number of processes
    /// that open it in this way read and write it at the same time, and each uses what the others
    /// fetch. While another process has it for itself, this one reads, and begins to write soon
    /// after that process has ended.
    ///
    /// # Errors
    /// [`OpenError`] if the file cannot be used.
    pub fn open_shared(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        let open = |path: &Path| match create_in(path, ConcurrencyMode::MultiWriter) {
            Err(OpenError::InUse(_)) => read_only(path),
            written => written.map(Handle::Writer),
        };
        Self::with_writer(path.as_ref(), FileBounds::default(), open, true)
    }

    /// Opens the file at `path` as [`FileStore::open`] does, and keeps it within `bounds`. While
    /// another process writes it, this one reads what that process keeps, and saves nothing; it
    /// begins to write soon after that process has ended.
    ///
    /// # Errors
    /// [`OpenError`] if the file cannot be used.
    pub fn open_within(path: impl AsRef<Path>, bounds: FileBounds) -> Result<Self, OpenError> {
        let open = |path: &Path| match create(path) {
            Err(OpenError::InUse(_)) => read_only(path),
            written => written.map(Handle::Writer),
        };
        Self::with_writer(path.as_ref(), bounds, open, false)
    }

    fn with_writer(
        path: &Path,
        bounds: FileBounds,
        open: fn(&Path) -> Result<Handle, OpenError>,
        is_shared: bool,
    ) -> Result<Self, OpenError> {
        let shelf = Arc::new(Shelf::new(path, open)?);
        let (work, queue) = mpsc::channel(1_024);
        let writing = Arc::clone(&shelf);
        let thread = std::thread::Builder::new()
            .name("abide-store".to_owned())
            .spawn(move || write(&writing, FileRoom::new(bounds), queue))
            .map_err(|error| system(path, &error))?;
        Ok(Self(Arc::new(FileStoreInner {
            shelf,
            reads: Arc::new(Semaphore::new(MAX_READS)),
            writer: Some(WriterThread {
                work: Some(work),
                thread: Some(thread),
            }),
            is_shared,
        })))
    }

    /// Opens the file at `path` read-only, which also works while another process writes it.
    /// [`Store::save`] then returns an error.
    ///
    /// # Errors
    /// [`OpenError`] if the file cannot be used.
    pub fn open_to_read(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        Ok(Self(Arc::new(FileStoreInner {
            shelf: Arc::new(Shelf::new(path.as_ref(), read_only)?),
            reads: Arc::new(Semaphore::new(MAX_READS)),
            writer: None,
            is_shared: false,
        })))
    }

    /// Whether nothing is saved now: the file is open for reading only.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.0.shelf.is_read_only()
    }

    /// The path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.0.shelf.path()
    }

    fn writer(&self) -> Result<&mpsc::Sender<Work>, StoreError> {
        let writer = self.0.writer.as_ref();
        let work = writer.and_then(|writer| writer.work.as_ref());
        work.ok_or(StoreError::ReadOnly)
    }

    /// Removes events before `before`, except the answer that was valid then, while the store is in
    /// use. The space is reused; the file does not shrink.
    ///
    /// # Errors
    /// [`StoreError`] if the file cannot be written.
    pub async fn forget(&self, before: Moment) -> Result<PruneResult, StoreError> {
        let (done, forgotten) = oneshot::channel();
        let work = Work::Forget { before, done };
        self.writer()?.send(work).await.map_err(|_| gone())?;
        forgotten.await.map_err(|_| gone())?
    }

    /// Removes events before `before`, except the answer that was valid then, and bodies that are
    /// no longer needed. The file shrinks.
    ///
    /// # Errors
    /// [`OpenError`] if the file cannot be used.
    pub fn prune(path: &Path, before: Moment) -> Result<PruneResult, OpenError> {
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

    fn is_shared(&self) -> bool {
        self.0.is_shared
    }

    fn load<'a>(
        &'a self,
        resource: &'a Resource,
    ) -> BoxFuture<'a, Result<Option<Record>, StoreError>> {
        Box::pin(async move {
            let place = Arc::clone(&self.0.reads).acquire_owned().await;
            let (file, resource) = (Arc::clone(&self.0.shelf), resource.clone());
            let loaded = tokio::task::spawn_blocking(move || {
                // A disk that hangs blocks at most these threads.
                let _place = place;
                file.using(|handle| load(handle, &resource))
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

impl Drop for FileStoreInner {
    /// Finishes all writes before closing the file.
    fn drop(&mut self) {
        if let Some(writer) = &mut self.writer {
            drop(writer.work.take());
            if let Some(thread) = writer.thread.take() {
                drop(thread.join());
            }
        }
    }
}

fn builder(mode: ConcurrencyMode) -> redb::Builder {
    let mut builder = Database::builder();
    builder.set_cache_size(MEMORY).set_concurrency_mode(mode);
    builder
}

fn read_only(path: &Path) -> Result<Handle, OpenError> {
    let opened = builder(ConcurrencyMode::SingleWriter).open_read_only(path);
    opened
        .map(Handle::Reader)
        .map_err(|error| unusable(path, &error))
}

fn create(path: &Path) -> Result<Database, OpenError> {
    create_in(path, ConcurrencyMode::SingleWriter)
}

fn create_in(path: &Path, mode: ConcurrencyMode) -> Result<Database, OpenError> {
    make_private_file(path);
    let length = std::fs::metadata(path).map_or(0, |about| about.len());
    let mut builder = builder(mode);
    builder.set_check_integrity_on_open((1..=CHECKED).contains(&length));
    builder.create(path).map_err(|error| unusable(path, &error))
}

/// Creates an empty file that only its owner can read, if none exists: which sites a user visits is
/// private. Opening the file reports any failure.
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

/// An I/O error. redb also reports a file that is not a database in this way.
fn of_system(path: &Path, error: &io::Error) -> OpenError {
    match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem if !path.exists() => {
            OpenError::Folder {
                folder: path.parent().unwrap_or(path).to_owned(),
                message: error.to_string(),
            }
        }
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
        message: error.to_string(),
    }
}

fn damaged(path: &Path, error: &dyn std::fmt::Display) -> OpenError {
    OpenError::Damaged {
        path: path.to_owned(),
        message: error.to_string(),
    }
}

/// A table that does not exist yet is empty.
fn opened<T>(table: Result<T, TableError>) -> Result<Option<T>, redb::Error> {
    match table {
        Ok(table) => Ok(Some(table)),
        Err(TableError::TableDoesNotExist(_)) => Ok(None),
        Err(other) => Err(other.into()),
    }
}

/// The first and the last possible key of an event of `resource`.
fn whole(resource: &str) -> ((&str, i64, u32), (&str, i64, u32)) {
    ((resource, i64::MIN, 0), (resource, i64::MAX, u32::MAX))
}

fn load(database: &Handle, resource: &Resource) -> Result<Option<Record>, StoreError> {
    let read = database.read()?;
    let Some(records) = opened(read.open_table(RECORDS))? else {
        return Ok(None);
    };
    let bytes = records.get(resource.as_str())?;
    bytes
        .map(|bytes| of_file(bytes.value(), resource, &read))
        .transpose()
}

fn of_file(
    bytes: &[u8],
    resource: &Resource,
    read: &ReadTransaction,
) -> Result<Record, StoreError> {
    let body = |hash| find(read, hash).ok().flatten();
    Ok(Record::from_bytes_apart(
        bytes,
        resource,
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

/// Writes all waiting tasks in one transaction, so that they share one wait for the disk.
fn write(shelf: &Shelf, mut room: FileRoom, mut queue: mpsc::Receiver<Work>) {
    let mut next = queue.blocking_recv();
    while let Some(work) = next.take() {
        let mut saves = Vec::new();
        let mut work = Some(work);
        let mut bytes = 0_u64;
        while let Some(Work::Save(save)) = work {
            bytes = bytes.saturating_add(save.bytes());
            saves.push(save);
            work = (saves.len() < MAX_BATCH_RECORDS && bytes < room.most_at_a_time())
                .then(|| queue.try_recv().ok())
                .flatten();
        }
        if !saves.is_empty() {
            shelf.take_over();
            let written = shelf.using(|handle| commit(handle.to_write()?, &saves));
            let last = saves.iter().map(|save| save.event.came()).max();
            for save in saves {
                // The caller may have gone.
                let _ = save.done.send(written.clone());
            }
            if let Some(last) = last.filter(|_| written.is_ok()) {
                room.make(shelf, last, bytes);
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
    let resource = record.resource.as_str();
    let bytes = record.to_bytes_apart(&Seal::checksum());
    write
        .open_table(RECORDS)?
        .insert(resource, bytes.as_slice())?;
    if let Some(body) = record.state.body() {
        let mut bodies = write.open_table(BODIES)?;
        let hash = body.hash();
        // A damaged body is replaced; nothing else would ever repair it.
        let is_there = |stored: redb::AccessGuard<'_, &[u8]>| stored.value() == body.as_bytes();
        if !bodies.get(hash.as_bytes())?.is_some_and(is_there) {
            bodies.insert(hash.as_bytes(), body.as_bytes())?;
        }
        let confirms = matches!(event.what(), EventKind::File(..))
            || (matches!(event.what(), EventKind::NotModified(..))
                && record.state.outage().is_none());
        if confirms {
            let came = event.came().unix_seconds();
            let mut served = write.open_table(SERVED)?;
            let first = served.get((resource, hash.as_bytes()))?;
            let first = first.map_or(came, |times| times.value().0.min(came));
            served.insert((resource, hash.as_bytes()), (first, came))?;
        }
    }
    let came = event.came().unix_seconds();
    let mut events = write.open_table(EVENTS)?;
    let last = events
        .range((resource, came, 0)..=(resource, came, u32::MAX))?
        .next_back()
        .transpose()?;
    let number = last.map_or(0, |(key, _)| key.value().2.saturating_add(1));
    events.insert((resource, came, number), write_event(event).as_slice())?;
    Ok(())
}

/// An error of the disk means that the store is down until the file is opened again. Any other
/// error is about the content of the file.
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
