//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Synchronization

/// A call of the store's, waiting to be run.
protocol StoreWork: AnyObject, Sendable {
    /// Whether it writes.
    var isWriting: Bool { get }
    /// What it is known to ask for.
    var lookups: ExpectedLookups { get }
    /// By ``PostgreSQLSettings/uptimeMilliseconds``: when it is too late to begin.
    var deadline: UInt64 { get }
    /// Runs the body and keeps what it returns or throws.
    /// - Returns: whether it has returned.
    func run(in transaction: Transaction) -> Bool
    /// Answers the caller: with what the body has returned or thrown, or with the reason why that does not count.
    func finish(failure: StoreError?)
}

/// A body, its caller, and between them what the body has returned or thrown.
final class PendingWork<Value: Sendable>: StoreWork {
    typealias Body = @Sendable (PostgreSQLTransaction) throws -> Value

    let isWriting: Bool
    let lookups: ExpectedLookups
    let deadline: UInt64
    private let body: Body
    private let continuation: CheckedContinuation<Value, any Error>
    private let result = Mutex<Result<Value, any Error>?>(nil)

    init(
        isWriting: Bool, lookups: ExpectedLookups, deadline: UInt64,
        continuation: CheckedContinuation<Value, any Error>, body: @escaping Body
    ) {
        self.isWriting = isWriting
        self.lookups = lookups
        self.deadline = deadline
        self.body = body
        self.continuation = continuation
    }

    func run(in transaction: Transaction) -> Bool {
        let result = Result { try self.body(PostgreSQLTransaction(transaction)) }
        let succeeded = if case .success = result { true } else { false }
        self.result.withLock { [result] in $0 = result }
        return succeeded
    }

    func finish(failure: StoreError?) {
        let result = self.result.withLock { $0 }
        switch (result, failure) {
        case (_, let failure?): self.continuation.resume(throwing: failure)
        case (.failure(let error)?, nil): self.continuation.resume(throwing: error)
        case (.success(let value)?, nil): self.continuation.resume(returning: value)
        case (nil, nil): self.continuation.resume(throwing: StoreError.unavailable("the store is closed"))
        }
    }
}
