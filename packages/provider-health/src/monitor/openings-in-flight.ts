import type { FaultInRow } from '../assess/evidence.ts';
import type { Where } from './health-ledger.ts';
import { ANY_METHOD, seriesKey } from './health-series.ts';

/** How an opening ended. `opened` later than it is overdue, and before its time-out, takes back the fault it was meanwhile. */
export type OpeningEnd = 'opened' | 'opened_late' | 'failed';

/**
 * Openings of checkouts that this process waits for. Those that go unanswered for long are evidence before they end. Only the time that
 * the process attended to them counts.
 */
export interface OpeningsInFlight {
  /** Call when an opening begins; call the returned function once at its end. */
  begin(where: Where): (end: OpeningEnd) => void;
  /**
   * Openings that have gone unanswered for longer than `afterMs`, as faults in a row; oldest first. Those that were already late when
   * the account last opened a checkout are left out, because the account does answer.
   */
  overdue(accountId: string, method: string, afterMs: number): readonly FaultInRow[];
  /** How many openings that were overdue at a moment, in epoch milliseconds, have opened late since. */
  takenBackSince(accountId: string, method: string, since: number, afterMs: number): number;
  /** Accounts and methods at which a merchant has openings in progress; each once. */
  listInFlight(merchantId: string): readonly Where[];
}

/** An opening whose end was never reported is ignored after this; none takes that long. */
const LOST_MS = 60_000;
/** Most late answers that are remembered. */
const LATE_MAX = 500;

interface Series {
  readonly where: Where;
  /** When each opening began, in attended time: the order of their beginnings. */
  readonly begunAt: Map<object, number>;
  /** In attended time. */
  openedAt: number;
  /** Openings that opened late: epoch milliseconds, as if all of the time had been attended. */
  openedLate: readonly { readonly begunAt: number; readonly openedAt: number }[];
}

/** Tracks this process's unanswered requests to open a checkout. `clock` gives epoch milliseconds, `attended` attended time. */
export function createOpeningsInFlight(clock: () => number, attended: () => number = clock): OpeningsInFlight {
  const byKey = new Map<string, Series>();
  /** Those with openings in progress, by merchant. */
  const busyByMerchant = new Map<string, Set<Series>>();

  function markBusy(series: Series): void {
    const { merchantId } = series.where;
    const busy = busyByMerchant.get(merchantId) ?? new Set();
    busyByMerchant.set(merchantId, busy.add(series));
  }

  function markIdle(series: Series): void {
    const { merchantId } = series.where;
    const busy = busyByMerchant.get(merchantId);
    busy?.delete(series);
    if (busy?.size === 0) busyByMerchant.delete(merchantId);
  }

  function seriesOf(where: Where, method: string): Series {
    const key = seriesKey(where.accountId, method);
    const known = byKey.get(key) ?? {
      where,
      begunAt: new Map<object, number>(),
      openedAt: Number.NEGATIVE_INFINITY,
      openedLate: [],
    };
    byKey.set(key, known);
    return known;
  }

  return {
    begin(where) {
      const opening = {};
      const startedAt = attended();
      const own = methodsOf(where).map((method) => seriesOf(where, method));
      for (const series of own) {
        series.begunAt.set(opening, startedAt);
        markBusy(series);
      }
      return (end) => {
        const now = clock();
        const tookMs = attended() - startedAt;
        for (const series of own) {
          series.begunAt.delete(opening);
          if (series.begunAt.size === 0) markIdle(series);
          if (end === 'failed') continue;
          series.openedAt = attended();
          if (end === 'opened') continue;
          const remembered = series.openedLate.filter(({ openedAt }) => now - openedAt < LOST_MS).slice(1 - LATE_MAX);
          series.openedLate = [...remembered, { begunAt: now - tookMs, openedAt: now }];
        }
      };
    },
    overdue(accountId, method, afterMs) {
      const series = byKey.get(seriesKey(accountId, method));
      if (series === undefined) return NONE;
      const now = clock();
      const attendedNow = attended();
      const late: FaultInRow[] = [];
      for (const at of series.begunAt.values()) {
        const tookMs = attendedNow - at;
        if (tookMs < afterMs) break;
        if (tookMs < LOST_MS && at + afterMs > series.openedAt) late.push({ at: now - tookMs, kind: 'timed_out', overdue: true });
      }
      return late;
    },
    takenBackSince(accountId, method, since, afterMs) {
      const late = byKey.get(seriesKey(accountId, method))?.openedLate ?? [];
      return late.filter(({ begunAt, openedAt }) => begunAt + afterMs <= since && openedAt > since).length;
    },
    listInFlight: (merchantId) => Array.from(busyByMerchant.get(merchantId) ?? [], ({ where }) => where),
  };
}

const NONE: readonly FaultInRow[] = [];

function methodsOf({ method }: Where): readonly string[] {
  return method === null ? [ANY_METHOD] : [ANY_METHOD, method];
}
