//! A full disk: asks are refused in plain words, what was acknowledged stays, and when there is
//! room again, it goes on.

use std::path::Path;
use std::process::Command;

use crate::daemon::Daemon;
use crate::record::Known;

/// Asks until the disk is full; returns those that were acknowledged.
fn fill(daemon: &Daemon) -> Vec<Known> {
    let mut agent = daemon.agent();
    let mut taken = Vec::new();
    for n in 0..20_000 {
        let mut known = Known::new(&format!("fill-{n}"), &format!("~/fill-{}", n / 50), None);
        let mut body = known.body().clone();
        body["context"] = "x".repeat(20_000).into();
        let reply = agent.ask(&known.key, &body).unwrap();
        if reply.status == 503 {
            assert_eq!(reply.error(), "unavailable", "{reply:?}");
            let said = reply.body["message"].as_str().unwrap();
            assert!(said.ends_with("make room on the disk, then try again"), "{said}");
            return taken;
        }
        known.learn(&reply);
        taken.push(known);
    }
    panic!("the disk was never full");
}

/// What was acknowledged can be read, and something small may even be answered or is refused.
fn check(daemon: &Daemon, taken: &mut [Known]) {
    let mut agent = daemon.agent();
    for known in taken {
        let reply = agent.get(&known.path("")).unwrap();
        known.learn(&reply);
    }
}

/// A limit on the size of files, by a shell that lets writing fail instead of being killed for it.
fn small_files(home: &Path) -> Daemon {
    let mut shell = Command::new("sh");
    // In blocks of 512 bytes.
    shell.args(["-c", "trap '' XFSZ; ulimit -f 4096; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_askuser")]);
    Daemon::start_as(shell, home)
}

#[test]
fn files_that_may_not_grow_refuse_new_asks_and_lose_none() {
    let home = tempfile::tempdir().unwrap();
    let mut daemon = small_files(home.path());
    let mut taken = fill(&daemon);
    assert!(taken.len() > 10, "only {} asks fitted", taken.len());
    check(&daemon, &mut taken);
    assert!(daemon.is_alive());
    daemon.kill();
    let daemon = Daemon::start(home.path());
    check(&daemon, &mut taken);
    let mut more = Known::new("more", "~/more", None);
    let body = more.body().clone();
    more.learn(&daemon.agent().ask("more", &body).unwrap());
}

/// A file system in memory that is really full, where this user may make one.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn new() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=3m", "tmpfs"])
            .arg(folder.path())
            .output()
            .is_ok_and(|mount| mount.status.success());
        mounted.then_some(Self(folder))
    }

    fn grow(&self) {
        let grown = Command::new("mount").args(["-o", "remount,size=64m"]).arg(self.0.path()).status();
        assert!(grown.unwrap().success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _gone = Command::new("umount").arg(self.0.path()).status();
    }
}

#[test]
fn a_full_disk_refuses_new_asks_loses_none_and_goes_on_when_there_is_room() {
    let Some(disk) = SmallDisk::new() else {
        println!("NOT TRIED: this user may not mount a small file system");
        return;
    };
    let mut daemon = Daemon::start(disk.0.path());
    let mut taken = fill(&daemon);
    check(&daemon, &mut taken);
    assert!(daemon.is_alive());
    disk.grow();
    let mut more = Known::new("more", "~/more", None);
    let body = more.body().clone();
    more.learn(&daemon.agent().ask("more", &body).unwrap());
    check(&daemon, &mut taken);
    daemon.kill();
    let daemon = Daemon::start(disk.0.path());
    check(&daemon, &mut taken);
}
