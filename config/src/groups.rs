//! Groups of people that an ask may be for: the section `groups`, with names that the operator chooses.

use std::collections::BTreeMap;

use super::said::{Fault, kind};
use crate::yaml::{Kind, Node};

/// How the section is written.
pub(super) const SAMPLE: &str = "\
groups:
  ops: [ann, bob]
  security: [cy]";

/// Reads the section; what is wrong with it, group by group.
pub(super) fn read(node: &Node, faults: &mut Vec<Fault>) -> BTreeMap<String, Vec<String>> {
    if !matches!(node.kind, Kind::Table(_) | Kind::Null) {
        faults.push(Fault::no_table(node, "groups"));
    }
    let mut groups = BTreeMap::new();
    for (name, members) in node.entries() {
        let named = name.text().unwrap_or_default();
        match serde_json::from_value::<Vec<String>>(members.json()) {
            Ok(members) if !named.is_empty() => drop(groups.insert(named.to_owned(), members)),
            Ok(_) => faults.push(Fault::new(name.at, |say| say.group_without_name().to_owned())),
            Err(_) => faults.push(Fault::new(members.at, |say| {
                say.group(named, say.is_not(kind(members, say), say.list_of_names()))
            })),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> (BTreeMap<String, Vec<String>>, Vec<String>) {
        let mut faults = Vec::new();
        let file = crate::yaml::parse(text).unwrap();
        let groups = read(file.get("groups").unwrap(), &mut faults);
        (groups, faults.iter().map(|fault| fault.said().to_string()).collect())
    }

    #[test]
    fn groups_are_read_and_what_is_wrong_is_said() {
        let (groups, faults) = check(SAMPLE);
        assert_eq!((groups["ops"].as_slice(), faults.len()), (&["ann".to_owned(), "bob".to_owned()][..], 0));
        let (groups, faults) = check("groups:\n  ops: ann\n  two: [bob]\n");
        assert_eq!(groups.keys().collect::<Vec<_>>(), ["two"]);
        assert_eq!(faults, ["line 2, column 8: the group `ops` is a text, not a list of names"]);
        assert_eq!(check("groups: 3").1, ["line 1, column 9: `groups` is a number, not a table"]);
    }
}
