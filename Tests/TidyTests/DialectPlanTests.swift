//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Testing

/// The floor plan that all dialects share (ARCHITECTURE.md, "The house"): who knows one finds his way in the others.
struct DialectPlanTests {
    let repository = Repository.current

    static let plan: Set = ["Account", "Answers", "Endpoints", "Notifications", "Refusals", "Requests"]

    /// What a dialect has that the others have nothing like.
    static let peculiar: [String: Set<String>] = [
        "AlphaPay": ["Signing"], "CommWeb": ["Codecs", "Sessions"], "Radial": ["XML"],
        "TapPay": ["CardInfo", "Primes"],
    ]

    /// What tests have beside that: the suite of all dialects and its recordings, and helpers.
    static let ofTests: Set = ["Conformance", "Support", "Transcripts"]

    var dialects: [String] { self.repository.folders(below: "Sources/Dialects") }

    @Test func everyDialectHasTheRoomsOfThePlan() {
        #expect(self.dialects.count >= 5)
        for dialect in self.dialects {
            let folders = Set(self.repository.folders(below: "Sources/Dialects/\(dialect)"))
            #expect(folders.isSuperset(of: Self.plan), "\(dialect) lacks \(Self.plan.subtracting(folders).sorted())")
            let others = folders.subtracting(Self.plan)
            #expect(others == Self.peculiar[dialect] ?? [], "\(dialect)'s own folders")
        }
    }

    @Test func testsFollowThePlanToo() {
        for dialect in self.dialects {
            let folders = Set(self.repository.folders(below: "Tests/Dialects/\(dialect)Tests"))
            let allowed = Self.plan.union(Self.ofTests).union(Self.peculiar[dialect] ?? [])
            #expect(folders.isSubset(of: allowed), "\(dialect)'s tests: \(folders.subtracting(allowed).sorted())")
            #expect(folders.isSuperset(of: ["Account", "Conformance", "Endpoints", "Notifications", "Transcripts"]))
        }
    }

    /// Beside its folders a dialect has one file, its conformance to `Dialect`; its tests have none.
    @Test func nothingElseLiesBesideTheFolders() {
        for dialect in self.dialects {
            #expect(self.files(in: "Sources/Dialects/\(dialect)") == ["\(dialect).swift"])
            #expect(self.files(in: "Tests/Dialects/\(dialect)Tests") == [])
        }
    }

    /// What every dialect has stands at the same place in all.
    @Test func whatAllDialectsHaveStandsAtTheSamePlace() {
        for dialect in self.dialects {
            for file in ["Account/AccountPlan", "Account/AccountSettings", "Notifications/Notifications"] {
                let path = "Sources/Dialects/\(dialect)/\(file).swift"
                #expect(self.repository.text(path) != nil, "\(path) is missing")
            }
        }
    }

    private func files(in folder: String) -> [String] {
        self.repository.files(below: folder, endings: [".swift"]).map { String($0.path.dropFirst(folder.count + 1)) }
            .filter { !$0.contains("/") }
    }
}
