//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Synchronization

/// Wakes a worker when a commit of this process has made something due, so that it need not wait for its next look. However
/// often it is raised before somebody waits, it wakes once: one look finds all of it. What other processes commit it does
/// not know of.
public final class DueSignal: Sendable {
    struct State {
        var isRaised = false
        /// By number, so that one whose task is cancelled is found.
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var nextNumber: UInt64 = 0
    }

    let state = Mutex(State())

    init() {}

    @_spi(Administration)
    public func raise() {
        let waiting = self.state.withLock { state in
            state.isRaised = state.waiting.isEmpty
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when it is raised, or has been since somebody waited last, or when the task is cancelled.
    public func wait() async {
        let number = self.state.withLock { state in
            defer { state.nextNumber += 1 }
            return state.nextNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = self.state.withLock { state in
                    // The handler has found nobody waiting if the task was cancelled before this.
                    if state.isRaised || Task.isCancelled {
                        state.isRaised = false
                        return true
                    }
                    state.waiting[number] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            self.state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
    }
}

extension Gateway {
    /// Raises ``deliveriesDue`` after a commit that has resolved what a merchant is notified of. Where an earlier event of
    /// the payment is still waiting, a look finds nothing new.
    ///
    /// - Parameter settings: those of the merchant's account.
    func wakeDeliveries(after payment: Payment, _ settings: [String: String]) {
        let isNotified = payment.operations.contains {
            $0.resolvedInVersion == payment.version
                && ($0.labels.notifyURL(in: settings) != nil || !$0.labels.notifySettingsOnRequest.isEmpty)
        }
        if isNotified { self.deliveriesDue.raise() }
    }
}
