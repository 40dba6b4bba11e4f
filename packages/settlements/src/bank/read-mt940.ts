import { addDecimals, subtractDecimals } from '@switchyard/db/decimals';
import { dayText, isDay } from '@switchyard/runtime/calendar-days';
import type { UnreadableCell } from '../reading/read-settlement-file.ts';
import { negate, quoted, readAmount } from '../reading/read-values.ts';
import type { SkippedRow } from '../reading/skipped-rows.ts';
import type { ReadLines, StatementLine } from './mapping.ts';

/** Characters by which two numbers are of one kind, and not two parts of one. */
const PREFIX = 4;

/**
 * Joins the lines of a text. A line that is full was cut where the width ends, and goes on without a blank; so does a reference, whose last part
 * in a line and first part in the next have digits. All others are divided by a blank.
 */
function joinCut(lines: readonly string[], width: number): string {
  return lines
    .filter((line) => line !== '')
    .reduce((text, line, at, all) => {
      if (at === 0) return line;
      return text + (isCut(all[at - 1] ?? '', line, width) ? '' : ' ') + line;
    }, '')
    .trim();
}

function isCut(line: string, next: string, width: number): boolean {
  if (line.length >= width) return true;
  const [last = ''] = /[\p{L}\p{N}]+$/u.exec(line) ?? [];
  const [first = ''] = /^[\p{L}\p{N}]+/u.exec(next) ?? [];
  // Two references of one kind begin alike and are as long as each other.
  const isPair = last.length === first.length && last.slice(0, PREFIX) === first.slice(0, PREFIX);
  return /\d/.test(last) && /\d/.test(first) && !isPair;
}

/** Characters of a line of `:86:`, of a part of it, and of a reference of `:61:`. */
const LINE_WIDTH = 65;
const PART_WIDTH = 27;
const REFERENCE_WIDTH = 16;

/** A field of a statement: `:61:` with its lines. */
interface Field {
  readonly line: number;
  readonly tag: string;
  readonly lines: string[];
}

/**
 * Reads MT940. Amounts are exact, and balances and lines have to agree, so that a statement that was cut off is not taken in. No library that is
 * kept does either: theirs are doubles, rounded to two decimals, and what does not fit a field's form is dropped.
 */
export function readMt940(text: string): ReadLines {
  const problems: UnreadableCell[] = [];
  const lines: StatementLine[] = [];
  const skipped: SkippedRow[] = [];
  for (const statement of statementsOf(fieldsOf(text))) {
    const found = readStatement(statement);
    problems.push(...found.problems);
    skipped.push(...found.skipped);
    for (const line of found.lines) lines.push(line);
  }
  return { lines, skipped, problems };
}

function fieldsOf(text: string): Field[] {
  const fields: Field[] = [];
  let isWithin = false;
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const [start, tag] = /^(?:\{.*)?:(\d{2}[A-Z]?|NS):/.exec(line) ?? [];
    if (tag !== undefined && start !== undefined) {
      fields.push({ line: at + 1, tag, lines: [line.slice(start.length)] });
      isWithin = true;
    } else if (line === '-' || line.startsWith('-}') || line.startsWith('{')) {
      // The end of a message, or the blocks around it.
      isWithin = false;
    } else if (isWithin && line !== '') {
      fields.at(-1)?.lines.push(line);
    }
  }
  return fields;
}

function statementsOf(fields: readonly Field[]): Field[][] {
  const statements: Field[][] = [];
  for (const field of fields) {
    if (field.tag === '20') statements.push([field]);
    else statements.at(-1)?.push(field);
  }
  return statements;
}

function readStatement(fields: readonly Field[]): ReadLines {
  const problems: UnreadableCell[] = [];
  const wrong = ({ line, tag }: Field, message: string) => problems.push({ line, column: `:${tag}:`, message });
  const [first] = fields;
  const named = (pattern: RegExp) => fields.find(({ tag }) => pattern.test(tag));
  const [account, opening, closing] = [named(/^25P?$/), named(/^60[FM]$/), named(/^62[FM]$/)];
  if (first === undefined) return { lines: [], skipped: [], problems };
  if (account === undefined || opening === undefined || closing === undefined) {
    wrong(first, 'begins a statement without its account, opening or closing balance');
    return { lines: [], skipped: [], problems };
  }
  const [from, to] = [balanceOf(opening), balanceOf(closing)];
  if (from === null) wrong(opening, `is no balance: ${quoted(opening.lines[0] ?? '')}`);
  if (to === null) wrong(closing, `is no balance: ${quoted(closing.lines[0] ?? '')}`);
  if (from === null || to === null) return { lines: [], skipped: [], problems };
  if (from.currency !== to.currency) wrong(closing, `is in another currency than ${from.currency}`);
  const bankAccount = (account.lines[0] ?? '').trim().slice(0, 100);
  const lines: StatementLine[] = [];
  const skipped: SkippedRow[] = [];
  let sum = '0';
  for (const [at, field] of fields.entries()) {
    if (field.tag !== '61') continue;
    const entry = readEntry(field, from.currency);
    if (typeof entry === 'string') {
      wrong(field, entry);
      continue;
    }
    const said = textOf(fields, at + 1);
    const text = [said, ...entry.texts].filter((part) => part !== '' && part !== 'NONREF').join(' ');
    const { amount, bookedOn } = entry;
    if (entry.isExpected || amount === '0') {
      const reason = entry.isExpected ? 'not_booked' : 'no_amount';
      skipped.push({ line: field.line, text: text.slice(0, 60), reason, amount, currency: from.currency });
      continue;
    }
    sum = addDecimals(sum, amount);
    lines.push({ bankAccount, bookedOn, amount, currency: from.currency, text });
  }
  const turnover = subtractDecimals(to.amount, from.amount);
  if (problems.length === 0 && sum !== turnover) {
    wrong(closing, `does not follow from the lines: they add up to ${sum}, and the balances differ by ${turnover}`);
  }
  return { lines, skipped, problems };
}

function balanceOf({ lines: [text = ''] }: Field): { readonly amount: string; readonly currency: string } | null {
  const [, mark, currency = '', written = ''] = /^([CD])\d{6}([A-Z]{3})(\d+(?:[,.]\d*)?)\s*$/.exec(text) ?? [];
  const amount = amountOf(written, currency);
  if (mark === undefined || amount === null) return null;
  return { amount: mark === 'D' ? negate(amount) : amount, currency };
}

interface Entry {
  readonly bookedOn: string;
  readonly amount: string;
  /** True if it is announced, and not booked. */
  readonly isExpected: boolean;
  /** References, and what the second line adds. */
  readonly texts: readonly string[];
}

const ENTRY =
  /^(?<value>\d{6})(?<entry>\d{4})?(?<mark>[RE]?[CD])[A-Z]?(?<amount>\d+(?:[,.]\d*)?)(?<type>[A-Z][A-Z0-9]{3})(?<references>.*)$/;

/** An entry, or why the field is not one. */
function readEntry({ lines: [head = '', ...rest] }: Field, currency: string): Entry | string {
  const { groups } = ENTRY.exec(head) ?? {};
  if (groups === undefined) return `is no entry: ${quoted(head)}`;
  const { value = '', entry, mark = '', amount: written = '', references = '' } = groups;
  const valueDay = `20${value.slice(0, 2)}-${value.slice(2, 4)}-${value.slice(4)}`;
  const bookedOn = entry === undefined ? valueDay : nearestDay(`${entry.slice(0, 2)}-${entry.slice(2)}`, valueDay);
  if (!isDay(valueDay) || bookedOn === null) return `has no day: ${quoted(head.slice(0, 10))}`;
  const amount = amountOf(written, currency);
  if (amount === null) return `has no amount of ${currency}: ${quoted(written)}`;
  // A reversal of a credit takes it off again.
  const isCredit = mark === 'C' || mark === 'EC' || mark === 'RD';
  const [reference = '', bank = ''] = references.split('//', 2);
  const [supplement = '', ...more] = rest;
  const last = joinCut([bank || reference, supplement], REFERENCE_WIDTH);
  const texts = bank === '' ? [last] : [reference, last];
  return {
    bookedOn,
    amount: isCredit ? amount : negate(amount),
    isExpected: mark.startsWith('E'),
    texts: [...texts, ...more].map((text) => text.trim()),
  };
}

/** The day of a month and day that is nearest to another: the year of an entry is not written. */
function nearestDay(monthAndDay: string, day: string): string | null {
  const time = Date.parse(day);
  const year = Number(day.slice(0, 4));
  const days = [year, year - 1, year + 1].map((each) => `${each}-${monthAndDay}`).filter(isDay);
  const distance = (other: string) => Math.abs(Date.parse(other) - time);
  const nearest = days.reduce<string | null>(
    (best, each) => (best === null || distance(each) < distance(best) ? each : best),
    null,
  );
  return nearest === null ? null : dayText(new Date(nearest));
}

function amountOf(written: string, currency: string): string | null {
  const text = written.replace(',', '.').replace(/\.$/, '');
  const reading = readAmount(text, { unit: 'main', decimalMark: '.', currency, isPlain: true });
  return reading.kind === 'amount' ? reading.amount : null;
}

/** The text of `:86:` about the entry before it, without the codes that some banks put before its parts. */
function textOf(fields: readonly Field[], from: number): string {
  const next = fields.findIndex(({ tag }, at) => at >= from && tag !== '86' && tag !== 'NS');
  const lines = fields
    .slice(from, next < 0 ? fields.length : next)
    .filter(({ tag }) => tag === '86')
    .flatMap((field) => field.lines);
  const whole = lines.join('');
  if (!/^\d{3}([?>])\d{2}/.test(whole)) return joinCut(lines, LINE_WIDTH);
  const parts = [...whole.slice(3).matchAll(/[?>](\d{2})(.*?)(?=[?>]\d{2}|$)/g)].map(([, code = '', text = '']) => ({
    code,
    text,
  }));
  const of = (pattern: RegExp) => parts.filter(({ code }) => pattern.test(code)).map(({ text }) => text);
  const purpose = /^(?:2\d|6[0-3])$/;
  const name = /^3[23]$/;
  const others = parts.filter(({ code }) => !purpose.test(code) && !name.test(code)).map(({ text }) => text);
  return [joinCut(of(purpose), PART_WIDTH), joinCut(of(name), PART_WIDTH), ...others].filter((text) => text !== '').join(' ');
}
