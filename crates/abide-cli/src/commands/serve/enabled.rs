//! Runs the service until SIGTERM or Ctrl-C.

use crate::args::{LogFormatArg, LogRequestsArg, OnFailureArg, ServeArgs};
use crate::exit::{Exit, note, written};
use abide_serve::{Config, Log, LogFormat, LogRequests, OnFailure, Service, new_token};
use anyhow::{Context, anyhow};
use std::io::{IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};

/// Serves, or prints the settings.
pub(crate) fn run(args: &ServeArgs) -> anyhow::Result<Exit> {
    if let Some(name) = &args.new_token {
        let (token, table) = new_token(name)?;
        note(&format!(
            "give this token to the client; nobody can read it later: {token}"
        ));
        written(std::io::stdout().lock().write_all(table.as_bytes()))?;
        return Ok(Exit::Done);
    }
    let config = config(args)?;
    let settings = config.checked()?;
    if args.print_config {
        let text = config.with_defaults()?.to_toml();
        written(std::io::stdout().lock().write_all(text.as_bytes()))?;
        return Ok(Exit::Done);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        // A client that is slow to take a long answer keeps a thread, which others must not lack.
        .max_blocking_threads(settings.limits.requests + 512)
        .build()
        .context("cannot start threads")?;
    runtime.block_on(async {
        let log = Log::start(&settings)?;
        let service = Service::new(settings).await?.with_log(log);
        say_where(service.address()?);
        service.run_until_signal().await?;
        Ok::<_, anyhow::Error>(())
    })?;
    Ok(Exit::Done)
}

/// Tells people who watch where the page is. Programs read it in the log.
fn say_where(address: SocketAddr) {
    if !std::io::stderr().is_terminal() {
        return;
    }
    // Browsers cannot open the address that stands for all.
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    let page = SocketAddr::new(ip, address.port());
    note(&format!("Open http://{page}/"));
}

/// The settings of all sources: flags, then the environment, then the file.
fn config(args: &ServeArgs) -> anyhow::Result<Config> {
    let environment = Config::from_environment(std::env::vars_os())?;
    let file = match &args.config {
        None => Config::default(),
        Some(file) => Config::from_file(Path::new(file.as_str()))?,
    };
    Ok(flags(args)?.or(environment).or(file))
}

/// The settings that the flags make.
fn flags(args: &ServeArgs) -> anyhow::Result<Config> {
    let (sites, access, authz) = (&args.sites, &args.access, &args.authz);
    let (limits, log) = (&args.limits, &args.log);
    // A flag that is not given says nothing.
    let set = |flag: bool| flag.then_some(true);
    let ports = match &sites.ports {
        Some(ports) => {
            Config::from_pair("ports", ports).map_err(|error| anyhow!("in --ports: {error}"))?
        }
        None => Config::default(),
    };
    Ok(Config {
        listen: args.listen.clone(),
        user_agent: sites.user_agent.clone(),
        offline: set(sites.offline),
        allow_private: set(sites.allow_private),
        ports: ports.ports,
        allow_mixed_names: set(sites.allow_mixed_names),
        allow_anonymous: set(access.allow_anonymous),
        cache: sites.cache.as_ref().map(|cache| cache.as_str().to_owned()),
        cache_key: (!sites.cache_keys.is_empty()).then(|| sites.cache_keys.clone()),
        cache_size: sites.cache_size,
        cache_age: sites.cache_age,
        memory: sites.memory,
        tokens: access
            .tokens
            .as_ref()
            .map(|file| PathBuf::from(file.as_str())),
        authz: authz
            .authz
            .as_ref()
            .map(|folder| PathBuf::from(folder.as_str())),
        authz_report_only: set(authz.authz_report_only),
        authz_fail: authz.authz_fail.map(|how| match how {
            OnFailureArg::Open => OnFailure::Open,
            OnFailureArg::Closed => OnFailure::Closed,
        }),
        authz_require_user_agent: set(authz.authz_require_user_agent),
        rate: access.rate,
        burst: access.burst,
        fetch_rate: access.fetch_rate,
        concurrency: access.concurrency,
        max_head: limits.max_head,
        max_body: limits.max_body,
        max_line: limits.max_line,
        max_lines: limits.max_lines,
        max_connections: limits.max_connections,
        max_requests: limits.max_requests,
        head_timeout: limits.head_timeout,
        body_timeout: limits.body_timeout,
        request_timeout: limits.request_timeout,
        batch_timeout: limits.batch_timeout,
        grace: args.grace,
        drain_delay: args.drain_delay,
        log: log.log.clone(),
        log_format: log.log_format.map(|format| match format {
            LogFormatArg::Text => LogFormat::Text,
            LogFormatArg::Json => LogFormat::Json,
        }),
        log_requests: log.log_requests.map(|which| match which {
            LogRequestsArg::None => LogRequests::None,
            LogRequestsArg::Errors => LogRequests::Errors,
            LogRequestsArg::All => LogRequests::All,
        }),
    })
}
