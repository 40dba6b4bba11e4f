import { createServer } from 'node:http';
import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { PaymentsContext } from '../context.ts';
import { openTestPayments, type TestPayments } from '../testing/context.ts';
import { createStubbedMerchant } from '../testing/gateway-stub.ts';
import { recordPayment } from '../testing/past.ts';
import { followRefund, sendRefund } from './follow-refunds.ts';
import { findRefund } from './queries.ts';
import { requestRefund } from './request-refund.ts';

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
        answer({ id, status: 'pending' });
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
    expect(await follow()).toMatchObject({ state: 'NEEDS_ATTENTION', failureMessage: expect.stringMatching(said), sendCount: 1 });
    context.setClock(new Date(context.now().getTime() + 400 * 24 * HOUR_MS));
    expect(await follow()).toMatchObject({ state: 'NEEDS_ATTENTION', sendCount: 1 });
    expect(gateway.made()).toBe(made);
  },
);
