//! `abide serve`: runs the service until SIGTERM or Ctrl-C.

use crate::args::ServeArgs;
use crate::exit::{Exit, note, put, written};
use abide_serve::{Config, Log, Service, new_token};
use anyhow::{Context, anyhow};
use std::io::IsTerminal;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::Path;

/// Serves, or prints the settings.
pub(crate) fn run(args: &ServeArgs) -> anyhow::Result<Exit> {
    if let Some(name) = &args.new_token {
        let (token, table) = new_token(name)?;
        note(&format!(
            "give this token to the client; nobody can read it later: {token}"
        ));
        written(put(table))?;
        return Ok(Exit::Done);
    }
    let config = config(args)?;
    let settings = config.checked()?;
    if args.print_config {
        let text = config.with_defaults()?.to_toml();
        written(put(text))?;
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
    let mut flags = Config::default();
    for (name, values) in &args.settings.0 {
        let flag = Config::from_flag(name, values);
        flags = flags.or(flag.map_err(|error| anyhow!("in --{name}: {error}"))?);
    }
    Ok(flags.or(environment).or(file))
}
