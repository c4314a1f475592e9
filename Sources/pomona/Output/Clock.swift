//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Foundation
import Time

/// A moment on the command line: RFC 3339, with any offset.
struct MomentArgument: ExpressibleByArgument, Sendable {
    let timestamp: Timestamp

    init?(argument: String) {
        guard let timestamp = Timestamp(rfc3339: argument) else { return nil }
        self.timestamp = timestamp
    }
}

extension Timestamp {
    /// The machine's clock.
    static func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    init(_ date: Date) {
        self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded()))
    }

    var date: Date { Date(timeIntervalSince1970: TimeInterval(self.milliseconds) / 1000) }
}
