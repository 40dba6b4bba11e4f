import type { ListedSettlementLine } from '@switchyard/gateways';
import { addDays } from '@switchyard/runtime/calendar-days';
import { isEitherWay } from './read-values.ts';

/** Lines of a file. */
interface AtLines {
  readonly count: number;
  /** The first of them. */
  readonly lines: readonly number[];
}

/** A warning about a file, shown before it is taken in. It can be taken in all the same. */
export type FileWarning = AtLines &
  (
    | WarningOfRows
    /** The title of a column whose days and months may as well be the other way around: no date of the file says which is which. */
    | { readonly kind: 'days_either_way'; readonly column: string; readonly example: string; readonly day: string }
    /** Days that no file of today has. */
    | { readonly kind: 'days_unlikely'; readonly column: string; readonly day: string }
    /** Payouts of a day before their payments. */
    | { readonly kind: 'payouts_before_payments'; readonly settledOn: string; readonly paidOn: string }
    /** Refunds, fees or chargebacks without a minus, which add to the payout, and none of the kind that takes off. */
    | { readonly kind: 'deductions_add'; readonly lineKind: ListedSettlementLine['kind'] }
    /** References that are numbers, and whose last digits a spreadsheet may have replaced by zeros. */
    | { readonly kind: 'digits_doubtful'; readonly column: string }
  );

interface WarningOfRows {
  readonly kind: /** Left out, and no sum of other rows. */
    | 'skipped_differs'
    /** Hidden by the spreadsheet, and taken in. */
    | 'rows_hidden'
    /** The same as a row above, and taken in. */
    | 'rows_repeated'
    /** Fees of payments have a minus, so that a minus means charged. */
    | 'fees_negative'
    /** Amounts of debits have a minus beside their mark or in their column, so that a minus means no more than that. */
    | 'debits_negative'
    /** Debits below 0, which are money that came back. */
    | 'debits_returned'
    /** Taken in, and the sum of the rows above: nothing of the file says whether it is a transaction. */
    | 'rows_like_totals'
    /** A debit and a credit in one row: both are taken in. */
    | 'two_amounts'
    /** Days that are empty: the one of the row above is meant. */
    | 'days_from_above';
}

type About<Warning> = Warning extends AtLines ? Omit<Warning, keyof AtLines> : never;

const LINES_MAX = 20;

/** Gathers warnings: what is the same of several lines is one. */
export class FileWarnings {
  private readonly gathered = new Map<string, { readonly about: About<FileWarning>; readonly lines: number[]; count: number }>();

  /** Adds a line to a warning; where it says more than its kind and column, the first line's stays. */
  add(about: About<FileWarning>, line: number): void {
    const key = JSON.stringify([about.kind, 'column' in about ? about.column : 'lineKind' in about ? about.lineKind : null]);
    const one = this.gathered.get(key) ?? { about, lines: [], count: 0 };
    one.count += 1;
    if (one.lines.length < LINES_MAX) one.lines.push(line);
    this.gathered.set(key, one);
  }

  list(): FileWarning[] {
    return [...this.gathered.values()].map(({ about, lines, count }): FileWarning => ({ ...about, lines, count }));
  }
}

/** Days after today that are still likely: payouts are announced, and clocks of others may be ahead. */
const DAYS_AHEAD = { payout: 31, booked: 2 } as const;
const YEARS_BACK = 10;

/** A day of a cell. */
export interface NotedDay {
  readonly column: string;
  readonly text: string;
  readonly day: string;
  readonly line: number;
  /** Payouts are announced before their day, other money is not. */
  readonly kind: keyof typeof DAYS_AHEAD;
}

/** Notes the days of a file that are unlikely, and whether all of them could be read the other way around. */
export class PlausibleDays {
  private readonly warnings: FileWarnings;
  private readonly today: string;
  private readonly earliest: string;
  private readonly eitherWay: {
    readonly column: string;
    readonly example: string;
    readonly day: string;
    readonly line: number;
  }[] = [];
  private isCertain = false;

  constructor(warnings: FileWarnings, today: string) {
    this.warnings = warnings;
    this.today = today;
    this.earliest = `${String(Number(today.slice(0, 4)) - YEARS_BACK).padStart(4, '0')}${today.slice(4)}`;
  }

  /** Notes a day of a cell as it was read. A cell that can be read in one way only decides for the whole file. */
  note({ column, text, day, line, kind }: NotedDay): void {
    const isLikely = day >= this.earliest && (day <= this.today || day <= addDays(this.today, DAYS_AHEAD[kind]));
    if (!isLikely) this.warnings.add({ kind: 'days_unlikely', column, day }, line);
    if (this.isCertain) return;
    const isEither = isEitherWay(text);
    if (isEither === true) this.eitherWay.push({ column, example: text, day, line });
    else if (isEither === false) this.isCertain = true;
  }

  /** Warns of days that can be read either way; to be called after the last cell. */
  finish(): void {
    if (this.isCertain) return;
    for (const { line, ...about } of this.eitherWay) this.warnings.add({ kind: 'days_either_way', ...about }, line);
  }
}
