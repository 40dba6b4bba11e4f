import { describeSession, packSession, plannedFallbacks } from '@switchyard/payments/initiate';
import { type Decision, PAYMENT_METHODS, type PaymentMethod } from '@switchyard/routing';
import { addFallbackReasons, decide, keepInputs } from '@switchyard/routing/decide';
import { packDecision, snapshotId } from '@switchyard/rule-sets/store-inputs';
import { type Attempt, anyFault, attemptAt, faultAt } from './attempts.ts';
import { MINUTE_MS } from './calendar.ts';
import { type PaymentHistory, recordEvent, type Simulation } from './history.ts';
import type { WeekMerchant } from './plan.ts';
import { bytea } from './plan.ts';
import type { Customer, Profile } from './profiles.ts';
import type { Random } from './random.ts';

/** Order of a customer at a merchant. */
export interface Order {
  readonly merchant: WeekMerchant;
  readonly at: number;
  readonly orderNumber: number;
  readonly customer: Customer;
}

/** Rate at which both gateways fail the same payment. */
const BOTH_FAIL_RATE = 0.0012;

/** Initiates a payment as the running system does: decides, records, and tries the planned gateways until one opens a checkout. */
export function begin(simulation: Simulation, order: Order): PaymentHistory {
  const { random, health } = simulation;
  const { merchant, at } = order;
  const paymentId = random.id(at);
  const method = methodOf(random, merchant.profile);
  const amount = amountOf(random, merchant.profile);
  const payment = { paymentId, currency: 'NGN', amount, method, customerCountry: 'NG', requestedGateway: null };
  const decision = decide({
    payment,
    ruleSet: ruleSetAt(merchant, at),
    accounts: merchant.accounts.map(({ routable }) => routable),
    health: health.snapshot(merchant.merchantId, at),
    overrides: [],
    decidedAt: new Date(at).toISOString(),
  });
  const attempts = tryGateways(simulation, order, decision);
  for (const { outcome, row } of attempts) {
    health.observeOpening({ merchantId: merchant.merchantId, accountId: row.accountId, method }, row.createdAt, outcome);
  }
  const history = newHistory(simulation, order, decision, attempts);
  recordEvent(random, history, { at, type: 'payment.initiated', to: 'INITIATED', cause: 'api', detail: {} });
  const settledAt = at + attempts.reduce((sum, { outcome }) => sum + outcome.call.latencyMs, 4);
  const opened = attempts.at(-1);
  if (opened?.outcome.outcome !== 'yes') {
    const reason = attempts.length === 0 ? 'no_eligible_provider' : 'every_gateway_failed';
    recordEvent(random, history, { at: settledAt, type: 'payment.failed', to: 'FAILED', cause: 'api', detail: { reason } });
    return history;
  }
  const { gateway, reference } = opened.row;
  history.payment.gatewayReference = reference;
  const detail = { gateway, reference };
  recordEvent(random, history, { at: settledAt, type: 'payment.pending', to: 'PENDING', cause: 'api', detail });
  return history;
}

/** Tries the planned gateways until one opens a checkout. */
function tryGateways({ random, outage, plan }: Simulation, order: Order, decision: Decision): Attempt[] {
  const { paymentId, amount } = decision.inputs.payment;
  const { merchantId } = order.merchant;
  const checkoutOrder = { merchantId, paymentId, amount, email: order.customer.email, publicUrl: plan.publicUrl };
  const bothFail = random.chance(BOTH_FAIL_RATE);
  const attempts: Attempt[] = [];
  let createdAt = order.at;
  for (const [position, { accountId, gateway }] of decision.plan.entries()) {
    const account = order.merchant.accounts.find(({ routable }) => routable.accountId === accountId);
    if (account === undefined) break;
    const fault = bothFail ? anyFault(random) : faultAt(random, gateway, createdAt, outage);
    const attempt = attemptAt(random, checkoutOrder, { account, position, createdAt }, fault);
    attempts.push(attempt);
    if (attempt.outcome.outcome === 'yes') break;
    createdAt += attempt.outcome.call.latencyMs + 3;
  }
  return attempts;
}

function newHistory(
  { random, plan: { publicUrl } }: Simulation,
  { merchant, at, orderNumber, customer }: Order,
  decision: Decision,
  attempts: readonly Attempt[],
): PaymentHistory {
  const { paymentId, amount, method } = decision.inputs.payment;
  const { merchantId } = merchant;
  const merchantOrderId = `${merchant.profile.orderPrefix}-${String(orderNumber)}`;
  const failed = attempts.flatMap(({ row: { gateway, accountId }, outcome }) =>
    outcome.outcome === 'yes' ? [] : [{ gateway, accountId, ...outcome.failure }],
  );
  const fallbackGateways = plannedFallbacks(decision.plan.slice(attempts.length));
  const last = attempts.at(-1);
  const opened =
    last?.outcome.outcome === 'yes' ? { ...last.account.routable, attemptId: last.row.id, checkout: last.outcome.value } : null;
  const key = { publicUrl, mode: 'test', merchantId, paymentId, merchantOrderId };
  const session = opened && describeSession({ ...key, ...opened, redirectUrl: null }, opened.checkout, fallbackGateways);
  const payment: PaymentHistory['payment'] = {
    merchantId,
    id: paymentId,
    mode: 'test',
    merchantOrderId,
    status: 'INITIATED',
    amount,
    currency: 'NGN',
    customerEmail: customer.email,
    customerId: customer.id,
    customerPhone: customer.phone,
    customerCountry: 'NG',
    paymentMethod: method,
    metadata: { channel: random.chance(0.7) ? 'web' : 'app', basket: random.int(1, 6) },
    routingMode: decision.routingMode,
    smartRoutingBypassed: decision.smartRoutingBypassed,
    ruleSetVersion: decision.ruleSetVersion,
    ruleId: decision.ruleId,
    packedDecision: bytea(
      packDecision(addFallbackReasons(decision, failed), keepInputs(decision.inputs, snapshotId(decision.inputs.accounts))),
    ),
    recommendedGateway: opened?.gateway ?? decision.record.recommended?.provider ?? '',
    packedSession: bytea(packSession(key, session, opened === null ? [] : fallbackGateways)),
    currentAttemptId: opened?.attemptId ?? null,
    paidAttemptId: null,
    accountId: opened?.accountId ?? null,
    accountGateway: opened?.gateway ?? null,
    gatewayReference: null,
    receivedAmount: null,
    receivedCurrency: null,
    feeAmount: null,
    paidMethod: null,
    paidAt: null,
    late: false,
    review: null,
    reviewReason: null,
    failureReason: null,
    expiresAt: at + merchant.sessionMinutes * MINUTE_MS,
    refundedAmount: 0,
    version: 0,
    statusEventId: '',
    statusChangedAt: at,
    createdAt: at,
    updatedAt: at,
  };
  return { merchant, payment, attempts, timeline: [], announcements: [] };
}

function ruleSetAt({ ruleSets }: WeekMerchant, at: number) {
  const found = ruleSets.findLast(({ from }) => from <= at) ?? ruleSets[0];
  if (found === undefined) throw new Error('a merchant must have a rule set');
  return found.ruleSet;
}

function methodOf(random: Random, { methods }: Profile): PaymentMethod | null {
  let left = random.next();
  for (const method of PAYMENT_METHODS) {
    left -= methods[method] ?? 0;
    if (left < 0) return method;
  }
  return null;
}

function amountOf(random: Random, { medianAmount, spread, leastAmount, mostAmount, step }: Profile): number {
  const drawn = medianAmount * Math.exp(spread * random.normal());
  return Math.round(Math.min(mostAmount, Math.max(leastAmount, drawn)) / step) * step;
}
