//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Redaction
import StrictJSON

extension SetupFile {
    /// Reads a file. What cannot be read is noted in ``problems``, all of it at once.
    ///
    /// - Throws: `JSONError` for what is no JSON.
    init(text: String) throws {
        let problems = SetupProblems()
        let root = SetupReader(try JSON.parse(text), at: "", problems)
        // A file that is no object at all has no second thing wrong.
        let merchant = problems.list.isEmpty ? root.requiredObject("merchant") : nil
        root.allow(["merchant", "accounts", "acquirers", "routes", "applePay", "domains"])
        merchant?.allow(["name", "displayName", "mode", "countryCode", "timeZone"])
        let modeText = merchant?.text("mode") ?? ""
        if Mode(rawValue: modeText) == nil, !modeText.isEmpty { merchant?.refuse("mode", "must be sandbox or live") }
        self.init(
            name: merchant?.text("name") ?? "", displayName: merchant?.optionalText("displayName"),
            mode: Mode(rawValue: modeText) ?? .sandbox, countryCode: merchant?.text("countryCode") ?? "",
            timeZone: merchant?.optionalText("timeZone"))
        self.accounts = root.list("accounts", Account.init)
        self.acquirers = root.list("acquirers", Acquirer.init)
        self.routes = root.list("routes", RouteEntry.init)
        self.applePay = root.list("applePay", ApplePay.init)
        self.domains = root.list("domains", Domain.init)
        self.problems = problems.list
    }
}

extension SetupFile.Account {
    init(_ entry: SetupReader) {
        entry.allow(["dialect", "credentials", "settings", "notifyURL"])
        self.init(
            dialect: entry.text("dialect"), credentials: entry.texts("credentials"), settings: entry.texts("settings"),
            notifyURL: entry.optionalText("notifyURL"), pointer: entry.pointer)
    }
}

extension SetupFile.Acquirer {
    init(_ entry: SetupReader) {
        entry.allow(["name", "connector", "acceptor", "settings", "secrets"])
        self.init(
            name: entry.text("name"), connector: entry.text("connector"), acceptor: entry.texts("acceptor"),
            settings: entry.texts("settings"), secrets: entry.texts("secrets").mapValues { Redacted($0) },
            pointer: entry.pointer)
    }
}

extension SetupFile.RouteEntry {
    init(_ entry: SetupReader) {
        entry.allow(["acquirer", "number", "dialect", "network", "currency", "from", "to"])
        self.init(acquirer: entry.text("acquirer"), number: entry.optionalNumber("number"), pointer: entry.pointer)
        if let text = entry.optionalText("dialect") {
            self.condition.dialect = Self.taken("dialect", entry) { () throws(CommandFailure) in
                try RouteArguments.dialect(text)
            }
        }
        if let text = entry.optionalText("network") {
            self.condition.network = CardNetwork(rawValue: text)
            if self.condition.network == nil {
                let names = CardNetwork.allCases.map(\.rawValue).joined(separator: ", ")
                entry.refuse("network", "must be one of: \(names)")
            }
        }
        if let text = entry.optionalText("currency") {
            self.condition.currency = Self.taken("currency", entry) { () throws(CommandFailure) in
                try RouteArguments.currency(text)
            }
        }
        self.condition.minorUnitsMin = self.units("from", entry)
        self.condition.minorUnitsMax = self.units("to", entry)
    }

    private func units(_ name: String, _ entry: SetupReader) -> Int64? {
        guard let text = entry.optionalText(name) else { return nil }
        guard let currency = self.condition.currency else {
            if entry.object["currency"] == nil { entry.refuse(name, "needs a currency beside it") }
            return nil
        }
        return Self.taken(name, entry) { () throws(CommandFailure) in
            try RouteArguments.money(text, currency).minorUnits
        }
    }

    private static func taken<Value>(
        _ name: String, _ entry: SetupReader, _ read: () throws(CommandFailure) -> Value
    ) -> Value? {
        do throws(CommandFailure) {
            return try read()
        } catch {
            entry.problems.add(SetupProblem(at: entry.place(name), error))
            return nil
        }
    }
}

extension SetupFile.ApplePay {
    init(_ entry: SetupReader) {
        entry.allow(["merchantIdentifier", "custody", "acquirer", "publicKeyHash"])
        let custody = entry.optionalText("custody") ?? Custody.gateway.rawValue
        if Custody(rawValue: custody) == nil {
            entry.refuse("custody", "must be gateway, which opens the tokens then, or acquirer")
        }
        self.init(
            merchantIdentifier: entry.text("merchantIdentifier"), custody: Custody(rawValue: custody) ?? .gateway,
            acquirer: entry.optionalText("acquirer"), publicKeyHash: entry.optionalText("publicKeyHash"),
            pointer: entry.pointer)
    }
}

extension SetupFile.Domain {
    init(_ entry: SetupReader) {
        entry.allow(["host", "file"])
        self.init(host: entry.text("host"), file: entry.optionalText("file"), pointer: entry.pointer)
    }
}
