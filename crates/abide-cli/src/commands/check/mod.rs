//! `abide check`

mod human;
mod many;

use crate::args::{CheckArgs, Format};
use crate::documents;
use crate::exit::{Exit, written};
use crate::fetch::{FetchedFile, Network};
use crate::file_arg::FileArg;
use crate::page_response;
use crate::robot_args::{RobotOptions, remembered, robots};
use crate::source::{self, Content, Findings, Source};
use crate::table::write_list;
use crate::url_answers::ExitRank;
use abide::explain::visible_url;
use abide::preference::{Documents, Vocabulary};
use abide::tag::Response;
use abide::{Client, Decision, Policy, Target, TargetError, Usage};
use abide_contract::{DecisionJson, RetrievalJson};
use abide_fetch::RequestUrl;
use abide_fetch::http::now;
use abide_known_robots::Robot;
use anyhow::ensure;
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};

/// Decides every URL for every robot and writes the answers; the exit status shows the strictest
/// one.
pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
    if args.table.list_fields {
        written(write_list())?;
        return Ok(Exit::Done);
    }
    refuse_flags_without_effect(args)?;
    if many::is_asked(args) {
        return many::run(args);
    }
    ensure!(
        args.table.output.is_none() && args.table.jobs.is_none(),
        "--output and --jobs are for tables; add --urls, --fields, or --format csv or parquet"
    );
    let robots = robots(&args.client)?;
    let asks_preferences = args.asks_preferences();
    let mut options = RobotOptions::new(&args.client, &args.acap)?;
    if asks_preferences {
        options = options.asking(&args.preference, &args.exit_usages());
    }
    let response = page_response::response(&args.tags)?;
    let now = args.now.or(args.at).unwrap_or_else(now);
    let asked = asked(args)?;
    let targets = asked.iter().map(|one| {
        let target = Target::new(&one.judged)?;
        anyhow::Ok(remembered(
            &args.acap,
            target.with_response(&response).with_now(now),
        ))
    });
    let targets: Vec<_> = targets.collect::<anyhow::Result<_>>()?;
    let sender = options.sender(&robots)?;
    let network = Network::new(&sender, &args.network, args.at);
    let sites = UrlSites::read(args, &targets, &options, &robots, &network)?;
    let pages = sites.pages(args, &targets, &network)?;
    let targets: Vec<_> = targets
        .iter()
        .zip(&pages)
        .map(|(target, page)| {
            page.as_ref()
                .map_or(*target, |page| target.with_response(page))
        })
        .collect();
    let given = documents::given(&args.preference.vocabulary)?;
    documents::warn_of_whole_urls(&given, &args.urls, "name pages by whole URLs");
    let documents = if asks_preferences {
        sites.documents(args, &given, &targets, &network)?
    } else {
        Vec::new()
    };
    let answers = sites.answers(&asked, &targets, &robots, &documents);
    written(match (args.format(), args.for_usages.as_slice()) {
        (Format::Human, []) => human::write(&answers, robots.len(), &args.usages),
        (Format::Human, purposes) => human::write_for(&answers, robots.len(), purposes),
        (Format::Json, _) => json(&answers),
        (Format::Jsonl | Format::Csv | Format::Parquet, _) => jsonl(&answers),
    })?;
    Ok(exit(&answers, &args.exit_usages(), &network))
}

/// Options for the network do nothing if everything is given.
fn refuse_flags_without_effect(args: &CheckArgs) -> anyhow::Result<()> {
    let is_local = args
        .robots
        .as_ref()
        .is_some_and(|name| !matches!(Source::named(name), Source::Url(_)));
    if !is_local || args.page {
        return Ok(());
    }
    let flags = [
        ("--allow-private", args.network.allow_private),
        ("--user-agent-line", args.network.user_agent_line.is_some()),
        ("--cache", args.network.cache.is_some()),
        ("--offline", args.network.offline),
    ];
    for (flag, is_given) in flags {
        ensure!(
            !is_given,
            "{flag} has no effect here: --robots names a file, so nothing is fetched"
        );
    }
    Ok(())
}

/// The strictest answer. What is disallowed counts more than what could not be found out.
fn exit(answers: &[Answer<'_>], usages: &[Usage], network: &Network<'_>) -> Exit {
    let asked = match usages {
        [] => &[Usage::Crawl],
        asked => asked,
    };
    let each = || {
        let decisions = answers.iter().map(|answer| &answer.decision);
        decisions.flat_map(|decision| asked.iter().filter_map(|usage| decision.usage(*usage)))
    };
    let strictest = each().map(ExitRank::of).max().unwrap_or_default();
    // Without the page, its tags are unknown.
    let page = if network.lacks_a_page() {
        ExitRank::Unknown
    } else {
        ExitRank::Fine
    };
    strictest.max(page).exit()
}

/// A URL, a robot, its policy, and the decision.
struct Answer<'a> {
    /// The URL as typed.
    typed: &'a str,
    /// The URL that the rules are matched against.
    target: &'a Target<'a>,
    /// The robot as the file names it.
    robot: Cow<'a, Robot>,
    policy: &'a Policy,
    decision: Decision<'a>,
    /// How the robots.txt was fetched, if it was.
    retrieval: Option<RetrievalJson>,
}

impl Answer<'_> {
    fn json(&self) -> DecisionJson<'_> {
        let json = DecisionJson::new(self.typed, self.policy, &self.decision);
        json.with_requested(self.target.url())
            .with_robot(&self.robot, self.policy)
            .with_retrieval(self.retrieval.as_ref())
    }
}

/// A URL as typed, and the URL that the rules are matched against.
struct TypedUrl<'a> {
    typed: &'a str,
    judged: Cow<'a, str>,
}

fn asked(args: &CheckArgs) -> anyhow::Result<Vec<TypedUrl<'_>>> {
    let urls = args.urls.iter().map(|typed| {
        let judged = judged(args, typed)?;
        anyhow::Ok(TypedUrl { typed, judged })
    });
    urls.collect()
}

/// The URL that the rules are matched against: the one that would be requested (AMB-REP-24). If
/// nothing is requested from its site, a spelling that does not change the path, such as `/ü`,
/// stays as typed.
fn judged<'a>(args: &CheckArgs, typed: &'a str) -> anyhow::Result<Cow<'a, str>> {
    let target = Target::new(typed).map_err(|error| unreadable(typed, error))?;
    ensure!(
        args.robots.is_some() || target.is_absolute(),
        "the path {} has no site to fetch robots.txt from; give an absolute URL, or --robots",
        visible_url(typed)
    );
    ensure!(
        !args.page || target.is_absolute(),
        "--page needs an absolute URL, because the path {} has no site",
        visible_url(typed)
    );
    let is_requested = args.robots.is_none() || args.page;
    let sent = target.path_as_sent();
    Ok(match (target.is_web(), sent) {
        (true, sent) if is_requested || sent.is_some() => match RequestUrl::new(typed) {
            Ok(request) => Cow::Owned(request.as_str().to_owned()),
            Err(error) if is_requested => return Err(error.into()),
            Err(_) => Cow::Borrowed(typed),
        },
        (false, Some(path)) => Cow::Owned(path.into_owned()),
        _ => Cow::Borrowed(typed),
    })
}

/// What is wrong with a URL, with a guess at what was meant.
fn unreadable(typed: &str, error: TargetError) -> anyhow::Error {
    let shown = visible_url(typed);
    let host = typed.split('/').next().unwrap_or_default();
    if std::path::Path::new(typed).is_file() {
        anyhow::anyhow!("{shown} is a file, not a URL; did you mean --robots {shown}?")
    } else if host.contains('.') && !typed.contains("://") {
        anyhow::anyhow!("{shown} has no scheme; did you mean https://{shown}?")
    } else {
        anyhow::Error::new(error).context(format!("cannot read the URL {shown}"))
    }
}

/// The robots.txt files of the URLs, each read once, with the policies of all robots.
struct UrlSites {
    sites: Vec<SitePolicies>,
    /// Which of them each target belongs to.
    of_target: Vec<usize>,
}

struct SitePolicies {
    content: Content,
    /// The policy of each robot.
    policies: Vec<Policy>,
}

impl UrlSites {
    fn read(
        args: &CheckArgs,
        targets: &[Target<'_>],
        options: &RobotOptions,
        robots: &[Robot],
        network: &Network<'_>,
    ) -> anyhow::Result<Self> {
        let mut read = Self {
            sites: Vec::new(),
            of_target: Vec::new(),
        };
        let references = source::references(&args.acap, options.limit())?;
        let mut known: HashMap<Source, usize> = HashMap::new();
        for target in targets {
            let source = match (&args.robots, target.robots_url()) {
                (Some(name), _) => Source::named(name),
                (None, Some(url)) => Source::Url(FileArg::from(url.as_str())),
                (None, None) => anyhow::bail!("no robots.txt for {}", visible_url(target.url())),
            };
            let at = if let Some(&at) = known.get(&source) {
                at
            } else {
                let site =
                    SitePolicies::read(args, &source, options, robots, &references, network)?;
                read.sites.push(site);
                read.sites.len() - 1
            };
            known.insert(source, at);
            read.of_target.push(at);
        }
        Ok(read)
    }

    /// Fetches the pages of the targets, if requested, and allowed for the first robot.
    fn pages(
        &self,
        args: &CheckArgs,
        targets: &[Target<'_>],
        network: &Network<'_>,
    ) -> anyhow::Result<Vec<Option<Response>>> {
        if !args.page {
            return Ok(targets.iter().map(|_| None).collect());
        }
        let site = network.site()?;
        let page = |(target, at): (&Target<'_>, &usize)| {
            // The request is abide's own, for all robots: it is sent only if each of them may.
            let policies = &self.sites[*at].policies;
            let strictest = policies
                .iter()
                .find(|policy| !policy.allows(target.url()))
                .or(policies.first());
            strictest.map_or(Ok(None), |policy| site.page(policy, target))
        };
        targets.iter().zip(&self.of_target).map(page).collect()
    }

    /// What is known of the documents beside robots.txt, URL by URL, for each robot. They are
    /// fetched if the robots.txt is.
    fn documents(
        &self,
        args: &CheckArgs,
        given: &Documents,
        targets: &[Target<'_>],
        network: &Network<'_>,
    ) -> anyhow::Result<Vec<Documents>> {
        let mut documents = Vec::new();
        for (target, at) in targets.iter().zip(&self.of_target) {
            for policy in &self.sites[*at].policies {
                documents.push(documents_for(args, given, target, policy, network)?);
            }
        }
        Ok(documents)
    }

    /// The answers, URL by URL, for each robot. `documents` has those of each answer, if
    /// preferences are asked for.
    fn answers<'a>(
        &'a self,
        asked: &'a [TypedUrl<'_>],
        targets: &'a [Target<'a>],
        robots: &'a [Robot],
        documents: &'a [Documents],
    ) -> Vec<Answer<'a>> {
        let mut answers = Vec::new();
        let mut documents = documents.iter();
        for ((asked, target), at) in asked.iter().zip(targets).zip(&self.of_target) {
            let site = &self.sites[*at];
            for (robot, policy) in robots.iter().zip(&site.policies) {
                let decided = match documents.next() {
                    Some(documents) => target.with_documents(documents),
                    None => *target,
                };
                answers.push(Answer {
                    typed: asked.typed,
                    target,
                    robot: robot.in_file(policy),
                    policy,
                    decision: policy.decide(&decided),
                    retrieval: site.content.fetched().map(FetchedFile::json),
                });
            }
        }
        answers
    }
}

impl SitePolicies {
    fn read(
        args: &CheckArgs,
        source: &Source,
        options: &RobotOptions,
        robots: &[Robot],
        references: &[(String, Vec<u8>)],
        network: &Network<'_>,
    ) -> anyhow::Result<Self> {
        let content = source.read(options.limit(), network)?;
        source.refuse_empty_stdin(content.is_empty())?;
        let mut policies = Vec::new();
        for robot in robots {
            let compile = |client: &Client| source.compile(&content, client, references, network);
            policies.push(options.policy(robot, compile)?);
        }
        let which = match (args.quiet, args.verbose) {
            (true, _) => Findings::None,
            (false, true) => Findings::All,
            // The findings about thousands of sites would hide everything else.
            (false, false) if args.list.is_some() && args.robots.is_none() => Findings::None,
            (false, false) => Findings::OfRobots,
        };
        source.warn_of(&content, &policies.iter().collect::<Vec<_>>(), which);
        Ok(Self { content, policies })
    }
}

/// What is known of the documents beside the robots.txt of `target`. They are fetched if that is.
fn documents_for(
    args: &CheckArgs,
    given: &Documents,
    target: &Target<'_>,
    policy: &Policy,
    network: &Network<'_>,
) -> anyhow::Result<Documents> {
    let mut known = given.clone();
    if args.robots.is_none() {
        for asking in asking(args, policy) {
            let target = target.with_documents(&known);
            known = network.site()?.documents(&asking, &target)?;
        }
    }
    Ok(known)
}

/// The policies whose questions decide which documents are fetched. `--for` shows what each
/// vocabulary says, so it asks each of them alone: then no other can settle the answer before.
fn asking<'p>(args: &CheckArgs, policy: &'p Policy) -> Vec<Cow<'p, Policy>> {
    let profile = policy.client().preferences();
    let Some(profile) = profile.filter(|_| !args.for_usages.is_empty()) else {
        return vec![Cow::Borrowed(policy)];
    };
    let alone = |vocabulary| Cow::Owned(policy.clone().with_vocabularies(&[vocabulary]));
    let documented = [Vocabulary::Tdmrep, Vocabulary::Rsl].into_iter();
    let asked = documented.filter(|vocabulary| profile.asks(*vocabulary));
    asked.map(alone).collect()
}

fn json(answers: &[Answer<'_>]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let objects: Vec<_> = answers
        .iter()
        .map(|answer| answer.json().to_pretty())
        .collect();
    match objects.as_slice() {
        [only] => writeln!(out, "{only}")?,
        several => writeln!(out, "[\n{}\n]", several.join(",\n"))?,
    }
    out.flush()
}

fn jsonl(answers: &[Answer<'_>]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for answer in answers {
        writeln!(out, "{}", answer.json().to_line())?;
    }
    out.flush()
}
