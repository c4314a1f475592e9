//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import Synchronization

/// An acquirer that approves everything, and notes what it is asked to charge.
public final class NotingAcquirer: Acquirer {
    public let name = AcquirerName("simulator")
    public let capabilities = AcquirerCapabilities(recovery: .reversal)
    private let noted = Mutex<[Charge]>([])

    public init() {}

    public var charges: [Charge] { self.noted.withLock { $0 } }

    public func perform(_ request: AcquirerRequest) async -> AcquirerOutcome {
        switch request.action {
        case .authorize(let charge), .verify(let charge): self.noted.withLock { $0.append(charge) }
        case .capture, .refund, .adjust, .void, .reverse: break
        }
        return .approved(AcquirerApproval(amount: request.amount, answer: AcquirerAnswer(responseCode: "00")))
    }

    public func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome { .unknown(.unclear("not_asked")) }
}
