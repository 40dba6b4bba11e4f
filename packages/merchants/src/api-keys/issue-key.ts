import type { Mode } from '@switchyard/db/client';
import { changeConfiguration, type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { z } from 'zod';
import type { MerchantsContext } from '../context.ts';
import { keyNameSchema } from './key-name.ts';
import { keyRestrictionsSchema } from './key-restrictions.ts';
import { keyForAudit, type MintedKey, mintKey, USABLE_KEYS_MAX } from './mint-key.ts';
import { countUsableApiKeys } from './queries.ts';

/** Asks for a new secret key of a merchant in one mode. */
export interface IssueKeyCommand {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly name: string;
  /** When it stops working by itself; null for never. */
  readonly expiresAt: Date | null;
  /** Scopes of `KEY_SCOPES`; nothing given is everything but the rules. */
  readonly scopes?: readonly string[];
  /** Networks it may be used from; nothing given is any. */
  readonly allowedAddresses?: readonly string[];
  readonly actor: string;
}

/** The issued key, or the reason why none was issued. */
export type IssueKeyOutcome =
  /** `secretKey` is returned this one time only. */
  | ({ readonly kind: 'issued' } & MintedKey)
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'too_many_keys'; readonly limit: number }
  | { readonly kind: 'not_found' };

/** Issues a merchant a new secret key. Only a keyed hash of the key is stored. */
export async function issueKey(context: MerchantsContext, command: IssueKeyCommand): Promise<IssueKeyOutcome> {
  const parsed = commandSchema(context.now()).safeParse({ scopes: [], allowedAddresses: [], ...command });
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const { merchantId, mode, actor } = command;
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
