import type { ScimToken } from '@switchyard/db/client';
import type { StaffContext, TokenContext } from '../context.ts';
import { changeTeam } from '../grants/change-team.ts';
import { isSecretOf, isUseToRecord, newToken, readBearerToken } from '../machine-tokens/token-text.ts';

/*
 * Tokens by which a provider provisions people, in the format of API keys: `scim_<public id>_<secret><checksum>`. Two of a provider work
 * at once, so that one replaces the other without a gap.
 */

const USABLE_MAX = 2;

/** A token without its secret. */
export type ListedScimToken = Pick<ScimToken, 'id' | 'lastFour' | 'createdAt' | 'lastUsedAt'>;

const LISTED = { id: true, lastFour: true, createdAt: true, lastUsedAt: true } as const;

const PROVIDERS_MAX = 50;

/** The providers that may provision people, by name, with their tokens that work, oldest first, and how many people and groups each provisions. */
export async function listProvisioningProviders({ resources }: StaffContext) {
  const rows = await resources.database.prisma.ssoProvider.findMany({
    orderBy: { name: 'asc' },
    take: PROVIDERS_MAX,
    select: {
      id: true,
      name: true,
      scimTokens: { where: { revokedAt: null }, orderBy: { createdAt: 'asc' }, take: USABLE_MAX, select: LISTED },
      _count: { select: { scimUsers: { where: { deletedAt: null } }, scimGroups: true } },
    },
  });
  return rows.map(({ id, name, scimTokens, _count: { scimUsers, scimGroups } }) => {
    return { providerId: id, name, tokens: scimTokens, people: scimUsers, groups: scimGroups };
  });
}

/** The issued token, or the reason why none was issued. */
export type IssueScimTokenOutcome =
  /** `token` is returned only once. */
  | { readonly kind: 'issued'; readonly token: string; readonly listed: ListedScimToken }
  /** One of those that work has to be revoked first. */
  | { readonly kind: 'too_many_tokens'; readonly limit: number }
  | { readonly kind: 'not_found' };

/** Issues a token to a provider. Only a keyed hash of it is stored. The caller checks that the actor is an owner. */
export async function issueScimToken(
  context: StaffContext & TokenContext,
  { providerId, actor }: { readonly providerId: string; readonly actor: string },
): Promise<IssueScimTokenOutcome> {
  return changeTeam<IssueScimTokenOutcome>(context, actor, async (transaction, now) => {
    const provider = await transaction.ssoProvider.findUnique({ where: { id: providerId }, select: { name: true } });
    if (provider === null) return { outcome: { kind: 'not_found' } };
    const usable = await transaction.scimToken.count({ where: { providerId, revokedAt: null } });
    if (usable >= USABLE_MAX) return { outcome: { kind: 'too_many_tokens', limit: USABLE_MAX } };
    const { token, ...secret } = newToken('scim', context.resources.keyPepper);
    const data = { ...secret, id: context.newId(), providerId, createdBy: actor, createdAt: now };
    const listed = await transaction.scimToken.create({ data, select: LISTED });
    const after = { name: provider.name, lastFour: listed.lastFour };
    return {
      outcome: { kind: 'issued', token, listed },
      audit: { action: 'scim_token.issued', objectType: 'scim_token', objectId: listed.id, before: null, after },
    };
  });
}

/** Revokes a token for good, at once and everywhere. The caller checks that the actor is an owner. */
export async function revokeScimToken(
  context: StaffContext,
  { tokenId, actor }: { readonly tokenId: string; readonly actor: string },
): Promise<{ readonly kind: 'revoked' } | { readonly kind: 'not_found' }> {
  return changeTeam<{ readonly kind: 'revoked' } | { readonly kind: 'not_found' }>(context, actor, async (transaction, now) => {
    const found = await transaction.scimToken.findFirst({
      where: { id: tokenId, revokedAt: null },
      select: { lastFour: true, provider: { select: { name: true } } },
    });
    if (found === null) return { outcome: { kind: 'not_found' } };
    await transaction.scimToken.update({ where: { id: tokenId }, data: { revokedAt: now, revokedBy: actor } });
    const before = { name: found.provider.name, lastFour: found.lastFour };
    return {
      outcome: { kind: 'revoked' },
      audit: { action: 'scim_token.revoked', objectType: 'scim_token', objectId: tokenId, before, after: null },
    };
  });
}

/** The provider that a token belongs to. */
export interface ScimAccess {
  readonly tokenId: string;
  readonly providerId: string;
  readonly providerName: string;
}

/** Authenticates the token in an `Authorization` header; null when it is unknown or revoked. It is looked up each time. */
export async function authenticateScimToken(
  context: TokenContext,
  authorizationHeader: string | null,
): Promise<ScimAccess | null> {
  const presented = readBearerToken(authorizationHeader, ['scim']);
  if (presented === null) return null;
  const { database, keyPepper } = context.resources;
  const found = await database.prisma.scimToken.findUnique({
    where: { publicId: presented.publicId },
    include: { provider: { select: { name: true } } },
  });
  const matches = isSecretOf(found, keyPepper, presented.secret);
  if (found === null || !matches || found.revokedAt !== null) return null;
  const now = context.now();
  if (isUseToRecord(found, now)) {
    await database.prisma.scimToken.updateMany({ where: { id: found.id }, data: { lastUsedAt: now } });
  }
  return { tokenId: found.id, providerId: found.providerId, providerName: found.provider.name };
}
