//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import BaseEncoding
import StrictJSON
import Time

/// What a certificate says of itself, and whether a private key fits it.
struct CertificateReport {
    let certificate: AppleCertificate
    let at: Timestamp
    /// Nil when no key was given.
    let keyFits: Bool?

    var json: JSON {
        func text(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }
        var object = JSONObject()
        object["kind"] = .string(self.certificate.kind.rawValue)
        object["merchantIdentifier"] = text(self.certificate.merchantIdentifier)
        object["merchantIdentifierHash"] = text(self.certificate.merchantIdentifierHash.map { Hex.encode($0) })
        object["commonName"] = text(self.certificate.commonName)
        object["teamIdentifier"] = text(self.certificate.teamIdentifier)
        object["organization"] = text(self.certificate.organization)
        object["issuer"] = text(self.certificate.issuerCommonName)
        object["serialNumber"] = .string(self.certificate.serialNumber)
        object["notBefore"] = .string(Timestamp(self.certificate.notBefore).rfc3339Seconds)
        object["notAfter"] = .string(Timestamp(self.certificate.notAfter).rfc3339Seconds)
        object["valid"] = .bool(self.certificate.isValid(at: self.at.date))
        object["keyAlgorithm"] = .string(self.certificate.keyAlgorithm.description)
        object["publicKeyHash"] = .string(self.certificate.publicKeyHashText)
        object["keyFits"] = self.keyFits.map { .bool($0) } ?? .null
        return .object(object)
    }

    var fields: Fields {
        var fields = Fields()
        fields.add("certificate", self.kind)
        fields.add("merchant identifier", self.certificate.merchantIdentifier)
        fields.add("common name", self.certificate.commonName)
        fields.add("organization", self.certificate.organization)
        fields.add("team", self.certificate.teamIdentifier)
        fields.add("issuer", self.certificate.issuerCommonName)
        fields.add("serial number", self.certificate.serialNumber)
        fields.add("valid", self.validity)
        fields.add("key", "\(self.certificate.keyAlgorithm), hash \(self.certificate.publicKeyHashText)")
        fields.add("private key", self.keyFits.map { $0 ? "fits" : "does NOT fit" })
        return fields
    }

    private var kind: String {
        switch self.certificate.kind {
        case .paymentProcessing: "Payment Processing: tokens are encrypted to its key"
        case .merchantIdentity: "Merchant Identity: the merchant shows it to Apple to get a payment session"
        case .other: "neither a Payment Processing nor a Merchant Identity Certificate"
        }
    }

    private var validity: String {
        let from = Timestamp(self.certificate.notBefore)
        let until = Timestamp(self.certificate.notAfter)
        let period = "\(from.rfc3339Seconds) to \(until.rfc3339Seconds)"
        if self.at < from { return period + ", NOT YET" }
        let days = (until.seconds - self.at.seconds) / 86_400
        return self.at > until ? period + ", EXPIRED" : period + ", \(Text.count(Int(days), "day")) left"
    }
}
