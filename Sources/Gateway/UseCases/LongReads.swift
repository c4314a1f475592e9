//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A dear question to the store that is asked once for all who ask it meanwhile, and once at a time: each asking holds a
/// connection for as long as it takes, and a few at once would leave none for payments.
///
/// Whoever asks gets an answer that was begun after he asked: one who comes while it is asked waits for the next.
@_spi(Administration)
public actor JoinedRead<Value: Sendable> {
    private var underWay: Task<Value, any Error>?
    private var next: Task<Value, any Error>?

    init() {}

    public func value(_ ask: @escaping @Sendable () async throws -> Value) async throws -> Value {
        if let next = self.next { return try await next.value }
        let before = self.underWay
        let task = Task {
            _ = await before?.result
            self.begin()
            return try await ask()
        }
        self.next = task
        return try await task.value
    }

    /// From now on one who comes is too late for it.
    private func begin() {
        self.underWay = self.next
        self.next = nil
    }
}
