//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerConformance
import Payments
import SimulatorAcquirer
import Testing

@testable import AcquirerLink

@Suite("An acquirer behind a link passes the suite of every acquirer")
struct LinkConformanceTests {
    /// The kinds of upstream whose answers have something of their own to carry: memos, acceptances, what was not found.
    private static let behaviors: [(String, SimulatorBehavior)] = [
        ("takes sealed tokens", SimulatorBehavior(takesSealedTokens: true)),
        ("names operations and takes tokens once", SimulatorBehavior(namesOperations: true, refusesRepeats: true)),
        ("wants the number again", SimulatorBehavior(keepsCardForSeconds: 60)),
        (
            "decides later, and finds nothing for seconds",
            SimulatorBehavior(
                recovery: .query(quietSeconds: 60), findsAfterSeconds: 30, acceptsForSeconds: 3600)
        ),
        ("reports, and takes repeats", SimulatorBehavior(recovery: .reports(repeats: true))),
    ]

    @Test(arguments: AcquirerLaw.allCases, behaviors)
    func keepsOverASocket(_ law: AcquirerLaw, _ behavior: (name: String, SimulatorBehavior)) async throws {
        let bench = try Bench()
        let book = try SimulatorBook.inMemory()
        let witness = SealedTokenWitness(SimulatorAcquirer(book: book, behavior: behavior.1))
        let server = bench.server(witness)
        let client = try bench.client(
            port: try await server.listen(host: "127.0.0.1", port: 0),
            expecting: AcquirerLinkDescription(name: witness.name, capabilities: witness.capabilities))
        let values = AcquirerTestValues(
            approvedAmount: Bench.money(5000), declinedAmount: Bench.money(5757), instrument: Bench.card,
            at: Bench.at,
            custody: witness.capabilities.forms.contains(.sealedApplePayToken)
                ? AcquirerCustodyValues(seenBy: witness) {
                    try await book.entries().first?.answer.fundingPANSuffix
                } : nil)
        try await AcquirerConformance(values: values) { client }.check(law)
        client.close()
        await server.stop()
    }
}
