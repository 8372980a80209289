//! Where robots.txt files are kept between calls.

use crate::exit::warn;
use abide_fetch::Seal;
use abide_fetch::store::{FileStore, SharedOptions, SharedStore, UnusableFile};
use anyhow::{Context, bail, ensure};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A folder's file.
const FILE: &str = "robots.redb";

/// Where `--cache` leads.
pub(crate) enum Place {
    /// The file of a folder.
    File(PathBuf),
    /// A server.
    Server(String),
}

impl Place {
    pub(crate) fn named(name: &str) -> Self {
        match name.split_once("://") {
            Some(_) => Self::Server(name.to_owned()),
            None => Self::File(Path::new(name).join(FILE)),
        }
    }

    /// The file, for what only a file can do.
    pub(crate) fn file(&self, to_do: &str) -> anyhow::Result<&Path> {
        match self {
            Self::File(path) => Ok(path),
            Self::Server(_) => bail!("cannot {to_do} a server; name the folder of a cache"),
        }
    }
}

/// The file at `path`, to keep what is fetched. Where another process keeps it, it is only read; where it cannot be
/// used at all, that is told, and everything is fetched.
pub(crate) fn to_keep(path: &Path) -> anyhow::Result<Option<FileStore>> {
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder).with_context(|| {
        format!(
            "cannot make the folder {}; --cache takes one",
            folder.display()
        )
    })?;
    Ok(match FileStore::open(path) {
        Ok(store) => Some(store),
        Err(UnusableFile::InUse(_)) => {
            warn(&format!(
                "{} is kept by another process; what is fetched now is not",
                path.display()
            ));
            to_read(path).ok()
        }
        Err(unusable) => {
            warn(&format!("{unusable}; meanwhile nothing is kept"));
            None
        }
    })
}

/// The file at `path`, to tell of it.
pub(crate) fn to_read(path: &Path) -> anyhow::Result<FileStore> {
    if !path.exists() {
        bail!(
            "there is no cache at {}; --cache makes one",
            path.parent().unwrap_or(path).display()
        );
    }
    // A file that was not closed in order is mended by whoever may write it.
    match FileStore::open_to_read(path) {
        Ok(store) => Ok(store),
        Err(UnusableFile::InUse(path)) => Err(UnusableFile::InUse(path).into()),
        Err(_) => Ok(FileStore::open(path)?),
    }
}

/// The server at `url`, which a fleet shares.
pub(crate) fn server(url: &str, key: Option<&str>) -> anyhow::Result<SharedStore> {
    let mut options = SharedOptions::default();
    // A call of the command is a single one, and may wait longer than a crawler's every question.
    options.deadline = Duration::from_millis(500);
    if let Some(file) = key {
        let secret = std::fs::read(file)
            .with_context(|| format!("cannot read {file}; --cache-key takes a file"))?;
        let secret = secret.trim_ascii();
        ensure!(
            !secret.is_empty(),
            "{file} is empty; --cache-key takes a file with a secret"
        );
        options.seal = Seal::keyed(1, secret);
    }
    SharedStore::new(url, options).context("in --cache")
}
