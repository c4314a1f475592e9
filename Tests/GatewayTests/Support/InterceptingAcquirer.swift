//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Synchronization

/// What the gateway asks of an acquirer.
enum AcquirerCall: Sendable {
    case authorize(AcquirerAuthorization)
    case capture(AcquirerFollowUp)
    case refund(AcquirerFollowUp)
    case adjust(AcquirerFollowUp)
    case verify(AcquirerAuthorization)
    case reverse(AcquirerReversal)
    case query(AcquirerQuery)

    var name: String {
        switch self {
        case .authorize: "authorize"
        case .capture: "capture"
        case .refund: "refund"
        case .adjust: "adjust"
        case .verify: "verify"
        case .reverse: "reverse"
        case .query: "query"
        }
    }

    var paymentID: PaymentID {
        switch self {
        case .authorize(let request), .verify(let request): request.paymentID
        case .capture(let request), .refund(let request), .adjust(let request): request.paymentID
        case .reverse(let request): request.paymentID
        case .query(let request): request.paymentID
        }
    }

    var operationID: OperationID {
        switch self {
        case .authorize(let request), .verify(let request): request.operationID
        case .capture(let request), .refund(let request), .adjust(let request): request.operationID
        case .reverse(let request): request.operationID
        case .query(let request): request.operationID
        }
    }
}

/// An acquirer between the gateway and the simulator, which answers for it where a test wants it to and remembers the
/// calls.
final class InterceptingAcquirer: Acquirer {
    typealias Outcomes = @Sendable (AcquirerCall, @Sendable () async -> AcquirerOutcome) async -> AcquirerOutcome
    typealias Queries =
        @Sendable (AcquirerQuery, @Sendable () async -> AcquirerQueryOutcome) async -> AcquirerQueryOutcome

    let base: any Acquirer
    let capabilities: AcquirerCapabilities
    private let outcomes: Outcomes
    private let queries: Queries
    private let made = Mutex<[AcquirerCall]>([])

    init(
        _ base: any Acquirer, answersQueries: Bool = true, networks: Set<CardNetwork>? = nil,
        instrument: AcquirerCapabilities.Instrument = .networkToken, adjusts: Bool = true, verifies: Bool = true,
        outcomes: @escaping Outcomes = { await $1() }, queries: @escaping Queries = { await $1() }
    ) {
        self.base = base
        self.capabilities = AcquirerCapabilities(
            instrument: instrument, answersQueries: answersQueries, networks: networks ?? base.capabilities.networks,
            adjustsAuthorizations: adjusts && base.capabilities.adjustsAuthorizations,
            verifiesCards: verifies && base.capabilities.verifiesCards)
        self.queries = queries
        self.outcomes = outcomes
    }

    var name: AcquirerName { self.base.name }
    var calls: [AcquirerCall] { self.made.withLock { $0 } }

    func calls(_ name: String) -> [AcquirerCall] { self.calls.filter { $0.name == name } }

    func authorize(_ request: AcquirerAuthorization) async -> AcquirerOutcome {
        await self.make(.authorize(request)) { await self.base.authorize(request) }
    }

    func capture(_ request: AcquirerFollowUp) async -> AcquirerOutcome {
        await self.make(.capture(request)) { await self.base.capture(request) }
    }

    func refund(_ request: AcquirerFollowUp) async -> AcquirerOutcome {
        await self.make(.refund(request)) { await self.base.refund(request) }
    }

    func adjust(_ request: AcquirerFollowUp) async -> AcquirerOutcome {
        await self.make(.adjust(request)) { await self.base.adjust(request) }
    }

    func verify(_ request: AcquirerAuthorization) async -> AcquirerOutcome {
        await self.make(.verify(request)) { await self.base.verify(request) }
    }

    func reverse(_ request: AcquirerReversal) async -> AcquirerOutcome {
        await self.make(.reverse(request)) { await self.base.reverse(request) }
    }

    func query(_ request: AcquirerQuery) async -> AcquirerQueryOutcome {
        self.made.withLock { $0.append(.query(request)) }
        return await self.queries(request) { await self.base.query(request) }
    }

    private func make(
        _ call: AcquirerCall, _ next: @escaping @Sendable () async -> AcquirerOutcome
    ) async -> AcquirerOutcome {
        self.made.withLock { $0.append(call) }
        return await self.outcomes(call, next)
    }
}
