import { type AmountReading, millionths } from '../files/read-amount.ts';

/** The amounts of a row of a statement by its columns. */
export interface BankAmounts {
  readonly amount: AmountReading;
  readonly credit: AmountReading;
  readonly debit: AmountReading;
}

interface Sums {
  amount: bigint;
  /** Of what is above 0 in the column of amounts. */
  positive: bigint;
  credit: bigint;
  debit: bigint;
}

/** Sums of the columns of a statement: of the rows so far, of those since the last sum, and of all. */
export class ColumnSums {
  /** Rows since the last sum. */
  rows = 0;
  private readonly whole = noSums();
  private readonly before = noSums();
  private since = noSums();

  constructor(all: readonly BankAmounts[]) {
    for (const row of all) addTo(this.whole, row);
  }

  begin(): void {
    this.rows = 0;
    this.since = noSums();
  }

  add(row: BankAmounts): void {
    this.rows += 1;
    addTo(this.before, row);
    addTo(this.since, row);
  }

  /** True if each amount of a row is the sum of its column. */
  have(row: BankAmounts): boolean {
    const [amount, credit, debit] = [row.amount, row.credit, row.debit].map((reading) => millionths(reading) ?? 0n);
    if (this.rows === 0 || (amount === 0n && credit === 0n && debit === 0n)) return false;
    return [this.since, this.before, this.whole].some((sum) => {
      const isAmount = amount === 0n || amount === sum.amount || amount === sum.positive;
      return isAmount && (credit === 0n || credit === sum.credit) && (debit === 0n || debit === sum.debit);
    });
  }
}

function noSums(): Sums {
  return { amount: 0n, positive: 0n, credit: 0n, debit: 0n };
}

function addTo(sums: Sums, row: BankAmounts): void {
  const amount = millionths(row.amount) ?? 0n;
  sums.amount += amount;
  if (amount > 0n) sums.positive += amount;
  sums.credit += millionths(row.credit) ?? 0n;
  sums.debit += millionths(row.debit) ?? 0n;
}
