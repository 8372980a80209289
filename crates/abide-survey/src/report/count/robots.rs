//! The table `robots`: what robots may crawl, and what sites ask about AI.

use crate::report::ReportError;
use crate::report::census::{Census, Counted};
use crate::report::numbers::{
    self, Classes, KindClasses, KindCount, KindPeriod, Numbers, OverTime, PeriodCount,
    RobotClasses, RobotCount,
};
use crate::report::period::Periods;
use crate::report::tables::{ReadCell, Stored, rows};
use crate::schema::{CaptureRow, RobotRow};
use abide::explain::quoted;
use std::collections::HashMap;

/// The largest number of robots.
const MAX_ROBOTS: usize = 2000;

/// Counts sites by what robots may crawl.
#[derive(Debug)]
pub(super) struct RobotCounter {
    periods: usize,
    /// The first path of the table. The class of a robot is about the whole site, so rows about
    /// other paths repeat it.
    path: Option<String>,
    counts: Vec<OneRobot>,
    /// Where in `counts` a robot is.
    places: HashMap<String, usize>,
    kinds: Vec<OneKind>,
    /// The site whose rows pass by, and its robots by kind.
    site: Option<(i64, Counted)>,
    seen: Vec<Seen>,
}

#[derive(Debug)]
struct OneRobot {
    count: RobotCount,
    kind: usize,
    periods: Vec<Classes>,
}

#[derive(Debug)]
struct OneKind {
    kind: Option<String>,
    robots: u64,
    last: KindClasses,
    periods: Vec<KindClasses>,
}

/// The robots of one kind at one site.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    robots: u64,
    closed: u64,
    partly: u64,
    unknown: u64,
}

impl Seen {
    fn add(&mut self, class: &str) {
        self.robots += 1;
        match class {
            "open" => {}
            "partly" => self.partly += 1,
            "closed" => self.closed += 1,
            _ => self.unknown += 1,
        }
    }

    fn count(self, classes: &mut KindClasses) {
        classes.sites += 1;
        let class = match self {
            Self { unknown: 1.., .. } => &mut classes.unknown,
            Self { closed, robots, .. } if closed == robots => &mut classes.all_closed,
            Self { closed: 1.., .. } => &mut classes.some_closed,
            Self { partly: 1.., .. } => &mut classes.partly,
            _ => &mut classes.all_open,
        };
        *class += 1;
    }
}

impl RobotCounter {
    pub(super) fn new(periods: usize) -> Self {
        Self {
            periods,
            path: None,
            counts: Vec::new(),
            places: HashMap::new(),
            kinds: Vec::new(),
            site: None,
            seen: Vec::new(),
        }
    }

    /// Counts the sites of one part.
    pub(super) fn read(&mut self, table: &Stored, census: &Census) -> Result<(), ReportError> {
        let mut join = census.join();
        rows!(
            table,
            CaptureRow { capture }
            RobotRow { robot, kind, path, own_group, class, exact, train, ai_input, search },
            |row| {
                let first = self.path.get_or_insert_with(|| path.clone().into_owned());
                if *first != path {
                    return Ok(());
                }
                let place = self.robot(&robot, kind.as_deref(), table)?;
                let counted = join.find(row, capture)?;
                let counted = counted.filter(|counted| counted.state.answers());
                let count = counted.and_then(|counted| self.row(place, capture, counted, &class));
                if let Some(count) = count {
                    count.named += u64::from(own_group);
                    count.not_proven += u64::from(!exact);
                    count.train.add(&train);
                    count.ai_input.add(&ai_input);
                    count.search.add(&search);
                }
                Ok(())
            }
        )?;
        self.end_site();
        Ok(())
    }

    /// Where the robot of a row is counted.
    fn robot(
        &mut self,
        name: &str,
        kind: Option<&str>,
        table: &Stored,
    ) -> Result<usize, ReportError> {
        if let Some(place) = self.places.get(name) {
            return Ok(*place);
        }
        if self.counts.len() >= MAX_ROBOTS {
            return Err(ReportError::TooMany {
                path: table.path.clone(),
                what: "robots",
                most: MAX_ROBOTS,
            });
        }
        let kind = kind.filter(|kind| !kind.is_empty());
        let kind = kind.or((name == "*").then_some("every-other"));
        let kind = self.kind(kind);
        let place = self.counts.len();
        self.places.insert(name.to_owned(), place);
        self.counts.push(OneRobot {
            count: RobotCount {
                robot: quoted(name.as_bytes()).into_owned(),
                kind: self.kinds.get(kind).and_then(|kind| kind.kind.clone()),
                classes: Classes::default(),
                not_proven: 0,
                named: 0,
                train: numbers::Outcomes::default(),
                ai_input: numbers::Outcomes::default(),
                search: numbers::Outcomes::default(),
                place,
            },
            kind,
            periods: vec![Classes::default(); self.periods],
        });
        Ok(place)
    }

    /// Where a kind is counted. There are at most as many kinds as robots.
    fn kind(&mut self, name: Option<&str>) -> usize {
        let name = name.map(|name| quoted(name.as_bytes()).into_owned());
        let found = self.kinds.iter().position(|kind| kind.kind == name);
        let place = found.unwrap_or(self.kinds.len());
        if found.is_none() {
            self.kinds.push(OneKind {
                kind: name,
                robots: 0,
                last: KindClasses::default(),
                periods: vec![KindClasses::default(); self.periods],
            });
        }
        if let Some(kind) = self.kinds.get_mut(place) {
            kind.robots += 1;
        }
        place
    }

    /// Counts the class of a robot. Returns where the rest of its row counts, if it does.
    fn row(
        &mut self,
        place: usize,
        capture: i64,
        counted: Counted,
        class: &str,
    ) -> Option<&mut RobotCount> {
        if self.site.is_none_or(|(site, _)| site != capture) {
            self.end_site();
            self.site = Some((capture, counted));
        }
        if self.seen.len() < self.kinds.len() {
            self.seen.resize(self.kinds.len(), Seen::default());
        }
        let robot = self.counts.get_mut(place)?;
        if let Some(seen) = self.seen.get_mut(robot.kind) {
            seen.add(class);
        }
        let period = counted.period.map(usize::from);
        if let Some(classes) = period.and_then(|period| robot.periods.get_mut(period)) {
            classes.add(class);
        }
        if !counted.is_last {
            return None;
        }
        robot.count.classes.add(class);
        Some(&mut robot.count)
    }

    /// Counts the kinds of robots at the site whose rows have passed.
    fn end_site(&mut self) {
        let Some((_, counted)) = self.site.take() else {
            return;
        };
        for (seen, kind) in self.seen.iter_mut().zip(&mut self.kinds) {
            let seen = std::mem::take(seen);
            if seen.robots == 0 {
                continue;
            }
            if counted.is_last {
                seen.count(&mut kind.last);
            }
            let period = counted.period.map(usize::from);
            if let Some(classes) = period.and_then(|period| kind.periods.get_mut(period)) {
                seen.count(classes);
            }
        }
    }

    pub(super) fn finish(
        mut self,
        numbers: &mut Numbers,
        periods: Option<&Periods>,
        sites: &[(u64, u64)],
    ) {
        self.counts.sort_by(|one, other| {
            let key = |robot: &OneRobot| {
                let classes = robot.count.classes;
                (classes.closed, classes.partly)
            };
            let names = || one.count.robot.cmp(&other.count.robot);
            key(other).cmp(&key(one)).then_with(names)
        });
        self.kinds.sort_by(|one, other| {
            let key = |kind: &OneKind| (kind.last.all_closed, kind.last.some_closed);
            key(other)
                .cmp(&key(one))
                .then_with(|| one.kind.cmp(&other.kind))
        });
        numbers.over_time = periods.map(|periods| self.over_time(periods, sites));
        let kinds = self.kinds.into_iter().map(|kind| KindCount {
            kind: kind.kind,
            robots: kind.robots,
            classes: kind.last,
        });
        numbers.robots = Some(numbers::RobotAccess {
            path: quoted(self.path.unwrap_or_default().as_bytes()).into_owned(),
            robots: self.counts.into_iter().map(|robot| robot.count).collect(),
            kinds: kinds.collect(),
        });
    }

    fn over_time(&self, periods: &Periods, sites: &[(u64, u64)]) -> OverTime {
        let named = periods.labels.iter().zip(&periods.starts);
        let counted = named.zip(sites).enumerate();
        let counts = counted.map(|(at, ((label, start), (sites, answered)))| PeriodCount {
            label: label.clone(),
            first_day: start.to_string(),
            sites: *sites,
            answered: *answered,
            robots: self.robot_classes(at),
            kinds: self.kind_classes(at),
        });
        OverTime {
            period: periods.period.name(),
            periods: counts.collect(),
        }
    }

    fn robot_classes(&self, period: usize) -> Vec<RobotClasses> {
        let robots = self.counts.iter();
        let classes = robots.map(|robot| RobotClasses {
            robot: robot.count.robot.clone(),
            classes: robot.periods.get(period).copied().unwrap_or_default(),
        });
        classes.collect()
    }

    fn kind_classes(&self, period: usize) -> Vec<KindPeriod> {
        let kinds = self.kinds.iter();
        let classes = kinds.map(|kind| KindPeriod {
            kind: kind.kind.clone(),
            classes: kind.periods.get(period).copied().unwrap_or_default(),
        });
        classes.collect()
    }
}
