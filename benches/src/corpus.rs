//! Real robots.txt files, read into memory before anything is timed; generated ones where there are
//! none.

use crate::generated;
use crate::urls;
use anyhow::Context;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// The robot that everybody asks for.
pub const AGENT: &str = "Googlebot";

/// A file and the URLs that it is asked about.
#[derive(Clone, Debug)]
pub struct Case {
    /// Name of the file, by which its URLs are drawn.
    pub name: String,
    /// The file, as served.
    pub bytes: Arc<[u8]>,
    /// The file as text, for peers that only read text: ill-formed UTF-8 is replaced. `None` if the
    /// bytes are UTF-8 already.
    pub text: Option<String>,
    /// URLs, at least one.
    pub urls: Vec<String>,
}

impl Case {
    /// A file with `count` URLs by the recipe of [`urls`].
    #[must_use]
    pub fn new(name: &str, bytes: &[u8], count: usize) -> Self {
        Self::with_urls(name, bytes, urls::list(name, bytes, count))
    }

    /// A file with these URLs.
    #[must_use]
    pub fn with_urls(name: &str, bytes: &[u8], urls: Vec<String>) -> Self {
        let text = std::str::from_utf8(bytes)
            .is_err()
            .then(|| String::from_utf8_lossy(bytes).into_owned());
        Self {
            name: name.to_owned(),
            bytes: bytes.into(),
            text,
            urls,
        }
    }

    /// The file as text, for peers that take no bytes. That it is UTF-8 is checked here, as they
    /// would have to.
    #[must_use]
    pub fn as_text(&self) -> &str {
        std::str::from_utf8(&self.bytes)
            .ok()
            .or(self.text.as_deref())
            .unwrap_or_default()
    }
}

/// All files, in the order of their names.
#[derive(Clone, Debug)]
pub struct Corpus {
    /// Names and bytes.
    pub files: Vec<(String, Vec<u8>)>,
    /// Whether these are real files.
    pub is_real: bool,
}

impl Corpus {
    /// Reads the folder that `ABIDE_CORPUS` names, or unpacks the corpus that lies beside the
    /// repository, or generates files.
    pub fn load() -> anyhow::Result<Self> {
        match std::env::var_os("ABIDE_CORPUS") {
            Some(folder) => Self::read(Path::new(&folder)),
            None => match unpacked()? {
                Some(folder) => Self::read(&folder),
                None => Ok(Self {
                    files: generated::sites(400),
                    is_real: false,
                }),
            },
        }
    }

    /// Reads every file of `folder`, and `robots.txt` of every folder in it.
    pub fn read(folder: &Path) -> anyhow::Result<Self> {
        let mut files = Vec::new();
        let entries = std::fs::read_dir(folder)
            .with_context(|| format!("cannot read the corpus at {}", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let inner = path.join("robots.txt");
            let file = if path.is_dir() { &inner } else { &path };
            if file.is_file() {
                files.push((name.into_owned(), std::fs::read(file)?));
            }
        }
        files.sort();
        anyhow::ensure!(!files.is_empty(), "{} has no files", folder.display());
        Ok(Self {
            files,
            is_real: true,
        })
    }

    /// Bytes of all files.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.files.iter().map(|(_, bytes)| bytes.len()).sum()
    }

    /// Every `step`th file only, so that about `count` are left.
    #[must_use]
    pub fn thinned(self, count: usize) -> Self {
        let step = self.files.len().div_ceil(count.max(1)).max(1);
        Self {
            files: self.files.into_iter().step_by(step).collect(),
            is_real: self.is_real,
        }
    }

    /// What the files are, in words.
    #[must_use]
    pub fn describe(&self) -> String {
        let kind = if self.is_real {
            "real robots.txt files"
        } else {
            "GENERATED files, for no real ones were found (see `ABIDE_CORPUS`)"
        };
        format!("{} {kind}, {} bytes", self.files.len(), self.bytes())
    }

    /// Every file with one URL of its own patterns.
    #[must_use]
    pub fn one_url_each(&self) -> Vec<Case> {
        let case = |(name, bytes): &(String, Vec<u8>)| {
            Case::with_urls(name, bytes, urls::own(name, bytes, 1))
        };
        self.files.iter().map(case).collect()
    }

    /// About `count` files of middle size, evenly spread, with `urls` URLs each: those in which
    /// Googlebot has 10 to 300 rules.
    #[must_use]
    pub fn middle(&self, count: usize, urls: usize) -> Vec<Case> {
        let suits = |(_, bytes): &&(String, Vec<u8>)| (10..=300).contains(&rules(bytes));
        let all: Vec<_> = self.files.iter().filter(suits).collect();
        let count = count.min(all.len());
        (0..count)
            .map(|at| all[at * all.len() / count])
            .map(|(name, bytes)| Case::new(name, bytes, urls))
            .collect()
    }

    /// The `count` files in which Googlebot has most rules.
    #[must_use]
    pub fn largest(&self, count: usize, urls: usize) -> Vec<Case> {
        let mut all: Vec<_> = self.files.iter().collect();
        all.sort_by_cached_key(|(_, bytes)| std::cmp::Reverse(rules(bytes)));
        let case = |(name, bytes): &(String, Vec<u8>)| Case::new(name, bytes, urls);
        all.into_iter().take(count).map(case).collect()
    }
}

/// How many rules Googlebot has, as a peer counts them, so that the choice of files is nobody's of
/// us.
#[must_use]
pub fn rules(bytes: &[u8]) -> usize {
    robotxt::Robots::parse(bytes, AGENT).rules().len()
}

/// The repository, of which this package is a folder.
#[must_use]
pub fn repository() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// Unpacks the corpus that lies beside the repository, where there is one.
fn unpacked() -> anyhow::Result<Option<PathBuf>> {
    let packed = repository().join("../shared/corpus/robots-corpus.tar.xz");
    if !packed.is_file() {
        return Ok(None);
    }
    let folder = repository().join("target/robots-corpus");
    if !folder.is_dir() {
        std::fs::create_dir_all(&folder)?;
        let status = Command::new("tar")
            .arg("-xJf")
            .arg(&packed)
            .arg("-C")
            .arg(&folder)
            .arg("--strip-components=1")
            .status()?;
        anyhow::ensure!(status.success(), "cannot unpack the corpus");
    }
    Ok(Some(folder))
}
