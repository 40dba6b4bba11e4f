import { changeConfiguration, type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { z } from 'zod';
import type { MerchantsContext } from '../context.ts';
import { keyState } from './list-keys.ts';
import { keyForAudit, type MintedKey, mintKey, USABLE_KEYS_MAX } from './mint-key.ts';
import { countUsableApiKeys, endApiKey, findApiKey, type ListedApiKey } from './queries.ts';

/** Asks for a new key that replaces an old one after an overlap. */
export interface RotateKeyCommand {
  readonly merchantId: string;
  readonly keyId: string;
  /** Until when the old key works beside the new one, at most 90 days from now. An earlier expiry of its own stays. */
  readonly oldWorksUntil: Date;
  /** When the new key stops working by itself; null for never. */
  readonly expiresAt: Date | null;
  readonly actor: string;
}

/** Result of replacing a key, or the reason why it was refused. */
export type RotateKeyOutcome =
  /** `secretKey` is the new key's text and cannot be had a second time. */
  | ({ readonly kind: 'rotated'; readonly old: ListedApiKey } & MintedKey)
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  /** The old key has ended already: issue a new one instead. */
  | { readonly kind: 'ended' }
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
