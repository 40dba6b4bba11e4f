import { addDecimals } from '@switchyard/db/decimals';
import fc from 'fast-check';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { fileOf, fixture, MAPPING, NOTHING_ENTERED } from '../testing/files.ts';
import type { SettlementMapping } from './mapping.ts';
import { readSettlementFile } from './read-settlement-file.ts';
import { readAmount } from './read-values.ts';

const TODAY = '2026-12-02';
const bytes = (text: string) => new TextEncoder().encode(text);
const withColumns = (columns: Partial<SettlementMapping['columns']>, changes: Partial<SettlementMapping> = {}) => ({
  ...MAPPING,
  ...changes,
  columns: { ...MAPPING.columns, ...columns },
});
const bare = { settlement: null, settledOn: null, transactionId: null, fee: null, occurredAt: null };
const read = (content: Uint8Array, mapping: SettlementMapping = MAPPING, entered = NOTHING_ENTERED) =>
  readSettlementFile(content, mapping, entered, TODAY);

describe('a settlement file', () => {
  test('is its payouts with their lines: each row an amount, and a fee where it has one', async () => {
    const file = await read(
      fileOf(
        'S-1,25/11/2026,sw-1,t-1,"2,500.00",37.50,24/11/2026 12:00',
        'S-1,25/11/2026,sw-2,t-2,"2,500.00",,24/11/2026 12:05',
        'S-2,26/11/2026,sw-1,t-3,(400.00),0,25/11/2026 09:00',
      ),
    );
    expect(file.problems).toEqual([]);
    const about = { reference: 'sw-1', transactionId: 't-1', occurredAt: new Date('2026-11-24T11:00:00Z'), description: null };
    expect(file.settlements[0]).toEqual({
      settlement: {
        settlementId: 'S-1',
        status: 'paid',
        currency: 'NGN',
        gross: '5000',
        fees: '37.5',
        deductions: '0',
        net: '4962.5',
        settledOn: '2026-11-25',
        createdAt: new Date('2026-11-25T00:00:00Z'),
      },
      lines: [
        { key: 'payment/t-1', kind: 'payment', amount: '2500', ...about },
        { key: 'fee/t-1', kind: 'fee', amount: '-37.5', ...about },
        {
          ...about,
          key: 'payment/t-2',
          kind: 'payment',
          amount: '2500',
          reference: 'sw-2',
          transactionId: 't-2',
          occurredAt: new Date('2026-11-24T11:05:00Z'),
        },
      ],
    });
    expect(file.settlements[1]).toMatchObject({
      settlement: { settlementId: 'S-2', gross: '0', deductions: '400', net: '-400' },
      lines: [{ kind: 'refund', amount: '-400' }],
    });
  });

  test('has its titles below what a bank writes above them, and totals are left out', async () => {
    const text = 'Settlement report,,\nMerchant:,Ada Ltd,\n\nReference,Amount\nsw-1,100\nTotal,100\n';
    const file = await read(bytes(text), withColumns(bare), { reference: 'B-7', settledOn: '2026-11-25' });
    expect(file).toMatchObject({ rows: 1, skipped: [{ line: 6, reason: 'total', amount: '100' }], problems: [] });
    expect(file.settlements).toMatchObject([{ settlement: { settlementId: 'B-7', net: '100', settledOn: '2026-11-25' } }]);
  });

  test('without a column of payouts is one for each day of payout', async () => {
    const text = 'Day,Reference,Amount\n25/11/2026,sw-1,100\n26/11/2026,sw-2,50\n';
    const file = await read(bytes(text), withColumns({ ...bare, settledOn: 'Day' }));
    expect(file.settlements.map(({ settlement }) => [settlement.settlementId, settlement.net])).toEqual([
      ['2026-11-25', '100'],
      ['2026-11-26', '50'],
    ]);
  });

  test('has what its net amounts leave beside its lines as the rest of the payout, and changes no amount', async () => {
    const text = 'Reference,Amount,Fee,Net\nsw-1,100,1.5,98\n';
    const mapping = withColumns({ ...bare, fee: 'Fee', net: 'Net' });
    const [settlement] = (await read(bytes(text), mapping, { reference: 'B', settledOn: '2026-11-25' })).settlements;
    expect(settlement?.settlement).toMatchObject({ gross: '100', fees: '1.5', net: '98', deductions: '0.5' });
    expect(settlement?.lines.map(({ amount }) => amount)).toEqual(['100', '-1.5']);
  });

  test('takes the kind of a line from its word, and takes refunds and chargebacks off that have no sign where the file writes none', async () => {
    const kinds = {
      sale: 'payment',
      refund: 'refund',
      'refund failed': 'refund_returned',
      chargeback: 'chargeback',
      'stamp duty': 'other',
      balance: 'skip',
    } as const;
    const mapping = withColumns({ ...bare, kind: 'Type' }, { kinds, signs: 'by_kind' });
    const text =
      'Type,Reference,Amount\nSale,a,100\nREFUND,b,40\nRefund,c,-10\nRefund failed,b,40\nChargeback,d,5\nStamp duty,,-50\nBalance,,9\n';
    const file = await read(bytes(text), mapping, { reference: 'B', settledOn: '2026-11-25' });
    expect(file.settlements[0]?.lines.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['payment', '100'],
      ['refund', '-40'],
      ['refund', '10'],
      ['refund', '40'],
      ['chargeback', '-5'],
      ['other', '-50'],
    ]);
    expect(file.skipped).toEqual([{ line: 8, text: 'Balance', reason: 'word', amount: '9', currency: 'NGN' }]);
  });

  test('names each cell that cannot be read by line and column, and then has no payout', async () => {
    const file = await read(
      fileOf(
        'S-1,25/11/2026,sw-1,t-1,2500,37.5,24/11/2026',
        'S-1,25/11/2026,sw-2,t-2,much,1,24/11/2026',
        ',31/02/2026,sw-3,t-3,,x,noon',
        'S-1,26/11/2026,sw-4,t-4,5,,',
        'S-1,25/11/2026,sw-1,t-1,2500,37.5,24/11/2026',
      ),
    );
    expect(file.settlements).toEqual([]);
    expect(file.problems).toEqual([
      { line: 3, column: 'Amount', message: 'is no amount: “much”' },
      { line: 4, column: 'Settled on', message: 'is no day: “31/02/2026”' },
      { line: 4, column: 'Settlement ref', message: 'must not be empty' },
      { line: 4, column: 'Amount', message: 'must not be empty' },
      { line: 4, column: 'Fee', message: 'is no amount: “x”' },
      { line: 4, column: 'Paid at', message: 'is no time: “noon”' },
      { line: 5, column: 'Settled on', message: 'differs from 2026-11-25, which line 2 has for the same payout' },
      { line: 6, column: 'Amount', message: 'repeats line 2' },
    ]);
  });

  test.each([
    ['a column is missing', fileOf(), withColumns({ net: 'Net' }), 'Net', 'is not among the titles of the columns'],
    ['it has no rows', fileOf(), MAPPING, 'Amount', 'has no rows'],
    [
      'no payout is named',
      fileOf('a'),
      withColumns({ settlement: null, settledOn: null }),
      'Day of payout',
      'is neither a column nor entered',
    ],
    ['it is no table', bytes('"'), MAPPING, 'column 1', 'has a quote that does not end'],
    [
      'a word of a kind has no meaning',
      bytes('Type,Reference,Amount\nSale,a,1'),
      withColumns({ ...bare, settledOn: 'Type', kind: 'Type' }),
      'Type',
      'is no day: “Sale”',
    ],
  ])('is refused where %s', async (_, content, mapping, column, message) => {
    expect((await read(content, mapping)).problems[0]).toMatchObject({ column, message });
  });

  test('never loses or makes money: its lines add up to its rows, whatever they are', async () => {
    const kobo = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n });
    const row = fc.record({ payout: fc.integer({ min: 1, max: 3 }), amount: kobo, fee: fc.bigInt({ min: 0n, max: 10n ** 9n }) });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 30 }), async (rows) => {
        const written = rows.map(({ payout, amount, fee }, at) => `S-${payout},25/11/2026,sw-${at},,${amount},${fee},`);
        const file = await read(fileOf(...written), { ...MAPPING, unit: 'minor' });
        expect(file.problems).toEqual([]);
        const net = addDecimals(...file.settlements.map(({ settlement }) => settlement.net));
        const lines = addDecimals(...file.settlements.flatMap((each) => each.lines.map(({ amount }) => amount)));
        const expected = rows.reduce((sum, { amount, fee }) => sum + amount - fee, 0n);
        const reading = readAmount(String(expected), { unit: 'minor', decimalMark: '.', currency: 'NGN' });
        const decimal = reading.kind === 'amount' ? reading.amount : reading.kind;
        expect([net, lines]).toEqual([decimal, decimal]);
      }),
      { numRuns: 50 },
    );
  });
});

/** The titles of a file that are those of {@link MAPPING}, and no others. */
function mappingOf(content: Uint8Array, changes: Partial<SettlementMapping> = {}): SettlementMapping {
  const text = new TextDecoder().decode(content);
  const isThere = (title: string | null) =>
    title !== null && (text.startsWith('PK') ? title !== 'Transaction id' : text.includes(title));
  const { amount, ...columns } = MAPPING.columns;
  const there = Object.entries(columns).map(([field, title]) => [field, isThere(title) ? title : null] as const);
  return { ...MAPPING, ...changes, columns: { ...MAPPING.columns, ...Object.fromEntries(there), amount, ...changes.columns } };
}

const kinds = { payment: 'payment', refund: 'refund', chargeback: 'chargeback', 'fee reversal': 'fee' } as const;
const ENTERED = { reference: 'B-7', settledOn: '2026-11-30' };

async function readFixture(name: string, changes: Partial<SettlementMapping> = {}) {
  const content = fixture(name);
  return read(content, mappingOf(content, changes), ENTERED);
}

const typed = (name: string) => {
  const content = fixture(name);
  const { columns } = mappingOf(content);
  return readFixture(name, { kinds, columns: { ...columns, kind: 'Type' } });
};
const amountsOf = ({ settlements }: Awaited<ReturnType<typeof readFixture>>) =>
  settlements.flatMap(({ lines }) => lines.map(({ kind, amount }) => `${kind} ${amount}`));

describe('a row is a transaction by what it has', () => {
  test.each([
    ['totals.csv', 'TOTALS'],
    ['unlabelled-total.csv', '300'],
  ])('and %s has its total left out, with its amount', async (name, text) => {
    const file = await readFixture(name);
    expect(amountsOf(file)).toEqual(['payment 100', 'fee -1', 'payment 200', 'fee -2']);
    expect(file.skipped).toEqual([{ line: 4, text, reason: 'total', amount: '300', currency: 'NGN' }]);
    expect(file.warnings).toEqual([]);
  });

  test('and no payment is left out by the name of its customer', async () => {
    const file = await readFixture('customer-total.csv');
    expect(amountsOf(file)).toEqual(['payment 5000', 'fee -1', 'payment 200', 'fee -2']);
    expect(file.skipped).toEqual([]);
  });

  const cases: [string, string, string[]][] = [
    ['a total of net amounts', 'Net Total,297,,', ['4 total 297']],
    ['a label with digits', 'Total (2) of 28/11/2026,300,3,', ['4 total 300']],
    ['a label in another language', 'JIMLA,300,3,', ['4 total 300']],
    [
      'sums of pages and of all',
      'Page,300,3,\nr-3,50,1,28/11/2026 11:00\nPage,50,1,\nAll,350,4,',
      ['4 total 300', '6 total 50', '7 total 350'],
    ],
    ['titles that are there again', 'Reference,Amount,Fee,Paid at', ['4 no_amount null']],
    ['words without an amount', 'Printed by Ada on 30/11/2026,,,', ['4 no_amount null']],
  ];
  test.each(cases)('and %s is none', async (_, rows, skipped) => {
    const text = `Reference,Amount,Fee,Paid at\nr-1,100,1,28/11/2026 10:00\nr-2,200,2,28/11/2026 10:01\n${rows}\n`;
    const file = await read(bytes(text), mappingOf(bytes(text)), ENTERED);
    expect(file.problems).toEqual([]);
    expect(file.skipped.map(({ line, reason, amount }) => `${line} ${reason} ${amount}`)).toEqual(skipped);
    expect(file.warnings).toEqual([]);
  });

  test('and one that is no sum is left out with a warning', async () => {
    const text = 'Reference,Amount,Fee,Paid at\nr-1,100,1,28/11/2026 10:00\nr-2,200,2,28/11/2026 10:01\nTOTAL,900,3,\n,-50,,\n';
    const file = await read(bytes(text), mappingOf(bytes(text)), ENTERED);
    expect(file.skipped.map(({ line, reason, amount }) => [line, reason, amount])).toEqual([
      [4, 'no_transaction', '900'],
      [5, 'no_transaction', '-50'],
    ]);
    expect(file.warnings).toEqual([{ kind: 'skipped_differs', lines: [4, 5], count: 2 }]);
  });

  test('and one of a file without references that may be a total is taken with a warning', async () => {
    const amounts = bytes('Amount\n100\n200\n300\n');
    const mapping = withColumns({ ...bare, reference: null });
    const file = await read(amounts, mapping, ENTERED);
    expect([amountsOf(file), file.warnings]).toEqual([
      ['payment 100', 'payment 200', 'payment 300'],
      [{ kind: 'rows_like_totals', lines: [4], count: 1 }],
    ]);
  });

  test('and one that lacks a cell that others have is taken, or names it', async () => {
    const text = (row: string) => `Payout,Reference,Amount,Paid at\nS-1,r-1,100,28/11/2026\nS-1,r-2,200,28/11/2026\n${row}\n`;
    const readRow = (row: string) => {
      const content = bytes(text(row));
      const { columns } = mappingOf(content);
      return read(content, mappingOf(content, { columns: { ...columns, settlement: 'Payout' } }), ENTERED);
    };
    expect(amountsOf(await readRow('S-1,r-3,300,'))).toEqual(['payment 100', 'payment 200', 'payment 300']);
    expect(amountsOf(await readRow('S-1,,40,28/11/2026'))).toEqual(['payment 100', 'payment 200', 'payment 40']);
    expect(amountsOf(await readRow('S-1,gift,40,28/11/2026'))).toEqual(['payment 100', 'payment 200', 'payment 40']);
    expect((await readRow(',r-3,300,28/11/2026')).problems).toEqual([
      { line: 4, column: 'Payout', message: 'must not be empty' },
    ]);
    expect((await readRow('S-1,r-3,,28/11/2026')).problems).toEqual([
      { line: 4, column: 'Amount', message: 'must not be empty' },
    ]);
  });

  test('and never loses money: what is taken and what is left out are all rows', async () => {
    const row = fc.record({
      reference: fc.constantFrom('', 'TOTAL', 'Net total', 'r-1', 'sw-22', 'Ada & Sons'),
      amount: fc.integer({ min: 1, max: 5 }),
      time: fc.constantFrom('', '28/11/2026', '28/11/2026 10:00'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 12 }), async (rows) => {
        const text = ['Reference,Amount,Paid at', ...rows.map(({ reference, amount, time }) => `${reference},${amount},${time}`)];
        const content = bytes(text.join('\n'));
        const file = await read(content, mappingOf(content), ENTERED);
        if (file.problems.length > 0) return;
        const taken = file.settlements.flatMap(({ lines }) => lines.map(({ amount }) => amount));
        const skipped = file.skipped.map(({ amount }) => amount ?? '0');
        expect(addDecimals(...taken, ...skipped)).toBe(String(rows.reduce((sum, { amount }) => sum + amount, 0)));
        const isWhole = ({ reference, time }: (typeof rows)[number]) => /\d/.test(reference) && time !== '';
        expect(file.skipped.filter(({ line }) => rows.some((row, at) => at === line - 2 && isWhole(row)))).toEqual([]);
      }),
    );
  });
});

describe('money that is given back is given back', () => {
  test.each([
    [
      'chargeback-reversal.csv',
      ['chargeback 5000', 'payment 9000'],
      { gross: '9000', fees: '0', deductions: '-5000', net: '14000' },
    ],
    ['fee-reversal.csv', ['fee 75'], { gross: '0', fees: '-75', deductions: '0', net: '75' }],
    ['refund-fee-returned.csv', ['refund -5000', 'fee 75'], { gross: '0', fees: '-75', deductions: '5000', net: '-4925' }],
  ])('of %s', async (name, lines, settlement) => {
    const file = await typed(name);
    expect(amountsOf(file)).toEqual(lines);
    expect(file.settlements).toMatchObject([{ settlement }]);
  });

  test('and one of a kind that has no minus in the whole file is named, since it may be taken off', async () => {
    expect((await typed('chargeback-reversal.csv')).warnings).toEqual([
      { kind: 'deductions_add', lineKind: 'chargeback', lines: [2], count: 1 },
    ]);
    const text = 'Type,Reference,Amount\nRefund,a,-100\nRefund,b,40\n';
    const mapping = withColumns({ ...bare, kind: 'Type' }, { kinds });
    const file = await read(bytes(text), mapping, ENTERED);
    expect([amountsOf(file), file.warnings]).toEqual([['refund -100', 'refund 40'], []]);
  });

  test('and a minus of fees means charged where those of payments have one', async () => {
    const text = 'Type,Reference,Amount,Fee\nPayment,a-1,100,-1\nPayment,a-2,200,-2\nRefund,a-1,-100,1\n';
    const mapping = withColumns({ ...bare, kind: 'Type', fee: 'Fee' }, { kinds });
    const file = await read(bytes(text), mapping, ENTERED);
    expect(amountsOf(file)).toEqual(['payment 100', 'fee -1', 'payment 200', 'fee -2', 'refund -100', 'fee 1']);
    expect(file.warnings).toEqual([{ kind: 'fees_negative', lines: [2, 3], count: 2 }]);
  });

  test('and a column of directions says which way an amount without a sign went', async () => {
    const text = 'DR/CR,Reference,Amount\nCR,a-1,100\nDr,a-2,40\n,a-3,5\n';
    const directed = withColumns({ ...bare, direction: 'DR/CR' }, { directions: { cr: 'credit', dr: 'debit' } });
    expect((await read(bytes(text), directed, ENTERED)).problems).toEqual([
      { line: 4, column: 'DR/CR', message: 'must not be empty' },
    ]);
    const file = await read(bytes(text.replace(',a-3', 'CR,a-3')), directed, ENTERED);
    expect(amountsOf(file)).toEqual(['payment 100', 'refund -40', 'payment 5']);
  });
});

describe('what cannot be read is not taken for nothing', () => {
  test('a formula that was not computed', async () => {
    const file = await readFixture('xlsx-fee-formula-uncached.xlsx');
    expect([file.settlements, file.problems]).toMatchObject([
      [],
      [{ line: 2, column: 'Fee', message: expect.stringMatching(/^holds a formula that was not computed/) }],
    ]);
  });

  test('a reference of 16 digits that is a number, and a time to the second', async () => {
    const [settlement] = (await readFixture('xlsx-16-digit-reference.xlsx')).settlements;
    expect(settlement?.lines[0]).toMatchObject({
      reference: '2026112710406712',
      amount: '1234.5',
      occurredAt: new Date('2026-11-25T22:30:00Z'),
    });
    const text = 'Reference,Amount\n2.02611E+15,100\n';
    expect((await read(bytes(text), withColumns(bare), ENTERED)).problems).toEqual([
      { line: 2, column: 'Reference', message: 'is a number that a spreadsheet has shortened: “2.02611E+15”' },
    ]);
  });

  test('a dash is nothing in a column of fees, and no amount', async () => {
    const text = 'Reference,Amount,Fee\na-1,"N1,000.00",-\na-2,₦5,N 0.50\n';
    const mapping = withColumns({ ...bare, fee: 'Fee' });
    expect(amountsOf(await read(bytes(text), mapping, ENTERED))).toEqual(['payment 1000', 'payment 5', 'fee -0.5']);
    expect((await read(bytes(text.replace('₦5', '-')), mapping, ENTERED)).problems).toEqual([
      { line: 3, column: 'Amount', message: 'must not be empty' },
    ]);
  });

  test('an amount with more decimals than its currency has', async () => {
    expect((await readFixture('dot-thousands.csv')).problems).toEqual([
      { line: 2, column: 'Amount', message: 'has more decimals than NGN has: “1.234”' },
    ]);
  });

  test('a line break within a text is a blank', async () => {
    const { columns } = mappingOf(fixture('newline-narration.csv'));
    const file = await readFixture('newline-narration.csv', { columns: { ...columns, description: 'Narration' } });
    expect(file.settlements[0]?.lines[0]).toMatchObject({ description: 'line one line two' });
  });

  test('references as spreadsheets copy them', async () => {
    const [settlement] = (await readFixture('squad-odd-references.csv')).settlements;
    const references = settlement?.lines.filter(({ kind }) => kind === 'payment').map(({ reference }) => reference);
    expect(references).toHaveLength(12);
    expect(references?.filter((reference) => !/^sy[0-9a-f]{34}$/.test(reference ?? ''))).toEqual([]);
  });
});

describe('a workbook', () => {
  test('is read from the sheet that has the columns, or the one that is chosen', async () => {
    expect(amountsOf(await readFixture('xlsx-summary-first.xlsx'))).toEqual(['payment 1234.5', 'fee -18.52']);
    expect(amountsOf(await readFixture('xlsx-summary-first.xlsx', { sheet: 'Transactions' }))).toHaveLength(2);
    expect((await readFixture('xlsx-summary-first.xlsx', { sheet: 'Summary' })).problems).toMatchObject([
      { message: 'is not among the titles of the columns' },
    ]);
  });

  test('has the rows that it hides, which are named', async () => {
    const file = await readFixture('xlsx-hidden-row.xlsx');
    expect(file.settlements[0]?.lines.map(({ reference }) => reference)).toEqual(['r2', 'r2', 'r3', 'r3']);
    expect(file.warnings).toEqual([{ kind: 'rows_hidden', lines: [3], count: 1 }]);
  });

  test('has a payout that is merged over its rows in each of them', async () => {
    const file = await readFixture('xlsx-merged-payout.xlsx');
    expect(file.settlements).toMatchObject([{ settlement: { settlementId: 'X1', settledOn: '2026-11-26', net: '1224.98' } }]);
  });
});

describe('what a person should know is named before anything is taken', () => {
  const warningsOf = async (...rows: string[]) => (await read(fileOf(...rows))).warnings;
  const at = (line: number) => ({ lines: [line], count: 1 });

  test('days that no file of today has', async () => {
    expect(
      await warningsOf('S-1,25/11/2062,a-1,,1,,25/11/2026', 'S-2,30/12/1899,a-2,,1,,', 'S-3,25/12/2026,a-3,,1,,06/12/2026'),
    ).toEqual([
      { kind: 'days_unlikely', column: 'Settled on', day: '2062-11-25', lines: [2, 3], count: 2 },
      { kind: 'days_unlikely', column: 'Paid at', day: '2026-12-06', ...at(4) },
    ]);
  });

  test('payouts of a day before their payments', async () => {
    expect(await warningsOf('S-1,25/11/2026,a-1,,1,,26/11/2026', 'S-1,25/11/2026,a-2,,1,,25/11/2026 23:59')).toEqual([
      { kind: 'payouts_before_payments', settledOn: '2026-11-25', paidOn: '2026-11-26', ...at(2) },
    ]);
  });

  test('dates of which no cell of the file says whether the day or the month is first', async () => {
    const either = { kind: 'days_either_way', column: 'Settled on', example: '04/11/2026', day: '2026-11-04' };
    expect(await warningsOf('S-1,04/11/2026,a-1,,1,,2026-11-03')).toEqual([{ ...either, ...at(2) }]);
    expect(await warningsOf('S-1,04/11/2026,a-1,,1,,', 'S-2,13/11/2026,a-2,,1,,')).toEqual([]);
    expect(await warningsOf('S-1,04/11/2026,a-1,,1,,30/10/2026')).toEqual([]);
  });

  test('refunds of a payment that are alike: two are two', async () => {
    const file = await typed('two-equal-refunds.csv');
    expect(amountsOf(file)).toEqual(['refund -500', 'refund -500']);
    expect(file.warnings).toEqual([{ kind: 'rows_repeated', ...at(3) }]);
  });

  test('references of which a spreadsheet may have lost digits', async () => {
    const doubtful = { kind: 'digits_doubtful', column: 'Reference', ...at(2) };
    const content = workbookWith('2026112710406710');
    expect((await read(content, mappingOf(content), ENTERED)).warnings).toEqual([doubtful]);
  });
});

/** A workbook with a reference that is a number. */
function workbookWith(reference: string): Uint8Array {
  const files = unzipSync(fixture('xlsx-16-digit-reference.xlsx'));
  const sheet = strFromU8(files['xl/worksheets/sheet1.xml'] ?? new Uint8Array()).replace('2026112710406712', reference);
  return zipSync({ ...files, 'xl/worksheets/sheet1.xml': strToU8(sheet) });
}

test('a day that is given as a moment is of the zone of the mapping', async () => {
  expect((await readFixture('settledon-utc.csv')).settlements).toMatchObject([{ settlement: { settledOn: '2026-12-01' } }]);
  const utc = await readFixture('settledon-utc.csv', { zone: 'UTC' });
  expect(utc.settlements).toMatchObject([{ settlement: { settledOn: '2026-11-30' } }]);
});

test('semicolons divide cells where a title holds a comma', async () => {
  const content = fixture('semicolon-comma-title.csv');
  const { columns } = mappingOf(content);
  const file = await readFixture('semicolon-comma-title.csv', {
    decimalMark: ',',
    columns: { ...columns, amount: 'Amount, NGN' },
  });
  expect(amountsOf(file)).toEqual(['payment 1234.5', 'fee -18.52', 'payment 234.5', 'fee -1.52']);
});
