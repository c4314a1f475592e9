//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

extension SettlementMapping {
    /// The transaction report of Mastercard's gateway (Mastercard Gateway, "Reporting": GET
    /// `/history/version/1/merchant/MERCHANT/transaction`, which answers CSV with the columns that the request names, by the
    /// names of the API's fields).
    ///
    /// Known are the request, that the answer is CSV, and the fields' names and types of transactions (API reference,
    /// "transaction.type"). Assumed is the form of the time, ISO 8601. It says nothing of fees: those stand in the
    /// statement of the bank behind the gateway, for which an operator writes a mapping.
    public static let mpgs = SettlementMapping(
        name: "mpgs", encoding: .utf8, separator: ",", decimalSeparator: ".", dateFormat: .iso,
        columns: Columns(
            date: "timeOfRecord", amount: "transaction.amount", currency: "transaction.currency",
            type: "transaction.type", references: ["transaction.receipt"],
            ownReferences: ["transaction.id", "order.id"]),
        types: [
            "CAPTURE": .item(.payment), "PAYMENT": .item(.payment), "REFUND": .item(.refund),
            "CHARGEBACK": .item(.chargeback), "AUTHORIZATION": .ignored, "AUTHORIZATION_UPDATE": .ignored,
            "AUTHENTICATION": .ignored, "VERIFICATION": .ignored, "VOID_AUTHORIZATION": .ignored,
            "REFUND_REQUEST": .ignored, "VOID_CAPTURE": .item(.debit), "VOID_PAYMENT": .item(.debit),
            "VOID_REFUND": .item(.credit),
        ],
        only: ["result": "SUCCESS"])

    /// The export of payments from the PAYONE Merchant Interface (PAYONE Docs, "PAYONE Merchant Interface", "Export",
    /// "Zahlungen").
    ///
    /// Known are the columns "Zahlungsvorgangsnummer" (the txid) and "Händler-Referenz-Nr.", that there is a booking date,
    /// a type of process, an amount and a currency, and the types of processes. Assumed are the headings of those and the
    /// CSV's separators and encoding, after PAYONE's other German files.
    public static let payone = SettlementMapping(
        name: "payone", encoding: .latin1, separator: ";", decimalSeparator: ",", dateFormat: .german,
        columns: Columns(
            date: "Buchungsdatum", amount: "Betrag", currency: "Währung", type: "Vorgang",
            references: ["Zahlungsvorgangsnummer"], ownReferences: ["Händler-Referenz-Nr."]),
        types: [
            "Zahlungseinzug": .item(.payment), "Gutschrift": .item(.refund), "Rückbelastung": .item(.chargeback),
            "Überweisung": .ignored, "Inkassozahlung": .ignored,
        ])
}
