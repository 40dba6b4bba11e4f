import { randomBytes } from 'node:crypto';
import { newId } from '@switchyard/db';
import { createTestDatabase, TEST_CONNECTION, type TestDatabase } from '@switchyard/db/testing';
import type { Gateway } from '@switchyard/gateways';
import type { AccountOpener } from '@switchyard/runtime';
import { openResources, type Resources } from '@switchyard/runtime/resources';
import { openPayments } from '../open-payments.ts';
import type { PaymentsContext } from '../record/context.ts';
import type { NewAttempt, NewPayment } from '../record/payment-record.ts';
import { attemptReference } from '../record/plan.ts';

export interface TestPayments extends PaymentsContext {
  readonly resources: Resources;
  readonly database: TestDatabase;
  /** Advances the clock behind `now`. */
  setClock(time: Date): void;
  /** Another process on the same database and clock. */
  beside(): Promise<PaymentsContext & { readonly resources: Resources }>;
  close(): Promise<void>;
}

const BEGIN = new Date('2026-11-20T14:00:05.000Z');

/** A payments context on its own database, with a clock and health controlled by tests. */
export async function openTestPayments(): Promise<TestPayments> {
  const database = await createTestDatabase();
  const key = randomBytes(32).toString('base64');
  const environment = {
    DATABASE_URL: database.url,
    SWITCHYARD_ENCRYPTION_KEYS: `k1:${key}`,
    SWITCHYARD_KEY_PEPPER: key,
    SWITCHYARD_PUBLIC_URL: 'http://localhost',
  };
  let clock = BEGIN;
  const opened: { close(): Promise<void> }[] = [];
  const open = (): PaymentsContext & { readonly resources: Resources } => {
    const resources = openResources(environment, () => undefined, TEST_CONNECTION);
    opened.push(resources);
    return { ...openPayments(resources, { now: () => clock, healthTickMs: null }), resources };
  };
  return {
    ...open(),
    database,
    setClock(time) {
      clock = time;
    },
    async beside() {
      const other = open();
      await other.resources.configuration.refresh();
      return other;
    },
    async close() {
      for (const each of opened) await each.close();
      await database.close();
    },
  };
}

/** The context with some operations of all gateways replaced, such as by ones that end when a test says so. */
export function withGateways(context: PaymentsContext, change: (gateway: Gateway) => Partial<Gateway>): PaymentsContext {
  return withAccounts(context, (account) => {
    const opened = context.resources.openAccount(account);
    return opened && { ...opened, gateway: { ...opened.gateway, ...change(opened.gateway) } };
  });
}

/** The context of a process that opens accounts in another way. */
export function withAccounts(context: PaymentsContext, openAccount: AccountOpener): PaymentsContext {
  return { ...context, resources: { ...context.resources, openAccount } };
}

/** Outcome of a gateway's operation when its time is up. */
export const TIMED_OUT = {
  outcome: 'unknown',
  failure: { class: 'provider_fault', code: 'timeout', message: 'The gateway did not answer in time.' },
  call: { method: 'POST', url: '', httpStatus: null, latencyMs: 0, request: null, answer: null, retryAfterMs: null },
} as const;

/** A payment to reserve, of NGN 2,500 by card; `changes` overrides fields. */
export function newPayment(changes: Partial<NewPayment> = {}): NewPayment {
  const at = changes.createdAt ?? new Date();
  const paymentId = changes.paymentId ?? newId();
  return {
    merchantId: newId(),
    paymentId,
    mode: 'live',
    merchantOrderId: `order-${paymentId}`,
    amount: 2_500n,
    currency: 'NGN',
    customerEmail: 'ada@example.com',
    customerId: null,
    customerPhone: null,
    customerCountry: null,
    metadata: null,
    paymentMethod: 'CARD',
    redirectUrl: null,
    requestedGateway: null,
    routingMode: 'smart',
    smartRoutingBypassed: false,
    ruleSetVersion: 0,
    ruleId: null,
    routing: {},
    routingInputs: {},
    recommendedGateway: 'paystack',
    fallbackGateways: [],
    expiresAt: at,
    abandonedAfterMs: 0,
    createdAt: at,
    statusEventId: newId(),
    ...changes,
  };
}

/** An attempt at a new Paystack account, of a payment that is named where its reference counts. */
export function newAttempt(position = 0, paymentId = newId()): NewAttempt {
  const reference = attemptReference(paymentId, position);
  return { attemptId: newId(), position, accountId: newId(), gateway: 'paystack', reference };
}
