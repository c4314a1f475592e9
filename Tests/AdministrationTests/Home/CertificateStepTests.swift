//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments
import TestGateway
import Testing
import Time

@testable import Administration

/// What the wizard says is next. At no moment is there fewer than one key that works.
@Suite struct CertificateStepTests {
    static let quiet = CertificateList.quietDays * 86_400
    private static let now = Timestamp(milliseconds: 1_760_000_000_000)

    private struct Case {
        let merchant: Merchant
        var credentials: [AppleCredential] = []

        mutating func add(
            _ id: String, _ state: AppleCredential.State, days: Int64?, made: Int64 = 0,
            purpose: AppleCredential.Purpose = .paymentProcessing, identifier: String = "merchant.a"
        ) {
            let end = days.map { CertificateStepTests.now.adding(seconds: $0 * 86_400) }
            self.credentials.append(
                AppleCredential(
                    id: id, merchantID: self.merchant.id, purpose: purpose, merchantIdentifier: identifier,
                    certificatePEM: days.map { _ in "PEM" }, notAfter: end,
                    sealedPrivateKey: SealedBytes(keyID: "k", box: []),
                    createdAt: CertificateStepTests.now.adding(seconds: made), state: state))
        }
    }

    /// - Parameters:
    ///   - used: the keys with which tokens have been opened, each with the seconds since the last.
    ///   - first: the seconds since the first token.
    private func steps(
        used: [String: Int64], first: [String: Int64] = [:], _ make: (inout Case) -> Void
    ) async throws -> [String: (step: CertificateStep, mayRetire: Bool)] {
        let test = try await TestGateway.open()
        var made = Case(
            merchant: try await test.gateway.administration.createMerchant(
                name: "shop", displayName: "Shop", mode: .sandbox, countryCode: "DE"))
        make(&made)
        let (merchant, credentials) = (made.merchant, made.credentials)
        let list = try await test.store.write { transaction in
            for credential in credentials { try transaction.upsert(credential) }
            for (key, seconds) in used {
                for (number, ago) in [(0, first[key] ?? 40 * 86_400), (1, seconds)] as [(Int, Int64)] {
                    try transaction.upsert(
                        Observation(
                            kind: .keyUse, merchantID: merchant.id, subject: key, number: number,
                            at: Self.now.adding(seconds: -ago)))
                }
            }
            return try CertificateList(of: merchant, at: Self.now, in: transaction)
        }
        return Dictionary(
            list.credentials.map { ($0.id, (list.step(of: $0), list.mayRetire($0))) },
            uniquingKeysWith: { first, _ in first })
    }

    @Test func oneThatIsSeenAndFarFromItsEndNeedsNothing() async throws {
        let steps = try await self.steps(used: ["a": 0]) { $0.add("a", .active, days: 100) }
        #expect(steps["a"]?.step == CertificateStep.none && steps["a"]?.mayRetire == false)
    }

    @Test func oneThatEndsSoonIsRenewed() async throws {
        let steps = try await self.steps(used: ["a": 0]) { $0.add("a", .active, days: 59) }
        #expect(steps["a"]?.step == .renew && steps["a"]?.mayRetire == false)
    }

    /// Apple has the request: it is on its way.
    @Test func successorIsImportedThenActivatedThenObservedBeforeTheOldOneGoes() async throws {
        var steps = try await self.steps(used: ["a": 0]) {
            $0.add("a", .active, days: 59)
            $0.add("b", .requested, days: nil, made: 10)
        }
        #expect(steps["a"]?.step == CertificateStep.none && steps["b"]?.step == .import)
        steps = try await self.steps(used: ["a": 0]) {
            $0.add("a", .active, days: 59)
            $0.add("b", .imported, days: 700, made: 10)
        }
        #expect(steps["a"]?.mayRetire == false && steps["b"]?.step == .activate)
        steps = try await self.steps(used: ["a": 0]) {
            $0.add("a", .active, days: 59)
            $0.add("b", .active, days: 700, made: 10)
        }
        #expect(steps["a"]?.step == CertificateStep.none && steps["a"]?.mayRetire == false)
        #expect(steps["b"]?.step == .observe)
        steps = try await self.steps(used: ["a": Self.quiet, "b": 0]) {
            $0.add("a", .active, days: 59)
            $0.add("b", .active, days: 700, made: 10)
        }
        #expect(steps["a"]?.step == .retire && steps["a"]?.mayRetire == true)
        #expect(steps["b"]?.step == CertificateStep.none && steps["b"]?.mayRetire == false)
    }

    /// A token that comes for the old key would be refused.
    @Test(
        arguments: [
            (["a": 0, "b": 0], false), (["a": quiet - 1, "b": 0], false), (["a": quiet, "b": 0], true),
            (["a": 60, "b": quiet * 2], false), (["a": quiet, "b": quiet], false), (["a": quiet], false),
            (["b": 0], true), ([:], false),
        ] as [([String: Int64], Bool)])
    func oneThatTokensStillComeForStays(used: [String: Int64], mayRetire: Bool) async throws {
        for days: Int64 in [59, -1] {
            let steps = try await self.steps(used: used) {
                $0.add("a", .active, days: days)
                $0.add("b", .active, days: 700, made: 10)
            }
            #expect(steps["a"]?.mayRetire == mayRetire)
            #expect(steps["a"]?.step == (mayRetire ? .retire : used["a"] == nil ? .observe : CertificateStep.none))
            #expect(steps["b"]?.mayRetire == false)
        }
    }

    /// Some wallets seal for the old key for a while, whether any has come here lately or not.
    @Test(arguments: [(quiet - 1, false), (quiet, true)] as [(Int64, Bool)])
    func theNewOneIsSeenForSomeDays(first: Int64, mayRetire: Bool) async throws {
        for used: [String: Int64] in [["a": Self.quiet, "b": 0], ["b": 0]] {
            let steps = try await self.steps(used: used, first: ["b": first]) {
                $0.add("a", .active, days: 59)
                $0.add("b", .active, days: 700, made: 10)
            }
            #expect(steps["a"]?.mayRetire == mayRetire, "\(used)")
        }
    }

    @Test func oneThatHasEndedAndOpensTokensIsRenewed() async throws {
        let steps = try await self.steps(used: ["a": 0]) { $0.add("a", .active, days: -1) }
        #expect(steps["a"]?.step == .renew && steps["a"]?.mayRetire == false)
    }

    /// Imported together, the one that ends first is the old one.
    @Test func theNewestIsTheOneThatRunsLongest() async throws {
        let steps = try await self.steps(used: ["a": 0, "b": Self.quiet]) {
            $0.add("a", .active, days: 700)
            $0.add("b", .active, days: 59, made: 10)
        }
        #expect(steps["a"]?.mayRetire == false)
        #expect(steps["b"]?.step == .retire && steps["b"]?.mayRetire == true)
    }

    @Test func othersIdentifiersDoNoneOfItsWork() async throws {
        let steps = try await self.steps(used: ["a": Self.quiet, "b": 0]) {
            $0.add("a", .active, days: 10)
            $0.add("b", .active, days: 700, identifier: "merchant.b")
        }
        #expect(steps["a"]?.step == .renew && steps["a"]?.mayRetire == false)
    }

    @Test func retiredOnesNeedNothing() async throws {
        let steps = try await self.steps(used: [:]) { $0.add("a", .retired, days: -1) }
        #expect(steps["a"]?.step == CertificateStep.none)
    }

    /// Whether Apple was asked with it nobody sees; that it is in use is enough.
    @Test func identitiesAreNotObserved() async throws {
        let steps = try await self.steps(used: [:]) {
            $0.add("a", .active, days: 10, purpose: .merchantIdentity)
            $0.add("b", .active, days: 700, made: 10, purpose: .merchantIdentity)
        }
        #expect(steps["a"]?.step == .retire && steps["b"]?.step == CertificateStep.none)
    }
}
