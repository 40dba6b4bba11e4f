import type { Delivery, PlantedEvent } from '../../../world/checker/observations.ts';
import { drawsFor, type Rng } from '../../../world/plan/rng.ts';
import type { Code } from '../../kernel/code.ts';
import { platformRandom } from '../../kernel/random.ts';
import { type Owner, Scheduler } from '../../kernel/scheduler.ts';
import type { ModelObservations } from '../oracle/model-observations.ts';
import { checkPayouts } from '../oracle/payouts.ts';
import { readTables, watchTables } from '../oracle/read-tables.ts';
import { Tables } from '../store/rows.ts';
import { type Committed, MemoryServer } from '../store/server.ts';
import { type DriveContext, drivePayment } from './drive-payment.ts';
import { type Checkout, GatewayAccountBooks, type Notice } from './gateways.ts';
import { configure, fixedId, storeEndpoints } from './merchants.ts';
import { History, type Line } from './notes.ts';
import type { FaultPlan, ModelPlan } from './plan.ts';
import { type Machine, ModelProcess } from './process.ts';
import { Rounds } from './rounds.ts';
import { within } from './within.ts';

/** When worlds begin. */
const BEGINNING_MS = Date.UTC(2026, 10, 20, 8);
const DAY_MS = 86_400_000;
/** Long after disputes of two months later are decided. */
const END_MS = 120 * DAY_MS;
/** After sessions and faults have ended: look-ups are repeated within ten minutes, and statuses of gateways' own last two hours. */
const SETTLED_AFTER_MS = 6 * 3_600_000;
const LONGEST_SESSION_MS = 60 * 60_000;
/** How long a gateway sends a webhook again, and when: after a minute, and longer each time. */
const NOTICE_TRIES_MAX = 14;
const NOTICE_AGAIN_MS = 60_000;
const NOTICE_WAIT_MS = 30_000;

/** Result of running a world of the model. */
export interface ModelRun {
  readonly observations: ModelObservations;
  readonly virtualMs: number;
  readonly events: number;
  readonly statements: number;
  readonly crashes: number;
  /** Everything that happened, where it was recorded. */
  readonly lines: readonly Line[];
  /** Statements that were committed, where they were kept. */
  readonly committed: readonly Committed[];
}

/** Fates of webhooks on their way, and of answers of merchants' endpoints. */
interface Weather {
  backlogUntil: number;
  webhookLoss: number;
  webhookRepeats: number;
  /** Share of the openings of checkouts at whose answer the process is gone. */
  crashesAfterOpening: number;
  readonly endpoints: Map<string, { readonly kind: 'refuses' | 'redirects' | 'silent'; readonly share: number }>;
}

export interface RunOptions {
  /** True if what happens is recorded for people. */
  readonly records: boolean;
  /** True if statements are, with their answers. */
  readonly keepsStatements?: boolean;
}

/** Runs a world until nothing is left to do. The same plan does the same. */
export async function runModel(code: Code, plan: ModelPlan, { records, keepsStatements = false }: RunOptions): Promise<ModelRun> {
  const { seed } = plan;
  const scheduler = new Scheduler(BEGINNING_MS, seed);
  const world: Owner = { name: 'world', alive: true, pausedUntil: 0 };
  const draws = drawsFor(seed, 'world');
  const history = new History(records, () => scheduler.now - BEGINNING_MS);
  const tables = new Tables();
  const watched = watchTables(tables, () => scheduler.now, history);
  const startAt = new Date(BEGINNING_MS);
  const merchants = configure(plan, startAt);
  storeEndpoints(tables, plan, startAt);
  const server = new MemoryServer(tables, scheduler, drawsFor(seed, 'database'), world);
  server.conditions.latencyMs = plan.latencyMs;
  if (keepsStatements) server.committed = [];
  const weather: Weather = { backlogUntil: 0, webhookLoss: 0, webhookRepeats: 0, crashesAfterOpening: 0, endpoints: new Map() };
  let numbers = 1_000;
  const books = new Map(
    merchants.flatMap(({ accounts }, place) =>
      accounts.map(({ id: accountId }, index): [string, GatewayAccountBooks] => {
        const gateway = plan.merchants[place]?.gateways[index] ?? 'paystack';
        const own = { gateway, accountId, quirks: plan.quirks[gateway] };
        const newNumber = (): number => ++numbers;
        return [accountId, new GatewayAccountBooks(own, { scheduler, draws, world, newNumber, history })];
      }),
    ),
  );
  const deliveries: Delivery[] = [];
  const delivered = new Map<string, () => void>();
  const errors: string[] = [];
  const report = (process: string, error: unknown, doing: string): void =>
    history.note(null, `${process}: ${doing}: ${String(error)}`);
  const machine: Machine = {
    scheduler,
    world,
    server,
    code,
    merchants,
    books,
    sender: {
      send: ({ url, body, headers }) =>
        receive({ scheduler, world, draws, weather, deliveries, delivered, history }, url, body, headers['webhook-id'] ?? ''),
      certificateExpiry: () => null,
      close: () => Promise.resolve(),
    },
    randomOf: (name) => platformRandom(seed, name),
    report,
  };
  const processes = Array.from(
    { length: plan.processes },
    (_, at) => new ModelProcess(machine, `process-${at + 1}`, draws.between(-200, 200) / 1e6),
  );
  for (const process of processes) process.setAhead(draws.between(-2_000, 2_000));
  const done = new Set<string>();
  const isOver = (paymentId: string): boolean =>
    done.has(paymentId) &&
    isEnded(tables, paymentId, scheduler.now) &&
    checkoutsOf(books, paymentId).every((checkout) => isOnRecord(tables, checkout));
  const rounds = new Rounds({ scheduler, world, draws, tables, server, processes, isOver, report });
  const acknowledged: Record<string, number> = {};
  const acknowledgedNotices = new Set<string>();
  let noticesLeft = 0;
  const notify = (notice: Notice, own: GatewayAccountBooks, tries = 1): void => {
    const isLost = draws.chance(weather.webhookLoss);
    if (tries === 1 && (!own.quirks.sendsWebhooks || isLost)) return;
    const again = (): void => {
      if (tries < NOTICE_TRIES_MAX) later(NOTICE_AGAIN_MS * 2 ** Math.min(tries, 9), () => notify(notice, own, tries + 1));
    };
    later(Math.max(weather.backlogUntil - scheduler.now, 0) + draws.between(1, own.quirks.webhookMs), () => {
      send(notice, own, again);
      if (draws.chance(weather.webhookRepeats)) send(notice, own, () => undefined);
    });
  };
  const later = (ms: number, task: () => void): void => {
    noticesLeft += 1;
    scheduler.after(ms, world, () => {
      noticesLeft -= 1;
      task();
    });
  };
  const send = (notice: Notice, own: GatewayAccountBooks, again: () => void): void => {
    noticesLeft += 1;
    void deliverNotice(notice, own, again).finally(() => {
      noticesLeft -= 1;
    });
  };
  async function deliverNotice(notice: Notice, own: GatewayAccountBooks, again: () => void): Promise<void> {
    const { accountId, gateway } = own;
    const process = pick(processes, draws);
    const delivery = { headers: {}, body: new TextEncoder().encode(JSON.stringify(notice)) };
    let isAccepted = false;
    try {
      const receipt = await within(
        scheduler,
        world,
        NOTICE_WAIT_MS,
        process.do(({ product, context }) => product.receiveGatewayWebhook(context, { gateway, accountId, delivery })),
      );
      isAccepted = receipt?.kind === 'accepted';
    } catch {
      // Sent again.
    }
    if (isAccepted) {
      acknowledged[accountId] = (acknowledged[accountId] ?? 0) + 1;
      acknowledgedNotices.add(notice.id);
    }
    history.note(
      notice.reference,
      `${gateway} sends a webhook (${notice.kind}) to ${process.name}: ${isAccepted ? 'accepted' : 'not accepted'}`,
    );
    if (!isAccepted) again();
  }
  for (const own of books.values()) {
    own.onNotice = (notice) => notify(notice, own);
    own.onOpened = (owner) => {
      if (weather.crashesAfterOpening > 0 && draws.chance(weather.crashesAfterOpening))
        processes.find((each) => each.isOwner(owner))?.kill();
    };
  }
  let driversLeft = plan.payments.length;
  const drive: DriveContext = {
    busy(more) {
      driversLeft += more;
    },
    scheduler,
    world,
    draws,
    merchants,
    books,
    processes,
    history,
    plan,
    answers: [],
    refusals: [],
    delivered,
    done,
    checkoutsOf: (paymentId) => checkoutsOf(books, paymentId),
  };
  for (const payment of plan.payments) {
    drivePayment(drive, payment)
      .catch((error: unknown) =>
        errors.push(`${payment.orderId}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
      )
      .finally(() => {
        driversLeft -= 1;
      });
  }
  for (const fault of plan.faults)
    planFault(fault, { scheduler, world, draws, weather, server, processes, rounds, books, plan, tables, history });
  const lastFaultMs = plan.faults.reduce((last, { atMs, lengthMs }) => Math.max(last, atMs + lengthMs), 0);
  const lastStartMs = plan.payments.reduce((last, { startMs }) => Math.max(last, startMs), 0);
  let openAfterSessions: string[] = [];
  const quietAt = BEGINNING_MS + Math.max(lastFaultMs, lastStartMs + LONGEST_SESSION_MS) + SETTLED_AFTER_MS;
  scheduler.at(quietAt, world, () => {
    const open = [...tables.payments.all()].filter(
      ({ status, review }) => status === 'INITIATED' || (status === 'PENDING' && review === null),
    );
    openAfterSessions = open.map(({ id }) => id);
  });
  const isIdle = (): boolean => driversLeft === 0 && noticesLeft === 0 && rounds.isIdle() && scheduler.now >= quietAt;
  const endAt = BEGINNING_MS + END_MS;
  await scheduler.run(() => isIdle() || scheduler.now > endAt);
  const isFinished = driversLeft === 0 && rounds.isIdle();
  const product = processes.find((process) => process.isUp())?.product ?? null;
  const payoutsAt = { tables, books: [...books.values()], plan: plan.payout, endAt: scheduler.now };
  const payouts = isFinished && product !== null ? checkPayouts(product.matchSettlementLines, payoutsAt) : [];
  for (const process of processes) process.end();
  return {
    observations: {
      ...readTables(tables, watched),
      leftJobs: [...rounds.givenUp],
      answers: drive.answers,
      refusals: drive.refusals,
      errors,
      payouts,
      deliveries,
      forgeries: [],
      notices: [],
      forbidden: [],
      differences: [],
      acknowledged,
      acknowledgedNotices,
      books: [...books.values()],
      tables,
      openAfterSessions,
      unrecordedMoney: [],
      isFinished,
      planted: [...books.values()].flatMap(plantedIn),
      wrongRollups: [],
    },
    virtualMs: scheduler.now - BEGINNING_MS,
    events: scheduler.happened,
    statements: server.statements,
    crashes: processes.reduce((sum, { crashes }) => sum + crashes, 0),
    lines: history.lines,
    committed: server.committed ?? [],
  };
}

function checkoutsOf(books: ReadonlyMap<string, GatewayAccountBooks>, paymentId: string): Checkout[] {
  const prefix = `sy${paymentId.replaceAll('-', '')}`;
  return [...books.values()].flatMap((own) => own.checkoutsWith(prefix));
}

/** True if a payment's session is over and it has an end. */
function isEnded({ payments }: Tables, paymentId: string, now: number): boolean {
  const payment = payments.get(paymentId);
  return (
    payment !== undefined && payment.status !== 'INITIATED' && payment.status !== 'PENDING' && payment.expiresAt.getTime() < now
  );
}

/** True if all that was paid at a checkout is on record. */
function isOnRecord({ attempts }: Tables, { accountId, reference, charges }: Checkout): boolean {
  return (
    charges.length === 0 ||
    attempts.by('reference', `${accountId} ${reference}`).some(({ receivedAmount }) => receivedAmount !== null)
  );
}

/** Moves of money that a gateway made after it had received it, by itself or for the customer's bank. */
function plantedIn({ gateway, checkouts }: GatewayAccountBooks): PlantedEvent[] {
  return checkouts.flatMap(({ reference, reversedAt, disputes }) => [
    ...(reversedAt === null ? [] : [{ kind: 'reversed', gateway, reference, at: reversedAt } as const]),
    ...disputes.flatMap(({ openedAt, decidedAt, isLost }): PlantedEvent[] => [
      { kind: 'dispute_opened', gateway, reference, at: openedAt },
      { kind: isLost ? 'dispute_lost' : 'dispute_won', gateway, reference, at: decidedAt },
    ]),
  ]);
}

function pick(processes: readonly ModelProcess[], draws: Rng): ModelProcess {
  const process = processes[draws.between(0, processes.length - 1)];
  if (process === undefined) throw new Error('there is no process');
  return process;
}

interface Receiver {
  readonly scheduler: Scheduler;
  readonly world: Owner;
  readonly draws: Rng;
  readonly weather: Weather;
  readonly deliveries: Delivery[];
  readonly delivered: ReadonlyMap<string, () => void>;
  readonly history: History;
}

type Sent = Awaited<ReturnType<Machine['sender']['send']>>;

const DELIVERY_TIMEOUT_MS = 15_000;

/** A merchant's endpoint receives an event, and answers as it does at the time. */
function receive(of: Receiver, url: string, body: string, eventId: string): Promise<Sent> {
  const { scheduler, world, draws, weather, deliveries, delivered, history } = of;
  const endpointId = url.slice(url.lastIndexOf('/') + 1);
  const merchantId = fixedId(1, Math.trunc(Number(endpointId.slice(-12)) / 10));
  const fault = weather.endpoints.get(endpointId);
  const isStruck = fault !== undefined && draws.chance(fault.share);
  const status = !isStruck ? draws.pick([200, 200, 204]) : fault.kind === 'redirects' ? 302 : draws.pick([500, 503, 404]);
  const isSilent = isStruck && fault.kind === 'silent';
  return new Promise((resolve) => {
    scheduler.after(draws.between(1, 80), world, () => {
      deliveries.push({
        at: scheduler.now,
        merchantId,
        endpointId,
        eventId,
        body,
        objection: null,
        answered: isSilent ? null : status,
        tookMs: isSilent ? null : 0,
      });
      const { type, data }: { readonly type: string; readonly data: { readonly paymentId: string } } = JSON.parse(body);
      history.note(data.paymentId, `${type} arrives at ${endpointId.slice(-2)}: ${isSilent ? 'no answer' : status}`);
      if (isSilent) {
        scheduler.after(DELIVERY_TIMEOUT_MS, world, () => resolve({ kind: 'unanswered', failure: 'timeout' }));
        return;
      }
      if (status < 300 && type === 'payment.succeeded') delivered.get(data.paymentId)?.();
      resolve({ kind: 'answered', status, answer: '', retryAfterMs: null });
    });
  });
}

interface Stage {
  readonly scheduler: Scheduler;
  readonly world: Owner;
  readonly draws: Rng;
  readonly weather: Weather;
  readonly server: MemoryServer;
  readonly processes: readonly ModelProcess[];
  readonly rounds: Rounds;
  readonly books: ReadonlyMap<string, GatewayAccountBooks>;
  readonly plan: ModelPlan;
  readonly tables: Tables;
  readonly history: History;
}

function planFault(fault: FaultPlan, stage: Stage): void {
  const { scheduler, world, history } = stage;
  scheduler.at(BEGINNING_MS + fault.atMs, world, () => {
    history.note(null, `fault begins: ${fault.kind}, share ${fault.share}`);
    const end = beginFault(fault, stage);
    scheduler.after(fault.lengthMs, world, () => {
      end();
      history.note(null, `fault ends: ${fault.kind}`);
    });
  });
}

/** Begins a fault; the returned function ends it. */
function beginFault({ kind, which, share, lengthMs }: FaultPlan, stage: Stage): () => void {
  const { scheduler, world, draws, weather, server, processes, rounds, books, plan, tables } = stage;
  const process = processes[which % processes.length];
  switch (kind) {
    case 'gateway_down':
    case 'gateway_errors':
    case 'gateway_silent':
    case 'gateway_late':
    case 'gateway_limits_rate': {
      const accounts = [...books.values()];
      // The whole gateway, or all of them in one of six.
      const gateway = accounts[which % accounts.length]?.gateway;
      const struck = which % 6 === 5 ? accounts : accounts.filter((own) => own.gateway === gateway);
      const active = { kind, share };
      for (const { faults } of struck) faults.add(active);
      return () => {
        for (const { faults } of struck) faults.delete(active);
      };
    }
    case 'webhook_backlog':
      weather.backlogUntil = Math.max(weather.backlogUntil, scheduler.now + lengthMs);
      return () => undefined;
    case 'webhooks_lost':
      weather.webhookLoss = share;
      return () => {
        weather.webhookLoss = 0;
      };
    case 'webhooks_repeated':
      weather.webhookRepeats = share;
      return () => {
        weather.webhookRepeats = 0;
      };
    case 'process_crashes': {
      // Some twenty times, somewhere within what it does, and while gateways answer.
      weather.crashesAfterOpening = share / 4;
      let isOver = false;
      const crash = (): void => {
        if (isOver) return;
        process?.kill();
        scheduler.after(draws.between(5_000, Math.max(10_000, Math.trunc(lengthMs / 10))), world, crash);
      };
      crash();
      return () => {
        isOver = true;
        weather.crashesAfterOpening = 0;
      };
    }
    case 'process_pauses':
      process?.pause(lengthMs);
      return () => undefined;
    case 'clock_jumps':
      process?.setAhead(draws.between(-600_000, 600_000));
      return () => process?.setAhead(draws.between(-2_000, 2_000));
    case 'database_away':
      server.conditions.isAway = true;
      return () => {
        server.conditions.isAway = false;
      };
    case 'database_slow':
      server.conditions.latencyMs = 1_500;
      return () => {
        server.conditions.latencyMs = plan.latencyMs;
      };
    case 'connections_lost':
      server.conditions.loss = share / 10;
      return () => {
        server.conditions.loss = 0;
      };
    case 'endpoint_refuses':
    case 'endpoint_redirects':
    case 'endpoint_silent': {
      const endpoints = [...tables.endpoints.all()];
      const endpointId = endpoints[which % endpoints.length]?.id ?? '';
      const named = { endpoint_refuses: 'refuses', endpoint_redirects: 'redirects', endpoint_silent: 'silent' } as const;
      weather.endpoints.set(endpointId, { kind: named[kind], share });
      return () => weather.endpoints.delete(endpointId);
    }
    case 'hints_lost':
      rounds.hintLoss = share;
      return () => {
        rounds.hintLoss = 0;
      };
    default:
      return kind satisfies never;
  }
}
