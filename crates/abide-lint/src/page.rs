//! Reads the page of a rule from its Markdown.

use abide::tag::header::FieldLimit;

/// How many bytes of a `Content-Usage` field robots read (PREF-48).
const MAX_CONTENT_USAGE_BYTES: usize = 131_072;

/// A rule's page.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page {
    /// What the rule finds, in one sentence.
    pub summary: String,
    /// The requirement IDs and sections that the rule implements, as written.
    pub requirements: String,
    /// What is wrong, and what is right.
    pub examples: Vec<Example>,
}

/// An example on a page: everything that one site says, ready for the linter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Example {
    /// Whether the rule finds something in it.
    pub is_wrong: bool,
    /// The robots.txt, if there is one.
    pub robots_txt: Option<Vec<u8>>,
    /// The head of the response that brought the robots.txt, or a page.
    pub head: Option<String>,
    /// A page.
    pub html: Option<String>,
    /// The URL of the page.
    pub url: Option<String>,
    /// A registry of applications, as `--registry` takes it.
    pub registry: Option<String>,
    /// The `tdmrep.json` of the site.
    pub tdmrep: Option<String>,
    /// An RSL licence document, which is at `https://example.com/license.xml`.
    pub rsl: Option<String>,
    /// The day of the check.
    pub date: Option<String>,
    /// The URL that the robots.txt was fetched from.
    pub robots_url: Option<String>,
    /// A sitemap of the site.
    pub sitemap: Option<String>,
    /// Another tool, as `--peers` takes it.
    pub peer: Option<String>,
}

impl Page {
    /// Reads a page: a title, a sentence, a line that begins with `Requirements:`, sections, of
    /// which those whose titles begin with `Wrong` and `Right` hold examples in fenced blocks:
    /// `robots`, `http` (a head), `html`, `url`, `toml` (a registry), `json` (a `tdmrep.json`),
    /// `xml` (a licence document), `date`, `robots-url`, `sitemap`, `peers`. A line `…` in the
    /// first two fills them up to their limit.
    #[must_use]
    pub fn read(markdown: &str) -> Self {
        let mut page = Self {
            summary: String::new(),
            requirements: String::new(),
            examples: Vec::new(),
        };
        let mut lines = markdown.lines();
        while let Some(line) = lines.next() {
            if let Some(title) = line.strip_prefix("## ") {
                let is_wrong = title.starts_with("Wrong");
                if is_wrong || title.starts_with("Right") {
                    page.examples.push(Example {
                        is_wrong,
                        ..Example::default()
                    });
                }
            } else if let Some(language) = line.strip_prefix("```") {
                let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
                if let Some(example) = page.examples.last_mut() {
                    example.add(language, &block);
                }
            } else if let Some(ids) = line.strip_prefix("Requirements: ") {
                ids.trim_end_matches('.').clone_into(&mut page.requirements);
            } else if page.summary.is_empty() && !line.is_empty() && !line.starts_with('#') {
                line.clone_into(&mut page.summary);
            }
        }
        page
    }
}

impl Example {
    fn add(&mut self, language: &str, block: &[&str]) {
        let text = || format!("{}\n", block.join("\n"));
        match language {
            "robots" => self.robots_txt = Some(robots_txt(block)),
            "http" => self.head = Some(head(block)),
            "html" => self.html = Some(text()),
            "url" => self.url = Some(block.concat()),
            "toml" => self.registry = Some(text()),
            "json" => self.tdmrep = Some(text()),
            "xml" => self.rsl = Some(text()),
            "date" => self.date = Some(block.concat()),
            "robots-url" => self.robots_url = Some(block.concat()),
            "sitemap" => self.sitemap = Some(text()),
            "peers" => self.peer = Some(block.concat()),
            _ => {}
        }
    }
}

/// The bytes of a block: `\xNN` is a byte that Markdown cannot hold, and a line `…` stands for
/// comments up to five bytes before the parsing limit.
fn robots_txt(block: &[&str]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for line in block {
        if *line == "…" {
            fill(&mut bytes);
            continue;
        }
        let mut rest = *line;
        while let Some((before, after)) = rest.split_once("\\x") {
            bytes.extend_from_slice(before.as_bytes());
            let digits = after.get(..2).unwrap_or_default();
            if let Ok(byte) = u8::from_str_radix(digits, 16) {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            } else {
                bytes.extend_from_slice(b"\\x");
                rest = after;
            }
        }
        bytes.extend_from_slice(rest.as_bytes());
        bytes.push(b'\n');
    }
    bytes
}

/// The head of a block: a line `…` stands for as many of the line before it as robots read of a
/// field.
fn head(block: &[&str]) -> String {
    let mut head = String::new();
    let mut before = "";
    for &line in block {
        if line == "…" {
            let (name, value) = before.split_once(": ").unwrap_or(("", before));
            let limit = if name.eq_ignore_ascii_case("content-usage") {
                MAX_CONTENT_USAGE_BYTES
            } else {
                FieldLimit::FLOOR
            };
            let times = limit / value.len().max(1) + 1;
            head.push_str(&format!("{before}\n").repeat(times));
        } else {
            head.push_str(line);
            head.push('\n');
        }
        before = line;
    }
    head
}

fn fill(bytes: &mut Vec<u8>) {
    const UNTIL: usize = abide::Limits::FLOOR - 5;
    const COMMENT: &[u8] = b"# and many lines more\n";
    while bytes.len() + COMMENT.len() <= UNTIL {
        bytes.extend_from_slice(COMMENT);
    }
    bytes.resize(UNTIL.max(bytes.len() + 1) - 1, b'#');
    bytes.push(b'\n');
}
