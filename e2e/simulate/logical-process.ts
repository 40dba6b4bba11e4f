import type { RequestListener } from 'node:http';
import net from 'node:net';
import type { DatabaseServer } from './database/server.ts';
import { VirtualSocket } from './database/socket.ts';
import type { Code } from './kernel/code.ts';
import type { WaitOf } from './kernel/pace.ts';
import { createPlatform, type MachineClock, type Platform, type PlatformRandom } from './kernel/platform.ts';
import type { Owner, Scheduler } from './kernel/scheduler.ts';
import { serveInMemory } from './network/http-module.ts';
import type { HttpAnswer, HttpRequest, Network } from './network/network.ts';
import { undiciOn } from './network/undici.ts';
import type { ProcessControl } from './world/virtual-host.ts';

/** Resources that all processes of a world share. */
export interface Machine {
  readonly scheduler: Scheduler;
  readonly network: Network;
  readonly database: DatabaseServer;
  readonly world: Owner;
  readonly random: (name: string) => PlatformRandom;
  readonly note: (line: string) => void;
}

/** Result of starting a program: its listener, if it listens. */
export interface Started {
  readonly listener: RequestListener | null;
}

/** Starts a program on evaluated code. */
export type Program = (exports: unknown, name: string) => Promise<Started>;

export interface ProcessOptions {
  readonly name: string;
  readonly url: string;
  readonly code: Code;
  readonly program: Program;
  readonly clock: { readonly drift: number };
  readonly waitOf: WaitOf;
}

const BOOT_MS = 800;

/** Platform of an evaluation of code in its world. */
export function platformOf(
  machine: Machine,
  owner: Owner,
  clock: MachineClock,
  random: PlatformRandom,
): [Platform, Record<string, unknown>] {
  const { scheduler, network, database } = machine;
  class Socket extends VirtualSocket {
    constructor() {
      super((socket) => database.connect(socket, owner));
    }
  }
  const platform = createPlatform(scheduler, owner, clock, random);
  return [platform, { net: { ...net, default: undefined, Socket }, undici: undiciOn(network, owner) }];
}

/** One of our processes, started again after it ended: its module state, its timers and its connections are its own. */
export class LogicalProcess implements ProcessControl {
  readonly name: string;
  readonly url: string;
  starts = 0;
  private readonly machine: Machine;
  private readonly options: ProcessOptions;
  private owner: Owner;
  private clock: MachineClock;
  private aheadMs = 0;
  private stretch: MachineClock['stretch'] = null;
  private listener: RequestListener | null = null;
  private isUp = false;
  private readonly unanswered = new Set<(answer: HttpAnswer | null) => void>();

  constructor(machine: Machine, options: ProcessOptions) {
    this.machine = machine;
    this.options = options;
    this.name = options.name;
    this.url = options.url;
    this.owner = this.newOwner();
    this.clock = this.newClock();
    if (this.url !== '') {
      machine.network.attach(this.url, {
        isUp: () => this.listener !== null,
        answer: (request, done) => this.answer(request, done),
      });
    }
    this.start();
  }

  crash(afterEvents: number, downMs: number): () => void {
    const { owner } = this;
    let left = afterEvents;
    owner.beforeEvent = () => {
      if (left-- <= 0) this.kill(downMs);
    };
    return () => {
      delete owner.beforeEvent;
    };
  }

  pause(milliseconds: number): void {
    this.owner.pausedUntil = this.machine.scheduler.now + milliseconds;
  }

  setAhead(milliseconds: number): void {
    this.aheadMs = milliseconds;
    this.clock.aheadMs = milliseconds;
  }

  starve(stretch: MachineClock['stretch']): void {
    this.stretch = stretch;
    this.clock.stretch = stretch;
  }

  isReady(): boolean {
    return this.isUp;
  }

  /** Ends it for good. */
  end(): void {
    this.owner.alive = false;
  }

  /** Ends it as SIGKILL does: nothing it waits for ever arrives. */
  private kill(downMs: number): void {
    const { scheduler, database, world, note } = this.machine;
    note(`${this.name} is killed`);
    this.owner.alive = false;
    this.listener = null;
    this.isUp = false;
    database.cutOwner(this.owner);
    for (const done of this.unanswered) done(null);
    this.unanswered.clear();
    scheduler.after(downMs, world, () => this.start());
  }

  private start(): void {
    const { scheduler, random } = this.machine;
    this.starts++;
    this.owner = this.newOwner();
    this.clock = this.newClock();
    const { owner, clock } = this;
    scheduler.after(BOOT_MS, owner, () => {
      const [platform, replacements] = platformOf(this.machine, owner, clock, random(owner.name));
      const globals = { ...platform.globals, simulatedWait: this.options.waitOf };
      const exports = this.options.code.evaluate({ ...platform, globals }, replacements);
      this.options.program(exports, owner.name).then(
        ({ listener }) => {
          if (!owner.alive) return;
          this.listener = listener;
          this.isUp = true;
        },
        (error: unknown) => {
          this.machine.note(`${this.name} does not start: ${String(error)}`);
          if (owner.alive) this.kill(BOOT_MS);
        },
      );
    });
  }

  private answer(request: HttpRequest, done: (answer: HttpAnswer | null) => void): void {
    const { scheduler } = this.machine;
    this.unanswered.add(done);
    const once = (answer: HttpAnswer | null): void => {
      if (this.unanswered.delete(done)) done(answer);
    };
    // Its own event: a paused process takes the request later.
    scheduler.after(0, this.owner, () => {
      if (this.listener === null) once(null);
      else serveInMemory(this.listener, request, once);
    });
  }

  private newOwner(): Owner {
    return { name: `${this.options.name}#${this.starts}`, alive: true, pausedUntil: 0 };
  }

  private newClock(): MachineClock {
    const { drift } = this.options.clock;
    return { aheadMs: this.aheadMs, drift, bootedAt: this.machine.scheduler.now, stretch: this.stretch };
  }
}
