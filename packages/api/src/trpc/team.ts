import { listChannelsChangedBy } from '@switchyard/alerts/channels';
import { NIL_ID } from '@switchyard/db';
import { listIssuedKeys, revokeKey } from '@switchyard/merchants/console/api-keys';
import { listIssuedReports, revokeLink } from '@switchyard/scheduled-reports/console';
import { type GrantRoleOutcome, grantRole, type RevokeRoleOutcome, revokeRole } from '@switchyard/staff/grants';
import { inviteStaff, renewInvitation, restoreInvitation, withdrawInvitation } from '@switchyard/staff/invitations';
import { deliverLink, type IssuedLink, type LinkPurpose, linkAddress, makeResetLink } from '@switchyard/staff/links';
import { revokeToken } from '@switchyard/staff/machine-tokens';
import {
  CUSTOM_PERMISSIONS,
  type MerchantScope,
  MODE_PERMISSIONS,
  merchantScopeOf,
  merchantsWhere,
  PERMISSION_TEXTS,
  type Permission,
  type StaffSession,
  scopeCovers,
} from '@switchyard/staff/permissions';
import { roleKey } from '@switchyard/staff/role-key';
import { listCustomRoles, removeCustomRole, type SaveRoleOutcome, saveCustomRole } from '@switchyard/staff/roles';
import { endSessions, listSessions } from '@switchyard/staff/sessions';
import {
  type ChangeStaffUserOutcome,
  listIssued,
  listTeam,
  requireTwoFactor,
  resetTwoFactor,
  setStaffDisabled,
} from '@switchyard/staff/users';
import { listEndpointsChangedBy } from '@switchyard/webhooks/endpoints';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import type { Switchyard } from '../process.ts';
import { foundOrThrow, missing } from './inputs.ts';
import { permitted, router, type TrpcContext } from './procedure.ts';

/*
 * Keys, tokens, invitations and links that a person issued: they outlive the person's sessions, and an intruder's outlive the intruder.
 */

interface Manager {
  readonly switchyard: Switchyard;
  readonly session: StaffSession;
  /** The merchants whose team they manage. */
  readonly merchantIds: readonly string[];
}

const uuid = z.uuid().toLowerCase();
const CHOSEN_MAX = 500;
const ids = z.array(uuid).max(CHOSEN_MAX).default([]);

/** Choice of what to revoke of what a person issued. */
const chosenIssued = z.object({ staffId: uuid, tokenIds: ids, linkIds: ids, keyIds: ids, runIds: ids });

/** Everything that a person issued and that is still valid; null where they are not the caller's to manage. */
async function issuedBy({ switchyard, session, merchantIds }: Manager, staffId: string) {
  const merchantScope = merchantScopeOf(session, 'team:manage', merchantIds);
  const byStaff = await listIssued(switchyard, { staffId, merchantScope });
  if (byStaff === null) return null;
  const actor = `staff:${staffId}`;
  const reach = (permission: Permission) => merchantsWhere(session, permission, merchantIds);
  const reachAll = (permission: Permission) =>
    merchantScopeOf(session, permission, merchantIds).everywhere ? [...reach(permission), NIL_ID] : reach(permission);
  const [keys, endpoints, channels, reports] = await Promise.all([
    listIssuedKeys(switchyard, { merchantIds: reach('key:revoke'), actor }),
    listEndpointsChangedBy(switchyard, { merchantIds: reach('webhook:read'), actor }),
    listChannelsChangedBy(switchyard, { merchantIds: reachAll('alert:read'), actor }),
    listIssuedReports(switchyard, { merchantIds: reachAll('report:export'), staffId }),
  ]);
  return {
    ...byStaff,
    keys: keys.map(({ merchantId, id: keyId, mode, name, lastFour, createdAt, lastUsedAt }) => {
      return { merchantId, keyId, mode, name, lastFour, createdAt, lastUsedAt };
    }),
    endpoints,
    channels,
    ...reports,
  };
}

/** Revokes what was chosen of a person's, each with its own entry in the audit log; null where they are not the caller's to manage. */
async function revokeIssued(
  manager: Manager,
  { staffId, ...chosen }: z.infer<typeof chosenIssued>,
): Promise<{ readonly revoked: number } | null> {
  const issued = await issuedBy(manager, staffId);
  if (issued === null) return null;
  const { switchyard, session, merchantIds } = manager;
  const actor = `staff:${session.staffId}`;
  const merchantScope = merchantScopeOf(session, 'team:manage', merchantIds);
  const outcomes = [];
  for (const { tokenId } of issued.tokens.filter((one) => chosen.tokenIds.includes(one.tokenId))) {
    outcomes.push(await revokeToken(switchyard, { tokenId, staffId, actor }));
  }
  for (const { linkId } of issued.invitations.filter((one) => chosen.linkIds.includes(one.linkId))) {
    outcomes.push(await withdrawInvitation(switchyard, { linkId, merchantScope, actor }));
  }
  for (const { merchantId, keyId } of issued.keys.filter((one) => chosen.keyIds.includes(one.keyId))) {
    outcomes.push(await revokeKey(switchyard, { merchantId, keyId, actor }));
  }
  for (const { merchantId, runId } of issued.downloads.filter((one) => chosen.runIds.includes(one.runId))) {
    outcomes.push(await revokeLink(switchyard, { merchantId, runId, actor }));
  }
  return { revoked: outcomes.filter(({ kind }) => kind === 'revoked' || kind === 'withdrawn').length };
}

/*
 * Staff users and their roles. An owner of one merchant manages roles for that merchant, and staff users without roles elsewhere.
 */

const role = roleKey;
const roleFields = z.object({
  name: z.string().max(200),
  permissions: z.array(z.string().max(40)).max(100),
  testPermissions: z.array(z.string().max(40)).max(100),
});
/** Null for all merchants. */
const merchantId = z.uuid().toLowerCase().nullable();
const person = z.object({ staffId: z.uuid().toLowerCase() });
const invitation = z.object({ linkId: z.uuid().toLowerCase() });

interface ManagerContext extends TrpcContext {
  readonly session: StaffSession;
  readonly merchantIds: readonly string[];
}

const managing = permitted('team:manage');
const NO_SUCH_STAFF_USER = 'There is no such person, or they are not yours to manage.';
const NO_ROLE = 'There is no such role, or it was removed.';
const NO_INVITATION = 'There is no such invitation, or it has been accepted.';

/** The author of a change, and the merchants they manage. */
function author({ session, merchantIds }: ManagerContext): { readonly merchantScope: MerchantScope; readonly actor: string } {
  return { merchantScope: merchantScopeOf(session, 'team:manage', merchantIds), actor: `staff:${session.staffId}` };
}

function requireReach(ctx: ManagerContext, of: string | null): void {
  if (scopeCovers(author(ctx).merchantScope, of)) return;
  const message =
    of === null ? 'Only owners of all merchants give or take roles for all of them.' : 'You have no access to this merchant.';
  throw new TRPCError({ code: 'FORBIDDEN', message });
}

function saved(outcome: SaveRoleOutcome): Exclude<SaveRoleOutcome, { kind: 'not_found' }> {
  return outcome.kind === 'not_found' ? missing(NO_ROLE) : outcome;
}

const IS_BREAK_GLASS =
  'The break-glass owner asks for a link on the sign-in page. Name another one under Single sign-on first to create one.';

function orNotFound(outcome: ChangeStaffUserOutcome): Exclude<ChangeStaffUserOutcome, { kind: 'not_found' }> {
  return outcome.kind === 'not_found' ? missing(NO_SUCH_STAFF_USER) : outcome;
}

/** A link, shown once to the staff user who created it. */
async function shown(
  { switchyard }: TrpcContext,
  purpose: LinkPurpose,
  made: { readonly email: string; readonly name: string; readonly link: IssuedLink },
) {
  const { email, name, link } = made;
  const delivery = await deliverLink(switchyard.links(), purpose, { email, name }, link);
  return {
    address: linkAddress(switchyard.resources.publicUrl, purpose, link),
    expiresAt: link.expiresAt,
    linkId: link.linkId,
    email,
    name,
    delivery,
  };
}

/** tRPC procedures of staff users and invitations. */
export const team = router({
  /** Staff users visible to the caller, and open invitations. */
  list: permitted('team:read').query(async ({ ctx }) => {
    const { session, merchantIds, switchyard } = ctx;
    const readScope = merchantScopeOf(session, 'team:read', merchantIds);
    const merchantScope = merchantScopeOf(session, 'team:manage', merchantIds);
    const found = await listTeam(switchyard, { readScope, merchantScope });
    return { ...found, merchantScope, sendsEmail: switchyard.links().mailer !== null };
  }),
  /** Creates an invitation; its link is only in this response. */
  invite: managing
    .input(
      z.object({
        email: z.string().max(320),
        name: z.string().max(200),
        grants: z.array(z.object({ merchantId, role })).max(200),
        twoFactorRequired: z.boolean().default(false),
      }),
    )
    .mutation(async ({ ctx, input }) => {
      const outcome = await inviteStaff(ctx.switchyard, { ...input, ...author(ctx) });
      if (outcome.kind === 'forbidden') {
        throw new TRPCError({ code: 'FORBIDDEN', message: 'You can give roles for your own merchants only.' });
      }
      if (outcome.kind !== 'invited') return outcome;
      return { kind: outcome.kind, ...(await shown(ctx, 'invitation', outcome)) };
    }),
  /** Replaces the link of an invitation; the old one stops working. */
  renewInvitation: managing.input(invitation).mutation(async ({ ctx, input }) => {
    const outcome = await renewInvitation(ctx.switchyard, { ...input, ...author(ctx) });
    if (outcome.kind === 'not_found') missing(NO_INVITATION);
    return shown(ctx, 'invitation', outcome);
  }),
  withdrawInvitation: managing.input(invitation).mutation(async ({ ctx, input }) => {
    const outcome = await withdrawInvitation(ctx.switchyard, { ...input, ...author(ctx) });
    if (outcome.kind === 'not_found') missing(NO_INVITATION);
  }),
  /** Undoes a withdrawal. */
  restoreInvitation: managing.input(invitation).mutation(async ({ ctx, input }) => {
    const outcome = await restoreInvitation(ctx.switchyard, { ...input, ...author(ctx) });
    if (outcome.kind === 'not_found') missing(NO_INVITATION);
  }),
  /** The roles of the workspace's own. */
  roles: permitted('team:read').query(async ({ ctx }) => ({
    roles: await listCustomRoles(ctx.switchyard),
    /** The permissions that such a role may have, as sentences without their subject. */
    offered: CUSTOM_PERMISSIONS.map((permission) => ({
      permission,
      text: PERMISSION_TEXTS[permission],
      /** True if a role may have it in test mode alone. */
      isByMode: MODE_PERMISSIONS.some((each) => each === permission),
    })),
  })),
  /** Creates a role of the workspace's own; for those who manage the team of all merchants. */
  createRole: managing.input(roleFields).mutation(async ({ ctx, input }) => {
    requireReach(ctx, null);
    return saved(await saveCustomRole(ctx.switchyard, { ...input, roleId: null, actor: author(ctx).actor }));
  }),
  /** Changes what a role is called and allows, for everyone who has it. */
  changeRole: managing.input(roleFields.extend({ roleId: uuid })).mutation(async ({ ctx, input }) => {
    requireReach(ctx, null);
    return saved(await saveCustomRole(ctx.switchyard, { ...input, actor: author(ctx).actor }));
  }),
  /** Removes a role that no one has. */
  removeRole: managing.input(z.object({ roleId: uuid })).mutation(async ({ ctx, input }) => {
    requireReach(ctx, null);
    const outcome = await removeCustomRole(ctx.switchyard, { ...input, actor: author(ctx).actor });
    return outcome.kind === 'not_found' ? missing(NO_ROLE) : outcome;
  }),
  /** Grants a staff user a role, replacing their role for the same merchant. */
  grantRole: managing
    .input(person.extend({ merchantId, role }))
    .mutation(async ({ ctx, input }): Promise<Exclude<GrantRoleOutcome, { kind: 'unknown_staff' }>> => {
      requireReach(ctx, input.merchantId);
      const outcome = await grantRole(ctx.switchyard, { ...input, actor: author(ctx).actor });
      return outcome.kind === 'unknown_staff' ? missing(NO_SUCH_STAFF_USER) : outcome;
    }),
  /** Revokes a staff user's role for a merchant, or for all. */
  revokeRole: managing
    .input(person.extend({ merchantId }))
    .mutation(async ({ ctx, input }): Promise<Exclude<RevokeRoleOutcome, { kind: 'not_found' }>> => {
      requireReach(ctx, input.merchantId);
      const outcome = await revokeRole(ctx.switchyard, { ...input, actor: author(ctx).actor });
      return outcome.kind === 'not_found' ? missing('The person has no such role.') : outcome;
    }),
  /** Creates a password reset link; it is only in this response. One for a disabled staff user ends their old password at once. */
  makeResetLink: managing.input(person).mutation(async ({ ctx, input }) => {
    const outcome = await makeResetLink(ctx.switchyard, { ...input, ...author(ctx) });
    if (outcome.kind === 'not_found') missing(NO_SUCH_STAFF_USER);
    if (outcome.kind === 'break_glass') throw new TRPCError({ code: 'FORBIDDEN', message: IS_BREAK_GLASS });
    return shown(ctx, 'password_reset', outcome);
  }),
  /** Disables a staff user and ends their sessions, tokens and open invitations, or enables them again. */
  setDisabled: managing
    .input(person.extend({ disabled: z.boolean() }))
    .mutation(async ({ ctx, input }) => orNotFound(await setStaffDisabled(ctx.switchyard, { ...input, ...author(ctx) }))),
  requireTwoFactor: managing
    .input(person.extend({ required: z.boolean() }))
    .mutation(async ({ ctx, input }) => orNotFound(await requireTwoFactor(ctx.switchyard, { ...input, ...author(ctx) }))),
  /** Removes a staff user's second step, for a lost phone and lost backup codes. */
  resetTwoFactor: managing
    .input(person)
    .mutation(async ({ ctx, input }) => orNotFound(await resetTwoFactor(ctx.switchyard, { ...input, ...author(ctx) }))),
  /** Everything that a staff user issued and that is still valid, and what they changed: it works without them. */
  issued: managing.input(person).query(async ({ ctx, input }) => {
    return foundOrThrow(await issuedBy(ctx, input.staffId), NO_SUCH_STAFF_USER);
  }),
  /** Revokes machine tokens, open invitations, API keys and links to files that a staff user gave out. */
  revokeIssued: managing.input(chosenIssued).mutation(async ({ ctx, input }) => {
    return foundOrThrow(await revokeIssued(ctx, input), NO_SUCH_STAFF_USER);
  }),
  /** The sessions of a staff user. */
  sessions: managing.input(person).query(async ({ ctx, input }) => {
    return foundOrThrow(
      await listSessions(ctx.switchyard, { ...input, merchantScope: author(ctx).merchantScope }),
      NO_SUCH_STAFF_USER,
    );
  }),
  /** Ends one session of a staff user, or all. */
  endSessions: managing
    .input(person.extend({ sessionId: z.uuid().toLowerCase().nullable() }))
    .mutation(async ({ ctx, input }) => {
      const { staffId, sessionId } = input;
      const which = sessionId === null ? ('all' as const) : { sessionId };
      const outcome = await endSessions(ctx.switchyard, { staffId, which, ...author(ctx) });
      return outcome.kind === 'not_found' ? missing(NO_SUCH_STAFF_USER) : outcome;
    }),
});
