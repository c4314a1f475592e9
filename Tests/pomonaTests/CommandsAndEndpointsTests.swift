//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ArgumentParser
import Testing

@testable import AdminAPI
@testable import pomona

/// Everything that a command can do, the API can, and the reverse: the two side by side. A new one of either needs its
/// line here.
@Suite struct CommandsAndEndpointsTests {
    /// A command, and the operations of the API that do the same.
    static let pairs: [(command: String, endpoints: [String])] = [
        ("access create", ["createToken"]), ("access list", ["listTokens", "exportTokens"]),
        ("access revoke", ["revokeToken"]),
        ("account create", ["createAccount"]), ("account list", ["listAccounts", "getAccount", "listDialects"]),
        ("account rotate", ["rotateCredential"]), ("account revoke", ["revokeCredential"]),
        ("account settings", ["getAccount", "changeAccountSettings", "bindAccount"]),
        ("acquirer add", ["addAcquirer"]), ("acquirer list", ["listAcquirers", "getAcquirer"]),
        ("acquirer settings", ["changeAcquirer"]), ("acquirer check", ["checkAcquirer"]),
        ("acquirer do", ["commandAcquirer"]), ("acquirer suspend", ["suspendAcquirer"]),
        ("acquirer resume", ["resumeAcquirer"]), ("acquirer connectors", ["listConnectors"]),
        ("alarms list", ["listAlarms", "exportAlarms"]), ("alarms end", ["endAlarm"]),
        ("approval list", ["listApprovals", "exportApprovals"]), ("approval show", ["getApproval", "collectResult"]),
        ("approval approve", ["approve"]), ("approval reject", ["reject"]),
        ("approval policy", ["listApprovalPolicies", "getApprovalPolicy", "setApprovalPolicy"]),
        ("audit list", ["listAuditEntries", "exportAudit"]), ("audit verify", ["checkAuditLog"]),
        ("certificate request", ["createSigningRequest"]), ("certificate csr", ["getSigningRequest"]),
        ("certificate import", ["importCertificate"]), ("certificate activate", ["activateCertificate"]),
        ("certificate retire", ["retireCertificate"]),
        ("certificate list", ["listCertificates", "getCertificate", "listSigningRequests"]),
        ("doctor", ["listFindings", "checkDomain"]),
        ("domain add", ["addDomain"]), ("domain list", ["listDomains", "getDomain"]),
        ("domain remove", ["removeDomain"]),
        ("home", ["getHome"]), ("search", ["search"]),
        ("keys list", ["listDataKeys"]), ("keys rotate", ["rotateDataKey", "sweepDataKeys"]),
        ("ledger check", ["checkLedger"]),
        ("merchant create", ["createMerchant"]), ("merchant list", ["listMerchants", "exportMerchants"]),
        ("merchant show", ["getMerchant", "listMissingParts"]), ("merchant change", ["changeMerchant"]),
        ("merchant suspend", ["suspendMerchant"]), ("merchant resume", ["resumeMerchant"]),
        ("merchant close", ["closeMerchant"]), ("merchant registration", ["getAppleRegistration"]),
        ("merchant register", ["registerAtApple"]), ("merchant unregister", ["unregisterAtApple"]),
        ("merchant settings", ["getAccount", "changeAccountSettings", "bindAccount"]),
        // They stand in a setting of the account.
        ("merchant affiliates list", ["getAccount"]), ("merchant affiliates set", ["changeAccountSettings"]),
        ("merchant affiliates remove", ["changeAccountSettings"]),
        ("payments list", ["listPayments", "exportPayments"]), ("payments show", ["getPayment"]),
        ("payments capture", ["capturePayment"]), ("payments void", ["voidPayment"]),
        ("payments refund", ["refundPayment"]), ("payments resolve", ["resolveOperation"]),
        ("person add", ["createPerson"]), ("person list", ["listPeople", "getPerson", "exportPeople"]),
        ("person change", ["changePerson"]), ("person suspend", ["suspendOfPerson"]),
        ("person resume", ["resumeOfPerson"]), ("person remove", ["removePerson"]),
        (
            "person reset",
            ["resetPersonPassword", "resetSecondFactorOfPerson", "unlockOfPerson", "endSessionsOfPerson"]
        ),
        ("refusals list", ["listRefusals", "getRefusal", "exportRefusals"]),
        ("report transactions", ["listTransactions", "exportTransactions"]),
        ("report balances", ["listBalances", "exportBalances"]), ("report fees", ["listFees", "exportFees"]),
        ("report days", ["listDays", "getDay", "exportDays"]), ("report close", ["closeDay"]),
        ("report settlement import", ["importSettlement", "listMappings"]),
        ("report settlement list", ["listSettlements"]),
        ("report settlement show", ["getSettlement", "listSettlementItems", "listDifferences", "exportSettlement"]),
        ("report settlement resolve", ["resolveDifference"]),
        ("route list", ["getRoutes"]), ("route set", ["setRoutes"]), ("route remove", ["setRoutes"]),
        ("route test", ["testRoutes"]), ("setup", ["getSetup"]),
        ("webhooks list", ["listEvents", "getEvent", "getEventMessage", "exportEvents"]),
        ("webhooks resend", ["resendEvent", "resendDeadEvents"]),
        ("webhooks secret", ["rotateWebhookSecret"]),
    ]

    /// Commands that are no use over a network, and why.
    static let ofTheMachine: [(command: String, reason: String)] = [
        ("serve", "It is what answers."), ("sandbox", "It is what answers."),
        ("health", "It is a question to what answers."),
        ("demo", "It shows itself in a directory of its own."),
        ("acquirer serve", "It is a process of its own."),
        ("store migrate", "The API needs a store whose tables are up to date."),
        ("store copy", "It needs the places of two stores, and their passwords."),
        ("token mint", "It is a pretend wallet, for tests."),
        ("token inspect", "It reads a file, and no store."), ("token verify", "It reads a file, and no store."),
        ("token open", "What is in a token goes to nobody over a network."),
        ("certificate inspect", "It reads a file, and no store."),
        ("config init", "It writes a file for a start, and needs no store."),
        ("config explain", "It reads a file for a start, and this machine's environment."),
        ("config check", "It reads the files of a start."),
        ("metrics list", "It says what the program measures, and needs no store."),
        ("metrics rules", "It writes a file for Prometheus, and needs no store."),
        ("metrics dashboard", "It writes a file for Grafana, and needs no store."),
        ("upgrade check", "It is another version's than the one that answers."),
        ("support bundle", "It writes a file of what this machine has, for somebody to read."),
        ("webhooks listen", "It is a server for a developer's machine."),
    ]

    /// Operations that are no use as commands, and why.
    static let ofTheNetwork: [(endpoint: String, reason: String)] = [
        ("describeSignIn", "Sign-in."), ("signIn", "Sign-in."), ("signInWithCode", "Sign-in."),
        ("beginSecondFactor", "Sign-in."), ("beginSecondFactorReplacement", "Sign-in."),
        ("confirmSecondFactor", "Sign-in."), ("chooseNewPassword", "Sign-in."),
        ("acceptInvitation", "Sign-in."), ("getSession", "Sign-in."), ("signOut", "Sign-in."),
        ("listOwnSessions", "The caller's own."), ("endOtherSessions", "The caller's own."),
        ("endOwnSession", "The caller's own."), ("changeOwnPassword", "The caller's own."),
        ("renewRecoveryCodes", "The caller's own."), ("removeOwnSecondFactor", "The caller's own."),
        ("getCaller", "Whoever is at the machine may do everything."),
        ("withdraw", "Whoever is at the machine asks nobody: --override."),
        ("getCatalog", "What forms are made from."),
        ("listProblems", "What answers over a network are refused as."),
        ("streamEvents", "For pages that stand open."),
        ("listPersonSessions", "For a page; the command ends them all: person reset --sessions."),
    ]

    private static let commands = Set(
        CliHelpTests.commands.filter { $0.type.configuration.subcommands.isEmpty }
            .map { $0.words.joined(separator: " ") })

    private static let endpoints = Set(AdminEndpoints.all.map(\.name))

    @Test func everyCommandHasItsEndpoint() {
        let paired = Set(Self.pairs.map(\.command))
        let excepted = Set(Self.ofTheMachine.map(\.command))
        #expect(Self.commands.subtracting(paired).subtracting(excepted).sorted() == [])
        #expect(paired.union(excepted).subtracting(Self.commands).sorted() == [], "there are no such commands")
        #expect(paired.isDisjoint(with: excepted))
        #expect(Self.pairs.count == paired.count && Self.ofTheMachine.count == excepted.count)
        #expect(Self.pairs.allSatisfy { !$0.endpoints.isEmpty })
    }

    @Test func everyEndpointHasItsCommand() {
        let paired = Set(Self.pairs.flatMap(\.endpoints))
        let excepted = Set(Self.ofTheNetwork.map(\.endpoint))
        #expect(Self.endpoints.subtracting(paired).subtracting(excepted).sorted() == [])
        #expect(paired.union(excepted).subtracting(Self.endpoints).sorted() == [], "there are no such endpoints")
        #expect(paired.isDisjoint(with: excepted) && Self.ofTheNetwork.count == excepted.count)
    }
}
