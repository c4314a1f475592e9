//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Money
import Payments
import Redaction
import StrictJSON

// What follows an authorization: by the tender type and the account of its reply, never by the wallet's.

extension RadialAcquirer {
    func prepare(_ request: AcquirerRequest) async -> AcquirerPreparation {
        guard case .capture(let original, _) = request.action, original.hasRadialAccount else {
            return .ready(AcquirerMemo())
        }
        return await self.confirmFunds(of: request, original)
    }

    func capture(
        _ request: AcquirerRequest, _ original: OriginalOperation, isFinal: Bool
    ) async -> AcquirerOutcome {
        guard original.hasRadialAccount else { return Self.invalidOperation }
        switch request.memo[RadialNote.funds] {
        case "Success": break
        case "Fail":
            // The issuer was asked again and did not want it, or nothing of the authorization is left.
            let isReauthorization = request.memo[RadialNote.reauthorization] == "true"
            return .declined(
                AcquirerDecline(
                    reason: isReauthorization ? .doNotHonor : .invalidOperation,
                    answer: AcquirerAnswer(reference: request.paymentID.shortName), wasNeverSent: true))
        default: return .notProcessed(NotProcessed(.requestRefused, "funds_not_confirmed"))
        }
        var fields = self.fields(request, original, amount: request.amount)
        fields.isFinal = isFinal
        fields.extra = Self.invoice(request)
        let settlement = fields
        return await self.follow(request) { client throws(ClientError) in try client.capture(settlement) }
    }

    func refund(_ request: AcquirerRequest, _ original: OriginalOperation) async -> AcquirerOutcome {
        guard original.hasRadialAccount else { return Self.invalidOperation }
        var fields = self.fields(request, original, amount: request.amount)
        fields.extra = Self.invoice(request)
        let settlement = fields
        return await self.follow(request) { client throws(ClientError) in try client.refund(settlement) }
    }

    /// A settlement cannot be canceled, nor can what was never answered: then nobody knows by which account.
    func cancel(_ request: AcquirerRequest, _ original: OriginalOperation) async -> AcquirerOutcome {
        guard original.isCancelable else { return Self.invalidOperation }
        let fields = self.fields(request, original, amount: original.amount)
        return await self.follow(request) { client throws(ClientError) in try client.void(fields) }
    }

    func fields(
        _ request: AcquirerRequest, _ original: OriginalOperation, amount: Money
    ) -> FollowUpFields {
        FollowUpFields(
            order: request.paymentID.shortName, key: request.operationID.text, ordinal: request.ordinal,
            amount: amount, handle: original.memo.entries.mapValues { $0.reveal() })
    }

    /// The operation's name in the vendor's reports, which have twenty characters for it.
    private static func invoice(_ request: AcquirerRequest) -> [ExtraField] {
        [ExtraField("InvoiceId", .string(request.operationID.shortName))]
    }

    private static let invalidOperation = AcquirerOutcome.declined(
        AcquirerDecline(reason: .invalidOperation, answer: AcquirerAnswer(), wasNeverSent: true))
}
