import { DiscoveryError, discoverOIDCConfig } from '@better-auth/sso';
import { type Database, isUuid, NIL_ID, type Vault } from '@switchyard/db';
import { type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { z } from 'zod';
import type { StaffContext } from '../context.ts';
import { changeTeam } from '../users/change-team.ts';
import { providerUrlProblem, withGuardedCalls } from './provider-calls.ts';
import { sealClientSecret } from './provider-secret.ts';

export { findBreakGlass, setBreakGlass } from './break-glass.ts';
export { sealedClientSecrets } from './provider-secret.ts';

/** Most providers. */
const PROVIDERS_MAX = 20;
const WELL_KNOWN = /\/\.well-known\/openid-configuration\/?$/;

/** A provider as who manages the team sees it. Its secret is never read back. */
export interface Provider {
  readonly providerId: string;
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly domains: readonly string[];
  readonly groupClaim: string;
  readonly required: boolean;
  readonly secondFactorRequired: boolean;
}

/** A provider as it is entered. */
export interface ProviderFields extends Omit<Provider, 'providerId'> {
  /** Null to keep the one there is. */
  readonly clientSecret: string | null;
}

const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be domains of e-mail addresses, such as example.com');

const fieldsSchema = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(60, 'must have at most 60 characters')
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not hold control characters'),
  issuer: z
    .string()
    .trim()
    .max(500)
    .transform((text) => text.replace(WELL_KNOWN, '')),
  clientId: z.string().trim().min(1, 'must not be empty').max(500),
  clientSecret: z.string().trim().min(1, 'must not be empty').max(2_000).nullable(),
  domains: z.array(domain).min(1, 'must name a domain').max(50),
  groupClaim: z.string().trim().min(1, 'must not be empty').max(200),
  required: z.boolean(),
  secondFactorRequired: z.boolean(),
});

const storedConfig = z.object({ clientId: z.string() });

/** All providers, by name. */
export async function listProviders({ resources }: { readonly resources: { readonly database: Database } }): Promise<Provider[]> {
  const rows = await resources.database.prisma.ssoProvider.findMany({ orderBy: { name: 'asc' }, take: PROVIDERS_MAX });
  return rows.map(({ id, name, issuer, domain: domains, oidcConfig, groupClaim, required, secondFactorRequired }) => {
    const { clientId } = storedConfig.parse(JSON.parse(oidcConfig ?? '{"clientId":""}'));
    return { providerId: id, name, issuer, clientId, domains: domains.split(','), groupClaim, required, secondFactorRequired };
  });
}

/** The provider as stored, or why it was not. */
export type SaveProviderOutcome =
  | { readonly kind: 'saved'; readonly providerId: string }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  /** Another provider has this name. */
  | { readonly kind: 'name_taken' }
  | { readonly kind: 'too_many'; readonly limit: number }
  /** Passwords are refused for a domain only while one owner can sign in without the provider. */
  | { readonly kind: 'no_break_glass' }
  | { readonly kind: 'not_found' };

/**
 * Adds a provider, or with `providerId` changes one, after reading its discovery document. The caller checks that the actor manages the team
 * of all merchants.
 */
export async function saveProvider(
  context: StaffContext & { readonly resources: { readonly vault: Vault } },
  command: ProviderFields & { readonly providerId: string | null; readonly actor: string },
): Promise<SaveProviderOutcome> {
  const { providerId, actor } = command;
  const parsed = fieldsSchema.safeParse(command);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const { clientId, clientSecret, domains, ...fields } = parsed.data;
  if (providerId === null && clientSecret === null) return invalid('clientSecret', 'must not be empty');
  const found = await discover(fields.issuer);
  if (found.kind === 'refused') return invalid('issuer', found.message);
  const oidcConfig = JSON.stringify({ ...found.config, clientId, pkce: true, scopes: ['openid', 'email', 'profile'] });
  return changeTeam<SaveProviderOutcome>(context, actor, async (transaction, now) => {
    const before = providerId === null ? null : await findProvider(transaction, providerId);
    if (providerId !== null && before === null) return { outcome: { kind: 'not_found' }, audit: null };
    const named = await transaction.ssoProvider.findFirst({ where: { name: { equals: fields.name, mode: 'insensitive' } } });
    if (named !== null && named.id !== providerId) return { outcome: { kind: 'name_taken' }, audit: null };
    if (before === null && (await transaction.ssoProvider.count()) >= PROVIDERS_MAX) {
      return { outcome: { kind: 'too_many', limit: PROVIDERS_MAX }, audit: null };
    }
    if (fields.required && (await transaction.staffUser.count({ where: { breakGlass: true, disabledAt: null } })) === 0) {
      return { outcome: { kind: 'no_break_glass' }, audit: null };
    }
    const id = before?.id ?? context.newId();
    const secret = clientSecret === null ? {} : { clientSecret: sealClientSecret(context.resources.vault, clientSecret, id) };
    const row = { ...fields, domain: [...new Set(domains)].join(','), oidcConfig, ...secret, updatedAt: now };
    if (before === null) {
      await transaction.ssoProvider.create({ data: { id, providerId: id, ...row, createdBy: actor, createdAt: now } });
    } else {
      await transaction.ssoProvider.update({ where: { id }, data: row });
      // A subject is of one issuer: under another the same one is another person.
      if (before.issuer !== row.issuer) await transaction.staffCredential.deleteMany({ where: { providerId: id } });
    }
    const after = { ...audited({ ...row, clientId }), secretChanged: clientSecret !== null };
    return {
      outcome: { kind: 'saved', providerId: id },
      audit: {
        action: before === null ? 'sso_provider.created' : 'sso_provider.changed',
        objectType: 'sso_provider',
        objectId: id,
        before:
          before &&
          audited({ ...before, clientId: storedConfig.parse(JSON.parse(before.oidcConfig ?? '{"clientId":""}')).clientId }),
        after,
      },
    };
  });
}

function invalid(field: string, message: string): SaveProviderOutcome {
  return { kind: 'invalid', problems: [{ field, message }] };
}

function audited(
  row: Record<'name' | 'issuer' | 'clientId' | 'domain' | 'groupClaim', string> &
    Record<'required' | 'secondFactorRequired', boolean>,
) {
  const { name, issuer, clientId, domain: domains, groupClaim, required, secondFactorRequired } = row;
  return { name, issuer, clientId, domains, groupClaim, required, secondFactorRequired };
}

type Discovered = { readonly kind: 'found'; readonly config: object } | { readonly kind: 'refused'; readonly message: string };

/** The addresses of an issuer, as its discovery document names them. */
async function discover(issuer: string): Promise<Discovered> {
  const problem = providerUrlProblem(issuer);
  if (problem !== null) return { kind: 'refused', message: problem };
  try {
    // Our own calls decide which addresses may be called.
    const found = await withGuardedCalls(() => discoverOIDCConfig({ issuer, isTrustedOrigin: () => true }));
    const { authorizationEndpoint, tokenEndpoint, jwksEndpoint, userInfoEndpoint, discoveryEndpoint } = found;
    for (const address of [authorizationEndpoint, tokenEndpoint, jwksEndpoint, userInfoEndpoint]) {
      const wrong = address === undefined ? null : providerUrlProblem(address);
      if (wrong !== null) return { kind: 'refused', message: `names an address that ${wrong}` };
    }
    const { tokenEndpointAuthentication } = found;
    const addresses = { authorizationEndpoint, tokenEndpoint, jwksEndpoint, userInfoEndpoint, discoveryEndpoint };
    return { kind: 'found', config: { issuer: found.issuer, ...addresses, tokenEndpointAuthentication } };
  } catch (error) {
    if (!(error instanceof DiscoveryError)) throw error;
    return { kind: 'refused', message: describeFailure(error) };
  }
}

function describeFailure({ code }: DiscoveryError): string {
  switch (code) {
    case 'issuer_mismatch':
      return 'names another issuer in its discovery document: enter exactly that one';
    case 'discovery_not_found':
      return 'has no discovery document at /.well-known/openid-configuration';
    case 'discovery_incomplete':
    case 'discovery_invalid_json':
      return 'has a discovery document that is not complete';
    default:
      return 'did not answer with a discovery document';
  }
}

async function findProvider({ ssoProvider }: Pick<Database['prisma'], 'ssoProvider'>, id: string) {
  return isUuid(id) ? ssoProvider.findUnique({ where: { id } }) : null;
}

/** Result of removing a provider, or why it stays. */
export type RemoveProviderOutcome =
  | { readonly kind: 'removed' }
  | { readonly kind: 'not_found' }
  /** The last workspace owner is one by a group of it. */
  | { readonly kind: 'last_owner' };

/** Removes a provider with the roles that its groups gave, and ends the sessions of who signed in by it. Its people stay. */
export function removeProvider(
  context: StaffContext,
  { providerId, actor }: { readonly providerId: string; readonly actor: string },
): Promise<RemoveProviderOutcome> {
  return changeTeam<RemoveProviderOutcome>(context, actor, async (transaction) => {
    const provider = await findProvider(transaction, providerId);
    if (provider === null) return { outcome: { kind: 'not_found' }, audit: null };
    const grants = await transaction.staffGrant.findMany({ where: { providerId } });
    const owner = { merchantId: NIL_ID, role: 'owner' as const, staff: { disabledAt: null } };
    const others = { ...owner, OR: [{ providerId: null }, { providerId: { not: providerId } }] };
    if (
      grants.some(({ merchantId, role }) => merchantId === NIL_ID && role === 'owner') &&
      (await transaction.staffGrant.count({ where: others })) === 0
    ) {
      return { outcome: { kind: 'last_owner' }, audit: null };
    }
    await transaction.staffGrant.deleteMany({ where: { providerId } });
    const linked = await transaction.staffCredential.findMany({ where: { providerId }, select: { userId: true } });
    const userId = { in: linked.map((each) => each.userId) };
    const { count: sessionsEnded } = await transaction.staffSession.deleteMany({ where: { userId, factor: { not: null } } });
    await transaction.staffCredential.deleteMany({ where: { providerId } });
    await transaction.ssoProvider.delete({ where: { id: provider.id } });
    const after = { rolesTaken: grants.length, sessionsEnded };
    return {
      outcome: { kind: 'removed' },
      audit: {
        action: 'sso_provider.removed',
        objectType: 'sso_provider',
        objectId: provider.id,
        before: { name: provider.name },
        after,
      },
    };
  });
}
