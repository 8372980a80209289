//! Lists the robots meta elements in the head of a page.
//!
//! ```text
//! curl -s https://example.com/ | cargo run -p abide-html --example metas
//! ```

#![expect(clippy::print_stdout, reason = "an example")]

use abide::explain::visible;
use std::io::{self, Read};

fn main() -> io::Result<()> {
    let mut page = Vec::new();
    io::stdin().read_to_end(&mut page)?;
    let found = abide_html::initial(&page, None);
    for meta in &found.metas {
        // The page is foreign text, so what acts on a terminal is escaped.
        let name = visible(meta.name.as_bytes());
        let content = visible(meta.content.as_bytes());
        println!("byte {}: {name}: {content}", meta.offset);
    }
    if found.truncated {
        println!("the page was read up to byte {}", abide_html::MAX_BYTES);
    }
    Ok(())
}
