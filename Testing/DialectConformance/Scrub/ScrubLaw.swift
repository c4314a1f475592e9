//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import HTTPTypes
import Metrics
import Payments
import TestGateway

/// Something secret is shown, or the search for it does not work.
public struct SecretShown: Error, Sendable, CustomStringConvertible {
    public let description: String
}

extension DialectConformance {
    /// Plays every scene with the log at trace level, and searches all that can be seen of it: log lines, metrics'
    /// labels, answers (but those that the driver declares), notifications, descriptions, and every stored record.
    /// - Throws: ``SecretShown``.
    public func checkScrub() async throws {
        let metrics = CapturedMetrics()
        var leaks: Set<String> = []
        var (linesCount, storedCount, answersCount, notificationsCount) = (0, 0, 0, 0)
        try await withMetricsFactory(metrics) {
            for (name, scene) in self.numberedScenes {
                let shop = try await DialectShop.open(self.driver)
                try await scene.run(shop)
                if self.driver.has(.notifications) { try await shop.deliverAll() }
                let scanner = try SecretScanner(shop.test.jar.secrets)
                try Self.checkScanner(scanner, shop.test.jar.secrets)
                let seen = try await self.seen(at: shop)
                for (place, bytes) in seen {
                    for leak in scanner.leaks(in: bytes) { leaks.insert("\(leak) in \(place) of \(name)") }
                }
                for label in metrics.labels {
                    for leak in scanner.leaks(in: Array(label.utf8)) { leaks.insert("\(leak) in a metric of \(name)") }
                }
                linesCount += seen.count { $0.0 == "the log" }
                storedCount += seen.count { $0.0 == "the store" }
                answersCount += seen.count { $0.0 == "an answer" }
                notificationsCount += seen.count { $0.0 == "a notification" }
            }
        }
        guard leaks.isEmpty else { throw SecretShown(description: leaks.sorted().joined(separator: "; ")) }
        // A search of nothing finds nothing.
        guard linesCount > 0, storedCount > 0, answersCount > 0, !metrics.labels.isEmpty,
            notificationsCount > 0 || !self.driver.has(.notifications)
        else {
            throw SecretShown(
                description: "nothing to search: \(linesCount) log lines, \(storedCount) stored values, "
                    + "\(answersCount) answers, \(notificationsCount) notifications, \(metrics.labels.count) metrics")
        }
    }

    /// Everything that can be seen of a shop, and where.
    private func seen(at shop: DialectShop) async throws -> [(String, [UInt8])] {
        var seen: [(String, [UInt8])] = shop.test.log.lines.map { ("the log", Array($0.utf8)) }
        for exchange in shop.exchanges.all {
            switch exchange {
            case .call(let request, let response):
                guard !self.driver.discloses(request) else { continue }
                seen.append(("an answer", response.body))
                seen += response.headers.map { ("an answer's header", Array($0.value.utf8)) }
            case .notification(let notification, let target, _, _):
                seen.append(("a notification", notification.body))
                seen += notification.headers.map { ("a notification's header", Array($0.value.utf8)) }
                seen.append(("a notification's target", Array(target.utf8)))
            }
        }
        for payment in try await shop.test.payments() {
            seen.append(("a payment's description", Array("\(payment)".utf8)))
            seen.append(("a payment's description", Array(String(reflecting: payment).utf8)))
        }
        seen += try await shop.test.everythingStored().map { ("the store", $0) }
        return seen
    }

    /// Plants every secret in every form, and finds it.
    static func checkScanner(_ scanner: SecretScanner, _ secrets: [Secret]) throws {
        for secret in secrets {
            for (form, bytes) in SecretScanner.forms(of: secret.bytes) where bytes.count >= 8 {
                let planted = Array("level=info message=".utf8) + bytes + Array(" end".utf8)
                guard scanner.leaks(in: planted).contains(where: { $0.hasPrefix(secret.name) }) else {
                    throw SecretShown(description: "\(secret.name) (\(form)) was planted and not found")
                }
            }
        }
        guard scanner.leaks(in: Array("level=info message=\"nothing secret at all\"".utf8)).isEmpty else {
            throw SecretShown(description: "something is found where nothing is")
        }
    }
}
