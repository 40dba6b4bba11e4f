import { createHmac } from 'node:crypto';
import { createTestMerchant, type TestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestPayments, type TestPayments } from '../testing/context.ts';
import { recordPayment } from '../testing/past.ts';
import { findLostFollowUps } from './find-lost-follow-ups.ts';
import { markGatewayWebhookProcessed } from './queries.ts';
import { receiveGatewayWebhook } from './receive-webhook.ts';

const SECRET_KEY = 'sk_test_0123456789abcdef';
const LATER_MS = 6_000;

let context: TestPayments;
let merchant: TestMerchant;

beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());
beforeEach(async () => {
  merchant = await createTestMerchant(context, { 'paystack-main': {} });
});

/** Receives a genuine webhook about a payment; returns its id once its job is in the queue. */
async function receiveOne(): Promise<string> {
  const { merchantId } = merchant;
  const { paymentId } = await recordPayment(context, merchantId);
  const { reference } = await context.database.prisma.attempt.findFirstOrThrow({ where: { paymentId } });
  const body = Buffer.from(JSON.stringify({ event: 'charge.success', data: { id: 1, reference, status: 'success' } }));
  const headers = { 'x-paystack-signature': createHmac('sha512', SECRET_KEY).update(body).digest('hex') };
  const accountId = merchant.accounts['paystack-main'] ?? '';
  await receiveGatewayWebhook(context, { gateway: 'paystack', accountId, delivery: { body, headers } });
  const { id } = await context.database.prisma.gatewayWebhook.findFirstOrThrow({ where: { merchantId, reference } });
  await expect.poll(() => jobsOf(id)).toEqual([0]);
  return id;
}

/** The jobs of a webhook, each by the number of its attempts. */
async function jobsOf(webhookId: string): Promise<number[]> {
  const { rows } = await context.database.pool.query<{ attempts: number }>(
    `SELECT attempts FROM graphile_worker._private_jobs WHERE payload->>'webhookId' = $1`,
    [webhookId],
  );
  return rows.map(({ attempts }) => attempts);
}

const jobs = (change: string, webhookId: string) =>
  context.database.pool.query(`${change} WHERE payload->>'webhookId' = $1`, [webhookId]);
const loseJob = (webhookId: string) => jobs('DELETE FROM graphile_worker._private_jobs', webhookId);
const look = () => findLostFollowUps(context);

function pass(milliseconds: number): void {
  context.setClock(new Date(context.now().getTime() + milliseconds));
}

test('a webhook whose job was lost gets another a few seconds after it was received, and one only', async () => {
  const webhookId = await receiveOne();
  await loseJob(webhookId);
  expect(await look()).toBe(0);
  pass(LATER_MS);
  expect(await Promise.all([look(), look()])).toContain(1);
  expect(await jobsOf(webhookId)).toEqual([0]);
  await loseJob(webhookId);
  pass(LATER_MS);
  expect([await look(), await jobsOf(webhookId)]).toEqual([0, []]);
});

test('a webhook whose job runs, or waits for its next attempt, gets no second one', async () => {
  const webhookId = await receiveOne();
  await jobs("UPDATE graphile_worker._private_jobs SET attempts = 3, locked_at = now(), locked_by = 'worker'", webhookId);
  pass(LATER_MS);
  expect([await look(), await jobsOf(webhookId)]).toEqual([1, [3]]);
});

test('a webhook that was followed up is not looked at again', async () => {
  const webhookId = await receiveOne();
  await loseJob(webhookId);
  await markGatewayWebhookProcessed(context.database, merchant.merchantId, webhookId, context.now());
  pass(LATER_MS);
  expect([await look(), await jobsOf(webhookId)]).toEqual([0, []]);
});

test('a worker that ends between looking and adding the job leaves it to the next, half a minute later', async () => {
  const webhookId = await receiveOne();
  await loseJob(webhookId);
  pass(LATER_MS);
  const { pool } = context.database;
  await pool.query('ALTER TABLE graphile_worker._private_tasks RENAME TO away');
  await expect(look()).rejects.toThrow('_private_tasks');
  await pool.query('ALTER TABLE graphile_worker.away RENAME TO _private_tasks');
  expect([await look(), await jobsOf(webhookId)]).toEqual([0, []]);
  pass(31_000);
  expect([await look(), await jobsOf(webhookId)]).toEqual([1, [0]]);
});
