import { transactWithHints } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';
import { startOfDay } from '@switchyard/runtime/calendar-days';
import type { PaymentsContext } from '../../context.ts';
import { LIMIT_ZONE } from '../daily-limit.ts';
import type { RefundingPerson } from '../hold-refund.ts';
import { sumRequestedBy } from '../queries.ts';
import { type BulkScope, readBulkState } from './bulk-state.ts';
import { type BulkDecision, type BulkLine, decideBulk } from './decide-bulk.ts';
import { type BulkRow, isUnreadable, readBulkFile, type UnreadableCell } from './read-bulk-file.ts';
import { recordBulk } from './record-bulk.ts';

/** A file of refunds of one merchant and mode. */
export interface BulkFileOf extends BulkScope {
  /** CSV, as {@link readBulkFile} takes it. */
  readonly file: string;
}

/** The outcome that a file would have now, line by line. */
export interface BulkPreview {
  readonly kind: 'preview';
  readonly lines: readonly BulkLine[];
  /** Names exactly this preview; refunding the file is asked for with it. */
  readonly hash: string;
}

/** Why a file is no file of refunds. */
export interface UnreadableFile {
  readonly kind: 'unreadable';
  readonly problem: UnreadableCell;
}

/** The refunds and approvals made, or why there are none. */
export type RefundBulkOutcome =
  /** Every line became what its preview said. */
  | { readonly kind: 'done'; readonly refunds: number; readonly approvals: number }
  /** Another preview holds by now; nothing was done. */
  | { readonly kind: 'changed'; readonly preview: BulkPreview }
  | UnreadableFile;

/** One transaction records a whole file. */
const TRANSACTION_TIMEOUT_MS = 60_000;

/** Says what would become of each line of a file now. Changes nothing. */
export async function previewBulk(
  context: PaymentsContext,
  { file, ...scope }: BulkFileOf,
  person: RefundingPerson,
): Promise<BulkPreview | UnreadableFile> {
  const read = await readBulkFile(file);
  if (read.kind === 'unreadable') return read;
  return previewOf(await decide(context, context.resources.database.prisma, { scope, rows: read.rows, locks: false }, person));
}

/**
 * Refunds a file as its preview said, in one transaction: with payments and control locked it is decided again, and where anything differs
 * from the preview of this hash, nothing is done. The same line is refunded once, whenever and in whatever file it comes again.
 */
export async function refundBulk(
  context: PaymentsContext,
  { file, hash, ...scope }: BulkFileOf & { readonly hash: string },
  person: RefundingPerson,
): Promise<RefundBulkOutcome> {
  const read = await readBulkFile(file);
  if (read.kind === 'unreadable') return read;
  return transactWithHints(
    context.resources.database,
    async (transaction): Promise<RefundBulkOutcome> => {
      const decision = await decide(context, transaction, { scope, rows: read.rows, locks: true }, person);
      if (decision.hash !== hash) return { kind: 'changed', preview: previewOf(decision) };
      await recordBulk(context, transaction, decision, person);
      const refunds = decision.refunds.filter(({ kind }) => kind === 'refund').length;
      return { kind: 'done', refunds, approvals: decision.refunds.length - refunds };
    },
    { timeout: TRANSACTION_TIMEOUT_MS },
  );
}

interface Reading {
  readonly scope: BulkScope;
  readonly rows: readonly (BulkRow | UnreadableCell)[];
  readonly locks: boolean;
}

async function decide(
  context: PaymentsContext,
  client: Prisma.TransactionClient,
  { scope, rows, locks }: Reading,
  { actor, roles }: RefundingPerson,
): Promise<BulkDecision> {
  const now = context.now();
  const readable = rows.filter((row): row is BulkRow => !isUnreadable(row));
  const state = await readBulkState(client, scope, readable, locks);
  const requestedToday = new Map<string, bigint>();
  for (const currency of new Set([...state.payments.values()].map((payment) => payment.currency))) {
    const query = { ...scope, currency, actor, since: startOfDay(now, LIMIT_ZONE) };
    requestedToday.set(currency, await sumRequestedBy(client, query, now));
  }
  return decideBulk(scope, rows, state, { roles, requestedToday }, now);
}

function previewOf({ lines, hash }: BulkDecision): BulkPreview {
  return { kind: 'preview', lines, hash };
}
