import { openMailer } from '@switchyard/runtime/mail';
import { makeReport, type RunsContext } from '@switchyard/scheduled-reports/runs';
import type { TaskList } from 'graphile-worker';
import { z } from 'zod';
import { type QueueOptions, startQueue } from './start-queue.ts';
import type { WorkerContext } from './worker-context.ts';

/** New reports are announced: only those that failed, or waited for another, wait for the slot to look. */
const POLL_MS = 10_000;

const runSchema = z.object({ merchantId: z.uuid(), runId: z.uuid() });

/** Makes and sends scheduled reports, one at a time and apart from all other jobs: a long one holds up none of them. */
export function startReports(
  { resources, now, newId, pgPool, report, signal }: WorkerContext,
  queue: QueueOptions,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<{ stop(): Promise<void> }> {
  const context: RunsContext = { resources, now, newId, report, mailer: openMailer(environment) };
  const taskList: TaskList = { 'make-report': (payload) => makeReport(context, runSchema.parse(payload)) };
  return startQueue({ pgPool, report, signal, concurrency: 1, pollInterval: POLL_MS, taskList }, queue);
}
