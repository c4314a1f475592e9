//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
public import Testing

extension Acquirer {
    /// Sends one request a hundred times at once: one approval comes of it, and is found afterwards.
    ///
    /// - Parameter allows: what the others may be answered.
    public func expectOneApproval(
        of request: AcquirerRequest, sourceLocation: SourceLocation = #_sourceLocation,
        allows: (AcquirerOutcome) -> Bool
    ) async {
        let outcomes = await withTaskGroup(of: AcquirerOutcome.self) { group in
            for _ in 0..<100 { group.addTask { await self.perform(request) } }
            return await group.reduce(into: Set<AcquirerOutcome>()) { $0.insert($1) }
        }
        let approvals = outcomes.filter { if case .approved = $0 { true } else { false } }
        #expect(approvals.count == 1, sourceLocation: sourceLocation)
        for outcome in outcomes where !approvals.contains(outcome) && !allows(outcome) {
            Issue.record("\(outcome)", sourceLocation: sourceLocation)
        }
        guard case .approved(let approval) = await self.query(request.asQuery) else {
            Issue.record("it is not found", sourceLocation: sourceLocation)
            return
        }
        #expect(approvals == [.approved(approval)], sourceLocation: sourceLocation)
    }
}
