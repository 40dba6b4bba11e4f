import type { CheckoutSession, Failure, Outcome, ReceivedPayment, RefundReceipt } from '@switchyard/gateways';
import { timeAt } from './draws.ts';
import type { CheckoutScript, Money, PaymentScript, RefundScript } from './script.ts';

const CALL = {
  method: 'POST',
  url: '',
  httpStatus: null,
  latencyMs: 5,
  request: null,
  answer: null,
  retryAfterMs: null,
} as const;

function unknown(failureClass: Failure['class'], code: Failure['code']): Extract<Outcome<never>, { outcome: 'unknown' }> {
  return { outcome: 'unknown', failure: { class: failureClass, code, message: code }, call: CALL };
}

function no(failureClass: Failure['class'], code: Failure['code']): Extract<Outcome<never>, { outcome: 'no' }> {
  return { outcome: 'no', failure: { class: failureClass, code, message: code }, call: CALL };
}

const TIMED_OUT = unknown('provider_fault', 'timeout');
const UNREADABLE = unknown('our_configuration', 'unrecognised_status');
const NOT_PAID_YET = unknown('customer', 'not_paid_yet');
const NOT_LISTED = unknown('customer', 'not_found');
const NOT_FOUND = no('our_configuration', 'not_found');
const DECLINED = no('customer', 'declined');
const REJECTED = no('our_configuration', 'request_rejected');
const FAILED = no('provider_fault', 'http_5xx');
const USED = no('our_configuration', 'duplicate_reference');
const MALFORMED = no('provider_fault', 'malformed_answer');

/** A checkout that no customer pays at. */
const PLAIN: CheckoutScript = { opening: 'opens', openingMs: 300, listedFrom: 0, declinedAt: null, money: [], silence: null };

/** A refund as its gateway has it. */
export interface GatewayRefund {
  readonly refundId: string;
  readonly script: RefundScript;
  /** When sendings arrived that were accepted. */
  readonly arrivals: number[];
  sendings: number;
}

/** All gateways of one payment: they know its script, and nothing of our records. */
export class Gateways {
  /** Positions whose checkout is open, known to us or not. */
  readonly open = new Set<number>();
  readonly refunds = new Map<string, GatewayRefund>();
  private readonly script: PaymentScript;
  private readonly isTerse: boolean;

  constructor(script: PaymentScript) {
    this.script = script;
    this.isTerse = script.index % 2 === 1;
  }

  checkoutAt(position: number): CheckoutScript {
    return this.script.checkouts[position] ?? PLAIN;
  }

  openCheckout(position: number, reference: string): Outcome<CheckoutSession> {
    const { opening } = this.checkoutAt(position);
    const wasOpen = this.open.has(position);
    switch (opening) {
      case 'refuses':
        return REJECTED;
      case 'fails':
        return FAILED;
      case 'lost':
        return TIMED_OUT;
      default:
        this.open.add(position);
    }
    // Some gateways refuse what they opened before in words that do not show it.
    if (wasOpen) return this.isTerse ? REJECTED : USED;
    if (opening === 'used_reference') return USED;
    if (opening === 'lost_and_open') return TIMED_OUT;
    return { outcome: 'yes', value: { raw: {}, reference, accessCode: '', redirectUrl: 'https://checkout' }, call: CALL };
  }

  /** Money of an attempt that has arrived: that of the transaction asked for, else the first. */
  moneyAt(position: number, transactionId: string | null, at: number): Money | null {
    const { money } = this.checkoutAt(position);
    if (!this.open.has(position)) return null;
    const arrived = money.filter((each) => each.at <= at);
    return arrived.find((each) => each.transactionId === transactionId) ?? arrived[0] ?? null;
  }

  verify(position: number, reference: string, transactionId: string | null, at: number): Outcome<ReceivedPayment> {
    const { silence, declinedAt, listedFrom } = this.checkoutAt(position);
    if (silence !== null && silence.from <= at && at < silence.to) return silence.unreadable ? UNREADABLE : TIMED_OUT;
    if (!this.open.has(position)) return NOT_FOUND;
    const money = this.moneyAt(position, transactionId, at);
    if (money !== null) return received(money, reference, at);
    if (declinedAt !== null && declinedAt <= at) return DECLINED;
    return at < listedFrom ? (this.isTerse ? NOT_FOUND : NOT_LISTED) : NOT_PAID_YET;
  }

  refundOf(refundId: string, script: RefundScript): GatewayRefund {
    const known = this.refunds.get(refundId) ?? { refundId, script, arrivals: [], sendings: 0 };
    this.refunds.set(refundId, known);
    return known;
  }

  send(refund: GatewayRefund, at: number): Outcome<RefundReceipt> {
    const { script } = refund;
    const sending = script.sendings[Math.min(refund.sendings, script.sendings.length - 1)] ?? 'accepts';
    refund.sendings += 1;
    const accept = (after: number): void => {
      refund.arrivals.push(at + after);
    };
    switch (sending) {
      case 'refuses':
        return REJECTED;
      case 'fails':
        return FAILED;
      case 'lost_on_the_way':
        return TIMED_OUT;
      case 'lost':
        accept(script.arrivesAfter);
        return TIMED_OUT;
      case 'unreadable':
        accept(0);
        return MALFORMED;
      case 'used_reference':
        accept(0);
        return USED;
      case 'accepts':
        accept(0);
        return { outcome: 'yes', value: receiptOf(refund, at), call: CALL };
      default:
        return sending satisfies never;
    }
  }

  /** The refund in the gateway's list; null while it has none. */
  find(refund: GatewayRefund, at: number): RefundReceipt | null {
    return refund.arrivals.some((arrival) => arrival <= at) ? receiptOf(refund, at) : null;
  }
}

function received(money: Money, reference: string, at: number): Outcome<ReceivedPayment> {
  const { transactionId, amount, currency, doubt, reversedAt, restoredAt } = money;
  const value = {
    reference,
    transactionId,
    amount,
    currency,
    fee: '1.5',
    method: 'CARD',
    paidAt: timeAt(money.at),
    reversed: reversedAt !== null && reversedAt <= at && !(restoredAt !== null && restoredAt <= at),
  };
  return { outcome: 'yes', value: doubt ? { ...value, doubt: 'The gateway doubts it.' } : value, call: CALL };
}

function receiptOf({ refundId, script, arrivals }: GatewayRefund, at: number): RefundReceipt {
  const age = at - (arrivals[0] ?? at);
  const receipt = { gatewayRefundId: `g-${refundId}`, message: null, state: stateOf(script, age) };
  if (age >= script.unrecognisedFor) return receipt;
  return { ...receipt, state: 'processing', unrecognised: { message: 'A status that no document lists.', record: '{}' } };
}

/** The state of a refund so long after it arrived. */
export function stateOf({ end, endsAfter }: RefundScript, age: number): RefundReceipt['state'] {
  if (age < endsAfter || end === 'open') return 'processing';
  return end;
}
