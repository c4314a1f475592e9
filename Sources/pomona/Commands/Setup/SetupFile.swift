//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Payments
import Redaction
import Settings
import StrictJSON

/// What `pomona setup --file` is to make: one merchant and all that it needs.
struct SetupFile: Sendable {
    struct Account: Sendable {
        var dialect: String
        var credentials: [String: String] = [:]
        var settings: [String: String] = [:]
        var notifyURL: String?
    }

    struct Acquirer: Sendable {
        var name: String
        var connector: String
        var acceptor: [String: String] = [:]
        var settings: [String: String] = [:]
        var secrets: [String: Redacted<String>] = [:]
    }

    struct RouteEntry: Sendable {
        var acquirer: String
        var number: Int?
        var condition = Route.Condition()
    }

    struct ApplePay: Sendable {
        /// Who holds the payment processing key of the merchant identifier.
        enum Custody: String, CaseIterable {
            case gateway
            case acquirer
        }

        var merchantIdentifier: String
        var custody = Custody.gateway
    }

    var name: String
    /// The name if left out, of a new merchant.
    var displayName: String?
    var mode: Mode
    var countryCode: String
    var accounts: [Account] = []
    var acquirers: [Acquirer] = []
    var routes: [RouteEntry] = []
    var applePay: [ApplePay] = []
}

extension SetupFile {
    /// Reads a file. What is not known is refused: a misspelt name would else set nothing.
    ///
    /// - Throws: ``CommandFailure`` `setup_malformed`, which names the place ("acquirers[0].settings").
    init(text: String) throws {
        let root = try SetupReader(try JSON.parse(text), at: "")
        try root.allow(["merchant", "accounts", "acquirers", "routes", "applePay"])
        let merchant = try root.object("merchant")
        try merchant.allow(["name", "displayName", "mode", "countryCode"])
        let modeText = try merchant.text("mode")
        guard let mode = Mode(rawValue: modeText) else {
            throw SetupReader.failure("merchant.mode must be sandbox or live.")
        }
        let name = try merchant.text("name")
        self.init(
            name: name, displayName: try merchant.optionalText("displayName"), mode: mode,
            countryCode: try merchant.text("countryCode"))
        self.accounts = try root.list("accounts") { entry in
            try entry.allow(["dialect", "credentials", "settings", "notifyURL"])
            return Account(
                dialect: try entry.text("dialect"), credentials: try entry.texts("credentials"),
                settings: try entry.texts("settings"), notifyURL: try entry.optionalText("notifyURL"))
        }
        self.acquirers = try root.list("acquirers") { entry in
            try entry.allow(["name", "connector", "acceptor", "settings", "secrets"])
            return Acquirer(
                name: try entry.text("name"), connector: try entry.text("connector"),
                acceptor: try entry.texts("acceptor"), settings: try entry.texts("settings"),
                secrets: try entry.texts("secrets").mapValues { Redacted($0) })
        }
        self.routes = try root.list("routes") { entry in
            try entry.allow(["acquirer", "number", "dialect", "network", "currency", "from", "to"])
            let networkText = try entry.optionalText("network")
            let network = networkText.flatMap(CardNetwork.init(rawValue:))
            guard (networkText == nil) == (network == nil) else {
                let names = CardNetwork.allCases.map(\.rawValue).joined(separator: ", ")
                throw SetupReader.failure("\(entry.path).network must be one of: \(names).")
            }
            return RouteEntry(
                acquirer: try entry.text("acquirer"), number: try entry.optionalNumber("number"),
                condition: try RouteArguments.condition(
                    dialect: try entry.optionalText("dialect"), network: network,
                    currency: try entry.optionalText("currency"), from: try entry.optionalText("from"),
                    to: try entry.optionalText("to")))
        }
        self.applePay = try root.list("applePay") { entry in
            try entry.allow(["merchantIdentifier", "custody", "acquirer", "publicKeyHash"])
            let identifier = try entry.text("merchantIdentifier")
            guard let custody = ApplePay.Custody(rawValue: try entry.optionalText("custody") ?? "gateway") else {
                throw SetupReader.failure(
                    "\(entry.path).custody must be gateway, which opens the tokens then, or acquirer.")
            }
            if custody == .acquirer { try self.leaveKey(of: identifier, entry) }
            return ApplePay(merchantIdentifier: identifier, custody: custody)
        }
    }
}

extension SetupFile {
    /// Says in the settings of an acquirer account that the acquirer holds the key of a merchant identifier.
    private mutating func leaveKey(of identifier: String, _ entry: SetupReader) throws(CommandFailure) {
        let name = try entry.optionalText("acquirer") ?? (self.acquirers.count == 1 ? self.acquirers[0].name : nil)
        guard let index = self.acquirers.firstIndex(where: { $0.name == name }) else {
            throw SetupReader.failure(
                "\(entry.path).acquirer must name one of the file's acquirers, who holds the key.")
        }
        self.acquirers[index].add(identifier, to: KeyCustody.identifiersName)
        if let hash = try entry.optionalText("publicKeyHash") {
            self.acquirers[index].add(hash, to: KeyCustody.hashesName)
        }
    }
}

extension SetupFile.Acquirer {
    fileprivate mutating func add(_ element: String, to list: String) {
        let earlier = self.settings[list].map(SettingRules.elements) ?? []
        guard !earlier.contains(element) else { return }
        self.settings[list] = (earlier + [element]).joined(separator: ",")
    }
}

/// Reads an object of a setup file, and says where something is wrong.
struct SetupReader {
    let object: JSONObject
    let path: String

    init(_ json: JSON, at path: String) throws(CommandFailure) {
        guard let object = json.object else {
            throw Self.failure("\(path.isEmpty ? "The file" : path) must be an object.")
        }
        self.object = object
        self.path = path
    }

    static func failure(_ message: String) -> CommandFailure {
        CommandFailure(.setupMalformed, stage: .input, message)
    }

    private func place(_ name: String) -> String { self.path.isEmpty ? name : "\(self.path).\(name)" }

    func allow(_ names: Set<String>) throws(CommandFailure) {
        guard let unknown = self.object.names.first(where: { !names.contains($0) }) else { return }
        throw Self.failure(
            "\(self.place(unknown)) is not known; there may be \(names.sorted().joined(separator: ", ")).")
    }

    func object(_ name: String) throws(CommandFailure) -> SetupReader {
        guard let json = self.object[name] else { throw Self.failure("\(self.place(name)) is missing.") }
        return try SetupReader(json, at: self.place(name))
    }

    func text(_ name: String) throws(CommandFailure) -> String {
        guard let text = try self.optionalText(name) else { throw Self.failure("\(self.place(name)) is missing.") }
        return text
    }

    func optionalText(_ name: String) throws(CommandFailure) -> String? {
        guard let json = self.object[name] else { return nil }
        guard let text = json.string, !text.isEmpty else {
            throw Self.failure("\(self.place(name)) must be a text that is not empty.")
        }
        return text
    }

    func optionalNumber(_ name: String) throws(CommandFailure) -> Int? {
        guard let json = self.object[name] else { return nil }
        guard let number = json.integer, (1...1_000_000).contains(number) else {
            throw Self.failure("\(self.place(name)) must be a whole number from 1.")
        }
        return Int(number)
    }

    /// An object of texts; empty where there is none.
    func texts(_ name: String) throws(CommandFailure) -> [String: String] {
        guard let json = self.object[name] else { return [:] }
        let entries = try SetupReader(json, at: self.place(name))
        var texts: [String: String] = [:]
        for member in entries.object.members {
            guard let text = member.value.string else {
                throw Self.failure("\(entries.place(member.name)) must be a text.")
            }
            texts[member.name] = text
        }
        return texts
    }

    /// A list of objects; empty where there is none.
    func list<Value>(_ name: String, _ read: (SetupReader) throws -> Value) throws -> [Value] {
        guard let json = self.object[name] else { return [] }
        guard let array = json.array else { throw Self.failure("\(self.place(name)) must be a list.") }
        return try array.enumerated().map { index, element in
            try read(try SetupReader(element, at: "\(self.place(name))[\(index)]"))
        }
    }
}
