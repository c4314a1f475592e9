//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import CryptoExtras
import DialectKit
import Foundation
import HTTPTypes

/// A call as a shop makes it.
struct SignedCall {
    var method: HTTPRequest.Method = .post
    var path: String
    var body: [UInt8]
    var merchantCode = TestShop.merchantCode
    var time: String
    var nonce = UUID().uuidString.filter { $0 != "-" }
    /// The merchant's, if left out.
    var key: _RSA.Signing.PrivateKey?
    var contentType: String? = "application/json; charset=UTF-8"
    /// `%s` stands for the URL-encoded signature, `%r` for the bare Base64.
    var signatureHeader = "algorithm=RS256, keyVersion=1, signature=%s"
    /// Changes the request after it has been signed.
    var tamper: (inout WireRequest) -> Void = { _ in }

    /// The request, signed. A header whose value is empty is left out. The names' case is odd on purpose.
    func request() throws -> WireRequest {
        let text = "\(self.method.rawValue) \(self.path)\n\(self.merchantCode).\(self.time).\(self.nonce)."
        let signature = try (self.key ?? Keys.merchant).signature(
            for: Data(text.utf8) + Data(self.body), padding: .insecurePKCS1v1_5)
        let base64 = signature.rawRepresentation.base64EncodedString()
        let signatureHeader = self.signatureHeader
            .replacingOccurrences(of: "%s", with: PercentCoding.encoded(base64))
            .replacingOccurrences(of: "%r", with: base64)
        var headers = HTTPFields()
        headers[.contentType] = self.contentType
        headers[.known("merchant-code")] = self.merchantCode.isEmpty ? nil : self.merchantCode
        headers[.known("Request-Time")] = self.time.isEmpty ? nil : self.time
        headers[.known("NONCE")] = self.nonce.isEmpty ? nil : self.nonce
        headers[.known("Signature")] = signatureHeader.isEmpty ? nil : signatureHeader
        var request = WireRequest(method: self.method, path: self.path, headers: headers, body: self.body)
        self.tamper(&request)
        return request
    }
}
