//! A survey that is interrupted goes on where it was.

use crate::archive::response;
use crate::{ROBOTS, Trial};
use abide_survey::SurveyError;
use abide_survey::schema::Table;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

fn archive(site: &str) -> Vec<u8> {
    let mut records: Vec<Vec<u8>> = Vec::new();
    for number in 0..300 {
        let body = [ROBOTS, format!("# {}\n", "x".repeat(5_000)).as_bytes()].concat();
        records.push(response(
            &format!("https://{site}{number}.example/robots.txt"),
            "200 OK",
            &body,
        ));
        let to = format!(
            "301 Moved\r\nLocation: https://{site}{}.example/robots.txt",
            299 - number
        );
        records.push(response(
            &format!("http://{site}{number}.example/robots.txt"),
            &to,
            b"",
        ));
    }
    records.concat()
}

#[test]
fn a_survey_goes_on_without_repeating_anything() {
    let whole = Trial::new()
        .with("a.warc", &archive("a"))
        .with("b.warc", &archive("b"));
    whole.run();
    let mut trial = Trial::new()
        .with("a.warc", &archive("a"))
        .with("b.warc", &archive("b"));
    let mut runs = 0;
    loop {
        // Stops as soon as anything was found.
        let stop = AtomicBool::new(false);
        let summary = trial
            .survey
            .run(&stop, &mut |_| stop.store(true, Ordering::Relaxed))
            .unwrap();
        runs += 1;
        assert!(runs < 20);
        if summary.is_complete {
            assert_eq!((summary.captures, summary.followed), (1_200, 600));
            break;
        }
        // What is there is valid, and no part of it is read again.
        let rows = trial.rows(Table::Files);
        assert!(!rows.is_empty() && rows.len() < 1_200);
        assert!(
            trial.survey.is_resumed
                || matches!(trial.try_run(), Err(SurveyError::Unfinished { .. }))
        );
        trial.survey.is_resumed = true;
    }
    assert!(runs > 2, "{runs}");
    for table in Table::standard() {
        assert!(trial.sorted(table) == whole.sorted(table), "{table:?}");
    }
    assert!(!trial.survey.folder.join(".abide-survey").exists());
}

/// The tables are valid, but the report must not pass for one about the whole input.
#[cfg(feature = "report")]
#[test]
fn a_report_says_that_a_survey_was_interrupted() {
    use abide_survey::report::{Document, Numbers, Settings};

    let mut trial = Trial::new().with("a.warc", &archive("a"));
    let report = |trial: &Trial| {
        let numbers = Numbers::read(&trial.survey.folder, &Settings::default()).unwrap();
        let page = Document::new(&numbers, None).html().unwrap();
        (numbers.coverage.is_complete, page.contains("with --resume"))
    };
    let stop = AtomicBool::new(false);
    let stop_soon = &mut |_: &_| stop.store(true, Ordering::Relaxed);
    assert!(!trial.survey.run(&stop, stop_soon).unwrap().is_complete);
    assert_eq!(report(&trial), (false, true));
    trial.survey.is_resumed = true;
    assert!(trial.run().is_complete);
    assert_eq!(report(&trial), (true, false));
}

/// A survey that ends while it removes its parts has all of its tables.
#[cfg(feature = "report")]
#[test]
fn a_survey_that_was_interrupted_while_it_cleaned_up_is_complete() {
    use abide_survey::report::{Numbers, Settings};

    let mut trial = Trial::new().with("a.warc", &archive("a"));
    let stop = AtomicBool::new(true);
    assert!(!trial.survey.run(&stop, &mut |_| {}).unwrap().is_complete);
    trial.survey.is_resumed = true;
    // What cannot be removed as a file ends it, wherever it is among the parts.
    let state = trial.survey.folder.join(".abide-survey");
    fs::create_dir(state.join("z.files")).unwrap();
    assert!(matches!(trial.try_run(), Err(SurveyError::Write { .. })));
    let tables = fs::read(trial.path(Table::Files)).unwrap();
    let numbers = Numbers::read(&trial.survey.folder, &Settings::default()).unwrap();
    assert!(numbers.coverage.is_complete);
    for entry in fs::read_dir(&state).unwrap() {
        let path = entry.unwrap().path();
        match path.file_name().unwrap().to_str() {
            Some("z.files") => fs::remove_dir(path).unwrap(),
            // As if it had come further.
            Some(name) if name.starts_with("000000") => fs::remove_file(path).unwrap(),
            _ => {}
        }
    }
    let summary = trial.run();
    assert_eq!(
        (summary.is_complete, summary.captures, summary.followed),
        (true, 600, 300)
    );
    assert!(!state.exists());
    assert!(tables == fs::read(trial.path(Table::Files)).unwrap());
}

#[test]
fn another_survey_does_not_go_on() {
    let mut trial = Trial::new().with("a.warc", &archive("a"));
    trial.survey.is_resumed = true;
    assert!(matches!(
        trial.try_run(),
        Err(SurveyError::NothingToResume { .. })
    ));
    trial.survey.is_resumed = false;
    let stop = AtomicBool::new(true);
    assert!(!trial.survey.run(&stop, &mut |_| {}).unwrap().is_complete);
    trial.survey.is_resumed = true;
    trial.survey.options.paths = vec!["/other".to_owned()];
    assert!(matches!(trial.try_run(), Err(SurveyError::Other { .. })));
    trial.survey.options.paths = vec!["/".to_owned()];
    fs::write(trial.folder.path().join("a.warc"), b"WARC/1.0").unwrap();
    assert!(matches!(trial.try_run(), Err(SurveyError::Other { .. })));
}
