//! `abide serve`, as a process.

use crate::abide;

#[cfg(not(feature = "serve"))]
#[test]
fn without_the_service_the_command_says_how_to_get_it() {
    for args in [&["serve"][..], &["serve", "--listen", "127.0.0.1:0"]] {
        let ran = abide(args, b"");
        assert_eq!(ran.status, 2);
        assert!(ran.stderr.contains("--features serve"), "{}", ran.stderr);
    }
}

#[cfg(all(feature = "serve", unix))]
mod with_the_service {
    use super::*;
    use crate::fetch::{Server, response};
    use abide_serve::{Setting, SettingKind};
    use abide_testkit::valkey::ValkeyServer;
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpStream;
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant};

    /// A process that listens, and the rest of its log.
    struct Served {
        child: Child,
        address: String,
        log: std::thread::JoinHandle<String>,
    }

    fn serve(args: &[&str], environment: &[(&str, &str)]) -> Served {
        let mut command = Command::new(env!("CARGO_BIN_EXE_abide"));
        command
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(args)
            .envs(environment.iter().copied());
        started(&mut command)
    }

    fn started(command: &mut Command) -> Served {
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap());
        let mut first = String::new();
        lines.read_line(&mut first).unwrap();
        let event: serde_json::Value = serde_json::from_str(&first).expect(&first);
        assert_eq!(event["message"], "listening");
        let address = event["address"].as_str().unwrap().to_owned();
        let log = std::thread::spawn(move || {
            let mut rest = String::new();
            lines.read_to_string(&mut rest).unwrap();
            rest
        });
        Served {
            child,
            address,
            log,
        }
    }

    impl Served {
        fn signal(&self, name: &str) {
            let id = self.child.id().to_string();
            let sent = Command::new("kill").args(["-s", name, &id]).status();
            assert!(sent.unwrap().success());
        }

        fn get(&self, path: &str, fields: &str) -> String {
            let mut stream = TcpStream::connect(&self.address).unwrap();
            let request =
                format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{fields}\r\n");
            stream.write_all(request.as_bytes()).unwrap();
            let mut text = String::new();
            stream.read_to_string(&mut text).unwrap();
            text
        }

        /// Ends it with SIGTERM; returns its log.
        fn end(mut self) -> String {
            self.signal("TERM");
            let start = Instant::now();
            let status = self.child.wait().unwrap();
            assert_eq!(status.code(), Some(0));
            assert!(start.elapsed() < Duration::from_secs(10));
            self.log.join().unwrap()
        }
    }

    /// Nothing would ever be known.
    #[test]
    fn a_service_that_fetches_nothing_needs_a_cache() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("typo");
        let missing = missing.to_str().unwrap();
        let listen = ["serve", "--listen", "127.0.0.1:0"];
        let ran = abide(
            &[&listen[..], &["--offline", "--cache", missing]].concat(),
            b"",
        );
        assert_eq!(ran.status, 2);
        let output = format!("there is no cache at {missing}");
        assert!(ran.stderr.contains(&output), "{}", ran.stderr);
        assert!(!std::fs::exists(missing).unwrap());
    }

    #[test]
    fn it_listens_answers_and_ends() {
        let served = serve(&[], &[]);
        assert!(
            served
                .get("/healthz", "")
                .starts_with("HTTP/1.1 200 OK\r\n")
        );
        let log = served.end();
        for line in log.lines() {
            let event: serde_json::Value = serde_json::from_str(line).expect(line);
            assert!(event["level"].is_string() && event["timestamp"].is_string());
        }
        assert!(log.contains("draining") && log.contains("ended"), "{log}");
    }

    #[test]
    fn tokens_are_read_again_and_appear_in_no_log() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tokens.toml");
        let new = |name: &str| {
            let ran = abide(&["serve", "--new-token", name], b"");
            assert_eq!(ran.status, 0);
            let token = ran.stderr.trim().rsplit(' ').next().unwrap().to_owned();
            assert!(!ran.stdout.contains(&token));
            (token, ran.stdout)
        };
        let ((first, table), (second, other_table)) = (new("first"), new("second"));
        std::fs::write(&file, &table).unwrap();
        let served = serve(
            &[
                "--tokens",
                file.to_str().unwrap(),
                "--log-requests",
                "all",
                "--log",
                "debug",
            ],
            &[],
        );
        let status = |token: &str| {
            let field = format!("Authorization: Bearer {token}\r\n");
            let query = "/v1/decide?url=ftp://user:hunter2@host.example/private&agent=A";
            let text = served.get(query, &field);
            text.split(' ').nth(1).unwrap().to_owned()
        };
        assert_eq!(
            (status(&first).as_str(), status(&second).as_str()),
            ("400", "401")
        );
        std::fs::write(&file, other_table).unwrap();
        served.signal("HUP");
        let start = Instant::now();
        while status(&second) != "400" && start.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(
            (status(&first).as_str(), status(&second).as_str()),
            ("401", "400")
        );
        // A file that cannot be read changes nothing.
        std::fs::write(&file, "token = 1").unwrap();
        served.signal("HUP");
        std::thread::sleep(Duration::from_millis(300));
        assert_eq!(status(&second), "400");
        let log = served.end();
        for secret in [&first, &second, "hunter2", "host.example"] {
            assert!(!log.contains(secret), "{secret} is in {log}");
        }
        assert!(
            log.contains("\"caller\":\"second\"") && log.contains("the tokens were not read"),
            "{log}"
        );
    }

    #[test]
    fn settings_come_from_file_environment_and_flags() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("serve.toml");
        std::fs::write(
            &file,
            "memory = 5\nmax-body = 5000\nlisten = \"127.0.0.1:5\"\n",
        )
        .unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_abide"))
            .args([
                "serve",
                "--print-config",
                "--memory",
                "7",
                "--config",
                file.to_str().unwrap(),
            ])
            .envs([
                ("ABIDE_SERVE_MEMORY", "6"),
                ("ABIDE_SERVE_MAX_BODY", "6000"),
            ])
            .output()
            .unwrap();
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        for line in [
            "listen = \"127.0.0.1:5\"",
            "memory = 7",
            "max-body = 6000",
            // What nobody set has its default.
            "offline = false",
            "max-line = 4194304",
            "log-format = \"json\"",
        ] {
            assert!(text.lines().any(|own| own == line), "{line}: {text}");
        }
        assert!(!text.contains("cache"), "{text}");
    }

    /// A value of a setting that is not its default, as in a file.
    fn other_value(setting: &Setting, folder: &str) -> toml::Value {
        match (&*setting.name, setting.kind) {
            ("listen", _) => "127.0.0.1:9".into(),
            ("ports", _) => "any".into(),
            ("log", _) => "trace".into(),
            ("turn-member", _) => "0/2".into(),
            (_, SettingKind::Switch) => true.into(),
            (_, SettingKind::Number) => 10_001.into(),
            (_, SettingKind::List) => ["1:", "2:"]
                .map(|id| format!("{id}{folder}/key"))
                .to_vec()
                .into(),
            (_, SettingKind::OneOf(values)) => {
                let other = values.iter().find(|(name, _)| *name != setting.default);
                other.unwrap().0.into()
            }
            _ => folder.into(),
        }
    }

    /// What `--print-config` prints with these flags and this variable.
    fn printed(flags: &[String], variable: Option<(String, String)>) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_abide"));
        command.args(["serve", "--print-config"]);
        let output = command.args(flags).envs(variable).output().unwrap();
        assert!(output.status.success(), "{flags:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// A setting is one entry of a list: its flag, its help, its environment variable and its key
    /// come from there, and no source file of the command names it.
    #[test]
    fn every_setting_is_a_flag_a_variable_and_a_key() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("serve.toml");
        std::fs::write(folder.path().join("key"), "0123456789abcdef".repeat(4)).unwrap();
        let path = folder.path().to_str().unwrap();
        let sources = [
            include_str!("../../src/args/serve.rs"),
            include_str!("../../src/commands/serve.rs"),
        ];
        let help = abide(&["serve", "--help"], b"").stdout;
        for setting in abide_serve::settings() {
            let name = &*setting.name;
            assert!(help.contains(&format!("--{name}")), "{name}");
            let field = format!("{}: ", name.replace('-', "_"));
            let is_named = sources.iter().any(|source| source.contains(&field));
            assert!(!is_named, "{name} is in a source file of the command");

            // What gives the setting an effect: records are signed on a server only, and a pace is
            // shared there.
            let cache = match (name, setting.kind) {
                (_, SettingKind::List) | ("turn-member", _) => "redis://127.0.0.1:9",
                _ => path,
            };
            let beside = [("cache", cache), ("authz", path)];
            let beside = beside.iter().filter(|(other, _)| *other != name);
            let beside: Vec<_> = beside
                .map(|(flag, value)| format!("--{flag}={value}"))
                .chain((name != "turns").then(|| "--turns".to_owned()))
                .collect();

            let value = other_value(setting, path);
            let line = format!("{name} = {value}");
            let typed: Vec<_> = match &value {
                toml::Value::Array(values) => {
                    values.iter().filter_map(|one| one.as_str()).collect()
                }
                toml::Value::String(text) => vec![text.as_str()],
                _ => vec![],
            };
            let number = value.to_string();
            let typed = if typed.is_empty() {
                vec![&*number]
            } else {
                typed
            };
            let flags: Vec<_> = match setting.kind {
                SettingKind::Switch => vec![format!("--{name}")],
                _ => typed
                    .iter()
                    .map(|value| format!("--{name}={value}"))
                    .collect(),
            };
            let variable = format!(
                "ABIDE_SERVE_{}",
                name.to_ascii_uppercase().replace('-', "_")
            );
            let variable = Some((variable, typed.join(",")));
            std::fs::write(&file, &line).unwrap();
            let from_file = vec![format!("--config={}", file.display())];
            for (flags, variable) in [(flags, None), (vec![], variable), (from_file, None)] {
                let text = printed(&[flags, beside.clone()].concat(), variable);
                assert!(
                    text.lines().any(|own| own == line),
                    "{line} is not in {text}"
                );
            }
        }
    }

    #[test]
    fn a_report_warns_of_a_proxy_that_would_be_refused() {
        let folder = tempfile::tempdir().unwrap();
        let sites = folder.path().to_str().unwrap();
        let served = serve(&["--authz", sites, "--authz-report-only"], &[]);
        let answer = served.get("/authz?from=x-original-uri", "");
        assert!(answer.starts_with("HTTP/1.1 204 "), "{answer}");
        let log = served.end();
        let mut events = log.lines().map(|line| {
            let event: serde_json::Value = serde_json::from_str(line).expect(line);
            event
        });
        let warning = events.find(|event| event["header"] == "x-original-uri");
        let warning = warning.expect(&log);
        assert_eq!(warning["level"], "WARN", "{warning}");
        assert!(
            warning["message"].as_str().unwrap().contains("400"),
            "{warning}"
        );
    }

    /// URLs can have secrets.
    #[test]
    fn refusals_are_logged_without_the_path() {
        let folder = tempfile::tempdir().unwrap();
        let robots = "User-agent: *\nDisallow: /private/\n";
        std::fs::write(folder.path().join("default.txt"), robots).unwrap();
        let sites = folder.path().to_str().unwrap();
        for only in [&[][..], &["--authz-report-only"]] {
            let args = [
                &["--authz", sites, "--log-requests", "all", "--log", "debug"],
                only,
            ];
            let served = serve(&args.concat(), &[]);
            for path in ["/private/SECRET?session=SECRET", "/SECRET#", "/SECRET"] {
                let fields = format!("User-Agent: GPTBot\r\nX-Original-URI: {path}\r\n");
                served.get("/authz", &fields);
            }
            served.get(
                "/authz/private/SECRET?session=SECRET",
                "User-Agent: GPTBot\r\n",
            );
            let log = served.end();
            assert!(!log.contains("SECRET"), "{log}");
            assert!(log.contains("GPTBot: line 2: Disallow: /private/"), "{log}");
            assert!(log.contains("unclear-path"), "{log}");
        }
    }

    /// O10: a wrong setting is found at the start.
    #[test]
    fn mistakes_in_settings_are_reported_before_anything_listens() {
        for (args, parts) in [
            (
                &["--listen", "0.0.0.0:0"][..],
                &["0.0.0.0:0", "tokens", "allow-anonymous"][..],
            ),
            (&["--listen", "x"], &["listen", "127.0.0.1:8080"]),
            (
                &["--config", "/nonexistent.toml"],
                &["/nonexistent.toml", "--config takes a TOML file"],
            ),
            (
                &["--tokens", "/nonexistent.toml"],
                &["tokens", "/nonexistent.toml"],
            ),
            (&["--user-agent", "(none)"], &["user-agent"]),
            (&["--cache", "redis:/me:secret@h"], &["cache"]),
            (&["--max-body", "0"], &["max-body"]),
            (&["--ports", "80,x"], &["--ports", "or any"]),
            (
                &["--ports", "22"],
                &["in ports: port 22", "another service"],
            ),
            (
                &["--cache-size", "100"],
                &["cache-size", "set cache to a folder"],
            ),
            (
                &["--max-body", "4M"],
                &["--max-body", "expected a whole number of bytes"],
            ),
            (
                &["--grace", "0.5"],
                &["--grace", "expected a whole number of seconds"],
            ),
            (&["--rate", "-"], &["expected a whole number"]),
            (&["--user-agent", ""], &["names no robot"]),
            (&["--cache-key", "x:"], &["cache-key"]),
        ] {
            let mut words = vec!["serve"];
            words.extend(args);
            let ran = abide(&words, b"");
            assert_eq!(ran.status, 2, "{args:?}: {}", ran.stderr);
            for part in parts {
                assert!(ran.stderr.contains(part), "{part} is not in {}", ran.stderr);
            }
            assert!(!ran.stderr.contains("secret"), "{}", ran.stderr);
            says_nothing_twice(&ran.stderr);
        }
        let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = taken.local_addr().unwrap().to_string();
        let ran = abide(&["serve", "--listen", &address], b"");
        assert!(
            ran.status == 2 && ran.stderr.contains(&address),
            "{}",
            ran.stderr
        );
    }

    /// A cause that the message has already is not added to it.
    fn says_nothing_twice(text: &str) {
        let parts: Vec<_> = text.trim_end().split(": ").collect();
        let long = |part: &&&str| part.len() > 12;
        for (at, part) in parts.iter().enumerate().filter(|(_, part)| long(part)) {
            let is_again = parts.iter().skip(at + 1).any(|later| later.contains(part));
            assert!(!is_again, "{part} is twice in {text}");
        }
    }

    /// A second instance reads what the first one keeps, and keeps what it fetches after the first
    /// one has ended, as in a deployment. A third one that fetches nothing reads both.
    #[test]
    fn instances_share_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let cache = folder.path().to_str().unwrap();
        let robots = |_: &str| response("200 OK", "", "User-agent: *\nDisallow: /x\n");
        let (one, two) = (Server::start(robots), Server::start(robots));
        let outcome = |served: &Served, site: &Server| {
            let query = format!("/v1/decide?url={}&agent=A&slim=true", site.url("/x"));
            let answer = served.get(&query, "");
            let (_, rest) = answer.split_once("\"outcome\":\"").expect(&answer);
            rest.split('"').next().unwrap().to_owned()
        };
        let first = serve(&["--cache", cache, "--allow-private"], &[]);
        assert_eq!(outcome(&first, &one), "prohibited");
        let second = serve(&["--cache", cache, "--allow-private"], &[]);
        assert_eq!(outcome(&second, &one), "prohibited");
        assert_eq!(one.paths().len(), 1);
        first.end();
        assert_eq!(outcome(&second, &two), "prohibited");
        let log = second.end();
        assert_eq!(
            log.matches("another process writes the cache").count(),
            1,
            "{log}"
        );
        let third = serve(&["--cache", cache, "--offline"], &[]);
        for site in [&one, &two] {
            assert_eq!(outcome(&third, site), "prohibited");
        }
        third.end();
        assert_eq!((one.paths().len(), two.paths().len()), (1, 1));
    }

    /// A folder that may only be read serves with `--offline`; without it, the reason is told.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_folder_that_may_only_be_read() {
        let ran = abide(
            &["serve", "--listen", "127.0.0.1:0", "--cache", "/sys"],
            b"",
        );
        assert_eq!(ran.status, 2);
        for part in [
            "no file can be made in /sys",
            "let the user that runs the service write",
        ] {
            assert!(ran.stderr.contains(part), "{part} is not in {}", ran.stderr);
        }
        assert!(
            !ran.stderr.contains("robots.redb is read-only"),
            "{}",
            ran.stderr
        );
    }

    /// The answer to a request on a connection that stays open: its status and its body.
    fn ask(stream: &mut TcpStream, path: &str) -> (u16, String) {
        write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
        let mut text = Vec::new();
        loop {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            text.push(byte[0]);
            if text.ends_with(b"\r\n\r\n") {
                break;
            }
        }
        let head = String::from_utf8(text).unwrap().to_ascii_lowercase();
        let (_, length) = head.split_once("content-length: ").expect(&head);
        let length = length.lines().next().unwrap().parse().unwrap();
        let mut body = vec![0; length];
        stream.read_exact(&mut body).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, String::from_utf8(body).unwrap())
    }

    /// O1: without a file descriptor, connections wait, and a fetch fails as the service's own
    /// fault: the caller is told to ask again, and nothing is kept of it.
    #[cfg(target_os = "linux")]
    #[test]
    fn o1_no_descriptor_left() {
        let command = format!(
            "ulimit -n 64; exec '{}' serve --listen 127.0.0.1:0 --allow-private",
            env!("CARGO_BIN_EXE_abide")
        );
        let served = started(Command::new("sh").args(["-c", &command]));
        let mut kept = TcpStream::connect(&served.address).unwrap();
        assert_eq!(ask(&mut kept, "/healthz").0, 200);
        let others: Vec<_> = (0..100)
            .map(|_| TcpStream::connect(&served.address).unwrap())
            .collect();
        let site = Server::start(|_| response("200 OK", "", "User-agent: *\nDisallow: /x\n"));
        let query = format!("/v1/decide?url={}&agent=A", site.url("/x"));
        let start = Instant::now();
        while !ask(&mut kept, "/metrics").1.contains("not-accepted") {
            assert!(start.elapsed() < Duration::from_secs(10));
            std::thread::sleep(Duration::from_millis(20));
        }
        let (status, body) = ask(&mut kept, &query);
        assert_eq!(status, 503, "{body}");
        assert!(
            body.contains("\"code\":\"overloaded\"") && body.contains("file descriptor"),
            "{body}"
        );
        assert!(site.paths().is_empty());
        std::thread::sleep(Duration::from_millis(500));
        drop(others);
        let start = Instant::now();
        while ask(&mut kept, &query).0 != 200 && start.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(20));
        }
        let (status, body) = ask(&mut kept, &query);
        assert!(status == 200 && body.contains("prohibited"), "{body}");
        assert!(!body.contains("unreachable\""), "{body}");
        let (_, metrics) = ask(&mut kept, "/metrics");
        let faults = metrics
            .lines()
            .find(|line| line.starts_with("abide_local_faults_total"));
        assert_ne!(faults, Some("abide_local_faults_total 0"), "{metrics}");
        assert!(metrics.contains("process_max_fds 64"), "{metrics}");
        drop(kept);
        let log = served.end();
        assert!(log.contains("raise that limit (ulimit -n)"), "{log}");
        // Half a second of failures, and one line.
        let lines = log.matches("connections could not be accepted").count();
        assert_eq!(lines, 1, "{log}");
    }

    #[test]
    fn people_are_told_where_the_page_is() {
        let folder = tempfile::tempdir().unwrap();
        let seen = folder.path().join("seen");
        let program = env!("CARGO_BIN_EXE_abide");
        let id = folder.path().join("id");
        let command = format!(
            "echo $$ > '{}'; exec '{program}' serve --listen 127.0.0.1:0",
            id.display()
        );
        // `script` gives the program a terminal.
        let started = Command::new("script")
            .args(["--quiet", "--flush", "--command", &command])
            .arg(&seen)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn();
        let Ok(mut script) = started else {
            abide_testkit::needs::missing("people_are_told_where_the_page_is", "script");
            return;
        };
        let end = Instant::now() + Duration::from_secs(20);
        let text = || std::fs::read_to_string(&seen).unwrap_or_default();
        while !(text().contains("listening") && text().contains("Open ")) {
            assert!(Instant::now() < end, "{}", text());
            std::thread::sleep(Duration::from_millis(20));
        }
        let text = text();
        let address = text.split("\"address\":\"").nth(1).unwrap();
        let address = address.split('"').next().unwrap();
        assert!(text.contains(&format!("Open http://{address}/")), "{text}");
        let id = std::fs::read_to_string(&id).unwrap();
        let sent = Command::new("kill")
            .args(["-s", "TERM", id.trim()])
            .status();
        assert!(sent.unwrap().success());
        assert!(script.wait().unwrap().success());
        // Other programs find the address in the log, which is all that they read.
        let log = serve(&[], &[]).end();
        assert!(!log.contains("Open http"), "{log}");
    }

    impl Served {
        /// The outcome of crawl for a URL.
        fn crawl(&self, url: &str) -> String {
            let text = self.get(&format!("/v1/decide?url={url}&agent=ExampleBot"), "");
            let (head, body) = text.split_once("\r\n\r\n").unwrap();
            assert!(head.starts_with("HTTP/1.1 200 "), "{text}");
            let decision: serde_json::Value = serde_json::from_str(body).unwrap();
            let outcome = &decision["usages"]["crawl"]["outcome"];
            outcome.as_str().unwrap().to_owned()
        }

        /// The value of a counter without labels.
        fn count(&self, metric: &str) -> u64 {
            let text = self.get("/metrics", "");
            let value = text.lines().find_map(|line| line.strip_prefix(metric));
            value.unwrap_or("0").trim().parse().unwrap()
        }
    }

    /// A site whose file is fresh for an hour.
    fn fresh_site() -> Server {
        let rules = "User-agent: *\nDisallow: /private\n";
        Server::start(move |_| response("200 OK", "Cache-Control: max-age=3600\r\n", rules))
    }

    /// A site whose file only the first of `fleet` fetched, because all share a server. On a busy
    /// machine the server may answer one of them too late, which then fetches for itself; so this
    /// tries more than one site.
    fn shared_site(fleet: [&Served; 2]) -> Server {
        let began = Instant::now();
        loop {
            let site = fresh_site();
            for served in fleet {
                assert_eq!(served.crawl(&site.url("/private/x")), "prohibited");
            }
            if site.paths().len() == 1 {
                return site;
            }
            let waited = began.elapsed();
            assert!(waited < Duration::from_mins(1), "they never shared");
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// What one process fetched, another answers from the server that they share. While the server
    /// is away, each fetches for itself; once it is back, they share again.
    #[test]
    fn processes_share_a_server_that_may_go_away() {
        let Some(mut valkey) = ValkeyServer::start("processes_share_a_server") else {
            return;
        };
        let cache = valkey.url();
        let start = || serve(&["--allow-private", "--cache", &cache], &[]);
        let (first, second) = (start(), start());
        let site = shared_site([&first, &second]);
        assert_eq!(second.crawl(&site.url("/public")), "permitted");
        // A server that is there fails only by being late.
        let log = first.end();
        for line in log.lines().filter(|line| line.contains("the cache failed")) {
            assert!(line.contains("did not answer in time"), "{line}");
        }

        valkey.kill();
        // What a process has in memory it still answers without a fetch.
        let page = site.url("/private/x");
        assert_eq!(second.crawl(&page), "prohibited");
        assert_eq!(site.paths().len(), 1);
        let third = start();
        assert_eq!(third.crawl(&page), "prohibited");
        assert_eq!(
            (site.paths().len(), third.count("abide_fetches_total")),
            (2, 1)
        );
        assert!(third.count("abide_store_failures_total") > 0);
        assert!(third.get("/readyz", "").starts_with("HTTP/1.1 200 "));

        valkey.restart();
        shared_site([&third, &second]);
        let log = third.end();
        assert!(log.contains("the cache failed"), "{log}");
        second.end();
    }

    #[test]
    fn the_unit_for_systemd_is_valid() {
        let unit = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../packaging/abide-serve.service"
        );
        let text = std::fs::read_to_string(unit).unwrap();
        // Where abide is not installed, the unit names the one that was built.
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("abide-serve.service");
        std::fs::write(
            &own,
            text.replace("/usr/bin/abide", env!("CARGO_BIN_EXE_abide")),
        )
        .unwrap();
        let Ok(output) = Command::new("systemd-analyze")
            .arg("verify")
            .arg(&own)
            .output()
        else {
            abide_testkit::needs::missing("the_unit_for_systemd", "systemd-analyze");
            return;
        };
        let shown = String::from_utf8_lossy(&output.stderr);
        let about_it: Vec<_> = shown
            .lines()
            .filter(|line| line.contains("abide-serve"))
            .collect();
        assert!(about_it.is_empty(), "{about_it:?}");
    }
}
