import {
  failureCodes,
  gatewayNames,
  gatewayOperations,
  observeGatewayOperations,
  observeUnrecognisedStates,
  stateKinds,
} from '@switchyard/gateways';
import { type Initiation, observeInitiations } from '@switchyard/payments/initiate';
import { deliveryOutcomes, observeDeliveryAttempts } from '@switchyard/webhooks/deliveries';
import { Counter, Histogram } from 'prom-client';
import type { MetricsRegistry } from './registry.ts';

/** Most gateway accounts, and most rules, with series of their own in one process. */
const ACCOUNTS_MAX = 100;
const RULES_MAX = 100;

const NONE = 'none';
const GATEWAY_BUCKETS_S = [0.05, 0.1, 0.25, 0.5, 1, 2, 3, 4, 6, 10, 20];
const ADDED_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const DELIVERY_BUCKETS_S = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/**
 * Counts what the features publish about payments, gateways and deliveries, until the returned function is called. Series whose labels are
 * known beforehand begin at 0, so that their first event is an increase; those of accounts and rules begin with their first event.
 */
export function countPayments(registry: MetricsRegistry): () => void {
  const stops = [
    countInitiations(registry),
    countGatewayOperations(registry),
    countUnrecognisedStates(registry),
    countDeliveries(registry),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

function countInitiations(registry: MetricsRegistry): () => void {
  const registers = [registry];
  const initiations = new Counter({
    name: 'switchyard_initiates_total',
    help: 'Initiated payments by the account that opened the checkout, or was tried last.',
    labelNames: ['cause', 'gateway', 'account', 'outcome', 'reason'],
    registers,
  });
  const openings = new Counter({
    name: 'switchyard_checkout_openings_total',
    help: 'Attempts to open a checkout, one for each account tried.',
    labelNames: ['gateway', 'account', 'outcome', 'reason'],
    registers,
  });
  const decisions = new Counter({
    name: 'switchyard_routing_decisions_total',
    help: 'Routing decisions by mode and rule; rule "none" where no rule matched.',
    labelNames: ['routing_mode', 'rule'],
    registers,
  });
  const added = new Histogram({
    name: 'switchyard_initiate_added_seconds',
    help: 'Time that initiating a payment took beside its gateways: the decision and the database.',
    buckets: ADDED_BUCKETS_S,
    registers,
  });
  initiations.inc({ cause: 'api', gateway: NONE, account: NONE, outcome: 'failed', reason: 'no_eligible_provider' }, 0);
  for (const routing_mode of ['smart', 'requested'] as const) decisions.inc({ routing_mode, rule: NONE }, 0);
  const account = boundedLabel(ACCOUNTS_MAX);
  const rule = boundedLabel(RULES_MAX);
  return observeInitiations((initiation) => {
    for (const call of initiation.calls) {
      const { outcome } = call;
      const reason = outcome.outcome === 'yes' ? NONE : outcome.failure.code;
      openings.inc({ gateway: call.account.gateway, account: account(call.account.id), outcome: outcome.outcome, reason });
    }
    initiations.inc({ cause: initiation.cause, ...lastAccount(initiation, account), ...settledAs(initiation) });
    const { routingMode, ruleId } = initiation.decision;
    decisions.inc({ routing_mode: routingMode, rule: ruleId === null ? NONE : rule(ruleId) });
    if (initiation.cause === 'api') added.observe(Math.max(0, initiation.seconds - initiation.gatewaySeconds));
  });
}

function lastAccount({ calls }: Initiation, label: (id: string) => string): { gateway: string; account: string } {
  const last = calls.at(-1)?.account;
  return last === undefined ? { gateway: NONE, account: NONE } : { gateway: last.gateway, account: label(last.id) };
}

function settledAs({ payment, calls }: Initiation): { outcome: string; reason: string } {
  switch (payment.status) {
    case 'FAILED':
      return { outcome: 'failed', reason: calls.length === 0 ? 'no_eligible_provider' : 'every_gateway_failed' };
    case 'INITIATED':
      return { outcome: 'taken_over', reason: NONE };
    case 'PENDING':
    case 'SUCCESS':
    case 'REFUNDED':
      return { outcome: 'opened', reason: NONE };
    default:
      return payment.status satisfies never;
  }
}

function countGatewayOperations(registry: MetricsRegistry): () => void {
  const registers = [registry];
  const durations = new Histogram({
    name: 'switchyard_gateway_call_duration_seconds',
    help: 'Duration of operations at gateways: yes is done or found, no is refused or absent, unknown is no usable answer.',
    labelNames: ['gateway', 'operation', 'outcome'],
    buckets: GATEWAY_BUCKETS_S,
    registers,
  });
  const failures = new Counter({
    name: 'switchyard_gateway_call_failures_total',
    help: 'Operations at gateways that were not done or found, by reason.',
    labelNames: ['gateway', 'operation', 'reason'],
    registers,
  });
  for (const gateway of gatewayNames) {
    for (const operation of gatewayOperations) {
      for (const reason of failureCodes) failures.inc({ gateway, operation, reason }, 0);
    }
  }
  return observeGatewayOperations(({ gateway, operation, outcome, reason, seconds }) => {
    durations.observe({ gateway, operation, outcome }, seconds);
    if (reason !== null) failures.inc({ gateway, operation, reason });
  });
}

function countUnrecognisedStates(registry: MetricsRegistry): () => void {
  const states = new Counter({
    name: 'switchyard_gateway_unrecognised_states_total',
    help: 'States in answers of gateways by words that their documentation does not list.',
    labelNames: ['gateway', 'kind'],
    registers: [registry],
  });
  for (const gateway of gatewayNames) {
    for (const kind of stateKinds) states.inc({ gateway, kind }, 0);
  }
  return observeUnrecognisedStates(({ gateway, kind }) => states.inc({ gateway, kind }));
}

function countDeliveries(registry: MetricsRegistry): () => void {
  const registers = [registry];
  const attempts = new Counter({
    name: 'switchyard_webhook_deliveries_total',
    help: 'Attempts to deliver an event to a merchant, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const givenUp = new Counter({
    name: 'switchyard_webhook_deliveries_given_up_total',
    help: 'Events that are not sent again by themselves.',
    registers,
  });
  const durations = new Histogram({
    name: 'switchyard_webhook_delivery_duration_seconds',
    help: 'Duration of attempts to deliver an event.',
    buckets: DELIVERY_BUCKETS_S,
    registers,
  });
  const first = new Histogram({
    name: 'switchyard_webhook_first_attempt_seconds',
    help: 'Time from an event to the end of the first attempt to deliver it.',
    buckets: DELIVERY_BUCKETS_S,
    registers,
  });
  for (const outcome of deliveryOutcomes) attempts.inc({ outcome }, 0);
  return observeDeliveryAttempts((attempt) => {
    attempts.inc({ outcome: attempt.outcome });
    durations.observe(attempt.seconds);
    if (attempt.givenUp) givenUp.inc();
    if (attempt.first) first.observe(Math.max(0, attempt.secondsSinceRecorded));
  });
}

/** Label for all values past the limit. */
export const OTHER = 'other';

/**
 * Bounds the values of a label: each of the first `max` different values keeps its name, every later one is `other`. Series live as
 * long as their process, so without a limit each new account or rule would add to its memory for ever.
 */
export function boundedLabel(max: number): (value: string) => string {
  const known = new Set<string>();
  return (value) => {
    if (known.has(value)) return value;
    if (known.size >= max) return OTHER;
    known.add(value);
    return value;
  };
}
