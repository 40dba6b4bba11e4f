import { addDecimals, compareDecimals, sameDecimal } from '@switchyard/db/decimals';
import { addDays } from '../calendar.ts';
import { namesGateway } from './names-gateway.ts';

/** A payout that should reach the bank. */
export interface Payout {
  readonly settlementId: string;
  readonly accountId: string;
  readonly gateway: string;
  /** The gateway's own id or reference. */
  readonly reference: string;
  /** Exact canonical decimal of the main unit, above 0. */
  readonly net: string;
  readonly currency: string;
  /** `YYYY-MM-DD`. */
  readonly settledOn: string;
}

/** A credit on a bank account. */
export interface Credit {
  readonly bankLineId: string;
  /** Exact canonical decimal of the main unit, above 0. */
  readonly amount: string;
  readonly currency: string;
  readonly bookedOn: string;
  readonly text: string;
}

/** A credit that is the money of a payout, or a part of it, or of several. */
export interface BankLink {
  readonly bankLineId: string;
  readonly settlementId: string;
  readonly by: 'reference' | 'amount_and_date';
}

/** How near a credit without a reference has to be. */
export interface BankTolerance {
  /** Amounts that differ by no more are the same where the bank names the gateway; an exact decimal of the main unit. */
  readonly amount: string;
  /** Days after the payout. */
  readonly days: number;
}

/** Shorter references are parts of other numbers. */
const REFERENCE_MIN = 5;
/** Payouts that one credit may pay together, and credits that may pay one. */
const TOGETHER_MAX = 5;

/**
 * Finds the credits of payouts, never of another gateway than the bank's text names: by the payout's reference in it, whatever the amount; then by the exact amount and the nearest day;
 * then, where the text names the gateway, by an amount within the tolerance, by a few consecutive payouts of an account that one credit adds up
 * to, and by a few consecutive credits that add up to one payout. Pure; the order of what is given does not matter.
 */
export function matchBank(payouts: readonly Payout[], credits: readonly Credit[], tolerance: BankTolerance): BankLink[] {
  const openPayouts = new Map(payouts.toSorted(byPayout).map((payout) => [payout.settlementId, payout]));
  const openCredits = new Map(credits.toSorted(byCredit).map((credit) => [credit.bankLineId, credit]));
  const gateways = new Set(payouts.map(({ gateway }) => gateway));
  const byDay = Map.groupBy(openCredits.values(), ({ bookedOn }) => bookedOn);
  const inTime = ({ settledOn, currency }: Payout) =>
    Array.from({ length: tolerance.days + 1 }, (_, after) => byDay.get(addDays(settledOn, after)) ?? [])
      .flat()
      .filter((credit) => credit.currency === currency && openCredits.has(credit.bankLineId));
  const links: BankLink[] = [];
  const link = (some: readonly Payout[], by: readonly Credit[], how: BankLink['by']) => {
    for (const { settlementId } of some) {
      for (const { bankLineId } of by) links.push({ bankLineId, settlementId, by: how });
      openPayouts.delete(settlementId);
    }
    for (const { bankLineId } of by) openCredits.delete(bankLineId);
  };
  const naming = new Map(credits.map((credit) => [credit.bankLineId, gatewaysIn(credit, gateways)]));
  const names: Names = ({ bankLineId }, { gateway }) => naming.get(bankLineId)?.has(gateway) === true;
  const isOther: Names = (credit, payout) => naming.get(credit.bankLineId)?.size !== 0 && !names(credit, payout);
  linkByReference(openPayouts, openCredits, isOther, link);
  const isExact = (payout: Payout, credit: Credit) => payout.net === credit.amount;
  linkPairs(openPayouts, inTime, { names, isOther, isSame: isExact }, link);
  linkTogether(openPayouts, openCredits, { inTime, names }, link);
  linkParts(openPayouts, { inTime, names }, link);
  const isNear = (payout: Payout, credit: Credit) =>
    names(credit, payout) && differsBy(payout.net, credit.amount, tolerance.amount);
  linkPairs(openPayouts, inTime, { names, isOther, isSame: isNear }, link);
  return links;
}

type Open<T> = ReadonlyMap<string, T>;
type Link = (payouts: readonly Payout[], credits: readonly Credit[], by: BankLink['by']) => void;

function byPayout(a: Payout, b: Payout): number {
  return compareText(a.settledOn, b.settledOn) || compareText(a.settlementId, b.settlementId);
}

function byCredit(a: Credit, b: Credit): number {
  return compareText(a.bookedOn, b.bookedOn) || compareText(a.bankLineId, b.bankLineId);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Letters and digits in upper case, in words. */
function wordsOf(text: string): string[] {
  return text
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

function linkByReference(payouts: Open<Payout>, credits: Open<Credit>, isOther: Names, link: Link): void {
  const byReference = Map.groupBy(
    [...payouts.values()].filter(({ reference }) => wordsOf(reference).join('').length >= REFERENCE_MIN),
    ({ reference }) => wordsOf(reference).join(' '),
  );
  const longest = Math.max(0, ...[...byReference.keys()].map((reference) => reference.split(' ').length));
  const named = new Map<string, Payout[]>();
  for (const credit of credits.values()) {
    const words = wordsOf(credit.text);
    const found = new Set<Payout>();
    for (let at = 0; at < words.length; at += 1) {
      for (let length = 1; length <= longest && at + length <= words.length; length += 1) {
        for (const payout of byReference.get(words.slice(at, at + length).join(' ')) ?? []) {
          if (payout.currency === credit.currency && !isOther(credit, payout)) found.add(payout);
        }
      }
    }
    if (found.size > 0) named.set(credit.bankLineId, [...found]);
  }
  const only = Map.groupBy(named, ([, found]) => (found.length === 1 ? found[0] : undefined));
  // A credit that names several payouts is linked to each; credits that name only one are its parts.
  for (const [bankLineId, found] of named) {
    const waiting = found.filter(({ settlementId }) => payouts.has(settlementId));
    if (waiting.length === 0 || !credits.has(bankLineId)) continue;
    const parts = found.length === 1 ? (only.get(found[0]) ?? []).map(([id]) => id) : [bankLineId];
    link(
      waiting,
      parts.flatMap((id) => credits.get(id) ?? []),
      'reference',
    );
  }
}

/** True if the bank's text names the payout's gateway, or another one: numbers of two gateways may be the same. */
type Names = (credit: Credit, payout: Payout) => boolean;

/** The credits that are not linked yet of a payout's currency and the days after it. */
type InTime = (payout: Payout) => readonly Credit[];

/** The credits of the days after a payout, and whose text names its gateway. */
interface Near {
  readonly inTime: InTime;
  readonly names: Names;
}

function linkPairs(
  payouts: Open<Payout>,
  inTime: InTime,
  {
    names,
    isOther,
    isSame,
  }: { readonly names: Names; readonly isOther: Names; readonly isSame: (payout: Payout, credit: Credit) => boolean },
  link: Link,
): void {
  for (const payout of [...payouts.values()]) {
    const fitting = inTime(payout).filter((credit) => isSame(payout, credit));
    const credit = fitting.find((each) => names(each, payout)) ?? fitting.find((each) => !isOther(each, payout));
    if (credit !== undefined) link([payout], [credit], 'amount_and_date');
  }
}

/** Consecutive payouts of an account that one credit adds up to. */
function linkTogether(payouts: Open<Payout>, credits: Open<Credit>, { inTime, names }: Near, link: Link): void {
  for (const own of Map.groupBy([...payouts.values()], ({ accountId }) => accountId).values()) {
    const candidates = new Map<string, Payout[]>();
    for (const payout of own) {
      for (const credit of inTime(payout)) {
        if (!names(credit, payout)) continue;
        const others = candidates.get(credit.bankLineId);
        if (others === undefined) candidates.set(credit.bankLineId, [payout]);
        else others.push(payout);
      }
    }
    for (const credit of [...credits.values()]) {
      const waiting = (candidates.get(credit.bankLineId) ?? []).filter(({ settlementId }) => payouts.has(settlementId));
      const run = findRun(waiting, ({ net }) => net, credit.amount);
      if (run !== null) link(run, [credit], 'amount_and_date');
    }
  }
}

/** Consecutive credits that add up to one payout. */
function linkParts(payouts: Open<Payout>, { inTime, names }: Near, link: Link): void {
  for (const payout of [...payouts.values()]) {
    const fitting = inTime(payout).filter((credit) => names(credit, payout));
    const run = findRun(fitting, ({ amount }) => amount, payout.net);
    if (run !== null) link([payout], run, 'amount_and_date');
  }
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

function gatewaysIn(credit: Credit, gateways: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...gateways].filter((gateway) => namesGateway(credit, { gateway })));
}

function differsBy(a: string, b: string, most: string): boolean {
  const difference = addDecimals(a, `-${b}`);
  return compareDecimals(difference.replace('-', ''), most) <= 0;
}
