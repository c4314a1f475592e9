//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Redaction
import StrictJSON

/// An account on the wire: sent once over each connection, before the first call that is made under it, and again when it
/// has changed.
struct LinkAccount: Hashable, Sendable {
    let id: AcquirerAccountID
    /// `nil` for one that is larger than a frame.
    let frame: [UInt8]?

    /// - Parameter description: what the account is expected to be able to do: the far end refuses it where that differs.
    init(_ account: OpenedAcquirerAccount, _ description: AcquirerLinkDescription) {
        self.id = account.id
        self.frame = LinkFrame.encode(Self.json(account, description))
    }

    static func json(_ account: OpenedAcquirerAccount, _ description: AcquirerLinkDescription) -> JSON {
        [
            "type": "account", "account": .string(account.id.text), "mode": .string(account.mode.rawValue),
            "acceptor": .link(account.acceptor),
            "settings": .link(account.settings.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }),
            "secrets": .link(account.secrets.sorted { $0.key < $1.key }.map { ($0.key, $0.value.reveal()) }),
            "acquirer": description.json,
        ]
    }

    /// - Parameter reader: after the type.
    static func read(
        after reader: LinkReader
    ) throws(LinkViolation) -> (OpenedAcquirerAccount, AcquirerLinkDescription) {
        var reader = reader
        let account = OpenedAcquirerAccount(
            id: try reader.id("account"), mode: try reader.choice("mode"), acceptor: try reader.acceptor(),
            settings: try reader.secrets("settings").mapValues { $0.reveal() }, secrets: try reader.secrets("secrets"))
        let description = try AcquirerLinkDescription(try reader.reader("acquirer"))
        try reader.end()
        return (account, description)
    }
}

extension JSON {
    fileprivate static func link(_ values: [(String, String)]) -> JSON {
        .array(values.map { ["name": .string($0.0), "value": .string($0.1)] })
    }

    fileprivate static func link(_ acceptor: CardAcceptor) -> JSON {
        .link([
            "merchantNumber": acceptor.merchantNumber.map(JSON.string), "terminal": acceptor.terminal.map(JSON.string),
            "categoryCode": acceptor.categoryCode.map(JSON.string), "descriptor": acceptor.descriptor.map(JSON.string),
            "institution": acceptor.institution.map(JSON.string), "forwarder": acceptor.forwarder.map(JSON.string),
            "name": acceptor.name.map(JSON.string), "street": acceptor.street.map(JSON.string),
            "city": acceptor.city.map(JSON.string), "postalCode": acceptor.postalCode.map(JSON.string),
            "region": acceptor.region.map(JSON.string), "country": acceptor.country.map(JSON.string),
            "timeZone": acceptor.timeZone.map(JSON.string),
        ])
    }
}

extension LinkReader {
    fileprivate mutating func acceptor() throws(LinkViolation) -> CardAcceptor {
        var reader = try self.reader("acceptor")
        let acceptor = CardAcceptor(
            merchantNumber: try reader.optionalText("merchantNumber"), terminal: try reader.optionalText("terminal"),
            categoryCode: try reader.optionalText("categoryCode"), descriptor: try reader.optionalText("descriptor"),
            institution: try reader.optionalText("institution"), forwarder: try reader.optionalText("forwarder"),
            name: try reader.optionalText("name"), street: try reader.optionalText("street"),
            city: try reader.optionalText("city"), postalCode: try reader.optionalText("postalCode"),
            region: try reader.optionalText("region"), country: try reader.optionalText("country"),
            timeZone: try reader.optionalText("timeZone"))
        try reader.end()
        return acceptor
    }
}

/// Why an account is not served: the word that its calls are answered with.
enum LinkAccountRefusal: String, Error, Hashable, Sendable, CaseIterable {
    /// There is no acquirer without an account.
    case missing = "account_missing"
    /// It has not been sent.
    case unknown = "account_unknown"
    /// The connector does not open it: a setting is missing, or live money would go to a simulator.
    case refused = "account_refused"
    /// It is able to do something else here than the gateway believes.
    case differs = "account_differs"
    /// It is live, and the link is not protected.
    case notProtected = "link_not_protected"
}

extension LinkRequest {
    /// How a call ends whose account is not served: nothing was passed on.
    func outcome(of refusal: LinkAccountRefusal) -> LinkOutcome {
        let not = NotProcessed(.notAuthorized, refusal.rawValue)
        return switch self {
        case .perform: .operation(.notProcessed(not))
        case .prepare: .preparation(.notProcessed(not))
        case .query: .query(.unknown(.unclear(refusal.rawValue)))
        }
    }
}
