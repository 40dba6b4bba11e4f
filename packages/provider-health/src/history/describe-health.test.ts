import { describeHealthReason, UTC_CLOCK } from '@switchyard/routing';
import { reloadConfiguration } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { watchHealth } from '../index.ts';
import { type HealthFixture, openHealthFixture, timedOut, well } from '../testing/health-fixture.ts';
import { type AccountOverview, describeHealth } from './describe-health.ts';

let fixture: HealthFixture;

beforeAll(async () => {
  fixture = await openHealthFixture();
});
afterAll(() => fixture.context.close());
beforeEach(() => fixture.begin());

async function overview(label: string): Promise<AccountOverview> {
  const { accounts } = await describeHealth(fixture.context, fixture.scope());
  const found = accounts.find((account) => account.label === label);
  if (found === undefined) throw new Error(`${label} is not in the overview`);
  return found;
}

describe('an overview', () => {
  test('shows every account and each of its methods, and which health applies to a method with little evidence', async () => {
    await fixture.see('paystack-main', well, 30);
    const { health } = await overview('paystack-main');
    expect(health.map(({ method, judgedBy, succeeded }) => [method, judgedBy, succeeded])).toEqual([
      [null, 'method', 30],
      ['CARD', 'method', 30],
      ['TRANSFER', 'account', 0],
      ['USSD', 'account', 0],
    ]);
    expect(describeHealthReason(health[0]?.why ?? null, UTC_CLOCK)).toBe(
      'Healthy: 30 of 30 checkouts succeeded in 5 min (Paystack, all methods).',
    );
    expect((await overview('flutterwave-main')).health[0]).toMatchObject({
      why: { code: 'unused' },
      since: null,
    });
  });

  test('shows since when an account is down, why and with what figures', async () => {
    await fixture.see('paystack-main', well, 4);
    fixture.later(20_000);
    await fixture.see('paystack-main', timedOut, 12);
    const card = (await overview('paystack-main')).health[1];
    expect(describeHealthReason(card?.why ?? null, UTC_CLOCK)).toBe(
      'Down since 14:00 UTC: 12 of 12 checkouts timed out in 1 s (Paystack, card).',
    );
    expect(card).toMatchObject({
      method: 'CARD',
      state: 'down',
      since: fixture.now,
      faulted: 12,
      probesLeft: 0,
    });
  });

  test('shows that an account whose gateway refuses its credentials is out of rotation, and what to do', async () => {
    const { merchantId } = fixture.merchant;
    expect((await overview('paystack-main')).fault).toBeNull();
    await fixture.context.database.prisma.gatewayAccount.updateMany({
      where: { merchantId, label: 'paystack-main' },
      data: { configurationFault: 'CREDENTIALS', configurationFaultMessage: 'Invalid key', configurationFaultAt: fixture.now },
    });
    await reloadConfiguration(fixture.context, merchantId);
    expect((await overview('paystack-main')).fault).toEqual({
      kind: 'credentials',
      since: fixture.now,
      sentence: 'Paystack refuses its credentials; replace them, or test the connection.',
      message: 'Invalid key',
    });
  });

  test("has the overrides that have not ended, and no other merchant's accounts", async () => {
    await fixture.override('drain');
    await fixture.override('force', { expiresAt: new Date(fixture.now.getTime() + 60_000) });
    expect((await overview('paystack-main')).overrides.map(({ action }) => action)).toEqual(['drain', 'force']);
    fixture.later(60_000);
    expect((await overview('paystack-main')).overrides.map(({ action }) => action)).toEqual(['drain']);
    expect((await describeHealth(fixture.context, { merchantIds: [], mode: 'test' })).accounts).toEqual([]);
    expect((await describeHealth(fixture.context, { ...fixture.scope(), mode: 'live' })).accounts).toEqual([]);
  });

  test('reports a method that fails at two gateways at once', async () => {
    await fixture.see('paystack-main', timedOut, 12);
    expect((await describeHealth(fixture.context, fixture.scope())).trouble).toEqual([]);
    await fixture.see('flutterwave-main', timedOut, 12);
    const { trouble } = await describeHealth(fixture.context, fixture.scope());
    expect(trouble.find(({ method }) => method === 'CARD')).toMatchObject({
      gateways: [{ gateway: 'Paystack' }, { gateway: 'Flutterwave' }],
    });
  });
});

test("an account is assessed by its merchant's own thresholds, in its own mode, as soon as they are in force", async () => {
  const { merchantId } = fixture.merchant;
  const written = { merchantId, revision: 1, updatedBy: 'staff:ada', updatedAt: fixture.now };
  const { healthThresholdSet } = fixture.context.database.prisma;
  await healthThresholdSet.create({ data: { ...written, mode: 'live', changes: { hardFaults: 2 } } });
  await reloadConfiguration(fixture.context, merchantId);
  await fixture.see('paystack-main', timedOut, 3);
  expect((await overview('paystack-main')).health[1]).toMatchObject({ judgedBy: 'account', state: 'healthy' });
  await healthThresholdSet.create({ data: { ...written, mode: 'test', changes: { hardFaults: 3, forgotten: 1 } } });
  await reloadConfiguration(fixture.context, merchantId);
  await fixture.context.health.tick();
  expect((await overview('paystack-main')).health[0]?.state).toBe('healthy');
  await healthThresholdSet.updateMany({ where: { merchantId, mode: 'test' }, data: { changes: { hardFaults: 3 } } });
  await reloadConfiguration(fixture.context, merchantId);
  await fixture.context.health.tick();
  expect((await overview('paystack-main')).health[1]).toMatchObject({ method: 'CARD', state: 'down', faulted: 3 });
});

test('a watch yields the present health, then only changes, and ends when it is aborted', async () => {
  const stop = new AbortController();
  const watch = watchHealth(fixture.context, fixture.scope, stop.signal, 1);
  const first = await watch.next();
  expect(first.value?.accounts).toHaveLength(2);
  const second = watch.next();
  await fixture.see('paystack-main', timedOut, 12);
  expect((await second).value?.accounts[0]?.health[0]?.state).toBe('down');
  const third = watch.next();
  stop.abort();
  expect(await third).toEqual({ done: true, value: undefined });
});
