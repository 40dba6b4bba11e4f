import { NIL_ID } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { ReportPause, ReportRun, ReportSchedule } from '@switchyard/db/client';
import { type ExportedList, LISTS } from '@switchyard/exports/lists';
import { readStaffUser } from '@switchyard/staff/sessions';
import type { RunsContext } from '../context.ts';
import { hashLinkToken, LINK_LIFE_MS, linkToken } from '../links/link-token.ts';
import { reachedMerchants } from '../reach.ts';
import { describeFailure, type RunFailure } from './describe-failure.ts';
import { packReport } from './pack-report.ts';
import { queueRun } from './queue-run.ts';
import { formatReportEmail } from './report-email.ts';
import type { RunKey } from './run-key.ts';

/** Beyond this the try of a process that died is made again: well longer than one takes. */
const LEASE_MS = 15 * 60_000;
/** The wait after each failed try; none after the last. */
export const RETRY_DELAYS_MS: readonly number[] = [60_000, 5 * 60_000, 30 * 60_000, 2 * 3_600_000];

const STORING = { timeout: 60_000, maxWait: 10_000 };

/**
 * Task `make-report`: makes the file of a run and sends it. Only one process at a time has a run, and what another one has taken over
 * changes nothing. The file is stored once and sent as it was stored; the same e-mail goes out twice only where the process dies
 * between handing it over and recording that.
 */
export async function makeReport(context: RunsContext, key: RunKey): Promise<void> {
  const claimed = await claimRun(context, key);
  if (claimed === null) return;
  try {
    await continueRun(context, claimed);
  } catch (error) {
    const failure = describeFailure(error);
    if (failure.code === 'unknown') context.report(error, 'making a scheduled report');
    await failRun(context, claimed, failure);
  }
}

/** A run that this process has, until its lease ends. */
interface Claimed {
  readonly run: ReportRun;
  readonly schedule: ReportSchedule;
}

async function claimRun({ resources, now }: RunsContext, { merchantId, runId }: RunKey): Promise<Claimed | null> {
  const { prisma } = resources.database;
  const at = now();
  const [run] = await prisma.reportRun.updateManyAndReturn({
    where: { merchantId, id: runId, nextAttemptAt: { lte: at } },
    data: { attempts: { increment: 1 }, nextAttemptAt: new Date(at.getTime() + LEASE_MS), updatedAt: at },
  });
  if (run === undefined) return null;
  const key = { merchantId, id: run.scheduleId };
  return { run, schedule: await prisma.reportSchedule.findUniqueOrThrow({ where: { merchantId_id: key } }) };
}

/** The run while this process has it: a lease that another one took, or that an erasure ended, is a different one. */
function leaseOf({ run: { merchantId, id, nextAttemptAt } }: Claimed) {
  return { merchantId, id, nextAttemptAt };
}

async function continueRun(context: RunsContext, { run, schedule }: Claimed): Promise<void> {
  const claimed = { run, schedule };
  if (schedule.removedAt !== null) return failRun(context, claimed, { code: 'schedule_removed', again: false });
  const list = Object.hasOwn(LISTS, schedule.list) ? LISTS[schedule.list] : undefined;
  if (list === undefined) return failRun(context, claimed, { code: 'list_unknown', again: false });
  const owner = await readStaffUser(context.resources.database, schedule.ownerId);
  await context.resources.configuration.ready();
  const merchantIds = owner === null ? [] : reachedMerchants(context, owner, { merchantId: schedule.merchantId, list });
  if (merchantIds.length === 0) return pauseSchedule(context, claimed, owner === null ? 'owner_disabled' : 'rights_lost');
  if (run.state === 'MADE') return sendReport(context, claimed, list);
  const made = await storeReport(context, claimed, list, merchantIds);
  if (made !== null) await sendReport(context, { run: made, schedule }, list);
}

/** Makes the file and stores it; null where another process has the run by then. */
async function storeReport(
  context: RunsContext,
  claimed: Claimed,
  list: ExportedList,
  merchantIds: readonly string[],
): Promise<ReportRun | null> {
  const { run, schedule } = claimed;
  const { content, bytes, rows } = await packReport(context, claimed, list, merchantIds);
  const { database, auditKeys, keyPepper } = context.resources;
  return database.prisma.$transaction(async (transaction) => {
    const at = context.now();
    const link = {
      linkHash: hashLinkToken(linkToken(keyPepper, run.id)),
      linkExpiresAt: new Date(at.getTime() + LINK_LIFE_MS),
    };
    const [made] = await transaction.reportRun.updateManyAndReturn({
      where: { ...leaseOf(claimed), state: 'PENDING' },
      data: {
        ...link,
        state: 'MADE',
        format: schedule.format,
        rows,
        bytes,
        merchantIds: [...merchantIds],
        madeAt: at,
        error: null,
        updatedAt: at,
      },
    });
    if (made === undefined) return null;
    await transaction.reportFile.create({ data: { merchantId: run.merchantId, runId: run.id, content, createdAt: at } });
    const after = { runId: run.id, list: schedule.list, format: schedule.format, rows, recipients: schedule.recipients.length };
    const object = { objectType: 'report_schedule', objectId: schedule.id, before: null, after };
    const entry = { tenantId: schedule.merchantId, entryId: context.newId(), actor: SYSTEM, action: 'report.made', ...object };
    await appendAuditEntry(transaction, auditKeys, entry, at);
    return made;
  }, STORING);
}

const SYSTEM = 'system:reports';

async function sendReport(context: RunsContext, { run, schedule }: Claimed, list: ExportedList): Promise<void> {
  const { prisma } = context.resources.database;
  const { mailer } = context;
  if (schedule.recipients.length > 0) {
    if (mailer === null) return failRun(context, { run, schedule }, { code: 'email_not_set_up', again: false });
    const key = { merchantId: run.merchantId, runId: run.id };
    const file = await prisma.reportFile.findUnique({ where: { merchantId_runId: key } });
    if (file === null) return failRun(context, { run, schedule }, { code: 'file_gone', again: false });
    const merchant =
      schedule.merchantId === NIL_ID ? null : context.resources.configuration.merchant(schedule.merchantId)?.merchant.name;
    await mailer.send(
      await formatReportEmail(
        { ...context.resources, merchantName: merchant ?? 'all merchants', title: list.title },
        { run, schedule, content: file.content },
      ),
    );
  }
  const at = context.now();
  await prisma.reportRun.updateMany({
    where: { ...leaseOf({ run, schedule }), state: 'MADE' },
    data: { state: 'SENT', sentAt: at, nextAttemptAt: null, error: null, updatedAt: at },
  });
}

/** Records why a try failed, and when the next one is, if there is one. */
async function failRun(context: RunsContext, claimed: Claimed, { code, again }: RunFailure): Promise<void> {
  const { merchantId, id: runId, attempts } = claimed.run;
  const delayMs = again ? RETRY_DELAYS_MS[attempts - 1] : undefined;
  await context.resources.database.prisma.$transaction(async (transaction) => {
    const at = context.now();
    const next = delayMs === undefined ? null : new Date(at.getTime() + delayMs);
    const { count } = await transaction.reportRun.updateMany({
      where: leaseOf(claimed),
      data: { error: code, nextAttemptAt: next, updatedAt: at, ...(next === null && { state: 'FAILED' }) },
    });
    if (count === 1 && next !== null) await queueRun(transaction, { merchantId, runId }, next);
  });
}

/** Pauses a schedule whose owner may not see its list any more, and ends its run. */
async function pauseSchedule(context: RunsContext, claimed: Claimed, pause: ReportPause): Promise<void> {
  const { resources, newId } = context;
  const { merchantId, id } = claimed.schedule;
  await resources.database.prisma.$transaction(async (transaction) => {
    const at = context.now();
    const { count: ended } = await transaction.reportRun.updateMany({
      where: leaseOf(claimed),
      data: { state: 'FAILED', error: pause, nextAttemptAt: null, updatedAt: at },
    });
    if (ended === 0) return;
    const { count } = await transaction.reportSchedule.updateMany({
      // A colleague may have taken it over since.
      where: { merchantId, id, pausedAt: null, ownerId: claimed.schedule.ownerId },
      data: { pausedAt: at, pause, updatedAt: at },
    });
    if (count === 0) return;
    const object = { objectType: 'report_schedule', objectId: id, before: null, after: { pause } };
    const entry = { tenantId: merchantId, entryId: newId(), actor: SYSTEM, action: 'report_schedule.paused', ...object };
    await appendAuditEntry(transaction, resources.auditKeys, entry, at);
  });
}
