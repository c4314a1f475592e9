//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerLink
import Administration
import Testing
import Workers

@testable import pomona

/// How the link to an acquirer stands, as operators and metrics are shown it.
struct LinkFindingsTests {
    /// Not as severe as a link that is down: somebody has meant it.
    @Test(arguments: [
        (AcquirerLinkState.unreachable, "acquirer_link_unreachable", Finding.Severity.failure),
        (.refused, "acquirer_link_refused", .failure), (.signedOff, "acquirer_link_signed_off", .warning),
    ])
    func linkThatTakesNothingIsFound(state: AcquirerLinkState, code: String, severity: Finding.Severity) {
        #expect(state.findings.map(\.code) == [code])
        #expect(state.findings.first?.severity == severity)
    }

    @Test(arguments: [AcquirerLinkState.connected, .connecting]) func linkThatIsOrComesIsNot(state: AcquirerLinkState) {
        #expect(state.findings.isEmpty)
        #expect(state.measurement.isConnecting == (state == .connecting))
    }

    @Test func metricsKnowEveryState() {
        #expect(
            AcquirerLinkState.refused.measurement.states.sorted() == [
                "connected", "connecting", "refused", "signed_off", "unreachable",
            ])
        #expect(AcquirerLinkState.signedOff.measurement.state == "signed_off")
    }
}
