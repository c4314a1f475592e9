//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Payments
import Redaction
import StrictJSON
import Time

/// The calls of the port, by the names they have on the wire.
enum LinkCall: String, Hashable, Sendable, CaseIterable {
    case authorize
    case verify
    case capture
    case refund
    case adjust
    case reverse
    case query
}

/// A call with what it asks for.
enum LinkRequest: Sendable {
    case authorize(AcquirerAuthorization)
    case verify(AcquirerAuthorization)
    case capture(AcquirerFollowUp)
    case refund(AcquirerFollowUp)
    case adjust(AcquirerFollowUp)
    case reverse(AcquirerReversal)
    case query(AcquirerQuery)

    var call: LinkCall {
        switch self {
        case .authorize: .authorize
        case .verify: .verify
        case .capture: .capture
        case .refund: .refund
        case .adjust: .adjust
        case .reverse: .reverse
        case .query: .query
        }
    }

    var operationID: OperationID {
        switch self {
        case .authorize(let request), .verify(let request): request.operationID
        case .capture(let request), .refund(let request), .adjust(let request): request.operationID
        case .reverse(let request): request.operationID
        case .query(let request): request.operationID
        }
    }

    /// Asks the acquirer.
    func answer(by acquirer: any Acquirer) async -> LinkOutcome {
        switch self {
        case .authorize(let request): .operation(await acquirer.authorize(request))
        case .verify(let request): .operation(await acquirer.verify(request))
        case .capture(let request): .operation(await acquirer.capture(request))
        case .refund(let request): .operation(await acquirer.refund(request))
        case .adjust(let request): .operation(await acquirer.adjust(request))
        case .reverse(let request): .operation(await acquirer.reverse(request))
        case .query(let request): .query(await acquirer.query(request))
        }
    }
}

// MARK: - Writing

extension LinkRequest {
    /// The request on the wire, under a number that the connection's answers repeat.
    func json(number: UInt64) -> JSON {
        ["type": "request", "number": JSON(number), "call": .string(self.call.rawValue), "request": self.contents]
    }

    private var contents: JSON {
        switch self {
        case .authorize(let request), .verify(let request):
            .link([
                "operation": .string(request.operationID.text), "payment": .string(request.paymentID.text),
                "merchant": .string(request.merchantID.text), "amount": .link(request.amount),
                "captures": .bool(request.captures), "instrument": .link(request.instrument),
                "billing": request.billing.map(JSON.link), "at": JSON(request.at.milliseconds),
            ])
        case .capture(let request), .refund(let request), .adjust(let request):
            .link([
                "operation": .string(request.operationID.text), "payment": .string(request.paymentID.text),
                "merchant": .string(request.merchantID.text), "authorization": .string(request.authorizationID.text),
                "authorizationReference": request.authorizationReference.map(JSON.string),
                "amount": .link(request.amount), "isFinal": .bool(request.isFinal),
                "at": JSON(request.at.milliseconds),
            ])
        case .reverse(let request):
            .link([
                "operation": .string(request.operationID.text), "payment": .string(request.paymentID.text),
                "merchant": .string(request.merchantID.text), "target": .string(request.targetID.text),
                "targetReference": request.targetReference.map(JSON.string), "amount": .link(request.amount),
                "reason": .string(request.reason.rawValue), "at": JSON(request.at.milliseconds),
            ])
        case .query(let request):
            .link([
                "operation": .string(request.operationID.text), "payment": .string(request.paymentID.text),
                "merchant": .string(request.merchantID.text), "at": JSON(request.at.milliseconds),
            ])
        }
    }
}

extension JSON {
    fileprivate static func link(_ instrument: PaymentInstrument) -> JSON {
        switch instrument {
        case .sealedApplePayToken(let bytes):
            return ["form": "sealedApplePayToken", "paymentData": .string(Base64.encode(bytes.reveal()))]
        case .networkToken(let token):
            var members: JSONObject = JSONObject()
            members["form"] = "networkToken"
            members["pan"] = .string(token.pan.reveal())
            members["expiry"] = .string(token.expiryYearMonth)
            members["eci"] = token.eci.map(JSON.string)
            switch token.proof {
            case .cryptogram(let bytes):
                members["proof"] = "cryptogram"
                members["cryptogram"] = .string(Base64.encode(bytes.reveal()))
            case .emv(let data, let pin):
                members["proof"] = "emv"
                members["emv"] = .string(Base64.encode(data.reveal()))
                members["encryptedPIN"] = pin.map { .string($0.reveal()) }
            case .securityCode(let code):
                members["proof"] = "securityCode"
                members["securityCode"] = code.map { .string($0.reveal()) }
            }
            return .object(members)
        }
    }

    fileprivate static func link(_ billing: BillingAddress) -> JSON {
        .link([
            "line1": billing.line1.map(JSON.string), "city": billing.city.map(JSON.string),
            "mainDivision": billing.mainDivision.map(JSON.string), "postalCode": billing.postalCode.map(JSON.string),
            "countryCode": billing.countryCode.map(JSON.string),
        ])
    }
}

// MARK: - Reading

extension LinkRequest {
    static func read(_ body: [UInt8]) throws(LinkViolation) -> (number: UInt64, request: LinkRequest) {
        var reader = try LinkFrame.decode(body)
        try reader.expect("request")
        let number = try reader.number()
        let call: LinkCall = try reader.choice("call")
        let request = try LinkRequest(call, try reader.reader("request"))
        try reader.end()
        return (number, request)
    }

    private init(_ call: LinkCall, _ reader: LinkReader) throws(LinkViolation) {
        var reader = reader
        switch call {
        case .authorize: self = .authorize(try reader.authorization())
        case .verify: self = .verify(try reader.authorization())
        case .capture: self = .capture(try reader.followUp())
        case .refund: self = .refund(try reader.followUp())
        case .adjust: self = .adjust(try reader.followUp())
        case .reverse: self = .reverse(try reader.reversal())
        case .query:
            self = .query(
                AcquirerQuery(
                    operationID: try reader.id("operation"), paymentID: try reader.id("payment"),
                    merchantID: try reader.id("merchant"), at: try reader.timestamp("at")))
        }
        try reader.end()
    }
}

extension LinkReader {
    fileprivate mutating func authorization() throws(LinkViolation) -> AcquirerAuthorization {
        AcquirerAuthorization(
            operationID: try self.id("operation"), paymentID: try self.id("payment"),
            merchantID: try self.id("merchant"), amount: try self.money("amount"), captures: try self.flag("captures"),
            instrument: try self.instrument(), billing: try self.billing(), at: try self.timestamp("at"))
    }

    fileprivate mutating func followUp() throws(LinkViolation) -> AcquirerFollowUp {
        AcquirerFollowUp(
            operationID: try self.id("operation"), paymentID: try self.id("payment"),
            merchantID: try self.id("merchant"), authorizationID: try self.id("authorization"),
            authorizationReference: try self.optionalText("authorizationReference"),
            amount: try self.money("amount"), isFinal: try self.flag("isFinal"), at: try self.timestamp("at"))
    }

    fileprivate mutating func reversal() throws(LinkViolation) -> AcquirerReversal {
        AcquirerReversal(
            operationID: try self.id("operation"), paymentID: try self.id("payment"),
            merchantID: try self.id("merchant"), targetID: try self.id("target"),
            targetReference: try self.optionalText("targetReference"), amount: try self.money("amount"),
            reason: try self.choice("reason"), at: try self.timestamp("at"))
    }

    private mutating func billing() throws(LinkViolation) -> BillingAddress? {
        guard var reader = try self.optionalReader("billing") else { return nil }
        let billing = BillingAddress(
            line1: try reader.optionalText("line1", bytesMax: 1024),
            city: try reader.optionalText("city", bytesMax: 1024),
            mainDivision: try reader.optionalText("mainDivision", bytesMax: 1024),
            postalCode: try reader.optionalText("postalCode", bytesMax: 1024),
            countryCode: try reader.optionalText("countryCode", bytesMax: 1024))
        try reader.end()
        return billing
    }

    private mutating func instrument() throws(LinkViolation) -> PaymentInstrument {
        var reader = try self.reader("instrument")
        let instrument: PaymentInstrument
        switch try reader.text("form") {
        case "sealedApplePayToken": instrument = .sealedApplePayToken(Redacted(try reader.base64("paymentData")))
        case "networkToken":
            instrument = .networkToken(
                NetworkToken(
                    pan: Redacted(try reader.text("pan")), expiryYearMonth: try reader.text("expiry"),
                    proof: try reader.proof(), eci: try reader.optionalText("eci")))
        default: throw LinkViolation("bad_form")
        }
        try reader.end()
        return instrument
    }

    private mutating func proof() throws(LinkViolation) -> NetworkToken.Proof {
        switch try self.text("proof") {
        case "cryptogram": return .cryptogram(Redacted(try self.base64("cryptogram")))
        case "emv":
            return .emv(
                data: Redacted(try self.base64("emv")),
                encryptedPIN: try self.optionalText("encryptedPIN", bytesMax: 1024).map { Redacted($0) })
        case "securityCode": return .securityCode(try self.optionalText("securityCode").map { Redacted($0) })
        default: throw LinkViolation("bad_proof")
        }
    }
}
