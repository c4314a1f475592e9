/*===----------------------------------------------------------------------===*
 * This source file is part of the Pomona open source project
 * SPDX-License-Identifier: Apache-2.0
 *===----------------------------------------------------------------------===*/

/*
 * Apple Pay payment tokens, verified and opened, for every language that calls C. docs/c-library.md has examples.
 *
 * Texts are UTF-8. Texts that come in are read during the call and kept by no one afterwards; they need no NUL at their end. A text that
 * goes out ends with NUL and belongs to the caller, who gives it back with apple_pay_token_text_free. What a token held is in such a text:
 * it is overwritten with zeros when it is given back.
 *
 * Every function may be called from any thread, and a verifier be used from many at once.
 */
#ifndef APPLEPAYTOKEN_H
#define APPLEPAYTOKEN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that this header is of (Semantic Versioning 2.0.0). */
#define APPLE_PAY_TOKEN_VERSION "0.1.0"

/* What a call returns. */
enum {
    /* The answer is what was asked for. */
    APPLE_PAY_TOKEN_OK = 0,
    /*
     * Refused: the answer is {"code", "stage", "message"}. The code is stable, the stage says how far the token had come, and the message,
     * for engineers, what did not match. None of them holds anything of what a token or a key contains.
     */
    APPLE_PAY_TOKEN_REFUSED = 1
};

/* Keys, trusted roots and verified chains of certificates. Make one for each merchant and keep it: what it remembers saves time. */
typedef struct apple_pay_token_verifier apple_pay_token_verifier;

/* The version of the library that was loaded, e.g. "1.2.3". Not to be given back. */
const char *apple_pay_token_version(void);

/*
 * Makes a verifier.
 *
 * options: an object in JSON. All members may be missing.
 *   "keys"              [{"privateKey": PEM, "certificate": PEM or base64 of DER}] or, instead of the certificate, "merchantIdentifier";
 *                       P-256 for EC_v1, RSA for RSA_v1. Without keys tokens are verified and not opened.
 *   "trustRoots"        [PEM]: roots to trust beside Apple's, such as a wallet simulator's. An answer says which root vouched for it.
 *   "trustsApple"       false to trust none but those. true if missing.
 *   "ageMaxSeconds"     how old a token may be: 300 if missing.
 *   "futureMaxSeconds"  how far its time may lie in the future: 60 if missing.
 * verifier: where it goes, NULL if refused. To be given back with apple_pay_token_verifier_free.
 * answer:   where an error goes; NULL after success.
 */
int32_t apple_pay_token_verifier_create(
    const char *options, size_t options_length, apple_pay_token_verifier **verifier, char **answer);

/* Gives a verifier back; nothing if NULL. No call may be using it. */
void apple_pay_token_verifier_free(apple_pay_token_verifier *verifier);

/*
 * Verifies a token: signature, certificates, Apple's markers, age, application data.
 *
 * token:            the paymentData of a PKPaymentToken, the whole of it, or the whole payment of Apple Pay JS, in JSON.
 * now:              the time of the payment, in seconds since 1970-01-01T00:00:00Z.
 * application_data: the bytes of the payment request's applicationData, whose SHA-256 must be the token's. NULL: not compared.
 * answer:           {"verified", "version", "transactionId", "signedContentDigest", "signingTime", "trustAnchor": {"label", "id"},
 *                   "signerName", "publicKeyHash", "applicationDataHash", "paymentMethod"}
 */
int32_t apple_pay_token_verify(
    const apple_pay_token_verifier *verifier, const char *token, size_t token_length, int64_t now, const uint8_t *application_data,
    size_t application_data_length, char **answer);

/*
 * Verifies a token as apple_pay_token_verify does, and opens it with the key that it asks for.
 *
 * answer: what apple_pay_token_verify gives, and "payload" with Apple's names ("Payment token format reference"):
 *         {"applicationPrimaryAccountNumber", "applicationExpirationDate" (YYMMDD), "currencyCode" (three digits), "transactionAmount",
 *         "cardholderName"?, "deviceManufacturerIdentifier", "paymentDataType", "paymentData": {"onlinePaymentCryptogram",
 *         "eciIndicator"?} or {"emvData", "encryptedPINData"?}, "authenticationResponses"?, "merchantTokenIdentifier"?,
 *         "merchantTokenMetadata"?}. All of it in clear: it must not reach a log.
 *
 * A token is good once. This library keeps nothing: whoever takes payments remembers the signedContentDigest of each. The
 * transactionId alone is not enough for tokens that are verified and not opened: what is signed can be cut into data and
 * transactionId in more ways than one.
 */
int32_t apple_pay_token_open(
    const apple_pay_token_verifier *verifier, const char *token, size_t token_length, int64_t now, const uint8_t *application_data,
    size_t application_data_length, char **answer);

/* Overwrites a text and gives it back; nothing if NULL. */
void apple_pay_token_text_free(char *text);

#ifdef __cplusplus
}
#endif

#endif
