import type { CheckoutSession, Outcome, ReceivedPayment } from '@switchyard/gateways';
import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPayment } from '../../record/statements.ts';
import { openTestPayments, type TestPayments, TIMED_OUT, withGateways } from '../../testing/context.ts';
import { recordPayment } from '../../testing/past.ts';
import { resumeInitiation } from './resume-initiation.ts';

const MINUTE_MS = 60_000;

let context: TestPayments;
beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());

const { call } = TIMED_OUT;
const notThere: Outcome<ReceivedPayment> = {
  outcome: 'unknown',
  failure: { class: 'customer', code: 'not_found', message: 'There is no such transaction.' },
  call,
};
const refused: Outcome<CheckoutSession> = {
  outcome: 'no',
  failure: { class: 'our_configuration', code: 'request_rejected', message: 'The gateway refused it.' },
  call,
};
const opened: Outcome<CheckoutSession> = {
  outcome: 'yes',
  value: { reference: 'r', redirectUrl: 'https://checkout.paystack.com/r', accessCode: 'r', raw: {} },
  call,
};

/**
 * Resumes a payment that a process left while it opened its one checkout, with a gateway that answers the look-up and the opening so. Its
 * session ends so long from now.
 */
async function resume(found: Outcome<ReceivedPayment>, opening: Outcome<CheckoutSession>, leftMs: number) {
  const { merchantId } = await createTestMerchant(context, { 'paystack-main': {} });
  const { paymentId } = await recordPayment(context, merchantId);
  const { prisma } = context.database;
  const { reference } = await prisma.attempt.findFirstOrThrow({ where: { merchantId, paymentId } });
  const expiresAt = new Date(context.now().getTime() + leftMs);
  await prisma.payment.updateMany({ where: { merchantId, id: paymentId }, data: { status: 'INITIATED', expiresAt } });
  await prisma.attempt.updateMany({ where: { merchantId, paymentId }, data: { state: 'STARTED' } });
  const asked: string[] = [];
  const through = withGateways(context, () => ({
    verify: async (_access, query) => {
      asked.push(`verify ${query.reference === reference}`);
      return found;
    },
    open: async (_access, order) => {
      asked.push(`open ${order.reference === reference}`);
      return opening;
    },
  }));
  const payment = await readPayment(context.database, merchantId, paymentId);
  if (payment === undefined) throw new Error('it was recorded');
  const { answered } = await resumeInitiation(through, payment, { cause: 'schedule', timings: { add: () => undefined } });
  const after = await prisma.payment.findUniqueOrThrow({
    where: { merchantId_id: { merchantId, id: paymentId } },
    include: { attempts: true },
  });
  return { answered, asked, status: after.status, reason: after.failureReason, states: after.attempts.map(({ state }) => state) };
}

test('a checkout that its gateway does not have is opened after all, under the same reference', async () => {
  expect(await resume(notThere, opened, MINUTE_MS)).toMatchObject({
    answered: true,
    asked: ['verify true', 'open true'],
    status: 'PENDING',
    states: ['OPENED'],
  });
});

test('a refusal of the second opening does not prove that the first opened nothing', async () => {
  expect(await resume(notThere, refused, MINUTE_MS)).toMatchObject({ status: 'FAILED', states: ['UNKNOWN'] });
});

test('a checkout that may be open is not opened again, and its payment waits for the answer of its last gateway', async () => {
  const silent = { answered: false, asked: ['verify true'], status: 'INITIATED', states: ['STARTED'] };
  expect(await resume(TIMED_OUT, opened, MINUTE_MS)).toMatchObject(silent);
  expect(await resume(TIMED_OUT, opened, 0)).toMatchObject(silent);
});

test('a session that has ended opens nothing, and fails once its gateway has answered', async () => {
  expect(await resume(notThere, opened, 0)).toMatchObject({
    answered: true,
    asked: ['verify true'],
    status: 'FAILED',
    reason: 'session_expired',
    states: ['UNKNOWN'],
  });
});
