//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Money
import Payments
import Redaction
import StrictJSON
import Time

/// A file with an account at a service's sandbox:
///
/// ```json
/// {"settings":{"merchantId":"…"},"secrets":{"password":"…"},
///  "payments":[{"amount":"100","currency":"TWD","token":{"paymentData":{…},"paymentMethod":{…},
///  "transactionIdentifier":"…"}}]}
/// ```
///
/// Settings and secrets are called what the connector calls them. A payment is paid once: its token is what the wallet
/// gave for that amount, in the currency's minor unit.
struct SandboxFile: Sendable {
    struct Payment: Sendable {
        let amount: Money
        let instrument: PaymentInstrument
        let network: CardNetwork
    }

    /// Says what is wrong with a file, and nothing of what stands in it.
    struct Problem: Error, Equatable, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    let settings: [String: String]
    let secrets: [String: Redacted<String>]
    let payments: [Payment]

    /// What may be seen nowhere.
    var confidential: [String] {
        self.secrets.values.map { $0.reveal() }
            + self.payments.flatMap { payment -> [String] in
                guard case .sealedApplePayToken(let token) = payment.instrument,
                    let data = try? JSON.parse(token.paymentData.reveal())
                else { return [] }
                return [data["data"]?.string, data["signature"]?.string].compactMap { $0 }
            }
    }

    init(_ json: JSON) throws(Problem) {
        guard let object = json.object else { throw Problem("the file is no JSON object") }
        for name in object.names where !["settings", "secrets", "payments"].contains(name) {
            throw Problem("the file has something beside settings, secrets and payments")
        }
        self.settings = try Self.texts(object["settings"], "settings")
        self.secrets = try Self.texts(object["secrets"], "secrets").mapValues { Redacted($0) }
        guard let payments = (object["payments"] ?? []).array else { throw Problem("payments is no list") }
        var read: [Payment] = []
        for payment in payments { read.append(try Self.payment(payment)) }
        self.payments = read
    }

    /// - Parameter path: of a file that nobody else can read.
    init(path: String) throws {
        guard let bytes = FileManager.default.contents(atPath: path) else { throw Problem("there is no such file") }
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        guard let mode, mode.intValue & 0o077 == 0 else {
            throw Problem("others can read the file: chmod 600")
        }
        guard let json = try? JSON.parse(Array(bytes)) else { throw Problem("the file is no JSON") }
        try self.init(json)
    }

    private static func texts(_ json: JSON?, _ name: String) throws(Problem) -> [String: String] {
        guard let object = (json ?? [:]).object else { throw Problem("\(name) is no object") }
        var texts: [String: String] = [:]
        for member in object.members {
            guard let text = member.value.string else { throw Problem("something in \(name) is no text") }
            texts[member.name] = text
        }
        return texts
    }

    private static func payment(_ json: JSON) throws(Problem) -> Payment {
        guard let currency = json["currency"]?.string.flatMap({ Currency.alphabetic($0) }),
            let text = json["amount"]?.string, let amount = try? Money(minorUnitText: text, currency: currency),
            amount.isPositive
        else { throw Problem("a payment has no amount in a currency's minor unit, as a text") }
        // What a page gets has the token in it.
        let whole = json["token"]
        guard let token = whole?["token"] ?? whole, let data = token["paymentData"], data.object != nil else {
            throw Problem("a payment has no token with paymentData")
        }
        let method = token["paymentMethod"]
        let network = method?["network"]?.string
        return Payment(
            amount: amount,
            instrument: .sealedApplePayToken(
                SealedApplePayToken(
                    paymentData: Redacted(data.serialized()),
                    transactionIdentifier: token["transactionIdentifier"]?.string ?? "", network: network,
                    methodType: method?["type"]?.string, displayName: method?["displayName"]?.string)),
            network: network.flatMap { CardNetwork(passKitName: $0) } ?? .visa)
    }
}
