//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Money
import Payments

/// PAYONE, as one account has it. A payment process there has the short name of the operation that opens it for its
/// `reference`; what follows is counted (`sequencenumber`).
struct PAYONEAcquirer: Acquirer {
    let name: AcquirerName
    let calls: PAYONECalls

    var capabilities: AcquirerCapabilities {
        var capabilities = self.calls.account.features.capabilities
        capabilities.deadlines = self.calls.calls.limits
        return capabilities
    }

    func perform(_ request: AcquirerRequest) async -> AcquirerOutcome {
        if let obstacle = self.calls.account.features.capabilities.obstacle(to: request) {
            return .notProcessed(NotProcessed(.requestRefused, obstacle.rawValue))
        }
        switch request.action {
        case .authorize(let charge): return await self.charge(request, charge)
        case .capture(let original, let isFinal): return await self.capture(request, original, isFinal: isFinal)
        case .refund(let original, _): return await self.refund(request, original)
        case .void(let original): return await self.void(request, original)
        case .reverse(let original): return await self.reverse(request, original)
        case .verify, .adjust: return .notProcessed(NotProcessed(.requestRefused, "operation_not_offered"))
        }
    }

    /// There is none: a TransactionStatus says what became of a request.
    func query(_ query: AcquirerQuery) async -> AcquirerQueryOutcome { .unknown(.unclear("query_not_offered")) }

    // MARK: - With the token

    private func charge(_ request: AcquirerRequest, _ charge: Charge) async -> AcquirerOutcome {
        let fields: ChargeFields
        do throws(ChargeRefused) {
            fields = try ChargeFields(
                charge, request.amount, reference: request.operationID.shortName, self.calls.account)
        } catch {
            return .notProcessed(NotProcessed(.requestRefused, error.word))
        }
        let reply = await self.calls.send(within: self.calls.chargeBudget) { client throws(ClientError) in
            try client.charge(fields)
        }
        return ExpectedAnswer(amount: request.amount, txid: nil, sequenceNumber: 0).outcome(of: reply)
    }

    // MARK: - Without it

    /// The capture that leaves nothing is the last one, whether the merchant says so or not: "Set with last capture".
    private func capture(
        _ request: AcquirerRequest, _ original: OriginalOperation, isFinal: Bool
    ) async -> AcquirerOutcome {
        let left = original.authorizedTotal.minorUnits - original.capturedTotal.minorUnits
        return await self.follow(request, original) { client, fields throws(ClientError) in
            var fields = fields
            fields.isFinal = isFinal || fields.amount.minorUnits == left
            fields.statementDescriptor = FieldText.plain(request.statementDescriptor, max: 81)
            return try client.capture(fields)
        }
    }

    /// A `debit` of a negative amount, as PAYONE's own plugins send it. A `refund` is for balanced accounts alone.
    private func refund(_ request: AcquirerRequest, _ original: OriginalOperation) async -> AcquirerOutcome {
        await self.follow(request, original) { client, fields throws(ClientError) in try client.refund(fields) }
    }

    private func void(_ request: AcquirerRequest, _ original: OriginalOperation) async -> AcquirerOutcome {
        guard original.kind == .authorization, !original.isSale else {
            return .notProcessed(NotProcessed(.requestRefused, "operation_not_offered"))
        }
        return await self.follow(request, original) { client, fields throws(ClientError) in try client.void(fields) }
    }

    /// What was reported and cannot stand. What nobody knows the end of is never taken back
    /// (``AcquirerCapabilities/Recovery/reports(repeats:)``), and nothing takes a capture or a refund back.
    private func reverse(_ request: AcquirerRequest, _ original: OriginalOperation) async -> AcquirerOutcome {
        original.isSale ? await self.refund(request, original) : await self.void(request, original)
    }

    private func follow(
        _ request: AcquirerRequest, _ original: OriginalOperation,
        _ make: (PAYONEClient, FollowUpFields) throws(ClientError) -> ClientRequest
    ) async -> AcquirerOutcome {
        guard let txid = PAYONEMemo.txid(of: original) else {
            return .notProcessed(NotProcessed(.requestRefused, "txid_not_known"))
        }
        // 0 is the (pre)authorization, and "permitted values 0..127": PAYONE's Apple Pay page, "sequencenumber".
        let sequenceNumber = request.ordinal - 1
        guard (1...127).contains(sequenceNumber) else {
            return .notProcessed(NotProcessed(.requestRefused, "sequence_number_not_taken"))
        }
        let fields = FollowUpFields(
            order: original.id.shortName, key: request.operationID.shortName, ordinal: sequenceNumber,
            amount: request.amount, handle: [PAYONEClient.txid: txid])
        let reply = await self.calls.send(within: self.calls.budget) { client throws(ClientError) in
            try make(client, fields)
        }
        return ExpectedAnswer(amount: request.amount, txid: txid, sequenceNumber: sequenceNumber).outcome(of: reply)
    }
}
