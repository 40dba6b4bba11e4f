import { type Gateway, gatewayNames, type RefundReceipt } from '@switchyard/gateways';
import { createTestMerchant, reloadConfiguration } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PaymentsContext } from '../record/context.ts';
import { findRefund } from '../record/refund-queries.ts';
import { openTestPayments, type TestPayments, withGateways } from '../testing/context.ts';
import { recordPayment } from '../testing/past.ts';
import { followRefund } from './follow-refunds.ts';
import { recordRefundOutcome } from './record-refund-outcome.ts';
import { requestRefund } from './request-refund.ts';

const DAY_MS = 24 * 3_600_000;
const call = { method: 'POST', url: '', httpStatus: 200, latencyMs: 1, request: null, answer: null, retryAfterMs: null };

/** Fields of every gateway: each takes its own. */
const CREDENTIALS = {
  secretKey: 'sk_test_0123456789abcdef',
  apiKey: 'MK_TEST_0123456789',
  contractCode: '1234567890',
  clientId: 'IKIA0123456789',
  merchantCode: 'MX6072',
  payItemId: '9405967',
  accountId: '01a10aeb-d989-460a-bbde-9842f2b4320f',
};

let tests: TestPayments;
beforeAll(async () => {
  tests = await openTestPayments();
});
afterAll(() => tests.close());

/** A paid payment of a merchant with one account there, and a refund of it that is not sent. */
async function refundAt(gateway: string) {
  const label = `${gateway}-main`;
  const { merchantId, accounts } = await createTestMerchant(tests, { [label]: {} });
  const id = accounts[label] ?? '';
  await tests.database.prisma.gatewayAccount.update({
    where: { merchantId_id: { merchantId, id } },
    data: { credentials: tests.resources.vault.seal(JSON.stringify(CREDENTIALS), `${merchantId}/${id}`) },
  });
  await reloadConfiguration(tests, merchantId);
  const { paymentId } = await recordPayment(tests, merchantId, { status: 'SUCCESS' });
  await tests.database.prisma.attempt.updateMany({
    where: { merchantId, paymentId },
    data: { state: 'PAID', receivedAmount: 2_500, receivedCurrency: 'NGN', transactionId: '302961' },
  });
  const refundId = tests.newId();
  const request = { refundId, merchantId, mode: null, paymentId, amount: 'full', reason: null } as const;
  expect((await requestRefund(tests, { ...request, actor: 'merchant', cause: 'api' })).kind).toBe('requested');
  return { merchantId, paymentId, refundId };
}

/** The context with gateways that answer this about any refund, where they answer at all. */
function answering(receipt: Omit<RefundReceipt, 'gatewayRefundId' | 'message'>): PaymentsContext {
  const answer = async () => ({ outcome: 'yes', value: { gatewayRefundId: 'rf-1', message: null, ...receipt }, call }) as const;
  return withGateways(tests, (): Partial<Gateway> => ({ refund: answer, findRefund: answer }));
}

const unknownWord = (title: string, status: string) => ({
  state: 'processing' as const,
  unrecognised: {
    message: `${title} reports a status that its documentation does not list: ${status}.`,
    record: `{"status":"${status}"}`,
  },
});

describe.each(gatewayNames)('a refund at %s whose status is not documented', (gateway) => {
  test('stays open, is shown with what was answered, and after three days waits for a person, who ends it', async () => {
    // Sendings are recorded at the database's time.
    tests.setClock(new Date());
    const { merchantId, paymentId, refundId } = await refundAt(gateway);
    const refund = async () => {
      const found = await findRefund(tests.database, merchantId, refundId);
      if (found === null) throw new Error('the refund is gone');
      return found;
    };
    const shown = async () => {
      const where = { merchantId, paymentId, type: { startsWith: 'refund.' } };
      const events = await tests.database.prisma.timelineEvent.findMany({ where, orderBy: { id: 'asc' } });
      return events.map(({ type, detail }) => ({ type, detail }));
    };
    const context = answering(unknownWord('The gateway', 'quarantined'));
    await followRefund(context, await refund(), 'schedule');
    const sent = await refund();
    expect(sent).toMatchObject({
      state: 'PROCESSING',
      gatewayRefundId: 'rf-1',
      failureMessage: expect.stringContaining('quarantined'),
    });
    const event = {
      type: 'refund.unrecognised_status',
      detail: { refundId, gateway, message: expect.stringContaining('quarantined'), answer: '{"status":"quarantined"}' },
    };
    expect(await shown()).toMatchObject([{ type: 'refund.requested' }, event]);
    for (let asked = 0; asked < 200; asked += 1) {
      const due = await refund();
      if (due.state === 'NEEDS_ATTENTION') break;
      tests.setClock(due.nextCheckAt ?? tests.now());
      await followRefund(context, due, 'schedule');
    }
    const after = await refund();
    expect(after.state).toBe('NEEDS_ATTENTION');
    const waited = tests.now().getTime() - (sent.sentAt?.getTime() ?? 0);
    expect([waited >= 3 * DAY_MS, waited < 4 * DAY_MS]).toEqual([true, true]);
    expect(await shown()).toMatchObject([{ type: 'refund.requested' }, event, { type: 'refund.needs_attention' }]);
    const author = { actor: 'staff:0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10', cause: 'staff' } as const;
    const observed = { merchantId, refundId, state: 'SUCCEEDED', note: 'Paid out' } as const;
    expect((await recordRefundOutcome(tests, observed, author)).kind).toBe('recorded');
    expect(await refund()).toMatchObject({ state: 'SUCCEEDED', nextCheckAt: null });
  });
});

test('each status is shown once, however often it is answered, and a status that is known ends the refund', async () => {
  tests.setClock(new Date());
  const { merchantId, paymentId, refundId } = await refundAt('paystack');
  const follow = async (receipt: Parameters<typeof answering>[0]) => {
    const found = await findRefund(tests.database, merchantId, refundId);
    return found === null ? null : followRefund(answering(receipt), found, 'schedule');
  };
  for (const status of ['held', 'held', 'frozen', 'held']) await follow(unknownWord('Paystack', status));
  const where = { merchantId, paymentId, type: 'refund.unrecognised_status' };
  expect(await tests.database.prisma.timelineEvent.count({ where })).toBe(2);
  expect(await follow({ state: 'succeeded' })).toMatchObject({ state: 'SUCCEEDED', failureMessage: null });
});
