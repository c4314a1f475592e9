//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import HTTPTypes
public import Money
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

        /// A demo merchant's.
        public init(_ account: AnnouncedAccount) throws {
            self.init(storeID: try account.value("storeId"), apiKey: Redacted(try account.value("apikey")))
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
    ///
    /// - Parameter reauthorizes: whether the issuer is asked again where the authorization has lapsed; left out where it
    ///   is not said.
    public func confirmFunds(
        _ confirm: FollowUpFields, reauthorizes: Bool? = nil
    ) throws(ClientError) -> ClientRequest {
        let flag = RadialDocuments.element("PerformReauthorization", reauthorizes.map { $0 ? "true" : "false" })
        return try self.follow(
            "funds/confirm", "ConfirmFundsRequest", confirm, RadialDocuments.amount("Amount", confirm.amount) + flag)
    }

    /// Of which tender type an account is. Moves nothing.
    ///
    /// - Parameter account: what stands for a card in the answer to an authorization.
    public func lookUpTender(account: String, currency: Currency) -> ClientRequest {
        self.call(
            "tendertype/lookup.xml",
            "<TenderTypeLookupRequest xmlns=\"\(RadialDocuments.namespace)\">\(RadialDocuments.account(account))"
                + "<TenderClass>CreditCard</TenderClass><CurrencyCode>\(currency.code)</CurrencyCode>"
                + "</TenderTypeLookupRequest>")
    }

    public func query(_ query: FollowUpFields) throws(ClientError) -> ClientRequest {
        throw ClientError(.operationNotOffered, "Radial has no query: the same request sent again is answered again.")
    }

    private func settle(
        _ type: String, _ fields: FollowUpFields, more: String
    ) throws(ClientError) -> ClientRequest {
        let context = RadialDocuments.element("ClientContext", fields.key)
        // InvoiceId, the one extra element that there is, stands before the amount.
        let tax = RadialDocuments.amount("TaxAmount", Money.zero(fields.amount.currency))
        return try self.follow(
            "settlement/create", "PaymentSettlementRequest", fields,
            "\(RadialDocuments.extra(fields.extra))\(RadialDocuments.amount("Amount", fields.amount))\(tax)"
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
        let isAcknowledgement = Self.acknowledgements.contains(xml.root)
        let word = xml["ResponseCode"] ?? xml["FundsAvailable"] ?? xml["AuthorizationResponseCode"]
        guard reply.status / 100 == 2, let code = word ?? (isAcknowledgement ? "" : nil) else {
            return .unreadable(reply, "Radial's answer names no outcome (HTTP \(reply.status)).")
        }
        let isAuthorization = xml.root == "CreditCardAuthReply"
        let outcome =
            isAuthorization ? Self.outcome(xml) : Self.outcome(ofOther: code, isAcknowledgement: isAcknowledgement)
        var reading = Reading(outcome, code: code, text: code.isEmpty ? xml.root : code, reply, .xml(xml))
        if isAuthorization {
            for name in [Self.account, Self.tenderType, Self.bankAuthorizationCode] {
                if let value = reading.body.filled(name) { reading.handle[name] = value }
            }
            reading.amount = RadialDocuments.money("AmountAuthorized", in: xml)
        }
        reading.reference = reading.handle[Self.account] ?? xml["OrderId"]
        reading.authorizationCode = reading.body.filled(Self.bankAuthorizationCode)
        reading.issuerCode = reading.body.filled("AuthorizationResponseCode")
        reading.addressCheck = reading.body.filled("AVSResponseCode")
        reading.securityCodeCheck = reading.body.filled("CVV2ResponseCode")
        return reading
    }

    /// What a settlement or a cancellation is answered at once.
    private static let acknowledgements: Set = ["AckReply", "PaymentAuthCancelReply", "PaymentSettlementReply"]

    /// Both words of an authorization, either of which may be left out; what does not go together says nothing.
    private static func outcome(_ xml: XMLReply) -> Reading.Outcome {
        switch (xml["ResponseCode"], xml["AuthorizationResponseCode"]) {
        case ("APPROVED", "AP01"), ("APPROVED", nil), (nil, "AP01"): .approved
        // A rule of the store's: the order is taken, and authorized again when its funds are confirmed.
        case ("AcceptOrderWithException", _): .accepted
        case ("TIMEOUT", "TO01"), ("TIMEOUT", nil), (nil, "TO01"): .pending
        // The issuer was not reached, and nothing was charged.
        case ("TIMEOUT", "NR01"), (nil, "NR01"): .declined
        case ("AVS", let code), ("CSC", let code), ("AVSCSC", let code), ("DECL", let code), ("DECLF", let code),
            ("DECLR", let code):
            [nil, "ND01", "NC03"].contains(code) ? .declined : .unknown
        case (nil, "ND01"), (nil, "NC03"): .declined
        default: .unknown
        }
    }

    /// An acknowledgement says that the service has the request; an event says later what became of it.
    private static func outcome(ofOther code: String, isAcknowledgement: Bool) -> Reading.Outcome {
        switch code {
        case "Success", "": isAcknowledgement ? .accepted : .approved
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
            ], isCancellation ? .void : Self.subject(xml?["SettlementType"]), order: xml?["OrderId"],
            key: xml?["ClientContext"], outcome: outcome,
            amount: xml.flatMap { RadialDocuments.money("Amount", in: $0) },
            isGenuine: nil, body: xml.map(ReplyBody.xml) ?? .none)
    }

    private static func subject(_ settlementType: String?) -> Notice.Subject {
        switch settlementType {
        case "Debit": .capture
        case "Credit": .refund
        default: .other
        }
    }
}
