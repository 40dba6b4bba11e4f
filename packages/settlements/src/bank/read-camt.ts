import { z } from 'zod';
import { readAmount } from '../files/read-amount.ts';
import { readDay } from '../files/read-time.ts';
import type { StatementLine } from './statement-line.ts';

const DATES = { dates: 'day_first' } as const;
const AMOUNTS = { unit: 'main', decimalMark: '.' } as const;

/** One element, several, or none, as a list. */
function listOf<Item extends z.ZodType>(item: Item) {
  return z
    .union([z.array(item), item.transform((one) => [one])])
    .optional()
    .transform((all) => all ?? []);
}

const text = z.string().optional();
const date = z.looseObject({ Dt: text, DtTm: text }).transform(({ Dt, DtTm }) => readDay(Dt ?? DtTm ?? '', DATES));
const details = z.looseObject({
  Refs: z.looseObject({ EndToEndId: text, TxId: text, InstrId: text }).optional(),
  RmtInf: z.looseObject({ Ustrd: listOf(z.string()) }).optional(),
  RltdPties: z.looseObject({ Dbtr: z.looseObject({ Nm: text }).optional() }).optional(),
});
const entry = z.looseObject({
  Amt: z.looseObject({ '#text': z.string(), '@Ccy': z.string().regex(/^[A-Z]{3}$/) }),
  CdtDbtInd: z.enum(['CRDT', 'DBIT']),
  Sts: z.union([z.string(), z.looseObject({ Cd: z.string() }).transform(({ Cd }) => Cd)]).optional(),
  BookgDt: date.optional(),
  ValDt: date.optional(),
  AcctSvcrRef: text,
  AddtlNtryInf: text,
  NtryDtls: listOf(z.looseObject({ TxDtls: listOf(details) })),
});
const identification = z.looseObject({ IBAN: text, Othr: z.looseObject({ Id: z.string() }).optional() });
const statement = z.looseObject({ Acct: z.looseObject({ Id: identification }), Ntry: listOf(entry) });
const documentSchema = z.looseObject({
  Document: z.looseObject({ BkToCstmrStmt: z.looseObject({ Stmt: listOf(statement) }) }),
});

/** Reads CAMT.053 of any version; why it cannot be read where it cannot. Entries that are not booked are left out. */
export async function readCamt(xml: string): Promise<readonly StatementLine[] | string> {
  const { XMLParser, XMLValidator } = await import('fast-xml-parser');
  if (/<!DOCTYPE/i.test(xml)) return 'is XML with a document type, which no statement has';
  const valid = XMLValidator.validate(xml);
  if (valid !== true) return `is damaged XML: line ${valid.err.line}: ${valid.err.msg}`;
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    removeNSPrefix: true,
    parseTagValue: false,
    parseAttributeValue: false,
    alwaysCreateTextNode: false,
  });
  const parsed = documentSchema.safeParse(parser.parse(xml));
  if (!parsed.success) return `is no statement by CAMT.053: ${parsed.error.issues[0]?.path.join('.') ?? ''} is missing or wrong`;
  const lines: StatementLine[] = [];
  for (const { Acct, Ntry } of parsed.data.Document.BkToCstmrStmt.Stmt) {
    const bankAccount = (Acct.Id.IBAN ?? Acct.Id.Othr?.Id ?? '').slice(0, 100);
    for (const booked of Ntry.filter(({ Sts }) => Sts === undefined || Sts === 'BOOK')) {
      const amount = readAmount(booked.Amt['#text'], AMOUNTS);
      const bookedOn = booked.BookgDt ?? booked.ValDt ?? null;
      if (amount === null || bookedOn === null || bankAccount === '')
        return 'has an entry without an amount, a day or an account';
      const of = booked.NtryDtls.flatMap(({ TxDtls }) => TxDtls);
      const said = of.flatMap(({ Refs, RmtInf, RltdPties }) => [
        ...(RmtInf?.Ustrd ?? []),
        ...[Refs?.EndToEndId, Refs?.TxId, Refs?.InstrId, RltdPties?.Dbtr?.Nm].flatMap((part) => part ?? []),
      ]);
      const all = [booked.AddtlNtryInf, booked.AcctSvcrRef, ...said].filter(
        (part) => part !== undefined && part !== 'NOTPROVIDED',
      );
      lines.push({
        bankAccount,
        bookedOn,
        amount: booked.CdtDbtInd === 'CRDT' ? amount : `-${amount}`,
        currency: booked.Amt['@Ccy'],
        text: all.join(' '),
      });
    }
  }
  return lines;
}
