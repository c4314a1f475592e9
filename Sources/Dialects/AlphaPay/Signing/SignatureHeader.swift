//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import DialectKit
import Foundation

/// The `Signature` header: `algorithm=RS256,keyVersion=1,signature=<URL-encoded Base64>`.
struct SignatureHeader: Hashable, Sendable {
    let keyVersion: String
    let signature: [UInt8]

    init(keyVersion: String, signature: [UInt8]) {
        self.keyVersion = keyVersion
        self.signature = signature
    }

    /// Reads a request's header. Blanks after the commas are allowed, since the vendor's document writes them and its
    /// SDK does not.
    ///
    /// A signature that is Base64 but not URL-encoded is read too; nothing else that is valid Base64 could be meant.
    init(parsing text: String) throws(AlphaPayResult) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard text.utf8.count <= 4096, parts.count == 3 else { throw AlphaPayResult(.signatureMalformed) }
        var fields: [String: String] = [:]
        for part in parts {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2 else { throw AlphaPayResult(.signatureMalformed) }
            fields[pair[0].trimmingBlanks] = pair[1].trimmingBlanks
        }
        guard let algorithm = fields["algorithm"], let keyVersion = fields["keyVersion"],
            let encoded = fields["signature"]
        else { throw AlphaPayResult(.signatureMalformed) }
        guard algorithm == "RS256" else { throw AlphaPayResult(.algorithmNotSupported) }
        guard let base64 = PercentCoding.decoded(encoded), let signature = Data(base64Encoded: base64),
            !signature.isEmpty
        else { throw AlphaPayResult(.signatureMalformed) }
        self.init(keyVersion: keyVersion, signature: Array(signature))
    }

    /// Three parts, no blanks and no "=" but the three that separate: the vendor's Java SDK takes a header apart by `,`
    /// and `=`.
    var text: String {
        let encoded = PercentCoding.encoded(Data(self.signature).base64EncodedString())
        return "algorithm=RS256,keyVersion=\(self.keyVersion),signature=\(encoded)"
    }
}

extension Substring {
    /// Optional white space around a header's parts (RFC 9110, section 5.6.3).
    fileprivate var trimmingBlanks: String {
        var text = self
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}
