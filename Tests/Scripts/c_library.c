/*===----------------------------------------------------------------------===*
 * This source file is part of the Pomona open source project
 * SPDX-License-Identifier: Apache-2.0
 *===----------------------------------------------------------------------===*/

/*
 * Everything that applepaytoken.h has, by four threads at once, for the address sanitizer to watch (c_library_test.py):
 * c_library OPTIONS.json TOKEN.json [leak|twice], to leave an answer behind or to give one back twice.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "applepaytoken.h"

enum { THREADS = 4, ROUNDS = 128 };

static char *token;
static size_t token_length;
static apple_pay_token_verifier *verifier;
static int opened[THREADS], refused[THREADS];

static char *contents(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    assert(file != NULL);
    char *text = malloc(1 << 20);
    *length = fread(text, 1, 1 << 20, file);
    fclose(file);
    /* No byte more than there is, so that reading beyond is seen. */
    return realloc(text, *length);
}

static void *round_of(void *argument) {
    int number = *(int *)argument;
    for (int round = 0; round < ROUNDS; round++) {
        char *answer = NULL;
        assert(apple_pay_token_open(verifier, token, token_length, time(NULL), NULL, 0, &answer) == APPLE_PAY_TOKEN_OK);
        assert(strstr(answer, "applicationPrimaryAccountNumber") != NULL);
        apple_pay_token_text_free(answer);
        opened[number]++;

        /* All beginnings of the token but the whole: each refused, each with a reason. */
        size_t cut = token_length * (size_t)round / ROUNDS;
        char *part = malloc(cut > 0 ? cut : 1);
        memcpy(part, token, cut);
        assert(apple_pay_token_verify(verifier, part, cut, time(NULL), (const uint8_t *)"x", 1, &answer) == APPLE_PAY_TOKEN_REFUSED);
        assert(strstr(answer, "\"code\"") != NULL);
        apple_pay_token_text_free(answer);
        free(part);
        refused[number]++;
    }
    return NULL;
}

static void expect_missing(int32_t status, char *answer, const char *name) {
    assert(status == APPLE_PAY_TOKEN_REFUSED);
    assert(strstr(answer, "argument_missing") != NULL && strstr(answer, name) != NULL);
    apple_pay_token_text_free(answer);
}

int main(int count, char **arguments) {
    size_t options_length;
    char *options = contents(arguments[1], &options_length);
    token = contents(arguments[2], &token_length);
    const char *mode = count > 3 ? arguments[3] : "";
    char *answer = NULL;
    int32_t status;

    assert(strcmp(apple_pay_token_version(), APPLE_PAY_TOKEN_VERSION) == 0);
    apple_pay_token_verifier_free(NULL);
    apple_pay_token_text_free(NULL);

    status = apple_pay_token_verifier_create(NULL, 0, &verifier, &answer);
    expect_missing(status, answer, "options");
    status = apple_pay_token_verifier_create(options, options_length, NULL, &answer);
    expect_missing(status, answer, "verifier");
    assert(apple_pay_token_verifier_create("{", 1, &verifier, NULL) == APPLE_PAY_TOKEN_REFUSED && verifier == NULL);
    assert(apple_pay_token_verifier_create(options, (size_t)-1, &verifier, &answer) == APPLE_PAY_TOKEN_REFUSED);
    assert(strstr(answer, "length_too_large") != NULL);
    apple_pay_token_text_free(answer);

    assert(apple_pay_token_verifier_create(options, options_length, &verifier, &answer) == APPLE_PAY_TOKEN_OK && answer == NULL);
    status = apple_pay_token_open(NULL, token, token_length, 0, NULL, 0, &answer);
    expect_missing(status, answer, "verifier");
    status = apple_pay_token_open(verifier, NULL, 0, 0, NULL, 0, &answer);
    expect_missing(status, answer, "token");
    assert(apple_pay_token_open(verifier, token, token_length, time(NULL), NULL, 0, NULL) == APPLE_PAY_TOKEN_REFUSED);

    pthread_t threads[THREADS];
    int numbers[THREADS];
    for (int index = 0; index < THREADS; index++) {
        numbers[index] = index;
        assert(pthread_create(&threads[index], NULL, round_of, &numbers[index]) == 0);
    }
    int opened_count = 0, refused_count = 0;
    for (int index = 0; index < THREADS; index++) {
        pthread_join(threads[index], NULL);
        opened_count += opened[index];
        refused_count += refused[index];
    }
    printf("%d opened, %d refused\n", opened_count, refused_count);

    /* One verifier of each kind that a program may have many of. */
    for (int round = 0; round < 16; round++) {
        apple_pay_token_verifier *another;
        assert(apple_pay_token_verifier_create(options, options_length, &another, &answer) == APPLE_PAY_TOKEN_OK);
        apple_pay_token_verifier_free(another);
    }

    assert(apple_pay_token_verify(verifier, token, token_length, time(NULL), NULL, 0, &answer) == APPLE_PAY_TOKEN_OK);
    if (strcmp(mode, "leak") != 0) apple_pay_token_text_free(answer);
    if (strcmp(mode, "twice") == 0) apple_pay_token_text_free(answer);
    answer = NULL;
    apple_pay_token_verifier_free(verifier);
    free(token);
    free(options);
    return 0;
}
