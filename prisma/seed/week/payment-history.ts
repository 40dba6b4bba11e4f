import { announce } from '@switchyard/payments';
import type { PaymentMethod } from '@switchyard/routing';
import { type AttemptFact, attemptRow } from './attempts.ts';
import { moment, type Row, type WeekMerchant } from './plan.ts';
import type { Random } from './random.ts';

export type Status = 'INITIATED' | 'PENDING' | 'SUCCESS' | 'FAILED' | 'REFUNDED';

/** An event of a payment. */
export interface PaymentEvent {
  readonly at: number;
  readonly type: string;
  /** The status it leads to, where it leads to another. */
  readonly to?: Status;
  readonly cause: 'api' | 'checkout_return' | 'gateway_webhook' | 'schedule' | 'staff';
  readonly detail: Readonly<Record<string, string | number | boolean | null>>;
  readonly actor?: string;
}

/** Money a gateway reports as received. */
export interface Receipt {
  readonly at: number;
  readonly amount: number;
  readonly transactionId: string;
  /** In main units, as exact text. */
  readonly fee: string | null;
}

/** A payment during its simulation. */
export interface PaymentHistory {
  readonly merchant: WeekMerchant;
  readonly paymentId: string;
  readonly createdAt: number;
  readonly amount: number;
  readonly method: PaymentMethod | null;
  readonly merchantOrderId: string;
  /** Columns known from the start. */
  readonly first: Row;
  readonly attempts: AttemptFact[];
  readonly timeline: Row[];
  readonly announcements: Row[];
  /** Columns that change with events. */
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

/** Records an event: the timeline, the payment's own columns, and the merchant's event. */
export function recordEvent(random: Random, history: PaymentHistory, event: PaymentEvent): void {
  const { at, type, to = null, cause, detail, actor = null } = event;
  const { merchant, paymentId, merchantOrderId, amount, state } = history;
  const id = random.id(at);
  history.timeline.push({
    merchant_id: merchant.merchantId,
    id,
    payment_id: paymentId,
    type,
    from_status: to === null || to === 'INITIATED' ? null : state.status,
    to_status: to,
    cause,
    actor,
    detail,
    created_at: moment(at),
  });
  state.version += 1;
  state.updatedAt = at;
  if (to !== null) Object.assign(state, { status: to, statusEventId: id, statusChangedAt: at });
  const { merchantId, profile } = merchant;
  const { version, status, gatewayReference } = state;
  const order = { merchantId, mode: 'test', paymentId, merchantOrderId, currency: 'NGN', amount: BigInt(amount) } as const;
  const payment = { ...order, status, version, gatewayReference };
  const announced = announce(payment, profile.merchantNumber, { eventId: id, type, at: new Date(at) });
  if (announced === null) return;
  history.announcements.push({
    merchant_id: merchantId,
    id,
    mode: announced.mode,
    payment_id: paymentId,
    position: announced.position,
    type,
    body: announced.body,
    created_at: moment(at),
  });
}

/** The attempt that was paid, if any; a duplicate charge does not count. */
export function paidAttempt({ attempts }: Pick<PaymentHistory, 'attempts'>): AttemptFact | undefined {
  return attempts.find((attempt) => attempt.state === 'PAID' && !attempt.duplicate);
}

/** The payment's row after all its events. */
export function paymentRow({ first, state, attempts, method, timeline }: PaymentHistory): Row {
  const { receipt, review } = state;
  const paid = paidAttempt({ attempts });
  const current = attempts.find(({ checkout }) => checkout !== null);
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
    failure_reason: failureReason({ state, timeline }),
  };
}

/** Why it is FAILED, as its last change of status says; null in any other status. */
function failureReason({ state, timeline }: Pick<PaymentHistory, 'state' | 'timeline'>): string | null {
  if (state.status !== 'FAILED') return null;
  const detail = timeline.findLast(({ to_status }) => to_status === 'FAILED')?.detail;
  const reason = typeof detail === 'object' && detail !== null ? Reflect.get(detail, 'reason') : null;
  return typeof reason === 'string' ? reason : 'declined';
}

export function attemptRows(history: PaymentHistory): Row[] {
  return history.attempts.map((attempt) => attemptRow(history.merchant.merchantId, history.paymentId, attempt));
}
