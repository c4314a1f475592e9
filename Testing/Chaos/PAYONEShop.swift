//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Crypto
import Foundation
import Payments
import StrictJSON

/// Speaks PAYONE's server API.
struct PAYONEShop: ShopLanguage {
    /// Answers after which the same request is sent again: the outcome is unknown, or another request is under way.
    private static let temporaryCodes: Set = ["900003", "900004", "900005", "904", "909"]

    let merchant: ShopMerchant

    private func request(
        _ key: String, _ kind: Payments.Operation.Kind, _ minorUnits: Int64?, _ fields: [(String, String)]
    ) -> ShopRequest {
        let digest = Insecure.MD5.hash(data: Data(self.merchant["key"].utf8)).map { byte in
            let text = String(byte, radix: 16)
            return text.count < 2 ? "0" + text : text
        }
        let account = [
            ("mid", self.merchant["mid"]), ("aid", self.merchant["aid"]), ("portalid", self.merchant["portalid"]),
            ("key", digest.joined()), ("mode", "test"), ("encoding", "UTF-8"),
        ]
        let encode = { (text: String) in text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }
        let body = (fields + account).map { encode($0) + "=" + encode($1) }.joined(separator: "&")
        return ShopRequest(
            key: "payone/" + key, kind: kind, minorUnits: minorUnits, method: "POST", path: "/post-gateway/",
            headers: { [("Content-Type", "application/x-www-form-urlencoded")] }, body: Array(body.utf8),
            read: Self.read)
    }

    @Sendable private static func read(_ status: UInt, _ body: String) -> ShopAnswer? {
        let fields = Dictionary(
            body.split(separator: "\n").compactMap { line in
                let halves = line.split(separator: "=", maxSplits: 1).map(String.init)
                return halves.count == 2 ? (halves[0], halves[1]) : nil
            }, uniquingKeysWith: { first, _ in first })
        switch fields["status"] {
        case "APPROVED": return ShopAnswer(answer: .approved, handle: fields["txid"] ?? "")
        case "ERROR" where !self.temporaryCodes.contains(fields["errorcode"] ?? ""):
            return ShopAnswer(answer: .notDone("\(fields["errorcode"] ?? "") \(fields["errormessage"] ?? "")"))
        default: return nil
        }
    }

    func authorize(_ name: String, minorUnits: Int64, preparation: String) throws -> ShopRequest {
        let token = try self.merchant.token(minorUnits, "978")
        let parts = [
            ("version", token["version"]), ("data", token["data"]), ("signature", token["signature"]),
            ("ephemeral_publickey", token["header"]?["ephemeralPublicKey"]),
            ("publickey_hash", token["header"]?["publicKeyHash"]),
            ("transaction_id", token["header"]?["transactionId"]),
        ]
        return self.request(
            "\(name)/0", .authorization, minorUnits,
            [
                ("request", "preauthorization"), ("amount", String(minorUnits)), ("currency", "EUR"),
                ("reference", name), ("clearingtype", "wlt"), ("wallettype", "APL"), ("cardtype", "V"),
                ("lastname", "Dude"), ("country", "DE"),
            ] + parts.map { ("add_paydata[paymentdata_token_\($0)]", $1?.string ?? "") })
    }

    private func followUp(
        _ name: String, _ number: Int, _ kind: Payments.Operation.Kind, _ minorUnits: Int64?, _ txid: String,
        _ fields: [(String, String)]
    ) -> ShopRequest {
        self.request(
            "\(name)/\(number)", kind, minorUnits,
            [
                ("txid", txid), ("sequencenumber", String(number)), ("currency", "EUR"), ("clearingtype", "wlt"),
                ("wallettype", "APL"),
            ] + fields)
    }

    func capture(_ name: String, _ number: Int, minorUnits: Int64, handle: String) -> ShopRequest {
        self.followUp(
            name, number, .capture, minorUnits, handle,
            [("request", "capture"), ("amount", String(minorUnits)), ("capturemode", "notcompleted")])
    }

    func refund(_ name: String, _ number: Int, minorUnits: Int64, handle: String) -> ShopRequest {
        self.followUp(
            name, number, .refund, minorUnits, handle,
            [("request", "debit"), ("amount", String(-minorUnits)), ("transactiontype", "GT")])
    }

    func void(_ name: String, _ number: Int, authorized: Int64, handle: String) -> ShopRequest {
        self.followUp(
            name, number, .void, nil, handle,
            [("request", "capture"), ("amount", "0"), ("capturemode", "completed")])
    }
}
