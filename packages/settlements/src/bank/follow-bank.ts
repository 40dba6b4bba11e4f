import { enqueueJob } from '@switchyard/db';
import { calendarDay } from '@switchyard/runtime/calendar-days';
import type { AccountKey } from '../account.ts';
import { readCalendars } from '../account-calendar.ts';
import { addDays, SETTLEMENT_ZONE } from '../calendar.ts';
import type { SettlementContext } from '../context.ts';
import type { FoundDiscrepancy } from '../intake/found.ts';
import { readActiveRules } from '../intake/ignore-rules.ts';
import { writeDiscrepancies } from '../intake/write-discrepancies.ts';
import { type Arrival, judgeArrivals } from './arrivals.ts';
import { type Credit, matchBank } from './match-bank.ts';
import { readBankMatching } from './matching.ts';
import { isOfGateway } from './names-gateway.ts';
import {
  type BankScope,
  readCoverage,
  readCoveredAccounts,
  readFirstPayouts,
  readOpenCredits,
  readPayouts,
  type StoredPayout,
  writeMatches,
} from './queries.ts';

/** How far back payouts are judged again each time. */
const JUDGED_DAYS = 120;

/** Result of matching a merchant's payouts with its bank. */
export interface BankOutcome {
  readonly matched: number;
  readonly found: number;
  readonly resolved: number;
}

/** Requests matching a merchant's payouts with its bank, where it has statements. */
export async function requestBankMatch({ resources }: SettlementContext, { merchantId, accountId }: AccountKey): Promise<void> {
  const { configuration, database } = resources;
  const mode = configuration.account(accountId)?.account.mode;
  if (mode === undefined || (await readCoverage(database, { merchantId, mode })) === null) return;
  await database.prisma.$transaction((transaction) =>
    enqueueJob(transaction, 'match-bank', { merchantId, mode }, { key: `match-bank:${merchantId}:${mode}` }),
  );
}

/**
 * Matches a merchant's payouts with the credits of its bank statements, and writes what is open: payouts that are short, over or missing at the
 * bank, and credits that name a gateway and are of no payout. Repeating it writes the same.
 */
export async function followBank(context: SettlementContext, scope: BankScope): Promise<BankOutcome> {
  const { configuration, database } = context.resources;
  await configuration.ready();
  const coverage = await readCoverage(database, scope);
  if (coverage === null) return { matched: 0, found: 0, resolved: 0 };
  const { tolerance: amount, days, workingDays } = await readBankMatching(database, scope.merchantId);
  const today = calendarDay(context.now(), SETTLEMENT_ZONE);
  const span = { from: latest(addDays(today, -JUDGED_DAYS), addDays(coverage.from, -days)), to: today };
  const payouts = await readPayouts(database, scope, span);
  const credits = await readOpenCredits(database, scope, span.from);
  const links = matchBank(
    payouts.filter((payout) => payout.credits.length === 0),
    credits,
    { amount, days },
  );
  await writeMatches(database, scope, links, context.now());
  const matched = await readPayouts(database, scope, span);
  const left = new Set(links.map(({ bankLineId }) => bankLineId));
  const open = credits.filter(({ bankLineId, bookedOn }) => !left.has(bankLineId) && addDays(bookedOn, workingDays) < today);
  const counts = await writeOpen(context, scope, { payouts: matched, credits, open, coverage, workingDays });
  return { matched: links.length, ...counts };
}

function latest(a: string, b: string): string {
  return a > b ? a : b;
}

async function writeOpen(
  context: SettlementContext,
  { merchantId, mode }: BankScope,
  {
    payouts,
    credits,
    open,
    coverage,
    workingDays,
  }: {
    readonly payouts: readonly StoredPayout[];
    readonly credits: readonly Credit[];
    readonly open: readonly Credit[];
    readonly coverage: { readonly from: string; readonly to: string };
    readonly workingDays: number;
  },
): Promise<{ readonly found: number; readonly resolved: number }> {
  const { configuration, database } = context.resources;
  const accounts = (configuration.merchant(merchantId)?.accounts ?? []).filter((account) => account.mode === mode);
  const keys = accounts.map(({ id: accountId, gateway }) => ({ merchantId, accountId, gateway }));
  const calendars = await readCalendars(database, keys);
  const accountOf = new Map(payouts.map(({ settlementId, accountId }) => [settlementId, accountId]));
  const toleranceOf = (settlementId: string) => calendars.get(accountOf.get(settlementId) ?? '')?.tolerance ?? '0';
  const [accountIds, firstPayouts] = await Promise.all([
    readCoveredAccounts(database, { merchantId, mode }),
    readFirstPayouts(database, { merchantId, mode }),
  ]);
  const arrivals = judgeArrivals(payouts, { days: coverage, accountIds }, { workingDays, toleranceOf });
  let counts = { found: 0, resolved: 0 };
  for (const { accountId, gateway } of keys) {
    const own = payouts.filter((payout) => payout.accountId === accountId);
    // Credits of a gateway are worked at its first account.
    const isFirst = keys.find((each) => each.gateway === gateway)?.accountId === accountId;
    const ofGateway = (some: readonly Credit[]) =>
      isFirst ? some.filter((credit) => isOfGateway(credit, gateway, firstPayouts)) : [];
    const found = [
      ...own.flatMap((payout) => openPayout(payout, arrivals.get(payout.settlementId))),
      ...ofGateway(open).map(openCredit),
    ];
    const subjects = [
      ...own.map(({ settlementId }) => `payout/${settlementId}`),
      ...ofGateway(credits).map(({ bankLineId }) => `bank/${bankLineId}`),
    ];
    if (subjects.length === 0) continue;
    const rules = await readActiveRules(database, { merchantId, accountId });
    const written = await database.prisma.$transaction(
      (transaction) =>
        writeDiscrepancies(context, transaction, { merchantId, accountId, mode, gateway }, { subjects, found, rules }),
      { timeout: 60_000, maxWait: 10_000 },
    );
    counts = { found: counts.found + written.found, resolved: counts.resolved + written.resolved };
  }
  return counts;
}

const NOTHING = { lineId: null, lineKind: null, paymentId: null, refundId: null, disputeId: null };
const KINDS = { short: 'UNDER', over: 'OVER', missing: 'MISSING' } as const;

function openPayout({ settlementId, currency, net }: StoredPayout, arrival: Arrival | undefined): FoundDiscrepancy[] {
  const state = arrival?.state;
  if (arrival === undefined || (state !== 'short' && state !== 'over' && state !== 'missing')) return [];
  const { arrived: settled, expectedOn } = arrival;
  return [
    {
      ...NOTHING,
      subject: `payout/${settlementId}`,
      kind: KINDS[state],
      currency,
      expected: net,
      settled,
      expectedOn,
      settlementId,
    },
  ];
}

function openCredit({ bankLineId, currency, amount }: Credit): FoundDiscrepancy {
  const facts = { currency, expected: null, settled: amount, expectedOn: null, settlementId: null };
  return { ...NOTHING, ...facts, subject: `bank/${bankLineId}`, kind: 'UNMATCHED' };
}
