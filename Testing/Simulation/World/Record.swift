//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

/// What has happened in a history: the trace, the faults by kind, and what was against the laws.
final class Record: Sendable {
    private struct State {
        var trace: [String] = []
        /// FNV-1a over the trace.
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        var faults: [SimulatedFault: Int] = [:]
        var violations: [String] = []
        var callsCount = 0
    }

    /// More are as good as none.
    private static let violationsMax = 40

    private let state = Mutex(State())

    var trace: [String] { self.state.withLock { $0.trace } }
    var digest: UInt64 { self.state.withLock { $0.digest } }
    var faults: [SimulatedFault: Int] { self.state.withLock { $0.faults } }
    var violations: [String] { self.state.withLock { $0.violations } }
    var callsCount: Int { self.state.withLock { $0.callsCount } }

    func note(_ line: String) {
        self.state.withLock { state in
            for byte in line.utf8 { state.digest = (state.digest ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
            state.digest = (state.digest ^ 0x0A) &* 0x0000_0100_0000_01B3
            state.trace.append(line)
        }
    }

    func count(_ fault: SimulatedFault) {
        self.state.withLock { $0.faults[fault, default: 0] += 1 }
    }

    func countCall() {
        self.state.withLock { $0.callsCount += 1 }
    }

    func violation(_ what: String) {
        self.note("VIOLATION \(what)")
        self.state.withLock { state in
            guard state.violations.count < Self.violationsMax else { return }
            state.violations.append(what)
        }
    }
}
