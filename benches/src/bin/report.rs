//! One table of medians and ratios, every goal beside its figure. `docs/speed.md` explains.

use abide_benches::allocator::Counting;
use abide_benches::contest::Effort;
use abide_benches::corpus::{Corpus, repository};
use abide_benches::workload::{
    Row, Setting, batch, cache, cold, command, evidence, hostile, large, lint, many, memory, scan,
    sources, warm,
};
use abide_benches::{agreement, growth, peer};
use anyhow::Context;
use clap::Parser;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Times abide beside other parsers, and prints Markdown.
#[derive(Debug, Parser)]
struct Args {
    /// Only these workloads, such as W3; may be given several times
    #[arg(long)]
    workload: Vec<String>,
    /// Rounds, of which the median is taken
    #[arg(long, default_value_t = 15)]
    rounds: usize,
    /// Few files and small inputs, to see that everything runs
    #[arg(long)]
    quick: bool,
    /// List where peers answer otherwise, in place of timing
    #[arg(long)]
    agreement: bool,
    /// Time decisions against the number of rules, and plot them to docs/growth.svg
    #[arg(long, conflicts_with = "agreement")]
    growth: bool,
    /// Also put the output into this file, between its marks
    #[arg(long)]
    write: Option<PathBuf>,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let corpus = Corpus::load()?;
    let corpus = if args.quick {
        corpus.thinned(60)
    } else {
        corpus
    };
    let effort = Effort::new(
        if args.quick {
            args.rounds.min(3)
        } else {
            args.rounds
        }
        .max(1),
    );
    let setting = Setting {
        corpus,
        contestants: peer::contestants(),
        effort,
        is_quick: args.quick,
    };
    let (mark, output) = if args.agreement {
        ("agreement", differences(&setting))
    } else if args.growth {
        ("growth", growing(&setting)?)
    } else {
        ("report", report(&setting, &args.workload))
    };
    println!("{output}");
    args.write.map_or(Ok(()), |path| put(&path, mark, &output))
}

/// Replaces what stands between `<!-- mark -->` and `<!-- /mark -->`.
fn put(path: &Path, mark: &str, output: &str) -> anyhow::Result<()> {
    let text = std::fs::read_to_string(path)?;
    let (open, close) = (format!("<!-- {mark} -->"), format!("<!-- /{mark} -->"));
    let lacking = || format!("{} has no {open}", path.display());
    let start = text.find(&open).with_context(lacking)? + open.len();
    let end = text.find(&close).with_context(lacking)?;
    let whole = format!(
        "{}\n\n{}\n\n{}",
        &text[..start],
        output.trim(),
        &text[end..]
    );
    Ok(std::fs::write(path, whole)?)
}

/// The date, the machine's kind, and what was read.
fn head(setting: &Setting) -> String {
    let output_of = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output();
        output.map_or(String::new(), |output| {
            String::from_utf8_lossy(&output.stdout).trim().to_owned()
        })
    };
    let about = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = about
        .lines()
        .find_map(|line| line.strip_prefix("model name"));
    let model = model.map_or("unknown processor", |model| {
        model.trim_matches([' ', '\t', ':'])
    });
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or_default().to_owned();
    let mut text = format!(
        "{}; {model}, {cores} cores, load {load} at the start; {}; {}; {} rounds",
        output_of("date", &["-u", "+%F"]),
        output_of("rustc", &["-V"]),
        setting.corpus.describe(),
        setting.effort.rounds,
    );
    if !setting
        .contestants
        .iter()
        .any(|who| who.name() == "protego")
    {
        text.push_str("; protego is absent, for no `python3` has it");
    }
    if setting.is_quick {
        text.push_str("; a QUICK run, which shows that everything runs and nothing else");
    }
    text + ".\n\n"
}

fn differences(setting: &Setting) -> String {
    let urls = if setting.is_quick { 10 } else { 40 };
    let tallies = agreement::compare(&setting.corpus, &setting.contestants, urls);
    let model = agreement::with_model(&setting.corpus);
    let counts = agreement::counts(&tallies, model);
    format!(
        "{}{counts}\n{}",
        head(setting),
        agreement::listing(&tallies)
    )
}

fn growing(setting: &Setting) -> anyhow::Result<String> {
    let growths = growth::measure(setting);
    std::fs::write(repository().join("docs/growth.svg"), growth::plot(&growths))?;
    Ok(format!("{}{}", head(setting), growth::tables(&growths)))
}

/// The rows of one workload.
type Work = fn(&Setting) -> anyhow::Result<Vec<Row>>;

fn report(setting: &Setting, only: &[String]) -> String {
    let mut text = head(setting);
    if only.is_empty() {
        let urls = if setting.is_quick { 10 } else { 40 };
        let tallies = agreement::compare(&setting.corpus, &setting.contestants, urls);
        let model = agreement::with_model(&setting.corpus);
        let _ = writeln!(text, "{}", agreement::counts(&tallies, model));
    }
    text.push_str(
        "| | what | who | median | ratio | goal | | |\n|---|---|---|--:|--:|--:|---|---|\n",
    );
    let works: [(&str, Work); 14] = [
        ("W1", |setting| Ok(scan::rows(setting))),
        ("W2", |setting| Ok(cold::rows(setting))),
        ("W2b", |setting| Ok(cold::compile_rows(setting))),
        ("W3", |setting| Ok(warm::rows(setting))),
        ("W4", |setting| Ok(large::rows(setting))),
        ("W5", |setting| Ok(hostile::rows(setting))),
        ("W6", |setting| Ok(memory::rows(setting))),
        ("W7", |setting| Ok(evidence::rows(setting))),
        ("W8", |setting| Ok(sources::rows(setting))),
        ("W9", command::rows),
        ("W10", batch::rows),
        ("W11", |setting| Ok(lint::rows(setting))),
        ("W12", many::rows),
        ("W13", |setting| Ok(cache::rows(setting))),
    ];
    for (name, work) in works {
        if !only.is_empty() && !only.iter().any(|wanted| wanted.eq_ignore_ascii_case(name)) {
            continue;
        }
        eprintln!("{name} …");
        match work(setting) {
            Ok(rows) => rows.iter().for_each(|row| line(&mut text, row)),
            Err(error) => {
                let _ = writeln!(text, "| {name} | not measured: {error:#} | | | | | | |");
            }
        }
    }
    text
}

fn line(text: &mut String, row: &Row) {
    let Row {
        workload,
        what,
        who,
        figure,
        ratio,
        goal,
        result,
        note,
    } = row;
    let _ = writeln!(
        text,
        "| {workload} | {what} | {who} | {figure} | {ratio} | {goal} | {result} | {note} |"
    );
}
