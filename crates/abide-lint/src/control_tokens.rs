//! Control tokens that a file names, for rules about them.

use crate::file::File;
use abide::syntax::{Addressee, FieldKind, Line};
use abide_known_robots::KnownRobot;

/// A known control token that has a group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NamedToken<'a> {
    pub(crate) robot: &'static KnownRobot,
    /// The first line that names it.
    pub(crate) line: &'a Line,
}

/// The control tokens that the file names, each once, in its order.
pub(crate) fn named<'a>(file: &File<'a>) -> Vec<NamedToken<'a>> {
    let mut found: Vec<NamedToken<'a>> = Vec::new();
    for (line, ..) in file.fields_of(FieldKind::UserAgent) {
        let Some(Addressee::Token(token)) = file.robots.addressee(line) else {
            continue;
        };
        let known = abide_known_robots::named(token).filter(|robot| !robot.controls.is_empty());
        if let Some(robot) = known
            && !found.iter().any(|one| one.robot == robot)
        {
            found.push(NamedToken { robot, line });
        }
    }
    found
}
