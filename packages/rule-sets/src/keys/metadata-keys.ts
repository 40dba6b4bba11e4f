import { findMerchantRow, updateMetadataKeys } from '@switchyard/merchants';
import type { MetadataKey, RuleSet } from '@switchyard/routing';
import { parseMetadataKeys } from '@switchyard/routing/rule-set';
import { changeConfiguration, type FieldProblem } from '@switchyard/runtime';
import type { RuleSetsContext } from '../context.ts';
import { declaredKeys, keyConflicts, ruleSetOf } from '../document/check-document.ts';
import { findPublishedRuleSet } from '../rows/versions.ts';

/** A metadata key with the rules in force that compare it. */
interface ListedMetadataKey {
  readonly key: MetadataKey;
  /** Names of active rules, those of live mode first. */
  readonly rules: readonly string[];
}

/** The metadata keys that a merchant declares, in their order; null for no merchant. */
export async function listMetadataKeys(
  context: RuleSetsContext,
  { merchantId }: { readonly merchantId: string },
): Promise<readonly ListedMetadataKey[] | null> {
  const { prisma } = context.resources.database;
  const merchant = await findMerchantRow(prisma, merchantId);
  if (merchant === null) return null;
  const live = ruleSetOf(await findPublishedRuleSet(prisma, { merchantId, mode: 'live' }));
  const test = ruleSetOf(await findPublishedRuleSet(prisma, { merchantId, mode: 'test' }));
  const rules = [live, test].flatMap((ruleSet) => ruleSet?.rules ?? []);
  return declaredKeys(merchant).map((key) => {
    const comparing = rules.filter(({ when }) => when.metadata?.some((condition) => condition.key === key.name));
    return { key, rules: [...new Set(comparing.map(({ name }) => name))] };
  });
}

/** Asks to replace the metadata keys that a merchant declares. */
interface SaveMetadataKeysCommand {
  readonly merchantId: string;
  /** All of them, as plain JSON. */
  readonly keys: unknown;
  readonly actor: string;
}

/** The declared keys, or why they were refused. Paths of problems begin with the place of the key: `0.values`. */
type SaveMetadataKeysOutcome =
  | { readonly kind: 'saved'; readonly keys: readonly MetadataKey[] }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'not_found' };

/** Replaces a merchant's metadata keys. Refused where rules in force compare a key that would be gone or of another type. */
export async function saveMetadataKeys(
  context: RuleSetsContext,
  command: SaveMetadataKeysCommand,
): Promise<SaveMetadataKeysOutcome> {
  const { merchantId } = command;
  const parsed = parseMetadataKeys(command.keys);
  if (!parsed.ok) return { kind: 'invalid', problems: parsed.problems };
  const { keys } = parsed;
  return changeConfiguration<SaveMetadataKeysOutcome>(context, command, async (transaction, now) => {
    const merchant = await findMerchantRow(transaction, merchantId);
    if (merchant === null) return { outcome: { kind: 'not_found' }, audit: null };
    const active = [
      ruleSetOf(await findPublishedRuleSet(transaction, { merchantId, mode: 'live' })),
      ruleSetOf(await findPublishedRuleSet(transaction, { merchantId, mode: 'test' })),
    ];
    const problems = active.flatMap((ruleSet) => (ruleSet === null ? [] : stillCompared(ruleSet, keys)));
    if (problems.length > 0) return { outcome: { kind: 'invalid', problems }, audit: null };
    await updateMetadataKeys(transaction, merchantId, keys, now);
    return {
      outcome: { kind: 'saved', keys },
      audit: {
        action: 'merchant.metadata_keys_changed',
        objectType: 'merchant',
        objectId: merchantId,
        before: { keys: declaredKeys(merchant).map(forAudit) },
        after: { keys: keys.map(forAudit) },
      },
    };
  });
}

function stillCompared(ruleSet: RuleSet, keys: readonly MetadataKey[]): FieldProblem[] {
  const compared = new Set(ruleSet.rules.flatMap(({ when }) => when.metadata?.map(({ key }) => key) ?? []));
  const own = (ruleSet.keys ?? []).filter(({ name }) => compared.has(name));
  const gone = own
    .filter(({ name }) => !keys.some((key) => key.name === name))
    .map(({ name, label }) => ({ field: 'keys', message: `must keep ${label} (${name}): active rules compare it` }));
  const changed = keyConflicts({ ...ruleSet, keys: own }, keys).map(({ field, message }) => {
    const [, at = '', part = ''] = field.split('.');
    const name = own[Number(at)]?.name;
    const place = keys.findIndex((key) => key.name === name);
    return { field: `${place}.${part}`, message: `${message.split(', as the merchant')[0]}: active rules compare it` };
  });
  return [...gone, ...changed];
}

function forAudit(key: MetadataKey) {
  const { name, label, type } = key;
  return {
    name,
    label,
    type,
    ...('values' in key && { values: [...key.values] }),
    ...('ignoreCase' in key && { ignoreCase: key.ignoreCase === true }),
  };
}
