import { createHash } from 'node:crypto';
import { canonicalJson } from '@switchyard/db';
import { type Mode, Prisma } from '@switchyard/db/client';
import { calendarDay, dateOf, dayText } from '@switchyard/runtime/calendar-days';
import { appendEntry } from '../audit.ts';
import { earlierDay, SETTLEMENT_ZONE } from '../calendar.ts';
import { allowComputing, FILE_TRANSACTION, type SettlementContext, sha256 } from '../context.ts';
import type { FileWarning } from '../reading/file-warning.ts';
import type { TakeProgress } from '../reading/in-turns.ts';

import type { UnreadableCell } from '../reading/read-settlement-file.ts';
import { type SkippedRow, type SkippedSum, sumSkipped } from '../reading/skipped-rows.ts';

import { batches, LARGE_BATCH, quietAt } from '../source-lease.ts';
import { type AccountCoverage, type Days, mergeDays } from './arrivals.ts';
import type { BankMapping, StatementLine } from './mapping.ts';
import { enqueueBankMatch } from './match-queries.ts';
import { type ReadStatement, readStatement, STATEMENT_LIMITS, type StatementFormat } from './read-statement.ts';
import { readStatedDays } from './stated-days.ts';

/** A statement of a merchant's bank. CSV names neither its account nor its columns. */
export interface StatementFile {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly csv: {
    readonly bankAccount: string;
    readonly mapping: BankMapping;
    /** The days that the statement is of, as a person entered them; absent where the file says so, or its lines do. */
    readonly days?: Days | undefined;
  } | null;
}

/** The outcome that a statement would have now. Amounts are exact decimals of the main unit. */
export interface StatementPreview {
  readonly kind: 'preview';
  readonly format: StatementFormat;
  /** By account and currency. */
  readonly accounts: readonly {
    readonly bankAccount: string;
    readonly currency: string;
    /** The days that the statement covers: on them payouts can be missing. */
    readonly days: readonly Days[];
    readonly credits: string;
    readonly debits: string;
    /** Lines that are stored, and those that an earlier statement had. */
    readonly fresh: number;
    readonly known: number;
  }[];
  /** The first lines. */
  readonly lines: readonly (StatementLine & { readonly isKnown: boolean })[];
  /** Rows that are not lines: the first of them, their number, and the sums of their amounts. */
  readonly skipped: readonly SkippedRow[];
  readonly skippedCount: number;
  readonly skippedSums: readonly SkippedSum[];
  /** Warnings to show before the statement is taken in. */
  readonly warnings: readonly FileWarning[];
  readonly problems: readonly UnreadableCell[];
  readonly problemCount: number;
  /** When the same content was taken in before. */
  readonly takenBefore: Date | null;
  /** True if it was then read otherwise: that import is withdrawn before this one. */
  readonly readOtherwise: boolean;
  /** Names exactly this preview; taking the statement in is asked for with it. */
  readonly hash: string;
}

/** The lines that a statement made known, or why there are none. */
export type TakeStatementOutcome =
  | { readonly kind: 'taken'; readonly statementId: string; readonly lines: number; readonly known: number }
  /** The same content was taken in before. */
  | { readonly kind: 'unchanged'; readonly statementId: string }
  /** Another preview holds by now, or this one has problems; nothing was done. */
  | { readonly kind: 'changed'; readonly preview: StatementPreview }
  | StatementRefusal;

/** Why there is no preview. */
export type StatementRefusal = { readonly kind: 'not_found' } | { readonly kind: 'too_large'; readonly bytesMax: number };

const SHOWN_MAX = 100;

/** Says what would become of a statement now. Changes nothing. */
export async function previewStatement(
  context: SettlementContext,
  file: StatementFile,
): Promise<StatementPreview | StatementRefusal> {
  const refusal = refusalOf(context, file);
  if (refusal !== null) return refusal;
  const { prisma } = context.resources.database;
  const plan = await planStatement(prisma, file, await readFile(context, file));
  return previewOf(plan, await findTaken(prisma, file));
}

/**
 * Takes a statement in as its preview said, in one transaction; where anything differs by then, nothing is done. Lines that an earlier
 * statement had are left out. What reached the bank is found out right after. `onProgress` is called with how many lines are stored so far.
 */
export async function takeStatement(
  context: SettlementContext,
  file: StatementFile & { readonly hash: string },
  actor: string,
  onProgress: (progress: TakeProgress) => void = () => undefined,
): Promise<TakeStatementOutcome> {
  const refusal = refusalOf(context, file);
  if (refusal !== null) return refusal;
  onProgress({ stage: 'reading', done: 0, of: 0 });
  const read = await readFile(context, file);
  const { prisma } = context.resources.database;
  try {
    return await prisma.$transaction(async (transaction): Promise<TakeStatementOutcome> => {
      await allowComputing(transaction);
      const plan = await planStatement(transaction, file, read);
      const before = await findTaken(transaction, file);
      if (before !== null && !isReadOtherwise(plan, before)) return { kind: 'unchanged', statementId: before.id };
      if (plan.hash !== file.hash || read.problems.length > 0 || before !== null) {
        return { kind: 'changed', preview: previewOf(plan, before) };
      }
      return await record(context, transaction, file, plan, actor, onProgress);
    }, FILE_TRANSACTION);
  } catch (error) {
    // Another statement with some of its lines came in between.
    if (!(error instanceof Prisma.PrismaClientKnownRequestError) || !['P2002', 'P2010'].includes(error.code)) throw error;
    const again = await previewStatement(context, file);
    return again.kind === 'preview' ? { kind: 'changed', preview: again } : again;
  }
}

function refusalOf({ resources }: SettlementContext, { merchantId, bytes }: StatementFile): StatementRefusal | null {
  if (resources.configuration.merchant(merchantId) === undefined) return { kind: 'not_found' };
  const { bytesMax } = STATEMENT_LIMITS;
  return bytes.length > bytesMax ? { kind: 'too_large', bytesMax } : null;
}

/** The statement of the same content that counts, with the days that it covers. */
interface TakenStatement {
  readonly id: string;
  readonly takenAt: Date;
  readonly days: readonly string[];
}

async function findTaken(
  client: Pick<Prisma.TransactionClient, 'bankStatement' | 'bankCoverage'>,
  { merchantId, mode, bytes }: StatementFile,
): Promise<TakenStatement | null> {
  const taken = await client.bankStatement.findFirst({
    where: { merchantId, mode, hash: sha256(bytes), withdrawnAt: null },
    select: { id: true, takenAt: true },
  });
  if (taken === null) return null;
  const coverage = await client.bankCoverage.findMany({ where: { merchantId, statementId: taken.id } });
  return {
    ...taken,
    days: coverage
      .map(({ bankAccount, coveredFrom, coveredTo }) => dayKey(bankAccount, dayText(coveredFrom), dayText(coveredTo)))
      .toSorted(),
  };
}

function dayKey(bankAccount: string, from: string, to: string): string {
  return `${bankAccount} ${from} ${to}`;
}

/** True if the same content was taken in by other columns, for another bank account or of other days: nothing of it is known just so. */
function isReadOtherwise({ read, lines }: StatementPlan, { days }: TakenStatement): boolean {
  const covered = read.coverage.flatMap(({ bankAccount, days: own }) => own.map(({ from, to }) => dayKey(bankAccount, from, to)));
  return lines.some(({ isKnown }) => !isKnown) || canonicalJson(covered.toSorted()) !== canonicalJson(days);
}

/** A statement with the days that it covers. */
interface ReadFile extends ReadStatement {
  readonly coverage: readonly AccountCoverage[];
}

async function readFile(context: SettlementContext, { bytes, csv }: StatementFile): Promise<ReadFile> {
  const read = await readStatement(bytes, csv, dayText(context.now()));
  const stated =
    csv?.days === undefined ? await readStatedDays(bytes, csv) : [{ bankAccount: csv.bankAccount, days: [csv.days] }];
  return { ...read, coverage: coverageOf(read.lines, stated, calendarDay(context.now(), SETTLEMENT_ZONE)) };
}

/**
 * The days that a statement states, and where it states none those from its first line to its last. A stated period that does not hold all of its
 * lines is of something else, and no statement covers a day that is still to come.
 */
function coverageOf(lines: readonly StatementLine[], stated: readonly AccountCoverage[], today: string): AccountCoverage[] {
  const booked = Map.groupBy(lines, ({ bankAccount }) => bankAccount);
  const accounts = [...new Set([...booked.keys(), ...stated.map(({ bankAccount }) => bankAccount)])];
  return accounts.flatMap((bankAccount): AccountCoverage[] => {
    const own = (booked.get(bankAccount) ?? []).map(({ bookedOn }) => bookedOn).toSorted();
    const [first, last] = [own[0], own.at(-1)];
    const said = mergeDays(stated.filter((each) => each.bankAccount === bankAccount).flatMap(({ days }) => days));
    const holdsAll = own.every((day) => said.some(({ from, to }) => from <= day && day <= to));
    const spanned = first === undefined || last === undefined ? [] : [{ from: first, to: last }];
    const days = (said.length > 0 && holdsAll ? said : spanned).flatMap(({ from, to }): Days[] =>
      from > today ? [] : [{ from, to: earlierDay(to, today) }],
    );
    return days.length === 0 ? [] : [{ bankAccount, days }];
  });
}

interface PlannedLine extends StatementLine {
  readonly dedupeKey: string;
  readonly isKnown: boolean;
  /** The id of the line as another statement had it; null where none did. */
  readonly knownId: string | null;
}

interface StatementPlan {
  readonly read: ReadFile;
  readonly lines: readonly PlannedLine[];
  readonly hash: string;
}

async function planStatement(
  client: Pick<Prisma.TransactionClient, 'bankLine'>,
  { merchantId, mode, bytes, csv }: StatementFile,
  read: ReadFile,
): Promise<StatementPlan> {
  const keyed = withKeys(read.lines);
  const known = new Map<string, string>();
  for (const some of batches(keyed, LARGE_BATCH)) {
    const rows = await client.bankLine.findMany({
      where: { merchantId, mode, dedupeKey: { in: some.map(({ dedupeKey }) => dedupeKey) } },
      select: { id: true, bankAccount: true, dedupeKey: true },
    });
    for (const { id, bankAccount, dedupeKey } of rows) known.set(`${bankAccount}\n${dedupeKey}`, id);
  }
  const lines = keyed.map((line): PlannedLine => {
    const knownId = known.get(`${line.bankAccount}\n${line.dedupeKey}`) ?? null;
    return { ...line, isKnown: knownId !== null, knownId };
  });
  const { coverage } = read;
  const facts = { merchantId, mode, content: sha256(bytes), csv, coverage, known: lines.map(({ isKnown }) => isKnown) };
  return { read, lines, hash: sha256(canonicalJson(facts)) };
}

/** Lines that are alike on one day are numbered: another statement of that day has as many. */
function withKeys(lines: readonly StatementLine[]): (StatementLine & { readonly dedupeKey: string })[] {
  const counts = new Map<string, number>();
  return lines.map((line) => {
    const { bankAccount, bookedOn, amount, currency, text } = line;
    const facts = JSON.stringify([bankAccount, bookedOn, amount, currency, text]);
    const count = counts.get(facts) ?? 0;
    counts.set(facts, count + 1);
    return { ...line, dedupeKey: createHash('sha256').update(`${facts}${count}`).digest('hex') };
  });
}

async function record(
  context: SettlementContext,
  transaction: Prisma.TransactionClient,
  { merchantId, mode, name, bytes, csv }: StatementFile,
  { read, lines }: StatementPlan,
  actor: string,
  onProgress: (progress: TakeProgress) => void,
): Promise<TakeStatementOutcome> {
  const now = context.now();
  const statementId = context.newId();
  const fresh = lines.filter(({ isKnown }) => !isKnown);
  const known = lines.length - fresh.length;
  const facts = { hash: sha256(bytes), name, bytes: bytes.length, format: read.format, lines: fresh.length, known };
  await transaction.bankStatement.create({
    data: { ...facts, merchantId, mode, id: statementId, takenBy: actor, takenAt: now },
  });
  let stored = 0;
  for (const some of batches(fresh, LARGE_BATCH)) {
    const rows = some.map(({ isKnown: _, knownId: __, ...line }) => ({ ...line, id: context.newId() }));
    await transaction.$executeRaw`
      INSERT INTO bank_line (merchant_id, id, mode, statement_id, bank_account, booked_on, amount, currency, text, dedupe_key, created_at)
      SELECT ${merchantId}::uuid, line.id, ${mode}::mode, ${statementId}::uuid, "bankAccount", "bookedOn", amount, currency, line.text,
        "dedupeKey", ${now}
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS line(id uuid, "bankAccount" text, "bookedOn" date, amount numeric,
        currency text, text text, "dedupeKey" text)`;
    stored += some.length;
    onProgress({ stage: 'storing', done: stored, of: fresh.length });
  }
  const repeats = lines.flatMap(({ knownId }) => knownId ?? []);
  await transaction.$executeRaw`
    INSERT INTO bank_line_repeat (merchant_id, statement_id, bank_line_id)
    SELECT ${merchantId}::uuid, ${statementId}::uuid, id FROM unnest(${repeats}::uuid[]) AS id`;
  await transaction.bankCoverage.createMany({
    data: read.coverage.flatMap(({ bankAccount, days }) =>
      days.map(({ from, to }) => {
        return { merchantId, statementId, bankAccount, mode, coveredFrom: dateOf(from), coveredTo: dateOf(to) };
      }),
    ),
  });
  if (csv !== null) {
    const profile = { mapping: csv.mapping, updatedAt: now };
    await transaction.bankProfile.upsert({
      where: { merchantId_bankAccount: { merchantId, bankAccount: csv.bankAccount } },
      create: { merchantId, bankAccount: csv.bankAccount, ...profile },
      update: profile,
    });
  }
  const object = { objectType: 'bank_statement', objectId: statementId, before: null, after: facts };
  const entry = { tenantId: merchantId, entryId: context.newId(), actor, action: 'settlements.statement_taken', ...object };
  await appendEntry(context, transaction, entry, now);
  await enqueueBankMatch(transaction, { merchantId, mode }, null);
  await enqueueBankMatch(transaction, { merchantId, mode }, quietAt(now));
  return { kind: 'taken', statementId, lines: fresh.length, known };
}

function previewOf(plan: StatementPlan, before: TakenStatement | null): StatementPreview {
  const { read, lines, hash } = plan;
  const groups = Map.groupBy(lines, ({ bankAccount, currency }) => `${bankAccount}\n${currency}`);
  return {
    kind: 'preview',
    format: read.format,
    accounts: [...groups.values()].flatMap((own) => {
      const [first] = own;
      if (first === undefined) return [];
      const days = read.coverage.find(({ bankAccount }) => bankAccount === first.bankAccount)?.days ?? [];
      const sum = (isWanted: (line: PlannedLine) => boolean) =>
        own
          .filter(isWanted)
          .reduce((total, { amount }) => total.plus(amount), new Prisma.Decimal(0))
          .toFixed();
      const isDebit = ({ amount }: PlannedLine) => amount.startsWith('-');
      const known = own.filter(({ isKnown }) => isKnown).length;
      return [
        {
          bankAccount: first.bankAccount,
          currency: first.currency,
          days,
          credits: sum((line) => !isDebit(line)),
          debits: sum(isDebit),
          fresh: own.length - known,
          known,
        },
      ];
    }),
    skipped: read.skipped.slice(0, SHOWN_MAX),
    skippedCount: read.skipped.length,
    skippedSums: sumSkipped(read.skipped),
    warnings: read.warnings,
    lines: lines.slice(0, SHOWN_MAX).map(({ dedupeKey: _, knownId: __, ...line }) => line),
    problems: read.problems.slice(0, SHOWN_MAX),
    problemCount: read.problems.length,
    takenBefore: before?.takenAt ?? null,
    readOtherwise: before !== null && isReadOtherwise(plan, before),
    hash,
  };
}
