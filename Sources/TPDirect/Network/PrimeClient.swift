//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Asks the gateway for primes. It logs nothing, and no failure carries data of a request.
struct PrimeClient: Sendable {
    /// Sends a request and returns the answer's body and HTTP status. The one seam of the network.
    typealias Send = @Sendable (URLRequest) async throws -> (Data, Int)

    /// A getprime that failed.
    struct Loss: Error, Hashable, Sendable {
        let failure: TPDFailure
        /// No byte of the request can have reached the gateway.
        let neverLeft: Bool
    }

    let send: Send

    init(send: @escaping Send) {
        self.send = send
    }

    func prime(_ request: PrimeRequest) async throws(Loss) -> Prime {
        let answer: Data
        let httpStatus: Int
        do {
            (answer, httpStatus) = try await self.send(request.urlRequest)
        } catch {
            throw Self.loss(error)
        }
        do {
            return try Prime(answer: answer, httpStatus: httpStatus)
        } catch {
            throw Loss(failure: error, neverLeft: false)
        }
    }

    static func loss(_ error: any Error) -> Loss {
        let code = (error as? URLError)?.code
        switch code {
        // The name was not found, or no connection came about, so that there was nothing to write a request to. A
        // connection that broke off later has another code (networkConnectionLost), and so has a silent one (timedOut).
        case .notConnectedToInternet, .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost, .internationalRoamingOff,
            .dataNotAllowed:
            return Loss(failure: TPDFailure(.gatewayTimeout), neverLeft: true)
        case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid:
            return Loss(failure: TPDFailure(.certificateData), neverLeft: false)
        case .secureConnectionFailed, .clientCertificateRejected, .clientCertificateRequired,
            .appTransportSecurityRequiresSecureConnection:
            let number = code.map { " \($0.rawValue)" } ?? ""
            return Loss(failure: .certificateConnection(exception: "NSURLErrorDomain\(number)"), neverLeft: false)
        default:
            return Loss(failure: TPDFailure(.gatewayTimeout), neverLeft: false)
        }
    }
}

extension PrimeClient {
    /// URLSession without caches, cookies and stored credentials. It follows no redirection: a payment token goes to
    /// the host that the app named and to no other.
    static let system = PrimeClient { request in
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = PrimeRequest.timeoutSeconds
        configuration.timeoutIntervalForResource = PrimeRequest.timeoutSeconds
        let session = URLSession(configuration: configuration, delegate: NoRedirection(), delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let (body, response) = try await session.data(for: request)
        return (body, (response as? HTTPURLResponse)?.statusCode ?? 0)
    }
}

private final class NoRedirection: NSObject, URLSessionTaskDelegate, Sendable {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
