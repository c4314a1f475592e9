//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Ledger
import Payments
import StrictJSON

/// `pomona payments show`: one payment, with all that has been kept of it.
struct PaymentsShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a payment with its operations, its journal and its notifications.")

    @OptionGroup var directory: DataOptions

    @Argument(
        help: ArgumentHelp(
            "The id of a payment (pay_…), of one of its operations (op_…) or of its order (ord_…).", valueName: "id"))
    var id: String

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func validate() throws {
        guard self.selector != nil else {
            throw ValidationError(
                "\(self.id) is no id: ids begin with pay_, op_ or ord_ and have 26 characters after that.")
        }
    }

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let store = try await StoreAccess.readOnly(self.directory.directory)
            let selector = self.selector
            let record = try await store.read { reader -> PaymentRecord? in
                guard let selector, let payment = try Self.payment(selector, in: reader) else { return nil }
                return PaymentRecord(
                    payment: payment,
                    merchantName: try reader.merchant(payment.merchantID)?.name ?? payment.merchantID.text,
                    order: try payment.orderID.flatMap { try reader.order($0) },
                    journal: try reader.journal(of: payment.id), events: try reader.events(of: payment.id))
            }
            guard let record else {
                throw CommandFailure(
                    "payment_unknown", stage: "store", "The store has no payment with the id \(self.id).")
            }
            if self.json {
                console.line(record.json.text(pretty: true))
            } else {
                record.write(to: console)
            }
        }
    }

    private enum Selector: Sendable {
        case payment(PaymentID)
        case operation(OperationID)
        case order(OrderID)
    }

    private var selector: Selector? {
        PaymentID(self.id).map(Selector.payment) ?? OperationID(self.id).map(Selector.operation)
            ?? OrderID(self.id).map(Selector.order)
    }

    private static func payment(_ selector: Selector, in reader: any StoreReader) throws -> Payment? {
        switch selector {
        case .payment(let id): try reader.payment(id)
        case .operation(let id): try reader.paymentID(ofOperation: id).flatMap { try reader.payment($0) }
        case .order(let id): try reader.payments(PaymentQuery(orderID: id, limit: 1)).first
        }
    }
}
