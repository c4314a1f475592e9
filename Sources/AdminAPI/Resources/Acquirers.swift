//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import HTTPTypes
import Payments
import Redaction
import Settings
import StrictJSON

extension AdminEndpoints {
    private static let texts = Schema.texts(max: 100)
    private static let changes = Schema.textChanges(max: 100, "`null` takes one away.")

    static let acquirers: [Endpoint] = [
        Endpoint(
            method: .get, path: "/connectors", name: "listConnectors",
            summary: "The kinds of acquirers, and what accounts with them take.", group: "Acquirers",
            scope: .acquirersRead, answer: AdminSchemas.list(of: "ConnectorPlan")
        ) { call in
            Answer(["data": .array(call.administration.connectors.map(Self.view))])
        },
        Endpoint(
            method: .get, path: "/merchants/{merchant}/acquirers", name: "listAcquirers",
            summary: "The merchant's accounts with acquirers.", group: "Acquirers", scope: .acquirersRead,
            answer: AdminSchemas.list(of: "AcquirerAccount")
        ) { call in
            let merchant = try await call.merchant()
            let accounts = try await call.administration.read { try $0.acquirerAccounts(of: merchant.id) }
            return Answer(["data": .array(accounts.map { .object($0.view(merchant: merchant.name)) })])
        },
        Endpoint(
            method: .post, path: "/merchants/{merchant}/acquirers", name: "addAcquirer",
            summary: "Add an account with an acquirer. No payment takes it until a route leads to it.",
            group: "Acquirers", scope: .acquirersWrite,
            body: .object(
                .init("name", .newName("What it is called.")), .init("connector", .line(32)),
                .optional("acceptor", texts), .optional("settings", texts), .optional("secrets", texts)),
            status: .created, answer: .named("AcquirerAccount"), precondition: .idempotencyKey
        ) { call in
            let merchant = try await call.merchant()
            let draft = AcquirerAccountDraft(
                name: call.required("name"), connector: AcquirerName(call.required("connector")),
                acceptor: try CardAcceptor(call.texts("acceptor")), settings: call.texts("settings"),
                secrets: call.texts("secrets").mapValues { Redacted($0) })
            let account = try await call.administration.addAcquirerAccount(draft, to: merchant.id)
            return .resource(
                account.view(merchant: merchant.name), location: "/merchants/\(merchant.name)/acquirers/\(account.name)"
            )
        },
        Endpoint(
            method: .get, path: "/merchants/{merchant}/acquirers/{acquirer}", name: "getAcquirer",
            summary: "One account with an acquirer.", group: "Acquirers", scope: .acquirersRead,
            answer: .named("AcquirerAccount")
        ) { call in
            let (merchant, account) = try await call.acquirer()
            return .resource(account.view(merchant: merchant.name))
        },
        Endpoint(
            method: .patch, path: "/merchants/{merchant}/acquirers/{acquirer}", name: "changeAcquirer",
            summary: "Change settings, secrets and the acceptor, all or none.", group: "Acquirers",
            scope: .acquirersWrite,
            body: .object(
                .optional("acceptor", texts), .optional("settings", changes), .optional("secrets", changes)),
            answer: .named("AcquirerAccount"), precondition: .ifMatch
        ) { call in
            let (merchant, account) = try await call.acquirer()
            let acceptor = call.body["acceptor"] == nil ? nil : try CardAcceptor(call.texts("acceptor"))
            let change = AcquirerAccountChange(
                settings: call.textChanges("settings"),
                secrets: call.textChanges("secrets").mapValues { $0.map { Redacted($0) } }, acceptor: acceptor)
            let administration = try call.acting(changing: {
                try $0.acquirerAccount(account.id)?.view(merchant: merchant.name)
            })
            let changed = try await administration.changeAcquirerAccount(account.id, change)
            return .resource(changed.view(merchant: merchant.name))
        },
        Self.state("suspend", "Let no new payments take it. What has begun goes on.", .suspended),
        Self.state("resume", "Let payments take it again.", .active),
        Endpoint(
            method: .post, path: "/merchants/{merchant}/acquirers/{acquirer}/check", name: "checkAcquirer",
            summary: "Prove credentials and reachability. Moves no money.", group: "Acquirers", scope: .acquirersWrite,
            answer: .object(
                .init(
                    "data",
                    .list(
                        .object(
                            .init("subject", AdminSchemas.anyText), .init("good", .flag()),
                            .init("text", AdminSchemas.anyText)), max: 100)))
        ) { call in
            let (_, account) = try await call.acquirer()
            let findings = try await call.administration.checkAcquirerAccount(account)
            return Answer(["data": .array(findings.map { .object($0.view) })])
        },
        Endpoint(
            method: .post, path: "/merchants/{merchant}/acquirers/{acquirer}/commands/{command}",
            name: "commandAcquirer",
            summary: "Have this process's connector do one of its commands: sign on, sign off, echo. Moves no money.",
            group: "Acquirers", scope: .acquirersWrite,
            answer: .object(
                .init("subject", AdminSchemas.anyText), .init("good", .flag()), .init("text", AdminSchemas.anyText)),
            precondition: .idempotencyKey
        ) { call in
            let (_, account) = try await call.acquirer()
            let name = call.path["command"] ?? ""
            // A connection is of all merchants whose accounts take it, live ones too.
            if try call.administration.commands(of: account).contains(where: { $0.name == name && $0.isDangerous }) {
                try call.checkChangesHouse()
            }
            guard let finding = try await call.administration.perform(name, for: account) else {
                throw Problem.notFound("command \(name)")
            }
            return Answer(.object(finding.view))
        },
    ]

    private static func state(_ verb: String, _ summary: String, _ state: AcquirerAccount.State) -> Endpoint {
        Endpoint(
            method: .post, path: "/merchants/{merchant}/acquirers/{acquirer}/\(verb)", name: "\(verb)Acquirer",
            summary: summary, group: "Acquirers", scope: .acquirersWrite, answer: .named("AcquirerAccount"),
            precondition: .idempotencyKey
        ) { call in
            let (merchant, account) = try await call.acquirer()
            let changed = try await call.administration.setAcquirerAccount(account.id, to: state)
            return .resource(changed.view(merchant: merchant.name))
        }
    }

    static func view(of connector: any Connector) -> JSON {
        [
            "connector": .string(connector.name.text), "settings": .array(connector.settings.map(\.view)),
            "secrets": .array(connector.secrets.map(\.view)),
            "commands": .array(connector.commands.map(\.view)),
            "acceptor": .array(CardAcceptor.settings.map(\.view)),
        ]
    }
}

extension Call {
    /// The merchant and the account with an acquirer that the path names.
    fileprivate func acquirer() async throws -> (Merchant, AcquirerAccount) {
        let merchant = try await self.merchant()
        return (
            merchant, try await self.administration.acquirerAccount(named: self.path["acquirer"] ?? "", of: merchant)
        )
    }
}
