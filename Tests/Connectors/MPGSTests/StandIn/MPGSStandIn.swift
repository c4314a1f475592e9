//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON
import Synchronization
import TestGateway
import TestUpstream

/// Mastercard's gateway (MPGS) on a socket, as its public pages and its clients' recorded answers have it, with a book
/// of its own.
///
/// It shares no code with the gateway's own CommWeb dialect, so that a reading of the documents that both ends of the
/// gateway have in common shows here. What no public page says it can be set to do either way (``Habits``).
///
/// Sources: the API reference (version 100), "API error handling" and "Troubleshooting FAQs" of the vendor's site, and
/// answers that clients of the real service have recorded (``RecordedAnswers``).
final class MPGSStandIn: HoldingStandIn {
    struct Habits: Sendable {
        /// Whether a request that is sent again under its URL is answered as before, or is an error.
        var replays = true
        /// Of what is not found: 400 or 404.
        var notFoundStatus = 404
        var passwords: Set<String> = [Bench.password]
        var form = AnswerForm.recorded
        /// A fault of its own: what is a repeat it books again.
        var booksRepeats = false
        /// A fault of its own: it books what it declines.
        var booksWhatItDeclines = false
    }

    /// What becomes of the next request that is no query.
    enum Ending: Sendable {
        case answered
        /// Booked, and answered once ``release()`` has been called.
        case held
        /// Not booked, and not answered, before ``arrive()``: it is still on its way.
        case onItsWay
        case declined(gatewayCode: String, acquirerCode: String)
        /// Answered so at first; what it comes to is known to queries after so many.
        case open(result: String, gatewayCode: String, approves: Bool)
        /// Not booked.
        case error(cause: String)
        /// Booked, and answered with an error.
        case errorAfterBooking(cause: String)
        case statusAfterBooking(Int)
        /// Not booked: somebody in between answers.
        case statusBeforeBooking(Int)
        /// Booked, answered by a machine in between that has waited long enough, and found by no query but after so
        /// many.
        case hidden(Int)
        /// The network has brought it twice; answered is the first copy or the second one.
        case repeated(answersFirst: Bool)
        /// Booked, and answered with a field that is another.
        case changed(path: String, JSON?)
    }

    struct State: Sendable {
        var habits = Habits()
        var orders: [StandInOrder] = []
        var endings: [Ending] = []
        var onItsWay: [StubRequest] = []
        var requestsCount = 0
        var queriesCount = 0
        /// What was reported of transactions, in the order in which it came about.
        var notices: [(transaction: String, body: [UInt8])] = []
    }

    final class Book: Sendable {
        let state = Mutex(State())
        let arrived = Gate()
        let released = Gate()
    }

    private let book: Book
    private let stub: StubUpstream

    init() async throws {
        let book = Book()
        self.book = book
        self.stub = try await StubUpstream { request, _ in book.answer(request) }
    }

    var url: String { "http://127.0.0.1:\(self.stub.port)" }

    var orders: [StandInOrder] { self.book.state.withLock { $0.orders } }

    /// How many requests that are no queries have come, copies not counted.
    var requestsCount: Int { self.book.state.withLock { $0.requestsCount } }

    var queriesCount: Int { self.book.state.withLock { $0.queriesCount } }

    func set(_ change: (inout Habits) -> Void) { self.book.state.withLock { change(&$0.habits) } }

    func next(_ endings: Ending...) { self.book.state.withLock { $0.endings += endings } }

    /// Returns when a request is held or on its way.
    func heldRequestArrived() async { await self.book.arrived.wait() }

    /// Nothing will arrive any more.
    func stopWaiting() { self.book.arrived.open() }

    /// Answers what is held. Whoever has given up does not get it.
    func release() { self.book.released.open() }

    /// What was on its way is worked on now; nobody waits for its answer any more.
    func arrive() {
        self.book.state.withLock { state in
            for request in state.onItsWay { _ = state.work(on: request) }
            state.onItsWay = []
        }
    }

    /// "If the gateway subsequently finds out about the success of the payment it will update the response code."
    func findOut() {
        self.book.state.withLock { state in
            for order in state.orders.indices {
                for transaction in state.orders[order].transactions.indices {
                    state.orders[order].transactions[transaction].shown = nil
                }
            }
        }
    }

    /// The void of an order's first transaction in Merchant Administration, under an id of the bank's.
    func voidByHand(_ orderID: String) {
        self.book.state.withLock { state in
            guard let index = state.orders.firstIndex(where: { $0.id == orderID }),
                let first = state.orders[index].transactions.first, let kind = first.kind.void
            else { return }
            state.orders[index].transactions.append(
                StandInOrder.Transaction(id: "2", kind: kind, amount: first.amount, target: first.id, request: ""))
        }
    }

    /// The bodies of notifications until now, with the transaction that each is about.
    var notices: [(transaction: String, body: [UInt8])] { self.book.state.withLock { $0.notices } }

    func close() async {
        self.release()
        await self.stub.close()
    }
}
