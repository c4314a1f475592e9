//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import BaseEncoding
internal import Redaction
internal import StrictJSON

extension PaymentPayload {
    /// Reads the opened data. Members that are not known are ignored: Apple adds some from time to time. What is paid
    /// with, in which currency and how much, with which proof, is read strictly; what decides nothing is absent where it
    /// does not fit, since the customer has paid with the rest.
    init(parsing plaintext: [UInt8]) throws(TokenError) {
        let json: JSON
        do {
            json = try JSON.parse(plaintext, limits: JSONLimits(bytesMax: 1 << 16, depthMax: 16, valuesMax: 2_000))
        } catch {
            // Not even where: the error's byte would say something of the content.
            throw TokenError(.payloadMalformed, .payload, "The opened data is not JSON as RFC 8259 has it.")
        }
        guard let object = json.object else {
            throw TokenError(.payloadMalformed, .payload, "The opened data is \(json.kind); an object is expected.")
        }
        let members = TokenMembers(object, path: "", stage: .payload)
        self.applicationPrimaryAccountNumber = try Self.accountNumber(members)
        let expirationText = try members.string("applicationExpirationDate")
        guard let expirationDate = TokenExpirationDate(expirationText) else {
            throw TokenError(
                .expirationDateMalformed, .payload, "applicationExpirationDate is not a date written as YYMMDD.")
        }
        self.applicationExpirationDate = expirationDate
        guard let currencyCode = TokenCurrencyCode(try members.string("currencyCode")) else {
            throw TokenError(
                .currencyCodeMalformed, .payload, "currencyCode is not a numeric code of one to three digits.")
        }
        self.currencyCode = currencyCode
        self.transactionAmount = try Self.amount(members)
        self.cardholderName = members.fittingString("cardholderName").map { Redacted($0) }
        self.deviceManufacturerIdentifier = try members.string("deviceManufacturerIdentifier")
        guard !self.deviceManufacturerIdentifier.isEmpty, Hex.decode(self.deviceManufacturerIdentifier) != nil else {
            throw TokenError(
                .deviceManufacturerMalformed, .payload, "deviceManufacturerIdentifier is not hexadecimal.")
        }
        self.paymentData = try PaymentData(members)
        self.authenticationResponses = members.fittingList("authenticationResponses")
            .compactMap(AuthenticationResponse.init(fitting:))
        self.merchantTokenIdentifier = members.fittingString("merchantTokenIdentifier")
        self.merchantTokenMetadata = members.fittingMembers("merchantTokenMetadata")
            .map(MerchantTokenMetadata.init(fitting:))
    }

    /// ISO/IEC 7812-1 allows up to 19 digits; the shortest in use have 12. The check digit is left to the issuer: test
    /// numbers break it.
    private static func accountNumber(_ members: TokenMembers) throws(TokenError) -> Redacted<String> {
        let text = try members.string("applicationPrimaryAccountNumber")
        guard ASCII.isDigits(text, 12...19) else {
            throw TokenError(
                .accountNumberMalformed, .payload, "applicationPrimaryAccountNumber is not a number of 12 to 19 digits."
            )
        }
        return Redacted(text)
    }

    private static func amount(_ members: TokenMembers) throws(TokenError) -> TokenAmount {
        guard let value = members.object["transactionAmount"] else { throw members.missing("transactionAmount") }
        guard let text = value.numberText else {
            throw members.wrongType("transactionAmount", value, expected: "a number")
        }
        guard let amount = TokenAmount(text) else {
            throw TokenError(.amountMalformed, .payload, "transactionAmount is negative.")
        }
        return amount
    }
}

extension PaymentData {
    fileprivate init(_ members: TokenMembers) throws(TokenError) {
        let typeText = try members.string("paymentDataType")
        guard let type = Kind(rawValue: typeText) else {
            let known = Kind.allCases.map(\.rawValue).joined(separator: " and ")
            throw TokenError(
                .paymentDataTypeUnsupported, .payload, "paymentDataType is not supported; known are \(known).")
        }
        let data = try members.members("paymentData")
        switch type {
        case .threeDSecure: self = .threeDSecure(try ThreeDSecureData(data))
        case .emv: self = .emv(try EMVData(data))
        }
    }
}

extension ThreeDSecureData {
    fileprivate init(_ members: TokenMembers) throws(TokenError) {
        let text = try members.string("onlinePaymentCryptogram")
        guard let bytes = Base64.decode(text, padding: .optional), !bytes.isEmpty else {
            throw TokenError(
                .cryptogramMalformed, .payload, "paymentData.onlinePaymentCryptogram is empty or not base64.")
        }
        // Where a network has no indicator, the member is absent; an empty one means the same.
        var eciIndicator = try members.optionalString("eciIndicator")
        if eciIndicator == "" { eciIndicator = nil }
        if let eciIndicator {
            guard eciIndicator.utf8.count <= 2, eciIndicator.utf8.allSatisfy(ASCII.isDigit) else {
                throw TokenError(
                    .eciIndicatorMalformed, .payload, "paymentData.eciIndicator is not of one or two digits.")
            }
        }
        self.init(cryptogram: Redacted(bytes), cryptogramText: Redacted(text), eciIndicator: eciIndicator)
    }
}

extension EMVData {
    fileprivate init(_ members: TokenMembers) throws(TokenError) {
        let text = try members.string("emvData")
        guard let bytes = Base64.decode(text, padding: .optional), !bytes.isEmpty else {
            throw TokenError(.emvDataMalformed, .payload, "paymentData.emvData is empty or not base64.")
        }
        let pin = try members.optionalString("encryptedPINData")
        if let pin, Hex.decode(pin) == nil {
            throw TokenError(
                .encryptedPINDataMalformed, .payload, "paymentData.encryptedPINData is not hexadecimal.")
        }
        self.init(
            emvData: Redacted(bytes), emvDataText: Redacted(text), encryptedPINData: pin.map { Redacted($0) })
    }
}

extension AuthenticationResponse {
    fileprivate init?(fitting members: TokenMembers) {
        // A string in every sample; a number says the same.
        let amount = members.fittingString("transactionAmount") ?? members.object["transactionAmount"]?.numberText
        guard let amount, !amount.isEmpty,
            amount.utf8.allSatisfy({ ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }),
            let merchantIdentifier = members.fittingString("merchantIdentifier"),
            let authenticationData = members.fittingString("authenticationData")
        else { return nil }
        self.init(
            merchantIdentifier: merchantIdentifier, authenticationData: Redacted(authenticationData),
            transactionAmount: amount)
    }
}

extension MerchantTokenMetadata {
    fileprivate init(fitting members: TokenMembers) {
        self.cardArt = members.fittingList("cardArt").map {
            CardArt(name: $0.fittingString("name"), type: $0.fittingString("type"), url: $0.fittingString("url"))
        }
        self.cardMetadata = members.fittingMembers("cardMetadata").map {
            CardMetadata(
                cardCountry: $0.fittingString("cardCountry"), expirationDate: $0.fittingString("expirationDate"),
                fpanSuffix: $0.fittingString("fpanSuffix"), longDescription: $0.fittingString("longDescription"),
                shortDescription: $0.fittingString("shortDescription"))
        }
    }
}
