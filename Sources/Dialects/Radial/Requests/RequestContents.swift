//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Redaction

/// What a message asks for, in bytes that are alike whenever it is the same: the ground of a requestId's digest.
///
/// Comments, white space around texts and within base64, prefixes and the order of attributes make no difference. A
/// card number goes in with its ends alone and its security code not at all: a digest of either, kept beside what is
/// public of them, could be guessed.
enum RequestContents {
    static func digest(_ message: XMLElement, path: String) -> [UInt8] {
        var bytes = Array(path.utf8)
        self.append(message, to: &bytes)
        return requestDigest(bytes)
    }

    private static func append(_ element: XMLElement, to bytes: inout [UInt8]) {
        self.append(element.name, to: &bytes)
        self.append(element.namespace ?? "", to: &bytes)
        self.append(String(element.attributes.count), to: &bytes)
        for (name, value) in element.attributes.sorted(by: { $0.key < $1.key }) {
            self.append(name, to: &bytes)
            self.append(value, to: &bytes)
        }
        self.append(self.shown(element), to: &bytes)
        self.append(String(element.children.count), to: &bytes)
        for child in element.children { self.append(child, to: &bytes) }
    }

    /// With its length, so that no two sequences of texts make the same bytes.
    private static func append(_ text: String, to bytes: inout [UInt8]) {
        self.append(digitsOf: text.utf8.count, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        if text.utf8.withContiguousStorageIfAvailable({ bytes.append(contentsOf: $0) }) == nil { bytes += text.utf8 }
    }

    private static func append(digitsOf count: Int, to bytes: inout [UInt8]) {
        if count >= 10 { self.append(digitsOf: count / 10, to: &bytes) }
        bytes.append(UInt8(ascii: "0") + UInt8(count % 10))
    }

    private static func shown(_ element: XMLElement) -> String {
        let text = XMLText.collapsed(element.text)
        switch element.name {
        case "CardSecurityCode", "EncryptedCardSecurityCode": return ""
        case "PaymentAccountUniqueId" where XMLText.boolean(element.attributes["isToken"] ?? "") != true:
            return MaskedPAN(Redacted(text)).description
        case "Data", "Signature", "EphemeralPublicKey", "PublicKeyHash", "ApplePayTransactionId":
            return XMLText.unwrapped(text)
        default: return text
        }
    }
}
