import { NIL_ID } from '@switchyard/db';
import type { Mode, Prisma } from '@switchyard/db/client';

/** Numbers of what was erased. */
export interface ErasedReports {
  readonly reportFiles: number;
  readonly reportSchedules: number;
}

/**
 * Deletes every file of a report that has rows of a merchant, as a customer of it is erased, and removes the schedules whose filter or name
 * has one of the texts. A report that was not sent yet is made again from what is left, one that is being made too.
 */
export async function eraseReports(
  transaction: Prisma.TransactionClient,
  { merchantId, mode, texts }: { readonly merchantId: string; readonly mode: Mode; readonly texts: readonly string[] },
  now: Date,
): Promise<ErasedReports> {
  const owners = [merchantId, NIL_ID];
  const schedules = await transaction.reportSchedule.findMany({
    where: { merchantId: { in: owners }, mode },
    select: { merchantId: true, id: true, name: true, filter: true },
  });
  const naming = schedules.filter(({ name, filter }) => hasText(`${name} ${JSON.stringify(filter)}`, texts));
  for (const schedule of naming) {
    await transaction.reportSchedule.update({
      where: { merchantId_id: { merchantId: schedule.merchantId, id: schedule.id } },
      data: { name: 'Erased', filter: {}, removedAt: now, updatedAt: now },
    });
  }
  // A process that makes one now loses its lease, and stores nothing.
  await transaction.$executeRaw`
    UPDATE report_run SET next_attempt_at = ${now}::timestamptz, updated_at = ${now}::timestamptz
    WHERE merchant_id = ANY (${owners}::uuid[]) AND state = 'PENDING' AND attempts > 0`;
  const dropped = await transaction.$queryRaw<{ merchantId: string; runId: string }[]>`
    DELETE FROM report_file AS file USING report_run AS run, report_schedule AS schedule
    WHERE file.merchant_id = ANY (${owners}::uuid[]) AND run.merchant_id = file.merchant_id AND run.id = file.run_id
      AND schedule.merchant_id = run.merchant_id AND schedule.id = run.schedule_id AND schedule.mode = ${mode}::mode
      AND ${merchantId}::uuid = ANY (run.merchant_ids)
    RETURNING file.merchant_id AS "merchantId", file.run_id AS "runId"`;
  const ids = dropped.map(({ runId }) => runId);
  await transaction.reportRun.updateMany({
    where: { merchantId: { in: owners }, id: { in: ids }, state: 'MADE' },
    data: { state: 'PENDING', nextAttemptAt: now, linkHash: null, linkExpiresAt: null, updatedAt: now },
  });
  return { reportFiles: dropped.length, reportSchedules: naming.length };
}

function hasText(text: string, texts: readonly string[]): boolean {
  return texts.some((one) => text.toLowerCase().includes(one.toLowerCase()));
}
