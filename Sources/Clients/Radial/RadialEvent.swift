//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money

/// What the service reports by itself: how a settlement or a cancellation ended (docs/dialects/radial.md, "Events").
public struct RadialEvent: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case settlement = "PaymentSettlementStatus"
        case cancellation = "PaymentAuthCancelReply"
    }

    public let kind: Kind
    public let orderID: String
    /// Of which store it is, where it says so.
    public let storeID: String?
    /// "S" or "R" of a settlement, "Success", "Fail" or "Timeout" of a cancellation.
    public let status: String
    /// `DeclineReason` or `ExtendedResponseCode`.
    public let reason: String?
    /// What the settlement's request had as its own; a cancellation's has no such field.
    public let clientContext: String?
    /// `nil` for what is no amount.
    public let amount: Money?
    /// By what the order is called, as ``Reading/handle`` has it after the authorization; empty where no token stands
    /// for the card.
    public let handle: [String: String]

    /// The events of a message, of its list form or of its single one, in their order; `nil` for what is no XML, none for
    /// a message about something else. What has no order and no status is left out.
    public static func events(in body: [UInt8]) -> [RadialEvent]? {
        guard let document = XMLReply(body) else { return nil }
        return Kind.allCases.flatMap { kind in
            document.parts(named: kind.rawValue).compactMap { RadialEvent(kind, $0) }
        }
    }

    private init?(_ kind: Kind, _ part: XMLReply) {
        let status = part[kind == .settlement ? "SettlementStatus" : "ResponseCode"]
        guard let orderID = part["OrderId"], let status else { return nil }
        self.kind = kind
        self.orderID = orderID
        self.status = status
        self.storeID = part["StoreId"]
        self.reason = part[kind == .settlement ? "DeclineReason" : "ExtendedResponseCode"]
        self.clientContext = part["ClientContext"]
        self.amount = RadialDocuments.money("Amount", in: part)
        let isToken = part.attribute("isToken", of: RadialClient.account) == "true"
        let names = [RadialClient.account, RadialClient.tenderType]
        self.handle = Dictionary(
            uniqueKeysWithValues: isToken ? names.compactMap { name in part[name].map { (name, $0) } } : [])
    }
}
