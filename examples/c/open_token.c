/*===----------------------------------------------------------------------===*
 * This source file is part of the Pomona open source project
 * SPDX-License-Identifier: Apache-2.0
 *===----------------------------------------------------------------------===*/

/*
 * Verifies a token and opens it: open_token OPTIONS.json TOKEN.json
 * The options are those of apple_pay_token_verifier_create. What was in the token is printed.
 *
 * cc -I Sources/CApplePayToken/include open_token.c -L .build/debug -lapplepaytoken-c -o open_token
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "applepaytoken.h"

/* All of a file, to be freed; NULL if it cannot be read. */
static char *contents(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    size_t room = 1 << 20;
    char *text = malloc(room);
    *length = text == NULL ? 0 : fread(text, 1, room, file);
    fclose(file);
    return text;
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "open_token OPTIONS.json TOKEN.json\n");
        return 64;
    }
    size_t options_length = 0, token_length = 0;
    char *options = contents(arguments[1], &options_length);
    char *token = contents(arguments[2], &token_length);

    char *answer = NULL;
    apple_pay_token_verifier *verifier = NULL;
    int32_t status = apple_pay_token_verifier_create(options, options_length, &verifier, &answer);
    if (status == APPLE_PAY_TOKEN_OK) {
        status = apple_pay_token_open(verifier, token, token_length, (int64_t)time(NULL), NULL, 0, &answer);
    }
    fprintf(status == APPLE_PAY_TOKEN_OK ? stdout : stderr, "%s\n", answer);

    apple_pay_token_text_free(answer);
    apple_pay_token_verifier_free(verifier);
    free(token);
    free(options);
    return status;
}
