import { readFileSync } from 'node:fs';
import { openTestPayments, type TestPayments } from '@switchyard/payments/testing';
import { addDays } from '@switchyard/runtime/calendar-days';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSettledMerchant } from '../testing/account.ts';
import { BANK_MAPPING, bankOf, statementOf, takeFile, takeStatementOf } from '../testing/bank.ts';
import { readCoverage } from './queries.ts';

/** How many times as much is drawn: `PROPERTY_TIMES=20` at night. */
const TIMES = Number(process.env.PROPERTY_TIMES ?? 1);

let context: TestPayments;
let key: { readonly merchantId: string; readonly accountId: string };
beforeAll(async () => {
  context = await openTestPayments();
});
beforeEach(async () => {
  context.setClock(new Date('2026-11-30T08:00:00Z'));
  key = await createSettledMerchant(context);
});
afterAll(() => context.close());

const bank = (of = key) => bankOf(context, of);
const days = async (of = key) =>
  (await readCoverage(context.database, { merchantId: of.merchantId, mode: 'test' })).flatMap(({ bankAccount, days: covered }) =>
    covered.map(({ from, to }) => `${bankAccount} ${from} ${to}`),
  );

/** A bank's file with one column of amounts. */
function file(name: string, of = key) {
  const columns = {
    bookedOn: 'Date',
    amount: 'Amount',
    direction: null,
    credit: null,
    debit: null,
    text: 'Narration',
    reference: null,
  };
  const bytes = readFileSync(new URL(`../testing/statements/${name}`, import.meta.url));
  const csv = { bankAccount: 'GTB 0123', mapping: { ...BANK_MAPPING, columns } };
  return { merchantId: of.merchantId, mode: 'test' as const, name, bytes, csv };
}

describe('days between two statements', () => {
  test('are not covered: nothing is missing on them, and what lacks on a covered one is', async () => {
    for (let day = '2026-11-02'; day <= '2026-11-27'; day = addDays(day, 1)) {
      const weekday = new Date(day).getUTCDay();
      if (weekday === 0 || weekday === 6) continue;
      const reference = `${day.replaceAll('-', '')}100004`;
      const booked = [...lines('first-week.csv'), ...lines('fourth-week.csv')].find(([, text]) => text?.endsWith(reference));
      await bank().payout(reference, day, booked?.[2] ?? '3000000');
    }
    await bank().payout('20261103100009', '2026-11-03', '77');
    await takeFile(context, file('first-week.csv'));
    await bank().follow();
    await takeFile(context, file('fourth-week.csv'));
    await bank().follow();
    expect(await days()).toEqual(['GTB 0123 2026-11-02 2026-11-06', 'GTB 0123 2026-11-23 2026-11-27']);
    expect(await bank().open()).toEqual(['MISSING payout 77 -']);
    const states = await bank().states();
    expect(states.filter((state) => state.includes(' arrived '))).toHaveLength(10);
    expect(states.filter((state) => state.includes(' not_covered '))).toHaveLength(10);
  });

  const lines = (name: string) =>
    file(name, { merchantId: '', accountId: '' })
      .bytes.toString()
      .split('\n')
      .map((row) => row.trim().split(','));
});

describe('the days that a statement covers', () => {
  test('are those that the bank writes above its table', async () => {
    const columns = {
      bookedOn: 'Value Date',
      amount: null,
      direction: null,
      credit: 'Credit',
      debit: 'Debit',
      text: 'Narration',
      reference: null,
    };
    const csv = { bankAccount: 'GTB', mapping: { ...BANK_MAPPING, columns } };
    expect(await takeFile(context, { ...file('period-above-titles.csv'), csv })).toMatchObject({ kind: 'taken', lines: 14 });
    expect(await days()).toEqual(['GTB 2026-10-26 2026-11-27']);
  });

  test.each([
    ['a line for each end', ['Start Date:,01/11/2026', 'End Date:,"20/11/2026"'], '2026-11-01 2026-11-20'],
    ['months in words', ['Statement from 1 November 2026 to 20-Nov-2026,,,'], '2026-11-01 2026-11-20'],
    ['no more than until today', ['Period: 2026-11-01 - 2026-12-31,,,'], '2026-11-01 2026-11-30'],
    ['those of its lines where it names none', ['Printed on,29/11/2026'], '2026-11-10 2026-11-12'],
    ['those of its lines where it names others', ['Period,01/10/2026 - 31/10/2026'], '2026-11-10 2026-11-12'],
  ])('are written as %s', async (_, head, covered) => {
    await takeFile(context, statementOf(key, ['10/11/2026,a,,1', '12/11/2026,b,,1'], { head }));
    expect(await days()).toEqual([`GTB 0123 ${covered}`]);
  });

  test('are those that a person enters, and never of another bank account', async () => {
    await takeFile(context, statementOf(key, ['10/11/2026,a,,1'], { days: { from: '2026-11-01', to: '2026-11-15' } }));
    await takeFile(context, statementOf(key, ['20/11/2026,a,,1'], { bankAccount: 'UBA' }));
    expect(await days()).toEqual(['GTB 0123 2026-11-01 2026-11-15', 'UBA 2026-11-20 2026-11-20']);
  });

  test('are those of its balances or its period in MT940 and CAMT.053', async () => {
    const message = (opening: string, line: string, closing: string) =>
      `:20:S\n:25:0123\n:28C:1/1\n:60F:C${opening}NGN0,00\n:61:${line}C1,00NTRFNONREF\n:86:X\n:62F:C${closing}NGN1,00\n`;
    // Two messages in one file: the days between them are of neither.
    const mt940 = `${message('261030', '2611031103', '261106')}-\n${message('261116', '2611161116', '261118')}`;
    await takeFile(context, { ...file('first-week.csv'), bytes: new TextEncoder().encode(mt940), csv: null });
    expect(await days()).toEqual(['0123 2026-10-31 2026-11-06', '0123 2026-11-16 2026-11-18']);
    const entry = `<Ntry><Amt Ccy="NGN">5</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>2026-11-20</Dt></BookgDt></Ntry>`;
    const camt = (period: string) => `<?xml version="1.0"?><Document><BkToCstmrStmt><Stmt>
      <Acct><Id><Othr><Id>77</Id></Othr></Id></Acct>${period}${entry}</Stmt></BkToCstmrStmt></Document>`;
    const period = '<FrToDt><FrDtTm>2026-11-19T00:00:00</FrDtTm><ToDtTm>2026-11-23T00:00:00</ToDtTm></FrToDt>';
    await takeFile(context, { ...file('first-week.csv'), bytes: new TextEncoder().encode(camt(period)), csv: null });
    expect((await days()).slice(2)).toEqual(['77 2026-11-19 2026-11-22']);
  });
});

describe('a payout that comes in parts', () => {
  test.each([
    ['the first statement first', ['first-part.csv', 'second-part.csv']],
    ['the second statement first', ['second-part.csv', 'first-part.csv']],
  ])('is whole once the statement of its other part is there, %s', async (_, order) => {
    await bank().payout('20261104100005', '2026-11-04', '2362.5');
    for (const name of order) {
      await takeFile(context, file(name));
      await bank().follow();
    }
    expect(await bank().states()).toEqual(['20261104100005 arrived 2362.5']);
    expect(await context.database.prisma.settlementDiscrepancy.count({ where: key })).toBe(0);
  });
});

test('payouts of nothing, and those that the gateway collects, are listed, and debits are matched', async () => {
  await bank().payout('S-100', '2026-11-23', '1000');
  await bank().payout('S-101', '2026-11-23', '0');
  await bank().payout('S-102', '2026-11-24', '-500');
  await bank().payout('S-103', '2026-11-24', '-7000');
  await takeStatementOf(
    context,
    key,
    '23/11/2026,PAYSTACK,,1000',
    '25/11/2026,PAYSTACK CLAWBACK,500,',
    '26/11/2026,PAYSTACK FEE,9,',
    '27/11/2026,RENT,8,',
  );
  await bank().follow();
  expect(await bank().states()).toEqual(['S-100 arrived 1000', 'S-101 nothing_due -', 'S-102 arrived -500', 'S-103 missing -']);
  expect(await bank().open()).toEqual(['MISSING payout -7000 -', 'UNMATCHED bank - -9']);
});

describe('whatever the order of uploads', () => {
  const uploads = [
    (of: typeof key) =>
      takeStatementOf(context, of, '02/11/2026,PAYSTACK,,500', '03/11/2026,NIP PAYSTACK REF-30001,,100', '04/11/2026,NIP,,500'),
    (of: typeof key) =>
      takeStatementOf(
        context,
        of,
        '03/11/2026,NIP PAYSTACK REF-30001,,100',
        '05/11/2026,PAYSTACK,,500',
        '05/11/2026,NIP PAYSTACK REF-30001 REST,,50',
      ),
    (of: typeof key) =>
      takeStatementOf(context, of, '06/11/2026,PAYSTACK,,750', '09/11/2026,PAYSTACK DEBIT,40,', '12/11/2026,PAYSTACK,,33'),
    async (of: typeof key) => {
      await bank(of).payout('REF-30001', '2026-11-02', '150');
      await bank(of).payout('A-1', '2026-11-02', '500');
      await bank(of).payout('A-2', '2026-11-04', '500');
    },
    async (of: typeof key) => {
      await bank(of).payout('A-3', '2026-11-05', '501');
      await bank(of).payout('A-4', '2026-11-05', '249');
      await bank(of).payout('A-5', '2026-11-06', '-40');
      await bank(of).payout('A-6', '2026-11-06', '60');
    },
  ];

  async function run(order: readonly number[], follows: (at: number) => boolean) {
    const of = await createSettledMerchant(context);
    for (const [at, upload] of order.entries()) {
      await uploads[upload]?.(of);
      if (follows(at)) await bank(of).follow();
    }
    await bank(of).follow();
    return { links: await bank(of).links(), states: await bank(of).states(), open: await bank(of).open(), days: await days(of) };
  }

  test('links, states and what is open are the same', { timeout: 240_000 }, async () => {
    const usual = await run([0, 1, 2, 3, 4], () => false);
    expect(usual.states).toEqual([
      'A-1 arrived 500',
      'A-2 arrived 500',
      'A-3 arrived 501',
      'A-4 arrived 249',
      'A-5 arrived -40',
      'A-6 missing -',
      'REF-30001 arrived 150',
    ]);
    const order = fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 });
    const pauses = fc.array(fc.boolean(), { minLength: 5, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(order, pauses, async (shuffled, paused) => {
        expect(await run(shuffled, (at) => paused[at] === true)).toEqual(usual);
      }),
      { numRuns: 3 * TIMES },
    );
  });
});
