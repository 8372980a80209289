//! The width of the output, and text that fits it.

use anstyle::Style;
use std::io::{self, Write};

/// The width where nobody sees it, in columns.
const USUAL: usize = 80;
/// The smallest width that text is laid out for.
pub(crate) const MIN_COLUMNS: u16 = 30;

/// The width in columns: as asked for, or else that of the terminal; 80 if stdout is none.
pub(crate) fn columns(requested: Option<u16>) -> usize {
    let of_terminal = || terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| width.0);
    let known = requested.or_else(of_terminal);
    known.map_or(USUAL, |width| usize::from(width.max(MIN_COLUMNS)))
}

/// Wraps text at spaces into lines of at most `width` characters; cuts longer words.
pub(crate) fn folded(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let word = cut(word, width);
        let last = lines.last().map_or(0, |line| line.chars().count());
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(&word),
            Some(line) if last + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

/// Writes text behind an indent, wrapped at `width` columns.
pub(crate) fn paragraph(
    out: &mut (impl Write + ?Sized),
    text: &str,
    indent: usize,
    width: usize,
) -> io::Result<()> {
    let mut lines = folded(text, width.saturating_sub(indent)).into_iter();
    lines.try_for_each(|line| writeln!(out, "{:indent$}{line}", ""))
}

/// Writes bold text, wrapped at `width` columns.
pub(crate) fn heading(out: &mut (impl Write + ?Sized), text: &str, width: usize) -> io::Result<()> {
    let bold = Style::new().bold();
    let mut lines = folded(text, width).into_iter();
    lines.try_for_each(|line| writeln!(out, "{bold}{line}{bold:#}"))
}

/// Cuts text to `width` characters, with `…` as the last one.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept = text.chars().take(width.saturating_sub(1));
    kept.chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_width_that_is_asked_for_wins() {
        assert_eq!(columns(Some(120)), 120);
        assert_eq!(columns(Some(1)), usize::from(MIN_COLUMNS));
    }

    #[test]
    fn text_is_wrapped_at_spaces_and_long_words_are_cut() {
        assert_eq!(folded("a bc def", 4), ["a bc", "def"]);
        assert_eq!(folded("abcdefgh i", 4), ["abc…", "i"]);
    }
}
