//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Synchronization

/// What the gateway asks of an acquirer.
enum AcquirerCall: Sendable {
    case perform(AcquirerRequest)
    case query(AcquirerQuery)

    /// A void takes something back as a reversal does.
    var name: String {
        switch self {
        case .query: "query"
        case .perform(let request):
            switch request.action {
            case .authorize: "authorize"
            case .verify: "verify"
            case .capture: "capture"
            case .refund: "refund"
            case .adjust: "adjust"
            case .void, .reverse: "reverse"
            }
        }
    }

    var request: AcquirerRequest? { if case .perform(let request) = self { request } else { nil } }

    /// Of an authorization or a verification.
    var charge: Charge? {
        switch self.request?.action {
        case .authorize(let charge), .verify(let charge): charge
        default: nil
        }
    }

    var paymentID: PaymentID {
        switch self {
        case .perform(let request): request.paymentID
        case .query(let query): query.paymentID
        }
    }

    /// The operation that is asked for, or about.
    var operationID: OperationID {
        switch self {
        case .perform(let request): request.operationID
        case .query(let query): query.original.id
        }
    }
}

extension AcquirerCapabilities {
    func changed(_ change: (inout AcquirerCapabilities) -> Void) -> AcquirerCapabilities {
        var changed = self
        change(&changed)
        return changed
    }
}

/// An acquirer between the gateway and the simulator, which answers for it where a test wants it to and remembers the
/// calls.
final class InterceptingAcquirer: Acquirer {
    typealias Outcomes = @Sendable (AcquirerCall, @Sendable () async -> AcquirerOutcome) async -> AcquirerOutcome
    typealias Queries =
        @Sendable (AcquirerQuery, @Sendable () async -> AcquirerQueryOutcome) async -> AcquirerQueryOutcome
    typealias Preparations =
        @Sendable (AcquirerRequest, @Sendable () async -> AcquirerPreparation) async -> AcquirerPreparation

    let base: any Acquirer
    let capabilities: AcquirerCapabilities
    private let outcomes: Outcomes
    private let queries: Queries
    private let preparations: Preparations
    private let made = Mutex<[AcquirerCall]>([])

    init(
        _ base: any Acquirer, _ capabilities: AcquirerCapabilities? = nil,
        outcomes: @escaping Outcomes = { await $1() }, queries: @escaping Queries = { await $1() },
        preparations: @escaping Preparations = { await $1() }
    ) {
        self.base = base
        self.capabilities = capabilities ?? base.capabilities
        self.queries = queries
        self.outcomes = outcomes
        self.preparations = preparations
    }

    var name: AcquirerName { self.base.name }
    var calls: [AcquirerCall] { self.made.withLock { $0 } }

    func calls(_ name: String) -> [AcquirerCall] { self.calls.filter { $0.name == name } }

    func prepare(_ request: AcquirerRequest) async -> AcquirerPreparation {
        await self.preparations(request) { await self.base.prepare(request) }
    }

    func perform(_ request: AcquirerRequest) async -> AcquirerOutcome {
        let call = AcquirerCall.perform(request)
        self.made.withLock { $0.append(call) }
        return await self.outcomes(call) { await self.base.perform(request) }
    }

    func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome {
        self.made.withLock { $0.append(.query(query)) }
        return await self.queries(query) { await self.base.query(query) }
    }
}
