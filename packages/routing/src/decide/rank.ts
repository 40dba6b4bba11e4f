import type { RoutablePayment } from '../types.ts';
import { type CompiledRule, type CompiledRuleSet, findRule } from './compile.ts';
import type { Eligibility } from './eligibility.ts';
import type { StrategyFact } from './facts.ts';
import { rankAccounts } from './strategy.ts';

/** Source of the order of accounts for a payment. */
export type Path =
  | { readonly kind: 'requested'; readonly gateway: string }
  | { readonly kind: 'rule'; readonly rule: CompiledRule }
  | { readonly kind: 'default'; readonly because: 'no_method' | 'no_rule' };

/** Every account of the merchant exactly once, in the order in which they are named. */
export interface RankedAccounts {
  /** The leading accounts, then the rest of the default order, then accounts that neither names. */
  readonly all: readonly Eligibility[];
  /** How many lead: accounts of the rule in its strategy's order, or of the requested gateway in the default order's. */
  readonly leading: number;
  /** How many are named at all; those beyond come after all that are. */
  readonly listed: number;
  readonly strategyReason: StrategyFact | null;
  /** How many accounts the rule names that the merchant does not have. */
  readonly missing: number;
}

/** A requested gateway bypasses the rules; without a method no rule can match. */
export function choosePath(payment: RoutablePayment, ruleSet: CompiledRuleSet): Path {
  if (payment.requestedGateway !== null) return { kind: 'requested', gateway: payment.requestedGateway };
  if (payment.method === null) return { kind: 'default', because: 'no_method' };
  const rule = findRule(ruleSet, payment);
  return rule ? { kind: 'rule', rule } : { kind: 'default', because: 'no_rule' };
}

/** Ranks the accounts, eligible or not. */
export function rank(
  path: Path,
  eligibilities: readonly Eligibility[],
  defaultOrder: readonly string[],
  payment: RoutablePayment,
): RankedAccounts {
  let all: Eligibility[] = [];
  let strategyReason: StrategyFact | null = null;
  let missing = 0;
  if (path.kind === 'rule') {
    const { target, accounts: named } = path.rule.target;
    const present: Eligibility[] = [];
    addNamed(present, eligibilities, named, null);
    missing = named.length - present.length;
    const ranking = rankAccounts(target, present, payment);
    strategyReason = ranking.reason;
    all = ranking.order;
  }
  if (path.kind === 'requested') {
    addNamed(all, eligibilities, defaultOrder, path.gateway);
    addRest(all, eligibilities, path.gateway);
  }
  const leading = all.length;
  addNamed(all, eligibilities, defaultOrder, null);
  const listed = all.length;
  addRest(all, eligibilities, null);
  return { all, leading, listed, strategyReason, missing };
}

/** Adds the accounts of a list that are not yet ranked; only those of `gateway`, unless it is null. */
function addNamed(
  all: Eligibility[],
  eligibilities: readonly Eligibility[],
  accountIds: readonly string[],
  gateway: string | null,
): void {
  for (const accountId of accountIds) {
    const eligibility = find(eligibilities, accountId);
    if (eligibility && (gateway === null || eligibility.account.gateway === gateway) && !all.includes(eligibility))
      all.push(eligibility);
  }
}

function addRest(all: Eligibility[], eligibilities: readonly Eligibility[], gateway: string | null): void {
  if (all.length === eligibilities.length) return;
  for (const eligibility of eligibilities) {
    if ((gateway === null || eligibility.account.gateway === gateway) && !all.includes(eligibility)) all.push(eligibility);
  }
}

function find(eligibilities: readonly Eligibility[], accountId: string): Eligibility | undefined {
  for (const eligibility of eligibilities) if (eligibility.account.accountId === accountId) return eligibility;
  return undefined;
}
