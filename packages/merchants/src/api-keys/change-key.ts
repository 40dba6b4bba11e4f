import { isDeepStrictEqual } from 'node:util';
import { changeConfiguration, type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { z } from 'zod';
import type { MerchantsContext } from '../context.ts';
import { keyNameSchema } from './key-name.ts';
import { keyRestrictionsSchema } from './key-restrictions.ts';
import { keyState } from './list-keys.ts';
import { keyForAudit } from './mint-key.ts';
import { findApiKey, type ListedApiKey, updateApiKey } from './queries.ts';

/** A key's name, what it may do and from where. */
export interface KeySettings {
  readonly name: string;
  /** Scopes of `KEY_SCOPES`; none is everything but the rules. */
  readonly scopes: readonly string[];
  /** Networks it may be used from; none is any. */
  readonly allowedAddresses: readonly string[];
}

/** Asks to change some settings of a key; the others stay as they are stored. */
export interface ChangeKeyCommand {
  readonly merchantId: string;
  readonly keyId: string;
  readonly changes: Partial<KeySettings>;
  readonly actor: string;
}

/** Result of changing a key, or the reason why it was refused. */
export type ChangeKeyOutcome =
  | { readonly kind: 'changed' | 'unchanged'; readonly key: ListedApiKey }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  /** The key was revoked or has expired. */
  | { readonly kind: 'ended' }
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
