import type { Rng } from '../../world/plan/rng.ts';
import type { Owner, Scheduler } from '../kernel/scheduler.ts';

/** The product takes a refund that has not arrived after ten minutes for lost (`fetch-refund.ts`): nothing holds a request for longer. */
const REQUEST_LATE_MAX_MS = 9 * 60_000;

export interface HttpRequest {
  readonly method: string;
  /** `http://host:port`. */
  readonly origin: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The server at an address. Gives the answer, or null for a connection that it closes without one. */
export interface Host {
  /** True if it takes connections at present. */
  readonly isUp: () => boolean;
  readonly answer: (request: HttpRequest, done: (answer: HttpAnswer | null) => void) => void;
}

/** How a request goes on, for the one who sent it. Nothing is called once it has ended. */
export interface Exchange {
  /** The request is on its way. */
  readonly connected: () => void;
  readonly answered: (answer: HttpAnswer) => void;
  /** `sent` is false where no connection was made. */
  readonly lost: (code: string, sent: boolean) => void;
}

/** How the network between two addresses behaves at present; each value but the first two is how likely a request is hit. */
export interface NetworkConditions {
  latencyMs: number;
  /** Answers that are late come up to this much later. */
  lateMs: number;
  refused: number;
  /** The connection ends before the request arrives. */
  requestLost: number;
  /** It arrives and is answered, and the connection ends before the answer is here. */
  answerLost: number;
  /** Nothing more is ever heard of it: the request arrives or not, and neither end notices. */
  halfOpen: number;
  late: number;
  /** The same request arrives a second time, later. */
  repeated: number;
}

export const NORMAL_CONDITIONS: NetworkConditions = {
  latencyMs: 40,
  lateMs: 0,
  refused: 0,
  requestLost: 0,
  answerLost: 0,
  halfOpen: 0,
  late: 0,
  repeated: 0,
};

/** One request that was sent, as the run's log has it. */
export interface Traffic {
  readonly at: number;
  readonly from: string;
  readonly to: string;
  readonly what: string;
}

/** The network of a world: every request travels, is answered and comes back in virtual time. */
export class Network {
  /** Conditions of requests to an address that begins with the key; the longest key counts. */
  readonly conditions = new Map<string, NetworkConditions>();
  /** Conditions of addresses with no entry of their own. */
  defaultConditions: NetworkConditions = NORMAL_CONDITIONS;
  private readonly hosts = new Map<string, Host>();
  private readonly scheduler: Scheduler;
  private readonly draws: Rng;
  private readonly world: Owner;
  private readonly note: (traffic: Traffic) => void;

  constructor(scheduler: Scheduler, draws: Rng, world: Owner, note: (traffic: Traffic) => void) {
    this.scheduler = scheduler;
    this.draws = draws;
    this.world = world;
    this.note = note;
  }

  attach(origin: string, host: Host): void {
    this.hosts.set(origin, host);
  }

  detach(origin: string): void {
    this.hosts.delete(origin);
  }

  /** Sends a request of a process. Returns what gives it up: it goes on its way, and nothing more is heard of it. */
  send(from: Owner, request: HttpRequest, exchange: Exchange): () => void {
    let isOver = false;
    const end = (delayMs: number, task: () => void): void => {
      this.scheduler.after(delayMs, from, () => {
        if (isOver) return;
        isOver = true;
        task();
      });
    };
    const conditions = this.conditionsOf(request);
    const host = this.hosts.get(request.origin);
    this.note({ at: this.scheduler.now, from: from.name, to: request.origin, what: `${request.method} ${request.path}` });
    if (host === undefined || !host.isUp() || this.draws.chance(conditions.refused)) {
      end(this.hop(conditions), () => exchange.lost('ECONNREFUSED', false));
    } else {
      this.scheduler.after(this.hop(conditions), from, () => {
        if (isOver) return;
        exchange.connected();
        // Given up once connected: nothing of it has been written.
        if (isOver) return;
        this.carry(request, conditions, end, exchange);
      });
    }
    return () => {
      isOver = true;
    };
  }

  private carry(
    request: HttpRequest,
    conditions: NetworkConditions,
    end: (delayMs: number, task: () => void) => void,
    { answered, lost }: Exchange,
  ): void {
    const { draws, scheduler, world } = this;
    const way = this.hop(conditions);
    if (draws.chance(conditions.requestLost)) {
      end(way, () => lost('ECONNRESET', true));
      return;
    }
    const isHalfOpen = draws.chance(conditions.halfOpen);
    if (isHalfOpen && draws.chance(0.5)) return;
    const isAnswerLost = draws.chance(conditions.answerLost);
    const lateMs = draws.chance(conditions.late) ? draws.between(0, conditions.lateMs) : 0;
    // A late answer is to a request that was late, as often as not.
    const lateThere = draws.chance(0.5) ? Math.min(lateMs, REQUEST_LATE_MAX_MS) : 0;
    scheduler.after(way + lateThere, world, () => {
      this.deliver(request, (answer) => {
        if (isHalfOpen) return;
        const back = this.hop(conditions) + lateMs - lateThere;
        if (answer === null || isAnswerLost) end(back, () => lost('ECONNRESET', true));
        else end(back, () => answered(answer));
      });
    });
    if (!draws.chance(conditions.repeated)) return;
    const again = draws.chance(0.2) ? draws.between(0, 8 * 3_600_000) : draws.between(0, 3_000);
    scheduler.after(way + again, world, () => this.deliver(request, () => undefined));
  }

  private deliver(request: HttpRequest, done: (answer: HttpAnswer | null) => void): void {
    const host = this.hosts.get(request.origin);
    if (host === undefined || !host.isUp()) done(null);
    else host.answer(request, done);
  }

  private conditionsOf({ origin, path }: HttpRequest): NetworkConditions {
    const address = origin + path;
    let longest = '';
    for (const key of this.conditions.keys()) if (key.length > longest.length && address.startsWith(key)) longest = key;
    return this.conditions.get(longest) ?? this.defaultConditions;
  }

  private hop({ latencyMs }: NetworkConditions): number {
    return (latencyMs * this.draws.between(20, 100)) / 200;
  }
}
