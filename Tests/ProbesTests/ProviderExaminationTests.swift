//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import OpenIDConnect
import TestApple
import Testing
import Time

@testable import Probes

/// Providers at which people sign in: asked for what sign-in needs of them.
struct ProviderExaminationTests {
    private static func examination(
        _ settings: @escaping @Sendable () throws(ProviderExamination.Unusable) -> OpenIDProviderSettings
    ) -> ProviderExamination {
        ProviderExamination(
            name: "company", issuer: "http://127.0.0.1:1",
            surroundings: OpenIDSurroundings(
                clock: { Timestamp.now() }, random: { Array(repeating: 0, count: $0) }, sleep: TestSleep.forever),
            settings: settings)
    }

    /// Nobody listens there: the port is the one that no server may have (RFC 6335, section 6).
    @Test func saysThatAProviderDoesNotAnswer() async {
        let findings = await Self.examination {
            OpenIDProviderSettings(
                name: "company", issuer: "http://127.0.0.1:1", clientID: "b", clientSecret: nil,
                redirectURL: "https://admin.example/callback")
        }.findings()
        #expect(findings.map(\.code) == ["provider_fails"] && findings.first?.subject == "company")
        #expect(findings.first?.text.contains("provider_unreachable") == true)
    }

    @Test func saysWhatIsWrongWithItsConfiguration() async {
        let findings = await Self.examination { () throws(ProviderExamination.Unusable) in
            throw ProviderExamination.Unusable(code: "file_missing", advice: "There is no file /s.")
        }.findings()
        #expect(findings.map(\.code) == ["provider_fails"] && findings.first?.severity == .warning)
        #expect(findings.first?.text.contains("(file_missing)") == true)
        #expect(findings.first?.advice == "There is no file /s.")
    }
}
