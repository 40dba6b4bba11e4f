import type { Gateway, ListedRefund } from '@switchyard/gateways';
import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withGateways } from '../testing/changed-gateways.ts';
import { openTestPayments, type TestPayments } from '../testing/context.ts';
import { recordPaidPayment } from '../testing/paid-payment.ts';
import { followRefund } from './follow-refunds.ts';
import { findRefund } from './queries.ts';
import { recordRefundOutcome } from './record-refund-outcome.ts';
import { requestRefund } from './request-refund.ts';

const call = { method: 'POST', url: '', httpStatus: 200, latencyMs: 1, request: null, answer: null, retryAfterMs: null };
const BY = { actor: 'staff:0190a0a0-0000-7000-8000-000000000000', cause: 'staff' } as const;

let tests: TestPayments;
/** Of each server, as it is before any restore. */
let first: { identity: string; beganAt: Date }[];
beforeAll(async () => {
  tests = await openTestPayments();
  first = await tests.database.prisma.databaseEpoch.findMany();
});
afterAll(() => tests.close());

let merchantId: string;
let paymentId: string;
let sent: string[];
let asked: number;
beforeEach(async () => {
  sent = [];
  asked = 0;
  // Epochs begin at the database's time.
  tests.setClock(new Date());
  await tests.database.prisma.databaseEpoch.deleteMany();
  await tests.database.prisma.databaseEpoch.createMany({ data: first });
  ({ merchantId } = await createTestMerchant(tests, { 'paystack-main': {} }));
  ({ paymentId } = await recordPaidPayment(tests, merchantId));
});

async function request(refundId = tests.newId()): Promise<string> {
  const asking = { refundId, merchantId, mode: null, paymentId, amount: 1_000n, reason: null } as const;
  expect((await requestRefund(tests, { ...asking, actor: 'merchant', cause: 'api' })).kind).toBe('requested');
  return refundId;
}

async function refund(refundId: string) {
  const found = await findRefund(tests.database, merchantId, refundId);
  if (found === null) throw new Error('the refund is gone');
  return found;
}

/** A restored or promoted database: it has none of the rows that named its identity. */
async function restore(): Promise<void> {
  await tests.database.pool.query("UPDATE database_epoch SET identity = 'before ' || identity");
}

/** Nothing that was sent before the restore can arrive any more. */
async function arriveAll(): Promise<void> {
  await tests.database.prisma.databaseEpoch.updateMany({ data: { beganAt: new Date(Date.now() - 11 * 60_000) } });
}

const listed = (changes: Partial<ListedRefund>): ListedRefund => ({
  gatewayRefundId: '75923',
  paymentReference: null,
  transactionId: null,
  amount: '1000',
  currency: 'NGN',
  state: 'succeeded',
  note: null,
  createdAt: tests.now(),
  ...changes,
});

/** Gateways that list these refunds, or nothing at all; what they are told to refund is in `sent`. */
function gateways(rows: readonly ListedRefund[] | null, missing: 'listRefunds'[] = []) {
  return withGateways(
    tests,
    ({ capabilities }): Partial<Gateway> => ({
      capabilities: { ...capabilities, missingLookups: missing },
      async refund(_access, { refundReference }) {
        sent.push(refundReference);
        return { outcome: 'yes', value: { gatewayRefundId: '1', state: 'processing', message: null }, call };
      },
      async listRefunds() {
        asked += 1;
        if (rows !== null) return { outcome: 'yes', value: { rows, nextCursor: null }, call };
        return { outcome: 'unknown', failure: { class: 'provider_fault', code: 'timeout', message: 'No answer.' }, call };
      },
    }),
  );
}

const follow = async (refundId: string, context: ReturnType<typeof gateways>) =>
  followRefund(context, await refund(refundId), 'schedule');

describe('the first sending of a refund', () => {
  test('asks nothing first where no rows can have been lost', async () => {
    const refundId = await request();
    expect(await follow(refundId, gateways([]))).toMatchObject({ state: 'PROCESSING', gatewayRefundId: '1' });
    expect({ sent, asked }).toEqual({ sent: [`rf-${refundId}`], asked: 0 });
  });

  test('is not made after a restore where the gateway lists the refund under its reference: it is that one', async () => {
    await restore();
    const refundId = await request();
    const rows = [listed({ note: `rf-${refundId} Wrong size` })];
    expect(await follow(refundId, gateways(rows))).toMatchObject({ state: 'SUCCEEDED', gatewayRefundId: '75923' });
    expect(sent).toEqual([]);
  });

  test('is made after a restore once nothing from before can arrive and the complete list has no such refund', async () => {
    await restore();
    const refundId = await request();
    const others = [listed({ amount: '999' }), listed({ gatewayRefundId: '2', state: 'failed' })];
    expect(await follow(refundId, gateways(others))).toMatchObject({ state: 'PROCESSING', gatewayRefundId: null });
    expect(sent).toEqual([]);
    await arriveAll();
    await tests.database.prisma.refund.updateMany({ where: { id: refundId }, data: { state: 'REQUESTED', sentAt: null } });
    expect(await follow(refundId, gateways(others))).toMatchObject({ state: 'PROCESSING', gatewayRefundId: '1' });
    expect(sent).toEqual([`rf-${refundId}`]);
  });

  test('is not made while the list cannot be read', async () => {
    await restore();
    await request();
    await arriveAll();
    const refundId = await request();
    expect(await follow(refundId, gateways(null))).toMatchObject({ state: 'PROCESSING', failureMessage: 'No answer.' });
    expect(sent).toEqual([]);
  });

  test('of a payment that was made after the restore asks nothing first', async () => {
    await restore();
    await follow(await request(), gateways([]));
    await tests.database.prisma.databaseEpoch.updateMany({ data: { beganAt: new Date(Date.now() - 3_600_000) } });
    ({ paymentId } = await recordPaidPayment(tests, merchantId));
    asked = 0;
    const refundId = await request();
    await follow(refundId, gateways([]));
    expect({ sent, asked }).toEqual({ sent: [`rf-${refundId}`], asked: 0 });
  });

  test('of a refund that the list has with another amount is held for a person', async () => {
    await restore();
    const refundId = await request();
    const held = await follow(refundId, gateways([listed({ note: `rf-${refundId}`, amount: '400' })]));
    expect(held).toMatchObject({
      state: 'NEEDS_ATTENTION',
      failureMessage: expect.stringContaining('another amount, 400 (75923)'),
    });
    expect(sent).toEqual([]);
  });
});

describe('a refund that a lost one may have made already', () => {
  /** Held, as the gateway lists one of the same amount that is not known here. */
  async function hold(): Promise<string> {
    await restore();
    const refundId = await request();
    const held = await follow(refundId, gateways([listed({ note: 'rf-lost' })]));
    expect(held).toMatchObject({ state: 'NEEDS_ATTENTION', failureMessage: expect.stringContaining('not known here (75923)') });
    return refundId;
  }
  const record = (refundId: string, state: 'SUCCEEDED' | 'FAILED' | 'REQUESTED') => {
    tests.setClock(new Date());
    return recordRefundOutcome(tests, { merchantId, refundId, state, note: 'Seen' }, BY);
  };

  test('waits for a person, is told once, and is not sent by later checks', async () => {
    const refundId = await hold();
    await arriveAll();
    const rows = [listed({ note: 'rf-lost' })];
    expect(await follow(refundId, gateways(rows))).toMatchObject({ state: 'NEEDS_ATTENTION' });
    expect(await follow(refundId, gateways([]))).toMatchObject({
      state: 'NEEDS_ATTENTION',
      failureMessage: expect.stringContaining('not known here (75923)'),
    });
    expect(sent).toEqual([]);
    const events = await tests.database.prisma.timelineEvent.count({ where: { paymentId, type: 'refund.needs_attention' } });
    expect(events).toBe(1);
  });

  test('is sent once a person saw that the gateway does not have it, and asks again after another restore', async () => {
    const refundId = await hold();
    expect(await record(refundId, 'REQUESTED')).toMatchObject({ kind: 'recorded', refund: { state: 'REQUESTED', heldAt: null } });
    asked = 0;
    expect(await follow(refundId, gateways([listed({ note: 'rf-lost' })]))).toMatchObject({
      state: 'PROCESSING',
      gatewayRefundId: '1',
    });
    expect({ sent, asked }).toEqual({ sent: [`rf-${refundId}`], asked: 0 });
    expect(await record(refundId, 'REQUESTED')).toEqual({ kind: 'not_waiting', state: 'PROCESSING' });
    await restore();
    const undone = { state: 'REQUESTED', gatewayRefundId: null, sentAt: null } as const;
    await tests.database.prisma.refund.updateMany({ where: { id: refundId }, data: undone });
    const found = await follow(refundId, gateways([listed({ note: `rf-${refundId}` })]));
    expect(found).toMatchObject({ state: 'SUCCEEDED', gatewayRefundId: '75923' });
    expect(sent).toHaveLength(1);
  });

  test('that the gateway turns out to have cannot be sent by a person any more', async () => {
    const refundId = await hold();
    const stuck = [listed({ note: `rf-${refundId}`, state: 'needs_attention' })];
    expect(await follow(refundId, gateways(stuck))).toMatchObject({
      state: 'NEEDS_ATTENTION',
      gatewayRefundId: '75923',
      heldAt: null,
    });
    expect(await record(refundId, 'REQUESTED')).toEqual({ kind: 'not_held' });
  });

  test('that the gateway made ends as a person saw it', async () => {
    expect(await record(await hold(), 'SUCCEEDED')).toMatchObject({ kind: 'recorded', refund: { state: 'SUCCEEDED' } });
  });

  test('is held at a gateway that lists none, and sent by a person’s word', async () => {
    await restore();
    const refundId = await request();
    const silent = gateways([], ['listRefunds']);
    const held = await follow(refundId, silent);
    expect(held).toMatchObject({ state: 'NEEDS_ATTENTION', failureMessage: expect.stringContaining('answers no questions') });
    expect(await follow(refundId, silent)).toMatchObject({ state: 'NEEDS_ATTENTION', failureMessage: held.failureMessage });
    expect({ sent, asked }).toEqual({ sent: [], asked: 0 });
    await record(refundId, 'REQUESTED');
    await follow(refundId, silent);
    expect(sent).toEqual([`rf-${refundId}`]);
  });
});
