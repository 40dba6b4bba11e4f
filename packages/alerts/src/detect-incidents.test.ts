import { NIL_ID } from '@switchyard/db';
import { openTestPayments, recordPayment, type TestPayments } from '@switchyard/payments/testing';
import { createTestMerchant, reloadConfiguration, type TestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { detectIncidents } from './detect-incidents.ts';
import { GRACE_MS } from './incidents/decide-incidents.ts';

const START = new Date('2026-11-20T14:00:05.000Z');
const after = (ms: number) => new Date(START.getTime() + ms);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;

let context: TestPayments;
let merchant: TestMerchant;

beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());
beforeEach(async () => {
  context.setClock(START);
  merchant = await createTestMerchant(context, { 'paystack-main': {}, 'flutterwave-main': {} });
});

/** The merchant's incidents, or the workspace's, oldest first. */
async function incidents(merchantId = merchant.merchantId) {
  return context.database.prisma.incident.findMany({ where: { merchantId }, orderBy: { openedAt: 'asc' } });
}

async function kindsOpen(merchantId?: string): Promise<string[]> {
  return (await incidents(merchantId)).filter(({ closedAt }) => closedAt === null).map(({ kind }) => kind);
}

async function pass(ms: number): Promise<void> {
  context.setClock(after(ms));
  await detectIncidents(context);
}

/** Sets whether Paystack refuses the merchant's account. */
async function refuse(refused: boolean): Promise<void> {
  await context.database.prisma.gatewayAccount.update({
    where: { merchantId_id: { merchantId: merchant.merchantId, id: merchant.accounts['paystack-main'] ?? '' } },
    data: refused
      ? { configurationFault: 'CREDENTIALS', configurationFaultMessage: 'Invalid key.', configurationFaultAt: START }
      : { configurationFault: null, configurationFaultMessage: null, configurationFaultAt: null },
  });
  await reloadConfiguration(context, merchant.merchantId);
}

describe('detecting incidents', () => {
  test('opens one while a condition lasts and closes it afterwards', async () => {
    await refuse(true);
    await pass(0);
    await pass(10_000);
    expect(await incidents()).toMatchObject([
      {
        kind: 'credentials_refused',
        severity: 'critical',
        mode: 'test',
        subject: merchant.accounts['paystack-main'],
        since: START,
      },
    ]);
    await refuse(false);
    await pass(20_000);
    await pass(20_000 + GRACE_MS);
    expect(await incidents()).toMatchObject([{ closedReason: 'ended', closedAt: after(20_000 + GRACE_MS) }]);
    await refuse(true);
    await pass(MINUTE_MS + 20_000);
    expect(await kindsOpen()).toEqual(['credentials_refused']);
    expect(await incidents()).toHaveLength(2);
  });

  test('by two processes at once opens one', async () => {
    await refuse(true);
    const other = await context.beside();
    await Promise.all([detectIncidents(context), detectIncidents(other), detectIncidents(context)]);
    expect(await incidents()).toHaveLength(1);
    other.close();
  });

  test('the database allows one open incident of a merchant, mode, kind and subject', async () => {
    await refuse(true);
    await pass(0);
    const [row] = await incidents();
    if (row === undefined) throw new Error('nothing was opened');
    const { id: _, ...again } = { ...row, facts: {} };
    await expect(context.database.prisma.incident.create({ data: { ...again, id: context.newId() } })).rejects.toThrow(/nique/);
  });
});

describe('conditions', () => {
  test('payments for review, stuck refunds and duplicate charges are one incident per merchant with count and sums', async () => {
    const { prisma } = context.database;
    const { merchantId } = merchant;
    const made = [
      await recordPayment(context, merchantId),
      await recordPayment(context, merchantId),
      await recordPayment(context, merchantId),
    ];
    const ids = made.map(({ paymentId }) => paymentId);
    await prisma.payment.updateMany({
      where: { merchantId, id: { in: ids.slice(0, 2) } },
      data: { review: 'OPEN', reviewReason: 'Amount.' },
    });
    const attempt = await prisma.attempt.findFirstOrThrow({ where: { merchantId, paymentId: ids[2] ?? '' } });
    const of = {
      merchantId,
      mode: 'test',
      paymentId: attempt.paymentId,
      attemptId: attempt.id,
      accountId: attempt.accountId,
    } as const;
    const money = { ...of, gateway: attempt.gateway, transactionId: 't1', currency: 'NGN', createdAt: START, updatedAt: START };
    const refund = { ...money, amount: 900n, requestedBy: 'staff:ada' };
    await prisma.refund.createMany({
      data: [
        { ...refund, id: context.newId(), state: 'NEEDS_ATTENTION', reference: 'r1' },
        { ...refund, id: context.newId(), state: 'FAILED', reference: 'r2' },
        { ...refund, id: context.newId(), state: 'FAILED', reference: 'r3', resolvedAt: START, resolvedBy: 'staff:ada' },
        { ...refund, id: context.newId(), state: 'FAILED', reference: 'r4', mismatched: true },
      ],
    });
    await prisma.duplicateCharge.create({
      data: { ...money, id: context.newId(), amount: '2500.5', state: 'OPEN', reference: 'd1' },
    });
    await pass(0);
    const found = (await incidents()).map(({ kind, facts }) => [kind, facts]);
    expect(Object.fromEntries(found)).toMatchObject({
      payment_review: { of: 'money', count: 2, amounts: [{ currency: 'NGN', amount: '5000', count: 2 }] },
      refund_stuck: { of: 'money', count: 2, amounts: [{ currency: 'NGN', amount: '1800', count: 2 }] },
      duplicate_charge: { of: 'money', count: 1, amounts: [{ currency: 'NGN', amount: '2500.5', count: 1 }] },
    });
  });

  test('each pair of payments for one order is one of its own', async () => {
    const { prisma } = context.database;
    const { merchantId } = merchant;
    const pay = async () => (await recordPayment(context, merchantId, { status: 'SUCCESS' })).paymentId;
    const [first, second, third] = [await pay(), await pay(), await pay()];
    const pair = (paymentId: string, repeatsId: string) =>
      ({ merchantId, mode: 'test', paymentId, repeatsId, createdAt: START }) as const;
    await prisma.repeatedPayment.createMany({ data: [pair(second, first), pair(third, first), pair(third, second)] });
    await pass(0);
    await pass(10_000);
    expect((await incidents()).map(({ kind }) => kind)).toEqual(['repeated_payment', 'repeated_payment', 'repeated_payment']);
    await prisma.payment.updateMany({ where: { id: first }, data: { refundedAmount: 1n } });
    await pass(20_000);
    await pass(20_000 + GRACE_MS);
    expect((await incidents()).filter(({ closedAt }) => closedAt === null)).toHaveLength(1);
  });

  test('each dispute to answer is one of its own, urgent in its last four hours, and reversals of the last seven days are one', async () => {
    const { prisma } = context.database;
    const { merchantId } = merchant;
    const made = [await recordPayment(context, merchantId, { status: 'SUCCESS' }), await recordPayment(context, merchantId)];
    const attempt = await prisma.attempt.findFirstOrThrow({ where: { merchantId, paymentId: made[0]?.paymentId ?? '' } });
    const { paymentId, accountId, gateway, id: attemptId } = attempt;
    const of = { merchantId, mode: 'test' as const, paymentId, attemptId, accountId, gateway, currency: 'NGN', openedAt: START };
    const dispute = { ...of, amount: '2500', createdAt: START, updatedAt: START };
    const [soon, later, answered] = [context.newId(), context.newId(), context.newId()];
    const HOUR_MS = 3_600_000;
    await prisma.dispute.createMany({
      data: [
        { ...dispute, id: soon, gatewayDisputeId: '1', state: 'NEEDS_RESPONSE', dueAt: after(4 * HOUR_MS) },
        { ...dispute, id: later, gatewayDisputeId: '2', state: 'NEEDS_RESPONSE', dueAt: after(5 * HOUR_MS) },
        { ...dispute, id: answered, gatewayDisputeId: '3', state: 'NEEDS_RESPONSE', dueAt: after(HOUR_MS) },
        { ...dispute, id: context.newId(), gatewayDisputeId: '4', state: 'UNDER_REVIEW', dueAt: null },
        { ...dispute, id: context.newId(), gatewayDisputeId: '5', state: 'EXPIRED', dueAt: null },
      ],
    });
    const response = { stage: '', action: 'CONTEST', state: 'SENT', message: '', requestedBy: 'staff:a' } as const;
    await prisma.disputeResponse.create({
      data: { merchantId, id: context.newId(), disputeId: answered, ...response, createdAt: START },
    });
    const reverse = (id: string, reversedAt: Date) =>
      prisma.payment.updateMany({ where: { id }, data: { reversedAmount: '1000.5', reversedAt, reversalCause: 'chargeback' } });
    await reverse(made[0]?.paymentId ?? '', START);
    await reverse(made[1]?.paymentId ?? '', after(-8 * DAY_MS));
    await pass(0);
    const found = (await incidents()).map(({ kind, subject, severity, facts }) => [subject, { kind, severity, facts }]);
    expect(Object.fromEntries(found)).toMatchObject({
      [soon]: { kind: 'dispute_due', severity: 'critical', facts: { amount: '2500', dueAt: after(4 * HOUR_MS).toISOString() } },
      [later]: { kind: 'dispute_opened', severity: 'warning' },
      reversals: { severity: 'warning', facts: { count: 1, amounts: [{ currency: 'NGN', amount: '1000.5', count: 1 }] } },
    });
    expect(found.length).toBe(3);
    await prisma.dispute.updateMany({ where: { merchantId }, data: { state: 'WON' } });
    await pass(10_000);
    await pass(10_000 + GRACE_MS);
    expect((await incidents()).filter(({ closedAt }) => closedAt === null)).toMatchObject([{ subject: 'reversals' }]);
    await pass(8 * DAY_MS);
    await pass(8 * DAY_MS + GRACE_MS);
    expect(await kindsOpen()).toEqual([]);
  });

  test('keys that expire soon, by their lifetime, and replaced ones that are still used', async () => {
    const { merchantId } = merchant;
    const key = (name: string, expiresInMs: number, ageMs: number, more: object = {}) => ({
      merchantId,
      id: context.newId(),
      mode: 'live' as const,
      publicId: context.newId(),
      secretHash: new Uint8Array(32),
      name,
      lastFour: 'abcd',
      createdBy: 'staff:ada',
      createdAt: new Date(START.getTime() - ageMs),
      expiresAt: after(expiresInMs),
      ...more,
    });
    const replaced = key('replaced and used', 3_600_000, 90 * DAY_MS, { lastUsedAt: START });
    const quiet = key('replaced and quiet', 3_600_000, 90 * DAY_MS);
    const next = (id: string) => key('new', 365 * DAY_MS, 0, { rotatedFromId: id });
    await context.database.prisma.apiKey.createMany({
      data: [
        key('old', 6 * DAY_MS, 90 * DAY_MS),
        key('long', 8 * DAY_MS, 90 * DAY_MS),
        key('short', 2 * DAY_MS, 0),
        key('revoked', DAY_MS, 90 * DAY_MS, { revokedAt: START }),
        ...[replaced, quiet, next(replaced.id), next(quiet.id)],
      ],
    });
    await pass(0);
    const names = (await incidents()).map(({ facts }) => Object(facts).name);
    expect(names.toSorted()).toEqual(['old', 'replaced and used']);
  });

  test('webhook endpoints that were switched off because they failed, by their host alone', async () => {
    const { merchantId } = merchant;
    const endpoint = (disabledReason: string | null) => ({
      merchantId,
      id: context.newId(),
      mode: 'live' as const,
      url: 'https://shop.example/hooks/secret',
      types: [],
      secrets: [],
      enabled: disabledReason === null,
      disabledReason,
      disabledAt: disabledReason === null ? null : START,
      createdAt: START,
      updatedAt: START,
    });
    await context.database.prisma.webhookEndpoint.createMany({ data: [endpoint('failing'), endpoint('staff'), endpoint(null)] });
    await pass(0);
    const [found, ...others] = await incidents();
    expect(others).toEqual([]);
    expect(found).toMatchObject({ kind: 'webhook_endpoint_off', facts: { host: 'shop.example', reason: 'failing' } });
    expect(JSON.stringify(found?.facts)).not.toContain('secret');
  });

  test('jobs and payments that no worker begins are a backlog of the workspace', async () => {
    const { database } = context;
    await database.pool.query(`SELECT graphile_worker.add_job('check-attempt', run_at := now() - interval '6 minutes')`);
    await database.prisma.paymentCheck.create({
      data: {
        merchantId: merchant.merchantId,
        paymentId: context.newId(),
        nextCheckAt: after(-6 * MINUTE_MS),
        initiating: false,
      },
    });
    await pass(0);
    const found = (await incidents(NIL_ID)).filter(({ kind }) => kind === 'backlog');
    expect(found.map(({ subject }) => subject).toSorted()).toEqual(['jobs', 'payments']);
    await database.pool.query(
      'DELETE FROM payment_check; SELECT graphile_worker.complete_jobs(array_agg(id)) FROM graphile_worker.jobs',
    );
    await pass(10_000);
    await pass(10_000 + GRACE_MS);
    expect(await kindsOpen(NIL_ID)).toEqual([]);
  });

  test('a sign-in from an address not used before, unless it is the first of all', async () => {
    const staffId = context.newId();
    const { prisma } = context.database;
    const times = { createdAt: START, updatedAt: START };
    await prisma.staffUser.create({ data: { id: staffId, name: 'Ada', email: `${staffId}@example.com`, ...times } });
    let position = 0;
    const signIn = (address: string, at: Date) =>
      prisma.auditEntry.create({
        data: {
          ...{
            tenantId: NIL_ID,
            id: context.newId(),
            position: ++position,
            actor: `staff:${staffId}`,
            action: 'staff.signed_in',
          },
          ...{ objectType: 'staff', objectId: staffId, after: { with: 'password', address }, createdAt: at },
          ...{ previous: new Uint8Array(32), hash: new Uint8Array(32), keyId: 'k1' },
        },
      });
    const found = async () =>
      (await incidents(NIL_ID)).filter(({ kind, closedAt }) => kind === 'sign_in_from_new_place' && closedAt === null);
    await signIn('10.0.0.1', after(-MINUTE_MS));
    await pass(0);
    expect(await found()).toEqual([]);
    await signIn('10.0.0.1', after(MINUTE_MS));
    await signIn('198.51.100.7', after(2 * MINUTE_MS));
    await signIn('198.51.100.7', after(3 * MINUTE_MS));
    await signIn('2001:db8:7:1::a', after(2 * MINUTE_MS));
    await signIn('2001:db8:7:1:ffff:1:2:3', after(3 * MINUTE_MS));
    await pass(4 * MINUTE_MS);
    // Another address of the same IPv6 network is none.
    const named = (address: string) =>
      expect.objectContaining({ facts: expect.objectContaining({ name: 'Ada', address, with: 'password' }) });
    const open = await found();
    expect(open).toHaveLength(2);
    expect(open).toEqual(expect.arrayContaining([named('198.51.100.7'), named('2001:db8:7:1::a')]));
    await pass(DAY_MS + 3 * MINUTE_MS);
    await pass(DAY_MS + 4 * MINUTE_MS);
    expect(await found()).toEqual([]);
  });

  test('a source that fails closes nothing', async () => {
    await context.database.prisma.apiKey.create({
      data: {
        ...{ merchantId: merchant.merchantId, id: context.newId(), mode: 'live', publicId: context.newId(), name: 'old' },
        ...{ secretHash: new Uint8Array(32), lastFour: 'abcd', createdBy: 'staff:ada' },
        ...{ createdAt: after(-90 * DAY_MS), expiresAt: after(DAY_MS) },
      },
    });
    await pass(0);
    await context.database.pool.query('ALTER TABLE api_key RENAME TO api_key_away');
    await pass(MINUTE_MS);
    await pass(2 * MINUTE_MS);
    await context.database.pool.query('ALTER TABLE api_key_away RENAME TO api_key');
    expect(await kindsOpen()).toEqual(['api_key_expiring']);
  });
});
