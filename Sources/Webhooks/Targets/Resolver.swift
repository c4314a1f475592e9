//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Dispatch

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
        await withCheckedContinuation { continuation in
            Self.threads.async { continuation.resume(returning: Self.addresses(of: host)) }
        }
    }

    private static let threads = DispatchQueue(label: "pomona.webhooks.resolver", attributes: .concurrent)

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
