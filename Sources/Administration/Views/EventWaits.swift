//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
public import Time

/// What a pending event waits for.
public enum EventWait: Hashable, Sendable {
    /// Its next attempt. While one is under way: the moment at which it is given up for lost.
    case attempt(at: Timestamp)
    /// An earlier event of its payment, which goes first.
    case earlier(EventID)
}

/// What pending events wait for. Each payment of theirs is looked at once.
public struct EventWaits {
    private var known: [PaymentID: (event: EventID, dueAt: Timestamp?)?] = [:]

    public init() {}

    /// - Returns: `nil` for what is not pending.
    public mutating func wait(of event: OutboxEvent, in reader: any StoreReader) throws -> EventWait? {
        guard event.state == .pending, let first = try self.first(of: event.paymentID, in: reader) else { return nil }
        guard first.event == event.id else { return .earlier(first.event) }
        return first.dueAt.map { .attempt(at: $0) }
    }

    private mutating func first(
        of payment: PaymentID, in reader: any StoreReader
    ) throws -> (event: EventID, dueAt: Timestamp?)? {
        if let known = self.known[payment] { return known }
        let event = try reader.events(of: payment).first { $0.state == .pending }
        let found = try event.map { (event: $0.id, dueAt: try reader.job(.deliver, of: payment)?.dueAt) }
        self.known[payment] = .some(found)
        return found
    }
}

/// An event with what it waits for.
public struct WaitingEvent: Hashable, Sendable {
    public let event: OutboxEvent
    public let wait: EventWait?

    public init(_ event: OutboxEvent, wait: EventWait?) {
        self.event = event
        self.wait = wait
    }
}

extension OutboxEvent {
    /// What it waits for, where it is pending.
    public func wait(in reader: any StoreReader) throws -> EventWait? {
        var waits = EventWaits()
        return try waits.wait(of: self, in: reader)
    }
}

extension Sequence<OutboxEvent> {
    /// Each with what it waits for, in their order.
    public func withWaits(in reader: any StoreReader) throws -> [WaitingEvent] {
        var waits = EventWaits()
        return try self.map { WaitingEvent($0, wait: try waits.wait(of: $0, in: reader)) }
    }
}
