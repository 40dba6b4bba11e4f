import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { flushKeyUse } from '@switchyard/merchants/api-keys';
import { settleOverdue } from '@switchyard/payments/sweeping';
import { openDispatcher } from '@switchyard/webhooks/deliveries';
import { createEndpoint } from '@switchyard/webhooks/endpoints';
import { readPayment } from '../harness/contract.ts';
import { eventually } from '../harness/eventually.ts';
import type { Harness } from '../harness/harness.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import { order } from '../harness/orders.ts';
import { openRefundHarness } from '../life/refund-harness.ts';

const AN_HOUR_MS = 3_600_000;

/**
 * Takes payments through everything that happens to one: opened, opened at the second gateway, refused by both, read, verified,
 * reported by a webhook, swept, refunded, and delivered to the merchant. The harness has no worker.
 */
export async function passPayments(harness: Harness): Promise<void> {
  const { switchyard, gateways } = harness;
  const merchant = await harness.merchant();
  const received = await receiveEvents(harness, merchant);
  const refunds = openRefundHarness(harness);
  const key = merchant.testKey;
  const initiate = (headers: Record<string, string> = {}, body = order()) =>
    harness.send('node', 'POST', '/v1/payments/initiate', { key, body, headers });

  const idempotent = order();
  const headers = { 'idempotency-key': randomUUID() };
  for (let times = 0; times < 2; times++) await initiate(headers, idempotent);
  const duplicate = order();
  for (let times = 0; times < 2; times++) await initiate({}, duplicate);

  const { paymentId, recommendedGateway } = readPayment(await initiate());
  await harness.send('node', 'GET', `/v1/payments/${paymentId}`, { key });
  await gateways.settle('paystack', recommendedGateway.session?.reference ?? '', 'success');
  await eventually('the webhook', () =>
    harness.database.prisma.gatewayWebhook.findFirst({ where: { merchantId: merchant.merchantId } }),
  );
  await refunds.runJobs();

  const paid = await refunds.pay(merchant, 'paystack');
  await refunds.request(merchant, paid.paymentId);
  await refunds.runJobs();
  await refunds.end(paid, 'processed');
  await refunds.follow();

  await gateways.setFault('paystack', 'http_500');
  await initiate();
  await gateways.setFault('flutterwave', 'down');
  await initiate();
  await gateways.heal();
  await refunds.initiate(merchant, 'flutterwave');
  await refunds.sweep(new Date(Date.now() + AN_HOUR_MS));
  await settleOverdue(switchyard.payments, rethrow);

  // Work that processes do by their timers.
  await switchyard.payments.webhookArrivals.refresh();
  await switchyard.payments.health.tick();
  await flushKeyUse(switchyard);

  const dispatcher = openDispatcher(switchyard, { onError: rethrow });
  await dispatcher.sweep();
  await eventually('a delivered event', async () => (received.count > 0 ? true : null));
  await dispatcher.stop();
  await received.close();
}

async function receiveEvents(harness: Harness, { merchantId }: TestMerchant) {
  const received = { count: 0, close: async () => void server.close() };
  const server = createServer((request, response) => {
    received.count += 1;
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const command = { merchantId, mode: 'test', description: '', types: [], actor: 'system:test' } as const;
  const outcome = await createEndpoint(harness.switchyard, { ...command, url: `http://127.0.0.1:${port}/hooks` });
  if (outcome.kind !== 'created') throw new Error(`no endpoint was created: ${outcome.kind}`);
  return received;
}

function rethrow(error: unknown): void {
  throw error;
}
