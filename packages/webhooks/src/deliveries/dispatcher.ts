import { withWorkSubject } from '@switchyard/db';
import type { WebhooksContext } from '../context.ts';
import type { WebhookEndpointKey } from '../endpoints/queries.ts';
import { deliverNext, type FormatEvent, type TraceDelivery } from './deliver-next.ts';
import { listDueEndpoints } from './due-deliveries-queries.ts';
import { openSender, type Sender } from './send.ts';

/** Most concurrent deliveries to one endpoint, per process. */
const CONCURRENCY_PER_ENDPOINT_MAX = 4;
/** After this many timeouts in a row an endpoint gets one delivery at a time, until it answers again. */
const TIMEOUTS_IN_A_ROW_MAX = 3;
/** Most concurrent deliveries per process. */
const IN_FLIGHT_MAX = 256;

/** How deliveries are sent. `inFlightMax` is the most concurrent deliveries of this process, 256 unless given. */
export interface DispatcherOptions {
  readonly onError: (error: unknown, doing: string) => void;
  /** Without it, deliveries to endpoints of a gateway's format fail. */
  readonly formatEvent?: FormatEvent;
  readonly sender?: Sender;
  /** A number in [0, 1). */
  readonly random?: () => number;
  readonly inFlightMax?: number;
  /** Without it, deliveries are in no trace. */
  readonly trace?: TraceDelivery;
}

/**
 * Delivers events. Each endpoint has its own queue, so that a slow one delays no other. Due deliveries are rows: those of a crashed
 * process are due again when their lease expires.
 */
export interface Dispatcher {
  /** Starts delivering what is due at an endpoint. Returns at once; false once it is stopped. */
  wake(endpoint: WebhookEndpointKey): boolean;
  /** Wakes every endpoint at which something is due. */
  sweep(): Promise<void>;
  /** Starts no more deliveries and waits for the running ones. */
  stop(): Promise<void>;
}

interface EndpointQueue {
  readonly endpoint: WebhookEndpointKey;
  running: number;
  timeoutsInARow: number;
  /** Woken while all its slots were in use. */
  isWokenAgain: boolean;
}

/** Opens a dispatcher; it sends nothing until it is woken or sweeps. Stop it before the database closes. */
export function openDispatcher(context: WebhooksContext, options: DispatcherOptions): Dispatcher {
  const dispatcher = new QueueDispatcher(context, options);
  return { wake: (endpoint) => dispatcher.wake(endpoint), sweep: () => dispatcher.sweep(), stop: () => dispatcher.stop() };
}

class QueueDispatcher {
  private readonly context: WebhooksContext;
  private readonly options: DispatcherOptions;
  private readonly sender: Sender;
  private readonly queues = new Map<string, EndpointQueue>();
  /** Queues with due deliveries that wait for a free slot, in order. */
  private readonly waiting = new Set<EndpointQueue>();
  private readonly running = new Set<Promise<void>>();
  private stopped = false;

  constructor(context: WebhooksContext, options: DispatcherOptions) {
    this.context = context;
    this.options = options;
    this.sender = options.sender ?? openSender();
  }

  wake(endpoint: WebhookEndpointKey): boolean {
    if (this.stopped) return false;
    const queue = this.queueOf(endpoint);
    if (queue.running >= concurrencyOf(queue)) queue.isWokenAgain = true;
    else if (this.running.size >= (this.options.inFlightMax ?? IN_FLIGHT_MAX)) this.waiting.add(queue);
    else this.begin(queue);
    return true;
  }

  async sweep(): Promise<void> {
    const due = await listDueEndpoints(this.context.resources.database, this.context.now());
    for (const endpoint of due) this.wake(endpoint);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.waiting.clear();
    await Promise.all(this.running);
    await this.sender.close();
  }

  private begin(queue: EndpointQueue): void {
    queue.running++;
    const work: Promise<void> = this.work(queue)
      .catch((error: unknown) => this.options.onError(error, 'delivering events'))
      .then(() => this.end(queue, work));
    this.running.add(work);
  }

  private end(queue: EndpointQueue, work: Promise<void>): void {
    this.running.delete(work);
    queue.running--;
    if (queue.running === 0 && queue.timeoutsInARow === 0 && !this.waiting.has(queue)) this.queues.delete(keyOf(queue.endpoint));
    const [next] = this.waiting;
    if (next === undefined) return;
    this.waiting.delete(next);
    this.wake(next.endpoint);
  }

  /** Delivers one after the other until nothing is due, the queue has fewer slots, or other queues wait. */
  private async work(queue: EndpointQueue): Promise<void> {
    const { random = Math.random, formatEvent = cannotFormat, trace = untraced } = this.options;
    const tools = { sender: this.sender, random, formatEvent, trace, onClaimed: () => this.wake(queue.endpoint) };
    while (!this.stopped && queue.running <= concurrencyOf(queue)) {
      queue.isWokenAgain = false;
      const { merchantId } = queue.endpoint;
      const ended = await withWorkSubject({ merchantId }, () => deliverNext(this.context, queue.endpoint, tools));
      if (ended === 'nothing_due') {
        if (!queue.isWokenAgain) return;
        continue;
      }
      queue.timeoutsInARow = ended === 'timeout' ? queue.timeoutsInARow + 1 : 0;
      if (this.waiting.size > 0) {
        this.waiting.add(queue);
        return;
      }
    }
  }

  private queueOf(endpoint: WebhookEndpointKey): EndpointQueue {
    const key = keyOf(endpoint);
    const queue = this.queues.get(key) ?? { endpoint, running: 0, timeoutsInARow: 0, isWokenAgain: false };
    this.queues.set(key, queue);
    return queue;
  }
}

const untraced: TraceDelivery = (_delivery, send) => send();

const cannotFormat: FormatEvent = ({ format }) => Promise.reject(new Error(`this dispatcher writes no events for ${format}`));

function concurrencyOf(queue: EndpointQueue): number {
  return queue.timeoutsInARow >= TIMEOUTS_IN_A_ROW_MAX ? 1 : CONCURRENCY_PER_ENDPOINT_MAX;
}

function keyOf({ merchantId, endpointId }: WebhookEndpointKey): string {
  return `${merchantId}/${endpointId}`;
}
