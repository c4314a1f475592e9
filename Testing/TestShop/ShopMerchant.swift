//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Clients
import Foundation
import Redaction
public import StrictJSON
import SwiftASN1
import Time
public import WalletSimulator
import X509

/// What a merchant's server knows of its account, and its customers' wallet.
public struct ShopMerchant: Sendable {
    private let values: JSON
    private let device: SimulatedDevice
    private let recipient: ProcessingPublicKey

    /// - Parameters:
    ///   - name: also of the dialect.
    ///   - announcement: what `pomona sandbox --json` writes when it is ready.
    public init(_ name: String, announcement: JSON) throws {
        guard let values = announcement["merchants"]?[name], let root = announcement["trustRoot"]?.string else {
            throw ShopTrouble("The sandbox announces no merchant \(name).")
        }
        self.values = values
        let authority = URL(fileURLWithPath: root).deletingLastPathComponent()
        var texts: [TestAuthority.Archive.Name: String] = [:]
        for name in TestAuthority.Archive.Name.allCases {
            texts[name] = try? String(contentsOf: authority.appendingPathComponent(name.rawValue), encoding: .utf8)
        }
        self.device = SimulatedDevice(authority: try TestAuthority(archive: TestAuthority.Archive(texts: texts)))
        // The card names the key of whoever opens the tokens.
        let folder = authority.deletingLastPathComponent().appendingPathComponent("merchants/\(name)")
        let card = try JSON.parse(Array(Data(contentsOf: folder.appendingPathComponent("merchant.json"))))
        let certificate = folder.appendingPathComponent(card["processingCertificate"]?.string ?? "")
        self.recipient = try ProcessingPublicKey(
            certificate: Certificate(pemEncoded: String(contentsOf: certificate, encoding: .utf8)))
    }

    public subscript(name: String) -> String { self.values[name]?.string ?? "" }

    /// What the merchant's server speaks.
    public func client(_ name: String) throws -> any WireClient {
        switch name {
        case "alphapay":
            try AlphaPayClient(
                AlphaPayClient.Credentials(
                    merchantCode: self["merchantCode"], keyVersion: self["keyVersion"],
                    privateKeyPEM: Redacted(String(contentsOfFile: self["privateKey"], encoding: .utf8)),
                    gatewayPublicKeyPEM: String(contentsOfFile: self["gatewayPublicKey"], encoding: .utf8)),
                clock: { Timestamp(milliseconds: Int64(Date.now.timeIntervalSince1970 * 1000)) },
                random: { count in (0..<count).map { _ in UInt8.random(in: .min ... .max) } })
        case "commweb":
            CommWebClient(
                CommWebClient.Credentials(merchantID: self["merchantId"], password: Redacted(self["password"])))
        case "payone":
            PAYONEClient(
                PAYONEClient.Credentials(
                    mid: self["mid"], aid: self["aid"], portalID: self["portalid"], key: Redacted(self["key"])))
        case "radial":
            RadialClient(RadialClient.Credentials(storeID: self["storeId"], apiKey: Redacted(self["apikey"])))
        case "tappay":
            TapPayClient(
                TapPayClient.Credentials(
                    appID: Int(self["appId"]) ?? 0, appKey: Redacted(self["appKey"]),
                    partnerKey: Redacted(self["partnerKey"]), merchantID: self["merchantId"],
                    merchantIdentifier: self["merchantIdentifier"]))
        default: throw ShopTrouble("Nobody speaks \(name).")
        }
    }

    /// - Parameter currency: ISO 4217, digits.
    public func mint(_ minorUnits: Int64, _ currency: String) throws -> MintedToken {
        try self.device.mint(
            PaymentRequest(
                merchantIdentifier: self["merchantIdentifier"], amountMinorUnits: minorUnits, currencyCode: currency),
            card: .visa, recipient: self.recipient, signingTime: .now)
    }
}

/// Why a shop cannot be set up.
public struct ShopTrouble: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
