//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// ISO 4217:2015, list one (currencies and funds codes) with the amendments in force on 2026-01-01: alphabetic code,
/// numeric code, exponent.
///
/// Left out are the codes that have no minor unit to count in: precious metals, bond-market units, the SDR and its like
/// (XAU, XBA, XDR …), XTS and XXX. The Bulgarian lev (BGN) and the Netherlands Antillean guilder (ANG) have been
/// withdrawn.
let iso4217: [Currency] = [
    Currency("AED", 784, 2), Currency("AFN", 971, 2), Currency("ALL", 8, 2), Currency("AMD", 51, 2),
    Currency("AOA", 973, 2), Currency("ARS", 32, 2), Currency("AUD", 36, 2), Currency("AWG", 533, 2),
    Currency("AZN", 944, 2), Currency("BAM", 977, 2), Currency("BBD", 52, 2), Currency("BDT", 50, 2),
    Currency("BHD", 48, 3), Currency("BIF", 108, 0), Currency("BMD", 60, 2), Currency("BND", 96, 2),
    Currency("BOB", 68, 2), Currency("BOV", 984, 2), Currency("BRL", 986, 2), Currency("BSD", 44, 2),
    Currency("BTN", 64, 2), Currency("BWP", 72, 2), Currency("BYN", 933, 2), Currency("BZD", 84, 2),
    Currency("CAD", 124, 2), Currency("CDF", 976, 2), Currency("CHE", 947, 2), Currency("CHF", 756, 2),
    Currency("CHW", 948, 2), Currency("CLF", 990, 4), Currency("CLP", 152, 0), Currency("CNY", 156, 2),
    Currency("COP", 170, 2), Currency("COU", 970, 2), Currency("CRC", 188, 2), Currency("CUP", 192, 2),
    Currency("CVE", 132, 2), Currency("CZK", 203, 2), Currency("DJF", 262, 0), Currency("DKK", 208, 2),
    Currency("DOP", 214, 2), Currency("DZD", 12, 2), Currency("EGP", 818, 2), Currency("ERN", 232, 2),
    Currency("ETB", 230, 2), Currency("EUR", 978, 2), Currency("FJD", 242, 2), Currency("FKP", 238, 2),
    Currency("GBP", 826, 2), Currency("GEL", 981, 2), Currency("GHS", 936, 2), Currency("GIP", 292, 2),
    Currency("GMD", 270, 2), Currency("GNF", 324, 0), Currency("GTQ", 320, 2), Currency("GYD", 328, 2),
    Currency("HKD", 344, 2), Currency("HNL", 340, 2), Currency("HTG", 332, 2), Currency("HUF", 348, 2),
    Currency("IDR", 360, 2), Currency("ILS", 376, 2), Currency("INR", 356, 2), Currency("IQD", 368, 3),
    Currency("IRR", 364, 2), Currency("ISK", 352, 0), Currency("JMD", 388, 2), Currency("JOD", 400, 3),
    Currency("JPY", 392, 0), Currency("KES", 404, 2), Currency("KGS", 417, 2), Currency("KHR", 116, 2),
    Currency("KMF", 174, 0), Currency("KPW", 408, 2), Currency("KRW", 410, 0), Currency("KWD", 414, 3),
    Currency("KYD", 136, 2), Currency("KZT", 398, 2), Currency("LAK", 418, 2), Currency("LBP", 422, 2),
    Currency("LKR", 144, 2), Currency("LRD", 430, 2), Currency("LSL", 426, 2), Currency("LYD", 434, 3),
    Currency("MAD", 504, 2), Currency("MDL", 498, 2), Currency("MGA", 969, 2), Currency("MKD", 807, 2),
    Currency("MMK", 104, 2), Currency("MNT", 496, 2), Currency("MOP", 446, 2), Currency("MRU", 929, 2),
    Currency("MUR", 480, 2), Currency("MVR", 462, 2), Currency("MWK", 454, 2), Currency("MXN", 484, 2),
    Currency("MXV", 979, 2), Currency("MYR", 458, 2), Currency("MZN", 943, 2), Currency("NAD", 516, 2),
    Currency("NGN", 566, 2), Currency("NIO", 558, 2), Currency("NOK", 578, 2), Currency("NPR", 524, 2),
    Currency("NZD", 554, 2), Currency("OMR", 512, 3), Currency("PAB", 590, 2), Currency("PEN", 604, 2),
    Currency("PGK", 598, 2), Currency("PHP", 608, 2), Currency("PKR", 586, 2), Currency("PLN", 985, 2),
    Currency("PYG", 600, 0), Currency("QAR", 634, 2), Currency("RON", 946, 2), Currency("RSD", 941, 2),
    Currency("RUB", 643, 2), Currency("RWF", 646, 0), Currency("SAR", 682, 2), Currency("SBD", 90, 2),
    Currency("SCR", 690, 2), Currency("SDG", 938, 2), Currency("SEK", 752, 2), Currency("SGD", 702, 2),
    Currency("SHP", 654, 2), Currency("SLE", 925, 2), Currency("SOS", 706, 2), Currency("SRD", 968, 2),
    Currency("SSP", 728, 2), Currency("STN", 930, 2), Currency("SVC", 222, 2), Currency("SYP", 760, 2),
    Currency("SZL", 748, 2), Currency("THB", 764, 2), Currency("TJS", 972, 2), Currency("TMT", 934, 2),
    Currency("TND", 788, 3), Currency("TOP", 776, 2), Currency("TRY", 949, 2), Currency("TTD", 780, 2),
    Currency("TWD", 901, 2), Currency("TZS", 834, 2), Currency("UAH", 980, 2), Currency("UGX", 800, 0),
    Currency("USD", 840, 2), Currency("USN", 997, 2), Currency("UYI", 940, 0), Currency("UYU", 858, 2),
    Currency("UYW", 927, 4), Currency("UZS", 860, 2), Currency("VED", 926, 2), Currency("VES", 928, 2),
    Currency("VND", 704, 0), Currency("VUV", 548, 0), Currency("WST", 882, 2), Currency("XAF", 950, 0),
    Currency("XCD", 951, 2), Currency("XCG", 532, 2), Currency("XOF", 952, 0), Currency("XPF", 953, 0),
    Currency("YER", 886, 2), Currency("ZAR", 710, 2), Currency("ZMW", 967, 2), Currency("ZWG", 924, 2),
]
