//! Replaces files completely or not at all.

use crate::file_arg::{FileArg, shown_path};
use anyhow::Context;
use std::fs::{self, File, Metadata};
use std::io::Write;
use std::path::Path;
use tempfile::NamedTempFile;

/// Replaces the file at `path` by `bytes`. They are written to a new file beside it, with its
/// permissions and owner, which then takes its name: a reader sees either the old bytes or the new
/// ones. A symbolic link stays, and its target is replaced.
pub(crate) fn replace(path: &FileArg, bytes: &[u8]) -> anyhow::Result<()> {
    let path = fs::canonicalize(path)?;
    let about = fs::metadata(&path)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut beside = NamedTempFile::new_in(folder)
        .with_context(|| format!("cannot write in {}", shown_path(folder)))?;
    beside.write_all(bytes)?;
    let file = beside.as_file();
    keep_owner(file, &about).context("cannot keep the file's owner")?;
    file.set_permissions(about.permissions())?;
    file.sync_all()?;
    beside.persist(&path)?;
    Ok(())
}

/// Gives `file` the owner and group in `about`, if they differ.
#[cfg(unix)]
fn keep_owner(file: &File, about: &Metadata) -> std::io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    let own = file.metadata()?;
    if (own.uid(), own.gid()) == (about.uid(), about.gid()) {
        return Ok(());
    }
    fchown(file, Some(about.uid()), Some(about.gid()))
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) -> std::io::Result<()> {
    Ok(())
}
