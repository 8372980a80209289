//! `abide check`
//!
//! One URL is a list of one: the arguments and a list take the same way from text to answer, and
//! only what is written differs.

mod human;
mod sites;

use crate::args::{CheckArgs, Format};
use crate::bulk::Bulk;
use crate::documents;
use crate::exit::{Exit, ExitRank, written};
use crate::fetch::Network;
use crate::file_arg::FileArg;
use crate::page_response;
use crate::robot_args::{RobotOptions, robots};
use crate::source::Source;
use crate::table::{Layout, RowFormat, columns, write_list};
use crate::url_answers::{self, Answer, AnswerKind, Asking, CRAWL, Requested, write_objects};
use crate::url_list::UrlList;
use abide::Usage;
use abide::explain::visible;
use abide_fetch::http::now;
use abide_known_robots::Robot;
use anyhow::ensure;
use sites::Sites;
use std::io::{self, Write as _};

/// Decides every URL for every robot and writes the answers; the exit status shows the strictest
/// one.
pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
    if args.table.list_fields {
        written(write_list())?;
        return Ok(Exit::Done);
    }
    refuse_flags_without_effect(args)?;
    let robots = robots(&args.client)?;
    let usages = usages(args);
    let exit_usages = args.exit_usages();
    let layout = layout(args, &usages, &robots)?;
    let options = options(args, &layout, &exit_usages)?;
    let documents = documents::given(&args.preference.vocabulary)?;
    documents::warn_of_whole_urls(&documents, &args.urls, "name pages by whole URLs");
    let write = |text: &mut Vec<u8>, number: u64, answers: &[Answer<'_>]| {
        write(args, text, number, answers).expect("memory takes all that is written");
    };
    let asking = Asking {
        robots: &robots,
        profile: args.client.profile,
        usages: or_crawl(&usages),
        shows_mentioned: shows_mentioned(args),
        exit_usages: or_crawl(&exit_usages),
        response: &page_response::response(&args.tags)?,
        acap: Some(&args.acap),
        documents: &documents,
        now: args.now.or(args.at).unwrap_or_else(now),
        requested: match (&args.robots, args.page) {
            (None, _) => Requested::RobotsTxt,
            (Some(_), true) => Requested::Page,
            (Some(_), false) => Requested::Nothing,
        },
        ends_on_a_problem: !is_table(args),
        answer: if is_table(args) {
            AnswerKind::Rows(&layout)
        } else {
            AnswerKind::Whole(&write)
        },
    };
    let sender = options.sender(&robots)?;
    let network = Network::new(&sender, &args.network, args.at);
    let mut sites = Sites::new(args, &asking, &options, &network)?;
    let Some(standing) = answer_all(args, &asking, &layout, &mut sites)? else {
        return Ok(Exit::Failed);
    };
    // Without the page, its tags are unknown.
    let page = if network.lacks_a_page() {
        ExitRank::Unknown
    } else {
        ExitRank::Fine
    };
    Ok(standing.max(page).exit())
}

/// Whether the answers are a table.
fn is_table(args: &CheckArgs) -> bool {
    args.list.is_some()
        || !args.table.fields.is_empty()
        || matches!(args.format(), Format::Csv | Format::Parquet)
}

/// Reads the URLs, and writes the answers about each of them. Returns how they count together;
/// `None` if some lines could not be read.
fn answer_all(
    args: &CheckArgs,
    asking: &Asking<'_>,
    layout: &Layout,
    sites: &mut Sites<'_>,
) -> anyhow::Result<Option<ExitRank>> {
    if asking.ends_on_a_problem {
        for url in &args.urls {
            let read = asking.read(1, url.as_bytes());
            read.map_err(|refused| anyhow::Error::msg(refused.problem.message))?;
        }
    }
    // The file is read before the list, so that a missing file is reported at once.
    let file = args.robots.as_ref().map(Source::named);
    if let Some(file) = &file {
        sites.rules(file)?;
    }
    let (name, urls) = urls(args)?;
    let is_sitemap = urls.is_sitemap();
    let size = urls.size();
    let input = asking.input(urls);
    let inputs = [args.list.as_ref(), args.robots.as_ref()];
    let inputs: Vec<_> = inputs.into_iter().flatten().collect();
    let shows_rows = is_table(args) || args.format() == Format::Human;
    let mut bulk = Bulk::new(
        &name,
        size,
        shows_rows.then_some(layout),
        &args.table,
        &inputs,
        Some(asking.profile.name()),
        args.quiet || args.list.is_none(),
    )?;
    match file.filter(|_| is_table(args)) {
        Some(file) => {
            let (rules, _) = sites.rules(&file)?;
            bulk.run(input, args.table.jobs, || {
                url_answers::answer(asking, rules)
            })?;
        }
        None => bulk.run_here(input, |chunk| sites.answer(chunk))?,
    }
    if is_sitemap {
        let whom = match asking.robots {
            [only] => visible(only.name().as_bytes()),
            _ => "at least one of the robots".to_owned(),
        };
        bulk.sum_up_sitemap(&whom);
    }
    Ok(bulk.unread.is_empty().then_some(bulk.counts.standing))
}

/// Refuses options that would change nothing.
fn refuse_flags_without_effect(args: &CheckArgs) -> anyhow::Result<()> {
    let is_stdin = |name: &Option<FileArg>| name.as_ref().is_some_and(FileArg::is_stdin);
    let is_local = args
        .robots
        .as_ref()
        .is_some_and(|name| !matches!(Source::named(name), Source::Url(_)));
    let flags = [
        ("--allow-private", args.network.allow_private),
        ("--user-agent-line", args.network.user_agent_line.is_some()),
        ("--cache", args.network.cache.is_some()),
        ("--offline", args.network.offline),
    ];
    for (flag, is_given) in flags {
        ensure!(
            !is_given || !is_local || args.page,
            "{flag} has no effect here: --robots names a file, so nothing is fetched"
        );
    }
    if !is_table(args) {
        ensure!(
            args.table.output.is_none() && args.table.jobs.is_none(),
            "--output and --jobs are for tables; add --urls, --fields, or --format csv or parquet"
        );
        return Ok(());
    }
    ensure!(
        args.format() != Format::Json,
        "--format json is one value, and a list of URLs may have no end; use --format jsonl, or \
         `abide batch --robots` for whole decisions"
    );
    ensure!(
        !args.page,
        "--page has no effect on a table; leave out --fields, or use --format human or json"
    );
    ensure!(
        args.robots.is_some() || args.table.jobs.is_none(),
        "--jobs needs --robots: without it, abide asks up to 32 sites at a time, whatever the number of threads"
    );
    ensure!(
        !(is_stdin(&args.robots) && is_stdin(&args.list)),
        "robots.txt and --urls cannot both come from stdin; name a file for one of them"
    );
    Ok(())
}

/// How the robots read files.
fn options(
    args: &CheckArgs,
    layout: &Layout,
    exit_usages: &[Usage],
) -> anyhow::Result<RobotOptions> {
    let options = RobotOptions::new(&args.client, &args.acap)?;
    Ok(if layout.asks_preferences() {
        // A column shows all preferences.
        options.asking(&args.preference, &[])
    } else if args.asks_preferences() {
        options.asking(&args.preference, exit_usages)
    } else {
        options
    })
}

/// These usages, or crawling if there are none.
fn or_crawl(usages: &[Usage]) -> &[Usage] {
    if usages.is_empty() { CRAWL } else { usages }
}

/// Whether rows are about every usage that the site mentions: what is said in a response or asked
/// about preferences must not be without effect. Columns without the usage cannot tell such rows
/// apart, and can have the answers themselves.
fn shows_mentioned(args: &CheckArgs) -> bool {
    let is_asked = args.preference.preferences || args.tags.are_given();
    let mut fields = args.table.fields.iter();
    let shows_usage = args.table.fields.is_empty() || fields.any(|name| name.trim() == "usage");
    is_asked && shows_usage && args.usages.is_empty() && args.for_usages.is_empty()
}

/// The usages that have a row, if some are asked for.
fn usages(args: &CheckArgs) -> Vec<Usage> {
    match args.for_usages.as_slice() {
        [] if args.usages.is_empty() && args.preference.preferences => {
            let preferences = Usage::PREFERENCES.iter().copied();
            [Usage::Crawl].into_iter().chain(preferences).collect()
        }
        [] => args.usages.clone(),
        purposes => purposes.to_vec(),
    }
}

fn layout(args: &CheckArgs, usages: &[Usage], robots: &[Robot]) -> anyhow::Result<Layout> {
    const LEAST: usize = 9;
    let mentioned: &[Usage] = if shows_mentioned(args) {
        Usage::ALL
    } else {
        &[]
    };
    let named = usages.iter().chain(mentioned);
    let widest = named.map(|usage| usage.name().len()).max();
    let widths = robots.iter().map(|robot| robot.name().chars().count());
    Ok(Layout {
        format: match args.format() {
            Format::Human | Format::Json => RowFormat::Human,
            Format::Jsonl => RowFormat::Jsonl,
            Format::Csv => RowFormat::Csv,
            Format::Parquet => RowFormat::Parquet,
        },
        columns: columns(
            &args.table,
            false,
            !usages.is_empty() || shows_mentioned(args),
        )?,
        is_chosen: !args.table.fields.is_empty(),
        robot_width: widths.max().unwrap_or_default(),
        usage_width: widest.unwrap_or_default().max(LEAST),
    })
}

/// The URLs, and their name in reports.
fn urls(args: &CheckArgs) -> anyhow::Result<(FileArg, UrlList)> {
    if let Some(list) = &args.list {
        let hint = "--urls takes a file of URLs, a sitemap, or \"-\" for stdin";
        return Ok((list.clone(), UrlList::open(list, hint)?));
    }
    let urls = UrlList::Arguments(args.urls.clone());
    Ok((FileArg::from("the arguments"), urls))
}

/// Writes the whole answers about the URL with a number, one for each robot.
fn write(
    args: &CheckArgs,
    out: &mut Vec<u8>,
    number: u64,
    answers: &[Answer<'_>],
) -> io::Result<()> {
    match args.format() {
        Format::Json => return json(args.urls.len() as u64, out, number, answers),
        Format::Jsonl | Format::Csv | Format::Parquet => {
            write_objects(out, answers, false);
            return Ok(());
        }
        Format::Human => {}
    }
    if number > 1 {
        writeln!(out)?;
    }
    match args.for_usages.as_slice() {
        [] => human::write(out, answers, &args.usages),
        purposes => human::write_for(out, answers, purposes),
    }
}

/// Writes the decisions about the URL with a number, of so many URLs: one value, which is an array
/// if there are several decisions.
fn json(urls: u64, out: &mut Vec<u8>, number: u64, answers: &[Answer<'_>]) -> io::Result<()> {
    let (begin, end) = match (urls, answers) {
        (1, [_]) => ("", ""),
        _ => ("[\n", "\n]"),
    };
    for (at, answer) in answers.iter().enumerate() {
        let is_first = (number, at) == (1, 0);
        let before = if is_first { begin } else { ",\n" };
        write!(out, "{before}{}", answer.json().to_pretty())?;
    }
    if number == urls {
        writeln!(out, "{end}")?;
    }
    Ok(())
}
