import type { RefundAmount } from '@switchyard/payments/pure';
import { DAY, type Draws, HOUR, MINUTE, SECOND } from './draws.ts';
import { drawAmount } from './merchant.ts';

/* The truth about one payment: what its gateways do, and when its customer, its merchant and our processes act. Times are milliseconds from its beginning. */

/** Money that arrives at a checkout. */
export interface Money {
  readonly transactionId: string;
  readonly at: number;
  /** Exact decimal of the main unit. */
  readonly amount: string;
  readonly currency: string;
  /** True if the gateway itself says that the money may not be good. */
  readonly doubt: boolean;
  /** When the gateway took it back; null for never. */
  readonly reversedAt: number | null;
  /** When it gave that back; null for never. */
  readonly restoredAt: number | null;
  /** When webhooks about it arrive. */
  readonly webhooks: readonly number[];
}

/** How the opening of a checkout ends. `lost` and `lost_and_open`: its answer is lost. `used_reference`: an earlier call opened it. */
export type OpeningScript = 'opens' | 'refuses' | 'fails' | 'lost' | 'lost_and_open' | 'used_reference';

export interface Silence {
  readonly from: number;
  readonly to: number;
  /** True if the gateway answers, with a status that cannot be read. */
  readonly unreadable: boolean;
}

/** The checkout of the attempt at one position. */
export interface CheckoutScript {
  readonly opening: OpeningScript;
  /** How long the opening takes. */
  readonly openingMs: number;
  /** The gateway does not list the checkout before. */
  readonly listedFrom: number;
  /** From when on the gateway says that the customer was declined, until money arrives; null for never. */
  readonly declinedAt: number | null;
  readonly money: readonly Money[];
  readonly silence: Silence | null;
}

/** How a gateway treats one sending of a refund. */
export type SendingScript = 'accepts' | 'refuses' | 'fails' | 'lost' | 'lost_on_the_way' | 'unreadable' | 'used_reference';

export interface RefundScript {
  readonly at: number;
  readonly amount: RefundAmount;
  /** By the number of the sending; the last one for all that follow. */
  readonly sendings: readonly SendingScript[];
  /** Delay until a sending whose answer is lost arrives. */
  readonly arrivesAfter: number;
  /** Delay until our process hears the answer to the first sending. */
  readonly answersAfter: number;
  readonly endsAfter: number;
  readonly end: 'succeeded' | 'failed' | 'needs_attention' | 'open';
  /** The gateway reports a status that no document lists until then. */
  readonly unrecognisedFor: number;
}

export interface PaymentScript {
  readonly index: number;
  readonly paymentId: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly sessionMs: number;
  /** By position of the attempt; no customer pays at those that follow. */
  readonly checkouts: readonly [CheckoutScript, ...CheckoutScript[]];
  /** When the merchant asks for the payment. */
  readonly verifies: readonly number[];
  /** The first for whatever the payment's own money, in this order. */
  readonly refunds: readonly RefundScript[];
  /** How the gateways treat refunds that our processes and staff make of other money. */
  readonly otherRefund: RefundScript;
  /** A lost dispute of a part of the payment; null for none. */
  readonly dispute: { readonly at: number; readonly lost: string } | null;
  /** Staff refunds money under review then; null for never. */
  readonly reviewedAt: number | null;
  /** True if webhooks of its accounts arrive, as far as we know. */
  readonly webhooksArrive: boolean;
  /** Share of steps after which a process stands still, and after which it dies. */
  readonly stalls: number;
  readonly crashes: number;
  /** Longest time that a process stands still. */
  readonly stallMs: number;
}

const CURRENCIES = ['NGN', 'USD', 'GHS'] as const;

/** Draws the truth about a payment. */
export function drawScript(draws: Draws, index: number, paymentId: string): PaymentScript {
  const amount = drawAmount(draws);
  const currency = draws.chance(0.93) ? 'NGN' : 'USD';
  const sessionMs = draws.chance(0.04) ? 24 * HOUR : draws.pick([30 * MINUTE, HOUR]);
  const first = drawCheckout(draws, { amount, currency, sessionMs, index, position: 0 });
  const checkouts: [CheckoutScript, ...CheckoutScript[]] = [first];
  const pays = first.money.length > 0;
  for (let position = 1; position < 4 && !(first.opening === 'opens' && draws.chance(0.9)); position += 1) {
    checkouts.push(drawCheckout(draws, { amount, currency, sessionMs, index, position }));
  }
  const isPaid = pays || checkouts.length > 1;
  return {
    index,
    paymentId,
    amount,
    currency,
    sessionMs,
    checkouts,
    verifies: draws.chance(0.5) ? [draws.spread(5 * SECOND, 2 * sessionMs)] : [],
    refunds: isPaid && draws.chance(0.25) ? drawRefunds(draws, amount) : [],
    otherRefund: drawRefund(draws, 0, 'full'),
    dispute: isPaid && draws.chance(0.03) ? { at: draws.spread(HOUR, 20 * DAY), lost: drawPart(draws, amount) } : null,
    reviewedAt: draws.chance(0.5) ? draws.spread(10 * MINUTE, 6 * DAY) : null,
    webhooksArrive: draws.chance(0.7),
    stalls: draws.chance(0.3) ? 0.12 : 0.01,
    crashes: draws.chance(0.15) ? 0.08 : 0.001,
    stallMs: draws.pick([2 * SECOND, 30 * SECOND, 5 * MINUTE, 40 * MINUTE]),
  };
}

interface OrderScript {
  readonly amount: bigint;
  readonly currency: string;
  readonly sessionMs: number;
  readonly index: number;
  readonly position: number;
}

function drawCheckout(draws: Draws, order: OrderScript): CheckoutScript {
  const opening = draws.weighted(
    [
      ['refuses', 4],
      ['fails', 6],
      ['lost', 5],
      ['lost_and_open', 5],
      ['used_reference', 2],
    ],
    'opens',
  );
  const isOpen = opening !== 'refuses' && opening !== 'fails' && opening !== 'lost';
  const pays = isOpen && draws.chance(0.8);
  const firstAt = draws.chance(0.9)
    ? draws.spread(10 * SECOND, order.sessionMs)
    : order.sessionMs + draws.spread(MINUTE, 60 * HOUR);
  const money = pays ? [drawMoney(draws, order, firstAt, 0)] : [];
  if (pays && draws.chance(0.06)) {
    const second = drawMoney(draws, order, firstAt + draws.spread(SECOND, 3 * HOUR), 1);
    // The same figure in another currency is other money.
    const figure = money[0]?.amount ?? second.amount;
    money.push(draws.chance(0.2) ? { ...second, amount: figure } : second);
  }
  const silence = draws.chance(0.07) ? drawSilence(draws, order.sessionMs) : null;
  return {
    opening,
    openingMs: draws.chance(0.97) ? draws.between(80, 900) : draws.between(900, 8_000),
    listedFrom: draws.chance(0.8) ? 0 : pays ? firstAt : Number.POSITIVE_INFINITY,
    declinedAt: isOpen && draws.chance(0.15) ? draws.spread(10 * SECOND, order.sessionMs) : null,
    money,
    silence,
  };
}

function drawMoney(draws: Draws, { amount, currency, index, position }: OrderScript, at: number, nth: number): Money {
  const kind = draws.weighted(
    [
      ['part', 5],
      ['more', 3],
      ['cents', 2],
      ['currency', 3],
      ['doubt', 2],
    ],
    'exact',
  );
  const delay = (): number => at + draws.spread(SECOND, draws.chance(0.9) ? 30 * SECOND : 6 * HOUR);
  const webhooks = draws.chance(0.75) || nth > 0 ? [delay()] : [];
  const reversedAt = draws.chance(0.06) ? at + draws.spread(SECOND, 2 * DAY) : null;
  if (draws.chance(0.1)) webhooks.push(delay());
  if (reversedAt !== null && draws.chance(0.8)) webhooks.push(reversedAt + draws.spread(SECOND, HOUR));
  if (reversedAt !== null && draws.chance(0.4)) webhooks.push(reversedAt + draws.spread(HOUR, DAY));
  const restoredAt = reversedAt !== null && draws.chance(0.3) ? reversedAt + draws.spread(HOUR, 2 * DAY) : null;
  if (restoredAt !== null) webhooks.push(restoredAt + draws.spread(SECOND, HOUR));
  return {
    transactionId: `${index}-${position}-${nth}`,
    at,
    amount: amountOf(draws, kind, amount),
    currency: kind === 'currency' ? draws.pick(CURRENCIES.filter((one) => one !== currency) as ['GHS']) : currency,
    doubt: kind === 'doubt',
    reversedAt,
    restoredAt,
    webhooks,
  };
}

function amountOf(draws: Draws, kind: string, amount: bigint): string {
  switch (kind) {
    case 'part':
      return drawPart(draws, amount);
    case 'more':
      return String(amount + BigInt(draws.between(1, 50)));
    case 'cents':
      return `${amount}.5`;
    default:
      return String(amount);
  }
}

function drawPart(draws: Draws, amount: bigint): string {
  return String(amount < 2n ? 1n : (amount * BigInt(draws.between(1, 99))) / 100n || 1n);
}

function drawSilence(draws: Draws, sessionMs: number): Silence {
  const from = draws.between(0, 2 * sessionMs);
  const lasts = draws.chance(0.02) ? draws.spread(7 * DAY, 10 * DAY) : draws.spread(MINUTE, 4 * HOUR);
  return { from, to: from + lasts, unreadable: draws.chance(0.3) };
}

function drawRefunds(draws: Draws, amount: bigint): RefundScript[] {
  const refunds: RefundScript[] = [];
  let at = draws.spread(MINUTE, 12 * HOUR);
  for (let left = draws.between(1, 3); left > 0; left -= 1) {
    const asked = draws.weighted(
      [
        ['rest', 50],
        ['too_much', 6],
      ],
      'part',
    );
    const part =
      asked === 'rest' ? 'full' : asked === 'part' ? BigInt(drawPart(draws, amount)) : amount + BigInt(draws.between(1, 9));
    refunds.push(drawRefund(draws, at, part));
    at += draws.chance(0.2) ? 1 : draws.spread(SECOND, 2 * DAY);
  }
  return refunds;
}

function drawRefund(draws: Draws, at: number, amount: RefundAmount): RefundScript {
  const sending = (): SendingScript =>
    draws.weighted(
      [
        ['refuses', 6],
        ['fails', 6],
        ['lost', 5],
        ['lost_on_the_way', 4],
        ['unreadable', 2],
        ['used_reference', 1],
      ],
      'accepts',
    );
  const neverSent = draws.chance(0.01);
  const end = draws.weighted(
    [
      ['failed', 12],
      ['needs_attention', 3],
      ['open', 2],
    ],
    'succeeded',
  );
  return {
    at,
    amount,
    sendings: neverSent ? [draws.pick(['fails', 'lost_on_the_way'])] : [sending(), sending(), 'accepts'],
    arrivesAfter: draws.chance(0.8) ? 200 : draws.spread(SECOND, 8 * MINUTE),
    answersAfter: draws.chance(0.95) ? 0 : draws.spread(SECOND, 40 * MINUTE),
    endsAfter: draws.chance(0.5) ? 0 : draws.spread(SECOND, 4 * DAY),
    end,
    unrecognisedFor: draws.chance(0.04) ? draws.spread(HOUR, 6 * DAY) : 0,
  };
}
