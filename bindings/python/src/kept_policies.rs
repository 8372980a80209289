//! Compiled files, kept while rows ask for them.

use crate::error::words;
use crate::options::Members;
use abide::Policy;
use abide::syntax::Inspect;
use abide_contract::{CompiledRobots, Request};
use abide_fetch::BodyHash;
use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};
use std::sync::Arc;

/// How many bytes of files and compiled rules are kept at a time.
const MAX_KEPT_BYTES: usize = 256 << 20;

/// How many files are compared byte by byte before hashes are.
const MAX_ALIKE: usize = 8;

/// How many bytes a kept request, or the key of a policy, takes about.
const ENTRY_BYTES: usize = 1_024;

type Result<T> = std::result::Result<T, String>;

/// Policies of files. Equal files are compiled once for each robot, wherever their rows are.
pub(crate) struct KeptPolicies {
    template: Members,
    files: Files,
    /// By robot and status of the response, both of which a request has. Numbered, because a number
    /// is a short key.
    requests: HashMap<(Vec<u8>, Option<i64>), usize>,
    numbered: Vec<Result<Request<'static>>>,
    policies: HashMap<(Option<usize>, usize), Result<Arc<Policy>>>,
    /// By file: the policy that was last asked for, and its request.
    recent: Vec<Option<(usize, Arc<Policy>)>>,
    bytes: usize,
    /// The request of the last row: that of the next one, mostly.
    last: Option<(Vec<u8>, Option<i64>, usize)>,
}

impl KeptPolicies {
    pub(crate) fn new(template: Members) -> Self {
        Self {
            template,
            files: Files::default(),
            requests: HashMap::new(),
            numbered: Vec::new(),
            policies: HashMap::new(),
            recent: Vec::new(),
            bytes: 0,
            last: None,
        }
    }

    /// Forgets where files are: the rows that follow are elsewhere.
    pub(crate) fn move_on(&mut self) {
        self.files.places.clear();
    }

    /// The rules of a file. With `stays`, equal bodies of this column are often at one place, which
    /// holds until [`KeptPolicies::move_on`].
    pub(crate) fn get(
        &mut self,
        body: Option<&[u8]>,
        stays: bool,
        status: Option<i64>,
        agent: &[u8],
    ) -> Result<Arc<Policy>> {
        if self.bytes + self.files.bytes > MAX_KEPT_BYTES {
            *self = Self::new(std::mem::take(&mut self.template));
        }
        let file = body.map(|body| self.files.number(body, stays));
        let request = self.request(status, agent);
        let Some(number) = file else {
            return self.compiled(None, request);
        };
        if let Some(Some((its, policy))) = self.recent.get(number)
            && *its == request
        {
            return Ok(Arc::clone(policy));
        }
        let policy = self.compiled(file, request)?;
        if self.recent.len() <= number {
            self.recent.resize(number + 1, None);
        }
        self.recent[number] = Some((request, Arc::clone(&policy)));
        Ok(policy)
    }

    fn compiled(&mut self, file: Option<usize>, request: usize) -> Result<Arc<Policy>> {
        if let Some(known) = self.policies.get(&(file, request)) {
            return known.clone();
        }
        let body = file.map(|file| &self.files.all[file]);
        let compiled = match &self.numbered[request] {
            Ok(request) => CompiledRobots::new(request, body)
                .map(|compiled| Arc::clone(compiled.policy()))
                .map_err(|error| words(&error)),
            Err(error) => Err(error.clone()),
        };
        let rules = compiled
            .as_ref()
            .map_or(0, |policy| Inspect::of(policy).compiled_size());
        self.bytes += rules + ENTRY_BYTES;
        self.policies.insert((file, request), compiled.clone());
        compiled
    }

    /// The number of the request.
    fn request(&mut self, status: Option<i64>, agent: &[u8]) -> usize {
        if let Some((last, its, number)) = &self.last
            && last == agent
            && *its == status
        {
            return *number;
        }
        let key = (agent.to_vec(), status);
        let number = if let Some(number) = self.requests.get(&key) {
            *number
        } else {
            let number = self.numbered.len();
            self.numbered.push(self.read_request(status, agent));
            self.bytes += 2 * agent.len() + ENTRY_BYTES;
            self.requests.insert(key, number);
            number
        };
        self.last = Some((agent.to_vec(), status, number));
        number
    }

    fn read_request(&self, status: Option<i64>, agent: &[u8]) -> Result<Request<'static>> {
        let agent = std::str::from_utf8(agent).map_err(|error| format!("agent: {error}"))?;
        let mut members = self.template.clone();
        members.agent_named(agent);
        if let Some(status) = status {
            members.insert("robots_status", status);
        }
        members.request().map_err(|error| words(&error))
    }
}

/// Different files, numbered. Equality is that of all bytes: a hash of some bytes only says where
/// to look, because hashing all of them takes longer than reading them.
#[derive(Default)]
struct Files {
    all: Vec<Arc<[u8]>>,
    samples: RandomState,
    by_sample: HashMap<u64, Vec<usize>>,
    /// Files whose samples are those of too many others.
    by_hash: HashMap<BodyHash, usize>,
    /// Where files are, and how long they are.
    places: HashMap<(usize, usize), usize, BuildHasherDefault<PlaceHasher>>,
    /// The file of the last row.
    last: Option<usize>,
    bytes: usize,
}

impl Files {
    fn number(&mut self, body: &[u8], stays: bool) -> usize {
        let place = (body.as_ptr().addr(), body.len());
        if stays && let Some(number) = self.places.get(&place) {
            return *number;
        }
        let number = match self.last {
            Some(last) if *self.all[last] == *body => last,
            _ => self.find(body),
        };
        self.last = Some(number);
        if stays {
            self.places.insert(place, number);
            self.bytes += size_of::<((usize, usize), usize)>();
        }
        number
    }

    fn find(&mut self, body: &[u8]) -> usize {
        let alike = self
            .by_sample
            .entry(sample(&self.samples, body))
            .or_default();
        let known = alike.iter().find(|number| *self.all[**number] == *body);
        if let Some(known) = known {
            return *known;
        }
        let number = self.all.len();
        if alike.len() < MAX_ALIKE {
            alike.push(number);
        } else {
            let known = self.by_hash.entry(BodyHash::of(body)).or_insert(number);
            if *known != number {
                return *known;
            }
        }
        self.all.push(body.into());
        self.bytes += body.len() + ENTRY_BYTES;
        number
    }
}

/// A hash of the length, the middle and the end. Files of many sites begin alike, and each further
/// place that is far from the others takes as long as reading hundreds of bytes in a row.
fn sample(state: &RandomState, body: &[u8]) -> u64 {
    const PIECE: usize = 32;
    let mut hasher = state.build_hasher();
    hasher.write_usize(body.len());
    match body.len().checked_sub(PIECE) {
        None => hasher.write(body),
        Some(end) => {
            hasher.write(&body[end / 2..][..PIECE]);
            hasher.write(&body[end..]);
        }
    }
    hasher.finish()
}

/// A hash of a place in memory, which no site chooses.
#[derive(Default)]
struct PlaceHasher(u64);

impl Hasher for PlaceHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_usize(usize::from(*byte));
        }
    }

    fn write_usize(&mut self, number: usize) {
        // Fibonacci hashing, and the upper bits into the lower ones, which choose the bucket.
        let mixed = (self.0 ^ number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
