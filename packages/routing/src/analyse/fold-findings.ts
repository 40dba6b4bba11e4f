import { type KeysByName, keysByName } from '../keys/match-keys.ts';
import { formatBound } from '../money.ts';
import type { RoutableAccount, RuleSet } from '../types.ts';
import { against } from './analyse-rules.ts';
import {
  type AccountLimit,
  compareSeverity,
  describeExample,
  describePlace,
  type Finding,
  type LimitConsequence,
  type LimitedFindingKind,
  ruleNumbers,
} from './finding.ts';

/** Folds findings that follow from one limit of one account into one finding of that limit. A limit's only finding stays as it is. */
export function foldByLimit(ruleSet: RuleSet, accounts: readonly RoutableAccount[], found: readonly Finding[]): Finding[] {
  const byLimit = Map.groupBy(found, limitKey);
  const labels = new Map(accounts.map(({ accountId, label }) => [accountId, label]));
  const labelOf = (accountId: string) => labels.get(accountId) ?? accountId;
  return Array.from(byLimit.values()).flatMap((same) => {
    const limit = same[0]?.limit;
    return limit && same.length > 1 ? [fold(ruleSet, limit, same, labelOf)] : same;
  });
}

/** Null for a finding that follows from no limit. */
function limitKey({ limit }: Finding): string | null {
  return limit === null ? null : `${limit.bound} ${limit.accountId}`;
}

function fold(ruleSet: RuleSet, limit: AccountLimit, same: readonly Finding[], labelOf: (accountId: string) => string): Finding {
  const consequences = Array.from(
    Map.groupBy(same, ({ kind, accountIds }) => `${kind} ${accountIds.join()}`).values(),
    consequenceOf,
  ).flatMap((consequence) => consequence ?? []);
  consequences.sort(compareSeverity);
  const positions = ascending(consequences.flatMap((each) => each.positions));
  const accountIds = new Set([limit.accountId, ...consequences.flatMap((each) => each.accountIds)]);
  const example = consequences[0]?.example ?? null;
  return {
    ...against(ruleSet, positions),
    kind: 'account_limit',
    severity: consequences[0]?.severity ?? 'info',
    accountIds: Array.from(accountIds),
    example,
    limit,
    consequences,
    message: describe(limit, consequences, labelOf, keysByName(ruleSet.keys)),
  };
}

/** Findings of one kind and account as one consequence. */
function consequenceOf(same: readonly Finding[]): LimitConsequence | null {
  const [first] = same;
  if (first === undefined || !isLimited(first.kind)) return null;
  const { kind, severity, accountIds, example } = first;
  const isThin = kind === 'no_account' || kind === 'no_second_choice';
  const unruled = same.filter((each) => each.positions.length === 0);
  const places = isThin ? unruled.flatMap(({ example: shown }) => shown ?? []) : [];
  return {
    kind,
    severity,
    positions: ascending(same.flatMap((each) => each.positions)),
    places: places.map(({ currency, method }) => ({ currency, method })),
    inDefaultOrder: !isThin && unruled.length > 0,
    accountIds,
    example,
  };
}

const LIMITED: ReadonlySet<string> = new Set<LimitedFindingKind>([
  'incapable_account',
  'partly_incapable_account',
  'fallback_never_reached',
  'no_second_choice',
  'no_account',
]);

function isLimited(kind: Finding['kind']): kind is LimitedFindingKind {
  return LIMITED.has(kind);
}

function ascending(positions: readonly number[]): number[] {
  return Array.from(new Set(positions)).sort((left, right) => left - right);
}

/** `flutterwave-main takes at most NGN 1,000: beyond that only paystack-main can take payments of rules 1 and 3. …` */
function describe(
  limit: AccountLimit,
  consequences: readonly LimitConsequence[],
  labelOf: (accountId: string) => string,
  declared: KeysByName,
): string {
  const example = consequences[0]?.example;
  const currency = example?.currency ?? '';
  const takes = limit.bound === 'max' ? 'at most' : 'no less than';
  const beyond = limit.bound === 'max' ? 'above' : 'below';
  const parts = consequences.map((consequence) => describeConsequence(consequence, beyond, labelOf));
  const shown = example ? ` For example, ${describeExample(example, declared)}.` : '';
  return `${labelOf(limit.accountId)} takes ${takes} ${formatBound(currency, limit.amount)}: ${parts.join('; ')}.${shown}`;
}

function describeConsequence(
  consequence: LimitConsequence,
  beyond: 'above' | 'below',
  labelOf: (accountId: string) => string,
): string {
  const { kind, accountIds } = consequence;
  switch (kind) {
    case 'no_account':
      return `${beyond} that no account can take payments of ${describeWhere(consequence)}`;
    case 'no_second_choice':
      return `${beyond} that only ${accountIds.map(labelOf).join(', ')} can take payments of ${describeWhere(consequence)}`;
    case 'incapable_account':
      return `it comes first in ${describeWhere(consequence)} and can take none of the payments there`;
    case 'fallback_never_reached':
      return `it can take none of the payments that come to it in ${describeWhere(consequence)}`;
    case 'partly_incapable_account':
      return `it is skipped ${beyond} that in ${describeWhere(consequence)}`;
    default:
      return kind satisfies never;
  }
}

/** `rules 1 and 3`, `the default order`, `NGN by transfer, NGN by USSD without a rule`, joined. */
function describeWhere({ positions, places, inDefaultOrder }: LimitConsequence): string {
  const without = places.map(describePlace).join(', ');
  return [
    ...(positions.length > 0 ? [ruleNumbers(positions)] : []),
    ...(inDefaultOrder ? ['the default order'] : []),
    ...(places.length > 0 ? [`${without} without a rule`] : []),
  ].join(' and ');
}
