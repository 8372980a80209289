//! The table `robots`: what robots may crawl, and what sites ask about AI.

use crate::method::Method;
use crate::report::ReportError;
use crate::report::census::{Census, Counted};
use crate::report::numbers::{
    self, Classes, KindClasses, KindCount, KindPeriod, Numbers, Outcomes, OverTime, PeriodCount,
    Place, RobotClasses, RobotCount,
};
use crate::report::period::Periods;
use crate::report::sites::Sites;
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
    none: Sites,
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

    fn count(self, classes: &mut KindClasses, site: Sites) {
        classes.sites += site;
        let class = match self {
            Self { unknown: 1.., .. } => &mut classes.unknown,
            Self { closed, robots, .. } if closed == robots => &mut classes.all_closed,
            Self { closed: 1.., .. } => &mut classes.some_closed,
            Self { partly: 1.., .. } => &mut classes.partly,
            _ => &mut classes.all_open,
        };
        *class += site;
    }
}

impl RobotCounter {
    pub(super) fn new(periods: usize, none: Sites) -> Self {
        Self {
            periods,
            none,
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
                let Some(counted) = counted else {
                    return Ok(());
                };
                if let Some(count) = self.row(place, capture, counted, &class) {
                    let site = counted.site;
                    if own_group {
                        count.named += site;
                    }
                    if !exact {
                        count.not_proven += site;
                    }
                    count.train.add(&train, site);
                    count.ai_input.add(&ai_input, site);
                    count.search.add(&search, site);
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
        let none = self.none;
        self.places.insert(name.to_owned(), place);
        self.counts.push(OneRobot {
            count: RobotCount {
                robot: quoted(name.as_bytes()).into_owned(),
                kind: self.kinds.get(kind).and_then(|kind| kind.kind.clone()),
                classes: Classes::none(none),
                not_proven: none,
                named: none,
                train: Outcomes::none(none),
                ai_input: Outcomes::none(none),
                search: Outcomes::none(none),
                place: Place::OfSet,
            },
            kind,
            periods: vec![Classes::none(none); self.periods],
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
                last: KindClasses::none(self.none),
                periods: vec![KindClasses::none(self.none); self.periods],
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
            classes.add(class, counted.site);
        }
        if !counted.is_last {
            return None;
        }
        robot.count.classes.add(class, counted.site);
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
                seen.count(&mut kind.last, counted.site);
            }
            let period = counted.period.map(usize::from);
            if let Some(classes) = period.and_then(|period| kind.periods.get_mut(period)) {
                seen.count(classes, counted.site);
            }
        }
    }

    /// Puts the counts into `numbers`, whose `method` says which robots the survey names.
    pub(super) fn finish(
        mut self,
        numbers: &mut Numbers,
        periods: Option<&Periods>,
        sites: &[(Sites, Sites)],
    ) {
        let named = numbers.method.as_ref().map(Method::named_robots);
        let named = named.unwrap_or_default();
        for robot in &mut self.counts {
            robot.count.place = place(&robot.count.robot, &named);
        }
        self.counts.sort_by(|one, other| {
            let key = |robot: &OneRobot| {
                let classes = robot.count.classes;
                (classes.closed.size(), classes.partly.size())
            };
            let places = one.count.place.cmp(&other.count.place);
            let closed = || key(other).cmp(&key(one));
            let by_name = || one.count.robot.cmp(&other.count.robot);
            places.then_with(closed).then_with(by_name)
        });
        self.kinds.sort_by(|one, other| {
            let key = |kind: &OneKind| (kind.last.all_closed.size(), kind.last.some_closed.size());
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

    fn over_time(&self, periods: &Periods, sites: &[(Sites, Sites)]) -> OverTime {
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
            panel: None,
            periods: counts.collect(),
        }
    }

    fn robot_classes(&self, period: usize) -> Vec<RobotClasses> {
        let robots = self.counts.iter();
        let classes = robots.map(|robot| RobotClasses {
            robot: robot.count.robot.clone(),
            classes: robot
                .periods
                .get(period)
                .copied()
                .unwrap_or(Classes::none(self.none)),
        });
        classes.collect()
    }

    fn kind_classes(&self, period: usize) -> Vec<KindPeriod> {
        let kinds = self.kinds.iter();
        let classes = kinds.map(|kind| KindPeriod {
            kind: kind.kind.clone(),
            classes: kind
                .periods
                .get(period)
                .copied()
                .unwrap_or(KindClasses::none(self.none)),
        });
        classes.collect()
    }
}

/// Where a robot comes among those of the survey, which names the robots `named`.
fn place(robot: &str, named: &[String]) -> Place {
    let is_it = |name: &String| *quoted(name.as_bytes()) == *robot;
    match named.iter().position(is_it) {
        _ if robot == "*" => Place::Any,
        Some(at) => Place::Named(at),
        None => Place::OfSet,
    }
}
