import { detectIncidents } from '@switchyard/alerts/detect';
import { setOverride } from '@switchyard/rule-sets/overrides';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TestMerchant } from '../harness/merchants.ts';
import { type Drill, startDrill } from './drill.ts';

const SAID_WITHIN_SECONDS = 30;
/** An incident closes once its condition has been gone for thirty seconds, and is looked at every five here. */
const CLOSED_WITHIN_SECONDS = SAID_WITHIN_SECONDS + 35;

let drill: Drill;
// Each on its own: accounts of several merchants that fail together are one incident.
beforeEach(async () => {
  drill = await startDrill();
});
afterEach(() => drill.close());

async function countOpen({ merchantId, accounts }: TestMerchant): Promise<number> {
  const { payments, resources } = drill.harness.switchyard;
  await detectIncidents({ ...payments, resources });
  return drill.harness.database.prisma.incident.count({ where: { merchantId, subject: accounts.paystack, closedAt: null } });
}

/** Seconds of the drill's clock until something is so. */
async function secondsUntil(maxSeconds: number, isSo: () => boolean | Promise<boolean>): Promise<number> {
  const begin = drill.now().getTime();
  const passed = () => (drill.now().getTime() - begin) / 1_000;
  while (!(await isSo())) {
    if (passed() >= maxSeconds) throw new Error(`it was not so after ${maxSeconds} seconds`);
    await drill.quiet(5);
  }
  return passed();
}

async function drain({ merchantId, accounts: { paystack: accountId } }: TestMerchant): Promise<void> {
  const command = { merchantId, accountId, method: null, action: 'drain', reason: 'Gateway outage', actor: 'staff:ada' } as const;
  await setOverride(drill.harness.switchyard.payments, { ...command, startsAt: null, expiresAt: null });
}

describe.each([60, 900])('after an outage of %d seconds without a checkout since', (outageSeconds) => {
  test('an account that was drained is said to answer again, its incident closes, and it is not healthy before a checkout', async () => {
    const drained = await drill.harness.merchant();
    await drill.seconds(drained, 15);
    await drill.harness.gateways.setFault('paystack', 'down');
    await drill.seconds(drained, 15);
    await drain(drained);
    expect(await countOpen(drained)).toBe(1);
    await drill.quiet(outageSeconds);
    expect(await countOpen(drained)).toBe(1);

    await drill.harness.gateways.heal();
    const isSaid = () => {
      const own = drill.harness.switchyard.payments.health.details(drained.merchantId);
      return own.every(({ health: { state }, answersSince }) => state === 'healthy' || answersSince !== null);
    };
    const said = await secondsUntil(120, isSaid);
    const closed = said + (await secondsUntil(120, async () => (await countOpen(drained)) === 0));
    expect(said).toBeLessThanOrEqual(SAID_WITHIN_SECONDS);
    expect(closed).toBeLessThanOrEqual(CLOSED_WITHIN_SECONDS);
    expect(drill.state(drill.harness, drained, 'paystack')).toBe('probing');
  });

  test('the account of an idle merchant is healthy', async () => {
    const idle = await drill.harness.merchant();
    const busy = await drill.harness.merchant();
    await drill.seconds(idle, 1);
    await drill.quiet(330);
    await drill.harness.gateways.setFault('paystack', 'down');
    await drill.seconds(busy, 15);
    await drain(busy);
    await drill.quiet(outageSeconds);
    expect(drill.state(drill.harness, idle, 'paystack')).toBe('down');

    await drill.harness.gateways.heal();
    const isHealthy = () => ['healthy', 'unseen'].includes(drill.state(drill.harness, idle, 'paystack'));
    expect(await secondsUntil(300, isHealthy)).toBeLessThanOrEqual(SAID_WITHIN_SECONDS);
  });
});

test('an account whose status checks were answered all along keeps its incident while it is drained', async () => {
  const drained = await drill.harness.merchant();
  await drill.seconds(drained, 15);
  await drill.harness.gateways.failCreating('paystack');
  await drill.seconds(drained, 15);
  await drain(drained);
  expect(await countOpen(drained)).toBe(1);
  await drill.harness.gateways.heal();
  await drill.quiet(600);
  expect(await countOpen(drained)).toBe(1);
});
