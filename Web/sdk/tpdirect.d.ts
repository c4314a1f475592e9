//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// TPDirect for the web. The classic script makes the global TPDirect; modules/index.js exports the names below.
// Amounts are decimal strings throughout ("12.50"); the SDK never makes a floating-point number of one.

/**
 * As an object it may name the gateway's origin too, when that is not where the script came from. Capitals are taken
 * with a warning on the console.
 */
export type ServerType = 'sandbox' | 'production' | { type: 'sandbox' | 'production'; host?: string };

/** Sets up the app. Throws SetupError. */
export function setupSDK(appID: number | string, appKey: string, serverType: ServerType): void;

export const paymentRequestApi: PaymentRequestApi;

/** What the classic script makes global. */
export const TPDirect: TPDirectSDK;

export default TPDirect;

export interface TPDirectSDK {
    readonly setupSDK: typeof setupSDK;
    readonly paymentRequestApi: PaymentRequestApi;
    readonly card: CardForm;
    readonly googlePay: GooglePay;
    readonly samsungPay: SamsungPay;
    readonly linePay: RedirectingPay;
    readonly jkoPay: RedirectingPay;
    readonly easyWallet: RedirectingPay;
    readonly piWallet: RedirectingPay;
    readonly atome: RedirectingPay;
    /** Always empty: nothing about the device is collected. */
    getFraudId(this: void): '';
    /** Always empty, as getFraudId. */
    getDeviceId(this: void): '';
}

export interface PaymentRequestApi {
    /** Whether this browser has an ApplePaySession that can pay, or Apple Pay in its Payment Request API. */
    checkAvailability(this: void): boolean;
    /** Throws SetupError. */
    setupApplePay(this: void, settings: ApplePaySettings): void;
    /** Does nothing but warn on the console: Google Pay is not of this gateway. */
    setupPayWithGoogle(this: void, settings?: object): void;
    /** Comes after setupApplePay. Throws SetupError. */
    setupPaymentRequest(this: void, paymentRequest: PaymentRequestData, callback?: (result: SetupResult) => void): void;
    /** Puts an Apple Pay button into the element; its click is getPrime. Again: replaces it. Throws SetupError. */
    setupTappayPaymentButton(this: void, selector: string, callback: (result: GetPrimeResult) => void): void;
    /** Opens the sheet. Call it in the handler of the buyer's click, and await nothing before it there. */
    getPrime(this: void, callback: (result: GetPrimeResult) => void): void;
}

/** This gateway has no card form: its methods do nothing but warn on the console. */
export interface CardForm {
    setup(this: void, config?: object): void;
    onUpdate(this: void, callback?: (update: CardFormStatus) => void): void;
    getPrime(this: void, callback?: (result: object) => void): void;
    /** Always that of empty fields. */
    getTappayFieldsStatus(this: void): CardFormStatus;
}

export interface CardFormStatus {
    cardType: 'unknown';
    canGetPrime: false;
    hasError: false;
    status: { number: 1; expiry: 1; ccv: 1 };
}

/** Google Pay is not of this gateway: its methods do nothing but warn on the console. */
export interface GooglePay {
    setupGooglePay(this: void, settings?: object): void;
    setupPaymentRequest(this: void, paymentRequest?: object, callback?: (error: unknown, result: object) => void): void;
    setupTransactionPrice(this: void, price?: object): void;
    setupGooglePayButton(this: void, settings?: object): void;
    getPrime(this: void, callback?: (error: unknown, prime: string) => void): void;
}

/** Samsung Pay is not of this gateway: its methods do nothing but warn on the console. */
export interface SamsungPay {
    setup(this: void, settings?: object): void;
    setupPaymentRequest(this: void, paymentRequest?: object): void;
    setupSamsungPayButton(this: void, element?: unknown, settings?: unknown): void;
    getPrime(this: void, callback?: (result: object) => void): void;
}

/** Ways that lead to another page or app. None is of this gateway: getPrime does nothing but warn on the console. */
export interface RedirectingPay {
    getPrime(this: void, callback?: (result: object) => void): void;
}

export interface ApplePaySettings {
    merchantIdentifier: string;
    /** ISO 3166-1; 'TW' when left out. The United Kingdom is 'GB', and 'UK' is refused. */
    countryCode?: string;
}

export interface PaymentRequestData {
    /** Other names are passed over with a warning on the console, as long as one of these is there. */
    supportedNetworks: (Network | (string & {}))[];
    /** Must hold 'apple_pay'. */
    supportedMethods: string[];
    displayItems?: DisplayItem[];
    total: Total;
    /** Shown when options.requestShipping is true; cheapest first. */
    shippingOptions?: ShippingOption[];
    options?: PaymentRequestOptions;
}

export type Network = 'VISA' | 'MASTERCARD' | 'JCB' | 'AMEX';

export interface Amount {
    /** ISO 4217, the same in the whole request. */
    currency: string;
    /** A decimal string with at most two decimals, none but zeros for TWD and JPY. A whole number is taken too. */
    value: string | number;
}

export interface PricedItem {
    label: string;
    amount: Amount;
    isAmountPending?: false;
}

export interface PendingItem {
    label: string;
    amount?: { currency: string; value?: undefined };
    isAmountPending: true;
}

/** isAmountPending or amount.value, not both. */
export type DisplayItem = PricedItem | PendingItem;

export interface Total {
    label: string;
    /**
     * The sum of the displayItems, where there are any, without the shipping. A deferred payment may leave the value
     * out, and one whose total is not shown may have another.
     */
    amount: { currency: string; value?: string | number };
    /** Deferred payment; false when left out. */
    isAmountPending?: boolean;
    /** Whether the sheet shows the total or AMOUNT PENDING; true when left out. */
    isShowTotalAmount?: boolean;
}

export interface ShippingOption {
    id: string;
    label: string;
    /** Apple Pay only. */
    detail?: string;
    amount: Amount;
}

export interface PaymentRequestOptions {
    requestPayerEmail?: boolean;
    requestPayerName?: boolean;
    requestPayerPhone?: boolean;
    requestShipping?: boolean;
    /** 'shipping' when left out. */
    shippingType?: 'shipping' | 'delivery' | 'pickup';
}

export interface SetupResult {
    browserSupportPaymentRequest: boolean;
    canMakePaymentWithActiveCard: boolean;
}

export type GetPrimeResult = PrimeResult | FailureResult;

export interface PrimeResult {
    status: 0;
    msg: string;
    /** To be sent to your server, for Pay by Prime. Single use: 90 seconds, or 30 days when the payment is deferred. */
    prime: string;
    /** Milliseconds since 1970. */
    prime_expiry_millis: number;
    /** In the decimals of the currency ("6" TWD, "6.50" USD); empty when the sheet showed AMOUNT PENDING. */
    total_amount: string;
    client_ip: string;
    payer: Payer;
    shippingAddress: Address;
    billingAddress: Address;
    /** The id of the chosen option; empty when there was none. */
    shippingOption: string;
    methodName: 'apple_pay';
    requestId: string;
    /** The buyer's card as the sheet shows it. */
    card: Card;
    card_info: CardInfo;
    /** Only for cards with affiliate codes. */
    merchant_reference_info?: MerchantReferenceInfo;
}

export interface FailureResult {
    status: FailureStatus;
    msg: string;
    prime?: undefined;
    /** What to do, where the gateway says so; for the shop's developer, not for the buyer. */
    detail?: string;
    /** With 404 and -5, and with 403 when the browser did not accept the session. */
    originalError?: Error;
}

/**
 * The table of docs/tpdirect-web.md. A newer gateway may answer others: they are numbers too, and never 0.
 */
export type FailureStatus =
    | -7 | -6 | -5 | -3 | -1 | 5 | 11 | 12 | 13 | 16 | 41 | 67 | 80 | 81 | 84 | 89 | 122 | 141 | 401 | 402
    | 403 | 404 | 421 | 422 | 510 | 530 | 531 | 532 | 533 | 534 | 570 | 571 | 572 | 573 | 574 | 589 | 590
    | 591 | 592 | 594 | 598 | 599 | 600 | 601 | 602 | 603 | 604 | 605 | 606 | 607 | 608 | 609 | 610 | 611
    | 612 | 613 | 614 | 615 | 616 | 617 | 618 | 619 | 626 | 634 | 638 | 639 | 652 | 655 | 660 | 915 | 916
    | 917 | 2000 | 2001 | 2012 | 2013 | 2200 | 10050 | 13002;

/** All fields are there always, here and in addresses and cards; what the wallet or gateway did not give is empty. */
export interface Payer {
    name: string;
    phone: string;
    email: string;
}

export interface Address {
    country: string;
    addressLine: string[];
    region: string;
    city: string;
    dependentLocality: string;
    postalCode: string;
    sortingCode: string;
    languageCode: string;
    organization: string;
    recipient: string;
    phone: string;
}

export interface Card {
    lastfour: string;
    funding: Funding;
    type: CardType;
}

export interface CardInfo {
    bincode: string;
    lastfour: string;
    issuer: string;
    issuer_zh_tw: string;
    bank_id: string;
    funding: Funding;
    type: CardType;
    level: string;
    country: string;
    countrycode: string;
}

/** -1 unknown, 0 credit, 1 debit, 2 prepaid. */
export type Funding = -1 | 0 | 1 | 2;

/** -1 unknown, 1 VISA, 2 MasterCard, 3 JCB, 4 Union Pay, 5 AMEX. */
export type CardType = -1 | 1 | 2 | 3 | 4 | 5;

export interface MerchantReferenceInfo {
    affiliate_codes: string[];
}

/** A mistake in what the page handed over. Names the field, never its value. */
export class SetupError extends TypeError {
    readonly name: 'TPDirectSetupError';
    readonly code: SetupErrorCode;
    readonly field: string;
    constructor(code: SetupErrorCode, field: string, sentence: string);
}

export type SetupErrorCode =
    | 'amount_and_pending'
    | 'amount_malformed'
    | 'currency_differs'
    | 'deferred_unsupported'
    | 'element_missing'
    | 'field_malformed'
    | 'field_missing'
    | 'id_repeated'
    | 'not_set_up'
    | 'not_supported'
    | 'payment_in_progress'
    | 'total_differs'
    | 'total_out_of_range'
    | 'value_unsupported';

declare global {
    /** Made by the classic script. */
    const TPDirect: TPDirectSDK;
    interface Window {
        readonly TPDirect: TPDirectSDK;
    }
}
