//! Many URLs: a table with one row for each URL and robot.

use super::{SitePolicies, documents_for};
use crate::args::{CheckArgs, Format};
use crate::bulk::{Answers, Bulk};
use crate::chunks::Chunk;
use crate::documents;
use crate::exit::Exit;
use crate::fetch::{FetchedFile, Network};
use crate::file_arg::FileArg;
use crate::page_response;
use crate::robot_args::{RobotOptions, robots};
use crate::source::{self, Source};
use crate::table::{Layout, RowFormat, columns};
use crate::url_answers::{self, AnswerCache, AnswerKind, Asking, CRAWL, Rules};
use crate::url_list::UrlList;
use abide::explain::visible;
use abide::preference::Documents;
use abide::{Target, Usage};
use abide_fetch::RequestUrl;
use abide_fetch::http::now;
use abide_known_robots::Robot;
use anyhow::ensure;
use std::collections::{BTreeSet, HashMap};
use std::io;

/// How many sites are compiled at a time; the others are in the cache.
const SITES: usize = 64;

/// Whether the answers are a table.
pub(super) fn is_asked(args: &CheckArgs) -> bool {
    args.list.is_some()
        || !args.table.fields.is_empty()
        || matches!(args.format(), Format::Csv | Format::Parquet)
}

/// Answers every URL as it is read.
pub(super) fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
    refuse_flags_without_effect(args)?;
    let robots = robots(&args.client)?;
    let names: Vec<_> = robots.iter().map(Robot::name).collect();
    let usages = usages(args);
    let width = names.iter().map(|name| name.chars().count()).max();
    let layout = layout(args, &usages, width.unwrap_or_default())?;
    let asks_preferences = layout.asks_preferences() || args.asks_preferences();
    let mut options = RobotOptions::new(&args.client, &args.acap)?;
    if asks_preferences {
        // A column shows all preferences.
        let all = layout.asks_preferences();
        options = options.asking(&args.preference, if all { &[] } else { &usages });
    }
    let exit_usages = args.exit_usages();
    let asking = Asking {
        robots: &robots,
        names,
        profile: args.client.profile.into(),
        usages: or_crawl(&usages),
        shows_mentioned: shows_mentioned(args),
        exit_usages: or_crawl(&exit_usages),
        response: &page_response::response(&args.tags)?,
        acap: Some(&args.acap),
        documents: &documents::given(&args.preference.vocabulary)?,
        now: args.now.or(args.at).unwrap_or_else(now),
        is_requested: args.robots.is_none(),
        answer: AnswerKind::Rows(&layout),
    };
    let sender = options.sender(&robots)?;
    let network = Network::new(&sender, &args.network, args.at);
    let sites = SitesReader {
        args,
        options: &options,
        robots: &robots,
        references: source::references(&args.acap, options.limit())?,
        network: &network,
        asks_preferences,
    };
    answer_all(&asking, &layout, &sites)
}

/// Reads the list, and writes a row for each of its URLs.
fn answer_all(
    asking: &Asking<'_>,
    layout: &Layout,
    sites: &SitesReader<'_>,
) -> anyhow::Result<Exit> {
    let args = sites.args;
    // The file is read before the list, so that a missing file is reported at once.
    let one = args
        .robots
        .as_ref()
        .map(|name| sites.read(&Source::named(name)));
    let one = one.transpose()?;
    let (name, urls) = urls(args)?;
    let is_sitemap = urls.is_sitemap();
    let size = urls.size();
    let input = asking.input(urls);
    let inputs = [args.list.as_ref(), args.robots.as_ref()];
    let inputs: Vec<_> = inputs.into_iter().flatten().collect();
    let mut bulk = Bulk::new(
        &name,
        size,
        Some(layout),
        &args.table,
        &inputs,
        Some(asking.profile.name()),
        args.quiet || args.list.is_none(),
    )?;
    if let Some(rules) = &one {
        bulk.run(input, args.table.jobs, || {
            url_answers::answer(asking, rules)
        })?;
    } else {
        let mut live = Live {
            sites,
            asking,
            kept: HashMap::new(),
        };
        bulk.run_here(input, |chunk| live.answer(chunk))?;
    }
    if is_sitemap {
        let whom = match asking.names.as_slice() {
            [only] => visible(only.as_bytes()),
            _ => "at least one of the robots".to_owned(),
        };
        bulk.sum_up_sitemap(&whom);
    }
    Ok(if bulk.unread.is_empty() {
        bulk.counts.standing.exit()
    } else {
        Exit::Failed
    })
}

fn refuse_flags_without_effect(args: &CheckArgs) -> anyhow::Result<()> {
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
    let is_stdin = |name: &Option<FileArg>| name.as_ref().is_some_and(FileArg::is_stdin);
    ensure!(
        !(is_stdin(&args.robots) && is_stdin(&args.list)),
        "robots.txt and --urls cannot both come from stdin; name a file for one of them"
    );
    Ok(())
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

fn layout(args: &CheckArgs, usages: &[Usage], robot_width: usize) -> anyhow::Result<Layout> {
    const LEAST: usize = 9;
    let mentioned: &[Usage] = if shows_mentioned(args) {
        Usage::ALL
    } else {
        &[]
    };
    let named = usages.iter().chain(mentioned);
    let widest = named.map(|usage| usage.name().len()).max();
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
        robot_width,
        usage_width: widest.unwrap_or_default().max(LEAST),
    })
}

/// The URLs, and their name in reports.
fn urls(args: &CheckArgs) -> anyhow::Result<(FileArg, UrlList)> {
    if let Some(list) = &args.list {
        let hint = "--urls takes a file of URLs, a sitemap, or \"-\" for stdin";
        return Ok((list.clone(), UrlList::open(list, hint)?));
    }
    ensure!(
        !args.urls.iter().any(|url| url.contains('\n')),
        "a URL in a table cannot have line ends; write them as %0A, or leave them out"
    );
    let input = io::Cursor::new(args.urls.join("\n").into_bytes());
    let name = FileArg::from("the arguments");
    Ok((name, UrlList::Lines(Box::new(input), None)))
}

/// Reads the robots.txt files of sites.
struct SitesReader<'a> {
    args: &'a CheckArgs,
    options: &'a RobotOptions,
    robots: &'a [Robot],
    references: Vec<(String, Vec<u8>)>,
    network: &'a Network<'a>,
    asks_preferences: bool,
}

impl SitesReader<'_> {
    fn read(&self, source: &Source) -> anyhow::Result<Rules> {
        let (options, robots) = (self.options, self.robots);
        let site = SitePolicies::read(
            self.args,
            source,
            options,
            robots,
            &self.references,
            self.network,
        )?;
        let retrieval = site.content.fetched().map(FetchedFile::json);
        Ok(Rules::new(robots, site.policies, retrieval))
    }

    /// What is known of the documents beside the robots.txt of `url`, for each robot.
    fn documents(
        &self,
        url: &str,
        asking: &Asking<'_>,
        rules: &Rules,
    ) -> anyhow::Result<Vec<Documents>> {
        let Ok(request) = RequestUrl::new(url) else {
            return Ok(Vec::new());
        };
        let Ok(target) = Target::new(request.as_str()) else {
            return Ok(Vec::new());
        };
        let target = target.with_response(asking.response).with_now(asking.now);
        let known =
            |policy| documents_for(self.args, asking.documents, &target, policy, self.network);
        rules.policies.iter().map(known).collect()
    }
}

/// Answers URLs of many sites.
struct Live<'a> {
    sites: &'a SitesReader<'a>,
    asking: &'a Asking<'a>,
    /// By the URL of the robots.txt.
    kept: HashMap<String, (Rules, AnswerCache)>,
}

impl Live<'_> {
    /// Answers the URLs of a chunk in their order, after fetching all their sites at once.
    fn answer(&mut self, chunk: &Chunk) -> anyhow::Result<Answers> {
        let mut answers = self.asking.no_answers();
        let urls = chunk.lines();
        let urls = urls.filter_map(|(_, _, bytes)| str::from_utf8(bytes).ok());
        let sites: BTreeSet<_> = urls.filter_map(|url| robots_url(url.trim())).collect();
        let missing = sites.into_iter().filter(|url| !self.kept.contains_key(url));
        self.sites.network.site()?.fetch_ahead(missing.collect())?;
        for line in chunk.lines() {
            let Some((number, url)) = self.asking.line(line, &mut answers) else {
                continue;
            };
            self.url(number, url, &mut answers)?;
        }
        Ok(answers)
    }

    fn url(&mut self, number: u64, url: &str, answers: &mut Answers) -> anyhow::Result<()> {
        let site = robots_url(url).unwrap_or_default();
        if !site.is_empty() && !self.kept.contains_key(&site) {
            if self.kept.len() >= SITES {
                self.kept.clear();
            }
            let rules = self
                .sites
                .read(&Source::Url(FileArg::from(site.as_str())))?;
            self.kept
                .insert(site.clone(), (rules, AnswerCache::default()));
        }
        let about = if let Some((rules, known)) = self.kept.get_mut(&site) {
            if self.sites.asks_preferences {
                rules.documents = self.sites.documents(url, self.asking, rules)?;
            }
            self.asking.about(rules, known, (number, url), answers)
        } else {
            // The text is no URL of a site, which is all that is looked at.
            let (rules, mut known) = (Rules::default(), AnswerCache::default());
            let line = (number, url);
            self.asking.about(&rules, &mut known, line, answers)
        };
        if let Err(problem) = about {
            self.asking.refuse(number, url, problem, answers);
        }
        Ok(())
    }
}

/// The URL of the robots.txt of a web page's site.
fn robots_url(url: &str) -> Option<String> {
    let request = RequestUrl::new(url).ok()?;
    Target::new(request.as_str()).ok()?.robots_url()
}
