//! A real server, started for one test and ended with it.

use crate::HANG;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Valkey, or Redis if Valkey is not installed.
pub(super) struct Real {
    child: Child,
    program: &'static str,
    port: u16,
    folder: PathBuf,
}

impl Real {
    /// Starts a server; `None` if none is installed.
    pub(super) fn new() -> Option<Self> {
        let has = |program: &&str| {
            let mut command = Command::new(program);
            let told = command.arg("--version").stdout(Stdio::null()).status();
            told.is_ok_and(|status| status.success())
        };
        let program = ["valkey-server", "redis-server"].into_iter().find(has);
        let Some(program) = program else {
            let test = std::thread::current().name().unwrap_or_default().to_owned();
            abide_testkit::needs::missing(&test, "valkey-server or redis-server");
            return None;
        };
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let folder = format!("abide-{}-{port}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        std::fs::create_dir_all(&folder).unwrap();
        let mut server = Self {
            child: start(program, port, &folder),
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

    pub(super) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// The URL of this server's socket.
    pub(super) fn socket_url(&self) -> String {
        format!("unix://{}", self.folder.join("socket").display())
    }

    /// Kills the server at once, like a crash.
    pub(super) fn kill(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }

    pub(super) fn restart(&mut self) {
        self.child = start(self.program, self.port, &self.folder);
        self.await_start();
    }

    /// Stops the process. The system still accepts connections for it.
    pub(super) fn stop(&self) {
        crate::stop(&self.child);
    }

    /// Lets a stopped process continue.
    pub(super) fn go_on(&self) {
        crate::signal(&self.child, "-CONT");
    }

    /// The answer to a command, lossily decoded as text; empty if there is no answer.
    pub(super) fn admin(&self, words: &[&str]) -> String {
        let say = || {
            let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
            stream.set_read_timeout(Some(HANG))?;
            write!(stream, "*{}\r\n", words.len())?;
            for word in words {
                write!(stream, "${}\r\n{word}\r\n", word.len())?;
            }
            let mut said = [0; 4_096];
            let length = stream.read(&mut said)?;
            std::io::Result::Ok(String::from_utf8_lossy(&said[..length]).into_owned())
        };
        say().unwrap_or_default()
    }

    /// Runs a command that must succeed.
    pub(super) fn order(&self, words: &[&str]) {
        let said = self.admin(words);
        let is_done = said.starts_with('+') || said.starts_with(':');
        assert!(is_done, "{words:?}: {said}");
    }

    /// How often the server has run the command `name`, given in lower case.
    pub(super) fn calls(&self, name: &str) -> usize {
        let said = self.admin(&["INFO", "commandstats"]);
        let start = format!("cmdstat_{name}:calls=");
        let calls = said.lines().find_map(|line| line.strip_prefix(&start));
        let calls = calls.and_then(|calls| calls.split(',').next());
        calls.map_or(0, |calls| calls.parse().unwrap())
    }

    /// How many connections it has accepted so far.
    pub(super) fn connections(&self) -> usize {
        let said = self.admin(&["INFO", "stats"]);
        let line = said
            .lines()
            .find_map(|line| line.strip_prefix("total_connections_received:"));
        line.unwrap().trim().parse().unwrap()
    }
}

fn start(program: &str, port: u16, folder: &std::path::Path) -> Child {
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
        .unwrap()
}

impl Drop for Real {
    fn drop(&mut self) {
        self.kill();
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

/// Time until a breaker that opened for the first time lets a probe through.
pub(super) const PROBED: Duration = Duration::from_millis(1_250);

/// Waits a moment, so that events which must not happen get a chance to. No test waits for an
/// expected event with this.
pub(super) async fn settle() {
    tokio::time::sleep(Duration::from_millis(60)).await;
}
