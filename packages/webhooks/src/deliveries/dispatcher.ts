import type { MerchantsContext } from '@switchyard/merchants';
import type { WebhookEndpointKey } from '../endpoints/queries.ts';
import { deliverNext } from './deliver-next.ts';
import { listDueEndpoints } from './due-deliveries-queries.ts';
import { openSender, type Sender } from './send.ts';

/** Most sendings at once to one endpoint, from one process. */
const LANE_WIDTH = 4;
/** An endpoint that so often in a row did not answer in time gets one at a time, until it answers again. */
const TIMEOUTS_IN_A_ROW_MAX = 3;
/** Most sendings at once, from one process. */
const IN_FLIGHT_MAX = 256;

export interface DispatcherOptions {
  readonly onError: (error: unknown, doing: string) => void;
  readonly sender?: Sender;
  /** A number in [0, 1). */
  readonly random?: () => number;
  readonly inFlightMax?: number;
}

/**
 * Delivers events. Each endpoint has a lane of its own, so that one that is slow holds up nobody else; what is due is on record,
 * and whatever a courier that died was carrying is due again when its lease has run out.
 */
export interface Dispatcher {
  /** Says that something may be due at an endpoint. Returns at once. */
  wake(endpoint: WebhookEndpointKey): void;
  /** Wakes every endpoint at which something is due. */
  sweep(): Promise<void>;
  /** Takes up nothing more, and waits for what is on its way. */
  stop(): Promise<void>;
}

interface Lane {
  readonly endpoint: WebhookEndpointKey;
  running: number;
  timeoutsInARow: number;
  /** Somebody woke the lane while it was full. */
  wokenAgain: boolean;
}

export function openDispatcher(context: MerchantsContext, options: DispatcherOptions): Dispatcher {
  const courier = new LaneCourier(context, options);
  return { wake: (endpoint) => courier.wake(endpoint), sweep: () => courier.sweep(), stop: () => courier.stop() };
}

class LaneCourier {
  private readonly context: MerchantsContext;
  private readonly options: DispatcherOptions;
  private readonly sender: Sender;
  private readonly lanes = new Map<string, Lane>();
  /** Lanes with work, in the order in which they wait for their turn. */
  private readonly queue = new Set<Lane>();
  private readonly running = new Set<Promise<void>>();
  private stopped = false;

  constructor(context: MerchantsContext, options: DispatcherOptions) {
    this.context = context;
    this.options = options;
    this.sender = options.sender ?? openSender();
  }

  wake(endpoint: WebhookEndpointKey): void {
    if (this.stopped) return;
    const lane = this.laneOf(endpoint);
    if (lane.running >= widthOf(lane)) lane.wokenAgain = true;
    else if (this.running.size >= (this.options.inFlightMax ?? IN_FLIGHT_MAX)) this.queue.add(lane);
    else this.begin(lane);
  }

  async sweep(): Promise<void> {
    const due = await listDueEndpoints(this.context.resources.database, this.context.now());
    for (const endpoint of due) this.wake(endpoint);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.queue.clear();
    await Promise.all(this.running);
    await this.sender.close();
  }

  private begin(lane: Lane): void {
    lane.running++;
    const work: Promise<void> = this.work(lane)
      .catch((error: unknown) => this.options.onError(error, 'delivering events'))
      .then(() => this.end(lane, work));
    this.running.add(work);
  }

  private end(lane: Lane, work: Promise<void>): void {
    this.running.delete(work);
    lane.running--;
    if (lane.running === 0 && lane.timeoutsInARow === 0 && !this.queue.has(lane)) this.lanes.delete(keyOf(lane.endpoint));
    const [next] = this.queue;
    if (next === undefined) return;
    this.queue.delete(next);
    this.wake(next.endpoint);
  }

  /** Sends one after the other until nothing is due, the lane has become narrower, or others wait for their turn. */
  private async work(lane: Lane): Promise<void> {
    const { random = Math.random } = this.options;
    const tools = { sender: this.sender, random, onClaimed: () => this.wake(lane.endpoint) };
    while (!this.stopped && lane.running <= widthOf(lane)) {
      lane.wokenAgain = false;
      const ended = await deliverNext(this.context, lane.endpoint, tools);
      if (ended === 'nothing_due') {
        if (!lane.wokenAgain) return;
        continue;
      }
      lane.timeoutsInARow = ended === 'timeout' ? lane.timeoutsInARow + 1 : 0;
      if (this.queue.size > 0) {
        this.queue.add(lane);
        return;
      }
    }
  }

  private laneOf(endpoint: WebhookEndpointKey): Lane {
    const key = keyOf(endpoint);
    const lane = this.lanes.get(key) ?? { endpoint, running: 0, timeoutsInARow: 0, wokenAgain: false };
    this.lanes.set(key, lane);
    return lane;
  }
}

function widthOf(lane: Lane): number {
  return lane.timeoutsInARow >= TIMEOUTS_IN_A_ROW_MAX ? 1 : LANE_WIDTH;
}

function keyOf({ merchantId, endpointId }: WebhookEndpointKey): string {
  return `${merchantId}/${endpointId}`;
}
