//! Protego, of Python, in a process of its own: `protego_server.py` gets cases once, and times
//! parsing and matching alone.

use super::{Contestant, Warm};
use crate::contest::{Pass, Sample};
use crate::corpus::{Case, repository};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::rc::Rc;

/// Protego, where `python3` has it or can have it.
#[derive(Debug)]
pub struct Protego(Rc<RefCell<Server>>);

#[derive(Debug)]
struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// Which cases the process holds, by [`fingerprint`].
    loaded: Option<u64>,
}

impl Protego {
    /// Starts the process: with the `python3` that is there, or with an environment of its own
    /// under `target/`, into which protego is installed. `None` where neither works.
    #[must_use]
    pub fn start() -> Option<Self> {
        let python = with_protego()?;
        let mut child = Command::new(python)
            .arg(repository().join("benches/protego_server.py"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let input = child.stdin.take()?;
        let output = BufReader::new(child.stdout.take()?);
        Some(Self(Rc::new(RefCell::new(Server {
            child,
            input,
            output,
            loaded: None,
        }))))
    }
}

fn with_protego() -> Option<PathBuf> {
    let has = |python: &PathBuf| {
        let mut import = Command::new(python);
        let import = import.args(["-c", "import protego"]).stderr(Stdio::null());
        import.status().is_ok_and(|status| status.success())
    };
    let system = PathBuf::from("python3");
    if has(&system) {
        return Some(system);
    }
    let folder = repository().join("benches/target/protego");
    let own = folder.join("bin/python3");
    if !has(&own) {
        let quiet = |command: &mut Command| command.stdout(Stdio::null()).status().ok();
        quiet(Command::new(system).args(["-m", "venv"]).arg(&folder))?;
        quiet(Command::new(&own).args(["-m", "pip", "install", "-q", "protego==0.7.0"]))?;
    }
    has(&own).then_some(own)
}

impl Server {
    fn ask(&mut self, request: &Value) -> Option<Value> {
        writeln!(self.input, "{request}").ok()?;
        self.input.flush().ok()?;
        let mut line = String::new();
        self.output.read_line(&mut line).ok()?;
        serde_json::from_str(&line).ok()
    }

    fn load(&mut self, cases: &[Case]) {
        let key = fingerprint(cases);
        if self.loaded != Some(key) {
            let cases: Vec<Value> = cases.iter().map(as_json).collect();
            self.ask(&json!({"do": "load", "cases": cases}));
            self.loaded = Some(key);
        }
    }

    fn pass(&mut self, work: &str, cases: &[Case], sample: &Sample) -> Pass {
        self.load(cases);
        let request = json!({"do": work, "cases": sample.case_step, "urls": sample.url_step});
        let answer = self.ask(&request).unwrap_or(Value::Null);
        let number = |name: &str| answer[name].as_u64().unwrap_or(0);
        Pass {
            items: number("items"),
            nanoseconds: number("nanoseconds"),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "{}", json!({"do": "end"}));
        let _ = self.input.flush();
        let _ = self.child.wait();
    }
}

/// A hash of files and URLs; addresses would not do, for other cases may come to lie at the same.
fn fingerprint(cases: &[Case]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for case in cases {
        case.bytes.hash(&mut hasher);
        case.urls.hash(&mut hasher);
    }
    hasher.finish()
}

/// Bytes as characters of the same numbers, for JSON has no bytes.
fn as_json(case: &Case) -> Value {
    let robots: String = case.bytes.iter().map(|&byte| char::from(byte)).collect();
    json!({"robots": robots, "urls": case.urls})
}

impl Contestant for Protego {
    fn name(&self) -> &'static str {
        "protego"
    }

    fn answers(&self, case: &Case) -> Option<Vec<bool>> {
        let request = json!({"do": "answers", "case": as_json(case)});
        let answer = self.0.borrow_mut().ask(&request)?;
        let answers = answer["answers"].as_array()?;
        answers.iter().map(Value::as_bool).collect()
    }

    fn cold(&self, cases: &[Case], sample: &Sample) -> Pass {
        self.0.borrow_mut().pass("cold", cases, sample)
    }

    fn compile(&self, cases: &[Case], sample: &Sample) -> Pass {
        self.0.borrow_mut().pass("compile", cases, sample)
    }

    fn warm<'c>(&self, cases: &'c [Case]) -> Box<dyn Warm + 'c> {
        Box::new(WarmProtego {
            server: Rc::clone(&self.0),
            cases,
        })
    }
}

struct WarmProtego<'c> {
    server: Rc<RefCell<Server>>,
    cases: &'c [Case],
}

impl Warm for WarmProtego<'_> {
    fn pass(&mut self, sample: &Sample) -> Pass {
        self.server.borrow_mut().pass("warm", self.cases, sample)
    }
}
