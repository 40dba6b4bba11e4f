import { describeSession, plannedFallbacks } from '@switchyard/payments/initiate';
import { type Decision, PAYMENT_METHODS, type PaymentMethod } from '@switchyard/routing';
import { addFallbackReasons, decide } from '@switchyard/routing/decide';
import { type AttemptFact, anyFault, attemptAt, faultAt } from './attempts.ts';
import { MINUTE_MS } from './calendar.ts';
import { type PaymentHistory, recordEvent } from './payment-history.ts';
import type { Customer } from './people.ts';
import { moment, type WeekMerchant } from './plan.ts';
import type { Profile } from './profiles.ts';
import type { Random } from './random.ts';
import type { Simulation } from './simulation.ts';

/** What a customer orders at a merchant. */
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
    decidedAt: moment(at),
  });
  const attempts = tryGateways(simulation, order, decision);
  for (const { account, createdAt, outcome } of attempts) {
    health.observeOpening({ merchantId: merchant.merchantId, accountId: account.routable.accountId, method }, createdAt, outcome);
  }
  const history = newHistory(simulation, order, decision, attempts);
  recordEvent(random, history, { at, type: 'payment.initiated', to: 'INITIATED', cause: 'api', detail: {} });
  const settledAt = at + attempts.reduce((sum, { outcome }) => sum + outcome.call.latencyMs, 4);
  const opened = attempts.find(({ checkout }) => checkout !== null);
  if (opened === undefined) {
    const reason = attempts.length === 0 ? 'no_eligible_provider' : 'every_gateway_failed';
    recordEvent(random, history, { at: settledAt, type: 'payment.failed', to: 'FAILED', cause: 'api', detail: { reason } });
    return history;
  }
  history.state.gatewayReference = opened.reference;
  const detail = { gateway: opened.account.routable.gateway, reference: opened.reference };
  recordEvent(random, history, { at: settledAt, type: 'payment.pending', to: 'PENDING', cause: 'api', detail });
  return history;
}

/** Tries the planned gateways until one opens a checkout. */
function tryGateways({ random, outage, plan }: Simulation, order: Order, decision: Decision): AttemptFact[] {
  const { paymentId, amount } = decision.inputs.payment;
  const { email } = order.customer;
  const bothFail = random.chance(BOTH_FAIL_RATE);
  const attempts: AttemptFact[] = [];
  let createdAt = order.at;
  for (const [position, { accountId, gateway }] of decision.plan.entries()) {
    const account = order.merchant.accounts.find(({ routable }) => routable.accountId === accountId);
    if (account === undefined) break;
    const fault = bothFail ? anyFault(random) : faultAt(random, gateway, createdAt, outage);
    const checkoutOrder = { paymentId, amount, email, publicUrl: plan.publicUrl };
    const attempt = attemptAt(random, checkoutOrder, { account, position, createdAt }, fault);
    attempts.push(attempt);
    if (attempt.checkout !== null) break;
    createdAt += attempt.outcome.call.latencyMs + 3;
  }
  return attempts;
}

function newHistory(
  { random, plan: { publicUrl } }: Simulation,
  { merchant, at, orderNumber, customer }: Order,
  decision: Decision,
  attempts: AttemptFact[],
): PaymentHistory {
  const { paymentId, amount, method } = decision.inputs.payment;
  const { merchantId } = merchant;
  const merchantOrderId = `${merchant.profile.orderPrefix}-${String(orderNumber)}`;
  const failed = attempts.flatMap(({ account: { routable }, outcome }) =>
    outcome.outcome === 'yes' ? [] : [{ gateway: routable.gateway, accountId: routable.accountId, ...outcome.failure }],
  );
  const fallbackGateways = plannedFallbacks(decision.plan.slice(attempts.length));
  const opened = attempts.at(-1);
  const checkout = opened?.checkout ?? null;
  const key = { publicUrl, mode: 'test', merchantId, paymentId, merchantOrderId };
  const session =
    opened && checkout
      ? describeSession({ ...key, ...opened.account.routable, redirectUrl: null }, checkout, fallbackGateways)
      : null;
  return {
    merchant,
    paymentId,
    createdAt: at,
    amount,
    method,
    merchantOrderId,
    attempts,
    timeline: [],
    announcements: [],
    first: {
      merchant_id: merchantId,
      id: paymentId,
      mode: 'test',
      merchant_order_id: merchantOrderId,
      amount,
      currency: 'NGN',
      customer_email: customer.email,
      customer_id: customer.id,
      customer_phone: customer.phone,
      customer_country: 'NG',
      payment_method: method,
      metadata: { channel: random.chance(0.7) ? 'web' : 'app', basket: random.int(1, 6) },
      routing_mode: decision.routingMode,
      smart_routing_bypassed: decision.smartRoutingBypassed,
      rule_set_version: decision.ruleSetVersion,
      rule_id: decision.ruleId,
      routing: addFallbackReasons(decision, failed),
      routing_inputs: decision.inputs,
      recommended_gateway: (checkout && opened?.account.routable.gateway) ?? decision.record.recommended?.provider ?? '',
      session,
      fallback_gateways: session === null ? [] : fallbackGateways,
      expires_at: moment(at + merchant.sessionMinutes * MINUTE_MS),
      created_at: moment(at),
    },
    state: {
      status: 'INITIATED',
      version: 0,
      statusEventId: paymentId,
      statusChangedAt: at,
      updatedAt: at,
      gatewayReference: null,
      receipt: null,
      late: false,
      review: null,
      refunded: 0,
    },
  };
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
