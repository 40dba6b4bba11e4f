import type { Rng } from '../../../world/plan/rng.ts';
import type { Owner, Scheduled, Scheduler } from '../../kernel/scheduler.ts';
import type { JobRow, Tables } from '../store/rows.ts';
import { type ModelProcess, ProcessEnded } from './process.ts';

/** Recurring work of a worker. */
const KINDS = ['payments', 'refunds', 'deliveries', 'webhooks'] as const;
type Kind = (typeof KINDS)[number];

const NEVER = Number.POSITIVE_INFINITY;
const AGAIN_MS = 5_000;
const JOB_AGAIN_MS = 60_000;
const JOB_TRIES_MAX = 25;

interface RoundsOptions {
  readonly scheduler: Scheduler;
  readonly world: Owner;
  readonly draws: Rng;
  readonly tables: Tables;
  readonly processes: readonly ModelProcess[];
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
    tables.gatewayWebhooks.onWrite = ({ followUpAt }) => this.arm(followUpAt?.getTime() ?? NEVER);
    tables.jobs.onWrite = (job) => this.later(of.draws.between(1, 300), () => this.takeJob(job, 1));
  }

  /** True if nothing is due, now or later. */
  isIdle(): boolean {
    return this.alarmAt === NEVER && this.jobsRunning === 0 && this.of.tables.jobs.size === 0;
  }

  private arm(dueAt: number): void {
    const { scheduler, world, draws } = this.of;
    if (dueAt >= this.alarmAt) return;
    if (this.alarm !== null) this.alarm.isCancelled = true;
    this.alarmAt = Math.max(dueAt, scheduler.now) + draws.between(1, 1_000);
    this.alarm = scheduler.at(this.alarmAt, world, () => this.ring());
  }

  private ring(): void {
    const { now } = this.of.scheduler;
    this.alarm = null;
    this.alarmAt = NEVER;
    let next = NEVER;
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

  private dueAt(kind: Kind): number {
    const { tables } = this.of;
    let first = NEVER;
    switch (kind) {
      case 'payments':
        for (const { nextCheckAt } of tables.checks.all()) first = Math.min(first, nextCheckAt.getTime());
        return first;
      case 'refunds':
        for (const { nextCheckAt, state } of tables.refunds.all()) {
          // A payment that needs a person is asked about without end.
          if (nextCheckAt !== null && state !== 'NEEDS_ATTENTION') first = Math.min(first, nextCheckAt.getTime());
        }
        return first;
      case 'deliveries':
        for (const endpointId of tables.deliveries.valuesOf('pending')) {
          for (const { nextAttemptAt, paymentId, position, id } of tables.deliveries.by('pending', endpointId)) {
            const ofPayment = tables.deliveries.by('pendingOfPayment', `${endpointId} ${paymentId}`);
            const waits = ofPayment.some((other) => other.position < position || (other.position === position && other.id < id));
            if (!waits && nextAttemptAt !== null) first = Math.min(first, nextAttemptAt.getTime());
          }
        }
        return first;
      case 'webhooks':
        for (const merchantId of tables.gatewayWebhooks.valuesOf('unfollowed')) {
          for (const { followUpAt } of tables.gatewayWebhooks.by('unfollowed', merchantId)) {
            if (followUpAt !== null) first = Math.min(first, followUpAt.getTime());
          }
        }
        return first;
      default:
        return kind satisfies never;
    }
  }

  private begin(kind: Kind): void {
    const process = this.pick((each) => !each.rounds.has(kind));
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
    // It may be of a transaction that has not ended.
    if (tables.undoLog.isOpen) {
      this.later(5, () => this.takeJob(job, tries));
      return;
    }
    const known = tables.jobs.get(job.id);
    if (tries === 1) {
      if (known === undefined) return;
      tables.jobs.delete(known);
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

  private later(ms: number, task: () => void): void {
    this.of.scheduler.after(ms, this.of.world, task);
  }
}

/** The payload of a job, in the form in which its task takes it. */
function payloadOf<Payload>(payload: unknown): Payload {
  return payload as Payload;
}
