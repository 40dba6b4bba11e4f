import { TEST_CONNECTION } from '@switchyard/db/testing';
import { openPayments } from '@switchyard/payments/context';
import { followUpWebhook } from '@switchyard/payments/gateway-webhooks';
import { openResources } from '@switchyard/runtime/resources';
import { Logger, run } from 'graphile-worker';
import { z } from 'zod';

const jobSchema = z.object({ merchantId: z.uuid(), attemptId: z.uuid(), webhookId: z.uuid() });

/** Follows up webhooks as the worker process does, on connections and a configuration of its own. */
export async function startWorker(environment: Readonly<Record<string, string>>): Promise<{ stop(): Promise<void> }> {
  const resources = openResources(environment, () => undefined, TEST_CONNECTION);
  await resources.configuration.refresh();
  const payments = openPayments(resources, { healthTickMs: null });
  const runner = await run({
    pgPool: resources.database.pool,
    concurrency: 4,
    pollInterval: 200,
    noHandleSignals: true,
    parsedCronItems: [],
    logger: new Logger(() => () => undefined),
    taskList: { 'check-attempt': (payload) => followUpWebhook(payments, jobSchema.parse(payload)) },
  });
  return {
    async stop() {
      await runner.stop();
      payments.close();
      await resources.close();
    },
  };
}
