import type { PaymentsContext } from '@switchyard/payments/context';
import type { MerchantConfiguration } from '@switchyard/runtime';
import type { Code } from '../../kernel/code.ts';
import { createPlatform, type MachineClock } from '../../kernel/platform.ts';
import type { PlatformRandom } from '../../kernel/random.ts';
import type { Owner, Scheduler } from '../../kernel/scheduler.ts';
import type * as Product from '../product-entry.ts';
import type { MemoryServer } from '../store/server.ts';
import type { GatewayAccountBooks } from './gateways.ts';
import { storedTexts } from './stored-texts.ts';

export type ProductCode = typeof Product;
type Sender = NonNullable<Parameters<ProductCode['openDispatcher']>[1]['sender']>;

/** State that all processes of a world share. */
export interface Machine {
  readonly scheduler: Scheduler;
  readonly world: Owner;
  readonly server: MemoryServer;
  readonly code: Code;
  readonly merchants: readonly MerchantConfiguration[];
  readonly books: ReadonlyMap<string, GatewayAccountBooks>;
  readonly sender: Sender;
  readonly randomOf: (name: string) => PlatformRandom;
  readonly report: (process: string, error: unknown, doing: string) => void;
}

/** A process ended before the work did. */
export class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded';
}

/** From one start of a process to its end. */
interface Life {
  readonly owner: Owner;
  readonly clock: MachineClock;
  /** The product, evaluated when it is first asked for something: most processes that are killed again and again are asked for nothing. */
  running: Running | null;
}

interface Running {
  readonly product: ProductCode;
  readonly context: PaymentsContext;
  readonly follower: ReturnType<ProductCode['openWebhookFollower']>;
  readonly dispatcher: ReturnType<ProductCode['openDispatcher']>;
}

const DOWN_MS = 3_000;
const PRESENT_TURN = Promise.resolve();

/** A process of the product: answers merchants and gateways, and does the worker's rounds. Started again after it ended. */
export class ModelProcess {
  readonly name: string;
  crashes = 0;
  /** Rounds under way, of which each is done once at a time. */
  readonly rounds = new Set<string>();
  private readonly machine: Machine;
  private readonly drift: number;
  private aheadMs = 0;
  private life: Life | null;
  private readonly ends = new Set<(ended: ProcessEnded) => void>();

  constructor(machine: Machine, name: string, drift: number) {
    this.machine = machine;
    this.name = name;
    this.drift = drift;
    this.life = this.start();
  }

  /** The code of the product; null while the process is down. */
  get product(): ProductCode | null {
    return this.life === null ? null : this.runningIn(this.life).product;
  }

  isOwner(owner: Owner): boolean {
    return this.life?.owner === owner;
  }

  isUp(): boolean {
    return this.life !== null;
  }

  /** The time of day by its clock. */
  now(): number {
    const { scheduler } = this.machine;
    const { bootedAt } = this.life?.clock ?? { bootedAt: scheduler.now };
    return Math.floor(bootedAt + this.aheadMs + (scheduler.now - bootedAt) * (1 + this.drift));
  }

  /** Runs work in the process. Rejects with {@link ProcessEnded} when the process ends before. */
  do<T>(work: (running: Running) => Promise<T>): Promise<T> {
    const { life } = this;
    if (life === null) return Promise.reject(new ProcessEnded(`${this.name} is down`));
    return new Promise((resolve, reject) => {
      this.ends.add(reject);
      work(this.runningIn(life))
        .finally(() => this.ends.delete(reject))
        .then(resolve, reject);
    });
  }

  kill(): void {
    const { life, machine } = this;
    if (life === null) return;
    this.crashes += 1;
    life.owner.alive = false;
    this.life = null;
    this.rounds.clear();
    machine.server.abandon(life.owner);
    const ends = [...this.ends];
    this.ends.clear();
    for (const end of ends) end(new ProcessEnded(`${this.name} was killed`));
    machine.scheduler.after(DOWN_MS, machine.world, () => {
      this.life = this.start();
    });
  }

  pause(ms: number): void {
    if (this.life !== null) this.life.owner.pausedUntil = this.machine.scheduler.now + ms;
  }

  setAhead(ms: number): void {
    this.aheadMs = ms;
    if (this.life !== null) this.life.clock.aheadMs = ms;
  }

  end(): void {
    if (this.life !== null) this.life.owner.alive = false;
  }

  private start(): Life {
    const { scheduler } = this.machine;
    const owner = { name: `${this.name}#${this.crashes}`, alive: true, pausedUntil: 0 };
    const clock = { aheadMs: this.aheadMs, drift: this.drift, bootedAt: scheduler.now, stretch: null };
    return { owner, clock, running: null };
  }

  private runningIn(life: Life): Running {
    life.running ??= this.open(life);
    return life.running;
  }

  private open({ owner, clock }: Life): Running {
    const { machine, name } = this;
    const { scheduler, merchants, books, sender, server } = machine;
    const platform = createPlatform(scheduler, owner, clock, machine.randomOf(owner.name));
    // Whatever waits for the present turn of the event loop waits for nothing else.
    const setImmediate = (task: (...values: unknown[]) => void, ...values: unknown[]) => {
      void PRESENT_TURN.then(() => task(...values));
    };
    const globals = { ...platform.globals, setImmediate };
    const product = exportsOf(machine.code.evaluate({ ...platform, globals }, { zlib: storedTexts }));
    const accounts = new Map(
      merchants.flatMap((merchant) => merchant.accounts.map((account) => [account.id, { account, merchant }])),
    );
    const gateways = new Map([...books].map(([accountId, own]) => [accountId, own.connect(owner)]));
    const resources = {
      database: server.connect(owner),
      configuration: {
        merchant: (merchantId: string) => merchants.find(({ merchant }) => merchant.id === merchantId),
        account: (accountId: string) => accounts.get(accountId),
        merchants: () => merchants,
        refresh: () => Promise.resolve(),
        read: () => Promise.resolve(),
      },
      openAccount: (account: MerchantConfiguration['accounts'][number]) => ({
        account,
        gateway: gateways.get(account.id),
        access: { accountId: account.id, mode: account.mode, credentials: {}, baseUrl: null },
      }),
      ownFaultOf: () => null,
      vault: { open: (sealed: string) => sealed },
      publicUrl: 'https://pay.example.com',
      lookupLimits: { perSecond: 20, atOnce: 20 },
    };
    const onError = (error: unknown, doing: string): void => machine.report(name, error, doing);
    const context = product.openPayments(asResources(resources), { healthTickMs: null, onError });
    const follower = product.openWebhookFollower(context, { onEnded: () => undefined, onError });
    const dispatcher = product.openDispatcher(asWebhooks({ ...context, resources }), { onError, sender });
    return { product, context, follower, dispatcher };
  }
}

/** Compiled code gives the exports of its entry. */
function exportsOf(exports: unknown): ProductCode {
  return exports as ProductCode;
}

/** Those resources that the use cases of the model's need. */
function asResources(resources: object): Parameters<ProductCode['openPayments']>[0] {
  return resources as Parameters<ProductCode['openPayments']>[0];
}

function asWebhooks(context: object): Parameters<ProductCode['openDispatcher']>[0] {
  return context as Parameters<ProductCode['openDispatcher']>[0];
}
