import { aboutPayment } from '@switchyard/db';
import type { Decision, KeptInputs, PaymentKeys, RoutablePayment } from '@switchyard/routing';
import type { DecideInput } from '@switchyard/routing/decide';
import { type AssignedRules, assignRules, type RoutingSnapshot, routingSnapshot } from '@switchyard/rule-sets/snapshot';
import { storeInputs } from '@switchyard/rule-sets/store-inputs';
import type { PaymentsContext } from '../../record/context.ts';
import { NOT_REVERSED } from '../../record/decide-reversal.ts';
import { type Caller, type Order, type Timings, timed } from '../../record/order.ts';
import type { NewPayment, PaymentRecord } from '../../record/payment-record.ts';
import { attemptAt, plannedFallbacks } from '../../record/plan.ts';
import { releaseInitiation, reservePayment } from '../../record/statements.ts';
import { GRACE_MS, openCheckout } from './open-checkout.ts';
import { findSkippedAccounts, skippedAccountsError } from './own-faults.ts';
import type { Reserved } from './reserved.ts';
import { readKeys, routePayment } from './route-payment.ts';

/** The outcome of initiating a payment. */
export type InitiateResult =
  /** PENDING with a session, or FAILED when every gateway failed; INITIATED while another process is still resuming it. */
  | { readonly kind: 'initiated'; readonly payment: PaymentRecord }
  /** The order id belongs to an earlier payment; nothing was done. */
  | { readonly kind: 'duplicate_order'; readonly paymentId: string }
  /**
   * No gateway was asked, through a fault of ours alone: another try may succeed, here or at another process. Nothing was recorded, or the
   * payment stays INITIATED and is resumed.
   */
  | { readonly kind: 'unavailable' };

const MINUTE_MS = 60_000;

/**
 * Starts a payment: decides the gateways, records the payment and its first attempt durably, then opens a checkout at the first
 * gateway that answers. Ends PENDING, or FAILED when the gateways refused it or none may take it; a fault of ours fails no payment.
 * `paymentId` is the id it will have if the order id is new.
 */
export async function initiate(
  context: PaymentsContext,
  caller: Caller,
  order: Order,
  paymentId: string,
  timings: Timings,
): Promise<InitiateResult> {
  aboutPayment({ merchantId: caller.configuration.merchant.id, paymentId });
  const now = context.now();
  const deadline = performance.now() + context.initiateBudgetMs;
  const snapshot = routingSnapshot(context.resources, caller.configuration, caller.mode, now);
  const rules = assignRules(snapshot, order.customer.email);
  const used = rules.assignment?.holdout?.heldOut === true ? null : rules.ruleSet.keys;
  const keys = await readKeys(context, caller, { order, used, now }, timings);
  const { decision, input } = route(
    context,
    caller,
    { snapshot: { ...snapshot, ...rules }, order, keys, paymentId, now },
    timings,
  );
  const leftOut = decision.plan.length === 0 ? findSkippedAccounts(context, caller, input) : [];
  if (leftOut.length > 0) {
    context.onError(
      skippedAccountsError(leftOut.map(({ accountId, fault }) => `account ${accountId} (${fault})`)),
      'initiating a payment',
    );
    return { kind: 'unavailable' };
  }
  const { merchant } = caller.configuration;
  const inputs = await timed(timings, 'db', () => storeInputs(context.resources.database, merchant.id, decision.inputs));
  const payment = describe(context, caller, order, paymentId, { ...decision, inputs }, now);
  const attempt = attemptAt(context, payment.paymentId, decision.plan, 0);
  const reservation = await timed(timings, 'db', () =>
    reservePayment(context.resources.database, payment, attempt, context.traceparent()),
  );
  if (reservation.kind === 'duplicate') return { kind: 'duplicate_order', paymentId: reservation.paymentId };
  const reserved: Reserved = {
    caller,
    payment: recordOf(payment),
    cause: 'api',
    decision,
    inputs,
    attempt,
    calledBefore: false,
    deadline,
    timings,
  };
  const opening = await openCheckout(context, reserved);
  switch (opening.kind) {
    case 'settled':
      return { kind: 'initiated', payment: opening.payment };
    case 'not_asked':
      context.onError(skippedAccountsError(opening.why), `initiating payment ${paymentId}`);
      await releaseInitiation(context.resources.database, payment);
      return { kind: 'unavailable' };
    default:
      return opening satisfies never;
  }
}

/** The payment's row just after it was reserved. */
function recordOf(payment: NewPayment): PaymentRecord {
  const { createdAt, routing, fallbackGateways } = payment;
  const none = { gatewayReference: null, currentAttemptId: null, late: false, review: null };
  return {
    ...payment,
    ...none,
    documents: { routing, session: null, fallbackGateways },
    reversal: NOT_REVERSED,
    status: 'INITIATED',
    version: 1,
    statusChangedAt: createdAt,
    updatedAt: createdAt,
  };
}

function route(
  context: PaymentsContext,
  { configuration }: Caller,
  {
    snapshot: { ruleSet, accounts, overrides, assignment },
    order,
    keys,
    paymentId,
    now,
  }: { snapshot: RoutingSnapshot & AssignedRules; order: Order; keys: PaymentKeys | null; paymentId: string; now: Date },
  timings: Timings,
): { readonly decision: Decision; readonly input: DecideInput } {
  const startedAt = performance.now();
  const payment: RoutablePayment = {
    paymentId,
    currency: order.currency,
    amount: Number(order.amount),
    method: order.paymentMethod,
    customerCountry: order.customerCountry,
    requestedGateway: order.requestedGateway,
    ...(keys !== null && { keys }),
  };
  const health = context.health.snapshot(configuration.merchant.id);
  const drawn = assignment !== undefined && { assignment };
  const input = { payment, ruleSet, accounts, health, overrides, decidedAt: now.toISOString(), ...drawn };
  const decision = routePayment(input, context.health.claimProbeSlot);
  timings.add('route', performance.now() - startedAt);
  return { decision, input };
}

function describe(
  context: PaymentsContext,
  { configuration, mode }: Caller,
  order: Order,
  paymentId: string,
  decision: Omit<Decision, 'inputs'> & { readonly inputs: KeptInputs },
  now: Date,
): NewPayment {
  const { merchant } = configuration;
  return {
    merchantId: merchant.id,
    paymentId,
    mode,
    merchantOrderId: order.merchantOrderId,
    amount: order.amount,
    currency: order.currency,
    customerEmail: order.customer.email,
    customerId: order.customer.id,
    customerPhone: order.customer.phone,
    customerCountry: order.customerCountry,
    paymentMethod: order.paymentMethod,
    metadata: order.metadata,
    redirectUrl: order.redirectUrl,
    requestedGateway: order.requestedGateway,
    routingMode: decision.routingMode,
    smartRoutingBypassed: decision.smartRoutingBypassed,
    ruleSetVersion: decision.ruleSetVersion,
    ruleId: decision.ruleId,
    routing: decision.record,
    routingInputs: decision.inputs,
    recommendedGateway: decision.record.recommended?.provider ?? '',
    fallbackGateways: plannedFallbacks(decision.plan.slice(1)),
    expiresAt: new Date(now.getTime() + merchant.sessionMinutes * MINUTE_MS),
    abandonedAfterMs: context.initiateBudgetMs + GRACE_MS,
    statusEventId: paymentId,
    createdAt: now,
  };
}
