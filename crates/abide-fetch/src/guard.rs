//! Decides which addresses abide may connect to. A robots.txt is fetched from wherever a URL
//! points, and URLs come from strangers: none of them may reach into a private network.
//!
//! Nothing is resolved or connected here. The URL Standard has already turned every spelling of an
//! address into an address ([`Chain`](crate::machine::Chain) holds such URLs), so that
//! `http://0x7f.1/` is checked as 127.0.0.1.

use crate::request_url::RequestUrl;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use thiserror::Error;

/// The addresses that abide may connect to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guard {
    allowed: Vec<PortException>,
    denied: Vec<Network>,
    open: bool,
    strict: bool,
    /// The only ports that may be connected to, if they are listed.
    ports: Option<Vec<u16>>,
}

/// A range of addresses: an address and the number of its leading bits that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Network {
    address: IpAddr,
    bits: u8,
}

/// An exception: a range that is allowed at one port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct PortException {
    /// The range.
    pub network: Network,
    /// The port.
    pub port: u16,
}

/// Why an address is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AddressError {
    /// The address is not public, or it embeds one that is not.
    #[error("{address} is not a public address: {what}")]
    NotPublic {
        /// The address.
        address: IpAddr,
        /// The name of the range.
        what: &'static str,
    },
    /// The address is in a range that the operator denies.
    #[error("{address} is denied by the operator")]
    Denied {
        /// The address.
        address: IpAddr,
    },
    /// The name is for a private network or for this machine.
    #[error("{name} is not a public name")]
    Name {
        /// The name.
        name: String,
    },
    /// The port belongs to another service.
    #[error("port {port} is not allowed: it belongs to another service than the web")]
    Port {
        /// The port.
        port: u16,
    },
    /// The port is not one of those that [`Guard::ports_only`] lists.
    #[error("port {port} is not one of the ports that are allowed")]
    UnlistedPort {
        /// The port.
        port: u16,
    },
}

impl Guard {
    /// Refuses every address that is not public, and ports of other services.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Allows everything except what [`Guard::deny`] adds. For crawlers of private networks, and
    /// for tests.
    #[must_use]
    pub fn open() -> Self {
        Self {
            open: true,
            ..Self::default()
        }
    }

    /// Allows connections to `network` at `port` only, even if another rule refuses them.
    #[must_use]
    pub fn allow(mut self, network: Network, port: u16) -> Self {
        self.allowed.push(PortException { network, port });
        self
    }

    /// Also refuses `network`.
    #[must_use]
    pub fn deny(mut self, network: Network) -> Self {
        self.denied.push(network);
        self
    }

    /// Refuses a name if any of its addresses is refused, instead of using the others. For services
    /// that fetch what strangers ask for.
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.strict = true;
        self
    }

    /// Refuses every port except 80, 443 and those that [`Guard::allow`] adds. For services that
    /// fetch what strangers ask for.
    #[must_use]
    pub fn web_ports_only(self) -> Self {
        self.ports_only([80, 443])
    }

    /// Refuses every port except these and those that [`Guard::allow`] adds. A port of another
    /// service is refused although it is listed, unless private addresses are allowed.
    #[must_use]
    pub fn ports_only(mut self, ports: impl IntoIterator<Item = u16>) -> Self {
        self.ports = Some(ports.into_iter().collect());
        self
    }

    /// The name to look up: with a final dot, so that no search list applies, unless private
    /// addresses are allowed.
    ///
    /// ```
    /// use abide_fetch::guard::Guard;
    /// let guard = Guard::new();
    /// assert_eq!(guard.name("news.example").as_deref(), Ok("news.example."));
    /// assert!(guard.name("localhost").is_err());
    /// assert!(guard.name("metadata.google.internal").is_err());
    /// ```
    ///
    /// # Errors
    /// [`AddressError::Name`] for a name that does not exist on the public network, unless
    /// [`Guard::allow`] was called.
    pub fn name(&self, name: &str) -> Result<String, AddressError> {
        if self.open || !self.allowed.is_empty() {
            return Ok(name.to_owned());
        }
        let bare = name.strip_suffix('.').unwrap_or(name);
        let last = bare.rsplit_once('.').map(|(_, last)| last);
        let is_private = last.is_none_or(|last| {
            let last = last.to_ascii_lowercase();
            matches!(
                last.as_str(),
                "localhost" | "local" | "internal" | "localdomain" | "lan" | "home" | "corp"
            ) || bare.to_ascii_lowercase().ends_with(".home.arpa")
        });
        if is_private {
            let name = name.to_owned();
            return Err(AddressError::Name { name });
        }
        Ok(format!("{bare}."))
    }

    /// The `addresses` that are allowed at `port`, in order.
    ///
    /// # Errors
    /// [`AddressError`] if none is allowed; in a strict guard, if any is refused.
    pub fn filter(&self, addresses: &[IpAddr], port: u16) -> Result<Vec<IpAddr>, AddressError> {
        let (mut kept, mut refused) = (Vec::new(), None);
        for &address in addresses {
            match self.check(address, port) {
                Ok(()) => kept.push(address),
                Err(reason) => refused = Some(reason),
            }
        }
        match refused {
            Some(reason) if kept.is_empty() || self.strict => Err(reason),
            _ => Ok(kept),
        }
    }

    /// Checks whether any address is allowed at `port`. It costs no look-up of a name.
    ///
    /// # Errors
    /// [`AddressError`], with the reason.
    pub fn check_port(&self, port: u16) -> Result<(), AddressError> {
        if self.allowed.iter().any(|allowed| allowed.port == port) {
            return Ok(());
        }
        self.check_listed(port)
    }

    /// Checks what a URL says about its site, without a look-up: its port, and its host if that is
    /// an address or a name of a private network. For a client that connects by itself.
    ///
    /// # Errors
    /// [`AddressError`], with the reason.
    pub fn check_url(&self, url: &RequestUrl) -> Result<(), AddressError> {
        let (host, port) = (url.host(), url.port());
        self.check_port(port)?;
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        match bare.parse::<IpAddr>() {
            Ok(address) => self.check(address, port),
            Err(_) => self.name(host).map(drop),
        }
    }

    /// Checks a port for which there is no exception.
    fn check_listed(&self, port: u16) -> Result<(), AddressError> {
        let listed = self.ports.as_ref();
        if listed.is_some_and(|listed| !listed.contains(&port)) {
            return Err(AddressError::UnlistedPort { port });
        }
        if !self.open && (port == 0 || OTHER_SERVICES.binary_search(&port).is_ok()) {
            return Err(AddressError::Port { port });
        }
        Ok(())
    }

    /// Checks whether `address` is allowed at `port`.
    ///
    /// ```
    /// use abide_fetch::guard::Guard;
    /// let guard = Guard::new();
    /// assert!(guard.check("93.184.216.34".parse()?, 443).is_ok());
    /// assert!(guard.check("127.0.0.1".parse()?, 80).is_err());
    /// assert!(guard.check("::ffff:10.0.0.1".parse()?, 80).is_err());
    /// assert!(guard.check("64:ff9b::a9fe:a9fe".parse()?, 80).is_err());
    /// # Ok::<(), std::net::AddrParseError>(())
    /// ```
    ///
    /// # Errors
    /// [`AddressError`], with the reason.
    pub fn check(&self, address: IpAddr, port: u16) -> Result<(), AddressError> {
        let every = readings(address);
        let within = |network: &Network| every.iter().any(|one| network.contains(*one));
        let exempt =
            |allowed: &PortException| allowed.port == port && allowed.network.contains(address);
        if self.allowed.iter().any(exempt) {
            return Ok(());
        }
        if self.denied.iter().any(within) {
            return Err(AddressError::Denied { address });
        }
        let not_public = NOT_PUBLIC.iter().find(|(network, _)| within(network));
        if let Some((_, what)) = not_public.filter(|_| !self.open) {
            return Err(AddressError::NotPublic { address, what });
        }
        self.check_listed(port)
    }
}

impl Network {
    /// The range of all addresses that share the first `bits` bits with `address`. More bits than
    /// an address has mean all of them.
    #[must_use]
    pub const fn new(address: IpAddr, bits: u8) -> Self {
        Self { address, bits }
    }

    const fn v4(a: u8, b: u8, c: u8, d: u8, bits: u8) -> Self {
        Self::new(IpAddr::V4(Ipv4Addr::new(a, b, c, d)), bits)
    }

    const fn v6(a: u16, b: u16, c: u16, bits: u8) -> Self {
        Self::new(IpAddr::V6(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0)), bits)
    }

    /// Whether `address` itself is in the range. [`Guard::check`] also checks addresses embedded in
    /// it.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                let shift = 32_u32.saturating_sub(u32::from(self.bits.min(32)));
                let part = |address: Ipv4Addr| address.to_bits().checked_shr(shift).unwrap_or(0);
                part(own) == part(other)
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                let shift = 128_u32.saturating_sub(u32::from(self.bits.min(128)));
                let part = |address: Ipv6Addr| address.to_bits().checked_shr(shift).unwrap_or(0);
                part(own) == part(other)
            }
            _ => false,
        }
    }
}

/// Ranges without public web servers: those that IANA's registries of special-purpose addresses
/// call not globally reachable, relays and tunnels, and deprecated ranges.
const NOT_PUBLIC: [(Network, &str); 32] = [
    (Network::v4(0, 0, 0, 0, 8), "this network"),
    (Network::v4(10, 0, 0, 0, 8), "private use"),
    (Network::v4(100, 64, 0, 0, 10), "shared address space"),
    (Network::v4(127, 0, 0, 0, 8), "loopback"),
    (Network::v4(169, 254, 0, 0, 16), "link local"),
    (Network::v4(172, 16, 0, 0, 12), "private use"),
    (Network::v4(192, 0, 0, 0, 24), "protocol assignments"),
    (Network::v4(192, 0, 2, 0, 24), "documentation"),
    (Network::v4(192, 31, 196, 0, 24), "AS112"),
    (Network::v4(192, 52, 193, 0, 24), "multicast tunnelling"),
    (Network::v4(192, 88, 99, 0, 24), "6to4 relays"),
    (Network::v4(192, 168, 0, 0, 16), "private use"),
    (Network::v4(192, 175, 48, 0, 24), "AS112"),
    (Network::v4(198, 18, 0, 0, 15), "benchmarking"),
    (Network::v4(198, 51, 100, 0, 24), "documentation"),
    (Network::v4(203, 0, 113, 0, 24), "documentation"),
    (Network::v4(224, 0, 0, 0, 4), "multicast"),
    (Network::v4(240, 0, 0, 0, 4), "reserved"),
    (
        Network::new(IpAddr::V6(Ipv6Addr::UNSPECIFIED), 128),
        "unspecified",
    ),
    (
        Network::new(IpAddr::V6(Ipv6Addr::LOCALHOST), 128),
        "loopback",
    ),
    (Network::v6(0x64, 0xFF9B, 1, 48), "translation, local use"),
    (Network::v6(0x100, 0, 0, 64), "discard only"),
    (
        Network::new(IpAddr::V6(Ipv6Addr::new(0x100, 0, 0, 1, 0, 0, 0, 0)), 64),
        "dummy prefix",
    ),
    (Network::v6(0x2001, 0, 0, 23), "protocol assignments"),
    (Network::v6(0x2001, 0xDB8, 0, 32), "documentation"),
    (Network::v6(0x2002, 0, 0, 16), "6to4"),
    (Network::v6(0x3FFF, 0, 0, 20), "documentation"),
    (Network::v6(0x5F00, 0, 0, 16), "segment routing"),
    (Network::v6(0xFC00, 0, 0, 7), "private use"),
    (Network::v6(0xFE80, 0, 0, 10), "link local"),
    (Network::v6(0xFEC0, 0, 0, 10), "site local"),
    (Network::v6(0xFF00, 0, 0, 8), "multicast"),
];

/// The address itself, and the IPv4 addresses embedded in mapped, compatible, translated, 6to4,
/// Teredo and ISATAP addresses.
fn readings(address: IpAddr) -> Vec<IpAddr> {
    let mut all = vec![address];
    let IpAddr::V6(v6) = address else { return all };
    let bits = v6.to_bits();
    let v4 = |shift: u32| {
        let part = bits.checked_shr(shift).unwrap_or_default() & u128::from(u32::MAX);
        IpAddr::V4(Ipv4Addr::from_bits(u32::try_from(part).unwrap_or_default()))
    };
    let inverted = |shift: u32| match v4(shift) {
        IpAddr::V4(own) => IpAddr::V4(Ipv4Addr::from_bits(!own.to_bits())),
        other @ IpAddr::V6(_) => other,
    };
    match v6.segments() {
        [0, 0, 0, 0, 0, 0 | 0xFFFF, ..]
        | [0, 0, 0, 0, 0xFFFF, 0, ..]
        | [0x64, 0xFF9B, 0, 0, 0, 0, ..]
        | [_, _, _, _, 0 | 0x200, 0x5EFE, ..] => all.push(v4(0)),
        [0x2002, ..] => all.push(v4(80)),
        [0x2001, 0, ..] => all.extend([v4(64), inverted(0)]),
        _ => {}
    }
    all
}

/// The ports that the Fetch Standard blocks, and that of Redis, sorted.
const OTHER_SERVICES: [u16; 83] = [
    1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
    103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
    512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
    995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6379, 6566, 6665, 6666, 6667,
    6668, 6669, 6679, 6697, 10080,
];
