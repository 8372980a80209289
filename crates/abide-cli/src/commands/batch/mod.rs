//! `abide batch`
//!
//! Each worker reads a chunk of lines, answers them, and passes the answers on in the order of the
//! lines. So a line stays on the core that read it, and faster workers take more.

mod requests;
mod urls;

use crate::args::BatchArgs;
use crate::bulk::Bulk;
use crate::exit::{Exit, written};
use crate::table::{Layout, RowFormat, columns, write_list};
use anyhow::ensure;

/// Answers all lines.
pub(crate) fn run(args: &BatchArgs) -> anyhow::Result<Exit> {
    if args.table.list_fields {
        written(write_list())?;
        return Ok(Exit::Done);
    }
    ensure!(
        args.robots.is_some() || !args.client.are_given(),
        "--agent and what describes the robot need --robots; without it, each request names its \
         robot"
    );
    ensure!(
        args.robots.is_some() || !args.preference.are_asked(&[]),
        "options about AI preferences need --robots; without it, each request has its own \
         \"preferences\""
    );
    match &args.robots {
        Some(robots) => urls::run(args, robots),
        None => requests::run(args),
    }
}

/// What the output looks like, or `None` for decision objects.
fn layout(args: &BatchArgs, has_id: bool, robot_width: usize) -> anyhow::Result<Option<Layout>> {
    let is_chosen = !args.table.fields.is_empty();
    let format = args.format();
    if format == RowFormat::Jsonl && !is_chosen {
        return Ok(None);
    }
    ensure!(
        !args.slim,
        "--slim is for decision objects; a table has only the columns that --fields names"
    );
    Ok(Some(Layout {
        format,
        columns: columns(&args.table, has_id, false)?,
        is_chosen,
        robot_width,
        usage_width: 0,
    }))
}

/// How the command ends: errors are in the output, too.
fn exit(bulk: &Bulk) -> Exit {
    if bulk.unread.is_empty() {
        Exit::Done
    } else {
        Exit::Failed
    }
}
