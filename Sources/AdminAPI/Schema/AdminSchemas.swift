//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Countries
import Money
import Payments

/// What is shown, by the names that the OpenAPI document gives it. Tests hold every answer against these.
enum AdminSchemas {
    static let named: [String: Schema] = [
        "Problem": Self.problem, "Merchant": Self.merchant, "MissingPart": Self.missingPart, "Account": Self.account,
        "Credentials": Self.credentials, "AcquirerAccount": Self.acquirerAccount, "Route": Self.route,
        "Certificate": Self.certificate, "PaymentSummary": Self.paymentSummary, "Payment": Self.payment,
        "Operation": Self.operation, "PossibleActs": Self.possibleActs, "JournalEntry": Self.journalEntry,
        "Event": Self.event, "AuditEntry": Self.auditEntry, "Finding": Self.finding, "Token": Self.token,
        "SearchHit": Self.searchHit, "TimelineEntry": Self.timelineEntry,
        "TokenProof": Self.tokenProof, "SettlementFile": Self.settlementFile, "SettlementItem": Self.settlementItem,
        "Delivery": Self.delivery, "EventMessage": Self.eventMessage, "Person": Self.person,
        "OwnPerson": Self.ownPerson,
        "Session": Self.session,
        "Approval": Self.approval, "AskedApproval": Self.askedApproval, "ApprovalPolicy": Self.approvalPolicy,
        "AppleRegistration": Self.appleRegistration, "Domain": Self.domain,
        "Currency": .choice(Currency.all.map(\.code).sorted(), "ISO 4217."),
        "Country": .choice(Country.alpha2Codes.sorted(), "ISO 3166-1 alpha-2."),
    ].merging(Self.reports) { one, _ in one }.merging(Self.choices) { one, _ in one }

    static let mode = Schema.choice(["live", "sandbox"], "Whether its money is real. It never changes.")
    static let anyText = Schema.text(Schema.Text(charactersMax: 65_536))

    /// What is answered while it is made, of any length.
    static let streamText = Schema.text(Schema.Text(charactersMax: Int(Int32.max)))

    /// A page of a list.
    static func page(of name: String) -> Schema {
        .object(
            Schema.Field("data", .list(.named(name), max: 1000)),
            Schema.Field("next", .nullable(Self.anyText)))
    }

    /// A list that is never long.
    static func list(of name: String) -> Schema {
        .object(Schema.Field("data", .list(.named(name), max: 10_000)))
    }

    private static let problem = Schema.object(
        Schema.Object(
            [
                .init("type", anyText), .init("title", anyText), .init("status", .integer(400...599)),
                .init("code", anyText), .init("detail", anyText),
                .optional(
                    "errors",
                    .list(.object(.init("pointer", anyText), .init("detail", anyText)), max: 1000)),
                .optional("refusal", anyText), .optional("possible", .named("PossibleActs")),
                .optional("limit", .object(.init("amount", anyText), .init("currency", anyText))),
            ], "RFC 9457. Programs go by code."))

    private static let merchant = Schema.object(
        .init("id", anyText), .init("name", anyText), .init("displayName", anyText), .init("mode", mode),
        .init("countryCode", anyText), .init("timeZone", anyText),
        .init("state", .choice(Merchant.State.allCases.map(\.rawValue))))

    private static let missingPart = Schema.object(
        .init("part", anyText), .init("text", anyText), .optional("forWeb", .flag()))

    private static let account = Schema.object(
        .init("merchant", anyText), .init("dialect", anyText),
        .init("account", anyText), .init("settings", .texts(max: 200, "Secrets are not among them.")),
        .init("overlapping", .list(anyText, max: 50, "Credentials that were replaced and are still accepted.")),
        .init("credentials", .list(credentialState, max: 50)))

    /// Those by which requests are proved.
    private static let credentialState = Schema.object(
        .init("name", anyText), .init("replacedStillAccepted", .flag("Whether the one before is accepted, too.")),
        .init("lastUsed", .nullable(credentialUse)),
        .init("previousLastUsed", .nullable(credentialUse)))

    private static let credentialUse = Schema.object(
        .init("at", .moment("To about ten minutes.")),
        .init("from", .nullable(.line(64, "The caller's address; `null` for a customer's device."))),
        .init("client", .nullable(.line(200, "The caller's User-Agent, without control characters, cut."))))

    private static let credentials = Schema.object(
        .init("merchant", anyText), .init("dialect", anyText),
        .init("credentials", .texts(max: 50, "Shown this once. Keys and certificates are PEM.")))

    private static let acquirerAccount = Schema.object(
        .init("id", anyText), .init("merchant", anyText), .init("name", anyText), .init("connector", anyText),
        .init("mode", mode), .init("state", .choice(AcquirerAccount.State.allCases.map(\.rawValue))),
        .init("acceptor", .texts(max: 50)), .init("settings", .texts(max: 200)),
        .init("secrets", .list(anyText, max: 50, "The names of those that are set.")))

    static let route = Schema.object(
        .init("number", .integer(1...1000)), .init("acquirer", .name("An acquirer account of the merchant's.")),
        .optional("dialect", .line(32)), .optional("network", .choice(CardNetwork.allCases.map(\.rawValue))),
        .optional("currency", .currency), .optional("from", .amount()), .optional("to", .amount()))

    private static let certificate = Schema.object(
        .init("merchant", anyText), .init("mode", mode),
        .init("purpose", .choice(["payment-processing", "merchant-identity"])), .init("merchantIdentifier", anyText),
        .init(
            "state",
            .choice(
                ["requested", "imported", "active", "expired", "retired"],
                "expired: in use, after its end; a payment-processing key opens tokens until it is retired.")),
        .init("notAfter", .nullable(.moment())), .init("keyAlgorithm", .nullable(anyText)),
        .init("publicKeyHash", .nullable(anyText)), .init("id", anyText), .init("createdAt", .moment()),
        .init("daysLeft", .nullable(.integer(Int64.min...Int64.max))),
        .init("firstUsedAt", .nullable(.moment("When a token was first opened with it."))),
        .init("lastUsedAt", .nullable(.moment("When one was last, to about a minute."))),
        .init("mayRetire", .flag("Whether a newer one does its work, and no token has come for it for some days.")),
        .init("next", .choice(CertificateStep.allCases.map(\.rawValue), "What is to be done with it.")))

    private static let summaryFields: [Schema.Field] = [
        .init("id", anyText), .init("merchant", anyText), .init("mode", mode), .init("dialect", anyText),
        .init("acquirer", anyText), .init("account", anyText), .init("order", .nullable(anyText)),
        .init("orderReference", .nullable(anyText)),
        .init("state", .choice(PaymentState.allCases.map(\.rawValue))),
        .init("beingReversed", .flag("Whether an operation is being taken back, and that is not acknowledged yet.")),
        .init("amount", anyText), .init("currency", anyText),
        .init("authorized", .line(32, "What was last authorized, also once it has been captured or taken back.")),
        .init("captured", anyText),
        .init("refunded", anyText),
        .init("chargedBack", .line(32, "What the cardholder's bank has taken back, and not given up since.")),
        .init("card", Self.card),
        .init("createdAt", .moment()), .init("version", .integer(1...Int64(Int32.max))),
    ]

    static let card = Schema.object(
        .init("accountNumber", anyText), .init("network", anyText), .init("expires", anyText),
        .init("eci", .nullable(anyText)), .init("displayName", .nullable(anyText)))

    private static let paymentSummary = Schema.object(Schema.Object(Self.summaryFields))

    private static let payment = Schema.object(
        Schema.Object(
            Self.summaryFields + [
                .init("operations", .list(.named("Operation"), max: 10_000)),
                .init("timeline", .list(.named("TimelineEntry"), max: 100_000)),
                .init("proof", .nullable(.named("TokenProof"))),
                .init("journal", .list(.named("JournalEntry"), max: 10_000)),
                .init("notifications", .list(.named("Event"), max: 10_000)),
                .init("possible", .named("PossibleActs")),
                .init("approvals", .list(Self.waitingApproval, max: 1000, "Acts on it that wait for a second person.")),
                .init(
                    "decidedApprovals",
                    .list(
                        Self.decidedApproval, max: 1000, "Those that were decided, or that nobody has decided in time.")
                ),
            ]))

    private static let operation = Schema.object(
        .init("id", anyText), .init("kind", .choice(Operation.Kind.allCases.map(\.rawValue))),
        .init("state", .choice(Operation.State.names)), .init("amount", anyText),
        .init("target", .nullable(.line(64, "The operation that it follows or takes back, where it names one."))),
        .optional("beingReversedBy", .line(64, "The reversal that takes it back, until that is acknowledged.")),
        .init("approvedAmount", .nullable(anyText)), .optional("failure", anyText), .optional("unknownReason", anyText),
        .init("acquirerReference", .nullable(anyText)), .init("authorizationCode", .nullable(anyText)),
        .init("responseCode", .nullable(anyText)), .optional("vendorCode", anyText), .optional("vendorText", anyText),
        .optional("merchantAdviceCode", anyText), .optional("eci", anyText), .optional("stan", anyText),
        .optional("addressCheck", anyText), .optional("securityCodeCheck", anyText),
        .optional("networkReference", anyText),
        .optional("paymentAccountReference", anyText), .optional("reconciliationId", anyText),
        .optional("acquirerReferenceNumber", anyText), .optional("processor", anyText),
        .optional("authorizationExpiresAt", .moment("Until when the acquirer holds what nobody captures.")),
        .init("reference", .nullable(anyText)),
        .optional("queries", .integer(1...Int64(Int32.max), "How often the acquirer was asked what became of it.")),
        .init("begunAt", .moment()), .init("resolvedAt", .nullable(.moment())),
        .init("milliseconds", .nullable(.integer(0...Int64.max, "From its beginning to its known end."))))

    /// What can be done to a payment now: bounds, or the rule that refuses it.
    private static let possibleActs = Schema.object(
        .init(
            "capture",
            possible([
                .optional("upTo", anyText), .optional("inParts", .flag()),
                .optional("mayBeFinal", .flag("Whether the rest may be given back with it.")),
            ])),
        .init(
            "void",
            possible([
                .optional("operation", anyText), .optional("sale", .flag()), .optional("amount", anyText),
            ])),
        .init(
            "refund",
            possible([
                .optional("upTo", anyText), .optional("inParts", .flag()), .optional("total", anyText),
                .optional(
                    "captures",
                    .list(.object(.init("capture", anyText), .init("left", anyText)), max: 10_000)),
            ])))

    /// - Parameter bounds: what an act can take; the first is always there where it is possible.
    private static func possible(_ bounds: [Schema.Field]) -> Schema {
        .object(
            Schema.Object(
                bounds + [.optional("refused", .line(64, "The rule that refuses it, or notOffered."))],
                oneOf: [bounds[0].name, "refused"]))
    }

    private static let journalEntry = Schema.object(
        .init("id", anyText), .init("kind", anyText), .init("bookedAt", .moment()),
        .init(
            "postings",
            .list(
                .object(
                    .init("account", anyText), .init("layer", .choice(["pending", "posted"])),
                    .init("side", .choice(["debit", "credit"])), .init("amount", anyText), .init("currency", anyText)),
                max: 100)))

    private static let event = Schema.object(
        .init("id", anyText), .init("createdAt", .moment()), .init("merchant", anyText), .init("payment", anyText),
        .init("operation", anyText), .init("dialect", anyText), .init("kind", anyText),
        .init("state", .choice(OutboxEvent.State.allCases.map(\.rawValue))), .init("attempts", .integer(0...1_000_000)),
        .init("lastResult", .nullable(anyText)), .init("host", .nullable(anyText)),
        .init("nextAttemptAt", .nullable(.moment("Of a pending one: when it is tried next."))),
        .init("waitsFor", .nullable(.line(64, "The pending webhook of the same payment that goes first."))),
        .optional("deliveries", .list(.named("Delivery"), max: 10_000)))

    private static let auditEntry = Schema.object(
        .init("number", .integer(1...Int64.max)), .init("at", .moment()), .init("actor", anyText),
        .init("act", anyText),
        .init("subject", anyText), .init("details", .texts(max: 100)), .init("digest", anyText))

    private static let finding = Schema.object(
        .init("area", anyText), .init("code", anyText),
        .init("severity", .choice(Finding.Severity.allCases.map(\.rawValue))),
        .optional("merchant", anyText), .optional("subject", anyText), .init("text", anyText), .init("reason", anyText),
        .optional("advice", anyText))

    private static let token = Schema.object(
        .init("id", anyText), .init("name", anyText), .init("scopes", .list(anyText, max: 50)),
        .init("merchants", .nullable(.list(anyText, max: 10_000, "Their ids."))), .init("sandboxOnly", .flag()),
        .init("madeBy", anyText), .init("createdAt", .moment()), .init("endsAt", .moment()),
        .init("revokedAt", .nullable(.moment())), .init("lastUsedAt", .nullable(.moment())))
}
