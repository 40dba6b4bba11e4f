import { addDecimals } from '@switchyard/db/decimals';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fileOf, MAPPING, NOTHING_ENTERED } from '../testing/files.ts';
import type { SettlementMapping } from './mapping.ts';
import { readAmount } from './read-amount.ts';
import { readSettlementFile, SETTLEMENT_FILE_LIMITS } from './read-settlement-file.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const withColumns = (columns: Partial<SettlementMapping['columns']>, changes: Partial<SettlementMapping> = {}) => ({
  ...MAPPING,
  ...changes,
  columns: { ...MAPPING.columns, ...columns },
});
const bare = { settlement: null, settledOn: null, transactionId: null, fee: null, occurredAt: null };
const read = (content: Uint8Array, mapping: SettlementMapping = MAPPING, entered = NOTHING_ENTERED) =>
  readSettlementFile(content, mapping, entered);

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
    expect(file).toMatchObject({ rows: 1, leftOut: [6], problems: [] });
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

  test('takes the kind of a line from its word, and a refund off with or without a sign', async () => {
    const kinds = { sale: 'payment', refund: 'refund', chargeback: 'chargeback', 'stamp duty': 'other' } as const;
    const mapping = withColumns({ ...bare, kind: 'Type' }, { kinds });
    const text = 'Type,Reference,Amount\nSale,a,100\nREFUND,b,40\nRefund,c,-10\nChargeback,d,5\nStamp duty,,-50\n';
    const [settlement] = (await read(bytes(text), mapping, { reference: 'B', settledOn: '2026-11-25' })).settlements;
    expect(settlement?.lines.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['payment', '100'],
      ['refund', '-40'],
      ['refund', '-10'],
      ['chargeback', '-5'],
      ['other', '-50'],
    ]);
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
        const decimal = readAmount(String(expected), { unit: 'minor', decimalMark: '.' });
        expect([net, lines]).toEqual([decimal, decimal]);
      }),
      { numRuns: 50 },
    );
  });

  test('may have as many rows as the limit, and no more', async () => {
    const rows = Array.from({ length: SETTLEMENT_FILE_LIMITS.rowsMax }, (_, at) => `S-1,25/11/2026,sw-${at},,1,,`);
    expect((await read(fileOf(...rows.slice(1)))).rows).toBe(rows.length - 1);
    expect((await read(fileOf(...rows))).problems).toMatchObject([{ line: rows.length + 1 }]);
  });
});
