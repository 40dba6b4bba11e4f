import { type MessageTools, openMessageTools, type SendingContext, sendNotifications } from '@switchyard/alerts/send';
import type { TaskList } from 'graphile-worker';
import { z } from 'zod';
import { type QueueOptions, startQueue } from './start-queue.ts';
import type { WorkerContext } from './worker-context.ts';

/** Each channel has a queue, so that a job waits for one message at most; this many channels are told at once. */
const CONCURRENCY = 16;
/** New messages are announced: only those that are sent again wait for a free slot to look. */
const POLL_MS = 10_000;

const channelSchema = z.object({ merchantId: z.uuid(), channelId: z.uuid() });

/** Sends messages about incidents, apart from all other jobs: a channel that does not answer holds up none of them. */
export async function startNotifications(
  { resources, now, newId, pgPool, report, signal }: WorkerContext,
  queue: QueueOptions,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<{ stop(): Promise<void> }> {
  const tools: MessageTools = openMessageTools(environment);
  const context: SendingContext = { resources, now, newId, ...tools };
  const taskList: TaskList = { 'send-notifications': (payload) => sendNotifications(context, channelSchema.parse(payload)) };
  const runner = await startQueue({ pgPool, report, signal, concurrency: CONCURRENCY, pollInterval: POLL_MS, taskList }, queue);
  return {
    async stop() {
      await runner.stop();
      await tools.sender.close();
    },
  };
}
