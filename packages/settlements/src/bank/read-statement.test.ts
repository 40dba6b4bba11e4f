import { describe, expect, test } from 'vitest';
import type { BankMapping } from './mapping.ts';
import { formatOf, readStatement } from './read-statement.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const MAPPING: BankMapping = {
  columns: { bookedOn: 'Value date', amount: null, credit: 'Credit', debit: 'Debit', text: 'Narration', reference: null },
  currency: 'NGN',
  decimalMark: '.',
  dates: 'day_first',
};
const csv = { bankAccount: 'GTB 0123456789', mapping: MAPPING };

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
    expect(problems[0]?.message).toMatch(/^cannot be read as MT940: Sum of lines/);
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
