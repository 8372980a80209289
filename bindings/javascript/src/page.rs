//! The tools that only the web page has: as the service has them, but nothing is fetched.

use abide_contract::text::line;
use abide_contract::tools::{
    InitRequest, LintCode, LintCodeRequest, SitemapRequest, SitemapSource, SitemapUrls,
    TableRequest, Work,
};
use abide_contract::{AnswerOptions, Request, RequestError, codes, read, read_within};
use abide_fetch::as_sent;

/// What the code of a finding means.
pub(crate) fn lint_code(request: &[u8]) -> Result<String, RequestError> {
    let asked: LintCodeRequest = read(request)?;
    LintCode::of(&asked.code).map(|code| line(&code))
}

pub(crate) fn decide(request: &[u8]) -> Result<String, RequestError> {
    let request = Request::read(request)?;
    if !request.has_robots() {
        return Err(fetches_nothing("/robots"));
    }
    request.decide(AnswerOptions::default(), |decision| line(decision))
}

/// Which URLs which robots may have.
pub(crate) fn table(request: &[u8]) -> Result<String, RequestError> {
    let (asked, circumstances) = read_within::<TableRequest>(request)?;
    asked.answer(&circumstances, as_sent, &Work::endless(), |table| {
        line(table)
    })
}

/// The URLs of a sitemap.
pub(crate) fn sitemap(request: &[u8]) -> Result<String, RequestError> {
    match read::<SitemapRequest>(request)?.source()? {
        SitemapSource::Given(bytes, place) => {
            SitemapUrls::read(&bytes, place).map(|urls| line(&urls))
        }
        SitemapSource::Url(_) => Err(fetches_nothing("/url")),
    }
}

/// A file that keeps wishes.
pub(crate) fn init(request: &[u8]) -> Result<String, RequestError> {
    let asked: InitRequest = read(request)?;
    asked.answer().map(|file| line(&file))
}

/// The error for what only a service can get, in the member at `pointer`.
fn fetches_nothing(pointer: &str) -> RequestError {
    let reason = "expected a file, and nothing fetches one here";
    RequestError::new(codes::INVALID_REQUEST, pointer, reason).with_remedy("paste or open the file")
}
