//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
public import Payments
import Redaction
public import Settings
import StrictJSON
import Time

/// What is wrong with a part of an acquirer account that is to be made.
public struct AcquirerAccountProblem: Hashable, Sendable {
    /// Which part, by the names of ``AcquirerAccountDraft``: ["settings", "host"]; empty for the account as a whole.
    public let place: [String]
    public let error: AdministrationError

    init(_ place: [String], _ code: AdministrationError.Code, _ message: String) {
        self.place = place
        self.error = AdministrationError(code, message)
    }
}

extension AcquirerAccountDraft {
    /// All that keeps the account from being made, found out without making it. Empty for one that can be.
    ///
    /// - Parameters:
    ///   - mode: the merchant's.
    ///   - connector: the one that the draft names.
    public func problems(mode: Mode, _ connector: any Connector) -> [AcquirerAccountProblem] {
        let name = SettingRules.name(self.name).map { problem in
            AcquirerAccountProblem(["name"], .acquirerNameMalformed, "An acquirer account's name \(problem).")
        }
        // Who it is of and what it is called in the store is nothing that a connector asks for.
        let nobody = [UInt8](repeating: 0, count: 16)
        let account = AcquirerAccount(
            id: AcquirerAccountID(at: .init(seconds: 0), random: nobody),
            merchantID: MerchantID(at: .init(seconds: 0), random: nobody), name: self.name, connector: self.connector,
            mode: mode, acceptor: self.acceptor, settings: self.settings, createdAt: .init(seconds: 0))
        return [name].compactMap(\.self) + account.problems(self.secrets, connector)
    }
}

extension Administration {
    /// All that keeps an account from becoming what the draft says, as ``putAcquirerAccount(_:of:)`` would have it: what the
    /// draft says nothing of stays.
    ///
    /// - Throws: ``AdministrationError`` `connector_unknown`; ``VaultError`` for an account that somebody has changed in
    ///   the database.
    public func problems(
        of draft: AcquirerAccountDraft, over existing: AcquirerAccount
    ) async throws -> [AcquirerAccountProblem] {
        let connector = try self.connector(existing.connector)
        let known = try await self.gateway.withFreshKeys { try self.gateway.opened(existing) }.secrets
        var changed = existing
        changed.settings.merge(draft.settings) { $1 }
        if draft.acceptor != CardAcceptor() { changed.acceptor = draft.acceptor }
        return changed.problems(known.merging(draft.secrets) { $1 }, connector)
    }
}

extension Administration {
    /// Whoever administers some merchants alone leads none of their accounts into the gateway's own network: how a call ended
    /// would show what listens there.
    ///
    /// - Parameter before: the settings as they were. What stays may stay.
    /// - Throws: ``AdministrationError`` `setting_invalid`.
    func checkPlaces(
        of account: AcquirerAccount, instead before: [String: String], _ connector: any Connector
    ) throws(AdministrationError) {
        guard self.authority.merchants != nil, !self.gateway.settings.allowsPrivateAcquirers else { return }
        for setting in connector.settings {
            guard let value = account.settings[setting.name], !before[setting.name].isExactly(value),
                let problem = setting.publicRule?(value)
            else { continue }
            throw AdministrationError(.settingInvalid, "The setting \(setting.name) \(problem).")
        }
    }
}

extension AcquirerAccount {
    /// - Throws: ``AdministrationError`` of the first part that the connector does not take.
    func check(_ secrets: [String: Redacted<String>], _ connector: any Connector) throws(AdministrationError) {
        if let problem = self.problems(secrets, connector).first { throw problem.error }
    }

    fileprivate func problems(
        _ secrets: [String: Redacted<String>], _ connector: any Connector
    ) -> [AcquirerAccountProblem] {
        let owner = "connector \(connector.name)"
        let problems =
            self.settings.problems(against: connector.settings, of: owner)
            + secrets.problems(against: connector.secrets, of: owner) + self.acceptor.problems
        guard problems.isEmpty else { return problems }
        do throws(ConnectorError) {
            let acquirer = try connector.open(OpenedAcquirerAccount(self, secrets: secrets))
            // Every payment with a token for one of these keys would be refused.
            guard !acquirer.capabilities.forms.contains(.sealedApplePayToken),
                !KeyCustody(self.settings).merchantIdentifiers.isEmpty
            else { return [] }
            return [
                AcquirerAccountProblem(
                    ["settings", KeyCustody.identifiersName], .accountNotAllowed,
                    "The account holds Apple Pay keys, and as its other settings are, the connector \(connector.name) takes "
                        + "no token as it came. Have it take such tokens, or leave the keys to the gateway.")
            ]
        } catch {
            return [
                AcquirerAccountProblem(
                    Self.place(of: error, connector), .accountNotAllowed,
                    "The connector \(connector.name) does not take it: \(error).")
            ]
        }
    }

    private static func place(of error: ConnectorError, _ connector: any Connector) -> [String] {
        switch error {
        case .settingMissing(let name): return ["settings", name]
        case .secretMissing(let name): return ["secrets", name]
        case .settingNotAllowed(let name, _):
            return [connector.secrets.contains { $0.name == name } ? "secrets" : "settings", name]
        case .sandboxOnly, .linkNotProtected: return ["connector"]
        }
    }
}

extension [String: String] {
    fileprivate func problems(against known: [SettingDescription], of owner: String) -> [AcquirerAccountProblem] {
        var problems: [AcquirerAccountProblem] = []
        for (name, value) in self.sorted(by: { $0.key < $1.key }) {
            let place = ["settings", name]
            guard let setting = known.first(where: { $0.name == name }) else {
                let names = known.map(\.name).joined(separator: ", ")
                problems.append(
                    AcquirerAccountProblem(
                        place, .settingUnknown,
                        "The \(owner) has no setting named \(name)" + (names.isEmpty ? "." : "; it has \(names).")))
                continue
            }
            if let problem = setting.rule(value) {
                problems.append(AcquirerAccountProblem(place, .settingInvalid, "The setting \(name) \(problem)."))
            }
        }
        return problems
            + known.filter { $0.isRequired && self[$0.name] == nil }.map { setting in
                AcquirerAccountProblem(
                    ["settings", setting.name], .settingMissing,
                    "The \(owner) needs the setting \(setting.name): \(setting.meaning.asSentence)")
            }
    }
}

extension [String: Redacted<String>] {
    fileprivate func problems(against known: [SecretDescription], of owner: String) -> [AcquirerAccountProblem] {
        var problems: [AcquirerAccountProblem] = []
        for (name, value) in self.sorted(by: { $0.key < $1.key }) {
            let place = ["secrets", name]
            guard let secret = known.first(where: { $0.name == name }) else {
                let names = known.map(\.name).joined(separator: ", ")
                problems.append(
                    AcquirerAccountProblem(
                        place, .secretUnknown,
                        "The \(owner) has no secret named \(name)" + (names.isEmpty ? "." : "; it has \(names).")))
                continue
            }
            if let problem = secret.rule(value.reveal()) {
                problems.append(AcquirerAccountProblem(place, .secretInvalid, "The secret \(name) \(problem)."))
            }
        }
        problems += known.filter { $0.isRequired && self[$0.name] == nil }.map { secret in
            AcquirerAccountProblem(
                ["secrets", secret.name], .secretMissing,
                "The \(owner) needs the secret \(secret.name): \(secret.meaning.asSentence)")
        }
        if let lacking = known.lackingAlternatives(among: Set(self.keys)) {
            problems.append(
                AcquirerAccountProblem(["secrets"], .secretMissing, "The \(owner) needs the secrets: \(lacking)."))
        }
        return problems
    }
}

extension CardAcceptor {
    /// What may be said of a card acceptor, by the names that commands and files call it.
    public static let settings = [
        SettingDescription(
            "merchantNumber", SettingRules.text(40), "The acquirer's number for the merchant (ISO 8583, field 42)."),
        SettingDescription(
            "terminal", SettingRules.text(16), "The acquirer's number for the terminal (ISO 8583, field 41)."),
        SettingDescription("categoryCode", SettingRules.digits(4...4), "The merchant category code (ISO 18245)."),
        SettingDescription("descriptor", SettingRules.text(64), "What a cardholder's statement says."),
        SettingDescription("institution", SettingRules.text(40), "The acquiring institution (ISO 8583, field 32)."),
        SettingDescription("forwarder", SettingRules.text(40), "Who forwards messages to it (ISO 8583, field 33)."),
        SettingDescription(
            "name", SettingRules.text(99), "The shop's name, as issuers are shown it (ISO 8583, field 43)."),
        SettingDescription("street", SettingRules.text(99), "The shop's street and number (ISO 8583, field 43)."),
        SettingDescription("city", SettingRules.text(99), "The shop's city (ISO 8583, field 43)."),
        SettingDescription("postalCode", SettingRules.text(10), "The shop's postal code (ISO 8583, field 43)."),
        SettingDescription("region", SettingRules.text(35), "The shop's state or province (ISO 8583, field 43)."),
        SettingDescription(
            "country", SettingRules.country,
            "The country that the shop is in, ISO 3166-1 alpha-2 (ISO 8583, fields 19 and 43)."),
        SettingDescription(
            "timeZone", { ReportZone($0) != nil ? nil : "must be a time zone of the IANA's, such as Europe/Berlin" },
            "By whose clock the shop's local time is counted, as the IANA calls it (ISO 8583, fields 12 and 13)."),
    ]

    /// - Throws: ``AdministrationError`` `acceptor_invalid`.
    public init(_ values: [String: String]) throws(AdministrationError) {
        for name in values.keys.sorted() where !Self.settings.contains(where: { $0.name == name }) {
            let names = Self.settings.map(\.name).joined(separator: ", ")
            throw AdministrationError(.acceptorInvalid, "An acceptor has no \(name); it has \(names).")
        }
        self.init(
            merchantNumber: values["merchantNumber"], terminal: values["terminal"],
            categoryCode: values["categoryCode"], descriptor: values["descriptor"],
            institution: values["institution"], forwarder: values["forwarder"], name: values["name"],
            street: values["street"], city: values["city"], postalCode: values["postalCode"],
            region: values["region"], country: values["country"], timeZone: values["timeZone"])
        if let problem = self.problems.first { throw problem.error }
    }

    /// What is said of it, by name.
    public var values: [String: String] {
        var values: [String: String] = [:]
        values["merchantNumber"] = self.merchantNumber
        values["terminal"] = self.terminal
        values["categoryCode"] = self.categoryCode
        values["descriptor"] = self.descriptor
        values["institution"] = self.institution
        values["forwarder"] = self.forwarder
        values["name"] = self.name
        values["street"] = self.street
        values["city"] = self.city
        values["postalCode"] = self.postalCode
        values["region"] = self.region
        values["country"] = self.country
        values["timeZone"] = self.timeZone
        return values
    }

    fileprivate var problems: [AcquirerAccountProblem] {
        let values = self.values
        return Self.settings.compactMap { setting in
            values[setting.name].flatMap(setting.rule).map { problem in
                AcquirerAccountProblem(
                    ["acceptor", setting.name], .acceptorInvalid, "The acceptor's \(setting.name) \(problem).")
            }
        }
    }
}

extension String {
    /// What connectors say of a setting stands in tables, too, and need not end like a sentence.
    fileprivate var asSentence: String { self.hasSuffix(".") ? self : self + "." }
}
