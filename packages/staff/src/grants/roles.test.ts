import { NIL_ID } from '@switchyard/db';
import { testMerchant } from '@switchyard/merchants/testing';
import { openTestContext, type TestContext, testStaff } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bootstrapOwner, grantRole, listGrants, revokeRole } from './grants.ts';

const actor = 'staff:ada';
let context: TestContext;
let staffId: string;
let merchantId: string;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(async () => context.close());
beforeEach(async () => {
  await context.database.prisma.staffGrant.deleteMany();
  staffId = await testStaff(context);
  merchantId = await testMerchant(context);
});

async function rolesOf(id: string, ofMerchant: string | null = merchantId) {
  const grants = await listGrants(context, { merchantId: ofMerchant });
  return grants.filter((grant) => grant.staffId === id).map(({ merchantId: at, role }) => ({ all: at === null, role }));
}

async function lastAudit(tenantId: string) {
  return context.database.prisma.auditEntry.findFirst({ where: { tenantId }, orderBy: { position: 'desc' } });
}

describe('the first owner', () => {
  test('is created once, even by concurrent calls', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => testStaff(context)));
    const outcomes = await Promise.all(people.map((id) => bootstrapOwner(context, { staffId: id, actor })));
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['granted', ...Array(4).fill('owner_exists')]);
    expect(await listGrants(context, { merchantId: null })).toHaveLength(1);
    expect(await lastAudit(NIL_ID)).toMatchObject({
      action: 'staff.role_granted',
      actor,
      after: { role: 'owner', merchantId: null },
    });
  });

  test('must be an existing staff user', async () => {
    for (const id of [context.newId(), 'nobody']) {
      expect(await bootstrapOwner(context, { staffId: id, actor })).toEqual({ kind: 'unknown_staff' });
    }
  });
});

describe('granting', () => {
  test('grants a role for one merchant, or for all, with an audit row', async () => {
    expect(await grantRole(context, { staffId, merchantId, role: 'finance', actor })).toEqual({ kind: 'granted', before: null });
    expect(await grantRole(context, { staffId, merchantId: null, role: 'viewer', actor })).toEqual({
      kind: 'granted',
      before: null,
    });
    expect(await rolesOf(staffId)).toEqual([
      { all: false, role: 'finance' },
      { all: true, role: 'viewer' },
    ]);
    expect(await rolesOf(staffId, null)).toEqual([{ all: true, role: 'viewer' }]);
    expect(await rolesOf(staffId, await testMerchant(context))).toEqual([{ all: true, role: 'viewer' }]);
    expect(await lastAudit(merchantId)).toMatchObject({
      action: 'staff.role_granted',
      objectId: staffId,
      actor,
      before: null,
      after: { role: 'finance', merchantId },
    });
  });

  test('replaces an existing role for the merchant; the same role again changes nothing', async () => {
    await grantRole(context, { staffId, merchantId, role: 'viewer', actor });
    expect(await grantRole(context, { staffId, merchantId, role: 'operator', actor })).toEqual({
      kind: 'granted',
      before: 'viewer',
    });
    const before = await lastAudit(merchantId);
    expect(await grantRole(context, { staffId, merchantId, role: 'operator', actor })).toEqual({
      kind: 'granted',
      before: 'operator',
    });
    expect(await lastAudit(merchantId)).toEqual(before);
    expect(await rolesOf(staffId)).toEqual([{ all: false, role: 'operator' }]);
  });

  test('requires an existing staff user and merchant', async () => {
    const role = 'viewer';
    for (const id of [context.newId(), 'nobody']) {
      expect(await grantRole(context, { staffId: id, merchantId, role, actor })).toEqual({ kind: 'unknown_staff' });
      expect(await grantRole(context, { staffId, merchantId: id, role, actor })).toEqual({ kind: 'unknown_merchant' });
    }
  });

  test('the nil UUID is not accepted for all merchants', async () => {
    expect(await grantRole(context, { staffId, merchantId: NIL_ID, role: 'owner', actor })).toEqual({ kind: 'unknown_merchant' });
  });
});

describe('revoking', () => {
  test('removes the role for the merchant and leaves the others', async () => {
    await grantRole(context, { staffId, merchantId, role: 'finance', actor });
    await grantRole(context, { staffId, merchantId: null, role: 'viewer', actor });
    expect(await revokeRole(context, { staffId, merchantId, actor })).toEqual({ kind: 'revoked', before: 'finance' });
    expect(await revokeRole(context, { staffId, merchantId, actor })).toEqual({ kind: 'not_found' });
    expect(await rolesOf(staffId)).toEqual([{ all: true, role: 'viewer' }]);
    expect(await lastAudit(merchantId)).toMatchObject({ action: 'staff.role_revoked', objectId: staffId, after: null });
  });
});

describe('the last workspace owner', () => {
  test('remains one', async () => {
    await bootstrapOwner(context, { staffId, actor });
    expect(await revokeRole(context, { staffId, merchantId: null, actor })).toEqual({ kind: 'last_owner' });
    expect(await grantRole(context, { staffId, merchantId: null, role: 'viewer', actor })).toEqual({ kind: 'last_owner' });
    expect(await rolesOf(staffId, null)).toEqual([{ all: true, role: 'owner' }]);
  });

  test('remains when two owners revoke each other’s role concurrently', async () => {
    const other = await testStaff(context);
    await bootstrapOwner(context, { staffId, actor });
    await grantRole(context, { staffId: other, merchantId: null, role: 'owner', actor });
    const outcomes = await Promise.all(
      [staffId, other].map((id) => revokeRole(context, { staffId: id, merchantId: null, actor })),
    );
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['last_owner', 'revoked']);
    expect(await listGrants(context, { merchantId: null })).toHaveLength(1);
  });

  test('of a single merchant may be revoked: workspace owners remain', async () => {
    await grantRole(context, { staffId, merchantId, role: 'owner', actor });
    expect(await revokeRole(context, { staffId, merchantId, actor })).toEqual({ kind: 'revoked', before: 'owner' });
  });
});
