//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

extension AdminSchemas {
    private static let milliseconds = Schema.nullable(.integer(0...Int64.max))

    static let timelineEntry = Schema.object(
        .init("at", .moment()), .init("endedAt", .nullable(.moment())), .init("milliseconds", milliseconds),
        .init("type", .choice(["token", "operation", "query", "webhook"])), .init("id", anyText),
        .init("kind", anyText), .init("state", .nullable(anyText)), .init("amount", .nullable(anyText)),
        .init("facts", .texts(max: 20)))

    static let tokenProof = Schema.object(
        .init("verifiedAt", .moment()), .init("version", .nullable(anyText)),
        .init("publicKeyHash", .nullable(anyText)), .init("merchantIdentifier", .nullable(anyText)),
        .init("keyNotAfter", .nullable(.moment())), .init("transactionId", .nullable(anyText)),
        .init("signedAt", .nullable(.moment())),
        .init("leafDigest", .nullable(anyText)), .init("intermediateDigest", .nullable(anyText)),
        .init("anchor", .nullable(anyText)),
        .init("checks", .list(anyText, max: 100, "The steps that the token has passed, in their order.")))

    static let delivery = Schema.object(
        .init("message", .integer(0...1000)), .init("attempt", .integer(0...1_000_000)), .init("at", .moment()),
        .init("milliseconds", milliseconds), .init("result", anyText))

    static let eventMessage = Schema.object(
        .init("message", .integer(0...1000, "Which of the event's messages, from 0.")),
        .init("messages", .integer(1...1000, "How many messages the event has.")), .init("method", anyText),
        .init("url", .text(Schema.Text(charactersMax: 4096, meaning: "Without path and query."))),
        .init(
            "headers",
            .list(
                .object(.init("name", anyText), .init("value", anyText)), max: 100,
                "What proves who sends it is …(hidden).")),
        .init("body", .text(Schema.Text(charactersMax: 1 << 20, meaning: "Written for people, line by line."))))

    static let settlementFile = Schema.object(
        .init("id", anyText), .init("merchant", anyText), .init("acquirer", anyText), .init("name", anyText),
        .init("mapping", anyText), .init("lines", .integer(0...Int64.max)), .init("from", .moment()),
        .init("to", .moment()), .init("importedAt", .moment()), .init("importedBy", anyText),
        .init(
            "incomplete",
            .nullable(
                .object(
                    .init("bookedLines", .integer(0...Int64.max, "How many lines all parts have that are booked.")),
                    .init("lines", .integer(0...Int64.max, "How many there are to book."))))),
        .optional("counts", .named("VerdictCounts")),
        .optional("open", .integer(0...Int64.max, "Differences that nobody has resolved.")))

    static let settlementItem = Schema.object(
        .init("item", anyText), .init("number", .integer(1...Int64.max)), .init("date", anyText),
        .init("kind", anyText), .init("reference", anyText), .init("amount", anyText), .init("currency", anyText),
        .init("fee", anyText), .init("verdict", anyText), .init("ledgerAmount", anyText), .init("difference", anyText),
        .init("payment", anyText), .init("operation", anyText), .init("resolution", anyText), .init("reason", anyText),
        .init("resolvedAt", anyText), .init("resolvedBy", anyText))
}
