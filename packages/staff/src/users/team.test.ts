import { NIL_ID } from '@switchyard/db';
import { testMerchant } from '@switchyard/merchants/testing';
import { openTestContext, type TestContext, testStaff } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { grantRole, revokeRole } from '../grants/grants.ts';
import {
  acceptInvitation,
  inviteStaff,
  renewInvitation,
  restoreInvitation,
  withdrawInvitation,
} from '../invitations/invitations.ts';
import { describeLink, type IssuedLink, makeResetLink, requestReset, resetPassword } from '../links/links.ts';
import type { MerchantScope, RoleFor } from '../permissions/merchant-scope.ts';

import { listBreakGlassNamings } from '../sessions/index.ts';
import { endSessions, listSessions } from '../sessions/sessions.ts';
import { setBreakGlass } from '../single-sign-on/break-glass.ts';
import { listTeam, requireTwoFactor, resetTwoFactor, setStaffDisabled } from '../team/users.ts';
import { readStaffUser } from './queries.ts';

const EVERYWHERE: MerchantScope = { everywhere: true, merchantIds: [] };
const passwordHash = '$argon2id$hash';
let context: TestContext;
let merchantId: string;
let otherId: string;
let ownerId: string;
let actor: string;
let people = 0;

beforeAll(async () => {
  context = await openTestContext();
  merchantId = await testMerchant(context, 'Balogun Books');
  otherId = await testMerchant(context, 'Ade Fabrics');
});
afterAll(() => context.close());
beforeEach(async () => {
  context.setClock(null);
  await context.database.prisma.staffUser.deleteMany();
  await context.database.prisma.staffLink.deleteMany();
  ownerId = await testStaff(context);
  actor = `staff:${ownerId}`;
  await grantRole(context, { staffId: ownerId, merchantId: null, role: 'owner', actor });
});

const DAY_MS = 86_400_000;
const justBefore = ({ expiresAt }: IssuedLink) => new Date(expiresAt.getTime() - 1);
const only = (...merchantIds: string[]): MerchantScope => ({ everywhere: false, merchantIds });
const lastAudit = (tenantId = NIL_ID) =>
  context.database.prisma.auditEntry.findFirst({ where: { tenantId }, orderBy: { position: 'desc' } });

async function invite(grants: readonly RoleFor[] = [{ merchantId: null, role: 'viewer' }], more: object = {}) {
  people += 1;
  const command = {
    email: `New.${people}@Example.com`,
    name: 'Ngozi Eze',
    grants,
    twoFactorRequired: false,
    merchantScope: EVERYWHERE,
    actor,
  };
  const outcome = await inviteStaff(context, { ...command, ...more });
  if (outcome.kind !== 'invited') throw new Error(JSON.stringify(outcome));
  return { ...outcome, token: outcome.link.token, linkId: outcome.link.linkId };
}

const accept = (token: string, name = 'Ngozi') => acceptInvitation(context, { token, name, passwordHash });

async function hire(grants: readonly RoleFor[]): Promise<string> {
  const { token } = await invite(grants);
  const outcome = await accept(token);
  if (outcome.kind !== 'accepted') throw new Error(outcome.kind);
  return outcome.staffId;
}

async function signIn(staffId: string): Promise<string> {
  const now = new Date();
  const id = context.newId();
  const times = { createdAt: now, updatedAt: now, expiresAt: new Date(now.getTime() + 3_600_000) };
  await context.database.prisma.staffSession.create({ data: { id, userId: staffId, token: id, ...times } });
  return id;
}

const sessionsOf = (staffId: string) => context.database.prisma.staffSession.count({ where: { userId: staffId } });

describe('an invitation', () => {
  test('creates one staff user once, with its roles, and audits who invited whom', async () => {
    const { token, linkId, email } = await invite([
      { merchantId, role: 'finance' },
      { merchantId: otherId, role: 'viewer' },
    ]);
    expect(await describeLink(context, token)).toMatchObject({
      kind: 'invitation',
      email,
      invitedBy: 'Ada',
      roles: [
        { merchant: 'Balogun Books', role: 'finance' },
        { merchant: 'Ade Fabrics', role: 'viewer' },
      ],
    });
    const outcomes = await Promise.all([accept(token), accept(token), accept(token)]);
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['accepted', 'not_found', 'not_found']);
    const { people: team } = await listTeam(context, { readScope: EVERYWHERE, merchantScope: EVERYWHERE });
    const joined = team.find((person) => person.email === email);
    expect(joined).toMatchObject({ name: 'Ngozi', manageable: true });
    expect(new Set(joined?.roles)).toEqual(
      new Set([
        { merchantId, role: 'finance', group: null },
        { merchantId: otherId, role: 'viewer', group: null },
      ]),
    );
    expect(await lastAudit()).toMatchObject({ action: 'staff.joined', actor: `staff:${joined?.staffId}` });
    expect(await describeLink(context, token)).toEqual({ kind: 'not_found' });
    expect(JSON.stringify(await context.database.prisma.auditEntry.findMany())).not.toContain(token);
    expect(linkId).not.toBe(token);
  });

  test('expires after seven days, to the millisecond', async () => {
    const now = new Date();
    context.setClock(now);
    const { token, link } = await invite();
    expect(link.expiresAt.getTime()).toBe(now.getTime() + 7 * DAY_MS);
    context.setClock(link.expiresAt);
    expect(await describeLink(context, token)).toEqual({ kind: 'not_found' });
    expect(await accept(token)).toEqual({ kind: 'not_found' });
    context.setClock(justBefore(link));
    expect(await describeLink(context, token)).toMatchObject({ kind: 'invitation' });
    expect(await accept(token)).toMatchObject({ kind: 'accepted' });
  });

  test('that asks for a second factor gives no role before it is set up, also after its link was replaced', async () => {
    const grants = [{ merchantId, role: 'owner' }] as const;
    const first = await invite(grants, { twoFactorRequired: true });
    expect(await describeLink(context, first.token)).toMatchObject({ twoFactorRequired: true });
    const replaced = await invite(grants, { twoFactorRequired: true });
    const renewed = await renewInvitation(context, { linkId: replaced.linkId, merchantScope: EVERYWHERE, actor });
    if (renewed.kind !== 'renewed') throw new Error(renewed.kind);
    for (const token of [first.token, renewed.link.token]) {
      const joined = await accept(token);
      if (joined.kind !== 'accepted') throw new Error(joined.kind);
      const { staffId } = joined;
      expect(await readStaffUser(context.database, staffId)).toMatchObject({ mustSetUpTwoFactor: true, grants: [] });
      await context.database.prisma.staffUser.update({ where: { id: staffId }, data: { twoFactorEnabled: true } });
      expect(await readStaffUser(context.database, staffId)).toMatchObject({ mustSetUpTwoFactor: false, grants });
    }
    const plain = await hire(grants);
    expect(await readStaffUser(context.database, plain)).toMatchObject({ mustSetUpTwoFactor: false, grants });
  });

  test('ends when withdrawn, works again when that is undone, and ends for good when its link is replaced', async () => {
    const { token, linkId } = await invite();
    const command = { linkId, merchantScope: EVERYWHERE, actor };
    expect(await withdrawInvitation(context, command)).toEqual({ kind: 'withdrawn' });
    expect(await describeLink(context, token)).toEqual({ kind: 'not_found' });
    expect(await restoreInvitation(context, command)).toEqual({ kind: 'restored' });
    expect(await describeLink(context, token)).toMatchObject({ kind: 'invitation' });
    const renewed = await renewInvitation(context, command);
    if (renewed.kind !== 'renewed') throw new Error(renewed.kind);
    expect(await accept(token)).toEqual({ kind: 'not_found' });
    expect(await accept(renewed.link.token)).toMatchObject({ kind: 'accepted' });
    expect(await withdrawInvitation(context, command)).toEqual({ kind: 'not_found' });
  });

  test('of the same address replaces the previous one', async () => {
    const first = await invite();
    const second = await invite(undefined, { email: first.email });
    expect(await accept(first.token)).toEqual({ kind: 'not_found' });
    expect(await accept(second.token)).toMatchObject({ kind: 'accepted' });
  });

  test('is not created for an existing staff user, for an invalid address, or without a role', async () => {
    const { email, token } = await invite();
    await accept(token);
    const command = { email, name: 'X', grants: [{ merchantId: null, role: 'viewer' as const }], twoFactorRequired: false };
    const by = { merchantScope: EVERYWHERE, actor };
    expect(await inviteStaff(context, { ...command, ...by })).toMatchObject({ kind: 'exists' });
    expect(await inviteStaff(context, { ...command, ...by, email: 'nobody' })).toMatchObject({
      kind: 'invalid',
      problems: [{ field: 'email' }],
    });
    expect(await inviteStaff(context, { ...command, ...by, email: 'b@example.com', grants: [] })).toMatchObject({
      kind: 'invalid',
    });
    const unknown = [{ merchantId: context.newId(), role: 'viewer' as const }];
    expect(await inviteStaff(context, { ...command, ...by, email: 'b@example.com', grants: unknown })).toEqual({
      kind: 'unknown_merchant',
    });
  });

  test.each(['', 'x', 'A'.repeat(43), '../../etc'])('is not found by a forged secret: %j', async (token) => {
    expect(await describeLink(context, token)).toEqual({ kind: 'not_found' });
    expect(await accept(token)).toEqual({ kind: 'not_found' });
  });
});

describe('an owner of one merchant', () => {
  test('invites for that merchant only', async () => {
    const of = (grants: readonly RoleFor[]) =>
      inviteStaff(context, {
        email: 'c@example.com',
        name: 'C',
        grants,
        twoFactorRequired: false,
        merchantScope: only(merchantId),
        actor,
      });
    expect(await of([{ merchantId: null, role: 'viewer' }])).toEqual({ kind: 'forbidden' });
    expect(await of([{ merchantId: otherId, role: 'viewer' }])).toEqual({ kind: 'forbidden' });
    expect(await of([{ merchantId, role: 'owner' }])).toMatchObject({ kind: 'invited' });
  });

  test('cannot change the sign-in of a staff user with a role elsewhere', async () => {
    const merchantScope = only(merchantId);
    const mine = await hire([{ merchantId, role: 'viewer' }]);
    const shared = await hire([
      { merchantId, role: 'viewer' },
      { merchantId: otherId, role: 'viewer' },
    ]);
    for (const staffId of [ownerId, shared]) {
      expect(await makeResetLink(context, { staffId, merchantScope, actor })).toEqual({ kind: 'not_found' });
      expect(await setStaffDisabled(context, { staffId, merchantScope, actor, disabled: true })).toEqual({ kind: 'not_found' });
      expect(await resetTwoFactor(context, { staffId, merchantScope, actor })).toEqual({ kind: 'not_found' });
      expect(await endSessions(context, { staffId, which: 'all', merchantScope, actor })).toEqual({ kind: 'not_found' });
      expect(await listSessions(context, { staffId, merchantScope })).toBeNull();
    }
    expect(await makeResetLink(context, { staffId: mine, merchantScope, actor })).toMatchObject({ kind: 'made' });
  });

  test('sees the staff users of that merchant, and only their roles there', async () => {
    const shared = await hire([
      { merchantId, role: 'finance' },
      { merchantId: otherId, role: 'viewer' },
    ]);
    const foreign = await hire([{ merchantId: otherId, role: 'viewer' }]);
    await invite([{ merchantId: otherId, role: 'viewer' }]);
    const { people: team, invitations } = await listTeam(context, {
      readScope: only(merchantId),
      merchantScope: only(merchantId),
    });
    expect(team.map(({ staffId }) => staffId).toSorted()).toEqual([ownerId, shared].toSorted());
    expect(team.find(({ staffId }) => staffId === shared)).toMatchObject({
      roles: [{ merchantId, role: 'finance' }],
      manageable: false,
    });
    expect(team.some(({ staffId }) => staffId === foreign)).toBe(false);
    expect(invitations).toEqual([]);
  });
});

describe('a password reset link', () => {
  test('sets the password once within the hour, and ends every session', async () => {
    const staffId = await hire([{ merchantId, role: 'viewer' }]);
    await signIn(staffId);
    const made = await makeResetLink(context, { staffId, merchantScope: EVERYWHERE, actor });
    if (made.kind !== 'made') throw new Error(made.kind);
    const reset = () => resetPassword(context, { token: made.link.token, passwordHash: 'new hash' });
    expect((await Promise.all([reset(), reset()])).map(({ kind }) => kind).toSorted()).toEqual(['not_found', 'reset']);
    expect(await sessionsOf(staffId)).toBe(0);
    const credential = await context.database.prisma.staffCredential.findFirst({ where: { userId: staffId } });
    expect(credential?.password).toBe('new hash');
    expect(await lastAudit()).toMatchObject({ action: 'staff.password_reset', objectId: staffId });
  });

  test('expires after an hour, to the millisecond, when another is created, and when the staff user is disabled', async () => {
    const staffId = await hire([{ merchantId, role: 'viewer' }]);
    const make = async () => {
      const made = await makeResetLink(context, { staffId, merchantScope: EVERYWHERE, actor });
      if (made.kind !== 'made') throw new Error(made.kind);
      return made.link;
    };
    const reset = ({ token }: IssuedLink) => resetPassword(context, { token, passwordHash });
    const now = new Date();
    context.setClock(now);
    const first = await make();
    const second = await make();
    expect(await reset(first)).toEqual({ kind: 'not_found' });
    expect(second.expiresAt.getTime()).toBe(now.getTime() + 3_600_000);
    context.setClock(second.expiresAt);
    expect(await reset(second)).toEqual({ kind: 'not_found' });
    context.setClock(justBefore(second));
    expect(await reset(second)).toMatchObject({ kind: 'reset' });
    context.setClock(null);
    const third = await make();
    await setStaffDisabled(context, { staffId, merchantScope: EVERYWHERE, actor, disabled: true });
    expect(await reset(third)).toEqual({ kind: 'not_found' });
  });

  test('made while the staff user is disabled ends the old password, and works once without enabling them', async () => {
    const staffId = await hire([{ merchantId, role: 'viewer' }]);
    const passwordOf = async () =>
      (await context.database.prisma.staffCredential.findFirst({ where: { userId: staffId } }))?.password;
    const command = { staffId, merchantScope: EVERYWHERE, actor };
    await setStaffDisabled(context, { ...command, disabled: true });
    const made = await makeResetLink(context, command);
    if (made.kind !== 'made') throw new Error(made.kind);
    expect(await passwordOf()).toBeNull();
    const reset = () => resetPassword(context, { token: made.link.token, passwordHash: 'new hash' });
    expect(await reset()).toMatchObject({ kind: 'reset' });
    expect(await reset()).toEqual({ kind: 'not_found' });
    expect(await passwordOf()).toBe('new hash');
    const person = await context.database.prisma.staffUser.findUniqueOrThrow({ where: { id: staffId } });
    expect(person.disabledAt).not.toBeNull();
    expect(await requestReset(context, { email: person.email })).toEqual({ kind: 'not_found' });
  });

  test('is created only for the address of an enabled staff user', async () => {
    const { email, token } = await invite();
    await accept(token);
    expect(await requestReset(context, { email: email.toUpperCase() })).toMatchObject({ kind: 'made', email });
    for (const unknown of ['nobody@example.com', 'no address', ''])
      expect(await requestReset(context, { email: unknown })).toEqual({ kind: 'not_found' });
  });
});

describe('disabling', () => {
  test('ends every session at once, and can be undone', async () => {
    const staffId = await hire([{ merchantId: null, role: 'operator' }]);
    await signIn(staffId);
    const change = (disabled: boolean) => setStaffDisabled(context, { staffId, merchantScope: EVERYWHERE, actor, disabled });
    expect(await change(true)).toEqual({ kind: 'changed', neededFor: [] });
    expect(await sessionsOf(staffId)).toBe(0);
    expect(await lastAudit()).toMatchObject({ action: 'staff.disabled', after: { disabled: true, sessionsEnded: 1 } });
    expect(await change(false)).toEqual({ kind: 'changed' });
    expect(await lastAudit()).toMatchObject({ action: 'staff.enabled' });
  });

  test('withdraws the open invitations that the staff user sent, and those of others not', async () => {
    const staffId = await hire([{ merchantId: null, role: 'owner' }]);
    const theirs = await invite(undefined, { actor: `staff:${staffId}` });
    const ours = await invite();
    await setStaffDisabled(context, { staffId, merchantScope: EVERYWHERE, actor, disabled: true });
    expect(await lastAudit()).toMatchObject({ action: 'staff.disabled', after: { invitationsWithdrawn: 1 } });
    expect(await accept(theirs.token)).toEqual({ kind: 'not_found' });
    expect(await accept(ours.token)).toMatchObject({ kind: 'accepted' });
  });

  test('ends the reset links that the staff user made for others', async () => {
    const intruder = await hire([{ merchantId: null, role: 'owner' }]);
    const colleague = await hire([{ merchantId, role: 'viewer' }]);
    const made = await makeResetLink(context, { staffId: colleague, merchantScope: EVERYWHERE, actor: `staff:${intruder}` });
    await setStaffDisabled(context, { staffId: intruder, merchantScope: EVERYWHERE, actor, disabled: true });
    expect(await lastAudit()).toMatchObject({ action: 'staff.disabled', after: { resetLinksWithdrawn: 1 } });
    const token = made.kind === 'made' ? made.link.token : '';
    expect(await resetPassword(context, { token, passwordHash: 'theirs' })).toEqual({ kind: 'not_found' });
  });

  test('is refused for oneself and for the last enabled workspace owner', async () => {
    const second = await hire([{ merchantId: null, role: 'owner' }]);
    const off = (staffId: string, by: string) =>
      setStaffDisabled(context, { staffId, merchantScope: EVERYWHERE, actor: by, disabled: true });
    expect(await off(ownerId, actor)).toEqual({ kind: 'oneself' });
    const outcomes = await Promise.all([off(second, actor), off(ownerId, `staff:${second}`)]);
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['changed', 'last_owner']);
    const stays = outcomes[0]?.kind === 'changed' ? ownerId : second;
    const demote = { staffId: stays, merchantId: null, actor };
    expect(await grantRole(context, { ...demote, role: 'viewer' })).toEqual({ kind: 'last_owner' });
    expect(await revokeRole(context, demote)).toEqual({ kind: 'last_owner' });
  });
});

describe('the second step', () => {
  test('can be required and removed for a staff user, each audited', async () => {
    const staffId = await hire([{ merchantId, role: 'viewer' }]);
    const command = { staffId, merchantScope: EVERYWHERE, actor };
    expect(await requireTwoFactor(context, { ...command, required: true })).toEqual({ kind: 'changed' });
    expect(await lastAudit()).toMatchObject({ action: 'staff.two_factor_required', objectId: staffId });
    const { prisma } = context.database;
    await prisma.staffUser.update({ where: { id: staffId }, data: { twoFactorEnabled: true } });
    await prisma.staffTwoFactor.create({ data: { id: context.newId(), userId: staffId, secret: 's', backupCodes: 'b' } });
    await signIn(staffId);
    expect(await resetTwoFactor(context, command)).toEqual({ kind: 'changed' });
    expect(await prisma.staffTwoFactor.count({ where: { userId: staffId } })).toBe(0);
    expect(await sessionsOf(staffId)).toBe(0);
    expect(await lastAudit()).toMatchObject({ action: 'staff.two_factor_reset' });
  });
});

describe('the break-glass owner', () => {
  /** An owner of all merchants with a password and a second step. */
  async function eligible(): Promise<string> {
    const staffId = await hire([{ merchantId: null, role: 'owner' }]);
    const { prisma } = context.database;
    await prisma.staffUser.update({ where: { id: staffId }, data: { twoFactorEnabled: true } });
    await prisma.staffTwoFactor.create({ data: { id: context.newId(), userId: staffId, secret: 's', backupCodes: 'b' } });
    return staffId;
  }

  test('loses neither factor by another owner, who has to name another one first, which is listed for the alert', async () => {
    const [staffId, next] = [await eligible(), await eligible()];
    expect(await setBreakGlass(context, { staffId, actor })).toEqual({ kind: 'set' });
    const before = await lastAudit();
    const command = { staffId, merchantScope: EVERYWHERE, actor };
    expect(await resetTwoFactor(context, command)).toEqual({ kind: 'break_glass' });
    expect(await makeResetLink(context, command)).toEqual({ kind: 'break_glass' });
    expect(await requireTwoFactor(context, { ...command, required: false })).toEqual({ kind: 'break_glass' });
    expect(await setStaffDisabled(context, { ...command, disabled: true })).toEqual({ kind: 'last_owner' });
    expect(await context.database.prisma.staffTwoFactor.count({ where: { userId: staffId } })).toBe(1);
    expect(await lastAudit()).toEqual(before);
    expect(await setBreakGlass(context, { staffId: next, actor })).toEqual({ kind: 'set' });
    expect(await resetTwoFactor(context, command)).toEqual({ kind: 'changed' });
    const namings = await listBreakGlassNamings(context.database, new Date(Date.now() - 60_000));
    expect(namings.map(({ staffId: named, by }) => [named, by]).slice(0, 2)).toEqual([
      [next, 'Ada'],
      [staffId, 'Ada'],
    ]);
  });

  test('asks for a link from the sign-in page as others do', async () => {
    const staffId = await eligible();
    await setBreakGlass(context, { staffId, actor });
    const { email } = await context.database.prisma.staffUser.findUniqueOrThrow({ where: { id: staffId } });
    expect(await requestReset(context, { email })).toMatchObject({ kind: 'made' });
  });
});
