//! Which files the inputs of a survey are, and what kind each is.

use super::{cache, table};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A file to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) kind: SourceKind,
    /// Its size in bytes.
    pub(crate) size: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SourceKind {
    /// A robots.txt of this host.
    RobotsTxt {
        host: String,
    },
    Warc {
        is_gzip: bool,
    },
    JsonLines {
        is_gzip: bool,
    },
    Table {
        groups: usize,
    },
    Cache,
}

/// Why an input cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// It cannot be read.
    #[error("cannot read {}: {error}", shown(.path))]
    Read {
        /// The input.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It is not what its name says.
    #[error("cannot use {}: {message}", shown(.path))]
    Kind {
        /// The input.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
}

/// A path, made safe to print.
pub(crate) fn shown(path: &Path) -> String {
    abide::explain::visible(path.as_os_str().as_encoded_bytes())
}

/// All files of these inputs, in order: those of a folder by name.
pub(crate) fn sources(inputs: &[PathBuf]) -> Result<Vec<Source>, InputError> {
    let mut found = Vec::new();
    for input in inputs {
        let about = about(input)?;
        if about.is_dir() {
            add_folder(input, input, &mut found)?;
        } else {
            add_file(input, None, about.len(), &mut found)?;
        }
    }
    Ok(found)
}

fn about(path: &Path) -> Result<fs::Metadata, InputError> {
    fs::metadata(path).map_err(|error| read_error(path, error))
}

fn read_error(path: &Path, error: io::Error) -> InputError {
    InputError::Read {
        path: path.to_owned(),
        error,
    }
}

fn add_folder(root: &Path, folder: &Path, found: &mut Vec<Source>) -> Result<(), InputError> {
    let store = folder.join(cache::FILE);
    if let Ok(about) = fs::metadata(&store) {
        found.push(Source {
            path: store,
            kind: SourceKind::Cache,
            size: about.len(),
        });
        return Ok(());
    }
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| read_error(folder, error))? {
        names.push(
            entry
                .map_err(|error| read_error(folder, error))?
                .file_name(),
        );
    }
    names.sort_unstable();
    for name in names {
        if name.as_encoded_bytes().starts_with(b".") {
            continue;
        }
        let path = folder.join(&name);
        let about = about(&path)?;
        let is_link = path.is_symlink();
        if about.is_dir() && !is_link {
            add_folder(root, &path, found)?;
        } else if about.is_file() {
            add_file(&path, Some(root), about.len(), found)?;
        }
    }
    Ok(())
}

fn add_file(
    path: &Path,
    root: Option<&Path>,
    size: u64,
    found: &mut Vec<Source>,
) -> Result<(), InputError> {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .to_ascii_lowercase();
    let is = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
    let kind = if name == cache::FILE {
        SourceKind::Cache
    } else if is(&[".warc"]) {
        SourceKind::Warc { is_gzip: false }
    } else if is(&[".warc.gz"]) {
        SourceKind::Warc {
            is_gzip: is_gzip(path)?,
        }
    } else if is(&[".jsonl", ".ndjson"]) {
        SourceKind::JsonLines { is_gzip: false }
    } else if is(&[".jsonl.gz", ".ndjson.gz"]) {
        SourceKind::JsonLines {
            is_gzip: is_gzip(path)?,
        }
    } else if is(&[".parquet"]) {
        let groups = table::groups(path).map_err(|message| InputError::Kind {
            path: path.to_owned(),
            message,
        })?;
        SourceKind::Table { groups }
    } else {
        robots_txt(path, root)?
    };
    found.push(Source {
        path: path.to_owned(),
        kind,
        size,
    });
    Ok(())
}

/// A robots.txt. An archive under another name is refused if it is an argument: its bytes would be
/// read as rules.
fn robots_txt(path: &Path, root: Option<&Path>) -> Result<SourceKind, InputError> {
    if root.is_none() {
        let start = start(path)?;
        let other = match start.as_slice() {
            [0x1f, 0x8b, ..] => {
                Some("it is compressed; name an archive .warc.gz, and lines .jsonl.gz")
            }
            [b'P', b'A', b'R', b'1'] => Some("it is a Parquet file; name it .parquet"),
            [b'W', b'A', b'R', b'C'] => Some("it is an archive; name it .warc"),
            _ => None,
        };
        if let Some(message) = other {
            return Err(InputError::Kind {
                path: path.to_owned(),
                message: message.to_owned(),
            });
        }
    }
    Ok(SourceKind::RobotsTxt {
        host: host(path, root),
    })
}

fn start(path: &Path) -> Result<Vec<u8>, InputError> {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(4).read_to_end(&mut start));
    read.map_err(|error| read_error(path, error))?;
    Ok(start)
}

fn is_gzip(path: &Path) -> Result<bool, InputError> {
    let start = start(path)?;
    // An empty file has no members.
    Ok(start.is_empty() || start.starts_with(&[0x1f, 0x8b]))
}

/// The host of a file in a folder: `example.com/robots.txt`, `example.com.txt`, `example.com`.
fn host(path: &Path, root: Option<&Path>) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let parent = path.parent().filter(|parent| root != Some(parent));
    let parent = parent
        .and_then(Path::file_name)
        .map(|name| name.to_string_lossy().into_owned());
    let stem = ["robots.txt", ".txt"]
        .iter()
        .find_map(|end| name.strip_suffix(end))
        .unwrap_or(&name);
    let stem = stem.trim_end_matches(['.', '_', '-']);
    match (stem, parent) {
        ("", Some(parent)) => parent,
        ("", None) => name.into_owned(),
        (stem, _) => stem.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_in_the_names_of_files() {
        let root = Path::new("/data");
        let host = |path: &str| host(Path::new(path), Some(root));
        assert_eq!(host("/data/example.com"), "example.com");
        assert_eq!(host("/data/example.com.txt"), "example.com");
        assert_eq!(host("/data/example.com_robots.txt"), "example.com");
        assert_eq!(host("/data/x/example.com/robots.txt"), "example.com");
        assert_eq!(host("/data/robots.txt"), "robots.txt");
    }
}
