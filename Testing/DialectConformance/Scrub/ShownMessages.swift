//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import DialectKit
import Gateway
import Payments
import StrictJSON
import TestGateway

extension DialectConformance {
    /// Plays every scene, and looks at what operators are shown of each notification: all of it but secrets, signatures and
    /// what is the card holder's.
    ///
    /// - Throws: ``SecretShown``.
    public func checkShownMessages() async throws {
        var wrong: Set<String> = []
        var count = 0
        for (name, scene) in self.numberedScenes {
            let shop = try await DialectShop.open(self.driver)
            try await scene.run(shop)
            let scanner = try SecretScanner(shop.test.jar.secrets)
            for one in try await shop.deliverAll() {
                let message = try await shop.test.gateway.administration.message(
                    one.messageIndex, of: one.delivery.event, in: [shop.dialect])
                let text = JSON.object(message.view).text()
                wrong.formUnion(scanner.leaks(in: Array(text.utf8)).map { "\($0) in \(name)" })
                wrong.formUnion(Self.faults(of: message, one).map { "\($0) in \(name)" })
                count += 1
            }
        }
        if count == 0, self.driver.has(.notifications) { wrong.insert("nothing was shown") }
        guard wrong.isEmpty else { throw SecretShown(description: wrong.sorted().joined(separator: "; ")) }
    }

    private static func faults(of message: EventMessage, _ sent: Delivered) -> [String] {
        var faults: [String] = []
        let names = message.headers.map(\.name)
        let own = [WebhookSignature.idHeaderName, WebhookSignature.attemptHeaderName]
        if !names.starts(with: sent.notification.headers.map(\.name) + own) { faults.append("other headers") }
        if message.method != sent.notification.method { faults.append("another method") }
        if message.body.isEmpty != sent.notification.body.isEmpty { faults.append("no body") }
        let shown = Set(["content-type", "merchant-code", "request-time", "user-agent"])
        for header in sent.notification.headers where !shown.contains(header.name.lowercased()) {
            let isOfThePage = header.name.hasPrefix("X-Notification-") && header.value.utf8.count <= 30
            let text = message.headers.map(\.value).joined(separator: "\n") + message.body
            if !isOfThePage, text.contains(header.value) { faults.append("the header \(header.name)") }
        }
        if let target = NotificationTarget(sent.target), target.path.utf8.count > 1, message.url.contains(target.path) {
            faults.append("the path of the address")
        }
        return faults
    }
}
