import type { Merchant, Prisma } from '@switchyard/db/client';
import { updateMetadataKeys } from '@switchyard/merchants';
import type { MetadataKey, RuleSet } from '@switchyard/routing';
import { KEY_LIMITS, readMetadataKeys } from '@switchyard/routing/rule-set';
import type { FieldProblem } from '@switchyard/runtime';

/** The metadata keys that a merchant declares. */
export function declaredKeys({ metadataKeys }: Pick<Merchant, 'metadataKeys'>): readonly MetadataKey[] {
  return readMetadataKeys(metadataKeys) ?? [];
}

/** Declarations of a document that differ from the merchant's. Its labels may differ, and an enum may lack values. */
export function keyConflicts({ keys = [] }: RuleSet, declared: readonly MetadataKey[]): FieldProblem[] {
  const known = new Map(declared.map((key) => [key.name, key]));
  const conflicts = keys.flatMap((key, at): FieldProblem[] => {
    const own = known.get(key.name);
    const difference = own === undefined ? null : differenceOf(key, own);
    return difference === null ? [] : [{ field: `keys.${at}.${difference.field}`, message: difference.message }];
  });
  if (withKeys(declared, keys).length <= KEY_LIMITS.keys) return conflicts;
  return [...conflicts, { field: 'keys', message: `must be at most ${KEY_LIMITS.keys} with those that the merchant declares` }];
}

function differenceOf(key: MetadataKey, own: MetadataKey): FieldProblem | null {
  if (key.type !== own.type) return { field: 'type', message: `must be ${own.type}, as the merchant declares it` };
  if (!('ignoreCase' in own || 'ignoreCase' in key) && key.type !== 'enum') return null;
  const isLoose = (each: MetadataKey) => 'ignoreCase' in each && each.ignoreCase === true;
  if (isLoose(key) !== isLoose(own))
    return { field: 'ignoreCase', message: `must be ${isLoose(own)}, as the merchant declares it` };
  if (key.type !== 'enum' || own.type !== 'enum') return null;
  const unknown = key.values.find((value) => !own.values.includes(value));
  if (unknown === undefined) return null;
  return { field: 'values', message: `must be among those that the merchant declares: ${own.values.join(', ')}` };
}

/** The merchant's keys with those of a document that it does not declare yet. */
function withKeys(declared: readonly MetadataKey[], keys: readonly MetadataKey[]): readonly MetadataKey[] {
  return [...declared, ...keys.filter(({ name }) => !declared.some((own) => own.name === name))];
}

/** Declares the keys of a document that is published and that the merchant does not declare yet; returns their names. */
export async function declareKeysOf(
  transaction: Prisma.TransactionClient,
  merchant: Pick<Merchant, 'id' | 'metadataKeys'>,
  { keys = [] }: RuleSet,
  now: Date,
): Promise<readonly string[]> {
  const declared = declaredKeys(merchant);
  const all = withKeys(declared, keys);
  if (all.length === declared.length) return [];
  await updateMetadataKeys(transaction, merchant.id, all, now);
  return all.slice(declared.length).map(({ name }) => name);
}
