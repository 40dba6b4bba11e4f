import { tokens } from '../pages/tokens.ts';
import type { CheckoutLook } from '../simulator.ts';

/** The style of a gateway's hosted page: one column on a phone, summary beside the form from 760 px. */
export function checkoutStyle({ light, dark }: CheckoutLook): string {
  return `${tokens}
:root { --accent: ${light.accent}; --accent-soft: ${light.accentSoft}; }
@media (prefers-color-scheme: dark) { :root { --accent: ${dark.accent}; --accent-ink: ${dark.accentInk}; --accent-soft: ${dark.accentSoft}; } }
main { max-width: 920px; margin: 0 auto; padding: 16px; }
.sheet { background: var(--sheet); border: 1px solid var(--line); border-radius: 12px; overflow: hidden; }
.summary { padding: 24px 20px; border-bottom: 1px solid var(--line); }
.brand { display: flex; align-items: center; gap: 8px; font-weight: 600; margin-bottom: 20px; }
.mark { width: 12px; height: 24px; border-radius: 3px; background: var(--accent); }
.amount { font-size: 32px; line-height: 1.15; font-weight: 650; letter-spacing: -0.015em; }
.facts { margin-top: 20px; display: grid; gap: 12px; }
.facts dt { font-size: 13px; color: var(--quiet); }
.facts dd { overflow-wrap: anywhere; }
.work { padding: 20px; min-width: 0; }
.tabs { display: flex; gap: 24px; border-bottom: 1px solid var(--line); margin-bottom: 20px; }
.tabs a { padding: 10px 0; min-height: 44px; color: var(--quiet); text-decoration: none; border-bottom: 2px solid transparent; margin-bottom: -1px; }
.tabs a[aria-selected="true"] { color: var(--ink); font-weight: 600; border-color: var(--accent); }
.fields { display: grid; gap: 16px; grid-template-columns: 1fr 1fr; }
.fields .wide { grid-column: 1 / -1; }
.fields button.primary { grid-column: 1 / -1; }
.hint { color: var(--quiet); font-size: 13px; margin-top: 4px; }
.cards { margin-top: 16px; border-top: 1px solid var(--line); padding-top: 16px; }
.cards h2 { font-size: 14px; font-weight: 600; margin-bottom: 4px; }
.cards li { display: grid; grid-template-columns: 1fr auto; gap: 0 12px; align-items: center; padding: 6px 0; border-bottom: 1px solid var(--line); }
.cards li:last-child { border-bottom: 0; }
.cards .facts-line { grid-column: 1; font-size: 13px; color: var(--quiet); }
.cards button { grid-row: 1 / span 2; grid-column: 2; min-height: 36px; padding: 4px 12px; font-size: 13px; }
.bank { display: grid; gap: 12px; margin-bottom: 20px; padding: 16px; border-radius: 8px; background: var(--ground); }
.bank dt { font-size: 13px; color: var(--quiet); }
.bank .number { font-size: 22px; font-weight: 600; letter-spacing: 0.04em; }
.leave { margin-top: 12px; display: flex; justify-content: center; }
.choices { display: grid; gap: 12px; }
.choices button { width: 100%; }
.outcome h1 { font-size: 22px; line-height: 1.3; margin-bottom: 8px; }
.step h1 { font-size: 18px; margin-bottom: 4px; }
.step .quiet { margin-bottom: 16px; }
@media (min-width: 760px) {
  main { padding: 48px 24px; }
  .sheet { display: grid; grid-template-columns: 300px 1fr; }
  .summary { border-bottom: 0; border-right: 1px solid var(--line); padding: 32px 28px; }
  .work { padding: 24px 32px 32px; }
}
@media (prefers-reduced-motion: no-preference) { button, .tabs a { transition: background-color 100ms, border-color 100ms; } }
`;
}

/**
 * Switches tabs and fills cards without a reload, groups what is typed, and keeps a form from being sent twice.
 * Without it the same links and buttons work by reloading.
 */
export const checkoutScript = `
const tabs = [...document.querySelectorAll('[role=tab]')];
const choose = (tab) => {
  for (const other of tabs) {
    const on = other === tab;
    other.setAttribute('aria-selected', String(on));
    other.tabIndex = on ? 0 : -1;
    document.getElementById(other.getAttribute('aria-controls')).hidden = !on;
    for (const part of document.querySelectorAll('[data-tab]')) part.hidden = 'tab-' + part.dataset.tab !== tab.id;
  }
  history.replaceState(null, '', tab.getAttribute('href'));
};
for (const [index, tab] of tabs.entries()) {
  tab.addEventListener('click', (event) => { event.preventDefault(); choose(tab); });
  tab.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === ' ') { event.preventDefault(); choose(tab); }
    if (!step) return;
    const next = tabs[(index + step + tabs.length) % tabs.length];
    choose(next); next.focus();
  });
}
const number = document.getElementById('number');
const expiry = document.getElementById('expiry');
const cvv = document.getElementById('cvv');
const group = () => { number.value = number.value.replace(/\\D/g, '').slice(0, 19).replace(/(.{4})(?=.)/g, '$1 '); };
if (number) {
  number.addEventListener('input', () => { if (number.selectionStart === number.value.length) group(); });
  expiry.addEventListener('input', (event) => {
    const digits = expiry.value.replace(/\\D/g, '').slice(0, 4);
    if (event.inputType !== 'deleteContentBackward') expiry.value = digits.length > 2 ? digits.slice(0, 2) + '/' + digits.slice(2) : digits;
  });
}
for (const button of document.querySelectorAll('[data-number]')) {
  button.addEventListener('click', (event) => {
    event.preventDefault();
    number.value = button.dataset.number; group();
    expiry.value = button.dataset.expiry;
    cvv.value = button.dataset.cvv;
    document.getElementById('pay').focus();
  });
}
for (const form of document.querySelectorAll('form[method=post]')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) { event.preventDefault(); return; }
    form.dataset.sent = 'yes';
    form.setAttribute('aria-busy', 'true');
  });
}
addEventListener('pageshow', () => { for (const form of document.forms) { delete form.dataset.sent; form.removeAttribute('aria-busy'); } });
const wrong = document.querySelector('[aria-invalid=true]');
if (wrong) wrong.focus();
`;
