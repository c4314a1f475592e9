//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
public import TestGateway
public import Testing

/// A gateway whose books are held against those of its service.
public protocol BookComparison: Sendable {
    var test: TestGateway { get }
    /// What the gateway believes and the service has not, or the other way round: a sentence for each. It is asked when
    /// nothing is open any more; what is open is a difference too.
    func differences() async throws -> [String]
}

extension BookComparison {
    public func expectAgreement(_ sourceLocation: SourceLocation = #_sourceLocation) async throws {
        #expect(try await self.differences() == [], sourceLocation: sourceLocation)
    }

    /// Recovers, and everything that was open has ended as both books say.
    public func recoverToAgreement(_ sourceLocation: SourceLocation = #_sourceLocation) async throws {
        await self.test.recover()
        try await self.expectAgreement(sourceLocation)
    }

    /// A sentence for each operation that is open.
    public func openOperations() async throws -> [String] {
        try await self.test.payments().flatMap(\.operations).filter { !$0.state.isResolved }
            .map { "\($0.kind) is open: \($0.state)" }
    }
}
