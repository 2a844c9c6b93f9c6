//! What the writer is given to do: a closure, because a batch can be done over, with whoever waits for what
//! it returns.

use tokio::sync::oneshot;

use super::carry::Desk;
use crate::StoreError;
use crate::db::Local;
use crate::fail::Fail;

/// One piece of work.
pub(super) enum Job {
    Work(Box<dyn Work>),
    /// Finish, flush, close.
    Close(oneshot::Sender<Result<(), StoreError>>),
}

impl Job {
    /// Does it in the transaction of a batch.
    pub(super) fn attempt(&mut self, db: &Local, desk: &mut Desk) -> Result<(), Fail> {
        match self {
            Self::Work(work) => work.attempt(db, desk),
            Self::Close(_) => Ok(()),
        }
    }

    /// Answers whoever waits: with what came of it, or why nothing of it is kept.
    pub(super) fn answer(self, failed: Option<&StoreError>) {
        match self {
            Self::Work(work) => work.answer(failed),
            Self::Close(reply) => {
                let _gone = reply.send(failed.map_or(Ok(()), |error| Err(error.clone())));
            }
        }
    }
}

/// Something to be done in the transaction of a batch.
pub(super) trait Work: Send {
    /// Does it, perhaps again, and keeps what came of it. An error means that the batch is to be undone.
    fn attempt(&mut self, db: &Local, desk: &mut Desk) -> Result<(), Fail>;

    /// Tells whoever waits what came of it, or why nothing of it is kept.
    fn answer(self: Box<Self>, failed: Option<&StoreError>);
}

/// A closure, and who waits for it.
pub(super) struct Waited<T, F> {
    work: F,
    done: Option<Result<T, StoreError>>,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, F> Waited<T, F>
where
    T: Send + 'static,
    F: FnMut(&Local, &mut Desk) -> Result<T, Fail> + Send + 'static,
{
    /// Returns a job, and where its answer comes.
    pub(super) fn job(work: F) -> (Job, oneshot::Receiver<Result<T, StoreError>>) {
        let (reply, done) = oneshot::channel();
        (Job::Work(Box::new(Self { work, done: None, reply })), done)
    }
}

impl<T, F> Work for Waited<T, F>
where
    T: Send,
    F: FnMut(&Local, &mut Desk) -> Result<T, Fail> + Send,
{
    fn attempt(&mut self, db: &Local, desk: &mut Desk) -> Result<(), Fail> {
        self.done = Some(match (self.work)(db, desk) {
            Ok(done) => Ok(done),
            Err(Fail::Told(error)) => Err(error),
            Err(fail) => return Err(fail),
        });
        Ok(())
    }

    fn answer(self: Box<Self>, failed: Option<&StoreError>) {
        let Self { done, reply, .. } = *self;
        let never = || Err(StoreError::Unavailable("it was never done".to_owned()));
        let told = failed.map_or_else(|| done.unwrap_or_else(never), |error| Err(error.clone()));
        // Whoever went away learns it when they come back.
        let _gone = reply.send(told);
    }
}
