import { BOOK_ACCOUNTS } from '@switchyard/accounting/entered-fields';
import type { Prisma } from '@switchyard/db/client';
import { readTable } from '@switchyard/runtime/tables';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Switchyard } from './process.ts';
import { sessionOf } from './testing/dashboard.ts';
import { type Entry, entriesOf, millionths, type Rows, readRows } from './testing/ledger-oracle.ts';
import { openTestSwitchyard } from './testing/switchyard.ts';
import { drawWorld } from './testing/world.ts';
import { SOFTWARE } from './trpc/entered-fields.ts';
import { createCallerFactory } from './trpc/procedure.ts';
import { appRouter } from './trpc/router.ts';

let switchyard: Switchyard;
let close: () => Promise<void>;
let merchantIds: readonly [string, string];
const rows = new Map<string, Rows>();
beforeAll(async () => {
  ({ switchyard, close } = await openTestSwitchyard());
  ({ merchantIds } = await drawWorld(switchyard));
  for (const merchantId of merchantIds) rows.set(merchantId, await readRows(switchyard, merchantId));
});
afterAll(() => close());

const caller = () => createCallerFactory(appRouter)({ switchyard, session: sessionOf('owner', null) });
const MODES = ['test', 'live'] as const;
/** On both sides of the day of the world's moments, and the merchants' own. */
const ZONES = ['Africa/Lagos', 'Pacific/Auckland', 'America/Los_Angeles'];

/** Kinds of entries at the bank, which are in no balance: their payouts are. */
const AT_BANK = ['bank', 'bank_difference'];

const rowsOf = (merchantId: string): Rows => rows.get(merchantId) ?? expect.unreachable();

function monthsOf(entries: readonly Entry[]): string[] {
  return [...new Set(entries.map(({ day }) => day.slice(0, 7)))].toSorted();
}

const sumOf = (entries: readonly Entry[]) => entries.reduce((sum, { amount }) => sum + amount, 0n);
/** Nothing is none: figures that no amount makes up are not compared by their zero. */
const figureOf = (entries: readonly Entry[]) => ({ count: entries.length, amount: sumOf(entries) });

async function keepBooksIn(
  merchantId: string,
  mode: 'test' | 'live',
  timeZone: string,
  mapping: Prisma.InputJsonObject = {},
): Promise<void> {
  const { accountingSetting } = switchyard.resources.database.prisma;
  await accountingSetting.deleteMany({ where: { merchantId, mode } });
  await accountingSetting.create({ data: { merchantId, mode, timeZone, mapping } });
}

describe.each(ZONES)('the months of books kept in %s', (zone) => {
  test.each(MODES)('have each amount of %s mode once, in its month, by kind, account and currency', async (mode) => {
    for (const merchantId of merchantIds) {
      await keepBooksIn(merchantId, mode, zone);
      const entries = entriesOf(rowsOf(merchantId), mode, zone);
      expect(monthsOf(entries).length).toBeGreaterThan(3);
      for (const month of monthsOf(entries)) {
        const found = await caller().monthClose.read({ merchantId, mode, month });
        const own = entries.filter(({ day, kind }) => day.startsWith(month) && kind !== 'bank_difference');
        const before = entries.filter(({ day, kind }) => day < `${month}-01` && !AT_BANK.includes(kind));
        const { accounts } = found.figures;
        for (const { accountId, currency, figures, opening, closing, bank } of accounts) {
          const isOf = (entry: Entry) => entry.accountId === accountId && entry.currency === currency;
          const shown = { ...figures, bank };
          for (const [kind, { count, amount }] of Object.entries(shown)) {
            const wanted = figureOf(own.filter((entry) => isOf(entry) && entry.kind === kind));
            expect({ month, kind, count, amount: millionths(amount) }).toEqual({ month, kind, ...wanted });
          }
          const openedWith = sumOf(before.filter(isOf));
          expect(millionths(opening)).toBe(openedWith);
          expect(millionths(closing)).toBe(openedWith + sumOf(own.filter((entry) => isOf(entry) && entry.kind !== 'bank')));
        }
        const counted = accounts.flatMap(({ figures, bank }) => [...Object.values(figures), bank]);
        expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(own.length);
      }
    }
  });
});

const POSTING_OF: Readonly<Record<string, string>> = {
  payment: 'sales',
  duplicate: 'sales',
  refund: 'refunds',
  fee: 'fees',
  stamp_duty: 'stamp_duty',
  dispute: 'chargebacks',
  reversal: 'chargebacks',
  adjustment: 'adjustments',
  payout: 'bank',
  bank_difference: 'adjustments',
};

/** How each software's file says the day, the account, and the debit less the credit of a line. */
const FILES: Readonly<
  Record<(typeof SOFTWARE)[number], (line: Readonly<Record<string, string>>) => readonly [string, string, number]>
> = {
  quickbooks: (line) => [line['Journal Date'] ?? '', line['Account Name'] ?? '', Number(line.Debits) - Number(line.Credits)],
  xero: (line) => [line['*Date'] ?? '', line['*AccountCode'] ?? '', Number(line['*Amount'])],
  sage: (line) => [line.Date ?? '', line['Nominal A/C Ref'] ?? '', Number(line['Net Amount']) * (line.Type === 'JD' ? 1 : -1)],
};

describe.each(SOFTWARE)('journals for %s', (software) => {
  test.each(MODES)('post each amount of %s mode on its day to the account of its kind, debits equal to credits', async (mode) => {
    const zone = 'Pacific/Auckland';
    for (const merchantId of merchantIds) {
      await keepBooksIn(merchantId, mode, zone, mappingFor(merchantId));
      const all = entriesOf(rowsOf(merchantId), mode, zone).filter(({ kind }) => kind !== 'bank');
      for (const currency of new Set(all.map((entry) => entry.currency))) {
        const wanted = new Map<string, bigint>();
        const post = (day: string, account: string, amount: bigint) => {
          const key = `${day.split('-').toReversed().join('/')} ${account}`;
          wanted.set(key, (wanted.get(key) ?? 0n) + amount);
        };
        for (const { kind, day, accountId, amount } of all.filter((entry) => entry.currency === currency)) {
          const bank = software === 'xero' ? 'bank_clearing' : 'bank';
          const posting = POSTING_OF[kind] === 'bank' ? bank : (POSTING_OF[kind] ?? '');
          post(day, codeOf(posting), -amount);
          post(day, kind === 'bank_difference' ? codeOf(bank) : codeOf(accountId), amount);
        }
        const made = await caller().journal.files({ merchantId, mode, software, currency, from: '2026-08-01', to: '2027-08-30' });
        if (made.kind !== 'files') throw new Error(JSON.stringify(made));
        const found = new Map<string, bigint>();
        for (const { content } of made.files) {
          for (const line of await linesOf(content)) {
            const [day, account, amount] = FILES[software](line);
            found.set(`${day} ${account}`, (found.get(`${day} ${account}`) ?? 0n) + millionths(amount));
          }
        }
        const nonzero = (sums: ReadonlyMap<string, bigint>) => [...sums].filter(([, amount]) => amount !== 0n).toSorted();
        expect(nonzero(found)).toEqual(nonzero(wanted));
        expect([...found.values()].reduce((sum, amount) => sum + amount, 0n)).toBe(0n);
      }
    }
  });
});

async function linesOf(content: string): Promise<Record<string, string>[]> {
  const table = await readTable(new TextEncoder().encode(content), { rowsMax: 1_000 });
  if (table.kind !== 'read') throw new Error(JSON.stringify(table.problem));
  const [titles, ...lines] = table.rows;
  return lines.map(({ cells }) => Object.fromEntries((titles?.cells ?? []).map((title, at) => [title, cells[at] ?? ''])));
}

/** Codes and names of accounts are the same text, so that each form of file names it. */
const codeOf = (account: string) => account.slice(0, 20);

function mappingFor(merchantId: string): Prisma.InputJsonObject {
  const account = (name: string) => ({ code: codeOf(name), name: codeOf(name), trackingClass: '' });
  const postings = Object.fromEntries(BOOK_ACCOUNTS.map((name) => [name, account(name)]));
  const ids = switchyard.resources.configuration.merchant(merchantId)?.accounts.map(({ id }) => id) ?? [];
  return { postings, clearing: Object.fromEntries(ids.map((id) => [id, account(id)])), trackingCategory: '', taxRate: 'Exempt' };
}
