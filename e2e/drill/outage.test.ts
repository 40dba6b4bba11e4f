import { explainRouting } from '@switchyard/payments/console/routing';
import { listHealthFeed } from '@switchyard/provider-health/console';
import { setOverride } from '@switchyard/rule-sets/overrides';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Payment, readPayment } from '../harness/contract.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import { order } from '../harness/orders.ts';
import { type Drill, firstChoice, startDrill } from './drill.ts';

const MINIMUM_SAMPLE = 10;
const OUT_WITHIN_SECONDS = 15;
const REPLICA_WITHIN_SECONDS = 2;

let drill: Drill;
beforeAll(async () => {
  drill = await startDrill();
});
afterAll(() => drill.close());
afterEach(() => drill.harness.gateways.heal());

/** Lets a payment a second pass until `isOver`; gives what was paid, and fails after `maxSeconds` seconds. */
async function until(merchant: TestMerchant, maxSeconds: number, isOver: (latest: Payment) => boolean): Promise<Payment[]> {
  const made: Payment[] = [];
  for (let second = 0; second < maxSeconds; second++) {
    const [payment] = await drill.second(merchant, 1);
    if (payment === undefined) throw new Error('no payment was made');
    made.push(payment);
    if (isOver(payment)) return made;
  }
  throw new Error(`it was not over after ${maxSeconds} seconds: ${made.map(firstChoice).join(' ')}`);
}

function secondsSince(begin: Date): number {
  return (drill.now().getTime() - begin.getTime()) / 1_000;
}

async function feedOf({ merchantId, accounts }: TestMerchant): Promise<string[]> {
  const query = { merchantIds: [merchantId], mode: 'test', accountId: accounts.paystack, after: null, limit: 200 } as const;
  const { items } = await listHealthFeed(drill.harness.switchyard.payments, query);
  const moves = items.filter(
    ({ kind, method, fromState, toState }) => kind === 'health' && method === 'CARD' && fromState !== toState,
  );
  return moves.map(({ toState }) => toState ?? '').reverse();
}

describe('a gateway that goes down', () => {
  test.each([0, 3, 7])(
    'is out of rotation within the minimum sample and 15 seconds, begun %d seconds into a bucket, while its fallback serves every payment',
    async (offset) => {
      const merchant = await drill.harness.merchant();
      const calm = await drill.seconds(merchant, 30 + ((10 + offset - (drill.now().getSeconds() % 10)) % 10));
      expect(new Set(calm.map(firstChoice))).toEqual(new Set(['paystack']));

      await drill.harness.gateways.setFault('paystack', 'down');
      const begin = drill.now();
      const tried = await until(merchant, 60, (payment) => firstChoice(payment) !== 'paystack');
      expect(tried.length - 1).toBeLessThanOrEqual(MINIMUM_SAMPLE);
      expect(secondsSince(begin)).toBeLessThanOrEqual(OUT_WITHIN_SECONDS);
      expect(new Set(tried.map(({ status }) => status))).toEqual(new Set(['PENDING']));
      expect(new Set(tried.map((payment) => payment.recommendedGateway.name))).toEqual(new Set(['flutterwave']));
      expect(tried[0]?.routing.reasons.map(({ code }) => code)).toContain('gateway_failed_connection_refused');
      expect(tried.at(-1)?.routing.reasons).toContainEqual(expect.objectContaining({ code: 'account_down', category: 'health' }));
    },
  );

  test('is marked as down by another process within 2 seconds, and its payments go elsewhere too', async () => {
    const merchant = await drill.harness.merchant();
    await drill.seconds(merchant, 30);
    await drill.harness.gateways.setFault('paystack', 'down');
    await until(merchant, 60, () => drill.state(drill.harness, merchant, 'paystack') === 'down');
    const seenHere = drill.now();
    expect(drill.state(drill.replica, merchant, 'paystack')).not.toBe('down');
    while (drill.state(drill.replica, merchant, 'paystack') !== 'down' && secondsSince(seenHere) < 10)
      await drill.second(merchant, 1);
    expect(secondsSince(seenHere)).toBeLessThanOrEqual(REPLICA_WITHIN_SECONDS);

    const request = { key: merchant.testKey, body: order() };
    const payment = readPayment(await drill.replica.send('node', 'POST', '/v1/payments/initiate', request));
    expect([firstChoice(payment), payment.status]).toEqual(['flutterwave', 'PENDING']);
  });

  test('comes back by itself after it has recovered, first with single payments, then with all', async () => {
    const merchant = await drill.harness.merchant();
    await drill.seconds(merchant, 30);
    await drill.harness.gateways.setFault('paystack', 'down');
    await until(merchant, 60, () => drill.state(drill.harness, merchant, 'paystack') === 'down');
    const outage = await drill.seconds(merchant, 30);
    await drill.harness.gateways.heal();
    const recovery = await until(merchant, 400, () => drill.state(drill.harness, merchant, 'paystack') === 'healthy');
    const after = await drill.seconds(merchant, 20);

    expect(new Set(after.map(firstChoice))).toEqual(new Set(['paystack']));
    const probes = recovery.filter((payment) => firstChoice(payment) === 'paystack');
    expect(probes.map((payment) => payment.recommendedGateway.name)).toEqual(['paystack', 'paystack', 'paystack']);
    expect(new Set([...outage, ...recovery].map(({ status }) => status))).toEqual(new Set(['PENDING']));
    const moves = await feedOf(merchant);
    expect([moves[0], moves.at(-2), moves.at(-1)]).toEqual(['down', 'probing', 'healthy']);
  });

  test('is not assessed without payments, and recovers with the first payments', async () => {
    const merchant = await drill.harness.merchant();
    await drill.seconds(merchant, 12);
    await drill.harness.gateways.setFault('paystack', 'down');
    await until(merchant, 60, () => drill.state(drill.harness, merchant, 'paystack') === 'down');
    await drill.harness.gateways.heal();
    await drill.quiet(400);
    expect(drill.state(drill.harness, merchant, 'paystack')).toBe('probing');
    const first = await drill.seconds(merchant, 10);
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set(['PENDING']));
    expect(drill.state(drill.harness, merchant, 'paystack')).toBe('healthy');
  });

  test('moves back for merchants who have had no payments meanwhile, and is theirs again when their own succeed there', async () => {
    const busy = await drill.harness.merchant({ learnsFromOthers: true });
    const quiet = await drill.harness.merchant({ learnsFromOthers: true });
    await drill.seconds(busy, 30);
    await drill.harness.gateways.setFault('paystack', 'down');
    await until(busy, 60, () => drill.state(drill.harness, busy, 'paystack') === 'down');
    const [shielded] = await drill.second(quiet, 1);
    expect([shielded?.status, shielded && firstChoice(shielded)]).toEqual(['PENDING', 'flutterwave']);
    expect(shielded?.routing.reasons.some(({ message }) => message.includes('checkouts of other merchants failed'))).toBe(true);
    expect(drill.state(drill.replica, quiet, 'paystack')).toBe('down');

    await drill.harness.gateways.heal();
    await drill.harness.gateways.setFault('flutterwave', 'down');
    for (let n = 0; n < 12; n++) await drill.second(quiet, 1);
    await drill.harness.gateways.heal();
    const [own] = await drill.second(quiet, 1);
    expect(own && firstChoice(own)).toBe('paystack');
  });
});

describe('what is no outage', () => {
  test('no number of customers whose payment is declined moves a gateway', async () => {
    const merchant = await drill.harness.merchant();
    const made = await drill.seconds(merchant, 25);
    for (const payment of made) {
      await drill.harness.gateways.settle('paystack', payment.recommendedGateway.session?.reference ?? '', 'failed');
      expect(await drill.verify(merchant, payment)).toBe('PENDING');
    }
    expect(new Set((await drill.seconds(merchant, 20)).map(firstChoice))).toEqual(new Set(['paystack']));
    expect(drill.state(drill.harness, merchant, 'paystack')).toBe('healthy');
    expect(await feedOf(merchant)).toEqual([]);
  });
});

test('a gateway that fails look-ups stays while it opens checkouts, and goes out of rotation when it opens none', async () => {
  const merchant = await drill.harness.merchant();
  const made = await drill.seconds(merchant, 12);
  await drill.harness.gateways.setFault('paystack', 'http_500');
  for (const payment of made) expect(await drill.verify(merchant, payment)).toBe('PENDING');
  await drill.second(merchant, 0);
  expect(drill.state(drill.harness, merchant, 'paystack')).toBe('healthy');
  // Once out of rotation it pauses, is probed again and returns, for as long as look-ups fail.
  await drill.quiet(330, () => drill.state(drill.harness, merchant, 'paystack') === 'down');
  expect(drill.state(drill.harness, merchant, 'paystack')).toBe('down');
  const [payment] = await drill.second(merchant, 1);
  expect(payment === undefined ? null : firstChoice(payment)).toBe('flutterwave');

  await drill.harness.gateways.heal();
  await drill.quiet(400);
  expect(drill.state(drill.harness, merchant, 'paystack')).toBe('healthy');
});

test('no payment is lost where the account that is down works again before it is trusted, and the healthy one fails', async () => {
  const merchant = await drill.harness.merchant();
  await drill.seconds(merchant, 30);
  await drill.harness.gateways.setFault('paystack', 'down');
  await until(merchant, 60, () => drill.state(drill.harness, merchant, 'paystack') === 'down');
  await drill.harness.gateways.heal();
  await drill.harness.gateways.setFault('flutterwave', 'http_500');
  const [payment] = await drill.second(merchant, 1);
  expect(payment).toMatchObject({
    status: 'PENDING',
    recommendedGateway: { name: 'paystack' },
    routing: { recommended: { provider: 'flutterwave' } },
  });
  expect(payment?.routing.candidates.map(({ provider, eligible }) => [provider, eligible])).toEqual([
    ['flutterwave', true],
    ['paystack', true],
  ]);
  const others = await drill.seconds(merchant, 20);
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set(['PENDING']));
});

test('while everything is down, all accounts are tried, the best chance first, and one serves as soon as it can', async () => {
  const merchant = await drill.harness.merchant();
  await drill.seconds(merchant, 30);
  await drill.harness.gateways.setFault('paystack', 'down');
  await until(merchant, 60, () => drill.state(drill.harness, merchant, 'paystack') === 'down');
  await drill.seconds(merchant, 60);
  await drill.harness.gateways.setFault('flutterwave', 'down');
  await until(merchant, 120, () =>
    (['paystack', 'flutterwave'] as const).every((gateway) => drill.state(drill.harness, merchant, gateway) !== 'healthy'),
  );
  const stillDown = await until(merchant, 60, ({ routing }) => routing.reasons.some(({ code }) => code === 'no_healthy_account'));
  const last = stillDown.at(-1);
  expect([last?.status, last?.routing.recommended?.provider]).toEqual(['FAILED', 'flutterwave']);
  const failed = last?.routing.reasons.filter(({ category }) => category === 'fallback').map(({ title }) => title);
  expect(failed).toEqual(['flutterwave failed', 'paystack failed']);

  await drill.harness.gateways.heal();
  const [served] = await drill.second(merchant, 1);
  expect(served).toMatchObject({ status: 'PENDING', recommendedGateway: { name: 'flutterwave' } });
});

test('every decision taken in the drill comes out of its stored inputs as it was stored', async () => {
  const { switchyard, database } = drill.harness;
  const merchant = await drill.harness.merchant();
  const { merchantId, accounts } = merchant;
  const words = { reason: 'Settlement is late.', actor: 'system:test', startsAt: null, expiresAt: null, method: null } as const;
  await setOverride(switchyard, { merchantId, accountId: accounts.flutterwave, action: 'force', ...words });
  const forced = await drill.seconds(merchant, 3);
  expect(new Set(forced.map(firstChoice))).toEqual(new Set(['flutterwave']));
  const { rows } = await database.pool.query<{ merchantId: string; paymentId: string }>(
    'SELECT merchant_id AS "merchantId", id AS "paymentId" FROM payment',
  );
  expect(rows.length).toBeGreaterThan(300);
  for (const { merchantId: owner, paymentId } of rows) {
    const explained = await explainRouting(switchyard.payments, { merchantIds: [owner], paymentId });
    expect(explained?.recomputed, paymentId).toMatchObject({ kind: 'same', differences: [] });
  }
});
