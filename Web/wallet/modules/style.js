//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The sheet's rules.

const css = `
:host { all: initial; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
.sheet {
    --paper: #fffdfa; --raised: #ffffff; --ink: #20242c; --quiet: #5a6270; --line: #ddd7cd; --edge: #868d99;
    --accent: #7b1fa2; --accent-ink: #ffffff; --accent-soft: #f5e9fa; --bad: #a4161a; --bad-soft: #fdeceb;
    --good: #17663a; --good-soft: #e6f4ea; --warn: #7a4b00; --warn-soft: #fff1d6; --stripe: #f2b90c;
    color-scheme: light dark; color: var(--ink); background: var(--paper);
    font: 15px/22px ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
    width: min(29rem, 100vw); max-width: none; max-height: min(50rem, calc(100dvh - 2rem)); margin: auto; padding: 0; border: 0;
    border-radius: 1.1rem; box-shadow: 0 1.5rem 4rem rgb(0 0 0 / .35), 0 0 0 1px rgb(0 0 0 / .06); overflow: hidden;
    flex-direction: column; position: fixed; inset: 0; height: fit-content; z-index: 2147483647;
}
.sheet[open] { display: flex; animation: rise 120ms ease-out; }
.sheet::backdrop { background: rgb(18 16 24 / .55); animation: fade 120ms; }
@keyframes rise { from { transform: translateY(2rem); opacity: 0; } }
@keyframes fade { from { opacity: 0; } }
@keyframes turn { to { transform: rotate(1turn); } }
@keyframes pop { from { transform: scale(.6); opacity: 0; } }
.stripes { flex: none; height: .5rem;
    background: repeating-linear-gradient(-45deg, var(--stripe) 0 .7rem, #2a2a2e .7rem 1.4rem); }
.head { flex: none; display: flex; align-items: center; gap: .75rem; padding: .9rem 1.1rem .7rem; }
.mark { flex: none; width: 2.25rem; height: 2.25rem; }
.heading { flex: 1; min-width: 0; }
h2 { margin: 0; font-size: 15px; line-height: 22px; font-weight: 650; outline: none; }
.merchant { margin: 0; color: var(--quiet); font-size: 13px; line-height: 18px; overflow-wrap: anywhere; }
.notice { flex: none; margin: 0 1.1rem .6rem; padding: .4rem .7rem; border-radius: .5rem; font-size: 13px; line-height: 18px; font-weight: 550;
    color: var(--warn); background: var(--warn-soft); }
.scroll { flex: 1 1 auto; overflow-y: auto; overscroll-behavior: contain; padding: 0 1.1rem .6rem; }
.block { border: 1px solid var(--line); border-radius: .8rem; background: var(--raised); margin: 0 0 .6rem; padding: 0;
    min-width: 0;
    overflow: hidden; }
.block.wrong { border-color: var(--bad); }
.caption, legend { display: block; padding: .6rem .85rem 0; color: var(--quiet); font-size: 13px; line-height: 18px; font-weight: 600;
    letter-spacing: .02em; width: 100%; }
/* A floating legend stands inside its fieldset's border instead of breaking it. */
legend { float: left; padding-bottom: .35rem; }
legend + * { clear: both; }
.row { display: flex; align-items: center; gap: .75rem; padding: .45rem .85rem .65rem; }
.grow { flex: 1; min-width: 0; }
.name { display: block; font-weight: 600; overflow-wrap: anywhere; }
.detail { display: block; color: var(--quiet); font-size: 13px; line-height: 18px; overflow-wrap: anywhere; }
.amount { font-variant-numeric: tabular-nums; white-space: nowrap; }
button, input, select { font: inherit; color: inherit; }
button { cursor: pointer; border-radius: .6rem; border: 1px solid transparent; background: none; padding: .45rem .8rem;
    min-height: 2.5rem; }
button:focus-visible, input:focus-visible, select:focus-visible, summary:focus-visible, .option:focus-within:has(:focus-visible) {
    outline: 3px solid var(--accent); outline-offset: 2px; }
.option:focus-within:has(:focus-visible) { outline-offset: -3px; }
.option input:focus-visible { outline: none; }
.plain { color: var(--accent); font-weight: 600; }
.row > .plain { margin-left: auto; }
.plain:hover { background: var(--accent-soft); }
.cancel { border-color: var(--edge); font-weight: 600; }
.cancel:hover { background: var(--accent-soft); }
.option { display: flex; align-items: center; gap: .75rem; padding: .55rem .85rem; cursor: pointer; min-height: 3rem; }
.option + .option { border-top: 1px solid var(--line); }
.option:has(:checked) { background: var(--accent-soft); }
.option:has(:disabled) { cursor: not-allowed; }
.option:has(:disabled) .name { color: var(--quiet); font-weight: 500; }
.option input { flex: none; width: 1.15rem; height: 1.15rem; margin: 0; accent-color: var(--accent); }
.list { border-top: 1px solid var(--line); }
.art { flex: none; width: 2.9rem; height: 1.85rem; border-radius: .3rem; }
.tag { flex: none; border-radius: 1rem; padding: .08rem .55rem; font-size: 13px; line-height: 18px; font-weight: 650; white-space: nowrap; }
.tag.approves { color: var(--good); background: var(--good-soft); }
.tag.declines { color: var(--bad); background: var(--bad-soft); }
.tag.times_out { color: var(--warn); background: var(--warn-soft); }
.form { display: grid; grid-template-columns: 1fr 1fr; gap: .6rem; padding: .3rem .85rem .85rem; }
.form .wide { grid-column: 1 / -1; }
label.field { display: block; font-size: 13px; line-height: 18px; color: var(--quiet); font-weight: 550; min-width: 0; }
.field input, .field select, .code { display: block; width: 100%; margin-top: .15rem; padding: .45rem .6rem; min-height: 2.5rem;
    border: 1px solid var(--edge); border-radius: .5rem; background: var(--paper); color: var(--ink); font-size: 15px; line-height: 22px;
    font-weight: 400; text-overflow: ellipsis; }
.field input[aria-invalid=true] { border-color: var(--bad); border-width: 2px; }
.buttons { display: flex; gap: .5rem; justify-content: flex-end; }
.solid { background: var(--accent); color: var(--accent-ink); font-weight: 650; }
.items { margin: 0; padding: .6rem .85rem; list-style: none; }
.items li { display: flex; justify-content: space-between; gap: 1rem; padding: .14rem 0; font-size: 15px; line-height: 22px; }
.items .amount { color: var(--ink); }
.items .label { color: var(--quiet); overflow-wrap: anywhere; }
.banner { margin: 0 0 .6rem; padding: .65rem .85rem; border-radius: .7rem; color: var(--bad); background: var(--bad-soft);
    font-weight: 550; }
.banner ul { margin: .25rem 0 0; padding-left: 1.1rem; font-weight: 450; }
details.block > summary { cursor: pointer; padding: .6rem .85rem; font-size: 13px; line-height: 18px; color: var(--quiet); font-weight: 600; }
.card-networks { padding: 0 .85rem .7rem; border: 0; margin: 0; }
.card-networks .choices { display: flex; gap: .5rem; flex-wrap: wrap; }
details .segments { display: flex; gap: .5rem; padding: 0 .85rem .4rem; border: 0; margin: 0; flex-wrap: wrap; }
.segments legend { padding: 0 0 .3rem; }
.segments label { display: inline-flex; align-items: center; gap: .45rem; padding: .35rem .7rem; border: 1px solid var(--edge);
    border-radius: 2rem; font-size: 13px; line-height: 18px; cursor: pointer; min-height: 2.2rem; }
.segments label:has(:checked) { background: var(--accent-soft); border-color: var(--accent); }
.segments input { margin: 0; accent-color: var(--accent); }
.hint { margin: 0; padding: 0 .85rem .7rem; color: var(--quiet); font-size: 13px; line-height: 18px; }
.form .hint { padding: 0; }
.form .hint, .passcode:has([aria-invalid=true]) .hint { color: var(--bad); font-weight: 550; }
.foot { flex: none; border-top: 1px solid var(--line); background: var(--raised); padding: .8rem 1.1rem 1rem; }
.total { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; margin: 0 0 .7rem; }
.total .label { color: var(--quiet); font-size: 15px; line-height: 22px; overflow-wrap: anywhere; }
.total .amount { font-size: 28px; line-height: 34px; font-weight: 700; letter-spacing: -.01em; }
.total .amount.pending { font-size: 15px; line-height: 22px; letter-spacing: .03em; }
.pay { width: 100%; min-height: 3.2rem; border-radius: .8rem; background: var(--accent); color: var(--accent-ink);
    font-weight: 650;
    font-size: 15px; line-height: 22px; }
.pay:hover { filter: brightness(1.08); }
.pay[aria-disabled=true] { background: var(--line); color: var(--quiet); cursor: not-allowed; filter: none; }
.other { display: block; width: 100%; margin-top: .3rem; }
.passcode { display: grid; grid-template-columns: 1fr auto; gap: .6rem; align-items: end; }
.passcode .hint, .passcode .back { grid-column: 1 / -1; padding: 0; }
.code { letter-spacing: .5em; font-size: 20px; line-height: 26px; }
.stage { display: flex; flex-direction: column; align-items: center; justify-content: center; gap: .7rem; text-align: center;
    padding: 2rem 1.6rem; min-height: 11rem; }
.stage .say { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
.stage .more { margin: 0; color: var(--quiet); font-size: 13px; line-height: 18px; overflow-wrap: anywhere; }
.spinner { width: 2.4rem; height: 2.4rem; border-radius: 50%; border: .26rem solid var(--line); border-top-color: var(--accent);
    animation: turn .8s linear infinite; }
.sign { width: 3.4rem; height: 3.4rem; animation: pop 120ms ease-out; }
.sign.taken, .sign.declined, .sign.failed { color: var(--quiet); } .sign.refused { color: var(--bad); }
.sign.unknown { color: var(--warn); }
.end-code { margin: 0; color: var(--quiet); font: 13px/18px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
    overflow-wrap: anywhere; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 34rem) {
    .sheet { width: 100vw; margin: auto 0 0; max-height: calc(100dvh - 1.5rem); border-radius: 1.2rem 1.2rem 0 0; }
    .foot { padding-bottom: max(1rem, env(safe-area-inset-bottom)); }
    @keyframes rise { from { transform: translateY(60%); } }
}
/* Head and foot leave nothing between them on a low screen (a phone on its side, or a page enlarged to 400 percent:
   WCAG 2.2, 1.4.10): there the sheet scrolls as a whole. */
@media (max-height: 34rem) {
    .sheet { max-height: 100dvh; overflow-y: auto; overscroll-behavior: contain; }
    .sheet[open] { display: block; }
    .scroll { overflow-y: visible; }
}
@media (prefers-color-scheme: dark) {
    .sheet { --paper: #17171d; --raised: #202028; --ink: #f1eff5; --quiet: #b3b0bf; --line: #3a3944; --edge: #7d7a8c;
        --accent: #d7a6ee; --accent-ink: #2a0a3a; --accent-soft: #33263d; --bad: #ffb0aa; --bad-soft: #43201f;
        --good: #93dcae; --good-soft: #173524; --warn: #ffd58a; --warn-soft: #3c2d10;
        box-shadow: 0 1.5rem 4rem rgb(0 0 0 / .6), 0 0 0 1px rgb(255 255 255 / .1); }
    .sheet::backdrop { background: rgb(0 0 0 / .66); }
}
@media (prefers-reduced-motion: reduce) {
    .sheet[open], .sheet::backdrop, .sign, .spinner { animation: none; }
}
@media (forced-colors: active) {
    .sheet { border: 2px solid CanvasText; } .pay, .solid { border: 1px solid ButtonText; }
}`;

let sheetStyles;
export function styles() {
    if (sheetStyles === undefined) {
        sheetStyles = new CSSStyleSheet();
        sheetStyles.replaceSync(css);
    }
    return sheetStyles;
}
