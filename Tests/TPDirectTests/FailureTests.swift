//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Testing

@testable import TPDirect

/// The codes of the documentation's table "iOS SDK Error Code" that the SDK raises itself.
@Suite struct FailureTests {
    static let documented: [Int: String] = [
        5: "Wrong JSON format", 30: "Device not support", 421: "Gateway Timeout",
        915: "System error, please contact TapPay customer service",
        1001: "Certificate server connection exception", 1002: "Certificate local connection exception",
        1003: "Certificate data error", 88001: "SDK Is Not Activate", 88003: "Lost Parameter",
        88009: "Can not obtain Apple Pay payment data", 88010: "Please Running on the Device",
        88012: "Invalid cart setting . While isAmountPending is false , it should not have pending item.",
        88013: "isAmountPending and isShowTotalAmount couldn’t be false at the same time.",
        88014: "Total amount couldn’t be displayed if there is only pending items.",
        88015: "isAmountPending must be true if the amount of payment item is pending.",
        88016: "paymentItem amount could’t not be 0.00",
    ]

    @Test(arguments: TPDFailure.Code.allCases)
    func saysWhatTheDocumentationSays(_ code: TPDFailure.Code) {
        if code == .reportedByApp {
            #expect(code.rawValue == -1)
        } else {
            #expect(code.message == Self.documented[code.rawValue])
        }
    }

    @Test func everyCodeOfTheSDKHasOneHome() {
        #expect(Set(TPDFailure.Code.allCases.map(\.rawValue)) == Set(Self.documented.keys).union([-1]))
    }

    @Test func saysWhatHappenedInParentheses() {
        #expect(
            TPDFailure.certificateServer(httpStatus: 526).message
                == "Certificate server connection exception (http status code: 526)")
        #expect(
            TPDFailure.certificateConnection(exception: "x").message
                == "Certificate local connection exception (exception message: x)")
        #expect(
            TPDFailure.unitedKingdomIsGB.message
                == "Lost Parameter (countryCode is not a country code (ISO 3166-1, two letters): the United Kingdom is GB)"
        )
    }
}
