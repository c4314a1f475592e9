//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Where the tasks of one process run: nothing by itself, everything when the ``Scheduler`` says so.
///
/// A task that prefers it keeps it over every suspension (SE-0417), and so do its child tasks.
final class ScheduledExecutor: TaskExecutor {
    /// Unlike every other executor of the scheduler.
    let number: Int
    private let scheduler: Scheduler

    init(number: Int, scheduler: Scheduler) {
        self.number = number
        self.scheduler = scheduler
    }

    func enqueue(_ job: consuming ExecutorJob) {
        self.scheduler.enqueue(UnownedJob(job), on: self)
    }
}
