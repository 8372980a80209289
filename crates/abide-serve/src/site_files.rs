//! The robots.txt files of the proxy's own sites, in a folder that is watched.
//!
//! A file is looked at when its site is asked about, at most once a second. Notifications of the
//! system would be no faster where it matters, and there are none for folders that are mounted from
//! elsewhere, as in containers and on network drives.

use crate::sites::{MIN_WORKER_BYTES, by_weight};
use abide::rep::NamedRobots;
use abide::syntax::Inspect;
use abide::{Client, Limits, Policy, ProductToken, Profile};
use abide_known_robots::{Robot, RobotError};
use arc_swap::ArcSwapOption;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// How long a file counts without being looked at.
const FRESH: Duration = Duration::from_secs(1);
/// How many sites are kept. Others are read again when they are asked about.
const MAX_SITES: u64 = 4_096;
/// How many bytes of rules are kept for each site.
const MAX_RULE_BYTES: u64 = 4 << 20;

/// The name of the file for hosts that have none of their own.
const DEFAULT: &str = "default";

/// The files of all sites: `FOLDER/HOST/robots.txt`, or else `FOLDER/HOST.txt`, or else that of
/// the host `default`.
#[derive(Debug)]
pub(crate) struct SiteFiles {
    folder: PathBuf,
    sites: moka::sync::Cache<String, Arc<Site>>,
}

/// One site.
#[derive(Debug, Default)]
struct Site {
    known: ArcSwapOption<Known>,
    /// Held by the one that looks at the file.
    looking: Mutex<()>,
}

/// What was known of a file when it was looked at.
#[derive(Clone, Debug)]
struct Known {
    at: Instant,
    /// What distinguishes this version of the file; `None` if it changed while it was read.
    stamp: Option<Stamp>,
    file: SiteFile,
}

/// The file of a site.
#[derive(Clone, Debug)]
pub(crate) enum SiteFile {
    /// Its rules.
    Rules(Arc<Rules>),
    /// There is none.
    Missing,
    /// It could never be read, and this is why. A file that could be read before still applies.
    Broken(String),
}

impl SiteFile {
    /// The rules, if there are any.
    pub(crate) fn rules(&self) -> Option<&Rules> {
        match self {
            Self::Rules(rules) => Some(rules),
            Self::Missing | Self::Broken(_) => None,
        }
    }
}

/// A robots.txt that is compiled for each robot that asks.
#[derive(Debug)]
pub(crate) struct Rules {
    bytes: Arc<[u8]>,
    /// The robots that it names.
    names: NamedRobots,
    policies: moka::sync::Cache<String, Arc<Policy>>,
}

impl Rules {
    fn new(bytes: Arc<[u8]>) -> Self {
        let policy = Policy::compile_shared(&bytes, &Client::unnamed());
        Self {
            names: policy.named_robots(),
            policies: by_weight(MAX_RULE_BYTES, |robot: &String, policy: &Arc<Policy>| {
                robot.len() + Inspect::of(policy).compiled_size()
            }),
            bytes,
        }
    }

    /// Whether the file names a robot.
    pub(crate) fn names(&self, robot: &ProductToken) -> bool {
        self.names.have(robot)
    }

    /// The policy for a robot.
    pub(crate) fn policy(&self, robot: &Robot) -> Result<Arc<Policy>, RobotError> {
        let key = robot.name().to_ascii_lowercase();
        if let Some(policy) = self.policies.get(&key) {
            return Ok(policy);
        }
        let compile = |client: &Client| Policy::compile_shared(&self.bytes, client);
        let compiled = || robot.policy(Profile::Careful, compile);
        // A robot can give itself a new name for every request.
        let policy = if self.bytes.len() > MIN_WORKER_BYTES {
            tokio::task::block_in_place(compiled)
        } else {
            compiled()
        };
        let policy = Arc::new(policy?);
        self.policies.insert(key, Arc::clone(&policy));
        Ok(policy)
    }
}

/// What distinguishes versions of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    device: u64,
    inode: u64,
    length: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Stamp {
    fn new(about: &Metadata) -> Self {
        Self {
            device: about.dev(),
            inode: about.ino(),
            length: about.len(),
            modified: (about.mtime(), about.mtime_nsec()),
            changed: (about.ctime(), about.ctime_nsec()),
        }
    }
}

impl SiteFiles {
    /// The files in a folder.
    pub(crate) fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            sites: moka::sync::Cache::new(MAX_SITES),
        }
    }

    /// The file for a host, which is the name of a folder.
    pub(crate) async fn of(&self, host: &str) -> SiteFile {
        match self.own(host).await {
            // It is kept once, however many names a client thinks of.
            SiteFile::Missing => self.own(DEFAULT).await,
            file => file,
        }
    }

    /// The file that has the name of a host.
    async fn own(&self, host: &str) -> SiteFile {
        let site = self.sites.get_with_by_ref(host, Arc::default);
        let known = site.known.load_full();
        if let Some(known) = &known {
            if known.at.elapsed() < FRESH {
                return known.file.clone();
            }
            // While one looks, the others go on with what is known.
            let Ok(_looking) = site.looking.try_lock() else {
                return known.file.clone();
            };
            return self.look(host, &site, Some(Arc::clone(known))).await;
        }
        let _looking = site.looking.lock().await;
        if let Some(known) = site.known.load_full() {
            return known.file.clone();
        }
        self.look(host, &site, None).await
    }

    /// Looks at the file of a site.
    async fn look(&self, host: &str, site: &Site, before: Option<Arc<Known>>) -> SiteFile {
        let places = [
            self.folder.join(host).join("robots.txt"),
            self.folder.join(format!("{host}.txt")),
        ];
        let name = host.to_owned();
        let read = move || known(&name, &places, before.as_deref());
        let known = tokio::task::spawn_blocking(read).await;
        let known = known.unwrap_or_else(|bug| std::panic::resume_unwind(bug.into_panic()));
        let file = known.file.clone();
        site.known.store(Some(Arc::new(known)));
        file
    }
}

/// What is known of the file at the first of `places` that exists.
fn known(host: &str, places: &[PathBuf], before: Option<&Known>) -> Known {
    let at = Instant::now();
    let read = places
        .iter()
        .map(|place| read(place, before))
        .find(|read| !matches!(read, Ok(None)));
    match read.unwrap_or(Ok(None)) {
        Ok(Some((stamp, file))) => Known { at, stamp, file },
        Ok(None) => Known {
            at,
            stamp: None,
            file: SiteFile::Missing,
        },
        Err(error) => {
            let rules = before.filter(|before| before.file.rules().is_some());
            let file = rules.map_or_else(
                || SiteFile::Broken(error.to_string()),
                |before| before.file.clone(),
            );
            tracing::warn!(host, %error, "cannot read a robots.txt");
            Known {
                at,
                stamp: None,
                file,
            }
        }
    }
}

/// Reads a file, unless it is the one that is known already. `None` if it does not exist.
fn read(place: &Path, before: Option<&Known>) -> io::Result<Option<(Option<Stamp>, SiteFile)>> {
    let mut file = match File::open(place) {
        Ok(file) => file,
        Err(error) if is_missing(&error) => return Ok(None),
        Err(error) => return Err(error),
    };
    let about = file.metadata()?;
    if !about.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    let stamp = Stamp::new(&about);
    if let Some(before) = before.filter(|before| before.stamp == Some(stamp)) {
        return Ok(Some((Some(stamp), before.file.clone())));
    }
    let limit = u64::try_from(Limits::default().bytes()).unwrap_or(u64::MAX);
    let mut bytes = Vec::new();
    file.by_ref().take(limit + 1).read_to_end(&mut bytes)?;
    let is_unchanged = Stamp::new(&file.metadata()?) == stamp;
    let rules = Rules::new(bytes.into());
    let stamp = is_unchanged.then_some(stamp);
    Ok(Some((stamp, SiteFile::Rules(Arc::new(rules)))))
}

fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}
