//! Replaces files completely or not at all.

use crate::file_arg::{FileArg, shown_path};
use anyhow::{Context, ensure};
use std::fs::{self, File, Metadata};
use std::io::{ErrorKind, Write};
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

/// Writes `bytes` to a file that may not exist yet, completely or not at all. What is no regular
/// file, such as `/dev/null` or a named pipe, is written to.
pub(crate) fn create_or_replace(path: &FileArg, bytes: &[u8]) -> anyhow::Result<()> {
    match fs::metadata(path) {
        Ok(about) if about.is_file() => return replace(path, bytes),
        Ok(about) => {
            ensure!(!about.is_dir(), "it is a directory; name a file in it");
            File::options().write(true).open(path)?.write_all(bytes)?;
            return Ok(());
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error.into()),
    }
    let target: &Path = path.as_ref();
    let folder = target.parent().filter(|folder| *folder != Path::new(""));
    let folder = folder.unwrap_or(Path::new("."));
    let mut beside =
        new_file(folder).with_context(|| format!("cannot write in {}", shown_path(folder)))?;
    beside.write_all(bytes)?;
    beside.as_file().sync_all()?;
    beside.persist(target)?;
    Ok(())
}

/// A file with the permissions that files usually get.
#[cfg(unix)]
fn new_file(folder: &Path) -> std::io::Result<NamedTempFile> {
    use std::os::unix::fs::PermissionsExt as _;
    let permissions = fs::Permissions::from_mode(0o666);
    tempfile::Builder::new()
        .permissions(permissions)
        .tempfile_in(folder)
}

#[cfg(not(unix))]
fn new_file(folder: &Path) -> std::io::Result<NamedTempFile> {
    NamedTempFile::new_in(folder)
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
