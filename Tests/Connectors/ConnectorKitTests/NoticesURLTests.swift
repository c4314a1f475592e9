//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Testing

/// Where acquirers send an account's notices.
@Suite struct NoticesURLTests {
    @Test(arguments: [
        "https://pay.example/acquirers/acc_1/notices", "https://pay.example", "https://pay.example:8443/n?a=b",
        "https://[2001:4860:4860::8888]/n", "http://127.0.0.1:8080/n", "http://localhost:8080", "http://[::1]:8080/n",
    ])
    func takes(_ url: String) {
        #expect(ConnectorRules.noticesURL(url) == nil)
    }

    @Test(arguments: [
        "", "https://", "https:///n", "https://pay.example:/n", "https://pay.example:65536/n", "https://::1/n",
        "https://[pay]/n", "https://a@pay.example/n", "https://pay.example\\@evil.example/n", "https://pay example/n",
        "http://pay.example/n", "http://127.0.0.1/n", "http://localhost:8080@evil.example/n", "http://localhost:x/n",
        "ftp://pay.example/n", "https://pay.example/\(String(repeating: "n", count: 255))",
    ])
    func refuses(_ url: String) {
        #expect(ConnectorRules.noticesURL(url) != nil)
    }
}
