//! The choices of an operator.

use crate::machine::DAY;
use crate::request_url::domain;
use std::net::IpAddr;
use std::time::Duration;

/// How visits are paced.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PaceSettings {
    /// What has one pace. [default: a host, over all its ports]
    pub key: PaceKey,
    /// The shortest delay, for sites that ask for none, too. [default: 1 s]
    pub min_delay: Duration,
    /// The longest delay, unless [`AboveMax::Obey`] is chosen. No delay is longer than a day.
    /// [default: 300 s]
    pub max_delay: Duration,
    /// What happens if a `Crawl-delay` is longer. It is always reported. [default: cap]
    pub above_max: AboveMax,
    /// How long a visit waits for the rest of its site at most, such as one that `Retry-After` asks
    /// for. Visits to a site that rests for longer get no turn
    /// ([`TurnError::Rests`](super::TurnError::Rests)). [default: a day, which is the longest rest]
    pub max_rest: Duration,
    /// How many sites are known at once, each in at most 200 bytes. A site is forgotten when a new
    /// one needs its place, and never before its delay has passed. [default: 1,000,000]
    pub max_sites: usize,
    /// How many visits wait at once. [default: 1,000,000]
    pub max_waiting: usize,
    /// How many of them wait for one site, so that no site takes the places of all others.
    /// [default: 10,000]
    pub max_waiting_per_site: usize,
}

impl Default for PaceSettings {
    fn default() -> Self {
        Self {
            key: PaceKey::Host,
            min_delay: Duration::from_secs(1),
            max_delay: Duration::from_secs(5 * 60),
            above_max: AboveMax::Cap,
            max_rest: Duration::from_secs(DAY),
            max_sites: 1_000_000,
            max_waiting: 1_000_000,
            max_waiting_per_site: 10_000,
        }
    }
}

/// What has one pace, and one visit at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PaceKey {
    /// Scheme, host and port: what one robots.txt is about.
    Origin,
    /// A host, over all its ports.
    #[default]
    Host,
    /// A registrable domain such as `example.com`, by the public suffix list.
    Domain,
    /// An address, over all names that share it, if the visit says which
    /// ([`Pacer::turn_at`](super::Pacer::turn_at)); else the host.
    Address,
}

/// What happens if a site asks for a `Crawl-delay` above [`PaceSettings::max_delay`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AboveMax {
    /// The delay is the longest one.
    #[default]
    Cap,
    /// The site is not visited ([`TurnError::TooSlow`](super::TurnError::TooSlow)), except for its
    /// robots.txt, as with [`AboveMax::Cap`].
    Skip,
    /// The delay is what the site asks for, at most a day.
    Obey,
}

impl PaceKey {
    /// The part of an origin in canonical form that has one pace.
    pub(super) fn of(self, origin: &str, address: Option<IpAddr>) -> String {
        let host = || {
            let authority = origin.split_once("://").map_or(origin, |(_, rest)| rest);
            let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
            match authority.rsplit_once(':') {
                Some((host, port)) if is_port(port) => host,
                _ => authority,
            }
        };
        match (self, address) {
            (Self::Origin, _) => origin.to_owned(),
            (Self::Domain, _) => domain(host()).to_owned(),
            (Self::Address, Some(address)) => address.to_canonical().to_string(),
            (Self::Host | Self::Address, _) => host().to_owned(),
        }
    }
}

/// The settings in milliseconds, in an order that can be honoured.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) min: u32,
    pub(super) max: u32,
    pub(super) above_max: AboveMax,
}

impl Limits {
    pub(super) fn of(settings: &PaceSettings) -> Self {
        let min = bounded_ms(settings.min_delay);
        Self {
            min,
            max: bounded_ms(settings.max_delay).max(min),
            above_max: settings.above_max,
        }
    }
}

/// Milliseconds, rounded up, at most a day.
pub(super) fn bounded_ms(delay: Duration) -> u32 {
    let delay = delay.min(Duration::from_secs(DAY));
    u32::try_from(ceil_ms(delay)).unwrap_or(u32::MAX)
}

/// Milliseconds, rounded up: what ends within a millisecond has not ended before it is over.
pub(crate) fn ceil_ms(time: Duration) -> u64 {
    u64::try_from(time.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_origins() {
        let address = Some(IpAddr::from([192, 0, 2, 1]));
        for (key, origin, is) in [
            (
                PaceKey::Origin,
                "https://www.e.example:8443",
                "https://www.e.example:8443",
            ),
            (PaceKey::Host, "https://www.e.example:8443", "www.e.example"),
            (PaceKey::Host, "http://www.e.example", "www.e.example"),
            (PaceKey::Host, "http://[::1]:80", "[::1]"),
            (PaceKey::Host, "http://[2001:db8::1]", "[2001:db8::1]"),
            (
                PaceKey::Domain,
                "https://www.example.co.uk",
                "example.co.uk",
            ),
            (PaceKey::Domain, "http://192.0.2.7:81", "192.0.2.7"),
            (
                PaceKey::Address,
                "https://www.e.example:8443",
                "www.e.example",
            ),
        ] {
            assert_eq!(key.of(origin, None), is, "{key:?} of {origin}");
        }
        assert_eq!(
            PaceKey::Address.of("https://e.example", address),
            "192.0.2.1"
        );
        assert_eq!(PaceKey::Host.of("https://e.example", address), "e.example");
    }
}
