import type { Decision } from '@switchyard/routing';
import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { differencesFromStored } from '../../lists/decisions/decide-again.ts';
import { openTestPayments, type TestPayments } from '../../testing/context.ts';
import { type PastPaymentOptions, recordPayment } from '../../testing/past.ts';
import { findPaymentDecision, readStoredDecision, type StoredPaymentDecision } from './stored-decision.ts';

let context: TestPayments;
let merchantId: string;

beforeAll(async () => {
  context = await openTestPayments();
  ({ merchantId } = await createTestMerchant(context, { 'paystack-main': {}, 'flutterwave-main': { maxAmount: 1_000 } }));
});
afterAll(() => context.close());

async function record(
  options: PastPaymentOptions = {},
  ofMerchant = merchantId,
): Promise<{ made: Decision; stored: StoredPaymentDecision; read: Decision }> {
  const { paymentId, decision: made } = await recordPayment(context, ofMerchant, options);
  const stored = await findPaymentDecision(context.database, [ofMerchant], paymentId);
  const read = stored && (await readStoredDecision(context.database, stored));
  if (stored === null || read === null) throw new Error('what was stored cannot be read');
  return { made, stored, read };
}

describe('a stored decision', () => {
  test.each<PastPaymentOptions>([
    {},
    { amount: 7_500, method: null },
    { requestedGateway: 'flutterwave', amount: 900 },
    { method: 'USSD', customerCountry: 'NG' },
    { fellBack: true, amount: 900 },
  ])('is read back as it was taken, without what fallbacks added: %j', async (options) => {
    const { made, stored, read } = await record(options);
    expect(read).toEqual(made);
    expect(differencesFromStored(stored, read, made)).toEqual([]);
  });

  test('is found for its own merchant only', async () => {
    const { stored } = await record();
    expect(await findPaymentDecision(context.database, [context.newId()], stored.paymentId)).toBeNull();
    expect(await findPaymentDecision(context.database, [], stored.paymentId)).toBeNull();
  });

  test('is read back as it was taken after its accounts were changed and deleted, from the database alone', async () => {
    const own = await createTestMerchant(context, { 'paystack-main': {}, 'flutterwave-main': {} });
    const { made, stored } = await record({ amount: 900 }, own.merchantId);
    const of = { where: { merchantId: own.merchantId } };
    await context.database.prisma.gatewayAccount.updateMany({ ...of, data: { maxAmount: 1n } });
    await context.database.prisma.gatewayAccount.deleteMany(of);
    const { resources } = await context.beside();
    expect(await readStoredDecision(resources.database, stored)).toEqual(made);
  });

  test('in a format of another version is not guessed at', async () => {
    const { stored } = await record();
    for (const routing of [
      null,
      {},
      { ...Object(stored.routing), version: 2 },
      { ...Object(stored.routing), candidates: [{}] },
    ]) {
      expect(await readStoredDecision(context.database, { ...stored, routing })).toBeNull();
    }
    expect(await readStoredDecision(context.database, { ...stored, inputs: {} })).toBeNull();
  });
});

describe('a decision taken again', () => {
  test('is compared in every part of what was stored', async () => {
    const { stored, read } = await record({ amount: 900 });
    const changes: Partial<Decision>[] = [
      { ruleId: 'another' },
      { ruleSetVersion: read.ruleSetVersion + 1 },
      { routingMode: 'requested' },
      { smartRoutingBypassed: !read.smartRoutingBypassed },
      { record: { ...read.record, contextKey: 'NGN|CARD|other' } },
      { record: { ...read.record, candidates: read.record.candidates.toReversed() } },
      { record: { ...read.record, recommended: null } },
    ];
    for (const change of changes) {
      expect(differencesFromStored(stored, read, { ...read, ...change }), JSON.stringify(Object.keys(change))).not.toEqual([]);
    }
  });
});
