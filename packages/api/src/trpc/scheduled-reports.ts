import { NIL_ID } from '@switchyard/db';
import type { ExportedList } from '@switchyard/nouns/exported-list';
import {
  createSchedule,
  findScheduleOwner,
  listRuns,
  listSchedules,
  nextPeriods,
  pauseSchedule,
  periodText,
  reachedMerchants,
  removeSchedule,
  resumeSchedule,
  retryRun,
  revokeLink,
  sendNow,
  updateSchedule,
} from '@switchyard/scheduled-reports/console';
import { LISTS } from '@switchyard/scheduled-reports/lists';
import { merchantScopeOf, type Permission } from '@switchyard/staff/permissions';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { found as orMissing, timeZone } from './inputs.ts';
import { permitted, resolveMerchants, router, type TrpcContext } from './procedure.ts';

const PREVIEWED = 3;
const FILTER_TEXT_MAX = 20_000;

const exporting = permitted('report:export');

/** Types only: range problems are returned per field, not thrown. */
const fields = z.object({
  name: z.string().max(500),
  format: z.enum(['csv', 'ndjson', 'xlsx']),
  frequency: z.enum(['daily', 'weekly', 'monthly']),
  hour: z.number(),
  timeZone: z.string().max(100),
  recipients: z.array(z.string().max(500)).max(50),
});
const listName = z.string().refine((name) => Object.hasOwn(LISTS, name), 'must be an export');
const filter = z
  .record(z.string(), z.unknown())
  .refine((value) => JSON.stringify(value).length <= FILTER_TEXT_MAX, 'must be a filter of a list');
const scheduleKey = z.object({ scheduleId: z.uuid().toLowerCase() });
const runKey = scheduleKey.extend({ runId: z.uuid().toLowerCase() });

/** Reports that are made of lists for each day, week or month, and sent. */
export const scheduledReports = router({
  /** The lists that can be scheduled. */
  lists: exporting.query(() => Object.entries(LISTS).map(([name, { title }]) => ({ name, title }))),
  /** Schedules of one merchant, or of all that the caller may export; those for all merchants are listed with either. */
  list: exporting
    .input(z.object({ merchantId: z.uuid().toLowerCase().nullable(), mode: z.enum(['test', 'live']) }))
    .query(({ ctx, input: { merchantId, mode } }) => {
      return listSchedules(ctx.switchyard, { mode, ...scopeOf(ctx, resolveMerchants(ctx, merchantId)) });
    }),
  /** The latest runs of a schedule. */
  runs: exporting.input(scheduleKey).query(async ({ ctx, input }) => listRuns(ctx.switchyard, await visible(ctx, input))),
  /** The next reports of a timing: their periods, and when they are made. */
  preview: exporting
    .input(z.object({ frequency: fields.shape.frequency, hour: z.int().min(0).max(23), timeZone }))
    .query(({ ctx, input }) =>
      nextPeriods(ctx.switchyard.now(), input, PREVIEWED).map(({ firstDay, lastDay, dueAt }) => ({
        period: periodText(firstDay, lastDay),
        dueAt,
      })),
    ),
  /** Adds a schedule; for all merchants of the caller with null. It may see what the caller may see when a report is made. */
  create: exporting
    .input(
      z.object({ merchantId: z.uuid().toLowerCase().nullable(), mode: z.enum(['test', 'live']), list: listName, filter, fields }),
    )
    .mutation(({ ctx, input }) => {
      const merchantId = input.merchantId ?? NIL_ID;
      requireReach(ctx, merchantId, input.list);
      return createSchedule(ctx.switchyard, { ...input, merchantId, staffId: ctx.session.staffId });
    }),
  update: exporting.input(scheduleKey.extend({ fields })).mutation(async ({ ctx, input }) => {
    return found(await updateSchedule(ctx.switchyard, { ...(await taken(ctx, input)), fields: input.fields }));
  }),
  pause: exporting.input(scheduleKey).mutation(async ({ ctx, input }) => {
    return found(await pauseSchedule(ctx.switchyard, { ...(await visible(ctx, input)), staffId: ctx.session.staffId }));
  }),
  resume: exporting.input(scheduleKey).mutation(async ({ ctx, input }) => {
    return found(await resumeSchedule(ctx.switchyard, await taken(ctx, input)));
  }),
  remove: exporting.input(scheduleKey).mutation(async ({ ctx, input }) => {
    return found(await removeSchedule(ctx.switchyard, { ...(await visible(ctx, input)), staffId: ctx.session.staffId }));
  }),
  /** Makes and sends the report of the last period that is over. */
  sendNow: exporting.input(scheduleKey).mutation(async ({ ctx, input }) => {
    return found(await sendNow(ctx.switchyard, { ...(await visible(ctx, input)), staffId: ctx.session.staffId }));
  }),
  /** Tries a run again that failed for good. */
  retry: exporting.input(runKey).mutation(async ({ ctx, input }) => {
    const { merchantId } = await visible(ctx, input);
    return found(await retryRun(ctx.switchyard, { merchantId, runId: input.runId, staffId: ctx.session.staffId }));
  }),
  /** Ends the link to a run's file. */
  revokeLink: exporting.input(runKey).mutation(async ({ ctx, input }) => {
    const { merchantId } = await visible(ctx, input);
    return found(await revokeLink(ctx.switchyard, { merchantId, runId: input.runId, actor: `staff:${ctx.session.staffId}` }));
  }),
});

type Caller = TrpcContext & {
  readonly session: NonNullable<TrpcContext['session']>;
  readonly merchantIds: readonly string[];
};

/** Schedules for all merchants are seen by their owner, and by people who may export those of every merchant. */
function scopeOf(ctx: Caller, merchantIds: readonly string[]) {
  const { everywhere } = merchantScopeOf(ctx.session, 'report:export', []);
  return { merchantIds: everywhere ? [...merchantIds, NIL_ID] : merchantIds, staffId: ctx.session.staffId };
}

async function visible(ctx: Caller, { scheduleId }: z.infer<typeof scheduleKey>) {
  const owner = await findScheduleOwner(ctx.switchyard, scopeOf(ctx, ctx.merchantIds), scheduleId);
  if (owner === null) throw new TRPCError({ code: 'NOT_FOUND', message: NO_REPORT });
  return { merchantId: owner.merchantId, scheduleId, list: owner.list };
}

/** The schedule, to be taken over by the caller: it then sees what they may see. Throws FORBIDDEN where that is nothing. */
async function taken(ctx: Caller, input: z.infer<typeof scheduleKey>) {
  const { merchantId, scheduleId, list } = await visible(ctx, input);
  requireReach(ctx, merchantId, list);
  return { merchantId, scheduleId, staffId: ctx.session.staffId };
}

function requireReach(ctx: Caller, merchantId: string, listName: string): void {
  const list: ExportedList<Permission> | undefined = LISTS[listName];
  if (merchantId !== NIL_ID) resolveMerchants(ctx, merchantId);
  const reached = list === undefined ? [] : reachedMerchants(ctx.switchyard, ctx.session, { merchantId, list });
  if (reached.length > 0) return;
  throw new TRPCError({ code: 'FORBIDDEN', message: 'Your role does not allow this. Ask an owner of the workspace.' });
}

const NO_REPORT = 'There is no such report, or you have no access to it.';

function found<Outcome extends { readonly kind: string }>(outcome: Outcome) {
  return orMissing(outcome, NO_REPORT);
}
