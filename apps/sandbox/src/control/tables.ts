import { type Call, type Checkout, decisiveCharge, type Hook, paidCharge, type Refund } from '../ledger/records.ts';
import { type Html, html } from '../pages/html.ts';
import { refunded } from '../refunds.ts';
import { checkoutUrl, formatMoney, type Simulator } from '../simulator.ts';

/** Rows shown of a list; the journal has them all. */
export const shownRows = 100;

/** A row with the gateway it comes from and the id that orders it among the others. */
export interface Row {
  readonly id: number;
  readonly cells: Html;
}

type Tone = 'good' | 'warn' | 'bad' | 'off';

function word(text: string, tone: Tone): Html {
  return html`<span class="word ${tone}">${text}</span>`;
}

function time(at: string): Html {
  return html`<time datetime="${at}" title="${at}">${at.slice(11, 19)}</time>`;
}

function referenceLink(simulator: Simulator, reference: string | null): Html {
  if (reference === null) return html`<span class="quiet">–</span>`;
  const query = new URLSearchParams({ gateway: simulator.spec.name, reference });
  return html`<a class="mono" href="?${query.toString()}">${reference}</a>`;
}

/** Column titles of {@link transactionRow}. */
export const transactionHead = ['Time, UTC', 'Gateway', 'Reference', 'Amount', 'In its unit', 'Status', 'Act as the customer'];

/** A transaction, with buttons that end it as its customer would while that is possible; they lead back to `back`. */
export function transactionRow(simulator: Simulator, checkout: Checkout, back: string): Row {
  const status = simulator.spec.statusOf(simulator, checkout);
  const paid = paidCharge(checkout);
  const differs = paid !== null && paid.amount !== checkout.amount;
  const unitAmount = `${(paid?.amount ?? checkout.amount).toLocaleString('en-NG')} ${simulator.spec.unit}`;
  return {
    id: checkout.id,
    cells: html`<tr><td data-label="Time">${time(checkout.createdAt)}</td>
<td data-label="Gateway">${simulator.spec.title}</td>
<td data-label="Reference"><span>${referenceLink(simulator, checkout.reference)}</span></td>
<td data-label="Amount" class="num"><span>${formatMoney(simulator.spec, checkout.amount, checkout.currency)}${
      differs ? html`<br><span class="small">${formatMoney(simulator.spec, paid.amount, checkout.currency)} arrived</span>` : null
    }</span></td>
<td data-label="In its unit" class="num quiet">${unitAmount}</td>
<td data-label="Status">${word(status, statusTone(simulator, checkout))}</td>
<td data-label="Act"><div class="row-acts">${paid === null ? acts(simulator, checkout, back) : actsAfter(simulator, checkout, back)}</div></td></tr>`,
  };
}

function button(simulator: Simulator, checkout: Checkout, back: string, outcome: string, label: string): Html {
  return html`<form method="post" action="/act/${simulator.spec.name}">
<input type="hidden" name="reference" value="${checkout.reference}"><input type="hidden" name="back" value="${back}">
<button name="outcome" value="${outcome}" aria-label="${label} ${checkout.reference}">${label}</button></form>`;
}

/** Buttons for later changes of a payment: its gateway takes the money back, or the customer disputes it. */
function actsAfter(simulator: Simulator, checkout: Checkout, back: string): Html {
  const isOpen = checkout.disputes.some(({ resolution }) => resolution === null);
  const possible = [
    ...(simulator.spec.reverses && checkout.reversed === 0 ? [['reversed', 'Reverse'] as const] : []),
    ...(simulator.spec.disputeEvent !== undefined && !isOpen ? [['disputed', 'Dispute'] as const] : []),
    ...(isOpen
      ? ([
          ['auto-accepted', 'Lose dispute'],
          ['declined', 'Win dispute'],
        ] as const)
      : []),
  ];
  if (possible.length === 0) return html`<span class="quiet">–</span>`;
  return html`${possible.map(([outcome, label]) => button(simulator, checkout, back, outcome, label))}`;
}

function acts(simulator: Simulator, checkout: Checkout, back: string): Html {
  return html`<a href="${checkoutUrl(simulator, checkout)}" target="_blank" rel="noreferrer">Open page</a>${button(simulator, checkout, back, 'success', 'Pay')}${button(simulator, checkout, back, 'failed', 'Fail')}`;
}

function statusTone(simulator: Simulator, checkout: Checkout): Tone {
  const charge = decisiveCharge(checkout);
  if (charge === null) return 'off';
  switch (charge.status) {
    case 'success':
      return refunded(simulator, checkout) + checkout.reversed >= charge.amount ? 'off' : 'good';
    case 'failed':
      return 'bad';
    case 'pending':
      return 'warn';
    default:
      return charge.status satisfies never;
  }
}

/** Column titles of {@link callRow}. */
export const callHead = ['Time, UTC', 'Gateway', 'Call', 'Reference', 'Account', 'Answer', 'Took', 'Fault'];

/** A call that a merchant's server made; `none` where it got no answer. */
export function callRow(simulator: Simulator, call: Call): Row {
  return {
    id: call.id,
    cells: html`<tr><td data-label="Time">${time(call.at)}</td>
<td data-label="Gateway">${simulator.spec.title}</td>
<td data-label="Call"><span><span class="quiet">${call.method}</span> <span class="mono">${call.path}</span></span></td>
<td data-label="Reference"><span>${referenceLink(simulator, call.reference)}</span></td>
<td data-label="Account">${call.account ?? html`<span class="quiet">unknown key</span>`}</td>
<td data-label="Answer">${call.status === null ? word('none', 'warn') : word(String(call.status), call.status < 400 ? 'good' : 'bad')}</td>
<td data-label="Took" class="num">${call.durationMs === null ? '–' : `${call.durationMs} ms`}</td>
<td data-label="Fault" class="quiet">${call.fault ?? '–'}</td></tr>`,
  };
}

/** Column titles of {@link hookRow}. */
export const hookHead = ['Time, UTC', 'Gateway', 'Event', 'Reference', 'Sent to', 'Tries', 'Came to'];

const hookTones: Readonly<Record<Hook['state'], Tone>> = {
  pending: 'warn',
  delivered: 'good',
  given_up: 'bad',
  suppressed: 'off',
  no_url: 'off',
};

const hookWords: Readonly<Record<Hook['state'], string>> = {
  pending: 'under way',
  delivered: 'delivered',
  given_up: 'given up',
  suppressed: 'held back by a fault',
  no_url: 'no address registered',
};

/** A webhook with the result of each try to send it. */
export function hookRow(simulator: Simulator, hook: Hook): Row {
  const tries = hook.attempts.map((attempt) => String(attempt.status ?? attempt.error ?? '–')).join(', ');
  return {
    id: hook.id,
    cells: html`<tr><td data-label="Time">${time(hook.at)}</td>
<td data-label="Gateway">${simulator.spec.title}</td>
<td data-label="Event"><span>${hook.event}${hook.forged ? html` <span class="word bad">forged</span>` : null}</span></td>
<td data-label="Reference"><span>${referenceLink(simulator, hook.reference)}</span></td>
<td data-label="Sent to" class="mono">${hook.url ?? '–'}</td>
<td data-label="Tries">${tries === '' ? '–' : tries}</td>
<td data-label="Came to">${word(hookWords[hook.state], hookTones[hook.state])}</td></tr>`,
  };
}

/** Column titles of {@link refundRow}. */
export const refundHead = ['Time, UTC', 'Gateway', 'Reference', 'Amount', 'Status', 'Refund id'];

const refundTones: Readonly<Record<Refund['status'], Tone>> = {
  pending: 'warn',
  processing: 'warn',
  processed: 'good',
  failed: 'bad',
  'needs-attention': 'warn',
};

/** A refund, linked to its payment. */
export function refundRow(simulator: Simulator, refund: Refund): Row {
  return {
    id: refund.id,
    cells: html`<tr><td data-label="Time">${time(refund.createdAt)}</td>
<td data-label="Gateway">${simulator.spec.title}</td>
<td data-label="Reference"><span>${referenceLink(simulator, simulator.ledger.checkout(refund.checkoutId)?.reference ?? null)}</span></td>
<td data-label="Amount" class="num">${formatMoney(simulator.spec, refund.amount, refund.currency)}</td>
<td data-label="Status">${word(refund.status, refundTones[refund.status])}</td>
<td data-label="Refund id" class="mono">${refund.id}</td></tr>`,
  };
}

/** A table of the newest rows, newest first. */
export function table(caption: string, head: readonly string[], rows: readonly Row[]): Html {
  const newest = [...rows].sort((one, other) => other.id - one.id).slice(0, shownRows);
  const numeric = new Set(['Amount', 'In its unit', 'Took']);
  return html`<table><caption>${caption}</caption><thead><tr>${head.map(
    (title) => html`<th scope="col" ${numeric.has(title) ? html`class="num"` : null}>${title}</th>`,
  )}</tr></thead><tbody>${newest.map((row) => row.cells)}</tbody></table>`;
}
