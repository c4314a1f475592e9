//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import StrictJSON
import SwiftASN1
import WalletSimulator
import X509

/// What a merchant's server knows of its account, and its customers' wallet.
struct ShopMerchant: Sendable {
    private let values: JSON
    private let device: SimulatedDevice
    private let recipient: ProcessingPublicKey

    /// - Parameters:
    ///   - name: also of the dialect.
    ///   - announcement: what `pomona sandbox --json` writes when it is ready.
    init(_ name: String, announcement: JSON) throws {
        guard let values = announcement["merchants"]?[name], let root = announcement["trustRoot"]?.string else {
            throw ChaosError("The sandbox announces no merchant \(name).")
        }
        self.values = values
        let authority = URL(fileURLWithPath: root).deletingLastPathComponent()
        var texts: [TestAuthority.Archive.Name: String] = [:]
        for name in TestAuthority.Archive.Name.allCases {
            texts[name] = try? String(contentsOf: authority.appendingPathComponent(name.rawValue), encoding: .utf8)
        }
        self.device = SimulatedDevice(authority: try TestAuthority(archive: TestAuthority.Archive(texts: texts)))
        let certificate = authority.deletingLastPathComponent()
            .appendingPathComponent("merchants/\(name)/applepay-processing.pem")
        self.recipient = try ProcessingPublicKey(
            certificate: Certificate(pemEncoded: String(contentsOf: certificate, encoding: .utf8)))
    }

    subscript(name: String) -> String { self.values[name]?.string ?? "" }

    /// The paymentData of a fresh token.
    /// - Parameter currency: ISO 4217, digits.
    func token(_ minorUnits: Int64, _ currency: String) throws -> JSON {
        try self.mint(minorUnits, currency).paymentData
    }

    func mint(_ minorUnits: Int64, _ currency: String) throws -> MintedToken {
        try self.device.mint(
            PaymentRequest(
                merchantIdentifier: self["merchantIdentifier"], amountMinorUnits: minorUnits, currencyCode: currency),
            card: .visa, recipient: self.recipient, signingTime: .now)
    }
}
