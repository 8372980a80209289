//! A network namespace for one test: the test runs itself again, alone, in a network that has only
//! loopback, with the addresses, routes and DNS servers that it asks for. This requires `unshare`
//! and `ip`, and root only if users may not create namespaces.

use std::process::Command;

/// The variable that tells a test that it runs inside its namespace.
const INSIDE: &str = "ABIDE_INSIDE_NAMESPACE";

/// Runs `test` in a namespace. `module` and `name` identify the test: pass `module_path!()` and the
/// name of its function. `setup` is a shell script that runs first, with `lo` up; `servers` are the
/// addresses of DNS servers.
///
/// If no namespace can be created, calls [`needs::missing`](crate::needs::missing).
pub fn within(module: &str, name: &str, setup: &str, servers: &[&str], test: impl FnOnce()) {
    if std::env::var_os(INSIDE).is_some() {
        test();
        return;
    }
    let Some(flags) = flags() else {
        crate::needs::missing(name, "a network namespace (`unshare` and `ip`)");
        return;
    };
    let path = module.split_once("::").map_or("", |(_, path)| path);
    let own = std::env::current_exe().expect("the test's own program");
    let output = Command::new("unshare")
        .args(flags)
        .args(["--", "sh", "-e", "-c"])
        .arg(script(setup, servers))
        .arg("sh")
        .arg(own)
        .args([&format!("{path}::{name}"), "--exact", "--nocapture"])
        .env(INSIDE, "1")
        .output()
        .unwrap_or_else(|error| panic!("no namespace for {name}, see CONTRIBUTING.md: {error}"));
    let (stdout, complained) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(
        output.status.success() && stdout.contains("1 passed"),
        "{name} in a namespace (none can be had? see CONTRIBUTING.md):\n{stdout}\n{complained}"
    );
    figures(&stdout);
}

/// Repeats the output of the inner test, for runs with `--nocapture`.
#[expect(clippy::print_stdout, reason = "figures of a test run")]
fn figures(output: &str) {
    println!("{output}");
}

/// The flags with which `unshare` creates a namespace on this machine: as root, or as a user who is
/// root inside it.
fn flags() -> Option<&'static [&'static str]> {
    let ways: [&[&str]; 2] = [&["-n", "-m"], &["-r", "-n", "-m"]];
    ways.into_iter().find(|flags| {
        let made = Command::new("unshare")
            .args(*flags)
            .args(["--", "ip", "link", "set", "lo", "up"])
            .output();
        made.is_ok_and(|made| made.status.success())
    })
}

fn script(setup: &str, servers: &[&str]) -> String {
    let lines: String = servers
        .iter()
        .flat_map(|server| ["nameserver ", server, "\n"])
        .collect();
    // The search list must never be used; a resolver that uses it finds a server that knows every
    // name in it. The timeout gives a DNS server time to answer even on a slow machine.
    let resolv = format!("{lines}search search.example\noptions timeout:5 attempts:1 ndots:3\n");
    format!(
        "ip link set lo up\n\
         mount -t tmpfs none /mnt\n\
         printf '%s' '{resolv}' >/mnt/resolv.conf\n\
         printf '127.0.0.1 localhost\\n' >/mnt/hosts\n\
         mount --bind /mnt/resolv.conf /etc/resolv.conf\n\
         mount --bind /mnt/hosts /etc/hosts\n\
         {setup}\n\
         exec \"$@\""
    )
}
