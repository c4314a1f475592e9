//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Redaction
import StrictJSON

/// An ID token as it was sent (RFC 7515, section 7.1): read, and not yet believed.
struct IDToken: Sendable {
    private static let bytesMax = 32 * 1024
    private static let limits = JSONLimits(bytesMax: Self.bytesMax, depthMax: 8, valuesMax: 1024, allowsNUL: false)

    let algorithm: SigningAlgorithm
    let keyID: String?
    let claims: JSONObject
    private let signingInput: [UInt8]
    private let signature: [UInt8]

    /// - Parameter allowed: what the provider says that it signs with, and is taken here.
    init(_ text: Redacted<String>, allowed: [SigningAlgorithm]) throws(OpenIDFailure) {
        let text = text.reveal()
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.bytesMax, parts.count == 3 else { throw OpenIDFailure(.tokenMalformed) }
        guard let header = Self.object(parts[0]), let name = header["alg"]?.string else {
            throw OpenIDFailure(.tokenMalformed)
        }
        // Before anything else is looked at: "none", and a MAC under a key that is public, would let anybody write tokens
        // (RFC 8725, section 2.1).
        guard let algorithm = allowed.first(where: { $0.rawValue == name }) else {
            throw OpenIDFailure(.tokenAlgorithmNotAllowed)
        }
        // What must be understood and is not (RFC 7515, section 4.1.11).
        guard header["crit"] == nil, header["kid"] == nil || header["kid"]?.string != nil,
            let claims = Self.object(parts[1]), let signature = Base64URL.decode(parts[2])
        else { throw OpenIDFailure(.tokenMalformed) }
        self.algorithm = algorithm
        self.keyID = header["kid"]?.string
        self.claims = claims
        self.signingInput = Array("\(parts[0]).\(parts[1])".utf8)
        self.signature = signature
    }

    func isSigned(by key: ProviderKeys.Key) -> Bool {
        key.algorithm == self.algorithm && key.verifies(self.signature, of: self.signingInput)
    }

    private static func object(_ part: Substring) -> JSONObject? {
        guard let bytes = Base64URL.decode(part), !bytes.isEmpty else { return nil }
        return (try? JSON.parse(bytes, limits: self.limits))?.object
    }
}
