import type { Mode } from '@switchyard/db/client';
import { accountsOf as accountsIn } from '@switchyard/provider-health/console';
import { PAYMENT_METHODS, type PaymentMethod } from '@switchyard/routing';
import { accountsOf } from '@switchyard/routing/decide';
import { routingSnapshot } from '@switchyard/rule-sets/snapshot';
import type { PaymentsContext } from '../context.ts';
import { readAccountUse } from './account-use-queries.ts';

/** The usage of one account. */
export interface AccountUse {
  readonly accountId: string;
  /** Payments of the last 24 hours that tried to open a checkout there. */
  readonly payments: number;
  /** When the latest of them did; null when none did. */
  readonly lastAt: Date | null;
}

/** Usage and dependents of one account: the effects of disabling it. */
export interface AccountUseDetails extends AccountUse {
  /** Live rules that route payments there, in their order. */
  readonly rules: readonly { readonly ruleId: string; readonly name: string }[];
  /** Position in the default order, from 1; null when it is not in it. */
  readonly defaultPlace: number | null;
  /** Methods that no other enabled account of the merchant supports. */
  readonly onlyFor: readonly PaymentMethod[];
}

const DAY_MS = 86_400_000;

/** Usage of all accounts of these merchants in one mode, in the last 24 hours. */
export async function listAccountUse(
  context: PaymentsContext,
  query: { readonly merchantIds: readonly string[]; readonly mode: Mode },
): Promise<readonly AccountUse[]> {
  const accountIds = await accountsIn(context, { ...query, accountId: null });
  const { merchantIds } = query;
  const since = new Date(context.now().getTime() - DAY_MS);
  const rows = await readAccountUse(context.resources.database, { merchantIds, accountIds }, since);
  const byId = new Map(rows.map((row) => [row.accountId, row]));
  return accountIds.map((accountId) => byId.get(accountId) ?? { accountId, payments: 0, lastAt: null });
}

/** Usage and dependents of one account; null when none of these merchants has it. */
export async function describeAccountUse(
  context: PaymentsContext,
  { merchantIds, accountId }: { readonly merchantIds: readonly string[]; readonly accountId: string },
): Promise<AccountUseDetails | null> {
  const { configuration, database } = context.resources;
  await configuration.ready();
  const known = configuration.account(accountId);
  if (known === undefined || !merchantIds.includes(known.account.merchantId)) return null;
  const { account, merchant } = known;
  const since = new Date(context.now().getTime() - DAY_MS);
  const own = { merchantIds: [account.merchantId], accountIds: [accountId] };
  const [use] = await readAccountUse(database, own, since);
  const { ruleSet, accounts } = routingSnapshot(context.resources, merchant, account.mode, context.now());
  const { rules, defaultOrder } = ruleSet.ruleSet;
  const place = defaultOrder.indexOf(accountId);
  const others = accounts.filter((other) => other.accountId !== accountId && other.enabled && other.configured);
  return {
    accountId,
    payments: use?.payments ?? 0,
    lastAt: use?.lastAt ?? null,
    rules: rules
      .filter((rule) => rule.enabled && accountsOf(rule.then).includes(accountId))
      .map(({ ruleId, name }) => ({ ruleId, name })),
    defaultPlace: place < 0 ? null : place + 1,
    onlyFor: PAYMENT_METHODS.filter(
      (method) => account.methods.includes(method) && !others.some(({ methods }) => methods.includes(method)),
    ),
  };
}
