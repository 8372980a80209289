//! The recipes of docs/proxies.md, with the real proxies in front of the service.

use crate::client::{Answered, ask, send};
use crate::{Running, config, run, spellings};
use abide_testkit::fault::{ByteServer, Script, Step};
use abide_testkit::needs;
use std::fs;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const GPTBOT: &str = "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)";
const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";

/// What robots may not have.
const PRIVATE: &str = "private page\n";
const PUBLIC: &str = "public page\n";

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

/// A site with pages, and the folder with the robots.txt for all hosts.
fn site() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for (path, page) in [("private/x", PRIVATE), ("public/a", PUBLIC)] {
        let file = root.join("html").join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, page).unwrap();
    }
    fs::create_dir(root.join("sites")).unwrap();
    let robots = "User-agent: GPTBot\nDisallow: /private/\n";
    fs::write(root.join("sites/default.txt"), robots).unwrap();
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

    /// What an agent gets with more fields: lines with their ends.
    fn get_with(&self, path: &str, host: &str, agent: &str, fields: &str) -> Got {
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: {agent}\r\nConnection: close\r\n{fields}\r\n"
        );
        Got::of(send(self.address, request.as_bytes()))
    }

    fn got(&self, path: &str, agent: &str) -> Got {
        self.get_with(path, &self.address.to_string(), agent, "")
    }
}

/// What a request got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Got {
    Private,
    Public,
    /// Nothing of the site; the status, or 0 if there was no answer.
    Status(u16),
}

impl Got {
    fn of(answered: Option<Answered>) -> Self {
        let Some(answered) = answered else {
            return Self::Status(0);
        };
        match String::from_utf8_lossy(&answered.body) {
            body if body.contains(PRIVATE.trim_end()) => Self::Private,
            body if body.contains(PUBLIC.trim_end()) => Self::Public,
            _ => Self::Status(answered.status),
        }
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
         events {{}}\nhttp {{\naccess_log off;\n\
         large_client_header_buffers 16 8k;\n{}{server}}}\n",
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
    let port = address.port();
    let recipe = recipe.replace(":80 {", &format!("http://:{port} {{\n\tbind 127.0.0.1"));
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
    for (path, agent) in [("/public/a", GPTBOT), ("/private/x", FIREFOX)] {
        let passed = proxy.get(path, agent);
        assert_eq!(passed.status, 200, "{path}: {}", passed.head);
    }
    // What a client adds does not count.
    let lies = [
        ("User-Agent", GPTBOT),
        ("X-Original-URI", "/public/a"),
        ("X-Original-URL", "http://other.example/"),
        ("X-Forwarded-Uri", "/public/a"),
        ("X-Forwarded-Host", "other.example"),
    ];
    let refused = ask(proxy.address, "GET", "/private/x", &lies, b"");
    assert_eq!(refused.status, 403, "{}", refused.head);
}

/// A program that answers everything that the proxy passes to it.
fn program() -> ByteServer {
    let length = PRIVATE.len();
    let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n{PRIVATE}");
    ByteServer::new(Script::always([Step::send(answer), Step::Fin]))
}

/// Whatever a proxy serves was judged: no spelling of a path gives a robot what is below
/// /private/, and what is below /public/ it gets like everybody.
fn judges_what_it_serves(proxy: &Proxy) {
    let host = proxy.address.to_string();
    let mut private = spellings::of(&["/private/x", "/private/index.php"], &host, 600);
    private.extend(spellings::FOUND.map(str::to_owned));
    let through: Vec<_> = private
        .iter()
        .filter(|path| proxy.got(path, GPTBOT) == Got::Private)
        .collect();
    assert!(through.is_empty(), "{}: {through:#?}", through.len());
    let served = private
        .iter()
        .filter(|path| proxy.got(path, FIREFOX) == Got::Private);
    let served = served.count();
    assert!(served > 100, "only {served} spellings are served at all");

    let public = spellings::of(&["/public/a"], &host, 300);
    let open = public
        .iter()
        .filter(|path| proxy.got(path, FIREFOX) == Got::Public);
    let (mut passed, mut refused) = (0, Vec::new());
    for path in open {
        match proxy.got(path, GPTBOT) {
            Got::Public => passed += 1,
            got => refused.push((path, got)),
        }
    }
    assert!(passed > 30, "{passed}, {refused:#?}");
    // What no client may send is refused, and nothing else.
    refused.retain(|(path, got)| !path.contains('#') || *got == Got::Private);
    assert!(refused.is_empty(), "{refused:#?}");
}

/// Neither the host nor other fields lead a robot to what it may not have, whether the proxy lets
/// requests through while the service is down or not. Browsers may send long fields.
fn robots_cannot_hide(proxy: &Proxy) {
    let own = proxy.address.to_string();
    for host in [
        "example.com",
        "x",
        "www.example.com.",
        "127.0.0.1",
        "[::1]",
        "-",
        "a_b.example",
        "example.com..",
        "exa%6dple.com",
        "example.com,other",
        "example.com\u{ad}",
        "example.com?",
        "default",
    ] {
        let got = proxy.get_with("/private/x", host, GPTBOT, "");
        assert_ne!(got, Got::Private, "{host}");
    }
    let got = proxy.get_with("/private/x", "example.com", FIREFOX, "");
    assert_eq!(got, Got::Private);
    let long = "a".repeat(7_000);
    let of_browsers = ["Referer", "Authorization", "Accept-Language", "Sec-CH-UA"];
    let of_browsers = of_browsers.into_iter().chain(["Cookie"; 5]);
    let of_browsers: String = of_browsers
        .map(|name| format!("{name}: {long}\r\n"))
        .collect();
    let others =
        |count: usize| -> String { (0..count).map(|at| format!("X-{at}: {long}\r\n")).collect() };
    let names = "User-Agent, Host, X-Original-URI, X-Forwarded-Uri, X-Forwarded-Host";
    let hop = format!("Connection: {names}\r\n");
    let twice = format!("User-Agent: {FIREFOX}\r\n");
    let many: String = (0..110).map(|at| format!("X{at}: y\r\n")).collect();
    for fields in [&of_browsers, &hop, &twice, &many, &others(3), &others(9)] {
        let got = proxy.get_with("/private/x", &own, GPTBOT, fields);
        assert!(
            matches!(got, Got::Status(400..)),
            "{got:?} {}",
            fields.len()
        );
    }
    for fields in [&of_browsers, &hop] {
        let got = proxy.get_with("/private/x", &own, FIREFOX, fields);
        assert_eq!(got, Got::Private, "{}", fields.len());
    }
    // The service answers before it has read everything, and the proxy sees the answer.
    for size in [15, 57, 128].repeat(8) {
        let got = proxy.get_with("/private/x", &own, GPTBOT, &others(size));
        assert_ne!(got, Got::Private, "{size}");
    }
}

/// Where the part of nginx's recipe begins that asks the service.
const NGINX_PART: &str = "    location = /_robots {";

#[test]
fn nginx_enforces_and_fails_as_configured() {
    if !is_installed("nginx") {
        return needs::missing("nginx_enforces_and_fails_as_configured", "nginx");
    }
    let site = site();
    let mut service = service(&site);
    let [closed, open] = recipes("nginx").try_into().unwrap();
    // The second recipe replaces the last part of the first.
    let (head, _) = closed.split_once(NGINX_PART).unwrap();
    let open = format!("{head}{open}");
    let program = program();
    let to = format!(
        "    location /private/index.php {{ proxy_pass http://{}; }}\n{NGINX_PART}",
        program.address()
    );
    let closed = closed.replace(NGINX_PART, &to);
    let closed = nginx(&site, &adapted(&closed, &site, service.address));
    let open = nginx(&site, &adapted(&open, &site, service.address));
    enforces(&closed);
    enforces(&open);
    judges_what_it_serves(&closed);
    robots_cannot_hide(&closed);
    robots_cannot_hide(&open);
    service.wait();
    assert_eq!(closed.get("/public/a", GPTBOT).status, 500);
    assert_eq!(closed.get("/public/a", FIREFOX).status, 500);
    assert_eq!(open.get("/private/x", GPTBOT).status, 200);
    assert_eq!(open.get("/public/a", FIREFOX).status, 200);
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
    let program = program();
    let to = format!(
        "\treverse_proxy /private/index.php* {}\n\tfile_server\n",
        program.address()
    );
    let closed = closed.replace("\tfile_server\n", &to);
    let closed = caddy(&site, &adapted(&closed, &site, service.address));
    let open = caddy(&site, &adapted(&open, &site, service.address));
    enforces(&closed);
    enforces(&open);
    judges_what_it_serves(&closed);
    robots_cannot_hide(&closed);
    robots_cannot_hide(&open);
    service.wait();
    assert_eq!(closed.get("/public/a", GPTBOT).status, 502);
    assert_eq!(closed.get("/public/a", FIREFOX).status, 502);
    assert_eq!(open.get("/private/x", GPTBOT).status, 200);
    assert_eq!(open.get("/public/a", FIREFOX).status, 200);
}
