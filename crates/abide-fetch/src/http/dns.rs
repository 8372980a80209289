//! A resolver that uses no threads: a lookup ends when nobody waits for it any more.

use super::network::{LookupPermit, Resolver, why_not_found};
use crate::future::BoxFuture;
use hickory_resolver::config::{
    ConnectionConfig, NameServerConfig, ProtocolConfig, ResolveHosts, ResolverConfig, ResolverOpts,
};
use hickory_resolver::lookup::Lookup;
use hickory_resolver::net::NetError;
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::proto::op::Query;
use hickory_resolver::proto::rr::{Name, RecordType};
use hickory_resolver::{Hosts, TokioResolver, system_conf};
use std::fmt::{self, Debug};
use std::fs;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime};
use tokio::time::Instant;

/// The files that say how names are resolved.
const FILES: [&str; 2] = ["/etc/resolv.conf", "/etc/hosts"];
/// How long what these files say is used before they are looked at again.
const LOOK_AGAIN: Duration = Duration::from_secs(5);
/// Timeout of one attempt. Two of them fit into the four seconds for a name.
const ATTEMPT: Duration = Duration::from_millis(1_500);

/// Asks the DNS servers of `/etc/resolv.conf`, after `/etc/hosts`. Unlike
/// [`SystemResolver`](super::SystemResolver) it needs no thread for a lookup, so a name without an
/// answer holds up no other one; and it does not read `/etc/nsswitch.conf`, so it knows no names of
/// mDNS, NIS or LDAP. It keeps no answers. Both files are read again after they change.
pub struct DnsResolver {
    /// Whether the files say which servers to ask.
    is_of_system: bool,
    current: RwLock<Known>,
}

/// A resolver, and the state of the files that it was made from.
struct Known {
    resolver: Servers,
    files: [Option<SystemTime>; 2],
    looked_at: Instant,
}

impl DnsResolver {
    /// Reads the files of the system.
    ///
    /// # Errors
    /// If `/etc/resolv.conf` cannot be read, or names no server.
    pub fn of_system() -> io::Result<Self> {
        let known = Known {
            files: changed_at(),
            resolver: of_system()?,
            looked_at: Instant::now(),
        };
        Ok(Self {
            is_of_system: true,
            current: RwLock::new(known),
        })
    }

    /// Asks these servers alone, and reads no file.
    ///
    /// # Errors
    /// If the resolver cannot be set up.
    pub fn of_servers(servers: &[SocketAddr]) -> io::Result<Self> {
        let server = |address: &SocketAddr| {
            let at = |protocol| {
                let mut connection = ConnectionConfig::new(protocol);
                connection.port = address.port();
                connection
            };
            let mut server = NameServerConfig::udp_and_tcp(address.ip());
            server.connections = vec![at(ProtocolConfig::Udp), at(ProtocolConfig::Tcp)];
            server
        };
        let servers = servers.iter().map(server).collect();
        let config = ResolverConfig::from_name_servers(servers);
        let known = Known {
            resolver: Servers::new(config, ResolverOpts::default(), Hosts::default())?,
            files: [None; 2],
            looked_at: Instant::now(),
        };
        Ok(Self {
            is_of_system: false,
            current: RwLock::new(known),
        })
    }

    /// The resolver, made again if the files of the system have changed.
    fn current(&self) -> Servers {
        let known = self.current.read().unwrap_or_else(PoisonError::into_inner);
        if !self.is_of_system || known.looked_at.elapsed() < LOOK_AGAIN {
            return known.resolver.clone();
        }
        drop(known);
        let mut known = self.current.write().unwrap_or_else(PoisonError::into_inner);
        known.looked_at = Instant::now();
        let files = changed_at();
        // A file that cannot be read at the moment leaves everything as it was.
        if files != known.files
            && let Ok(resolver) = of_system()
        {
            known.files = files;
            known.resolver = resolver;
        }
        known.resolver.clone()
    }
}

impl Resolver for DnsResolver {
    fn resolve<'a>(
        &'a self,
        name: &'a str,
        lookup: LookupPermit,
    ) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        Box::pin(async move {
            let _lookup = lookup;
            let query = Name::from_ascii(name).map_err(io::Error::other)?;
            self.current().resolve(query).await.map_err(why_not_found)
        })
    }
}

/// The servers together, and each alone if there are several.
#[derive(Clone)]
struct Servers {
    hosts: Arc<Hosts>,
    all: TokioResolver,
    each: Vec<TokioResolver>,
}

impl Servers {
    fn new(config: ResolverConfig, mut options: ResolverOpts, hosts: Hosts) -> io::Result<Self> {
        options.timeout = options.timeout.min(ATTEMPT);
        options.attempts = 1;
        // Files are kept for hours, and failures for a while: answers need no cache.
        options.cache_size = 0;
        options.use_hosts_file = ResolveHosts::Never;
        let resolver = |config| {
            let provider = TokioRuntimeProvider::default();
            let mut builder = TokioResolver::builder_with_config(config, provider);
            builder.options_mut().clone_from(&options);
            builder.build().map_err(io::Error::other)
        };
        let (domain, search, servers) = config.clone().into_parts();
        let alone = |server| {
            let servers = vec![server];
            resolver(ResolverConfig::from_parts(
                domain.clone(),
                search.clone(),
                servers,
            ))
        };
        let is_one = servers.len() < 2;
        let servers = servers.into_iter().filter(|_| !is_one);
        Ok(Self {
            hosts: Arc::new(hosts),
            all: resolver(config)?,
            each: servers.map(alone).collect::<Result<_, _>>()?,
        })
    }

    /// The addresses of a name in the file of hosts. What it says of a name is all that counts.
    fn pinned(&self, name: &Name) -> Vec<IpAddr> {
        let mut addresses = Vec::new();
        for kind in [RecordType::A, RecordType::AAAA] {
            let query = Query::query(name.clone(), kind);
            let found = self.hosts.lookup_static_host(&query);
            let records = found.iter().flat_map(Lookup::answers);
            addresses.extend(records.filter_map(|record| record.data.ip_addr()));
        }
        addresses
    }

    /// Asks the servers together. If one says that it fails, each is asked alone: another one may
    /// know the name.
    async fn resolve(&self, name: Name) -> io::Result<Vec<IpAddr>> {
        let pinned = self.pinned(&name);
        if !pinned.is_empty() {
            return Ok(pinned);
        }
        let mut found = self.all.lookup_ip(name.clone()).await;
        for server in &self.each {
            match &found {
                Err(error) if !error.is_nx_domain() => {
                    found = server.lookup_ip(name.clone()).await;
                }
                _ => break,
            }
        }
        let found = found.map_err(|error| failure(&error))?;
        Ok(found.iter().collect())
    }
}

impl Debug for DnsResolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DnsResolver")
            .field("is_of_system", &self.is_of_system)
            .finish_non_exhaustive()
    }
}

/// Why a lookup failed: an error of the system stays one.
fn failure(error: &NetError) -> io::Error {
    match error {
        NetError::Io(error) => error.raw_os_error().map_or_else(
            || io::Error::new(error.kind(), error.to_string()),
            io::Error::from_raw_os_error,
        ),
        NetError::Timeout => io::ErrorKind::TimedOut.into(),
        error if error.is_nx_domain() => {
            io::Error::new(io::ErrorKind::NotFound, "the name does not exist")
        }
        error if error.is_no_records_found() => {
            io::Error::new(io::ErrorKind::NotFound, "the name has no address")
        }
        error => io::Error::other(error.to_string()),
    }
}

/// When the files were changed last.
fn changed_at() -> [Option<SystemTime>; 2] {
    FILES.map(|file| fs::metadata(file).ok()?.modified().ok())
}

fn of_system() -> io::Result<Servers> {
    let (config, options) = system_conf::read_system_conf().map_err(io::Error::other)?;
    // Without that file there are no names in it.
    Servers::new(config, options, Hosts::from_system().unwrap_or_default())
}
