//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What a check of an account advises where no connection was made.
public enum ConnectionAdvice {
    /// - Parameter word: why nothing was sent (``UpstreamEnding/notSent(_:)``).
    public static func text(_ word: String) -> String {
        switch word {
        case "host_not_found": "the name server does not know it; check the setting host"
        case "host_not_public":
            "its name leads to this machine or its own network; check the setting host, or see acquirer.allowPrivateTargets"
        case "connection_refused", "host_unreachable":
            "nothing listens there, or a firewall refuses (\(word)); check the setting host and the way out"
        case "connect_timeout", "tls_timeout", "no_connection_in_time":
            "it did not answer in time (\(word)); check the way out, and try again"
        case "tls_not_trusted": "its certificate is of no trusted authority; check the settings host and trustRoot"
        case "tls_wrong_host": "its certificate is for another host; check the setting host"
        default: "\(word); check the setting host"
        }
    }
}
