//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

// What a customer agrees to with a first payment, by the merchant's name for it: networks want the reference of that payment
// with every later one that the merchant asks for alone.

extension Gateway {
    /// The command with the network's reference of the payment with which its agreement was made, where that is known.
    func completed(_ command: AuthorizeCommand) async throws(GatewayRefusal) -> AuthorizeCommand {
        guard case .merchant(var agreement) = command.details.initiator, agreement.networkReference == nil,
            let id = agreement.id
        else { return command }
        let merchant = command.context.merchant
        agreement.networkReference = try await self.reading { reader in
            let first = try Gateway.agreements(id, of: merchant, in: reader).last?.operation
            return first?.state == .succeeded ? first?.answer.networkReference : nil
        }
        var command = command
        command.details.initiator = .merchant(agreement)
        return command
    }

    /// Names a payment by what is agreed with it, unless an earlier one that has succeeded has the name.
    static func keepAgreement(
        of command: AuthorizeCommand, _ opening: OperationID, in transaction: any StoreTransaction
    ) throws {
        guard case .customer(let agreement) = command.details.initiator, let id = agreement?.id else { return }
        for _ in 1...self.agreementTriesMax {
            guard let free = try self.agreements(id, of: command.context.merchant, in: transaction).last,
                free.operation == nil
            else { return }
            do {
                return try transaction.insert(free.reference, operation: opening)
            } catch StoreError.duplicate {
                // Another first payment has taken the name since it was looked for: that is no reason to refuse this one.
                continue
            }
        }
    }

    /// The names under which first payments of an agreement are kept, one after the other while those before have not
    /// succeeded: a reference is written once and for ever, and what is under way may still fail. The last is free, or of
    /// the payment that counts, or there are too many.
    private static func agreements(
        _ id: String, of merchant: MerchantContext, in reader: any StoreReader
    ) throws -> [(reference: Reference, operation: Operation?)] {
        var found: [(reference: Reference, operation: Operation?)] = []
        for number in 1...self.agreementTriesMax {
            let reference = Reference(
                merchantID: merchant.merchant.id, dialect: merchant.dialect, kind: "agreement", value: "\(number):\(id)"
            )
            let operation = try reader.operation(reference).flatMap { id in
                try reader.paymentID(ofOperation: id).flatMap { try reader.payment($0) }?.operation(id)
            }
            found.append((reference, operation))
            guard let operation, operation.state != .succeeded else { break }
        }
        return found
    }

    /// As often as a customer may try before the agreement is no longer followed up.
    private static let agreementTriesMax = 16
}
