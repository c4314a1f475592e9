//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Deadlines
import Payments

extension Gateway {
    /// Runs an acquirer call for as long as it may take. What comes later is not waited for: the operation is unknown,
    /// and recovery asks.
    func withDeadline(_ call: @escaping @Sendable () async -> AcquirerOutcome) async -> AcquirerOutcome {
        await self.acquirerDeadlines.run(.unknown("deadline_passed"), call)
    }
}
