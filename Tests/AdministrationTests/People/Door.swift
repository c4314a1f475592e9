//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// Holds a thread up until it is opened.
final class Door: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func pass() { self.semaphore.wait() }

    func open() { self.semaphore.signal() }
}
