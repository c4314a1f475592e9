//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments

extension Trial {
    private func account(
        of merchant: Merchant, _ name: String, settings: [String: String] = [:], secrets: [String: SealedBytes] = [:]
    ) -> AcquirerAccount {
        AcquirerAccount(
            id: self.make.id(), merchantID: merchant.id, name: name, connector: self.make.acquirer, mode: merchant.mode,
            settings: settings, secrets: secrets, createdAt: self.make.time())
    }

    private func sealed(_ keyID: String = "key-1") -> SealedBytes {
        SealedBytes(keyID: keyID, box: self.make.bytes(60))
    }

    // MARK: - Accounts

    func acquirerAccountsRoundTrip() async throws {
        for mode in Mode.allCases {
            let merchant = try await self.storedMerchant(mode: mode)
            let full = AcquirerAccount(
                id: self.make.id(), merchantID: merchant.id, name: "Bank №1", connector: AcquirerName("mpgs"),
                mode: mode,
                acceptor: CardAcceptor(
                    merchantNumber: "TEST0001", terminal: "T1", categoryCode: "5999", descriptor: "CAFÉ*LÖWEN",
                    institution: "012345", forwarder: "98765", name: "Café Löwen", street: "Hauptstraße 1",
                    city: "Köln",
                    postalCode: "50667", region: "NW", country: "DE", timeZone: "Europe/Berlin"),
                settings: ["host": "https://acquirer.example", "empty": "", "ключ": "значение"],
                secrets: ["password": self.sealed(), "nothing": SealedBytes(keyID: "key-2", box: [])],
                state: .suspended, createdAt: self.make.time())
            let bare = self.account(of: merchant, "a")
            try await self.store.write { transaction in
                // Written youngest first; read oldest first.
                try transaction.insert(bare)
                try transaction.insert(full)
            }
            for account in [full, bare] {
                try await self.expectStored(account, "acquirer account") { try $0.acquirerAccount(account.id) }
            }
            let wanted = [self.make.account(of: merchant), full, bare]
            try await self.expectStored(wanted, "a merchant's acquirer accounts, oldest first") {
                try $0.acquirerAccounts(of: merchant.id)
            }
        }
    }

    func acquirerAccountsAreUpdatedWhole() async throws {
        let merchant = try await self.storedMerchant()
        let secrets = ["x": self.sealed(), "y": self.sealed()]
        let account = self.account(of: merchant, "bank", settings: ["a": "1", "b": "2"], secrets: secrets)
        let other = self.account(of: merchant, "other", settings: ["a": "1"], secrets: ["x": self.sealed()])
        try await self.store.write { transaction in
            try transaction.insert(account)
            try transaction.insert(other)
        }
        // What an account is for life is not written, whatever is handed in.
        let handedIn = AcquirerAccount(
            id: account.id, merchantID: self.make.id(), name: "renamed", connector: AcquirerName("another"),
            mode: .live, acceptor: CardAcceptor(terminal: "2"), settings: ["b": "3"],
            secrets: ["y": self.sealed("key-2")], state: .suspended, createdAt: self.make.time())
        var wanted = account
        wanted.acceptor = handedIn.acceptor
        (wanted.settings, wanted.secrets, wanted.state) = (handedIn.settings, handedIn.secrets, handedIn.state)
        let accounts = [self.make.account(of: merchant), wanted, other]
        try await self.store.write { try $0.update(handedIn) }
        try await self.expectStored(accounts, "accounts after an update") { try $0.acquirerAccounts(of: merchant.id) }
        try await self.expectStored(wanted, "account after an update") { try $0.acquirerAccount(account.id) }
        wanted.acceptor = CardAcceptor()
        (wanted.settings, wanted.secrets, wanted.state) = ([:], [:], .active)
        let emptied = wanted
        try await self.store.write { try $0.update(emptied) }
        try await self.expectStored(emptied, "account of which all is taken away") {
            try $0.acquirerAccount(account.id)
        }
    }

    func acquirerAccountNamesAreUnique() async throws {
        let (merchant, other) = (try await self.storedMerchant(), try await self.storedMerchant())
        let account = self.account(of: merchant, "bank")
        let (sameName, elsewhere) = (self.account(of: merchant, "bank"), self.account(of: other, "bank"))
        let otherCase = self.account(of: merchant, "Bank")
        let sameID = AcquirerAccount(
            id: account.id, merchantID: other.id, name: "another", connector: self.make.acquirer, mode: other.mode,
            createdAt: self.make.time())
        try await self.store.write { transaction in
            for account in [account, elsewhere, otherCase] { try transaction.insert(account) }
        }
        try await self.expectRefusal(.duplicate("acquirer account name"), "a name of another of his accounts") {
            try $0.insert(sameName)
        }
        try await self.expectRefusal(.duplicate("acquirer account id"), "an acquirer account's id twice") {
            try $0.insert(sameID)
        }
        try await self.expectStored(account, "the first account") { try $0.acquirerAccount(account.id) }
        let names = try await self.store.read { try $0.acquirerAccounts(of: merchant.id).map(\.name) }
        try self.expectEqual(names, ["main", "bank", "Bank"], "names of accounts")
    }

    /// A sandbox merchant's payments never come to an acquirer's live host.
    func acquirerAccountsAreInTheirMerchantsMode() async throws {
        for mode in Mode.allCases {
            let merchant = try await self.storedMerchant(mode: mode)
            let crossed = AcquirerAccount(
                id: self.make.id(), merchantID: merchant.id, name: "crossed", connector: self.make.acquirer,
                mode: mode == .live ? .sandbox : .live, createdAt: self.make.time())
            try await self.expectCorrupt("an account in another mode than its merchant") { try $0.insert(crossed) }
        }
    }

    func paymentsAreUnderTheirMerchantsAccounts() async throws {
        let (merchant, other) = (try await self.storedMerchant(), try await self.storedMerchant())
        let payment = try self.make.payment(of: merchant)
        for account in [self.make.accountID(of: other.id), self.make.id()] {
            let strayed = Payment(
                id: self.make.id(), merchantID: merchant.id, mode: payment.mode, dialect: payment.dialect,
                acquirer: payment.acquirer, accountID: account, orderID: nil, amount: payment.amount,
                instrument: payment.instrument, createdAt: payment.createdAt, version: 1,
                operations: payment.operations)
            try await self.expectCorrupt("a payment under an account that is not its merchant's") {
                try $0.insert(strayed)
            }
        }
        try await self.store.write { try $0.insert(payment) }
    }

    /// While its opening is pending; the account must be its merchant's.
    func reroutedPaymentsAreUnderTheirNewAccounts() async throws {
        let (merchant, other) = (try await self.storedMerchant(), try await self.storedMerchant())
        let second = AcquirerAccount(
            id: self.make.id(), merchantID: merchant.id, name: "second", connector: AcquirerName("another"),
            mode: merchant.mode, createdAt: self.make.time())
        let payment = try self.make.payment(of: merchant)
        try await self.store.write { transaction in
            try transaction.insert(second)
            try transaction.insert(payment)
        }
        for account in [self.make.accountID(of: other.id), self.make.id()] {
            let strayed = try payment.rerouted(to: account, acquirer: self.make.acquirer)
            try await self.expectCorrupt("a reroute to an account that is not the merchant's") {
                try $0.update(strayed, from: payment.version)
            }
        }
        try await self.expectStored(payment, "the payment after refused reroutes") { try $0.payment(payment.id) }
        let change = try payment.rerouted(to: second.id, acquirer: second.connector)
        try await self.store.write { try $0.update(change, from: payment.version) }
        try await self.expectStored(change.payment, "a rerouted payment") { try $0.payment(payment.id) }
        try await self.expectRefusal(.conflict, "a reroute from a version that is gone") {
            try $0.update(change, from: payment.version)
        }
        let approved = try change.payment.transition(
            on: .resolve(payment.operations[0].id, .succeeded(approved: payment.amount, self.make.answer())),
            at: self.make.time())
        try await self.store.write { try $0.update(approved, from: change.payment.version) }
        try await self.expectStored(approved.payment, "a rerouted payment, approved") { try $0.payment(payment.id) }
    }

    // MARK: - Routes

    func routesRoundTrip() async throws {
        let merchant = try await self.storedMerchant()
        let second = self.account(of: merchant, "second")
        try await self.store.write { try $0.insert(second) }
        let (main, cad) = (self.make.accountID(of: merchant.id), try self.make.money(0).currency)
        let routes = [
            Route(number: 1, account: second.id, condition: Route.Condition(dialect: self.make.dialect)),
            Route(
                number: 2, account: main,
                condition: Route.Condition(
                    dialect: DialectName("tappay"), network: .visa, currency: cad, minorUnitsMin: 0,
                    minorUnitsMax: .max)),
            Route(number: 9, account: main, condition: Route.Condition(network: .amex)),
            Route(
                number: 10, account: main,
                condition: Route.Condition(currency: cad, minorUnitsMin: 500, minorUnitsMax: 500)),
            Route(number: 11, account: second.id, condition: Route.Condition(currency: cad, minorUnitsMin: 7)),
            Route(number: 100, account: second.id),
        ]
        try await self.store.write { try $0.replaceRoutes(of: merchant.id, with: routes.reversed()) }
        try await self.expectStored(routes, "routes by their numbers") { try $0.routes(of: merchant.id) }
    }

    func routesAreReplacedWhole() async throws {
        let (merchant, other) = (try await self.storedMerchant(), try await self.storedMerchant())
        let routes = { (merchant: Merchant, numbers: [Int]) in
            numbers.map { Route(number: $0, account: self.make.accountID(of: merchant.id)) }
        }
        let (ofMerchant, later, ofOther) = (routes(merchant, [1, 2, 3]), routes(merchant, [2, 5]), routes(other, [1]))
        try await self.store.write { transaction in
            try transaction.replaceRoutes(of: merchant.id, with: ofMerchant)
            try transaction.replaceRoutes(of: other.id, with: ofOther)
        }
        for wanted in [later, []] {
            try await self.store.write { try $0.replaceRoutes(of: merchant.id, with: wanted) }
            try await self.expectStored(wanted, "routes after they were replaced") { try $0.routes(of: merchant.id) }
            try await self.expectStored(ofOther, "another merchant's routes") { try $0.routes(of: other.id) }
        }
    }

    func routesLeadToTheirMerchantsAccounts() async throws {
        let (merchant, other) = (try await self.storedMerchant(), try await self.storedMerchant())
        let good = [Route(number: 1, account: self.make.accountID(of: merchant.id))]
        try await self.store.write { try $0.replaceRoutes(of: merchant.id, with: good) }
        for account in [self.make.accountID(of: other.id), self.make.id()] {
            let bad = good + [Route(number: 2, account: account)]
            try await self.expectCorrupt("a route to an account that is not the merchant's") {
                try $0.replaceRoutes(of: merchant.id, with: bad)
            }
        }
        try await self.expectStored(good, "routes after a refusal") { try $0.routes(of: merchant.id) }
    }

    func routesAreSound() async throws {
        let merchant = try await self.storedMerchant()
        let (account, cad) = (self.make.accountID(of: merchant.id), try self.make.money(0).currency)
        let good = [Route(number: 1, account: account)]
        try await self.store.write { try $0.replaceRoutes(of: merchant.id, with: good) }
        let bad = [
            Route(number: 0, account: account), Route(number: -1, account: account),
            Route(number: 2, account: account, condition: Route.Condition(minorUnitsMin: 1)),
            Route(number: 2, account: account, condition: Route.Condition(minorUnitsMax: 1)),
            Route(number: 2, account: account, condition: Route.Condition(currency: cad, minorUnitsMin: -1)),
            Route(
                number: 2, account: account,
                condition: Route.Condition(currency: cad, minorUnitsMin: 2, minorUnitsMax: 1)),
        ]
        for route in bad {
            try await self.expectCorrupt("the route \(route)") {
                try $0.replaceRoutes(of: merchant.id, with: good + [route])
            }
        }
        try await self.expectRefusal(.duplicate("route number"), "a number twice") {
            try $0.replaceRoutes(of: merchant.id, with: good + good)
        }
        try await self.expectStored(good, "routes after the refusals") { try $0.routes(of: merchant.id) }
    }

    // MARK: - Several at once

    /// Whoever reads a merchant, an account or routes in order to write them finds what the last one has written.
    func changesOfMerchantsLoseNothing() async throws {
        let merchant = try await self.storedMerchant()
        let account = self.make.accountID(of: merchant.id)
        let store = self.store
        let numbers = Array(1...20)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in numbers {
                group.addTask {
                    try await store.write { transaction in
                        guard var merchant = try transaction.merchant(merchant.id) else { return }
                        merchant.displayName += " \(number)"
                        try transaction.update(merchant)
                    }
                }
                group.addTask {
                    try await store.write { transaction in
                        guard var account = try transaction.acquirerAccount(account) else { return }
                        account.settings["\(number)"] = ""
                        try transaction.update(account)
                    }
                }
                group.addTask {
                    try await store.write { transaction in
                        let routes = try transaction.routes(of: merchant.id)
                        try transaction.replaceRoutes(
                            of: merchant.id, with: routes + [Route(number: number, account: account)])
                    }
                }
            }
            try await group.waitForAll()
        }
        let found = try await store.read {
            (
                try $0.merchant(merchant.id)?.displayName.split(separator: " ").count,
                try $0.acquirerAccount(account)?.settings.count, try $0.routes(of: merchant.id).map(\.number)
            )
        }
        let wordsCount = merchant.displayName.split(separator: " ").count
        try self.expectEqual(found.0, wordsCount + 20, "words of the name after twenty changes")
        try self.expectEqual(found.1, 20, "settings after twenty changes")
        try self.expectEqual(found.2, numbers, "routes after twenty changes")
    }
}
