//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import HTTPTypes
import Payments
import StrictJSON
import Time

extension AdminEndpoints {
    /// How many values one call seals anew at least, where there are so many.
    private static let resealedCountMin = 1000

    static let dataKeys: [Endpoint] = [
        Endpoint(
            method: .get, path: "/data-keys", name: "listDataKeys",
            summary: "The keys under which secrets are sealed, and how far a rotation has come; never the keys.",
            group: "System", scope: .systemRead,
            answer: .object(
                .init(
                    "data",
                    .list(
                        .object(
                            .init("id", AdminSchemas.anyText), .init("createdAt", .moment()),
                            .init(
                                "sealed",
                                .integer(0...Int64(DataKeyStatus.sealedCountMax), "Counted up to this many.")),
                            .init("current", .flag())), max: 10_000)),
                .init(
                    "waiting",
                    .integer(
                        0...Int64.max,
                        "How many values are sealed under keys that seal no more, each counted up to its maximum.")))
        ) { call in
            try call.checkSeesAll()
            let keys = try await call.administration.read { try DataKeyStatus.all(in: $0) }
            return Answer([
                "data": .array(
                    keys.map { key in
                        [
                            "id": .string(key.id), "createdAt": .string(key.createdAt.description),
                            "sealed": JSON(key.sealedCount), "current": .bool(key.isCurrent),
                        ]
                    }),
                "waiting": JSON(keys.filter { !$0.isCurrent }.reduce(0) { $0 + $1.sealedCount }),
            ])
        },
        Endpoint(
            method: .post, path: "/data-keys", name: "rotateDataKey",
            summary: "Make a new data key, which seals from now on. What is sealed already waits for the sweep.",
            group: "System", scope: .systemWrite, status: .created, answer: .object(.init("id", AdminSchemas.anyText)),
            precondition: .idempotencyKey
        ) { call in
            try call.checkChangesHouse()
            return Answer(["id": .string(try await call.administration.rotateDataKey())])
        },
        Endpoint(
            method: .post, path: "/data-keys/sweep", name: "sweepDataKeys",
            summary:
                "Seal a part of what is sealed under old keys anew, and delete old keys that nothing needs any more. "
                + "Again, with a new key of its own, until it is `finished`.",
            group: "System", scope: .systemWrite,
            answer: .object(
                .init("resealed", .integer(0...Int64.max, "How many values this call has sealed anew.")),
                .init("damaged", .integer(0...Int64.max, "How many do not open; the key they name stays.")),
                .init("retired", .list(AdminSchemas.anyText, max: 10_000, "The ids of keys that are gone.")),
                .init(
                    "stillNeeded", .list(AdminSchemas.anyText, max: 10_000, "The ids of keys with values under them.")),
                .init(
                    "waitsUntil", .nullable(.moment("Until then an old key stays, for gateways that know no other."))),
                .init("finished", .flag("Whether one key is left."))),
            precondition: .idempotencyKey
        ) { call in
            try call.checkChangesHouse()
            return try await call.sweepDataKeys(resealedCountMin: Self.resealedCountMin)
        },
    ]
}

extension Call {
    fileprivate func sweepDataKeys(resealedCountMin: Int) async throws -> Answer {
        let administration = self.administration
        var sweep = administration.sweepKeys()
        while sweep.resealedCount < resealedCountMin, try await sweep.step() {}
        let retirement = try await administration.retireDataKeys(graceSeconds: DataKeyRetirement.graceSeconds)
        let left = try await administration.read { try $0.dataKeys().count }
        return Answer([
            "resealed": JSON(sweep.resealedCount), "damaged": JSON(sweep.damagedCounts.values.reduce(0, +)),
            "retired": .array(retirement.retired.map { .string($0) }),
            "stillNeeded": .array(retirement.stillNeeded.map { .string($0) }),
            "waitsUntil": .string(orNull: retirement.waitsUntil?.description), "finished": .bool(left == 1),
        ])
    }
}
