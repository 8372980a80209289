//! Bare handlers that return given bytes: what `benches/serve` compares the service with.
//!
//! `same_bytes DECISION ANSWER ADDRESS:PORT`: `/v1/decide` returns the bytes of the first file, and
//! `/v1/batch` those of the second one for each line that it reads.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::routing::{get, post};
use futures_util::StreamExt;
use http::header::CONTENT_TYPE;
use std::error::Error;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(decision), Some(answer), Some(address)) = (words.next(), words.next(), words.next())
    else {
        return Err("expected DECISION ANSWER ADDRESS:PORT".into());
    };
    let decision = Bytes::from(std::fs::read(decision)?);
    let answer = Bytes::from(std::fs::read(answer)?);
    let decide = async move || ([(CONTENT_TYPE, "application/json")], decision);
    let batch = async move |lines: Body| {
        let answers = lines.into_data_stream().map(move |piece| {
            let piece = piece?;
            let lines = memchr::memchr_iter(b'\n', &piece).count();
            Ok::<_, axum::Error>(Bytes::from(answer.repeat(lines)))
        });
        let answers = Body::from_stream(answers);
        ([(CONTENT_TYPE, "application/x-ndjson")], answers)
    };
    let router = Router::new()
        .route("/v1/decide", get(decide))
        .route("/v1/batch", post(batch));
    axum::serve(tokio::net::TcpListener::bind(address).await?, router).await?;
    Ok(())
}
