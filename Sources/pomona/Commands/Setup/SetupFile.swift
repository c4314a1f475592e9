//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Payments
import Redaction
import Settings

/// What `pomona setup --file` is to make: one merchant and all that it needs. The parts know where in the file they stand
/// (RFC 6901).
struct SetupFile: Sendable {
    struct Account: Sendable {
        var dialect: String
        var credentials: [String: String] = [:]
        var settings: [String: String] = [:]
        var notifyURL: String?
        var pointer = ""
    }

    struct Acquirer: Sendable {
        var name: String
        var connector: String
        var acceptor: [String: String] = [:]
        var settings: [String: String] = [:]
        var secrets: [String: Redacted<String>] = [:]
        var pointer = ""
    }

    struct RouteEntry: Sendable {
        var acquirer: String
        var number: Int?
        var condition = Route.Condition()
        var pointer = ""
    }

    struct ApplePay: Sendable {
        /// Who holds the payment processing key of the merchant identifier.
        enum Custody: String, CaseIterable {
            case gateway
            case acquirer
        }

        var merchantIdentifier: String
        var custody = Custody.gateway
        /// Which of the file's acquirers holds the key; may be left out where there is one.
        var acquirer: String?
        /// SHA-256 of the key that the acquirer holds, base64.
        var publicKeyHash: String?
        var pointer = ""
    }

    /// A domain on which Apple Pay is shown.
    struct Domain: Sendable {
        var host: String
        /// The path of the file that Apple gave for it. A sandbox merchant needs none.
        var file: String?
        var pointer = ""
    }

    var name: String
    /// The name if left out, of a new merchant.
    var displayName: String?
    var mode: Mode
    var countryCode: String
    /// Where its days begin and end; UTC if left out, of a new merchant.
    var timeZone: String?
    var accounts: [Account] = []
    var acquirers: [Acquirer] = []
    var routes: [RouteEntry] = []
    var applePay: [ApplePay] = []
    var domains: [Domain] = []
    /// What could not be read, and was left out.
    var problems: [SetupProblem] = []
}

extension SetupFile {
    /// The acquirers, with the keys that ``applePay`` leaves to them in their settings.
    var acquirersWithKeys: [Acquirer] {
        var acquirers = self.acquirers
        for entry in self.applePay where entry.custody == .acquirer {
            guard let index = self.holder(of: entry) else { continue }
            acquirers[index].add(entry.merchantIdentifier, to: KeyCustody.identifiersName)
            if let hash = entry.publicKeyHash { acquirers[index].add(hash, to: KeyCustody.hashesName) }
        }
        return acquirers
    }

    /// Which of the acquirers holds the key; `nil` where none of the file's is meant.
    func holder(of entry: ApplePay) -> Int? {
        guard let name = entry.acquirer else { return self.acquirers.count == 1 ? 0 : nil }
        return self.acquirers.firstIndex { $0.name == name }
    }
}

extension SetupFile.Acquirer {
    /// - Throws: `AdministrationError` `acceptor_invalid`.
    var draft: AcquirerAccountDraft {
        get throws {
            AcquirerAccountDraft(
                name: self.name, connector: AcquirerName(self.connector), acceptor: try CardAcceptor(self.acceptor),
                settings: self.settings, secrets: self.secrets)
        }
    }

    fileprivate mutating func add(_ element: String, to list: String) {
        let earlier = self.settings[list].map(SettingRules.elements) ?? []
        guard !earlier.contains(element) else { return }
        self.settings[list] = (earlier + [element]).joined(separator: ",")
    }
}
