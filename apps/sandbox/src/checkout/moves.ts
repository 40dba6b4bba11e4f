import { randomInt } from 'node:crypto';
import {
  type Account,
  type Channel,
  type Charge,
  type Checkout,
  channels,
  paidCharge,
  pendingCharge,
} from '../ledger/records.ts';
import { formatMoney, isoTime, type Simulator, type TestCard, type TransferMistake } from '../simulator.ts';
import { announceCharge, announceForgery, announceReturnedTransfer } from '../webhooks/announce.ts';

/** Messages to the customer by form field; `page` is the page as a whole. */
export type FieldErrors = Readonly<Record<string, string>>;

/** The result of a customer's step. `refused` changed nothing; `challenge` needs one more step; `finished` is an outcome. */
export type Move =
  | { readonly kind: 'refused'; readonly errors: FieldErrors }
  | { readonly kind: 'challenge' }
  | { readonly kind: 'finished'; readonly charge: Charge };

/** Why no money can be taken on this page now, or null when it can. */
export function blockingReason(simulator: Simulator, checkout: Checkout): string | null {
  const paid = alreadyPaid(simulator, checkout);
  if (paid !== null) return paid;
  if (checkout.closed) return 'This payment page is closed.';
  if (checkout.expiresAt !== null && Date.parse(checkout.expiresAt) <= simulator.now()) return 'This payment page has expired.';
  return null;
}

function alreadyPaid(simulator: Simulator, checkout: Checkout): string | null {
  if (paidCharge(checkout) !== null) return 'This payment has already been made.';
  const sameReference = simulator.ledger.checkoutsByReference(checkout.accountId, checkout.reference);
  if (sameReference.some((other) => other !== checkout && paidCharge(other) !== null)) {
    return 'A payment with this reference has already been made.';
  }
  return null;
}

/** A card as the customer typed it; checked before use and never stored. */
export interface CardEntry {
  readonly number: string;
  readonly expiry: string;
  readonly cvv: string;
}

/** The customer submits a card. */
export async function payByCard(simulator: Simulator, checkout: Checkout, entry: CardEntry, ip: string): Promise<Move> {
  const blocked = blockingReason(simulator, checkout);
  if (blocked !== null) return { kind: 'refused', errors: { page: blocked } };
  const number = entry.number.replaceAll(/[\s-]/g, '');
  const errors = checkCard({ ...entry, number }, simulator.now());
  if (Object.keys(errors).length > 0) return { kind: 'refused', errors };
  const card = simulator.spec.cards.find((candidate) => candidate.number === number) ?? null;
  const [month = '', year = ''] = entry.expiry.split('/').map((part) => part.trim());
  const charge = startCharge(simulator, checkout, ip, {
    channel: 'card',
    amount: checkout.amount,
    card: {
      bin: number.slice(0, 6),
      last4: number.slice(-4),
      brand: card?.brand ?? brandOf(number),
      expMonth: month,
      expYear: `20${year}`,
    },
    testCard: card?.name ?? null,
    awaiting: [...(card?.steps ?? [])],
  });
  if (card === null) return finish(simulator, checkout, charge, 'failed', simulator.spec.unknownCard);
  if (card.cvv !== null && card.cvv !== entry.cvv.trim()) return finish(simulator, checkout, charge, 'failed', 'Incorrect CVV');
  return charge.awaiting.length > 0 ? { kind: 'challenge' } : finish(simulator, checkout, charge, card.outcome, card.message);
}

/** The customer answers the challenge of the pending card charge. */
export async function answerStep(
  simulator: Simulator,
  checkout: Checkout,
  answer: Readonly<Record<string, string>>,
): Promise<Move> {
  const charge = pendingCharge(checkout);
  const step = charge?.awaiting[0];
  const card = simulator.spec.cards.find((candidate) => candidate.name === charge?.testCard);
  if (charge === null || step === undefined || card === undefined) {
    return { kind: 'refused', errors: { page: 'No payment is waiting for an answer.' } };
  }
  // Another page under the same reference may have been paid while this customer was entering the code.
  if (alreadyPaid(simulator, checkout) !== null)
    return finish(simulator, checkout, charge, 'failed', 'Duplicate transaction reference');
  const verdict = checkAnswer(step, card, answer);
  if (verdict.kind === 'fail') return finish(simulator, checkout, charge, 'failed', verdict.message);
  if (verdict.kind === 'again') {
    charge.wrongAnswers += 1;
    simulator.ledger.put({ kind: 'checkout', record: checkout });
    if (charge.wrongAnswers >= 3) return finish(simulator, checkout, charge, 'failed', 'Too many wrong answers');
    return { kind: 'refused', errors: verdict.errors };
  }
  charge.awaiting.shift();
  simulator.ledger.put({ kind: 'checkout', record: checkout });
  return charge.awaiting.length > 0 ? { kind: 'challenge' } : finish(simulator, checkout, charge, card.outcome, card.message);
}

type Verdict =
  | { readonly kind: 'right' }
  | { readonly kind: 'again'; readonly errors: FieldErrors }
  | { readonly kind: 'fail'; readonly message: string };

function checkAnswer(step: Charge['awaiting'][number], card: TestCard, answer: Readonly<Record<string, string>>): Verdict {
  switch (step) {
    case 'pin':
      return answer.pin?.trim() === card.pin ? { kind: 'right' } : { kind: 'fail', message: 'Incorrect PIN' };
    case 'otp':
      return answer.otp?.trim() === card.otp
        ? { kind: 'right' }
        : { kind: 'again', errors: { otp: 'That code is not right. Enter the one listed with the card.' } };
    case 'bank':
      return answer.decision === 'approve'
        ? { kind: 'right' }
        : { kind: 'fail', message: 'Declined by the customer at the bank' };
    case 'address':
      return (answer.address ?? '').trim() !== ''
        ? { kind: 'right' }
        : { kind: 'again', errors: { address: 'Enter a billing address.' } };
    default:
      return step satisfies never;
  }
}

/** The customer confirms a transfer; `amount` is in the main unit, as typed. */
export async function payByTransfer(simulator: Simulator, checkout: Checkout, amount: string, ip: string): Promise<Move> {
  const blocked = blockingReason(simulator, checkout);
  if (blocked !== null) return { kind: 'refused', errors: { page: blocked } };
  const typed = amount.replaceAll(/[,\s]/g, '');
  if (!/^\d{1,13}(\.\d{1,2})?$/.test(typed) || Number(typed) <= 0) {
    return { kind: 'refused', errors: { amount: 'Enter an amount above 0, with at most two decimals.' } };
  }
  return sendTransfer(simulator, checkout, roundToUnit(simulator, Number(typed) * simulator.spec.unitsPerMain), ip);
}

/**
 * A transfer arrives from the customer's bank, whatever the page says; `own` is in the own unit. One that the gateway sends back changes
 * nothing but for the webhook about it.
 */
export async function sendTransfer(simulator: Simulator, checkout: Checkout, own: number, ip: string): Promise<Move> {
  const { spec } = simulator;
  const mistake = mistakeOf(simulator, checkout, own);
  if (mistake !== null && spec.returnsTransfers?.includes(mistake) === true) {
    announceReturnedTransfer(simulator, checkout, own, mistake);
    const money = formatMoney(spec, own, checkout.currency);
    return { kind: 'refused', errors: { amount: `${money} goes back to your bank: ${RETURNED_BECAUSE[mistake]}.` } };
  }
  if (mistake === 'again') return { kind: 'refused', errors: { page: 'This payment has already been made.' } };
  const charge = startCharge(simulator, checkout, ip, {
    channel: 'bank_transfer',
    amount: own,
    card: null,
    testCard: null,
    awaiting: [],
  });
  const arrivesInMs = simulator.timing.transferMs?.({ gateway: simulator.spec.name, reference: checkout.reference }) ?? 0;
  if (arrivesInMs === 0) return finish(simulator, checkout, charge, 'success', 'Approved');
  simulator.later(arrivesInMs, () => void arrive(simulator, checkout, charge));
  return { kind: 'challenge' };
}

const RETURNED_BECAUSE: Readonly<Record<TransferMistake, string>> = {
  another_amount: 'send exactly the amount of the order',
  late: 'the time to pay is over',
  again: 'this payment has already been made',
};

function mistakeOf(simulator: Simulator, checkout: Checkout, own: number): TransferMistake | null {
  if (alreadyPaid(simulator, checkout) !== null) return 'again';
  if (blockingReason(simulator, checkout) !== null) return 'late';
  return own === checkout.amount ? null : 'another_amount';
}

/** Ends a transfer that was under way. Where another page was paid meanwhile, the bank sends it back. */
async function arrive(simulator: Simulator, checkout: Checkout, charge: Charge): Promise<void> {
  if (charge.status !== 'pending') return;
  const returned = alreadyPaid(simulator, checkout) !== null;
  await finish(simulator, checkout, charge, returned ? 'failed' : 'success', returned ? 'Returned' : 'Approved');
}

/** The customer cancels the pending charge, if any. The page stays open. */
export async function cancelPendingCharge(simulator: Simulator, checkout: Checkout): Promise<void> {
  const charge = pendingCharge(checkout);
  if (charge !== null) await finish(simulator, checkout, charge, 'failed', 'Cancelled by the customer');
}

/** How the control API ends a payment in place of the customer. */
export type Settlement = 'success' | 'failed' | 'abandoned';

/**
 * Acts as the customer, without a page; money may arrive after the page has expired.
 * `amount` is in the own unit and only counts for a success.
 */
export async function settle(
  simulator: Simulator,
  checkout: Checkout,
  outcome: Settlement,
  amount: number | null,
): Promise<Move> {
  const paid = alreadyPaid(simulator, checkout);
  if (paid !== null) return { kind: 'refused', errors: { page: paid } };
  if (outcome === 'abandoned') {
    // An abandoned page has no outcome: the pending charge is dropped and no webhook goes out.
    if (pendingCharge(checkout) !== null) checkout.charges.pop();
    simulator.ledger.put({ kind: 'checkout', record: checkout });
    announceForgery(simulator, checkout);
    return { kind: 'challenge' };
  }
  const card = simulator.spec.cards.find((candidate) => candidate.outcome === 'success' && candidate.steps.length === 0);
  const transfer = card === undefined || (amount !== null && amount !== checkout.amount);
  const details = transfer
    ? { channel: 'bank_transfer' as const, card: null, testCard: null }
    : {
        channel: 'card' as const,
        card: { bin: card.number.slice(0, 6), last4: card.number.slice(-4), brand: card.brand, expMonth: '12', expYear: '2030' },
        testCard: card.name,
      };
  const charge =
    pendingCharge(checkout) ??
    startCharge(simulator, checkout, '127.0.0.1', { ...details, amount: checkout.amount, awaiting: [] });
  if (outcome === 'success' && amount !== null) charge.amount = amount;
  return finish(simulator, checkout, charge, outcome, outcome === 'success' ? 'Approved' : 'Declined');
}

function startCharge(
  simulator: Simulator,
  checkout: Checkout,
  ip: string,
  details: Pick<Charge, 'channel' | 'amount' | 'card' | 'testCard' | 'awaiting'>,
): Charge {
  const charge: Charge = {
    id: simulator.ledger.nextId(),
    status: 'pending',
    ...details,
    fee: null,
    wrongAnswers: 0,
    message: '',
    ip,
    createdAt: isoTime(simulator),
    finishedAt: null,
  };
  checkout.charges.push(charge);
  simulator.ledger.put({ kind: 'checkout', record: checkout });
  return charge;
}

async function finish(
  simulator: Simulator,
  checkout: Checkout,
  charge: Charge,
  status: 'success' | 'failed',
  message: string,
): Promise<Move> {
  charge.status = status;
  charge.message = message;
  charge.awaiting = [];
  charge.finishedAt = isoTime(simulator);
  if (status === 'success') charge.amount = amountArriving(simulator, charge.amount);
  const failures = checkout.charges.filter((other) => other.status === 'failed').length;
  if (checkout.maxFailures !== null && failures >= checkout.maxFailures) checkout.closed = true;
  simulator.ledger.put({ kind: 'checkout', record: checkout });
  await announceCharge(simulator, checkout, charge);
  return { kind: 'finished', charge };
}

function amountArriving(simulator: Simulator, amount: number): number {
  if (simulator.faults.strike(['underpaid']) !== null) return roundToUnit(simulator, amount * 0.9);
  if (simulator.faults.strike(['overpaid']) !== null) return roundToUnit(simulator, amount * 1.1);
  return amount;
}

function roundToUnit(simulator: Simulator, amount: number): number {
  return Number(amount.toFixed(simulator.spec.decimals));
}

function checkCard(entry: CardEntry, now: number): FieldErrors {
  const errors: Record<string, string> = {};
  if (!/^\d{12,19}$/.test(entry.number)) errors.number = 'Enter the card number: 12 to 19 digits.';
  const expiry = /^(0[1-9]|1[0-2])\s*\/\s*(\d{2})$/.exec(entry.expiry.trim());
  if (expiry === null) errors.expiry = 'Enter the expiry as MM/YY.';
  else if (Date.UTC(2000 + Number(expiry[2]), Number(expiry[1]), 1) <= now) errors.expiry = 'This card has expired.';
  if (!/^\d{3,4}$/.test(entry.cvv.trim())) errors.cvv = 'Enter the 3 or 4 digits of the CVV.';
  return errors;
}

function brandOf(number: string): string {
  if (number.startsWith('4')) return 'visa';
  if (/^(506|507|650)/.test(number)) return 'verve';
  return 'mastercard';
}

/** The fields of a checkout that the merchant's call sets: those left out are empty. */
export type CheckoutRequest = Pick<Checkout, 'token' | 'reference' | 'amount' | 'currency' | 'email' | 'channels'> &
  Partial<Pick<Checkout, keyof typeof empty>>;

const empty = {
  customerName: null,
  phone: null,
  returnUrl: null,
  cancelUrl: null,
  title: null,
  metadata: null,
  expiresAt: null,
  maxFailures: null,
} satisfies Partial<Checkout>;

/** A checkout before any move of its customer. */
export function newCheckout(
  request: CheckoutRequest & Pick<Checkout, 'id' | 'accountId' | 'bankAccount' | 'createdAt'>,
): Checkout {
  const state = { closed: false, hidden: false, listedOnly: false, reversed: 0, settlementDelayDays: 0 };
  return { ...empty, ...request, ...state, charges: [], disputes: [] };
}

/** The ways to pay that a page offers of those wanted; all where it offers none of them. */
export function offered(wanted: readonly (string | undefined)[]): Channel[] {
  const known = channels.filter((channel) => wanted.includes(channel));
  return known.length > 0 ? known : [...channels];
}

/** The merchant's address with parameters set in its query; null where the merchant named no address. */
export function returnTo({ returnUrl }: Checkout, parameters: Readonly<Record<string, string>>): string | null {
  if (returnUrl === null) return null;
  const url = new URL(returnUrl);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** Opens a hosted page for a validated request of a merchant. */
export function openCheckout(simulator: Simulator, account: Account, request: CheckoutRequest): Checkout {
  const checkout = newCheckout({
    ...request,
    id: simulator.ledger.nextId(),
    accountId: account.id,
    bankAccount: String(randomInt(1_000_000_000, 9_999_999_999)),
    createdAt: isoTime(simulator),
  });
  simulator.ledger.put({ kind: 'checkout', record: checkout });
  announceForgery(simulator, checkout);
  return checkout;
}

const lowerAlphanumerics = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A random text of this many lower-case letters and digits, from the system's secure source. */
export function randomToken(length: number): string {
  return Array.from({ length }, () => lowerAlphanumerics[randomInt(lowerAlphanumerics.length)]).join('');
}
