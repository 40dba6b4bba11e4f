import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Switchyard } from '../process.ts';
import { sessionOf } from '../testing/dashboard.ts';
import { createStaffWithGrants, createTestMerchant, openTestSwitchyard, recordPayment } from '../testing/switchyard.ts';
import { createCallerFactory } from './procedure.ts';
import { appRouter } from './router.ts';

let switchyard: Switchyard;
let close: () => Promise<void>;
let merchantId: string;
let other: string;
let paymentId: string;

beforeAll(async () => {
  ({ switchyard, close } = await openTestSwitchyard());
  merchantId = await createTestMerchant(switchyard, 'Balogun Books');
  other = await createTestMerchant(switchyard, 'Ade Fabrics');
  paymentId = await recordPayment(switchyard, merchantId, 'order-1');
  await recordPayment(switchyard, merchantId, '=HYPERLINK("http://evil")');
  await recordPayment(switchyard, other, 'theirs-1');
});
afterAll(() => close());

const as = (...who: Parameters<typeof sessionOf>) => createCallerFactory(appRouter)({ switchyard, session: sessionOf(...who) });

async function hired(email: string, role: 'owner' | 'viewer' | 'finance', of: string | null = null) {
  await createStaffWithGrants(switchyard, email, [{ merchantId: of, role }]);
  const found = await switchyard.resources.database.prisma.staffUser.findUniqueOrThrow({ where: { email } });
  return { staffId: found.id, caller: as(role, of, found.id) };
}

const actions = async (action: string) =>
  (await switchyard.resources.database.prisma.auditEntry.findMany({ where: { action } })).map(({ actor }) => actor);

describe('a list of payments', () => {
  test.each([
    ['the customer, in any case', { customer: 'ADA@example.com' }, 2],
    ['another customer', { customer: 'ben@example.com' }, 0],
    ['the search by e-mail address', { search: 'Ada@Example.com' }, 2],
    ['an amount within bounds', { amountFrom: 2_500, amountTo: 2_500 }, 2],
    ['an amount above them', { amountFrom: 2_501 }, 0],
    ['the method', { methods: ['CARD'] }, 2],
    ['no method', { methods: ['NONE'] }, 0],
    ['a rule without payments', { ruleIds: ['card-small'] }, 0],
    ['several at once', { customer: 'ada@example.com', methods: ['CARD'], statuses: ['INITIATED' as const], amountTo: 3_000 }, 2],
  ])('is narrowed by %s', async (_what, filter, count) => {
    const { items } = await as('viewer', null).payments.list({ mode: 'test', merchantIds: [merchantId], ...filter });
    expect(items).toHaveLength(count);
  });
});

test('invalid UUIDs and texts that PostgreSQL cannot store are refused in every list as bad input', async () => {
  const { payments, refunds, webhooks } = as('owner', null);
  const bad = expect.objectContaining({ code: 'BAD_REQUEST' });
  const mode = 'test';
  await expect(payments.list({ mode, merchantIds: ['zz'] })).rejects.toEqual(bad);
  await expect(payments.list({ mode, accountIds: ['zz'] })).rejects.toEqual(bad);
  await expect(payments.list({ mode, gateways: ['pay\u0000'] })).rejects.toEqual(bad);
  await expect(refunds.list({ mode, paymentId: 'zz' })).rejects.toEqual(bad);
  await expect(refunds.list({ mode, gateways: ['pay\u0000'] })).rejects.toEqual(bad);
  await expect(refunds.duplicates.list({ mode, gateways: ['\ud800'] })).rejects.toEqual(bad);
  const endpoint = { merchantId, endpointId: paymentId };
  await expect(webhooks.deliveries.list({ ...endpoint, types: ['a\u0000'] })).rejects.toEqual(bad);
});

describe('a note on a payment', () => {
  test('is shown to colleagues with its author’s name, and audited', async () => {
    const { caller, staffId } = await hired('note@example.com', 'owner');
    await caller.payments.addNote({ paymentId, text: ' The customer called. ' });
    expect(await as('viewer', merchantId).payments.notes({ paymentId })).toMatchObject([
      { text: 'The customer called.', authorName: 'Ada Obi' },
    ]);
    expect(await actions('payment.noted')).toEqual([`staff:${staffId}`]);
  });

  test('is refused for viewers, and on payments of another merchant', async () => {
    await expect(as('viewer', null).payments.addNote({ paymentId, text: 'x' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(as('owner', other).payments.addNote({ paymentId, text: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await as('viewer', other).payments.notes({ paymentId })).toEqual([]);
  });
});

describe('a saved view', () => {
  test('is private until it is shared, replaced by name, and deleted only by its owner', async () => {
    const { caller: ada } = await hired('views@example.com', 'viewer');
    const { caller: ben } = await hired('others@example.com', 'viewer');
    const view = { page: 'payments', name: 'Failed cards', query: 'method=CARD&status=FAILED' } as const;
    const saved = await ada.savedViews.save({ ...view, shared: false });
    if (saved.kind !== 'saved') throw new Error(saved.kind);
    expect(await ben.savedViews.list({ page: 'payments' })).toEqual([]);
    expect(await ada.savedViews.save({ ...view, query: 'status=FAILED', shared: true })).toEqual(saved);
    expect(await ben.savedViews.list({ page: 'payments' })).toMatchObject([
      { name: 'Failed cards', query: 'status=FAILED', own: false },
    ]);
    await expect(ben.savedViews.remove(saved)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await ada.savedViews.remove(saved);
    expect(await ada.savedViews.list({ page: 'payments' })).toEqual([]);
  });
});

describe('the saved views of a list', () => {
  test('are of that list only, and closed to roles that may not see the list', async () => {
    const { caller } = await hired('finance-views@example.com', 'finance');
    const view = { name: 'This week', query: 'from=today-6&sort=-amount&to=today', shared: true };
    for (const page of ['refunds', 'duplicate-charges', 'reviews', 'discrepancies', 'audit', 'explorer'] as const) {
      expect(await caller.savedViews.save({ ...view, page }), page).toMatchObject({ kind: 'saved' });
      expect(await caller.savedViews.list({ page }), page).toMatchObject([{ name: 'This week', query: view.query, own: true }]);
    }
    expect(await caller.savedViews.list({ page: 'payments' })).toEqual([]);
    await expect(caller.savedViews.save({ ...view, page: 'keys' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(caller.savedViews.list({ page: 'keys' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('verifying at the gateway now', () => {
  test('does nothing without a checkout, and is refused for viewers', async () => {
    expect(await as('operator', merchantId).payments.verify({ paymentId })).toEqual({ kind: 'settled', status: 'INITIATED' });
    await expect(as('viewer', null).payments.verify({ paymentId })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(as('operator', other).payments.verify({ paymentId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('what needs attention', () => {
  test('covers the merchants the caller may see, and has a start time', async () => {
    const key = { merchantId_id: { merchantId, id: paymentId } };
    const data = { review: 'OPEN', reviewReason: 'Expected NGN 2500.00, received NGN 2000.00.' } as const;
    await switchyard.resources.database.prisma.payment.update({ where: key, data });
    const { items, incomplete } = await as('viewer', merchantId).attention.list({ mode: 'test' });
    expect(incomplete).toBe(false);
    expect(items).toMatchObject([
      { kind: 'payment_review', title: '1 payment for review', merchantName: 'Balogun Books', since: expect.any(Date) },
    ]);
    const { items: listed } = await as('viewer', merchantId).refunds.reviews.list({ mode: 'test' });
    expect(listed).toMatchObject([{ paymentId, reviewReason: data.reviewReason }]);
    expect(await as('viewer', other).attention.list({ mode: 'test' })).toEqual({ items: [], incomplete: false });
  });
});
