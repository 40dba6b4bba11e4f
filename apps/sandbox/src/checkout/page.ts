import { type Channel, type Charge, type Checkout, decisiveCharge, paidCharge, pendingCharge } from '../ledger/records.ts';
import { type Html, html, page } from '../pages/html.ts';
import type { Reply } from '../server/router.ts';
import { formatMoney, type Simulator, type TestCard } from '../simulator.ts';
import { blockingReason, type FieldErrors } from './moves.ts';
import { stepView } from './step.ts';
import { checkoutScript, checkoutStyle } from './style.ts';

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
