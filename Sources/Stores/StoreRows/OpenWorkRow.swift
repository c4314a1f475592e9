//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments

extension OpenWork {
    /// An operation that is unknown has its payment's recovery job.
    static let unknownOperations = """
        FROM operations JOIN jobs ON jobs.payment_id = operations.payment_id
        WHERE jobs.kind = 'recover' AND operations.state = 'unknown'
        """

    /// What both engines are asked. The first condition of the events is that of the index `outbox_events_open`, which
    /// holds no more rows than there are to count.
    public static let query = """
        SELECT
            (SELECT COUNT(*) FROM outbox_events WHERE state <> 'delivered' AND state = 'pending'),
            (SELECT COUNT(*) FROM outbox_events WHERE state <> 'delivered' AND state = 'dead'),
            (SELECT COUNT(*) \(unknownOperations))
        """

    /// What lets events be counted without a walk over all of them.
    public static let index = "CREATE INDEX outbox_events_open ON outbox_events (state) WHERE state <> 'delivered';"

    @inlinable public init(_ columns: inout some RowColumns) throws {
        self.init(
            pendingEventsCount: try columns.count(), deadEventsCount: try columns.count(),
            unknownOperationsCount: try columns.count())
    }
}
