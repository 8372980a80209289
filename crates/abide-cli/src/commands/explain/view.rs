//! Shows the file with marks. The gutter has all the information; colours only add to it.

use crate::colour;
use crate::width::{cut, folded, heading, paragraph};
use abide::explain::{visible, visible_url};
use abide::rep::Access;
use abide::tag::{Response, TagPlace};
use abide::verdict::Role;
use abide_lint::view::{
    EvidencePlace, FileView, LineState, PageView, Part, ReadLine, StatementSubject, tags, words,
};
use anstyle::{AnsiColor, Style};
use std::collections::BTreeSet;
use std::io::{self, Write};

/// The number of lines shown before and after one that matters.
const CONTEXT: usize = 2;

/// What to show.
pub(super) struct View<'v> {
    pub(super) reading: &'v FileView<'v>,
    pub(super) response: &'v Response,
    pub(super) pages: &'v [PageView<'v>],
    /// The width in columns: longer lines of the file are cut, and sentences are wrapped.
    pub(super) width: usize,
    /// Whether to show every line, even far from one that matters.
    pub(super) whole: bool,
}

/// The mark of a line in the gutter: the strongest that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    Dimmed,
    Void,
    Lit,
    Matched,
    Decides,
}

impl Mark {
    const fn sign(self) -> char {
        match self {
            Self::Dimmed => ' ',
            Self::Void => '-',
            Self::Lit => '|',
            Self::Matched => '+',
            Self::Decides => '>',
        }
    }

    fn of(state: LineState, parts: &[(usize, &Part)]) -> Self {
        let by_state = match state {
            LineState::Head | LineState::Counts | LineState::ControlToken => Self::Lit,
            LineState::Void(_) => Self::Void,
            LineState::Others => Self::Dimmed,
        };
        let by_part = |(_, part): &(usize, &Part)| match part.role {
            Role::Decided => Self::Decides,
            _ => Self::Matched,
        };
        parts.iter().map(by_part).fold(by_state, Self::max)
    }

    /// The style of a line with this mark; the colour shows the outcome of the first part that
    /// decides.
    fn style(self, parts: &[(usize, &Part)]) -> Style {
        let outcome = parts.iter().find_map(|(_, part)| match &part.about {
            StatementSubject::Usages(_, outcome) if part.role == Role::Decided => Some(*outcome),
            _ => None,
        });
        match (self, outcome) {
            (Self::Dimmed | Self::Void, _) => Style::new().dimmed(),
            (Self::Lit, _) => Style::new(),
            (Self::Matched, _) => AnsiColor::Yellow.on_default(),
            (Self::Decides, Some(outcome)) => colour::of(outcome).bold(),
            (Self::Decides, None) => AnsiColor::Yellow.on_default().bold(),
        }
    }
}

impl View<'_> {
    /// Writes the verdicts, the file, the tags and the paragraphs.
    pub(super) fn write(&self, out: &mut impl Write, name: &str) -> io::Result<()> {
        for verdict in self.verdicts() {
            heading(out, &verdict, self.width)?;
        }
        self.marked(out, name)?;
        self.paragraphs(out)
    }

    /// The answer in one sentence: for each page, or for the site. If there is any preference,
    /// three more sentences follow, about training, AI input and search.
    fn verdicts(&self) -> Vec<String> {
        let site = self.pages.is_empty().then(|| {
            let preferences = words::site_preferences(self.reading);
            std::iter::once(words::verdict(self.reading)).chain(preferences)
        });
        let pages = self.pages.iter().flat_map(|page| {
            let preferences = words::page_preferences(self.reading, page);
            std::iter::once(words::page_verdict(self.reading, page)).chain(preferences)
        });
        site.into_iter().flatten().chain(pages).collect()
    }

    /// Writes the marked file, the tags, and what the marks mean.
    pub(super) fn marked(&self, out: &mut impl Write, name: &str) -> io::Result<()> {
        let agent = self.reading.agent();
        writeln!(out, "\n{name} as {agent} reads it\n")?;
        let mut used = BTreeSet::new();
        if self.reading.access() == Access::Rules {
            self.file(out, &mut used)?;
        }
        self.elsewhere(out, &mut used)?;
        self.legend(out, &used)
    }

    fn file(&self, out: &mut impl Write, used: &mut BTreeSet<Mark>) -> io::Result<()> {
        let lines: Vec<_> = self.reading.lines().collect();
        let width = lines.len().to_string().len().max(3);
        let shown = self.window(&lines);
        let mut left_out = 0_usize;
        for (at, line) in lines.iter().enumerate() {
            if !shown.as_ref().is_none_or(|shown| shown.contains(&at)) {
                left_out += 1;
                continue;
            }
            gap(out, left_out, width)?;
            left_out = 0;
            self.line(out, line, width, used)?;
        }
        gap(out, left_out, width)?;
        if lines.is_empty() {
            writeln!(out, "  (the file is empty)")?;
        }
        writeln!(out)
    }

    /// The indexes of the lines to show: those that matter, the lines around them, and the heads of
    /// their groups. `None` for all.
    fn window(&self, lines: &[ReadLine<'_>]) -> Option<BTreeSet<usize>> {
        if self.whole {
            return None;
        }
        let parts = self.pages.iter().flat_map(|page| &page.parts);
        let on_line = parts.filter_map(|part| match part.spot {
            EvidencePlace::Line(number) => Some(number),
            _ => None,
        });
        let matter: BTreeSet<u32> = on_line.collect();
        let mut round = BTreeSet::new();
        let mut head = None;
        for (at, line) in lines.iter().enumerate() {
            if line.state == LineState::Head {
                // The first head shows whose group it is, even if none of its rules matters.
                if head.is_none() {
                    round.insert(at);
                }
                head = Some(at);
            }
            if matter.contains(&line.number) {
                round.extend(head);
                round.insert(at);
            }
        }
        let window =
            |at: usize| at.saturating_sub(CONTEXT)..at.saturating_add(CONTEXT + 1).min(lines.len());
        let mut shown: BTreeSet<usize> = round.iter().copied().flat_map(window).collect();
        // A gap of one line would take as much space as the line.
        let is_shown =
            |at: Option<usize>| at.is_none_or(|at| at >= lines.len() || shown.contains(&at));
        let alone = |at: &usize| is_shown(at.checked_sub(1)) && is_shown(Some(at + 1));
        let single: Vec<_> = (0..lines.len()).filter(alone).collect();
        shown.extend(single);
        Some(shown)
    }

    fn line(
        &self,
        out: &mut impl Write,
        line: &ReadLine<'_>,
        width: usize,
        used: &mut BTreeSet<Mark>,
    ) -> io::Result<()> {
        let parts: Vec<(usize, &Part)> = self
            .pages
            .iter()
            .enumerate()
            .flat_map(|(at, page)| page.of_line(line.number).map(move |part| (at, part)))
            .filter(|(_, part)| !is_void(line, part))
            .collect();
        let row = format!("{:>width$}  {}", line.number, visible(line.bytes));
        let mark = Mark::of(line.state, &parts);
        self.row(out, used, mark, row.trim_end(), &parts)?;
        let indent = width + 4;
        if let LineState::Void(why) = line.state {
            self.note(out, indent, &format!("ignored: {why}"))?;
        }
        // What a page makes of the line says more than what the line states.
        if parts.is_empty() {
            for stated in self.stated(line.number) {
                self.note(out, indent, &stated)?;
            }
        }
        self.notes(out, indent, &parts)
    }

    /// What a preference line, or the group of a control token, settles.
    fn stated(&self, number: u32) -> Vec<String> {
        let Some(stated) = self.reading.preferences() else {
            return Vec::new();
        };
        let line = stated.line(number);
        let line = line.and_then(|line| words::preference_line(self.reading, line));
        let token = stated.token(number);
        let token = token.map(|token| words::token_line(self.reading, token));
        line.into_iter().chain(token).collect()
    }

    /// The effect of a statement on each page.
    fn notes(
        &self,
        out: &mut impl Write,
        indent: usize,
        parts: &[(usize, &Part)],
    ) -> io::Result<()> {
        for (at, part) in parts {
            let text = words::part(part);
            match self.pages.len() {
                1 => self.note(out, indent, &text)?,
                _ => self.note(out, indent, &format!("[{}] {text}", at + 1))?,
            }
        }
        Ok(())
    }

    /// Writes what is not in the file: the robots tags of the response, its other preferences, and
    /// the lines of referenced files that match a page.
    fn elsewhere(&self, out: &mut impl Write, used: &mut BTreeSet<Mark>) -> io::Result<()> {
        let tags = tags(self.response, self.reading.policy()).into_iter();
        let tags = tags.map(|tag| {
            let state = if tag.binds {
                LineState::Counts
            } else {
                LineState::Others
            };
            let place = match tag.place {
                TagPlace::Field { line, member } => format!("{line}.{member}"),
                TagPlace::Element { offset } => format!("byte {offset}"),
            };
            let text = visible(tag.text.as_bytes());
            let row = format!("{} {place}  {text}", tag.source.name());
            (EvidencePlace::Tag(tag.source, tag.place), state, row)
        });
        let tags: Vec<_> = tags.collect();
        let (mut preferences, mut references) = (Vec::new(), Vec::new());
        let parts = self.pages.iter().flat_map(|page| &page.parts);
        for spot in parts.map(|part| &part.spot).collect::<BTreeSet<_>>() {
            let (rows, row) = match spot {
                EvidencePlace::Line(_) => continue,
                EvidencePlace::Tag(..) if tags.iter().any(|(tag, ..)| tag == spot) => continue,
                EvidencePlace::Field(source, line)
                | EvidencePlace::Tag(source, TagPlace::Field { line, .. }) => {
                    (&mut preferences, format!("{}, line {line}", source.name()))
                }
                EvidencePlace::Tag(source, TagPlace::Element { offset }) => (
                    &mut preferences,
                    format!("{}, byte {offset}", source.name()),
                ),
                EvidencePlace::Reference(locator, line) => {
                    let locator = visible(locator.as_bytes());
                    (&mut references, format!("{locator}, line {line}"))
                }
            };
            rows.push((spot.clone(), LineState::Counts, row));
        }
        self.section(out, used, "Robots tags of the response", tags)?;
        self.section(out, used, "Preferences of the response", preferences)?;
        self.section(out, used, "Permissions that it refers to", references)
    }

    /// Writes statements under a title, with their effect on each page.
    fn section(
        &self,
        out: &mut impl Write,
        used: &mut BTreeSet<Mark>,
        title: &str,
        rows: Vec<(EvidencePlace, LineState, String)>,
    ) -> io::Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        writeln!(out, "{title}\n")?;
        for (own, state, row) in rows {
            let pages = self.pages.iter().enumerate();
            let parts = pages.flat_map(|(at, page)| page.parts.iter().map(move |part| (at, part)));
            let parts: Vec<_> = parts.filter(|(_, part)| part.spot == own).collect();
            self.row(out, used, Mark::of(state, &parts), &row, &parts)?;
            self.notes(out, 4, &parts)?;
        }
        writeln!(out)
    }

    /// Writes the paragraphs: about the file, or about each page.
    fn paragraphs(&self, out: &mut impl Write) -> io::Result<()> {
        if self.pages.is_empty() {
            return paragraph(out, &words::file(self.reading), 0, self.width);
        }
        let delay = words::delay(self.reading).into_iter();
        let text: Vec<_> = std::iter::once(words::groups(self.reading))
            .chain(delay)
            .collect();
        paragraph(out, &text.join(" "), 0, self.width)?;
        for (at, page) in self.pages.iter().enumerate() {
            let text = words::page(page);
            if self.pages.len() > 1 {
                let url = cut(&visible_url(page.url()), self.width - 4);
                writeln!(out, "\n[{}] {url}", at + 1)?;
            }
            paragraph(out, &text, 0, self.width)?;
            for finding in words::findings(self.reading.policy(), &page.decision) {
                paragraph(out, &format!("Warning: {finding}"), 0, self.width)?;
            }
        }
        Ok(())
    }

    fn row(
        &self,
        out: &mut impl Write,
        used: &mut BTreeSet<Mark>,
        mark: Mark,
        row: &str,
        parts: &[(usize, &Part)],
    ) -> io::Result<()> {
        used.insert(mark);
        let style = mark.style(parts);
        let row = format!("{} {row}", mark.sign());
        writeln!(out, "{style}{}{style:#}", cut(&row, self.width))
    }

    fn note(&self, out: &mut impl Write, indent: usize, text: &str) -> io::Result<()> {
        let width = self.width.saturating_sub(indent + 2);
        for (at, line) in folded(text, width).iter().enumerate() {
            let sign = if at == 0 { '^' } else { ' ' };
            writeln!(out, "{:indent$}{sign} {line}", "")?;
        }
        Ok(())
    }

    /// Writes the meaning of the marks that were used.
    fn legend(&self, out: &mut impl Write, used: &BTreeSet<Mark>) -> io::Result<()> {
        let meaning = |mark: &Mark| match mark {
            Mark::Decides => "> decides".to_owned(),
            Mark::Matched => "+ also matches".to_owned(),
            Mark::Lit => format!("| applies to {}", self.reading.agent()),
            Mark::Void => "- has no effect".to_owned(),
            Mark::Dimmed => String::new(),
        };
        let meanings = used.iter().rev().map(meaning);
        let text: Vec<_> = meanings.filter(|text| !text.is_empty()).collect();
        if text.is_empty() {
            return Ok(());
        }
        paragraph(out, &text.join("   "), 0, self.width)?;
        writeln!(out)
    }
}

/// Whether the note about the line says why the part has no effect.
fn is_void(line: &ReadLine<'_>, part: &Part) -> bool {
    matches!(line.state, LineState::Void(_)) && part.role == Role::Void
}

fn gap(out: &mut impl Write, left_out: usize, width: usize) -> io::Result<()> {
    match left_out {
        0 => Ok(()),
        _ => writeln!(out, "  {:>width$}  {left_out} lines", "…"),
    }
}
