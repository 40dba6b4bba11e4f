/** What a number format makes of a number. */
export interface DateFormat {
  readonly kind: 'number' | 'date' | 'time';
  /** True if it shows parts of a second. */
  readonly hasFraction: boolean;
}

const NUMBER: DateFormat = { kind: 'number', hasFraction: false };
const DATE: DateFormat = { kind: 'date', hasFraction: false };
const TIME: DateFormat = { kind: 'time', hasFraction: false };

/** The formats that workbooks name by number alone, from ECMA-376 18.8.30; those from 27 on are of the far east. */
export function builtInFormat(id: number): DateFormat {
  if (id >= 18 && id <= 21) return TIME;
  if (id === 45 || id === 46) return TIME;
  if (id === 47) return { kind: 'time', hasFraction: true };
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? DATE : NUMBER;
}

/** A format by its code: it is of dates where letters of dates are left without its texts, colours, conditions and currencies. */
export function formatOfCode(code: string): DateFormat {
  const bare = code
    .replaceAll(/"[^"]*"|\\.|_./g, '')
    .replaceAll(/\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, '')
    .replaceAll(/general|am\/pm|a\/p/gi, '');
  const [shown = ''] = bare.split(';');
  const hasFraction = /s[.,]0/i.test(shown);
  const letters = shown.replaceAll(/(?<=s)[.,]0+/gi, '');
  if (/[#?0]/.test(letters) || !/[dmyhs]/i.test(letters)) return NUMBER;
  return { kind: /[dy]|mmm/i.test(letters) || !/[hs]/i.test(letters) ? 'date' : 'time', hasFraction };
}

const DAY_S = 86_400;
/** Day 0 of workbooks. */
const EPOCH = Date.UTC(1899, 11, 30);
const DAYS_TO_1904 = 1_462;
/** 1900 has a 29 February there, which is day 60. */
const LEAP_DAY = 60;
/** 31 December 9999. */
const DAYS_MAX = 2_958_466;

/**
 * A number as the day or time that a workbook shows: `2026-11-25T14:03:00`, or `14:03:00` of a time without a day; null where it is none.
 * Numbers of days are not exact, so that it is the nearest second.
 */
export function dateText(days: number, { kind, hasFraction }: DateFormat, is1904: boolean): string | null {
  if (!(days >= 0 && days < DAYS_MAX)) return null;
  const unit = hasFraction ? 1_000 : 1;
  const time = (Math.round(days * DAY_S * unit) / unit) * 1_000;
  if (kind === 'time' && time < DAY_S * 1_000) return isoText(time).slice(11);
  const leap = !is1904 && days >= 1 && days < LEAP_DAY ? 1 : 0;
  return isoText(EPOCH + time + (leap + (is1904 ? DAYS_TO_1904 : 0)) * DAY_S * 1_000);
}

function isoText(time: number): string {
  return new Date(Math.round(time)).toISOString().replace(/(?:\.000)?Z$/, '');
}
