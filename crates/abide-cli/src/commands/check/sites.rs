//! The sites of the URLs: their robots.txt files, and what is fetched beside these.

use crate::args::CheckArgs;
use crate::bulk::Answers;
use crate::chunks::Chunk;
use crate::fetch::{FetchedFile, Network};
use crate::file_arg::FileArg;
use crate::robot_args::RobotOptions;
use crate::source::{self, Findings, Source};
use crate::url_answers::{AnswerCache, Asking, InputUrl, Refused, Rules};
use abide::explain::visible_url;
use abide::preference::{Documents, Vocabulary};
use abide::tag::Response;
use abide::{Client, Policy};
use anyhow::Context;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

/// How many sites are compiled at a time; the others are in the cache.
const SITES: usize = 64;

/// Answers URLs of many sites.
pub(super) struct Sites<'a> {
    reader: SiteReader<'a>,
    kept: HashMap<Source, (Rules, AnswerCache)>,
}

/// Reads what sites say.
struct SiteReader<'a> {
    args: &'a CheckArgs,
    asking: &'a Asking<'a>,
    options: &'a RobotOptions,
    network: &'a Network<'a>,
    references: Vec<(String, Vec<u8>)>,
}

impl<'a> Sites<'a> {
    pub(super) fn new(
        args: &'a CheckArgs,
        asking: &'a Asking<'a>,
        options: &'a RobotOptions,
        network: &'a Network<'a>,
    ) -> anyhow::Result<Self> {
        let reader = SiteReader {
            args,
            asking,
            options,
            network,
            references: source::references(&args.acap, options.limit())?,
        };
        let kept = HashMap::new();
        Ok(Self { reader, kept })
    }

    /// The robots.txt at `source`, which is read once.
    pub(super) fn rules(&mut self, source: &Source) -> anyhow::Result<&mut (Rules, AnswerCache)> {
        if !self.kept.contains_key(source) {
            if self.kept.len() >= SITES {
                self.kept.clear();
            }
            let rules = self.reader.rules(source)?;
            let new = (rules, AnswerCache::default());
            self.kept.insert(source.clone(), new);
        }
        self.kept.get_mut(source).context("the site was just read")
    }

    /// Answers the URLs of a chunk in their order, after fetching all their sites at once.
    pub(super) fn answer(&mut self, chunk: &Chunk) -> anyhow::Result<Answers> {
        let asking = self.reader.asking;
        let mut answers = asking.no_answers(chunk);
        let urls: Vec<_> = asking.urls(chunk).collect();
        self.fetch_ahead(&urls)?;
        for url in urls {
            match url {
                Ok(mut url) => {
                    let source = self.reader.source(&url)?;
                    self.rules(&source)?;
                    if let Some((rules, known)) = self.kept.get_mut(&source) {
                        self.reader.look_beside(rules, &mut url)?;
                        asking.about(rules, known, &url, &mut answers);
                    }
                }
                Err(refused) => asking.refuse(refused, &mut answers),
            }
        }
        Ok(answers)
    }

    /// Fetches the robots.txt files of several sites at once.
    fn fetch_ahead(&self, urls: &[Result<InputUrl<'_>, Refused<'_>>]) -> anyhow::Result<()> {
        if self.reader.args.robots.is_some() {
            return Ok(());
        }
        let sites = urls.iter().flatten();
        let sites: BTreeSet<_> = sites.filter_map(|url| url.target().robots_url()).collect();
        let is_kept = |url: &String| self.kept.contains_key(&Source::Url(url.as_str().into()));
        let missing: Vec<_> = sites.into_iter().filter(|url| !is_kept(url)).collect();
        if missing.len() > 1 {
            self.reader.network.site()?.fetch_ahead(missing)?;
        }
        Ok(())
    }
}

impl SiteReader<'_> {
    /// Where the robots.txt of a URL is.
    fn source(&self, url: &InputUrl<'_>) -> anyhow::Result<Source> {
        if let Some(name) = &self.args.robots {
            return Ok(Source::named(name));
        }
        let target = url.target();
        let site = target.robots_url();
        let site = site.with_context(|| format!("no robots.txt for {}", visible_url(target.url())));
        Ok(Source::Url(FileArg::from(site?.as_str())))
    }

    /// Reads and compiles a robots.txt, and warns of what is wrong with it.
    fn rules(&self, source: &Source) -> anyhow::Result<Rules> {
        let (args, robots) = (self.args, self.asking.robots);
        let content = source.read(self.options.limit(), self.network)?;
        source.refuse_empty_stdin(content.is_empty())?;
        let compile =
            |client: &Client| source.compile(&content, client, &self.references, self.network);
        let policies = robots
            .iter()
            .map(|robot| self.options.policy(robot, compile));
        let policies = policies.collect::<anyhow::Result<Vec<_>>>()?;
        let which = match (args.quiet, args.verbose) {
            (true, _) => Findings::None,
            (false, true) => Findings::All,
            // The findings about thousands of sites would hide everything else.
            (false, false) if args.list.is_some() && args.robots.is_none() => Findings::None,
            (false, false) => Findings::OfRobots,
        };
        source.warn_of(&content, &policies.iter().collect::<Vec<_>>(), which);
        let retrieval = content.fetched().map(FetchedFile::json);
        Ok(Rules::new(robots, policies, retrieval))
    }

    /// Fetches the page and the documents beside robots.txt, as far as they are asked for.
    fn look_beside(&self, rules: &Rules, url: &mut InputUrl<'_>) -> anyhow::Result<()> {
        if self.args.page {
            url.page = self.page(rules, url)?;
        }
        let asks = |policy: &Policy| policy.client().preferences().is_some();
        if self.args.robots.is_none() && rules.policies.iter().any(asks) {
            let robots = 0..rules.policies.len();
            let documents = robots.map(|at| self.documents(rules, at, url));
            url.documents = documents.collect::<anyhow::Result<_>>()?;
        }
        Ok(())
    }

    /// What the response of the page says. The request is abide's own, for all robots: it is sent
    /// only if each of them may.
    fn page(&self, rules: &Rules, url: &InputUrl<'_>) -> anyhow::Result<Option<Response>> {
        let target = url.target();
        let mut policies = rules.policies.iter();
        let strictest = policies.find(|policy| !policy.allows(target.url()));
        let site = self.network.site()?;
        strictest
            .or(rules.policies.first())
            .map_or(Ok(None), |policy| site.page(policy, &target))
    }

    /// What is known of the documents beside the robots.txt of `url`, for one robot.
    fn documents(&self, rules: &Rules, at: usize, url: &InputUrl<'_>) -> anyhow::Result<Documents> {
        let target = self.asking.target(at, url);
        let mut known = self.asking.documents.clone();
        for policy in asking_alone(self.args, &rules.policies[at]) {
            let target = target.with_documents(&known);
            known = self.network.site()?.documents(&policy, &target)?;
        }
        Ok(known)
    }
}

/// The policies whose questions decide which documents are fetched. `--for` shows what each
/// vocabulary says, so it asks each of them alone: then no other can settle the answer before.
fn asking_alone<'p>(args: &CheckArgs, policy: &'p Policy) -> Vec<Cow<'p, Policy>> {
    let profile = policy.client().preferences();
    let Some(profile) = profile.filter(|_| !args.for_usages.is_empty()) else {
        return vec![Cow::Borrowed(policy)];
    };
    let alone = |vocabulary| Cow::Owned(policy.clone().with_vocabularies(&[vocabulary]));
    let documented = [Vocabulary::Tdmrep, Vocabulary::Rsl].into_iter();
    let asked = documented.filter(|vocabulary| profile.asks(*vocabulary));
    asked.map(alone).collect()
}
