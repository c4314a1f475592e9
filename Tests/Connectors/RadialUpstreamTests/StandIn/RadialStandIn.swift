//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization
import TestGateway
import TestUpstream

/// Radial's Payment Service on a socket, as its Apple Pay page, its SDK and its clients have it, with a book of its own.
///
/// It shares no code with the gateway's own Radial dialect, so that a reading of the documents that both ends of the
/// gateway have in common shows here. What no public source says it can be set to do either way (``Habits``).
///
/// Sources: Radial's Apple Pay page (elements, limits, the reply), RadialCorp's Magento module and SDK (paths, schemas,
/// what is asked when, how booleans are written), node-radial (the lists by webhook).
final class RadialStandIn: Sendable {
    enum Call: String, Hashable, Sendable {
        case authorize = "creditcard/auth"
        case confirm = "funds/confirm"
        case settle = "settlement/create"
        case cancel = "auth/cancel"
    }

    /// What a contract with Radial would show, and no public source does.
    struct Habits: Sendable {
        enum Repeats: Hashable, Sendable {
            case answeredAgain
            /// By a Fault under a status.
            case refused(Int, String)
            /// A fault of its own: what is a repeat it books again.
            case bookedAgain
        }

        var repeats = Repeats.answeredAgain
        var style = StandInTexts.Style.page
        /// Beside the length.
        var contentType = "application/xml; charset=UTF-8"
        /// The body of an acknowledgement; the reply of the request's name if left out.
        var acknowledgement: String?
    }

    /// What the issuer does when it is asked.
    enum Issuer: Hashable, Sendable {
        case approves
        case declines
        case isSilent(namesAccount: Bool)
        /// The store's rules take the order though the issuer did not approve.
        case isOverruled
    }

    /// What becomes of the next request of a kind.
    enum Ending: Hashable, Sendable {
        case answered
        /// Done, and answered by a machine in between.
        case lost
        /// Done, and answered after the caller's deadline.
        case late
        /// Done, and answered once ``release()`` is called.
        case held
        /// Not done, and refused by a Fault under a status.
        case refused(Int, String)
        /// Not done, and answered so by a machine in between.
        case status(Int)
    }

    struct State: Sendable {
        var habits = Habits()
        var orders: [StandInOrder] = []
        var endings: [Call: [Ending]] = [:]
        var issuer: [Issuer] = []
        /// Of settlements and cancellations: why each is refused when it is worked off; done if left out.
        var refusals: [String?] = []
        var answers: [String: String] = [:]
        /// The ids of requests whose answers have gone out as they should.
        var acknowledged: Set<String> = []
        /// In what order requests came.
        var calls: [Call] = []
        /// What was sent against the vendor's documents.
        var problems: [String] = []
    }

    private let book: Book
    private let stub: StubUpstream

    final class Book: Sendable {
        let state = Mutex(State())
        let arrived = Gate()
        let released = Gate()
        let deadline: CallDeadline

        init(_ deadline: CallDeadline) { self.deadline = deadline }
    }

    /// - Parameter deadline: of the connector's calls.
    init(_ deadline: CallDeadline) async throws {
        let book = Book(deadline)
        self.book = book
        self.stub = try await StubUpstream { request, _ in book.answer(request) }
    }

    var url: String { "http://127.0.0.1:\(self.stub.port)" }

    var orders: [StandInOrder] { self.book.state.withLock { $0.orders } }
    var problems: [String] { self.book.state.withLock { $0.problems } }

    func count(_ call: Call) -> Int { self.book.state.withLock { $0.calls.count { $0 == call } } }

    func set(_ change: (inout Habits) -> Void) { self.book.state.withLock { change(&$0.habits) } }

    /// What the issuer does from the next time on that it is asked, once each; then it approves.
    func issuer(_ words: Issuer...) { self.book.state.withLock { $0.issuer += words } }

    /// What becomes of the next requests of a kind, one each; those after them are answered.
    func next(_ call: Call, _ endings: Ending...) {
        self.book.state.withLock { $0.endings[call, default: []] += endings }
    }

    /// Why the next settlements and cancellations come to nothing when they are worked off.
    func refuse(_ reasons: String?...) { self.book.state.withLock { $0.refusals += reasons } }

    /// Returns when a request is held.
    func heldRequestArrived() async { await self.book.arrived.wait() }

    func release() { self.book.released.open() }

    /// Somebody cancels every order in the vendor's own tools.
    func cancelByHand() {
        self.book.state.withLock { state in
            for index in state.orders.indices { state.orders[index].standing = .canceled }
        }
    }

    func close() async {
        self.release()
        await self.stub.close()
    }

    /// Works off what has been asked for, in the order of the orders.
    ///
    /// - Returns: an event for each.
    func night() -> [String] {
        self.book.state.withLock { state in
            var events: [String] = []
            for index in state.orders.indices { events += state.workOff(index) }
            return events
        }
    }

    /// What was settled comes to nothing.
    func failLater(_ reason: String) -> [String] {
        self.book.state.withLock { state in
            var events: [String] = []
            for (index, order) in state.orders.enumerated() {
                for (number, settlement) in order.settlements.enumerated() where settlement.state == .settled {
                    state.orders[index].settlements[number].state = .refused
                    events.append(StandInTexts.settlementStatus(order, settlement, reason: reason))
                }
            }
            return events
        }
    }
}

extension RadialStandIn.State {
    fileprivate mutating func workOff(_ index: Int) -> [String] {
        var events: [String] = []
        for number in self.orders[index].settlements.indices
        where self.orders[index].settlements[number].state == .requested {
            let reason = self.refusals.isEmpty ? nil : self.refusals.removeFirst()
            self.orders[index].settlements[number].state = reason == nil ? .settled : .refused
            events.append(
                StandInTexts.settlementStatus(
                    self.orders[index], self.orders[index].settlements[number], reason: reason))
        }
        while self.orders[index].cancellationsCount > 0 {
            self.orders[index].cancellationsCount -= 1
            let reason = self.refusals.isEmpty ? nil : self.refusals.removeFirst()
            let isHeld = self.orders[index].standing == .held
            if reason == nil, isHeld { self.orders[index].standing = .canceled }
            let word = reason == "Timeout" ? "Timeout" : reason == nil && isHeld ? "Success" : "Fail"
            events.append(
                StandInTexts.cancelReply(
                    self.orders[index], word, reason: word == "Fail" ? reason ?? "NoAuthFoundException" : nil))
        }
        return events
    }
}
