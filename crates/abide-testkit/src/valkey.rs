//! A real server of the Redis protocol on loopback: Valkey, or Redis if Valkey is not installed. It
//! keeps nothing on disk and ends when it is dropped.

#![allow(
    clippy::missing_panics_doc,
    reason = "a server that cannot be started is a test that failed"
)]

use crate::needs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Far longer than any answer takes.
const HANG: Duration = Duration::from_mins(5);

/// A server for one test.
#[derive(Debug)]
pub struct ValkeyServer {
    child: Child,
    program: &'static str,
    port: u16,
    folder: PathBuf,
}

impl ValkeyServer {
    /// Starts a server for this test. Reports what is [missing](needs::missing) if none is
    /// installed.
    #[must_use]
    pub fn start(test: &str) -> Option<Self> {
        let has = |program: &&str| {
            let mut command = Command::new(program);
            let ended = command.arg("--version").stdout(Stdio::null()).status();
            ended.is_ok_and(|status| status.success())
        };
        let program = ["valkey-server", "redis-server"].into_iter().find(has);
        let Some(program) = program else {
            needs::missing(test, "valkey-server or redis-server");
            return None;
        };
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let port = listener.local_addr().expect("it has an address").port();
        drop(listener);
        let folder = format!("abide-{}-{port}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let mut server = Self {
            child: spawn(program, port, &folder),
            program,
            port,
            folder,
        };
        server.await_start();
        Some(server)
    }

    fn await_start(&mut self) {
        let began = Instant::now();
        while !self.admin(&["PING"]).contains("PONG") {
            assert!(began.elapsed() < HANG, "no server");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// The URL of its port.
    #[must_use]
    pub fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// The URL of its socket.
    #[must_use]
    pub fn socket_url(&self) -> String {
        format!("unix://{}", self.folder.join("socket").display())
    }

    /// Its process, for signals.
    #[must_use]
    pub fn process(&self) -> &Child {
        &self.child
    }

    /// Kills it at once, like a crash.
    pub fn kill(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }

    /// Starts it again at the same port, with nothing in it.
    pub fn restart(&mut self) {
        self.child = spawn(self.program, self.port, &self.folder);
        self.await_start();
    }

    /// The answer to a command, lossily decoded as text; empty if there is no answer.
    #[must_use]
    pub fn admin(&self, words: &[&str]) -> String {
        let say = || {
            let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
            stream.set_read_timeout(Some(HANG))?;
            write!(stream, "*{}\r\n", words.len())?;
            for word in words {
                write!(stream, "${}\r\n{word}\r\n", word.len())?;
            }
            let mut reply = [0; 4_096];
            let length = stream.read(&mut reply)?;
            std::io::Result::Ok(String::from_utf8_lossy(&reply[..length]).into_owned())
        };
        say().unwrap_or_default()
    }

    /// Runs a command that must succeed.
    pub fn order(&self, words: &[&str]) {
        let reply = self.admin(words);
        let is_done = reply.starts_with('+') || reply.starts_with(':');
        assert!(is_done, "{words:?}: {reply}");
    }

    /// How often it has run the command `name`, given in lower case.
    #[must_use]
    pub fn calls(&self, name: &str) -> usize {
        let reply = self.admin(&["INFO", "commandstats"]);
        let start = format!("cmdstat_{name}:calls=");
        let calls = reply.lines().find_map(|line| line.strip_prefix(&start));
        let calls = calls.and_then(|calls| calls.split(',').next());
        calls.map_or(0, |calls| calls.parse().expect("a number"))
    }

    /// How many connections it has accepted so far.
    #[must_use]
    pub fn connections(&self) -> usize {
        let reply = self.admin(&["INFO", "stats"]);
        let mut lines = reply.lines();
        let count = lines.find_map(|line| line.strip_prefix("total_connections_received:"));
        let count = count.expect("it counts connections");
        count.trim().parse().expect("a number")
    }
}

fn spawn(program: &str, port: u16, folder: &Path) -> Child {
    Command::new(program)
        .args(["--port", &port.to_string(), "--bind", "127.0.0.1"])
        .args(["--save", "", "--appendonly", "no"])
        .arg("--unixsocket")
        .arg(folder.join("socket"))
        .arg("--dir")
        .arg(folder)
        .args(["--lua-time-limit", "50"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the server starts")
}

impl Drop for ValkeyServer {
    fn drop(&mut self) {
        self.kill();
        drop(std::fs::remove_dir_all(&self.folder));
    }
}
