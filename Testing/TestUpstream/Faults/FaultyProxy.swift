//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import NIOCore
import NIOPosix
import Synchronization

/// A network between a connector and its service: a TCP proxy that does one thing to one exchange or to all of them, or
/// loses answers.
///
/// Bytes are passed on as they come. Which exchange they are of is read from them: requests and answers are HTTP/1.1, one
/// at a time on a connection, and say how long they are (RFC 9112, section 6.3).
public final class FaultyProxy: Sendable {
    public enum Fault: Hashable, Sendable {
        case none
        /// So many bytes of the request are passed on, then both ends are closed.
        case cutRequest(after: Int)
        case cutAnswer(after: Int)
        /// The whole of the request comes and is not passed on; both ends are closed.
        case loseRequest
        /// A byte of it is another.
        case garbleRequest(at: Int)
        /// The connection ends with the answer, since what it says of its length may be garbled.
        case garbleAnswer(at: Int)
        /// All of the request is sent a second time, over a connection of its own whose answer nobody reads. The answer
        /// of the first is passed on once the copy has one too.
        case repeatRequest
        /// The request arrives, and the answer never does.
        case swallowAnswer
    }

    /// A request and its answer, as they were before anything happened to them.
    public struct Exchange: Hashable, Sendable {
        public internal(set) var request: [UInt8] = []
        public internal(set) var answer: [UInt8] = []
    }

    public let port: Int
    private let listener: any Channel
    private let shared: Shared

    /// What happens to the exchanges since ``FaultyProxy/set(_:to:replaying:)``.
    final class Plan: Sendable {
        let fault: Fault
        /// Which exchange it happens to; `nil` for every one.
        let target: Int?
        let replays: [[UInt8]]
        let exchanges = Mutex<[Exchange]>([])

        init(_ fault: Fault, to target: Int?, replaying replays: [[UInt8]]) {
            self.fault = fault
            self.target = target
            self.replays = replays
        }

        func begin() -> Int {
            self.exchanges.withLock { exchanges in
                exchanges.append(Exchange())
                return exchanges.count - 1
            }
        }

        func fault(of exchange: Int) -> Fault { exchange == self.target ?? exchange ? self.fault : .none }

        func replay(of exchange: Int) -> [UInt8]? {
            self.replays.indices.contains(exchange) ? self.replays[exchange] : nil
        }

        /// Whether the network is down: from a cut on, and where what the fault happened to was not live.
        func isDown(in exchange: Int) -> Bool {
            guard let target, exchange > target else { return false }
            switch self.fault {
            case .cutRequest, .cutAnswer, .loseRequest: return true
            default: return target < self.replays.count
            }
        }
    }

    final class Shared: Sendable {
        let plan = Mutex(Plan(.none, to: nil, replaying: []))
        /// Called once the whole of a swallowed answer has come.
        let swallowed = Mutex<(@Sendable () -> Void)?>(nil)
        /// Where connections lead.
        let port: Int
        let losses = Mutex(Losses())

        init(port: Int) {
            self.port = port
        }

        /// - Parameter request: what is being answered.
        func takeLoss(_ request: [UInt8]) -> Bool {
            self.losses.withLock { losses in
                guard losses.leftCount > 0, losses.call.map({ Self.line(of: request).contains($0) }) ?? true else {
                    return false
                }
                losses.leftCount -= 1
                losses.takenCount += 1
                return true
            }
        }

        private static func line(of request: [UInt8]) -> String {
            String(decoding: request.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        }
    }

    /// Answers that are lost, whatever the connection.
    struct Losses: Sendable {
        var leftCount = 0
        /// What the request line must contain; `nil` for any request's answer.
        var call: String?
        var takenCount = 0
    }

    /// - Parameter port: where connections lead.
    public init(to port: Int) async throws {
        let shared = Shared(port: port)
        self.shared = shared
        self.listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { client in
                client.eventLoop.makeCompletedFuture {
                    try client.pipeline.syncOperations.addHandler(FaultyConnection(client, shared))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        self.port = self.listener.localAddress?.port ?? 0
    }

    public var url: String { "http://127.0.0.1:\(self.port)" }

    /// The next answers are not passed on: their connections end instead, also those that stand already.
    ///
    /// - Parameter call: a part of the request line of those whose answers are meant ("PUT ", "/pay"); `nil` for all.
    public func loseAnswers(_ count: Int, to call: String? = nil) {
        self.shared.losses.withLock { ($0.leftCount, $0.call) = (count, call) }
    }

    /// How many answers have been lost so.
    public var lostAnswersCount: Int { self.shared.losses.withLock { $0.takenCount } }

    /// Says what happens to the exchanges that begin from now on.
    ///
    /// - Parameters:
    ///   - exchange: to which of them the fault happens, the first being 0; `nil` for all. After one that was cut or
    ///     lost there is no further one: the network is down.
    ///   - answers: what the first exchanges are answered instead of asking the service. After a fault of one of them the
    ///     network is down.
    public func set(_ fault: Fault, to exchange: Int? = nil, replaying answers: [[UInt8]] = []) {
        self.shared.plan.withLock { $0 = Plan(fault, to: exchange, replaying: answers) }
    }

    public func onSwallowed(_ body: @escaping @Sendable () -> Void) { self.shared.swallowed.withLock { $0 = body } }

    /// All since the latest ``set(_:to:replaying:)``.
    public var exchanges: [Exchange] { self.shared.plan.withLock { $0 }.exchanges.withLock { $0 } }

    public func close() async { try? await self.listener.close() }
}
