import { listGroupRoles } from '@switchyard/staff/group-roles';
import { merchantScopeOf, type StaffSession } from '@switchyard/staff/permissions';
import { roleKey } from '@switchyard/staff/role-key';
import { AUTH_PATH, serviceProviderAt } from '@switchyard/staff/sign-in';
import { findBreakGlass, listProviders, removeProvider, saveProvider, setBreakGlass } from '@switchyard/staff/single-sign-on';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { missing } from './inputs.ts';
import { permitted, router } from './procedure.ts';

/*
 * Providers by which staff users sign in. They are of the whole workspace: only who manages the team of all merchants sees or changes them.
 */

const managing = permitted('team:manage');

interface ManagerContext {
  readonly session: StaffSession;
  readonly merchantIds: readonly string[];
}

function managesAll({ session, merchantIds }: ManagerContext): boolean {
  return merchantScopeOf(session, 'team:manage', merchantIds).everywhere;
}

/** The author of a change. */
function authorOf(ctx: ManagerContext): string {
  if (managesAll(ctx)) return `staff:${ctx.session.staffId}`;
  throw new TRPCError({ code: 'FORBIDDEN', message: 'Only owners of all merchants set up single sign-on.' });
}

const NO_PROVIDER = 'There is no such provider, or it was removed.';
const providerId = z.uuid().toLowerCase();
const text = z.string().max(2_000);
const common = z.object({
  providerId: providerId.nullable(),
  name: text,
  domains: z.array(text).max(50),
  groupClaim: text,
  required: z.boolean(),
  secondFactorRequired: z.boolean(),
  groupRoles: z
    .array(z.object({ group: z.string().trim().min(1).max(300), merchantId: z.uuid().toLowerCase().nullable(), role: roleKey }))
    .max(500),
});
const fields = z.discriminatedUnion('type', [
  common.extend({ type: z.literal('oidc'), issuer: text, clientId: text, clientSecret: text.nullable() }),
  common.extend({
    type: z.literal('saml'),
    metadata: z.string().max(200_000),
    entityId: text,
    entryPoint: text,
    certificates: z.string().max(50_000),
  }),
]);

/** tRPC procedures of single sign-on. */
export const singleSignOn = router({
  /** All providers with the roles of their groups, and the break-glass owner; nothing for owners of some merchants. */
  list: managing.query(async ({ ctx }) => {
    const { switchyard } = ctx;
    const { database, publicUrl } = switchyard.resources;
    const authUrl = `${publicUrl}${AUTH_PATH}`;
    const ours = { redirectUri: `${authUrl}/sso/callback`, ...serviceProviderAt(authUrl) };
    if (!managesAll(ctx)) return { providers: [], ours, breakGlassId: null };
    const providers = [];
    for (const provider of await listProviders(switchyard)) {
      const groupRoles = await listGroupRoles(database, provider.providerId);
      providers.push({ ...provider, groupRoles });
    }
    return { providers, ours, breakGlassId: await findBreakGlass(switchyard) };
  }),
  /** Adds a provider, or changes one, with the roles of its groups. */
  save: managing.input(fields).mutation(async ({ ctx, input }) => {
    const { grants } = ctx.session;
    const outcome = await saveProvider(ctx.switchyard, { ...input, grants, actor: authorOf(ctx) });
    return outcome.kind === 'not_found' ? missing(NO_PROVIDER) : outcome;
  }),
  /** Removes a provider with the roles that its groups gave. */
  remove: managing.input(z.object({ providerId })).mutation(async ({ ctx, input }) => {
    const outcome = await removeProvider(ctx.switchyard, { ...input, actor: authorOf(ctx) });
    return outcome.kind === 'not_found' ? missing(NO_PROVIDER) : outcome;
  }),
  /** Names the owner who signs in with a password where a provider is required. */
  setBreakGlass: managing.input(z.object({ staffId: providerId })).mutation(async ({ ctx, input }) => {
    const outcome = await setBreakGlass(ctx.switchyard, { ...input, actor: authorOf(ctx) });
    return outcome.kind === 'not_found' ? missing('There is no such person.') : outcome;
  }),
});
