//! Finds the `abide.toml` of a file, and joins it with the flags.

use crate::file_arg::{FileArg, shown_path};
use crate::source::{in_file, read_up_to};
use abide_contract::registry::{self, Registries};
use abide_lint::config::{Config, Settings};
use anyhow::{Context, ensure};
use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The name of the file with the settings.
pub(crate) const NAME: &str = "abide.toml";

/// The largest size of such a file, in bytes.
const MAX_FILE_BYTES: usize = 1 << 20;

/// The `abide.toml` files of a run, each read once.
#[derive(Debug, Default)]
pub(crate) struct Configs {
    /// `--no-config`
    is_off: bool,
    /// `--config`
    given: Option<PathBuf>,
    /// What was found for each folder.
    of_folders: HashMap<PathBuf, Option<Rc<ConfigFile>>>,
    read: HashMap<PathBuf, Rc<ConfigFile>>,
    registries: HashMap<PathBuf, Registries>,
}

/// An `abide.toml`.
#[derive(Debug)]
pub(crate) struct ConfigFile {
    path: PathBuf,
    config: Config,
}

/// The settings for one file.
#[derive(Debug)]
pub(crate) struct ForFile {
    pub(crate) settings: Settings,
    /// The `abide.toml` that they come from.
    pub(crate) from: Option<PathBuf>,
}

impl Configs {
    /// Uses the file of `--config`, if it is given, and nothing with `--no-config`.
    pub(crate) fn new(given: Option<&FileArg>, is_off: bool) -> anyhow::Result<Self> {
        let given = given.map(|name| std::path::absolute(name.as_str()));
        Ok(Self {
            is_off,
            given: given.transpose().context("in --config")?,
            ..Self::default()
        })
    }

    /// The settings for a local file. Without one, as for stdin and URLs, those of the current
    /// folder, of which no `[[file]]` applies.
    pub(crate) fn for_file(&mut self, file: Option<&FileArg>) -> anyhow::Result<ForFile> {
        let path = match file {
            Some(file) => std::path::absolute(file.as_str())?,
            None => std::path::absolute(".")?.join(""),
        };
        let folder = match file {
            Some(_) => path.parent().unwrap_or(&path),
            None => &path,
        };
        let Some(found) = self.found(folder)? else {
            let (settings, from) = (Settings::default(), None);
            return Ok(ForFile { settings, from });
        };
        let home = found.path.parent().unwrap_or(Path::new("/"));
        // A file outside of the folder, which --config makes possible, matches no path.
        let inside = plain(&path);
        let inside = inside.strip_prefix(plain(home)).ok();
        let inside = inside.filter(|_| file.is_some()).unwrap_or(Path::new(""));
        let names: Vec<_> = inside.iter().map(|name| name.to_string_lossy()).collect();
        Ok(ForFile {
            settings: found.config.settings(&names.join("/")),
            from: Some(found.path.clone()),
        })
    }

    /// The nearest `abide.toml` in `folder` or above it.
    fn found(&mut self, folder: &Path) -> anyhow::Result<Option<Rc<ConfigFile>>> {
        if self.is_off {
            return Ok(None);
        }
        if let Some(given) = self.given.clone() {
            return self.read(&given).map(Some);
        }
        if let Some(known) = self.of_folders.get(folder) {
            return Ok(known.clone());
        }
        let candidate = plain(folder);
        let candidate = candidate.ancestors().map(|folder| folder.join(NAME));
        let found = match candidate.into_iter().find(|path| path.is_file()) {
            Some(path) => Some(self.read(&path)?),
            None => None,
        };
        self.of_folders.insert(folder.to_owned(), found.clone());
        Ok(found)
    }

    fn read(&mut self, path: &Path) -> anyhow::Result<Rc<ConfigFile>> {
        if let Some(known) = self.read.get(path) {
            return Ok(Rc::clone(known));
        }
        let shown = shown_path(path);
        let text = text(path).with_context(|| format!("cannot read {shown}"))?;
        let config = Config::read(&text).map_err(|error| in_file(&shown, &error))?;
        let path = path.to_owned();
        let found = Rc::new(ConfigFile { path, config });
        self.read.insert(found.path.clone(), Rc::clone(&found));
        Ok(found)
    }
}

impl Configs {
    /// The registry that the settings name.
    pub(crate) fn registry(&mut self, of: &ForFile) -> anyhow::Result<Option<Registries>> {
        let Some(path) = of.registry() else {
            return Ok(None);
        };
        if let Some(known) = self.registries.get(&path) {
            return Ok(Some(known.clone()));
        }
        let shown = shown_path(&path);
        let text = text(&path).with_context(|| format!("cannot read the registry {shown}"))?;
        let registry = registry::read(&text);
        let registry = registry.with_context(|| format!("in the registry {shown}"))?;
        self.registries.insert(path, registry.clone());
        Ok(Some(registry))
    }
}

impl ForFile {
    /// The file with the registry of applications.
    fn registry(&self) -> Option<PathBuf> {
        let registry = self.settings.registry.as_ref()?;
        Some(self.beside(&registry.value))
    }

    /// The file with the test cases, which `abide test` uses.
    pub(crate) fn cases(&self) -> Option<PathBuf> {
        let cases = self.settings.cases.as_ref()?;
        Some(self.beside(&cases.value))
    }

    /// A path that the `abide.toml` names.
    fn beside(&self, name: &str) -> PathBuf {
        let folder = self.from.as_deref().and_then(Path::parent);
        folder.unwrap_or(Path::new("")).join(name)
    }
}

/// A path without `.` and `..`, so that it can be compared with others. Links are not followed: the
/// settings of a file are those above its name.
fn plain(path: &Path) -> PathBuf {
    use std::path::Component;
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

/// The text of a file that is part of the settings.
pub(crate) fn text(path: &Path) -> anyhow::Result<String> {
    let bytes = read_up_to(File::open(path)?, 0, MAX_FILE_BYTES)?;
    ensure!(
        bytes.len() <= MAX_FILE_BYTES,
        "it is longer than {MAX_FILE_BYTES} bytes"
    );
    Ok(String::from_utf8(bytes.to_vec())?)
}
