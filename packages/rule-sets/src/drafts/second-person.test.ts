import type { StaffRole } from '@switchyard/db/client';
import { connectTestAccount, testMerchant } from '@switchyard/merchants/testing';
import { openTestContext, type TestContext, testStaff } from '@switchyard/runtime/testing';
import { grantRole, listMerchantsWithoutSecondApprover, revokeRole } from '@switchyard/staff/grants';
import { listTeam, setStaffDisabled } from '@switchyard/staff/users';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { approveRules, readRulesApproval, requestApproval, requireApproval } from '../approval/approval.ts';
import { aDocument, cardRule, rulesOf } from '../testing/rules.ts';
import { publishDraft } from '../versions/publish.ts';
import type { RuleDraft } from './create-draft.ts';

/* A merchant whose rules may need a second person, and a changing team of staff users. */

const system = 'system:test';
const merchantScope = { everywhere: true, merchantIds: [] };
let context: TestContext;
let merchantId: string;
let accountId: string;
let adaId: string;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(async () => context.close());
beforeEach(async () => {
  await context.database.prisma.staffGrant.deleteMany();
  merchantId = await testMerchant(context);
  accountId = await connectTestAccount(context, merchantId);
  adaId = await hire('owner', null);
});

async function hire(role: StaffRole, of: string | null = merchantId): Promise<string> {
  const staffId = await testStaff(context);
  await grantRole(context, { staffId, merchantId: of, role, actor: system });
  return staffId;
}
const require = (required: boolean, staffId: string) =>
  requireApproval(context, { merchantId, required, actor: `staff:${staffId}` });
const draft = (staffId: string) =>
  rulesOf(context, merchantId).draft(aDocument(accountId, cardRule(accountId)), `staff:${staffId}`);
const publish = (written: RuleDraft, staffId: string) =>
  publishDraft(context, { ...written, at: null, reason: null, actor: `staff:${staffId}` });
const isRequired = async () =>
  (await context.database.prisma.merchant.findUniqueOrThrow({ where: { id: merchantId } })).rulesNeedApproval;
const lastAudit = () =>
  context.database.prisma.auditEntry.findFirstOrThrow({ where: { tenantId: merchantId }, orderBy: { position: 'desc' } });

describe('asking for a second person', () => {
  test('is refused in a workspace of one, which can still publish', async () => {
    const before = await lastAudit();
    expect(await require(true, adaId)).toEqual({ kind: 'no_second_person' });
    expect(await isRequired()).toBe(false);
    expect(await lastAudit()).toEqual(before);
    expect(await publish(await draft(adaId), adaId)).toMatchObject({ kind: 'published' });
  });

  test.each(['viewer', 'finance'] as const)('does not count a %s, who cannot approve', async (role) => {
    await hire(role);
    expect(await require(true, adaId)).toEqual({ kind: 'no_second_person' });
  });

  test('does not count a person who is switched off, or who has a role at another merchant only', async () => {
    const gone = await hire('operator');
    await setStaffDisabled(context, { staffId: gone, merchantScope, disabled: true, actor: `staff:${adaId}` });
    await hire('owner', await testMerchant(context));
    expect(await require(true, adaId)).toEqual({ kind: 'no_second_person' });
  });

  test.each([
    ['an operator of the merchant', 'operator', 'merchant'],
    ['an owner of the merchant', 'owner', 'merchant'],
    ['an operator of all merchants', 'operator', 'all'],
  ] as const)('is possible beside %s', async (_who, role, of) => {
    await hire(role, of === 'all' ? null : merchantId);
    expect(await require(true, adaId)).toEqual({ kind: 'changed', required: true });
    expect(await isRequired()).toBe(true);
  });

  test('does not count one person twice who has a role here and one everywhere', async () => {
    await grantRole(context, { staffId: adaId, merchantId, role: 'operator', actor: system });
    expect(await require(true, adaId)).toEqual({ kind: 'no_second_person' });
  });
});

describe('when the second person leaves', () => {
  let bolaId: string;

  beforeEach(async () => {
    bolaId = await hire('operator');
    expect(await require(true, adaId)).toEqual({ kind: 'changed', required: true });
  });

  const leaves = {
    'loses the role': () => revokeRole(context, { staffId: bolaId, merchantId, actor: `staff:${adaId}` }),
    'gets a lower role': () => grantRole(context, { staffId: bolaId, merchantId, role: 'viewer', actor: `staff:${adaId}` }),
    'is switched off': () =>
      setStaffDisabled(context, { staffId: bolaId, merchantScope, disabled: true, actor: `staff:${adaId}` }),
  };

  test.each(Object.entries(leaves))(
    'because Bola %s, nothing is switched off unasked, and the one who is left is not locked out',
    async (_how, leave) => {
      expect(await require(false, adaId)).toMatchObject({ kind: 'needs_second_person' });
      await leave();
      expect(await isRequired()).toBe(true);
      const written = await draft(adaId);
      expect(await publish(written, adaId)).toEqual({ kind: 'needs_approval' });
      expect(await listMerchantsWithoutSecondApprover(context, [merchantId])).toEqual([merchantId]);

      expect(await require(false, adaId)).toEqual({ kind: 'changed', required: false });
      expect(await lastAudit()).toMatchObject({
        action: 'merchant.rules_approval_changed',
        actor: `staff:${adaId}`,
        after: { rulesNeedApproval: false, waiverRequestedBy: null, withoutSecondPerson: true },
      });
      expect(await publish(written, adaId)).toMatchObject({ kind: 'published' });
      expect(await listMerchantsWithoutSecondApprover(context, [merchantId])).toEqual([]);
    },
  );

  test('another approver replaces them, and one person cannot switch it off', async () => {
    await leaves['loses the role']();
    const chiId = await hire('operator', null);
    expect(await require(false, adaId)).toMatchObject({ kind: 'needs_second_person', requestedBy: `staff:${adaId}` });
    const written = await draft(adaId);
    await requestApproval(context, { ...written, actor: `staff:${adaId}` });
    const approved = await approveRules(context, { ...written, actor: `staff:${chiId}` });
    expect(approved).toMatchObject({ kind: 'approved' });
    expect(await publish(written, adaId)).toMatchObject({ kind: 'published' });
  });

  test('their request to let one person publish does not prevent the other from switching it off', async () => {
    expect(await require(false, bolaId)).toMatchObject({ kind: 'needs_second_person' });
    await leaves['is switched off']();
    expect(await require(false, adaId)).toEqual({ kind: 'changed', required: false });
  });

  test('the team is shown beforehand on whom approval depends', async () => {
    const neededBy = async () => {
      const { people } = await listTeam(context, { readScope: merchantScope, merchantScope });
      return people.filter(({ neededToApprove }) => neededToApprove.includes(merchantId)).map(({ staffId }) => staffId);
    };
    expect((await neededBy()).toSorted()).toEqual([adaId, bolaId].toSorted());
    await hire('operator', null);
    expect(await neededBy()).toEqual([]);
  });

  test('and another asks for a second person at the same time, the outcomes agree', async () => {
    await leaves['loses the role']();
    await require(false, adaId);
    for (let round = 0; round < 10; round++) {
      await grantRole(context, { staffId: bolaId, merchantId, role: 'operator', actor: system });
      const [asked] = await Promise.all([require(true, adaId), leaves['loses the role']()]);
      const alone = await listMerchantsWithoutSecondApprover(context, [merchantId]);
      expect(alone).toEqual(asked.kind === 'changed' ? [merchantId] : []);
      expect(['changed', 'no_second_person']).toContain(asked.kind);
      await require(false, adaId);
      expect(await isRequired()).toBe(false);
    }
  });
});

test('a workspace of one that locked itself out can unlock itself', async () => {
  await context.database.prisma.merchant.update({ where: { id: merchantId }, data: { rulesNeedApproval: true } });
  expect(await require(false, adaId)).toEqual({ kind: 'changed', required: false });
});

test('a request to let one person publish is shown until it is answered, withdrawn or a day old', async () => {
  const start = new Date('2100-01-01T12:00:00.000Z');
  context.setClock(start);
  const bolaId = await hire('operator');
  await require(true, adaId);
  const shown = async () => (await readRulesApproval(context, merchantId))?.waiver;
  expect(await shown()).toBeNull();
  await require(false, adaId);
  const until = new Date('2100-01-02T12:00:00.000Z');
  expect(await shown()).toEqual({ requestedBy: `staff:${adaId}`, requestedAt: start, until });
  context.setClock(until);
  expect(await shown()).toBeNull();
  context.setClock(start);
  expect(await require(true, bolaId)).toEqual({ kind: 'changed', required: true });
  expect(await shown()).toBeNull();
  await require(false, adaId);
  expect(await require(false, bolaId)).toEqual({ kind: 'changed', required: false });
  expect(await readRulesApproval(context, merchantId)).toMatchObject({ required: false, waiver: null });
  context.setClock(null);
});
