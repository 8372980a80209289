//! What the web page asks: each request as the service takes it, and the answer that it has.

use abide_contract::explain::Explanations;
use abide_contract::tools::{
    DiffRequest, ExplainRequest, FmtRequest, InitRequest, KnownRobots, LintCode, LintCodeRequest,
    LintRequest, MatrixRequest, SitemapRequest, SitemapSource, SitemapUrls, TableRequest, Work,
};
use abide_contract::{AnswerOptions, Request, RequestError, codes, read, read_within, text};
use abide_fetch::as_sent;

/// Answers a request for the tool of this name, which `page/src/module-answers.ts` has too.
pub(crate) fn answer(name: &[u8], request: &[u8]) -> Result<String, RequestError> {
    let work = &Work::endless();
    match name {
        b"lint" => read::<LintRequest>(request)?.answer(work, |answer| text::line(answer)),
        b"lint-code" => {
            let asked: LintCodeRequest = read(request)?;
            LintCode::of(&asked.code).map(|code| text::line(&code))
        }
        b"fmt" => read::<FmtRequest>(request)?.answer(work, |answer| text::line(answer)),
        b"decide" => decide(request),
        b"explain" => {
            let (asked, circumstances) = read_within::<ExplainRequest>(request)?;
            asked.answer(&circumstances, work, |views| {
                text::line(&Explanations::of(views))
            })
        }
        b"table" => {
            let (asked, circumstances) = read_within::<TableRequest>(request)?;
            asked.answer(&circumstances, as_sent, work, |table| text::line(table))
        }
        b"matrix" => read::<MatrixRequest>(request)?.answer(work, |answer| text::line(answer)),
        b"diff" => {
            let asked: DiffRequest = read(request)?;
            asked.answer_given(work, |diff| text::line(diff))
        }
        b"sitemap" => match read::<SitemapRequest>(request)?.source()? {
            SitemapSource::Given(bytes, place) => {
                SitemapUrls::read(&bytes, place).map(|urls| text::line(&urls))
            }
            SitemapSource::Url(_) => Err(fetches_nothing("/url")),
        },
        b"init" => read::<InitRequest>(request)?
            .answer()
            .map(|file| text::line(&file)),
        b"known-robots" => Ok(text::line(&KnownRobots::of(abide_known_robots::all()))),
        _ => unreachable!("{} is no tool", String::from_utf8_lossy(name)),
    }
}

fn decide(request: &[u8]) -> Result<String, RequestError> {
    let request = Request::read(request)?;
    if !request.has_robots() {
        return Err(fetches_nothing("/robots"));
    }
    request.decide(AnswerOptions::default(), |decision| text::line(decision))
}

/// The error for what only a service can get, in the member at `pointer`.
fn fetches_nothing(pointer: &str) -> RequestError {
    let reason = "expected a file, and nothing fetches one here";
    RequestError::new(codes::INVALID_REQUEST, pointer, reason).with_remedy("paste or open the file")
}
