import { changeConfiguration } from '../configuration/change-configuration.ts';
import type { MerchantsContext } from '../context.ts';
import { type FieldProblem, fieldProblems } from '../field-problems.ts';
import { keyRestrictionsSchema } from './key-restrictions.ts';
import { keyState } from './list-keys.ts';
import { keyForAudit, keyNameSchema } from './mint-key.ts';
import { findApiKey, type ListedApiKey, updateApiKey } from './queries.ts';

/** Asks to change a key's name, what it may do and from where. */
export interface ChangeKeyCommand {
  readonly merchantId: string;
  readonly keyId: string;
  readonly name: string;
  /** What it may do, of `KEY_SCOPES`; none is everything but the rules. */
  readonly scopes: readonly string[];
  /** Networks it may be used from; none is any. */
  readonly allowedAddresses: readonly string[];
  readonly actor: string;
}

/** Whether a key was changed, and otherwise why not. */
export type ChangeKeyOutcome =
  | { readonly kind: 'changed' | 'unchanged'; readonly key: ListedApiKey }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  /** The key was revoked or has expired. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'not_found' };

const commandSchema = keyRestrictionsSchema.extend({ name: keyNameSchema });

/** Changes a key's name and restrictions. In force in every process within about a second. */
export async function changeKey(context: MerchantsContext, command: ChangeKeyCommand): Promise<ChangeKeyOutcome> {
  const parsed = commandSchema.safeParse(command);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const { merchantId, keyId } = command;
  return changeConfiguration<ChangeKeyOutcome>(context, command, async (transaction, now) => {
    const before = await findApiKey(transaction, merchantId, keyId);
    if (before === null) return { outcome: { kind: 'not_found' }, audit: null };
    const state = keyState(before, now);
    if (state === 'revoked' || state === 'expired') return { outcome: { kind: 'ended' }, audit: null };
    const { name, scopes, allowedAddresses } = before;
    const isSame = JSON.stringify([name, scopes, allowedAddresses]) === JSON.stringify(valuesOf(parsed.data));
    if (isSame) return { outcome: { kind: 'unchanged', key: before }, audit: null };
    const key = await updateApiKey(transaction, before, parsed.data);
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

function valuesOf({ name, scopes, allowedAddresses }: Pick<ChangeKeyCommand, 'name' | 'scopes' | 'allowedAddresses'>) {
  return [name, scopes, allowedAddresses];
}
