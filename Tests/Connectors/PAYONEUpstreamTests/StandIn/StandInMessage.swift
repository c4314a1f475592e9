//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// A TransactionStatus: what PAYONE reports of a payment process.
///
/// The fields, their order and those that are empty are those of the message recorded in commercetools'
/// payone-integration (`NotificationTest`), with what PAYONE's documents add of a wallet.
struct StandInMessage: Sendable {
    let reference: String
    var fields: [(name: String, value: String)]

    subscript(_ name: String) -> String? {
        get { self.fields.first { $0.name == name }?.value }
        set {
            self.fields.removeAll { $0.name == name }
            if let newValue { self.fields.append((name, newValue)) }
        }
    }

    /// With a field that is another, or none.
    func with(_ name: String, _ value: String?) -> StandInMessage {
        var message = self
        message[name] = value
        return message
    }

    /// The form, in ISO-8859-1.
    var body: [UInt8] {
        Array(self.fields.map { "\($0.name)=\(Self.encoded($0.value))" }.joined(separator: "&").utf8)
    }

    private static func encoded(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case " ": "+"
            case "a"..."z", "A"..."Z", "0"..."9", ".", "-", "_": String(scalar)
            default: String(format: "%%%02X", scalar.value)
            }
        }.joined()
    }
}

extension PAYONEStandIn.State {
    enum Event {
        case pending
        case completed
        case failed
        case cancelation
    }

    /// Puts the messages of an event behind those that there are.
    mutating func report(_ event: Event, of process: Int, _ booking: Int) {
        let booking = self.processes[process].bookings[booking]
        let isFirst = booking.number == 0
        switch event {
        case .pending where isFirst: self.report("appointed", "pending", process, booking)
        // Of a request that follows nothing is reported before it has ended.
        case .pending: break
        case .completed where isFirst:
            self.report("appointed", "completed", process, booking, balance: booking.kind == .sale)
            if booking.kind == .sale { self.report("paid", "completed", process, booking) }
        case .completed:
            switch booking.kind {
            case .refund: self.report("debit", "completed", process, booking)
            case .capture:
                self.report("capture", "completed", process, booking, balance: true)
                self.report("paid", "completed", process, booking)
            // What follows a capture of nothing no public document says: nothing does here.
            case .release, .authorization, .sale: break
            }
        case .failed:
            self.report("failed", "completed", process, booking)
            self.messages[self.messages.count - 1]["reasoncode"] = "103"
        case .cancelation:
            self.report("cancelation", "completed", process, booking)
            // What is open of the whole process.
            self.messages[self.messages.count - 1]["balance"] = Self.major(self.processes[process].chargedBack)
        }
    }

    private mutating func report(
        _ action: String, _ status: String, _ index: Int, _ booking: StandInProcess.Booking, balance: Bool = false
    ) {
        let process = self.processes[index]
        let receivable = process.captured - process.refunded
        let price = process.bookings[0].amount
        self.messages.append(
            StandInMessage(
                reference: process.reference,
                fields: [
                    ("key", Bench.keyMD5), ("txaction", action), ("portalid", Bench.portalID), ("aid", Bench.aid),
                    ("clearingtype", "wlt"), ("notify_version", "7.6"),
                    ("txtime", String(1_750_000_000 + self.messages.count)), ("currency", process.currency),
                    ("userid", "86057923"), ("accessname", ""), ("accesscode", ""), ("param", process.param),
                    ("mode", "test"), ("price", Self.major(price)), ("txid", process.txid),
                    ("reference", process.reference),
                    // "paid" and "cancelation" keep 0.
                    ("sequencenumber", action == "paid" || action == "cancelation" ? "0" : String(booking.number)),
                    ("company", ""), ("firstname", "J\u{F6}rg"), ("lastname", "Test Buyer"),
                    ("street", "Hamburger Stra\u{DF}e 1"), ("zip", ""), ("city", "K\u{F6}ln"), ("email", ""),
                    ("country", "DE"), ("cardexpiredate", "3012"), ("cardtype", "V"), ("cardpan", "411111xxxxxx1111"),
                    ("transaction_status", status), ("balance", Self.major(balance ? receivable : 0)),
                    ("receivable", Self.major(receivable)),
                ]))
    }

    /// "2000.00"
    private static func major(_ amount: Int64) -> String {
        let digits = String(abs(amount))
        let padded = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
        return "\(amount < 0 ? "-" : "")\(padded.dropLast(2)).\(padded.suffix(2))"
    }
}
