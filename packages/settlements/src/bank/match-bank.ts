import { addDecimals, compareDecimals, magnitude, sameDecimal, subtractDecimals } from '@switchyard/db/decimals';
import { addDays } from '@switchyard/runtime/calendar-days';
import { daysBetween } from '../calendar.ts';
import { assignCheapest, type Choice } from './assign.ts';
import { namesGateway, namingWords, wordsOf } from './matching.ts';

/** A payout that should reach the bank, or be taken from it. */
export interface Payout {
  readonly settlementId: string;
  readonly accountId: string;
  readonly gateway: string;
  /** The gateway's own id or reference. */
  readonly reference: string;
  /** Exact canonical decimal of the main unit; negative where the gateway collects it, and never matched where it is 0. */
  readonly net: string;
  readonly currency: string;
  /** `YYYY-MM-DD`. */
  readonly settledOn: string;
}

/** An amount on a bank account. */
export interface BankLine {
  readonly bankLineId: string;
  /** Names the line by what the bank says of it, whenever its statement was taken in. */
  readonly dedupeKey: string;
  readonly bankAccount: string;
  /** Exact canonical decimal of the main unit; negative where it left the account. */
  readonly amount: string;
  readonly currency: string;
  readonly bookedOn: string;
  readonly text: string;
}

/** A person's decision about a line and a payout: that it is its money, or that it is not. */
export interface BankDecision {
  readonly bankLineId: string;
  readonly settlementId: string;
  readonly isLinked: boolean;
}

/** A line that is the money of a payout, or a part of it, or of several. */
export interface BankLink {
  readonly bankLineId: string;
  readonly settlementId: string;
  readonly by: 'staff' | 'reference' | 'amount_and_date';
}

/** How near a line without a reference has to be. */
export interface BankTolerance {
  /** Amounts that differ by no more are the same where the bank names the gateway; an exact decimal of the main unit. */
  readonly amount: string;
  /** Days after the payout. */
  readonly days: number;
}

/** All that links follow from. */
export interface BankFacts {
  readonly payouts: readonly Payout[];
  readonly lines: readonly BankLine[];
  readonly decisions: readonly BankDecision[];
}

/** Payouts that one line may pay together, and lines that may pay one. */
const TOGETHER_MAX = 5;

/**
 * Finds the lines of payouts: those that a person linked; by the payout's reference in the bank's text, whatever the amount; then by the exact
 * amount, so that the days between payouts and lines are fewest over all; then, where the text names the gateway, a few consecutive payouts of an
 * account that one line adds up to, a few consecutive lines that add up to one payout, and an amount within the tolerance. Never a line of
 * another gateway than its text names, unless a person linked it, and never one that a person ruled out. Pure: the same for the same facts,
 * whatever their order and their ids.
 */
export function matchBank({ payouts, lines, decisions }: BankFacts, tolerance: BankTolerance): BankLink[] {
  const matching = new Matching({ payouts, lines, decisions }, tolerance);
  matching.linkDecided(decisions.filter(({ isLinked }) => isLinked));
  matching.linkByReference();
  matching.linkExact();
  matching.linkTogether();
  matching.linkParts();
  matching.linkNear();
  return matching.links;
}

/** One run of the rules over what no rule before has linked. */
class Matching {
  readonly links: BankLink[] = [];
  private readonly tolerance: BankTolerance;
  /** In an order that neither their ids nor the order of what was given decide. */
  private readonly payouts: ReadonlyMap<string, Payout>;
  private readonly lines: ReadonlyMap<string, BankLine>;
  private readonly linesByDay: ReadonlyMap<string, readonly BankLine[]>;
  private readonly naming: ReadonlyMap<string, ReadonlySet<string>>;
  private readonly ruledOut: ReadonlySet<string>;
  private readonly linked = new Set<string>();

  constructor({ payouts, lines, decisions }: BankFacts, tolerance: BankTolerance) {
    this.tolerance = tolerance;
    const due = payouts.filter(({ net }) => !sameDecimal(net, '0')).toSorted(byPayout);
    this.payouts = new Map(due.map((payout) => [payout.settlementId, payout]));
    this.lines = new Map(lines.toSorted(byLine).map((line) => [line.bankLineId, line]));
    this.linesByDay = Map.groupBy(this.lines.values(), ({ bookedOn }) => bookedOn);
    const gateways = [...new Set(payouts.map(({ gateway }) => gateway))];
    this.naming = new Map(
      lines.map((line) => [line.bankLineId, new Set(gateways.filter((gateway) => namesGateway(line, { gateway })))]),
    );
    this.ruledOut = new Set(decisions.flatMap((decision) => (decision.isLinked ? [] : [pairOf(decision)])));
  }

  linkDecided(decisions: readonly BankDecision[]): void {
    for (const { bankLineId, settlementId } of decisions) {
      const [payout, line] = [this.payouts.get(settlementId), this.lines.get(bankLineId)];
      if (payout !== undefined && line !== undefined) this.link(payout, line, 'staff');
    }
  }

  /** Links every line to each payout that its text names, so that parts and shared lines do not depend on what came first. */
  linkByReference(): void {
    const byReference = Map.groupBy(this.payouts.values(), (payout) => namingWords(payout).join(' '));
    byReference.delete('');
    const longest = [...byReference.keys()].reduce((most, reference) => Math.max(most, reference.split(' ').length), 0);
    const staffed = new Set(this.links.map(pairOf));
    for (const line of this.lines.values()) {
      for (const reference of namesIn(wordsOf(line.text), longest, byReference)) {
        const payout = nearestOf(
          (byReference.get(reference) ?? []).filter((each) => this.mayBeOf(line, each)),
          line,
        );
        if (payout !== null && !staffed.has(pairOf({ ...payout, ...line }))) this.link(payout, line, 'reference');
      }
    }
  }

  linkExact(): void {
    const isSame = (payout: Payout, line: BankLine) => payout.net === line.amount;
    this.linkPairs((payout, line) => {
      if (!isSame(payout, line) || !this.mayBeOf(line, payout)) return null;
      return this.names(line, payout) ? 0n : 1n;
    });
  }

  linkNear(): void {
    this.linkPairs((payout, line) => {
      if (!this.names(line, payout) || !this.mayBeOf(line, payout) || !haveSameSign(payout.net, line.amount)) return null;
      const difference = magnitude(subtractDecimals(payout.net, line.amount));
      return compareDecimals(difference, this.tolerance.amount) <= 0 ? millionthsOf(difference) : null;
    });
  }

  /** Consecutive payouts of an account that one line adds up to; what the gateway collects is often taken off the next payout. */
  linkTogether(): void {
    for (const own of Map.groupBy(this.openPayouts(), ({ accountId }) => accountId).values()) {
      const candidates = new Map<string, Payout[]>();
      for (const payout of own) {
        for (const { bankLineId } of this.namingInTime(payout)) {
          candidates.set(bankLineId, [...(candidates.get(bankLineId) ?? []), payout]);
        }
      }
      for (const line of this.lines.values()) {
        const waiting = (candidates.get(line.bankLineId) ?? []).filter(({ settlementId }) => !this.linked.has(settlementId));
        const run = findRun(waiting, ({ net }) => net, line.amount);
        for (const payout of run ?? []) this.link(payout, line, 'amount_and_date');
      }
    }
  }

  /** Consecutive lines that add up to one payout. */
  linkParts(): void {
    for (const payout of this.openPayouts()) {
      const fitting = this.namingInTime(payout).filter(({ amount }) => haveSameSign(payout.net, amount));
      const run = findRun(fitting, ({ amount }) => amount, payout.net);
      for (const line of run ?? []) this.link(payout, line, 'amount_and_date');
    }
  }

  /** Pairs open payouts with open lines in time: as many as can be, at the least cost by `costOf` and then by days. Null: no pair. */
  private linkPairs(costOf: (payout: Payout, line: BankLine) => bigint | null): void {
    const pairs = assignCheapest(this.openPayouts(), (payout) =>
      this.inTime(payout).flatMap((line): Choice<BankLine>[] => {
        const cost = costOf(payout, line);
        return cost === null ? [] : [{ right: line, cost: cost * DEARER_THAN_DAYS + costOfDays(payout, line) }];
      }),
    );
    for (const [payout, line] of pairs) this.link(payout, line, 'amount_and_date');
  }

  private link({ settlementId }: Payout, { bankLineId }: BankLine, by: BankLink['by']): void {
    this.links.push({ bankLineId, settlementId, by });
    this.linked.add(settlementId).add(bankLineId);
  }

  private openPayouts(): Payout[] {
    return [...this.payouts.values()].filter(({ settlementId }) => !this.linked.has(settlementId));
  }

  /** The open lines of a payout's currency, of its day and the days after it. */
  private inTime({ settledOn, currency }: Payout): BankLine[] {
    return Array.from({ length: this.tolerance.days + 1 }, (_, after) => this.linesByDay.get(addDays(settledOn, after)) ?? [])
      .flat()
      .filter((line) => line.currency === currency && !this.linked.has(line.bankLineId));
  }

  private namingInTime(payout: Payout): BankLine[] {
    return this.inTime(payout).filter((line) => this.names(line, payout) && this.mayBeOf(line, payout));
  }

  /** True if the bank's text names the payout's gateway. */
  private names({ bankLineId }: BankLine, { gateway }: Payout): boolean {
    return this.naming.get(bankLineId)?.has(gateway) === true;
  }

  /** False for another currency, where the text names another gateway (numbers of two may be the same), and where a person ruled it out. */
  private mayBeOf(line: BankLine, payout: Payout): boolean {
    if (line.currency !== payout.currency || this.ruledOut.has(pairOf({ ...line, ...payout }))) return false;
    return this.naming.get(line.bankLineId)?.size === 0 || this.names(line, payout);
  }
}

function pairOf({ bankLineId, settlementId }: { readonly bankLineId: string; readonly settlementId: string }): string {
  return `${bankLineId} ${settlementId}`;
}

function byPayout(a: Payout, b: Payout): number {
  return compareText(keyOf(a), keyOf(b));
}

/** The order of payouts by facts of the gateway alone. */
function keyOf({ settledOn, gateway, accountId, reference }: Payout): string {
  return [settledOn, gateway, accountId, reference].join('\n');
}

function byLine(a: BankLine, b: BankLine): number {
  return compareText(a.bookedOn, b.bookedOn) || compareText(a.dedupeKey, b.dedupeKey);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** The references that consecutive words of a text are. */
function namesIn(words: readonly string[], longest: number, references: ReadonlyMap<string, unknown>): ReadonlySet<string> {
  const found = new Set<string>();
  for (let at = 0; at < words.length; at += 1) {
    for (let length = 1; length <= longest && at + length <= words.length; length += 1) {
      const name = words.slice(at, at + length).join(' ');
      if (references.has(name)) found.add(name);
    }
  }
  return found;
}

/** The payout of the line's amount among those under one reference, else that of the nearest day. */
function nearestOf(payouts: readonly Payout[], { amount, bookedOn }: BankLine): Payout | null {
  const distance = ({ net, settledOn }: Payout) => (net === amount ? 0 : 1_000_000) + Math.abs(daysBetween(settledOn, bookedOn));
  const [first] = payouts;
  return first === undefined ? null : payouts.reduce((a, b) => (distance(b) < distance(a) ? b : a), first);
}

/** More than the days of all pairs that compete for the same lines. */
const DEARER_THAN_DAYS = 10_000_000_000_000n;
const DEARER_THAN_SQUARES = 10_000_000n;

/** The days between a payout and a line; of pairings with as many days in all the one in which none waits much longer than others. */
function costOfDays({ settledOn }: Payout, { bookedOn }: BankLine): bigint {
  const days = BigInt(daysBetween(settledOn, bookedOn));
  return days * DEARER_THAN_SQUARES + days * days;
}

function haveSameSign(a: string, b: string): boolean {
  return a.startsWith('-') === b.startsWith('-');
}

/** An exact decimal in millionths, which is as fine as amounts are stored. */
function millionthsOf(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.slice(0, 6).padEnd(6, '0'));
}

/** The earliest consecutive items, two or more, that add up to a total; null without any. */
function findRun<Item>(items: readonly Item[], amountOf: (item: Item) => string, total: string): readonly Item[] | null {
  for (let from = 0; from < items.length; from += 1) {
    let sum = '0';
    for (let to = from; to < items.length && to < from + TOGETHER_MAX; to += 1) {
      const item = items[to];
      if (item === undefined) break;
      sum = addDecimals(sum, amountOf(item));
      if (to > from && sameDecimal(sum, total)) return items.slice(from, to + 1);
    }
  }
  return null;
}
