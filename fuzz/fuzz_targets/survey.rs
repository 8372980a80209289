//! No input makes the reader of surveys panic, and every record is counted. The first byte says
//! what kind of file the others are.
#![no_main]

use abide_survey::schema::Table;
use abide_survey::{Format, Options, Survey};
use libfuzzer_sys::fuzz_target;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

const NAMES: [&str; 4] = ["a.warc", "a.warc.gz", "a.jsonl", "a.jsonl.gz"];

fuzz_target!(|data: &[u8]| {
    let Some((kind, bytes)) = data.split_first() else {
        return;
    };
    // In memory, where there is such a folder: the input is a file, and so is each table.
    let memory = Path::new("/dev/shm");
    let base = if memory.is_dir() {
        memory.to_owned()
    } else {
        std::env::temp_dir()
    };
    let folder = base.join(format!("abide-fuzz-survey-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir(&folder).expect("a folder");
    let input = folder.join(NAMES[usize::from(*kind) % NAMES.len()]);
    fs::write(&input, bytes).expect("a file");
    let survey = Survey {
        inputs: vec![input],
        folder: folder.join("tables"),
        options: Options {
            tables: [Table::Files, Table::Errors].into(),
            ..Options::default()
        },
        format: Format::Jsonl,
        // Everything happens in the thread that the fuzzer watches.
        threads: 0,
        is_resumed: false,
    };
    // Some inputs are refused as a whole, which is an error.
    if let Ok(summary) = survey.run(&AtomicBool::new(false), &mut |_| {}) {
        let counted = summary.captures
            + summary.skipped.values().sum::<u64>()
            + summary.failed.values().sum::<u64>();
        assert_eq!(summary.records, counted);
        let rows =
            fs::read_to_string(folder.join("tables/files/part-00000.jsonl")).expect("the table");
        assert_eq!(rows.lines().count() as u64, summary.captures);
    }
    fs::remove_dir_all(&folder).expect("nobody else uses it");
});
