import type { HealthState, PaymentMethod } from '@switchyard/routing';
import { SAME_EVENT_MS } from '../assess/correlate.ts';
import type { AccountOverview, HealthOverview } from './describe-health.ts';

/** An account that is degraded or down, by its worst method. */
export interface UnhealthyAccount {
  readonly account: AccountOverview;
  readonly state: Extract<HealthState, 'degraded' | 'down'>;
  /** Since the first of its methods. */
  readonly since: Date;
}

/** Accounts whose trouble has one cause. */
export interface CorrelatedOutage {
  /** In order of onset. */
  readonly members: readonly UnhealthyAccount[];
  /** The methods that fail at several gateways; null is the accounts as a whole. Empty where it is one gateway. */
  readonly methods: readonly (PaymentMethod | null)[];
}

/** The trouble of an enabled account that its gateway accepts; null while it is healthy or probed. */
export function troubleOf(account: AccountOverview): UnhealthyAccount | null {
  if (!account.enabled || account.fault !== null) return null;
  const red = account.health.filter(
    ({ judgedBy, state }) => judgedBy !== 'account' && (state === 'degraded' || state === 'down'),
  );
  const [first] = red.flatMap(({ since }) => since ?? []).sort((left, right) => left.getTime() - right.getTime());
  if (first === undefined) return null;
  return { account, state: red.some(({ state }) => state === 'down') ? 'down' : 'degraded', since: first };
}

interface Group {
  readonly accountIds: readonly string[];
  readonly methods: readonly (PaymentMethod | null)[];
}

/**
 * Groups accounts in trouble by cause: a method that fails at several gateways ({@link HealthOverview.trouble}), or one gateway that
 * fails for several merchants within ten minutes. Groups with an account in common are one.
 */
export function findCorrelatedOutages({ accounts, trouble }: Pick<HealthOverview, 'accounts' | 'trouble'>): CorrelatedOutage[] {
  const troubled = accounts.flatMap((account) => troubleOf(account) ?? []);
  const groups: readonly Group[] = [
    ...trouble.map(({ accountIds, method }) => ({ accountIds, methods: [method] })),
    ...[...Map.groupBy(troubled, ({ account }) => account.gateway).values()].flatMap((ofGateway) => {
      const together = togetherAtSeveralMerchants(ofGateway);
      return together.length === 0 ? [] : [{ accountIds: together, methods: [] }];
    }),
  ];
  return groups.reduce(join, []).flatMap(({ accountIds, methods }) => {
    const members = troubled
      .filter(({ account }) => accountIds.includes(account.accountId))
      .sort((left, right) => left.since.getTime() - right.since.getTime());
    const gateways = new Set(members.map(({ account }) => account.gateway));
    const merchants = new Set(members.map(({ account }) => account.merchantId));
    return gateways.size < 2 && merchants.size < 2 ? [] : [{ members, methods }];
  });
}

/** Adds a group, merged with those that share an account with it. */
function join(groups: readonly Group[], added: Group): Group[] {
  const isSame = (group: Group) => group.accountIds.some((accountId) => added.accountIds.includes(accountId));
  const same = [...groups.filter(isSame), added];
  const merged = {
    accountIds: [...new Set(same.flatMap(({ accountIds }) => accountIds))],
    methods: [...new Set(same.flatMap(({ methods }) => methods))],
  };
  return [...groups.filter((group) => !isSame(group)), merged];
}

/** The accounts whose trouble began within ten minutes of the latest onset, where they belong to two merchants or more. */
function togetherAtSeveralMerchants(troubled: readonly UnhealthyAccount[]): string[] {
  const latest = Math.max(...troubled.map(({ since }) => since.getTime()));
  const together = troubled.filter(({ since }) => latest - since.getTime() <= SAME_EVENT_MS).map(({ account }) => account);
  return new Set(together.map(({ merchantId }) => merchantId)).size < 2 ? [] : together.map(({ accountId }) => accountId);
}
