import type { KeyObject } from 'node:crypto';
import { isDatabaseUnavailable, NIL_ID } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { ReportPause, ReportRun, ReportSchedule } from '@switchyard/db/client';
import type { ExportedList } from '@switchyard/nouns/exported-list';
import { FILE_TYPES, type FilePiece, readFile, WorkbookLimitError, writeFile } from '@switchyard/reporting/files';
import { dayText } from '@switchyard/runtime/calendar-days';
import type { Email } from '@switchyard/runtime/mail';
import { readStaffUser } from '@switchyard/staff/sessions';
import { z } from 'zod';
import type { RunsContext } from '../context.ts';
import { FileTooLargeError, fileNameOf, type PackedFile, pack, unpack } from '../files/packed-file.ts';
import { hashLinkToken, LINK_LIFE_MS, linkPath, linkToken } from '../links/links.ts';
import { LISTS, reachedMerchants } from '../lists.ts';
import { periodBetween, periodText } from '../periods.ts';
import { queueRun, type RunKey } from './queue-run.ts';

/** Larger files are not attached: many mail servers take no more than 10 MB, and attachments grow by a third. */
const ATTACHED_MAX_BYTES = 5_000_000;

/** Facts of an e-mail beside its run. */
interface EmailFrame {
  readonly publicUrl: string;
  readonly keyPepper: KeyObject;
  /** Title of the list: `Payments`. */
  readonly title: string;
  /** `all merchants` for those of the schedule's owner. */
  readonly merchantName: string;
}

/** The e-mail with a report: attached up to 5 MB, else with a link. Its subject names list, period and merchant. */
async function formatReportEmail(
  { publicUrl, keyPepper, title, merchantName }: EmailFrame,
  { run, schedule, content }: { readonly run: ReportRun; readonly schedule: ReportSchedule; readonly content: Uint8Array },
): Promise<Email> {
  const { timeZone, mode, list } = schedule;
  const format = run.format ?? schedule.format;
  const period = periodText(dayText(run.firstDay), dayText(run.lastDay));
  const filename = fileNameOf(list, run, format);
  const isAttached = (run.bytes ?? 0) <= ATTACHED_MAX_BYTES;
  const rows = (run.rows ?? 0).toLocaleString('en');
  const url = `${publicUrl}${linkPath(linkToken(keyPepper, run.id))}`;
  const lines = [
    schedule.name,
    '',
    `${title} of ${period} (${timeZone})`,
    `Merchant: ${merchantName}`,
    ...(mode === 'test' ? ['Mode: test'] : []),
    `Rows: ${rows}`,
    `File: ${filename}, ${sizeText(run.bytes ?? 0)}`,
    '',
    ...(isAttached ? ['The file is attached.'] : [`Download it until ${momentText(run.linkExpiresAt, timeZone)}:`, url]),
    '',
    `Change or stop this report: ${publicUrl}/reports/scheduled?mode=${mode}&schedule=${schedule.id}`,
    '',
  ];
  const subject = `[Switchyard] ${title} of ${period}: ${merchantName}${mode === 'test' ? ' (test)' : ''}`;
  return {
    to: schedule.recipients.join(', '),
    subject: subject.replaceAll(/[\r\n]+/g, ' ').slice(0, 200),
    text: lines.join('\n'),
    // The same for every try: mail programs show what came twice as one.
    messageId: `<report-${run.id}@${new URL(publicUrl).hostname}>`,
    ...(isAttached && {
      attachments: [{ filename, contentType: FILE_TYPES[format], content: await bytesOf(unpack(format, content)) }],
    }),
  };
}

async function bytesOf(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** `812 bytes`, `310 kB`, `12.4 MB` */
function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function momentText(moment: Date | null, timeZone: string): string {
  if (moment === null) return '';
  return `${moment.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone })} (${timeZone})`;
}

/** Within the lease of a run. */
const TIMEOUT_MS = 10 * 60_000;

const storedFilter = z.record(z.string(), z.unknown());

/** Writes what was recorded in the period of a run as the file of its schedule, and counts its rows. */
async function packReport(
  { resources }: RunsContext,
  { run, schedule }: { readonly run: ReportRun; readonly schedule: ReportSchedule },
  list: ExportedList,
  merchantIds: readonly string[],
): Promise<PackedFile & { readonly rows: number }> {
  const { timeZone, format, mode } = schedule;
  // The days are the run's own: the schedule may have another frequency by now.
  const period = periodBetween(dayText(run.firstDay), dayText(run.lastDay), timeZone);
  const filter = storedFilter.parse(schedule.filter);
  const requested = list.read({ ...filter, mode, merchantIds: [], ...list.within(period, filter) });
  if ('problem' in requested) throw new Error(`the filter of a schedule is not understood: ${requested.problem}`);
  const query = await requested.file(resources.database, merchantIds);
  const pieces = readFile(resources.reports, query, { format, after: null, signal: AbortSignal.timeout(TIMEOUT_MS) });
  let rows = 0;
  async function* counted(): AsyncGenerator<FilePiece> {
    for await (const piece of pieces) {
      rows += piece.rows.length;
      yield piece;
    }
  }
  const file = { format, name: schedule.list, columns: query.columns, titles: true, byteOrderMark: format === 'csv' };
  const packed = await pack(format, writeFile(file, counted()));
  return { ...packed, rows };
}

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

/** Why a try failed, as a code or a short text that the dashboard puts into words; `again`: another try may help. */
interface RunFailure {
  readonly code: string;
  readonly again: boolean;
}

/** The failure behind an error. An answer of a mail server is `email 550`, a failure of its connection `email ECONNREFUSED`. */
function describeFailure(error: unknown): RunFailure {
  if (error instanceof WorkbookLimitError) return { code: 'too_many_rows', again: false };
  if (error instanceof FileTooLargeError) return { code: 'too_large', again: false };
  if (isDatabaseUnavailable(error)) return { code: 'database_unavailable', again: true };
  if (!(error instanceof Error)) return { code: 'unknown', again: true };
  if (error.name === 'TimeoutError') return { code: 'timeout', again: true };
  if ('responseCode' in error && typeof error.responseCode === 'number') {
    return { code: `email ${error.responseCode}`, again: error.responseCode < 500 };
  }
  const isMail = 'code' in error && typeof error.code === 'string' && 'command' in error;
  return isMail ? { code: `email ${String(error.code)}`, again: true } : { code: 'unknown', again: true };
}
