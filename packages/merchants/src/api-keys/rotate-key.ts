import { randomBytes } from 'node:crypto';
import type { JsonValue } from '@switchyard/db';
import type { ApiKey, Mode, Prisma } from '@switchyard/db/client';
import { changeConfiguration, type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { z } from 'zod';
import type { MerchantsContext } from '../context.ts';
import { type GrantableScopes, type KeyScope, scopesBeyond } from './key-restrictions.ts';
import { formatKey, hashSecret, makeKey } from './keys.ts';
import {
  countUsableApiKeys,
  endApiKey,
  findApiKey,
  insertApiKey,
  type ListedApiKey,
  listApiKeys,
  readApiKeyRequests,
} from './queries.ts';

/** Asks for a new key that replaces an old one after an overlap. */
export interface RotateKeyCommand {
  readonly merchantId: string;
  readonly keyId: string;
  /** Until when the old key works beside the new one, at most 90 days from now. An earlier expiry of its own stays. */
  readonly oldWorksUntil: Date;
  /** When the new key stops working by itself; null for never. */
  readonly expiresAt: Date | null;
  /** Scopes that the actor may give; everything where it is left out. */
  readonly grantable?: GrantableScopes;
  readonly actor: string;
}

/** Result of replacing a key, or the reason why it was refused. */
export type RotateKeyOutcome =
  /** `secretKey` is the new key's text and cannot be had a second time. */
  | ({ readonly kind: 'rotated'; readonly old: ListedApiKey } & MintedKey)
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  /** The old key has ended already: issue a new one instead. */
  | { readonly kind: 'ended' }
  /** The new key's text would let the actor do more than they may. */
  | { readonly kind: 'beyond_rights'; readonly scopes: readonly KeyScope[] }
  | { readonly kind: 'too_many_keys'; readonly limit: number }
  | { readonly kind: 'not_found' };

const OVERLAP_MAX_MS = 90 * 24 * 3_600_000;

/** Replaces a key by a new one of the same name, mode and restrictions. Both work until `oldWorksUntil`, so that servers can change over. */
export async function rotateKey(context: MerchantsContext, command: RotateKeyCommand): Promise<RotateKeyOutcome> {
  const parsed = commandSchema(context.now()).safeParse(command);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const { merchantId, keyId, actor } = command;
  const { oldWorksUntil, expiresAt } = parsed.data;
  return changeConfiguration<RotateKeyOutcome>(context, command, async (transaction, now) => {
    const before = await findApiKey(transaction, merchantId, keyId);
    if (before === null) return { outcome: { kind: 'not_found' }, audit: null };
    const state = keyState(before, now);
    if (state === 'revoked' || state === 'expired') return { outcome: { kind: 'ended' }, audit: null };
    const { mode, name, scopes, allowedAddresses } = before;
    const beyond = scopesBeyond(scopes, mode, command.grantable);
    if (beyond.length > 0) return { outcome: { kind: 'beyond_rights', scopes: beyond }, audit: null };
    if ((await countUsableApiKeys(transaction, merchantId, mode, now)) >= USABLE_KEYS_MAX) {
      return { outcome: { kind: 'too_many_keys', limit: USABLE_KEYS_MAX }, audit: null };
    }
    const end = before.expiresAt !== null && before.expiresAt < oldWorksUntil ? before.expiresAt : oldWorksUntil;
    const old = await endApiKey(transaction, before, { expiresAt: end });
    const restrictions = { scopes, allowedAddresses };
    const wanted = { merchantId, mode, name, expiresAt, createdBy: actor, rotatedFromId: old.id, ...restrictions };
    const minted = await mintKey(context, transaction, wanted, now);
    return {
      outcome: { kind: 'rotated', old, ...minted },
      audit: {
        action: 'api_key.rotated',
        objectType: 'api_key',
        objectId: minted.key.id,
        before: keyForAudit(before),
        after: { old: keyForAudit(old), new: keyForAudit(minted.key) },
      },
    };
  });
}

function commandSchema(now: Date) {
  return z.object({
    oldWorksUntil: z
      .date('must be a date')
      .min(now, 'must not lie in the past')
      .max(new Date(now.getTime() + OVERLAP_MAX_MS), 'must lie within 90 days'),
    expiresAt: z.date('must be a date').min(now, 'must lie in the future').nullable(),
  });
}

/** Most keys of one merchant and mode that may be usable at once. */
export const USABLE_KEYS_MAX = 100;

/** A new key with its text, which is available this one time only. */
export interface MintedKey {
  readonly secretKey: string;
  readonly key: ListedApiKey;
}

type WantedKey = Pick<
  ApiKey,
  'merchantId' | 'mode' | 'name' | 'createdBy' | 'expiresAt' | 'rotatedFromId' | 'scopes' | 'allowedAddresses'
>;

/** Writes a new key's row inside a configuration change. */
export async function mintKey(
  context: MerchantsContext,
  transaction: Prisma.TransactionClient,
  wanted: WantedKey,
  now: Date,
): Promise<MintedKey> {
  const parts = makeKey(wanted.mode, randomBytes);
  const secretKey = formatKey(parts);
  const key = await insertApiKey(transaction, {
    ...wanted,
    id: context.newId(),
    publicId: parts.publicId,
    secretHash: new Uint8Array(hashSecret(context.resources.keyPepper, parts.secret)),
    lastFour: secretKey.slice(-4),
    createdAt: now,
  });
  return { secretKey, key };
}

/** A key as the audit log records it. */
export function keyForAudit(key: ListedApiKey): JsonValue {
  return {
    mode: key.mode,
    publicId: key.publicId,
    name: key.name,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    rotatedFromId: key.rotatedFromId,
    scopes: [...key.scopes],
    allowedAddresses: [...key.allowedAddresses],
  };
}

const KEYS_MAX = 1_000;

/** `expired` and `revoked` keys are refused. */
export type KeyState = 'active' | 'expiring' | 'expired' | 'revoked';

/** A key with its state now and its use. Its secret cannot be read back. */
export interface KeyInList extends ListedApiKey {
  readonly state: KeyState;
  /** Requests authenticated with it, today and on the six days before, in UTC. */
  readonly requestsInWeek: number;
}

const WEEK_MS = 6 * 24 * 3_600_000;

/** A merchant's keys, newest first, at most 1000, ended ones too. Never holds anything a key could be derived from. */
export async function listKeys(
  context: MerchantsContext,
  query: { readonly merchantId: string; readonly mode?: Mode },
): Promise<KeyInList[]> {
  const { merchantId, mode } = query;
  const { database } = context.resources;
  const keys = await listApiKeys(database, merchantId, { limit: KEYS_MAX, ...(mode && { mode }) });
  if (keys.length === 0) return [];
  const now = context.now();
  const requests = await readApiKeyRequests(database, merchantId, new Date(now.getTime() - WEEK_MS));
  return keys.map((key) => ({ ...key, state: keyState(key, now), requestsInWeek: requests.get(key.id) ?? 0 }));
}

/** State of a key at `now`; one with a future expiry is `expiring`. */
export function keyState(key: Pick<ListedApiKey, 'revokedAt' | 'expiresAt'>, now: Date): KeyState {
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt === null) return 'active';
  return key.expiresAt > now ? 'expiring' : 'expired';
}
