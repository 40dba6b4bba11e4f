import type { Decision, PaymentMethod } from '@switchyard/routing';
import { addFallbackReasons, decide } from '@switchyard/routing/decide';
import {
  type AttemptFact,
  anyFault,
  BOTH_FAIL_RATE,
  callOf,
  type Fault,
  faultAt,
  latencyOf,
  type OpenedCheckout,
  openedCheckout,
  referenceOf,
} from './attempts.ts';
import { MINUTE_MS, type Outage } from './calendar.ts';
import type { WeekHealth } from './health.ts';
import { type PaymentHistory, recordEvent } from './payment-history.ts';
import type { Customer } from './people.ts';
import { moment, type Row, type WeekMerchant } from './plan.ts';
import type { Profile } from './profiles.ts';
import type { Random } from './random.ts';

export interface Beginning {
  readonly merchant: WeekMerchant;
  readonly at: number;
  readonly orderNumber: number;
  readonly customer: Customer;
  readonly outage: Outage;
  readonly health: WeekHealth;
  readonly publicUrl: string;
}

interface Opened extends OpenedCheckout {
  readonly attempt: AttemptFact;
}

/** Initiates a payment as the running system does: decides, records, and tries the planned gateways until one opens a checkout. */
export function begin(random: Random, beginning: Beginning): PaymentHistory {
  const { merchant, at, health } = beginning;
  const { profile } = merchant;
  const paymentId = random.id(at);
  const method = methodOf(random, profile);
  const amount = amountOf(random, profile);
  const payment = { paymentId, currency: 'NGN', amount, method, customerCountry: 'NG', requestedGateway: null };
  const decision = decide({
    payment,
    ruleSet: ruleSetAt(merchant, at),
    accounts: merchant.accounts.map(({ routable }) => routable),
    health: health.snapshot(merchant.merchantId, at),
    overrides: [],
    decidedAt: moment(at),
  });
  const tried = tryGateways(random, beginning, decision);
  const history = newHistory(random, beginning, decision, tried);
  for (const attempt of tried.attempts) {
    const call = { latencyMs: attempt.latencyMs, fault: attempt.fault?.kind ?? null };
    health.observe(attempt.account.routable.accountId, method, attempt.createdAt + attempt.latencyMs, call);
  }
  recordEvent(random, history, { at, type: 'payment.initiated', to: 'INITIATED', cause: 'api', detail: {} });
  const last = tried.attempts.at(-1);
  const settledAt = at + tried.attempts.reduce((sum, { latencyMs }) => sum + latencyMs, 4);
  if (tried.opened === null || last === undefined) {
    const reason = last === undefined ? 'no_eligible_provider' : 'every_gateway_failed';
    recordEvent(random, history, { at: settledAt, type: 'payment.failed', to: 'FAILED', cause: 'api', detail: { reason } });
    return history;
  }
  history.state.gatewayReference = last.reference;
  const detail = { gateway: last.account.routable.gateway, reference: last.reference };
  recordEvent(random, history, { at: settledAt, type: 'payment.pending', to: 'PENDING', cause: 'api', detail });
  return history;
}

/** Tries the planned gateways until one opens a checkout. */
function tryGateways(random: Random, beginning: Beginning, { plan, inputs }: Decision) {
  const { merchant, at, outage } = beginning;
  const { paymentId, amount } = inputs.payment;
  const bothFail = random.chance(BOTH_FAIL_RATE);
  const attempts: AttemptFact[] = [];
  let opened: Opened | null = null;
  let createdAt = at;
  for (const [position, planned] of plan.entries()) {
    const account = merchant.accounts.find(({ routable }) => routable.accountId === planned.accountId);
    if (account === undefined || opened !== null) break;
    const fault = bothFail ? anyFault(random) : faultAt(random, planned.gateway, createdAt, outage);
    const attempt = attemptOf(random, { paymentId, amount, position, account, createdAt, fault }, beginning);
    attempts.push(attempt.fact);
    if (attempt.opened !== null) opened = { ...attempt.opened, attempt: attempt.fact };
    createdAt += attempt.fact.latencyMs + 3;
  }
  return { attempts, opened };
}

interface Try {
  readonly paymentId: string;
  readonly amount: number;
  readonly position: number;
  readonly account: AttemptFact['account'];
  readonly createdAt: number;
  readonly fault: Fault | null;
}

function attemptOf(random: Random, tried: Try, { customer, publicUrl }: Beginning) {
  const { paymentId, amount, position, account, createdAt, fault } = tried;
  const reference = referenceOf(paymentId, position);
  const latencyMs = latencyOf(random, account.routable.gateway, fault);
  const opened = fault === null ? openedCheckout(random, { account, reference }) : null;
  const callbackUrl = `${publicUrl}/checkout/${paymentId}/${account.routable.accountId}/return`;
  const fact: AttemptFact = {
    attemptId: random.id(createdAt),
    position,
    account,
    reference,
    createdAt,
    latencyMs,
    fault,
    call: callOf({ account, reference, amount, email: customer.email, callbackUrl, fault, latencyMs }, opened),
    state: fault === null ? 'OPENED' : fault.certain ? 'REFUSED' : 'UNKNOWN',
    current: fault === null,
    duplicate: false,
    transactionId: null,
    received: null,
    lastAskedAt: null,
    updatedAt: createdAt + latencyMs,
  };
  return { fact, opened };
}

function newHistory(
  random: Random,
  { merchant, at, orderNumber, customer, publicUrl }: Beginning,
  decision: Decision,
  { attempts, opened }: { attempts: AttemptFact[]; opened: Opened | null },
): PaymentHistory {
  const { paymentId, amount, method } = decision.inputs.payment;
  const merchantOrderId = `${merchant.profile.orderPrefix}-${String(orderNumber)}`;
  const failed = attempts.flatMap(({ account: { routable }, fault }) =>
    fault === null
      ? []
      : [{ gateway: routable.gateway, accountId: routable.accountId, code: fault.code, message: fault.message }],
  );
  const unused = decision.plan.slice(attempts.length).map(({ gateway }) => ({ name: gateway, reason: 'plan-fallback' }));
  const metadata = { channel: random.chance(0.7) ? 'web' : 'app', basket: random.int(1, 6) };
  const first: Row = {
    merchant_id: merchant.merchantId,
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
    metadata,
    redirect_url: null,
    requested_gateway: null,
    routing_mode: decision.routingMode,
    smart_routing_bypassed: decision.smartRoutingBypassed,
    rule_set_version: decision.ruleSetVersion,
    rule_id: decision.ruleId,
    routing: addFallbackReasons(decision, failed),
    routing_inputs: decision.inputs,
    recommended_gateway: opened?.attempt.account.routable.gateway ?? decision.record.recommended?.provider ?? '',
    session: opened === null ? null : sessionOf(opened, { merchant, paymentId, merchantOrderId, publicUrl }, unused),
    fallback_gateways: opened === null ? [] : unused,
    expires_at: moment(at + merchant.sessionMinutes * MINUTE_MS),
    created_at: moment(at),
  };
  const state = {
    ...({ status: 'INITIATED', version: 0, statusEventId: paymentId, statusChangedAt: at, updatedAt: at } as const),
    gatewayReference: null,
    receipt: null,
    late: false,
    review: null,
    refunded: 0,
  };
  const rest = { timeline: [], announcements: [], state };
  return { merchant, paymentId, createdAt: at, amount, method, merchantOrderId, first, attempts, ...rest };
}

function sessionOf(
  { raw, accessCode, redirectUrl, attempt }: Opened,
  {
    merchant,
    paymentId,
    merchantOrderId,
    publicUrl,
  }: Pick<Beginning, 'merchant' | 'publicUrl'> & Pick<PaymentHistory, 'paymentId' | 'merchantOrderId'>,
  fallbackGateways: readonly object[],
): object {
  const { gateway, accountId } = attempt.account.routable;
  const page = `${publicUrl}/checkout/${paymentId}/${accountId}`;
  const metadata = {
    mode: 'test',
    paymentId,
    merchantId: merchant.merchantId,
    callbackUrl: `${page}/return`,
    redirectUrl: page,
    merchantOrderId,
    referencePrefix: '',
    fallbackGateways,
  };
  return { raw, gateway, reference: attempt.reference, accessCode, redirectUrl, metadata };
}

function ruleSetAt({ ruleSets }: WeekMerchant, at: number) {
  const found = ruleSets.findLast(({ from }) => from <= at) ?? ruleSets[0];
  if (found === undefined) throw new Error('a merchant must have a rule set');
  return found.ruleSet;
}

function methodOf(random: Random, { methods }: Profile): PaymentMethod | null {
  let left = random.next();
  for (const [method, share] of methods) {
    left -= share;
    if (left < 0) return method;
  }
  return methods[0]?.[0] ?? null;
}

function amountOf(random: Random, { medianAmount, spread, leastAmount, mostAmount, step }: Profile): number {
  const drawn = medianAmount * Math.exp(spread * random.normal());
  return Math.round(Math.min(mostAmount, Math.max(leastAmount, drawn)) / step) * step;
}
