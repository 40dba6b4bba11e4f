import { addDecimals, compareDecimals, magnitude, sameDecimal, subtractDecimals } from '@switchyard/db/decimals';
import { addDays } from '@switchyard/runtime/calendar-days';
import { addWorkingDays, earlierDay, isWorkingDay, laterDay } from '../calendar.ts';

/** A payout with the lines of the bank that it was matched with. */
export interface PayoutWithLines {
  readonly settlementId: string;
  readonly accountId: string;
  readonly currency: string;
  readonly settledOn: string;
  /** Exact decimal of the main unit; negative where the gateway collects it. */
  readonly net: string;
  readonly lines: readonly PayoutLine[];
}

/** A line of the bank, which may be of other payouts too. */
export interface PayoutLine {
  readonly bankLineId: string;
  readonly bankAccount: string;
  readonly amount: string;
  readonly bookedOn: string;
}

/** A bank account that payouts of a gateway account and currency reached, and the days of the first and last of them. */
export interface UsedBankAccount extends Days {
  readonly accountId: string;
  readonly currency: string;
  readonly bankAccount: string;
}

/**
 * How the bank has a payout. `on_the_way`: it or its rest may still come. `missing`: statements cover its day and go on past the days that a bank
 * takes, and `short`: they go on so from its last part. `not_covered`: it or its rest may be on a day, or at a bank, that no statement is of.
 * `nothing_due`: its net amount is 0.
 */
export type ArrivalState = 'arrived' | 'short' | 'over' | 'on_the_way' | 'missing' | 'not_covered' | 'nothing_due';

/** The arrival of a payout at the bank. */
export interface Arrival {
  readonly state: ArrivalState;
  /** Exact decimal of the main unit; null where nothing did. */
  readonly arrived: string | null;
  /** Day of the last line. */
  readonly arrivedOn: string | null;
  /** The last day on which it is not missing. */
  readonly expectedOn: string;
}

/** All that arrivals are judged by. */
export interface ArrivalRules {
  readonly coverage: readonly AccountCoverage[];
  readonly used: readonly UsedBankAccount[];
  readonly workingDays: number;
  readonly toleranceOf: (settlementId: string) => string;
}

/**
 * The arrival of each payout at the bank. A payout is looked for on the statements of the bank accounts that those before and after it reached:
 * of a gateway account of which nothing ever came, nothing is said. A line that is of several payouts counts for each with its net amount, and
 * what is left of it, or lacks, for the latest of them: together they have what came. Pure.
 */
export function judgeArrivals(
  payouts: readonly PayoutWithLines[],
  { coverage, used, workingDays, toleranceOf }: ArrivalRules,
): ReadonlyMap<string, Arrival> {
  const sharing = new Map<string, PayoutWithLines[]>();
  for (const payout of payouts) {
    for (const { bankLineId } of payout.lines) {
      const others = sharing.get(bankLineId);
      if (others === undefined) sharing.set(bankLineId, [payout]);
      else others.push(payout);
    }
  }
  const covered = new Map(coverage.map(({ bankAccount, days }) => [bankAccount, { days, bridged: bridgeWeekends(days) }]));
  const usedBy = Map.groupBy(used, ({ accountId, currency }) => `${accountId} ${currency}`);
  return new Map(
    payouts.map((payout): [string, Arrival] => {
      const { settlementId, accountId, currency, settledOn, lines } = payout;
      const shares = lines.map((line) => shareOf(payout, line, sharing.get(line.bankLineId) ?? []));
      const arrived = shares.length === 0 ? null : addDecimals(...shares);
      const last = lines.toSorted((a, b) => (a.bookedOn < b.bookedOn ? -1 : 1)).at(-1);
      const expectedOn = addWorkingDays(settledOn, workingDays, []);
      const banks = banksOf(settledOn, usedBy.get(`${accountId} ${currency}`) ?? []).map((bank) => covered.get(bank));
      const difference = arrived === null ? 'missing' : differenceOf(payout, arrived, toleranceOf(settlementId));
      const state = {
        arrived: () => 'arrived' as const,
        over: () => 'over' as const,
        missing: () => absenceOf(payout, expectedOn, banks),
        short: () => restOf(last, expectedOn, covered.get(last?.bankAccount ?? '')),
      }[difference]();
      return [settlementId, { state, arrived, arrivedOn: last?.bookedOn ?? null, expectedOn }];
    }),
  );
}

function shareOf(payout: PayoutWithLines, line: PayoutLine, sharing: readonly PayoutWithLines[]): string {
  if (sharing.length < 2) return line.amount;
  const last = sharing.reduce((a, b) => (b.settledOn + b.settlementId > a.settledOn + a.settlementId ? b : a));
  if (last.settlementId !== payout.settlementId) return payout.net;
  const others = sharing.filter(({ settlementId }) => settlementId !== payout.settlementId).map(({ net }) => net);
  return subtractDecimals(line.amount, addDecimals(...others));
}

function differenceOf({ net }: PayoutWithLines, arrived: string, tolerance: string): 'arrived' | 'short' | 'over' {
  const difference = subtractDecimals(arrived, net);
  if (compareDecimals(magnitude(difference), tolerance) <= 0) return 'arrived';
  return difference.startsWith('-') ? 'short' : 'over';
}

/** The bank accounts that payouts of about a day reached: those used then, else the last before and the first after. */
function banksOf(day: string, used: readonly UsedBankAccount[]): string[] {
  const then = used.filter(({ from, to }) => from <= day && day <= to);
  if (then.length > 0) return then.map(({ bankAccount }) => bankAccount);
  const before = used.filter(({ to }) => to < day);
  const after = used.filter(({ from }) => from > day);
  const last = before.reduce((most, { to }) => laterDay(to, most), '');
  const first = after.reduce((least, { from }) => earlierDay(from, least), after[0]?.from ?? '');
  const near = [...before.filter(({ to }) => to === last), ...after.filter(({ from }) => from === first)];
  return [...new Set(near.map(({ bankAccount }) => bankAccount))];
}

interface BankDays {
  readonly days: readonly Days[];
  readonly bridged: readonly Days[];
}

/** How a payout is of which nothing came. It is missing where that holds at every bank that it may have been paid to. */
function absenceOf(
  { settledOn, net }: PayoutWithLines,
  expectedOn: string,
  banks: readonly (BankDays | undefined)[],
): ArrivalState {
  if (sameDecimal(net, '0')) return 'nothing_due';
  const states = banks.map((bank) => (bank === undefined ? 'not_covered' : absenceAt(settledOn, expectedOn, bank)));
  if (states.length === 0 || states.includes('not_covered')) return 'not_covered';
  return states.includes('on_the_way') ? 'on_the_way' : 'missing';
}

/** How a payout is of which less came than is due, by the last line of it. */
function restOf(last: PayoutLine | undefined, expectedOn: string, bank: BankDays | undefined): ArrivalState {
  const day = last?.bookedOn ?? '';
  const around = bank?.bridged.find(({ from, to }) => from <= day && day <= to);
  if (bank === undefined || around === undefined || around.to > expectedOn) return 'short';
  return around.to === bank.days.at(-1)?.to ? 'on_the_way' : 'not_covered';
}

function absenceAt(settledOn: string, expectedOn: string, { days, bridged }: BankDays): 'on_the_way' | 'missing' | 'not_covered' {
  const lastDay = days.at(-1)?.to ?? '';
  // Statements after it may still come.
  if (settledOn > lastDay && days.length > 0) return 'on_the_way';
  if (!days.some(({ from, to }) => from <= settledOn && settledOn <= to)) return 'not_covered';
  const around = bridged.find(({ from, to }) => from <= settledOn && settledOn <= to);
  if (around === undefined) return 'not_covered';
  if (around.to > expectedOn) return 'missing';
  return around.to === lastDay ? 'on_the_way' : 'not_covered';
}

/** Consecutive days, both ends among them, `YYYY-MM-DD`. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** The days that the statements of a bank account cover, in their order and with gaps between them. */
export interface AccountCoverage {
  readonly bankAccount: string;
  readonly days: readonly Days[];
}

/** The days of several statements in their order; those that overlap or follow each other at once are one. */
export function mergeDays(all: readonly Days[]): Days[] {
  return mergeWhere(all, (before, next) => next.from <= addDays(before.to, 1));
}

/** The same where days without banking do not part two statements: what is paid out on working days is booked on them. */
export function bridgeWeekends(all: readonly Days[]): Days[] {
  return mergeWhere(mergeDays(all), (before, next) => {
    for (let day = addDays(before.to, 1); day < next.from; day = addDays(day, 1)) if (isWorkingDay(day, [])) return false;
    return true;
  });
}

function mergeWhere(all: readonly Days[], isOne: (before: Days, next: Days) => boolean): Days[] {
  const merged: Days[] = [];
  for (const next of all.toSorted((a, b) => (a.from < b.from ? -1 : Number(a.from > b.from)))) {
    const before = merged.at(-1);
    if (before === undefined || !isOne(before, next)) merged.push(next);
    else merged[merged.length - 1] = { from: before.from, to: laterDay(before.to, next.to) };
  }
  return merged;
}
