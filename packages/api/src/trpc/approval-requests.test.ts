import type { StaffRole } from '@switchyard/db/client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createTestMerchant,
  type DashboardMerchant,
  openTestDashboard,
  rulesTo,
  sessionOf,
  type TestDashboard,
} from '../testing/dashboard.ts';
import { appRouter } from './router.ts';

/* Approval requests in the attention list, by recipient, among the staff users of one merchant. */

const mode = 'test';
let dashboard: TestDashboard;
let merchant: DashboardMerchant;
let ada: Person;
let bola: Person;

beforeAll(async () => {
  dashboard = await openTestDashboard();
});
afterAll(() => dashboard.close());
beforeEach(async () => {
  merchant = await createTestMerchant(dashboard);
  ada = await hire('Ada', 'operator');
  bola = await hire('Bola', 'operator');
  expect(await ada.api.routing.versions.requireApproval({ merchantId: merchant.merchantId, required: true })).toEqual({
    kind: 'changed',
    required: true,
  });
});

type Person = Awaited<ReturnType<typeof hire>>;

/** A signed-in staff user of the merchant. */
async function hire(name: string, role: StaffRole) {
  const { newId, resources } = dashboard.switchyard;
  const staffId = newId();
  const { merchantId } = merchant;
  const times = { createdAt: new Date(), updatedAt: new Date() };
  const { prisma } = resources.database;
  await prisma.staffUser.create({ data: { id: staffId, name, email: `${staffId}@example.com`, ...times } });
  await prisma.staffGrant.create({
    data: { merchantId, staffId, role, grantedBy: 'system:test', createdAt: times.createdAt },
  });
  return {
    staffId,
    api: appRouter.createCaller({ switchyard: dashboard.switchyard, session: sessionOf(role, merchantId, staffId) }),
  };
}

async function attentionOf({ api }: Person) {
  const { items, incomplete } = await api.attention.list({ mode });
  expect(incomplete).toBe(false);
  return items.map(({ kind, title }) => ({ kind, title }));
}

/** A draft by Ada with an approval request. */
async function requestApprovalAsAda() {
  const { drafts } = ada.api.routing;
  const { merchantId } = merchant;
  const created = await drafts.create({ merchantId, mode, from: { kind: 'published' }, name: 'Cards to Flutterwave' });
  if (created.kind !== 'created') throw new Error(created.kind);
  const document = rulesTo(merchant.flutterwave, [merchant.flutterwave]);
  const saved = await drafts.save({ merchantId, draftId: created.draft.draftId, revision: created.draft.revision, document });
  if (saved.kind !== 'saved') throw new Error(saved.kind);
  const { draftId, revision } = saved.draft;
  expect(await drafts.requestApproval({ merchantId, draftId, revision })).toMatchObject({ kind: 'requested' });
  return { merchantId, draftId, revision };
}

const UNPUBLISHED = { kind: 'draft', title: 'Draft "Cards to Flutterwave" is not published' };

test('a request for approval is shown to those who can answer it, with the requester’s name', async () => {
  const finance = await hire('Femi', 'finance');
  const seen = await requestApprovalAsAda();
  expect(await attentionOf(bola)).toEqual([
    { kind: 'approval', title: 'Ada requested your approval of the rules "Cards to Flutterwave"' },
  ]);
  expect(await attentionOf(ada)).toEqual([UNPUBLISHED]);
  expect(await attentionOf(finance)).toEqual([]);
  expect(await bola.api.routing.drafts.approve(seen)).toMatchObject({ kind: 'approved' });
  expect(await attentionOf(bola)).toEqual([UNPUBLISHED]);
});

test('a request is declined without a comment, and then no longer shown', async () => {
  const seen = await requestApprovalAsAda();
  expect(await ada.api.routing.drafts.reject(seen)).toEqual({ kind: 'own_work' });
  const declined = await bola.api.routing.drafts.reject(seen);
  expect(declined).toMatchObject({ kind: 'rejected', draft: { approval: { state: 'rejected', reason: null } } });
  expect(await attentionOf(bola)).toEqual([UNPUBLISHED]);
});

test('a request to let one person publish is shown to the other, who approves or declines', async () => {
  const { merchantId } = merchant;
  const set = ({ api }: Person, required: boolean) => api.routing.versions.requireApproval({ merchantId, required });
  const asks = { kind: 'approval_waiver', title: 'Ada requested that one person can publish rules' };
  expect(await set(ada, false)).toMatchObject({ kind: 'needs_second_person' });
  expect(await attentionOf(ada)).toEqual([]);
  expect(await attentionOf(bola)).toEqual([asks]);
  expect(await set(bola, true)).toEqual({ kind: 'changed', required: true });
  expect(await attentionOf(bola)).toEqual([]);
  await set(ada, false);
  expect(await attentionOf(bola)).toEqual([asks]);
  expect(await set(bola, false)).toEqual({ kind: 'changed', required: false });
  expect(await attentionOf(bola)).toEqual([]);
});

test('a request that no one else can approve any more is shown to the remaining one', async () => {
  expect(await attentionOf(ada)).toEqual([]);
  await dashboard.switchyard.resources.database.prisma.staffGrant.deleteMany({ where: { staffId: bola.staffId } });
  expect(await attentionOf(ada)).toEqual([{ kind: 'no_second_person', title: 'Rules cannot be published' }]);
});
