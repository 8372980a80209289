//! A bare handler that returns the bytes of a file: what `benches/serve` compares the service with.
//!
//! `same_bytes FILE ADDRESS:PORT`

use axum::Router;
use axum::body::Bytes;
use axum::routing::get;
use http::header::CONTENT_TYPE;
use std::error::Error;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(file), Some(address)) = (words.next(), words.next()) else {
        return Err("expected FILE ADDRESS:PORT".into());
    };
    let bytes = Bytes::from(std::fs::read(file)?);
    let answer = move || async move { ([(CONTENT_TYPE, "application/json")], bytes) };
    let router = Router::new().route("/v1/decide", get(answer));
    axum::serve(tokio::net::TcpListener::bind(address).await?, router).await?;
    Ok(())
}
