//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import StrictJSON
import Time

/// How long a call may take, on the wire: sent right before the call's request, where that is less than calls usually may
/// (`AcquirerCallTime`), and only to an end that knows it (``LinkHandshake/revision``). A duration from here on, because the
/// clocks of two machines differ.
struct LinkTime: Hashable, Sendable {
    /// The call's.
    let number: UInt64
    let milliseconds: Int64

    /// More than any call may take.
    private static let millisecondsMax: Int64 = 86_400_000

    init(number: UInt64, milliseconds: Int64) {
        self.number = number
        self.milliseconds = min(max(0, milliseconds), Self.millisecondsMax)
    }

    var json: JSON {
        ["type": "time", "number": JSON(self.number), "milliseconds": JSON(self.milliseconds)]
    }
}

extension LinkTime {
    /// - Parameter reader: after the type.
    init(after reader: LinkReader) throws(LinkViolation) {
        var reader = reader
        self.number = try reader.number()
        self.milliseconds = try reader.integer("milliseconds")
        guard (0...Self.millisecondsMax).contains(self.milliseconds) else { throw LinkViolation("bad_milliseconds") }
        try reader.end()
    }
}

extension LinkRequest {
    /// Asks the acquirer, which gets to know how long it may take. When nothing is left, nothing is passed on.
    ///
    /// - Parameter endsAt: `nil` where it may take as long as calls usually may.
    func answer(
        by acquirer: any Acquirer, until endsAt: ContinuousClock.Instant?,
        _ now: @escaping @Sendable () -> ContinuousClock.Instant
    ) async -> LinkOutcome {
        guard let endsAt else { return await self.answer(by: acquirer) }
        guard endsAt > now() else { return self.outcomeWithoutTime }
        return await AcquirerCallTime.limited(to: endsAt.milliseconds(after: now())) {
            await self.answer(by: acquirer)
        }
    }

    private var outcomeWithoutTime: LinkOutcome {
        let not = NotProcessed(.notSent, "no_time_left")
        return switch self {
        case .perform: .operation(.notProcessed(not))
        case .prepare: .preparation(.notProcessed(not))
        case .query: .query(.unknown(.timedOut(not.word)))
        }
    }
}

extension LinkOutcome {
    /// As a client of an older revision knows it.
    func known(to revision: UInt8) -> LinkOutcome {
        guard revision == 0 else { return self }
        switch self {
        case .operation(.notProcessed(let not)) where not.reason == .tokenRefused:
            return .operation(.notProcessed(NotProcessed(.requestRefused, not.word)))
        case .preparation(.notProcessed(let not)) where not.reason == .tokenRefused:
            return .preparation(.notProcessed(NotProcessed(.requestRefused, not.word)))
        case .operation, .preparation, .query: return self
        }
    }
}
