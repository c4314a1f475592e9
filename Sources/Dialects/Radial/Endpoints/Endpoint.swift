//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import DialectKit
import Gateway
import HTTPTypes
import Payments

/// The operations, by their path below `/v{M}.{m}/stores/{storeId}/payments/`.
enum Endpoint: String, CaseIterable, Sendable {
    case authorization = "creditcard/auth/{tender}"
    case fundsConfirmation = "funds/confirm/{tender}"
    case fundsConfirmationLater = "funds/confirm/async/{tender}"
    case settlement = "settlement/create/{tender}"
    case authorizationCancel = "auth/cancel/{tender}"
    case decryption = "decryptblob"
    case decryptionXML = "decryptblob.xml"
    case tenderLookup = "tendertype/lookup.xml"
}

extension Radial {
    /// Every answer that is no reply is a Fault with the status of its code.
    func handle(_ request: WireRequest, _ parameters: RouteParameters, _ endpoint: Endpoint) async -> WireResponse {
        do throws(RadialFault) {
            guard Self.isVersion(parameters["version"] ?? "") else { throw RadialFault(.resourceUnknown) }
            let tender = try Self.tender(parameters["tender"])
            let merchant = try await self.authenticator.authenticate(request, store: parameters["storeId"] ?? "")
            let message = try Self.read(request)
            let reply = try await self.perform(endpoint, message, tender: tender, merchant)
            return Self.response(.ok, XMLWriter.document(reply))
        } catch {
            return request.namingCoding(in: self.response(error)).refused(as: WireRefusal(error.code, of: endpoint))
        }
    }

    private func perform(
        _ endpoint: Endpoint, _ message: XMLElement, tender: String?, _ merchant: MerchantContext
    ) async throws(RadialFault) -> XMLNode {
        switch endpoint {
        case .authorization: try await self.authorize(message, tender: tender, merchant)
        case .fundsConfirmation, .fundsConfirmationLater:
            try await self.confirmFunds(message, tender: try Self.cardTender(tender), merchant)
        case .settlement: try await self.settle(message, tender: try Self.cardTender(tender), merchant)
        case .authorizationCancel: try await self.cancel(message, tender: try Self.cardTender(tender), merchant)
        case .decryption, .decryptionXML: try await self.decrypt(message, merchant)
        case .tenderLookup: try await self.lookUpTender(message, merchant)
        }
    }

    // MARK: - The request

    /// "v1.0" to "v3.99", which are spoken alike.
    static func isVersion(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return (4...5).contains(bytes.count) && text.hasPrefix("v")
            && (UInt8(ascii: "1")...UInt8(ascii: "3")).contains(bytes[1])
            && bytes[2] == UInt8(ascii: ".") && bytes.dropFirst(3).allSatisfy(ASCII.isDigit)
    }

    /// "VC.xml" as "VC"; `nil` where the path has none.
    private static func tender(_ segment: String?) throws(RadialFault) -> String? {
        guard let segment else { return nil }
        guard segment.hasSuffix(".xml"), segment.utf8.count > 4 else { throw RadialFault(.resourceUnknown) }
        return String(segment.dropLast(4))
    }

    /// The card's tender type, which every call but a wallet's authorization must name.
    static func cardTender(_ text: String?) throws(RadialFault) -> TenderType {
        guard let tender = text.flatMap(TenderType.init(rawValue:)) else { throw RadialFault(.tenderTypeInvalid) }
        return tender
    }

    private static func read(_ request: WireRequest) throws(RadialFault) -> XMLElement {
        if let problem = request.contentCodingProblem { throw RadialFault(.mediaTypeNotSupported, problem) }
        guard let contentType = request.headers[.contentType],
            MediaType.isUTF8(contentType, "application/xml", "text/xml")
        else {
            throw RadialFault(.mediaTypeNotSupported)
        }
        do throws(XMLError) {
            return try XMLReader.read(request.body, limits: XMLLimits(bytesMax: self.bodyBytesMax))
        } catch {
            throw RadialFault(.xmlMalformed, "The body is not the XML that is expected: \(error).")
        }
    }

    // MARK: - The response

    static func response(_ status: HTTPResponse.Status, _ body: [UInt8]) -> WireResponse {
        var response = WireResponse(status: status, body: body)
        response.headers[.contentType] = "application/xml; charset=UTF-8"
        response.headers[.cacheControl] = "no-store"
        return response
    }

    func response(_ fault: RadialFault) -> WireResponse {
        var response = Self.response(fault.code.status, XMLWriter.document(fault.node(at: self.gateway.now())))
        switch fault.code {
        // RFC 9110, section 11.6.1 wants a challenge with every 401.
        case .apiKeyMissing: response.headers[.wwwAuthenticate] = "ApiKey"
        case .overloaded, .unavailable: response.headers[.retryAfter] = "1"
        default: break
        }
        if let seconds = fault.retryAfterSeconds { response.headers[.retryAfter] = String(seconds) }
        return response
    }
}
