//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes

extension Problem {
    /// What the API itself refuses. What the rooms below refuse has their codes.
    enum Code: String, CaseIterable {
        case pathUnknown = "path_unknown"
        case methodNotAllowed = "method_not_allowed"
        case bodyTooLarge = "body_too_large"
        case bodyIncomplete = "body_incomplete"
        case timedOut = "timed_out"
        case overloaded
        case credentialsAmbiguous = "credentials_ambiguous"
        case unauthorized
        case tooManyAttempts = "too_many_attempts"
        case scopeMissing = "scope_missing"
        case notFound = "not_found"
        case queryMalformed = "query_malformed"
        case parameterUnknown = "parameter_unknown"
        case parameterInvalid = "parameter_invalid"
        case parametersUnfit = "parameters_unfit"
        case mediaTypeWrong = "media_type_wrong"
        case jsonMalformed = "json_malformed"
        case bodyInvalid = "body_invalid"
        case idempotencyKeyMissing = "idempotency_key_missing"
        case idempotencyKeyMalformed = "idempotency_key_malformed"
        case idempotencyKeyUsed = "idempotency_key_used"
        case idempotencyUnderWay = "idempotency_under_way"
        case idempotencyAnswerLost = "idempotency_answer_lost"
        case keyUsed = "key_used"
        case ifMatchMissing = "if_match_missing"
        case ifMatchMalformed = "if_match_malformed"
        case changedMeanwhile = "changed_meanwhile"
        case conflict
        case refundLimitExceeded = "refund_limit_exceeded"
        case settingIsSecret = "setting_is_secret"
        case tooManyStreams = "too_many_streams"
        case hostUnknown = "host_unknown"
        case portalHeaderMissing = "portal_header_missing"
        case originForeign = "origin_foreign"
        case signInRefused = "sign_in_refused"
        case busy
        case sessionEnded = "session_ended"
        case signInIncomplete = "sign_in_incomplete"
        case personNeeded = "person_needed"
        case vaultUnavailable = "vault_unavailable"
        case storeUnavailable = "store_unavailable"
        case internalError = "internal_error"

        var status: HTTPResponse.Status {
            switch self {
            case .pathUnknown, .notFound: .notFound
            case .methodNotAllowed: .methodNotAllowed
            case .bodyTooLarge: .contentTooLarge
            case .bodyIncomplete, .queryMalformed, .parameterUnknown, .parameterInvalid, .jsonMalformed,
                .idempotencyKeyMissing, .idempotencyKeyMalformed, .ifMatchMalformed:
                .badRequest
            case .timedOut: .gatewayTimeout
            case .overloaded, .busy, .vaultUnavailable, .storeUnavailable: .serviceUnavailable
            case .credentialsAmbiguous, .scopeMissing, .refundLimitExceeded, .portalHeaderMissing, .originForeign,
                .personNeeded:
                .forbidden
            case .unauthorized, .signInRefused, .sessionEnded, .signInIncomplete: .unauthorized
            case .tooManyAttempts, .tooManyStreams: .tooManyRequests
            case .parametersUnfit, .bodyInvalid, .idempotencyKeyUsed, .settingIsSecret: .unprocessableContent
            case .mediaTypeWrong: .unsupportedMediaType
            case .idempotencyUnderWay, .idempotencyAnswerLost, .keyUsed, .conflict: .conflict
            case .ifMatchMissing: .preconditionRequired
            case .changedMeanwhile: .preconditionFailed
            case .hostUnknown: .misdirectedRequest
            case .internalError: .internalServerError
            }
        }

        /// What whoever calls can do about it.
        var advice: String {
            switch self {
            case .pathUnknown: "Look at the paths of /admin/v1/openapi.json."
            case .methodNotAllowed: "Look at the path in /admin/v1/openapi.json."
            case .bodyTooLarge: "Send less at once."
            case .bodyIncomplete: "Send the call again, whole."
            case .timedOut: "What was begun goes on: ask again with the same Idempotency-Key."
            case .overloaded: "Nothing was done: try again."
            case .credentialsAmbiguous: "Show a token or a session, not both."
            case .unauthorized: "Show a token that is not revoked and has not ended, or sign in."
            case .tooManyAttempts: "Wait as long as Retry-After says."
            case .scopeMissing: "Ask with a token or as a person whose role has the scope, for this merchant."
            case .notFound: "Look at the list: it is not there, or not for this caller."
            case .queryMalformed: "Send the query percent-encoded, in UTF-8."
            case .parameterUnknown: "Leave the parameter out, or look at its name in /admin/v1/openapi.json."
            case .parameterInvalid: "Send the parameter as /admin/v1/openapi.json describes it."
            case .parametersUnfit: "Change the parameters so that they fit each other: the detail says how."
            case .mediaTypeWrong: "Send the body as application/json."
            case .jsonMalformed: "Send strict JSON (RFC 8259)."
            case .bodyInvalid: "Mend what the member errors names, by its JSON pointers."
            case .idempotencyKeyMissing: "Send an Idempotency-Key that is new for every new change."
            case .idempotencyKeyMalformed: "Send 1 to 255 visible ASCII characters, such as a UUID."
            case .idempotencyKeyUsed: "Take a new key for a new call."
            case .idempotencyUnderWay: "Ask again in a moment with the same key."
            case .idempotencyAnswerLost: "Read what there is now; rotate a credential that was not seen."
            case .keyUsed: "Take a new key for a new act."
            case .ifMatchMissing: "Read the resource and send its ETag as If-Match."
            case .ifMatchMalformed: "Send the ETag as it was read, with its quotes; or * alone."
            case .changedMeanwhile: "Read the resource again and decide anew."
            case .conflict: "Read again what was to be changed, then try again."
            case .refundLimitExceeded: "Refund no more than the member limit says, or ask somebody who may refund more."
            case .settingIsSecret: "Rotate the credential instead."
            case .tooManyStreams: "Close a stream, or wait."
            case .hostUnknown: "Open the administration by the name that it signs in by."
            case .portalHeaderMissing: "Send the header Pomona-Portal: 1."
            case .originForeign: "Call from the administration's own origin."
            case .signInRefused:
                "Look at the name, the password and the code; ask an owner whether the person may sign in."
            case .busy: "Try again in a few seconds."
            case .sessionEnded: "Sign in anew."
            case .signInIncomplete: "Ask GET /session for the next step."
            case .personNeeded: "Sign in as a person."
            case .vaultUnavailable: "Try again, then look at pomona doctor."
            case .storeUnavailable: "Nothing was done: try again, then look at the store."
            case .internalError: "Look at the log of the request with the answer's X-Request-Id."
            }
        }
    }
}
