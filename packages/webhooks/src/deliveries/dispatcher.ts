import { setTimeout as pause } from 'node:timers/promises';
import { withWorkSubject } from '@switchyard/db';
import type { WebhooksContext } from '../context.ts';
import type { WebhookEndpointKey } from '../endpoints/queries.ts';
import { deliver, type FormatEvent, LEASE_MS, type TraceDelivery } from './deliver.ts';
import { type ClaimedDelivery, claimDueDeliveries, listDueEndpoints } from './due-deliveries-queries.ts';
import { openSender, type Sender } from './send.ts';

/** Most concurrent deliveries to one endpoint, per process. */
const CONCURRENCY_PER_ENDPOINT_MAX = 4;
/** After this many timeouts in a row an endpoint gets one delivery at a time, until it answers again. */
const TIMEOUTS_IN_A_ROW_MAX = 3;
/** Most concurrent deliveries per process. */
const IN_FLIGHT_MAX = 256;
/** Deliveries to one endpoint that end within this time of each other are followed by one claim. */
const GATHER_MS = 5;

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
  /** Deliveries under way. */
  running: number;
  timeoutsInARow: number;
  isClaiming: boolean;
  /** True if something may be due that no claim has looked for. */
  isWoken: boolean;
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
  /** Queues that wait until this process may send more, in order. */
  private readonly waiting = new Set<EndpointQueue>();
  /** Claims and deliveries under way. */
  private readonly running = new Set<Promise<void>>();
  /** Deliveries that this process may begin beside those under way and those that claims may bring. */
  private free: number;
  private stopped = false;

  constructor(context: WebhooksContext, options: DispatcherOptions) {
    this.context = context;
    this.options = options;
    this.sender = options.sender ?? openSender();
    this.free = options.inFlightMax ?? IN_FLIGHT_MAX;
  }

  wake(endpoint: WebhookEndpointKey): boolean {
    if (this.stopped) return false;
    const queue = this.queueOf(endpoint);
    queue.isWoken = true;
    this.advance(queue);
    return true;
  }

  async sweep(): Promise<void> {
    const due = await listDueEndpoints(this.context.resources.database, this.context.now());
    for (const endpoint of due) this.wake(endpoint);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.waiting.clear();
    while (this.running.size > 0) await Promise.all(this.running);
    await this.sender.close();
  }

  /** Claims as many deliveries as may begin now. Those that end during the claim make room for the next one. */
  private advance(queue: EndpointQueue): void {
    const slots = concurrencyOf(queue) - queue.running;
    if (this.stopped || queue.isClaiming || !queue.isWoken || slots <= 0) return;
    if (this.free <= 0) this.waiting.add(queue);
    else this.run(this.claim(queue, Math.min(slots, this.free)), queue);
  }

  private async claim(queue: EndpointQueue, limit: number): Promise<void> {
    const { resources, now } = this.context;
    const { merchantId } = queue.endpoint;
    queue.isClaiming = true;
    queue.isWoken = false;
    this.free -= limit;
    let begun = 0;
    try {
      const claiming = () => claimDueDeliveries(resources.database, queue.endpoint, { now: now(), leaseMs: LEASE_MS, limit });
      const claimed = await withWorkSubject({ merchantId }, claiming);
      begun = claimed.length;
      for (const one of claimed) this.run(this.deliver(queue, one), queue);
      if (begun === limit) queue.isWoken = true;
    } finally {
      this.free += limit - begun;
      queue.isClaiming = false;
    }
  }

  private async deliver(queue: EndpointQueue, claimed: ClaimedDelivery): Promise<void> {
    const { random = Math.random, formatEvent = cannotFormat, trace = untraced } = this.options;
    const tools = { sender: this.sender, random, formatEvent, trace };
    const { merchantId } = queue.endpoint;
    queue.running += 1;
    try {
      const { outcome, isNextDue } = await withWorkSubject({ merchantId }, () => deliver(this.context, claimed, tools));
      queue.timeoutsInARow = outcome === 'timeout' ? queue.timeoutsInARow + 1 : 0;
      if (isNextDue) queue.isWoken = true;
    } finally {
      queue.running -= 1;
      this.free += 1;
    }
  }

  /** Runs a claim or a delivery of a queue, and what follows it. */
  private run(work: Promise<void>, queue: EndpointQueue): void {
    const running: Promise<void> = work
      .catch((error: unknown) => this.options.onError(error, 'delivering events'))
      .then(() => this.follow(queue))
      .finally(() => this.running.delete(running));
    this.running.add(running);
  }

  /** Claims what is due after the end of a claim or a delivery. Queues that wait come first. */
  private async follow(queue: EndpointQueue): Promise<void> {
    if (this.waiting.size > 0 && queue.isWoken) this.waiting.add(queue);
    for (const next of this.waiting) {
      if (this.free <= 0) break;
      this.waiting.delete(next);
      this.advance(next);
    }
    if (queue.running > 0) await pause(GATHER_MS);
    this.advance(queue);
    const isOver = queue.running === 0 && !queue.isClaiming && queue.timeoutsInARow === 0 && !this.waiting.has(queue);
    const key = keyOf(queue.endpoint);
    // Another one may have taken its place during the pause.
    if (isOver && this.queues.get(key) === queue) this.queues.delete(key);
  }

  private queueOf(endpoint: WebhookEndpointKey): EndpointQueue {
    const key = keyOf(endpoint);
    const idle = { endpoint, running: 0, timeoutsInARow: 0, isClaiming: false, isWoken: false };
    const queue = this.queues.get(key) ?? idle;
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
