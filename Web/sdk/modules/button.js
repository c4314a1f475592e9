//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The vendor's payment button: an Apple Pay button in an element of the page. The vendor's example of it
// (TapPay/tappay-web-example, Payment_Request/TapPay_Payment_Button) has no other way to pay.

import { SetupError } from './errors.js';

/** What the page's style sheets may select. */
const buttonClass = 'tpdirect-apple-pay-button';

// Safari draws Apple's own button (Apple Pay on the Web, "Displaying Apple Pay buttons using CSS"); others have none.
// `:where` lets every rule of the page go before these.
const buttonRules = `
:where(.tpdirect-apple-pay-button) {
    display: block; box-sizing: border-box; inline-size: 100%; block-size: 100%; min-inline-size: 100px;
    min-block-size: 40px; margin: 0; padding: 0 16px; cursor: pointer;
}
@supports (-webkit-appearance: -apple-pay-button) {
    :where(.tpdirect-apple-pay-button) {
        -webkit-appearance: -apple-pay-button; -apple-pay-button-type: plain; -apple-pay-button-style: black;
        font-size: 0;
    }
}
@supports not (-webkit-appearance: -apple-pay-button) {
    :where(.tpdirect-apple-pay-button) {
        border: 0; border-radius: 4px; background: #000; color: #fff; font: 600 17px/1.2 system-ui, sans-serif;
    }
}`;

let buttonSheet = null;

/**
 * As a constructed sheet, which a Content-Security-Policy without style-src lets pass. Browsers without such sheets
 * (Safari before 16.4) show what the page's own rules say.
 */
function adoptButtonRules() {
    if (buttonSheet === null && 'adoptedStyleSheets' in Document.prototype) {
        buttonSheet = new CSSStyleSheet();
        buttonSheet.replaceSync(buttonRules);
        document.adoptedStyleSheets = [...document.adoptedStyleSheets, buttonSheet];
    }
}

function elementOf(selector, field) {
    const sentence = 'must be a CSS selector, such as "#pay"';
    if (typeof selector !== 'string') {
        throw new SetupError(selector === undefined ? 'field_missing' : 'field_malformed', field, sentence);
    }
    let element;
    try {
        element = document.querySelector(selector);
    } catch (error) {
        throw new SetupError('field_malformed', field, sentence);
    }
    if (element === null) {
        throw new SetupError('element_missing', field, 'must select an element that the page has by now');
    }
    return element;
}

/**
 * Puts the button into the element, in the place of one that is there already. Throws SetupError.
 *
 * @param {string} selector
 * @param {string} field What the page calls it, for the error.
 * @param {function(): void} pay Called in the click's own handler, so that the browser opens the sheet.
 */
export function placeButton(selector, field, pay) {
    const element = elementOf(selector, field);
    adoptButtonRules();
    const button = document.createElement('button');
    button.type = 'button';
    button.className = buttonClass;
    // Its accessible name, and what is seen of it where the browser does not draw it.
    button.textContent = 'Apple Pay';
    button.addEventListener('click', () => pay());
    const former = element.querySelector(`:scope > .${buttonClass}`);
    if (former) {
        former.replaceWith(button);
    } else {
        element.append(button);
    }
}
