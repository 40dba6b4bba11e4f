import { continueResend, continueStalledResends, openDispatcher } from '@switchyard/webhooks/deliveries';
import { run, type WorkerEvents } from 'graphile-worker';
import { z } from 'zod';
import type { WorkerContext } from './worker-context.ts';

/** Jobs only wake the dispatcher: few at once are enough. */
const CONCURRENCY = 4;
const SWEEP_EVERY_MS = 1_000;

const endpointSchema = z.object({ merchantId: z.uuid(), endpointId: z.uuid() });
const resendSchema = z.object({ merchantId: z.uuid(), resendId: z.uuid() });

/**
 * Sends merchants their events, apart from all other jobs: neither waits for the other. A job is the news that something is due;
 * what is due is found without it too, a second later.
 */
export async function startDeliveries(
  { merchants, report, pgPool }: WorkerContext,
  events: WorkerEvents,
): Promise<{ stop(): Promise<void> }> {
  const dispatcher = openDispatcher(merchants, { onError: report });
  const runner = await run({
    pgPool,
    concurrency: CONCURRENCY,
    noHandleSignals: true,
    events,
    parsedCronItems: [],
    taskList: {
      'deliver-events': async (payload) => dispatcher.wake(endpointSchema.parse(payload)),
      'resend-events': (payload) => continueResend(merchants, resendSchema.parse(payload), dispatcher.wake),
    },
  });
  let sweeping: Promise<void> | null = null;
  const timer = setInterval(() => {
    sweeping ??= sweep().finally(() => {
      sweeping = null;
    });
  }, SWEEP_EVERY_MS);

  async function sweep(): Promise<void> {
    try {
      await dispatcher.sweep();
      await continueStalledResends(merchants, dispatcher.wake);
    } catch (error) {
      report(error, 'looking for events to deliver');
    }
  }

  return {
    async stop() {
      clearInterval(timer);
      await runner.stop();
      await sweeping;
      await dispatcher.stop();
    },
  };
}
