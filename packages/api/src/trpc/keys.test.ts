import { issueKey } from '@switchyard/merchants/console/api-keys';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestMerchant, openTestDashboard, sessionOf, type TestDashboard } from '../testing/dashboard.ts';
import { createCallerFactory } from './procedure.ts';
import { appRouter } from './router.ts';

const createCaller = createCallerFactory(appRouter);
let dashboard: TestDashboard;
let merchantId: string;

beforeAll(async () => {
  dashboard = await openTestDashboard();
  ({ merchantId } = await createTestMerchant(dashboard));
});
afterAll(() => dashboard.close());

const as = (role: 'owner' | 'developer') =>
  createCaller({ switchyard: dashboard.switchyard, session: sessionOf(role, merchantId) }).keys;
const wanted = (mode: 'test' | 'live', ...scopes: string[]) => ({ merchantId, mode, name: 'Server', expiresAt: null, scopes });
const RESTRICTED = ['payments:write', 'payments:read', 'refunds:read', 'events:read', 'settlements:read', 'rules:read'];

/** A live key that may do everything but the rules. */
async function fullKey(): Promise<string> {
  const issued = await issueKey(dashboard.switchyard, { ...wanted('live', 'full_access'), actor: 'staff:ada' });
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  return issued.key.id;
}

describe('a developer', () => {
  test('creates a live key for what a developer may in live mode, and no other', async () => {
    expect(await as('developer').issue(wanted('live', ...RESTRICTED))).toMatchObject({ kind: 'issued' });
    for (const scopes of [['refunds:write'], ['rules:write'], ['payments:read', 'refunds:write']]) {
      const beyond = scopes.filter((scope) => !RESTRICTED.includes(scope));
      expect(await as('developer').issue(wanted('live', ...scopes))).toEqual({ kind: 'beyond_rights', scopes: beyond });
    }
    const full = await as('developer').issue(wanted('live', 'full_access'));
    expect(full).toEqual({ kind: 'beyond_rights', scopes: ['refunds:write'] });
    expect(await as('owner').issue(wanted('live', 'full_access'))).toMatchObject({ kind: 'issued' });
  });

  test('creates any key of test mode', async () => {
    expect(await as('developer').issue(wanted('test', 'full_access'))).toMatchObject({ kind: 'issued' });
    expect(await as('developer').issue(wanted('test', 'rules:write'))).toMatchObject({ kind: 'issued' });
  });

  test('neither widens a live key nor gets the text of one that may do more, and leaves it as it is', async () => {
    const keyId = await fullKey();
    const { apiKey } = dashboard.database.prisma;
    const before = await apiKey.findMany({ where: { merchantId }, orderBy: { id: 'asc' } });
    const oldWorksUntil = new Date(Date.now() + 3_600_000);
    const beyond = { kind: 'beyond_rights', scopes: ['refunds:write'] };
    expect(await as('developer').rotate({ merchantId, keyId, oldWorksUntil, expiresAt: null })).toEqual(beyond);
    const widened = { merchantId, keyId, changes: { scopes: ['refunds:write'] } };
    expect(await as('developer').change(widened)).toEqual(beyond);
    expect(await apiKey.findMany({ where: { merchantId }, orderBy: { id: 'asc' } })).toEqual(before);
    const renamed = { merchantId, keyId, changes: { name: 'Old server' } };
    expect(await as('developer').change(renamed)).toMatchObject({ kind: 'changed' });
    expect(await as('owner').rotate({ merchantId, keyId, oldWorksUntil, expiresAt: null })).toMatchObject({ kind: 'rotated' });
  });
});
