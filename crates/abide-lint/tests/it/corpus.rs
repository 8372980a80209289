//! Real files, where there are any: `ABIDE_CORPUS` names a folder of robots.txt files.

use crate::generate::urls;
use crate::layout::decisions;
use abide_lint::layout::{self, Unformatted};
use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

/// The files of the corpus by name, in order; none where `ABIDE_CORPUS` is not set.
pub(crate) fn files() -> Vec<(String, Vec<u8>)> {
    let Some(folder) = std::env::var_os("ABIDE_CORPUS") else {
        println!("ABIDE_CORPUS is not set: no real files are tried");
        return Vec::new();
    };
    let mut files: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read(&path).unwrap())
        })
        .collect();
    files.sort();
    assert!(!files.is_empty(), "ABIDE_CORPUS names an empty folder");
    files
}

#[test]
fn corpus_layout_keeps_every_real_file_meaning_what_it_meant() {
    let (mut refused, mut slowest) = (BTreeMap::new(), (Duration::ZERO, String::new(), 0));
    let mut largest = (0, Duration::ZERO, String::new());
    let (mut laid, mut changed, mut pages, mut decided) = (0, 0, 0, 0);
    for (name, octets) in files() {
        let begin = Instant::now();
        let formatted = layout::format(&octets);
        let spent = begin.elapsed();
        slowest = slowest.max((spent, name.clone(), octets.len()));
        if formatted.is_ok() {
            largest = largest.max((octets.len(), spent, name.clone()));
        }
        let formatted = match formatted {
            Ok(formatted) => formatted,
            Err(error @ (Unformatted::Utf16 | Unformatted::TooLong { .. })) => {
                *refused.entry(error.to_string()).or_insert(0) += 1;
                continue;
            }
            Err(error) => panic!("{name}: {error}"),
        };
        laid += 1;
        changed += usize::from(formatted.octets() != octets);
        pages += usize::from(!formatted.is_robots_txt());
        assert_eq!(
            layout::format(formatted.octets()).as_ref(),
            Ok(&formatted),
            "{name}"
        );
        let urls = urls(&octets, 200);
        let (before, after) = (
            decisions(&octets, &urls, 40),
            decisions(formatted.octets(), &urls, 40),
        );
        assert!(before == after, "{name} decides otherwise");
        decided += before.len();
    }
    println!(
        "{laid} laid out, {changed} of them changed, {pages} no robots.txt, {decided} decisions alike"
    );
    println!("refused: {refused:?}; slowest: {slowest:?}; largest: {largest:?}");
}
