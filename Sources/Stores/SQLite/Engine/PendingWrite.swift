//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Synchronization

/// A body that waits to be run and committed, whatever it returns.
protocol WriteWork: AnyObject, Sendable {
    /// Runs the body, the second time as if there had been no first, and keeps what it returns or throws.
    /// - Returns: whether it has returned.
    func run(in transaction: SQLiteTransaction) -> Bool
    /// Answers the caller: with what the body has returned or thrown, or with the reason why that was not committed.
    func finish(failure: StoreError?)
}

final class PendingWrite<Value: Sendable>: WriteWork {
    typealias Body = @Sendable (any StoreTransaction) throws -> Value

    private let body: Body
    private let continuation: CheckedContinuation<Value, any Error>
    private let result = Mutex<Result<Value, any Error>?>(nil)

    init(_ body: @escaping Body, _ continuation: CheckedContinuation<Value, any Error>) {
        self.body = body
        self.continuation = continuation
    }

    func run(in transaction: SQLiteTransaction) -> Bool {
        var result = Result { try self.body(transaction) }
        // A body that goes on after the engine has failed has not done what it thinks it has.
        if let failure = transaction.connection.failure { result = .failure(failure) }
        let succeeded = if case .success = result { true } else { false }
        self.result.withLock { [result] in $0 = result }
        return succeeded
    }

    func finish(failure: StoreError?) {
        let result = self.result.withLock { $0 }
        switch (result, failure) {
        case (.failure(let error)?, _): self.continuation.resume(throwing: error)
        case (.success(let value)?, nil): self.continuation.resume(returning: value)
        case (_, let failure): self.continuation.resume(throwing: failure ?? .unavailable("the store is closed"))
        }
    }
}
