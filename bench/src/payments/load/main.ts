/*
 * The load generator: a process of its own, so that its CPU is apart from that of the servers under test. Runs each plan that its
 * parent sends and replies with the result.
 */
import { createHmac } from 'node:crypto';
import { createHistogram } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { type Dispatcher, Pool } from 'undici';
import { transactionId } from '../gateway/settings.ts';
import { type LoadPlan, type LoadResult, loadPlanSchema } from './plan.ts';

interface Outgoing {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

const REQUEST_TIMEOUT_MS = 30_000;

process.on('message', (message) => {
  const plan = loadPlanSchema.parse(message);
  run(plan).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.({ ready: true });

async function run(plan: LoadPlan): Promise<LoadResult> {
  const { connections } = plan.pace;
  const pools = plan.origins.map(
    (origin) =>
      new Pool(origin, { connections, pipelining: 1, headersTimeout: REQUEST_TIMEOUT_MS, bodyTimeout: REQUEST_TIMEOUT_MS }),
  );
  let sent = 0;
  const next = requestsOf(plan);
  const failures = new Map<string, number>();
  const histogram = createHistogram({ highest: 60_000_000 });
  const shed = createHistogram({ highest: 60_000_000 });
  let answered = 0;
  let bytes = 0;

  const send = (outgoing: Outgoing, dueAt: number) =>
    new Promise<void>((done) => {
      const sentAt = performance.now();
      pools[sent++ % pools.length]?.dispatch(
        { ...outgoing },
        new Answer((outcome, size) => {
          if (outcome === '503') shed.record(Math.max(1, Math.round((performance.now() - sentAt) * 1_000)));
          else histogram.record(Math.max(1, Math.round((performance.now() - dueAt) * 1_000)));
          if (outcome === '200') {
            answered += 1;
            bytes += size;
          } else failures.set(outcome, (failures.get(outcome) ?? 0) + 1);
          done();
        }),
      );
    });

  const startedAt = performance.now();
  const endsAt = startedAt + plan.seconds * 1_000;
  if (plan.pace.kind === 'closed') await sendClosed(plan.pace.connections, endsAt, next, send);
  else await sendOpen(plan.pace.perSecond, startedAt, endsAt, next, send);
  const seconds = (performance.now() - startedAt) / 1_000;
  await Promise.all(pools.map((pool) => pool.close()));
  const ms = (percentile: number) => histogram.percentile(percentile) / 1_000;
  return {
    answered,
    failures: Object.fromEntries(failures),
    seconds,
    latency: { p50: ms(50), p95: ms(95), p99: ms(99), max: histogram.max / 1_000 },
    shedLatency: shed.count === 0 ? null : { p50: shed.percentile(50) / 1_000, p99: shed.percentile(99) / 1_000 },
    bytes: answered === 0 ? 0 : bytes / answered,
  };
}

type Send = (outgoing: Outgoing, dueAt: number) => Promise<void>;

async function sendClosed(connections: number, endsAt: number, next: () => Outgoing | null, send: Send): Promise<void> {
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < endsAt) {
        const outgoing = next();
        if (outgoing === null) return;
        await send(outgoing, performance.now());
      }
    }),
  );
}

/** Sends each request at its own moment; one that is sent late counts from the moment it was due. */
async function sendOpen(
  perSecond: number,
  startedAt: number,
  endsAt: number,
  next: () => Outgoing | null,
  send: Send,
): Promise<void> {
  const underWay: Promise<void>[] = [];
  for (;;) {
    const dueAt = startedAt + (underWay.length * 1_000) / perSecond;
    const outgoing = dueAt < endsAt ? next() : null;
    if (outgoing === null) break;
    const wait = dueAt - performance.now();
    if (wait > 0) await pause(wait);
    underWay.push(send(outgoing, dueAt));
  }
  await Promise.all(underWay);
}

/** Gives one request after the other; null when there are no more. */
function requestsOf(plan: LoadPlan): () => Outgoing | null {
  const authorization = `Bearer ${plan.keys[0]}`;
  const read = { authorization };
  const write = { authorization, 'content-type': 'application/json' };
  const { paymentIds, webhooks, orderPrefix } = plan;
  let count = 0;
  switch (plan.operation) {
    case 'initiate': {
      const keyOf = sendersOf(plan);
      return () => {
        const body = `{"merchantOrderId":"${orderPrefix}-${count++}","amount":2500,"currency":"NGN","customer":{"email":"ada@example.com"},"paymentMethod":"card"}`;
        const headers = { ...write, authorization: `Bearer ${keyOf(count)}` };
        return { method: 'POST', path: '/v1/payments/initiate', headers, body };
      };
    }
    case 'get':
      return () => ({
        method: 'GET',
        path: `/v1/payments/${paymentIds[count++ % paymentIds.length]}`,
        headers: read,
        body: null,
      });
    case 'verify':
      return () => {
        const paymentId = paymentIds[count++];
        return paymentId === undefined
          ? null
          : { method: 'POST', path: `/v1/payments/${paymentId}/verify`, headers: write, body: '{}' };
      };
    case 'webhook':
      return () => {
        const reference = webhooks.references[count++];
        if (reference === undefined) return null;
        const body = webhookBody(reference);
        const signature = createHmac('sha512', webhooks.secret).update(body).digest('hex');
        const headers = { 'content-type': 'application/json', 'x-paystack-signature': signature };
        return { method: 'POST', path: webhooks.path, headers, body };
      };
    default:
      return plan.operation satisfies never;
  }
}

/** Gives the key of who sends the next initiate. Chosen by a number that is as good as drawn, the same in every run. */
function sendersOf({ keys, traffic }: LoadPlan): (count: number) => string {
  const weights = keys.map((_, rank) => (traffic === 'zipf' ? 1 / (rank + 1) : 1));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const ends: number[] = [];
  for (const weight of weights) ends.push((ends.at(-1) ?? 0) + weight / whole);
  return (count) => {
    // Steps by the golden ratio spread evenly.
    const drawn = (count * 0.618_033_988_749_894_9) % 1;
    let [low, high] = [0, keys.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 1) > drawn) high = middle;
      else low = middle + 1;
    }
    return keys[low] ?? '';
  };
}

/** Paystack's `charge.success`. */
function webhookBody(reference: string): string {
  return JSON.stringify({
    event: 'charge.success',
    data: {
      id: transactionId(reference),
      domain: 'test',
      status: 'success',
      reference,
      amount: 250_000,
      message: null,
      gateway_response: 'Successful',
      paid_at: new Date().toISOString(),
      created_at: new Date().toISOString(),
      channel: 'card',
      currency: 'NGN',
      ip_address: '127.0.0.1',
      fees: 3_750,
      authorization: { authorization_code: 'AUTH_bench', bin: '408408', last4: '4081', channel: 'card', reusable: true },
      customer: { id: 1, email: 'ada@example.com', customer_code: 'CUS_bench' },
    },
  });
}

/** Reads one answer to its end; its status, or the error, and the size of its body. */
class Answer implements Dispatcher.DispatchHandler {
  private readonly done: (outcome: string, bytes: number) => void;
  private status = 0;
  private bytes = 0;

  constructor(done: (outcome: string, bytes: number) => void) {
    this.done = done;
  }

  onRequestStart(): void {}

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.status = status;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.bytes += chunk.length;
  }

  onResponseEnd(): void {
    this.done(String(this.status), this.bytes);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.done('code' in error ? String(error.code) : error.name, 0);
  }
}
