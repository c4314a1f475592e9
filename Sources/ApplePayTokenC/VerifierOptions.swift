//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import BaseEncoding
import Redaction
import StrictJSON

/// What `apple_pay_token_verifier_create` is given: the object that applepaytoken.h describes.
struct VerifierOptions {
    var keys: [PaymentProcessingKey] = []
    var trustRoots: [TrustAnchor] = []
    var trustsApple = true
    var ageMaxSeconds = VerificationPolicy.liveAgeMaxSeconds
    var futureMaxSeconds = VerificationPolicy.liveFutureMaxSeconds

    /// - Throws: ``Refusal`` that names the member, and what a key or a certificate was refused for.
    init(parsing text: UnsafeRawBufferPointer) throws(Refusal) {
        let json: JSON
        do {
            json = try JSON.parse(Array(text), limits: JSONLimits(depthMax: 4, valuesMax: 5_000))
        } catch {
            throw Refusal.options("The options are not JSON: \(error).")
        }
        guard let object = json.object else { throw Refusal.options("The options are \(json.kind), not an object.") }
        for (name, value) in object.members {
            switch name {
            case "keys":
                self.keys = try Self.list(value, name) { (key, path) throws(Refusal) in try Self.key(key, path) }
            case "trustRoots":
                self.trustRoots = try Self.list(value, name) { (root, path) throws(Refusal) in
                    try Self.trustRoot(root, path)
                }
            case "trustsApple":
                guard let bool = value.bool else { throw Refusal.options("trustsApple is neither true nor false.") }
                self.trustsApple = bool
            case "ageMaxSeconds": self.ageMaxSeconds = try Self.seconds(value, name)
            case "futureMaxSeconds": self.futureMaxSeconds = try Self.seconds(value, name)
            default: throw Refusal.options("There is no option \(name).")
            }
        }
    }

    private static func list<Element>(
        _ value: JSON, _ name: String, _ read: (JSON, String) throws(Refusal) -> Element
    ) throws(Refusal) -> [Element] {
        guard let list = value.array else { throw Refusal.options("\(name) is \(value.kind), not a list.") }
        var elements: [Element] = []
        for (index, value) in list.enumerated() { elements.append(try read(value, "\(name)[\(index)]")) }
        return elements
    }

    private static func key(_ value: JSON, _ path: String) throws(Refusal) -> PaymentProcessingKey {
        guard let object = value.object else { throw Refusal.options("\(path) is \(value.kind), not an object.") }
        if let unknown = object.names.first(where: {
            !["privateKey", "certificate", "merchantIdentifier"].contains($0)
        }) {
            throw Refusal.options("\(path) has no member \(unknown).")
        }
        guard let privateKey = object["privateKey"]?.string else {
            throw Refusal.options("\(path).privateKey is missing, or no text.")
        }
        do throws(TokenError) {
            switch (object["certificate"]?.string, object["merchantIdentifier"]?.string) {
            case (let certificate?, nil):
                let file = Base64.decode(certificate, padding: .required) ?? Array(certificate.utf8)
                return try PaymentProcessingKey(
                    privateKeyPEM: Redacted(privateKey), certificate: try AppleCertificate(file))
            case (nil, let merchantIdentifier?):
                return try PaymentProcessingKey(
                    privateKeyPEM: Redacted(privateKey), merchantIdentifier: merchantIdentifier)
            default: break
            }
        } catch {
            throw Refusal(error, at: path)
        }
        throw Refusal.options("\(path) needs a text for either certificate or merchantIdentifier.")
    }

    private static func trustRoot(_ value: JSON, _ path: String) throws(Refusal) -> TrustAnchor {
        guard let pem = value.string else { throw Refusal.options("\(path) is \(value.kind), not a text.") }
        do throws(TokenError) {
            return try TrustAnchor(certificatePEM: pem)
        } catch {
            throw Refusal(error, at: path)
        }
    }

    private static func seconds(_ value: JSON, _ name: String) throws(Refusal) -> Int64 {
        guard let seconds = value.integer, (0...Int64(Int32.max)).contains(seconds) else {
            throw Refusal.options("\(name) is no whole number of seconds from 0 to \(Int32.max).")
        }
        return seconds
    }
}
