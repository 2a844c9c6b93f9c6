//! A small desk of our own, written from the contract: what is open, who may, what joins, which
//! slots are taken, and that every ask ends once. It keeps no facts and knows no disk.

use askuser_core::limits::DeskLimits;

/// One agent and one person each; neither sees the other's.
pub(super) const USERS: [&str; 2] = ["ann", "bob"];

/// How long a repeat counts as one deeper, and how long an idle session lives, in milliseconds.
const REPEAT_MS: i64 = 600_000;
const IDLE_MS: i64 = 3_600_000;
/// How long what was decided while nobody waited is kept for its asker.
const HAND_OVER_MS: i64 = 3_600_000;

/// Where an ask stands (D4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    Pending,
    Showing,
    Closed,
    Completed,
    Error,
}

/// What is asked: two asks with the same words and name are the same question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wording {
    pub(super) name: u8,
    pub(super) words: u8,
}

impl Wording {
    /// One of the wordings marks a default.
    pub(super) fn has_default(self) -> bool {
        self.words == 2
    }
}

/// The terms of one ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Terms {
    pub(super) key: Option<u8>,
    pub(super) timeout_ms: Option<i64>,
    pub(super) takes_default: bool,
    pub(super) keeps_late: bool,
}

#[derive(Debug, Clone)]
pub(super) struct ModelAsk {
    pub(super) session: usize,
    pub(super) wording: Wording,
    pub(super) terms: Terms,
    pub(super) stage: Stage,
    /// How it ended: `Outcome::status` and `Outcome::reason`.
    pub(super) ending: Option<(&'static str, &'static str)>,
    depth: u32,
    pub(super) deadline: Option<i64>,
    has_late: bool,
    reopens: Option<usize>,
    ended_at: i64,
}

impl ModelAsk {
    pub(super) fn is_open(&self) -> bool {
        self.ending.is_none()
    }
}

/// A session: 0 is the derived one, the others are named.
#[derive(Debug, Clone)]
pub(super) struct ModelSession {
    pub(super) user: usize,
    pub(super) name: u8,
    pub(super) ended: bool,
    active_at: i64,
    last: Option<(u8, u32, i64)>,
}

/// What a command comes to: the ask that it is about and whether it was joined, or why not.
pub(super) type Verdict = Result<(usize, bool), &'static str>;

pub(super) struct Model {
    limits: DeskLimits,
    pub(super) now: i64,
    pub(super) sessions: Vec<ModelSession>,
    pub(super) asks: Vec<ModelAsk>,
}

impl Model {
    pub(super) fn new(limits: DeskLimits, now: i64) -> Self {
        Self { limits, now, sessions: Vec::new(), asks: Vec::new() }
    }

    pub(super) fn owner(&self, ask: usize) -> usize {
        self.sessions[self.asks[ask].session].user
    }

    /// The session of this name that lives.
    pub(super) fn live(&self, user: usize, name: u8) -> Option<usize> {
        self.sessions.iter().position(|it| it.user == user && it.name == name && !it.ended)
    }

    pub(super) fn open_in(&self, session: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.asks.len())
            .filter(move |ask| self.asks[*ask].session == session && self.asks[*ask].is_open())
    }

    /// The asks of a session that have this question.
    fn having(&self, session: usize, name: u8) -> impl DoubleEndedIterator<Item = usize> + '_ {
        (0..self.asks.len())
            .filter(move |ask| self.asks[*ask].session == session && self.asks[*ask].wording.name == name)
    }

    pub(super) fn ask(&mut self, user: usize, name: u8, wording: Wording, terms: Terms) -> Verdict {
        let same_key = |ask: &usize| {
            terms.key.is_some() && self.asks[*ask].terms.key == terms.key && self.owner(*ask) == user
        };
        let same_key = (0..self.asks.len()).rev().find(same_key);
        if let Some(earlier) = same_key.filter(|ask| self.asks[*ask].wording == wording) {
            return Ok((earlier, true));
        }
        let session = self.live(user, name);
        if let Some(session) = session
            && let Some(same) = self.open_in(session).find(|ask| self.asks[*ask].wording == wording)
        {
            // A key that is another's is told, also where the words are known.
            return if same_key.is_some() { Err("conflict") } else { Ok((same, true)) };
        }
        // Whoever asks in a session that has a name is known, and told what was decided meanwhile.
        if let Some(session) = session.filter(|_| name != 0)
            && let Some(missed) =
                (0..self.asks.len()).rev().find(|ask| self.is_missed(*ask, session, wording))
        {
            return if same_key.is_some() { Err("conflict") } else { Ok((missed, true)) };
        }
        self.room(user, name, session)?;
        // Of a session that has a name, an id is one question's for good.
        if name != 0 && session.is_some_and(|it| self.having(it, wording.name).next().is_some()) {
            return Err("duplicate");
        }
        if same_key.is_some() {
            return Err("conflict");
        }
        let last = session.and_then(|session| self.sessions[session].last);
        let repeats = last.filter(|(words, _, at)| *words == wording.words && self.now - at <= REPEAT_MS);
        let depth = repeats.map_or(1, |(_, depth, _)| depth + 1);
        if depth > self.limits.depth_max {
            return Err("too deep");
        }
        let session = session.unwrap_or_else(|| {
            self.sessions.push(ModelSession { user, name, ended: false, active_at: self.now, last: None });
            self.sessions.len() - 1
        });
        Ok((self.take_in(session, wording, terms, depth, None), false))
    }

    fn is_missed(&self, ask: usize, session: usize, wording: Wording) -> bool {
        let it = &self.asks[ask];
        let is_decided = matches!(it.ending, Some(("answered", _) | ("cancelled", "user")));
        let is_fresh = self.now - it.ended_at < HAND_OVER_MS;
        let is_reopened = self.asks.iter().any(|other| other.reopens == Some(ask));
        it.session == session
            && it.wording == wording
            && it.stage == Stage::Closed
            && is_decided
            && is_fresh
            && !is_reopened
    }

    pub(super) fn reopen(&mut self, user: usize, ask: usize) -> Verdict {
        let ModelAsk { session, wording, terms, depth, ending, .. } = self.asks[ask].clone();
        if self.owner(ask) != user {
            return Err("no ask");
        }
        if self.sessions[session].ended {
            return Err("no session");
        }
        let ended_so = matches!(ending, Some(("timeout", _) | ("cancelled", "user")));
        if !ended_so || self.open_in(session).any(|other| self.asks[other].reopens == Some(ask)) {
            return Err("not reopenable");
        }
        self.room(user, self.sessions[session].name, Some(session))?;
        let is_open = |other: &usize| self.asks[*other].is_open();
        if self.sessions[session].name != 0 && self.having(session, wording.name).any(|it| is_open(&it)) {
            return Err("duplicate");
        }
        Ok((self.take_in(session, wording, terms, depth, Some(ask)), false))
    }

    pub(super) fn answer(&mut self, user: usize, ask: usize, fits: bool) -> Verdict {
        let it = &self.asks[ask];
        if self.owner(ask) != user {
            return Err("no ask");
        }
        let late = it.terms.keeps_late && !it.has_late && it.ending.is_some_and(|(how, _)| how == "timeout");
        match (it.is_open(), it.stage) {
            (false, _) if !late => return Err("closed"),
            (true, Stage::Pending) => return Err("not showing"),
            _ if !fits => return Err("unfit"),
            _ => {}
        }
        if late {
            self.asks[ask].has_late = true;
            self.touch(ask);
        } else {
            self.close(ask, ("answered", "user"));
        }
        Ok((ask, false))
    }

    pub(super) fn answer_one(&mut self, user: usize, session: usize, name: u8, fits: bool) -> Verdict {
        if self.sessions[session].user != user || self.sessions[session].ended {
            return Err("no session");
        }
        let open: Vec<usize> = self.having(session, name).filter(|ask| self.asks[*ask].is_open()).collect();
        if open.len() > 1 {
            return Err("duplicate");
        }
        let latest = || self.having(session, name).next_back();
        let Some(ask) = open.first().copied().or_else(latest) else { return Err("no question") };
        match self.asks[ask].stage {
            Stage::Pending => return Err("not showing"),
            Stage::Showing if !fits => return Err("unfit"),
            Stage::Showing => self.close(ask, ("answered", "user")),
            Stage::Closed | Stage::Completed | Stage::Error => {
                let is_answered = self.asks[ask].ending.is_some_and(|(how, _)| how == "answered");
                return Err(if is_answered { "answered" } else { "closed" });
            }
        }
        Ok((ask, false))
    }

    pub(super) fn save(&mut self, user: usize, ask: usize, fits: bool) -> Verdict {
        self.open(user, ask)?;
        match self.asks[ask].stage {
            Stage::Showing if fits => self.touch(ask),
            Stage::Showing => return Err("unfit"),
            _ => return Err("not showing"),
        }
        Ok((ask, false))
    }

    pub(super) fn decline(&mut self, user: usize, ask: usize) -> Verdict {
        self.open(user, ask)?;
        self.close(ask, ("cancelled", "user"));
        Ok((ask, false))
    }

    pub(super) fn withdraw(&mut self, user: usize, ask: usize) -> Verdict {
        self.open(user, ask)?;
        self.close(ask, ("cancelled", "system"));
        Ok((ask, false))
    }

    pub(super) fn acknowledge(&mut self, user: usize, ask: usize) -> Verdict {
        if self.owner(ask) != user {
            return Err("no ask");
        }
        if self.asks[ask].is_open() {
            return Err("still open");
        }
        if self.asks[ask].stage == Stage::Closed {
            self.asks[ask].stage = Stage::Completed;
            self.touch(ask);
        }
        Ok((ask, false))
    }

    /// Puts the clock forward: what is due ends.
    pub(super) fn later(&mut self, millis: i64) {
        self.now += millis;
        let due = |ask: &usize| self.asks[*ask].deadline.is_some_and(|it| it <= self.now);
        let due: Vec<usize> = (0..self.asks.len()).filter(due).collect();
        for ask in due {
            let ModelAsk { terms, wording, .. } = self.asks[ask];
            let defaults = terms.takes_default && wording.has_default();
            if self.asks[ask].is_open() {
                self.close(ask, if defaults { ("answered", "timeout") } else { ("timeout", "timeout") });
            }
        }
    }

    /// Ends sessions in which nothing was open or happened for long.
    pub(super) fn sweep(&mut self) {
        for session in 0..self.sessions.len() {
            let idle = self.sessions[session].active_at < self.now - IDLE_MS;
            if self.sessions[session].ended || !idle || self.open_in(session).next().is_some() {
                continue;
            }
            self.sessions[session].ended = true;
            for ask in self.asks.iter_mut().filter(|it| it.session == session && it.stage == Stage::Closed) {
                ask.stage = Stage::Error;
            }
        }
    }

    fn open(&self, user: usize, ask: usize) -> Result<(), &'static str> {
        match self.owner(ask) == user {
            false => Err("no ask"),
            true if self.asks[ask].is_open() => Ok(()),
            true => Err("closed"),
        }
    }

    fn room(&self, user: usize, name: u8, session: Option<usize>) -> Result<(), &'static str> {
        let n_open = session.map_or(0, |session| self.open_in(session).count());
        if n_open >= self.limits.open_max {
            return Err("too many open");
        }
        let counts = |it: &usize| self.sessions[*it].user == user && self.sessions[*it].name != 0;
        let others = (0..self.sessions.len()).filter(|it| counts(it) && Some(*it) != session);
        let n_active = others.filter(|it| self.open_in(*it).next().is_some()).count();
        if name != 0 && n_open == 0 && n_active >= self.limits.active_sessions_max {
            return Err("too many sessions");
        }
        Ok(())
    }

    fn take_in(
        &mut self,
        session: usize,
        wording: Wording,
        terms: Terms,
        depth: u32,
        reopens: Option<usize>,
    ) -> usize {
        let deadline = terms.timeout_ms.map(|timeout| self.now + timeout);
        let (stage, ending, has_late) = (Stage::Pending, None, false);
        self.asks.push(ModelAsk {
            session,
            wording,
            terms,
            stage,
            ending,
            depth,
            deadline,
            has_late,
            reopens,
            ended_at: 0,
        });
        self.sessions[session].last = Some((wording.words, depth, self.now));
        let ask = self.asks.len() - 1;
        self.touch(ask);
        ask
    }

    fn close(&mut self, ask: usize, how: (&'static str, &'static str)) {
        assert!(self.asks[ask].is_open(), "the model itself ends an ask twice");
        self.asks[ask].ending = Some(how);
        self.asks[ask].ended_at = self.now;
        self.asks[ask].stage = Stage::Closed;
        self.touch(ask);
    }

    /// Something happened in the session of an ask: what waits moves up.
    fn touch(&mut self, ask: usize) {
        let session = self.asks[ask].session;
        self.sessions[session].active_at = self.now;
        let n_shown = self.open_in(session).filter(|ask| self.asks[*ask].stage == Stage::Showing).count();
        let waiting: Vec<usize> =
            self.open_in(session).filter(|ask| self.asks[*ask].stage == Stage::Pending).collect();
        for ask in waiting.into_iter().take(self.limits.shown_max - n_shown) {
            self.asks[ask].stage = Stage::Showing;
        }
    }
}
