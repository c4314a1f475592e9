//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration

extension AdminSchemas {
    private static let count = Schema.integer(0...Int64.max)
    private static let sum = Schema.object(.init("count", count), .init("amount", anyText))
    private static let volumes = Schema.list(
        .object(
            .init("currency", anyText), .init("authorized", sum), .init("captured", sum), .init("refunded", sum),
            .init("chargedBack", sum)), max: 200)
    private static let latencies = Schema.list(
        .object(
            .init("operation", anyText), .init("count", count), .init("p50", count), .init("p95", count),
            .init("p99", count)), max: 50, "From an operation's beginning to its known end, in milliseconds.")
    private static let open = Schema.object(
        .init("count", count), .init("atLeast", .flag("Whether there are more than were counted.")))

    static let home = Schema.object(
        .init("at", .moment()),
        .init(
            "window",
            .object(
                .init("from", .moment()), .init("to", .moment()),
                .init("bucket", .choice(HomeWindow.Bucket.allCases.map(\.rawValue))), .init("timeZone", anyText),
                .init("movements", count), .init("refusals", count),
                .init("cut", .flag("Whether more has happened than is counted: the oldest buckets are not read.")))),
        .init(
            "buckets",
            .list(
                .object(
                    .init("from", .moment()), .init("to", .moment()), .init("read", .flag()),
                    .init("currencies", volumes), .init("approved", count), .init("declined", count),
                    .init("failed", count), .init("refused", .nullable(count)), .init("latencies", latencies)),
                max: 200, "Oldest first, all of the window.")),
        .init("totals", volumes),
        .init(
            "networks",
            .list(
                .object(
                    .init("network", anyText), .init("approved", count), .init("declined", count),
                    .init("failed", count)), max: 100)),
        .init(
            "declines",
            .list(
                .object(.init("reason", anyText), .init("count", count), .init("byBucket", .list(count, max: 200))),
                max: 200)),
        .init(
            "refusals",
            .list(
                .object(
                    .init("code", anyText), .init("stage", anyText), .init("count", count),
                    .init("byBucket", .list(count, max: 200)), .init("lastAt", .moment())), max: 10_000)),
        .init("latencies", latencies),
        .init(
            "work", .object(.init("unknownOperations", open), .init("pendingEvents", open), .init("deadEvents", open))),
        .init(
            "certificates",
            .list(
                .object(
                    .init("merchant", anyText), .init("id", anyText), .init("purpose", anyText),
                    .init("merchantIdentifier", anyText), .init("state", anyText),
                    .init("notAfter", .nullable(.moment())),
                    .init("daysLeft", .nullable(.integer(Int64.min...Int64.max)))), max: 100_000)),
        .init("alarms", .list(.named("Alarm"), max: 10_000)),
        .init("approvals", .nullable(.object(.init("waiting", count)))))

    static let searchHit = Schema.object(
        .init("type", .choice(SearchHit.Kind.allCases.map(\.rawValue))), .init("id", anyText),
        .init("matched", .choice(SearchHit.Match.allCases.map(\.rawValue))), .init("merchant", .nullable(anyText)),
        .init("title", anyText), .init("detail", anyText), .init("at", .nullable(.moment())),
        .init("link", .text(Schema.Text(charactersMax: 1024, meaning: "Where the portal shows it."))))
}
