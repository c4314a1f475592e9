//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import StrictJSON

/// The answer to a getprime, read strictly: a prime that can't be trusted is none.
struct Prime: Hashable, Sendable {
    struct Card: Hashable, Sendable {
        var bincode: String?
        var lastFour: String?
        var issuer: String?
        var issuerZhTw: String?
        var bankID: String?
        var funding = -1
        var cardType = -1
        var level: String?
        var country: String?
        var countryCode: String?
    }

    let prime: String
    let expiryMillis: Int
    /// Empty if the gateway named none.
    let clientIP: String
    let card: Card
    /// Empty if the card is not one of the merchant's co-branded ones.
    let affiliateCodes: [String]

    /// As the app is handed it. The list is always there: the vendor's own example unwraps it by force.
    var merchantReferenceInfo: [String: [String]] { ["affiliateCodes": self.affiliateCodes] }

    static let answerBytesMax = 64 * 1024

    /// - Throws: the gateway's own code if it refused; 5 if the answer is not what it must be; 421, 915 and 1001 if an
    ///   HTTP status came instead of an answer.
    init(answer: Data, httpStatus: Int) throws(TPDFailure) {
        guard answer.count <= Self.answerBytesMax,
            let json = try? JSON.parse(answer, limits: JSONLimits(bytesMax: Self.answerBytesMax)),
            let status = json["status"]?.integer
        else { throw Self.failure(httpStatus: httpStatus) }
        guard status == 0 else {
            throw TPDFailure(status: Int(clamping: status), message: json["msg"]?.string ?? "")
        }
        guard httpStatus == 200, let prime = json["prime"]?.string, !prime.isEmpty,
            let expiryMillis = json["prime_expiry_millis"]?.integer, expiryMillis > 0, let card = json["card_info"]
        else { throw TPDFailure(.wrongJSONFormat) }
        self.prime = prime
        self.expiryMillis = Int(expiryMillis)
        self.clientIP = try Self.text(json["client_ip"]) ?? ""
        self.card = try Self.card(card)
        self.affiliateCodes = try Self.affiliateCodes(json["merchant_reference_info"])
    }

    private static func failure(httpStatus: Int) -> TPDFailure {
        switch httpStatus {
        case 200: TPDFailure(.wrongJSONFormat)
        case 408, 502, 503, 504: TPDFailure(.gatewayTimeout)
        // What proxies answer if the certificates between them and a client, or the gateway, are at fault.
        case 495, 496, 525, 526: .certificateServer(httpStatus: httpStatus)
        default: TPDFailure(.systemError)
        }
    }

    private static func card(_ json: JSON) throws(TPDFailure) -> Card {
        guard json.object != nil else { throw TPDFailure(.wrongJSONFormat) }
        return Card(
            bincode: try Self.text(json["bincode"]), lastFour: try Self.text(json["lastfour"]),
            issuer: try Self.text(json["issuer"]), issuerZhTw: try Self.text(json["issuer_zh_tw"]),
            bankID: try Self.text(json["bank_id"]), funding: try Self.number(json["funding"]) ?? -1,
            cardType: try Self.number(json["type"]) ?? -1, level: try Self.text(json["level"]),
            country: try Self.text(json["country"]), countryCode: try Self.text(json["countrycode"]))
    }

    private static func affiliateCodes(_ json: JSON?) throws(TPDFailure) -> [String] {
        guard let json, !json.isNull else { return [] }
        guard json.object != nil else { throw TPDFailure(.wrongJSONFormat) }
        guard let list = json["affiliate_codes"], !list.isNull else { return [] }
        let codes = list.array?.compactMap(\.string)
        guard let codes, codes.count == list.array?.count else { throw TPDFailure(.wrongJSONFormat) }
        return codes
    }

    private static func text(_ json: JSON?) throws(TPDFailure) -> String? {
        guard let json, !json.isNull else { return nil }
        guard let text = json.string else { throw TPDFailure(.wrongJSONFormat) }
        return text
    }

    private static func number(_ json: JSON?) throws(TPDFailure) -> Int? {
        guard let json, !json.isNull else { return nil }
        guard let number = json.integer.flatMap(Int.init(exactly:)) else { throw TPDFailure(.wrongJSONFormat) }
        return number
    }
}

extension Prime: CustomStringConvertible, CustomReflectable {
    /// Shows nothing of the prime, wherever it may be printed.
    var description: String { "Prime" }

    var customMirror: Mirror { Mirror(self, children: [:]) }
}
