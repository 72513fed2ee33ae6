//! The predicate window: `windows.md` 2.1 with the decisions of 2.3, step by step, all keys looked at for every element.
use crate::condition::{Attributes, Condition, View};
use cep_oracle::aggregate::Aggregate;
use cep_oracle::{Ty, Value};
use std::collections::{BTreeMap, BTreeSet};

/// What a predicate window is told about itself. Times are in the clock's unit.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "they are the operator's own parameters")]
pub struct Parameters {
    /// `start`
    pub start: Condition,
    /// `end`
    pub end: Option<Condition>,
    /// `clear`
    pub clear: Option<Condition>,
    /// `advance_when` with `advance_size`
    pub advance: Option<(Condition, i64)>,
    /// `same_start_time`
    pub same_start_time: bool,
    /// `keep_ending_element`
    pub keep_ending_element: bool,
    /// `use_element_only_for_start_or_end`
    pub one_role: bool,
    /// `keep_time_order`
    pub keep_time_order: bool,
    /// `close_window_with_heartbeat`
    pub close_with_heartbeat: bool,
    /// `nesting`
    pub nesting: bool,
    /// `flush_on_end`
    pub flush_on_end: bool,
    /// `max_window_time` or `size`
    pub max_time: Option<i128>,
    /// `output_if_max_window_time`
    pub max_time_output: bool,
    /// `max_window_time_output_port`
    pub max_time_port: u32,
    /// `close_window_after_no_updates_for`
    pub idle: Option<i128>,
    /// `close_window_after_no_updates_port`
    pub idle_port: u32,
    /// `partition`
    pub partition: Vec<String>,
    /// `agg { … }`: names, functions and the attribute with its type; `count(*)` has none.
    pub folds: Vec<Fold>,
    /// `capacity: N elements` and what happens where it is used up.
    pub capacity: Option<(usize, Policy)>,
    /// `capacity: M keys`
    pub keys: Option<usize>,
}

/// `total: sum(fare)`
#[derive(Clone, PartialEq, Debug)]
pub struct Fold {
    /// The output's attribute.
    pub name: String,
    /// The function.
    pub aggregate: Aggregate,
    /// The element's attribute; none for `count(*)`.
    pub attribute: Option<(String, Ty)>,
}

/// What happens where a capacity is used up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// The element is refused.
    Error,
    /// The oldest buffered element goes.
    Evict,
}

impl Parameters {
    /// Only `start`, everything else as by default.
    #[must_use]
    pub fn new(start: Condition) -> Parameters {
        Parameters {
            start,
            end: None,
            clear: None,
            advance: None,
            same_start_time: false,
            keep_ending_element: false,
            one_role: false,
            keep_time_order: true,
            close_with_heartbeat: false,
            nesting: false,
            flush_on_end: true,
            max_time: None,
            max_time_output: true,
            max_time_port: 0,
            idle: None,
            idle_port: 0,
            partition: Vec::new(),
            folds: Vec::new(),
            capacity: None,
            keys: None,
        }
    }
}

/// What a window is told.
#[derive(Clone, Debug)]
pub enum Step {
    /// An element.
    Push {
        /// Its time.
        time: i128,
        /// Its attributes.
        attributes: Attributes,
    },
    /// An event of a type that the window is not on; its time, if that type has one.
    Beside(Option<i128>),
    /// `advance_to`
    Advance(i128),
    /// `heartbeat`
    Heartbeat(i128),
    /// `finish`
    Finish,
}

/// Why a window closed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "named as in the language")]
pub enum Reason {
    End,
    MaxTime,
    Idle,
    Heartbeat,
    EndOfStream,
}

/// A member of an output.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Member {
    /// The position of its element.
    pub position: u64,
    /// Its start.
    pub start: i128,
    /// Its end.
    pub end: i128,
}

/// What comes out.
#[derive(Clone, PartialEq, Debug)]
pub struct Output {
    /// Where.
    pub port: u32,
    /// The first member's start.
    pub start: i128,
    /// The window's end; none for what passes through.
    pub end: Option<i128>,
    /// None for what passes through.
    pub reason: Option<Reason>,
    /// One member without `nesting` and `agg`; none with `agg`.
    pub members: Vec<Member>,
    /// With `agg`, by name.
    pub values: BTreeMap<String, Value>,
    /// The partition's key.
    pub key: Vec<Value>,
    /// The index of the step that delivers it.
    pub at: usize,
}

/// An element in a window.
#[derive(Clone, Debug)]
struct Element {
    position: u64,
    time: i128,
    attributes: Attributes,
}

/// A partition. Its window is open while the buffer holds something.
#[derive(Clone, Debug, Default)]
struct Group {
    key: Vec<Value>,
    buffer: Vec<Element>,
    /// The last element, in a window or not.
    last: Option<Attributes>,
}

/// The operator.
#[derive(Clone, Debug)]
pub struct Model {
    parameters: Parameters,
    groups: Vec<Group>,
    /// Output that waits for its turn.
    held: Vec<Output>,
    now: Option<i128>,
    finished: bool,
    position: u64,
    /// Members that were left out because nothing of their time was left.
    pub vanished: u64,
    /// Elements evicted.
    pub evicted: u64,
}

/// Why a step was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// Time went back, or the stream has ended.
    OutOfOrder,
    /// A capacity is used up.
    Full,
}

impl Model {
    /// A new one.
    #[must_use]
    pub fn new(parameters: Parameters) -> Model {
        Model {
            parameters,
            groups: Vec::new(),
            held: Vec::new(),
            now: None,
            finished: false,
            position: 0,
            vanished: 0,
            evicted: 0,
        }
    }

    /// One step; nothing changes where it is refused.
    ///
    /// # Errors
    /// Time that goes back, a capacity that is used up.
    pub fn step(&mut self, step: &Step, at: usize) -> Result<Vec<Output>, Refused> {
        let before = self.clone();
        let mut out = Vec::new();
        let taken = match step {
            Step::Push { time, attributes } => self.push(*time, attributes, at, &mut out),
            Step::Beside(t) => self.beside(*t, at, &mut out),
            Step::Advance(t) => {
                self.pass(*t, false, at, &mut out);
                Ok(())
            }
            Step::Heartbeat(t) => {
                self.pass(*t, true, at, &mut out);
                Ok(())
            }
            Step::Finish => {
                self.finish(at, &mut out);
                Ok(())
            }
        };
        if let Err(why) = taken {
            *self = before;
            return Err(why);
        }
        Ok(self.release(out, at))
    }

    fn beside(&mut self, time: Option<i128>, at: usize, out: &mut Vec<Output>) -> Result<(), Refused> {
        if self.finished || time.is_some_and(|t| self.now.is_some_and(|now| t < now)) {
            return Err(Refused::OutOfOrder);
        }
        self.position += 1;
        if let Some(t) = time {
            self.pass(t, false, at, out);
        }
        Ok(())
    }

    fn push(
        &mut self,
        time: i128,
        attributes: &Attributes,
        at: usize,
        out: &mut Vec<Output>,
    ) -> Result<(), Refused> {
        if self.finished || self.now.is_some_and(|now| time < now) {
            return Err(Refused::OutOfOrder);
        }
        let position = self.position;
        self.position += 1;
        self.now = Some(time);
        // 1, 2: what is due, in every partition
        self.due(time, at, out);
        // 3: the partition
        let null = || Value::Null;
        let key: Vec<Value> = self
            .parameters
            .partition
            .iter()
            .map(|a| attributes.get(a).cloned().unwrap_or_else(null))
            .collect();
        let g = match self.groups.iter().position(|g| g.key == key) {
            Some(g) => g,
            None => {
                self.groups.push(Group { key, ..Group::default() });
                self.groups.len() - 1
            }
        };
        let holds = |group: &Group, c: &Condition| c.holds(view(group, attributes));
        // 4: clear
        if self.parameters.clear.as_ref().is_some_and(|c| holds(&self.groups[g], c)) {
            self.groups[g].buffer.clear();
        }
        // 5: start and end, once
        let starts = holds(&self.groups[g], &self.parameters.start);
        let closes = match &self.parameters.end {
            Some(end) => holds(&self.groups[g], end),
            None => !starts,
        };
        let element = Element { position, time, attributes: attributes.clone() };
        let prev = self.groups[g].last.replace(attributes.clone());
        // 6: an open window
        let (mut inside, mut closer) = (false, false);
        if !self.groups[g].buffer.is_empty() {
            if !closes {
                return self.append(g, element);
            }
            closer = true;
            if self.parameters.keep_ending_element {
                self.append(g, element.clone())?;
                inside = true;
            }
            self.produce(g, time, Reason::End, 0, at, out);
            self.shrink(g, attributes, prev.as_ref());
            if !self.groups[g].buffer.is_empty() {
                // the window stays open
                if inside {
                    return Ok(());
                }
                if starts && !self.parameters.one_role {
                    return self.append(g, element);
                }
                self.pass_through(g, &element, at, out);
                return Ok(());
            }
        }
        // 7: no window is open
        if starts && !(closer && self.parameters.one_role) {
            let open = self.groups.iter().filter(|g| !g.buffer.is_empty()).count();
            if self.parameters.keys.is_some_and(|most| open >= most) {
                return Err(Refused::Full);
            }
            return self.append(g, element);
        }
        if !inside {
            self.pass_through(g, &element, at, out);
        }
        Ok(())
    }

    fn append(&mut self, g: usize, element: Element) -> Result<(), Refused> {
        let buffered: usize = self.groups.iter().map(|g| g.buffer.len()).sum();
        if let Some((most, policy)) = self.parameters.capacity
            && buffered + self.held.len() >= most
        {
            if policy == Policy::Error {
                return Err(Refused::Full);
            }
            let oldest = |g: &&mut Group| g.buffer.first().map_or(u64::MAX, |e| e.position);
            if let Some(group) = self.groups.iter_mut().min_by_key(oldest)
                && !group.buffer.is_empty()
            {
                group.buffer.remove(0);
                self.evicted += 1;
            }
        }
        self.groups[g].buffer.push(element);
        Ok(())
    }

    /// What an ordinary close leaves in the window.
    fn shrink(&mut self, g: usize, trigger: &Attributes, prev: Option<&Attributes>) {
        let keeps = self.parameters.clear.is_some();
        let gone = match &self.parameters.advance {
            Some((when, size)) if when.holds(View { prev, ..view(&self.groups[g], trigger) }) => {
                usize::try_from(*size).unwrap_or(usize::MAX)
            }
            Some(_) => 0,
            None if keeps => 0,
            None => usize::MAX,
        };
        let buffer = &mut self.groups[g].buffer;
        buffer.drain(..gone.min(buffer.len()));
    }

    fn produce(&mut self, g: usize, end: i128, reason: Reason, port: u32, at: usize, out: &mut Vec<Output>) {
        let p = &self.parameters;
        let group = &self.groups[g];
        let Some(first) = group.buffer.first() else { return };
        let start = |e: &Element| if p.same_start_time { first.time } else { e.time };
        let members: Vec<Member> = group
            .buffer
            .iter()
            .map(|e| Member { position: e.position, start: start(e), end })
            .filter(|m| m.start < m.end)
            .collect();
        self.vanished += (group.buffer.len() - members.len()) as u64;
        if !p.folds.is_empty() {
            // one that is left out as a member is left out of the folds
            let produced: Vec<&Element> =
                group.buffer.iter().filter(|e| members.iter().any(|m| m.position == e.position)).collect();
            if produced.is_empty() {
                return;
            }
            let values = p.folds.iter().map(|f| (f.name.clone(), fold(f, &produced))).collect();
            let key = group.key.clone();
            let (end, reason) = (Some(end), Some(reason));
            out.push(Output { port, start: first.time, end, reason, members: vec![], values, key, at });
            return;
        }
        let lists: Vec<Vec<Member>> = if p.nesting {
            Some(members).filter(|m| !m.is_empty()).into_iter().collect()
        } else {
            members.into_iter().map(|m| vec![m]).collect()
        };
        for members in lists {
            let (start, key) = (members[0].start, group.key.clone());
            let (end, reason) = (Some(end), Some(reason));
            out.push(Output { port, start, end, reason, members, values: BTreeMap::new(), key, at });
        }
    }

    /// An element that is in no window.
    fn pass_through(&self, g: usize, e: &Element, at: usize, out: &mut Vec<Output>) {
        let member = Member { position: e.position, start: e.time, end: e.time };
        out.push(Output {
            port: 1,
            start: e.time,
            end: None,
            reason: None,
            members: vec![member],
            values: BTreeMap::new(),
            key: self.groups[g].key.clone(),
            at,
        });
    }

    /// Closes every window whose time is up at `now`.
    fn due(&mut self, now: i128, at: usize, out: &mut Vec<Output>) {
        for g in 0..self.groups.len() {
            let p = &self.parameters;
            let Some(first) = self.groups[g].buffer.first() else { continue };
            if p.max_time.is_some_and(|most| first.time + most <= now) {
                let (output, port) = (p.max_time_output, p.max_time_port);
                if output {
                    self.produce(g, now, Reason::MaxTime, port, at, out);
                }
                self.groups[g].buffer.clear();
            }
        }
        for g in 0..self.groups.len() {
            let p = &self.parameters;
            let Some(last) = self.groups[g].buffer.last() else { continue };
            if p.idle.is_some_and(|most| last.time + most <= now) {
                let port = p.idle_port;
                self.produce(g, now, Reason::Idle, port, at, out);
                self.groups[g].buffer.clear();
            }
        }
    }

    fn pass(&mut self, time: i128, heartbeat: bool, at: usize, out: &mut Vec<Output>) {
        if self.finished || self.now.is_some_and(|now| time < now) {
            return;
        }
        self.now = Some(time);
        self.due(time, at, out);
        if heartbeat && self.parameters.close_with_heartbeat {
            self.close_all(time, Reason::Heartbeat, at, out);
        }
    }

    fn close_all(&mut self, end: i128, reason: Reason, at: usize, out: &mut Vec<Output>) {
        for g in 0..self.groups.len() {
            self.produce(g, end, reason, 0, at, out);
            self.groups[g].buffer.clear();
        }
    }

    fn finish(&mut self, at: usize, out: &mut Vec<Output>) {
        if self.finished {
            return;
        }
        self.finished = true;
        if let (true, Some(now)) = (self.parameters.flush_on_end, self.now) {
            self.close_all(now + 1, Reason::EndOfStream, at, out);
        }
        self.groups.clear();
    }

    /// What may leave now: everything, or what no open window could still come before.
    fn release(&mut self, new: Vec<Output>, at: usize) -> Vec<Output> {
        if !self.parameters.keep_time_order {
            return new;
        }
        self.held.extend(new);
        self.held.sort_by_key(|o| o.start);
        let earliest = self.groups.iter().filter_map(|g| Some(g.buffer.first()?.time)).min();
        let free = self.held.iter().take_while(|o| earliest.is_none_or(|e| o.start <= e)).count();
        let mut out: Vec<Output> = self.held.drain(..free).collect();
        out.iter_mut().for_each(|o| o.at = at);
        out
    }

    /// Elements in windows, and outputs that wait.
    #[must_use]
    pub fn load(&self) -> usize {
        self.groups.iter().map(|g| g.buffer.len()).sum::<usize>() + self.held.len()
    }

    /// The keys with an open window.
    #[must_use]
    pub fn open(&self) -> BTreeSet<String> {
        let open = self.groups.iter().filter(|g| !g.buffer.is_empty());
        open.map(|g| format!("{:?}", g.key)).collect()
    }
}

fn view<'a>(group: &'a Group, here: &'a Attributes) -> View<'a> {
    View {
        here,
        first: group.buffer.first().map(|e| &e.attributes),
        last: group.buffer.last().map(|e| &e.attributes),
        prev: group.last.as_ref(),
        len: group.buffer.len(),
    }
}

fn fold(f: &Fold, buffer: &[&Element]) -> Value {
    let (values, ty): (Vec<Value>, Ty) = match &f.attribute {
        None => (buffer.iter().map(|_| Value::Int(0)).collect(), Ty::I64),
        Some((name, ty)) => {
            let of = |e: &&Element| e.attributes.get(name).cloned().unwrap_or(Value::Null);
            (buffer.iter().map(of).collect(), *ty)
        }
    };
    f.aggregate.apply(ty, &values).unwrap_or(Value::Null)
}

/// Everything that a list of steps gives, and the steps that are refused.
#[must_use]
pub fn run(parameters: &Parameters, steps: &[Step]) -> (Vec<Output>, Vec<(usize, Refused)>) {
    let mut model = Model::new(parameters.clone());
    let (mut out, mut refused) = (Vec::new(), Vec::new());
    for (at, step) in steps.iter().enumerate() {
        match model.step(step, at) {
            Ok(found) => out.extend(found),
            Err(why) => refused.push((at, why)),
        }
    }
    (out, refused)
}
