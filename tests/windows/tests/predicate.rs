//! The examples of the predicate window's page and the decisions of `windows.md` 2.3, typed in.
use cep_oracle::Value;
use cep_oracle::aggregate::Aggregate;
use cep_windows::condition::{Condition, Leaf, Place, Term};
use cep_windows::predicate::{Fold, Model, Output, Parameters, Policy, Reason, Refused, Step, run};

/// Elements at some times; the letters of each are its flags that are set.
fn stream(elements: &[(i128, &str)]) -> Vec<Step> {
    let one = |(time, set): &(i128, &str)| {
        let flag = |name: &str| (name.to_owned(), Value::Bool(set.contains(name)));
        let key = set.chars().find(char::is_ascii_uppercase).map_or(Value::Null, |k| Value::Str(k.into()));
        let mut attributes: cep_windows::condition::Attributes = ["s", "e", "c", "a"].map(flag).into();
        attributes.extend([("t".into(), Value::Int(*time)), ("key".into(), key)]);
        Step::Push { time: *time, attributes }
    };
    elements.iter().map(one).collect()
}

fn finished(mut steps: Vec<Step>) -> Vec<Step> {
    steps.push(Step::Finish);
    steps
}

/// `port:position[start,end)@step`, the members of a nested output in braces.
fn show(out: &[Output]) -> String {
    let one = |o: &Output| {
        let end = o.end.map_or("oo".to_owned(), |e| e.to_string());
        let members: Vec<String> = o.members.iter().map(|m| m.position.to_string()).collect();
        format!("{}:{}[{},{end})@{}", o.port, members.join("+"), o.start, o.at)
    };
    out.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn shown(p: &Parameters, steps: &[Step]) -> String {
    let (out, refused) = run(p, steps);
    assert!(refused.is_empty(), "{refused:?}");
    show(&out)
}

fn start_end() -> Parameters {
    Parameters { end: Some(Condition::flag("e")), ..Parameters::new(Condition::flag("s")) }
}

/// The page's input: A 1 to 4, B 5 to 10, C 11 to 16; `s`: new element, `e`: is last.
fn page() -> Vec<Step> {
    let list: Vec<(i128, &str)> = (1..=16)
        .map(|t| {
            let set = match t {
                1 | 5 | 11 => "s",
                4 | 10 => "e",
                _ => "",
            };
            (t, set)
        })
        .collect();
    finished(stream(&list))
}

fn windows(out: &[Output]) -> Vec<(i128, i128)> {
    let mut list: Vec<(i128, i128)> =
        out.iter().filter(|o| o.port == 0).filter_map(|o| Some((o.start, o.end?))).collect();
    list.dedup();
    list
}

#[test]
fn the_pages_three_examples() {
    let first = Parameters { same_start_time: true, ..Parameters::new(Condition::flag("s")) };
    assert_eq!(windows(&run(&first, &page()).0), [(1, 2), (5, 6), (11, 12)]);
    let second = Parameters { end: Some(Condition::flag("s")), ..first.clone() };
    let out = run(&second, &page()).0;
    assert_eq!(windows(&out), [(1, 5), (5, 11), (11, 17)]);
    assert_eq!(out.len(), 16);
    assert_eq!(out[15].reason, Some(Reason::EndOfStream));
    let third = Parameters { end: Some(Condition::flag("e")), keep_ending_element: true, ..first };
    let out = run(&third, &page()).0;
    assert_eq!(windows(&out), [(1, 4), (5, 10), (11, 17)]);
    assert_eq!(out.len(), 16);
    // with own start times the ending element has no time left
    let own = Parameters { same_start_time: false, ..third };
    assert!(run(&own, &page()).0.iter().all(|o| o.members[0].position != 3));
}

#[test]
fn new_elements_from_raw_input() {
    // isNull(__last_1.ID) OR (__last_1.ID != ID)
    let key = |p| Term::Attribute(p, "id".to_owned());
    let new = Condition(vec![vec![
        Leaf::IsNone(Place::Prev, "id".into()),
        Leaf::Compare(key(Place::Prev), "!=", key(Place::Here)),
    ]]);
    let p = Parameters { end: Some(new.clone()), same_start_time: true, ..Parameters::new(new) };
    let id = |t: i128| if t < 5 { 0 } else { i128::from(t > 10) + 1 };
    let raw = |t: i128| Step::Push { time: t, attributes: [("id".to_owned(), Value::Int(id(t)))].into() };
    let out = run(&p, &finished((1..=16).map(raw).collect())).0;
    assert_eq!(windows(&out), [(1, 5), (5, 11), (11, 17)]);
}

#[test]
fn roles_of_an_element() {
    let steps = finished(stream(&[(1, "s"), (2, ""), (3, "se"), (4, ""), (5, "e")]));
    assert_eq!(shown(&start_end(), &steps), "0:0[1,3)@2 0:1[2,3)@2 0:2[3,5)@4 0:3[4,5)@4 1:4[5,oo)@4");
    let one = Parameters { one_role: true, ..start_end() };
    assert_eq!(
        shown(&one, &steps),
        "0:0[1,3)@2 0:1[2,3)@2 1:2[3,oo)@2 1:3[4,oo)@3 1:4[5,oo)@4",
        "P3: the closer that may not open goes to port 1"
    );
    let kept = Parameters { keep_ending_element: true, same_start_time: true, ..start_end() };
    assert_eq!(
        shown(&kept, &finished(stream(&[(1, "s"), (3, "e"), (4, "")]))),
        "0:0[1,3)@1 0:1[1,3)@1 1:2[4,oo)@2",
        "P2: what is inside a window is not on port 1"
    );
    assert_eq!(
        shown(&kept, &finished(stream(&[(1, "s"), (3, "se"), (4, "e")]))),
        "0:0[1,3)@1 0:1[1,3)@1 0:1[3,4)@2 0:2[3,4)@2",
        "kept and opening the next one"
    );
    let opener = finished(stream(&[(1, "se"), (2, ""), (3, "e")]));
    assert_eq!(shown(&start_end(), &opener), "0:0[1,3)@2 0:1[2,3)@2 1:2[3,oo)@2", "end is not consulted");
}

#[test]
fn both_sides_of_the_maximum_time() {
    let max = Parameters { max_time: Some(5), ..start_end() };
    let steps = |t| finished(stream(&[(1, "s"), (t, ""), (t, "")]));
    assert_eq!(shown(&max, &steps(6)), "0:0[1,6)@1 1:1[6,oo)@1 1:2[6,oo)@2");
    assert_eq!(shown(&max, &steps(5)), "0:0[1,6)@3 0:1[5,6)@3 0:2[5,6)@3");
    let silent = Parameters { max_time_output: false, ..max.clone() };
    assert_eq!(shown(&silent, &steps(9)), "1:1[9,oo)@1 1:2[9,oo)@2");
    let port = Parameters { max_time_port: 2, ..max };
    assert_eq!(run(&port, &steps(6)).0[0].port, 2);
    assert_eq!(run(&port, &steps(6)).0[0].reason, Some(Reason::MaxTime));
}

#[test]
fn idle_windows_and_heartbeats() {
    let idle = Parameters { idle: Some(4), idle_port: 3, partition: vec!["key".into()], ..start_end() };
    let steps = finished(stream(&[(1, "As"), (2, "Bs"), (4, "B"), (5, "B"), (7, "Be")]));
    assert_eq!(shown(&idle, &steps), "3:0[1,5)@3 0:1[2,7)@4 0:2[4,7)@4 0:3[5,7)@4 1:4[7,oo)@4");
    let mut told = stream(&[(1, "s")]);
    told.extend([Step::Advance(4), Step::Advance(5)]);
    assert_eq!(shown(&Parameters { partition: vec![], ..idle.clone() }, &told), "3:0[1,5)@2");
    let session = Parameters { close_with_heartbeat: true, idle: None, ..idle };
    let mut told = stream(&[(1, "As"), (2, "Bs")]);
    told.extend([Step::Advance(3), Step::Heartbeat(4)]);
    assert_eq!(shown(&session, &told), "0:0[1,4)@3 0:1[2,4)@3");
    // at its own time nothing of an element is left
    let mut told = stream(&[(4, "As")]);
    told.push(Step::Heartbeat(4));
    assert_eq!(shown(&session, &told), "");
    let earlier = [stream(&[(4, "As")]), vec![Step::Heartbeat(3)], stream(&[(5, "Ae")])].concat();
    assert_eq!(shown(&session, &earlier), "0:0[4,5)@2 1:1[5,oo)@2");
}

#[test]
fn clear_and_advance() {
    let clear = Parameters { clear: Some(Condition::flag("c")), flush_on_end: false, ..start_end() };
    let steps = finished(stream(&[(1, "s"), (2, "c"), (3, ""), (4, "s"), (5, "e")]));
    assert_eq!(
        shown(&clear, &steps),
        "1:1[2,oo)@1 1:2[3,oo)@2 0:3[4,5)@4 1:4[5,oo)@5",
        "P4: clear closes; afterwards the window stays, so what is later waits"
    );
    // P5: the window stays open and the closer starts: it goes on in what remains
    let steps = finished(stream(&[(1, "s"), (2, "se"), (3, "e")]));
    assert_eq!(shown(&clear, &steps), "0:0[1,2)@1 0:0[1,3)@2 0:1[2,3)@3 1:2[3,oo)@3");
    // P6: a forced close empties
    let forced = Parameters { max_time: Some(3), ..clear };
    let steps = finished(stream(&[(1, "s"), (4, ""), (5, "")]));
    assert_eq!(shown(&forced, &steps), "0:0[1,4)@1 1:1[4,oo)@1 1:2[5,oo)@2");
    let by = |size| Parameters { advance: Some((Condition::flag("a"), size)), ..start_end() };
    let steps = finished(stream(&[(1, "s"), (2, ""), (3, "ea"), (4, "")]));
    assert_eq!(shown(&by(-1), &steps), "0:0[1,3)@2 0:1[2,3)@2 1:2[3,oo)@2 1:3[4,oo)@3");
    assert_eq!(shown(&by(1), &steps), "0:0[1,3)@2 0:1[2,3)@2 0:1[2,5)@4 1:2[3,oo)@4 0:3[4,5)@4");
    assert_eq!(shown(&by(0), &steps), "0:0[1,3)@2 0:0[1,5)@4 0:1[2,3)@4 0:1[2,5)@4 1:2[3,oo)@4 0:3[4,5)@4");
}

#[test]
fn nested_and_folded() {
    let nested = Parameters { nesting: true, ..start_end() };
    let steps = finished(stream(&[(1, "s"), (2, ""), (4, "e")]));
    assert_eq!(shown(&nested, &steps), "0:0+1[1,4)@2 1:2[4,oo)@2");
    let own: Vec<i128> = run(&nested, &steps).0[0].members.iter().map(|m| m.start).collect();
    assert_eq!(own, [1, 2]);
    let kept = Parameters { keep_ending_element: true, ..nested };
    assert_eq!(shown(&kept, &steps), "0:0+1[1,4)@2", "the kept one has no time left");
    let count =
        Fold { name: "n".into(), aggregate: Aggregate::from_name("count").expect("count"), attribute: None };
    let folded = Parameters { folds: vec![count], nesting: false, ..kept };
    let out = run(&folded, &steps).0;
    assert_eq!((out.len(), out[0].start, out[0].end, &out[0].values["n"]), (1, 1, Some(4), &Value::Int(2)));
    let shared = Parameters { same_start_time: true, ..folded };
    assert_eq!(run(&shared, &steps).0[0].values["n"], Value::Int(3));
}

#[test]
fn order_of_time_over_keys() {
    let keyed = Parameters { partition: vec!["key".into()], ..start_end() };
    let steps = finished(stream(&[(1, "As"), (2, "Bs"), (3, "A"), (4, "Be"), (5, "Ae"), (6, "B")]));
    assert_eq!(shown(&keyed, &steps), "0:0[1,5)@4 0:1[2,4)@4 0:2[3,5)@4 1:3[4,oo)@4 1:4[5,oo)@4 1:5[6,oo)@5");
    let free = Parameters { keep_time_order: false, ..keyed };
    assert_eq!(shown(&free, &steps), "0:1[2,4)@3 1:3[4,oo)@3 0:0[1,5)@4 0:2[3,5)@4 1:4[5,oo)@4 1:5[6,oo)@5");
}

#[test]
fn late_elements_and_full_windows_change_nothing() {
    let steps = finished(stream(&[(2, "s"), (1, "e"), (3, "e")]));
    let (out, refused) = run(&start_end(), &steps);
    assert_eq!((show(&out), refused), ("0:0[2,3)@2 1:1[3,oo)@2".into(), vec![(1, Refused::OutOfOrder)]));
    let full = Parameters { capacity: Some((2, Policy::Error)), ..start_end() };
    let steps = finished(stream(&[(1, "s"), (2, ""), (3, ""), (4, "e")]));
    let (out, refused) = run(&full, &steps);
    assert_eq!((show(&out), refused), ("0:0[1,4)@3 0:1[2,4)@3 1:2[4,oo)@3".into(), vec![(2, Refused::Full)]));
    let evict = Parameters { capacity: Some((2, Policy::Evict)), ..start_end() };
    assert_eq!(shown(&evict, &steps), "0:1[2,4)@3 0:2[3,4)@3 1:3[4,oo)@3");
    let mut after = steps;
    after.extend(stream(&[(9, "s")]));
    assert_eq!(run(&start_end(), &after).1, [(5, Refused::OutOfOrder)]);
}

#[test]
fn every_input_leaves() {
    // 2.3 g: own reading with shared start times, nothing dropped on purpose
    use cep_oracle::generate::Random;
    use cep_windows::generate::{PredicateCase, predicate};
    let mut r = Random::new(Random::seed_or(7));
    let mut checked = 0;
    for _ in 0..3000 {
        let mut p = PredicateCase::new(&mut r).parameters;
        (p.same_start_time, p.max_time_output, p.flush_on_end) = (true, true, true);
        (p.clear, p.capacity) = (None, None);
        p.folds.clear();
        let mut model = Model::new(p);
        let (mut left, mut taken) = (std::collections::BTreeSet::new(), 0);
        let steps = predicate::steps(&mut r, 20);
        for (at, s) in steps.iter().enumerate() {
            if let Ok(out) = model.step(s, at) {
                taken += usize::from(matches!(s, Step::Push { .. }));
                left.extend(out.iter().flat_map(|o| o.members.iter().map(|m| m.position)));
            }
        }
        if matches!(steps.last(), Some(Step::Finish)) && model.vanished == 0 {
            assert_eq!(left.len(), taken);
            checked += 1;
        }
    }
    assert!(checked > 1500, "{checked}");
}
