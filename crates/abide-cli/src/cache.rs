//! The cache that keeps robots.txt files between calls.

use crate::exit::warn;
use crate::file_arg::{FileArg, shown_path};
use abide_fetch::Seal;
use abide_fetch::store::{self, FileStore, OpenError, PlaceError, SharedOptions, SharedStore};
use anyhow::{Context, bail, ensure};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

/// The name of the file in a folder.
const FILE: &str = "robots.redb";

/// The place that `--cache` names.
pub(crate) enum Place {
    /// The file of a folder.
    File(PathBuf),
    /// A server.
    Server(FileArg),
}

impl Place {
    pub(crate) fn named(name: &FileArg) -> anyhow::Result<Self> {
        match store::Place::named(name.as_str()) {
            Ok(store::Place::Server(_)) => Ok(Self::Server(name.clone())),
            Ok(store::Place::Folder(folder)) => Ok(Self::File(folder.join(FILE))),
            Err(error @ PlaceError::Scheme(_)) => bail!("{name}: {error}"),
            Err(error) => bail!("--cache: {error}"),
        }
    }

    /// The file, for `needing`, the option or command that needs a file.
    pub(crate) fn file(&self, needing: &str) -> anyhow::Result<&Path> {
        match self {
            Self::File(path) => Ok(path),
            Self::Server(_) => bail!("{needing} needs a cache in a folder, not a server"),
        }
    }
}

/// A secret in a file, and its ID.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CacheKey {
    id: u8,
    file: FileArg,
}

impl FromStr for CacheKey {
    type Err = String;

    /// Reads `ID:FILE`, or `FILE` for key 1.
    fn from_str(text: &str) -> Result<Self, String> {
        let is_number = |id: &str| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
        let (id, file) = match text.split_once(':').filter(|(id, _)| is_number(id)) {
            Some((id, file)) => (id.parse().unwrap_or(0), file),
            None => (1, text),
        };
        if id == 0 {
            return Err("expected a key ID from 1 to 255 before the colon".to_owned());
        }
        if file.is_empty() {
            return Err("expected a file with a secret".to_owned());
        }
        let file = FileArg::from(file);
        Ok(Self { id, file })
    }
}

/// The seal for these keys: the first one signs, all are accepted. Without keys, a checksum.
fn seal(keys: &[CacheKey]) -> anyhow::Result<Seal> {
    let mut seal = Seal::checksum();
    let mut ids = BTreeSet::new();
    for CacheKey { id, file } in keys {
        ensure!(
            ids.insert(id),
            "--cache-key has two files for key {id}; give each its own ID, as in 2:{file}"
        );
        let secret = std::fs::read(file)
            .with_context(|| format!("cannot read {file}; --cache-key takes a file"))?;
        let secret = secret.trim_ascii();
        ensure!(
            !secret.is_empty(),
            "{file} is empty; --cache-key takes a file with a secret"
        );
        seal = seal.and_reads(*id, secret);
    }
    Ok(seal)
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
    Ok(match FileStore::open(path) {
        Ok(store) => Some(store),
        Err(OpenError::InUse(_)) => {
            warn(&format!(
                "{} is kept by another process; what is fetched now is not kept",
                shown_path(path)
            ));
            to_read(path).ok()
        }
        Err(OpenError::ReadOnly(_)) => {
            warn(&format!(
                "{} may not be written; what is fetched now is not kept",
                shown_path(path)
            ));
            to_read(path).ok()
        }
        Err(unusable) => {
            warn(&format!("{unusable}; meanwhile nothing is kept"));
            None
        }
    })
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
    if !path.exists() {
        bail!(
            "there is no cache at {}; --cache makes one",
            shown_path(path.parent().unwrap_or(path))
        );
    }
    // A file that was not closed properly must be opened for writing once, which repairs it.
    match FileStore::open_to_read(path) {
        Ok(store) => Ok(store),
        Err(OpenError::InUse(path)) => Err(OpenError::InUse(path).into()),
        Err(_) => Ok(FileStore::open(path)?),
    }
}

/// The server at `url`, which a fleet shares.
pub(crate) fn server(url: &FileArg, keys: &[CacheKey]) -> anyhow::Result<SharedStore> {
    let mut options = SharedOptions::default();
    // A single call may wait longer than a crawler can for every request.
    options.deadline = Duration::from_millis(500);
    options.seal = seal(keys)?;
    SharedStore::new(url.as_str(), options).context("in --cache")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_caches() {
        for (name, is_server) in [
            ("dir", false),
            ("a:b", false),
            ("C:/cache", false),
            ("redis://h", true),
            ("unix:///s", true),
        ] {
            let place = Place::named(&name.into()).unwrap();
            assert_eq!(matches!(place, Place::Server(_)), is_server, "{name}");
        }
        for name in ["", "redis:/u:secret@h", "REDISS:h", "unix:/x"] {
            let error = Place::named(&name.into()).err().unwrap().to_string();
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn names_of_keys() {
        let key = |text: &str| {
            text.parse::<CacheKey>()
                .map(|key| (key.id, key.file.to_string()))
        };
        assert_eq!(key("key"), Ok((1, "key".to_owned())));
        assert_eq!(key("2:key"), Ok((2, "key".to_owned())));
        assert_eq!(key("a:key"), Ok((1, "a:key".to_owned())));
        for wrong in ["", "0:key", "256:key", "3:"] {
            assert!(key(wrong).is_err(), "{wrong}");
        }
    }
}
