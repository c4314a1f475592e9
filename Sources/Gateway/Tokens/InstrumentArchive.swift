//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import BaseEncoding
import Money
import Payments
import Redaction
import StrictJSON

// An opened token as the vault keeps it.

extension InstrumentReading {
    /// The number and the cryptogram in the clear: for sealing and for nothing else.
    func archive(isAmountPending: Bool) -> JSON {
        guard let networkToken = self.networkToken, let amount = self.amount else {
            return ["sealed": self.sealed?.json ?? .null, "proof": self.proofArchive ?? .null]
        }
        var archive = JSONObject()
        archive["pan"] = .string(networkToken.pan.reveal())
        archive["expiry"] = .string(networkToken.expiryYearMonth)
        archive["minorUnits"] = .string(String(amount.minorUnits))
        archive["currency"] = .string(amount.currency.code)
        archive["isAmountPending"] = .bool(isAmountPending)
        archive["network"] = .string(self.summary.network.rawValue)
        archive["singleUses"] = .array(self.singleUses.map { .string(Base64.encode($0)) })
        archive["eci"] = networkToken.eci.map { .string($0) }
        archive["displayName"] = self.summary.displayName.map { .string($0) }
        // Which of both its account takes is decided when it pays.
        archive["sealed"] = self.sealed?.json
        archive["proof"] = self.proofArchive
        switch networkToken.proof {
        case .cryptogram(let bytes): archive["cryptogram"] = .string(Base64.encode(bytes.reveal()))
        case .emv(let data, let encryptedPIN):
            archive["emvData"] = .string(Base64.encode(data.reveal()))
            archive["encryptedPIN"] = encryptedPIN.map { .string($0.reveal()) }
        case .securityCode: break
        }
        return .object(archive)
    }

    /// `nil` for what ``archive(isAmountPending:)`` has not written.
    init?(archive content: Redacted<[UInt8]>) {
        guard let archive = try? JSON.parse(content.reveal()) else { return nil }
        let proof = archive["proof"]?.string.flatMap(TokenProof.init(text:))
        // It was verified before it was kept.
        let sealed = archive["sealed"].flatMap { try? UnverifiedToken(json: $0) }
        if archive["pan"] == nil {
            guard let sealed else { return nil }
            self.init(unopened: sealed, proof: proof)
            return
        }
        guard let pan = archive["pan"]?.string,
            let expiry = archive["expiry"]?.string, let cardProof = NetworkToken.Proof(archive: archive),
            let minorUnits = archive["minorUnits"]?.string.flatMap({ Int64($0) }),
            let currency = archive["currency"]?.string.flatMap(Currency.alphabetic),
            let isAmountPending = archive["isAmountPending"]?.bool,
            let network = archive["network"]?.string.flatMap(CardNetwork.init(rawValue:)),
            let uses = archive["singleUses"]?.array?.compactMap({ $0.string.flatMap { Base64.decode($0) } })
        else { return nil }
        let eci = archive["eci"]?.string
        let number = Redacted(pan)
        // What was kept before tokens were known by what was signed has no mark of that.
        let mark = sealed?.signedContentMark
        self.init(
            amount: isAmountPending ? nil : Money(minorUnits: minorUnits, currency: currency),
            pendingAmount: isAmountPending ? Money(minorUnits: minorUnits, currency: currency) : nil,
            summary: InstrumentSummary(
                maskedPAN: MaskedPAN(number), network: network, expiryYearMonth: expiry, eci: eci,
                displayName: archive["displayName"]?.string, proof: proof),
            networkToken: NetworkToken(pan: number, expiryYearMonth: expiry, proof: cardProof, eci: eci),
            sealed: sealed, singleUses: uses + (mark.map { uses.contains($0) ? [] : [$0] } ?? []))
    }

    private var proofArchive: JSON? { self.summary.proof.map { .string($0.text) } }

    private init(
        amount: Money?, pendingAmount: Money?, summary: InstrumentSummary, networkToken: NetworkToken,
        sealed: UnverifiedToken?, singleUses: [[UInt8]]
    ) {
        self.amount = amount
        self.pendingAmount = pendingAmount
        self.merchantIdentifierHash = nil
        self.summary = summary
        self.networkToken = networkToken
        self.sealed = sealed
        self.singleUses = singleUses
    }
}

extension UnverifiedToken {
    /// As PKPaymentToken.
    fileprivate var json: JSON {
        var method = JSONObject()
        method["displayName"] = self.paymentMethod?.displayName.map { .string($0) }
        method["network"] = self.paymentMethod?.network.map { .string($0) }
        method["type"] = self.paymentMethod?.type.map { .string($0) }
        return ["paymentData": self.paymentDataJSON, "paymentMethod": .object(method)]
    }
}

extension NetworkToken.Proof {
    fileprivate init?(archive: JSON) {
        if let cryptogram = archive["cryptogram"]?.string.flatMap({ Base64.decode($0) }) {
            self = .cryptogram(Redacted(cryptogram))
        } else if let data = archive["emvData"]?.string.flatMap({ Base64.decode($0) }) {
            self = .emv(data: Redacted(data), encryptedPIN: archive["encryptedPIN"]?.string.map { Redacted($0) })
        } else {
            return nil
        }
    }
}
