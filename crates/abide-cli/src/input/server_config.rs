//! Fields that a configuration of nginx (`add_header`) or Apache (`Header`) sets.

use abide::explain::{quoted, visible};
use abide::tag::FieldLine;
use anyhow::bail;
use std::fmt;
use std::iter::Peekable;
use std::rc::Rc;
use std::str::Chars;

/// The fields that abide reads; a configuration may set many others.
const FIELDS: [&str; 4] = [
    "robots-tag",
    "x-robots-tag",
    "content-usage",
    "content-signal",
];

/// Sections with which a configuration of Apache may begin; a page begins with another element.
const APACHE_SECTIONS: [&str; 7] = [
    "<files",
    "<location",
    "<directory",
    "<if",
    "<virtualhost",
    "<limit",
    "<proxy",
];

/// Sections that say when Apache reads the lines in them, not for which pages. abide reads them.
const TRANSPARENT: [&str; 4] = ["ifmodule", "ifdefine", "iffile", "ifversion"];

/// What a configuration sets for the responses of one section.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ConfiguredFields {
    pub(crate) fields: Vec<FieldLine>,
    /// The section as messages show it, such as `location /drafts/`, and the line of the first
    /// field in it.
    pub(crate) section: Option<(String, usize)>,
    /// What abide does not know about the server, and takes for granted, in a sentence.
    pub(crate) assumption: Option<&'static str>,
}

fn wrong<T>(line: usize, message: impl fmt::Display) -> anyhow::Result<T> {
    bail!("line {line}: {message}")
}

/// A text of the configuration as messages show it: visible, and not longer than a quotation.
fn told(text: &str) -> String {
    visible(quoted(text.as_bytes()).as_bytes())
}

/// Reads a configuration. `None` if the text is none, such as a head or a page.
pub(crate) fn read(bytes: &[u8]) -> Option<anyhow::Result<ConfiguredFields>> {
    let text = String::from_utf8_lossy(bytes);
    let start = text.trim_start().to_ascii_lowercase();
    let is_page = start.starts_with('<') && !APACHE_SECTIONS.iter().any(|of| start.starts_with(of));
    if is_page || start.starts_with("http/") {
        return None;
    }
    let mut words = text.lines().flat_map(|line| line.split(['{', '}', ';']));
    let kind = words.find_map(|part| {
        let mut words = part.split_whitespace();
        match words.next()? {
            "add_header" => Some((nginx as fn(&str) -> _, NGINX_INHERITS)),
            word if word.eq_ignore_ascii_case("header") => Some((apache, APACHE_CONDITIONS)),
            _ => None,
        }
    })?;
    let (read, (mark, assumption)) = kind;
    Some(read(&text).and_then(|found| {
        let mut configured = settled(&found)?;
        let is_marked = text.to_ascii_lowercase().contains(mark);
        configured.assumption = is_marked.then_some(assumption);
        Ok(configured)
    }))
}

/// nginx inherits the fields of the section around only if a section has no `add_header` of its own
/// (<https://nginx.org/en/docs/http/ngx_http_headers_module.html#add_header>).
const NGINX_INHERITS: (&str, &str) = (
    "{",
    "a section of nginx with an add_header of its own sends none of those of the sections around it; \
     abide does not check that",
);

/// What is in these sections counts only if the server was started that way.
const APACHE_CONDITIONS: (&str, &str) = (
    "<if",
    "abide takes the conditions of <IfModule>, <IfDefine>, <IfFile> and <IfVersion> for true",
);

/// A field, with the line and the section that sets it.
struct SetField {
    line: usize,
    /// Shared by the fields of a section: its name can be long. Empty outside of sections.
    section: Rc<str>,
    /// Whether it is in Apache's other table of fields, `always`, which is sent beside that of
    /// `onsuccess`. Directives of one table do nothing to fields of the other.
    is_always: bool,
    effect: Effect,
    name: String,
    value: String,
}

/// What a directive does to the values of a field that are there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    Add,
    Set,
    Append,
    SetIfEmpty,
    Unset,
}

/// The fields of all directives, which have to be in one section: others serve other pages.
fn settled(found: &[SetField]) -> anyhow::Result<ConfiguredFields> {
    let mut configured = ConfiguredFields::default();
    let Some(first) = found.first() else {
        return Ok(configured);
    };
    let named = |section: &str| match section {
        "" => "the rest of the file".to_owned(),
        section => told(section),
    };
    // There are few names, and a file can set one many times.
    let mut tables: Vec<OwnFields> = Vec::new();
    for set in found {
        if set.section != first.section {
            let message = format!(
                "expected the fields of one section, but found {} beside {} (line {}); keep the lines that serve the page",
                named(&set.section),
                named(&first.section),
                first.line
            );
            return wrong(set.line, message);
        }
        if let Some(own) = tables.iter_mut().find(|own| own.holds(set)) {
            own.apply(set);
            continue;
        }
        let mut own = OwnFields {
            name: &set.name,
            is_always: set.is_always,
            fields: Vec::new(),
        };
        own.apply(set);
        tables.push(own);
    }
    configured.fields = tables.into_iter().flat_map(|own| own.fields).collect();
    if !first.section.is_empty() {
        configured.section = Some((told(&first.section), first.line));
    }
    Ok(configured)
}

/// The fields of one name in one table.
struct OwnFields<'s> {
    name: &'s str,
    is_always: bool,
    fields: Vec<FieldLine>,
}

impl OwnFields<'_> {
    fn holds(&self, set: &SetField) -> bool {
        self.is_always == set.is_always && self.name.eq_ignore_ascii_case(&set.name)
    }

    fn apply(&mut self, set: &SetField) {
        match (set.effect, self.fields.first_mut()) {
            (Effect::SetIfEmpty, Some(_)) => return,
            (Effect::Append, Some(first)) => {
                first.value.extend_from_slice(b", ");
                first.value.extend_from_slice(set.value.as_bytes());
                return;
            }
            (Effect::Set | Effect::Unset, _) => self.fields.clear(),
            _ => {}
        }
        if set.effect != Effect::Unset {
            let field = FieldLine::new(&*set.name, set.value.as_bytes());
            self.fields.push(field);
        }
    }
}

fn is_read(name: &str) -> bool {
    FIELDS.iter().any(|field| name.eq_ignore_ascii_case(field))
}

/// A word of a line, or the rest of one that is quoted.
struct Words<'t> {
    rest: Peekable<Chars<'t>>,
    line: usize,
    /// The characters that are words of their own.
    marks: &'static [char],
}

/// A word, without the quotes around it.
struct Word {
    text: String,
    is_mark: bool,
    line: usize,
}

impl Words<'_> {
    fn next(&mut self) -> anyhow::Result<Option<Word>> {
        while let Some(&c) = self.rest.peek() {
            if c == '#' && self.marks.contains(&';') {
                while self.rest.next_if(|c| *c != '\n').is_some() {}
            } else if c.is_whitespace() {
                self.line += usize::from(c == '\n');
                self.rest.next();
            } else {
                break;
            }
        }
        let line = self.line;
        let Some(&first) = self.rest.peek() else {
            return Ok(None);
        };
        let word = |text, is_mark| {
            Ok(Some(Word {
                text,
                is_mark,
                line,
            }))
        };
        let mut text = String::new();
        if self.marks.contains(&first) {
            self.rest.next();
            return word(first.to_string(), true);
        }
        if matches!(first, '"' | '\'') {
            self.rest.next();
            loop {
                match self.rest.next() {
                    Some('\\') => text.extend(self.rest.next()),
                    Some(c) if c == first => return word(text, false),
                    Some(c) => {
                        self.line += usize::from(c == '\n');
                        text.push(c);
                    }
                    None => return wrong(line, format!("expected {first} at the end of a value")),
                }
            }
        }
        let marks = self.marks;
        let is_of_word = |c: &char| !c.is_whitespace() && !marks.contains(c);
        while let Some(c) = self.rest.next_if(is_of_word) {
            text.push(c);
        }
        word(text, false)
    }
}

/// The `add_header` directives of a configuration of nginx.
fn nginx(text: &str) -> anyhow::Result<Vec<SetField>> {
    let mut words = Words {
        rest: text.chars().peekable(),
        line: 1,
        marks: &['{', '}', ';'],
    };
    let (mut directive, mut found) = (Vec::<Word>::new(), Vec::new());
    let mut sections: Vec<Rc<str>> = Vec::new();
    while let Some(word) = words.next()? {
        match (word.is_mark, word.text.as_str()) {
            (true, "{") => {
                let names: Vec<_> = directive.drain(..).map(|word| word.text).collect();
                sections.push(names.join(" ").into());
            }
            (true, "}") => {
                unfinished(&directive)?;
                if sections.pop().is_none() {
                    return wrong(word.line, "} ends no section");
                }
                directive.clear();
            }
            (true, _) => {
                let section = sections.last().cloned().unwrap_or_default();
                found.extend(add_header(&directive, section)?);
                directive.clear();
            }
            (false, _) => directive.push(word),
        }
    }
    unfinished(&directive)?;
    Ok(found)
}

/// Refuses an `add_header` without `;`.
fn unfinished(directive: &[Word]) -> anyhow::Result<()> {
    match directive.first() {
        Some(word) if word.text == "add_header" => {
            wrong(word.line, "expected ; at the end of add_header")
        }
        _ => Ok(()),
    }
}

/// The field that a directive of nginx adds, if it is one that abide reads and not empty: nginx
/// does not send empty ones.
fn add_header(directive: &[Word], section: Rc<str>) -> anyhow::Result<Option<SetField>> {
    let words: Vec<&str> = directive.iter().map(|word| &*word.text).collect();
    let (name, value) = match words.as_slice() {
        ["add_header", name, ..] if !is_read(name) => return Ok(None),
        ["add_header", name, value] | ["add_header", name, value, "always"] => (*name, *value),
        ["add_header", ..] => {
            let message =
                "expected add_header NAME \"VALUE\"; or add_header NAME \"VALUE\" always;";
            return wrong(directive[0].line, message);
        }
        _ => return Ok(None),
    };
    let line = directive[0].line;
    if value.contains('$') {
        return wrong(
            line,
            format!("the value of {name} has a variable, which abide does not know"),
        );
    }
    let set = SetField {
        line,
        section,
        is_always: false,
        effect: Effect::Add,
        name: name.to_owned(),
        value: value.to_owned(),
    };
    Ok((!value.is_empty()).then_some(set))
}

/// The `Header` directives of a configuration of Apache.
fn apache(text: &str) -> anyhow::Result<Vec<SetField>> {
    let (mut sections, mut found) = (Vec::<Rc<str>>::new(), Vec::new());
    let mut lines = (1..).zip(text.lines());
    while let Some((number, line)) = lines.next() {
        let mut line = line.trim().to_owned();
        while let Some(before) = line.strip_suffix('\\') {
            line.truncate(before.len());
            line.push(' ');
            line.push_str(lines.next().map_or("", |(_, next)| next.trim()));
        }
        if line.starts_with('#') {
            continue;
        }
        if let Some(section) = line.strip_prefix('<') {
            let section = section.trim_end_matches('>');
            if !section.starts_with('/') {
                let word = section.split_whitespace().next().unwrap_or_default();
                let is_kind = |kind: &&str| word.eq_ignore_ascii_case(kind);
                let around = sections.last().cloned().unwrap_or_default();
                let is_transparent = TRANSPARENT.iter().any(is_kind);
                sections.push(if is_transparent {
                    around
                } else {
                    section.into()
                });
            } else if sections.pop().is_none() {
                return wrong(number, format!("<{}> ends no section", told(section)));
            }
            continue;
        }
        let mut reader = Words {
            rest: line.chars().peekable(),
            line: number,
            marks: &[],
        };
        let mut words = Vec::new();
        let is_header = line.split_whitespace().next();
        if !is_header.is_some_and(|word| word.eq_ignore_ascii_case("header")) {
            continue;
        }
        while let Some(word) = reader.next()? {
            words.push(word.text);
        }
        let section = sections.last().cloned().unwrap_or_default();
        found.extend(header(&words, number, section)?);
    }
    Ok(found)
}

/// The field that a directive of Apache sets, if it is one that abide reads.
fn header(words: &[String], line: usize, section: Rc<str>) -> anyhow::Result<Option<SetField>> {
    let mut words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
    let begins = |table: &str| {
        let first = words.first();
        first.is_some_and(|word| word.eq_ignore_ascii_case(table))
    };
    let is_always = begins("always");
    if is_always || begins("onsuccess") {
        words.remove(0);
    }
    let expected = "expected Header set NAME \"VALUE\"";
    let [action, name, rest @ ..] = words.as_slice() else {
        return wrong(line, expected);
    };
    let name = name.trim_end_matches(':');
    if !is_read(name) {
        return Ok(None);
    }
    let effect = match action.to_ascii_lowercase().as_str() {
        "add" => Effect::Add,
        "set" => Effect::Set,
        "append" | "merge" => Effect::Append,
        "setifempty" => Effect::SetIfEmpty,
        "unset" => Effect::Unset,
        _ => {
            let action = told(action);
            let message = format!(
                "expected set, add, append, merge, setifempty or unset, but found {action}"
            );
            return wrong(line, message);
        }
    };
    let (value, condition) = match (effect, rest) {
        (Effect::Unset, rest) => ("", rest.first()),
        (_, [value]) => (*value, None),
        (_, [value, condition, ..]) => (*value, Some(condition)),
        (_, []) => return wrong(line, expected),
    };
    if let Some(condition) = condition {
        let condition = told(condition);
        return wrong(
            line,
            format!("{name} is set on a condition, which abide does not know: {condition}"),
        );
    }
    if value.replace("%%", "").contains('%') {
        return wrong(
            line,
            format!("the value of {name} has a variable, which abide does not know"),
        );
    }
    Ok(Some(SetField {
        line,
        section,
        is_always,
        effect,
        name: name.to_owned(),
        value: value.replace("%%", "%"),
    }))
}
