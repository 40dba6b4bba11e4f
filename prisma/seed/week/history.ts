import { announce } from '@switchyard/payments';
import { refundResource } from '@switchyard/payments/refunds';
import type { PaymentMethod } from '@switchyard/routing';
import { packEventBody } from '@switchyard/webhooks/events/packed';
import type { Attempt } from './attempts.ts';
import type { Outage } from './calendar.ts';
import type { WeekHealth } from './health.ts';
import type { Row, WeekMerchant, WeekPlan } from './plan.ts';
import { bytea } from './plan.ts';
import type { Random } from './random.ts';

/** State that all simulated payments share. */
export interface Simulation {
  readonly random: Random;
  readonly plan: WeekPlan;
  readonly outage: Outage;
  readonly health: WeekHealth;
}

export type Status = 'INITIATED' | 'PENDING' | 'SUCCESS' | 'FAILED' | 'REFUNDED';

export interface PaymentEvent {
  readonly at: number;
  readonly type: string;
  /** The status it leads to, where it leads to another. */
  readonly to?: Status;
  readonly cause: 'api' | 'checkout_return' | 'gateway_webhook' | 'schedule' | 'staff';
  readonly detail: Readonly<Record<string, string | number | boolean | null>>;
  readonly actor?: string;
  /** The refund that ended with it. */
  readonly refund?: Omit<Parameters<typeof refundResource>[0], 'paymentId'>;
}

/** The row of a payment, with the columns that the simulation goes by. Null until they are known. */
export interface PaymentRow extends Row {
  readonly id: string;
  readonly merchantOrderId: string;
  readonly createdAt: number;
  readonly amount: number;
  readonly paymentMethod: PaymentMethod | null;
  status: Status;
  version: number;
  updatedAt: number;
  gatewayReference: string | null;
  paidAt: number | null;
  late: boolean;
  refundedAmount: number;
}

/** A payment during its simulation: its rows, as they are by then. */
export interface PaymentHistory {
  readonly merchant: WeekMerchant;
  readonly payment: PaymentRow;
  readonly attempts: readonly Attempt[];
  readonly timeline: Row[];
  readonly announcements: Row[];
}

/** Records an event: the timeline, the payment's own columns, and the merchant's event. */
export function recordEvent(random: Random, history: PaymentHistory, event: PaymentEvent): void {
  const { at, type, to = null, cause, detail, actor = null } = event;
  const { merchant, payment } = history;
  const { id: paymentId, merchantOrderId } = payment;
  const { merchantId } = merchant;
  const id = random.id(at);
  const fromStatus = to === null || to === 'INITIATED' ? null : payment.status;
  history.timeline.push({ merchantId, id, paymentId, type, fromStatus, toStatus: to, cause, actor, detail, createdAt: at });
  payment.version += 1;
  payment.updatedAt = at;
  if (to !== null) {
    const failureReason = to === 'FAILED' ? (detail.reason ?? 'declined') : null;
    Object.assign(payment, { status: to, statusEventId: id, statusChangedAt: at, failureReason });
  }
  const { version, status, gatewayReference } = payment;
  const order = { merchantId, mode: 'test', paymentId, merchantOrderId, currency: 'NGN' } as const;
  const changed = { ...order, amount: BigInt(payment.amount), status, version, gatewayReference };
  const refund = event.refund && refundResource({ ...event.refund, paymentId });
  const announced = announce(changed, merchant.profile.merchantNumber, {
    eventId: id,
    type,
    at: new Date(at),
    ...(refund && { refund }),
  });
  if (announced === null) return;
  const { mode, position, body } = announced;
  const packedBody = bytea(packEventBody({ id, paymentId }, body));
  history.announcements.push({ merchantId, id, mode, paymentId, position, type, packedBody, createdAt: at });
}

/** The attempt that was paid, if any; a duplicate charge does not count. */
export function paidAttempt({ attempts }: Pick<PaymentHistory, 'attempts'>): Attempt | undefined {
  return attempts.find(({ row }) => row.state === 'PAID' && !row.duplicate);
}
