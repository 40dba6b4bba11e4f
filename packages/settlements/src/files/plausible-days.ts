import { addDays } from '@switchyard/runtime/calendar-days';
import type { FileWarnings } from './file-warning.ts';
import { isEitherWay } from './read-time.ts';

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
