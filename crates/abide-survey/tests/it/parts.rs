//! The output depends on the input alone.

use crate::archive::{compressed, frames, response};
use crate::{ROBOTS, Trial};
use abide_survey::Format;
use abide_survey::schema::Table;
use std::fs;

/// Two megabytes of archive, so that several threads read it in blocks; each record is different
/// and does not compress.
fn records() -> Vec<Vec<u8>> {
    let mut state = 1_u64;
    (0..600)
        .map(|site| {
            let noise: String = (0..120)
                .map(|_| {
                    state = state
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695_040_888_963_407);
                    format!("Disallow: /{state:x}{:x}\n", state.rotate_left(23))
                })
                .collect();
            let body = [ROBOTS, b"User-agent: CCBot\n", noise.as_bytes()].concat();
            response(
                &format!("https://s{site}.example/robots.txt"),
                "200 OK",
                &body,
            )
        })
        .collect()
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let records = records();
    let gzip = compressed(&records);
    let zstd = frames(&records, &records[0], true);
    for (format, archive) in [
        (Format::Parquet, &gzip),
        (Format::Csv, &gzip),
        (Format::Jsonl, &gzip),
        (Format::Jsonl, &zstd),
    ] {
        assert!(archive.len() > 1 << 20, "{}", archive.len());
        let mut known: Option<Vec<Vec<u8>>> = None;
        let mut trial = Trial::new().with("a.warc.gz", archive);
        trial.survey.format = format;
        for threads in [0, 1, 2, 7] {
            trial.survey.folder = trial.folder.path().join(threads.to_string());
            trial.survey.threads = threads;
            trial.survey.options.tables =
                [Table::Files, Table::Robots, Table::Rules, Table::Errors].into();
            assert_eq!(trial.run().captures, 600);
            let tables = trial.survey.options.tables.iter();
            let bytes: Vec<Vec<u8>> = tables
                .map(|table| fs::read(trial.path(*table)).unwrap())
                .collect();
            assert_eq!(
                *known.get_or_insert_with(|| bytes.clone()),
                bytes,
                "{format:?}, {threads} threads"
            );
        }
    }
}

#[test]
fn csv_quotes_what_needs_it_and_no_spreadsheet_runs_it() {
    let body = b"User-agent: *\nDisallow: /a,b\"c\nSitemap: =1+1\n";
    let mut trial = Trial::new().with("a.example", body);
    trial.survey.format = Format::Csv;
    trial.run();
    let rules = fs::read_to_string(trial.path(Table::Rules)).unwrap();
    let capture = "capture,url,host,date,domain,registered_domain";
    let header = format!("{capture},group,line,offset,field,pattern\r\n");
    let own = "0,,a.example,,a.example,a.example";
    assert_eq!(
        rules,
        format!("{header}{own},0,2,14,disallow,\"/a,b\"\"c\"\r\n")
    );
    let sitemaps = fs::read_to_string(trial.path(Table::Sitemaps)).unwrap();
    assert!(sitemaps.contains(",'=1+1"), "{sitemaps}");
}
