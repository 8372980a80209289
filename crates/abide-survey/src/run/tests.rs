//! Surveys with lower limits: tables of many files, and kills at every moment.

use super::{Limits, Summary, Survey};
use crate::options::Options;
use crate::output::{self, FileSize, Format};
use crate::schema::{CellValue, Table};
use abide::Named as _;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::cell::RefCell;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

const LOW: Limits = Limits {
    part_bytes: 1,
    part_captures: 1,
    max_file: FileSize {
        bytes: 24 << 10,
        groups: 3,
    },
};

/// Some jobs of robots.txt files, and lines with a redirect to each of them.
fn inputs(folder: &Path, hosts: usize) -> Vec<PathBuf> {
    let sites = folder.join("sites");
    fs::create_dir(&sites).unwrap();
    let mut lines = String::new();
    for number in 0..hosts {
        let host = format!("s{number:03}.example");
        let rules = (0..number % 17).fold(String::new(), |mut rules, rule| {
            let _ = writeln!(rules, "Disallow: /{number}/{}", "x".repeat(rule));
            rules
        });
        let text = format!("User-agent: *\n{rules}Sitemap: https://{host}/{number}.xml\n");
        fs::write(sites.join(&host), &text).unwrap();
        let (from, to) = (format!("http://r.{host}"), format!("https://t.{host}"));
        let location = serde_json::json!({"Location": format!("{to}/robots.txt")});
        for line in [
            serde_json::json!({"url": format!("{from}/robots.txt"), "status": 301, "headers": location}),
            serde_json::json!({"url": format!("{to}/robots.txt"), "status": 200, "body": text}),
        ] {
            let _ = writeln!(lines, "{line}");
        }
    }
    let listed = folder.join("lines.jsonl");
    fs::write(&listed, lines).unwrap();
    vec![sites, listed]
}

struct Trial {
    survey: Survey,
    limits: Limits,
}

impl Trial {
    fn new(inputs: &[PathBuf], folder: PathBuf, format: Format, limits: Limits) -> Self {
        let survey = Survey {
            inputs: inputs.to_vec(),
            folder,
            options: Options::default(),
            format,
            threads: 1,
            is_resumed: false,
        };
        Self { survey, limits }
    }

    fn run(&self) -> Summary {
        let go_on = AtomicBool::new(false);
        let summary = self.survey.run_within(self.limits, &go_on, &mut |_| {});
        summary.unwrap()
    }

    /// The files of a table, in the order of their names.
    fn files(&self, table: Table) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.survey.folder.join(table.name())).unwrap();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        files.sort_unstable();
        files
    }

    /// What a report counts.
    #[cfg(feature = "report")]
    fn numbers(&self) -> serde_json::Value {
        use crate::report::{Numbers, Settings};
        let numbers = Numbers::read(&self.survey.folder, &Settings::default());
        serde_json::to_value(numbers.unwrap()).unwrap()
    }

    /// The rows of all tables, in the order of the files.
    fn rows(&self) -> Vec<Vec<String>> {
        let of = |table| {
            let files = self.files(table);
            files.iter().flat_map(|file| rows(file)).collect()
        };
        self.survey.options.tables.iter().copied().map(of).collect()
    }
}

fn rows(file: &Path) -> Vec<String> {
    let format = file.extension().unwrap().to_str().unwrap();
    let text = || fs::read_to_string(file).unwrap();
    match Format::by_name(format).unwrap() {
        Format::Jsonl => text().lines().map(str::to_owned).collect(),
        // No cell of these tables has a line break.
        Format::Csv => text().lines().skip(1).map(str::to_owned).collect(),
        Format::Parquet => {
            let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(file).unwrap());
            let batches = reader.unwrap().build().unwrap().map(Result::unwrap);
            let rows = batches.flat_map(|batch| {
                let row = |at| {
                    let cells = batch.columns().iter();
                    let cells: Vec<String> = cells
                        .map(|column| CellValue::of(column, at).to_string())
                        .collect();
                    cells.join("\t")
                };
                (0..batch.num_rows()).map(row).collect::<Vec<_>>()
            });
            rows.collect()
        }
    }
}

/// The bytes of all files in a folder, but for the journal.
fn bytes(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else {
        return 0;
    };
    let paths = entries.map(|entry| entry.unwrap().path());
    let sizes = paths.map(|path| {
        if path.is_dir() {
            bytes(&path)
        } else if path.ends_with(output::JOURNAL) {
            0
        } else {
            fs::metadata(&path).unwrap().len()
        }
    });
    sizes.sum()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(path, to).unwrap();
        }
    }
}

/// The rows do not depend on where files end, and no file is larger than it may be.
#[test]
fn tables_roll_over() {
    let folder = TempDir::new().unwrap();
    let inputs = inputs(folder.path(), 400);
    for format in Format::ALL {
        let path = |name: &str| folder.path().join(format!("{name}-{}", format.name()));
        let whole = Trial::new(&inputs, path("whole"), *format, Limits::default());
        let summary = whole.run();
        assert_eq!((summary.captures, summary.followed), (1_200, 400));
        let low = Trial::new(&inputs, path("low"), *format, LOW);
        assert_eq!(low.run(), summary);
        let most = low.limits.max_file.bytes;
        let mut joined = 0;
        for table in Table::standard() {
            let name = format!("part-00000.{}", format.name());
            let files = whole.files(table);
            assert_eq!(files, [whole.survey.folder.join(table.name()).join(name)]);
            // What one job writes at once is larger than these limits.
            let files = low.files(table);
            let sizes = files.iter().map(|file| fs::metadata(file).unwrap().len());
            joined += sizes.filter(|size| *size <= most).count();
            let has_rows = !rows(&whole.files(table)[0]).is_empty();
            assert!(!has_rows || files.len() > 2, "{table:?}");
        }
        assert!(joined > 0, "{format:?}");
        assert!(low.rows() == whole.rows(), "{format:?}");
        #[cfg(feature = "report")]
        assert_eq!(low.numbers(), whole.numbers(), "{format:?}");
    }
}

/// Each state of the disk that a kill leaves is resumed to the same rows, and the disk never has
/// more than one file twice.
#[test]
fn a_survey_that_was_killed_at_any_moment_goes_on() {
    let folder = TempDir::new().unwrap();
    let inputs = inputs(folder.path(), 150);
    let mut limits = LOW;
    // Some parts are joined, and some are moved.
    limits.max_file.bytes *= 4;
    for format in Format::ALL {
        let path = |name: &str| folder.path().join(format!("{name}-{}", format.name()));
        let mut trial = Trial::new(&inputs, path("killed"), *format, limits);
        trial.survey.options.tables = [Table::Files, Table::Rules, Table::Errors].into();
        let (tables, states) = (trial.survey.folder.clone(), path("states"));
        let seen = Rc::new(RefCell::new(Vec::new()));
        let sizes = Rc::clone(&seen);
        output::at_every_change(Some(Box::new(move || {
            let mut sizes = sizes.borrow_mut();
            copy(&tables, &states.join(sizes.len().to_string()));
            sizes.push(bytes(&tables));
        })));
        let summary = trial.run();
        output::at_every_change(None);
        let sizes = seen.take();
        let count = sizes.len();
        assert!(count > 20, "{count}");
        // What was there before there were files, and one file.
        let is_without_files = |state: &usize| {
            let state = path("states").join(state.to_string());
            !state.join("files").exists()
        };
        let first = (0..count).take_while(is_without_files).count();
        let parts = sizes[..first].iter().max().unwrap();
        let most = parts + limits.max_file.bytes * 5 / 4;
        assert!(sizes.iter().all(|size| *size <= most), "{most}: {sizes:?}");
        let rows = trial.rows();
        for state in 0..count {
            let from = path("states").join(state.to_string());
            let mut killed = Trial::new(&inputs, from.clone(), *format, limits);
            killed.survey.options = trial.survey.options.clone();
            let journal = from.join(output::STATE_FOLDER).join(output::JOURNAL);
            // Before there is one, nothing was begun.
            killed.survey.is_resumed = journal.is_file();
            assert_eq!(killed.run(), summary, "{format:?}, {state}");
            assert!(killed.rows() == rows, "{format:?}, {state}");
            assert!(!killed.survey.folder.join(output::STATE_FOLDER).exists());
        }
    }
}
