import { TEST_CONNECTION } from '@switchyard/db/testing';
import { openPayments } from '@switchyard/payments/context';
import { openWebhookFollower } from '@switchyard/payments/gateway-webhooks';
import { openResources } from '@switchyard/runtime/resources';
import { Logger, run } from 'graphile-worker';
import { z } from 'zod';

const SWEEP_INTERVAL_MS = 500;
const jobSchema = z.object({ merchantId: z.uuid() });

/** Follows up webhooks as the worker process does, on connections and a configuration of its own. */
export async function startWorker(environment: Readonly<Record<string, string>>): Promise<{ stop(): Promise<void> }> {
  const resources = openResources(environment, () => undefined, TEST_CONNECTION);
  await resources.configuration.refresh();
  const payments = openPayments(resources, { healthTickMs: null });
  const follower = openWebhookFollower(payments, { onEnded: () => undefined, onError: () => undefined });
  const timer = setInterval(() => follower.sweep().catch(() => undefined), SWEEP_INTERVAL_MS);
  const runner = await run({
    pgPool: resources.database.pool,
    concurrency: 4,
    pollInterval: 200,
    noHandleSignals: true,
    parsedCronItems: [],
    logger: new Logger(() => () => undefined),
    taskList: { 'follow-webhooks': (payload) => void follower.wake(jobSchema.parse(payload).merchantId) },
  });
  return {
    async stop() {
      clearInterval(timer);
      await runner.stop();
      await follower.stop();
      payments.close();
      await resources.close();
    },
  };
}
