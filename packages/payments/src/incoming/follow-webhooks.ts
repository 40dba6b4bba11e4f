import { setTimeout as pause } from 'node:timers/promises';
import { aboutPayment, enqueueJob, type Jobs, withWorkSubject } from '@switchyard/db';
import { findAttempt } from '../record/attempt-queries.ts';
import type { PaymentsContext } from '../record/context.ts';
import { fetchGatewayResult } from '../record/fetch-gateway-result.ts';
import { recordReturnedTransfer } from '../record/returned-transfer.ts';
import { readPayment } from '../record/statements.ts';
import { followUpRefundWebhook } from '../refunds/follow-refunds.ts';
import { followUpDisputeWebhook } from '../reversals/settle-reported-dispute.ts';
import {
  type ClaimedWebhook,
  claimWebhooks,
  endFollowUp,
  listMerchantsToFollow,
  postponeFollowUp,
  requestDisputeReading,
} from './queries.ts';

/** Most webhooks of one merchant at once, and most merchants at once, in one process. */
const PER_MERCHANT_MAX = 16;
const MERCHANTS_MAX = 16;
/** Webhooks whose follow-ups end within this time of each other are followed by one claim. */
const GATHER_MS = 5;
/** Longer than a follow-up takes: one or two calls of ten seconds. One that takes longer is done twice, which changes nothing. */
const LEASE_MS = 60_000;
/** With growing pauses, about four days: as long as gateways send webhooks again. */
const TRIES_MAX = 25;
const PAUSE_EXPONENT_MAX = 10;

/** How one follow-up ended. */
export interface EndedFollowUp {
  readonly webhook: ClaimedWebhook;
  readonly outcome: 'done' | 'retried' | 'failed';
  /** Null when it is done. */
  readonly error: unknown;
  readonly seconds: number;
}

/** Where follow-ups report to. */
export interface FollowerOptions {
  /** Called within the subject of the webhook: its payment, where it is known. */
  readonly onEnded: (ended: EndedFollowUp) => void;
  /** Called when the database could not be asked; what was due is found later. */
  readonly onError: (error: unknown, doing: string) => void;
  /** Runs each follow-up, as one piece of work. */
  readonly trace?: (webhook: ClaimedWebhook, work: () => Promise<void>) => Promise<void>;
}

/**
 * Follows up stored webhooks of gateways. Those that are due are rows: each is claimed by one process, and due again when that ends in
 * between or the gateway gives no answer. Merchants take turns, so that none waits for another's slow gateway.
 */
export interface WebhookFollower {
  /** Follows up what is due at a merchant. Resolves once nothing is that this process may claim; never rejects. */
  wake(merchantId: string): Promise<void>;
  /** Wakes every merchant with due webhooks, and returns while these are followed up. */
  sweep(): Promise<void>;
  /** Claims no more webhooks and waits for those that are being followed up. */
  stop(): Promise<void>;
}

/** Opens a follower; it does nothing until it is woken or sweeps. Stop it before the database closes. */
export function openWebhookFollower(context: PaymentsContext, options: FollowerOptions): WebhookFollower {
  return new MerchantFollower(context, options);
}

/** Webhooks of one merchant. */
interface Turn {
  readonly merchantId: string;
  readonly ended: PromiseWithResolvers<void>;
  /** Woken since the last claim. */
  isWoken: boolean;
  /** Ends the wait for one of the running follow-ups. */
  wakeUp: () => void;
}

class MerchantFollower implements WebhookFollower {
  private readonly context: PaymentsContext;
  private readonly options: FollowerOptions;
  private readonly turns = new Map<string, Turn>();
  /** Merchants that wait for their turn, in order. */
  private readonly waiting = new Set<Turn>();
  private working = 0;
  private stopped = false;

  constructor(context: PaymentsContext, options: FollowerOptions) {
    this.context = context;
    this.options = options;
  }

  wake(merchantId: string): Promise<void> {
    if (this.stopped) return Promise.resolve();
    const known = this.turns.get(merchantId);
    if (known !== undefined) {
      known.isWoken = true;
      known.wakeUp();
      return known.ended.promise;
    }
    const turn: Turn = { merchantId, ended: Promise.withResolvers(), isWoken: true, wakeUp: () => undefined };
    this.turns.set(merchantId, turn);
    this.waiting.add(turn);
    this.beginNext();
    return turn.ended.promise;
  }

  async sweep(): Promise<void> {
    const { resources, now } = this.context;
    for (const merchantId of await listMerchantsToFollow(resources.database, now())) void this.wake(merchantId);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    for (const turn of this.waiting) this.end(turn);
    this.waiting.clear();
    for (const turn of this.turns.values()) turn.wakeUp();
    await Promise.all(Array.from(this.turns.values(), ({ ended }) => ended.promise));
  }

  private beginNext(): void {
    const [turn] = this.waiting;
    if (turn === undefined || this.working >= MERCHANTS_MAX) return;
    this.waiting.delete(turn);
    this.working += 1;
    void this.work(turn)
      .catch((error: unknown) => this.options.onError(error, 'following up webhooks'))
      .then(() => {
        this.working -= 1;
        // Another merchant's turn came first, or a wake came too late to be seen.
        if (turn.isWoken && !this.stopped) this.waiting.add(turn);
        else this.end(turn);
        this.beginNext();
      });
  }

  private end(turn: Turn): void {
    this.turns.delete(turn.merchantId);
    turn.ended.resolve();
  }

  /** Claims as many as may be under way until nothing is due, or other merchants wait. `isWoken` then says if anything is left. */
  private async work(turn: Turn): Promise<void> {
    const running = new Set<Promise<void>>();
    let isFirst = true;
    try {
      for (;;) {
        const isItsTurn = !this.stopped && (isFirst || this.waiting.size === 0);
        if (isItsTurn && turn.isWoken && running.size < PER_MERCHANT_MAX) await this.claim(turn, running);
        if (running.size === 0) return;
        isFirst = false;
        const woken = new Promise<void>((resolve) => {
          turn.wakeUp = resolve;
        });
        await Promise.race([...running, ...(running.size < PER_MERCHANT_MAX ? [woken] : [])]);
        await pause(GATHER_MS);
      }
    } finally {
      await Promise.all(running);
    }
  }

  private async claim(turn: Turn, running: Set<Promise<void>>): Promise<void> {
    const { resources, now } = this.context;
    const limit = PER_MERCHANT_MAX - running.size;
    turn.isWoken = false;
    const webhooks = await claimWebhooks(resources.database, turn.merchantId, { now: now(), leaseMs: LEASE_MS, limit });
    turn.isWoken ||= webhooks.length === limit;
    for (const webhook of webhooks) {
      const following = withWorkSubject({ merchantId: turn.merchantId }, () => this.follow(webhook))
        .catch((error: unknown) => this.options.onError(error, 'recording the follow-up of a webhook'))
        .finally(() => running.delete(following));
      running.add(following);
    }
  }

  private async follow(webhook: ClaimedWebhook): Promise<void> {
    const { trace = untraced, onEnded } = this.options;
    const { resources, now } = this.context;
    const startedAt = performance.now();
    let error: unknown = null;
    try {
      await trace(webhook, () => followUpWebhook(this.context, webhook));
    } catch (thrown) {
      error = thrown;
    }
    const isGivenUp = webhook.tries >= TRIES_MAX;
    if (error === null) await endFollowUp(resources.database, webhook);
    else await postponeFollowUp(resources.database, webhook, isGivenUp ? null : retryAt(now(), webhook.tries));
    const outcome = error === null ? 'done' : isGivenUp ? 'failed' : 'retried';
    onEnded({ webhook, outcome, error, seconds: (performance.now() - startedAt) / 1_000 });
  }
}

function retryAt(now: Date, tries: number): Date {
  return new Date(now.getTime() + Math.exp(Math.min(tries, PAUSE_EXPONENT_MAX)) * 1_000);
}

const untraced: NonNullable<FollowerOptions['trace']> = (_webhook, work) => work();

const LOOKUP_TIMEOUT_MS = 10_000;

/**
 * Looks up at its gateway what a stored webhook is about, and applies the answer: the webhook itself proves nothing. Throws without an
 * answer, and for a webhook that only another version can read, so that it is followed up again.
 */
export async function followUpWebhook(context: PaymentsContext, webhook: ClaimedWebhook): Promise<void> {
  const { followUp } = webhook;
  if (followUp === null) throw new Error('this version cannot read what the webhook is about');
  switch (followUp.kind) {
    case 'payment':
      return followUpPaymentWebhook(context, webhook, followUp.attemptId);
    case 'refund':
      return followUpRefundWebhook(context, webhook, followUp.gatewayRefundId);
    case 'dispute':
      return followUpDisputeWebhook(context, webhook, followUp);
    case 'settlement':
      return announceSettlement(context, webhook, followUp.settlement);
    case 'returned_transfer':
      return recordReturnedTransfer(context, webhook, followUp);
    case 'disputes':
      return requestDisputeReading(context.resources.database.prisma, webhook);
    default:
      return followUp satisfies never;
  }
}

/** Hands an announced settlement on to where settlements are kept. */
async function announceSettlement(
  { resources: { database } }: PaymentsContext,
  { merchantId, accountId }: ClaimedWebhook,
  settlement: Jobs['store-announced-settlement']['settlement'],
): Promise<void> {
  const key = { key: `store-announced-settlement:${accountId}:${settlement.settlementId}`, keepsJob: true };
  await database.prisma.$transaction((transaction) =>
    enqueueJob(transaction, 'store-announced-settlement', { merchantId, accountId, settlement }, key),
  );
}

async function followUpPaymentWebhook(
  context: PaymentsContext,
  { merchantId, transactionId }: ClaimedWebhook,
  attemptId: string,
): Promise<void> {
  const { database } = context.resources;
  const attempt = await findAttempt(database, merchantId, attemptId);
  if (attempt === null) return;
  aboutPayment({ merchantId, paymentId: attempt.paymentId });
  const payment = await readPayment(database, merchantId, attempt.paymentId);
  if (payment === undefined) return;
  // The webhook arrived before our own record of the checkout: later.
  if (payment.status === 'INITIATED') throw new Error(`payment ${payment.paymentId} is still being initiated`);
  const lookup = { payment, attempt, transactionId, cause: 'gateway_webhook', timeoutMs: LOOKUP_TIMEOUT_MS } as const;
  const { answered } = await fetchGatewayResult(context, lookup, { add: () => {} });
  if (!answered) throw new Error(`${attempt.gateway} gave no answer about attempt ${attempt.id}`);
}
