//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// The main actor, reached from a thread that may be its own.
enum MainQueue {
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Asking for the main thread alone is not enough: a program of Linux whose main function is asynchronous runs its
    /// main queue on another one.
    private static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: self.mark) == true }

    /// Runs the body at once on the main queue, and in the order of the calls from any other.
    static func run(_ body: @escaping @MainActor @Sendable () -> Void) {
        if self.isCurrent {
            MainActor.assumeIsolated(body)
        } else {
            DispatchQueue.main.async { MainActor.assumeIsolated(body) }
        }
    }
}
