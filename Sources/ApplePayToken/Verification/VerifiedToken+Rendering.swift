//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
public import StrictJSON

extension VerifiedToken {
    /// The token for machines, without what it holds.
    ///
    /// `{"verified": true, "version", "transactionId", "signedContentDigest", "signingTime", "trustAnchor": {"label",
    /// "id"}, "signerName", "publicKeyHash", "applicationDataHash", "paymentMethod": {"displayName"?, "network"?,
    /// "type"?}}`. Times are RFC 3339; a name, a hash or a payment method that the token does not have is null.
    public var json: JSON {
        var object = JSONObject()
        object["verified"] = true
        object["version"] = .string(self.version.rawValue)
        object["transactionId"] = .string(self.header.transactionIdentifierText)
        object["signedContentDigest"] = .string(Hex.encode(self.signedContentDigest))
        object["signingTime"] = .string(Instant(self.signingTime).text)
        object["trustAnchor"] = ["label": .string(self.anchor.label), "id": .string(self.anchor.id)]
        object["signerName"] = self.signerName.map { .string($0) } ?? .null
        object["publicKeyHash"] = .string(self.header.publicKeyHashText)
        object["applicationDataHash"] = self.header.applicationDataHash.map { .string(Hex.encode($0)) } ?? .null
        object["paymentMethod"] = self.paymentMethod?.json ?? .null
        return .object(object)
    }
}

extension TokenPaymentMethod {
    fileprivate var json: JSON {
        var object = JSONObject()
        object["displayName"] = self.displayName.map { .string($0) }
        object["network"] = self.network.map { .string($0) }
        object["type"] = self.type.map { .string($0) }
        return .object(object)
    }
}
