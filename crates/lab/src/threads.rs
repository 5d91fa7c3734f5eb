//! Lends the program's threads to a shared search.

/// The workers of a program as the solver uses them.
pub(crate) struct SearchThreads(pub kit::Workers);

impl sums::Workers for SearchThreads {
    fn threads(&self) -> usize {
        self.0.threads.get()
    }

    fn run(&self, work: &(dyn Fn() + Sync)) {
        self.0.run_on_each(work);
    }
}
