//! Who may ask, and how much: bearer tokens, kept as hashes.

use crate::config::{Quota, Settings, place, without_value};
use crate::in_flight::TOO_MANY;
use crate::problem::Problem;
use abide::explain::visible_url;
use abide_fetch::BodyHash;
use arc_swap::ArcSwap;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultDirectRateLimiter, RateLimiter};
use http::{HeaderMap, StatusCode, header};
use ring::digest::{SHA256, digest};
use ring::rand::{SecureRandom, SystemRandom};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use subtle::ConstantTimeEq;
use thiserror::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::sleep;

/// The most tokens of a file: each request is compared with all of them.
const MAX_TOKENS: usize = 1_000;
/// What tokens begin with, so that scanners for secrets find them.
const PREFIX: &str = "abide_";
/// For how many addresses the requests are counted, if no token is needed.
const MAX_ADDRESSES: u64 = 65_536;
/// The longest token that is read, in bytes.
const MAX_TOKEN_BYTES: usize = 256;

/// Why the file of tokens cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TokensError {
    /// It cannot be read.
    #[error("in tokens: cannot read {}: {error}", visible_url(&path.to_string_lossy()))]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
    /// It is not TOML, or has unknown settings.
    #[error("in tokens, {}: {message}", path.display())]
    Toml {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        message: String,
    },
    /// A token that cannot be used.
    #[error("in tokens, {}, token {name:?}: {message}", path.display())]
    Token {
        /// The file.
        path: PathBuf,
        /// Its name.
        name: String,
        /// What is wrong.
        message: &'static str,
    },
    /// There is no token, so that nobody could ask.
    #[error(
        "in tokens, {}: expected from 1 to 1000 [[token]] tables, but found {found}; abide serve \
         --new-token NAME makes one",
        path.display()
    )]
    Number {
        /// The file.
        path: PathBuf,
        /// How many there are.
        found: usize,
    },
    /// The system has no random numbers.
    #[error("cannot get random bytes from the operating system")]
    Random,
}

/// The file of tokens.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TokenFile {
    #[serde(default)]
    token: Vec<TokenEntry>,
}

/// A token in the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TokenEntry {
    name: String,
    sha256: String,
    rate: Option<u32>,
    burst: Option<u32>,
    #[serde(rename = "fetch-rate")]
    fetch_rate: Option<u32>,
    concurrency: Option<u32>,
}

/// A new token, and the table for the file of tokens that has its hash.
///
/// # Errors
/// [`TokensError`] if the name has other characters than letters, digits, `-`, `_` and `.`, or the
/// system gives no random numbers.
pub fn new_token(name: &str) -> Result<(String, String), TokensError> {
    check_name(name).map_err(|message| TokensError::Token {
        path: PathBuf::from("--new-token"),
        name: name.to_owned(),
        message,
    })?;
    let mut secret = [0; 32];
    let random = SystemRandom::new();
    random.fill(&mut secret).map_err(|_| TokensError::Random)?;
    let token = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(secret));
    let hash = BodyHash::of(token.as_bytes());
    let table = format!("[[token]]\nname = \"{name}\"\nsha256 = \"{hash}\"\n");
    Ok((token, table))
}

fn check_name(name: &str) -> Result<(), &'static str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    // Names are in logs and metrics.
    let is_token = name.starts_with(PREFIX) && name.len() > 40;
    if is_token {
        Err("expected a name, but found what may be a token itself")
    } else if (1..=64).contains(&name.len()) && name.bytes().all(is_plain) {
        Ok(())
    } else {
        Err("expected a name of 1 to 64 letters, digits, \"-\", \"_\" and \".\"")
    }
}

/// Who asks, and how much it may still ask.
#[derive(Debug)]
pub(crate) struct Caller {
    pub(crate) name: Arc<str>,
    /// Which caller it is among those that share something: the name of its token, or its address.
    pub(crate) key: Arc<str>,
    hash: [u8; 32],
    quota: Quota,
    questions: Rate,
    fetches: Rate,
    in_progress: Arc<Semaphore>,
}

impl Caller {
    pub(crate) fn new(name: &str, hash: [u8; 32], quota: Quota) -> Self {
        Self {
            name: name.into(),
            key: name.into(),
            hash,
            quota,
            questions: Rate::new(quota.rate, quota.burst),
            fetches: Rate::new(quota.fetch_rate, quota.fetch_rate),
            in_progress: Arc::new(Semaphore::new(quota.concurrency as usize)),
        }
    }

    /// Counts a request. Until the permit is dropped, the request is in progress.
    pub(crate) fn admit(&self) -> Result<OwnedSemaphorePermit, Problem> {
        if let Some(limiter) = &self.questions.limiter {
            limiter.check().map_err(|not_until| {
                let wait = not_until.wait_time_from(DefaultClock::default().now());
                let seconds = wait.as_secs() + 1;
                Problem::new(
                    StatusCode::TOO_MANY_REQUESTS,
                    "rate-limited",
                    format!("more than {} requests per second", self.quota.rate),
                    format!("ask again in {seconds} s; a /v1/batch waits by itself"),
                )
                .retry_after(seconds)
            })?;
        }
        Arc::clone(&self.in_progress)
            .try_acquire_owned()
            .map_err(|_| {
                Problem::new(
                    StatusCode::TOO_MANY_REQUESTS,
                    TOO_MANY,
                    format!(
                        "{} requests are in progress already",
                        self.quota.concurrency
                    ),
                    "wait for an answer before the next request",
                )
                .retry_after(1)
            })
    }
}

impl Caller {
    /// Counts as many of these lines of a batch as may be answered now, and waits until one may be.
    pub(crate) async fn lines(&self, lines: usize) -> usize {
        self.questions.some(lines).await
    }

    /// Counts as many of these lines of a batch as may be answered now.
    pub(crate) fn lines_now(&self, lines: usize) -> usize {
        self.questions.now(lines)
    }

    /// Counts a fetch, and waits until it may be made.
    pub(crate) async fn fetch(&self) {
        self.fetches.some(1).await;
    }
}

/// How much of something there is for a caller per second.
#[derive(Debug)]
struct Rate {
    per_second: u32,
    limiter: Option<DefaultDirectRateLimiter>,
}

impl Rate {
    /// So much per second, and `burst` at once after a pause; 0 per second for any number.
    fn new(per_second: u32, burst: u32) -> Self {
        let limiter = NonZeroU32::new(per_second).map(|rate| {
            let burst = NonZeroU32::new(burst).unwrap_or(NonZeroU32::MIN);
            RateLimiter::direct(governor::Quota::per_second(rate).allow_burst(burst))
        });
        Self {
            per_second,
            limiter,
        }
    }

    /// Counts as much as there is now, up to `most`.
    fn now(&self, most: usize) -> usize {
        match &self.limiter {
            None => most,
            Some(limiter) => (0..most).take_while(|_| limiter.check().is_ok()).count(),
        }
    }

    /// Counts as much as there is, up to `most`, and waits until there is something.
    async fn some(&self, most: usize) -> usize {
        loop {
            let counted = self.now(most);
            if counted > 0 || most == 0 {
                return counted;
            }
            let next = Duration::from_secs(1) / self.per_second.max(1);
            sleep(next.max(Duration::from_millis(1))).await;
        }
    }
}

/// The client of a connection.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    /// Its address, as that of a caller.
    pub(crate) address: Arc<str>,
    /// Who it is, if no token is needed.
    pub(crate) caller: Option<Arc<Caller>>,
}

/// The tokens that are accepted.
#[derive(Debug)]
pub(crate) struct Callers {
    /// The callers at each address, if no token is needed.
    anonymous: Option<moka::sync::Cache<Arc<str>, Arc<Caller>>>,
    known: ArcSwap<Vec<Arc<Caller>>>,
    quota: Quota,
    path: Option<PathBuf>,
}

impl Callers {
    /// Reads the file of tokens, if there is one.
    pub(crate) fn open(settings: &Settings) -> Result<Self, TokensError> {
        let quota = settings.quota;
        let anonymous = || {
            let addresses = moka::sync::Cache::builder().max_capacity(MAX_ADDRESSES);
            // A new address is kept, or its requests would not be counted.
            let policy = moka::policy::EvictionPolicy::lru();
            addresses.eviction_policy(policy).build()
        };
        let known = match &settings.tokens {
            Some(path) => read(path, quota, &[])?,
            None => Vec::new(),
        };
        Ok(Self {
            anonymous: settings.tokens.is_none().then(anonymous),
            known: ArcSwap::from_pointee(known),
            quota,
            path: settings.tokens.clone(),
        })
    }

    /// Reads the file again. Tokens that are in both keep their counts. After an error, those that
    /// were read before stay.
    pub(crate) fn reload(&self) -> Result<usize, TokensError> {
        let Some(path) = &self.path else { return Ok(0) };
        let known = read(path, self.quota, &self.known.load())?;
        let number = known.len();
        self.known.store(Arc::new(known));
        Ok(number)
    }

    /// The caller at `address`, if no token is needed.
    pub(crate) fn at(&self, address: &Arc<str>) -> Option<Arc<Caller>> {
        let caller = || {
            Arc::new(Caller {
                key: Arc::clone(address),
                ..Caller::new("anonymous", [0; 32], self.quota)
            })
        };
        let anonymous = self.anonymous.as_ref()?;
        Some(anonymous.get_with_by_ref(address, caller))
    }

    /// Who sends a request with these headers, from a client that `peer` is.
    pub(crate) fn of(&self, headers: &HeaderMap, peer: &Peer) -> Result<Arc<Caller>, Problem> {
        if let Some(caller) = &peer.caller {
            return Ok(Arc::clone(caller));
        }
        let given = headers.get(header::AUTHORIZATION).ok_or_else(|| {
            unauthorized(
                "the request has no token",
                "send Authorization: Bearer TOKEN",
            )
        })?;
        let token = bearer(given.as_bytes()).ok_or_else(|| {
            let detail = "the field Authorization has no bearer token";
            unauthorized(detail, "send Authorization: Bearer TOKEN")
        })?;
        let hash = digest(&SHA256, token);
        let known = self.known.load();
        // Compares with every token, so that the time says nothing about which one is near.
        let mut found = None;
        for caller in known.iter() {
            if bool::from(caller.hash.ct_eq(hash.as_ref())) {
                found = Some(caller);
            }
        }
        found.cloned().ok_or_else(|| {
            unauthorized("the token is not known", "ask the operator for a new token")
        })
    }
}

/// The address of a client as that of a caller. Whoever has an IPv6 address has its whole /64.
pub(crate) fn address_key(address: IpAddr) -> Arc<str> {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let network = Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX));
            format!("{network}/64")
        }
    }
    .into()
}

fn unauthorized(detail: &str, remedy: &'static str) -> Problem {
    Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", detail, remedy).at("Authorization")
}

/// The token in the value of an `Authorization` field.
fn bearer(value: &[u8]) -> Option<&[u8]> {
    let (scheme, rest) = value.split_at_checked(7)?;
    let token = rest.trim_ascii();
    let is_token = scheme.eq_ignore_ascii_case(b"bearer ")
        && (1..=MAX_TOKEN_BYTES).contains(&token.len())
        && !token.contains(&b' ');
    is_token.then_some(token)
}

fn read(path: &Path, own: Quota, before: &[Arc<Caller>]) -> Result<Vec<Arc<Caller>>, TokensError> {
    let text = std::fs::read_to_string(path).map_err(|error| TokensError::File {
        path: path.to_owned(),
        error,
    })?;
    let file: TokenFile = toml::from_str(&text).map_err(|error| TokensError::Toml {
        path: path.to_owned(),
        // The text of the line could be a token that was pasted in place of its hash.
        message: {
            let (place, _) = place(&text, &error);
            format!("{place}: {}", without_value(error.message()))
        },
    })?;
    if !(1..=MAX_TOKENS).contains(&file.token.len()) {
        return Err(TokensError::Number {
            path: path.to_owned(),
            found: file.token.len(),
        });
    }
    let mut names = BTreeSet::new();
    let mut callers = Vec::new();
    for (number, entry) in file.token.iter().enumerate() {
        let caller = caller(entry, own, &mut names).map_err(|message| TokensError::Token {
            path: path.to_owned(),
            // What is no name may be a token that was pasted in its place.
            name: match check_name(&entry.name) {
                Ok(()) => entry.name.clone(),
                Err(_) => (number + 1).to_string(),
            },
            message,
        })?;
        let same = before.iter().find(|known| {
            known.name == caller.name && known.hash == caller.hash && known.quota == caller.quota
        });
        callers.push(same.map_or_else(|| Arc::new(caller), Arc::clone));
    }
    Ok(callers)
}

fn caller<'e>(
    entry: &'e TokenEntry,
    own: Quota,
    names: &mut BTreeSet<&'e str>,
) -> Result<Caller, &'static str> {
    check_name(&entry.name)?;
    if !names.insert(&entry.name) {
        return Err("the name is there twice; give each token its own");
    }
    let hash: BodyHash = entry
        .sha256
        .parse()
        .map_err(|_| "expected the SHA-256 of the token as 64 hexadecimal digits in sha256")?;
    let rate = entry.rate.unwrap_or(own.rate);
    let burst = entry.burst.or(entry.rate).unwrap_or(own.burst).max(1);
    let fetch_rate = entry.fetch_rate.unwrap_or(own.fetch_rate);
    let concurrency = entry.concurrency.unwrap_or(own.concurrency);
    if concurrency == 0 {
        return Err("expected a number from 1 in concurrency");
    }
    let quota = Quota {
        rate,
        burst,
        fetch_rate,
        concurrency,
    };
    Ok(Caller::new(&entry.name, *hash.as_bytes(), quota))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_in_the_field_authorization() {
        for (value, token) in [
            ("Bearer abc", Some("abc")),
            ("bearer  abc ", Some("abc")),
            ("Bearer a b", None),
            ("Bearer ", None),
            ("Basic abc", None),
            ("Bearer", None),
            ("", None),
        ] {
            assert_eq!(
                bearer(value.as_bytes()),
                token.map(str::as_bytes),
                "{value}"
            );
        }
        let long = format!("Bearer {}", "a".repeat(MAX_TOKEN_BYTES + 1));
        assert_eq!(bearer(long.as_bytes()), None);
    }

    #[test]
    fn a_caller_has_an_address_or_a_network() {
        for (address, key) in [
            ("192.0.2.7", "192.0.2.7"),
            ("::ffff:192.0.2.7", "192.0.2.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
            ("2001:db8:1:2::", "2001:db8:1:2::/64"),
            ("2001:db8:1:3::", "2001:db8:1:3::/64"),
        ] {
            assert_eq!(&*address_key(address.parse().unwrap()), key);
        }
    }

    #[test]
    fn a_new_token_has_the_hash_in_its_table() {
        let (token, table) = new_token("crawler").unwrap();
        assert!(token.starts_with(PREFIX) && token.len() == PREFIX.len() + 43);
        assert!(table.contains(&BodyHash::of(token.as_bytes()).to_string()));
        assert!(!table.contains(&token));
        assert!(new_token("a b").is_err());
    }
}
