//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
import Payments
public import Time

extension ClockComparison {
    static let reason = "Tokens, signatures, certificates and the leases of several nodes are judged by the clock."

    /// In a finding.
    public var finding: Finding {
        let seconds = abs(self.aheadMilliseconds) / 1000
        let severity: Finding.Severity =
            self.isFailure ? .failure : abs(self.aheadMilliseconds) >= Self.warningMilliseconds ? .warning : .good
        guard severity != .good else {
            return Finding(
                .clock, "clock_agrees", .good, subject: self.name, "This machine's clock agrees with \(self.name)'s.",
                because: Self.reason)
        }
        let way = self.aheadMilliseconds > 0 ? "ahead of" : "behind"
        return Finding(
            .clock, "clock_differs", severity, subject: self.name,
            "This machine's clock is \(seconds) seconds \(way) \(self.name)'s.", because: Self.reason,
            advice: "Have the time kept by NTP, here and there.")
    }
}

extension Administration {
    /// The database's clock against this machine's; nothing where the store has none of its own.
    public func examineStoreClock() async throws -> [Finding] {
        let before = self.now()
        guard let said = try await self.read({ try $0.storeTime() }) else { return [] }
        return [ClockComparison(name: "the database", said: said, before: before, after: self.now()).finding]
    }

    /// Whether the store takes a commit now. What is committed is empty.
    public func examineWriting() async -> Finding {
        let reason = "What cannot be made durable is refused."
        do {
            try await self.gateway.store.write { _ in }
            return Finding(.store, "store_writable", .good, "The store takes commits.", because: reason)
        } catch {
            return Finding(
                .store, "store_not_writable", .failure, "The store takes no commits: \(error).", because: reason,
                advice: "See that its disk has room and its server runs and may be written to.")
        }
    }
}

/// Sees a clock that is set while the process runs, against one that nobody sets.
public struct ClockWatch: Sendable {
    /// For how long a jump is spoken of: whoever looks once an hour sees it.
    private static let spokenOfMilliseconds: Int64 = 3_600_000

    private var last: (now: Timestamp, steady: Int64)
    /// How often both clocks have been looked at.
    public private(set) var looksCount = 0
    private var jump: (aheadMilliseconds: Int64, steady: Int64)?

    /// - Parameter steadyMilliseconds: of a clock that nobody sets.
    public init(now: Timestamp, steadyMilliseconds: Int64) {
        self.last = (now, steadyMilliseconds)
    }

    /// Looks at both clocks.
    ///
    /// - Returns: that the clock was set, within the last hour.
    public mutating func look(now: Timestamp, steadyMilliseconds: Int64) -> Finding? {
        self.looksCount += 1
        let passed = steadyMilliseconds - self.last.steady
        let ahead = now.milliseconds(since: self.last.now) - passed
        self.last = (now, steadyMilliseconds)
        if abs(ahead) >= ClockComparison.warningMilliseconds { self.jump = (ahead, steadyMilliseconds) }
        guard let jump, steadyMilliseconds - jump.steady < Self.spokenOfMilliseconds else {
            self.jump = nil
            return nil
        }
        let isLarge = ClockComparison(name: "", aheadMilliseconds: jump.aheadMilliseconds).isFailure
        return Finding(
            .clock, "clock_set", isLarge ? .failure : .warning,
            "This machine's clock was set \(abs(jump.aheadMilliseconds) / 1000) seconds "
                + (jump.aheadMilliseconds > 0 ? "forward" : "back") + " while the gateway ran.",
            because: ClockComparison.reason,
            advice: "Have the time kept by NTP, which moves a clock little by little.")
    }
}
