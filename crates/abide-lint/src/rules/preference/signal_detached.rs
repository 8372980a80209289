//! `signal-detached`: a blank line or a sitemap before a signal, where some robots end the group.

use crate::file::File;
use crate::finding::{Edit, Fix, Safety};
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::preference::Vocabulary;
use abide::syntax::{Addressee, Content, FieldKind, Line};

pub(crate) static RULE: Rule = Rule::new(
    "signal-detached",
    Severity::Warning,
    include_str!("signal_detached.md"),
    RuleCheck::File(check),
);

/// The lines between a group and what follows.
#[derive(Default)]
struct Between<'a> {
    blanks: Vec<&'a Line>,
    has_sitemap: bool,
    has_comment: bool,
    /// Whether a blank line follows a comment.
    is_split: bool,
}

impl<'a> Between<'a> {
    fn add(&mut self, line: &'a Line) {
        let is_blank = line.content == Content::Blank;
        if is_blank && line.comment.is_none() {
            self.blanks.push(line);
            self.is_split |= self.has_comment;
        }
        self.has_comment |= is_blank && line.comment.is_some();
        self.has_sitemap |= line.field().is_some();
    }

    fn divider(&self) -> Option<&'static str> {
        if self.has_sitemap {
            Some("a Sitemap line")
        } else if self.blanks.is_empty() {
            None
        } else {
            Some("a blank line")
        }
    }
}

fn check(file: &File<'_>, found: &mut Findings) {
    let mut last: Option<&Line> = None;
    let mut between = Between::default();
    for line in file.robots.lines() {
        let kind = line.field().map(|field| field.kind);
        if kind.is_none_or(|kind| kind == FieldKind::Sitemap) {
            between.add(line);
            continue;
        }
        let is_signal = file
            .preference(line)
            .is_some_and(|at| at.stated.vocabulary == Vocabulary::ContentSignal);
        if let (true, Some(divider), Some(last), Some(group)) =
            (is_signal, between.divider(), last, line.group)
        {
            let message = format!(
                "{divider} divides this signal from its group, {}; some robots end the group there",
                named(file, group)
            );
            let fix = fix(file, line, last, &between);
            let place = found.say(Some(line.number), File::statement(line), message);
            file.relate(place.fix(fix), last.number, "the group's last line");
        }
        (last, between) = (Some(line), Between::default());
    }
}

/// Removes the blank lines, or moves the signal above the sitemap. A signal that follows the last
/// group of a file may be meant for all robots, so there the fix is not applied without asking.
fn fix(file: &File<'_>, line: &Line, last: &Line, between: &Between<'_>) -> Fix {
    let is_for_anybody = line.group.is_some_and(|group| file.is_for_anybody(group));
    let safety = if is_for_anybody {
        Safety::Safe
    } else {
        Safety::Unsafe
    };
    if between.has_sitemap || between.is_split {
        return file.moved(safety, "move it to the lines of its group", line, last);
    }
    let edits = between.blanks.iter().map(|blank| Edit {
        span: File::whole(blank),
        replacement: Vec::new(),
    });
    Fix {
        safety,
        title: "remove the blank lines before it".into(),
        edits: edits.collect(),
    }
}

/// The first name of a group.
fn named(file: &File<'_>, group: usize) -> String {
    let names = file.addressees.get(group).into_iter().flatten();
    let mut names = names.filter_map(|addressee| match addressee {
        Addressee::Anybody => Some("*"),
        Addressee::Token(name) | Addressee::Purpose(name) => Some(*name),
        Addressee::Nobody => None,
    });
    match (names.next(), names.count()) {
        (None, _) => "nobody".to_owned(),
        (Some(name), 0) => name.to_owned(),
        (Some(name), more) => format!("{name} and {more} more"),
    }
}
