//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Payments

/// What there is to choose from.
extension AdminSchemas {
    static let choices: [String: Schema] = [
        "Catalog": Self.catalog, "DialectPlan": Self.dialectPlan, "ConnectorPlan": Self.connectorPlan,
        "Setting": Self.setting, "Secret": Self.secret, "ProblemKind": Self.problemKind,
    ]

    private static let texts = Schema.list(anyText, max: 1000)

    private static let setting = Schema.object(
        .init("name", anyText), .init("meaning", anyText), .init("required", .flag()),
        .init("document", .flag("Whether it is a text of several lines, such as a certificate.")))

    private static let secret = Schema.object(
        .init("name", anyText), .init("meaning", anyText), .init("required", .flag()),
        .init(
            "alternative",
            .nullable(
                .text(
                    Schema.Text(
                        meaning: "Of secrets with different ones, an account needs those of one alone.")))),
        .init("document", .flag()))

    private static let dialectPlan = Schema.object(
        .init("dialect", anyText), .init("title", anyText),
        .init(
            "credentials",
            .list(
                .object(
                    .init("name", anyText), .init("meaning", anyText), .init("replaceable", .flag()),
                    .init("overlap", .flag("Whether the one before can be accepted for a while.")),
                    .init("proof", .flag("Whether requests are proved by it."))), max: 50)),
        .init("settings", .list(.named("Setting"), max: 200)))

    private static let connectorPlan = Schema.object(
        .init("connector", anyText), .init("settings", .list(.named("Setting"), max: 200)),
        .init("secrets", .list(.named("Secret"), max: 50)),
        .init(
            "commands",
            .list(
                .object(.init("name", anyText), .init("meaning", anyText), .init("dangerous", .flag())), max: 50)),
        .init("acceptor", .list(.named("Setting"), max: 50)))

    private static let catalog = Schema.object(
        .init("dialects", .list(.named("DialectPlan"), max: 100)),
        .init("connectors", .list(.named("ConnectorPlan"), max: 100)), .init("countries", texts),
        .init(
            "currencies",
            .list(.object(.init("code", .currency), .init("digits", .integer(0...4))), max: 1000)),
        .init(
            "roles",
            .list(
                .object(.init("role", role), .init("sandboxOnly", .flag()), .init("scopes", texts)), max: 50)),
        .init(
            "signInProviders",
            .list(.object(.init("name", anyText), .init("label", anyText), .init("issuer", anyText)), max: 100)),
        .init("scopes", texts), .init("timeZones", texts), .init("networks", texts), .init("paymentStates", texts),
        .init("operationKinds", texts), .init("eventKinds", texts), .init("eventStates", texts),
        .init("refusalStages", texts), .init("declineReasons", texts), .init("settlementVerdicts", texts),
        .init("settlementDecisions", texts), .init("settlementMappings", texts))

    private static let problemKind = Schema.object(
        .init("code", anyText), .init("title", anyText), .init("status", .integer(400...599)),
        .init("advice", anyText))
}
