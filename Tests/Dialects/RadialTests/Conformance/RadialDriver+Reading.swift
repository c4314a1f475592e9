//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectConformance
import DialectKit
import HTTPTypes
import Money

@testable import Radial

extension RadialDriver {
    func read(_ response: WireResponse, to request: WireRequest, of call: DialectCall?) throws -> DialectAnswer {
        guard response.headers[.contentType] == "application/xml; charset=UTF-8" else {
            throw ShapeBroken("the Content-Type is not that of XML")
        }
        let root = try Self.root(response.body)
        if root.name == "Fault" {
            guard root.children.map(\.name) == ["CreateTimestamp", "Code", "Description"],
                let code = FaultCode(rawValue: root.child("Code")?.text ?? ""), response.status == code.status
            else { throw ShapeBroken("a Fault without its parts, or with another status") }
            return DialectAnswer(.refused, code: code.rawValue)
        }
        guard response.status == .ok else { throw ShapeBroken("a reply with status \(response.status.code)") }
        switch root.name {
        case "CreditCardAuthReply": return try Self.readAuthorization(root)
        case "AckReply":
            guard let code = SuccessFailCode(rawValue: root.child("ResponseCode")?.text ?? "") else {
                throw ShapeBroken("an AckReply without a ResponseCode")
            }
            switch code {
            case .success: return DialectAnswer(.approved, code: code.rawValue)
            case .fail: return DialectAnswer(.declined, code: code.rawValue)
            case .timeout: return DialectAnswer(.pending, code: code.rawValue)
            }
        default: throw ShapeBroken("a \(root.name)")
        }
    }

    private static func readAuthorization(_ root: XMLElement) throws -> DialectAnswer {
        guard let code = AuthorizationResponseCode(rawValue: root.child("AuthorizationResponseCode")?.text ?? ""),
            let amount = root.child("AmountAuthorized").flatMap(WireAmount.money),
            let token = root.descendant("PaymentContext/PaymentAccountUniqueId")?.text,
            let tender = root.child("TenderType")?.text
        else { throw ShapeBroken("a CreditCardAuthReply without its parts") }
        let handle: PaymentHandle = ["token": token, "tender": tender, "amount": amount.decimalText]
        switch code {
        case .approved: return DialectAnswer(.approved, code: code.rawValue, amount: amount, handle: handle)
        case .timeout: return DialectAnswer(.pending, code: code.rawValue, handle: handle)
        case .noResponse, .declined, .notAcceptable:
            return DialectAnswer(.declined, code: code.rawValue, handle: handle)
        }
    }

    private static func root(_ body: [UInt8]) throws -> XMLElement {
        do throws(XMLError) {
            let root = try XMLReader.read(body)
            guard root.namespace == XMLWriter.namespace else { throw XMLError(.namespaceMalformed, at: 0) }
            return root
        } catch {
            throw ShapeBroken("no XML of the dialect: \(error)")
        }
    }

    // MARK: - Notifications

    func read(_ notification: OutgoingNotification) throws -> DialectNotice {
        let list = try Self.root(notification.body)
        guard list.children.count == 1, let event = list.children.first, list.name == event.name + "List" else {
            throw ShapeBroken("no list of one event")
        }
        guard let amount = event.child("Amount").flatMap(WireAmount.money) else { throw ShapeBroken("no amount") }
        switch event.name {
        case "PaymentSettlementStatus":
            let isDebit = event.child("SettlementType")?.text == "Debit"
            guard let status = SettlementStatus(rawValue: event.child("SettlementStatus")?.text ?? "") else {
                throw ShapeBroken("no SettlementStatus")
            }
            return DialectNotice(
                isDebit ? .capture : .refund, status == .settled ? .approved : .declined, amount: amount)
        case "PaymentAuthCancelReply":
            let isDone = event.child("ResponseCode")?.text == SuccessFailCode.success.rawValue
            return DialectNotice(.void, isDone ? .approved : .declined, amount: amount)
        default: throw ShapeBroken("a \(event.name)")
        }
    }

    var acknowledgement: (status: Int, body: String) { (200, "") }
}
