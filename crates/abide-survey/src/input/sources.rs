//! Which files the inputs of a survey are, and what kind each is.

use super::line_numbers::LineNumbers;
use super::{cache, table};
use abide::explain::visible_path;
use flate2::read::GzDecoder;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The largest number of files. All names are in memory, because those of a folder are sorted.
pub(crate) const MAX_FILES: usize = 500_000;

/// The first bytes of a file, which show what it is.
const START: u64 = 64;

/// A file to read.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) kind: SourceKind,
    /// Its size in bytes.
    pub(crate) size: u64,
    /// Whether it has what was read from stdin.
    pub(crate) is_stdin: bool,
    /// The numbers of its lines, for messages.
    pub(crate) lines: LineNumbers,
}

impl Source {
    /// Its name, made safe to print.
    pub(crate) fn name(&self) -> String {
        if self.is_stdin {
            "stdin".to_owned()
        } else {
            visible_path(&self.path)
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SourceKind {
    RobotsTxt {
        /// Whether its folder can name the host.
        is_in_site: bool,
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
    #[error("cannot read {}: {error}", visible_path(.path))]
    Read {
        /// The input.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It is not what its name says.
    #[error("cannot use {}: {message}", visible_path(.path))]
    Kind {
        /// The input.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// There are too many files.
    #[error(
        "the inputs have more than {most} files; survey parts of them, or put the files into archives (.warc) or lines (.jsonl), which may have any number of records"
    )]
    TooMany {
        /// The largest number of files.
        most: usize,
    },
}

/// All files of these inputs, in order: those of a folder by name. The input `-` is stdin, of
/// which only the place is known: its path is to be set (`of_stdin`).
pub(crate) fn sources(inputs: &[PathBuf], most: usize) -> Result<Vec<Source>, InputError> {
    let mut found = FoundFiles {
        sources: Vec::new(),
        most,
    };
    for input in inputs {
        if input.as_os_str() == "-" {
            let is_there = found.sources.iter().any(|source| source.is_stdin);
            if is_there {
                return Err(kind_error(input, "stdin can only be read once".to_owned()));
            }
            found.add(Source {
                path: PathBuf::new(),
                kind: SourceKind::JsonLines { is_gzip: false },
                size: 0,
                is_stdin: true,
                lines: LineNumbers::default(),
            })?;
            continue;
        }
        let about = about(input)?;
        if about.is_dir() {
            add_folder(input, input, &mut found)?;
        } else {
            found.add(file(input, None, about.len())?)?;
        }
    }
    Ok(found.sources)
}

/// What was read from stdin into a file. Its first bytes show what it is.
pub(crate) fn of_stdin(path: &Path) -> Result<Source, InputError> {
    let start = start(path)?;
    let kind = match start.as_slice() {
        [b'W', b'A', b'R', b'C', ..] => SourceKind::Warc { is_gzip: false },
        [b'P', b'A', b'R', b'1', ..] => table_kind(path)?,
        [0x1f, 0x8b, ..] if unpacked_start(path)?.starts_with(b"WARC") => {
            SourceKind::Warc { is_gzip: true }
        }
        [0x1f, 0x8b, ..] => SourceKind::JsonLines { is_gzip: true },
        [] => SourceKind::JsonLines { is_gzip: false },
        bytes if bytes.trim_ascii_start().starts_with(b"{") => {
            SourceKind::JsonLines { is_gzip: false }
        }
        _ => {
            let message = "stdin is not an archive (WARC), JSON Lines or Parquet; to read the names of files from stdin, use --files-from -";
            return Err(kind_error(Path::new("-"), message.to_owned()));
        }
    };
    Ok(Source {
        path: path.to_owned(),
        kind,
        size: about(path)?.len(),
        is_stdin: true,
        lines: LineNumbers::default(),
    })
}

/// The first bytes of the first member; fewer if it is damaged.
fn unpacked_start(path: &Path) -> Result<Vec<u8>, InputError> {
    let file = File::open(path).map_err(|error| read_error(path, error))?;
    let mut start = Vec::new();
    // What is wrong with the file is reported where it is read.
    let _ = GzDecoder::new(file).take(START).read_to_end(&mut start);
    Ok(start)
}

/// The files that were found.
struct FoundFiles {
    sources: Vec<Source>,
    most: usize,
}

impl FoundFiles {
    fn add(&mut self, source: Source) -> Result<(), InputError> {
        self.sources.push(source);
        self.refuse_too_many(self.sources.len())
    }

    fn refuse_too_many(&self, count: usize) -> Result<(), InputError> {
        let most = self.most;
        if count > most {
            return Err(InputError::TooMany { most });
        }
        Ok(())
    }
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

fn kind_error(path: &Path, message: String) -> InputError {
    InputError::Kind {
        path: path.to_owned(),
        message,
    }
}

fn add_folder(root: &Path, folder: &Path, found: &mut FoundFiles) -> Result<(), InputError> {
    let store = folder.join(cache::FILE);
    if let Ok(about) = fs::metadata(&store) {
        return found.add(Source {
            path: store,
            kind: SourceKind::Cache,
            size: about.len(),
            is_stdin: false,
            lines: LineNumbers::default(),
        });
    }
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| read_error(folder, error))? {
        names.push(
            entry
                .map_err(|error| read_error(folder, error))?
                .file_name(),
        );
        found.refuse_too_many(found.sources.len() + names.len())?;
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
            found.add(file(&path, Some(root), about.len())?)?;
        }
    }
    Ok(())
}

fn file(path: &Path, root: Option<&Path>, size: u64) -> Result<Source, InputError> {
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
        table_kind(path)?
    } else {
        robots_txt(path, root)?
    };
    Ok(Source {
        path: path.to_owned(),
        kind,
        size,
        is_stdin: false,
        lines: LineNumbers::default(),
    })
}

fn table_kind(path: &Path) -> Result<SourceKind, InputError> {
    let groups = table::groups(path).map_err(|message| kind_error(path, message))?;
    Ok(SourceKind::Table { groups })
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
            [b'P', b'A', b'R', b'1', ..] => Some("it is a Parquet file; name it .parquet"),
            [b'W', b'A', b'R', b'C', ..] => Some("it is an archive; name it .warc"),
            _ => None,
        };
        if let Some(message) = other {
            return Err(kind_error(path, message.to_owned()));
        }
    }
    Ok(SourceKind::RobotsTxt {
        is_in_site: root != path.parent(),
    })
}

fn start(path: &Path) -> Result<Vec<u8>, InputError> {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(START).read_to_end(&mut start));
    read.map_err(|error| read_error(path, error))?;
    Ok(start)
}

fn is_gzip(path: &Path) -> Result<bool, InputError> {
    let start = start(path)?;
    // An empty file has no members.
    Ok(start.is_empty() || start.starts_with(&[0x1f, 0x8b]))
}

/// The host of a file by its path: `example.com/robots.txt`, `example.com.txt`, `example.com`.
/// `is_in_site`: whether its folder can name the host.
pub(crate) fn host(path: &Path, is_in_site: bool) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let parent = path.parent().filter(|_| is_in_site);
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
        let host = |path: &str| {
            let path = Path::new(path);
            host(path, path.parent() != Some(root))
        };
        assert_eq!(host("/data/example.com"), "example.com");
        assert_eq!(host("/data/example.com.txt"), "example.com");
        assert_eq!(host("/data/example.com_robots.txt"), "example.com");
        assert_eq!(host("/data/x/example.com/robots.txt"), "example.com");
        assert_eq!(host("/data/robots.txt"), "robots.txt");
    }

    #[test]
    fn more_files_than_fit_in_memory_are_refused() {
        let folder = tempfile::TempDir::new().expect("a folder");
        for number in 0..4 {
            fs::write(folder.path().join(format!("{number}.example")), "").expect("a file");
        }
        let inputs = [folder.path().to_owned()];
        let found = sources(&inputs, 4).expect("four files");
        assert_eq!(found.len(), 4);
        assert!(matches!(
            sources(&inputs, 3),
            Err(InputError::TooMany { most: 3 })
        ));
        let twice = [folder.path().join("0.example"), inputs[0].clone()];
        assert!(sources(&twice, 4).is_err());
    }
}
