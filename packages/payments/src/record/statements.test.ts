import { type Database, newId } from '@switchyard/db';
import { openDatabase } from '@switchyard/db/process';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPaymentWithTimeline } from '../lists/console/payment-queries.ts';
import { settleFailedInitiation } from '../path/initiate/settle-initiation.ts';
import { newAttempt, newPayment } from '../testing/context.ts';
import { findPaymentDecision } from './decisions/stored-decision.ts';
import type { AttemptResult, NewAttempt, NewPayment, NewTimelineEvent, PaymentRecord } from './payment-record.ts';
import { type OpenedInitiation, readPayment, recordFallback, reservePayment, settleOpenedInitiation } from './statements.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const NOW = new Date('2026-11-02T09:00:00Z');
const merchantId = newId();
const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** A payment whose first gateway did not open a checkout. */
async function refused() {
  const payment = newPayment({ merchantId });
  const first = newAttempt();
  await reservePayment(database, payment, first);
  const failure = { class: 'provider_fault', code: 'connection_refused', message: 'No connection could be made.' };
  const result: AttemptResult = { attemptId: first.attemptId, state: 'REFUSED', failure, latencyMs: 3, call: null };
  const attempts = () =>
    database.prisma.attempt.findMany({ where: { merchantId, paymentId: payment.paymentId }, orderBy: { position: 'asc' } });
  return { result, attempts, fallBack: (next = newAttempt(1)) => recordFallback(database, merchantId, result, next, NOW) };
}

test('an attempt that did not open is closed and the next one recorded, in one statement', async () => {
  const { fallBack, attempts } = await refused();
  expect(await fallBack()).toBe(true);
  expect(await attempts()).toMatchObject([
    { state: 'REFUSED', failureCode: 'connection_refused' },
    { state: 'STARTED', position: 1 },
  ]);
});

test('of two processes that resume one payment, one tries the next gateway and the other gets false', async () => {
  const { fallBack, attempts } = await refused();
  const next = newAttempt(1);
  const outcomes = await Promise.all([fallBack(next), fallBack({ ...next, attemptId: newId() })]);
  expect(outcomes.toSorted()).toEqual([false, true]);
  expect(await attempts()).toHaveLength(2);
});

test('an attempt that has opened after all is not closed, and no other is begun', async () => {
  const { fallBack, attempts, result } = await refused();
  await database.prisma.attempt.update({
    where: { merchantId_id: { merchantId, id: result.attemptId } },
    data: { state: 'OPENED' },
  });
  expect(await fallBack()).toBe(false);
  expect(await attempts()).toMatchObject([{ state: 'OPENED', failureCode: null }]);
});

test('the first event of a payment that is in no trace is not stored, and its timeline has it all the same', async () => {
  const begin = async (traceparent: string | null) => {
    const paymentId = newId();
    const payment = newPayment({ paymentId, statusEventId: paymentId });
    await reservePayment(database, payment, null, traceparent);
    const stored = await database.prisma.timelineEvent.count({ where: { paymentId } });
    const found = await findPaymentWithTimeline(database, [payment.merchantId], paymentId);
    return {
      stored,
      timeline: found?.timeline,
      first: { id: paymentId, type: 'payment.initiated', toStatus: 'INITIATED', createdAt: payment.createdAt },
    };
  };
  const plain = await begin(null);
  expect(plain.stored).toBe(0);
  expect(plain.timeline).toMatchObject([{ ...plain.first, detail: {} }]);
  const traced = await begin(TRACEPARENT);
  expect(traced.stored).toBe(1);
  expect(traced.timeline).toMatchObject([{ ...traced.first, detail: { traceparent: TRACEPARENT } }]);
});

describe('payments recorded at the same time', () => {
  test('are each recorded with their own attempt and event, though one statement writes many', async () => {
    const wanted = Array.from({ length: 100 }, () => ({ payment: newPayment(), attempt: newAttempt() }));
    const outcomes = await Promise.all(wanted.map(({ payment, attempt }) => reservePayment(database, payment, attempt)));
    expect(outcomes).toEqual(wanted.map(() => ({ kind: 'reserved' })));
    for (const { payment, attempt } of wanted) {
      const row = await database.prisma.payment.findUniqueOrThrow({
        where: { merchantId_id: { merchantId: payment.merchantId, id: payment.paymentId } },
        include: { attempts: true, timeline: true },
      });
      expect(row).toMatchObject({
        merchantOrderId: payment.merchantOrderId,
        attempts: [{ id: attempt.attemptId, reference: attempt.reference }],
        timeline: [{ id: payment.statusEventId, type: 'payment.initiated' }],
      });
    }
  });

  test('under few order ids are one payment an order, whose id all others get', async () => {
    const orders = Array.from({ length: 120 }, (_, index) =>
      newPayment({ merchantId, merchantOrderId: `shared-${index % 7}`, paymentId: newId() }),
    );
    const outcomes = await Promise.all(orders.map((payment) => reservePayment(database, payment, newAttempt())));
    const winners = new Map(
      orders.flatMap((order, index) => (outcomes[index]?.kind === 'reserved' ? [[order.merchantOrderId, order.paymentId]] : [])),
    );
    expect(winners.size).toBe(7);
    expect(outcomes.filter(({ kind }) => kind === 'reserved')).toHaveLength(7);
    for (const [index, outcome] of outcomes.entries()) {
      const order = orders[index];
      if (outcome.kind === 'duplicate') expect(outcome.paymentId).toBe(winners.get(order?.merchantOrderId ?? ''));
    }
    expect(await database.prisma.attempt.count({ where: { merchantId, paymentId: { in: [...winners.values()] } } })).toBe(7);
  });

  test('lose none of the payments to one that the database refuses', async () => {
    const payments = Array.from({ length: 40 }, (_, index) => newPayment({ merchantId, amount: index === 20 ? 0n : 10n }));
    const outcomes = await Promise.allSettled(payments.map((payment) => reservePayment(database, payment, null)));
    expect(outcomes.map(({ status }) => status)).toEqual(payments.map((_, index) => (index === 20 ? 'rejected' : 'fulfilled')));
  });
});

/** Settles a payment as opened at an attempt. */
const settle = (
  { payment, attempt }: { readonly payment: NewPayment; readonly attempt: NewAttempt },
  changes: Partial<OpenedInitiation> = {},
  by: Database = database,
) =>
  settleOpenedInitiation(
    by,
    payment,
    {
      session: { reference: attempt.reference },
      fallbackGateways: [],
      decision: null,
      gatewayReference: attempt.reference,
      attempt: { ...attempt, latencyMs: 40, call: null },
      event: {
        eventId: newId(),
        type: 'payment.pending',
        fromStatus: 'INITIATED',
        toStatus: 'PENDING',
        cause: 'api',
        actor: null,
        detail: {},
      },
      nextCheckAt: NOW,
      ...changes,
    },
    NOW,
  );

describe('the documents of a payment', () => {
  const DECIDED = { routing: { version: 1, reasons: ['rule'] }, routingInputs: { policy: 1, health: [] } };
  const CHANGED = { routing: { version: 1, reasons: ['rule', 'fallback'] }, inputs: DECIDED.routingInputs };
  const OPENED = {
    session: { reference: 'r', metadata: { note: 'line\nbreak' } },
    fallbackGateways: [{ name: 'kora', reason: 'plan-fallback' }],
  };

  test.each([true, false])('are read as they were written, a decision that changed: %j', async (changed) => {
    const payment = newPayment({ merchantId, ...DECIDED, fallbackGateways: [{ name: 'squad', reason: 'plan-fallback' }] });
    const attempt = newAttempt();
    const { paymentId } = payment;
    await reservePayment(database, payment, attempt);
    expect(documentsOf(await readPayment(database, merchantId, paymentId))).toEqual({
      routing: DECIDED.routing,
      session: null,
      fallbackGateways: payment.fallbackGateways,
    });
    await settle({ payment, attempt }, { ...OPENED, decision: changed ? CHANGED : null });
    const routing = changed ? CHANGED.routing : DECIDED.routing;
    expect(documentsOf(await readPayment(database, merchantId, paymentId))).toEqual({ routing, ...OPENED });
    const decision = await findPaymentDecision(database, [merchantId], paymentId);
    expect(decision).toMatchObject({ routing, inputs: DECIDED.routingInputs });
  });

  test('of one that failed have no gateway left', async () => {
    const payment = newPayment({ merchantId, ...DECIDED, fallbackGateways: [{ name: 'squad', reason: 'plan-fallback' }] });
    await reservePayment(database, payment, null);
    const event = { eventId: newId(), type: 'payment.failed', cause: 'api', actor: null, detail: {} };
    const announcement = { merchantId, eventId: event.eventId, mode: payment.mode, paymentId: payment.paymentId, position: 2 };
    await settleFailedInitiation(
      database,
      payment,
      {
        decision: CHANGED,
        failureReason: 'every_gateway_failed',
        attempt: null,
        event: { ...event, fromStatus: 'INITIATED', toStatus: 'FAILED' },
        announcement: { ...announcement, type: 'payment.failed', body: '{}' },
        nextCheckAt: null,
      },
      NOW,
    );
    const failed = await readPayment(database, merchantId, payment.paymentId);
    expect(documentsOf(failed)).toEqual({ routing: CHANGED.routing, session: null, fallbackGateways: [] });
  });
});

function documentsOf(payment: PaymentRecord | undefined) {
  const { routing, session, fallbackGateways } = payment?.documents ?? {};
  return { routing, session, fallbackGateways };
}

test.each([
  { cause: 'api', stored: 0 },
  { cause: 'schedule', stored: 1 },
] as const)('the event of an opened checkout is stored where it says more: %j', async ({ cause, stored }) => {
  const payment = newPayment({ merchantId });
  const { paymentId } = payment;
  const attempt = newAttempt();
  await reservePayment(database, payment, attempt);
  const detail = { gateway: attempt.gateway, reference: attempt.reference };
  const fixed = { type: 'payment.pending', fromStatus: 'INITIATED', toStatus: 'PENDING', actor: null } as const;
  await settle({ payment, attempt }, { event: { eventId: attempt.attemptId, ...fixed, cause, detail } });
  expect(await database.prisma.timelineEvent.count({ where: { paymentId, type: 'payment.pending' } })).toBe(stored);
  const found = await findPaymentWithTimeline(database, [merchantId], paymentId);
  const opened = { id: attempt.attemptId, ...fixed, cause, detail, createdAt: found?.statusChangedAt };
  expect(found?.timeline.filter(({ type }) => type === 'payment.pending')).toMatchObject([opened]);
  expect(found?.statusEventId).toBe(attempt.attemptId);
});

test('of two settlements of one payment at the same time in one process, one counts', async () => {
  const payment = newPayment({ merchantId });
  const attempts = [newAttempt(), newAttempt(1)];
  await reservePayment(database, payment, attempts[0] ?? null);
  const settled = await Promise.all(attempts.map((attempt) => settle({ payment, attempt })));
  expect(settled.toSorted()).toEqual([false, true]);
  const { paymentId } = payment;
  expect(await database.prisma.timelineEvent.count({ where: { paymentId, type: 'payment.pending' } })).toBe(1);
  const row = await database.prisma.payment.findUniqueOrThrow({ where: { merchantId_id: { merchantId, id: paymentId } } });
  expect(row).toMatchObject({ version: 2, currentAttemptId: attempts[settled.indexOf(true)]?.attemptId });
});

test('a payment whose checkout another process has opened does not fail any more', async () => {
  const payment = newPayment({ merchantId });
  const attempt = newAttempt();
  await reservePayment(database, payment, attempt);
  await settle({ payment, attempt });
  const event: NewTimelineEvent = {
    eventId: newId(),
    type: 'payment.failed',
    fromStatus: 'INITIATED',
    toStatus: 'FAILED',
    cause: 'api',
    actor: null,
    detail: {},
  };
  const { paymentId, mode } = payment;
  const announcement = {
    merchantId,
    eventId: event.eventId,
    mode,
    paymentId,
    position: 2,
    type: 'payment.failed',
    body: '{}',
  } as const;
  const failed = {
    decision: null,
    failureReason: 'every_gateway_failed',
    attempt: null,
    event,
    announcement,
    nextCheckAt: null,
  } as const;
  expect(await settleFailedInitiation(database, payment, failed, NOW)).toBe(false);
  const where = { merchantId, paymentId };
  expect(await database.prisma.payment.findFirstOrThrow({ where: { merchantId, id: paymentId } })).toMatchObject({
    status: 'PENDING',
    version: 2,
  });
  expect(await database.prisma.timelineEvent.count({ where: { ...where, type: 'payment.failed' } })).toBe(0);
  expect(await database.prisma.paymentCheck.count({ where })).toBe(1);
});

test('of two reservations of one payment at the same time in one process, one counts', async () => {
  const payment = newPayment({ merchantId });
  const outcomes = await Promise.all([reservePayment(database, payment, null), reservePayment(database, payment, null)]);
  expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['duplicate', 'reserved']);
  expect(await database.prisma.timelineEvent.count({ where: { paymentId: payment.paymentId } })).toBe(1);
});

test('of two processes that settle the same payments at the same time, each payment is settled once', async () => {
  const other = openDatabase({ url: database.url });
  const opened = Array.from({ length: 60 }, () => ({ payment: newPayment({ merchantId }), attempt: newAttempt() }));
  try {
    await Promise.all(opened.map(({ payment, attempt }) => reservePayment(database, payment, attempt)));
    // In opposite orders, so that their statements meet.
    const [ours, theirs] = await Promise.all([
      Promise.all(opened.map((one) => settle(one))),
      Promise.all(opened.toReversed().map((one) => settle(one, {}, other))),
    ]);
    expect(ours.map((settled, index) => Number(settled) + Number(theirs.at(-1 - index)))).toEqual(opened.map(() => 1));
    const ids = opened.map(({ payment }) => payment.paymentId);
    expect(await database.prisma.timelineEvent.count({ where: { paymentId: { in: ids }, type: 'payment.pending' } })).toBe(60);
    const rows = await database.prisma.payment.findMany({ where: { id: { in: ids } } });
    expect(new Set(rows.map(({ accountId }) => accountId))).toEqual(new Set(opened.map(({ attempt }) => attempt.accountId)));
  } finally {
    await other.close();
  }
});

test('of two processes that reserve the same payments at the same time, each payment is reserved once', async () => {
  const others = Array.from({ length: 4 }, () => openDatabase({ url: database.url }));
  try {
    // Again and again: whether the statements meet is up to the server.
    for (let again = 0; again < 150; again++) {
      const payment = newPayment({ merchantId });
      const { paymentId } = payment;
      const outcomes = await Promise.all(others.map((other) => reservePayment(other, payment, newAttempt())));
      const duplicates = outcomes.filter(({ kind }) => kind === 'duplicate');
      expect(duplicates).toEqual(Array.from({ length: 3 }, () => ({ kind: 'duplicate', paymentId })));
    }
  } finally {
    await Promise.all(others.map((other) => other.close()));
  }
});
