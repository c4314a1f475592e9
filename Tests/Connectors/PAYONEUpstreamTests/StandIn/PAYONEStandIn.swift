//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization
import TestGateway
import TestUpstream

/// PAYONE's Server API on a socket, as its public pages and its clients' recorded answers have it, with a book of its
/// own.
///
/// It shares no code with the gateway's own PAYONE dialect, so that a reading of the documents that both ends of the
/// gateway have in common shows here. What no public page says it can be set to do either way (``Habits``).
///
/// Sources: PAYONE's Apple Pay page (parameters, formats, errors 2700 to 2704), the list of error numbers of PAYONE's
/// OXID plugin, the answers recorded in the tests of OmniPay-Payone, and the TransactionStatus recorded in
/// commercetools' payone-integration.
final class PAYONEStandIn: HoldingStandIn {
    /// What a contract with PAYONE would show, and no document does.
    struct Habits: Sendable {
        /// Whether a request that is answered ERROR has used its sequence number.
        var refusedRequestsUseNumbers = false
        /// Whether a capture of nothing gives the reservation back, or is error 935.
        var releasesByCapture = true
        /// MD5 and SHA-384 of the keys that it knows.
        var keyDigests: Set<String> = [Bench.keyMD5, Bench.keySHA384]
        var form = AnswerForm.plain
        /// A fault of its own: what is a repeat it books again.
        var booksRepeats = false
        /// A fault of its own: it books what it refuses.
        var booksWhatItRefuses = false
    }

    /// What becomes of the next request.
    enum Ending: Sendable {
        case answered
        /// "ERROR", and nothing is booked.
        case refused(Int)
        /// "PENDING": what becomes of it is said by ``settle(_:_:approves:)``.
        case pending
        /// Booked, and answered once ``release()`` has been called.
        case held
        case errorAfterBooking(Int)
        /// Not booked, and answered by a machine in between.
        case statusBeforeBooking(Int)
        /// Booked, and answered by a machine in between.
        case statusAfterBooking(Int)
        /// Booked, and answered so; "{txid}" stands for the payment process.
        case textAfterBooking(String)
        /// Answered so, and nothing is booked.
        case text(String)
        /// The network has brought it twice; answered is the first copy or the second one.
        case repeated(answersFirst: Bool)
    }

    struct State: Sendable {
        var habits = Habits()
        var processes: [StandInProcess] = []
        var messages: [StandInMessage] = []
        var endings: [Ending] = []
        var requestsCount = 0
    }

    private let book: Book
    private let stub: StubUpstream

    /// The state, and what those who wait wait for.
    final class Book: Sendable {
        let state = Mutex(State())
        let arrived = Gate()
        let released = Gate()
    }

    init() async throws {
        let book = Book()
        self.book = book
        self.stub = try await StubUpstream { request, _ in book.answer(request) }
    }

    var url: String { "http://127.0.0.1:\(self.stub.port)" }

    var processes: [StandInProcess] { self.book.state.withLock { $0.processes } }

    /// How many requests have come, copies not counted.
    var requestsCount: Int { self.book.state.withLock { $0.requestsCount } }

    func set(_ change: (inout Habits) -> Void) { self.book.state.withLock { change(&$0.habits) } }

    /// What becomes of the requests that come next, one each; those after them are answered.
    func next(_ endings: Ending...) { self.book.state.withLock { $0.endings += endings } }

    /// Returns when a request is held.
    func heldRequestArrived() async { await self.book.arrived.wait() }

    /// Nothing will arrive any more.
    func stopWaiting() { self.book.arrived.open() }

    /// Answers what is held. Whoever has given up does not get it.
    func release() { self.book.released.open() }

    func close() async {
        self.release()
        await self.stub.close()
    }

    // MARK: - What happens without a request

    /// What was answered PENDING ends.
    func settle(_ reference: String, _ number: Int, approves: Bool) {
        self.change(reference, number) { state, process, booking in
            state.processes[process].bookings[booking].state = approves ? .booked : .failed
            if !approves, number > 0 { state.processes[process].isCompleted = false }
            state.report(approves ? .completed : .failed, of: process, booking)
        }
    }

    /// What stood comes to nothing.
    func fail(_ reference: String, _ number: Int) {
        self.change(reference, number) { state, process, booking in
            state.processes[process].bookings[booking].state = .failed
            state.report(.failed, of: process, booking)
        }
    }

    /// The cardholder's bank takes money back.
    func chargeBack(_ reference: String, _ amount: Int64) {
        self.change(reference, 0) { state, process, booking in
            state.processes[process].chargedBack += amount
            state.report(.cancelation, of: process, booking)
        }
    }

    /// A refund in the PAYONE Merchant Interface, which takes the next number.
    func refundByHand(_ reference: String, _ amount: Int64) {
        self.change(reference, 0) { state, process, _ in
            let number = state.processes[process].lastNumber + 1
            state.processes[process].lastNumber = number
            state.processes[process].bookings.append(
                StandInProcess.Booking(number: number, kind: .refund, amount: amount, isByHand: true))
            state.report(.completed, of: process, state.processes[process].bookings.count - 1)
        }
    }

    private func change(_ reference: String, _ number: Int, _ body: (inout State, Int, Int) -> Void) {
        self.book.state.withLock { state in
            guard let process = state.processes.firstIndex(where: { $0.reference == reference }),
                let booking = state.processes[process].bookings.lastIndex(where: { $0.number == number })
            else { return }
            body(&state, process, booking)
        }
    }

    // MARK: - Messages

    /// All that was to be reported until now, in the order in which it came about.
    var messages: [StandInMessage] { self.book.state.withLock { $0.messages } }
}
