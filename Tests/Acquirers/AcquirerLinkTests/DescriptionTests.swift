//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import StrictJSON
import Testing

@testable import AcquirerLink

/// What an acquirer is called and can do arrives as it is, or not at all.
@Suite struct DescriptionTests {
    private func read(_ json: JSON) throws -> AcquirerLinkDescription {
        try AcquirerLinkDescription(LinkReader(try JSON.parse(json.serialized())))
    }

    /// Every choice alone, all of them, and none.
    private static func all() -> [AcquirerCapabilities] {
        var all = [
            AcquirerCapabilities(
                forms: [], proofs: [], networks: [], sells: false, capturesInParts: false, refundsInParts: false,
                adjustments: [], voids: [], verifiesCards: false, recovery: .reversal),
            AcquirerCapabilities(
                forms: Set(AcquirerCapabilities.Form.allCases),
                adjustments: Set(AcquirerCapabilities.Adjustment.allCases), verifiesCards: true,
                recovery: .queryThenReversal),
        ]
        for recovery in [.queryThenReversal, .reversal, .query(quietSeconds: 0), .query(quietSeconds: 86_400)]
            as [AcquirerCapabilities.Recovery]
        {
            all.append(AcquirerCapabilities(recovery: recovery))
        }
        let base = AcquirerCapabilities(recovery: .reversal)
        func add(_ change: (inout AcquirerCapabilities) -> Void) {
            var capabilities = base
            change(&capabilities)
            all.append(capabilities)
        }
        for form in AcquirerCapabilities.Form.allCases { add { $0.forms = [form] } }
        for proof in AcquirerCapabilities.Proof.allCases { add { $0.proofs = [proof] } }
        for network in CardNetwork.allCases { add { $0.networks = [network] } }
        for adjustment in AcquirerCapabilities.Adjustment.allCases { add { $0.adjustments = [adjustment] } }
        for voidable in AcquirerCapabilities.Voidable.allCases { add { $0.voids = [voidable] } }
        add { $0.sells = false }
        add { $0.capturesInParts = false }
        add { $0.refundsInParts = false }
        add { $0.verifiesCards = true }
        for kind in PaymentOperation.Kind.allCases { add { $0.queriesAccepted = [kind] } }
        for finalCapture in AcquirerCapabilities.FinalCapture.allCases { add { $0.finalCaptures = finalCapture } }
        add { $0.takesMerchantInitiated = false }
        add { $0.refundsOneCapture = true }
        add { $0.capturesMax = 0 }
        add { $0.capturesMax = .max }
        add { $0.keyLifeSeconds = 86_400 }
        add { $0.requestsPerSecond = 100 }
        add {
            $0.deadlines = AcquirerCapabilities.Deadlines(
                chargeMilliseconds: 30_000, otherMilliseconds: 20_000, connectMilliseconds: 3000)
        }
        add { $0.currencies = [:] }
        // Every currency that there is fits into a frame, each with bounds of its own.
        add { capabilities in
            capabilities.currencies = Dictionary(
                uniqueKeysWithValues: Currency.all.enumerated().map { number, currency in
                    (currency, CurrencyTerms(exponent: number % 5, minorUnits: Int64(number)...(.max - Int64(number))))
                })
        }
        return all
    }

    @Test func descriptionArrivesAsItWasSent() throws {
        for capabilities in Self.all() {
            let description = AcquirerLinkDescription(name: AcquirerName("bank"), capabilities: capabilities)
            #expect(try self.read(description.json) == description)
            #expect(try self.read(description.json).json.serialized() == description.json.serialized())
        }
    }

    @Test func descriptionWithoutAMemberOrWithAnotherIsNotUnderstood() throws {
        let capabilities = AcquirerCapabilities(verifiesCards: true, recovery: .query(quietSeconds: 60))
        let description = AcquirerLinkDescription(name: AcquirerName("bank"), capabilities: capabilities)
        let json = try #require(description.json.object)
        for name in json.names {
            for value in [nil, .null, .number("1.5"), ["strange"], "strange", ["a": 1]] as [JSON?] {
                // An acquirer may be called so.
                if name == "name", value == "strange" { continue }
                var spoiled = json
                spoiled[name] = value
                #expect(throws: LinkViolation.self, "\(name)") { try self.read(.object(spoiled)) }
            }
        }
        var strange = json
        strange["strange"] = true
        #expect(throws: LinkViolation("unknown_member")) { try self.read(.object(strange)) }
    }

    @Test func currencyThatIsNoneIsNotUnderstood() throws {
        let cad = try #require(Currency.alphabetic("CAD"))
        let capabilities = AcquirerCapabilities(
            currencies: [cad: CurrencyTerms(exponent: 2, minorUnits: 1...100)], recovery: .reversal)
        let json = AcquirerLinkDescription(name: AcquirerName("bank"), capabilities: capabilities).json
        let good = try #require(json["currencies"]?.array?.first?.object)
        #expect(try self.read(json).capabilities == capabilities)
        let spoils: [(String, JSON?)] = [
            ("currency", "XXX"), ("currency", nil), ("exponent", 10), ("exponent", -1), ("exponent", nil),
            ("least", 101),
            ("least", nil), ("most", 0), ("most", "1"), ("strange", 1),
        ]
        for (name, value) in spoils {
            var spoiled = good
            spoiled[name] = value
            var object = try #require(json.object)
            object["currencies"] = [.object(spoiled)]
            #expect(throws: LinkViolation.self, "\(name)") { try self.read(.object(object)) }
        }
        var twice = try #require(json.object)
        twice["currencies"] = [.object(good), .object(good)]
        #expect(throws: LinkViolation.self) { try self.read(.object(twice)) }
    }

    /// Only an acquirer that is asked and can take back nothing unknown says how long its silence lasts.
    @Test(arguments: ["reversal", "queryThenReversal"]) func quietSecondsBelongToQueries(_ recovery: JSON) throws {
        let description = AcquirerLinkDescription(
            name: AcquirerName("bank"), capabilities: AcquirerCapabilities(recovery: .query(quietSeconds: 60)))
        var json = try #require(description.json.object)
        json["recovery"] = recovery
        #expect(throws: LinkViolation("unknown_member")) { try self.read(.object(json)) }
        json["quietSeconds"] = nil
        #expect(try self.read(.object(json)).capabilities.recovery.quietSeconds == nil)
    }
}
