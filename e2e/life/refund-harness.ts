import { untilHintsGiven } from '@switchyard/db/testing';
import type { PaymentsContext } from '@switchyard/payments/context';
import { openWebhookFollower } from '@switchyard/payments/gateway-webhooks';
import { followRefunds, refundDuplicate, sendRefund } from '@switchyard/payments/refunds';
import { settleOverdue } from '@switchyard/payments/sweeping';
import { verifyAttempt } from '@switchyard/payments/verify';
import { readEventBody } from '@switchyard/webhooks/events/packed';
import { Logger, runOnce } from 'graphile-worker';
import { z } from 'zod';
import { order, readPayment, readRecord } from '../harness/contract.ts';
import { eventually } from '../harness/eventually.ts';
import type { GatewayName } from '../harness/gateways.ts';
import type { Harness } from '../harness/harness.ts';
import type { TestMerchant } from '../harness/merchants.ts';

const refundSchema = z.strictObject({
  refundId: z.uuid(),
  paymentId: z.uuid(),
  amount: z.int(),
  currency: z.literal('NGN'),
  status: z.enum(['PENDING', 'SUCCESS', 'FAILED', 'NEEDS_ATTENTION']),
  reason: z.string().nullable(),
  failureReason: z.string().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type RefundAnswer = z.output<typeof refundSchema>;
const success = <Data extends z.ZodType>(data: Data) =>
  z.strictObject({ status: z.literal(true), statusCode: z.literal(200), message: z.string(), data });

export interface PaidPayment {
  readonly paymentId: string;
  readonly gateway: GatewayName;
  readonly reference: string;
}

/** Steps of refund tests, on a harness without a worker: the tests run its jobs themselves. */
export function openRefundHarness(harness: Harness) {
  const errors: unknown[] = [];
  const report = (error: unknown) => errors.push(error);
  const at = (now: Date): PaymentsContext => ({ ...harness.switchyard.payments, now: () => now });
  const { prisma } = harness.database;

  const refundHarness = {
    errors,
    /** The payments context at another time. */
    at,
    async initiate(merchant: TestMerchant, gateway: GatewayName, changes = {}): Promise<PaidPayment> {
      const body = order({ requestedGateway: gateway, ...changes });
      const payment = readPayment(await harness.send('node', 'POST', '/v1/payments/initiate', { key: merchant.testKey, body }));
      return { paymentId: payment.paymentId, gateway, reference: payment.recommendedGateway.session?.reference ?? '' };
    },
    /** A payment of 2,500 naira that has succeeded. */
    async pay(merchant: TestMerchant, gateway: GatewayName, changes = {}): Promise<PaidPayment> {
      const payment = await refundHarness.initiate(merchant, gateway, changes);
      await harness.gateways.settle(gateway, payment.reference, 'success');
      const record = readRecord(
        await harness.send('node', 'POST', `/v1/payments/${payment.paymentId}/verify`, { key: merchant.testKey }),
      );
      if (record.data.status !== 'SUCCESS') throw new Error(`the payment is ${record.data.status}`);
      return payment;
    },
    /** Requests a refund, of all that is left unless the body says otherwise. */
    postRefund: (
      merchant: TestMerchant,
      paymentId: string,
      body: unknown = { full: true },
      headers: Record<string, string> = {},
    ) => harness.send('node', 'POST', `/v1/payments/${paymentId}/refunds`, { key: merchant.testKey, headers, body }),
    /** A recorded refund that has not been sent to the gateway. */
    async request(merchant: TestMerchant, paymentId: string, body?: unknown): Promise<RefundAnswer> {
      return success(refundSchema).parse((await refundHarness.postRefund(merchant, paymentId, body)).json).data;
    },
    async read(merchant: TestMerchant, { paymentId, refundId }: RefundAnswer): Promise<RefundAnswer> {
      const reply = await harness.send('node', 'GET', `/v1/payments/${paymentId}/refunds/${refundId}`, { key: merchant.testKey });
      return success(refundSchema).parse(reply.json).data;
    },
    refund: (refundId: string) => prisma.refund.findFirstOrThrow({ where: { id: refundId } }),
    payment: (paymentId: string) =>
      prisma.payment.findFirstOrThrow({
        where: { id: paymentId },
        include: { attempts: { orderBy: { position: 'asc' } }, timeline: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] } },
      }),
    async events(paymentId: string) {
      const rows = await prisma.merchantEvent.findMany({ where: { paymentId }, orderBy: [{ position: 'asc' }, { id: 'asc' }] });
      return rows.map((row) => ({ ...row, body: readEventBody(row) }));
    },
    async gatewayRefunds({ gateway, reference }: PaidPayment) {
      return (await harness.gateways.journal(gateway, reference)).refunds;
    },
    /** Ends the gateway's one refund of a payment. */
    async end(payment: PaidPayment, outcome: 'processed' | 'failed' | 'needs-attention') {
      const refund = await eventually('the gateway to have a refund', async () =>
        (await refundHarness.gatewayRefunds(payment)).at(-1),
      );
      await harness.gateways.amend(payment.gateway, `refunds/${refund.id}/settle`, { outcome });
    },
    /** Follows up every refund that is not final, at a time: all clocks show it, the database's included. */
    async follow(now = new Date()) {
      const startedAt = new Date();
      const aheadMs = now.getTime() - startedAt.getTime();
      const shift = async (ms: number, before?: Date) => {
        const sent = await prisma.refund.findMany({ where: { sentAt: before === undefined ? { not: null } : { lt: before } } });
        for (const { merchantId, id, sentAt } of sent) {
          if (sentAt === null) continue;
          const where = { merchantId_id: { merchantId, id } };
          await prisma.refund.update({ where, data: { sentAt: new Date(sentAt.getTime() + ms) } });
        }
      };
      await shift(-aheadMs);
      const followed = await refundHarness.followByClock(now);
      await shift(aheadMs, startedAt);
      return followed;
    },
    /** Follows up every refund that is not final, in a process whose clock shows this time. */
    async followByClock(now: Date) {
      await prisma.refund.updateMany({ where: { nextCheckAt: { not: null } }, data: { nextCheckAt: now } });
      return followRefunds(at(now), report);
    },
    async sweep(now = new Date()) {
      await prisma.paymentCheck.updateMany({ data: { nextCheckAt: now } });
      return settleOverdue(at(now), report);
    },
    /** Follows up webhooks, and runs the queued jobs once, those that are being added among them. */
    async runJobs() {
      const { payments } = harness.switchyard;
      await untilHintsGiven(payments.resources.database);
      const ids = z.object({ merchantId: z.uuid(), refundId: z.uuid() });
      const attempt = z.object({ merchantId: z.uuid(), attemptId: z.uuid() });
      const follower = openWebhookFollower(payments, { onEnded: () => undefined, onError: report });
      const due = await prisma.webhookFollowUp.findMany({ distinct: ['merchantId'] });
      for (const { merchantId } of due) await follower.wake(merchantId);
      await follower.stop();
      const charge = z.object({ merchantId: z.uuid(), duplicateChargeId: z.uuid() });
      await runOnce({
        pgPool: payments.resources.database.pool,
        logger: new Logger(() => () => undefined),
        noHandleSignals: true,
        parsedCronItems: [],
        taskList: {
          'send-refund': (payload) => sendRefund(payments, ids.parse(payload)),
          'check-attempt': (payload) => verifyAttempt(payments, { ...attempt.parse(payload), transactionId: null }),
          'refund-duplicate': async (payload) => {
            await refundDuplicate(payments, charge.parse(payload));
          },
        },
      });
    },
  };
  return refundHarness;
}

export type RefundHarness = ReturnType<typeof openRefundHarness>;
