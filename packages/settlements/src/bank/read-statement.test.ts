import { describe, expect, test } from 'vitest';
import { BANK_MAPPING, fixture } from '../testing/files.ts';
import type { BankMapping } from './mapping.ts';
import { formatOf, readStatement as readAny } from './read-statement.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const MAPPING: BankMapping = {
  ...BANK_MAPPING,
  columns: { ...BANK_MAPPING.columns, amount: null, credit: 'Credit', debit: 'Debit' },
};
const csv = { bankAccount: 'GTB 0123456789', mapping: MAPPING };
const TODAY = '2026-12-02';
const readStatement = (content: Uint8Array, of: typeof csv | null) => readAny(content, of, TODAY);

const MT940 = `:20:STARTUMSE
:25:0123456789
:28C:00001/001
:60F:C261124NGN1000,00
:61:2611251125C4962,50NTRFNONREF//PSK
:86:PAYSTACK PAYOUT
3090024
:61:2611251125D50,NCHGNONREF
:86:TRANSFER FEE
:62F:C261125NGN5912,50
`;

const entry = (amount: string, kind: string, text: string, status = '<Sts><Cd>BOOK</Cd></Sts>') => `<Ntry>
  <Amt Ccy="NGN">${amount}</Amt><CdtDbtInd>${kind}</CdtDbtInd>${status}<BookgDt><Dt>2026-11-25</Dt></BookgDt>
  <NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`;
const camt = (...entries: string[]) => `<?xml version="1.0"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Acct><Id><Othr><Id>0123456789</Id></Othr></Id></Acct>
${entries.join('')}</Stmt></BkToCstmrStmt></Document>`;

const payout = { bankAccount: '0123456789', bookedOn: '2026-11-25', amount: '4962.5', currency: 'NGN' };

describe('a bank statement', () => {
  test('is told by how it begins', () => {
    expect([formatOf(bytes(MT940)), formatOf(bytes(camt())), formatOf(bytes('Date,Amount'))]).toEqual([
      'mt940',
      'camt.053',
      'csv',
    ]);
  });

  test('by MT940 has its lines with all that the bank says of them', async () => {
    const { lines, problems } = await readStatement(bytes(MT940), null);
    expect(problems).toEqual([]);
    expect(lines).toEqual([
      { ...payout, text: 'PAYSTACK PAYOUT 3090024 PSK' },
      { ...payout, amount: '-50', text: 'TRANSFER FEE' },
    ]);
  });

  test('by MT940 that was cut off, so that its balances do not agree, is not read', async () => {
    const { lines, problems } = await readStatement(bytes(MT940.replace(/:61:2611251125D50[\s\S]*FEE\n/, '')), null);
    expect(lines).toEqual([]);
    expect(problems[0]?.message).toBe('does not follow from the lines: they add up to 4962.5, and the balances differ by 4912.5');
  });

  test('by CAMT.053 has its booked entries, one or several', async () => {
    const several = camt(
      entry('4962.50', 'CRDT', 'PAYSTACK &amp; CO 3090024'),
      entry('50.00', 'DBIT', 'Fee'),
      entry('9', 'CRDT', 'x', '<Sts>PDNG</Sts>'),
    );
    expect((await readStatement(bytes(several), null)).lines).toEqual([
      { ...payout, text: 'PAYSTACK & CO 3090024' },
      { ...payout, amount: '-50', text: 'Fee' },
    ]);
    expect((await readStatement(bytes(camt(entry('1', 'CRDT', 'a', ''))), null)).lines).toMatchObject([{ amount: '1' }]);
  });

  test.each([
    ['damaged XML', '<Document><a></Document>'],
    ['another document', '<Document><Other/></Document>'],
    ['a document type', `<!DOCTYPE d [<!ENTITY a "b">]>${camt(entry('1', 'CRDT', '&a;'))}`],
    ['no entries', camt()],
    ['an entry without an amount', camt(entry('much', 'CRDT', 'a'))],
  ])('with %s is not read', async (_, xml) => {
    const { lines, problems } = await readStatement(bytes(xml), null);
    expect([lines.length, problems.length]).toEqual([0, 1]);
  });

  test('by CSV has credits and debits by its mapping, without the rows of balances', async () => {
    const file =
      'GTBank\nAccount,0123\nValue date,Narration,Debit,Credit,Balance\n,Opening balance,,,"1,000.00"\n25/11/2026,PAYSTACK  3090024,,"4,962.50",x\n25/11/2026,Fee,50.00,0.00,x\n';
    expect(await readStatement(bytes(file), csv)).toEqual({
      format: 'csv',
      problems: [],
      warnings: [],
      skipped: [{ line: 4, text: 'Opening balance', reason: 'no_amount', amount: null, currency: 'NGN' }],
      lines: [
        { ...payout, bankAccount: csv.bankAccount, text: 'PAYSTACK 3090024' },
        { ...payout, bankAccount: csv.bankAccount, amount: '-50', text: 'Fee' },
      ],
    });
  });

  test('by CSV names each cell that cannot be read by line and column, and then has no lines', async () => {
    const file = 'Value date,Narration,Debit,Credit\n25/11/2026,a,,10\n31/02/2026,b,,10\n25/11/2026,c,much,\n';
    expect(await readStatement(bytes(file), csv)).toMatchObject({
      lines: [],
      problems: [
        { line: 3, column: 'Value date' },
        { line: 4, column: 'Debit' },
      ],
    });
    expect((await readStatement(bytes('a,b\n1,2'), csv)).problems).toMatchObject([{ column: 'Value date' }]);
  });
});

const shown = ({
  lines,
}: {
  readonly lines: readonly { readonly bookedOn: string; readonly amount: string; readonly text: string }[];
}) => lines.map(({ bookedOn, amount, text }) => `${bookedOn} ${amount} ${text}`.trim());

describe('a statement with columns', () => {
  const mapping = (changes: Partial<BankMapping['columns']> = {}, format: Partial<BankMapping> = {}) => ({
    bankAccount: 'GTB',
    mapping: { ...MAPPING, ...format, columns: { ...MAPPING.columns, bookedOn: 'Date', ...changes } },
  });
  const one = (format: Partial<BankMapping> = {}, changes: Partial<BankMapping['columns']> = {}) =>
    mapping({ amount: 'Amount', credit: null, debit: null, ...changes }, format);

  test('has no row with an amount and no day left out: it cannot be read, or is of the day above where the bank prints it so', async () => {
    expect((await readStatement(fixture('bank-blank-day.csv'), mapping())).problems).toEqual([
      { line: 3, column: 'Date', message: 'must not be empty: the row has an amount' },
    ]);
    const above = await readStatement(fixture('bank-blank-day.csv'), mapping({}, { emptyDays: 'row_above' }));
    expect(shown(above)).toEqual(['2026-11-26 1 A', '2026-11-26 2000 PAYSTACK SECOND LINE OF DAY']);
    expect(above.warnings).toEqual([{ kind: 'days_from_above', lines: [3], count: 1 }]);
  });

  test('has a credit and a debit of one row as two lines', async () => {
    const read = await readStatement(fixture('bank-both.csv'), mapping());
    expect(shown(read)).toEqual(['2026-11-26 500 X', '2026-11-26 -10 X']);
    expect(read.warnings).toEqual([{ kind: 'two_amounts', lines: [2], count: 1 }]);
  });

  test('has a debit that is below 0 as money that came back', async () => {
    const read = await readStatement(fixture('bank-negative-debit.csv'), mapping());
    expect(shown(read)).toEqual(['2026-11-26 50 CHARGE REVERSED']);
    expect(read.warnings).toEqual([{ kind: 'debits_returned', lines: [2], count: 1 }]);
    const rows = (...debits: string[]) =>
      readStatement(
        bytes(`Date,Narration,Debit,Credit\n${debits.map((debit) => `26/11/2026,a,${debit},`).join('\n')}\n`),
        mapping(),
      );
    expect(shown(await rows('-5.00', '7.00', '-9.00'))).toEqual(['2026-11-26 5 a', '2026-11-26 -7 a', '2026-11-26 9 a']);
    const negative = await rows('-5.00', '-7.00', '-9.00');
    expect(shown(negative)).toEqual(['2026-11-26 -5 a', '2026-11-26 -7 a', '2026-11-26 -9 a']);
    expect(negative.warnings).toEqual([{ kind: 'debits_negative', lines: [2, 3, 4], count: 3 }]);
  });

  test('has its totals left out with their amount, with a warning where they are no sums', async () => {
    const totalled = (total: string) =>
      readStatement(
        bytes(`Date,Narration,Debit,Credit\n26/11/2026,a,,10\n27/11/2026,b,4,\n28/11/2026,c,,20\n${total}\n`),
        mapping(),
      );
    for (const total of ['Total,,4,30', ',,4.00,30.00', '28/11/2026,,4,30', ',,4,']) {
      const { lines, skipped, warnings, problems } = await totalled(total);
      expect([total, lines.length, skipped[0]?.reason, warnings, problems]).toEqual([total, 3, 'total', [], []]);
    }
    const wrong = await readStatement(fixture('bank-paystack-total.csv'), mapping({ bookedOn: 'Value Date' }));
    expect([wrong.lines.length, wrong.skipped, wrong.warnings]).toEqual([
      14,
      [{ line: 19, text: 'Total', reason: 'no_transaction', amount: '3111177.07', currency: 'NGN' }],
      [{ kind: 'skipped_differs', lines: [19], count: 1 }],
    ]);
    expect((await totalled('Date,Narration,Debit,Credit')).skipped).toMatchObject([{ line: 5, reason: 'no_amount' }]);
    expect((await totalled(',,,31')).problems).toMatchObject([{ line: 5, column: 'Date' }]);
  });

  test('has an amount without a sign by the words of a column beside it', async () => {
    const directions = { cr: 'credit', dr: 'debit' } as const;
    const directed = one({ directions }, { direction: 'DR/CR' });
    const file = (...rows: string[]) => bytes(['Date,Narration,Amount,DR/CR', ...rows].join('\n'));
    const read = await readStatement(
      file('26/11/2026,a,"1,000.00",CR', '26/11/2026,b,50.00,DR', '26/11/2026,c,(5.00),DR'),
      directed,
    );
    expect(shown(read)).toEqual(['2026-11-26 1000 a', '2026-11-26 -50 b', '2026-11-26 5 c']);
    expect(read.warnings).toEqual([{ kind: 'debits_returned', lines: [4], count: 1 }]);
    const signed = await readStatement(file('26/11/2026,a,1000,CR', '26/11/2026,b,-50.00,DR'), directed);
    expect(shown(signed)).toEqual(['2026-11-26 1000 a', '2026-11-26 -50 b']);
    expect(signed.warnings).toEqual([{ kind: 'debits_negative', lines: [3], count: 1 }]);
    expect((await readStatement(file('26/11/2026,a,5,', '26/11/2026,b,5,REV'), directed)).problems).toEqual([
      { line: 2, column: 'DR/CR', message: 'must not be empty' },
      { line: 3, column: 'DR/CR', message: 'has the word “REV”, which has no meaning yet' },
    ]);
  });

  test('has the day of a moment by the zone of the mapping', async () => {
    const file = bytes('Date,Narration,Amount\n2026-11-30T23:30:00Z,a,1\n');
    expect(shown(await readStatement(file, one()))).toEqual(['2026-12-01 1 a']);
    expect(shown(await readStatement(file, one({ zone: 'UTC' })))).toEqual(['2026-11-30 1 a']);
  });

  test('is named where its days are unlikely, or could be read either way', async () => {
    const file = (...days: string[]) => bytes(`Date,Narration,Amount\n${days.map((day) => `${day},a,1`).join('\n')}\n`);
    expect((await readStatement(file('03/11/2026'), one())).warnings).toEqual([
      { kind: 'days_either_way', column: 'Date', example: '03/11/2026', day: '2026-11-03', lines: [2], count: 1 },
    ]);
    expect((await readStatement(file('13/11/2062', '13/11/2026'), one())).warnings).toEqual([
      { kind: 'days_unlikely', column: 'Date', day: '2062-11-13', lines: [2], count: 1 },
    ]);
  });

  test.each([
    ['1.234', 'has more decimals than NGN has: “1.234”'],
    ['USD 5', 'is in another currency than NGN: “USD 5”'],
  ])('has no amount of %s', async (amount, message) => {
    const file = bytes(`Date,Narration,Amount\n13/11/2026,a,${amount}\n`);
    expect((await readStatement(file, one())).problems).toEqual([{ line: 2, column: 'Amount', message }]);
  });
});

describe('CAMT.053', () => {
  const read = async (name: string) => readStatement(fixture(name), null);

  test('is read with valid elements that are empty', async () => {
    expect(await read('camt-empty-details.xml')).toMatchObject({
      lines: [{ bookedOn: '2026-11-26', amount: '429.56' }],
      problems: [],
    });
    const empty =
      '<AcctSvcrRef/><ValDt/><NtryDtls><TxDtls/><TxDtls><Refs/><RmtInf/><RltdPties><Dbtr/></RltdPties></TxDtls></NtryDtls>';
    const xml = camt(entry('1', 'CRDT', 'a').replace('</Ntry>', `${empty}</Ntry>`));
    expect((await readStatement(bytes(xml), null)).lines).toMatchObject([{ amount: '1', text: 'a' }]);
  });

  test('has the structured references of its remittances, and who paid', async () => {
    expect((await read('camt-strd.xml')).lines).toMatchObject([{ text: '20261110100005' }]);
    const details = `<NtryDtls><TxDtls><RltdPties><Dbtr><Pty><Nm>PAYSTACK LTD</Nm></Pty></Dbtr></RltdPties><RmtInf><Strd>
      <RfrdDocInf><Nb>DOC-1</Nb></RfrdDocInf><RfrdDocInf><Nb>DOC-2</Nb></RfrdDocInf><CdtrRefInf><Tp/><Ref xml:lang="en">REF-9</Ref></CdtrRefInf>
      <AddtlRmtInf>more</AddtlRmtInf></Strd><Strd><CdtrRefInf><Ref>REF-8</Ref></CdtrRefInf></Strd></RmtInf></TxDtls></NtryDtls>`;
    const xml = camt(entry('1', 'CRDT', 'a').replace('</Ntry>', `${details}</Ntry>`));
    expect((await readStatement(bytes(xml), null)).lines[0]?.text).toBe('a REF-9 DOC-1 DOC-2 more REF-8 PAYSTACK LTD');
  });

  test('has the day of a moment as it is in Lagos, and a day as it is written', async () => {
    expect(shown(await read('camt-dttm-utc.xml'))).toEqual(['2026-12-01 429.56']);
    const dated = (day: string) => bytes(camt(entry('1', 'CRDT', 'a').replace('<Dt>2026-11-25</Dt>', day)));
    expect(shown(await readStatement(dated('<Dt>2026-11-25+01:00</Dt>'), null))).toEqual(['2026-11-25 1 a']);
    expect(shown(await readStatement(dated('<DtTm>2026-11-25T23:30:00</DtTm>'), null))).toEqual(['2026-11-25 1 a']);
  });

  test('is of the day on which an entry was booked, and of its value day where the bank gives no other', async () => {
    const dated = (days: string) => bytes(camt(entry('1', 'CRDT', 'a').replace(/<BookgDt>.*?<\/BookgDt>/, days)));
    const value = '<ValDt><Dt>2026-11-23</Dt></ValDt>';
    const both = dated(`<BookgDt><Dt>2026-11-25</Dt></BookgDt>${value}`);
    expect(shown(await readStatement(both, null))).toEqual(['2026-11-25 1 a']);
    expect(shown(await readStatement(dated(value), null))).toEqual(['2026-11-23 1 a']);
  });

  test('has what is not booked, or is 0, left out with its amount', async () => {
    const xml = camt(
      entry('9', 'CRDT', 'pending', '<Sts>PDNG</Sts>'),
      entry('8', 'DBIT', 'own', '<Sts><Prtry>X</Prtry></Sts>'),
      entry('0.00', 'DBIT', 'nothing'),
      entry('1', 'CRDT', 'a'),
    );
    const { lines, skipped } = await readStatement(bytes(xml), null);
    expect(lines).toHaveLength(1);
    expect(skipped.map(({ line, reason, amount }) => `${line} ${reason} ${amount}`)).toEqual([
      '1 not_booked 9',
      '2 not_booked -8',
      '3 no_amount 0',
    ]);
  });

  test('names each entry that cannot be read', async () => {
    const xml = camt(
      entry('1.234', 'CRDT', 'a'),
      entry('1', 'CRDT', 'b').replace('2026-11-25', '2026-02-31'),
      entry('100.000', 'CRDT', 'c'),
    );
    const { lines, problems } = await readStatement(bytes(xml), null);
    expect([lines, problems]).toEqual([
      [],
      [
        { line: 1, column: 'Entry', message: 'has more decimals than NGN has: “1.234”' },
        { line: 2, column: 'Entry', message: 'has no day' },
      ],
    ]);
  });

  test('has characters by their number', async () => {
    const { lines } = await readStatement(bytes(camt(entry('1', 'CRDT', 'PSK&#45;2026&#x31;1 &amp;#65;'))), null);
    expect(lines[0]?.text).toBe('PSK-202611 &#65;');
  });

  test('is read in an envelope, and in the encoding that it names', async () => {
    const document = camt(entry('1', 'CRDT', 'Caf\u00e9')).replace('<?xml version="1.0"?>', '');
    const wrapped = `<?xml version="1.0" encoding="ISO-8859-1"?><Message><AppHdr/>${document}</Message>`;
    expect(shown(await readStatement(new Uint8Array(Buffer.from(wrapped, 'latin1')), null))).toEqual(['2026-11-25 1 Caf\u00e9']);
  });
});

describe('MT940', () => {
  const statement = (entries: string, closing: string) =>
    `{1:F01GTBINGLAXXX}{4:\r\n:20:S\r\n:25:0123456789\r\n:28C:1/1\r\n:60F:C261124NGN1000,00\r\n${entries.replaceAll('\n', '\r\n')}\r\n:62F:C261125NGN${closing}\r\n-}`;
  const read = (entries: string, closing: string) => readStatement(bytes(statement(entries, closing)), null);

  test.each([
    ['251231', '0102', '2026-01-02'],
    ['260102', '1231', '2025-12-31'],
    ['260105', '0103', '2026-01-03'],
    ['240301', '0229', '2024-02-29'],
  ])('has the entry of value day %s on %s of the nearest year', async (value, entered, day) => {
    expect(shown(await read(`:61:${value}${entered}C500,00NTRFREF1//B1\n:86:NIP`, '1500,00'))).toEqual([
      `${day} 500 NIP REF1 B1`,
    ]);
  });

  test('has the entry of a file across New Year in the new one', async () => {
    expect(shown(await readStatement(fixture('mt940-year-turn.txt'), null))).toEqual(['2026-01-02 500 NIP PAYSTACK REF1 B1']);
  });

  const details: [string, string, string][] = [
    ['a reference that a line end cuts', 'NIP PAYSTACK 20261110\n100005', 'NIP PAYSTACK 20261110100005'],
    [
      'letters and digits that it cuts',
      'NIP sy01a222bf82b676\nec87c4101e9a1dba5200 LTD',
      'NIP sy01a222bf82b676ec87c4101e9a1dba5200 LTD',
    ],
    ['words in two lines', 'PAYSTACK PAYOUT\n3090024', 'PAYSTACK PAYOUT 3090024'],
    ['two references', 'PAYSTACK 20261110100005\n20261111100005', 'PAYSTACK 20261110100005 20261111100005'],
    ['a full line', `${'X'.repeat(60)} PAYS\nTACK SETTLEMENT`, `${'X'.repeat(60)} PAYSTACK SETTLEMENT`],
    ['a blank at its end', 'NIP 2026 \n1110', 'NIP 2026 1110'],
    [
      'parts with codes',
      '166?00CREDIT?20NIP PAYSTACK 2026?2111101000\n05?32PAYSTACK LTD',
      'NIP PAYSTACK 20261110100005 PAYSTACK LTD CREDIT',
    ],
  ];
  test.each(details)('has %s whole', async (_, text, expected) => {
    expect((await read(`:61:2611251125C500,00NTRFNONREF\n:86:${text}`, '1500,00')).lines[0]?.text).toBe(expected);
  });

  test('keeps references that do not fit their field, and what a second line adds', async () => {
    const entry = ':61:2611251125C500,00NTRFPSK/2026-11-10/100005//BANK-REFERENCE-LONGER\nEXTRA\n:NS:x\n:86:A\n:86:B';
    expect((await read(entry, '1500,00')).lines[0]?.text).toBe('A B PSK/2026-11-10/100005 BANK-REFERENCE-LONGEREXTRA');
  });

  test('has reversals with their own sign, and what is expected left out', async () => {
    const { lines, skipped } = await read(
      ':61:261125RC500,00NTRFA\n:61:261125RD200,00NTRFB\n:61:261125DN100,00NCHGC\n:61:261125EC9,00NTRFD',
      '600,00',
    );
    expect(lines.map(({ amount }) => amount)).toEqual(['-500', '200', '-100']);
    expect(skipped).toMatchObject([{ reason: 'not_booked', amount: '9' }]);
  });

  test('adds up exactly, however large and many its amounts are', async () => {
    const entries = Array.from({ length: 2_000 }, () => ':61:261125C99999999999,99NTRFA').join('\n');
    expect((await read(entries, '200000000000980,00')).problems).toEqual([]);
    expect((await read(entries, '200000000000980,01')).problems).toMatchObject([{ column: ':62F:' }]);
  });

  test.each([
    ['an amount with more decimals', ':61:261125C500,005NTRFA', 'has no amount of NGN: “500,005”'],
    ['a day that is none', ':61:260231C500,00NTRFA', 'has no day: “260231C500”'],
    ['an entry of another form', ':61:C500,00NTRFA', 'is no entry: “C500,00NTRFA”'],
  ])('names %s', async (_, entry, message) => {
    expect((await read(entry, '1500,00')).problems).toEqual([{ line: 6, column: ':61:', message }]);
  });

  test('whose balances are in two currencies is not read', async () => {
    const text = statement(':61:261125C500,00NTRFA', '1500,00').replace(':62F:C261125NGN', ':62F:C261125USD');
    expect((await readStatement(bytes(text), null)).problems).toEqual([
      { line: 7, column: ':62F:', message: 'is in another currency than NGN' },
    ]);
  });

  test('without an account or a balance is not read', async () => {
    expect((await readStatement(bytes(':20:S\n:25:1\n:60F:C261124NGN1,00\n'), null)).problems).toEqual([
      { line: 1, column: ':20:', message: 'begins a statement without its account, opening or closing balance' },
    ]);
  });
});

test('a statement of too many lines is refused before they are added up, and damaged XML in a sentence', async () => {
  const many = `:20:x\n:25:1\n${':61:2611241124C10,00NTRFREF\n'.repeat(101_001)}`;
  expect((await readStatement(new TextEncoder().encode(many), null)).problems).toEqual([
    { line: 1, column: 'The file', message: 'has more than 101000 lines' },
  ]);
  const open = await readStatement(new TextEncoder().encode(`<Document>${'<a>'.repeat(1_000)}`), null);
  expect(open.problems.map(({ message }) => message.length < 300)).toEqual([true]);
});
