//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// BoringSSL verifies a signature of P-256 with a table of the curve's generator, and doubles the signer's key 255 times. A
// key that signs many messages can have a table, too. The arithmetic stays BoringSSL's, in the assembly that it takes
// itself on such a processor; here is what it is asked for: the table, the sum of its entries, and the equation of FIPS
// 186-5.
//
// These functions are no interface of BoringSSL. They are looked for when the program is linked, and where one is missing
// no table is made. What they take and give stands in crypto/fipsmodule/ec/p256-nistz.h: to be read again with each
// version of swift-crypto.

#include "CP256Table.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) && defined(__linux__)

#include <cpuid.h>

// 256 bits, the least significant first.
typedef struct {
    uint64_t words[4];
} number;

// Coordinates are in Montgomery's form: multiplied by 2^256.
typedef struct {
    number x, y;
} affine_point;

// Jacobian: x/z², y/z³; infinite where z is 0.
typedef struct {
    number x, y, z;
} point;

// A scalar is read seven bits at a time, as a digit of -64 to 64.
enum { WINDOW = 7, WINDOWS = 37, MULTIPLES = 64 };

struct pomona_p256_table {
    // The first to the 64th multiple of the point times 2^(7 i).
    affine_point multiples[WINDOWS][MULTIPLES];
};

// MARK: - What BoringSSL has

#define BORINGSSL(result, name, ...)                                         \
    extern result CCryptoBoringSSL_##name(__VA_ARGS__) __attribute__((weak)); \
    static result (*const name)(__VA_ARGS__) = CCryptoBoringSSL_##name

// Modulo the field's prime.
BORINGSSL(void, ecp_nistz256_neg, number *, const number *);
BORINGSSL(void, ecp_nistz256_mul_mont_adx, number *, const number *, const number *);
BORINGSSL(void, ecp_nistz256_sqr_mont_adx, number *, const number *);
// Modulo the group's order.
BORINGSSL(void, ecp_nistz256_ord_mul_mont_adx, number *, const number *, const number *);
BORINGSSL(int, beeu_mod_inverse_vartime, number *, const number *, const number *);
// Of points. The last does not add a point to itself.
BORINGSSL(void, ecp_nistz256_point_double_adx, point *, const point *);
BORINGSSL(void, ecp_nistz256_point_add_adx, point *, const point *, const point *);
BORINGSSL(void, ecp_nistz256_point_add_affine_adx, point *, const point *, const affine_point *);

// The processor has MULX, ADCX and ADOX, and the system keeps the registers of AVX: what these functions use.
static bool is_available(void) {
    if (!ecp_nistz256_neg || !ecp_nistz256_mul_mont_adx || !ecp_nistz256_sqr_mont_adx || !ecp_nistz256_ord_mul_mont_adx
        || !beeu_mod_inverse_vartime || !ecp_nistz256_point_double_adx || !ecp_nistz256_point_add_adx
        || !ecp_nistz256_point_add_affine_adx)
        return false;
    unsigned eax, ebx, ecx, edx;
    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & bit_OSXSAVE) || !(ecx & bit_AVX)) return false;
    unsigned kept, rest;
    __asm__ volatile("xgetbv" : "=a"(kept), "=d"(rest) : "c"(0));
    if ((kept & 6) != 6) return false;
    return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && (ebx & bit_BMI2) && (ebx & bit_ADX);
}

// MARK: - Numbers

static const number prime = {{0xffffffffffffffff, 0x00000000ffffffff, 0, 0xffffffff00000001}};
static const number order = {{0xf3b9cac2fc632551, 0xbce6faada7179e84, 0xffffffffffffffff, 0xffffffff00000000}};
static const number one = {{1}};
// 2^256 and 2^512 modulo the prime, 2^512 modulo the order.
static const number one_mont = {{1, 0xffffffff00000000, 0xffffffffffffffff, 0x00000000fffffffe}};
static const number prime_square = {{3, 0xfffffffbffffffff, 0xfffffffffffffffe, 0x00000004fffffffd}};
static const number order_square = {{0x83244c95be79eea2, 0x4699799c49bd6fa6, 0x2845b2392b6bec59, 0x66e12d94f3d95620}};

static number from_bytes(const uint8_t bytes[32]) {
    number result;
    for (int word = 0; word < 4; word++) {
        uint64_t value;
        memcpy(&value, bytes + 8 * (3 - word), 8);
        result.words[word] = __builtin_bswap64(value);
    }
    return result;
}

static bool is_zero(const number *a) { return (a->words[0] | a->words[1] | a->words[2] | a->words[3]) == 0; }

// a - b, and whether b is the greater.
static bool subtract(number *result, const number *a, const number *b) {
    unsigned long long borrow = 0;
    for (int word = 0; word < 4; word++)
        result->words[word] = __builtin_subcll(a->words[word], b->words[word], borrow, &borrow);
    return borrow;
}

static bool is_less(const number *a, const number *b) {
    number difference;
    return subtract(&difference, a, b);
}

// a + b, and whether it takes more than 256 bits.
static bool add(number *result, const number *a, const number *b) {
    unsigned long long carry = 0;
    for (int word = 0; word < 4; word++)
        result->words[word] = __builtin_addcll(a->words[word], b->words[word], carry, &carry);
    return carry;
}

// 1/a modulo the prime, as a^(p - 2).
static number inverse(const number *a) {
    static const number exponent = {{0xfffffffffffffffd, 0x00000000ffffffff, 0, 0xffffffff00000001}};
    number result = one_mont;
    for (int bit = 255; bit >= 0; bit--) {
        ecp_nistz256_sqr_mont_adx(&result, &result);
        if (exponent.words[bit / 64] >> (bit % 64) & 1) ecp_nistz256_mul_mont_adx(&result, &result, a);
    }
    return result;
}

// MARK: - Tables

// One window's multiples with z = 1: of all 64, one inverse is taken.
static void normalize(affine_point results[MULTIPLES], const point points[MULTIPLES]) {
    number products[MULTIPLES];
    products[0] = points[0].z;
    for (int i = 1; i < MULTIPLES; i++) ecp_nistz256_mul_mont_adx(&products[i], &products[i - 1], &points[i].z);
    number rest = inverse(&products[MULTIPLES - 1]);
    for (int i = MULTIPLES - 1; i >= 0; i--) {
        number z = rest, power;
        if (i > 0) {
            ecp_nistz256_mul_mont_adx(&z, &rest, &products[i - 1]);
            ecp_nistz256_mul_mont_adx(&rest, &rest, &points[i].z);
        }
        ecp_nistz256_sqr_mont_adx(&power, &z);
        ecp_nistz256_mul_mont_adx(&results[i].x, &points[i].x, &power);
        ecp_nistz256_mul_mont_adx(&power, &power, &z);
        ecp_nistz256_mul_mont_adx(&results[i].y, &points[i].y, &power);
    }
}

pomona_p256_table *pomona_p256_table_make(const uint8_t bytes[64]) {
    if (!is_available()) return NULL;
    pomona_p256_table *table = aligned_alloc(64, sizeof(pomona_p256_table));
    if (!table) return NULL;
    number x = from_bytes(bytes), y = from_bytes(bytes + 32);
    point base = {.z = one_mont};
    ecp_nistz256_mul_mont_adx(&base.x, &x, &prime_square);
    ecp_nistz256_mul_mont_adx(&base.y, &y, &prime_square);
    for (int window = 0; window < WINDOWS; window++) {
        // No multiple is infinite: 1 to 64 times a power of two is none of the order, which is prime.
        point multiples[MULTIPLES];
        multiples[0] = base;
        ecp_nistz256_point_double_adx(&multiples[1], &base);
        for (int i = 2; i < MULTIPLES; i++) ecp_nistz256_point_add_adx(&multiples[i], &multiples[i - 1], &base);
        normalize(table->multiples[window], multiples);
        ecp_nistz256_point_double_adx(&base, &multiples[MULTIPLES - 1]);
    }
    return table;
}

// The scalar is below the order. Then the sum of the lower windows is never the multiple that is added to it, which
// point_add_affine could not do: of window i the sum is at most 2^(7 i - 1) times the point, and the multiple at least
// 2^(7 i), so that only a multiple of the order could lie between them. It does in the last window alone, for the scalars
// 2^257 - n, which is no number of 256 bits, and n itself, where they are opposite.
static point multiply(const pomona_p256_table *table, const number *scalar) {
    uint8_t bytes[34] = {0};
    memcpy(bytes, scalar->words, 32);
    point sum = {{{0}}, {{0}}, {{0}}};
    for (int window = 0; window < WINDOWS; window++) {
        // Seven bits and the highest of the window before, which has left its carry (Booth).
        int bit = WINDOW * window - 1;
        int value = window == 0 ? bytes[0] << 1 : (bytes[bit / 8] | bytes[bit / 8 + 1] << 8) >> (bit % 8);
        value &= 0xff;
        int digit = (value + 1) / 2 - (value & 0x80);
        if (digit == 0) continue;
        affine_point multiple = table->multiples[window][abs(digit) - 1];
        if (digit < 0) ecp_nistz256_neg(&multiple.y, &multiple.y);
        if (is_zero(&sum.z)) {
            sum = (point){multiple.x, multiple.y, one_mont};
        } else {
            ecp_nistz256_point_add_affine_adx(&sum, &sum, &multiple);
        }
    }
    return sum;
}

bool pomona_p256_table_verify(
    const pomona_p256_table *generator, const pomona_p256_table *key, const uint8_t digest[32], const uint8_t signature[64]) {
    number r = from_bytes(signature), s = from_bytes(signature + 32), e = from_bytes(digest);
    if (is_zero(&r) || is_zero(&s) || !is_less(&r, &order) || !is_less(&s, &order)) return false;
    if (!is_less(&e, &order)) subtract(&e, &e, &order);

    // u1 = e/s, u2 = r/s. Of two factors one is in Montgomery's form, so that the product is not.
    number w, u1, u2;
    if (!beeu_mod_inverse_vartime(&w, &s, &order)) return false;
    ecp_nistz256_ord_mul_mont_adx(&w, &w, &order_square);
    ecp_nistz256_ord_mul_mont_adx(&u1, &e, &w);
    ecp_nistz256_ord_mul_mont_adx(&u2, &r, &w);

    point sum = multiply(generator, &u1), term = multiply(key, &u2);
    ecp_nistz256_point_add_adx(&sum, &sum, &term);
    if (is_zero(&sum.z)) return false;

    // x/z² is r, or r and the order, where that is below the prime: compared without an inverse.
    number square, x, expected;
    ecp_nistz256_sqr_mont_adx(&square, &sum.z);
    ecp_nistz256_mul_mont_adx(&x, &sum.x, &one);
    ecp_nistz256_mul_mont_adx(&expected, &r, &square);
    if (memcmp(&expected, &x, sizeof x) == 0) return true;
    number greater;
    if (add(&greater, &r, &order) || !is_less(&greater, &prime)) return false;
    ecp_nistz256_mul_mont_adx(&expected, &greater, &square);
    return memcmp(&expected, &x, sizeof x) == 0;
}

#else

struct pomona_p256_table {
    uint8_t none;
};

pomona_p256_table *pomona_p256_table_make(const uint8_t point[64]) {
    (void)point;
    return NULL;
}

bool pomona_p256_table_verify(
    const pomona_p256_table *generator, const pomona_p256_table *key, const uint8_t digest[32], const uint8_t signature[64]) {
    (void)generator, (void)key, (void)digest, (void)signature;
    return false;
}

#endif

pomona_p256_table *pomona_p256_table_make_generator(void) {
    static const uint8_t generator[64] = {
        0x6b, 0x17, 0xd1, 0xf2, 0xe1, 0x2c, 0x42, 0x47, 0xf8, 0xbc, 0xe6, 0xe5, 0x63, 0xa4, 0x40, 0xf2,
        0x77, 0x03, 0x7d, 0x81, 0x2d, 0xeb, 0x33, 0xa0, 0xf4, 0xa1, 0x39, 0x45, 0xd8, 0x98, 0xc2, 0x96,
        0x4f, 0xe3, 0x42, 0xe2, 0xfe, 0x1a, 0x7f, 0x9b, 0x8e, 0xe7, 0xeb, 0x4a, 0x7c, 0x0f, 0x9e, 0x16,
        0x2b, 0xce, 0x33, 0x57, 0x6b, 0x31, 0x5e, 0xce, 0xcb, 0xb6, 0x40, 0x68, 0x37, 0xbf, 0x51, 0xf5,
    };
    return pomona_p256_table_make(generator);
}

void pomona_p256_table_free(pomona_p256_table *table) { free(table); }
