import {
  type Challenge,
  type Channel,
  type Charge,
  type Checkout,
  decisiveCharge,
  paidCharge,
  pendingCharge,
} from '../ledger/records.ts';
import { type Html, html, page, tokens } from '../pages/html.ts';
import type { Reply } from '../server/router.ts';
import { type CheckoutLook, formatMoney, type Simulator, type TestCard } from '../simulator.ts';
import { blockingReason, type FieldErrors } from './moves.ts';

/** State of the page besides the checkout itself. */
export interface PageState {
  readonly tab: Channel;
  readonly errors: FieldErrors;
  /** The entries, shown again when they are refused. */
  readonly typed: Readonly<Record<string, string>>;
  readonly cancelled: boolean;
}

/** The hosted page in its current state: the form, the challenge of a card, or the outcome. */
export function checkoutPage(simulator: Simulator, checkout: Checkout, state: PageState): Reply {
  const { spec } = simulator;
  const refused = Object.keys(state.errors).length > 0;
  const money = formatMoney(spec, checkout.amount, checkout.currency);
  const body = html`
<aside class="test-band" aria-label="Test mode"><strong>TEST</strong> · ${spec.title} sandbox. No money moves here.</aside>
<main>
  <div class="sheet">
    ${summary(spec.title, checkout, money)}
    <section class="work" aria-label="Payment">${work(simulator, checkout, state, money)}</section>
  </div>
</main>`;
  return page(refused ? 422 : 200, `Pay ${money} · ${spec.title} sandbox`, checkoutStyle(spec.look), checkoutScript, body);
}

/** Shown for an address no checkout has. */
export function unknownPage(simulator: Simulator): Reply {
  const { spec } = simulator;
  const body = html`
<aside class="test-band" aria-label="Test mode"><strong>TEST</strong> · ${spec.title} sandbox. No money moves here.</aside>
<main><div class="sheet"><section class="work outcome"><h1>This payment page does not exist</h1>
<p class="quiet">The link may have been cut short, or the sandbox has forgotten it.</p></section></div></main>`;
  return page(404, `Not found · ${spec.title} sandbox`, checkoutStyle(spec.look), '', body);
}

function summary(title: string, checkout: Checkout, money: string): Html {
  return html`<header class="summary">
  <p class="brand"><span class="mark" aria-hidden="true"></span>${title} sandbox</p>
  <p class="quiet small">${checkout.title ?? 'Amount to pay'}</p>
  <p class="amount">${money}</p>
  <dl class="facts">
    <div><dt>Customer</dt><dd>${checkout.customerName === null ? null : html`${checkout.customerName}<br>`}${checkout.email}</dd></div>
    <div><dt>Reference</dt><dd class="mono">${checkout.reference}</dd></div>
  </dl>
</header>`;
}

function work(simulator: Simulator, checkout: Checkout, state: PageState, money: string): Html {
  const at = pagePath(simulator, checkout);
  const paid = paidCharge(checkout);
  if (paid !== null)
    return ended(
      checkout,
      'Payment successful',
      `${formatMoney(simulator.spec, paid.amount, checkout.currency)} was received.`,
      simulator,
    );
  const blocked = blockingReason(simulator, checkout);
  if (blocked !== null) return ended(checkout, 'Nothing to pay here', blocked, simulator);
  const pending = pendingCharge(checkout);
  const step = pending?.awaiting[0];
  if (pending !== null && step !== undefined) {
    return stepView(
      at,
      step,
      pending,
      simulator.spec.cards.find((card) => card.name === pending.testCard) ?? null,
      money,
      state.errors,
    );
  }
  const failed = decisiveCharge(checkout);
  return html`
<h1 class="visually-hidden">Pay ${money}</h1>
${state.cancelled ? html`<p class="note warn" role="status">The payment was cancelled. It can still be made on this page.</p>` : null}
${state.errors.page === undefined ? null : html`<p class="note bad" role="alert">${state.errors.page}</p>`}
${failed?.status === 'failed' && Object.keys(state.errors).length === 0 ? failure(failed) : null}
${tabs(at, checkout, state)}
${checkout.channels.includes('card') ? cardPanel(at, state, money) : null}
${checkout.channels.includes('bank_transfer') ? transferPanel(simulator, at, checkout, state) : null}
${failed?.status === 'failed' && simulator.spec.returnAddress(checkout, 'failed') !== null ? leaveForm(at) : null}
<form class="leave" method="post" action="${at}/cancel"><button class="plain">Cancel payment</button></form>
${checkout.channels.includes('card') ? testCards(simulator, at, state) : null}`;
}

function failure(charge: Charge): Html {
  return html`<p class="note bad" role="alert"><strong>Payment failed: ${charge.message}.</strong> Try again, or pay another way.</p>`;
}

function leaveForm(at: string): Html {
  return html`<form class="leave" method="post" action="${at}/leave"><button>Return to merchant</button></form>`;
}

function ended(checkout: Checkout, heading: string, detail: string, simulator: Simulator): Html {
  const away = simulator.spec.returnAddress(checkout, paidCharge(checkout) === null ? 'failed' : 'paid');
  return html`<div class="outcome"><h1>${heading}</h1><p class="quiet">${detail}</p>
${away === null ? null : html`<p><a href="${away}">Return to merchant</a></p>`}</div>`;
}

const tabNames: Readonly<Record<Channel, string>> = { card: 'Card', bank_transfer: 'Bank transfer' };

function tabs(at: string, checkout: Checkout, state: PageState): Html {
  const items = checkout.channels.map((channel) => {
    const selected = channel === state.tab;
    return html`<a role="tab" id="tab-${channel}" href="${at}?tab=${channel}" aria-controls="panel-${channel}" aria-selected="${String(selected)}" tabindex="${selected ? '0' : '-1'}">${tabNames[channel]}</a>`;
  });
  return html`<div class="tabs" role="tablist" aria-label="Way to pay">${items}</div>`;
}

function field(name: string, label: string, value: string, attributes: Html, errors: FieldErrors, wide: boolean): Html {
  const error = errors[name];
  return html`<div ${wide ? html`class="wide"` : null}>
  <label for="${name}">${label}</label>
  <input id="${name}" name="${name}" value="${value}" ${attributes} ${error === undefined ? null : html`aria-invalid="true" aria-describedby="${name}-wrong"`}>
  ${error === undefined ? null : html`<p class="wrong" id="${name}-wrong">${error}</p>`}
</div>`;
}

function cardPanel(at: string, state: PageState, money: string): Html {
  const { typed, errors } = state;
  return html`<div role="tabpanel" id="panel-card" aria-labelledby="tab-card" ${state.tab === 'card' ? null : html`hidden`}>
<form class="fields" method="post" action="${at}/card" novalidate autocomplete="off">
  ${field('number', 'Card number', typed.number ?? '', html`inputmode="numeric" autocomplete="off" placeholder="0000 0000 0000 0000"`, errors, true)}
  ${field('expiry', 'Expiry', typed.expiry ?? '', html`inputmode="numeric" autocomplete="off" placeholder="MM/YY" maxlength="7"`, errors, false)}
  ${field('cvv', 'CVV', typed.cvv ?? '', html`inputmode="numeric" autocomplete="off" placeholder="123" maxlength="4"`, errors, false)}
  <button class="primary" id="pay">Pay ${money}</button>
</form></div>`;
}

/** At the bottom of the page, and hidden while another tab is open. */
function testCards(simulator: Simulator, at: string, state: PageState): Html {
  return html`<form class="cards" method="get" action="${at}" aria-label="Test cards" data-tab="card" ${state.tab === 'card' ? null : html`hidden`}>
  <h2>Test cards</h2>
  <p class="quiet small">Any expiry in the future is taken.</p>
  <ul>${simulator.spec.cards.map(cardRow)}</ul>
</form>`;
}

function cardRow(card: TestCard): Html {
  const extra = [
    card.cvv === null ? 'any CVV' : `CVV ${card.cvv}`,
    card.pin === undefined ? '' : `PIN ${card.pin}`,
    card.otp === undefined ? '' : `OTP ${card.otp}`,
  ].filter((part) => part !== '');
  return html`<li><span>${card.name}</span>
<span class="facts-line"><span class="mono">${groupDigits(card.number)}</span> · ${extra.join(' · ')}</span>
<button name="card" value="${card.name}" aria-label="Use card: ${card.name}" data-number="${card.number}" data-expiry="${card.expiry}" data-cvv="${card.cvv ?? '123'}">Use</button></li>`;
}

function groupDigits(number: string): string {
  return number.replaceAll(/(.{4})(?=.)/g, '$1 ');
}

function transferPanel(simulator: Simulator, at: string, checkout: Checkout, state: PageState): Html {
  const due = String(checkout.amount / simulator.spec.unitsPerMain);
  return html`<div role="tabpanel" id="panel-bank_transfer" aria-labelledby="tab-bank_transfer" ${state.tab === 'bank_transfer' ? null : html`hidden`}>
<dl class="bank">
  <div><dt>Bank</dt><dd>Sandbox Test Bank</dd></div>
  <div><dt>Account number</dt><dd class="number">${checkout.bankAccount}</dd></div>
  <div><dt>Account name</dt><dd>${simulator.spec.title} sandbox checkout</dd></div>
</dl>
<form class="fields" method="post" action="${at}/transfer" novalidate>
  ${field('amount', 'Amount to send', state.typed.amount ?? due, html`inputmode="decimal" autocomplete="off"`, state.errors, true)}
  <p class="hint wide">In ${checkout.currency}. Change it to see what happens when too little or too much arrives.</p>
  <button class="primary">I have sent the money</button>
</form></div>`;
}

/** The path of a checkout's hosted page, with the simulator's name in front. */
export function pagePath(simulator: Simulator, checkout: Checkout): string {
  return `/${simulator.spec.name}${simulator.spec.checkoutPath}/${checkout.token}`;
}

/** The step between a card and its outcome: PIN, one-time code, the bank's own page, or a billing address. */
function stepView(at: string, step: Challenge, charge: Charge, card: TestCard | null, money: string, errors: FieldErrors): Html {
  return html`<div class="step">
${errors.page === undefined ? null : html`<p class="note bad" role="alert">${errors.page}</p>`}
${question(at, step, charge, card, money, errors)}
<form class="leave" method="post" action="${at}/give-up"><button class="plain">Pay another way</button></form>
</div>`;
}

function question(at: string, step: Challenge, charge: Charge, card: TestCard | null, money: string, errors: FieldErrors): Html {
  const last4 = charge.card?.last4 ?? '';
  switch (step) {
    case 'pin':
      return ask(
        at,
        'pin',
        'PIN',
        'Enter your card PIN',
        `Card ending in ${last4}. The test PIN is ${card?.pin ?? '1234'}.`,
        true,
        errors,
      );
    case 'otp':
      return ask(at, 'otp', 'OTP', 'Enter the code you were sent', `The test OTP is ${card?.otp ?? '123456'}.`, true, errors);
    case 'address':
      return ask(at, 'address', 'Billing address', 'Confirm your billing address', 'Any address will do.', false, errors);
    case 'bank':
      return html`<h1>Your bank asks you to approve</h1>
<p class="quiet">${money} with the card ending in ${last4}. This stands in for the bank's own page.</p>
<form class="choices" method="post" action="${at}/step">
  <button class="primary" name="decision" value="approve">Approve at the bank</button>
  <button name="decision" value="decline">Decline at the bank</button>
</form>`;
    default:
      return step satisfies never;
  }
}

function ask(at: string, name: string, label: string, heading: string, hint: string, digits: boolean, errors: FieldErrors): Html {
  const error = errors[name];
  return html`<h1>${heading}</h1><p class="quiet">${hint}</p>
<form class="fields" method="post" action="${at}/step" novalidate autocomplete="off">
  <div class="wide">
    <label for="${name}">${label}</label>
    <input id="${name}" name="${name}" ${error === undefined ? html`autofocus` : null} autocomplete="off" ${digits ? html`inputmode="numeric" maxlength="8"` : null} ${error === undefined ? null : html`aria-invalid="true" aria-describedby="${name}-wrong"`}>
    ${error === undefined ? null : html`<p class="wrong" id="${name}-wrong">${error}</p>`}
  </div>
  <button class="primary">Continue</button>
</form>`;
}

/** The style of a gateway's hosted page: one column on a phone, summary beside the form from 760 px. */
function checkoutStyle({ light, dark }: CheckoutLook): string {
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
const checkoutScript = `
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
