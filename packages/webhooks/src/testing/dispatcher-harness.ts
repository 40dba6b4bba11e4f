import { testMerchant } from '@switchyard/merchants/testing';
import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type Dispatcher, type DispatcherOptions, openDispatcher } from '../deliveries/dispatcher.ts';
import { listDueEndpoints } from '../deliveries/due-deliveries-queries.ts';
import { openSender } from '../deliveries/send.ts';
import { openReceiver, type Received, type Receiver, until, webhooksOf } from './webhooks.ts';

/** A merchant and a receiver for each test of the file that calls {@link openDispatcherHarness}. */
export interface DispatcherHarness {
  readonly context: TestContext;
  readonly merchantId: string;
  readonly webhooks: ReturnType<typeof webhooksOf>;
  readonly receiver: Receiver;
  /** Errors inside dispatchers; the test fails when any is left. */
  readonly errors: unknown[];
  /** One more receiver, closed with the test. */
  receiving(answer?: Receiver['answer']): Promise<Receiver>;
  /** A dispatcher, stopped with the test. */
  dispatcher(options?: Partial<DispatcherOptions> & { timeoutMs?: number }): Dispatcher;
  /** Waits until nothing is due any more; `lost` deliveries were attempted without a recorded result. */
  settled(by: Dispatcher, endpointId: string, lost?: number): Promise<void>;
  somethingIsDue(endpointId: string): Promise<boolean>;
  /** Writes deliveries of test events, all due now. */
  fillQueue(endpointId: string, count: number): Promise<void>;
}

export const idOf = ({ headers }: Received) => headers['webhook-id'];
export const refuse: Receiver['answer'] = (_received, response) => void response.writeHead(500).end('no');

const FILL_QUEUE = `
INSERT INTO webhook_delivery (merchant_id, id, endpoint_id, event_id, position, type, state, attempts, next_attempt_at, due_at,
  created_at, updated_at)
SELECT $1, gen_random_uuid(), $2, gen_random_uuid(), 0, 'webhook.test', 'PENDING', 0, now(), now(), now(), now()
FROM generate_series(1, $3::integer)`;

/** Opens the harness for a file's tests and closes it after them. */
export function openDispatcherHarness(): DispatcherHarness {
  let context: TestContext;
  let merchantId: string;
  let webhooks: ReturnType<typeof webhooksOf>;
  let receiver: Receiver;
  const open: (() => Promise<void>)[] = [];
  const errors: unknown[] = [];

  beforeAll(async () => {
    context = await openTestContext();
  });
  afterAll(() => context.close());
  beforeEach(async () => {
    context.setClock(null);
    errors.length = 0;
    merchantId = await testMerchant(context);
    webhooks = webhooksOf(context, merchantId);
    receiver = await receiving();
  });
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
    await context.database.pool.query('DELETE FROM webhook_delivery');
    expect(errors).toEqual([]);
  });

  async function receiving(answer?: Receiver['answer']): Promise<Receiver> {
    const made = await openReceiver(answer);
    open.push(() => made.close());
    return made;
  }

  async function somethingIsDue(endpointId: string): Promise<boolean> {
    const due = await listDueEndpoints(context.database, context.now());
    return due.some((endpoint) => endpoint.endpointId === endpointId);
  }

  return {
    get context() {
      return context;
    },
    get merchantId() {
      return merchantId;
    },
    get webhooks() {
      return webhooks;
    },
    get receiver() {
      return receiver;
    },
    errors,
    receiving,
    somethingIsDue,
    async fillQueue(endpointId, count) {
      await context.database.pool.query(FILL_QUEUE, [merchantId, endpointId, count]);
    },
    dispatcher({ timeoutMs = 15_000, ...rest } = {}) {
      const sender = openSender({ timeoutMs });
      const made = openDispatcher(context, { onError: (error) => errors.push(error), sender, random: () => 0, ...rest });
      open.push(() => made.stop());
      return made;
    },
    settled: (by, endpointId, lost = 0) =>
      until('nothing is due', async () => {
        await by.sweep();
        // Between both counts: where they agree nothing was under way that hides what is due after it.
        const attempts = await webhooks.attempts(endpointId);
        const isDue = await somethingIsDue(endpointId);
        const begun = await webhooks.deliveries(endpointId);
        return !isDue && attempts.length + lost === begun.reduce((sum, { attempts }) => sum + attempts, 0);
      }),
  };
}
