//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// The addresses that a getprime may be sent to. A payment token travels there, so that plain HTTP is for a gateway
/// on the same machine alone.
enum GatewayHost {
    static func tapPay(_ serverType: TPDServerType) -> String {
        switch serverType {
        case .sandBox: "https://sandbox.tappaysdk.com"
        case .production: "https://prod.tappaysdk.com"
        }
    }

    static func checked(_ url: URL) throws(TPDHostError) -> URL {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: false), let host = parts.host,
            !host.isEmpty
        else {
            throw TPDHostError(description: "the host must be an address such as https://pay.example.com")
        }
        guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil,
            parts.path.isEmpty || parts.path == "/"
        else {
            throw TPDHostError(description: "the host must be without a path, a query, a user and a fragment")
        }
        switch parts.scheme?.lowercased() {
        case "https": break
        case "http" where Self.isLoopback(host): break
        default:
            throw TPDHostError(description: "the host must be https; http is for this machine's own addresses alone")
        }
        return url
    }

    /// localhost, 127.0.0.0/8 and ::1 (RFC 6761, section 6.3; RFC 1122, section 3.2.1.3; RFC 4291, section 2.5.3).
    static func isLoopback(_ host: String) -> Bool {
        let name = host.lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        if name == "localhost" || name == "::1" { return true }
        let numbers = name.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers.allSatisfy { $0 != nil } && numbers.first == 127
    }
}
