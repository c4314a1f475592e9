//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import CryptoExtras
import DialectKit
import Foundation
import HTTPTypes
import StrictJSON

/// An answer as a shop reads it: the way of the vendor's Java SDK.
struct Reply {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let httpStatus: Int
    let json: JSON
    let text: String
    let headers: HTTPFields
    /// Whether there is a signature, and it is the gateway's over this very reply.
    let isSigned: Bool

    init(_ response: WireResponse, to request: WireRequest) throws {
        self.httpStatus = response.status.code
        self.headers = response.headers
        self.text = String(decoding: response.body, as: UTF8.self)
        self.json = try JSON.parse(response.body)
        guard self.json["result"]?["resultCode"]?.string != nil, self.json["result"]?["resultMessage"]?.string != nil,
            self.json["result"]?["resultStatus"]?.string != nil
        else { throw Failure(description: "the answer has no result") }
        self.isSigned = try Self.verify(
            response, method: request.method.rawValue, path: request.path,
            merchantCode: request.headers[.known("Merchant-Code")] ?? "")
    }

    /// Splits the header on `,` into three parts at least and the third on `=` into exactly two, decodes the second as
    /// a URL form does, and verifies. A header that does not split like that counts as none.
    private static func verify(
        _ response: WireResponse, method: String, path: String, merchantCode: String
    ) throws -> Bool {
        guard let header = response.headers[.known("Signature")], let time = response.headers[.known("Response-Time")],
            let nonce = response.headers[.known("Nonce")]
        else { return false }
        return try Self.isValid(
            header: header, signed: "\(method) \(path)\n\(merchantCode).\(time).\(nonce).", body: response.body)
    }

    static func isValid(header: String, signed text: String, body: [UInt8]) throws -> Bool {
        let parts = header.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count >= 3 else { return false }
        let pair = parts[2].split(separator: "=", omittingEmptySubsequences: false)
        guard pair.count == 2, let base64 = PercentCoding.decoded(pair[1].replacing("+", with: " ")),
            let signature = Data(base64Encoded: base64)
        else { return false }
        return try Keys.gateway.publicKey.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature), for: Data(text.utf8) + Data(body),
            padding: .insecurePKCS1v1_5)
    }

    /// "PAYMENT_IN_PROCESS U".
    var result: String { "\(self.code) \(self.json["result"]?["resultStatus"]?.string ?? "")" }
    var code: String { self.json["result"]?["resultCode"]?.string ?? "" }
    var message: String { self.json["result"]?["resultMessage"]?.string ?? "" }
    var paymentID: String { self["paymentId"] ?? "" }
    var refundID: String { self["refundId"] ?? "" }

    subscript(name: String) -> String? { self.json[name]?.string }
}
