//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import ApplePayToken
public import Payments
public import StrictJSON
public import Time

extension AppleCredential {
    /// As it is at that moment: "requested", "imported", "active", "expired", "retired".
    public func stateName(at now: Timestamp) -> String {
        guard self.state == .active else { return self.state.rawValue }
        return self.notAfter.map { $0 < now } == true ? "expired" : "active"
    }

    /// - Parameter merchant: whose it is.
    public func view(of merchant: Merchant, at now: Timestamp) -> JSONObject {
        let certificate = self.appleCertificate
        var object = JSONObject()
        object["merchant"] = .string(merchant.name)
        object["mode"] = .string(merchant.mode.rawValue)
        object["purpose"] = .string(self.purpose.name)
        object["merchantIdentifier"] = .string(self.merchantIdentifier)
        object["state"] = .string(self.stateName(at: now))
        object["notAfter"] = .string(orNull: self.notAfter?.rfc3339Seconds)
        object["keyAlgorithm"] = .string(orNull: certificate?.keyAlgorithm.description)
        object["publicKeyHash"] = .string(orNull: certificate?.publicKeyHashText)
        object["id"] = .string(self.id)
        object["createdAt"] = .string(self.createdAt.description)
        return object
    }

    /// The certificate, read; `nil` while it has not been imported.
    public var appleCertificate: AppleCertificate? {
        self.certificatePEM.flatMap { try? AppleCertificate(Array($0.utf8)) }
    }
}

extension AppleCredential.Purpose {
    /// As commands and the API write it.
    public var name: String {
        switch self {
        case .paymentProcessing: "payment-processing"
        case .merchantIdentity: "merchant-identity"
        }
    }

    /// - Returns: `nil` for another name.
    public init?(named name: String) {
        guard let purpose = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = purpose
    }
}
