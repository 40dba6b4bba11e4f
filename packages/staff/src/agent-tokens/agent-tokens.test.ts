import { openTestContext, type TestContext, testStaff } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authenticateFinance } from '../finance-tokens/authenticate-finance.ts';
import { endSessions } from '../sessions/sessions.ts';
import { setStaffDisabled } from '../users/change-staff-user.ts';
import { authenticateAgent, isAgentToken } from './authenticate-agent.ts';
import { issueAgentToken } from './issue-agent-token.ts';
import { listAgentTokensOf } from './list-agent-tokens.ts';
import { revokeAgentToken } from './revoke-agent-token.ts';

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

async function issue(expiresAt = new Date(Date.now() + DAY_MS), maySaveDrafts = false) {
  const issued = await issueAgentToken(context, { name: 'Support assistant', maySaveDrafts, expiresAt, staffId });
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  return { token: issued.token, header: `Bearer ${issued.token}`, tokenId: issued.listed.id };
}

async function lastAudit() {
  return context.database.prisma.auditEntry.findFirst({ orderBy: { id: 'desc' } });
}

test('a token names its staff user, and is stored as a hash only', async () => {
  const { token, header, tokenId } = await issue(undefined, true);
  expect(token).toMatch(/^agt_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
  expect(await authenticateAgent(context, header)).toMatchObject({
    tokenId,
    tokenName: 'Support assistant',
    staffId,
    maySaveDrafts: true,
  });
  const row = await context.database.prisma.agentToken.findUniqueOrThrow({ where: { id: tokenId } });
  expect(JSON.stringify(row)).not.toContain(token.slice(17, 60));
  expect(row.lastUsedAt).not.toBeNull();
  const [listed] = await listAgentTokensOf(context, staffId);
  expect(listed).toMatchObject({ id: tokenId, lastFour: token.slice(-4) });
  expect(listed).not.toHaveProperty('secretHash');
  expect(await lastAudit()).toMatchObject({
    action: 'agent_token.issued',
    actor,
    objectId: tokenId,
    after: { name: 'Support assistant' },
  });
});

test('a typo, another secret, another kind of token and no token are refused', async () => {
  const { token, header } = await issue();
  const other = await issue();
  const typo = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
  const mixed = `${token.slice(0, 17)}${other.token.slice(17)}`;
  for (const text of [`Bearer ${typo}`, `Bearer ${mixed}`, token, `Basic ${token}`, 'Bearer ', '']) {
    expect(await authenticateAgent(context, text)).toBeNull();
  }
  expect(await authenticateAgent(context, null)).toBeNull();
  expect(await authenticateFinance(context, header)).toBeNull();
  expect(isAgentToken(header)).toBe(true);
  expect(isAgentToken(header.replace('agt_', 'fin_'))).toBe(false);
});

test('an expired token is refused', async () => {
  const { header } = await issue(new Date(Date.now() + 60_000));
  expect(await authenticateAgent(context, header)).not.toBeNull();
  const later = { ...context, now: () => new Date(Date.now() + 60_001) };
  expect(await authenticateAgent(later, header)).toBeNull();
});

test('a token that ends too late, has ended or has no name is not issued', async () => {
  const rest = { maySaveDrafts: false, staffId };
  for (const command of [
    { name: '', expiresAt: new Date(Date.now() + DAY_MS) },
    { name: 'Support assistant', expiresAt: new Date(Date.now() - 1) },
    { name: 'Support assistant', expiresAt: new Date(Date.now() + 367 * DAY_MS) },
  ]) {
    expect((await issueAgentToken(context, { ...rest, ...command })).kind).toBe('invalid');
  }
});

test('a revoked token is refused at once, and is revoked once', async () => {
  const { header, tokenId } = await issue();
  expect((await revokeAgentToken(context, { tokenId, actor })).kind).toBe('revoked');
  expect(await authenticateAgent(context, header)).toBeNull();
  expect(await lastAudit()).toMatchObject({ action: 'agent_token.revoked', actor, objectId: tokenId });
  expect((await revokeAgentToken(context, { tokenId, actor })).kind).toBe('not_found');
});

test('signing a staff user out everywhere revokes their tokens, and ending one session does not', async () => {
  const { header } = await issue();
  const out = { staffId, merchantScope: everywhere, actor: 'staff:another' };
  await endSessions(context, { ...out, which: { sessionId: context.newId() } });
  expect(await authenticateAgent(context, header)).not.toBeNull();
  await endSessions(context, { ...out, which: 'all' });
  expect(await authenticateAgent(context, header)).toBeNull();
  expect(await lastAudit()).toMatchObject({ action: 'staff.sessions_ended', after: { count: 0 } });
});

test('switching a staff user off revokes their tokens for good', async () => {
  const { header } = await issue();
  const command = { staffId, merchantScope: everywhere, actor: 'staff:another' };
  expect(await setStaffDisabled(context, { ...command, disabled: true })).toEqual({ kind: 'changed' });
  await setStaffDisabled(context, { ...command, disabled: false });
  expect(await authenticateAgent(context, header)).toBeNull();
});

test('a staff user has a limited number of tokens that work', async () => {
  const count = await context.database.prisma.agentToken.count({
    where: { staffId, revokedAt: null, expiresAt: { gt: new Date() } },
  });
  for (let issuedSoFar = count; issuedSoFar < 20; issuedSoFar++) await issue();
  const command = { name: 'One more', maySaveDrafts: false, staffId, expiresAt: new Date(Date.now() + DAY_MS) };
  expect(await issueAgentToken(context, command)).toEqual({ kind: 'too_many_tokens', most: 20 });
});
