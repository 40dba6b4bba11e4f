import { against } from './analyse-rules.ts';
import { accountsOf } from './compile.ts';
import type { Finding, FindingKind } from './finding.ts';
import { describeNotConfigured, describeObstacle, describePayment } from './sentence.ts';
import { type ExamplePayment, exampleIn, type Stretch } from './territory.ts';
import type { RoutableAccount, RuleSet } from './types.ts';

/** Accounts that a rule names and that cannot do what the rule asks of them. */
export function findUnfitAccounts(
  ruleSet: RuleSet,
  accounts: readonly RoutableAccount[],
  decided: ReadonlyMap<number, readonly Stretch[]>,
): Finding[] {
  const byId = new Map(accounts.map((account) => [account.accountId, account]));
  return ruleSet.rules.flatMap((rule, position) => {
    const stretches = decided.get(position) ?? [];
    if (stretches.length === 0) return [];
    return accountsOf(rule.then).flatMap((accountId, place) => {
      const list: List = { ruleSet, position, name: `Rule ${position + 1}`, place, stretches };
      return unfit(list, accountId, byId.get(accountId)) ?? [];
    });
  });
}

/** The same of the default order, which every payment may come to. */
export function findUnfitDefaults(
  ruleSet: RuleSet,
  accounts: readonly RoutableAccount[],
  stretches: readonly Stretch[],
): Finding[] {
  const byId = new Map(accounts.map((account) => [account.accountId, account]));
  return ruleSet.defaultOrder.flatMap((accountId, place) => {
    const list: List = { ruleSet, position: null, name: 'The default order', place, stretches };
    return unfit(list, accountId, byId.get(accountId)) ?? [];
  });
}

/** Whether the account can take what the stretch holds at `amount`. */
export function isAble(account: RoutableAccount, { plane }: Pick<Stretch, 'plane'>, amount: number): boolean {
  return takesPlane(account, plane) && account.minAmount <= amount && amount <= (account.maxAmount ?? Number.POSITIVE_INFINITY);
}

function takesPlane(account: RoutableAccount, plane: Stretch['plane']): boolean {
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
  /** The payments that come to the list. */
  readonly stretches: readonly Stretch[];
}

function unfit(list: List, accountId: string, account: RoutableAccount | undefined): Finding | null {
  if (!account) {
    return finding(list, accountId, 'unknown_account', 'warning', exampleOf(list), `account ${accountId}, which does not exist`);
  }
  if (!account.configured || !account.enabled) {
    const obstacle = account.configured ? 'is switched off' : describeNotConfigured(account);
    return finding(list, accountId, 'disabled_account', 'warning', exampleOf(list), `${account.label}, which ${obstacle}`);
  }
  const { able, refused } = shareOf(account, list.stretches);
  if (refused === null) return null;
  const what = describePayment(refused);
  const obstacle = describeObstacle(obstacleTo(account, refused), account, { ...refused, paymentId: '', requestedGateway: null });
  if (able) {
    if (list.position === null) return null;
    return finding(
      list,
      accountId,
      'partly_incapable_account',
      'info',
      refused,
      `${account.label}, which ${obstacle}; ${what} shows it`,
    );
  }
  const kind = list.place === 0 ? 'incapable_account' : 'fallback_never_reached';
  const severity = list.place === 0 ? 'warning' : 'info';
  const message = `${account.label}, which can take none of the payments that come there: for ${what}, it ${obstacle}`;
  return finding(list, accountId, kind, severity, refused, message);
}

function finding(
  list: List,
  accountId: string,
  kind: FindingKind,
  severity: Finding['severity'],
  example: ExamplePayment | null,
  names: string,
): Finding {
  const rules = against(list.ruleSet, list.position === null ? [] : [list.position]);
  return { kind, severity, ...rules, accountIds: [accountId], example, message: `${list.name} names ${names}.` };
}

function exampleOf({ stretches }: List): ExamplePayment | null {
  const first = stretches[0];
  return first ? exampleIn(first, first.from) : null;
}

/** Whether the account can take any payment of the stretches, and a payment that it cannot. */
function shareOf(account: RoutableAccount, stretches: readonly Stretch[]): { able: boolean; refused: ExamplePayment | null } {
  let able = false;
  let refused: ExamplePayment | null = null;
  for (const stretch of stretches) {
    const low = Math.max(stretch.from, account.minAmount);
    const high = Math.min(stretch.to, account.maxAmount ?? stretch.to);
    const any = takesPlane(account, stretch.plane) && low <= high;
    able ||= any;
    if (!any || low > stretch.from) refused ??= exampleIn(stretch, stretch.from);
    else if (high < stretch.to) refused ??= exampleIn(stretch, high + 1);
    if (able && refused) break;
  }
  return { able, refused };
}

function obstacleTo(account: RoutableAccount, payment: ExamplePayment) {
  if (!account.currencies.includes(payment.currency)) return 'currency_not_supported';
  return account.methods.includes(payment.method) ? 'amount_out_of_range' : 'method_not_supported';
}
