import { gatewayTitle, type Outcome } from '@switchyard/gateways';
import {
  BUCKET_MS,
  createLocalHealth,
  DEFAULT_HEALTH_THRESHOLDS,
  type KnownAccount,
  WINDOW_MS,
} from '@switchyard/provider-health';
import type { AccountHealth } from '@switchyard/routing';
import type { Row, Week, WeekMerchant } from './plan.ts';
import type { Random } from './random.ts';

/** The account and method an observation is about. */
export interface Where {
  readonly merchantId: string;
  readonly accountId: string;
  readonly method: string | null;
}

/** The health of every account, by the running system's own code on the week's clock. */
export interface WeekHealth {
  /** Observes the opening of a checkout that began at a moment and took as long as its call. */
  observeOpening(where: Where, at: number, outcome: Outcome<unknown>): void;
  observeEnd(where: Where, at: number, end: 'paid' | 'unpaid'): void;
  /** The health snapshot of a decision at this moment, at the earliest that of the last. */
  snapshot(merchantId: string, at: number): readonly AccountHealth[];
  /** All rows to store. */
  rows(endsAt: number): Pick<Week, 'health_bucket' | 'health_event' | 'health_status'>;
}

export function createWeekHealth(random: Random, merchants: readonly WeekMerchant[]): WeekHealth {
  const accounts = merchants.flatMap(knownAccounts);
  const buckets: Row[] = [];
  const events: Row[] = [];
  const statuses = new Map<string, Row>();
  let now = 0;
  let assessedAt = 0;
  let faultAt = 0;
  const { registry, ...local } = createLocalHealth({
    now: () => new Date(now),
    newId: () => random.id(now),
    account: (accountId) => accounts.find((account) => account.accountId === accountId),
    accountsOf: (merchantId) => accounts.filter((account) => account.merchantId === merchantId),
  });

  /** The assessment that the running system makes every second; without faults the counts of a window are looked at together. */
  function assess(at: number): void {
    now = at;
    assessedAt = at;
    const counts = local.drain();
    // As if each came from another process: the counts of one bucket are added up where they are read.
    const processId = random.id(at);
    buckets.push(...counts.map((each) => ({ ...each, processId })));
    registry.addCounts(
      counts.filter(({ succeeded, faulted }) => succeeded + faulted > 0),
      at,
    );
    // Forgets what has left the window.
    registry.loadCounts([], Number.POSITIVE_INFINITY, at);
    for (const move of registry.assessAll(at)) {
      registry.markStored(move);
      const { event, ...status } = move.change;
      const { merchantId, accountId, method, state: toState, why } = status;
      statuses.set(`${accountId}|${method}`, { ...status, version: move.version + 1 });
      if (event === null) continue;
      const { eventId: id, fromState, detail } = event;
      events.push({ merchantId, id, accountId, method, fromState, toState, why, detail, createdAt: at });
    }
  }

  return {
    observeOpening(where, at, outcome) {
      now = at;
      const ended = local.beginOpening(where);
      now = at + outcome.call.latencyMs;
      if (outcome.outcome !== 'yes') faultAt = now;
      ended(outcome);
    },
    observeEnd(where, at, end) {
      now = at;
      local.observeEnd(where, end);
    },
    snapshot(merchantId, at) {
      const isTroubled = at - faultAt < 2 * WINDOW_MS;
      if (at - assessedAt >= (isTroubled ? BUCKET_MS : WINDOW_MS)) assess(at);
      now = at;
      return local.snapshot(merchantId);
    },
    rows(endsAt) {
      assess(endsAt - 1);
      return {
        health_bucket: buckets.filter(({ bucketAt }) => Number(bucketAt) < endsAt),
        health_event: events,
        health_status: [...statuses.values()],
      };
    },
  };
}

function knownAccounts({ merchantId, accounts }: WeekMerchant): KnownAccount[] {
  return accounts.map(({ baseUrl, routable: { accountId, gateway } }) => ({
    merchantId,
    accountId,
    gateway,
    title: gatewayTitle(gateway),
    mode: 'test',
    address: baseUrl,
    thresholds: DEFAULT_HEALTH_THRESHOLDS,
  }));
}
