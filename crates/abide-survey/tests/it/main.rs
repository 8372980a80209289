//! Surveys of small archives, folders and tables, as a person would run them.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::format_collect,
    clippy::format_push_string,
    reason = "tests"
)]

mod agents;
mod archive;
mod asked;
mod bad_input;
mod cache;
mod inputs;
mod journal;
mod pages;
mod parts;
mod provenance;
mod redirects;
mod schema;
mod tables;
mod verify;
mod what_if;

use abide_known_robots::Robot;
use abide_survey::schema::Table;
use abide_survey::{Format, Options, Summary, Survey, SurveyError};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

/// A file that most sites could have.
const ROBOTS: &[u8] = b"User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nCrawl-delay: 2\nDisallow: /private/\nAllow: /private/press$\nSitemap: https://a.example/sitemap.xml\n";

/// A survey with JSON Lines as output, in a folder of its own.
struct Trial {
    folder: TempDir,
    survey: Survey,
}

impl Trial {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let survey = Survey {
            inputs: Vec::new(),
            folder: folder.path().join("tables"),
            options: Options {
                robots: Robot::list("GPTBot,CCBot,*").unwrap(),
                ..Options::default()
            },
            format: Format::Jsonl,
            threads: 2,
            is_resumed: false,
        };
        Self { folder, survey }
    }

    /// Adds an input with these bytes.
    fn with(mut self, name: &str, bytes: &[u8]) -> Self {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        self.survey.inputs.push(path);
        self
    }

    fn try_run(&self) -> Result<Summary, SurveyError> {
        self.survey.run(&AtomicBool::new(false), &mut |_| {})
    }

    fn run(&self) -> Summary {
        self.try_run().unwrap()
    }

    /// The first file of a table; a small survey has no other, unless it was interrupted.
    fn path(&self, table: Table) -> PathBuf {
        let name = format!("part-00000.{}", self.survey.format.name());
        self.survey.folder.join(table.name()).join(name)
    }

    fn rows(&self, table: Table) -> Vec<Value> {
        let entries = fs::read_dir(self.survey.folder.join(table.name())).unwrap();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        files.sort_unstable();
        files.iter().flat_map(|file| rows(file)).collect()
    }

    /// The rows of a table as text, sorted, without the folder of this trial.
    fn sorted(&self, table: Table) -> Vec<String> {
        let folder = self.folder.path().to_str().unwrap();
        let rows = self.rows(table).into_iter();
        let mut rows: Vec<String> = rows
            .map(|row| row.to_string().replace(folder, ""))
            .collect();
        rows.sort_unstable();
        rows
    }

    /// The cells of a column.
    fn cells(&self, table: Table, column: &str) -> Vec<Value> {
        let rows = self.rows(table);
        rows.iter().map(|row| row[column].clone()).collect()
    }
}

fn rows(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}
