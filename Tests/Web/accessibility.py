# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""What a program can check of a page's accessibility: names of controls, references, headings, targets, contrast.

The rules are those of WCAG 2.2, level AA: 1.1.1, 1.3.1, 1.4.3, 2.5.8, 4.1.2. Shadow trees are looked into.
"""

AUDIT = r"""
(rootSelector) => {
    const findings = [];
    const all = [];
    const collect = (node) => {
        for (const element of node.querySelectorAll('*')) {
            all.push(element);
            if (element.shadowRoot) { collect(element.shadowRoot); }
        }
    };
    const base = rootSelector ? document.querySelector(rootSelector) : document;
    collect(base.shadowRoot ?? base);
    const isShown = (element) => element.checkVisibility({ checkOpacity: false, checkVisibilityCSS: true });
    const describe = (element) => {
        const text = (element.textContent || '').trim().slice(0, 40);
        return `<${element.localName}${element.id ? ' id=' + element.id : ''} class="${element.getAttribute('class') ?? ''}"> "${text}"`;
    };
    const find = (rule, element, detail = '') => findings.push(`${rule}: ${describe(element)} ${detail}`.trim());
    const textOf = (root, ids) => ids.split(/\s+/).map((id) => root.getElementById(id)?.textContent ?? '').join(' ').trim();
    const nameOf = (element) => {
        const root = element.getRootNode();
        if (element.getAttribute('aria-labelledby')) { return textOf(root, element.getAttribute('aria-labelledby')); }
        if (element.getAttribute('aria-label')) { return element.getAttribute('aria-label'); }
        if (element.labels && element.labels.length > 0) {
            return [...element.labels].map((label) => label.textContent).join(' ').trim();
        }
        if (element.localName === 'fieldset') { return element.querySelector('legend')?.textContent.trim() ?? ''; }
        return (element.textContent || element.alt || element.title || '').trim();
    };

    const ids = new Map();
    for (const element of all) {
        const root = element.getRootNode();
        if (element.id) {
            const known = ids.get(root) ?? ids.set(root, new Set()).get(root);
            if (known.has(element.id)) { find('id twice', element); }
            known.add(element.id);
        }
        for (const attribute of ['aria-labelledby', 'aria-describedby', 'aria-controls', 'for']) {
            for (const id of (element.getAttribute(attribute) ?? '').split(/\s+/).filter(Boolean)) {
                if (!root.getElementById(id)) { find(`${attribute} points nowhere`, element, id); }
            }
        }
        if (element.getAttribute('style')) { find('style attribute', element); }
        if (!isShown(element)) { continue; }
        const role = element.getAttribute('role');
        const isControl = ['button', 'input', 'select', 'textarea', 'summary', 'a'].includes(element.localName);
        if ((isControl || ['dialog', 'group', 'radiogroup', 'switch', 'fieldset'].includes(role ?? element.localName)) && !nameOf(element)) {
            find('no name', element);
        }
        if (element.localName === 'img' && !element.hasAttribute('alt')) { find('no alt', element); }
        if (element.localName === 'svg' && element.getAttribute('aria-hidden') !== 'true' && !nameOf(element)) { find('no name', element); }
        if (Number(element.getAttribute('tabindex')) > 0) { find('positive tabindex', element); }
        if (isControl && !element.closest('.skip')) {
            const box = (element.closest('label') ?? element).getBoundingClientRect();
            if (box.width < 24 || box.height < 24) { find('target under 24 px', element, `${box.width}x${box.height}`); }
        }
    }

    let level = 0;
    for (const heading of all.filter((element) => /^h[1-6]$/.test(element.localName) && isShown(element))) {
        const own = Number(heading.localName[1]);
        if (level > 0 && own > level + 1) { find('heading level skipped', heading); }
        level = own;
    }

    const parse = (color) => {
        const numbers = color.match(/[\d.]+/g).map(Number);
        return { rgb: numbers.slice(0, 3), alpha: numbers.length > 3 ? numbers[3] : 1 };
    };
    const over = (top, below) => top.rgb.map((value, index) => value * top.alpha + below[index] * (1 - top.alpha));
    const parentOf = (element) => element.assignedSlot ?? element.parentElement ?? element.getRootNode().host;
    const backdrop = (element) => {
        const layers = [];
        for (let node = element; node; node = parentOf(node)) {
            const layer = parse(getComputedStyle(node).backgroundColor);
            layers.push(layer);
            if (layer.alpha === 1) { break; }
        }
        const canvas = matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18] : [255, 255, 255];
        return layers.reverse().reduce((below, layer) => over(layer, below), canvas);
    };
    const luminance = (rgb) => {
        const [r, g, b] = rgb.map((value) => {
            const channel = value / 255;
            return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ratio = (one, other) => {
        const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
        return (light + 0.05) / (dark + 0.05);
    };
    for (const element of all) {
        const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
        const isField = ['input', 'select'].includes(element.localName) && !['radio', 'checkbox'].includes(element.type);
        if ((!hasText && !isField) || !isShown(element) || ['option', 'style', 'script', 'title'].includes(element.localName)) { continue; }
        // What is disabled may be faint (WCAG 1.4.3, "Incidental").
        if (element.closest(':disabled, [aria-disabled=true], .option:has(:disabled)')) { continue; }
        const style = getComputedStyle(element);
        const below = backdrop(element);
        const color = over(parse(style.color), below);
        const size = parseFloat(style.fontSize);
        const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
        const reached = ratio(color, below);
        if (reached < (isLarge ? 3 : 4.5)) { find('contrast', element, `${reached.toFixed(2)} ${style.color} on ${below.map(Math.round)}`); }
    }
    return findings;
}
"""


def findings(page, root=None):
    """What is wrong with the page, or with what is inside the element that the selector `root` finds: a list of sentences."""
    return page.evaluate(AUDIT, root)
