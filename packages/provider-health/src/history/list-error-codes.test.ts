import { newId } from '@switchyard/db';
import type { Outcome } from '@switchyard/gateways';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ageOutGatewayCodes } from '../monitor/gateway-codes.ts';
import { createHealthFixture, type HealthFixture, openTestHealth, type TestHealth } from '../testing/health-fixture.ts';
import { findUnknownErrorCodes, listErrorCodes } from './list-error-codes.ts';

let context: TestHealth;
let fixture: HealthFixture<TestHealth>;
beforeAll(async () => {
  context = await openTestHealth();
  fixture = createHealthFixture(context);
});
beforeEach(() => fixture.begin());
afterAll(() => context.close());

const call = { method: 'POST', url: '', httpStatus: 400, latencyMs: 1, request: null, answer: null, retryAfterMs: null };
const refusedWith = (gatewayCode?: string): Outcome<unknown> => ({
  outcome: 'no',
  failure: {
    class: 'our_configuration',
    code: 'request_rejected',
    message: 'x',
    ...(gatewayCode !== undefined && { gatewayCode }),
  },
  call,
});

function answer(code: string | undefined, paymentId: string, health = context.health) {
  const { merchantId } = fixture.merchant;
  const at = { merchantId, accountId: fixture.id('paystack-main'), gateway: 'paystack', operation: 'open', paymentId } as const;
  health.observeAnswer(at, refusedWith(code));
}

const came = async () => (await listErrorCodes(context, context.database, fixture.scope())).filter(({ total }) => total > 0);

test('a code is counted by account, operation and day, and those of all processes are added up', async () => {
  const other = await context.beside();
  const firstAt = fixture.now;
  answer('duplicate_reference', newId());
  answer('duplicate_reference', newId());
  answer(undefined, newId());
  answer('duplicate_reference', newId(), other.health);
  await context.health.tick();
  await other.health.tick();
  fixture.later(2 * 86_400_000);
  answer('duplicate_reference', newId());
  await context.health.tick();
  expect(await came()).toMatchObject([
    {
      gateway: 'paystack',
      code: 'duplicate_reference',
      meaning: 'ours',
      total: 4,
      firstAt,
      lastAt: fixture.now,
      paymentIds: [],
      counts: [{ operation: 'open', count: 4 }],
    },
  ]);
  expect(await context.database.prisma.gatewayCode.count({ where: { merchantId: fixture.merchant.merchantId } })).toBe(2);
});

test('a code that no table has is found, with the payments that it came for, at its own merchant', async () => {
  const [one, two] = [newId(), newId()];
  const firstAt = fixture.now;
  answer('E77', one);
  await context.health.tick();
  fixture.later(3_600_000);
  answer('E77', two);
  await context.health.tick();
  expect(await came()).toMatchObject([{ code: 'E77', meaning: 'unknown', section: null, total: 2, paymentIds: [two, one] }]);
  const { merchantId } = fixture.merchant;
  expect(await findUnknownErrorCodes(context, [merchantId])).toMatchObject([
    { merchantId, code: 'E77', count: 2, payments: 2, gateway: 'paystack', mode: 'test', firstAt, lastAt: fixture.now },
  ]);
  expect(await findUnknownErrorCodes(context, [newId()])).toEqual([]);
});

test('of a code at most twenty payments are kept, the latest first', async () => {
  const ids = Array.from({ length: 30 }, () => newId());
  for (const id of ids) {
    answer('E77', id);
    if (id === ids[9]) await context.health.tick();
  }
  await context.health.tick();
  expect((await came())[0]?.paymentIds).toEqual(ids.slice(10).reverse());
});

test('counts of more than thirty days ago are not shown, and age out', async () => {
  answer('E77', newId());
  await context.health.tick();
  const { merchantId } = fixture.merchant;
  fixture.later(32 * 86_400_000);
  expect(await came()).toEqual([]);
  expect(await findUnknownErrorCodes(context, [merchantId])).toEqual([]);
  await ageOutGatewayCodes(context.database, fixture.now, 1_000);
  expect(await context.database.prisma.gatewayCode.count({ where: { merchantId } })).toBe(0);
});
