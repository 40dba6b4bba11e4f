import { UTC_CLOCK } from '../clock.ts';
import { accountsOf } from '../decide/compile.ts';
import { describeNotConfigured, describeObstacle } from '../decide/sentence.ts';
import { methodWord } from '../health-text.ts';
import { keysByName } from '../keys/match-keys.ts';
import type { RoutableAccount, RuleSet } from '../types.ts';
import { against } from './analyse-rules.ts';
import { type CoverageSpan, type ExamplePayment, exampleIn } from './coverage.ts';
import { type AccountLimit, describeExample, type Finding, type FindingKind } from './finding.ts';

/** Accounts that a rule names and that cannot take its payments. */
export function findUnfitAccounts(
  ruleSet: RuleSet,
  accounts: readonly RoutableAccount[],
  decided: ReadonlyMap<number, readonly CoverageSpan[]>,
): Finding[] {
  const byId = new Map(accounts.map((account) => [account.accountId, account]));
  return ruleSet.rules.flatMap((rule, position) => {
    const spans = decided.get(position) ?? [];
    if (spans.length === 0) return [];
    return accountsOf(rule.then).flatMap((accountId, place) => {
      const list: List = { ruleSet, position, name: `Rule ${position + 1}`, place, spans };
      return unfit(list, accountId, byId.get(accountId));
    });
  });
}

/** The same for the default order, which any payment may reach. */
export function findUnfitDefaults(
  ruleSet: RuleSet,
  accounts: readonly RoutableAccount[],
  spans: readonly CoverageSpan[],
): Finding[] {
  const byId = new Map(accounts.map((account) => [account.accountId, account]));
  return ruleSet.defaultOrder.flatMap((accountId, place) => {
    const list: List = { ruleSet, position: null, name: 'The default order', place, spans };
    return unfit(list, accountId, byId.get(accountId));
  });
}

/** True if the account can take the span's payments at `amount`. */
export function canTake(account: RoutableAccount, { plane }: Pick<CoverageSpan, 'plane'>, amount: number): boolean {
  return takesPlane(account, plane) && account.minAmount <= amount && amount <= (account.maxAmount ?? Number.POSITIVE_INFINITY);
}

function takesPlane(account: RoutableAccount, plane: CoverageSpan['plane']): boolean {
  const isOn = account.enabled && account.configured;
  return isOn && account.currencies.includes(plane.currency) && account.methods.includes(plane.method);
}

interface List {
  readonly ruleSet: RuleSet;
  /** Null for the default order. */
  readonly position: number | null;
  readonly name: string;
  /** Place of the account in the list, from 0. */
  readonly place: number;
  /** The payments that reach the list. */
  readonly spans: readonly CoverageSpan[];
}

function unfit(list: List, accountId: string, account: RoutableAccount | undefined): Finding[] {
  if (!account) {
    const names = `account ${accountId}, which does not exist`;
    return [finding(list, accountId, 'unknown_account', 'warning', exampleOf(list), null, names)];
  }
  if (!account.configured || !account.enabled) {
    const obstacle = account.configured ? 'is disabled' : describeNotConfigured(account, UTC_CLOCK);
    const names = `${account.label}, which ${obstacle}`;
    return [finding(list, accountId, 'disabled_account', 'warning', exampleOf(list), null, names)];
  }
  const { able, refusals } = shareOf(account, list.spans);
  const [first] = refusals;
  if (first === undefined) return [];
  if (able) {
    if (list.position === null) return [];
    return Array.from(refusals, ([cause, refused]) => {
      const names = `${account.label}, which ${obstacleTo(account, refused)}; for example, ${describeExample(refused, keysByName(list.ruleSet.keys))}`;
      return finding(list, accountId, 'partly_incapable_account', 'info', refused, limitOf(account, cause), names);
    });
  }
  const [cause, refused] = first;
  const limit = refusals.size === 1 ? limitOf(account, cause) : null;
  const kind = list.place === 0 ? 'incapable_account' : 'fallback_never_reached';
  const severity = list.place === 0 ? 'warning' : 'info';
  const what = describeExample(refused, keysByName(list.ruleSet.keys));
  const names = `${account.label}, which can take none of the payments that come there: for ${what}, it ${obstacleTo(account, refused)}`;
  return [finding(list, accountId, kind, severity, refused, limit, names)];
}

function finding(
  list: List,
  accountId: string,
  kind: FindingKind,
  severity: Finding['severity'],
  example: ExamplePayment | null,
  limit: AccountLimit | null,
  names: string,
): Finding {
  const rules = against(list.ruleSet, list.position === null ? [] : [list.position]);
  return { kind, severity, ...rules, accountIds: [accountId], example, limit, message: `${list.name} names ${names}.` };
}

function exampleOf({ spans }: List): ExamplePayment | null {
  const first = spans[0];
  return first ? exampleIn(first, first.from) : null;
}

/** Why an account cannot take a payment: another currency or method, or one of its limits. */
type RefusalCause = 'capability' | AccountLimit['bound'];

/** The account's ability to take any payment of the spans, and a payment that it cannot take for each cause there is. */
function shareOf(
  account: RoutableAccount,
  spans: readonly CoverageSpan[],
): { readonly able: boolean; readonly refusals: ReadonlyMap<RefusalCause, ExamplePayment> } {
  const { minAmount } = account;
  const maxAmount = account.maxAmount ?? Number.POSITIVE_INFINITY;
  const refusals = new Map<RefusalCause, ExamplePayment>();
  const refuse = (cause: RefusalCause, span: CoverageSpan, amount: number) => {
    if (!refusals.has(cause)) refusals.set(cause, exampleIn(span, amount));
  };
  let able = false;
  for (const span of spans) {
    if (!takesPlane(account, span.plane)) {
      refuse('capability', span, span.from);
      continue;
    }
    const aboveMax = Math.max(span.from, minAmount, maxAmount + 1);
    if (span.from < minAmount) refuse('min', span, span.from);
    if (aboveMax <= span.to) refuse('max', span, aboveMax);
    able ||= Math.max(span.from, minAmount) <= Math.min(span.to, maxAmount);
    if (able && refusals.size === 3) break;
  }
  return { able, refusals };
}

function limitOf({ accountId, minAmount, maxAmount }: RoutableAccount, cause: RefusalCause): AccountLimit | null {
  switch (cause) {
    case 'capability':
      return null;
    case 'min':
      return { accountId, bound: 'min', amount: minAmount };
    case 'max':
      return maxAmount === null ? null : { accountId, bound: 'max', amount: maxAmount };
    default:
      return cause satisfies never;
  }
}

/**
 * The limit that keeps the span's payments of `amount` from an account: without it, one more account could take them. Of several,
 * the greatest amount below them; where there is none, the least amount above. Null where no limit is in the way.
 */
export function limitAgainst(
  accounts: readonly RoutableAccount[],
  { plane }: Pick<CoverageSpan, 'plane'>,
  amount: number,
): AccountLimit | null {
  let below: RoutableAccount | null = null;
  let above: RoutableAccount | null = null;
  for (const account of accounts) {
    if (!takesPlane(account, plane)) continue;
    if (amount < account.minAmount) {
      if (above === null || account.minAmount < above.minAmount) above = account;
    } else if (account.maxAmount !== null && amount > account.maxAmount) {
      if (below?.maxAmount == null || account.maxAmount > below.maxAmount) below = account;
    }
  }
  if (below !== null) return limitOf(below, 'max');
  return above === null ? null : limitOf(above, 'min');
}

function obstacleTo(account: RoutableAccount, payment: ExamplePayment): string {
  const isOfCurrency = account.currencies.includes(payment.currency);
  if (isOfCurrency && !account.methods.includes(payment.method)) return `does not take payments by ${methodWord(payment.method)}`;
  const reason = isOfCurrency ? 'amount_out_of_range' : 'currency_not_supported';
  return describeObstacle(reason, account, { ...payment, paymentId: '', requestedGateway: null }, UTC_CLOCK);
}
