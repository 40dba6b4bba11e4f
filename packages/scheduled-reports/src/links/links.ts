import { createHash, createHmac, type KeyObject } from 'node:crypto';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { ReportFormat } from '@switchyard/db/client';
import { dayText } from '@switchyard/runtime/calendar-days';
import type { LinksContext } from '../context.ts';
import { fileNameOf, unpack } from '../files/packed-file.ts';

/** A file that a link leads to. */
export interface LinkedFile {
  readonly name: string;
  readonly format: ReportFormat;
  /** Size of the content. */
  readonly bytes: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * Opens the file of a link and records the download in the audit log. Null for a token that is unknown, expired or revoked, and where the
 * file is gone or its schedule was removed: the answer to all of them has to be the same.
 */
export async function openReportFile({ resources, now, newId }: LinksContext, token: string): Promise<LinkedFile | null> {
  if (!isLinkToken(token)) return null;
  const { prisma } = resources.database;
  const at = now();
  return prisma.$transaction(async (transaction) => {
    const run = await transaction.reportRun.findUnique({ where: { linkHash: hashLinkToken(token) } });
    if (run === null || run.linkRevokedAt !== null || run.linkExpiresAt === null || run.linkExpiresAt <= at) return null;
    const { merchantId, id: runId, scheduleId: id, bytes, format } = run;
    const schedule = await transaction.reportSchedule.findUnique({ where: { merchantId_id: { merchantId, id } } });
    const file = await transaction.reportFile.findUnique({ where: { merchantId_runId: { merchantId, runId } } });
    if (schedule === null || schedule.removedAt !== null || file === null || bytes === null || format === null) return null;
    await transaction.reportRun.update({
      where: { merchantId_id: { merchantId, id: runId } },
      data: { downloads: { increment: 1 }, updatedAt: at },
    });
    const entry = {
      tenantId: merchantId,
      entryId: newId(),
      actor: 'system:report-link',
      action: 'report.downloaded',
      objectType: 'report_schedule',
      objectId: id,
      before: null,
      after: { runId, firstDay: dayText(run.firstDay), lastDay: dayText(run.lastDay) },
    };
    await appendAuditEntry(transaction, resources.auditKeys, entry, at);
    return { name: fileNameOf(schedule.list, run, format), format, bytes, content: unpack(format, file.content) };
  });
}

/** For how long a link works. */
export const LINK_LIFE_MS = 7 * 86_400_000;

/**
 * The secret part of the link to a run's file. Made from the process's key and the run, so that the dashboard can show it again; stored as
 * its hash alone.
 */
export function linkToken(keyPepper: KeyObject, runId: string): string {
  return createHmac('sha256', keyPepper).update(`report link ${runId}`).digest('base64url');
}

/** Digest that is stored of a token. */
export function hashLinkToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest());
}

/** True of a text with the form of a token. */
function isLinkToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** Where the file of a token is. */
export function linkPath(token: string): string {
  return `/report-files/${token}`;
}
