//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import Foundation
import Money
import NIOCore
import NIOHTTP1
import Redaction
import StrictJSON
import WalletSimulator
import X509

/// Authorization requests of each dialect for the merchants of a running sandbox, made before anything is measured.
struct DialectLoads {
    enum Dialect: String, CaseIterable {
        case commWeb = "CommWeb"
        case payone = "PAYONE"
        case radial = "Radial"

        var merchant: String { self.rawValue.lowercased() }
        var currencyCode: String { self == .payone ? "EUR" : "USD" }

        /// Stands in every answer that approves.
        var approval: String {
            switch self {
            case .commWeb: "\"gatewayCode\":\"APPROVED\""
            case .payone: "status=APPROVED"
            case .radial: "<ResponseCode>APPROVED</ResponseCode>"
            }
        }
    }

    struct Request {
        let method: HTTPMethod
        let url: String
        let headers: [(String, String)]
        let body: ByteBuffer
        let approval: String
    }

    private let base: String
    private let merchants: JSON
    private let device: SimulatedDevice
    private let dataDirectory: URL

    init(_ announcement: JSON) throws {
        guard let base = announcement["http"]?.string, let merchants = announcement["merchants"],
            let rootPath = announcement["trustRoot"]?.string
        else { throw BenchError("the sandbox announces no merchants") }
        self.base = base
        self.merchants = merchants
        let authority = URL(filePath: rootPath).deletingLastPathComponent()
        self.dataDirectory = authority.deletingLastPathComponent()
        var texts: [TestAuthority.Archive.Name: String] = [:]
        for name in TestAuthority.Archive.Name.allCases {
            texts[name] = try? String(contentsOf: authority.appending(path: name.rawValue), encoding: .utf8)
        }
        self.device = SimulatedDevice(authority: try TestAuthority(archive: TestAuthority.Archive(texts: texts)))
    }

    func make(_ dialect: Dialect, count: Int) throws -> [Request] {
        let merchant = Merchant(json: self.merchants[dialect.merchant] ?? .null)
        let certificatePath = self.dataDirectory.appending(
            path: "merchants/\(dialect.merchant)/applepay-processing.pem")
        let recipient = try ProcessingPublicKey(
            certificate: Certificate(pemEncoded: String(contentsOf: certificatePath, encoding: .utf8)))
        guard let currency = Currency.alphabetic(dialect.currencyCode) else { throw BenchError("no such currency") }
        let amount = Money(minorUnits: 1099, currency: currency)
        let payment = PaymentRequest(
            merchantIdentifier: try merchant.value("merchantIdentifier"), amountMinorUnits: amount.minorUnits,
            currencyCode: currency.numericText)
        let client = try merchant.client(dialect)
        return try (0..<count).map { _ in
            let token = try self.device.mint(payment, card: .visa, recipient: recipient, signingTime: Date())
            let id = String(UUID().uuidString.filter { $0 != "-" }.prefix(20))
            let request = try client.charge(self.charge(id, amount, SealedToken(token: token.paymentToken)))
            return Request(
                method: HTTPMethod(rawValue: request.method.rawValue), url: self.base + request.path,
                headers: request.headers.map { ($0.name, $0.value.reveal()) },
                body: ByteBuffer(bytes: request.body.reveal()), approval: dialect.approval)
        }
    }

    private func charge(_ id: String, _ amount: Money, _ token: SealedToken) -> ChargeFields {
        var charge = ChargeFields(order: id, key: id, amount: amount, instrument: .sealed(token))
        charge.customer.givenName = "John"
        charge.customer.familyName = "Smith"
        charge.customer.email = "customer@sample.com"
        charge.customer.phone = "6101234567"
        charge.customer.ipAddress = "208.247.73.130"
        var address = AddressFields()
        address.lines = ["123 Main St"]
        address.city = "Philadelphia"
        // One in which PAYONE wants no state.
        address.countryCode = "DE"
        charge.billing = address
        return charge
    }

    private struct Merchant {
        let json: JSON

        func value(_ name: String) throws -> String {
            guard let value = self.json[name]?.string else { throw BenchError("the sandbox announces no \(name)") }
            return value
        }

        func client(_ dialect: Dialect) throws -> any WireClient {
            switch dialect {
            case .commWeb:
                CommWebClient(
                    CommWebClient.Credentials(
                        merchantID: try self.value("merchantId"), password: Redacted(try self.value("password"))))
            case .payone:
                PAYONEClient(
                    PAYONEClient.Credentials(
                        mid: try self.value("mid"), aid: try self.value("aid"), portalID: try self.value("portalid"),
                        key: Redacted(try self.value("key"))))
            case .radial:
                RadialClient(
                    RadialClient.Credentials(
                        storeID: try self.value("storeId"), apiKey: Redacted(try self.value("apikey"))))
            }
        }
    }
}
