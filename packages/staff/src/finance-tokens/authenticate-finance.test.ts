import { openTestContext, type TestContext, testStaff } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authenticateFinance } from './authenticate-finance.ts';
import { issueFinanceToken } from './issue-finance-token.ts';
import { revokeFinanceToken } from './revoke-finance-token.ts';

let context: TestContext;
let staffId: string;

beforeAll(async () => {
  context = await openTestContext();
  staffId = await testStaff(context);
});
afterAll(() => context.close());

async function issue(merchantIds: readonly string[], by: string = staffId) {
  const issued = await issueFinanceToken(context, {
    name: 'Books',
    merchantIds,
    modes: ['test'],
    expiresAt: new Date(Date.now() + 86_400_000),
    staffId: by,
  });
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  return { header: `Bearer ${issued.token}`, tokenId: issued.listed.id };
}

test('a token returns its merchants each time, from one cached list', async () => {
  const some = [context.newId(), context.newId()];
  const others = [context.newId()];
  const one = await issue(some);
  const other = await issue(others);
  const first = await authenticateFinance(context, one.header);
  expect(first?.merchantIds).toEqual(some);
  expect((await authenticateFinance(context, other.header))?.merchantIds).toEqual(others);
  const again = await authenticateFinance(context, one.header);
  expect(again?.merchantIds).toBe(first?.merchantIds);
});

test('a cached token is refused as soon as it is revoked', async () => {
  const { header, tokenId } = await issue([context.newId()]);
  expect(await authenticateFinance(context, header)).not.toBeNull();
  // Revoked by another process, without a signal to this one.
  const elsewhere = { ...context, resources: { ...context.resources, database: { ...context.database } } };
  expect((await revokeFinanceToken(elsewhere, { tokenId, actor: `staff:${staffId}` })).kind).toBe('revoked');
  expect(await authenticateFinance(context, header)).toBeNull();
});

test('a cached token has the current permissions of its creator, and none once they are disabled', async () => {
  const merchantId = context.newId();
  const { header } = await issue([merchantId]);
  const { prisma } = context.database;
  expect((await authenticateFinance(context, header))?.grants).toEqual([]);
  const grant = { staffId, merchantId, role: 'finance', grantedBy: 'system:test', createdAt: new Date() } as const;
  await prisma.staffGrant.create({ data: grant });
  expect((await authenticateFinance(context, header))?.grants).toEqual([{ merchantId, role: 'finance' }]);
  await prisma.staffUser.update({ where: { id: staffId }, data: { disabledAt: new Date() } });
  expect(await authenticateFinance(context, header)).toBeNull();
  await prisma.staffUser.update({ where: { id: staffId }, data: { disabledAt: null } });
});

test('more tokens than the cache holds each return their own merchants', async () => {
  const tokens: { readonly header: string; readonly merchantId: string }[] = [];
  for (let person = 0; person < 5; person += 1) {
    const by = await testStaff(context);
    for (let at = 0; at < 45; at += 1) {
      const merchantId = context.newId();
      tokens.push({ header: (await issue([merchantId], by)).header, merchantId });
    }
  }
  for (const { header, merchantId } of [...tokens, ...tokens]) {
    const access = await authenticateFinance(context, header);
    expect(access?.merchantIds).toEqual([merchantId]);
  }
});
