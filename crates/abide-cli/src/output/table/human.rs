//! Rows for people: one line each.

use super::{Layout, Row};
use crate::colour;
use abide::explain::{visible, visible_url};
use anstyle::{AnsiColor, Style};
use std::io::Write as _;

/// The column in which reasons begin, if URLs are not longer.
const URL_WIDTH: usize = 48;

/// `disallowed  GPTBot  https://example.com/private/x   line 4: Disallow: /private/`
pub(super) fn write(out: &mut Vec<u8>, row: &Row<'_>, layout: &Layout) {
    let (what, style, why) = match row.answer {
        Ok(brief) => {
            let answer = &brief.answer;
            let why = match (answer.statement_line(), answer.statement()) {
                (Some(line), Some(statement)) => format!("line {line}: {}", visible(statement)),
                (None, Some(statement)) => visible(statement),
                _ => brief.why.clone(),
            };
            (
                answer.outcome.to_string(),
                colour::of(answer.outcome).bold(),
                why,
            )
        }
        Err(problem) => (
            "error".to_owned(),
            Style::new().fg_color(Some(AnsiColor::Red.into())),
            format!(
                "line {}: {}: {}",
                row.input_line, problem.code, problem.message
            ),
        ),
    };
    let usage = if layout.columns.contains(&super::Column::Usage) {
        format!("{:<width$}  ", row.usage, width = layout.usage_width)
    } else {
        String::new()
    };
    let (robot, width) = (visible(row.robot.as_bytes()), layout.robot_width);
    let url = visible_url(row.url);
    let line =
        format!("{style}{what:<11}{style:#}  {robot:<width$}  {usage}{url:<URL_WIDTH$}  {why}");
    // Writing to a Vec cannot fail.
    let _ = writeln!(out, "{}", line.trim_end());
}
