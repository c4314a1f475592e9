//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import StrictJSON
import Synchronization

@testable import TPDirect

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A gateway behind the SDK's one seam: keeps what it is sent, and answers when and what the test says.
final class ScriptedGateway: Sendable {
    enum Answer: Sendable {
        case prime(String)
        /// A prime of a card that is not co-branded.
        case plainPrime(String)
        case code(Int, String)
        case error(URLError.Code)
    }

    private struct State {
        var requests: [URLRequest] = []
        var answers: [Answer] = []
        var waiting: [CheckedContinuation<Answer, Never>] = []
        var arrivals: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// Answers at once, in this order; requests that come afterwards wait for ``answer(_:)``.
    init(_ answers: Answer...) {
        self.state.withLock { $0.answers = answers }
    }

    var requests: [URLRequest] { self.state.withLock { $0.requests } }

    var client: PrimeClient {
        PrimeClient { request in
            let answer = await withCheckedContinuation { continuation in self.take(request, continuation) }
            switch answer {
            case .plainPrime(let prime):
                var members = PrimeTests.good
                members["prime"] = .string(prime)
                members["merchant_reference_info"] = nil
                return (Data(JSON.object(members).serialized()), 200)
            case .prime(let prime):
                var members = PrimeTests.good
                members["prime"] = .string(prime)
                return (Data(JSON.object(members).serialized()), 200)
            case .code(let status, let message):
                let answer: JSON = ["status": JSON(status), "msg": .string(message)]
                return (Data(answer.serialized()), 200)
            case .error(let code): throw URLError(code)
            }
        }
    }

    private func take(_ request: URLRequest, _ continuation: CheckedContinuation<Answer, Never>) {
        let (answer, arrived) = self.state.withLock { state -> (Answer?, [CheckedContinuation<Void, Never>]) in
            state.requests.append(request)
            let arrived = state.arrivals.filter { $0.count <= state.requests.count }.map(\.continuation)
            state.arrivals.removeAll { $0.count <= state.requests.count }
            guard state.answers.isEmpty else { return (state.answers.removeFirst(), arrived) }
            state.waiting.append(continuation)
            return (nil, arrived)
        }
        for continuation in arrived { continuation.resume() }
        if let answer { continuation.resume(returning: answer) }
    }

    /// Waits until that many requests have come.
    func arrival(of count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = self.state.withLock { state in
                if state.requests.count >= count { return true }
                state.arrivals.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Answers the oldest request that waits.
    func answer(_ answer: Answer) {
        self.state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }?.resume(returning: answer)
    }
}
