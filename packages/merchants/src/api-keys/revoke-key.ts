import { changeConfiguration } from '@switchyard/runtime';
import type { MerchantsContext } from '../context.ts';
import { keyForAudit } from './mint-key.ts';
import { endApiKey, findApiKey, type ListedApiKey } from './queries.ts';

/** Asks to end a key at once. */
export interface RevokeKeyCommand {
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
