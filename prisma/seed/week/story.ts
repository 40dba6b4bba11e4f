import { type AttemptFact, attemptRow } from './attempts.ts';
import { moment, type Row, type WeekMerchant } from './plan.ts';
import type { Random } from './random.ts';

export type Status = 'INITIATED' | 'PENDING' | 'SUCCESS' | 'FAILED' | 'REFUNDED';

/** Something that happened to a payment. */
export interface Happening {
  readonly at: number;
  readonly type: string;
  readonly to: Status | null;
  readonly cause: 'api' | 'checkout_return' | 'gateway_webhook' | 'schedule' | 'staff';
  readonly detail: Readonly<Record<string, string | number | boolean | null>>;
  readonly actor?: string;
}

/** Money a gateway says it received. */
export interface Receipt {
  readonly at: number;
  readonly amount: number;
  readonly transactionId: string;
  /** In main units, as exact text. */
  readonly fee: string | null;
}

/** A payment while its life is told. */
export interface Story {
  readonly merchant: WeekMerchant;
  readonly paymentId: string;
  readonly createdAt: number;
  readonly amount: number;
  readonly method: string | null;
  readonly merchantOrderId: string;
  /** Columns that are known from the beginning. */
  readonly first: Row;
  readonly attempts: AttemptFact[];
  readonly timeline: Row[];
  readonly announcements: Row[];
  /** Columns that change with what happens. */
  readonly state: {
    status: Status;
    version: number;
    statusEventId: string;
    statusChangedAt: number;
    updatedAt: number;
    gatewayReference: string | null;
    receipt: Receipt | null;
    late: boolean;
    review: { readonly state: 'OPEN' | 'RESOLVED'; readonly reason: string } | null;
    refunded: number;
  };
}

/** What merchants are told of. */
const ANNOUNCED = new Set([
  'payment.succeeded',
  'payment.failed',
  'payment.refunded',
  'payment.requires_review',
  'payment.duplicate_charge',
  'refund.succeeded',
  'refund.failed',
]);
const EXECUTION: Readonly<Record<Status, string>> = {
  INITIATED: 'processing',
  PENDING: 'processing',
  SUCCESS: 'succeeded',
  FAILED: 'failed',
  REFUNDED: 'refunded',
};

/** Writes down what happened: the timeline, the payment's own columns, and what the merchant is told of it. */
export function happen(random: Random, story: Story, { at, type, to, cause, detail, actor = '' }: Happening): void {
  const { merchant, paymentId, state } = story;
  const id = random.id(at);
  const key = { merchant_id: merchant.merchantId, id, payment_id: paymentId };
  const moved = { from_status: to === null || to === 'INITIATED' ? null : state.status, to_status: to };
  const who = { cause, actor: actor === '' ? null : actor };
  story.timeline.push({ ...key, type, ...moved, ...who, detail, created_at: moment(at) });
  state.version += 1;
  state.updatedAt = at;
  if (to !== null) Object.assign(state, { status: to, statusEventId: id, statusChangedAt: at });
  if (ANNOUNCED.has(type)) story.announcements.push(announcement(story, { id, type, at }));
}

function announcement(story: Story, event: { readonly id: string; readonly type: string; readonly at: number }): Row {
  const { merchant, paymentId, merchantOrderId, amount, state } = story;
  const record = {
    id: event.id,
    type: event.type,
    createdAt: moment(event.at),
    merchantNumber: merchant.profile.merchantNumber,
    data: {
      paymentId,
      merchantOrderId,
      status: state.status,
      executionStatus: EXECUTION[state.status],
      currency: 'NGN',
      amount,
      gatewayReference: state.gatewayReference ?? '',
    },
  };
  return {
    merchant_id: merchant.merchantId,
    id: event.id,
    mode: 'test',
    payment_id: paymentId,
    position: state.version,
    type: event.type,
    body: JSON.stringify(record),
    created_at: moment(event.at),
  };
}

/** The attempt that was paid, where one was: money that came a second time is none of it. */
export function paidAttempt({ attempts }: Pick<Story, 'attempts'>): AttemptFact | undefined {
  return attempts.find((attempt) => attempt.state === 'PAID' && !attempt.duplicate);
}

/** The payment's row as all that happened leaves it. */
export function paymentRow({ first, state, attempts, method }: Story): Row {
  const { receipt, review } = state;
  const paid = paidAttempt({ attempts });
  const current = attempts.find((attempt) => attempt.current);
  const account = (paid ?? current)?.account.routable;
  return {
    ...first,
    status: state.status,
    version: state.version,
    status_event_id: state.statusEventId,
    late: state.late,
    status_changed_at: moment(state.statusChangedAt),
    updated_at: moment(state.updatedAt),
    gateway_reference: state.gatewayReference,
    refunded_amount: state.refunded,
    current_attempt_id: current?.attemptId ?? null,
    paid_attempt_id: paid?.attemptId ?? null,
    account_id: account?.accountId ?? null,
    account_gateway: account?.gateway ?? null,
    received_amount: receipt?.amount ?? null,
    received_currency: receipt === null ? null : 'NGN',
    fee_amount: receipt?.fee ?? null,
    paid_method: receipt === null ? null : (method ?? 'CARD'),
    paid_at: receipt === null ? null : moment(receipt.at),
    review: review?.state ?? null,
    review_reason: review?.reason ?? null,
    next_check_at: null,
    check_count: 0,
  };
}

export function attemptRows(story: Story): Row[] {
  return story.attempts.map((attempt) => attemptRow(story.merchant.merchantId, story.paymentId, attempt));
}
