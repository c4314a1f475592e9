//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import StrictJSON

/// Answers of the real service, as clients of it have recorded them.
enum RecordedAnswers {
    /// To PAY, and the same to RETRIEVE_TRANSACTION a moment later: version 78, ap-gateway.mastercard.com, April 2024,
    /// with other names and numbers. Of the issuer, which was not in it, the name has a letter that ASCII has not.
    static let payment: JSON = [
        "authorizationResponse": [
            "cardLevelIndicator": "C ", "cardSecurityCodeError": "M", "commercialCard": "!01",
            "commercialCardIndicator": "0", "date": "0417", "posData": "1025100006600", "posEntryMode": "812",
            "processingCode": "000000", "responseCode": "00", "returnAci": "M", "stan": "111333", "time": "101547",
            "transactionIdentifier": "404108369486000", "validationCode": "KG36",
        ],
        "gatewayEntryPoint": "WEB_SERVICES_API", "merchant": "", "order": [:],
        "response": [
            "acquirerCode": "00", "acquirerMessage": "Approved",
            "cardSecurityCode": ["acquirerCode": "M", "gatewayCode": "MATCH"], "gatewayCode": "APPROVED",
            "gatewayRecommendation": "NO_ACTION",
        ],
        "result": "SUCCESS",
        "risk": [
            "response": [
                "gatewayCode": "ACCEPTED", "provider": "ABRIGHTERIONMLE", "review": ["decision": "NOT_REQUIRED"],
                "rule": [
                    ["data": "M", "name": "MERCHANT_CSC", "recommendation": "NO_ACTION", "type": "MERCHANT_RULE"],
                    ["name": "SUSPECT_CARD_LIST", "recommendation": "NO_ACTION", "type": "MERCHANT_RULE"],
                ], "totalScore": 10,
            ]
        ],
        "sourceOfFunds": [
            "provided": [
                "card": [
                    "brand": "VISA", "expiry": ["month": "3", "year": "29"], "fundingMethod": "CREDIT",
                    "issuer": "CR\u{C9}DIT DU NORD", "number": "400551xxxxxx0003", "scheme": "VISA",
                    "storedOnFile": "NOT_STORED",
                ]
            ], "type": "CARD",
        ],
        "timeOfLastUpdate": "2024-04-17T10:15:48.508Z", "timeOfRecord": "2024-04-17T10:15:47.562Z",
        "transaction": [
            "acquirer": [
                "batch": 20_240_417, "date": "0417", "id": "UBAKEN_S2I", "merchantId": "POMONA033",
                "settlementDate": "2024-04-17", "timeZone": "+0300", "transactionId": "404108369486000",
            ], "amount": 0, "authenticationStatus": "AUTHENTICATION_NOT_IN_EFFECT", "authorizationCode": "752507",
            "currency": "USD", "id": "", "receipt": "410810111333", "reference": "reference", "source": "INTERNET",
            "stan": "111333", "terminal": "UBAS3I01", "type": "PAYMENT",
        ], "version": "78",
    ]
}
