//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import Money
import PAYONE
import StrictJSON
import WalletSimulator

/// A form that a shop sends: parameters in their order.
struct ShopForm: Sendable {
    private(set) var parameters: [(name: String, value: String)]

    init(_ parameters: [(name: String, value: String)]) {
        self.parameters = parameters
    }

    /// Sets a parameter, or with `nil` leaves it out.
    subscript(name: String) -> String? {
        get { self.parameters.first { $0.name == name }?.value }
        set {
            guard let newValue else { return self.parameters.removeAll { $0.name == name } }
            if let index = self.parameters.firstIndex(where: { $0.name == name }) {
                self.parameters[index].value = newValue
            } else {
                self.parameters.append((name, newValue))
            }
        }
    }

    func with(_ name: String, _ value: String?) -> ShopForm {
        var changed = self
        changed[name] = value
        return changed
    }

    func merging(_ other: [String: String?]) -> ShopForm {
        other.sorted { $0.key < $1.key }.reduce(self) { $0.with($1.key, $1.value) }
    }
}

// MARK: - Requests

extension ShopForm {
    /// The account of every test.
    enum Account {
        static let portalID = "2030405"
        static let mid = "10001"
        static let aid = "20002"
        static let key = "hT7c2Kq9ZpLw4XvN"
        static let keyMD5 = "128efcdde6b8c65ba9df1f1ff792b955"
        static let keySHA384 =
            "466fa8679143faa6dc825441c5085a700c92ad0279ec2d004aa1cfcd87964b71c0592b2945bfb9889843fadb4ac3c1c8"
    }

    static func account(_ request: String, mode: String = "test") -> [(name: String, value: String)] {
        [
            ("request", request), ("mid", Account.mid), ("aid", Account.aid), ("portalid", Account.portalID),
            ("key", Account.keyMD5), ("mode", mode), ("api_version", "3.11"), ("encoding", "UTF-8"),
        ]
    }

    /// As the vendor's sample has it.
    static func authorization(
        _ amount: Money, request: String = "preauthorization", reference: String, token: MintedToken,
        mode: String = "test"
    ) -> ShopForm {
        let data = token.paymentData
        let header = data["header"]
        func part(_ json: JSON?) -> String { json?.string ?? "" }
        return ShopForm(
            self.account(request, mode: mode) + [
                ("add_paydata[paymentdata_token_data]", part(data["data"])),
                ("add_paydata[paymentdata_token_ephemeral_publickey]", part(header?["ephemeralPublicKey"])),
                ("add_paydata[paymentdata_token_publickey_hash]", part(header?["publicKeyHash"])),
                ("add_paydata[paymentdata_token_signature]", part(data["signature"])),
                ("add_paydata[paymentdata_token_transaction_id]", part(header?["transactionId"])),
                ("add_paydata[paymentdata_token_version]", part(data["version"])),
                ("amount", String(amount.minorUnits)), ("cardtype", "V"), ("clearingtype", "wlt"), ("country", "DE"),
                ("currency", amount.currency.code), ("firstname", "Demo"), ("lastname", "Dude"),
                ("reference", reference), ("wallettype", "APL"),
            ])
    }

    static func capture(
        _ txid: String, _ amount: Int64, sequenceNumber: Int? = 1, mode: String = "completed", account: String = "test"
    ) -> ShopForm {
        ShopForm(
            self.account("capture", mode: account) + [
                ("txid", txid), ("sequencenumber", sequenceNumber.map(String.init) ?? ""), ("amount", String(amount)),
                ("currency", "EUR"), ("capturemode", mode), ("clearingtype", "wlt"), ("wallettype", "APL"),
            ])
    }

    /// - Parameter amount: negative for a refund.
    static func debit(
        _ txid: String, _ amount: Int64, sequenceNumber: Int, request: String = "debit", account: String = "test"
    ) -> ShopForm {
        ShopForm(
            self.account(request, mode: account) + [
                ("txid", txid), ("sequencenumber", String(sequenceNumber)), ("amount", String(amount)),
                ("currency", "EUR"), ("transactiontype", "GT"), ("clearingtype", "wlt"), ("wallettype", "APL"),
            ])
    }

    /// On which `session` has its page.
    static let domain = "shop.example"

    static func session(domain: String? = ShopForm.domain, name: String? = "Apples & Pears") -> ShopForm {
        ShopForm(self.account("genericpayment"))
            .with("add_paydata[action]", "init_applepay_session").with("add_paydata[domain_name]", domain)
            .with("add_paydata[display_name]", name).with("currency", "EUR").with("clearingtype", "wlt")
            .with("wallettype", "APL")
    }
}

// MARK: - On the wire

extension ShopForm {
    func urlEncoded(
        as charset: FormCharset = .utf8, path: String = "/post-gateway/", accept: String? = nil
    ) -> WireRequest {
        Self.request(
            FormWriter.urlEncoded(self.parameters, as: charset), "application/x-www-form-urlencoded", path, accept)
    }

    /// As curl writes what PHP hands it as an array.
    func multipart(
        as charset: FormCharset = .utf8, path: String = "/post-gateway/", accept: String? = nil
    ) -> WireRequest {
        let boundary = "------------------------3a6c1c2ff1e0f0d9"
        var body: [UInt8] = []
        for (name, value) in self.parameters {
            body += Array("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n".utf8)
            body += charset.bytes(of: value) + [0x0D, 0x0A]
        }
        body += Array("--\(boundary)--\r\n".utf8)
        return Self.request(body, "multipart/form-data; boundary=\(boundary)", path, accept)
    }

    private static func request(
        _ body: [UInt8], _ contentType: String, _ path: String, _ accept: String?
    ) -> WireRequest {
        var headers = HTTPFields()
        headers[.contentType] = contentType
        headers[.accept] = accept
        return WireRequest(method: .post, path: path, headers: headers, body: body)
    }
}
