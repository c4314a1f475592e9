//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import CryptoExtras
import Foundation
import TestUpstream

/// What AlphaPay signs.
enum Signed {
    /// An answer, signed over the method and path of its request.
    ///
    /// - Parameter key: AlphaPay's, if left out.
    static func answer(
        _ body: String, to request: StubRequest, status: Int = 200, key: Keys.Pair? = nil,
        change: (inout [(name: String, value: String)]) -> Void = { _ in }
    ) -> StubAnswer {
        var headers = [
            (name: "Response-Time", value: "2026-06-15T12:00:00Z"), (name: "Nonce", value: "0123456789abcdef"),
        ]
        let signature = self.signature(
            path: request.path, time: headers[0].value, nonce: headers[1].value, Array(body.utf8), key: key)
        headers.append((name: "Signature", value: signature))
        change(&headers)
        return StubAnswer(status: status, body: body, headers: headers)
    }

    /// The same answer to every request.
    static func always(_ body: String) -> StubUpstream.Script { { request, _ in Self.answer(body, to: request) } }

    /// One answer after the other, and the last one from then on.
    static func inTurn(_ bodies: [String]) -> StubUpstream.Script {
        { request, number in Self.answer(bodies[min(number, bodies.count) - 1], to: request) }
    }

    /// A header that is none where there is no key.
    static func signature(
        path: String, time: String, nonce: String, _ body: [UInt8], code: String = Bench.merchantCode,
        key: Keys.Pair? = nil
    ) -> String {
        guard let key = try? key ?? Keys.gateway,
            let signature = try? key.signature(
                for: Data("POST \(path)\n\(code).\(time).\(nonce).".utf8) + Data(body), padding: .insecurePKCS1v1_5)
        else { return "" }
        let text = PercentCoding.encoded(Base64.encode(Array(signature.rawRepresentation)))
        return "algorithm=RS256,keyVersion=1,signature=\(text)"
    }

    /// Whether a request is signed by the merchant.
    static func isMerchants(_ request: StubRequest, key: Keys.Pair) -> Bool {
        guard let header = request.header("Signature"), let start = header.range(of: "signature=")?.upperBound,
            let bytes = PercentCoding.decoded(header[start...]).flatMap({ Base64.decode($0) }),
            let time = request.header("Request-Time"), let nonce = request.header("Nonce")
        else { return false }
        return key.publicKey.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: Data(bytes)),
            for: Data("POST \(request.path)\n\(Bench.merchantCode).\(time).\(nonce).".utf8) + Data(request.body),
            padding: .insecurePKCS1v1_5)
    }
}
