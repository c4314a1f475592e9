//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
public import Payments
public import StrictJSON
public import Time

extension Home {
    /// As the API answers it.
    ///
    /// - Parameters:
    ///   - ofOne: whether it is one merchant's: then what waits is counted up to a bound.
    ///   - waitingApprovalsCount: what ``Administration/waitingApprovalsCount(of:)`` says.
    public func view(ofOne: Bool, waitingApprovalsCount: Int) -> JSONObject {
        var object = JSONObject()
        object["at"] = .string(self.at.description)
        object["window"] = [
            "from": .string(self.window.from.description), "to": .string(self.window.to.description),
            "bucket": .string(self.window.bucket.rawValue), "timeZone": .string(self.window.zone.name),
            "movements": JSON(self.movementsCount), "refusals": JSON(self.refusals.count), "cut": .bool(self.isCut),
        ]
        object["buckets"] = .array(self.window.starts.indices.map(self.bucketView))
        object["totals"] = Self.volumes(self.total)
        object["networks"] = .array(
            self.total.networks.sorted { $0.key.rawValue < $1.key.rawValue }.map { network, answers in
                .object(Self.answers(answers, JSONObject([(name: "network", value: .string(network.rawValue))])))
            })
        object["declines"] = self.declines
        object["refusals"] = self.refusalsView
        object["latencies"] = Self.latencies(self.total)
        object["work"] = self.work.view(isBounded: ofOne)
        object["certificates"] = .array(self.certificates.map { .object(self.view(of: $0.credential, $0.merchant)) })
        object["alarms"] = .array(self.alarms.map { .object($0.view) })
        object["approvals"] = ["waiting": JSON(waitingApprovalsCount)]
        return object
    }

    private func bucketView(_ index: Int) -> JSON {
        var object = JSONObject()
        object["from"] = .string(self.window.starts[index].description)
        object["to"] = .string(self.window.end(of: index).description)
        let counts = self.buckets[index]
        object["read"] = .bool(counts != nil)
        object["currencies"] = Self.volumes(counts ?? HomeCounts())
        object = Self.answers((counts ?? HomeCounts()).answers, object)
        // What was read of a bucket in part is no count of it.
        let isCounted = self.refusals.readSince.map { $0 < self.window.starts[index] } ?? true
        object["refused"] = isCounted ? JSON(self.refusals.byBucket[index]) : .null
        object["latencies"] = Self.latencies(counts ?? HomeCounts())
        return .object(object)
    }

    private static func volumes(_ counts: HomeCounts) -> JSON {
        .array(
            counts.volumes.sorted { $0.key.code < $1.key.code }.map { currency, volume in
                func sum(_ sum: HomeSum) -> JSON {
                    [
                        "count": JSON(sum.count),
                        "amount": .string(Money(minorUnits: sum.minorUnits, currency: currency).decimalText),
                    ]
                }
                return [
                    "currency": .string(currency.code), "authorized": sum(volume.authorized),
                    "captured": sum(volume.captured), "refunded": sum(volume.refunded),
                    "chargedBack": sum(volume.chargedBack),
                ]
            })
    }

    private static func answers(_ answers: HomeAnswers, _ object: JSONObject) -> JSONObject {
        var object = object
        object["approved"] = JSON(answers.approved)
        object["declined"] = JSON(answers.declined)
        object["failed"] = JSON(answers.failed)
        return object
    }

    private static func latencies(_ counts: HomeCounts) -> JSON {
        .array(
            counts.latencies.map { kind, latency in
                [
                    "operation": .string(kind.rawValue), "count": JSON(latency.count), "p50": JSON(latency.p50),
                    "p95": JSON(latency.p95), "p99": JSON(latency.p99),
                ]
            })
    }

    private var declines: JSON {
        .array(
            self.total.declines.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { reason, count in
                [
                    "reason": .string(reason), "count": JSON(count),
                    "byBucket": .array(self.buckets.map { JSON($0?.declines[reason] ?? 0) }),
                ]
            })
    }

    private var refusalsView: JSON {
        .array(
            self.refusals.codes.sorted { ($1.value.total, $0.key.code) < ($0.value.total, $1.key.code) }.map {
                code, count in
                [
                    "code": .string(code.code), "stage": .string(code.stage.rawValue), "count": JSON(count.total),
                    "byBucket": .array(count.byBucket.map { JSON($0) }), "lastAt": .string(count.lastAt.description),
                ]
            })
    }

    private func view(of credential: AppleCredential, _ merchant: Merchant) -> JSONObject {
        var object = JSONObject()
        object["merchant"] = .string(merchant.name)
        object["id"] = .string(credential.id)
        object["purpose"] = .string(credential.purpose.name)
        object["merchantIdentifier"] = .string(credential.merchantIdentifier)
        object["state"] = .string(credential.stateName(at: self.at))
        object["notAfter"] = .string(orNull: credential.notAfter?.rfc3339Seconds)
        object["daysLeft"] = credential.daysLeft(at: self.at).map { JSON($0) } ?? .null
        return object
    }
}

extension HomeWork {
    fileprivate func view(isBounded: Bool) -> JSON {
        func count(_ count: Int) -> JSON {
            ["count": JSON(count), "atLeast": .bool(isBounded && count >= Self.countMax)]
        }
        return [
            "unknownOperations": count(self.unknownOperations), "pendingEvents": count(self.pendingEvents),
            "deadEvents": count(self.deadEvents),
        ]
    }
}

extension AppleCredential {
    /// Whole days until its end, negative after it; `nil` while there is no certificate.
    public func daysLeft(at now: Timestamp) -> Int64? {
        self.notAfter.map { end in
            let milliseconds = end.milliseconds(since: now)
            // Downwards, so that a certificate that ended an hour ago has no day left, but -1.
            return milliseconds >= 0 ? milliseconds / 86_400_000 : -((-milliseconds + 86_399_999) / 86_400_000)
        }
    }
}
