import { appendAuditEntry } from '@switchyard/db/audit';
import type { Prisma } from '@switchyard/db/client';
import { dayText } from '@switchyard/runtime/calendar-days';
import type { AccountKey } from '../account.ts';
import type { SettlementContext } from '../context.ts';
import { noteIntake } from '../intake/quiet.ts';
import { createSource } from '../intake/source-lease.ts';
import { storeWithin } from '../intake/store-settlement.ts';
import type { FileWarning } from './file-warning.ts';
import { type SettlementMapping, settlementMappingSchema } from './mapping.ts';
import { type FilePlan, type PlannedSettlement, planFile, sha256 } from './plan-file.ts';
import {
  type EnteredPayout,
  type ReadSettlementFile,
  readSettlementFile,
  SETTLEMENT_FILE_LIMITS,
  type UnreadableCell,
} from './read-settlement-file.ts';
import { type SkippedRow, type SkippedSum, sumSkipped } from './skipped-rows.ts';

/** A file of an account's settlements, and how it is read. */
export interface SettlementFileOf extends AccountKey {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly mapping: SettlementMapping;
  readonly entered: EnteredPayout;
}

/** A payout of a file as its preview shows it; amounts are exact decimals of the main unit. */
export interface PreviewedSettlement {
  readonly reference: string;
  readonly settledOn: string | null;
  readonly currency: string;
  readonly gross: string;
  readonly fees: string;
  readonly deductions: string;
  readonly net: string;
  readonly lines: number;
  /** Difference between its net amount and its lines. */
  readonly residue: string;
  readonly state: PlannedSettlement['state'];
}

/** The outcome that a file would have now. */
export interface SettlementFilePreview {
  readonly kind: 'preview';
  readonly rows: number;
  /** In the order of the file, {@link PREVIEW_MAX} at most. */
  readonly settlements: readonly PreviewedSettlement[];
  readonly counts: Readonly<Record<PlannedSettlement['state'], number>>;
  /** Rows that are no transactions, {@link PREVIEW_MAX} at most, their number, and the sums of their amounts. */
  readonly skipped: readonly SkippedRow[];
  readonly skippedCount: number;
  readonly skippedSums: readonly SkippedSum[];
  /** What should be known before the file is taken in. */
  readonly warnings: readonly FileWarning[];
  /** Cells that cannot be read, {@link PREVIEW_MAX} at most; nothing is taken in while there is any. */
  readonly problems: readonly UnreadableCell[];
  readonly problemCount: number;
  /** When the same content was taken in before; taking it in again changes nothing. */
  readonly takenBefore: Date | null;
  /** Names exactly this preview; taking the file in is asked for with it. */
  readonly hash: string;
}

/** Why there is no preview: the merchant has no such account, or the file is too large. */
export type FileRefusal = { readonly kind: 'not_found' } | { readonly kind: 'too_large'; readonly bytesMax: number };

/** The settlements that a file made known, or why there are none. */
export type TakeFileOutcome =
  /** Every payout became what its preview said. */
  | { readonly kind: 'taken'; readonly fileId: string; readonly settlements: number; readonly lines: number }
  /** The same content was taken in before. */
  | { readonly kind: 'unchanged'; readonly fileId: string }
  /** Another preview holds by now, or this one has problems; nothing was done. */
  | { readonly kind: 'changed'; readonly preview: SettlementFilePreview }
  | FileRefusal;

const PREVIEW_MAX = 200;
const TRANSACTION_LIMITS = { timeout: 120_000, maxWait: 10_000 };

/** Says what would become of a file now. Changes nothing. */
export async function previewSettlementFile(
  context: SettlementContext,
  file: SettlementFileOf,
): Promise<SettlementFilePreview | FileRefusal> {
  const refusal = refusalOf(context, file);
  if (refusal !== null) return refusal;
  const { prisma } = context.resources.database;
  const read = await readSettlementFile(file.bytes, file.mapping, file.entered, dayText(context.now()));
  return previewOf(await plan(prisma, file, read), await findTaken(prisma, file));
}

/**
 * Takes a file in as its preview said, in one transaction: with the account locked it is decided again, and where anything differs from the
 * preview of this hash, nothing is done. What was stored before stays as it is. The mapping is kept for the account's next file.
 */
export async function takeSettlementFile(
  context: SettlementContext,
  file: SettlementFileOf & { readonly hash: string },
  actor: string,
): Promise<TakeFileOutcome> {
  const refusal = refusalOf(context, file);
  if (refusal !== null) return refusal;
  const { database } = context.resources;
  const { merchantId, accountId } = file;
  const read = await readSettlementFile(file.bytes, file.mapping, file.entered, dayText(context.now()));
  await createSource(database, { merchantId, accountId });
  return database.prisma.$transaction(async (transaction): Promise<TakeFileOutcome> => {
    await transaction.$queryRaw`
      SELECT account_id FROM settlement_source WHERE merchant_id = ${merchantId}::uuid AND account_id = ${accountId}::uuid FOR UPDATE`;
    const before = await findTaken(transaction, file);
    if (before !== null) return { kind: 'unchanged', fileId: before.id };
    const planned = await plan(transaction, file, read);
    if (planned.hash !== file.hash || !isTakeable(planned)) return { kind: 'changed', preview: previewOf(planned, null) };
    return record(context, transaction, file, planned, actor);
  }, TRANSACTION_LIMITS);
}

function refusalOf({ resources }: SettlementContext, { merchantId, accountId, bytes }: SettlementFileOf): FileRefusal | null {
  const known = resources.configuration.account(accountId);
  if (known === undefined || known.merchant.merchant.id !== merchantId) return { kind: 'not_found' };
  const { bytesMax } = SETTLEMENT_FILE_LIMITS;
  return bytes.length > bytesMax ? { kind: 'too_large', bytesMax } : null;
}

function plan(
  client: Pick<Prisma.TransactionClient, 'settlement' | 'settlementLine'>,
  { merchantId, accountId, bytes, mapping, entered }: SettlementFileOf,
  read: ReadSettlementFile,
): Promise<FilePlan> {
  return planFile(client, { merchantId, accountId }, read, { contentHash: sha256(bytes), mapping, entered });
}

function findTaken(
  client: Pick<Prisma.TransactionClient, 'settlementFile'>,
  { merchantId, accountId, bytes }: SettlementFileOf,
): Promise<{ readonly id: string; readonly takenAt: Date } | null> {
  const key = { merchantId, accountId, hash: sha256(bytes) };
  return client.settlementFile.findUnique({
    where: { merchantId_accountId_hash: key },
    select: { id: true, takenAt: true },
  });
}

function isTakeable({ file, settlements }: FilePlan): boolean {
  return file.problems.length === 0 && settlements.every(({ state }) => state !== 'differs');
}

async function record(
  context: SettlementContext,
  transaction: Prisma.TransactionClient,
  { merchantId, accountId, name, bytes, mapping }: SettlementFileOf,
  { file, settlements }: FilePlan,
  actor: string,
): Promise<TakeFileOutcome> {
  const { configuration, auditKeys } = context.resources;
  const { mode = 'test', gateway = '' } = configuration.account(accountId)?.account ?? {};
  const fileId = context.newId();
  const now = context.now();
  const fresh = settlements.filter(({ state }) => state === 'new');
  for (const { settlement, lines } of fresh) {
    await storeWithin(context, transaction, { merchantId, accountId, road: 'FILE', settlement, lines, fileId });
  }
  const lines = fresh.reduce((count, settlement) => count + settlement.lines.length, 0);
  const facts = { accountId, name, hash: sha256(bytes), bytes: bytes.length, rows: file.rows, settlements: fresh.length, lines };
  const entry = { tenantId: merchantId, entryId: context.newId(), actor, action: 'settlements.file_taken' };
  await transaction.settlementFile.create({
    data: { ...facts, merchantId, id: fileId, mode, mapping, takenBy: actor, takenAt: now },
  });
  const profile = { gateway, mapping, updatedBy: actor, updatedAt: now };
  await transaction.settlementProfile.upsert({
    where: { merchantId_accountId: { merchantId, accountId } },
    create: { merchantId, accountId, ...profile },
    update: profile,
  });
  const object = { objectType: 'settlement_file', objectId: fileId, before: null, after: facts };
  await appendAuditEntry(transaction, auditKeys, { ...entry, ...object }, now);
  await noteIntake(transaction, { merchantId, accountId }, now);
  return { kind: 'taken', fileId, settlements: fresh.length, lines };
}

function previewOf({ file, settlements, hash }: FilePlan, taken: { readonly takenAt: Date } | null): SettlementFilePreview {
  const countOf = (wanted: PlannedSettlement['state']) => settlements.filter(({ state }) => state === wanted).length;
  return {
    kind: 'preview',
    rows: file.rows,
    settlements: settlements.slice(0, PREVIEW_MAX).map(({ settlement, lines, residue, state }): PreviewedSettlement => {
      const { settlementId: reference, settledOn, currency, gross, fees, deductions, net } = settlement;
      return { reference, settledOn, currency, gross, fees, deductions, net, lines: lines.length, residue, state };
    }),
    counts: { new: countOf('new'), known: countOf('known'), differs: countOf('differs') },
    skipped: file.skipped.slice(0, PREVIEW_MAX),
    skippedCount: file.skipped.length,
    skippedSums: sumSkipped(file.skipped),
    warnings: file.warnings,
    problems: file.problems.slice(0, PREVIEW_MAX),
    problemCount: file.problems.length,
    takenBefore: taken?.takenAt ?? null,
    hash,
  };
}

/** How an account's files were read last, else those of the gateway's other account of the merchant; null without either. */
export async function readProfile(
  { resources }: SettlementContext,
  { merchantId, accountId }: AccountKey,
): Promise<SettlementMapping | null> {
  const gateway = resources.configuration.account(accountId)?.account.gateway ?? '';
  const rows = await resources.database.prisma.settlementProfile.findMany({
    where: { merchantId, OR: [{ accountId }, { gateway }] },
    orderBy: { updatedAt: 'desc' },
    take: PREVIEW_MAX,
  });
  const row = rows.find((profile) => profile.accountId === accountId) ?? rows[0];
  return settlementMappingSchema.safeParse(row?.mapping).data ?? null;
}
