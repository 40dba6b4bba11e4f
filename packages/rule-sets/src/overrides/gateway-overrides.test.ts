import { NIL_ID } from '@switchyard/db';
import type { HealthContext } from '@switchyard/provider-health';
import { createHealthFixture, type HealthFixture, openTestHealth, timedOut, well } from '@switchyard/provider-health/testing';
import { decide } from '@switchyard/routing/decide';
import { recompute } from '@switchyard/routing/recompute';
import { createTestMerchant, publish } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readStoredInputs } from '../snapshot/read-inputs.ts';
import { routingSnapshot } from '../snapshot/routing-snapshot.ts';
import { storeInputs } from '../snapshot/store-inputs.ts';
import {
  type DrainGatewayCommand,
  drainGateway,
  endOverride,
  PUT_BACK_AFTER_MS,
  type PutBackContext,
  putBackRecovered,
  setOverride,
} from './overrides.ts';

let fixture: HealthFixture;
let context: PutBackContext;
let other: PutBackContext;

beforeAll(async () => {
  fixture = createHealthFixture(await openTestHealth());
  context = fixture.context;
  other = await beside();
});
afterAll(() => fixture.context.close());
beforeEach(async () => {
  await fixture.context.database.prisma.routingOverride.updateMany({ data: { endedAt: new Date(0) } });
  await fixture.begin();
});

async function beside(): Promise<PutBackContext> {
  const opened = await fixture.context.beside();
  return { ...opened, resources: { ...opened.resources, publicUrl: 'http://localhost' } };
}

async function drainAll(change: Partial<DrainGatewayCommand> = {}) {
  const command = { gateway: 'paystack', mode: 'test', method: null, reason: 'Paystack is down.', actor: 'staff:ada' } as const;
  const outcome = await drainGateway(context, { ...command, startsAt: null, expiresAt: null, ...change });
  if (outcome.kind !== 'set') throw new Error(JSON.stringify(outcome));
  return outcome.override;
}

/** How a card payment of a merchant is decided now by one process. */
function decideIn(
  { resources, now }: Pick<HealthContext, 'resources' | 'now'>,
  merchantId: string,
  method: 'CARD' | 'USSD' | null,
) {
  const configuration = resources.configuration.merchant(merchantId);
  if (configuration === undefined) throw new Error('no such merchant');
  const snapshot = routingSnapshot(resources, configuration, 'test', now());
  const amount = { currency: 'NGN', amount: 900 };
  const payment = { paymentId: context.newId(), ...amount, method, customerCountry: null, requestedGateway: null };
  return { snapshot, decision: decide({ payment, ...snapshot, health: [], decidedAt: now().toISOString() }) };
}

const chosen = (from: Pick<HealthContext, 'resources' | 'now'>, merchantId: string) =>
  decideIn(from, merchantId, 'CARD').decision.record.recommended?.provider;

async function rowOf(id: string) {
  const where = { merchantId_id: { merchantId: NIL_ID, id } };
  return context.resources.database.prisma.routingOverride.findUniqueOrThrow({ where });
}

describe('a drain of a gateway for all merchants', () => {
  test('is one row that takes its accounts of every merchant out in its mode, in every process, until its one end', async () => {
    const ours = fixture.merchant.merchantId;
    const theirs = (
      await createTestMerchant(fixture.context, { 'paystack-main': {}, 'paystack-two': {}, 'flutterwave-main': {} })
    ).merchantId;
    await other.resources.configuration.refresh();
    expect([chosen(context, ours), chosen(other, theirs)]).toEqual(['paystack', 'paystack']);
    const { id } = await drainAll();
    await other.resources.configuration.refresh();
    for (const merchantId of [ours, theirs])
      for (const process of [context, other]) expect(chosen(process, merchantId)).toBe('flutterwave');
    expect(await context.resources.database.prisma.routingOverride.count({ where: { id } })).toBe(1);

    // A merchant and an account that come later are drained too.
    const late = (await createTestMerchant(fixture.context, { 'paystack-main': {}, 'flutterwave-main': {} })).merchantId;
    await other.resources.configuration.refresh();
    expect(chosen(other, late)).toBe('flutterwave');

    expect(await endOverride(context, { merchantId: NIL_ID, overrideId: id, actor: 'staff:bola' })).toMatchObject({
      kind: 'ended',
    });
    await other.resources.configuration.refresh();
    for (const merchantId of [ours, theirs, late])
      for (const process of [context, other]) expect(chosen(process, merchantId)).toBe('paystack');
  });

  test('says so in the decision, which is computed again exactly from what its payment stores', async () => {
    const { merchantId } = fixture.merchant;
    const document = { rules: [], defaultOrder: [fixture.id('paystack-main'), fixture.id('flutterwave-main')] };
    await publish(fixture.context, merchantId, document);
    const override = await drainAll({ expiresAt: new Date(fixture.now.getTime() + 3_600_000) });
    const { decision, snapshot } = decideIn(context, merchantId, 'CARD');
    expect(decision.record.reasons).toContainEqual(
      expect.objectContaining({
        code: 'override_drain',
        message: expect.stringContaining('drains paystack-main and all other accounts at paystack until'),
      }),
    );
    const { provider, subproviderId } = { provider: 'paystack', subproviderId: fixture.id('paystack-main') };
    expect(decision.record.overrides).toMatchObject([{ provider, subproviderId, action: 'drain', actor: 'staff:ada' }]);
    const { database } = context.resources;
    const stored: unknown = JSON.parse(JSON.stringify(await storeInputs(database, merchantId, decision.inputs)));
    const inputs = await readStoredInputs(database, { merchantId, inputs: stored, payment: decision.inputs.payment });
    expect(inputs?.overrides).toMatchObject([{ overrideId: override.id, gateway: 'paystack' }]);
    if (inputs === null) throw new Error('the inputs cannot be read');
    // Also once the override has ended.
    await endOverride(context, { merchantId: NIL_ID, overrideId: override.id, actor: 'staff:ada' });
    expect(recompute({ inputs, ruleSet: snapshot.ruleSet })).toEqual(decision);
  });

  test('of one method leaves payments by others, and replaces only its like', async () => {
    const { merchantId } = fixture.merchant;
    const ussd = await drainAll({ method: 'USSD' });
    expect(chosen(context, merchantId)).toBe('paystack');
    const first = await drainAll();
    const second = await drainAll({ reason: 'Still down.' });
    expect([(await rowOf(ussd.id)).endedAt, (await rowOf(first.id)).endedAt, (await rowOf(second.id)).endedAt]).toEqual([
      null,
      fixture.now,
      null,
    ]);
  });

  test('prevails over a force of one account, and ends by its time', async () => {
    const { merchantId } = fixture.merchant;
    const force = { merchantId, accountId: fixture.id('paystack-main'), method: null, action: 'force' } as const;
    await setOverride(context, { ...force, reason: 'x', startsAt: null, expiresAt: null, actor: 'staff:ada' });
    await drainAll({ expiresAt: new Date(fixture.now.getTime() + 60_000) });
    expect(chosen(context, merchantId)).toBe('flutterwave');
    fixture.later(60_000);
    expect(chosen(context, merchantId)).toBe('paystack');
  });

  test('of a gateway that there is none of is refused', async () => {
    const command = {
      gateway: 'acme',
      mode: 'test',
      method: null,
      reason: 'x',
      startsAt: null,
      expiresAt: null,
      actor: 'a',
    } as const;
    expect(await drainGateway(context, command)).toEqual({ kind: 'not_found' });
  });
});

describe('an override that ends by itself', () => {
  const both = () => Promise.all([putBackRecovered(context), putBackRecovered(other)]);

  async function drained(putBack = true) {
    const { merchantId } = fixture.merchant;
    const command = { merchantId, accountId: fixture.id('paystack-main'), method: null, action: 'drain', putBack } as const;
    const outcome = await setOverride(context, { ...command, reason: 'x', startsAt: null, expiresAt: null, actor: 'staff:ada' });
    if (outcome.kind !== 'set') throw new Error(outcome.kind);
    await other.resources.configuration.refresh();
    const where = { merchantId_id: { merchantId, id: outcome.override.id } };
    return () => context.resources.database.prisma.routingOverride.findUniqueOrThrow({ where });
  }

  async function endings(): Promise<number> {
    const { merchantId } = fixture.merchant;
    return context.resources.database.prisma.auditEntry.count({
      where: { tenantId: merchantId, action: 'routing_override.ended', actor: 'system:put-back' },
    });
  }

  /** How often a worker probes. */
  const PROBE_SECONDS = 10;

  /** Free calls fail and then are answered, seen by both processes. */
  async function fail(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed += PROBE_SECONDS) {
      await fixture.lookUp('paystack-main', timedOut, 1);
      fixture.later(PROBE_SECONDS * 1_000);
      await other.health.tick();
      await both();
    }
  }

  async function answer(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed += PROBE_SECONDS) {
      await fixture.lookUp('paystack-main', well, 1);
      fixture.later(PROBE_SECONDS * 1_000);
      await other.health.tick();
      await both();
    }
  }

  test('does so once, by one of two workers, after the gateway was well for five minutes', async () => {
    const row = await drained();
    await fixture.see('paystack-main', timedOut, 10);
    await fail(60);
    expect(await row()).toMatchObject({ troubledAt: expect.any(Date), recoveredAt: null, endedAt: null });
    await answer(60);
    const { recoveredAt } = await row();
    expect(recoveredAt).toBeInstanceOf(Date);
    await answer(PUT_BACK_AFTER_MS / 1_000 - 90);
    expect((await row()).endedAt).toBeNull();
    await answer(90);
    const { endedAt, endedBy } = await row();
    expect(endedBy).toBe('system:put-back');
    expect((endedAt?.getTime() ?? 0) - (recoveredAt?.getTime() ?? 0)).toBeGreaterThanOrEqual(PUT_BACK_AFTER_MS);
    expect(await endings()).toBe(1);
    // It is put back with the health that it has: its next checkouts are probe payments.
    const [health] = context.health.details(fixture.merchant.merchantId).filter(({ health: { method } }) => method === null);
    expect(health?.health.state).toBe('probing');
  });

  test('begins to count again when the gateway fails meanwhile', async () => {
    const row = await drained();
    await fixture.see('paystack-main', timedOut, 10);
    await fail(60);
    await answer(240);
    const first = (await row()).recoveredAt;
    expect(first).not.toBeNull();
    await fail(60);
    expect((await row()).recoveredAt).toBeNull();
    await answer(240);
    expect((await row()).endedAt).toBeNull();
    await answer(180);
    expect((await row()).endedBy).toBe('system:put-back');
    expect(await endings()).toBe(1);
  });

  test('does not when the gateway was never in trouble, or it was not asked for', async () => {
    const calm = await drained();
    await answer(600);
    expect(await calm()).toMatchObject({ troubledAt: null, recoveredAt: null, endedAt: null });
    const unasked = await drained(false);
    await fixture.see('paystack-main', timedOut, 10);
    await fail(60);
    await answer(600);
    expect(await unasked()).toMatchObject({ recoveredAt: expect.any(Date), endedAt: null });
  });

  test('does not by answers that prove nothing about its checkouts', async () => {
    const row = await drained();
    await fixture.see('paystack-main', timedOut, 10);
    await answer(900);
    expect(await row()).toMatchObject({ recoveredAt: null, endedAt: null });
  });

  test('of a gateway follows the accounts of all merchants', async () => {
    const { id } = await drainAll({ putBack: true });
    await other.resources.configuration.refresh();
    await fixture.see('paystack-main', timedOut, 10);
    await fail(60);
    expect(await rowOf(id)).toMatchObject({ troubledAt: expect.any(Date), recoveredAt: null });
    await answer(420);
    expect((await rowOf(id)).endedBy).toBe('system:put-back');
  });

  test('follows the status checks of an account that is drained before its gateway fails, which is no state of it', async () => {
    const row = await drained();
    await answer(60);
    await fail(420);
    expect(await row()).toMatchObject({ troubledAt: expect.any(Date), recoveredAt: null, endedAt: null });
    const states = context.health.details(fixture.merchant.merchantId).map(({ health: { state } }) => state);
    expect(new Set(states)).toEqual(new Set(['healthy']));
    await answer(420);
    expect((await row()).endedBy).toBe('system:put-back');
  });
});
