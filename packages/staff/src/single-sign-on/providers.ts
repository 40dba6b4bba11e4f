import { DiscoveryError, discoverOIDCConfig } from '@better-auth/sso';
import { type Database, isUuid, NIL_ID, type Vault } from '@switchyard/db';
import type { SsoProvider } from '@switchyard/db/client';
import { type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { z } from 'zod';
import type { StaffContext } from '../context.ts';
import { shortName } from '../entered-fields.ts';
import { changeTeam } from '../grants/change-team.ts';
import {
  checkGroupRoles,
  type GroupRole,
  type GroupRolesRefusal,
  listGroupRoles,
  putGroupRoles,
} from '../group-roles/group-roles.ts';
import type { StaffGrant } from '../permissions/staff-session.ts';
import { mayCallPrivate, providerUrlProblem, withGuardedCalls } from './provider-calls.ts';
import { sealClientSecret } from './provider-secret.ts';
import { certificatesEnd, fingerprintsOf, readCertificates, readMetadata, storedSaml } from './saml/identity-provider.ts';

export { findBreakGlass, setBreakGlass } from './break-glass.ts';
export { sealedClientSecrets } from './provider-secret.ts';

/** Most providers. */
const PROVIDERS_MAX = 20;
const WELL_KNOWN = /\/\.well-known\/openid-configuration\/?$/;

interface Common {
  readonly name: string;
  readonly domains: readonly string[];
  /** The claim or attribute that lists a person's groups. */
  readonly groupClaim: string;
  readonly required: boolean;
  readonly secondFactorRequired: boolean;
}

interface OfOidc {
  readonly type: 'oidc';
  readonly issuer: string;
  readonly clientId: string;
}

interface OfSaml {
  readonly type: 'saml';
  readonly entityId: string;
  /** Address that the browser is sent to. */
  readonly entryPoint: string;
  /** PEM of those whose keys sign assertions. */
  readonly certificates: string;
}

/** A provider as who manages the team sees it. Its secret is never read back. */
export type Provider = Common & { readonly providerId: string } & (
    | OfOidc
    | (OfSaml & {
        /** When the last certificate expires. */
        readonly certificatesEnd: Date;
      })
  );

/** A provider as it is entered. */
export type ProviderFields = Common &
  (
    | (OfOidc & {
        /** Null to keep the one there is. */
        readonly clientSecret: string | null;
      })
    | (OfSaml & {
        /** XML that names entity, address and certificates instead of the three; empty where they are entered. */
        readonly metadata: string;
      })
  );

const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be domains of e-mail addresses, such as example.com');

const commonFields = z.object({
  name: shortName,
  domains: z.array(domain).min(1, 'must name a domain').max(50),
  groupClaim: z.string().trim().min(1, 'must not be empty').max(200),
  required: z.boolean(),
  secondFactorRequired: z.boolean(),
});

const fieldsSchema = z.discriminatedUnion('type', [
  commonFields.extend({
    type: z.literal('oidc'),
    issuer: z
      .string()
      .trim()
      .max(500)
      .transform((text) => text.replace(WELL_KNOWN, '')),
    clientId: z.string().trim().min(1, 'must not be empty').max(500),
    clientSecret: z.string().trim().min(1, 'must not be empty').max(2_000).nullable(),
  }),
  commonFields.extend({
    type: z.literal('saml'),
    metadata: z.string().trim(),
    entityId: z.string().trim().max(1_024, 'must have at most 1,024 characters'),
    entryPoint: z.string().trim().max(2_000, 'must have at most 2,000 characters'),
    certificates: z.string().trim().max(50_000, 'must have at most 50,000 characters'),
  }),
]);

type ParsedFields = z.output<typeof fieldsSchema>;

const storedOidc = z.object({ clientId: z.string() });

/** The connection of a stored provider. A row that provisions people alone has none, and reads as one of OpenID Connect. */
function connectionOf({ issuer, oidcConfig, samlConfig }: SsoProvider): OfOidc | (OfSaml & { readonly certificatesEnd: Date }) {
  if (samlConfig === null) {
    return { type: 'oidc', issuer, clientId: oidcConfig === null ? '' : storedOidc.parse(JSON.parse(oidcConfig)).clientId };
  }
  const { entryPoint, certificates } = storedSaml.parse(JSON.parse(samlConfig));
  const end = certificatesEnd(certificates);
  return { type: 'saml', entityId: issuer, entryPoint, certificates: certificates.join(''), certificatesEnd: end };
}

/** All providers, by name. */
export async function listProviders({ resources }: { readonly resources: { readonly database: Database } }): Promise<Provider[]> {
  const rows = await resources.database.prisma.ssoProvider.findMany({ orderBy: { name: 'asc' }, take: PROVIDERS_MAX });
  return rows.map((row) => {
    const { id: providerId, name, domain: domains, groupClaim, required, secondFactorRequired } = row;
    const common = { providerId, name, domains: domains.split(','), groupClaim, required, secondFactorRequired };
    return { ...common, ...connectionOf(row) };
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
  | { readonly kind: 'not_found' }
  | GroupRolesRefusal;

/** Asks to add a provider, or with `providerId` to change one, together with the roles of its groups. */
export type SaveProviderCommand = ProviderFields & {
  readonly providerId: string | null;
  readonly groupRoles: readonly GroupRole[];
  /** The grants of who changes it. */
  readonly grants: readonly StaffGrant[];
  readonly actor: string;
};

/**
 * Adds a provider or changes one with the roles of its groups, in one transaction with the audit entry. The discovery document of OpenID
 * Connect is read before. The caller checks that the actor manages the team of all merchants.
 */
export async function saveProvider(
  context: StaffContext & { readonly resources: { readonly vault: Vault } },
  command: SaveProviderCommand,
): Promise<SaveProviderOutcome> {
  const { providerId, groupRoles, grants, actor } = command;
  const parsed = fieldsSchema.safeParse(command);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const fields = parsed.data;
  const clientSecret = fields.type === 'oidc' ? fields.clientSecret : null;
  if (providerId === null && fields.type === 'oidc' && clientSecret === null) return invalid('clientSecret', 'must not be empty');
  const connection = await connect(fields, context.now());
  if (connection.kind === 'invalid') return connection;
  return changeTeam<SaveProviderOutcome>(context, actor, async (transaction, now) => {
    const before = providerId === null ? null : await findProvider(transaction, providerId);
    if (providerId !== null && before === null) return { outcome: { kind: 'not_found' } };
    if (before !== null && connectionOf(before).type !== fields.type)
      return { outcome: invalid('type', 'must stay: add another provider') };
    const named = await transaction.ssoProvider.findFirst({ where: { name: { equals: fields.name, mode: 'insensitive' } } });
    if (named !== null && named.id !== providerId) return { outcome: { kind: 'name_taken' } };
    if (before === null && (await transaction.ssoProvider.count()) >= PROVIDERS_MAX) {
      return { outcome: { kind: 'too_many', limit: PROVIDERS_MAX } };
    }
    if (fields.required && (await transaction.staffUser.count({ where: { breakGlass: true, disabledAt: null } })) === 0) {
      return { outcome: { kind: 'no_break_glass' } };
    }
    const id = before?.id ?? context.newId();
    const rolesBefore = await listGroupRoles({ prisma: transaction }, id);
    const refusal = await checkGroupRoles(transaction, { before: rolesBefore, groupRoles, grants });
    if (refusal !== null) return { outcome: refusal };
    const { name, groupClaim, required, secondFactorRequired, domains } = fields;
    const secret = clientSecret === null ? {} : { clientSecret: sealClientSecret(context.resources.vault, clientSecret, id) };
    const { issuer, oidcConfig, samlConfig } = connection;
    const data = { name, groupClaim, required, secondFactorRequired, issuer, oidcConfig, samlConfig, ...secret, updatedAt: now };
    const row = { ...data, domain: [...new Set(domains)].join(',') };
    const stored =
      before === null
        ? await transaction.ssoProvider.create({ data: { id, providerId: id, ...row, createdBy: actor, createdAt: now } })
        : await transaction.ssoProvider.update({ where: { id }, data: row });
    // A subject is of one issuer: under another the same one is another person.
    if (before !== null && before.issuer !== issuer) await transaction.staffCredential.deleteMany({ where: { providerId: id } });
    await putGroupRoles(context, transaction, { providerId: id, groupRoles });
    return {
      outcome: { kind: 'saved', providerId: id },
      audit: {
        action: before === null ? 'sso_provider.created' : 'sso_provider.changed',
        objectType: 'sso_provider',
        objectId: id,
        before: before && audited(before, rolesBefore),
        after: { ...audited(stored, groupRoles), secretChanged: clientSecret !== null },
      },
    };
  });
}

function invalid(field: string, message: string): SaveProviderOutcome & { readonly kind: 'invalid' } {
  return { kind: 'invalid', problems: [{ field, message }] };
}

/** A provider for the audit log: certificates by their fingerprints. */
function audited(row: SsoProvider, groupRoles: readonly GroupRole[]) {
  const { name, domain: domains, groupClaim, required, secondFactorRequired } = row;
  const common = { name, domains, groupClaim, required, secondFactorRequired };
  const connection = connectionOf(row);
  const roles = groupRoles.map(({ group, merchantId, role }) => ({ group, merchantId, role }));
  if (connection.type === 'oidc') return { ...common, ...connection, groupRoles: roles };
  const { type, entityId, entryPoint, certificates } = connection;
  return { ...common, type, entityId, entryPoint, certificates: fingerprintsOf(certificates), groupRoles: roles };
}

/** How a provider is reached, as its row stores it. */
interface Connected {
  readonly kind: 'connected';
  /** The issuer of OpenID Connect, or the entity id of SAML. */
  readonly issuer: string;
  readonly oidcConfig: string | null;
  readonly samlConfig: string | null;
}

async function connect(
  fields: ParsedFields,
  now: Date,
): Promise<Connected | (SaveProviderOutcome & { readonly kind: 'invalid' })> {
  if (fields.type === 'oidc') {
    const { issuer, clientId } = fields;
    const found = await discover(issuer);
    if (found.kind === 'refused') return invalid('issuer', found.message);
    const oidcConfig = JSON.stringify({ ...found.config, clientId, pkce: true, scopes: ['openid', 'email', 'profile'] });
    return { kind: 'connected', issuer, oidcConfig, samlConfig: null };
  }
  const isPasted = fields.metadata !== '';
  const read = isPasted ? readMetadata(fields.metadata) : null;
  if (read?.kind === 'refused') return invalid('metadata', read.message);
  const { entityId, entryPoint } = read?.provider ?? fields;
  const texts = read?.provider.certificates.join('') ?? fields.certificates;
  if (entityId === '') return invalid('entityId', 'must not be empty');
  const url = URL.parse(entryPoint);
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && mayCallPrivate())) {
    return invalid(isPasted ? 'metadata' : 'entryPoint', 'must name a sign-in address that begins with https://');
  }
  const certificates = readCertificates(texts, now);
  if (certificates.kind === 'refused') return invalid(isPasted ? 'metadata' : 'certificates', certificates.message);
  const samlConfig = JSON.stringify({ entryPoint: url.href, certificates: certificates.certificates });
  return { kind: 'connected', issuer: entityId, oidcConfig: null, samlConfig };
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
    return { kind: 'refused', message: FAILURES[error.code] ?? 'did not answer with a discovery document' };
  }
}

const INCOMPLETE = 'has a discovery document that is not complete';
const FAILURES: Readonly<Record<string, string>> = {
  issuer_mismatch: 'names another issuer in its discovery document: enter exactly that one',
  discovery_not_found: 'has no discovery document at /.well-known/openid-configuration',
  discovery_incomplete: INCOMPLETE,
  discovery_invalid_json: INCOMPLETE,
};

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
    if (provider === null) return { outcome: { kind: 'not_found' } };
    const grants = await transaction.staffGrant.findMany({ where: { providerId } });
    const owner = { merchantId: NIL_ID, role: 'owner' as const, staff: { disabledAt: null } };
    const others = { ...owner, OR: [{ providerId: null }, { providerId: { not: providerId } }] };
    if (
      grants.some(({ merchantId, role }) => merchantId === NIL_ID && role === 'owner') &&
      (await transaction.staffGrant.count({ where: others })) === 0
    ) {
      return { outcome: { kind: 'last_owner' } };
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
