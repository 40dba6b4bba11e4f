import { sumDecimals } from '@switchyard/db/decimals';
import { type AmountReading, millionths } from './read-values.ts';

/** A row of a file that is not a transaction. */
export interface SkippedRow {
  readonly line: number;
  /** Its first text. */
  readonly text: string;
  /**
   * `total`: it adds up other rows. `no_transaction`: it has neither a reference nor a time, as the other rows have. `no_amount`: it has no amount
   * either. `word`: its kind is to be skipped. `not_booked`: the bank has not booked it.
   */
  readonly reason: 'total' | 'no_transaction' | 'no_amount' | 'word' | 'not_booked';
  /** An exact decimal of the main unit; null where it has none that can be read. */
  readonly amount: string | null;
  readonly currency: string;
}

/** The amounts of a currency that are skipped, added up. */
export interface SkippedSum {
  readonly currency: string;
  readonly amount: string;
}

/** Adds up what is skipped, by currency. */
export function sumSkipped(rows: readonly SkippedRow[]): SkippedSum[] {
  const amounts = rows.flatMap(({ amount, currency }) => (amount === null ? [] : [{ amount, currency }]));
  return [...Map.groupBy(amounts, ({ currency }) => currency)].map(([currency, own]) => ({
    currency,
    amount: sumDecimals(own.map(({ amount }) => amount)),
  }));
}

/** Features of a row by which it is a transaction or not. */
export interface RowShape {
  /** Its references and ids that are not empty. */
  readonly names: readonly string[];
  /** For each column that transactions have: true where the row has a value that can be read. */
  readonly has: readonly boolean[];
  /** True if a time or a kind says what the row is, where it has no name. */
  readonly isExplained: boolean;
  /** Cells that may be sums of the rows above. */
  readonly amount: AmountReading;
  readonly fee: AmountReading;
  readonly net: AmountReading;
}

/** Why a row is skipped; null of a transaction, which may be the sum of others all the same. */
export interface RowFate {
  readonly reason: SkippedRow['reason'] | null;
  readonly isLikeTotal: boolean;
}

/**
 * Says of each row whether it is skipped. A transaction has what most rows have, such as a day, a time and a reference. A row that lacks some of it
 * and has no reference of the form of the others is none, whatever its words are. Where that does not decide, a row is skipped if it is the sum
 * of others.
 */
export function fatesOf(rows: readonly RowShape[]): RowFate[] {
  const judge = judgeOf(rows);
  const judged = rows.map(judge);
  const sums = new Sums(rows.filter((_, at) => judged[at] === 'transaction'));
  return rows.map((row, at): RowFate => {
    const as = judged[at] ?? 'transaction';
    const isSum = sums.have(row);
    if (as !== 'transaction' && isSum && isTotal(as, row, sums.rows)) {
      sums.begin();
      return { reason: 'total', isLikeTotal: false };
    }
    if (as === 'none') {
      const hasAmount = [row.amount, row.fee, row.net].some(({ kind }) => kind === 'amount');
      return { reason: hasAmount ? 'no_transaction' : 'no_amount', isLikeTotal: false };
    }
    const isLikeTotal = isSum && sums.rows > 1 && !row.names.some(isId);
    sums.add(row);
    return { reason: null, isLikeTotal };
  });
}

/** `doubtful`: none if it is a sum. `likely`: only if it is called one as well. */
type Judgement = 'transaction' | 'likely' | 'doubtful' | 'none';

function judgeOf(rows: readonly RowShape[]): (row: RowShape) => Judgement {
  const having = (rows[0]?.has ?? []).map((_, column) => rows.filter(({ has }) => has[column]).length);
  const named = rows.filter(({ names }) => names.length > 0).length;
  const identified = rows.filter(({ names }) => names.some(isId)).length;
  /** True if more than half of the other rows are so. */
  const isUsual = (count: number, others: number) => count * 2 > others;
  return ({ names, has, isExplained }) => {
    const isComplete = having.every((count, column) => has[column] || !isUsual(count, rows.length - 1));
    if (names.some(isId)) return isComplete ? 'transaction' : 'likely';
    if (names.length === 0) return isComplete ? 'transaction' : isExplained ? 'doubtful' : 'none';
    if (!isUsual(identified, named - 1)) return isComplete ? 'likely' : 'doubtful';
    return isComplete ? 'doubtful' : 'none';
  };
}

/** True if a text has the form of a reference: with a digit, and without blanks. */
function isId(name: string): boolean {
  return /\d/.test(name) && !/\s/.test(name);
}

/** True if a row that is a sum is no transaction. The sum of one row is its amount again. */
function isTotal(as: Judgement, { names }: RowShape, rows: number): boolean {
  const isCalledSo = names.some((name) => /total|sum/i.test(name));
  return as === 'none' || isCalledSo || (as === 'doubtful' && rows > 1);
}

interface Totals {
  amount: bigint;
  fee: bigint;
  net: bigint;
}

/** Sums of the rows so far, of those since the last sum, and of all. */
class Sums {
  /** Rows since the last sum. */
  rows = 0;
  private readonly whole = totals();
  private readonly before = totals();
  private since = totals();

  constructor(transactions: readonly RowShape[]) {
    for (const row of transactions) addTo(this.whole, row);
  }

  begin(): void {
    this.rows = 0;
    this.since = totals();
  }

  add(row: RowShape): void {
    this.rows += 1;
    addTo(this.before, row);
    addTo(this.since, row);
  }

  /** True if the amount of a row is a sum, with or without fees; where it has no amount, its fee or net amount. */
  have({ amount, fee, net }: RowShape): boolean {
    const wanted = [amount, net, fee].map(millionths);
    const at = wanted.findIndex((value) => value !== null && value !== 0n);
    const value = wanted[at];
    return [this.since, this.before, this.whole].some((sum) => {
      const sums = at === 2 ? [sum.fee, -sum.fee] : [sum.amount, sum.net, sum.amount - sum.fee, sum.amount + sum.fee];
      return value !== undefined && sums.some((each) => each === value);
    });
  }
}

function totals(): Totals {
  return { amount: 0n, fee: 0n, net: 0n };
}

function addTo(sum: Totals, { amount, fee, net }: RowShape): void {
  sum.amount += millionths(amount) ?? 0n;
  sum.fee += millionths(fee) ?? 0n;
  sum.net += millionths(net) ?? 0n;
}
