import { z } from 'zod';
import type { UnreadableCell } from '../reading/read-settlement-file.ts';
import { negate, readAmount, readDay } from '../reading/read-values.ts';
import type { SkippedRow } from '../reading/skipped-rows.ts';
import type { ReadLines, StatementLine } from './mapping.ts';

/** An element; without content it is as one that is not there, which the schema of CAMT.053 allows nearly everywhere. */
function element<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.preprocess((value) => (isEmpty(value) ? undefined : value), z.looseObject(shape).optional());
}

/** Elements of a name, several, one or none, as a list without those that are empty. */
function listOf<Item extends z.ZodType>(item: Item) {
  return z.preprocess((value) => [value].flat().filter((each) => !isEmpty(each)), z.array(item));
}

/** A text, with attributes or without; undefined where it is empty. */
const text = z.preprocess((value) => {
  const content = typeof value === 'object' && value !== null && '#text' in value ? value['#text'] : value;
  return isEmpty(content) ? undefined : content;
}, z.string().optional());

/** True of an element without content, or with attributes alone. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && !Array.isArray(value) && Object.keys(value).every((key) => key.startsWith('@'));
}

const date = element({ Dt: text, DtTm: text });
const party = element({ Nm: text, Pty: element({ Nm: text }) });
const document = z.looseObject({ Nb: text });
const structured = z.looseObject({
  CdtrRefInf: element({ Ref: text }),
  RfrdDocInf: listOf(document),
  AddtlRmtInf: listOf(text),
});
const details = z.looseObject({
  Refs: element({
    EndToEndId: text,
    TxId: text,
    InstrId: text,
    PmtInfId: text,
    MsgId: text,
    AcctSvcrRef: text,
    ChqNb: text,
    Prtry: listOf(z.looseObject({ Ref: text })),
  }),
  RmtInf: element({ Ustrd: listOf(text), Strd: listOf(structured) }),
  RltdPties: element({ Dbtr: party, UltmtDbtr: party, Cdtr: party }),
  AddtlTxInf: text,
});
const entry = z.looseObject({
  Amt: z.looseObject({ '#text': z.string(), '@Ccy': z.string().regex(/^[A-Z]{3}$/) }),
  CdtDbtInd: z.enum(['CRDT', 'DBIT']),
  Sts: z.preprocess(
    (value) => (isEmpty(value) ? undefined : value),
    z.union([z.string(), z.looseObject({ Cd: text, Prtry: text }).transform(({ Cd, Prtry }) => Cd ?? Prtry)]).optional(),
  ),
  BookgDt: date,
  ValDt: date,
  NtryRef: text,
  AcctSvcrRef: text,
  AddtlNtryInf: text,
  NtryDtls: listOf(z.looseObject({ TxDtls: listOf(details) })),
});
const identification = z.looseObject({ IBAN: text, Othr: element({ Id: text }) });
const statement = z.looseObject({ Acct: z.looseObject({ Id: identification }), Ntry: listOf(entry) });
const documentSchema = z.looseObject({ BkToCstmrStmt: z.looseObject({ Stmt: listOf(statement) }) });

type Entry = z.output<typeof entry>;
type Details = z.output<typeof details>;

/** Length of a message about damaged XML, which names each element that does not end. */
const MESSAGE_MAX = 200;

/** Texts that say that there is none. */
const NONE = new Set(['NOTPROVIDED', 'NONREF']);

/**
 * Reads CAMT.053 of any version; why it is none where it is none. Entries that are not booked are skipped.
 *
 * @param zone of the days that are given as moments
 */
export async function readCamt(xml: string, zone: string): Promise<ReadLines | string> {
  const { XMLParser, XMLValidator } = await import('fast-xml-parser');
  if (/<!DOCTYPE/i.test(xml)) return 'is XML with a document type, which no statement has';
  const valid = XMLValidator.validate(xml);
  if (valid !== true) return `is damaged XML: line ${valid.err.line}: ${valid.err.msg.slice(0, MESSAGE_MAX)}`;
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    removeNSPrefix: true,
    parseTagValue: false,
    parseAttributeValue: false,
    alwaysCreateTextNode: false,
    // For characters by their number; the others are those of XML.
    htmlEntities: true,
  });
  const parsed = documentSchema.safeParse(documentOf(parser.parse(xml)));
  if (!parsed.success) return `is no statement by CAMT.053: ${parsed.error.issues[0]?.path.join('.') ?? ''} is missing or wrong`;
  const lines: StatementLine[] = [];
  const skipped: SkippedRow[] = [];
  const problems: UnreadableCell[] = [];
  let count = 0;
  for (const { Acct, Ntry } of parsed.data.BkToCstmrStmt.Stmt) {
    const bankAccount = (Acct.Id.IBAN ?? Acct.Id.Othr?.Id ?? '').slice(0, 100);
    for (const booked of Ntry) {
      count += 1;
      const read = readEntry(booked, zone);
      const wrong = bankAccount === '' ? 'is of a statement without an account' : 'problem' in read ? read.problem : null;
      if (wrong !== null) problems.push({ line: count, column: 'Entry', message: wrong });
      if ('problem' in read || wrong !== null) continue;
      const { amount, currency, text: said } = read;
      const isBooked = booked.Sts === undefined || booked.Sts === 'BOOK';
      if (isBooked && amount !== '0') lines.push({ bankAccount, ...read });
      else {
        const reason = isBooked ? 'no_amount' : 'not_booked';
        skipped.push({ line: count, text: said.slice(0, 60).toWellFormed(), reason, amount, currency });
      }
    }
  }
  return { lines, skipped, problems };
}

/** The document, also in an envelope with a header beside it. */
export function documentOf(parsed: unknown): unknown {
  const childrenOf = (value: unknown) => (typeof value === 'object' && value !== null ? Object.entries(value) : []);
  const roots = childrenOf(parsed);
  const [, document_] = [...roots, ...roots.flatMap(([, root]) => childrenOf(root))].find(([name]) => name === 'Document') ?? [];
  return document_ ?? parsed;
}

function readEntry(booked: Entry, zone: string): Omit<StatementLine, 'bankAccount'> | { readonly problem: string } {
  const currency = booked.Amt['@Ccy'];
  const format = { unit: 'main', decimalMark: '.', currency, isPlain: true } as const;
  const reading = readAmount(booked.Amt['#text'], format);
  if (reading.kind !== 'amount') return { problem: reading.kind === 'unreadable' ? reading.problem : 'has no amount' };
  const { Dt, DtTm } = booked.BookgDt ?? booked.ValDt ?? {};
  const bookedOn = readDay(Dt ?? DtTm ?? '', { dates: 'day_first', zone });
  if (bookedOn === null) return { problem: 'has no day' };
  const amount = booked.CdtDbtInd === 'CRDT' ? reading.amount : negate(reading.amount);
  const said = booked.NtryDtls.flatMap(({ TxDtls }) => TxDtls).flatMap(textsOf);
  const all = [booked.AddtlNtryInf, booked.AcctSvcrRef, ...said, booked.NtryRef].filter(
    (part) => part !== undefined && !NONE.has(part),
  );
  return { bookedOn, amount, currency, text: [...new Set(all)].join(' ') };
}

/** The texts of an entry about a transaction, the references that were sent along first. */
function textsOf({ Refs, RmtInf, RltdPties, AddtlTxInf }: Details): (string | undefined)[] {
  const { Ustrd = [], Strd = [] } = RmtInf ?? {};
  const { EndToEndId, TxId, InstrId, PmtInfId, MsgId, AcctSvcrRef, ChqNb, Prtry = [] } = Refs ?? {};
  const { Dbtr, UltmtDbtr, Cdtr } = RltdPties ?? {};
  return [
    ...Ustrd,
    ...Strd.flatMap(({ CdtrRefInf, RfrdDocInf, AddtlRmtInf }) => [
      CdtrRefInf?.Ref,
      ...RfrdDocInf.map(({ Nb }) => Nb),
      ...AddtlRmtInf,
    ]),
    EndToEndId,
    TxId,
    InstrId,
    PmtInfId,
    MsgId,
    AcctSvcrRef,
    ChqNb,
    ...Prtry.map(({ Ref }) => Ref),
    ...[Dbtr, UltmtDbtr, Cdtr].map((each) => each?.Nm ?? each?.Pty?.Nm),
    AddtlTxInf,
  ];
}
