import { dayText } from '@switchyard/runtime/calendar-days';
import type { SchedulesContext } from '../context.ts';
import { periodText } from '../periods.ts';

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
