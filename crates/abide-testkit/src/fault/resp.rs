//! A server of the Valkey and Redis protocol that misbehaves as a test asks, and behaves correctly
//! otherwise. It stays on loopback and ends when it is dropped.

#![allow(
    clippy::missing_panics_doc,
    clippy::unwrap_used,
    reason = "a test bed that cannot be set up is a test that failed"
)]

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// One command that the server received.
#[derive(Clone, Debug)]
pub struct ReceivedCommand {
    /// The connection it came on, counted from 0.
    pub connection: usize,
    /// Its name, in upper case.
    pub name: String,
    /// The words after the name.
    pub arguments: Vec<Vec<u8>>,
}

impl ReceivedCommand {
    /// The key that the command concerns; empty if there is none.
    #[must_use]
    pub fn key(&self) -> String {
        let key = self.arguments.first().map(Vec::as_slice);
        String::from_utf8_lossy(key.unwrap_or_default()).into_owned()
    }
}

/// One action in answer to a command.
#[derive(Clone, Debug)]
pub enum Act {
    /// Sends these bytes.
    Say(Vec<u8>),
    /// Sends the bytes in pieces of this size, with a pause after each.
    Drip(Vec<u8>, usize, Duration),
    /// Sends the bytes repeatedly until the client disconnects.
    Endless(Vec<u8>),
    /// Waits.
    Sleep(Duration),
    /// Sends the answer of a correct server.
    Answer,
    /// Sends nothing until the client disconnects.
    Hang,
    /// Closes the connection.
    Close,
}

type RespScript = dyn Fn(&ReceivedCommand) -> Vec<Act> + Send + Sync;
type Values = HashMap<Vec<u8>, (Vec<u8>, Option<Instant>)>;

/// A server of the Valkey and Redis protocol; its script chooses the answer to each command.
#[derive(Debug)]
pub struct RespServer {
    address: SocketAddr,
    seen: Arc<SeenCommands>,
}

#[derive(Debug, Default)]
struct SeenCommands {
    connections: AtomicUsize,
    commands: Mutex<Vec<ReceivedCommand>>,
    bytes: AtomicUsize,
    values: Mutex<Values>,
    is_over: AtomicBool,
}

impl RespServer {
    /// Starts a server that answers each command with the actions `script` returns.
    pub fn new(script: impl Fn(&ReceivedCommand) -> Vec<Act> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(SeenCommands::default());
        let (noted, script): (_, Arc<RespScript>) = (Arc::clone(&seen), Arc::new(script));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if noted.is_over.load(Ordering::SeqCst) {
                    return;
                }
                let connection = noted.connections.fetch_add(1, Ordering::SeqCst);
                let (noted, script) = (Arc::clone(&noted), Arc::clone(&script));
                // An error means that the client disconnected, which it may do at any time.
                std::thread::spawn(move || drop(converse(stream, connection, &noted, &*script)));
            }
        });
        Self { address, seen }
    }

    /// Starts a server that behaves correctly.
    #[must_use]
    pub fn good() -> Self {
        Self::new(|_| vec![Act::Answer])
    }

    /// The address of the server as a URL.
    #[must_use]
    pub fn url(&self) -> String {
        format!("redis://{}", self.address)
    }

    /// The number of connections so far.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.seen.connections.load(Ordering::SeqCst)
    }

    /// The number of bytes sent.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.seen.bytes.load(Ordering::SeqCst)
    }

    /// All commands so far, in order.
    #[must_use]
    pub fn commands(&self) -> Vec<ReceivedCommand> {
        self.seen.commands.lock().unwrap().clone()
    }

    /// How often the command `name` was received.
    #[must_use]
    pub fn count(&self, name: &str) -> usize {
        let command = self.seen.commands.lock().unwrap();
        command
            .iter()
            .filter(|command| command.name == name)
            .count()
    }

    /// Stores `value` under `key`.
    pub fn put(&self, key: &str, value: impl Into<Vec<u8>>) {
        let mut values = self.seen.values.lock().unwrap();
        values.insert(key.into(), (value.into(), None));
    }

    /// The value stored under `key`.
    #[must_use]
    pub fn value(&self, key: &str) -> Option<Vec<u8>> {
        let values = self.seen.values.lock().unwrap();
        values.get(key.as_bytes()).map(|(value, _)| value.clone())
    }
}

impl Drop for RespServer {
    fn drop(&mut self) {
        self.seen.is_over.store(true, Ordering::SeqCst);
        // Wakes the accept loop, which then sees the flag.
        drop(TcpStream::connect(self.address));
    }
}

fn converse(
    mut stream: TcpStream,
    connection: usize,
    seen: &SeenCommands,
    script: &RespScript,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    loop {
        let mut words = command(&mut reader)?.into_iter();
        let name = words.next().unwrap_or_default().to_ascii_uppercase();
        let commands = ReceivedCommand {
            connection,
            name: String::from_utf8_lossy(&name).into_owned(),
            arguments: words.collect(),
        };
        seen.commands.lock().unwrap().push(commands.clone());
        for act in script(&commands) {
            match act {
                Act::Say(bytes) => say(&mut stream, &bytes, seen)?,
                Act::Drip(bytes, length, pause) => {
                    for piece in bytes.chunks(length) {
                        say(&mut stream, piece, seen)?;
                        std::thread::sleep(pause);
                    }
                }
                Act::Endless(bytes) => loop {
                    say(&mut stream, &bytes, seen)?;
                },
                Act::Sleep(pause) => std::thread::sleep(pause),
                Act::Answer => say(&mut stream, &answer(&commands, seen), seen)?,
                Act::Hang => {
                    reader.read_to_end(&mut Vec::new())?;
                    return Ok(());
                }
                Act::Close => return Ok(()),
            }
        }
    }
}

fn say(stream: &mut TcpStream, bytes: &[u8], seen: &SeenCommands) -> io::Result<()> {
    stream.write_all(bytes)?;
    seen.bytes.fetch_add(bytes.len(), Ordering::SeqCst);
    Ok(())
}

fn command(reader: &mut BufReader<TcpStream>) -> io::Result<Vec<Vec<u8>>> {
    let words = number(reader)?;
    (0..words)
        .map(|_| {
            let mut word = vec![0; number(reader)?];
            reader.read_exact(&mut word)?;
            reader.read_exact(&mut [0; 2])?;
            Ok(word)
        })
        .collect()
}

/// The number on the next line, after the byte that says what it counts.
fn number(reader: &mut BufReader<TcpStream>) -> io::Result<usize> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let number = line
        .trim_end()
        .get(1..)
        .and_then(|number| number.parse().ok());
    number.ok_or_else(|| io::Error::other("no command"))
}

/// The answer of a correct server.
fn answer(command: &ReceivedCommand, seen: &SeenCommands) -> Vec<u8> {
    let mut values = seen.values.lock().unwrap();
    values.retain(|_, (_, until)| until.is_none_or(|until| until > Instant::now()));
    let argument = |at: usize| command.arguments.get(at).cloned().unwrap_or_default();
    let key = argument(0);
    match command.name.as_str() {
        "GETRANGE" => {
            let last: usize = String::from_utf8_lossy(&argument(2)).parse().unwrap_or(0);
            let value = values.get(&key).map(|(value, _)| value.as_slice());
            bulk(
                value
                    .unwrap_or_default()
                    .chunks(last + 1)
                    .next()
                    .unwrap_or_default(),
            )
        }
        "GET" => values
            .get(&key)
            .map_or_else(|| b"$-1\r\n".to_vec(), |(value, _)| bulk(value)),
        "SET" => {
            if command.arguments.iter().any(|word| word == b"NX") && values.contains_key(&key) {
                return b"$-1\r\n".to_vec();
            }
            let after = command
                .arguments
                .iter()
                .skip_while(|word| *word != b"PX")
                .nth(1);
            values.insert(key, (argument(1), after.and_then(|millis| until(millis))));
            b"+OK\r\n".to_vec()
        }
        "PEXPIRE" => match values.get_mut(&key) {
            None => b":0\r\n".to_vec(),
            Some((_, ends)) => {
                *ends = until(&argument(1));
                b":1\r\n".to_vec()
            }
        },
        "DEL" => format!(":{}\r\n", usize::from(values.remove(&key).is_some())).into_bytes(),
        "AUTH" | "SELECT" => b"+OK\r\n".to_vec(),
        other => format!("-ERR unknown command '{other}'\r\n").into_bytes(),
    }
}

fn until(millis: &[u8]) -> Option<Instant> {
    let millis = String::from_utf8_lossy(millis).parse().ok()?;
    Instant::now().checked_add(Duration::from_millis(millis))
}

fn bulk(value: &[u8]) -> Vec<u8> {
    [format!("${}\r\n", value.len()).as_bytes(), value, b"\r\n"].concat()
}
