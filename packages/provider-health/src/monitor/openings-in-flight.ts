import type { Where } from './health-ledger.ts';
import { ANY_METHOD, seriesKey } from './health-series.ts';

/**
 * Openings of checkouts that this process waits for. Only the time that the process attended to them counts. They are no evidence of health
 * before they end; while several go unanswered for longer than usual, new payments go elsewhere first.
 */
export interface OpeningsInFlight {
  /** Call when an opening begins; call the returned function once at its end. */
  begin(where: Where): (hasOpened: boolean) => void;
  /** True while this process waits for an opening at the account. */
  isBusy(accountId: string): boolean;
  /**
   * When the openings began that have gone unanswered for longer than `afterMs`, in epoch milliseconds; oldest first. Those that were
   * already late when the account last opened a checkout are left out, because the account does answer.
   */
  overdue(accountId: string, method: string, afterMs: number): readonly number[];
}

/** An opening whose end was never reported is ignored after this; none takes that long. */
const LOST_MS = 60_000;

interface Series {
  /** When each opening began, in attended time: the order of their beginnings. */
  readonly begunAt: Map<object, number>;
  /** In attended time. */
  openedAt: number;
}

/** Tracks this process's unanswered requests to open a checkout. `clock` gives epoch milliseconds, `attended` attended time. */
export function createOpeningsInFlight(clock: () => number, attended: () => number = clock): OpeningsInFlight {
  const byKey = new Map<string, Series>();
  /** How many openings are in progress, of accounts with any. */
  const waitingAt = new Map<string, number>();

  function countWaiting(accountId: string, change: 1 | -1): void {
    const count = (waitingAt.get(accountId) ?? 0) + change;
    if (count > 0) waitingAt.set(accountId, count);
    else waitingAt.delete(accountId);
  }

  function seriesOf({ accountId }: Where, method: string): Series {
    const key = seriesKey(accountId, method);
    const known = byKey.get(key) ?? { begunAt: new Map<object, number>(), openedAt: Number.NEGATIVE_INFINITY };
    byKey.set(key, known);
    return known;
  }

  return {
    begin(where) {
      const opening = {};
      const startedAt = attended();
      const own = methodsOf(where).map((method) => seriesOf(where, method));
      for (const series of own) series.begunAt.set(opening, startedAt);
      countWaiting(where.accountId, 1);
      return (hasOpened) => {
        countWaiting(where.accountId, -1);
        for (const series of own) {
          series.begunAt.delete(opening);
          if (hasOpened) series.openedAt = attended();
        }
      };
    },
    isBusy: (accountId) => waitingAt.has(accountId),
    overdue(accountId, method, afterMs) {
      const series = byKey.get(seriesKey(accountId, method));
      if (series === undefined) return NONE;
      const now = clock();
      const attendedNow = attended();
      const late: number[] = [];
      for (const at of series.begunAt.values()) {
        const tookMs = attendedNow - at;
        if (tookMs < afterMs) break;
        if (tookMs < LOST_MS && at + afterMs > series.openedAt) late.push(now - tookMs);
      }
      return late;
    },
  };
}

const NONE: readonly number[] = [];

function methodsOf({ method }: Where): readonly string[] {
  return method === null ? [ANY_METHOD] : [ANY_METHOD, method];
}
