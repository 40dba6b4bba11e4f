import type { SSOOptions } from '@better-auth/sso';
import { type Database, NIL_ID } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { Prisma, SessionFactor } from '@switchyard/db/client';
import { EMAIL_ADDRESS } from '@switchyard/runtime/email-address';
import { z } from 'zod';
import type { StaffContext } from '../context.ts';
import { lockStaffGrants } from '../grants/change-team.ts';
import { applyGroups, listGroupRoles, rolesOfGroups } from '../group-roles/group-roles.ts';
import { insertStaffUser, isOfDomains } from '../users/queries.ts';
import type { SamlRefusal } from './saml/check-response.ts';

/** Why a sign-in by a provider is refused. The sign-in page has a sentence for each. */
export type ProviderRefusal =
  | SamlRefusal
  | 'email_missing'
  | 'email_unverified'
  | 'foreign_domain'
  | 'linked_elsewhere'
  | 'groups_missing'
  | 'no_group'
  | 'account_disabled';

/** A sign-in by a provider while the library works on it. */
export interface ProviderAttempt {
  /** The client's address, or null where it is unknown. */
  readonly address: string | null;
  /** The provider that the sign-in was begun at, once that is known; null for an answer that belongs to no sign-in. */
  providerId: string | null;
  /** The nonce that the request to the provider had, as the state of the sign-in keeps it. */
  readonly nonce: () => Promise<unknown>;
  /** The factor that the session is given: set once the person is known. */
  factor: SessionFactor | null;
}

type Resolve = NonNullable<SSOOptions['resolveUser']>;
type Resolution = Awaited<ReturnType<Resolve>>;
type ResolveInput = Parameters<Resolve>[0];

/** Clocks of a provider and of this machine may differ by as much. The library accepts no token past its end at all. */
const SKEW_SECONDS = 60;
/** A token is used at once: one of earlier comes from elsewhere. */
const TOKEN_AGE_SECONDS = 600;
const GROUPS_MAX = 2_000;

/** Claims that every sign-in needs. The library checks signature, issuer, audience, authorized party and subject. */
const tokenSchema = z.object({ iat: z.number(), exp: z.number(), nonce: z.string() });
const isTrue = z.union([z.literal(true), z.literal('true'), z.literal(1), z.literal('1')]);
const emailSchema = z
  .string()
  .max(254)
  .transform((email) => email.trim().toLowerCase())
  .refine((email) => EMAIL_ADDRESS.test(email));
/** One group may stand alone; a claim with one value is often text. */
const groupsSchema = z.union([z.string().transform((group) => [group]), z.array(z.string()).max(GROUPS_MAX)]);

/** A person as a provider has just named them. */
interface Identity {
  readonly email: string;
  readonly name: unknown;
  /** The claim or attribute of groups, whatever it holds. */
  readonly groupsIn: (claim: string) => unknown;
}

/** The person of a token, or why the token is refused. */
async function readToken(
  input: Extract<ResolveInput, { protocol: 'oidc' }>,
  attempt: ProviderAttempt,
  now: Date,
): Promise<Identity | ProviderRefusal> {
  const token = tokenSchema.safeParse(input.verifiedIdTokenClaims);
  const nonce = await attempt.nonce();
  if (!token.success || typeof nonce !== 'string' || token.data.nonce !== nonce) return 'wrong_token';
  const age = now.getTime() / 1_000 - token.data.iat;
  if (age < -SKEW_SECONDS || age > TOKEN_AGE_SECONDS) return 'wrong_time';
  // The token is signed: what both say, it says.
  const claims: Readonly<Record<string, unknown>> = { ...input.providerClaims, ...input.verifiedIdTokenClaims };
  const email = emailSchema.safeParse(claims.email);
  // Entra ID says so by `xms_edov`: the tenant owns the domain of the address.
  const isVerified = isTrue.safeParse(claims.email_verified ?? claims.xms_edov).success;
  if (!email.success || !isVerified) return 'email_unverified';
  return { email: email.data, name: claims.name, groupsIn: (claim) => claims[claim] };
}

const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/';
/** Attributes that hold an address, by the names that Okta, Google, Keycloak, Entra ID and LDAP's schema give them. */
const EMAIL_ATTRIBUTES = ['email', 'mail', `${CLAIMS}emailaddress`, 'urn:oid:0.9.2342.19200300.100.1.3'];
const NAME_ATTRIBUTES = [
  'displayName',
  'name',
  'http://schemas.microsoft.com/identity/claims/displayname',
  'urn:oid:2.16.840.1.113730.3.1.241',
];

/** The person of an assertion, which {@link checkResponse} and the library have checked. Its provider alone writes their address. */
function readAssertion(input: Extract<ResolveInput, { protocol: 'saml' }>): Identity | ProviderRefusal {
  const attributes = new Map(Object.entries(input.providerAttributes));
  const first = (names: readonly string[]) => names.map((name) => attributes.get(name)).find((value) => value !== undefined);
  const email = emailSchema.safeParse(first(EMAIL_ATTRIBUTES) ?? input.accountKey.accountId);
  if (!email.success) return 'email_missing';
  return { email: email.data, name: first(NAME_ATTRIBUTES), groupsIn: (name) => attributes.get(name) };
}

/**
 * Decides which staff user has signed in by a provider, in the transaction in which the library links the account and opens the session:
 * checks what the library does not, creates the person at their first sign-in if a group of theirs has a role, makes their roles by groups
 * equal to the mapping, and writes the audit entries.
 */
export async function resolvePerson(
  context: StaffContext,
  transaction: Prisma.TransactionClient,
  input: ResolveInput,
  attempt: ProviderAttempt,
): Promise<Resolution> {
  const now = context.now();
  const identity = input.protocol === 'oidc' ? await readToken(input, attempt, now) : readAssertion(input);
  if (typeof identity === 'string') return reject(identity);
  const { email, name: namedAs, groupsIn } = identity;
  await lockStaffGrants(transaction);
  const provider = await transaction.ssoProvider.findUniqueOrThrow({ where: { providerId: input.providerId } });
  if (!isOfDomains(email, provider.domain)) return reject('foreign_domain');
  const groups = groupsSchema.safeParse(groupsIn(provider.groupClaim));
  const { accountId } = input.accountKey;
  const found = await findPerson(transaction, { providerId: provider.id, accountId, email });
  if (found.kind === 'linked_elsewhere') return reject('linked_elsewhere');
  if (found.kind === 'found' && found.disabledAt !== null) return reject('account_disabled');
  const mapped = rolesOfGroups(await listGroupRoles({ prisma: transaction }, provider.id), groups.data ?? []);
  if (found.kind === 'unknown' && mapped.length === 0) return reject(groups.success ? 'no_group' : 'groups_missing');
  const record = (action: string, staffId: string, after: Prisma.JsonObject, actor: string) => {
    const who = { tenantId: NIL_ID, entryId: context.newId(), actor };
    const what = { action, objectType: 'staff', objectId: staffId, before: null, after: JSON.parse(JSON.stringify(after)) };
    return appendAuditEntry(transaction, context.resources.auditKeys, { ...who, ...what }, now);
  };
  const actor = `system:provider:${provider.id}`;
  const by = { provider: provider.name, subject: accountId };
  let staffId: string;
  if (found.kind === 'unknown') {
    staffId = context.newId();
    const name = nameOf(namedAs, email);
    const person = { id: staffId, credentialId: context.newId(), email, name, passwordHash: null };
    await insertStaffUser(transaction, { ...person, twoFactorRequired: false, grants: [] }, now);
    await record('staff.created', staffId, { email, name, ...by }, actor);
  } else {
    staffId = found.staffId;
    if (!found.isLinked) await record('staff.provider_linked', staffId, { email, ...by }, actor);
  }
  // The directory says the groups of a person whom it has put into some; tokens often name none of them.
  const provisioned = await transaction.scimGroupMember.count({ where: { userId: staffId, user: { providerId: provider.id } } });
  if (provisioned === 0) {
    const people = [{ userId: staffId, groups: groups.data ?? [] }];
    await applyGroups(context, transaction, { providerId: provider.id, people, actor, now });
  }
  attempt.factor = provider.secondFactorRequired ? 'pending' : 'provider';
  const action = provider.secondFactorRequired ? 'staff.provider_step_taken' : 'staff.signed_in';
  await record(action, staffId, { with: provider.name, address: attempt.address }, `staff:${staffId}`);
  return { action: 'link', userId: staffId, profile: 'preserve' };
}

function reject(code: ProviderRefusal): Resolution {
  return { action: 'reject', code };
}

type Found =
  | { readonly kind: 'found'; readonly staffId: string; readonly disabledAt: Date | null; readonly isLinked: boolean }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'linked_elsewhere' };

/**
 * The person of a provider's account: by its subject, which stays when their address changes, else by the address, which the provider has
 * verified. An address whose person has another account there is refused.
 */
async function findPerson(
  { staffCredential, staffUser }: Prisma.TransactionClient,
  { providerId, accountId, email }: Readonly<Record<'providerId' | 'accountId' | 'email', string>>,
): Promise<Found> {
  const linked = await staffCredential.findFirst({ where: { providerId, accountId }, include: { user: true } });
  if (linked !== null) return { kind: 'found', staffId: linked.userId, disabledAt: linked.user.disabledAt, isLinked: true };
  const person = await staffUser.findUnique({ where: { email }, include: { accounts: { where: { providerId }, take: 1 } } });
  if (person === null) return { kind: 'unknown' };
  if (person.accounts.length > 0) return { kind: 'linked_elsewhere' };
  return { kind: 'found', staffId: person.id, disabledAt: person.disabledAt, isLinked: false };
}

function nameOf(claim: unknown, email: string): string {
  const text = typeof claim === 'string' ? claim.replace(/[\p{Cc}\p{Cs}]/gu, '') : '';
  return (text.trim() || email).slice(0, 100);
}

/** The name of a provider that people of this address must sign in by; null where passwords are accepted. */
export async function requiredProvider({ prisma }: Database, email: string): Promise<string | null> {
  const required = await prisma.ssoProvider.findMany({
    where: { required: true },
    select: { name: true, domain: true },
    take: 100,
  });
  return required.find((provider) => isOfDomains(email, provider.domain))?.name ?? null;
}
