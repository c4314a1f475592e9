//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import FuzzInputs
import Testing

@testable import ApplePayToken

/// The inputs of the fuzz target TokenJSON (Vectors/Fuzz), read as the target reads them. What once made it fail is among
/// them.
struct FuzzedTokenJSONTests {
    @Test func readsOrRefusesEach() throws {
        var accepted: [String] = []
        for input in try FuzzInput.all(of: "TokenJSON") {
            guard let token = try? UnverifiedToken(parsing: input.bytes) else { continue }
            accepted.append(input.name)
            #expect(try UnverifiedToken(json: token.paymentDataJSON).paymentDataJSON == token.paymentDataJSON)
        }
        #expect(accepted == ["pk-payment-token", "seed-token"])
    }

    @Test func whatIsReadOfTheCorpusIsWrittenAndReadAgainAlike() throws {
        for input in try FuzzInput.corpus(of: "TokenJSON") {
            guard let token = try? UnverifiedToken(parsing: input.bytes) else { continue }
            let again = try UnverifiedToken(json: token.paymentDataJSON)
            #expect(again.paymentDataJSON == token.paymentDataJSON, "\(input.name)")
        }
    }
}
