import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { order } from '../harness/orders.ts';

/** Experience of one customer. */
export interface Served {
  /** When the merchant sent the request, on the clock of the drill. */
  readonly atMs: number;
  /** How long the answer took. */
  readonly waitedMs: number;
  /** `none` when there was no usable answer. */
  readonly status: string;
  /** The gateway that was to be tried first. */
  readonly first: string | null;
  /** How many gateways were tried in vain. */
  readonly failedTries: number;
}

export interface Traffic {
  /** Experiences of customers so far, in the order of the answers. */
  readonly served: readonly Served[];
  /** Starts no more payments, and waits for the answers that are still to come. */
  stop(): Promise<void>;
}

export interface TrafficPlan {
  readonly webUrl: string;
  readonly key: string;
  readonly perSecond: number;
  readonly lookups: boolean;
  /** Milliseconds on the clock of the drill. */
  readonly clock: () => number;
}

const ANSWER_LIMIT_MS = 30_000;
const LOOKUP_EVERY_MS = 2_000;
const LOOKUPS_MAX_AGE_MS = 60_000;
/** Most payments verified at once: the drill measures faults, not load. */
const LOOKUPS_AT_ONCE = 18;
const PENDING = 'PENDING';

const answerSchema = z.object({
  data: z.object({
    paymentId: z.string(),
    status: z.string(),
    routing: z.object({
      reasons: z.array(z.object({ code: z.string() })),
      recommended: z.object({ provider: z.string() }).nullable(),
    }),
  }),
});

/** Starts payments at a constant rate, however long the answers take, until it is stopped. */
export function startTraffic(plan: TrafficPlan): Traffic {
  const served: Served[] = [];
  const open = new Map<string, number>();
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();
  const { signal } = stopping;

  async function pay(): Promise<void> {
    const atMs = plan.clock();
    const answer = await send(plan, '/v1/payments/initiate', order()).catch(() => null);
    const waitedMs = plan.clock() - atMs;
    const parsed = answerSchema.safeParse(answer);
    if (!parsed.success) {
      served.push({ atMs, waitedMs, status: 'none', first: null, failedTries: 0 });
      return;
    }
    const { paymentId, status, routing } = parsed.data.data;
    const failedTries = routing.reasons.filter(({ code }) => code.startsWith('gateway_failed_')).length;
    served.push({ atMs, waitedMs, status, first: routing.recommended?.provider ?? null, failedTries });
    if (status === PENDING) open.set(paymentId, atMs);
  }

  function lookUp(): void {
    const youngest = plan.clock() - LOOKUPS_MAX_AGE_MS;
    for (const [paymentId, atMs] of open) if (atMs < youngest) open.delete(paymentId);
    for (const paymentId of [...open.keys()].slice(-LOOKUPS_AT_ONCE)) {
      keep(send(plan, `/v1/payments/${paymentId}/verify`).then(() => undefined));
    }
  }

  function keep(work: Promise<void>): void {
    const settled = work
      .catch(() => undefined)
      .finally(() => {
        underWay.delete(settled);
      });
    underWay.add(settled);
  }

  const loops = [
    repeat(1_000 / plan.perSecond, signal, () => keep(pay())),
    ...(plan.lookups ? [repeat(LOOKUP_EVERY_MS, signal, lookUp)] : []),
  ];
  return {
    served,
    async stop() {
      stopping.abort();
      await Promise.all(loops);
      await Promise.all(underWay);
    },
  };
}

/** Acts at constant distances from the beginning, so that a late turn makes none of the others late. */
export async function repeat(everyMs: number, signal: AbortSignal, act: () => void): Promise<void> {
  const startedAt = performance.now();
  for (let turn = 0; !signal.aborted; turn += 1) {
    const waitMs = startedAt + turn * everyMs - performance.now();
    if (waitMs > 0) await pause(waitMs, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) act();
  }
}

async function send({ webUrl, key }: TrafficPlan, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${webUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  });
  const json: unknown = await answer.json();
  return json;
}
