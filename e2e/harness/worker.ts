import { listenForWakes } from '@switchyard/db/process';
import { TEST_CONNECTION } from '@switchyard/db/testing';
import { openPayments } from '@switchyard/payments/context';
import { openWebhookFollower } from '@switchyard/payments/gateway-webhooks';
import { openResources } from '@switchyard/runtime/resources';

const SWEEP_INTERVAL_MS = 500;

/** Follows up webhooks as the worker process does, on connections and a configuration of its own. */
export async function startWorker(environment: Readonly<Record<string, string>>): Promise<{ stop(): Promise<void> }> {
  const resources = openResources(environment, () => undefined, TEST_CONNECTION);
  await resources.configuration.refresh();
  const payments = openPayments(resources, { healthTickMs: null });
  const follower = openWebhookFollower(payments, { onEnded: () => undefined, onError: () => undefined });
  const timer = setInterval(() => follower.sweep().catch(() => undefined), SWEEP_INTERVAL_MS);
  const wakes = listenForWakes(resources.database, {
    onWake: ({ name, payload }) => name === 'follow-webhooks' && void follower.wake(payload.merchantId),
    onError: () => undefined,
  });
  return {
    async stop() {
      clearInterval(timer);
      wakes.close();
      await follower.stop();
      payments.close();
      await resources.close();
    },
  };
}
