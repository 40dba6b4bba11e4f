import { addDays, earlierDay, laterDay } from '../calendar.ts';
import type { FoundDiscrepancy } from '../intake/found.ts';
import { type Arrival, judgeArrivals, type PayoutWithLines, type UsedBankAccount } from './arrivals.ts';
import type { AccountCoverage } from './coverage.ts';
import type { BankLine, BankLink, Payout } from './match-bank.ts';
import { isOfGateway } from './names-gateway.ts';

/** A gateway account of the merchant. */
export interface JudgedAccount {
  readonly accountId: string;
  readonly gateway: string;
  /** An arrival that differs by no more is whole; an exact decimal of the main unit. */
  readonly tolerance: string;
}

/** The bank of a merchant, as it is matched. */
export interface BankState {
  /** All of the merchant and mode, the first of a gateway first. */
  readonly accounts: readonly JudgedAccount[];
  readonly payouts: readonly Payout[];
  /** Those that may be of payouts. */
  readonly lines: readonly BankLine[];
  readonly links: readonly BankLink[];
  readonly coverage: readonly AccountCoverage[];
  readonly workingDays: number;
  /** `YYYY-MM-DD`. */
  readonly today: string;
}

/** Discrepancies at the bank, by gateway account: payouts short, over or missing, and lines that name a gateway and are of no payout. Pure. */
export function judgeBank({
  accounts,
  payouts,
  lines,
  links,
  coverage,
  workingDays,
  today,
}: BankState): ReadonlyMap<string, readonly FoundDiscrepancy[]> {
  const lineOf = new Map(lines.map((line) => [line.bankLineId, line]));
  const linksOf = Map.groupBy(links, ({ settlementId }) => settlementId);
  const matched = payouts.map((payout): PayoutWithLines & Payout => {
    const own = (linksOf.get(payout.settlementId) ?? []).flatMap(({ bankLineId }) => lineOf.get(bankLineId) ?? []);
    return { ...payout, lines: own };
  });
  const tolerances = new Map(accounts.map(({ accountId, tolerance }) => [accountId, tolerance]));
  const accountOf = new Map(payouts.map(({ settlementId, accountId }) => [settlementId, accountId]));
  const arrivals = judgeArrivals(matched, {
    coverage,
    used: usedBy(matched, lineOf),
    workingDays,
    toleranceOf: (settlementId) => tolerances.get(accountOf.get(settlementId) ?? '') ?? '0',
  });
  const linked = new Set(links.map(({ bankLineId }) => bankLineId));
  const open = lines.filter(({ bankLineId, bookedOn }) => !linked.has(bankLineId) && addDays(bookedOn, workingDays) < today);
  const firstPayouts = firstDaysOf(payouts);
  const byAccount = Map.groupBy(payouts, ({ accountId }) => accountId);
  return new Map(
    accounts.map(({ accountId, gateway }) => {
      // Lines of a gateway are worked at its first account.
      const isFirst = accounts.find((each) => each.gateway === gateway)?.accountId === accountId;
      const ofGateway = isFirst ? open.filter((line) => isOfGateway(line, gateway, firstPayouts)) : [];
      const own = byAccount.get(accountId) ?? [];
      const found = own.flatMap((payout) => payoutDiscrepancy(payout, arrivals.get(payout.settlementId)) ?? []);
      return [accountId, [...found, ...ofGateway.map(lineDiscrepancy)]];
    }),
  );
}

function usedBy(
  payouts: readonly (PayoutWithLines & Payout)[],
  lineOf: ReadonlyMap<string, BankLine>,
): readonly UsedBankAccount[] {
  const used = new Map<string, UsedBankAccount>();
  for (const { accountId, currency, settledOn, lines } of payouts) {
    for (const { bankLineId } of lines) {
      const bankAccount = lineOf.get(bankLineId)?.bankAccount ?? '';
      const key = `${accountId} ${currency} ${bankAccount}`;
      const { from, to } = used.get(key) ?? { from: settledOn, to: settledOn };
      const days = { from: earlierDay(settledOn, from), to: laterDay(settledOn, to) };
      used.set(key, { accountId, currency, bankAccount, ...days });
    }
  }
  return [...used.values()];
}

function firstDaysOf(payouts: readonly Payout[]): ReadonlyMap<string, string> {
  const first = new Map<string, string>();
  for (const { gateway, settledOn } of payouts) {
    if (settledOn < (first.get(gateway) ?? '9999')) first.set(gateway, settledOn);
  }
  return first;
}

const NOTHING = { lineId: null, lineKind: null, paymentId: null, refundId: null, disputeId: null };
const KINDS = {
  short: 'UNDER',
  over: 'OVER',
  missing: 'MISSING',
  arrived: null,
  on_the_way: null,
  not_covered: null,
  nothing_due: null,
} as const;

function payoutDiscrepancy({ settlementId, currency, net }: Payout, arrival: Arrival | undefined): FoundDiscrepancy | null {
  const kind = arrival === undefined ? null : KINDS[arrival.state];
  if (arrival === undefined || kind === null) return null;
  const { arrived: settled, expectedOn } = arrival;
  return { ...NOTHING, subject: `payout/${settlementId}`, kind, currency, expected: net, settled, expectedOn, settlementId };
}

function lineDiscrepancy({ bankLineId, currency, amount }: BankLine): FoundDiscrepancy {
  const facts = { currency, expected: null, settled: amount, expectedOn: null, settlementId: null };
  return { ...NOTHING, ...facts, subject: `bank/${bankLineId}`, kind: 'UNMATCHED' };
}
