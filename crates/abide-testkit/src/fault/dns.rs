//! A DNS server over UDP and TCP: it answers each question as its script says, correctly or not.

use super::{Stop, listen, serve};
use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UdpSocket};

/// A question that a server received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DnsQuestion {
    /// The name, in lower case, without a final dot.
    pub name: String,
    /// The type: 1 for A, 28 for AAAA.
    pub kind: u16,
    /// How often this name and type were asked before, on any of the servers.
    pub nth: usize,
    /// Whether the question came over TCP.
    pub is_tcp: bool,
    /// Which of the servers received it: 0 for the first one.
    pub server: usize,
}

/// One record of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The owner name [default: the name in the question].
    pub owner: Option<String>,
    /// Seconds to live.
    pub ttl: u32,
    /// The record's data.
    pub data: Data,
}

/// The data of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Data {
    /// A or AAAA.
    Address(IpAddr),
    /// CNAME.
    Alias(String),
}

/// One reply to a question. A script that returns no replies leaves the question unanswered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// 0 for no error, 2 for SERVFAIL, 3 for NXDOMAIN, 5 for REFUSED.
    pub code: u8,
    /// The answer's records.
    pub records: Vec<Record>,
    /// Whether the truncation bit is set.
    pub is_truncated: bool,
    /// Whether the message ID differs from the one in the question.
    pub has_wrong_id: bool,
    /// Whether the reply repeats a different question.
    pub has_wrong_question: bool,
    /// How long the server waits before it sends the reply.
    pub after: Duration,
    /// Bytes to send after the message ID, in place of everything else.
    pub raw: Option<Vec<u8>>,
}

impl Reply {
    /// A reply with those of the addresses that have the requested type.
    pub fn addresses(question: &DnsQuestion, addresses: &[IpAddr]) -> Self {
        let is_of_kind = |address: &&IpAddr| match question.kind {
            1 => address.is_ipv4(),
            28 => address.is_ipv6(),
            _ => false,
        };
        let records = addresses.iter().filter(is_of_kind).map(|address| Record {
            owner: None,
            ttl: 60,
            data: Data::Address(*address),
        });
        Self {
            records: records.collect(),
            ..Self::default()
        }
    }

    /// A reply with an error code and no records.
    pub fn failure(code: u8) -> Self {
        Self {
            code,
            ..Self::default()
        }
    }
}

type ReplyChoice = Arc<dyn Fn(&DnsQuestion) -> Vec<Reply> + Send + Sync>;

/// One or more DNS servers that share a script.
#[derive(Debug)]
pub struct DnsServer {
    questions: Arc<Mutex<Vec<DnsQuestion>>>,
    _stop: Stop,
}

impl DnsServer {
    /// Starts servers at these addresses. The script returns the replies to a question in order; an
    /// empty list means no answer.
    pub fn at(
        addresses: &[&str],
        choice: impl Fn(&DnsQuestion) -> Vec<Reply> + Send + Sync + 'static,
    ) -> Self {
        let sockets: Vec<_> = addresses
            .iter()
            .map(|address| {
                let udp = std::net::UdpSocket::bind(address)
                    .unwrap_or_else(|error| panic!("cannot listen at {address}: {error}"));
                udp.set_nonblocking(true)
                    .expect("a socket without blocking");
                (udp, listen(address).0)
            })
            .collect();
        let questions = Arc::<Mutex<Vec<DnsQuestion>>>::default();
        let script = Names {
            choice: Arc::new(choice),
            questions: Arc::clone(&questions),
            counts: Arc::default(),
        };
        let stop = serve(move || async move {
            let mut servers = tokio::task::JoinSet::new();
            for (server, (udp, tcp)) in sockets.into_iter().enumerate() {
                let udp = UdpSocket::from_std(udp).expect("a socket of the runtime");
                let tcp = TcpListener::from_std(tcp).expect("a listener of the runtime");
                servers.spawn(datagrams(Arc::new(udp), script.clone(), server));
                servers.spawn(streams(tcp, script.clone(), server));
            }
            servers.join_all().await;
        });
        Self {
            questions,
            _stop: stop,
        }
    }

    /// All questions so far, in order.
    pub fn questions(&self) -> Vec<DnsQuestion> {
        let questions = self.questions.lock();
        questions.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[derive(Clone)]
struct Names {
    choice: ReplyChoice,
    questions: Arc<Mutex<Vec<DnsQuestion>>>,
    counts: Arc<Mutex<HashMap<(String, u16), usize>>>,
}

impl Names {
    /// Records the question of `message` and returns the replies to it.
    fn replies_to(&self, message: &[u8], is_tcp: bool, server: usize) -> Vec<Reply> {
        let Some((name, kind)) = question(message) else {
            return Vec::new();
        };
        let nth = {
            let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
            let count = counts.entry((name.clone(), kind)).or_default();
            *count += 1;
            *count - 1
        };
        let question = DnsQuestion {
            name,
            kind,
            nth,
            is_tcp,
            server,
        };
        let replies = (self.choice)(&question);
        let mut questions = self
            .questions
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        questions.push(question);
        replies
    }
}

async fn datagrams(socket: Arc<UdpSocket>, names: Names, server: usize) {
    let mut message = [0; 4_096];
    loop {
        let Ok((length, from)) = socket.recv_from(&mut message).await else {
            continue;
        };
        let message = message[..length].to_vec();
        let replies = names.replies_to(&message, false, server);
        let socket = Arc::clone(&socket);
        tokio::spawn(async move { send_to(&socket, from, &message, &replies).await });
    }
}

async fn send_to(socket: &UdpSocket, to: SocketAddr, message: &[u8], replies: &[Reply]) {
    for reply in replies {
        tokio::time::sleep(reply.after).await;
        let _ = socket.send_to(&encoded(message, reply), to).await;
    }
}

async fn streams(listener: TcpListener, names: Names, server: usize) {
    loop {
        if let Ok((stream, _)) = listener.accept().await {
            let names = names.clone();
            tokio::spawn(async move {
                // Without a reply the connection stays open.
                let _ = stream_of(stream, &names, server).await;
            });
        }
    }
}

async fn stream_of(mut stream: TcpStream, names: &Names, server: usize) -> std::io::Result<()> {
    loop {
        let length = stream.read_u16().await?;
        let mut message = vec![0; usize::from(length)];
        stream.read_exact(&mut message).await?;
        for reply in names.replies_to(&message, true, server) {
            tokio::time::sleep(reply.after).await;
            let bytes = encoded(&message, &reply);
            let length = u16::try_from(bytes.len()).unwrap_or(u16::MAX);
            stream.write_u16(length).await?;
            stream.write_all(&bytes).await?;
        }
    }
}

/// The name and type of a message's first question.
fn question(message: &[u8]) -> Option<(String, u16)> {
    let (mut labels, mut at) = (Vec::new(), 12);
    loop {
        let length = usize::from(*message.get(at)?);
        at += 1;
        if length == 0 {
            break;
        }
        let label = message.get(at..at + length)?;
        labels.push(String::from_utf8_lossy(label).to_ascii_lowercase());
        at += length;
    }
    let kind = message.get(at..at + 2)?;
    Some((labels.join("."), u16::from_be_bytes([kind[0], kind[1]])))
}

/// Encodes a reply to the question of `message`.
fn encoded(message: &[u8], reply: &Reply) -> Vec<u8> {
    let mut bytes = message[..2].to_vec();
    if reply.has_wrong_id {
        bytes[0] ^= 0xFF;
    }
    if let Some(raw) = &reply.raw {
        bytes.extend_from_slice(raw);
        return bytes;
    }
    let (name, kind) = question(message).unwrap_or_default();
    let truncated = if reply.is_truncated { 0x02 } else { 0 };
    bytes.extend([0x81 | truncated, 0x80 | reply.code, 0, 1]);
    let count = u16::try_from(reply.records.len()).unwrap_or(u16::MAX);
    bytes.extend(count.to_be_bytes());
    bytes.extend([0, 0, 0, 0]);
    let question_name = if reply.has_wrong_question {
        format!("not-{name}")
    } else {
        name.clone()
    };
    bytes.extend(labels(&question_name));
    bytes.extend(kind.to_be_bytes());
    bytes.extend([0, 1]);
    for record in &reply.records {
        match &record.owner {
            // A pointer to the name in the question, which follows the header.
            None => bytes.extend([0xC0, 12]),
            Some(owner) => bytes.extend(labels(owner)),
        }
        let (kind, data) = match &record.data {
            Data::Address(IpAddr::V4(address)) => (1_u16, address.octets().to_vec()),
            Data::Address(IpAddr::V6(address)) => (28, address.octets().to_vec()),
            Data::Alias(name) => (5, labels(name)),
        };
        bytes.extend(kind.to_be_bytes());
        bytes.extend([0, 1]);
        bytes.extend(record.ttl.to_be_bytes());
        bytes.extend(u16::try_from(data.len()).unwrap_or(u16::MAX).to_be_bytes());
        bytes.extend(data);
    }
    bytes
}

fn labels(name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for label in name.split('.').filter(|label| !label.is_empty()) {
        bytes.push(u8::try_from(label.len()).unwrap_or(63));
        bytes.extend_from_slice(label.as_bytes());
    }
    bytes.push(0);
    bytes
}
