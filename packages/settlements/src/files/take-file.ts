import type { Prisma } from '@switchyard/db/client';
import { dayText } from '@switchyard/runtime/calendar-days';
import { appendEntry, SETTLEMENTS_ACTOR } from '../audit.ts';
import { type AccountKey, allowComputing, FILE_TRANSACTION, type SettlementContext, sha256 } from '../context.ts';
import { applyPayoutChanges, type ChangeAuthor } from '../corrections/apply-changes.ts';
import { type Correction, type CorrectionAction, type PayoutDifference, touchedBy } from '../corrections/compare-file.ts';
import { type Look, type Rehearsal, rehearse } from '../corrections/rehearse.ts';
import { storeAllWithin } from '../intake/store-settlement.ts';
import type { FileWarning } from '../reading/file-warning.ts';
import type { TakeProgress } from '../reading/in-turns.ts';
import { type SettlementMapping, settlementMappingSchema } from '../reading/mapping.ts';
import {
  type EnteredPayout,
  type ReadSettlementFile,
  readSettlementFile,
  SETTLEMENT_FILE_LIMITS,
  type UnreadableCell,
} from '../reading/read-settlement-file.ts';
import { type SkippedRow, type SkippedSum, sumSkipped } from '../reading/skipped-rows.ts';
import { createSource, noteIntake } from '../source-lease.ts';
import { compareWithLedger, type LedgerFinding } from './compare-with-ledger.ts';
import { type FilePlan, type PlannedSettlement, planFile } from './plan-file.ts';

/** A file of an account's settlements, and how it is read. */
export interface SettlementFileOf extends AccountKey {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly mapping: SettlementMapping;
  readonly entered: EnteredPayout;
  /** Choices for payouts that are stored otherwise, by their references. Nothing is taken in while one has none. */
  readonly corrections?: Readonly<Record<string, Correction>> | undefined;
  /** The choice for those that are not named there; they stay as they are where it cannot be done. */
  readonly otherwise?: Correction | undefined;
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
  /** How it is stored otherwise; null where it is not. */
  readonly difference: PayoutDifference | null;
  readonly correction: Correction | null;
}

/** The outcome that a file would have now. */
export interface SettlementFilePreview {
  readonly kind: 'preview';
  readonly rows: number;
  /** Those that differ first, then in the order of the file; {@link PREVIEW_MAX} at most. */
  readonly settlements: readonly PreviewedSettlement[];
  readonly counts: Readonly<Record<PlannedSettlement['state'], number>>;
  /** Rows that are not transactions, {@link PREVIEW_MAX} at most, their number, and the sums of their amounts. */
  readonly skipped: readonly SkippedRow[];
  readonly skippedCount: number;
  readonly skippedSums: readonly SkippedSum[];
  /** Warnings to show before the file is taken in. */
  readonly warnings: readonly FileWarning[];
  /** Cells that cannot be read, {@link PREVIEW_MAX} at most; nothing is taken in while there is any. */
  readonly problems: readonly UnreadableCell[];
  readonly problemCount: number;
  /** Payouts that differ and of which it is not said what becomes of them. */
  readonly undecided: number;
  /** Payouts that would be replaced, and those that would have further lines. */
  readonly replaced: number;
  readonly extended: number;
  /** When the same content was taken in before; where it is stored just so, taking it in again changes nothing. */
  readonly takenBefore: Date | null;
  /** Lines that would be stored, beside the ledger. */
  readonly ledger: readonly LedgerFinding[];
  /** Names exactly this preview; taking the file in is asked for with it. */
  readonly hash: string;
}

/** Why there is no preview: the merchant has no such account, or the file is too large. */
export type FileRefusal = { readonly kind: 'not_found' } | { readonly kind: 'too_large'; readonly bytesMax: number };

/** The settlements that a file made known, or why there are none. */
export type TakeFileOutcome =
  /** Every payout became what its preview said. */
  | {
      readonly kind: 'taken';
      readonly fileId: string;
      /** Those that became known, and their lines. */
      readonly settlements: number;
      readonly lines: number;
      readonly replaced: number;
      readonly extended: number;
    }
  /** The same content was taken in before. */
  | { readonly kind: 'unchanged'; readonly fileId: string }
  /** Another preview holds by now, or this one has problems; nothing was done. */
  | { readonly kind: 'changed'; readonly preview: SettlementFilePreview }
  /** Stored payouts are changed only for a reason. */
  | { readonly kind: 'reason_missing' }
  | FileRefusal;

/** A person's confirmation: the preview of this hash, and the reason where what is stored is changed. */
export interface Confirmed {
  readonly hash: string;
  readonly reason?: string | undefined;
}

const PREVIEW_MAX = 200;

/** Says what would become of a file now. Changes nothing. */
export async function previewSettlementFile(
  context: SettlementContext,
  file: SettlementFileOf,
): Promise<SettlementFilePreview | FileRefusal> {
  const refusal = refusalOf(context, file);
  if (refusal !== null) return refusal;
  const { prisma } = context.resources.database;
  const read = await readSettlementFile(file.bytes, file.mapping, file.entered, dayText(context.now()));
  const planned = await plan(context, prisma, file, read);
  const stored = planned.settlements.filter(({ state, correction }) => state !== 'known' && correction !== 'keep');
  return { ...previewOf(planned, await findTaken(prisma, file)), ledger: await compareWithLedger(context, file, stored) };
}

/**
 * Takes a file in as its preview said, in one transaction: with the account locked it is decided again, and where anything differs from the
 * preview of this hash, nothing is done. What was stored before stays as it is, but for payouts whose correction was previewed. The mapping is kept for
 * the account's next file. `onProgress` is called with how many lines are stored so far.
 */
export async function takeSettlementFile(
  context: SettlementContext,
  file: SettlementFileOf & Confirmed,
  actor: string,
  onProgress: (progress: TakeProgress) => void = () => undefined,
): Promise<TakeFileOutcome> {
  const refusal = refusalOf(context, file);
  if (refusal !== null) return refusal;
  const { database } = context.resources;
  const { merchantId, accountId } = file;
  onProgress({ stage: 'reading', done: 0, of: 0 });
  const read = await readSettlementFile(file.bytes, file.mapping, file.entered, dayText(context.now()));
  await createSource(database, { merchantId, accountId });
  type Taken = Exclude<TakeFileOutcome, { kind: 'changed' }> | { readonly kind: 'outdated' };
  const outcome = await database.prisma.$transaction(async (transaction): Promise<Taken> => {
    await allowComputing(transaction);
    await transaction.$queryRaw`
      SELECT account_id FROM settlement_source WHERE merchant_id = ${merchantId}::uuid AND account_id = ${accountId}::uuid FOR UPDATE`;
    const planned = await plan(context, transaction, file, read);
    const before = await findTaken(transaction, file);
    if (before !== null && planned.settlements.length > 0 && planned.settlements.every(({ state }) => state === 'known')) {
      return { kind: 'unchanged', fileId: before.id };
    }
    if (planned.hash !== file.hash || !isTakeable(planned)) return { kind: 'outdated' };
    if (planned.settlements.some(({ change }) => change !== null) && !hasReason(file)) return { kind: 'reason_missing' };
    return record(context, transaction, file, planned, actor, onProgress);
  }, FILE_TRANSACTION);
  if (outcome.kind !== 'outdated') return outcome;
  const preview = await previewSettlementFile(context, file);
  return preview.kind === 'preview' ? { kind: 'changed', preview } : preview;
}

/** The effect of taking a file in on discrepancies, and to what `look` reads before and after it. */
export async function rehearseFile<Seen>(
  context: SettlementContext,
  file: SettlementFileOf,
  look: Look<Seen>,
): Promise<Rehearsal<Seen> | FileRefusal> {
  const refusal = refusalOf(context, file);
  if (refusal !== null) return refusal;
  const { database, configuration } = context.resources;
  const { merchantId, accountId } = file;
  const mode = configuration.account(accountId)?.account.mode ?? 'test';
  const read = await readSettlementFile(file.bytes, file.mapping, file.entered, dayText(context.now()));
  await createSource(database, { merchantId, accountId });
  const by = { mode, fileId: context.newId(), actor: SETTLEMENTS_ACTOR, reason: 'rehearsed' };
  return rehearse(
    context,
    { merchantId, mode, accountId },
    async (inner, transaction) => {
      const planned = await plan(inner, transaction, file, read);
      await storePlan(inner, transaction, file, planned, by, () => undefined);
      const touched = touchedBy(planned.settlements.flatMap(({ change }) => change ?? []));
      const fresh = planned.settlements.filter(({ state }) => state === 'new');
      return { ...touched, days: [...touched.days, ...fresh.flatMap(({ settlement }) => settlement.settledOn ?? [])] };
    },
    look,
  );
}

function refusalOf({ resources }: SettlementContext, { merchantId, accountId, bytes }: SettlementFileOf): FileRefusal | null {
  const known = resources.configuration.account(accountId);
  if (known === undefined || known.merchant.merchant.id !== merchantId) return { kind: 'not_found' };
  const { bytesMax } = SETTLEMENT_FILE_LIMITS;
  return bytes.length > bytesMax ? { kind: 'too_large', bytesMax } : null;
}

function plan(
  { newId }: SettlementContext,
  client: Pick<Prisma.TransactionClient, '$queryRaw'>,
  { merchantId, accountId, bytes, mapping, entered, corrections = {}, otherwise = undefined }: SettlementFileOf,
  read: ReadSettlementFile,
): Promise<FilePlan> {
  const source = { contentHash: sha256(bytes), mapping, entered, corrections, otherwise: otherwise ?? null };
  return planFile(client, { merchantId, accountId }, read, source, newId);
}

function hasReason({ reason }: Confirmed): boolean {
  return (reason ?? '').trim() !== '';
}

function findTaken(
  client: Pick<Prisma.TransactionClient, 'settlementFile'>,
  { merchantId, accountId, bytes }: SettlementFileOf,
): Promise<{ readonly id: string; readonly takenAt: Date } | null> {
  const key = { merchantId, accountId, hash: sha256(bytes) };
  return client.settlementFile.findFirst({
    where: { ...key, withdrawnAt: null },
    select: { id: true, takenAt: true },
  });
}

function isTakeable({ file, settlements }: FilePlan): boolean {
  return file.problems.length === 0 && settlements.every((payout) => !isUndecided(payout));
}

/** True if it is not said what becomes of a payout, or that cannot be done. */
function isUndecided({ state, correction, change }: PlannedSettlement): boolean {
  return state === 'differs' && correction !== 'keep' && change === null;
}

async function record(
  context: SettlementContext,
  transaction: Prisma.TransactionClient,
  file: SettlementFileOf & Confirmed,
  planned: FilePlan,
  actor: string,
  onProgress: (progress: TakeProgress) => void,
): Promise<Extract<TakeFileOutcome, { kind: 'taken' }>> {
  const { merchantId, accountId, name, bytes, mapping, entered, reason = '' } = file;
  const { configuration } = context.resources;
  const { mode = 'test', gateway = '' } = configuration.account(accountId)?.account ?? {};
  const fileId = context.newId();
  const now = context.now();
  const counts = await storePlan(context, transaction, file, planned, { mode, fileId, actor, reason: reason.trim() }, onProgress);
  const facts = { accountId, name, hash: sha256(bytes), bytes: bytes.length, rows: planned.file.rows, ...counts };
  await transaction.settlementFile.create({
    data: { ...facts, merchantId, id: fileId, mode, mapping, entered: { ...entered }, takenBy: actor, takenAt: now },
  });
  const profile = { gateway, mapping, updatedAt: now };
  await transaction.settlementProfile.upsert({
    where: { merchantId_accountId: { merchantId, accountId } },
    create: { merchantId, accountId, ...profile },
    update: profile,
  });
  const entry = { tenantId: merchantId, entryId: context.newId(), actor, action: 'settlements.file_taken' };
  const object = { objectType: 'settlement_file', objectId: fileId, before: null, after: facts };
  await appendEntry(context, transaction, { ...entry, ...object }, now);
  await noteIntake(transaction, { merchantId, accountId }, now);
  return { kind: 'taken', fileId, ...counts };
}

/** Stores what a plan says: payouts that are new, and corrections of those that are not. */
async function storePlan(
  context: SettlementContext,
  transaction: Prisma.TransactionClient,
  { merchantId, accountId }: AccountKey,
  { settlements }: FilePlan,
  by: Omit<ChangeAuthor, keyof AccountKey> & { readonly fileId: string },
  onProgress: (progress: TakeProgress) => void,
): Promise<{ readonly settlements: number; readonly lines: number; readonly replaced: number; readonly extended: number }> {
  const fresh = settlements.filter(({ state }) => state === 'new');
  const lines = fresh.reduce((count, settlement) => count + settlement.lines.length, 0);
  const source = { merchantId, accountId, road: 'FILE', fileId: by.fileId } as const;
  await storeAllWithin(context, transaction, source, fresh, (done) => onProgress({ stage: 'storing', done, of: lines }));
  const changes = settlements.flatMap(({ change }) => change ?? []);
  await applyPayoutChanges(context, transaction, { merchantId, accountId, ...by }, changes);
  return {
    settlements: fresh.length,
    lines,
    replaced: countOf(settlements, 'replaced'),
    extended: countOf(settlements, 'extended'),
  };
}

function countOf(settlements: readonly PlannedSettlement[], wanted: CorrectionAction): number {
  return settlements.filter(({ change }) => change?.action === wanted).length;
}

function previewOf(
  { file, settlements, hash }: FilePlan,
  taken: { readonly takenAt: Date } | null,
): Omit<SettlementFilePreview, 'ledger'> {
  const inState = (wanted: PlannedSettlement['state']) => settlements.filter(({ state }) => state === wanted).length;
  return {
    kind: 'preview',
    rows: file.rows,
    skipped: file.skipped.slice(0, PREVIEW_MAX),
    skippedCount: file.skipped.length,
    skippedSums: sumSkipped(file.skipped),
    warnings: file.warnings,
    settlements: settlements
      .toSorted((a, b) => Number(b.state === 'differs') - Number(a.state === 'differs'))
      .slice(0, PREVIEW_MAX)
      .map(({ settlement, lines, residue, state, difference, correction }): PreviewedSettlement => {
        const { settlementId: reference, settledOn, currency, gross, fees, deductions, net } = settlement;
        const facts = { reference, settledOn, currency, gross, fees, deductions, net, lines: lines.length, residue };
        return { ...facts, state, difference, correction };
      }),
    counts: { new: inState('new'), known: inState('known'), differs: inState('differs') },
    undecided: settlements.filter(isUndecided).length,
    replaced: countOf(settlements, 'replaced'),
    extended: countOf(settlements, 'extended'),
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
