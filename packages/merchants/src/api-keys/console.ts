import { isDeepStrictEqual } from 'node:util';
import type { Database } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import { changeConfiguration, type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { z } from 'zod';
import type { MerchantsContext } from '../context.ts';
import { keyNameSchema } from '../entered-fields.ts';
import { type GrantableScopes, type KeyScope, keyRestrictionsSchema, scopesBeyond } from './key-restrictions.ts';
import { countUsableApiKeys, endApiKey, findApiKey, type ListedApiKey, updateApiKey } from './queries.ts';
import { keyForAudit, keyState, type MintedKey, mintKey, USABLE_KEYS_MAX } from './rotate-key.ts';

export { readApiKeyNames } from './queries.ts';
export { listKeys, type MintedKey, type RotateKeyOutcome, rotateKey } from './rotate-key.ts';

/** A key's name, what it may do and from where. */
interface KeySettings {
  readonly name: string;
  /** Some scopes of `KEY_SCOPES`, or `FULL_ACCESS` alone: everything but the rules. */
  readonly scopes: readonly string[];
  /** Networks it may be used from; none is any. */
  readonly allowedAddresses: readonly string[];
}

/** Asks to change some settings of a key; the others stay as they are stored. */
export interface ChangeKeyCommand {
  readonly merchantId: string;
  readonly keyId: string;
  readonly changes: Partial<KeySettings>;
  /** Scopes that the actor may give; everything where it is left out. */
  readonly grantable?: GrantableScopes;
  readonly actor: string;
}

/** Result of changing a key, or the reason why it was refused. */
export type ChangeKeyOutcome =
  | { readonly kind: 'changed' | 'unchanged'; readonly key: ListedApiKey }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  /** The key was revoked or has expired. */
  | { readonly kind: 'ended' }
  /** The key would be allowed more than the actor is. */
  | { readonly kind: 'beyond_rights'; readonly scopes: readonly KeyScope[] }
  | { readonly kind: 'not_found' };

const { scopes, allowedAddresses } = keyRestrictionsSchema.shape;
const changesSchema = z.object({
  name: z.exactOptional(keyNameSchema),
  scopes: scopes.exactOptional(),
  allowedAddresses: allowedAddresses.exactOptional(),
});

/**
 * Changes the given settings of a key; what another person changed meanwhile stays. In force in every process within about a second.
 */
export async function changeKey(context: MerchantsContext, command: ChangeKeyCommand): Promise<ChangeKeyOutcome> {
  const parsed = changesSchema.safeParse(command.changes);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const { merchantId, keyId } = command;
  return changeConfiguration<ChangeKeyOutcome>(context, command, async (transaction, now) => {
    const before = await findApiKey(transaction, merchantId, keyId);
    if (before === null) return { outcome: { kind: 'not_found' }, audit: null };
    const state = keyState(before, now);
    if (state === 'revoked' || state === 'expired') return { outcome: { kind: 'ended' }, audit: null };
    const beyond = scopesBeyond(parsed.data.scopes ?? [], before.mode, command.grantable);
    if (beyond.length > 0) return { outcome: { kind: 'beyond_rights', scopes: beyond }, audit: null };
    const settings = { ...settingsOf(before), ...parsed.data };
    if (isDeepStrictEqual(settings, settingsOf(before))) return { outcome: { kind: 'unchanged', key: before }, audit: null };
    const key = await updateApiKey(transaction, before, settings);
    return {
      outcome: { kind: 'changed', key },
      audit: {
        action: 'api_key.changed',
        objectType: 'api_key',
        objectId: key.id,
        before: keyForAudit(before),
        after: keyForAudit(key),
      },
    };
  });
}

function settingsOf({ name, scopes, allowedAddresses }: ListedApiKey) {
  return { name, scopes, allowedAddresses };
}

/** A key that will be refused soon. */
interface ExpiringKey {
  readonly merchantId: string;
  readonly keyId: string;
  readonly mode: Mode;
  readonly name: string;
  readonly lastFour: string;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
  /** It was replaced by another key, and is still in use. */
  readonly replaced: boolean;
}

/** Most keys listed. */
const LISTED_MAX = 1_000;

const LIST = `
SELECT key.merchant_id AS "merchantId", key.id AS "keyId", key.mode, key.name, key.last_four AS "lastFour",
  key.expires_at AS "expiresAt", key.last_used_at AS "lastUsedAt", next.id IS NOT NULL AS replaced
FROM api_key AS key
LEFT JOIN LATERAL (SELECT id FROM api_key WHERE merchant_id = key.merchant_id AND rotated_from_id = key.id LIMIT 1) AS next ON true
WHERE key.revoked_at IS NULL AND key.expires_at > $1::timestamptz AND ($2::uuid[] IS NULL OR key.merchant_id = ANY ($2))
  AND CASE WHEN next.id IS NULL
    THEN key.expires_at - $1::timestamptz < least(interval '7 days', (key.expires_at - key.created_at) / 4)
    ELSE key.expires_at - $1::timestamptz < interval '1 day' AND key.last_used_at > $1::timestamptz - interval '1 hour' END
ORDER BY key.expires_at LIMIT ${LISTED_MAX}`;

/**
 * Keys of these merchants, all with null, that expire within seven days (of shorter lives: within the last quarter), and replaced ones that are still
 * used on the last day, soonest first.
 */
export async function listExpiringKeys(
  database: Database,
  merchantIds: readonly string[] | null,
  now: Date,
): Promise<ExpiringKey[]> {
  const { rows } = await database.pool.query<ExpiringKey>({ name: 'list-expiring-keys', text: LIST, values: [now, merchantIds] });
  return rows;
}

const KEYS_MAX = 500;

/** Keys of these merchants that a staff user issued or rotated and that still work, newest first, at most 500. */
export function listIssuedKeys(
  { resources, now }: MerchantsContext,
  { merchantIds, actor }: { readonly merchantIds: readonly string[]; readonly actor: string },
): Promise<ListedApiKey[]> {
  return resources.database.prisma.apiKey.findMany({
    where: {
      merchantId: { in: [...merchantIds] },
      createdBy: actor,
      revokedAt: null,
      OR: [{ expiresAt: null }, { expiresAt: { gt: now() } }],
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: KEYS_MAX,
    omit: { secretHash: true },
  });
}

/** Asks to end a key at once. */
interface RevokeKeyCommand {
  readonly merchantId: string;
  readonly keyId: string;
  readonly actor: string;
}

/** Result of revoking a key, or the reason why it was refused. */
export type RevokeKeyOutcome =
  | { readonly kind: 'revoked'; readonly key: ListedApiKey }
  | { readonly kind: 'already_revoked'; readonly key: ListedApiKey }
  | { readonly kind: 'not_found' };

/** Ends a key for good: at once in this process, within about a second in all others. */
export async function revokeKey(context: MerchantsContext, command: RevokeKeyCommand): Promise<RevokeKeyOutcome> {
  return changeConfiguration<RevokeKeyOutcome>(context, command, async (transaction, now) => {
    const before = await findApiKey(transaction, command.merchantId, command.keyId);
    if (before === null) return { outcome: { kind: 'not_found' }, audit: null };
    if (before.revokedAt !== null) return { outcome: { kind: 'already_revoked', key: before }, audit: null };
    const key = await endApiKey(transaction, before, { revokedAt: now });
    return {
      outcome: { kind: 'revoked', key },
      audit: {
        action: 'api_key.revoked',
        objectType: 'api_key',
        objectId: key.id,
        before: keyForAudit(before),
        after: keyForAudit(key),
      },
    };
  });
}

/** Asks for a new secret key of a merchant in one mode. */
interface IssueKeyCommand {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly name: string;
  /** When it stops working by itself; null for never. */
  readonly expiresAt: Date | null;
  /** Some scopes of `KEY_SCOPES`, or `FULL_ACCESS` alone: everything but the rules. */
  readonly scopes: readonly string[];
  /** Networks it may be used from; nothing given is any. */
  readonly allowedAddresses?: readonly string[];
  /** Scopes that the actor may give; everything where it is left out. */
  readonly grantable?: GrantableScopes;
  readonly actor: string;
}

/** The issued key, or the reason why none was issued. */
export type IssueKeyOutcome =
  /** `secretKey` is returned this one time only. */
  | ({ readonly kind: 'issued' } & MintedKey)
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  /** The key would be allowed more than the actor is. */
  | { readonly kind: 'beyond_rights'; readonly scopes: readonly KeyScope[] }
  | { readonly kind: 'too_many_keys'; readonly limit: number }
  | { readonly kind: 'not_found' };

/** Issues a merchant a new secret key. Only a keyed hash of the key is stored. */
export async function issueKey(context: MerchantsContext, command: IssueKeyCommand): Promise<IssueKeyOutcome> {
  const parsed = commandSchema(context.now()).safeParse({ allowedAddresses: [], ...command });
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const { merchantId, mode, actor } = command;
  const beyond = scopesBeyond(parsed.data.scopes, mode, command.grantable);
  if (beyond.length > 0) return { kind: 'beyond_rights', scopes: beyond };
  return changeConfiguration<IssueKeyOutcome>(context, command, async (transaction, now) => {
    if ((await countUsableApiKeys(transaction, merchantId, mode, now)) >= USABLE_KEYS_MAX) {
      return { outcome: { kind: 'too_many_keys', limit: USABLE_KEYS_MAX }, audit: null };
    }
    const wanted = { merchantId, mode, ...parsed.data, createdBy: actor, rotatedFromId: null };
    const minted = await mintKey(context, transaction, wanted, now);
    const { key } = minted;
    return {
      outcome: { kind: 'issued', ...minted },
      audit: { action: 'api_key.issued', objectType: 'api_key', objectId: key.id, before: null, after: keyForAudit(key) },
    };
  });
}

function commandSchema(now: Date) {
  return keyRestrictionsSchema.extend({
    name: keyNameSchema,
    expiresAt: z.date('must be a date').min(now, 'must lie in the future').nullable(),
  });
}
