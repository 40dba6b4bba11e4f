import { addDays } from '@switchyard/runtime/calendar-days';
import { decodeText, readTable } from '@switchyard/runtime/tables';
import { z } from 'zod';
import { earlierDay, laterDay, SETTLEMENT_ZONE } from '../calendar.ts';
import { findHeader, hasTitles } from '../reading/header.ts';
import { readDay } from '../reading/read-values.ts';
import type { AccountCoverage, Days } from './arrivals.ts';
import type { BankMapping } from './mapping.ts';
import { documentOf } from './read-camt.ts';
import { titlesOf } from './read-columns.ts';
import { formatOf, STATEMENT_LIMITS, xmlOf } from './read-statement.ts';

const DATES = { dates: 'day_first', zone: SETTLEMENT_ZONE } as const;

/** The days that a statement says it is of, by bank account; none where it does not say. What cannot be read says nothing. */
export async function readStatedDays(
  bytes: Uint8Array,
  csv: { readonly bankAccount: string; readonly mapping: BankMapping } | null,
): Promise<AccountCoverage[]> {
  const format = formatOf(bytes);
  switch (format) {
    case 'camt.053':
      return readCamtDays(xmlOf(bytes));
    case 'mt940':
      return readMt940Days(decodeText(bytes));
    case 'csv': {
      const days = csv === null ? null : await readHeadDays(bytes, csv.mapping);
      return csv === null || days === null ? [] : [{ bankAccount: csv.bankAccount, days: [days] }];
    }
    default:
      return format satisfies never;
  }
}

/**
 * The days of each message, by the dates of its balances. An opening balance has the day on which the statement before ended: that day is of this
 * one only where a line is.
 */
function readMt940Days(text: string): AccountCoverage[] {
  return text.split(/(?=^:20:)/m).flatMap((message): AccountCoverage[] => {
    const bankAccount = /^:25:(.*)$/m.exec(message)?.[1]?.trim().slice(0, 100) ?? '';
    const opening = swiftDay(/^:60[FM]:[CD](\d{6})/m.exec(message)?.[1]);
    const closing = swiftDay(/^:62[FM]:[CD](\d{6})/m.exec(message)?.[1]);
    if (bankAccount === '' || opening === null || closing === null || opening > closing) return [];
    const monthDay = opening.slice(5).replace('-', '');
    const begins = [...message.matchAll(/^:61:\d{2}(\d{4})(\d{4})?/gm)].some(([, value, entry]) => (entry ?? value) === monthDay);
    const from = opening === closing || begins ? opening : addDays(opening, 1);
    return [{ bankAccount, days: [{ from, to: closing }] }];
  });
}

function swiftDay(digits: string | undefined): string | null {
  return digits === undefined ? null : readDay(`20${digits}`, DATES);
}

function listOf<Item extends z.ZodType>(item: Item) {
  return z
    .union([z.array(item), item.transform((one) => [one])])
    .optional()
    .catch(undefined)
    .transform((all) => all ?? []);
}

const text = z.string().optional().catch(undefined);
const moment = z.looseObject({ Dt: text, DtTm: text }).optional().catch(undefined);
const camtSchema = z.looseObject({
  BkToCstmrStmt: z.looseObject({
    Stmt: listOf(
      z.looseObject({
        Acct: z.looseObject({
          Id: z.looseObject({ IBAN: text, Othr: z.looseObject({ Id: text }).optional().catch(undefined) }),
        }),
        FrToDt: z.looseObject({ FrDtTm: text, ToDtTm: text, FrDt: text, ToDt: text }).optional().catch(undefined),
        Bal: listOf(
          z.looseObject({
            Tp: z.looseObject({ CdOrPrtry: z.looseObject({ Cd: text }).optional().catch(undefined) }).optional(),
            Dt: moment,
          }),
        ),
        Ntry: listOf(z.looseObject({ BookgDt: moment, ValDt: moment })),
      }),
    ),
  }),
});

async function readCamtDays(xml: string): Promise<AccountCoverage[]> {
  const { XMLParser } = await import('fast-xml-parser');
  const parser = new XMLParser({ ignoreAttributes: true, removeNSPrefix: true, parseTagValue: false, processEntities: false });
  const parsed = camtSchema.safeParse(parseXml(() => documentOf(parser.parse(xml))));
  if (!parsed.success) return [];
  return parsed.data.BkToCstmrStmt.Stmt.flatMap(({ Acct, FrToDt, Bal, Ntry }): AccountCoverage[] => {
    const bankAccount = (Acct.Id.IBAN ?? Acct.Id.Othr?.Id ?? '').slice(0, 100);
    const booked = Ntry.flatMap(({ BookgDt, ValDt }) => dayOf(BookgDt) ?? dayOf(ValDt) ?? []).toSorted();
    const [first, last] = [booked[0], booked.at(-1)];
    const balanceOf = (...codes: readonly string[]) =>
      Bal.flatMap(({ Tp, Dt }) => (codes.includes(Tp?.CdOrPrtry?.Cd ?? '') ? (dayOf(Dt) ?? []) : [])).toSorted();
    const [opening, closing] = [balanceOf('OPBD', 'PRCD')[0], balanceOf('CLBD').at(-1)];
    const opened = opening === undefined || opening === closing || opening === first ? opening : addDays(opening, 1);
    const from = earlier(dayOf({ Dt: FrToDt?.FrDt, DtTm: FrToDt?.FrDtTm }) ?? opened, first);
    const to = later(lastDayOf(FrToDt?.ToDt, FrToDt?.ToDtTm) ?? closing, last);
    if (bankAccount === '' || from === undefined || to === undefined || from > to) return [];
    return [{ bankAccount, days: [{ from, to }] }];
  });
}

function parseXml(parse: () => unknown): unknown {
  try {
    return parse();
  } catch {
    return null;
  }
}

function earlier(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return earlierDay(a, b);
}

function later(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return laterDay(a, b);
}

function dayOf(at: { readonly Dt?: string | undefined; readonly DtTm?: string | undefined } | undefined): string | undefined {
  return readDay((at?.Dt ?? at?.DtTm ?? '').trim(), DATES) ?? undefined;
}

/** The midnight that ends a period is of the day before. */
function lastDayOf(date: string | undefined, dateTime: string | undefined): string | undefined {
  const day = dayOf({ Dt: date, DtTm: dateTime });
  const isMidnight = date === undefined && /T00:00:00(\.0+)?(Z|[+-]\d{2}:?\d{2})?$/.test((dateTime ?? '').trim());
  return day !== undefined && isMidnight ? addDays(day, -1) : day;
}

const DATE =
  /\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{1,2}[-/. ][a-z]{3,9}[-/., ]+\d{2,4}|[a-z]{3,9} \d{1,2},? \d{4}/gi;
const OF_A_PERIOD = /period|from|between|range|start|begin|statement|\bdates?\b/i;
const FIRST = /\b(from|start(s|ing)?|begin(s|ning)?|opening)\b/i;
const LAST = /\b(to|end(s|ing)?|closing|until)\b/i;

/** The period that a bank writes above the titles of its table: two dates, or one for each end. */
async function readHeadDays(bytes: Uint8Array, mapping: BankMapping): Promise<Days | null> {
  const { sheet = null, titlesLine = null, dates, zone = SETTLEMENT_ZONE } = mapping;
  const wanted = titlesOf(mapping);
  const table = await readTable(bytes, STATEMENT_LIMITS, { sheet, suits: (rows) => hasTitles(rows, wanted) });
  if (table.kind === 'malformed') return null;
  const header = findHeader(table.rows, { wanted, line: titlesLine });
  const above = table.rows.filter(({ line }) => header !== null && line < header.line);
  let [from, to]: [string | null, string | null] = [null, null];
  for (const { cells } of above) {
    const said = cells.join(' ').trim().replaceAll(/\s+/g, ' ');
    const days = (said.match(DATE) ?? []).flatMap((date) => readDay(date, { dates, zone }) ?? []);
    const [first, second] = days;
    if (first === undefined) continue;
    if (second !== undefined && OF_A_PERIOD.test(said)) return first <= second ? { from: first, to: second } : null;
    if (FIRST.test(said)) from ??= first;
    else if (LAST.test(said)) to ??= first;
  }
  return from === null || to === null || from > to ? null : { from, to };
}
