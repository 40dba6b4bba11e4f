import type { Refund } from '@switchyard/db/client';
import type { FailureCode, Gateway, ListedRefund } from '@switchyard/gateways';
import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findRefund } from '../record/refund-queries.ts';
import { openTestPayments, type TestPayments, TIMED_OUT, withGateways } from '../testing/context.ts';
import { recordPaidPayment } from '../testing/past.ts';
import { fetchRefund, sendToGateway } from './fetch-refund.ts';
import { followUpRefundWebhook } from './follow-refunds.ts';
import { requestRefund } from './request-refund.ts';

let context: TestPayments;
beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());

let merchantId: string;
let refundId: string;
let sent: number;
beforeEach(async () => {
  sent = 0;
  ({ merchantId } = await createTestMerchant(context, { 'paystack-main': {} }));
  const { paymentId } = await recordPaidPayment(context, merchantId);
  refundId = await request(paymentId);
});

async function request(paymentId: string): Promise<string> {
  const id = context.newId();
  const by = { actor: 'merchant', cause: 'api' } as const;
  const outcome = await requestRefund(context, {
    refundId: id,
    merchantId,
    mode: null,
    paymentId,
    amount: 1_000n,
    reason: null,
    ...by,
  });
  expect(outcome.kind).toBe('requested');
  return id;
}

async function refund(id = refundId): Promise<Refund> {
  const found = await findRefund(context.database, merchantId, id);
  if (found === null) throw new Error('the refund is gone');
  return found;
}

/** Sent so long ago by the database's clock that it can no longer arrive. */
const longSince = () =>
  context.database.pool.query(
    `UPDATE refund SET state = 'PROCESSING', send_count = 1, sent_at = now() - make_interval(mins => 11) WHERE id = $1`,
    [refundId],
  );

const listed = (changes: Partial<ListedRefund> = {}): ListedRefund => ({
  gatewayRefundId: '75923',
  paymentReference: null,
  transactionId: null,
  amount: '1000',
  currency: 'NGN',
  state: 'processing',
  note: `rf-${refundId}`,
  createdAt: context.now(),
  ...changes,
});
const { call } = TIMED_OUT;
const listing = (...rows: ListedRefund[]): Partial<Gateway> => ({
  listRefunds: async () => ({ outcome: 'yes', value: { rows, nextCursor: null }, call }),
});
const refusing = (code: FailureCode): Partial<Gateway> => ({
  async refund() {
    sent += 1;
    return { outcome: 'no', failure: { class: 'our_configuration', code, message: 'Refused.' }, call };
  },
});
const through = (...changes: Partial<Gateway>[]) => withGateways(context, () => Object.assign({}, ...changes));

test('the refusal of a first sending is its end, whatever the gateway lists', async () => {
  const result = await sendToGateway(through(refusing('request_rejected'), listing(listed())), await refund());
  expect(result).toMatchObject({ kind: 'reported', state: 'FAILED', sending: 1 });
});

test('the refusal of a second sending counts only where the gateway does not list the first', async () => {
  const again = { state: 'REQUESTED', sendCount: 1 } as const;
  const resend = async (...rows: ListedRefund[]) => {
    await context.database.prisma.refund.updateMany({ where: { id: refundId }, data: again });
    return sendToGateway(through(refusing('request_rejected'), listing(...rows)), await refund());
  };
  expect(await resend(listed())).toMatchObject({ kind: 'reported', state: 'PROCESSING', gatewayRefundId: '75923' });
  expect(await resend()).toMatchObject({ kind: 'reported', state: 'FAILED', sending: 2 });
  expect(sent).toBe(2);
});

test('a process that did not get to send a refund does not call the gateway', async () => {
  const outdated = await refund();
  await context.database.prisma.refund.updateMany({ where: { id: refundId }, data: { state: 'PROCESSING', sendCount: 1 } });
  expect(await sendToGateway(through(refusing('request_rejected')), outdated)).toBeNull();
  expect(sent).toBe(0);
});

test('no answer to a sending, and none to the question for its list, leave it open', async () => {
  expect(await sendToGateway(through({ refund: async () => TIMED_OUT }), await refund())).toMatchObject({ kind: 'unanswered' });
  await longSince();
  const result = await fetchRefund(through({ listRefunds: async () => TIMED_OUT }), await refund());
  expect(result).toEqual({ kind: 'unanswered', message: TIMED_OUT.failure.message });
});

test('a refund that a complete list shows under its reference is that one, and one that it does not show never arrived', async () => {
  await longSince();
  const shown = await fetchRefund(through(listing(listed({ note: `x rf-${refundId} y`, state: 'succeeded' }))), await refund());
  expect(shown).toMatchObject({ kind: 'reported', state: 'SUCCEEDED', gatewayRefundId: '75923' });
  const others = listing(listed({ note: 'rf-other' }), listed({ gatewayRefundId: '2', note: null, amount: '999' }));
  expect(await fetchRefund(through(others), await refund())).toMatchObject({ kind: 'not_received', sending: 1 });
});

test('a refund of the same amount without a note may be it, unless it is known to be another', async () => {
  await longSince();
  const unnamed = through(listing(listed({ note: null })));
  expect(await fetchRefund(unnamed, await refund())).toMatchObject({ kind: 'reported', state: 'NEEDS_ATTENTION' });
  const other = await request((await refund()).paymentId);
  await context.database.prisma.refund.updateMany({
    where: { id: other },
    data: { state: 'PROCESSING', gatewayRefundId: '75923' },
  });
  expect(await fetchRefund(unnamed, await refund())).toMatchObject({ kind: 'not_received' });
});

test('the list is read from a day before the refund to a day from now, of its payment alone', async () => {
  await longSince();
  const asked: Parameters<Gateway['listRefunds']>[1][] = [];
  const listRefunds: Gateway['listRefunds'] = async (_access, query) => {
    asked.push(query);
    return { outcome: 'yes', value: { rows: [], nextCursor: null }, call };
  };
  const { createdAt, transactionId, paymentId } = await refund();
  await fetchRefund(through({ listRefunds }), await refund());
  const { reference } = await context.database.prisma.attempt.findFirstOrThrow({ where: { paymentId } });
  const day = 24 * 3_600_000;
  const span = { from: new Date(createdAt.getTime() - day), to: new Date(context.now().getTime() + day) };
  expect(asked).toEqual([{ ...span, paymentReference: reference, transactionId, cursor: null }]);
});

test('a webhook asks about refunds that were sent, and sends none', async () => {
  const asked: string[] = [];
  const gateway = through(refusing('request_rejected'), {
    async findRefund(_access, { gatewayRefundId }) {
      asked.push(gatewayRefundId);
      return TIMED_OUT;
    },
  });
  const { accountId, paymentId } = await refund();
  const { reference } = await context.database.prisma.attempt.findFirstOrThrow({ where: { paymentId } });
  const accepted = await request(paymentId);
  await context.database.prisma.refund.updateMany({
    where: { id: accepted },
    data: { state: 'PROCESSING', gatewayRefundId: '75923', sendCount: 1, sentAt: context.now() },
  });
  await followUpRefundWebhook(gateway, { merchantId, accountId, reference }, null);
  expect([sent, asked]).toEqual([0, ['75923']]);
  expect(await refund()).toMatchObject({ state: 'REQUESTED', sendCount: 0 });
});
