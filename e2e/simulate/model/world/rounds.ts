import type { Rng } from '../../../world/plan/rng.ts';
import type { Owner, Scheduled, Scheduler } from '../../kernel/scheduler.ts';
import type { JobRow, Tables } from '../store/rows.ts';
import type { MemoryServer } from '../store/server.ts';
import { dueChecks, waits } from '../store/statements.ts';
import { type ModelProcess, ProcessEnded } from './process.ts';

/** Recurring work of a worker. */
const KINDS = ['payments', 'refunds', 'deliveries', 'webhooks'] as const;
type Kind = (typeof KINDS)[number];

const NEVER = Number.POSITIVE_INFINITY;
/** Most milliseconds until a worker sees that something is due. */
const POLL_MS = 1_000;
const AGAIN_MS = 5_000;
const JOB_AGAIN_MS = 60_000;
const JOB_TRIES_MAX = 25;

interface RoundsOptions {
  readonly scheduler: Scheduler;
  readonly world: Owner;
  readonly draws: Rng;
  readonly tables: Tables;
  readonly server: MemoryServer;
  readonly processes: readonly ModelProcess[];
  /** True if nothing is going to happen to a payment that no check has found. */
  readonly isOver: (paymentId: string) => boolean;
  readonly report: (process: string, error: unknown, doing: string) => void;
}

/** Does the work of workers when it falls due, each time in one of the processes. Polls that would find nothing are left out. */
export class Rounds {
  /** Share of the hints that are lost at present. */
  hintLoss = 0;
  /** Jobs that were given up. */
  readonly givenUp: { readonly task: string; readonly attempts: number; readonly lastError: string | null }[] = [];
  private readonly of: RoundsOptions;
  private alarm: Scheduled | null = null;
  private alarmAt = NEVER;
  private jobsRunning = 0;

  constructor(of: RoundsOptions) {
    this.of = of;
    const { tables } = of;
    tables.checks.onWrite = ({ nextCheckAt }) => this.arm(nextCheckAt.getTime());
    tables.refunds.onWrite = ({ nextCheckAt }) => this.arm(nextCheckAt?.getTime() ?? NEVER);
    tables.deliveries.onWrite = ({ nextAttemptAt }) => this.arm(nextAttemptAt?.getTime() ?? NEVER);
    tables.followUps.onWrite = ({ dueAt }) => this.arm(dueAt.getTime());
    tables.jobs.onWrite = (job) => this.later(of.draws.between(1, 300), () => this.takeJob(job, 1));
  }

  /** True if nothing is due, now or later. */
  isIdle(): boolean {
    return this.alarmAt === NEVER && this.jobsRunning === 0 && this.of.tables.jobs.size === 0;
  }

  private arm(dueAt: number): void {
    const { scheduler, world, draws, server } = this.of;
    if (dueAt >= this.alarmAt) return;
    if (this.alarm !== null) this.alarm.isCancelled = true;
    this.alarmAt = Math.min(this.alarmAt, Math.max(dueAt, scheduler.now) + draws.between(1, POLL_MS));
    this.alarm = scheduler.at(this.alarmAt, world, () => server.betweenTransactions(() => this.ring()));
  }

  private ring(): void {
    const { now } = this.of.scheduler;
    this.alarm = null;
    this.alarmAt = NEVER;
    let next = NEVER;
    this.endWatches();
    for (const kind of KINDS) {
      const dueAt = this.dueAt(kind);
      if (dueAt <= now) {
        this.begin(kind);
        next = Math.min(next, now + AGAIN_MS);
      } else {
        next = Math.min(next, dueAt);
      }
    }
    if (next !== NEVER) this.arm(next);
  }

  /** Ends checks as the last of them does, of payments that they can find nothing about any more. */
  private endWatches(): void {
    const { tables, scheduler, isOver } = this.of;
    for (const check of tables.checks.due(scheduler.now)) if (isOver(check.paymentId)) tables.checks.delete(check);
  }

  /** When work of a kind is due, or the first that may be. */
  private dueAt(kind: Kind): number {
    const { tables, scheduler } = this.of;
    const first = tableOf(tables, kind).firstDueAt();
    if (first > scheduler.now) return first;
    const dueAt = (at: Date | null): number => at?.getTime() ?? NEVER;
    switch (kind) {
      case 'payments':
      case 'webhooks':
        return first;
      case 'refunds': {
        // A refund that needs a person is asked about without end.
        const open = [...tables.refunds.all()].filter(({ state }) => state !== 'NEEDS_ATTENTION');
        return open.reduce((least, { nextCheckAt }) => Math.min(least, dueAt(nextCheckAt)), NEVER);
      }
      case 'deliveries': {
        const free = [...tables.deliveries.all()].filter((delivery) => delivery.state === 'PENDING' && !waits(tables, delivery));
        return free.reduce((least, { nextAttemptAt }) => Math.min(least, dueAt(nextAttemptAt)), NEVER);
      }
      default:
        return kind satisfies never;
    }
  }

  /** True if a poll of a process finds work of a kind, by its own clock. */
  private finds(kind: Kind, process: ModelProcess): boolean {
    const { tables, scheduler } = this.of;
    const at = process.now();
    if (kind === 'payments') return dueChecks(tables, new Date(at), new Date(scheduler.now)).length > 0;
    return tableOf(tables, kind).firstDueAt() <= at;
  }

  private begin(kind: Kind): void {
    const process = this.pick((each) => !each.rounds.has(kind) && this.finds(kind, each));
    if (process === null) return;
    const { report } = this.of;
    process.rounds.add(kind);
    const crashes = process.crashes;
    process
      .do(async ({ product, context, follower, dispatcher }) => {
        const onError = (error: unknown, doing: string): void => report(process.name, error, doing);
        switch (kind) {
          case 'payments':
            await product.settleOverdue(context, onError);
            return;
          case 'refunds':
            await product.followRefunds(context, onError);
            return;
          case 'deliveries':
            await dispatcher.sweep();
            return;
          case 'webhooks':
            await follower.sweep();
            return;
          default:
            kind satisfies never;
        }
      })
      .catch((error: unknown) => report(process.name, error, kind))
      .finally(() => {
        if (process.crashes === crashes) process.rounds.delete(kind);
      });
  }

  private takeJob(job: JobRow, tries: number): void {
    const { tables, draws } = this.of;
    const known = tables.jobs.get(job.id);
    if (tries === 1) {
      if (known === undefined) return;
      tables.jobs.delete(known);
      if (isWake(job)) {
        this.wakeAll(job);
        return;
      }
      if (!job.durable && draws.chance(this.hintLoss)) return;
    }
    const process = this.pick(() => true);
    this.jobsRunning += 1;
    const again = (error: unknown): void => {
      this.jobsRunning -= 1;
      if (!job.durable) return;
      if (tries >= JOB_TRIES_MAX) this.givenUp.push({ task: job.name, attempts: tries, lastError: String(error) });
      else {
        this.jobsRunning += 1;
        this.later(JOB_AGAIN_MS * tries, () => {
          this.jobsRunning -= 1;
          this.takeJob(job, tries + 1);
        });
      }
    };
    if (process === null) again(new ProcessEnded('no process is up'));
    else
      this.run(process, job).then(() => {
        this.jobsRunning -= 1;
      }, again);
  }

  /** Every process listens, and each may miss it. */
  private wakeAll(wake: JobRow): void {
    for (const process of this.of.processes) {
      if (!process.isUp() || this.of.draws.chance(this.hintLoss)) continue;
      this.jobsRunning += 1;
      const ended = (): void => {
        this.jobsRunning -= 1;
      };
      this.run(process, wake).then(ended, ended);
    }
  }

  private run(process: ModelProcess, { name, payload }: JobRow): Promise<unknown> {
    return process.do(async ({ product, context, follower, dispatcher }) => {
      switch (name) {
        case 'send-refund':
          await product.sendRefund(context, payloadOf(payload));
          return;
        case 'deliver-events':
          dispatcher.wake(payloadOf(payload));
          return;
        case 'follow-webhooks':
          void follower.wake(payloadOf<{ readonly merchantId: string }>(payload).merchantId);
          return;
        case 'refund-duplicate':
          await product.refundDuplicate(context, payloadOf(payload));
          return;
        case 'check-attempt':
          await product.verifyAttempt(context, {
            transactionId: null,
            ...payloadOf<{ merchantId: string; attemptId: string }>(payload),
          });
          return;
        // Lists of gateways are no part of the model.
        case 'read-disputes':
          return;
        default:
          throw new Error(`the model has no job ${name}`);
      }
    });
  }

  /** One of the processes that are up, drawn. */
  private pick(isFree: (process: ModelProcess) => boolean): ModelProcess | null {
    const { processes, draws } = this.of;
    const free = processes.filter((process) => process.isUp() && isFree(process));
    return free[draws.between(0, Math.max(0, free.length - 1))] ?? null;
  }

  /** Does something later, while no transaction is open: a job may be of one that does not commit. */
  private later(ms: number, task: () => void): void {
    const { scheduler, world, server } = this.of;
    scheduler.after(ms, world, () => server.betweenTransactions(task));
  }
}

function tableOf({ checks, refunds, deliveries, followUps }: Tables, kind: Kind) {
  return { payments: checks, refunds, deliveries, webhooks: followUps }[kind];
}

function isWake({ name }: JobRow): boolean {
  return name === 'deliver-events' || name === 'follow-webhooks';
}

/** The payload of a job, in the form in which its task takes it. */
function payloadOf<Payload>(payload: unknown): Payload {
  return payload as Payload;
}
