import { openTestContext, type TestContext, testStaff } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endSessions } from '../sessions/sessions.ts';
import { setStaffDisabled } from '../team/users.ts';
import { type IssueTokenCommand, issueToken, listTokens, revokeToken } from './machine-tokens.ts';
import { authenticateToken, readTokenSession } from './token-access.ts';

const DAY_MS = 86_400_000;
const everywhere = { everywhere: true, merchantIds: [] };

let context: TestContext;
let staffId: string;
let actor: string;

beforeAll(async () => {
  context = await openTestContext();
  staffId = await testStaff(context);
  actor = `staff:${staffId}`;
});
afterAll(() => context.close());

type TokenInput = Partial<IssueTokenCommand>;

async function issue(asked: TokenInput = {}) {
  const expiresAt = new Date(Date.now() + DAY_MS);
  const issued = await issueToken(context, { name: 'Support assistant', scopes: ['tools'], expiresAt, staffId, ...asked });
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  return { token: issued.token, header: `Bearer ${issued.token}`, tokenId: issued.listed.id };
}

const issueForReports = (merchantIds: readonly string[], asked: TokenInput = {}) =>
  issue({ scopes: ['reports'], merchantIds, modes: ['test'], ...asked });

async function lastAudit() {
  return context.database.prisma.auditEntry.findFirst({ orderBy: { id: 'desc' } });
}

test('a token names its staff user, and is stored as a hash only', async () => {
  const { token, header, tokenId } = await issue({ scopes: ['tools', 'drafts'] });
  expect(token).toMatch(/^agt_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
  expect(await authenticateToken(context, header)).toMatchObject({
    tokenId,
    tokenName: 'Support assistant',
    staffId,
    scopes: ['tools', 'drafts'],
  });
  const row = await context.database.prisma.machineToken.findUniqueOrThrow({ where: { id: tokenId } });
  expect(JSON.stringify(row)).not.toContain(token.slice(17, 60));
  expect(row.lastUsedAt).not.toBeNull();
  const [listed] = await listTokens(context, staffId);
  expect(listed).toMatchObject({ id: tokenId, lastFour: token.slice(-4) });
  expect(listed).not.toHaveProperty('secretHash');
  expect(await lastAudit()).toMatchObject({
    action: 'machine_token.issued',
    actor,
    objectId: tokenId,
    after: { name: 'Support assistant', scopes: ['tools', 'drafts'] },
  });
});

test('a typo, another secret, another prefix and no token are refused', async () => {
  const { token } = await issue();
  const other = await issue();
  const typo = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
  const mixed = `${token.slice(0, 17)}${other.token.slice(17)}`;
  const renamed = token.replace('agt_', 'fin_');
  for (const text of [`Bearer ${typo}`, `Bearer ${renamed}`, `Bearer ${mixed}`, token, `Basic ${token}`, 'Bearer ', '']) {
    expect(await authenticateToken(context, text)).toBeNull();
  }
  expect(await authenticateToken(context, null)).toBeNull();
});

test('a token is refused from the moment on at which it expires', async () => {
  const expiresAt = new Date(Date.now() + 60_000);
  const { header } = await issue({ expiresAt });
  const at = (ms: number) => ({ ...context, now: () => new Date(expiresAt.getTime() + ms) });
  expect(await authenticateToken(at(-1), header)).not.toBeNull();
  expect(await authenticateToken(at(0), header)).toBeNull();
});

test('a token that ends too late, has ended, has no name, or whose scopes do not fit is not issued', async () => {
  const merchantIds = [context.newId()];
  const wrong: readonly (readonly [string, TokenInput])[] = [
    ['name', { name: '' }],
    ['expiresAt', { expiresAt: new Date(Date.now() - 1) }],
    ['expiresAt', { expiresAt: new Date(Date.now() + 367 * DAY_MS) }],
    ['scopes', { scopes: [] }],
    ['scopes', { scopes: ['drafts'] }],
    ['merchantIds', { scopes: ['reports'], modes: ['test'] }],
    ['modes', { scopes: ['reports'], merchantIds }],
    ['merchantIds', { scopes: ['tools'], merchantIds }],
  ];
  for (const [field, asked] of wrong) {
    const command = { name: 'Books', scopes: ['tools'], expiresAt: new Date(Date.now() + DAY_MS), staffId, ...asked } as const;
    expect(await issueToken(context, command)).toMatchObject({ kind: 'invalid', problems: [{ field }] });
  }
});

test('a revoked token is refused at once, and is revoked once, not by another staff user', async () => {
  const { header, tokenId } = await issue();
  expect((await revokeToken(context, { tokenId, staffId: context.newId(), actor })).kind).toBe('not_found');
  expect(await authenticateToken(context, header)).not.toBeNull();
  expect((await revokeToken(context, { tokenId, staffId, actor })).kind).toBe('revoked');
  expect(await authenticateToken(context, header)).toBeNull();
  expect(await lastAudit()).toMatchObject({ action: 'machine_token.revoked', actor, objectId: tokenId });
  expect((await revokeToken(context, { tokenId, staffId, actor })).kind).toBe('not_found');
});

test('signing a staff user out everywhere revokes their tokens, and ending one session does not', async () => {
  const { header } = await issue();
  const books = await issueForReports([context.newId()]);
  const out = { staffId, merchantScope: everywhere, actor: 'staff:another' };
  await endSessions(context, { ...out, which: { sessionId: context.newId() } });
  expect(await authenticateToken(context, header)).not.toBeNull();
  await endSessions(context, { ...out, which: 'all' });
  expect(await authenticateToken(context, header)).toBeNull();
  expect(await authenticateToken(context, books.header)).toBeNull();
  expect(await lastAudit()).toMatchObject({ action: 'staff.sessions_ended', after: { count: 0 } });
});

test('switching a staff user off revokes their tokens for good, whatever the scopes', async () => {
  const { header } = await issue();
  const books = await issueForReports([context.newId()]);
  const command = { staffId, merchantScope: everywhere, actor: 'staff:another' };
  expect(await setStaffDisabled(context, { ...command, disabled: true })).toEqual({ kind: 'changed', neededFor: [] });
  await setStaffDisabled(context, { ...command, disabled: false });
  expect(await authenticateToken(context, header)).toBeNull();
  expect(await authenticateToken(context, books.header)).toBeNull();
});

test('a staff user has a limited number of tokens that work', async () => {
  const by = await testStaff(context);
  const { tokenId } = await issue({ staffId: by });
  const { machineToken } = context.database.prisma;
  const one = await machineToken.findUniqueOrThrow({ where: { id: tokenId } });
  const others = Array.from({ length: 49 }, (_, at) => ({ ...one, id: context.newId(), publicId: `another-${at}` }));
  await machineToken.createMany({ data: others });
  const command = { name: 'One more', scopes: ['tools'], staffId: by, expiresAt: new Date(Date.now() + DAY_MS) } as const;
  expect(await issueToken(context, command)).toEqual({ kind: 'too_many_tokens', limit: 50 });
});

test('a token returns its own merchants', async () => {
  const [some, others] = [[context.newId(), context.newId()], [context.newId()]];
  const [one, other] = [await issueForReports(some), await issueForReports(others)];
  expect((await authenticateToken(context, one.header))?.merchantIds).toEqual(some);
  expect((await authenticateToken(context, other.header))?.merchantIds).toEqual(others);
});

test('a token is refused as soon as another process revokes it', async () => {
  const { header, tokenId } = await issueForReports([context.newId()]);
  expect(await authenticateToken(context, header)).not.toBeNull();
  const elsewhere = { ...context, resources: { ...context.resources, database: { ...context.database } } };
  expect((await revokeToken(elsewhere, { tokenId, staffId, actor })).kind).toBe('revoked');
  expect(await authenticateToken(context, header)).toBeNull();
});

test('a token has the current permissions of its creator, and none once they are disabled', async () => {
  const merchantId = context.newId();
  const { header } = await issueForReports([merchantId]);
  const { prisma } = context.database;
  expect((await authenticateToken(context, header))?.grants).toEqual([]);
  const grant = { staffId, merchantId, role: 'finance', grantedBy: 'system:test', createdAt: new Date() } as const;
  await prisma.staffGrant.create({ data: grant });
  expect((await authenticateToken(context, header))?.grants).toEqual([{ merchantId, role: 'finance' }]);
  await prisma.staffUser.update({ where: { id: staffId }, data: { disabledAt: new Date() } });
  expect(await authenticateToken(context, header)).toBeNull();
  await prisma.staffUser.update({ where: { id: staffId }, data: { disabledAt: null } });
});

test('a token has no role while a second step is required of its staff user and not set up', async () => {
  const merchantId = context.newId();
  const by = await testStaff(context);
  const grant = { staffId: by, merchantId, role: 'finance', grantedBy: 'system:test', createdAt: new Date() } as const;
  await context.database.prisma.staffGrant.create({ data: grant });
  const headers = [(await issueForReports([merchantId], { staffId: by })).header, (await issue({ staffId: by })).header];
  const roles = async () =>
    Promise.all(
      headers.map(async (header) => {
        const access = (await authenticateToken(context, header)) ?? expect.fail('refused');
        return [access.grants, (await readTokenSession(context, access))?.grants];
      }),
    );
  const all = [{ merchantId, role: 'finance' }];
  expect(await roles()).toEqual([
    [all, undefined],
    [all, all],
  ]);
  const set = (data: { twoFactorRequired?: boolean; twoFactorEnabled?: boolean }) =>
    context.database.prisma.staffUser.update({ where: { id: by }, data });
  await set({ twoFactorRequired: true });
  expect(await roles()).toEqual([
    [[], undefined],
    [[], []],
  ]);
  await set({ twoFactorEnabled: true });
  expect(await roles()).toEqual([
    [all, undefined],
    [all, all],
  ]);
});
