import type { Mode } from '@switchyard/db/client';
import { type CalendarSource, readCalendars } from '../account-calendar.ts';
import { accountNames } from '../console/names.ts';
import type { SettlementContext } from '../context.ts';
import { type ArrivalState, judgeArrivals } from './arrivals.ts';
import { type BankMatchingSource, readBankMatching } from './matching.ts';
import { isOfGateway } from './names-gateway.ts';
import { type BankSource, readCoverage, readCoveredAccounts, readFirstPayouts, readOpenCredits, readPayouts } from './queries.ts';

/** A payout with what reached the bank of it. Amounts are exact decimals of the main unit, days `YYYY-MM-DD`. */
export interface BankPayoutItem {
  readonly settlementId: string;
  readonly merchantId: string;
  readonly merchantName: string;
  readonly accountId: string;
  readonly accountLabel: string;
  readonly gateway: string;
  readonly gatewayTitle: string;
  readonly reference: string;
  readonly currency: string;
  readonly net: string;
  readonly settledOn: string;
  readonly state: ArrivalState;
  /** Null where nothing did. */
  readonly arrived: string | null;
  readonly arrivedOn: string | null;
  /** The last day on which it is not missing. */
  readonly expectedOn: string;
}

/** A credit that names a gateway and is of no payout. */
export interface BankCreditItem {
  readonly bankLineId: string;
  readonly merchantId: string;
  readonly amount: string;
  readonly currency: string;
  readonly bookedOn: string;
  readonly text: string;
}

/** Arrivals at the bank in a period. */
export interface BankOverview {
  /** By day of the payout, the newest first. */
  readonly payouts: readonly BankPayoutItem[];
  readonly unmatched: readonly BankCreditItem[];
  /** The days that statements cover, over all merchants; null without any. */
  readonly coverage: { readonly from: string; readonly to: string } | null;
}

/** The accounts of merchants, and the database to read: the one that is written, or a copy of it. */
export interface BankResources extends Pick<SettlementContext['resources'], 'configuration'> {
  readonly database: BankSource & CalendarSource & BankMatchingSource;
}

/** The payouts of a period with what reached the bank of each, and what reached it and is of none. */
export async function readBank(
  resources: BankResources,
  {
    merchantIds,
    mode,
    from,
    to,
  }: { readonly merchantIds: readonly string[]; readonly mode: Mode; readonly from: string; readonly to: string },
): Promise<BankOverview> {
  const { configuration, database } = resources;
  const payouts: BankPayoutItem[] = [];
  const unmatched: BankCreditItem[] = [];
  const days: string[] = [];
  for (const merchantId of merchantIds) {
    const accounts = (configuration.merchant(merchantId)?.accounts ?? []).filter((account) => account.mode === mode);
    if (accounts.length === 0) continue;
    const scope = { merchantId, mode };
    const coverage = await readCoverage(database, scope);
    const rows = await readPayouts(database, scope, { from, to });
    const calendars = await readCalendars(
      database,
      accounts.map(({ id: accountId, gateway }) => ({ merchantId, accountId, gateway })),
    );
    const accountOf = new Map(rows.map(({ settlementId, accountId }) => [settlementId, accountId]));
    const accountIds = await readCoveredAccounts(database, scope);
    const { workingDays } = await readBankMatching(database, merchantId);
    const toleranceOf = (id: string) => calendars.get(accountOf.get(id) ?? '')?.tolerance ?? '0';
    const arrivals = judgeArrivals(rows, { days: coverage, accountIds }, { workingDays, toleranceOf });
    for (const { credits: _, ...row } of rows) {
      const arrival = arrivals.get(row.settlementId);
      if (arrival !== undefined) payouts.push({ ...row, ...arrival, merchantId, ...accountNames({ resources }, row) });
    }
    if (coverage === null) continue;
    days.push(coverage.from, coverage.to);
    const firstPayouts = await readFirstPayouts(database, scope);
    const credits = await readOpenCredits(database, scope, from);
    const named = credits.filter(
      (credit) => credit.bookedOn <= to && accounts.some(({ gateway }) => isOfGateway(credit, gateway, firstPayouts)),
    );
    unmatched.push(...named.map((credit) => ({ ...credit, merchantId })));
  }
  const [first, last] = [days.toSorted()[0], days.toSorted().at(-1)];
  const coverage = first === undefined || last === undefined ? null : { from: first, to: last };
  const newestFirst = payouts.toSorted((a, b) => (a.settledOn === b.settledOn ? 0 : a.settledOn < b.settledOn ? 1 : -1));
  return { payouts: newestFirst, unmatched, coverage };
}
