import { expect, test } from 'vitest';
import { openDispatcherHarness } from '../testing/webhooks.ts';

const harness = openDispatcherHarness();

// The time limit of a statement ends what reads the backlog once for each of its deliveries.
test('a backlog is found and put off by index although the tables were small when they were analysed', async () => {
  const { pool } = harness.context.database;
  const { endpointId } = await harness.webhooks.endpoint(harness.receiver.url);
  await harness.fillQueue(endpointId, 3);
  await pool.query('ANALYZE webhook_delivery, due_delivery');
  await harness.fillQueue(endpointId, 20_000);
  expect(await harness.somethingIsDue(endpointId)).toBe(true);
  await pool.query('UPDATE webhook_delivery SET due_at = due_at + $1::interval WHERE endpoint_id = $2', ['1 hour', endpointId]);
});
