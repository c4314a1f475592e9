//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Clients
import Foundation
public import StrictJSON
import SwiftASN1
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

    /// - Throws: ``ShopTrouble`` for what the sandbox does not announce.
    func value(_ name: String) throws -> String {
        guard let value = self.values[name]?.string else { throw ShopTrouble("The sandbox announces no \(name).") }
        return value
    }

    /// What the sandbox announces of the account.
    public var account: AnnouncedAccount {
        AnnouncedAccount(
            find: self.value, read: { name, _ in try String(contentsOfFile: try self.value(name), encoding: .utf8) })
    }

    /// - Parameter currency: ISO 4217, digits.
    public func mint(
        _ minorUnits: Int64, _ currency: String, _ card: SimulatedCard = .visa
    ) throws -> MintedToken {
        try self.device.mint(
            PaymentRequest(
                merchantIdentifier: try self.value("merchantIdentifier"), amountMinorUnits: minorUnits,
                currencyCode: currency),
            card: card, recipient: self.recipient, signingTime: .now)
    }
}

/// Why a shop cannot be set up.
public struct ShopTrouble: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
