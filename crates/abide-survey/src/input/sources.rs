//! Which files the inputs of a survey are, and what kind each is.

use super::line_numbers::LineNumbers;
use super::packed::Packed;
use super::{Packing, cache, json_lines, table, zstd};
use crate::capture::BODY_KEPT;
use abide::explain::visible_path;
use flate2::read::GzDecoder;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The largest number of files. All names are in memory, because those of a folder are sorted.
pub(crate) const MAX_FILES: usize = 500_000;

/// The first bytes of a file, which show what it is.
const START: u64 = 512;

/// The first bytes of files that are no input, and what to do with them.
const OTHERS: [(&[u8], &str); 7] = [
    (b"filedesc://", ARC),
    (
        b"PK\x03\x04",
        "it is a ZIP file, such as WACZ; unpack it, and name the archives in it",
    ),
    (&[0x04, 0x22, 0x4d, 0x18], OTHER_PACKING),
    (&[0xfd, b'7', b'z', b'X', b'Z', 0], OTHER_PACKING),
    (b"BZh91AY", OTHER_PACKING),
    (b" CDX ", INDEX),
    (b"!meta ", INDEX),
];
const ARC: &str = "it is an ARC archive; convert it to WARC, such as with warcio recompress";
const TAR: &str = "it is a tar archive; unpack it, and name the folder";
const OTHER_PACKING: &str =
    "it is compressed in a way that abide does not read; compress it with gzip or zstd";
const INDEX: &str = "it is an index of archives (CDX); name the archives";
const PACKED: &str =
    "it is compressed, but neither an archive nor JSON Lines; unpack it, if it is a robots.txt";
const PACKED_LINES: &str = "it is compressed with zstd, but no archive; compress it with gzip";
const NO_HOST: &str =
    "its name is not that of a host; name it after its host, or name it as an argument";
/// Files that people put beside others.
const NOTES: [&str; 5] = ["readme", "license", "copying", "changelog", "notice"];
/// Top-level domains that are never registered (RFC 2606, RFC 6761, RFC 6762, RFC 7686, RFC 8375
/// and ICANN's reservation of `internal`).
const SPECIAL: [&str; 8] = [
    "example",
    "test",
    "invalid",
    "localhost",
    "local",
    "onion",
    "arpa",
    "internal",
];

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
        packing: Packing,
    },
    JsonLines {
        is_gzip: bool,
    },
    Table {
        groups: usize,
    },
    Cache,
    /// A file in a folder that is none of these, and why.
    NoInput(&'static str),
}

/// What the bytes of a file say about its kind.
enum Content {
    Is(SourceKind),
    /// No input, for this reason.
    Other(&'static str),
    /// Compressed: what is in it cannot be seen.
    Packed(Packing),
    Text,
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
    let error = |message: &str| kind_error(Path::new("-"), message.to_owned());
    let start = start(path)?;
    let kind = match content(path, &start)? {
        Content::Is(kind) => kind,
        Content::Other(why) => return Err(error(why)),
        Content::Packed(Packing::Zstd) => return Err(error(PACKED_LINES)),
        Content::Packed(_) => SourceKind::JsonLines { is_gzip: true },
        Content::Text if start.is_empty() || start.trim_ascii_start().starts_with(b"{") => {
            SourceKind::JsonLines { is_gzip: false }
        }
        Content::Text => {
            return Err(error(
                "stdin is not an archive (WARC), JSON Lines or Parquet; to read the names of files from stdin, use --files-from -",
            ));
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

/// How an archive with these first bytes is compressed.
pub(crate) fn packing(start: &[u8]) -> Packing {
    match start.first_chunk::<4>() {
        Some([0x1f, 0x8b, ..]) => Packing::Gzip,
        Some(magic) if *magic == zstd::MAGIC || zstd::is_skippable(*magic) => Packing::Zstd,
        _ => Packing::None,
    }
}

/// What a file with these first bytes is.
fn content(path: &Path, start: &[u8]) -> Result<Content, InputError> {
    let others = OTHERS.iter();
    let mut others = others.filter(|(magic, _)| start.starts_with(magic));
    if let Some((_, why)) = others.next() {
        return Ok(Content::Other(why));
    }
    if start.get(257..262) == Some(b"ustar") {
        return Ok(Content::Other(TAR));
    }
    let packing = packing(start);
    Ok(match packing {
        _ if start.starts_with(b"PAR1") => Content::Is(table_kind(path)?),
        Packing::None if start.starts_with(b"WARC/") => Content::Is(SourceKind::Warc { packing }),
        Packing::None if is_index(start) => Content::Other(INDEX),
        Packing::None if are_captures(path, start)? => {
            Content::Is(SourceKind::JsonLines { is_gzip: false })
        }
        Packing::None => Content::Text,
        Packing::Gzip | Packing::Zstd => {
            let inner = unpacked_start(path, packing)?;
            match inner.as_slice() {
                [b'W', b'A', b'R', b'C', b'/', ..] => Content::Is(SourceKind::Warc { packing }),
                inner if inner.starts_with(b"filedesc://") => Content::Other(ARC),
                inner if packing == Packing::Gzip && json_lines::are_captures(inner) => {
                    Content::Is(SourceKind::JsonLines { is_gzip: true })
                }
                _ => Content::Packed(packing),
            }
        }
    })
}

/// Whether a text begins with a line of CDX or CDXJ: a key such as `com,example)/path`, an instant
/// of 14 digits, and more.
fn is_index(start: &[u8]) -> bool {
    let line = start
        .split(|byte| *byte == b'\n')
        .next()
        .unwrap_or_default();
    let mut words = line.split(|byte| *byte == b' ');
    let key = words.next().unwrap_or_default();
    let is_key = memchr::memmem::find(key, b")/").is_some();
    let is_instant = |word: &[u8]| word.len() == 14 && word.iter().all(u8::is_ascii_digit);
    is_key && words.next().is_some_and(is_instant) && words.next().is_some()
}

/// Whether a file begins with a line of JSON that is a capture. Most files are no JSON.
fn are_captures(path: &Path, start: &[u8]) -> Result<bool, InputError> {
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    Ok(text.trim_ascii_start().starts_with(b"{")
        && json_lines::are_captures(&read_start(path, BODY_KEPT as u64)?))
}

/// The first bytes of what is compressed, as far as a line of JSON can reach; fewer if it is
/// damaged.
fn unpacked_start(path: &Path, packing: Packing) -> Result<Vec<u8>, InputError> {
    let mut start = Vec::new();
    // What is wrong with the file is reported where it is read.
    if packing == Packing::Zstd {
        if let Ok(mut frames) = zstd::Frames::open(path, 0)
            && matches!(frames.begin(), Ok(true))
        {
            start.extend_from_slice(frames.fill().unwrap_or_default());
        }
        return Ok(start);
    }
    let file = File::open(path).map_err(|error| read_error(path, error))?;
    let mut unpacked = GzDecoder::new(file);
    let _ = (&mut unpacked).take(START).read_to_end(&mut start);
    if start.trim_ascii_start().starts_with(b"{") {
        let _ = unpacked.take(BODY_KEPT as u64).read_to_end(&mut start);
    }
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

/// A file, by its bytes. Its name says only what they leave open: what it should be if it is empty
/// or damaged, and the host of a robots.txt.
fn file(path: &Path, root: Option<&Path>, size: u64) -> Result<Source, InputError> {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .to_ascii_lowercase();
    let is = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
    let content = if name == cache::FILE {
        Content::Is(SourceKind::Cache)
    } else {
        content(path, &start(path)?)?
    };
    let kind = match content {
        Content::Is(kind) => Ok(kind),
        Content::Other(why) => Err(why),
        Content::Packed(packing) if is(&[".warc", ".warc.gz", ".warc.zst"]) => {
            Ok(SourceKind::Warc { packing })
        }
        Content::Packed(Packing::Zstd) => Err(PACKED_LINES),
        Content::Packed(_) if is(&[".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz"]) => {
            Ok(SourceKind::JsonLines { is_gzip: true })
        }
        Content::Packed(_) => Err(PACKED),
        Content::Text if is(&[".warc", ".warc.gz", ".warc.zst"]) => Ok(SourceKind::Warc {
            packing: Packing::None,
        }),
        Content::Text if is(&[".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz"]) => {
            Ok(SourceKind::JsonLines { is_gzip: false })
        }
        Content::Text if is(&[".parquet"]) => Ok(table_kind(path)?),
        Content::Text => {
            let is_in_site = root != path.parent();
            if root.is_none() || is_host(&host(path, is_in_site)) {
                Ok(SourceKind::RobotsTxt { is_in_site })
            } else {
                Err(NO_HOST)
            }
        }
    };
    let kind = match kind {
        Ok(kind) => kind,
        Err(why) if root.is_some() => SourceKind::NoInput(why),
        Err(why) => return Err(kind_error(path, why.to_owned())),
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

fn start(path: &Path) -> Result<Vec<u8>, InputError> {
    read_start(path, START)
}

fn read_start(path: &Path, most: u64) -> Result<Vec<u8>, InputError> {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(most).read_to_end(&mut start));
    read.map_err(|error| read_error(path, error))?;
    Ok(start)
}

/// Whether the name of a file in a folder can be that of a host. A robots.txt without the name of
/// its host is taken too.
fn is_host(name: &str) -> bool {
    let name = name.to_lowercase();
    // Some tools write the colon of a port otherwise.
    let is_number = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let host = match name.rsplit_once([':', '_']) {
        Some((host, port)) if is_number(port) => host,
        _ => &name,
    };
    let is_note = |note: &&str| {
        let rest = host.strip_prefix(*note);
        rest.is_some_and(|rest| matches!(rest, ".md" | ".rst"))
    };
    if host.parse::<std::net::Ipv4Addr>().is_ok() || name.starts_with('[') || host == "robots.txt" {
        return true;
    }
    let last = host
        .trim_end_matches('.')
        .rsplit('.')
        .next()
        .unwrap_or(host);
    let is_label = |label: &str| {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
        !label.is_empty() && label.chars().all(is_part)
    };
    let is_known = psl::suffix(host.as_bytes()).is_some_and(|suffix| suffix.is_known());
    !NOTES.iter().any(is_note)
        && host.trim_end_matches('.').split('.').all(is_label)
        && (is_known || SPECIAL.contains(&last))
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
    fn files_in_folders_are_named_as_hosts() {
        for name in [
            "example.com",
            "example.com_443",
            "my_site.com",
            "Example.COM",
            "a.example:8080",
            "127.0.0.1",
            "xn--p1ai.xn--p1ai",
            "localhost",
            "site.co.uk",
            "münchen.de",
            "robots.txt",
            "[2001:db8::1]",
        ] {
            assert!(is_host(name), "{name}");
        }
        for name in [
            "SHA256SUMS",
            "README.md",
            "robotstxt.paths",
            "index.html",
            "a b.com",
            "x",
        ] {
            assert!(!is_host(name), "{name}");
        }
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
