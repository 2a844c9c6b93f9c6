//! From calls to what they did to files: descriptors, positions and names, as the system keeps them.
//!
//! Everything below one folder is followed. A call that is not known here is a fault: it may write.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::disk::{Change, Event, Kind, Node, ROOT};
use super::recorded::{Flush, Placed, Recorded, Said};
use super::trace::{Call, Moment, Trace};

/// Calls that change no file: what is asked, waited for, locked or closed to others. A mode is not followed.
const HARMLESS: &str = "\
    arch_prctl chmod connect exit exit_group fadvise64 fchmod fchmodat fchown flock fstatfs getcwd getdents64 \
    getegid geteuid getgid getpeername getpgrp getpgid getppid getrlimit getsockname getsockopt getuid ioctl \
    kill listen mremap pidfd_send_signal prctl prlimit64 restart_syscall rseq rt_sigsuspend rt_sigtimedwait \
    sched_setaffinity set_robust_list set_tid_address setpgid setsid setsockopt shutdown sigaltstack statfs \
    sysinfo tgkill timerfd_settime umask uname utimensat wait4 waitid";
/// Calls that begin a process or a thread.
const BEGIN: [&str; 4] = ["clone", "clone3", "fork", "vfork"];
/// Names of files that are written to through memory: SQLite makes them anew after a cut.
const IN_MEMORY: &str = "-shm";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Opened {
    Node(Node),
    /// A connection from a port, or to nobody that matters.
    Line(u16),
    Other,
}

/// What several descriptors may share.
#[derive(Debug)]
struct Description {
    opened: Opened,
    at: usize,
    appends: bool,
    /// Opened in SQLite's way, which follows no links.
    by_sqlite: bool,
}

/// The descriptors of a process: each with whether the next program has it too.
type Table = HashMap<u64, (usize, bool)>;

/// A file or folder as programs see it, with the name that it was given last.
#[derive(Debug)]
struct Seen {
    kind: Kind,
    name: PathBuf,
    bytes: Vec<u8>,
    names: HashMap<String, Node>,
}

struct Kernel {
    root: PathBuf,
    seen: Vec<Seen>,
    descriptions: Vec<Description>,
    tables: Vec<Table>,
    /// The table of each thread.
    threads: HashMap<u32, usize>,
    /// Who began each thread, and whether its descriptors are the same.
    begun_by: HashMap<u32, (u32, bool)>,
    folder: PathBuf,
    told: HashMap<u16, usize>,
    flushing: HashMap<usize, usize>,
    recorded: Recorded,
}

/// Follows a recording of programs that were started in a folder, which was empty.
pub(crate) fn follow(trace: &Trace, root: &Path) -> Result<Recorded, String> {
    let mut kernel = Kernel::new(trace, root)?;
    for moment in &trace.moments {
        match *moment {
            Moment::Begin(number) => kernel.begins(number, &trace.calls[number])?,
            Moment::End(number) => kernel.ends(number, &trace.calls[number])?,
        }
    }
    kernel.leave(ROOT, Path::new(""));
    Ok(kernel.recorded)
}

impl Kernel {
    fn new(trace: &Trace, root: &Path) -> Result<Self, String> {
        let first = trace.calls.first().ok_or("nothing was recorded")?.thread;
        let mut begun_by = HashMap::new();
        for call in trace.calls.iter().filter(|call| BEGIN.contains(&call.name.as_str()) && call.is_done()) {
            let thread = call.result.and_then(|thread| u32::try_from(thread).ok());
            let shares = call.arguments.iter().any(|argument| argument.contains("CLONE_FILES"));
            begun_by.insert(thread.ok_or_else(|| call.wrong("no thread"))?, (call.thread, shares));
        }
        let seen =
            Seen { kind: Kind::Folder, name: PathBuf::new(), bytes: Vec::new(), names: HashMap::new() };
        Ok(Self {
            root: root.to_owned(),
            seen: vec![seen],
            descriptions: Vec::new(),
            tables: vec![Table::new()],
            threads: HashMap::from([(first, 0)]),
            begun_by,
            folder: root.to_owned(),
            told: HashMap::new(),
            flushing: HashMap::new(),
            recorded: Recorded::default(),
        })
    }

    /// The descriptors of a thread. One that is seen for the first time has those of who began it.
    fn table(&mut self, thread: u32) -> usize {
        if let Some(table) = self.threads.get(&thread) {
            return *table;
        }
        let table = match self.begun_by.get(&thread).copied() {
            Some((by, true)) => self.table(by),
            by => {
                let own = by.map(|(by, _)| self.table(by)).map(|table| self.tables[table].clone());
                self.tables.push(own.unwrap_or_default());
                self.tables.len() - 1
            }
        };
        self.threads.insert(thread, table);
        table
    }

    /// What a descriptor stands for. One that nothing is known of was made by a call that makes no file.
    fn description(&mut self, call: &Call, place: usize) -> Result<Option<usize>, String> {
        let descriptor = call.number(place)?;
        let table = self.table(call.thread);
        Ok(self.tables[table].get(&descriptor).map(|(description, _)| *description))
    }

    fn node(&mut self, call: &Call, place: usize) -> Result<Option<Node>, String> {
        let description = self.description(call, place)?;
        Ok(match description.map(|description| self.descriptions[description].opened) {
            Some(Opened::Node(node)) => Some(node),
            _ => None,
        })
    }

    fn begins(&mut self, number: usize, call: &Call) -> Result<(), String> {
        match call.name.as_str() {
            "close" => {
                let (table, descriptor) = (self.table(call.thread), call.number(0)?);
                self.tables[table].remove(&descriptor);
            }
            "close_range" => {
                let (table, first, last) = (self.table(call.thread), call.number(0)?, call.number(1)?);
                if call.argument(2)? != "0" {
                    return Err(call.wrong("another way to close"));
                }
                self.tables[table].retain(|descriptor, _| !(first..=last).contains(descriptor));
            }
            "write" | "writev" | "sendto" | "sendmsg" => {
                let opened =
                    self.description(call, 0)?.map(|description| self.descriptions[description].opened);
                if !matches!(opened, Some(Opened::Node(_))) {
                    self.says(call, opened)?;
                }
            }
            "fsync" | "fdatasync" => {
                if let Some(node) = self.node(call, 0)? {
                    let flush = self.recorded.flushes.len();
                    let kind = self.kind_of_flush(call, node)?;
                    self.recorded.flushes.push(Flush { kind, of: node, end: usize::MAX });
                    self.recorded.events.push(Event::Flush { number: flush, of: node });
                    self.flushing.insert(number, flush);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn kind_of_flush(&mut self, call: &Call, node: Node) -> Result<String, String> {
        let Seen { kind, name, .. } = &self.seen[node];
        let is_folder = *kind == Kind::Folder;
        let name = name.to_string_lossy();
        let parts = name.split('/').map(|part| {
            match part.split_once(".new-").or_else(|| part.split_once(".part-")) {
                Some((name, rest)) if rest.ends_with("-journal") => format!("{name}-journal"),
                // Made up, to be linked.
                Some((name, _)) if name.starts_with('.') => "*".to_owned(),
                Some((name, _)) => name.to_owned(),
                None => part.split(".askuser-").next().unwrap_or_default().trim_start_matches('.').to_owned(),
            }
        });
        let name = parts.collect::<Vec<_>>().join("/") + if is_folder { "/" } else { "" };
        let description = self.description(call, 0)?.map(|description| &self.descriptions[description]);
        let by_sqlite = call.name == "fdatasync" && (is_folder || description.is_some_and(|it| it.by_sqlite));
        Ok(if by_sqlite { format!("{name} by SQLite") } else { name })
    }

    fn says(&mut self, call: &Call, opened: Option<Opened>) -> Result<(), String> {
        let mut bytes = call.bytes(1)?;
        if let Some(result) = call.result {
            bytes.truncate(usize::try_from(result).unwrap_or(0));
        }
        let to = match opened {
            Some(Opened::Line(port)) => {
                let told = self.told.entry(port).or_default();
                let before = *told;
                *told += bytes.len();
                Some((port, before))
            }
            _ => None,
        };
        self.recorded.said.push(Said { after: self.recorded.events.len(), to, bytes });
        Ok(())
    }

    fn ends(&mut self, number: usize, call: &Call) -> Result<(), String> {
        if let Some(flush) = self.flushing.remove(&number) {
            if call.result != Some(0) {
                return Err(call.wrong("a flush failed"));
            }
            self.recorded.events.push(Event::Flushed { number: flush });
            self.recorded.flushes[flush].end = self.recorded.events.len();
            return Ok(());
        }
        let name = call.name.as_str();
        if call.result.is_none() && !is_harmless(name) && !["read", "accept4", "futex"].contains(&name) {
            return Err(call.wrong("nobody knows what came of it"));
        }
        if !call.is_done() {
            return Ok(());
        }
        self.did(call)
    }

    fn did(&mut self, call: &Call) -> Result<(), String> {
        match call.name.as_str() {
            "open" | "creat" => self.opens(call, None, 0, 1),
            "openat" => self.opens(call, Some(0), 1, 2),
            "dup" | "dup2" => self.doubles(call, false),
            "dup3" => self.doubles(call, call.has(2, "O_CLOEXEC")),
            "fcntl" => self.controls(call),
            "accept" | "accept4" => self.accepts(call),
            "socket" | "eventfd2" | "epoll_create1" | "timerfd_create" | "signalfd4" | "inotify_init1"
            | "pidfd_open" => self.gets(call, Opened::Other, false),
            "pipe" | "pipe2" | "socketpair" => self.gets_two(call),
            "execve" => {
                let table = self.table(call.thread);
                self.tables[table].retain(|_, (_, ends)| !*ends);
                Ok(())
            }
            "read" | "readv" => self.reads(call),
            "lseek" => self.seeks(call),
            "write" | "writev" => self.writes(call, None),
            "pwrite64" | "pwritev" => self.writes(call, Some(3)),
            "copy_file_range" => self.only_outside(call, 2),
            "ftruncate" => {
                let (node, length) = (self.node(call, 0)?, call.number(1)?);
                self.cut(node, length)
            }
            "truncate" => {
                let node = self.find(call, None, 0)?.and_then(|place| place.node);
                self.cut(node, call.number(1)?)
            }
            "fallocate" | "sendfile" => self.only_outside(call, 0),
            "mmap" => self.maps(call),
            "mkdir" => self.makes(call, None, 0),
            "mkdirat" => self.makes(call, Some(0), 1),
            "rename" => self.renames(call, (None, 0), (None, 1)),
            "renameat" => self.renames(call, (Some(0), 1), (Some(2), 3)),
            "renameat2" if call.argument(4)? == "0" => self.renames(call, (Some(0), 1), (Some(2), 3)),
            "link" => self.links(call, (None, 0), (None, 1)),
            "linkat" => self.links(call, (Some(0), 1), (Some(2), 3)),
            "unlink" | "rmdir" => self.unlinks(call, None, 0),
            "unlinkat" => self.unlinks(call, Some(0), 1),
            "bind" => self.binds(call),
            "chdir" => {
                self.folder = self.folder.join(call.path(0)?);
                Ok(())
            }
            // Done with when it began.
            "close" | "close_range" | "sendto" | "sendmsg" | "fsync" | "fdatasync" => Ok(()),
            name if BEGIN.contains(&name) || is_harmless(name) => Ok(()),
            _ => Err(call.wrong("a call that is not known: it may write")),
        }
    }

    // Descriptors.

    fn gets(&mut self, call: &Call, opened: Opened, appends: bool) -> Result<(), String> {
        let descriptor =
            call.result.and_then(|got| u64::try_from(got).ok()).ok_or_else(|| call.wrong("nothing"))?;
        let ends = call.arguments.iter().any(|argument| argument.contains("CLOEXEC"));
        let by_sqlite = call.arguments.iter().any(|argument| argument.contains("O_NOFOLLOW"));
        self.descriptions.push(Description { opened, at: 0, appends, by_sqlite });
        let table = self.table(call.thread);
        self.tables[table].insert(descriptor, (self.descriptions.len() - 1, ends));
        Ok(())
    }

    fn gets_two(&mut self, call: &Call) -> Result<(), String> {
        let place = if call.name == "socketpair" { 3 } else { 0 };
        let two = call.argument(place)?.trim_matches(['[', ']']);
        let table = self.table(call.thread);
        for descriptor in two.split(", ") {
            let descriptor: u64 = descriptor.parse().map_err(|_| call.wrong("no descriptor"))?;
            self.tables[table].remove(&descriptor);
        }
        Ok(())
    }

    fn doubles(&mut self, call: &Call, ends: bool) -> Result<(), String> {
        let got = call.result.and_then(|got| u64::try_from(got).ok()).ok_or_else(|| call.wrong("nothing"))?;
        let (description, table) = (self.description(call, 0)?, self.table(call.thread));
        match description {
            Some(description) => self.tables[table].insert(got, (description, ends)),
            None => self.tables[table].remove(&got),
        };
        Ok(())
    }

    fn controls(&mut self, call: &Call) -> Result<(), String> {
        match call.argument(1)? {
            "F_DUPFD" => self.doubles(call, false),
            "F_DUPFD_CLOEXEC" => self.doubles(call, true),
            "F_SETFD" => {
                let (descriptor, table) = (call.number(0)?, self.table(call.thread));
                if let Some((_, ends)) = self.tables[table].get_mut(&descriptor) {
                    *ends = call.has(2, "FD_CLOEXEC");
                }
                Ok(())
            }
            "F_SETFL" if self.node(call, 0)?.is_some() => Err(call.wrong("a file is written otherwise")),
            _ => Ok(()),
        }
    }

    fn accepts(&mut self, call: &Call) -> Result<(), String> {
        let who = call.argument(1)?;
        let port = who.split_once("port=htons(").and_then(|(_, rest)| rest.split_once(')')?.0.parse().ok());
        // Ports are given out again.
        port.map(|port| self.told.remove(&port));
        self.gets(call, port.map_or(Opened::Other, Opened::Line), false)
    }

    // Names.

    fn opens(&mut self, call: &Call, at: Option<usize>, path: usize, flags: usize) -> Result<(), String> {
        let Some(place) = self.find(call, at, path)? else { return self.gets(call, Opened::Other, false) };
        if call.has(flags, "O_SYNC") || call.has(flags, "O_DSYNC") || call.has(flags, "O_TMPFILE") {
            return Err(call.wrong("a way to open that is not followed"));
        }
        let node = match place.node {
            Some(node) => node,
            None => self.make(&place, Kind::File),
        };
        if call.has(flags, "O_TRUNC") {
            self.cut(Some(node), 0)?;
        }
        self.gets(call, Opened::Node(node), call.has(flags, "O_APPEND"))
    }

    /// Where a path leads; none where that is outside.
    fn find(&mut self, call: &Call, at: Option<usize>, path: usize) -> Result<Option<Place>, String> {
        let said = PathBuf::from(call.path(path)?);
        let from = match at.map(|at| call.descriptor(at)).transpose()?.flatten() {
            Some(_) if said.is_relative() => match self.node(call, at.unwrap_or_default())? {
                Some(node) => self.root.join(&self.seen[node].name),
                None => return Ok(None),
            },
            _ => self.folder.clone(),
        };
        let whole = from.join(said);
        let Ok(below) = whole.strip_prefix(&self.root) else { return Ok(None) };
        let mut place = Place { folder: ROOT, name: String::new(), node: Some(ROOT), path: PathBuf::new() };
        for part in below.components() {
            let Component::Normal(name) = part else {
                if part == Component::CurDir {
                    continue;
                }
                return Err(call.wrong("a way back"));
            };
            let Some(folder) = place.node else { return Err(call.wrong("a folder is not known")) };
            let name = name.to_string_lossy().into_owned();
            let node = self.seen[folder].names.get(&name).copied();
            place = Place { folder, path: place.path.join(&name), node, name };
        }
        Ok(Some(place))
    }

    fn names(&mut self, folder: Node, names: Vec<(String, Option<Node>)>) {
        for (name, node) in &names {
            match node {
                Some(node) => {
                    self.seen[*node].name = self.seen[folder].name.join(name);
                    self.seen[folder].names.insert(name.clone(), *node)
                }
                None => self.seen[folder].names.remove(name),
            };
        }
        self.recorded.events.push(Event::Changed(folder, Change::Names(names)));
    }

    fn make(&mut self, place: &Place, kind: Kind) -> Node {
        self.seen.push(Seen { kind, name: place.path.clone(), bytes: Vec::new(), names: HashMap::new() });
        self.recorded.events.push(Event::Made(kind));
        let node = self.seen.len() - 1;
        self.names(place.folder, vec![(place.name.clone(), Some(node))]);
        node
    }

    fn makes(&mut self, call: &Call, at: Option<usize>, path: usize) -> Result<(), String> {
        if let Some(place) = self.find(call, at, path)? {
            self.make(&place, Kind::Folder);
        }
        Ok(())
    }

    fn renames(
        &mut self,
        call: &Call,
        (from_at, from): (Option<usize>, usize),
        (to_at, to): (Option<usize>, usize),
    ) -> Result<(), String> {
        match (self.find(call, from_at, from)?, self.find(call, to_at, to)?) {
            (None, None) => Ok(()),
            (Some(from), Some(to)) if from.folder == to.folder => {
                let node = Some(from.node.ok_or_else(|| call.wrong("what is renamed is not known"))?);
                let moved = node.map(|node| &self.seen[node]).filter(|moved| moved.kind == Kind::File);
                let bytes = moved.map(|moved| moved.bytes.clone());
                self.names(from.folder, vec![(from.name, None), (to.name, node)]);
                self.place(&to.path, bytes);
                Ok(())
            }
            _ => Err(call.wrong("from one folder to another: not followed")),
        }
    }

    fn links(
        &mut self,
        call: &Call,
        (from_at, from): (Option<usize>, usize),
        (to_at, to): (Option<usize>, usize),
    ) -> Result<(), String> {
        match (self.find(call, from_at, from)?, self.find(call, to_at, to)?) {
            (None, None) => Ok(()),
            (Some(Place { node: Some(node), .. }), Some(to)) => {
                self.names(to.folder, vec![(to.name, Some(node))]);
                Ok(())
            }
            _ => Err(call.wrong("a link to what is not known")),
        }
    }

    fn place(&mut self, path: &Path, bytes: Option<Vec<u8>>) {
        let placed = Placed { after: self.recorded.events.len(), bytes };
        self.recorded.placed.entry(path.to_owned()).or_default().push(placed);
    }

    fn unlinks(&mut self, call: &Call, at: Option<usize>, path: usize) -> Result<(), String> {
        match self.find(call, at, path)? {
            None => Ok(()),
            Some(place) if place.node.is_some() => {
                self.names(place.folder, vec![(place.name, None)]);
                if self.recorded.placed.contains_key(&place.path) {
                    self.place(&place.path, None);
                }
                Ok(())
            }
            Some(_) => Err(call.wrong("what is removed is not known")),
        }
    }

    fn binds(&mut self, call: &Call) -> Result<(), String> {
        let address = call.argument(1)?;
        if !address.contains("AF_UNIX") || !address.contains('"') || address.contains("sun_path=@") {
            return Ok(());
        }
        if let Some(place) = self.find(call, None, 1)? {
            self.make(&place, Kind::Other);
        }
        Ok(())
    }

    // Bytes.

    fn reads(&mut self, call: &Call) -> Result<(), String> {
        if let Some(description) = self.description(call, 0)? {
            self.descriptions[description].at += returned(call)?;
        }
        Ok(())
    }

    fn seeks(&mut self, call: &Call) -> Result<(), String> {
        if let Some(description) = self.description(call, 0)? {
            self.descriptions[description].at = returned(call)?;
        }
        Ok(())
    }

    fn writes(&mut self, call: &Call, at: Option<usize>) -> Result<(), String> {
        let Some(description) = self.description(call, 0)? else { return Ok(()) };
        let Opened::Node(node) = self.descriptions[description].opened else { return Ok(()) };
        let mut bytes = call.bytes(1)?;
        bytes.truncate(returned(call)?);
        let Description { at: position, appends, .. } = &mut self.descriptions[description];
        let begin = if let Some(place) = at {
            usize::try_from(call.number(place)?).map_err(|_| call.wrong("too far"))?
        } else {
            let begin = if *appends { self.seen[node].bytes.len() } else { *position };
            *position = begin + bytes.len();
            begin
        };
        self.put(node, begin, bytes);
        Ok(())
    }

    /// What writes in a way that is not followed may do so elsewhere.
    fn only_outside(&mut self, call: &Call, place: usize) -> Result<(), String> {
        if self.node(call, place)?.is_some() { Err(call.wrong("not followed")) } else { Ok(()) }
    }

    fn put(&mut self, node: Node, at: usize, bytes: Vec<u8>) {
        let all = &mut self.seen[node].bytes;
        all.resize(all.len().max(at + bytes.len()), 0);
        all[at..at + bytes.len()].copy_from_slice(&bytes);
        self.recorded.events.push(Event::Changed(node, Change::Bytes { at, bytes: Arc::from(bytes) }));
    }

    fn cut(&mut self, node: Option<Node>, length: u64) -> Result<(), String> {
        let Some(node) = node else { return Ok(()) };
        let length = usize::try_from(length).map_err(|_| "a file is too long")?;
        // Nothing changes, and nothing has to be flushed.
        if self.seen[node].bytes.len() != length {
            self.seen[node].bytes.resize(length, 0);
            self.recorded.events.push(Event::Changed(node, Change::Length(length)));
        }
        Ok(())
    }

    fn maps(&mut self, call: &Call) -> Result<(), String> {
        if !call.has(3, "MAP_SHARED") || !call.has(2, "PROT_WRITE") || call.argument(4)? == "-1" {
            return Ok(());
        }
        match self.node(call, 4)? {
            Some(node) if !self.seen[node].name.to_string_lossy().ends_with(IN_MEMORY) => {
                Err(call.wrong("a file is written through memory"))
            }
            _ => Ok(()),
        }
    }

    fn leave(&mut self, folder: Node, path: &Path) {
        for (name, node) in self.seen[folder].names.clone() {
            let path = path.join(name);
            match self.seen[node].kind {
                Kind::Folder => self.leave(node, &path),
                Kind::File if path.to_string_lossy().ends_with(IN_MEMORY) => {}
                Kind::File => self.recorded.left.push((path, self.seen[node].bytes.clone())),
                Kind::Other => {}
            }
        }
    }
}

struct Place {
    folder: Node,
    name: String,
    /// What is there.
    node: Option<Node>,
    path: PathBuf,
}

fn is_harmless(name: &str) -> bool {
    HARMLESS.split(' ').any(|harmless| harmless == name)
}

fn returned(call: &Call) -> Result<usize, String> {
    call.result.and_then(|n| usize::try_from(n).ok()).ok_or_else(|| call.wrong("nothing came of it"))
}
