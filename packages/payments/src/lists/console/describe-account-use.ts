import type { Database } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import { accountsOf as accountsIn } from '@switchyard/provider-health/console';
import { PAYMENT_METHODS, type PaymentMethod } from '@switchyard/routing';
import { accountsOf } from '@switchyard/routing/decide';
import { routingSnapshot } from '@switchyard/rule-sets/snapshot';
import type { PaymentsContext } from '../../record/context.ts';

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

/** Usage of a gateway by all its accounts of these merchants: the effects of draining it. */
export interface GatewayUse {
  readonly gateway: string;
  readonly accounts: number;
  readonly merchants: number;
  /** Payments of the last 24 hours that tried to open a checkout there. */
  readonly payments: number;
  /** Merchants that could take no payment by some method any more, at most ten, with these methods. */
  readonly stranded: readonly {
    readonly merchantId: string;
    readonly merchantName: string;
    readonly methods: readonly PaymentMethod[];
  }[];
  /** How many such merchants there are. */
  readonly strandedCount: number;
}

const STRANDED_MAX = 10;

/** Usage of a gateway by these merchants in one mode, in the last 24 hours. */
export async function describeGatewayUse(
  context: PaymentsContext,
  { merchantIds, gateway, mode }: { readonly merchantIds: readonly string[]; readonly gateway: string; readonly mode: Mode },
): Promise<GatewayUse> {
  const { configuration, database } = context.resources;
  await configuration.ready();
  const merchants = merchantIds.flatMap((merchantId) => {
    const known = configuration.merchant(merchantId);
    const own =
      known?.accounts.filter((account) => account.mode === mode && account.gateway === gateway && account.enabled) ?? [];
    return known === undefined || own.length === 0 ? [] : [{ known, own }];
  });
  const accountIds = merchants.flatMap(({ own }) => own.map(({ id }) => id));
  const ids = merchants.map(({ known }) => known.merchant.id);
  const since = new Date(context.now().getTime() - DAY_MS);
  const uses = await readAccountUse(database, { merchantIds: ids, accountIds }, since);
  const stranded = merchants.flatMap(({ known, own }) => {
    const { accounts } = routingSnapshot(context.resources, known, mode, context.now());
    const others = accounts.filter((other) => other.enabled && other.configured && !own.some(({ id }) => id === other.accountId));
    const methods = PAYMENT_METHODS.filter(
      (method) =>
        own.some((account) => account.methods.includes(method)) && !others.some((other) => other.methods.includes(method)),
    );
    return methods.length === 0 ? [] : [{ merchantId: known.merchant.id, merchantName: known.merchant.name, methods }];
  });
  return {
    gateway,
    accounts: accountIds.length,
    merchants: ids.length,
    payments: uses.reduce((sum, { payments }) => sum + payments, 0),
    stranded: stranded.slice(0, STRANDED_MAX),
    strandedCount: stranded.length,
  };
}

/** The usage of an account. */
export interface AccountUseRow {
  readonly accountId: string;
  /** Payments that tried to open a checkout there. */
  readonly payments: number;
  /** Time of the latest of them. */
  readonly lastAt: Date;
}

const USE = `
SELECT account_id AS "accountId", count(DISTINCT payment_id)::int AS payments, max(created_at) AS "lastAt"
FROM attempt
WHERE merchant_id = ANY ($1::uuid[]) AND account_id = ANY ($2::uuid[]) AND created_at >= $3
GROUP BY account_id`;

/** Usage of accounts since a time; unused accounts are left out. */
export async function readAccountUse(
  database: Database,
  { merchantIds, accountIds }: { readonly merchantIds: readonly string[]; readonly accountIds: readonly string[] },
  since: Date,
): Promise<AccountUseRow[]> {
  const { rows } = await database.pool.query<AccountUseRow>(USE, [merchantIds, accountIds, since]);
  return rows;
}
