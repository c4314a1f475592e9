//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON

/// What a sandbox merchant's own server would hold: its card, with what it is called and how it proves itself, and its
/// keys and certificates.
struct MerchantDirectory: Hashable, Sendable {
    let path: String
    let name: String

    /// Readable by its owner alone: passwords stand in it.
    var cardPath: String { self.file("merchant.json") }
    var processingCertificatePath: String { self.processingCertificatePath(of: nil) }

    /// - Parameter keyHolder: who holds the private key; `nil` for this gateway.
    func processingCertificatePath(of keyHolder: UpstreamService?, isRSA: Bool = false) -> String {
        let parts = ["applepay-processing", isRSA ? "rsa" : nil, keyHolder?.rawValue]
        return self.file(parts.compactMap { $0 }.joined(separator: "-") + ".pem")
    }

    func file(_ name: String) -> String { "\(self.path)/\(name)" }

    func create() throws(CommandFailure) {
        try FileSystem.makePrivateDirectory(self.path)
    }

    func save(_ card: MerchantCard) throws(CommandFailure) {
        try FileSystem.writePrivate(card.json.text(pretty: true) + "\n", to: self.cardPath)
    }

    func loadCard() throws(CommandFailure) -> MerchantCard {
        let text = try FileSystem.readText(self.cardPath)
        guard let json = try? JSON.parse(text), let card = MerchantCard(json: json, in: self) else {
            throw CommandFailure(
                .fileMalformed, stage: .dataDirectory,
                "\(self.cardPath) is not as the sandbox writes it. Remove the data directory, or restore it.")
        }
        return card
    }
}

/// What the sandbox has written of an account's settings at its last start, so that it sees what was changed since.
extension MerchantDirectory {
    private var writtenSettingsPath: String { self.file("settings.json") }

    var hasWrittenSettings: Bool { FileSystem.exists(self.writtenSettingsPath) }

    func save(writtenSettings settings: [String: String]) throws(CommandFailure) {
        var object = JSONObject()
        for (name, value) in settings.sorted(by: { $0.key < $1.key }) { object[name] = .string(value) }
        try FileSystem.writePrivate(JSON.object(object).text(pretty: true) + "\n", to: self.writtenSettingsPath)
    }

    /// `nil` before the first start that has written them, or where the file is damaged.
    func loadWrittenSettings() throws(CommandFailure) -> [String: String]? {
        guard self.hasWrittenSettings else { return nil }
        guard let object = (try? JSON.parse(try FileSystem.readText(self.writtenSettingsPath)))?.object else {
            return nil
        }
        return Dictionary(
            object.members.compactMap { member in member.value.string.map { (member.name, $0) } }
        ) { $1 }
    }
}

/// A sandbox merchant: what the wallet simulator needs to know of it, and what its own server would be sent.
struct MerchantCard: Hashable, Sendable {
    /// A name and a value, as the sandbox prints them.
    struct Entry: Hashable, Sendable {
        let name: String
        let value: String
    }

    /// Also the name of the dialect.
    let name: String
    /// "merchant.dev.pomona.alphapay".
    let merchantIdentifier: String
    /// "sandbox".
    let mode: String
    /// ISO 4217, of the amounts that the merchant usually asks for.
    let currency: String
    /// ISO 3166-1 alpha-2.
    let countryCode: String
    /// Absolute. Of the key of whoever opens the merchant's tokens.
    var processingCertificatePath: String
    /// The account's ids and passwords: "merchantId", "password".
    var values: [Entry]
    /// The account's keys and certificates, as absolute paths: "privateKey".
    let files: [Entry]
    /// The service that opens the merchant's tokens; `nil` where this gateway does.
    var keyHolder: UpstreamService?

    /// - Throws: ``CommandFailure`` `file_malformed` when the card has no such entry.
    func value(_ name: String) throws(CommandFailure) -> String { try self.entry(name, of: self.values) }

    /// - Throws: ``CommandFailure`` `file_malformed` when the card has no such entry.
    func path(_ name: String) throws(CommandFailure) -> String { try self.entry(name, of: self.files) }

    private func entry(_ name: String, of entries: [Entry]) throws(CommandFailure) -> String {
        guard let entry = entries.first(where: { $0.name == name }) else {
            throw CommandFailure(
                .fileMalformed, stage: .dataDirectory, "The card of the merchant \(self.name) has no \(name).")
        }
        return entry.value
    }
}

extension MerchantCard {
    /// Files are written by their names alone, so that the directory may be moved.
    var json: JSON {
        [
            "name": .string(self.name),
            "merchantIdentifier": .string(self.merchantIdentifier),
            "mode": .string(self.mode),
            "currency": .string(self.currency),
            "countryCode": .string(self.countryCode),
            "processingCertificate": .string(Self.lastComponent(self.processingCertificatePath)),
            "values": Self.object(self.values) { $0 },
            "files": Self.object(self.files, Self.lastComponent),
            "keyHolder": self.keyHolder.map { .string($0.rawValue) } ?? .null,
        ]
    }

    init?(json: JSON, in directory: MerchantDirectory) {
        func text(_ name: String) -> String? { json[name]?.string }
        func path(_ file: String) -> String? {
            file.isEmpty || file.contains("/") || file == ".." ? nil : directory.file(file)
        }
        guard let name = text("name"), let mode = text("mode"), let merchantIdentifier = text("merchantIdentifier"),
            let currency = text("currency"), let countryCode = text("countryCode"),
            let processingCertificatePath = text("processingCertificate").flatMap(path),
            let values = Self.entries(json["values"], { $0 }), let files = Self.entries(json["files"], path)
        else { return nil }
        let keyHolder = text("keyHolder").flatMap { UpstreamService(rawValue: $0) }
        guard keyHolder != nil || text("keyHolder") == nil else { return nil }
        self.init(
            name: name, merchantIdentifier: merchantIdentifier, mode: mode, currency: currency,
            countryCode: countryCode, processingCertificatePath: processingCertificatePath, values: values,
            files: files, keyHolder: keyHolder)
    }

    private static func object(_ entries: [Entry], _ written: (String) -> String) -> JSON {
        var object = JSONObject()
        for entry in entries { object[entry.name] = .string(written(entry.value)) }
        return .object(object)
    }

    private static func entries(_ json: JSON?, _ read: (String) -> String?) -> [Entry]? {
        guard let object = json?.object else { return nil }
        let entries = object.members.compactMap { member in
            member.value.string.flatMap(read).map { Entry(name: member.name, value: $0) }
        }
        return entries.count == object.count ? entries : nil
    }

    private static func lastComponent(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}
