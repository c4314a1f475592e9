//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Payments
import Synchronization
import TestShop

/// What people do while gateways are paid through a service: they have late notices sent again, and decide what nobody can
/// be asked for (``AcquirerCapabilities/Recovery/reports(repeats:)``), with the commands that operators have.
final class OperatorDesk: Sendable {
    private struct State {
        /// When an open operation was seen first, in milliseconds of this program's clock.
        var firstSeen: [OperationID: Int64] = [:]
        var givenUp: Set<OperationID> = []
        var approved: Set<OperationID> = []
        var resentCount = 0
    }

    private let cluster: Cluster
    private let service: ServiceGateway
    private let program: URL
    private let gateways: any PaymentStore
    private let books: any PaymentStore
    private let decisions: PaidService.Decisions
    private let state = Mutex(State())

    /// Longer than a request can be on its way: the gateways' deadline, a process that is stopped, connections that hold
    /// what they carry.
    private static let decidesAfterMilliseconds: Int64 = 20_000
    /// By when what the service has done has been reported, if it ever is.
    private static let approvesAfterMilliseconds: Int64 = 60_000

    /// - Parameters:
    ///   - gateways: what the gateways have booked.
    ///   - books: what the service has.
    init(
        _ cluster: Cluster, _ service: ServiceGateway, program: URL, gateways: any PaymentStore,
        books: any PaymentStore
    ) throws {
        self.cluster = cluster
        self.service = service
        self.program = program
        self.gateways = gateways
        self.books = books
        self.decisions = try PaidService.required(service.name).decisions
    }

    var givenUp: Set<OperationID> { self.state.withLock { $0.givenUp } }
    var approvedCount: Int { self.state.withLock { $0.approved.count } }
    var resentCount: Int { self.state.withLock { $0.resentCount } }

    /// Until it is canceled. What fails because something is down just now is tried again.
    func work() async {
        while !Task.isCancelled {
            try? await self.sendNoticesAgain()
            if self.decisions != .none { try? await self.decide() }
            await Timer.pause(milliseconds: 1000)
        }
    }

    // MARK: - At the service

    private func sendNoticesAgain() async throws {
        let waiting = WaitingWebhooks(store: self.books, dataPath: self.service.dataPath)
        let ids = try await waiting.ids()
        try await waiting.resend(ids) { arguments in
            if try await self.run(arguments) { self.state.withLock { $0.resentCount += arguments.count - 4 } }
        }
    }

    // MARK: - At the gateways

    private func decide() async throws {
        let open = try await self.gateways.read { reader in
            try reader.jobs(.recover, limit: 1000).compactMap { try reader.payment($0.paymentID) }
        }
        let now = Timer.nowMilliseconds
        for payment in open {
            for operation in payment.operations where !operation.state.isResolved {
                let age = self.state.withLock { state in
                    let first = state.firstSeen[operation.id] ?? now
                    state.firstSeen[operation.id] = first
                    return now - first
                }
                guard age > Self.decidesAfterMilliseconds else { continue }
                try await self.decide(operation, of: payment, afterMilliseconds: age)
            }
        }
    }

    private func decide(
        _ operation: PaymentOperation, of payment: Payment, afterMilliseconds age: Int64
    ) async throws {
        let found = try await self.books.read { reader in
            try ServiceBooks.names(ofOurs: payment).flatMap {
                try reader.payments(PaymentQuery(orderReference: $0, limit: 10))
            }
        }
        // Whatever is open there ends by itself first.
        guard !found.contains(where: { $0.operations.contains { !$0.state.isResolved } }) else { return }
        // A shop does one thing after the other: what stands there once more than here is what is open.
        func standing(_ payment: Payment) -> Int {
            payment.operations.count { $0.kind == operation.kind && $0.state == .succeeded }
        }
        let isDone = (found.map(standing).max() ?? 0) > standing(payment)
        switch (isDone, operation.kind) {
        // A capture that is sent again under its own id may still arrive.
        case (false, _) where self.decisions == .authorizations && operation.kind != .authorization: return
        // By what could it be captured? It lapses, or is given back with the service's own tools.
        case (true, .authorization) where self.decisions == .authorizations, (false, _):
            if try await self.resolve(operation, "--failed") {
                self.state.withLock { _ = $0.givenUp.insert(operation.id) }
            }
        case (true, _):
            guard age > Self.approvesAfterMilliseconds else { return }
            if try await self.resolve(operation, "--approved") {
                self.state.withLock { _ = $0.approved.insert(operation.id) }
            }
        }
    }

    private func resolve(_ operation: PaymentOperation, _ decision: String) async throws -> Bool {
        try await self.run(
            [
                "payments", "resolve", operation.id.text, decision, "--reason", "Seen in the service's own books.",
                "--data", self.cluster.dataPath,
            ])
    }

    /// - Returns: whether the command has succeeded.
    private func run(_ arguments: [String]) async throws -> Bool {
        try await ProgramProcess(
            arguments.prefix(2).joined(separator: " "), program: self.program,
            logPath: self.cluster.folder + "/desk.log"
        ).run(arguments)
    }
}
