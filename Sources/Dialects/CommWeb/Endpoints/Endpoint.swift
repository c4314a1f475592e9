//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes

/// The methods and paths.
enum Endpoint: CaseIterable, Sendable {
    case information
    case submitTransaction
    case retrieveTransaction
    case retrieveOrder
    case createSession
    case updateSession
    case retrieveSession
    case paymentOptions
    /// As older versions of the interface asked.
    case paymentOptionsByGet
    case nvp
    case nvpInformation
    case nvpInformationByGet

    private static let merchant = "/api/rest/version/{version}/merchant/{merchant}"

    var method: HTTPRequest.Method {
        switch self {
        case .information, .retrieveTransaction, .retrieveOrder, .retrieveSession, .paymentOptionsByGet,
            .nvpInformationByGet:
            .get
        case .submitTransaction, .updateSession: .put
        case .createSession, .paymentOptions, .nvp, .nvpInformation: .post
        }
    }

    var path: String {
        switch self {
        case .information: "/api/rest/version/{version}/information"
        case .submitTransaction, .retrieveTransaction:
            Self.merchant + "/order/{order}/transaction/{transaction}"
        case .retrieveOrder: Self.merchant + "/order/{order}"
        case .createSession: Self.merchant + "/session"
        case .updateSession, .retrieveSession: Self.merchant + "/session/{session}"
        case .paymentOptions, .paymentOptionsByGet: Self.merchant + "/paymentOptionsInquiry"
        case .nvp: "/api/nvp/version/{version}"
        case .nvpInformation, .nvpInformationByGet: "/api/nvp/version/{version}/information"
        }
    }

    var flavor: Flavor {
        switch self {
        case .nvp, .nvpInformation, .nvpInformationByGet: .nvp
        case .information, .submitTransaction, .retrieveTransaction, .retrieveOrder, .createSession, .updateSession,
            .retrieveSession, .paymentOptions, .paymentOptionsByGet:
            .rest
        }
    }

    /// The operation of a REST endpoint, which its method and path name; `nil` where a field does.
    var operation: APIOperation? {
        switch self {
        case .information, .nvpInformation, .nvpInformationByGet: .checkGateway
        case .retrieveTransaction: .retrieveTransaction
        case .retrieveOrder: .retrieveOrder
        case .createSession: .createSession
        case .updateSession: .updateSession
        case .retrieveSession: .retrieveSession
        case .paymentOptions, .paymentOptionsByGet: .paymentOptionsInquiry
        case .submitTransaction, .nvp: nil
        }
    }
}
