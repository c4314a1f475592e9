//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import HTTPTypes
import Money
public import Redaction

/// Speaks Radial: XML over POST, an API key (docs/dialects/radial.md).
public struct RadialClient: WireClient {
    public struct Credentials: Sendable {
        public var storeID: String
        public var apiKey: Redacted<String>
        /// In every path.
        public var version = "1.0"

        public init(storeID: String, apiKey: Redacted<String>) {
            self.storeID = storeID
            self.apiKey = apiKey
        }
    }

    /// What stands for the card, what it is, and what the bank called its approval: what ``Reading/handle`` has after
    /// the authorization.
    public static let account = "PaymentAccountUniqueId"
    public static let tenderType = "TenderType"
    public static let bankAuthorizationCode = "BankAuthorizationCode"

    public let name = "radial"
    private let credentials: Credentials

    public init(_ credentials: Credentials) {
        self.credentials = credentials
    }

    public var secrets: [Redacted<String>] { [self.credentials.apiKey] }

    /// Posts a document to an operation: "creditcard/auth/DW.xml".
    public func call(_ operation: String, _ xml: String) -> ClientRequest {
        let store = PercentCoding.encoded(self.credentials.storeID)
        return ClientRequest(
            .post, "/v\(self.credentials.version)/stores/\(store)/payments/\(operation)",
            headers: [("Content-Type", "text/xml"), ("apikey", self.credentials.apiKey.reveal())],
            body: Array(xml.utf8))
    }
}

// MARK: - A payment

extension RadialClient {
    /// Of a token. Never captured at once.
    ///
    /// - Throws: `instrumentNotTaken` for anything else, `fieldMissing` without a billing address.
    public func charge(_ charge: ChargeFields) throws(ClientError) -> ClientRequest {
        self.call("creditcard/auth/DW.xml", try RadialDocuments.authorization(charge))
    }

    public func capture(_ capture: FollowUpFields) throws(ClientError) -> ClientRequest {
        try self.settle(
            "Debit", capture, more: "<FinalDebit>\(capture.isFinal ? "true" : "false")</FinalDebit>")
    }

    public func refund(_ refund: FollowUpFields) throws(ClientError) -> ClientRequest {
        try self.settle("Credit", refund, more: "")
    }

    public func void(_ void: FollowUpFields) throws(ClientError) -> ClientRequest {
        try self.follow("auth/cancel", "PaymentAuthCancelRequest", void, RadialDocuments.amount("Amount", void.amount))
    }

    /// Whether something of the authorization is left; the amount is the authorized one.
    public func confirmFunds(_ confirm: FollowUpFields) throws(ClientError) -> ClientRequest {
        try self.follow(
            "funds/confirm", "ConfirmFundsRequest", confirm, RadialDocuments.amount("Amount", confirm.amount))
    }

    public func query(_ query: FollowUpFields) throws(ClientError) -> ClientRequest {
        throw ClientError(.operationNotOffered, "Radial has no query: the same request sent again is answered again.")
    }

    private func settle(
        _ type: String, _ fields: FollowUpFields, more: String
    ) throws(ClientError) -> ClientRequest {
        let context = RadialDocuments.element("ClientContext", fields.key)
        let tax = RadialDocuments.amount("TaxAmount", Money.zero(fields.amount.currency))
        return try self.follow(
            "settlement/create", "PaymentSettlementRequest", fields,
            "\(RadialDocuments.invoice(fields))\(RadialDocuments.amount("Amount", fields.amount))\(tax)"
                + "<SettlementType>\(type)</SettlementType>\(context)\(more)")
    }

    private func follow(
        _ operation: String, _ root: String, _ fields: FollowUpFields, _ content: String
    ) throws(ClientError) -> ClientRequest {
        let tender = PercentCoding.encoded(try fields.known(Self.tenderType))
        let context = RadialDocuments.context(order: fields.order, account: try fields.known(Self.account))
        return self.call(
            "\(operation)/\(tender).xml",
            "<\(root) xmlns=\"\(RadialDocuments.namespace)\" requestId=\"\(XMLReply.escaped(fields.key))\">"
                + "\(context)\(content)</\(root)>")
    }
}

// MARK: - Answers

extension RadialClient {
    /// Faults for the moment: nothing was done, and the same request may be sent again.
    private static let temporaryFaults: Set = [
        "AuthorizationInProcessException", "OperationInProcessException", "RequestIncompleteException",
        "ServiceOverloadedException", "ServiceUnavailableException", "TooManyRequestsException",
    ]

    public func read(_ reply: ClientReply, to request: ClientRequest) -> Reading {
        guard let xml = XMLReply(reply.body) else {
            return .unreadable(reply, "Radial answered with something that is no XML (HTTP \(reply.status)).")
        }
        guard xml.root != "Fault" else { return Self.fault(xml, reply) }
        guard reply.status / 100 == 2, let code = xml["ResponseCode"] ?? xml["FundsAvailable"] else {
            return .unreadable(reply, "Radial's answer names no outcome (HTTP \(reply.status)).")
        }
        let outcome = xml.root == "CreditCardAuthReply" ? Self.outcome(xml, code) : Self.outcome(ofOther: xml, code)
        var reading = Reading(outcome, code: code, text: code, reply, .xml(xml))
        if xml.root == "CreditCardAuthReply" {
            for name in [Self.account, Self.tenderType, Self.bankAuthorizationCode] {
                if let value = reading.body.filled(name) { reading.handle[name] = value }
            }
        }
        reading.reference = reading.handle[Self.account] ?? xml["OrderId"]
        reading.authorizationCode = reading.body.filled(Self.bankAuthorizationCode)
        reading.issuerCode = reading.body.filled("AuthorizationResponseCode")
        reading.addressCheck = reading.body.filled("AVSResponseCode")
        reading.securityCodeCheck = reading.body.filled("CVV2ResponseCode")
        return reading
    }

    private static func outcome(_ xml: XMLReply, _ code: String) -> Reading.Outcome {
        switch code {
        case "APPROVED", "AcceptOrderWithException": .approved
        // With NR01 the issuer was not reached, and nothing was charged.
        case "TIMEOUT": xml["AuthorizationResponseCode"] == "NR01" ? .declined : .pending
        default: .declined
        }
    }

    /// An acknowledgement says that the service has the request; an event says later what became of it.
    private static func outcome(ofOther xml: XMLReply, _ code: String) -> Reading.Outcome {
        switch code {
        case "Success": xml.root == "AckReply" ? .accepted : .approved
        case "Fail": .declined
        case "Timeout": .pending
        default: .unknown
        }
    }

    private static func fault(_ xml: XMLReply, _ reply: ClientReply) -> Reading {
        let code = xml["Code"] ?? ""
        let words = [xml["Code"], xml["Description"]].compactMap { $0 }.joined(separator: ": ")
        var reading = Reading(
            code == "RequestTimedOutException" || code.isEmpty ? .unknown : .refused, code: code,
            text: words.isEmpty ? "HTTP \(reply.status)" : words, reply, .xml(xml))
        reading.isTemporary = reading.outcome == .refused && Self.temporaryFaults.contains(code)
        return reading
    }

    public func read(_ notification: ClientNotification) -> Notice {
        let xml = XMLReply(notification.body)
        let isCancellation = xml?.root.hasPrefix("PaymentAuthCancelReply") == true
        let outcome: Reading.Outcome =
            switch xml?["SettlementStatus"] ?? xml?["ResponseCode"] {
            case "S", "Success": .approved
            case "R", "Fail": .declined
            case "Timeout": .pending
            default: .unknown
            }
        return Notice(
            title: [
                isCancellation ? "cancellation" : "settlement", xml?["SettlementType"],
                xml?["SettlementStatus"] ?? xml?["ResponseCode"],
            ], order: xml?["OrderId"], key: xml?["ClientContext"], outcome: outcome, isGenuine: nil,
            body: xml.map(ReplyBody.xml) ?? .none)
    }
}
