import { reloadConfiguration } from '@switchyard/merchants/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { watchHealth } from '../monitor/watch-health.ts';
import { type HealthScene, openHealthScene, timedOut, well } from '../testing/health-scene.ts';
import { type AccountOverview, describeHealth } from './describe-health.ts';

let scene: HealthScene;

beforeAll(async () => {
  scene = await openHealthScene();
});
afterAll(() => scene.context.close());
beforeEach(() => scene.begin());

async function overview(label: string): Promise<AccountOverview> {
  const { accounts } = await describeHealth(scene.context, scene.scope());
  const found = accounts.find((account) => account.label === label);
  if (found === undefined) throw new Error(`${label} is not told of`);
  return found;
}

describe('an overview', () => {
  test('tells every account and each of its methods, and who speaks for a method of which little is known', async () => {
    await scene.see('paystack-main', well, 30);
    const { health } = await overview('paystack-main');
    expect(health.map(({ method, judgedBy, succeeded }) => [method, judgedBy, succeeded])).toEqual([
      [null, 'method', 30],
      ['CARD', 'method', 30],
      ['TRANSFER', 'account', 0],
      ['USSD', 'account', 0],
    ]);
    expect(health[0]?.why).toBe('Healthy: 30 of 30 checkouts answered in 5 min (Paystack, all methods).');
    expect((await overview('flutterwave-main')).health[0]).toMatchObject({
      why: 'Not enough data: no checkouts yet.',
      since: null,
    });
  });

  test('says of an account that is down since when, why and with what figures', async () => {
    await scene.see('paystack-main', well, 4);
    scene.later(20_000);
    await scene.see('paystack-main', timedOut, 12);
    expect((await overview('paystack-main')).health[1]).toMatchObject({
      method: 'CARD',
      state: 'down',
      why: 'Down since 14:00 UTC: 12 of 12 checkouts timed out in 1 s (Paystack, card).',
      since: scene.now,
      faulted: 12,
      probesLeft: 0,
    });
  });

  test('says of an account whose gateway refuses its credentials that it is out of rotation, and what to do', async () => {
    const { merchantId } = scene.merchant;
    expect((await overview('paystack-main')).fault).toBeNull();
    await scene.context.database.prisma.gatewayAccount.updateMany({
      where: { merchantId, label: 'paystack-main' },
      data: { configurationFault: 'CREDENTIALS', configurationFaultMessage: 'Invalid key', configurationFaultAt: scene.now },
    });
    await reloadConfiguration(scene.context, merchantId);
    expect((await overview('paystack-main')).fault).toEqual({
      kind: 'credentials',
      since: scene.now,
      sentence: 'Paystack refuses its credentials; replace them, or test the connection.',
      message: 'Invalid key',
    });
  });

  test("holds the overrides that have not ended, and nobody else's accounts", async () => {
    await scene.override('drain');
    await scene.override('force', { expiresAt: new Date(scene.now.getTime() + 60_000) });
    expect((await overview('paystack-main')).overrides.map(({ action }) => action)).toEqual(['drain', 'force']);
    scene.later(60_000);
    expect((await overview('paystack-main')).overrides.map(({ action }) => action)).toEqual(['drain']);
    expect((await describeHealth(scene.context, { merchantIds: [], mode: 'test' })).accounts).toEqual([]);
    expect((await describeHealth(scene.context, { ...scene.scope(), mode: 'live' })).accounts).toEqual([]);
  });

  test('names the same trouble at two gateways at once', async () => {
    await scene.see('paystack-main', timedOut, 12);
    expect((await describeHealth(scene.context, scene.scope())).trouble).toEqual([]);
    await scene.see('flutterwave-main', timedOut, 12);
    const { trouble } = await describeHealth(scene.context, scene.scope());
    expect(trouble.find(({ method }) => method === 'CARD')).toMatchObject({
      gateways: ['Paystack', 'Flutterwave'],
      message: expect.stringMatching(/^Trouble with card at 2 gateways at once/),
    });
  });
});

test("an account is judged by its merchant's own thresholds, in its own mode, as soon as they are in force", async () => {
  const { merchantId } = scene.merchant;
  const written = { merchantId, revision: 1, updatedBy: 'staff:ada', updatedAt: scene.now };
  const { healthThresholdSet } = scene.context.database.prisma;
  await healthThresholdSet.create({ data: { ...written, mode: 'live', changes: { hardFaults: 2 } } });
  await reloadConfiguration(scene.context, merchantId);
  await scene.see('paystack-main', timedOut, 3);
  expect((await overview('paystack-main')).health[1]).toMatchObject({ judgedBy: 'account', state: 'healthy' });
  await healthThresholdSet.create({ data: { ...written, mode: 'test', changes: { hardFaults: 3, forgotten: 1 } } });
  await reloadConfiguration(scene.context, merchantId);
  await scene.context.health.tick();
  expect((await overview('paystack-main')).health[0]?.state).toBe('healthy');
  await healthThresholdSet.updateMany({ where: { merchantId, mode: 'test' }, data: { changes: { hardFaults: 3 } } });
  await reloadConfiguration(scene.context, merchantId);
  await scene.context.health.tick();
  expect((await overview('paystack-main')).health[1]).toMatchObject({ method: 'CARD', state: 'down', faulted: 3 });
});

test('a watch tells what it sees first, then only what has changed, and ends when nobody listens', async () => {
  const stop = new AbortController();
  const watch = watchHealth(scene.context, scene.scope, stop.signal, 1);
  const first = await watch.next();
  expect(first.value?.accounts).toHaveLength(2);
  const second = watch.next();
  await scene.see('paystack-main', timedOut, 12);
  expect((await second).value?.accounts[0]?.health[0]?.state).toBe('down');
  const third = watch.next();
  stop.abort();
  expect(await third).toEqual({ done: true, value: undefined });
});
