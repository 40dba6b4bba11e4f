import { type CompiledRuleSet, findRule } from './compile.ts';
import type { Standing } from './eligibility.ts';
import { accountsOf, rankAccounts } from './strategy.ts';
import type { RoutablePayment, RoutingReason, Rule } from './types.ts';

/** What decides the order of accounts for a payment. */
export type Path =
  | { readonly kind: 'requested'; readonly gateway: string }
  | { readonly kind: 'rule'; readonly rule: Rule }
  | { readonly kind: 'default'; readonly because: 'no_method' | 'no_rule' };

/** Every account of the merchant exactly once, in three tiers. */
export interface LineUp {
  /** Accounts of the rule in its strategy's order, or of the requested gateway in the default order's. */
  readonly leading: readonly Standing[];
  /** The rest of the default order. */
  readonly fallbacks: readonly Standing[];
  /** Accounts that neither the path nor the default order names: tried when nothing else is left. */
  readonly unlisted: readonly Standing[];
  readonly strategyReason: RoutingReason | null;
  /** Account ids that the rule names and the merchant does not have. */
  readonly missing: readonly string[];
}

/** A requested gateway bypasses the rules; without a method no rule can match. */
export function choosePath(payment: RoutablePayment, ruleSet: CompiledRuleSet): Path {
  if (payment.requestedGateway !== null) return { kind: 'requested', gateway: payment.requestedGateway };
  if (payment.method === null) return { kind: 'default', because: 'no_method' };
  const rule = findRule(ruleSet, payment);
  return rule ? { kind: 'rule', rule } : { kind: 'default', because: 'no_rule' };
}

/** Lines the accounts up; who is able is of no concern here. */
export function lineUp(
  path: Path,
  standings: readonly Standing[],
  defaultOrder: readonly string[],
  payment: RoutablePayment,
): LineUp {
  const inDefault = pick(standings, defaultOrder);
  const lead = leadOf(path, standings, inDefault, payment);
  const fallbacks = inDefault.filter((standing) => !lead.leading.includes(standing));
  const unlisted = standings.filter((standing) => !lead.leading.includes(standing) && !inDefault.includes(standing));
  return { ...lead, fallbacks, unlisted };
}

function leadOf(
  path: Path,
  standings: readonly Standing[],
  inDefault: readonly Standing[],
  payment: RoutablePayment,
): Pick<LineUp, 'leading' | 'strategyReason' | 'missing'> {
  switch (path.kind) {
    case 'requested': {
      const isRequested = (standing: Standing) => standing.account.gateway === path.gateway;
      const others = standings.filter((standing) => isRequested(standing) && !inDefault.includes(standing));
      return { leading: [...inDefault.filter(isRequested), ...others], strategyReason: null, missing: NONE };
    }
    case 'rule': {
      const named = accountsOf(path.rule.then);
      const present = pick(standings, named);
      const { order, reason } = rankAccounts(path.rule.then, present, payment);
      const missing = present.length === named.length ? NONE : named.filter((id) => !find(standings, id));
      return { leading: order, strategyReason: reason, missing };
    }
    case 'default':
      return { leading: [], strategyReason: null, missing: NONE };
    default:
      return path satisfies never;
  }
}

const NONE: readonly string[] = [];

function find(standings: readonly Standing[], accountId: string): Standing | undefined {
  for (const standing of standings) if (standing.account.accountId === accountId) return standing;
  return undefined;
}

function pick(standings: readonly Standing[], accountIds: readonly string[]): Standing[] {
  const picked: Standing[] = [];
  for (const accountId of accountIds) {
    const standing = find(standings, accountId);
    if (standing) picked.push(standing);
  }
  return picked;
}
