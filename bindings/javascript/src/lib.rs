//! The WebAssembly module of the npm package `abide-robots`.
//!
//! It holds no rule of its own: it hands bytes, names and URLs to the crates that the `abide`
//! command calls too. Requests are JSON that `abide-contract` reads strictly, and answers are the
//! contract's. `package/module.ts` is the other side of this interface.
//!
//! JavaScript writes what it asks into [`room`] and calls one function: one crossing for each
//! question. A module has its own memory and state, so that after a trap JavaScript replaces it by
//! a new instance, which bindings that keep their state in JavaScript cannot do.
//!
//! - `exchange`: what is asked and answered; `policy`: compiled files; `retrieval`: what to fetch,
//!   and which rules apply; `tools`: the linter and its relatives, by their names; `page`: those
//!   that only the module of the web page has.

mod exchange;
#[cfg(feature = "page")]
mod page;
#[cfg(feature = "package")]
mod policy;
#[cfg(feature = "retrieval")]
mod retrieval;
mod tools;

use abide_contract::RequestError;
use exchange::Exchange;
#[cfg(feature = "package")]
use policy::{LastClient, Policies};
use std::cell::RefCell;

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

#[derive(Default)]
struct State {
    exchange: Exchange,
    #[cfg(feature = "package")]
    policies: Policies,
    #[cfg(feature = "package")]
    last_client: LastClient,
}

/// The answer of a function that has written what is wrong.
const FAILED: u32 = u32::MAX;

/// Runs `ask`, and writes what is wrong if it fails.
fn with(ask: impl FnOnce(&mut State) -> Result<u32, RequestError>) -> u32 {
    STATE.with_borrow_mut(|state| {
        ask(state).unwrap_or_else(|error| {
            state.exchange.write_error(&error);
            FAILED
        })
    })
}

/// Makes room for the next question, of so many bytes, and returns where it begins.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| state.exchange.room(bytes))
}

/// Where the last answer begins: its text, and behind it its bytes.
#[unsafe(no_mangle)]
pub extern "C" fn answer_at() -> *const u8 {
    STATE.with_borrow(|state| state.exchange.answer().as_ptr())
}

/// How many bytes the text of the last answer has.
#[unsafe(no_mangle)]
pub extern "C" fn answer_text() -> usize {
    STATE.with_borrow(|state| state.exchange.text_length())
}

/// How many bytes the last answer has.
#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    STATE.with_borrow(|state| state.exchange.answer().len())
}

/// Compiles a robots.txt for the client of a request, and returns the number of the policy. In the
/// room are the request and, unless its length is [`exchange::ABSENT`], the file.
#[cfg(feature = "package")]
#[unsafe(no_mangle)]
pub extern "C" fn compile(request: usize, file: usize) -> u32 {
    with(|state| {
        let [request, file] = state.exchange.asked([request, file]);
        state.policies.add(request.unwrap_or_default(), file)
    })
}

/// Compiles the rules of a site for the client of a request, and returns the number of the policy.
/// In the room are the request, a question to `retrieval`, and the record of the site.
#[cfg(feature = "retrieval")]
#[unsafe(no_mangle)]
pub extern "C" fn compile_site(request: usize, question: usize, record: usize) -> u32 {
    with(|state| {
        let [request, question, record] = state.exchange.asked([request, question, record]);
        let [request, question] = [request, question].map(Option::unwrap_or_default);
        state.policies.add_site(request, question, record)
    })
}

/// Forgets a policy.
#[cfg(feature = "package")]
#[unsafe(no_mangle)]
pub extern "C" fn release(policy: u32) {
    STATE.with_borrow_mut(|state| state.policies.remove(policy));
}

/// Whether a policy allows the URL in the room: 1 or 0.
#[cfg(feature = "package")]
#[unsafe(no_mangle)]
pub extern "C" fn allows(policy: u32, url: usize) -> u32 {
    with(|state| {
        let [url] = state.exchange.asked([url]);
        state.policies.allows(policy, url.unwrap_or_default())
    })
}

/// Whether a policy allows each of the URLs in the room, with NUL between them. The answer has a
/// byte for each: 1, 0, or 2 for a URL that cannot be read.
#[cfg(feature = "package")]
#[unsafe(no_mangle)]
pub extern "C" fn allows_many(policy: u32, urls: usize) -> u32 {
    with(|state| {
        let (urls, answer) = state.exchange.asked_and_answer(urls);
        state.policies.allows_many(policy, urls, answer);
        Ok(0)
    })
}

/// Decides about a page. In the room are the question and, unless its length is
/// [`exchange::ABSENT`], the source of the page.
#[cfg(feature = "package")]
#[unsafe(no_mangle)]
pub extern "C" fn decide(policy: u32, question: usize, html: usize) -> u32 {
    with(|state| {
        let [question, html] = state.exchange.asked([question, html]);
        let line = state
            .policies
            .decide(policy, question.unwrap_or_default(), html)?;
        state.exchange.write(line.as_bytes(), &[]);
        Ok(0)
    })
}

/// Whether the robot of a request may crawl a URL, without compiling the file. In the room are the
/// request, the URL and the file.
#[cfg(feature = "package")]
#[unsafe(no_mangle)]
pub extern "C" fn allows_once(request: usize, url: usize, file: usize) -> u32 {
    with(|state| {
        let [request, url, file] = state.exchange.asked([request, url, file]);
        let asked = [request, url, file].map(Option::unwrap_or_default);
        state.last_client.allows(asked)
    })
}

/// Answers a request for a tool. In the room are the name of the tool, the request, and two files,
/// unless their lengths are [`exchange::ABSENT`].
#[unsafe(no_mangle)]
pub extern "C" fn tool(name: usize, request: usize, first: usize, second: usize) -> u32 {
    with(|state| {
        let asked = [name, request, first, second];
        let [name, request, first, second] = state.exchange.asked(asked);
        let [name, request] = [name, request].map(Option::unwrap_or_default);
        let answer = tools::answer(name, request, [first, second])?;
        state.exchange.write(answer.json.as_bytes(), &answer.file);
        Ok(0)
    })
}

/// Fails, as a bug would: for tests of what comes after that.
#[unsafe(no_mangle)]
pub extern "C" fn trap() -> u32 {
    std::process::abort()
}
