//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Redaction
import StrictJSON
import Time

@testable import AcquirerLink

/// Requests in which everything is there that may be, each value unlike every other of its kind.
enum FullRequests {
    static let amount = Bench.money(1234)
    static let operationID = Bench.id(77)
    static let paymentID = PaymentID(at: Bench.at, random: [2])
    static let merchantID = MerchantID(at: Bench.at, random: [3])
    static let begunAt = Bench.at.adding(seconds: 9)
    static let statementDescriptor = "APPLES, THE SECOND PART"

    static let billing = PostalAddress(
        firstName: "Bea", lastName: "Payer", company: "Apples Ltd", email: "bea@example.com", phone: "+1 613 555 0101",
        lines: ["1 Main Street\u{1F34E}", "Suite 2"], city: "Ottawa", mainDivision: "ON", postalCode: "K1A 0B1",
        countryCode: "CA")
    static let shipping = PostalAddress(
        firstName: "Cy", lastName: "Taker", company: "Pears Inc", email: "cy@example.com", phone: "+1 613 555 0102",
        lines: ["2 Side Street", "", "Dock 3"], city: "Montr\u{E9}al", mainDivision: "QC", postalCode: "H2Y 1C6",
        countryCode: "FR")
    static let customer = Customer(
        id: "c-1", firstName: "Ada", lastName: "O\u{2019}Neil", email: "ada@example.com", phone: "+1 613 555 0100",
        ipAddress: "2001:db8::1", userAgent: "Mozilla/5.0 (\"quoted\")")
    static let details = ChargeDetails(
        orderReference: "order 1", description: "Two apples\n", statementDescriptor: "APPLES", certainty: .estimated,
        initiator: .merchant(
            PaymentAgreement(kind: .recurring, id: "subscription 1", networkReference: "MCC0123456789")),
        source: .telephoneOrder,
        authentication: PayerAuthentication(status: .attempted, transactionID: "c2f1a9"),
        customer: FullRequests.customer, cardholderName: "A O NEIL", billing: FullRequests.billing,
        shipping: FullRequests.shipping, terminal: .payerOnPremises,
        device: PayerDevice(callerNumber: "6135550103", phoneModel: "iPhone17,1"))

    static let memo = AcquirerMemo(
        ["token": Redacted("a\u{2026}b"), "": Redacted("empty")], handles: ["h-2", "h-1"])

    static let authorization = OriginalOperation(
        id: Bench.id(1), kind: .authorization, isSale: true, amount: Bench.money(1001), begunAt: Bench.at,
        resolvedAt: Bench.at.adding(seconds: 1),
        answer: AcquirerAnswer(
            reference: "000000000001", authorizationCode: "A1B2C3", responseCode: "00", stan: "000042",
            networkReference: "123456789012345", addressCheck: "Y", securityCodeCheck: "M", fundingPANSuffix: "1234",
            fundingExpiryYearMonth: "2901", paymentAccountReference: "V0010013019339005665779448477",
            merchantAdviceCode: "01", eci: "05", reconciliationID: "20260314",
            acquirerReferenceNumber: "74000006073000000001234", processor: "ONE",
            authorizationExpiresAt: Bench.at.adding(seconds: 604_800), vendorCode: "APPROVED",
            vendorText: "Approved \u{2026}"),
        ordinal: 2, authorizedTotal: Bench.money(1002), capturedTotal: Bench.money(1003),
        memo: AcquirerMemo(["id": Redacted("1")], handles: ["first"]))
    static let capture = OriginalOperation(
        id: Bench.id(2), kind: .capture, isSale: false, isFinal: true, amount: Bench.money(2001),
        begunAt: Bench.at.adding(seconds: 2),
        resolvedAt: Bench.at.adding(seconds: 3),
        answer: AcquirerAnswer(
            reference: "000000000002", authorizationCode: "D4E5F6", responseCode: "10", stan: "000043",
            networkReference: "223456789012345", addressCheck: "N", securityCodeCheck: "P", fundingPANSuffix: "5678",
            fundingExpiryYearMonth: "3012", paymentAccountReference: "V0010013019339005665779448478",
            merchantAdviceCode: "03", eci: "07", reconciliationID: "20260315",
            acquirerReferenceNumber: "74000006073000000001235", processor: "TWO",
            authorizationExpiresAt: Bench.at.adding(seconds: 604_801), vendorCode: "DECLINED",
            vendorText: "Declined"),
        ordinal: 3, authorizedTotal: Bench.money(2002), capturedTotal: Bench.money(2003))

    static let instruments: [PaymentInstrument] = {
        let pan = Redacted(Bench.pan)
        let token = { (proof: NetworkToken.Proof, eci: String?) in
            PaymentInstrument.networkToken(
                NetworkToken(pan: pan, expiryYearMonth: "3001", proof: proof, eci: eci))
        }
        return [
            Bench.card, token(.emv(data: Redacted([0x9F, 0x26, 0x00]), encryptedPIN: Redacted("8F")), "06"),
            token(.emv(data: Redacted([]), encryptedPIN: nil), "07"), token(.securityCode(Redacted("123")), "05"),
            token(.securityCode(nil), nil),
            .sealedApplePayToken(
                SealedApplePayToken(
                    paymentData: Redacted(Array("{\"version\":\"EC_v1\",\"data\":\"\u{2026}\"}".utf8)),
                    transactionIdentifier: "00ff", network: "Visa", methodType: "debit", displayName: "Visa 1234")),
        ]
    }()

    static func perform(_ action: AcquirerRequest.Action) -> LinkRequest {
        .perform(
            AcquirerRequest(
                operationID: self.operationID, paymentID: self.paymentID, merchantID: self.merchantID,
                amount: self.amount, begunAt: self.begunAt, action: action, ordinal: 4, memo: self.memo,
                statementDescriptor: self.statementDescriptor))
    }

    static func charge(_ instrument: PaymentInstrument) -> Charge {
        Charge(
            instrument: instrument, network: .unionPay, captures: true, acceptsPartialApproval: true,
            details: self.details)
    }

    /// Every call, and every instrument.
    static var all: [LinkRequest] {
        let followUps: [LinkRequest] = [
            self.perform(.verify(self.charge(Bench.card))),
            self.perform(.capture(of: self.authorization, isFinal: true)),
            self.perform(.refund(of: self.authorization, capture: self.capture)),
            self.perform(.adjust(self.authorization)), self.perform(.void(self.authorization)),
            self.perform(.reverse(self.capture)),
            .query(
                AcquirerQuery(
                    paymentID: self.paymentID, merchantID: self.merchantID, original: self.authorization,
                    at: self.begunAt)),
        ]
        return self.instruments.map { self.perform(.authorize(self.charge($0))) } + followUps
    }
}

extension LinkRequest {
    /// The request as it comes out of its bytes at the other end.
    func sent() throws -> LinkRequest { try LinkRequest.read(self.json(number: 1).serialized()).request }
}

extension PaymentInstrument {
    /// Whether both hold the same, secrets among it.
    func isAlike(_ other: PaymentInstrument) -> Bool {
        switch (self, other) {
        case (.sealedApplePayToken(let left), .sealedApplePayToken(let right)): left == right
        case (.networkToken(let left), .networkToken(let right)):
            left.pan == right.pan && left.expiryYearMonth == right.expiryYearMonth && left.eci == right.eci
                && left.proof.isAlike(right.proof)
        default: false
        }
    }
}

extension NetworkToken.Proof {
    fileprivate func isAlike(_ other: NetworkToken.Proof) -> Bool {
        switch (self, other) {
        case (.cryptogram(let left), .cryptogram(let right)): left == right
        case (.emv(let data, let pin), .emv(let otherData, let otherPIN)): data == otherData && pin == otherPIN
        case (.securityCode(let left), .securityCode(let right)): left == right
        default: false
        }
    }
}
