import type { CheckoutSession, Failure, Outcome, ReceivedPayment } from '@switchyard/gateways';
import { CREATED_AT } from './payment-rows.ts';

const call = { method: 'GET', url: '', httpStatus: null, latencyMs: 1, request: null, answer: null, retryAfterMs: null };

function failed<const Kind extends 'no' | 'unknown'>(outcome: Kind, of: Failure['class'], code: Failure['code']) {
  return { outcome, failure: { class: of, code, message: code }, call };
}

const OPENED: Outcome<CheckoutSession> = {
  outcome: 'yes',
  value: { reference: '', redirectUrl: 'https://checkout', accessCode: '', raw: {} },
  call,
};

/**
 * How the opening of a checkout ends: what the gateway answers, whether the checkout is open there, and whether an earlier process, which died,
 * called the gateway before.
 */
export const OPENINGS = {
  opens: { outcome: OPENED, isOpen: true, calledBefore: false },
  refuses: { outcome: failed('no', 'our_configuration', 'request_rejected'), isOpen: false, calledBefore: false },
  fails: { outcome: failed('no', 'provider_fault', 'http_5xx'), isOpen: false, calledBefore: false },
  lost: { outcome: failed('unknown', 'provider_fault', 'timeout'), isOpen: false, calledBefore: false },
  lost_and_open: { outcome: failed('unknown', 'provider_fault', 'timeout'), isOpen: true, calledBefore: false },
  used_reference: { outcome: failed('no', 'our_configuration', 'duplicate_reference'), isOpen: true, calledBefore: false },
  opened_by_another: { outcome: failed('no', 'our_configuration', 'request_rejected'), isOpen: true, calledBefore: true },
} as const;

export type Opening = keyof typeof OPENINGS;

/** Money that arrived at a checkout. */
export interface Money {
  readonly transactionId: string;
  /** Exact decimal of the main unit. */
  readonly amount: string;
  readonly currency: string;
  /** True if the gateway itself puts it in doubt. */
  readonly doubt: boolean;
  /** True while the gateway has taken it back. */
  reversed: boolean;
}

/** Money by how it matches an order of NGN 2,500. */
export const MONEY = {
  exact: { amount: '2500', currency: 'NGN', doubt: false },
  part: { amount: '1000', currency: 'NGN', doubt: false },
  more: { amount: '2501', currency: 'NGN', doubt: false },
  cents: { amount: '2500.5', currency: 'NGN', doubt: false },
  dollars: { amount: '2500', currency: 'USD', doubt: false },
  in_doubt: { amount: '2500', currency: 'NGN', doubt: true },
} as const;

const TRANSACTIONS_MAX = 3;

/** The checkout of one attempt as its gateway has it. It knows nothing of our rows. */
export class Checkout {
  readonly money: Money[] = [];
  isOpen: boolean;
  isDeclined = false;
  isClosed = false;
  isSilent = false;
  /** False for a gateway that lists a checkout only once it is paid. */
  readonly isListed: boolean;
  private readonly reference: string;

  constructor(reference: string, isOpen: boolean, isListed: boolean) {
    this.reference = reference;
    this.isOpen = isOpen;
    this.isListed = isListed;
  }

  /** Money arrives, unless the checkout is not open, is closed, or has three transactions. */
  pay(kind: keyof typeof MONEY): void {
    if (!this.isOpen || this.isClosed || this.money.length === TRANSACTIONS_MAX) return;
    this.money.push({ ...MONEY[kind], transactionId: `${this.reference}-${this.money.length}`, reversed: false });
  }

  /** The money that an answer is about: of the transaction asked for, else the first. */
  moneyOf(transactionId: string | null): Money | null {
    return this.money.find((each) => each.transactionId === transactionId) ?? this.money[0] ?? null;
  }

  answer(transactionId: string | null): Outcome<ReceivedPayment> {
    if (this.isSilent) return failed('unknown', 'provider_fault', 'timeout');
    const money = this.moneyOf(transactionId);
    if (money !== null) return this.received(money);
    if (!this.isOpen) return failed('no', 'our_configuration', 'not_found');
    if (this.isClosed) return failed('no', 'customer', 'checkout_closed');
    if (this.isDeclined) return failed('no', 'customer', 'declined');
    return this.isListed ? failed('unknown', 'customer', 'not_paid_yet') : failed('no', 'our_configuration', 'not_found');
  }

  private received({ transactionId, amount, currency, doubt, reversed }: Money): Outcome<ReceivedPayment> {
    const { reference } = this;
    const value = { reference, transactionId, amount, currency, fee: '37.5', method: 'CARD', paidAt: CREATED_AT, reversed };
    return { outcome: 'yes', value: doubt ? { ...value, doubt: 'The gateway doubts it.' } : value, call };
  }
}
