//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Hosts
import Synchronization
import Threads

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Finds the addresses of a host name: all of them, in the order to try.
public struct Resolver: Sendable {
    /// - Throws: whatever, when the name has no address.
    public typealias Lookup = @Sendable (_ host: String) async throws -> [IPAddress]

    let lookUp: Lookup

    public init(_ lookUp: @escaping Lookup) {
        self.lookUp = lookUp
    }

    /// The operating system's resolver. It blocks, and so it runs on threads of its own.
    public static let system = Resolver { host in
        try await Self.abandonable { finish in
            // A name server that stays silent keeps a thread for a while after everybody has stopped waiting for it.
            if !Self.threads.start({ finish(Self.addresses(of: host)) }) { finish([]) }
        }
    }

    /// All addresses of a host, which may be written as one.
    ///
    /// - Throws: whatever, when the name has no address.
    public func addresses(of host: String) async throws -> [IPAddress] {
        if let literal = IPAddress(host) { return [literal] }
        let found = try await self.lookUp(host)
        // IPv4 first: not every network that offers IPv6 carries it.
        return found.filter { !$0.isIPv6 } + found.filter(\.isIPv6)
    }

    /// The addresses to try of a host that lies on the public internet.
    ///
    /// - Returns: none where the name has none, and none where one of them is not public: one private address among
    ///   public ones is no accident.
    public func publicAddresses(of host: String) async -> [IPAddress] {
        guard let found = try? await self.addresses(of: host), found.allSatisfy(\.isPublic) else { return [] }
        return Array(found.prefix(Self.addressesMax))
    }

    /// The most addresses of a host that are tried, so that each has its share of the time.
    static let addressesMax = 4

    /// Waits for work that cannot be stopped, but no longer than until the task is cancelled.
    static func abandonable<Value: Sendable>(
        _ begin: (_ finish: @escaping @Sendable (Value) -> Void) -> Void
    ) async throws -> Value {
        let waiting = Waiting<Value>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiting.begin(continuation)
                begin { waiting.end(.success($0)) }
            }
        } onCancel: {
            waiting.end(.failure(CancellationError()))
        }
    }

    /// Resumes a continuation once: with the first end, even one that came before the continuation.
    private final class Waiting<Value: Sendable>: Sendable {
        private struct State {
            var continuation: CheckedContinuation<Value, any Error>?
            var end: Result<Value, any Error>?
        }

        private let state = Mutex(State())

        func begin(_ continuation: CheckedContinuation<Value, any Error>) {
            let end = self.state.withLock { state in
                state.continuation = state.end == nil ? continuation : nil
                return state.end
            }
            if let end { continuation.resume(with: end) }
        }

        func end(_ end: Result<Value, any Error>) {
            let continuation = self.state.withLock { state in
                guard state.end == nil else { return CheckedContinuation<Value, any Error>?.none }
                state.end = end
                defer { state.continuation = nil }
                return state.continuation
            }
            continuation?.resume(with: end)
        }
    }

    private static let threads = OwnThreads("pomona.resolver", countMax: 512)

    private static func addresses(of host: String) -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        #if canImport(Glibc)
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
        hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [IPAddress] = []
        var entry = list
        while let info = entry?.pointee {
            if let address = Self.address(info), !addresses.contains(address) { addresses.append(address) }
            entry = info.ai_next
        }
        return addresses
    }

    private static func address(_ info: addrinfo) -> IPAddress? {
        guard let socketAddress = info.ai_addr else { return nil }
        let raw = UnsafeRawPointer(socketAddress)
        switch info.ai_family {
        case AF_INET:
            let address = raw.loadUnaligned(as: sockaddr_in.self).sin_addr
            return IPAddress(bytes: withUnsafeBytes(of: address) { Array($0) })
        case AF_INET6:
            let address = raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            return IPAddress(bytes: withUnsafeBytes(of: address) { Array($0) })
        default: return nil
        }
    }
}
