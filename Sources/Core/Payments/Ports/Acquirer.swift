//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The other side of the gateway: a bank link, another PSP, or the simulator.
///
/// Nothing here throws. Whatever goes wrong on the way ends as ``AcquirerOutcome/unknown(_:)``, because money may have
/// moved; an adapter answers ``AcquirerOutcome/approved(_:)`` or ``AcquirerOutcome/declined(_:)`` only when the
/// acquirer has said so for this very operation, and ``AcquirerOutcome/notProcessed(_:)`` only when it is certain that
/// nothing has been done and nothing will be.
///
/// Every request names its operation by an id of ours. An acquirer treats a repeated id as the same request and never
/// books it twice.
public protocol Acquirer: Sendable {
    var name: AcquirerName { get }
    var capabilities: AcquirerCapabilities { get }
    /// Whether operations can be sent now: an acquirer that cannot be reached is passed over where another account can take
    /// a payment. Answers at once.
    var readiness: AcquirerReadiness { get }

    /// Asked before an operation is sent for the first time, where ``AcquirerCapabilities/memos`` says so. What it
    /// notes is durable before ``perform(_:)`` is called with it, so that an acquirer whose ids are needed to ask after a
    /// payment can be asked whatever happens in between.
    ///
    /// Moves no money: whatever goes wrong here, nothing has been done.
    func prepare(_ request: AcquirerRequest) async -> AcquirerPreparation
    /// Does what is asked. What ``capabilities`` rules out is not asked.
    ///
    /// The reversal of an operation that never arrived is approved only where ``AcquirerCapabilities/recovery`` says that
    /// the acquirer remembers it: then the operation has no effect any more and never will, also if it arrives later.
    func perform(_ request: AcquirerRequest) async -> AcquirerOutcome
    /// What became of an operation. Asked only where ``AcquirerCapabilities/recovery`` or
    /// ``AcquirerCapabilities/queriesAccepted`` says that it is answered.
    ///
    /// Of an operation that takes several calls, the first of which made it accepted, this makes the next one, once
    /// whatever happens in between: what it notes with ``AcquirerQueryOutcome/accepted(_:)`` is durable before it is asked
    /// again.
    func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome
}

extension Acquirer {
    /// One that keeps no connection is found out to be away only when it is called.
    public var readiness: AcquirerReadiness { .ready }

    public func prepare(_ request: AcquirerRequest) async -> AcquirerPreparation { .ready(AcquirerMemo()) }
}

/// What a call to an acquirer may take, where that is less than calls usually may: what was prepared has taken its part
/// of the time, or the shop waits for an answer that is nearly due. A connector that ends its call by then can say how it
/// ended; later nobody listens. It is the calling task's, so that no acquirer has to hand it on.
public enum AcquirerCallTime {
    @TaskLocal private static var left: (@Sendable () -> Int64)?

    /// What is left of it by now, also for an operation that is made of several calls. As a duration, because the clocks
    /// of who gives the time and who keeps to it need not be the same.
    public static var milliseconds: Int64? { Self.left?() }

    /// Makes a call that may take so long.
    ///
    /// - Parameter milliseconds: what is left, whenever it is asked for.
    public static func limited<Value: Sendable>(
        to milliseconds: @escaping @autoclosure @Sendable () -> Int64, _ call: () async throws -> Value
    ) async rethrows -> Value {
        try await Self.$left.withValue(milliseconds) { try await call() }
    }
}

/// How the preparation of an operation ended.
public enum AcquirerPreparation: Hashable, Sendable {
    case ready(AcquirerMemo)
    /// The operation can't be sent, and has not been.
    case notProcessed(NotProcessed)
}
