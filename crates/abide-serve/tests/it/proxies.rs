//! The recipes of docs/proxies.md, with the real proxies in front of the service.

use crate::client::{Answered, ask};
use crate::{Running, config, run};
use abide_testkit::needs;
use std::fs;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const GPTBOT: &str = "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)";
const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";

/// The code blocks of the page in a language.
fn recipes(language: &str) -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/proxies.md");
    let page = fs::read_to_string(page).unwrap();
    let start = format!("```{language}\n");
    let blocks = page.split(&start).skip(1);
    blocks
        .map(|block| block.split("```").next().unwrap().to_owned())
        .collect()
}

/// A site with a page, and the folder with its robots.txt.
fn site() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::create_dir_all(root.join("html/private")).unwrap();
    fs::write(root.join("html/page.html"), "page\n").unwrap();
    fs::write(root.join("html/private/x"), "private\n").unwrap();
    fs::create_dir(root.join("sites")).unwrap();
    let robots = "User-agent: GPTBot\nDisallow: /private/\n";
    fs::write(root.join("sites/127.0.0.1.txt"), robots).unwrap();
    readable(root);
    folder
}

/// Lets the proxy read a folder, whoever it runs as.
fn readable(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
}

fn service(site: &TempDir) -> Running {
    let mut config = config();
    config.authz = Some(site.path().join("sites"));
    run(&config)
}

/// A port that is free now.
fn free() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
}

/// A proxy that ends with the test.
struct Proxy {
    process: Child,
    address: SocketAddr,
}

impl Proxy {
    fn start(mut command: Command, address: SocketAddr) -> Self {
        let command = command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut process = command.spawn().unwrap();
        let end = Instant::now() + Duration::from_secs(20);
        while TcpStream::connect(address).is_err() {
            assert!(process.try_wait().unwrap().is_none(), "the proxy ended");
            assert!(Instant::now() < end, "the proxy does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        Self { process, address }
    }

    fn get(&self, path: &str, agent: &str) -> Answered {
        ask(self.address, "GET", path, &[("User-Agent", agent)], b"")
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The recipe with the addresses and folders of the test.
fn adapted(recipe: &str, site: &TempDir, service: SocketAddr) -> String {
    let html = site.path().join("html");
    recipe
        .replace("127.0.0.1:8080", &service.to_string())
        .replace("/var/www/html", html.to_str().unwrap())
}

fn nginx(site: &TempDir, server: &str) -> Proxy {
    let address = free();
    let root = site.path().display();
    let server = server.replace("listen 80;", &format!("listen {address};"));
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    let temporary = temporary.map(|kind| format!("{kind}_temp_path {root}/{kind};\n"));
    let config = format!(
        "daemon off;\nmaster_process off;\npid {root}/nginx.pid;\nerror_log {root}/error.log;\n\
         events {{}}\nhttp {{\naccess_log off;\n{}{server}}}\n",
        temporary.concat()
    );
    let file = site.path().join(format!("nginx-{}.conf", address.port()));
    fs::write(&file, config).unwrap();
    let mut command = Command::new("nginx");
    command
        .arg("-c")
        .arg(&file)
        .arg("-e")
        .arg(site.path().join("error.log"));
    Proxy::start(command, address)
}

fn caddy(site: &TempDir, recipe: &str) -> Proxy {
    let address = free();
    let recipe = recipe.replace(":80 {", &format!("http://{address} {{\n\tbind 127.0.0.1"));
    let config = format!("{{\n\tadmin off\n\tauto_https off\n}}\n{recipe}");
    let file = site.path().join(format!("Caddyfile-{}", address.port()));
    fs::write(&file, config).unwrap();
    let mut command = Command::new("caddy");
    command
        .arg("run")
        .arg("--adapter")
        .arg("caddyfile")
        .arg("--config")
        .arg(&file);
    command
        .env("HOME", site.path())
        .env("XDG_DATA_HOME", site.path());
    Proxy::start(command, address)
}

fn is_installed(program: &str) -> bool {
    let mut command = Command::new(program);
    command
        .arg("version")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok()
}

/// What every recipe does while the service runs.
fn enforces(proxy: &Proxy) {
    for path in [
        "/private/x",
        "/a/../private/x",
        "//private/x",
        "/private%2Fx",
    ] {
        let refused = proxy.get(path, GPTBOT);
        assert_eq!(refused.status, 403, "{path}: {}", refused.head);
        let why = refused.field("x-robots-explain").unwrap_or_default();
        let end = ": line 2: Disallow: /private/";
        assert!(
            why.starts_with("GPTBot may not fetch /") && why.ends_with(end),
            "{why}"
        );
    }
    for (path, agent) in [("/page.html", GPTBOT), ("/private/x", FIREFOX)] {
        let passed = proxy.get(path, agent);
        assert_eq!(passed.status, 200, "{path}: {}", passed.head);
    }
    // What a client adds does not count.
    let lies = [
        ("User-Agent", GPTBOT),
        ("X-Original-URI", "/page.html"),
        ("X-Original-URL", "http://other.example/"),
        ("X-Forwarded-Uri", "/page.html"),
        ("X-Forwarded-Host", "other.example"),
    ];
    let refused = ask(proxy.address, "GET", "/private/x", &lies, b"");
    assert_eq!(refused.status, 403, "{}", refused.head);
}

#[test]
fn nginx_enforces_and_fails_as_configured() {
    if !is_installed("nginx") {
        return needs::missing("nginx_enforces_and_fails_as_configured", "nginx");
    }
    let site = site();
    let mut service = service(&site);
    let [closed, open] = recipes("nginx").try_into().unwrap();
    // The second recipe replaces the last part of the first.
    let head = closed.split("    location = /_robots").next().unwrap();
    let open = format!("{head}{open}");
    let closed = nginx(&site, &adapted(&closed, &site, service.address));
    let open = nginx(&site, &adapted(&open, &site, service.address));
    enforces(&closed);
    enforces(&open);
    service.wait();
    assert_eq!(closed.get("/page.html", GPTBOT).status, 500);
    assert_eq!(closed.get("/page.html", FIREFOX).status, 500);
    assert_eq!(open.get("/private/x", GPTBOT).status, 200);
    assert_eq!(open.get("/page.html", FIREFOX).status, 200);
}

#[test]
fn caddy_enforces_and_fails_as_configured() {
    if !is_installed("caddy") {
        return needs::missing("caddy_enforces_and_fails_as_configured", "caddy");
    }
    let site = site();
    let mut service = service(&site);
    let [closed, errors] = recipes("caddyfile").try_into().unwrap();
    let open = format!(
        "{}{errors}}}\n",
        closed.trim_end().strip_suffix('}').unwrap()
    );
    let closed = caddy(&site, &adapted(&closed, &site, service.address));
    let open = caddy(&site, &adapted(&open, &site, service.address));
    enforces(&closed);
    enforces(&open);
    service.wait();
    assert_eq!(closed.get("/page.html", GPTBOT).status, 502);
    assert_eq!(closed.get("/page.html", FIREFOX).status, 502);
    assert_eq!(open.get("/private/x", GPTBOT).status, 200);
    assert_eq!(open.get("/page.html", FIREFOX).status, 200);
}
