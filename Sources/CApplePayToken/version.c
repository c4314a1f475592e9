/*===----------------------------------------------------------------------===*
 * This source file is part of the Pomona open source project
 * SPDX-License-Identifier: Apache-2.0
 *===----------------------------------------------------------------------===*/

/* A C compiler's look at the header, and the one function whose text lives as long as the library. The others are Sources/ApplePayTokenC's. */
#include "applepaytoken.h"

const char *apple_pay_token_version(void) {
    return APPLE_PAY_TOKEN_VERSION;
}
