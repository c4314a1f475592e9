//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON

/// A sandbox merchant's folder: what its own server would hold, in files.
///
/// ```
/// merchant.json               MerchantCard: nothing in it is secret
/// private-key.pem             the merchant's key for the dialect, where the dialect has one
/// gateway-public-key.pem      the gateway's, with which the merchant checks replies and notifications
/// applepay-processing.pem     the Payment Processing Certificate: tokens are encrypted to its key
/// ```
struct MerchantDirectory: Hashable, Sendable {
    let path: String
    let name: String

    var cardPath: String { "\(self.path)/merchant.json" }
    var privateKeyPath: String { "\(self.path)/private-key.pem" }
    var gatewayPublicKeyPath: String { "\(self.path)/gateway-public-key.pem" }
    var processingCertificatePath: String { "\(self.path)/applepay-processing.pem" }

    func create() throws(CommandFailure) {
        try FileSystem.makePrivateDirectory(self.path)
    }

    func save(_ card: MerchantCard) throws(CommandFailure) {
        try FileSystem.write(card.json.text(pretty: true) + "\n", to: self.cardPath)
    }

    func loadCard() throws(CommandFailure) -> MerchantCard {
        let text = try FileSystem.readText(self.cardPath)
        guard let json = try? JSON.parse(text), let card = MerchantCard(json: json, in: self) else {
            throw CommandFailure(
                "file_malformed", stage: "data_directory",
                "\(self.cardPath) is not as the sandbox writes it. Remove the data directory, or restore it.")
        }
        return card
    }
}

/// What anybody may know of a sandbox merchant: enough to mint a token for it and to call the gateway in its name.
struct MerchantCard: Hashable, Sendable {
    /// Also the name of the dialect.
    let name: String
    /// What the dialect's wire calls the account.
    let merchantCode: String
    /// "merchant.dev.pomona.alphapay".
    let merchantIdentifier: String
    /// "sandbox".
    let mode: String
    /// ISO 4217, of the amounts that the merchant usually asks for.
    let currency: String
    /// ISO 3166-1 alpha-2.
    let countryCode: String
    /// Which of the merchant's keys the dialect's signatures name.
    let keyVersion: String
    /// Absolute paths.
    let processingCertificatePath: String
    let privateKeyPath: String
    let gatewayPublicKeyPath: String
}

extension MerchantCard {
    /// Files are written by their names alone, so that the directory may be moved.
    var json: JSON {
        [
            "name": .string(self.name),
            "merchantCode": .string(self.merchantCode),
            "merchantIdentifier": .string(self.merchantIdentifier),
            "mode": .string(self.mode),
            "currency": .string(self.currency),
            "countryCode": .string(self.countryCode),
            "keyVersion": .string(self.keyVersion),
            "processingCertificate": .string(Self.lastComponent(self.processingCertificatePath)),
            "privateKey": .string(Self.lastComponent(self.privateKeyPath)),
            "gatewayPublicKey": .string(Self.lastComponent(self.gatewayPublicKeyPath)),
        ]
    }

    init?(json: JSON, in directory: MerchantDirectory) {
        func text(_ name: String) -> String? { json[name]?.string }
        func path(_ name: String) -> String? {
            guard let file = text(name), !file.isEmpty, !file.contains("/"), file != ".." else { return nil }
            return "\(directory.path)/\(file)"
        }
        guard let name = text("name"), let merchantCode = text("merchantCode"), let mode = text("mode"),
            let merchantIdentifier = text("merchantIdentifier"), let currency = text("currency"),
            let countryCode = text("countryCode"), let keyVersion = text("keyVersion"),
            let processingCertificatePath = path("processingCertificate"), let privateKeyPath = path("privateKey"),
            let gatewayPublicKeyPath = path("gatewayPublicKey")
        else { return nil }
        self.init(
            name: name, merchantCode: merchantCode, merchantIdentifier: merchantIdentifier, mode: mode,
            currency: currency, countryCode: countryCode, keyVersion: keyVersion,
            processingCertificatePath: processingCertificatePath, privateKeyPath: privateKeyPath,
            gatewayPublicKeyPath: gatewayPublicKeyPath)
    }

    private static func lastComponent(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}
