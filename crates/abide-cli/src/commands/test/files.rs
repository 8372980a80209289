//! Which files are tested: those of the arguments, or those in the usual places.

use crate::args::TestArgs;
use crate::config::Configs;
use crate::file_arg::{FileArg, shown_path};
use crate::robots_files::USUAL_PLACES;
use crate::source::{Source, in_file, read_file};
use abide_analysis::expectation::Cases;
use anyhow::{Context, bail, ensure};
use std::path::Path;

/// The largest size of a file of cases, in bytes.
const MAX_FILE_BYTES: usize = 4 << 20;
/// The name of a file of cases beside a robots.txt.
const CASES: &str = "robots.test.toml";

/// A file of cases and the robots.txt that it is about.
pub(super) struct Files {
    pub(super) cases: FileArg,
    pub(super) robots: FileArg,
}

impl Files {
    /// The files that the arguments name. A missing one is looked for beside the other, and both in
    /// the usual places.
    pub(super) fn named(args: &TestArgs) -> anyhow::Result<Self> {
        match (&args.cases, &args.robots) {
            (Some(cases), Some(robots)) => Ok(Self {
                cases: cases.clone(),
                robots: robots.clone(),
            }),
            (Some(only), None) if is_toml(only) => Ok(Self {
                cases: only.clone(),
                robots: beside(only, "robots.txt").with_context(|| {
                    format!("found no robots.txt beside {only}; name it: abide test {only} FILE")
                })?,
            }),
            (Some(only), None) => Ok(Self {
                cases: of_robots(only)?.with_context(|| {
                    format!("found no file of cases beside {only}; name it: abide test CASES {only}. abide test --init {only} writes one")
                })?,
                robots: only.clone(),
            }),
            (None, _) => Self::usual(),
        }
    }

    /// The first robots.txt in the usual places that has a file of cases beside it.
    fn usual() -> anyhow::Result<Self> {
        let mut without = None;
        for folder in USUAL_PLACES {
            let Some(robots) = in_folder(Path::new(folder), "robots.txt") else {
                continue;
            };
            match of_robots(&robots)? {
                Some(cases) => return Ok(Self { cases, robots }),
                None => without = without.or(Some(robots)),
            }
        }
        if let Some(robots) = without {
            bail!(
                "found {robots}, but no {CASES} beside it; abide test --init {robots} writes one"
            );
        }
        bail!(
            "found no robots.txt with {CASES} beside it in the current folder or in {}; name both: \
             abide test CASES FILE",
            USUAL_PLACES[1..].join(", ")
        )
    }

    /// Reads the cases. Swapped arguments are an error that says so.
    pub(super) fn read_cases(&self) -> anyhow::Result<Cases> {
        let name = &self.cases;
        let text = text(name)?;
        Cases::read(&text).or_else(|error| {
            if self.is_swapped() {
                bail!(
                    "{} is the file of cases, and {name} is not; write: abide test {} {name}",
                    self.robots,
                    self.robots
                );
            }
            Err(in_file(name, &error))
        })
    }

    /// Whether the other file is the one with the cases.
    fn is_swapped(&self) -> bool {
        let is_file = matches!(Source::named(&self.robots), Source::File(_));
        let is_cases = || text(&self.robots).is_ok_and(|text| Cases::read(&text).is_ok());
        is_file && !is_toml(&self.cases) && (is_toml(&self.robots) || is_cases())
    }
}

fn text(name: &FileArg) -> anyhow::Result<String> {
    let text = read_file(
        name,
        MAX_FILE_BYTES,
        "abide test takes a TOML file of cases; --init writes one",
    )?;
    ensure!(
        text.len() <= MAX_FILE_BYTES,
        "{name} is longer than {MAX_FILE_BYTES} bytes; split it"
    );
    String::from_utf8(text.to_vec()).with_context(|| format!("cannot read {name}"))
}

fn is_toml(name: &FileArg) -> bool {
    let path = Path::new(name.as_str());
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}

/// The file of cases of a robots.txt: the one that its `abide.toml` names, or else
/// `robots.test.toml` beside `robots.txt`.
fn of_robots(robots: &FileArg) -> anyhow::Result<Option<FileArg>> {
    if !matches!(Source::named(robots), Source::File(_)) {
        return Ok(None);
    }
    if let Some(cases) = Configs::default().for_file(Some(robots))?.cases() {
        let name = cases.to_str().with_context(|| {
            format!("the name {} in abide.toml is not UTF-8", shown_path(&cases))
        })?;
        return Ok(Some(FileArg::from(name)));
    }
    let stem = Path::new(robots.as_str()).file_stem();
    let stem = stem.and_then(|stem| stem.to_str());
    Ok(stem.and_then(|stem| beside(robots, &format!("{stem}.test.toml"))))
}

/// A file with this name in the folder of another.
fn beside(other: &FileArg, name: &str) -> Option<FileArg> {
    in_folder(Path::new(other.as_str()).parent()?, name)
}

fn in_folder(folder: &Path, name: &str) -> Option<FileArg> {
    let path = match folder.to_str()? {
        "" | "." => Path::new(name).to_owned(),
        _ => folder.join(name),
    };
    let is_file = path.is_file();
    let name = path.to_str().filter(|_| is_file)?;
    Some(FileArg::from(name))
}
