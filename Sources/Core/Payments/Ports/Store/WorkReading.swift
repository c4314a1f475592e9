//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What is to be done later, and what merchants are to be notified of.
public protocol WorkReading {
    func event(_ id: EventID) throws -> OutboxEvent?
    /// The payment's events, oldest first.
    func events(of payment: PaymentID) throws -> [OutboxEvent]
    /// Events that fit, newest first.
    func events(_ query: OutboxQuery) throws -> [OutboxEvent]
    /// Jobs of a kind by due time, earliest first.
    func jobs(_ kind: Job.Kind, limit: Int) throws -> [Job]
    func job(_ kind: Job.Kind, of payment: PaymentID) throws -> Job?
    /// What is open, counted without a walk over what is not.
    func openWork() throws -> OpenWork
}
