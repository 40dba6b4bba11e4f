import { issueKey, revokeKey } from '@switchyard/merchants/console/api-keys';
import { connectGateway, updateGateway } from '@switchyard/merchants/console/gateway-accounts';
import { createMerchant } from '@switchyard/merchants/console/merchants';
import { recordConnectionTest } from '@switchyard/merchants/gateway-accounts';
import { publishRules } from '@switchyard/rule-sets/versions';
import { createStaffUser } from '@switchyard/staff/users';
import { createEndpoint } from '@switchyard/webhooks/endpoints';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDashboard, rulesTo, sessionOf, type TestDashboard } from '../testing/dashboard.ts';
import { recordPayment } from '../testing/switchyard.ts';
import { createCallerFactory } from './procedure.ts';
import { appRouter } from './router.ts';

const actor = 'system:test';
const LIMITS = { currencies: ['NGN'], methods: ['CARD' as const], minAmount: 100, maxAmount: null, fees: null, enabled: true };

let dashboard: TestDashboard;
/** The first staff user of the workspace. */
let staffId: string;

beforeAll(async () => {
  dashboard = await openTestDashboard();
  staffId = await addStaff('ada@example.com', null);
});
afterAll(() => dashboard.close());

async function addStaff(email: string, merchantId: string | null): Promise<string> {
  const person = { email, name: email, password: 'correct horse battery', grants: [{ merchantId, role: 'owner' as const }] };
  return (await createStaffUser(dashboard.switchyard, person)).staffId;
}

async function addMerchant(name: string): Promise<string> {
  const created = await createMerchant(dashboard.switchyard, { name, actor });
  if (created.kind !== 'created') throw new Error(created.kind);
  return created.merchant.id;
}

const as = (role: 'owner' | 'operator' | 'finance', merchantId: string | null = null, of = staffId) =>
  createCallerFactory(appRouter)({ switchyard: dashboard.switchyard, session: sessionOf(role, merchantId, of) });

async function readSetup(merchantId: string | null) {
  const setup = await as('owner').setup.read({ merchantId });
  if (setup === null) throw new Error('there is no checklist');
  return setup;
}

/** The steps that are done. */
const done = async (merchantId: string) =>
  (await readSetup(merchantId)).steps.filter((each) => each.done).map(({ step }) => step);

test('a workspace without a merchant begins with one, and the only merchant needs no choice', async () => {
  expect(await readSetup(null)).toMatchObject({ merchantId: null, isDone: false, isDismissed: false });
  expect((await readSetup(null)).steps.filter((each) => each.done)).toEqual([]);
  const merchantId = await addMerchant('First Books');
  expect(await readSetup(null)).toMatchObject({ merchantId, merchantName: 'First Books', isDone: false });
  expect(await done(merchantId)).toEqual(['merchant']);
  await addMerchant('Second Books');
  expect(await as('owner').setup.read({ merchantId: null })).toBeNull();
});

test('each step is done by what is stored, and undone with it', async () => {
  const { switchyard, database } = dashboard;
  const { prisma } = database;
  const merchantId = await addMerchant('Balogun Books');
  const steps: string[] = ['merchant'];
  const expectDone = async (...more: readonly string[]) => {
    steps.push(...more);
    expect((await done(merchantId)).toSorted()).toEqual(steps.toSorted());
  };

  const connect = async (mode: 'test' | 'live') => {
    const credentials = { secretKey: `sk_${mode}_0123456789abcdef0123456789abcdef01234567` };
    const command = {
      merchantId,
      gateway: 'paystack',
      mode,
      label: 'paystack-main',
      credentials,
      ...LIMITS,
      baseUrl: null,
      actor,
    };
    const connected = await connectGateway(switchyard, command);
    if (connected.kind !== 'connected') throw new Error(JSON.stringify(connected));
    return connected.account;
  };
  const account = await connect('test');
  await expectDone('account');

  await recordConnectionTest(prisma, account, switchyard.now());
  await expectDone('connection');
  const secretKey = `sk_test_${'f'.repeat(40)}`;
  await updateGateway(switchyard, { merchantId, accountId: account.id, changes: { credentials: { secretKey } }, actor });
  // Nothing is known of the new credentials yet, and a test of the earlier ones counts for nothing.
  expect(await done(merchantId)).not.toContain('connection');
  await recordConnectionTest(prisma, account, switchyard.now());
  expect(await done(merchantId)).not.toContain('connection');
  await recordConnectionTest(
    prisma,
    await prisma.gatewayAccount.findFirstOrThrow({ where: { id: account.id } }),
    switchyard.now(),
  );
  await expectDone();

  const issue = async (mode: 'test' | 'live') => {
    const issued = await issueKey(switchyard, {
      merchantId,
      mode,
      name: 'Shop',
      expiresAt: null,
      scopes: ['full_access'],
      actor,
    });
    if (issued.kind !== 'issued') throw new Error(issued.kind);
    return issued.key.id;
  };
  const revoked = await issue('test');
  await expectDone('key');
  await revokeKey(switchyard, { merchantId, keyId: revoked, actor });
  expect(await done(merchantId)).not.toContain('key');
  await issue('test');
  await expectDone();

  const paymentId = await recordPayment(switchyard, merchantId, 'order-1');
  await expectDone();
  const key = { merchantId_id: { merchantId, id: paymentId } };
  await prisma.payment.update({ where: key, data: { status: 'SUCCESS' } });
  await expectDone('test_payment');

  const hook = { merchantId, mode: 'test', url: 'https://shop.example/hooks', description: '', types: [], actor } as const;
  await createEndpoint(switchyard, hook);
  await expectDone();
  await prisma.webhookEndpoint.updateMany({ where: { merchantId }, data: { lastDeliveredAt: new Date() } });
  await expectDone('webhook');

  const of = { merchantId, mode: 'test', baseVersion: 0, reason: 'First rules', actor } as const;
  const published = await publishRules(switchyard, { ...of, document: rulesTo(account.id, [account.id]) });
  expect(published).toMatchObject({ kind: 'published' });
  await expectDone('rules');

  await addStaff('bem@example.com', merchantId);
  await expectDone('team');

  await connect('live');
  await expectDone('live_account');
  await issue('live');
  await expectDone('live_key');
  const livePaymentId = await recordPayment(switchyard, merchantId, 'order-2');
  await prisma.payment.update({
    where: { merchantId_id: { merchantId, id: livePaymentId } },
    data: { mode: 'live', status: 'REFUNDED' },
  });
  await expectDone('live_payment');
  expect(await readSetup(merchantId)).toMatchObject({ isDone: true });
});

test('an invitation counts as a colleague until it is withdrawn or has expired, and another merchant’s does not', async () => {
  const [merchantId, otherId] = [await addMerchant('Yaba Tyres'), await addMerchant('Ade Fabrics')];
  const { prisma } = dashboard.database;
  const invite = (grants: { merchantId: string; role: string }[], expiresAt: Date, revokedAt: Date | null = null) =>
    prisma.staffLink.create({
      data: {
        id: dashboard.switchyard.newId(),
        kind: 'invitation',
        tokenHash: crypto.getRandomValues(new Uint8Array(16)),
        email: 'chi@example.com',
        grants,
        createdBy: actor,
        createdAt: new Date(),
        expiresAt,
        revokedAt,
      },
    });
  const later = new Date(Date.now() + 3_600_000);
  const own = [{ merchantId, role: 'operator' }];
  await invite(own, new Date(Date.now() - 1_000));
  await invite(own, later, new Date());
  await invite([{ merchantId: otherId, role: 'operator' }], later);
  expect(await done(merchantId)).not.toContain('team');
  await invite(own, later);
  expect(await done(merchantId)).toContain('team');
});

test('a checklist is dismissed by a person for themselves, and comes back', async () => {
  const merchantId = await addMerchant('Dismissed Books');
  const colleague = await addStaff('dee@example.com', null);
  const seenBy = async (of: string) => (await as('operator', null, of).setup.read({ merchantId }))?.isDismissed;
  await as('owner').setup.dismiss({ merchantId, dismissed: true });
  await as('owner').setup.dismiss({ merchantId, dismissed: true });
  expect([await seenBy(staffId), await seenBy(colleague)]).toEqual([true, false]);
  await as('owner').setup.dismiss({ merchantId, dismissed: false });
  expect(await seenBy(staffId)).toBe(false);
});

test('only those who change the merchant see its checklist', async () => {
  const [merchantId, otherId] = [await addMerchant('Own Books'), await addMerchant('Other Books')];
  await expect(as('finance', merchantId).setup.read({ merchantId })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(as('operator', merchantId).setup.read({ merchantId: otherId })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(as('operator', merchantId).setup.dismiss({ merchantId: otherId, dismissed: true })).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
  expect(await as('operator', merchantId).setup.read({ merchantId })).toMatchObject({ merchantId });
});
