//! The cache that keeps robots.txt files between calls.

use crate::exit::warn;
use crate::file_arg::{FileArg, shown_path};
use abide_fetch::store::{FileStore, OpenError, Place, SealKey, SharedOptions, SharedStore};
use abide_fetch::{Certificate, Seal};
use anyhow::{Context, bail};
use std::path::Path;
use std::time::Duration;

/// The place that `name` means.
pub(crate) fn place(name: &FileArg) -> anyhow::Result<Place> {
    Place::named(name.as_str()).context("in --cache")
}

/// The file of `place`, for `needing`, the option or command that needs a file.
pub(crate) fn file<'a>(place: &'a Place, needing: &str) -> anyhow::Result<&'a Path> {
    match place {
        Place::File(path) => Ok(path),
        Place::Server(_) => bail!("{needing} needs a cache in a folder, not a server"),
    }
}

/// Opens the file at `path` for writing. If another process has it, or it is read-only, opens it
/// for reading. If it cannot be used at all, warns, and everything is fetched.
pub(crate) fn to_keep(path: &Path) -> anyhow::Result<Option<FileStore>> {
    let folder = path.parent().unwrap_or(path);
    make_private_folder(folder).with_context(|| {
        format!(
            "cannot make the folder {}; --cache takes one",
            shown_path(folder)
        )
    })?;
    let why = match FileStore::open(path) {
        Ok(store) => return Ok(Some(store)),
        Err(OpenError::InUse(_)) => "kept by another process",
        Err(OpenError::ReadOnly(_)) => "read-only",
        Err(unusable) => {
            warn(&format!("{unusable}; meanwhile nothing is kept"));
            return Ok(None);
        }
    };
    warn(&format!(
        "{} is {why}; what is fetched now is not kept",
        shown_path(path)
    ));
    Ok(to_read(path).ok())
}

/// Refuses a folder without a cache, for a run that can fill none.
pub(crate) fn require(path: &Path) -> anyhow::Result<()> {
    if !path.exists() {
        bail!(
            "there is no cache at {}; abide check and abide fetch make one there, without --offline and --at",
            shown_path(path.parent().unwrap_or(path))
        );
    }
    Ok(())
}

/// Creates a folder that only its owner can read: which sites a user visits is private. An existing
/// folder keeps its permissions.
fn make_private_folder(folder: &Path) -> std::io::Result<()> {
    let mut maker = std::fs::DirBuilder::new();
    maker.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut maker, 0o700);
    maker.create(folder)
}

/// Opens the file at `path` for reading.
pub(crate) fn to_read(path: &Path) -> anyhow::Result<FileStore> {
    require(path)?;
    // A file that was not closed properly must be opened for writing once, which repairs it.
    match FileStore::open_to_read(path) {
        Ok(store) => Ok(store),
        Err(OpenError::InUse(path)) => Err(OpenError::InUse(path).into()),
        Err(_) => Ok(FileStore::open(path)?),
    }
}

/// The server at `url`, which a fleet shares.
/// It trusts `roots` besides the authorities of the web.
pub(crate) fn server(
    url: &str,
    keys: &[SealKey],
    roots: Vec<Certificate>,
) -> anyhow::Result<SharedStore> {
    let mut options = SharedOptions::default();
    // A single call may wait longer than a crawler can for every request.
    options.deadline = Duration::from_millis(500);
    options.roots = roots;
    options.seal = Seal::of_keys(keys).context("in --cache-key")?;
    SharedStore::new(url, options).context("in --cache")
}
