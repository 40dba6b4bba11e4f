import type { Mode } from '@switchyard/db/client';
import { addDecimals, subtractDecimals } from '@switchyard/db/decimals';
import { type CalendarSource, readCalendars } from '../calendar.ts';
import { accountNames } from '../console/names.ts';
import type { SettlementContext } from '../context.ts';
import { type AccountCoverage, type ArrivalState, judgeArrivals } from './arrivals.ts';
import { type BankMatchingSource, isOfGateway, readBankMatching } from './matching.ts';
import {
  type BankSource,
  readCoverage,
  readFirstPayouts,
  readMatchedPayouts,
  readOpenLines,
  readUsedBankAccounts,
} from './queries.ts';

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

/** A line of the bank that names a gateway and is of no payout. */
export interface OpenBankLine {
  readonly bankLineId: string;
  readonly merchantId: string;
  readonly bankAccount: string;
  /** Negative where it left the account. */
  readonly amount: string;
  readonly currency: string;
  readonly bookedOn: string;
  readonly text: string;
}

/** Arrivals at the bank in a period. */
export interface BankOverview {
  /** By day of the payout, the newest first. */
  readonly payouts: readonly BankPayoutItem[];
  readonly unmatched: readonly OpenBankLine[];
  /** The days that statements cover, by merchant and bank account. */
  readonly coverage: readonly (AccountCoverage & { readonly merchantId: string })[];
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
  const unmatched: OpenBankLine[] = [];
  const coverage: (AccountCoverage & { readonly merchantId: string })[] = [];
  for (const merchantId of merchantIds) {
    const accounts = (configuration.merchant(merchantId)?.accounts ?? []).filter((account) => account.mode === mode);
    if (accounts.length === 0) continue;
    const scope = { merchantId, mode };
    const covered = await readCoverage(database, scope);
    const rows = await readMatchedPayouts(database, scope, { from, to });
    const calendars = await readCalendars(
      database,
      accounts.map(({ id: accountId, gateway }) => ({ merchantId, accountId, gateway })),
    );
    const accountOf = new Map(rows.map(({ settlementId, accountId }) => [settlementId, accountId]));
    const used = await readUsedBankAccounts(database, scope);
    const { workingDays } = await readBankMatching(database, merchantId);
    const toleranceOf = (id: string) => calendars.get(accountOf.get(id) ?? '')?.tolerance ?? '0';
    const arrivals = judgeArrivals(rows, { coverage: covered, used, workingDays, toleranceOf });
    for (const { lines: _, ...row } of rows) {
      const arrival = arrivals.get(row.settlementId);
      if (arrival !== undefined && row.settledOn >= from && row.settledOn <= to)
        payouts.push({ ...row, ...arrival, merchantId, ...accountNames({ resources }, row) });
    }
    if (covered.length === 0) continue;
    coverage.push(...covered.map((each) => ({ ...each, merchantId })));
    const firstPayouts = await readFirstPayouts(database, scope);
    const lines = await readOpenLines(database, scope, { from, to });
    const named = lines.filter((line) => accounts.some(({ gateway }) => isOfGateway(line, gateway, firstPayouts)));
    unmatched.push(...named.map(({ dedupeKey: _, ...line }) => ({ ...line, merchantId })));
  }
  const newestFirst = payouts.toSorted((a, b) => (a.settledOn === b.settledOn ? 0 : a.settledOn < b.settledOn ? 1 : -1));
  return { payouts: newestFirst, unmatched, coverage };
}

/** Payouts of one currency with what reached the bank of them. Amounts are exact decimals of the main unit. */
export interface ArrivalSums {
  readonly currency: string;
  readonly payouts: number;
  readonly paidOut: string;
  readonly arrived: string;
  /** Amounts of payouts that may still come, that are missing, and of days that no statement is of; less what came of them. */
  readonly onTheWay: string;
  readonly missing: string;
  readonly notCovered: string;
  /** Difference between the money that came and the payouts it is of; negative where it is short. */
  readonly difference: string;
}

/** An account's payouts of a day. */
export interface ArrivalDay extends ArrivalSums {
  readonly merchantId: string;
  readonly accountId: string;
  readonly gateway: string;
  /** `YYYY-MM-DD`. */
  readonly settledOn: string;
}

type Arrived = Pick<
  BankPayoutItem,
  'merchantId' | 'accountId' | 'gateway' | 'settledOn' | 'currency' | 'net' | 'state' | 'arrived'
>;

/** Payouts added up by currency, and by day, account and currency in their order. Pure. */
export function sumArrivals(payouts: readonly Arrived[]): {
  readonly sums: readonly ArrivalSums[];
  readonly days: readonly ArrivalDay[];
} {
  const byDay = Map.groupBy(payouts, ({ settledOn, accountId, currency }) => `${settledOn} ${accountId} ${currency}`);
  return {
    sums: [...Map.groupBy(payouts, ({ currency }) => currency)].map(([currency, own]) => sumsOf(currency, own)),
    days: [...byDay.values()].flatMap((own) => {
      const [first] = own;
      if (first === undefined) return [];
      const { merchantId, accountId, gateway, settledOn, currency } = first;
      return [{ merchantId, accountId, gateway, settledOn, ...sumsOf(currency, own) }];
    }),
  };
}

function sumsOf(currency: string, payouts: readonly Arrived[]): ArrivalSums {
  const lacking = (...states: readonly ArrivalState[]) => {
    const own = payouts.filter(({ state }) => states.includes(state));
    return addDecimals(...own.map(({ net, arrived }) => subtractDecimals(net, arrived ?? '0')));
  };
  return {
    currency,
    payouts: payouts.length,
    paidOut: addDecimals(...payouts.map((payout) => payout.net)),
    arrived: addDecimals(...payouts.flatMap((payout) => payout.arrived ?? [])),
    onTheWay: lacking('on_the_way'),
    missing: lacking('missing'),
    notCovered: lacking('not_covered'),
    difference: subtractDecimals('0', lacking('arrived', 'short', 'over')),
  };
}

export type { AccountCoverage, ArrivalState } from './arrivals.ts';
