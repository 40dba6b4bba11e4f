import { createHmac } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { order } from '@switchyard/e2e/contract';
import type { LoadPlan, StreamKind, StreamResult } from './result.ts';

type Stream = LoadPlan['streams'][number];

const TICK_MS = 5;
const SHED = 503;

/** Sends the requests of a plan until its time is over, and waits for the answers to them. */
export async function runLoad(plan: LoadPlan): Promise<StreamResult[]> {
  return Promise.all(plan.streams.map((stream) => runStream(plan, stream)));
}

async function runStream(plan: LoadPlan, { kind, pace }: Stream): Promise<StreamResult> {
  const count = countAnswers();
  const open = new Set<Connection>();
  const idle: Connection[] = [];
  const next = requestsOf(plan, kind, pace.kind === 'new');
  const startedAt = performance.now();

  /** A connection that waits for nothing; null when all do. */
  function findIdle(most: number): Connection | null {
    for (let found = idle.pop(); found !== undefined; found = idle.pop()) {
      if (found.usable) return found;
      open.delete(found);
    }
    return open.size < most ? connectNow() : null;
  }

  function connectNow(): Connection {
    const connection = new Connection(plan, plan.answerLimitMs);
    open.add(connection);
    return connection;
  }

  function send(connection: Connection, dueAt: number): Promise<void> {
    return new Promise((done) => {
      count.sent(performance.now() - dueAt);
      connection.send(next(), (outcome) => {
        count.ended(outcome, performance.now() - dueAt);
        if (pace.kind === 'new') connection.close();
        if (connection.usable) idle.push(connection);
        else open.delete(connection);
        done();
      });
    });
  }

  if (pace.kind === 'closed') {
    const endsAt = startedAt + plan.seconds * 1_000;
    const repeat = async () => {
      while (performance.now() < endsAt) {
        const connection = findIdle(pace.connections);
        if (connection === null) throw new Error('more requests under way than connections');
        count.due();
        await send(connection, performance.now());
      }
    };
    await Promise.all(Array.from({ length: pace.connections }, repeat));
  } else {
    const most = pace.kind === 'new' ? Number.POSITIVE_INFINITY : pace.connections;
    const total = Math.round(plan.seconds * pace.perSecond);
    const dueAt = (turn: number) => startedAt + (turn * 1_000) / pace.perSecond;
    const underWay: Promise<void>[] = [];
    for (let turn = 0; turn < total; ) {
      for (const now = performance.now(); turn < total && dueAt(turn) <= now; turn += 1) {
        count.due();
        const connection = findIdle(most);
        if (connection !== null) underWay.push(send(connection, dueAt(turn)));
      }
      await pause(TICK_MS);
    }
    await Promise.all(underWay);
  }
  for (const connection of open) connection.close();
  return count.result(kind);
}

interface Counts {
  due(): void;
  sent(lateMs: number): void;
  ended(outcome: Outcome, ms: number): void;
  result(kind: StreamKind): StreamResult;
}

function countAnswers(): Counts {
  const took = createHistogram({ highest: 600_000_000 });
  const late = createHistogram({ highest: 600_000_000 });
  const others = new Map<string, number>();
  const counts = { due: 0, sent: 0, served: 0, shed: 0, timedOut: 0 };
  return {
    due() {
      counts.due += 1;
    },
    sent(lateMs) {
      counts.sent += 1;
      record(late, lateMs);
    },
    ended(outcome, ms) {
      if (outcome === SHED) counts.shed += 1;
      else if (outcome === 'timed out') counts.timedOut += 1;
      else if (typeof outcome === 'number' && outcome >= 200 && outcome < 300) {
        counts.served += 1;
        record(took, ms);
      } else others.set(String(outcome), (others.get(String(outcome)) ?? 0) + 1);
    },
    result: (kind) => ({
      kind,
      ...counts,
      others: Object.fromEntries(others),
      p50Ms: percentileMs(took, 50),
      p99Ms: percentileMs(took, 99),
      lateP99Ms: percentileMs(late, 99),
    }),
  };
}

function record(histogram: RecordableHistogram, ms: number): void {
  histogram.record(Math.max(1, Math.round(ms * 1_000)));
}

function percentileMs(histogram: RecordableHistogram, percentile: number): number {
  return histogram.count === 0 ? 0 : histogram.percentile(percentile) / 1_000;
}

/** Gives one request after the other, whole, as it goes over the connection. */
function requestsOf({ host, port, key, webhooks }: LoadPlan, kind: StreamKind, closes: boolean): () => string | Buffer {
  const fields = `\r\nhost: ${host}:${port}${closes ? '\r\nconnection: close' : ''}`;
  const authorization = `\r\nauthorization: Bearer ${key}`;
  const post = (path: string, body: string, further: string) =>
    `POST ${path} HTTP/1.1${fields}${further}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  switch (kind) {
    case 'list': {
      const list = Buffer.from(`GET /v1/payments HTTP/1.1${fields}${authorization}\r\n\r\n`);
      return () => list;
    }
    case 'initiate':
      return () => post('/v1/payments/initiate', JSON.stringify(order()), authorization);
    case 'webhook': {
      let count = 0;
      return () => {
        const reference = webhooks.references[count % webhooks.references.length];
        count += 1;
        if (reference === undefined) throw new Error('a plan with webhooks needs references');
        const body = chargeSuccess(reference, count);
        const signature = createHmac('sha512', webhooks.secret).update(body).digest('hex');
        return post(webhooks.path, body, `\r\nx-paystack-signature: ${signature}`);
      };
    }
    default:
      return kind satisfies never;
  }
}

/** Paystack's `charge.success` ({@link https://paystack.com/docs/payments/webhooks/#types-of-events}), of an order of the harness. */
function chargeSuccess(reference: string, id: number): string {
  const at = new Date().toISOString();
  return JSON.stringify({
    event: 'charge.success',
    data: {
      id,
      domain: 'test',
      status: 'success',
      reference,
      amount: 250_000,
      gateway_response: 'Successful',
      paid_at: at,
      created_at: at,
      channel: 'card',
      currency: 'NGN',
      customer: { id: 1, email: 'ada@example.com', customer_code: 'CUS_drill' },
    },
  });
}

/** End of a request: the status, or why there is none. */
type Outcome = number | 'timed out' | 'unreadable' | 'closed' | (string & {});

const HEAD_END = '\r\n\r\n';
const STATUS_AT = 9;

/**
 * A plain connection that sends one request at a time and reads of an answer no more than its end needs: a client that costs less of the
 * shared machine than the server it measures. Answers need a `content-length`.
 */
class Connection {
  private readonly socket: Socket;
  private readonly answerLimitMs: number;
  private head = '';
  private bodyLeft: number | null = null;
  private closes = false;
  private timer: NodeJS.Timeout | undefined;
  private done: ((outcome: Outcome) => void) | null = null;

  constructor(at: { readonly host: string; readonly port: number }, answerLimitMs: number) {
    this.answerLimitMs = answerLimitMs;
    this.socket = connect({ ...at, noDelay: true });
    this.socket.on('data', (chunk) => this.read(chunk));
    this.socket.on('error', (error: NodeJS.ErrnoException) => this.end(error.code ?? error.name, true));
    this.socket.on('close', () => this.end('closed', true));
  }

  /** False once it takes no further request. */
  get usable(): boolean {
    return !this.closes && !this.socket.destroyed;
  }

  /** Sends a whole request. `done` is called once, with the end of its answer. */
  send(request: string | Buffer, done: (outcome: Outcome) => void): void {
    this.done = done;
    this.timer = setTimeout(() => this.end('timed out', true), this.answerLimitMs);
    this.socket.write(request);
  }

  close(): void {
    this.closes = true;
    this.socket.destroy();
  }

  private read(chunk: Buffer): void {
    if (this.bodyLeft === null) {
      this.head += chunk.toString('latin1');
      const headEnd = this.head.indexOf(HEAD_END);
      if (headEnd === -1) return;
      const fields = this.head.slice(0, headEnd).toLowerCase();
      const length = /\r\ncontent-length: *(\d+)/.exec(fields)?.[1];
      if (length === undefined) {
        this.end('unreadable', true);
        return;
      }
      if (fields.includes('\r\nconnection: close')) this.closes = true;
      this.bodyLeft = Number(length) - (this.head.length - headEnd - HEAD_END.length);
    } else this.bodyLeft -= chunk.length;
    if (this.bodyLeft <= 0) this.end(Number(this.head.slice(STATUS_AT, STATUS_AT + 3)), false);
  }

  private end(outcome: Outcome, isBroken: boolean): void {
    clearTimeout(this.timer);
    if (isBroken) this.close();
    this.head = '';
    this.bodyLeft = null;
    const { done } = this;
    this.done = null;
    done?.(outcome);
  }
}
