import type { JsonValue } from '@switchyard/db';
import type { Mode, Prisma } from '@switchyard/db/client';
import { appendEntry, SETTLEMENTS_ACTOR } from '../audit.ts';
import type { AccountKey, SettlementContext } from '../context.ts';
import { insertLines } from '../intake/store-settlement.ts';
import { batches, LARGE_BATCH } from '../source-lease.ts';
import type { PayoutChange, PayoutFigures } from './compare-file.ts';

/** The person who changes payouts of an account, why, and by which file. */
export interface ChangeAuthor extends AccountKey {
  readonly mode: Mode;
  /** The file whose word they become; null where they are withdrawn. */
  readonly fileId: string | null;
  readonly reason: string;
  /** `staff:<id>`. */
  readonly actor: string;
}

/**
 * Carries out changes of payouts that came by files, in the caller's transaction and with their account locked. Lines that go are kept as they were
 * beside the change; what was open about them is resolved. Each change is audited. Lines are linked and payments judged by matching afterwards.
 */
export async function applyPayoutChanges(
  context: SettlementContext,
  transaction: Prisma.TransactionClient,
  author: ChangeAuthor,
  changes: readonly PayoutChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const now = context.now();
  const { merchantId, fileId } = author;
  const named = changes.map((change) => ({ ...change, changeId: context.newId() }));
  await removeLines(
    transaction,
    merchantId,
    named.flatMap(({ changeId, removed }) => removed.map(({ lineId }) => ({ changeId, lineId }))),
    now,
  );
  const replaced = changes.filter(({ action }) => action === 'replaced').map(({ settlementId }) => settlementId);
  await moveLines(transaction, merchantId, replaced, fileId);
  await insertLines(
    transaction,
    author,
    changes.flatMap(({ added }) => added),
    now,
  );
  for (const [{ id }, { linkedBy, subjects, paymentId, refundId, disputeId }] of changes.flatMap(({ carried }) => carried)) {
    const data = { linkedBy, subjects: [...subjects], paymentId, refundId, disputeId };
    await transaction.settlementLine.update({ where: { merchantId_id: { merchantId, id } }, data });
  }
  await writeHeads(transaction, author, changes, now);
  await writeHistory(transaction, author, named, now);
  for (const { settlementId, reference, action, before, after } of changes) {
    const entry = {
      tenantId: merchantId,
      entryId: context.newId(),
      actor: author.actor,
      action: `settlements.payout_${action}`,
      objectType: 'settlement',
      objectId: settlementId,
      before: { reference, ...before } satisfies JsonValue,
      after: { reference, reason: author.reason, fileId, ...(after ?? {}) } satisfies JsonValue,
    };
    await appendEntry(context, transaction, entry, now);
  }
}

/** Lines that a file repeats are of that file from then on. */
async function moveLines(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  settlementIds: readonly string[],
  fileId: string | null,
): Promise<void> {
  for (let moved = LARGE_BATCH; moved === LARGE_BATCH; ) {
    moved = await transaction.$executeRaw`
      UPDATE settlement_line SET file_id = ${fileId}::uuid
      WHERE merchant_id = ${merchantId}::uuid AND id IN (SELECT id FROM settlement_line
        WHERE merchant_id = ${merchantId}::uuid AND settlement_id = ANY (${settlementIds}::uuid[]) AND file_id IS DISTINCT FROM ${fileId}::uuid
        LIMIT ${LARGE_BATCH})`;
  }
}

async function removeLines(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  removed: readonly { readonly changeId: string; readonly lineId: string }[],
  now: Date,
): Promise<void> {
  for (const some of batches(removed, LARGE_BATCH)) {
    const rows = JSON.stringify(some);
    await transaction.$executeRaw`
      INSERT INTO withdrawn_line (merchant_id, change_id, id, payment_id, line)
      SELECT line.merchant_id, removed."changeId", line.id, line.payment_id, to_jsonb(line)
      FROM jsonb_to_recordset(${rows}::jsonb) AS removed("changeId" uuid, "lineId" uuid)
      JOIN settlement_line AS line ON line.merchant_id = ${merchantId}::uuid AND line.id = removed."lineId"`;
    await transaction.$executeRaw`
      UPDATE settlement_discrepancy SET state = 'RESOLVED', resolved_by = ${SETTLEMENTS_ACTOR}, resolved_at = ${now},
        resolution = 'Its line was withdrawn.', line_id = NULL
      WHERE merchant_id = ${merchantId}::uuid AND state = 'OPEN' AND kind = 'UNMATCHED'
        AND line_id IN (SELECT "lineId" FROM jsonb_to_recordset(${rows}::jsonb) AS removed("lineId" uuid))`;
    await transaction.$executeRaw`
      DELETE FROM settlement_line USING jsonb_to_recordset(${rows}::jsonb) AS removed("lineId" uuid)
      WHERE settlement_line.merchant_id = ${merchantId}::uuid AND settlement_line.id = removed."lineId"`;
  }
}

/** Writes the amounts of payouts, and what of them is explained. A withdrawn one is as if its lines had never been known. */
async function writeHeads(
  transaction: Prisma.TransactionClient,
  { merchantId, fileId }: ChangeAuthor,
  changes: readonly PayoutChange[],
  now: Date,
): Promise<void> {
  for (const some of batches(changes)) {
    const rows = some.map(({ settlementId, action, before, after, period }) => {
      return { ...(after ?? before), lines: after?.lines ?? 0, settlementId, action, from: period.from, to: period.to };
    });
    await transaction.$executeRaw`
      UPDATE settlement AS payout SET
        status = CASE WHEN changed.action = 'withdrawn' THEN 'WITHDRAWN'::settlement_status ELSE payout.status END,
        currency = changed.currency, gross = changed.gross, fees = changed.fees, deductions = changed.deductions, net = changed.net,
        created_at = CASE WHEN payout.settled_on IS DISTINCT FROM changed."settledOn" AND changed."settledOn" IS NOT NULL
          THEN changed."settledOn"::timestamp AT TIME ZONE 'UTC' ELSE payout.created_at END,
        settled_on = changed."settledOn", line_count = changed.lines, period_from = changed.from, period_to = changed.to,
        lines_read_at = CASE WHEN changed.action = 'withdrawn' THEN NULL ELSE ${now}::timestamptz END,
        file_id = CASE WHEN changed.action = 'replaced' THEN ${fileId}::uuid ELSE payout.file_id END,
        explained = line.explained, unexplained = line.unexplained, updated_at = ${now}
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS changed("settlementId" uuid, action text, currency text, gross numeric,
        fees numeric, deductions numeric, net numeric, "settledOn" date, lines int, "from" timestamptz, "to" timestamptz)
      CROSS JOIN LATERAL (SELECT coalesce(sum(abs(amount)) FILTER (WHERE linked_by IS NOT NULL), 0) AS explained,
          coalesce(sum(abs(amount)) FILTER (WHERE linked_by IS NULL), 0) AS unexplained
        FROM settlement_line WHERE merchant_id = ${merchantId}::uuid AND settlement_id = changed."settlementId") AS line
      WHERE payout.merchant_id = ${merchantId}::uuid AND payout.id = changed."settlementId"`;
  }
}

async function writeHistory(
  transaction: Prisma.TransactionClient,
  { merchantId, accountId, mode, fileId, reason, actor }: ChangeAuthor,
  changes: readonly (PayoutChange & { readonly changeId: string })[],
  now: Date,
): Promise<void> {
  for (const some of batches(changes)) {
    await transaction.intakeChange.createMany({
      data: some.map(({ changeId, settlementId, action, before, after }) => {
        const facts = { before: jsonOf(before), ...(after !== null && { after: jsonOf(after) }) };
        return {
          merchantId,
          id: changeId,
          mode,
          action,
          accountId,
          settlementId,
          fileId,
          ...facts,
          reason,
          changedBy: actor,
          changedAt: now,
        };
      }),
    });
  }
}

function jsonOf(figures: PayoutFigures): Prisma.InputJsonObject {
  return { ...figures };
}
