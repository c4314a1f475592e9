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
    @Test(arguments: AcquirerLaw.allCases)
    func keepsOverASocket(_ law: AcquirerLaw) async throws {
        let bench = try Bench()
        let book = try SimulatorBook.inMemory()
        let witness = SealedTokenWitness(
            SimulatorAcquirer(book: book, behavior: SimulatorBehavior(takesSealedTokens: true)))
        let server = bench.server(witness)
        let client = try bench.client(
            port: try await server.listen(host: "127.0.0.1", port: 0),
            expecting: AcquirerLinkDescription(name: witness.name, capabilities: witness.capabilities))
        let values = AcquirerTestValues(
            approvedAmount: Bench.money(5000), declinedAmount: Bench.money(5757), instrument: Bench.card,
            at: Bench.at,
            custody: AcquirerCustodyValues(seenBy: witness) {
                try await book.entries().first?.answer.fundingPANSuffix
            })
        try await AcquirerConformance(values: values) { client }.check(law)
        client.close()
        await server.stop()
    }
}
