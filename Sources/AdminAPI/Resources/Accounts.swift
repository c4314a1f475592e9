//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Gateway
import HTTPTypes
import Payments
import Redaction
import StrictJSON

extension AdminEndpoints {
    static let accounts: [Endpoint] = [
        Endpoint(
            method: .get, path: "/dialects", name: "listDialects",
            summary: "The dialects: what accounts in them are made of.", group: "Accounts", scope: .accountsRead,
            answer: AdminSchemas.list(of: "DialectPlan")
        ) { call in
            Answer(["data": .array(call.house.plans.map(Self.view))])
        },
        Endpoint(
            method: .get, path: "/merchants/{merchant}/accounts", name: "listAccounts",
            summary: "The merchant's accounts in dialects.", group: "Accounts", scope: .accountsRead,
            answer: AdminSchemas.list(of: "Account")
        ) { call in
            let merchant = try await call.merchant()
            let (accounts, uses) = try await call.administration.read { reader in
                (try reader.accounts(of: merchant.id), try CredentialUses(of: merchant.id, in: reader))
            }
            return Answer(["data": .array(accounts.map { .object(call.view(of: $0, merchant, uses)) })])
        },
        Endpoint(
            method: .post, path: "/merchants/{merchant}/accounts", name: "createAccount",
            summary: "Make an account in a dialect. Its credentials are shown this once.", group: "Accounts",
            scope: .accountsWrite,
            body: .object(
                .init("dialect", .line(32)),
                .optional("chosen", .texts(max: 20, "Credentials that are not to be made, by name.")),
                .optional("notifyURL", .line(2048, "Where events are reported, in dialects with one address for all.")),
                .optional("settings", .texts(max: 100))),
            status: .created, answer: .named("Credentials"), precondition: .idempotencyKey
        ) { call in
            let merchant = try await call.merchant()
            let plan = try call.house.plan(call.required("dialect"))
            let order = AccountOrder(
                mode: merchant.mode, chosen: call.texts("chosen"), notifyURL: call.text("notifyURL"),
                settings: call.texts("settings"))
            let made = try await call.administration.createAccount(of: merchant, plan, order, call.house.tools)
            return Answer(
                Self.view(of: made, merchant, plan),
                location: "/merchants/\(merchant.name)/accounts/\(plan.dialect)")
        },
        Endpoint(
            method: .get, path: "/merchants/{merchant}/accounts/{dialect}", name: "getAccount", summary: "One account.",
            group: "Accounts", scope: .accountsRead, answer: .named("Account")
        ) { call in
            let (merchant, account, _) = try await call.account()
            return try await call.answer(account, merchant)
        },
        Endpoint(
            method: .patch, path: "/merchants/{merchant}/accounts/{dialect}/settings", name: "changeAccountSettings",
            summary: "Change settings of an account, all or none.", group: "Accounts", scope: .accountsWrite,
            body: .object(.init("settings", .textChanges(max: 100, "`null` takes a setting away."))),
            answer: .named("Account"), precondition: .ifMatch
        ) { call in
            let (merchant, _, plan) = try await call.account()
            let changes = call.textChanges("settings")
            for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
                guard !plan.secretNames.contains(name) else {
                    throw Problem(
                        .settingIsSecret, "\(name) is a credential: rotate it instead.")
                }
                try plan.check(setting: name, value: value, mode: merchant.mode)
            }
            let administration = try call.acting(changing: { reader in
                try reader.account(dialect: plan.dialect, merchant: merchant.id).map { call.view(of: $0, merchant) }
            })
            let changed = try await administration.changeSettings(
                of: merchant.id, dialect: plan.dialect, guarded: plan.guardedSettings
            ) { settings in
                for (name, value) in changes { settings[name] = value }
            }
            return try await call.answer(changed, merchant)
        },
        Endpoint(
            method: .put, path: "/merchants/{merchant}/accounts/{dialect}/seal", name: "bindAccount",
            summary:
                "Seal an account as it stands, after somebody has changed it in the database and a person has looked "
                + "at it: it is served again.",
            group: "Accounts", scope: .accountsWrite, answer: .named("Account"), precondition: .ifMatch
        ) { call in
            let (merchant, _, plan) = try await call.account()
            let administration = try call.acting(changing: { reader in
                try reader.account(dialect: plan.dialect, merchant: merchant.id).map { call.view(of: $0, merchant) }
            })
            return try await call.answer(
                try await administration.bindAccount(of: merchant.id, dialect: plan.dialect), merchant)
        },
        Endpoint(
            method: .post, path: "/merchants/{merchant}/accounts/{dialect}/credentials/{credential}/rotate",
            name: "rotateCredential",
            summary: "Give an account a new password or key. The one before is accepted beside it until it is revoked.",
            group: "Accounts", scope: .accountsWrite,
            body: .object(
                .optional(
                    "value",
                    .text(
                        Schema.Text(
                            charactersMin: 1, charactersMax: 65_536, meaning: "What it is to be; made if left out.")))),
            answer: .named("Credentials"), precondition: .idempotencyKey
        ) { call in
            let (merchant, _, plan) = try await call.account()
            let made = try await call.administration.rotateCredential(
                call.path["credential"] ?? "", of: merchant, plan, call.house.tools, chosen: call.text("value"))
            return Answer(Self.view(of: made, merchant, plan))
        },
        Endpoint(
            method: .post, path: "/merchants/{merchant}/accounts/{dialect}/credentials/{credential}/revoke",
            name: "revokeCredential", summary: "Have a credential that was replaced accepted no more.",
            group: "Accounts",
            scope: .accountsWrite, answer: .object(.init("revoked", .choice(["replaced", "present"]))),
            precondition: .idempotencyKey
        ) { call in
            let (merchant, _, plan) = try await call.account()
            let revocation = try await call.administration.revokeCredential(
                call.path["credential"] ?? "", of: merchant, plan)
            return Answer(["revoked": revocation == .replaced ? "replaced" : "present"])
        },
        Endpoint(
            method: .post, path: "/merchants/{merchant}/accounts/{dialect}/webhook-secret/rotate",
            name: "rotateWebhookSecret",
            summary: "Give the account a new secret for webhooks. The one before signs beside it for a day.",
            group: "Accounts", scope: .webhooksWrite, answer: .object(.init("secret", AdminSchemas.anyText)),
            precondition: .idempotencyKey
        ) { call in
            let (merchant, _, plan) = try await call.account()
            let secrets = try await call.administration.rotateWebhookSecret(of: merchant.id, dialect: plan.dialect)
            return Answer(["secret": .string(secrets.current.reveal())])
        },
    ]

    static func view(of plan: AccountPlan) -> JSON {
        [
            "dialect": .string(plan.dialect.text), "title": .string(plan.title),
            "credentials": .array(
                plan.credentials.map { credential in
                    [
                        "name": .string(credential.name), "meaning": .string(credential.meaning),
                        "replaceable": .bool(credential.isReplaceable), "overlap": .bool(credential.hasOverlap),
                        "proof": .bool(credential.isProof),
                    ]
                }),
            "settings": .array(plan.settings.map(\.view)),
        ]
    }

    /// The credentials with the texts of files among them: there is no folder to write them to.
    private static func view(
        of made: AccountCredentials, _ merchant: Merchant, _ plan: AccountPlan
    ) -> JSONObject {
        var credentials = JSONObject()
        for entry in made.values { credentials[entry.name] = .string(entry.value) }
        for file in made.files { credentials[file.name] = .string(file.text) }
        var object = JSONObject()
        object["merchant"] = .string(merchant.name)
        object["dialect"] = .string(plan.dialect.text)
        object["credentials"] = .object(credentials)
        return object
    }
}

extension Call {
    /// The merchant and the account in the dialect that the path names.
    fileprivate func account() async throws -> (Merchant, MerchantAccount, AccountPlan) {
        let merchant = try await self.merchant()
        let plan = try self.house.plan(self.path["dialect"] ?? "")
        let found = try await self.administration.read { reader in
            try reader.account(dialect: plan.dialect, merchant: merchant.id)
        }
        guard let account = found else {
            throw Problem.notFound("account of \(merchant.name) in \(plan.dialect)")
        }
        return (merchant, account, plan)
    }

    func view(of account: MerchantAccount, _ merchant: Merchant) -> JSONObject {
        let plan = self.house.plans.first { $0.dialect == account.dialect }
        var object = account.view(merchant: merchant.name, plan)
        let secrets = plan?.secretNames ?? []
        object["settings"] = .object(JSONObject(texts: account.settings.filter { !secrets.contains($0.key) }))
        return object
    }

    /// With how its credentials are in use.
    fileprivate func view(of account: MerchantAccount, _ merchant: Merchant, _ uses: CredentialUses) -> JSONObject {
        let plan = self.house.plans.first { $0.dialect == account.dialect }
        var object = self.view(of: account, merchant)
        object["credentials"] = .array(account.credentials(plan, uses).map { .object($0.view) })
        return object
    }

    /// The account with its tag, which a use of its credentials leaves as it is: whoever is about to change the account
    /// has not been forestalled by its shop.
    fileprivate func answer(_ account: MerchantAccount, _ merchant: Merchant) async throws -> Answer {
        let uses = try await self.administration.read { try CredentialUses(of: merchant.id, in: $0) }
        return Answer(
            self.view(of: account, merchant, uses), tag: EntityTag(of: self.view(of: account, merchant)))
    }
}
