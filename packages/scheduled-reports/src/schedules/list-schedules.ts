import { timingSafeEqual } from 'node:crypto';
import { NIL_ID } from '@switchyard/db';
import type { Mode, ReportRun, ReportSchedule } from '@switchyard/db/client';
import { dayText } from '@switchyard/runtime/calendar-days';
import { readStaffNames } from '@switchyard/staff/staff-names';
import type { SchedulesContext } from '../context.ts';
import { failureText } from '../failures.ts';
import { fileNameOf } from '../files/packed-file.ts';
import { hashLinkToken, linkPath, linkToken } from '../links/links.ts';
import { LISTS } from '../lists.ts';
import { periodOf, periodText } from '../periods.ts';
import type { ScheduleKey } from './queries.ts';

const SCHEDULES_MAX = 500;
const RUNS_MAX = 50;

/** A run as the dashboard shows it. */
export interface RunInList {
  readonly runId: string;
  /** `25 Nov 2026` */
  readonly period: string;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly state: ReportRun['state'];
  /** Null for the run of the schedule. */
  readonly requesterName: string | null;
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  /** Why the last try failed, in a sentence. */
  readonly error: string | null;
  readonly rows: number | null;
  readonly bytes: number | null;
  readonly fileName: string;
  readonly downloads: number;
  readonly madeAt: Date | null;
  readonly sentAt: Date | null;
  readonly createdAt: Date;
  /** Null before the file is made. `url` is null once it does not work any more. */
  readonly link: {
    readonly state: 'active' | 'expired' | 'revoked' | 'gone';
    readonly url: string | null;
    readonly expiresAt: Date;
  } | null;
}

/** A schedule as the dashboard shows it. */
export interface ScheduleInList extends Omit<ReportSchedule, 'id' | 'filter' | 'nextDay' | 'removedAt' | 'createdBy'> {
  readonly scheduleId: string;
  /** Null for all merchants of its owner. */
  readonly merchantName: string | null;
  readonly listTitle: string;
  readonly filter: unknown;
  readonly ownerName: string | null;
  readonly nextPeriod: string;
  readonly lastRun: RunInList | null;
}

/** The schedules that a person sees: those of these merchants, the nil UUID among them for those of all, and their own of all. */
export interface ScheduleScope {
  readonly merchantIds: readonly string[];
  readonly staffId: string;
}

/** The schedules of a mode that a person sees, by name. */
export async function listSchedules(
  context: SchedulesContext,
  { mode, ...scope }: ScheduleScope & { readonly mode: Mode },
): Promise<ScheduleInList[]> {
  const { database, configuration } = context.resources;
  const { prisma } = database;
  const schedules = await prisma.reportSchedule.findMany({
    where: { removedAt: null, mode, ...inScope(scope) },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: SCHEDULES_MAX,
  });
  const latest = await prisma.reportRun.findMany({
    where: { scheduleId: { in: schedules.map(({ id }) => id) }, merchantId: { in: schedules.map((one) => one.merchantId) } },
    orderBy: [{ merchantId: 'asc' }, { scheduleId: 'asc' }, { createdAt: 'desc' }, { id: 'desc' }],
    distinct: ['merchantId', 'scheduleId'],
    take: SCHEDULES_MAX,
  });
  const owners = schedules.map(({ ownerId }) => ownerId);
  const [names, show] = await Promise.all([readStaffNames(database, owners), runShower(context, latest)]);
  return schedules.map(({ id, nextDay, removedAt: _, createdBy: __, ...schedule }) => {
    const next = periodOf(dayText(nextDay), schedule);
    const run = latest.find(({ scheduleId }) => scheduleId === id);
    return {
      ...schedule,
      scheduleId: id,
      merchantName: configuration.merchant(schedule.merchantId)?.merchant.name ?? null,
      listTitle: LISTS[schedule.list]?.title ?? schedule.list,
      ownerName: names.get(schedule.ownerId) ?? null,
      nextPeriod: periodText(next.firstDay, next.lastDay),
      lastRun: run === undefined ? null : show(schedule, run),
    };
  });
}

/** The owner of a schedule that a person sees; null when they see none of that id. */
export async function findScheduleOwner(
  { resources }: SchedulesContext,
  scope: ScheduleScope,
  scheduleId: string,
): Promise<{ readonly merchantId: string; readonly list: string } | null> {
  return resources.database.prisma.reportSchedule.findFirst({
    where: { id: scheduleId, removedAt: null, ...inScope(scope) },
    select: { merchantId: true, list: true },
  });
}

/** The latest 50 runs of a schedule, the newest first. */
export async function listRuns(context: SchedulesContext, { merchantId, scheduleId }: ScheduleKey): Promise<RunInList[]> {
  const { prisma } = context.resources.database;
  const schedule = await prisma.reportSchedule.findUnique({ where: { merchantId_id: { merchantId, id: scheduleId } } });
  if (schedule === null) return [];
  const runs = await prisma.reportRun.findMany({
    where: { merchantId, scheduleId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: RUNS_MAX,
  });
  const show = await runShower(context, runs);
  return runs.map((run) => show(schedule, run));
}

function inScope({ merchantIds, staffId }: ScheduleScope) {
  return { OR: [{ merchantId: { in: [...merchantIds] } }, { merchantId: NIL_ID, ownerId: staffId }] };
}

/** Reads what runs are shown with, and returns what shows one. */
async function runShower(
  context: SchedulesContext,
  runs: readonly ReportRun[],
): Promise<(schedule: Pick<ReportSchedule, 'list' | 'format'>, run: ReportRun) => RunInList> {
  const { database } = context.resources;
  const requesters = runs.flatMap(({ requestedBy }) => requestedBy?.split(':')[1] ?? []);
  const files = await database.prisma.reportFile.findMany({
    where: { merchantId: { in: runs.map(({ merchantId }) => merchantId) }, runId: { in: runs.map(({ id }) => id) } },
    select: { runId: true },
    take: runs.length,
  });
  const names = await readStaffNames(database, requesters);
  const kept = new Set(files.map(({ runId }) => runId));
  return ({ list, format }, run) => {
    const [firstDay, lastDay] = [dayText(run.firstDay), dayText(run.lastDay)];
    const { state, attempts, nextAttemptAt, rows, bytes, downloads, madeAt, sentAt, createdAt } = run;
    return {
      runId: run.id,
      period: periodText(firstDay, lastDay),
      firstDay,
      lastDay,
      state,
      attempts,
      nextAttemptAt,
      rows,
      bytes,
      downloads,
      madeAt,
      sentAt,
      createdAt,
      requesterName: run.requestedBy === null ? null : (names.get(run.requestedBy.split(':')[1] ?? '') ?? 'A colleague'),
      error: run.error === null ? null : failureText(run.error),
      fileName: fileNameOf(list, run, run.format ?? format),
      link: linkOf(context, run, kept.has(run.id)),
    };
  };
}

function linkOf({ resources, now }: SchedulesContext, run: ReportRun, isKept: boolean): RunInList['link'] {
  const { linkHash, linkExpiresAt: expiresAt } = run;
  if (linkHash === null || expiresAt === null) return null;
  if (run.linkRevokedAt !== null) return { state: 'revoked', url: null, expiresAt };
  if (expiresAt <= now()) return { state: 'expired', url: null, expiresAt };
  const token = linkToken(resources.keyPepper, run.id);
  // Made with another key, which was changed since.
  const isOurs = timingSafeEqual(hashLinkToken(token), linkHash);
  if (!isKept || !isOurs) return { state: 'gone', url: null, expiresAt };
  return { state: 'active', url: `${resources.publicUrl}${linkPath(token)}`, expiresAt };
}

const LISTED_MAX = 500;

/** Reports that a staff user set up, and links to files of theirs that work without a sign-in. */
export interface IssuedReports {
  readonly schedules: readonly {
    readonly merchantId: string;
    readonly scheduleId: string;
    readonly name: string;
    readonly recipients: number;
    readonly at: Date;
  }[];
  readonly downloads: readonly {
    readonly merchantId: string;
    readonly runId: string;
    readonly name: string;
    /** `25 Nov 2026` */
    readonly period: string;
    readonly expiresAt: Date;
  }[];
}

/** Schedules that a staff user saved last, and the working links to their files or to those that they asked for; 500 at most. */
export async function listIssuedReports(
  { resources, now }: SchedulesContext,
  { merchantIds, staffId }: { readonly merchantIds: readonly string[]; readonly staffId: string },
): Promise<IssuedReports> {
  const { prisma } = resources.database;
  const actor = `staff:${staffId}`;
  const saved = await prisma.reportSchedule.findMany({
    where: { merchantId: { in: [...merchantIds] }, OR: [{ ownerId: staffId }, { createdBy: actor }] },
    orderBy: [{ updatedAt: 'desc' }, { id: 'desc' }],
    take: LISTED_MAX,
  });
  const runs = await prisma.reportRun.findMany({
    where: {
      merchantId: { in: [...merchantIds] },
      OR: [{ scheduleId: { in: saved.map(({ id }) => id) } }, { requestedBy: actor }],
      linkHash: { not: null },
      linkRevokedAt: null,
      linkExpiresAt: { gt: now() },
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: LISTED_MAX,
  });
  const scheduleIds = runs.map(({ scheduleId }) => scheduleId);
  const named = await prisma.reportSchedule.findMany({
    where: { merchantId: { in: [...merchantIds] }, id: { in: scheduleIds }, removedAt: null },
    select: { id: true, name: true },
    take: LISTED_MAX,
  });
  const names = new Map(named.map(({ id, name }) => [id, name]));
  return {
    schedules: saved
      .filter(({ removedAt }) => removedAt === null)
      .map(({ merchantId, id: scheduleId, name, recipients, updatedAt: at }) => {
        return { merchantId, scheduleId, name, recipients: recipients.length, at };
      }),
    downloads: runs.flatMap(({ merchantId, id: runId, scheduleId, firstDay, lastDay, linkExpiresAt: expiresAt }) => {
      const period = periodText(dayText(firstDay), dayText(lastDay));
      const name = names.get(scheduleId);
      // A link ends with its schedule.
      return expiresAt === null || name === undefined ? [] : [{ merchantId, runId, name, period, expiresAt }];
    }),
  };
}
