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
    /// What a capture notes of the confirmation of its funds, and a cancellation of its order.
    private enum Note {
        static let funds = "FundsAvailable"
        static let reauthorization = "ReauthorizationAttempted"
        static let order = "OrderId"
    }

    /// The name by which the event of a cancellation is found: it has neither the request's id nor anything else of ours
    /// but the order.
    static func cancellationHandle(_ orderID: String) -> String { "cancel/" + orderID }

    // MARK: - Before

    /// "Confirm funds before a settlement debit": what the answer says is noted before the debit is sent, so that a debit
    /// that is sent again is not taken for one that finds its own funds gone.
    func prepare(_ request: AcquirerRequest) async -> AcquirerPreparation {
        switch request.action {
        case .capture(let original, _) where original.hasAccount: return await self.confirmFunds(request, original)
        case .void(let original), .reverse(let original):
            guard original.isCancelable else { return .ready(AcquirerMemo()) }
            let orderID = request.paymentID.shortName
            var memo = AcquirerMemo(handles: [Self.cancellationHandle(orderID)])
            memo[Note.order] = orderID
            return .ready(memo)
        case .authorize, .verify, .capture, .refund, .adjust: return .ready(AcquirerMemo())
        }
    }

    /// Whether the authorization still holds, asked with its own amount; where it has lapsed, the issuer is asked again.
    private func confirmFunds(_ request: AcquirerRequest, _ original: OriginalOperation) async -> AcquirerPreparation {
        var fields = self.fields(request, original, amount: original.amount)
        fields.key += "-funds"
        let reauthorizes = self.account.reauthorizes
        let confirmation = fields
        let reply = await self.calls.send(within: self.calls.budget) { client throws(ClientError) in
            try client.confirmFunds(confirmation, reauthorizes: reauthorizes)
        }
        switch reply {
        case .read(let reading): return self.preparation(reading, request)
        case .fault(let fault):
            switch fault.outcomeOfFollowUp {
            case .notProcessed(let not): return .notProcessed(not)
            case .declined: return .ready(AcquirerMemo([Note.funds: Redacted("Fail")]))
            case .approved, .accepted, .unknown: return Self.notConfirmed
            }
        case .notProcessed(let not): return .notProcessed(not)
        // Nothing has been settled, and nothing will be.
        case .unknown: return Self.notConfirmed
        }
    }

    private static let notConfirmed = AcquirerPreparation.notProcessed(NotProcessed(.busy, "funds_not_confirmed"))

    private func preparation(_ reading: Reading, _ request: AcquirerRequest) -> AcquirerPreparation {
        guard case .xml(let xml) = reading.body, xml.root == "ConfirmFundsReply",
            xml.count(of: Note.funds) == 1, xml["OrderId"].map({ $0 == request.paymentID.shortName }) ?? true,
            let funds = xml[Note.funds], funds == "Success" || funds == "Fail"
        else { return Self.notConfirmed }
        var memo = AcquirerMemo()
        memo[Note.funds] = funds
        memo[Note.reauthorization] = xml[Note.reauthorization] == "true" ? "true" : "false"
        return .ready(memo)
    }

    // MARK: - What is sent

    func capture(
        _ request: AcquirerRequest, _ original: OriginalOperation, isFinal: Bool
    ) async -> AcquirerOutcome {
        guard original.hasAccount else { return Self.invalidOperation }
        switch request.memo[Note.funds] {
        case "Success": break
        case "Fail":
            // The issuer was asked again and did not want it, or nothing of the authorization is left.
            let isReauthorization = request.memo[Note.reauthorization] == "true"
            return .declined(
                AcquirerDecline(
                    reason: isReauthorization ? .doNotHonor : .invalidOperation,
                    answer: AcquirerAnswer(reference: request.paymentID.shortName)))
        default: return .notProcessed(NotProcessed(.requestRefused, "funds_not_confirmed"))
        }
        var fields = self.fields(request, original, amount: request.amount)
        fields.isFinal = isFinal
        fields.extra = Self.invoice(request)
        let settlement = fields
        return await self.follow(request) { client throws(ClientError) in try client.capture(settlement) }
    }

    func refund(_ request: AcquirerRequest, _ original: OriginalOperation) async -> AcquirerOutcome {
        guard original.hasAccount else { return Self.invalidOperation }
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

    private func fields(
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
        AcquirerDecline(reason: .invalidOperation, answer: AcquirerAnswer()))
}

extension OriginalOperation {
    /// Whether its reply has said by what it is to be called.
    fileprivate var hasAccount: Bool {
        self.memo[RadialClient.account] != nil && self.memo[RadialClient.tenderType] != nil
    }

    fileprivate var isCancelable: Bool { self.kind == .authorization && self.hasAccount }
}
