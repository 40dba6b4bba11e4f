import { createServer } from 'node:http';
import type { Gateway, ListedRefund } from '@switchyard/gateways';
import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { PaymentsContext } from '../record/context.ts';
import { findRefund } from '../record/refund-queries.ts';
import { openTestPayments, type TestPayments, withGateways } from '../testing/context.ts';
import { createStubbedMerchant } from '../testing/gateway-stub.ts';
import { recordPaidPayment, recordPayment } from '../testing/past.ts';
import { followRefund, sendRefund } from './follow-refunds.ts';
import { recordRefundOutcome } from './record-refund-outcome.ts';
import { requestRefund } from './request-refund.ts';

describe('lost rows', () => {
  const call = { method: 'POST', url: '', httpStatus: 200, latencyMs: 1, request: null, answer: null, retryAfterMs: null };
  const BY = { actor: 'staff:0190a0a0-0000-7000-8000-000000000000', cause: 'staff' } as const;

  let tests: TestPayments;
  /** The epochs of each server, as they are before any restore. */
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

  /** Gateways that list these refunds, or nothing at all; `sent` has the refunds that they are asked for. */
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
      expect(await record(refundId, 'REQUESTED')).toMatchObject({
        kind: 'recorded',
        refund: { state: 'REQUESTED', heldAt: null },
      });
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
});

describe('fetch refund', () => {
  const HOUR_MS = 3_600_000;

  let context: TestPayments;
  let gateway: RefundingGateway;
  beforeAll(async () => {
    context = await openTestPayments();
    gateway = await startRefundingGateway();
  });
  afterAll(async () => {
    gateway.close();
    await context.close();
  });

  interface RefundingGateway {
    readonly baseUrl: string;
    /** Resolves when a refund was asked for. */
    readonly asked: Promise<unknown>;
    /** Carries out and answers what was asked for. */
    carryOut(): void;
    /** How many refunds it made. */
    made(): number;
    close(): void;
  }

  /** Paystack's calls for refunds. A refund is made, and listed, once the test lets it be carried out. */
  async function startRefundingGateway(): Promise<RefundingGateway> {
    const refunds: object[] = [];
    const waiting: (() => void)[] = [];
    const asked = Promise.withResolvers<unknown>();
    const server = createServer((request, response) => {
      const answer = (data: unknown): void => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify({ status: true, message: 'Refunds', data, meta: { total: refunds.length, page: 1, pageCount: 1 } }),
        );
      };
      if (request.method !== 'POST') return answer(refunds);
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () => {
        const { merchant_note: note } = z.looseObject({ merchant_note: z.string() }).parse(JSON.parse(body));
        waiting.push(() => {
          const id = refunds.length + 1;
          const createdAt = context.now().toISOString();
          refunds.push({
            id,
            amount: 250_000,
            currency: 'NGN',
            status: 'pending',
            transaction: 302_961,
            merchant_note: note,
            createdAt,
          });
          answer({ id, status: 'pending', transaction: { id: 302_961 } });
        });
        asked.resolve(null);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return {
      baseUrl: `http://127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}`,
      asked: asked.promise,
      carryOut: () => {
        for (const make of waiting.splice(0)) make();
      },
      made: () => refunds.length,
      close() {
        server.closeAllConnections();
        server.close();
      },
    };
  }

  /** A refund of a paid payment, not sent. */
  async function requestedRefund(): Promise<{ readonly merchantId: string; readonly refundId: string }> {
    const { merchantId } = await createStubbedMerchant(context, gateway);
    const { paymentId } = await recordPayment(context, merchantId, { status: 'SUCCESS' });
    await context.database.prisma.attempt.updateMany({
      where: { merchantId, paymentId },
      data: { state: 'PAID', receivedAmount: 2_500, receivedCurrency: 'NGN', transactionId: '302961' },
    });
    const refundId = context.newId();
    const outcome = await requestRefund(context, {
      refundId,
      merchantId,
      mode: null,
      paymentId,
      amount: 'full',
      reason: null,
      actor: 'merchant',
      cause: 'api',
    });
    expect(outcome.kind).toBe('requested');
    return { merchantId, refundId };
  }

  test('a process whose clock is ahead does not send again what another is sending', async () => {
    const { merchantId, refundId } = await requestedRefund();
    const ahead: PaymentsContext = { ...(await context.beside()), now: () => new Date(context.now().getTime() + HOUR_MS) };
    const refund = async () => {
      const found = await findRefund(context.database, merchantId, refundId);
      if (found === null) throw new Error('the refund is gone');
      return found;
    };
    const sending = sendRefund(context, { merchantId, refundId });
    await gateway.asked;
    // The gateway does not list it yet, and an hour has passed by this clock.
    expect(await followRefund(ahead, await refund(), 'schedule')).toMatchObject({ state: 'PROCESSING', sendCount: 1 });
    gateway.carryOut();
    await sending;
    expect(await refund()).toMatchObject({ state: 'PROCESSING', sendCount: 1, gatewayRefundId: '1' });
    expect(gateway.made()).toBe(1);
  });

  test('a refund that the gateway does not list is sent again when it can no longer arrive', async () => {
    const { merchantId, refundId } = await requestedRefund();
    // By the clock of the database, which all processes share.
    const sent = (minutesAgo: number) =>
      context.database.pool.query(
        `UPDATE refund SET state = 'PROCESSING', send_count = 1, sent_at = now() - make_interval(mins => $2) WHERE id = $1`,
        [refundId, minutesAgo],
      );
    await sent(9);
    const follow = async () => {
      const found = await findRefund(context.database, merchantId, refundId);
      return found && followRefund(context, found, 'schedule');
    };
    expect(await follow()).toMatchObject({ state: 'PROCESSING', sendCount: 1 });
    await sent(11);
    expect(await follow()).toMatchObject({ state: 'REQUESTED', sentAt: null });
  });

  test.each([
    ['accepted', 'REFUND-1', /^Squad accepted this refund/],
    ['did not confirm', null, /^Squad did not confirm this refund/],
  ] as const)(
    'a refund that Squad %s asks for a person after three days: nothing is asked, sent again or failed',
    async (_, id, said) => {
      const { merchantId, refundId } = await requestedRefund();
      const { refund } = context.database.prisma;
      const { accounts } = await createTestMerchant(context, { 'squad-main': {} });
      const squad = { accountId: accounts['squad-main'] ?? '', gateway: 'squad' };
      const made = gateway.made();
      await refund.updateMany({
        where: { id: refundId },
        data: { ...squad, state: 'PROCESSING', gatewayRefundId: id, sentAt: context.now(), sendCount: 1 },
      });
      const follow = async () => {
        const found = await findRefund(context.database, merchantId, refundId);
        return found && followRefund(context, found, 'schedule');
      };
      expect(await follow()).toMatchObject({ state: 'PROCESSING', failureMessage: expect.stringMatching(said) });
      context.setClock(new Date(context.now().getTime() + 72 * HOUR_MS));
      expect(await follow()).toMatchObject({
        state: 'NEEDS_ATTENTION',
        failureMessage: expect.stringMatching(said),
        sendCount: 1,
      });
      context.setClock(new Date(context.now().getTime() + 400 * 24 * HOUR_MS));
      expect(await follow()).toMatchObject({ state: 'NEEDS_ATTENTION', sendCount: 1 });
      expect(gateway.made()).toBe(made);
    },
  );
});
