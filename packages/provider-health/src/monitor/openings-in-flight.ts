import type { FaultInRow } from '../assess/evidence.ts';
import type { Where } from './health-ledger.ts';
import { ANY_METHOD, seriesKey } from './health-series.ts';

/** Openings of checkouts that this process waits for. Those that go unanswered for long are evidence before they end. */
export interface OpeningsInFlight {
  /** Call when an opening begins; call the returned function once at its end, with whether a checkout was opened. */
  begin(where: Where): (opened: boolean) => void;
  /**
   * Openings that have gone unanswered for longer than `afterMs`, as faults in a row; oldest first. Those that were already late when
   * the account last opened a checkout are left out, because the account does answer.
   */
  overdue(accountId: string, method: string, afterMs: number): readonly FaultInRow[];
  /** Accounts and methods at which a merchant has openings in progress; each once. */
  listInFlight(merchantId: string): readonly Where[];
}

/** An opening whose end was never reported is ignored after this; none takes that long. */
const LOST_MS = 60_000;

interface Series {
  readonly where: Where;
  /** When each opening began: the order of their beginnings. */
  readonly begunAt: Map<object, number>;
  openedAt: number;
}

/** Tracks this process's unanswered requests to open a checkout. `clock` gives epoch milliseconds. */
export function createOpeningsInFlight(clock: () => number): OpeningsInFlight {
  const byKey = new Map<string, Series>();

  function seriesOf(where: Where, method: string): Series {
    const key = seriesKey(where.accountId, method);
    const known = byKey.get(key) ?? { where, begunAt: new Map(), openedAt: Number.NEGATIVE_INFINITY };
    byKey.set(key, known);
    return known;
  }

  return {
    begin(where) {
      const opening = {};
      const begun = clock();
      const own = methodsOf(where).map((method) => seriesOf(where, method));
      for (const { begunAt } of own) begunAt.set(opening, begun);
      return (opened) => {
        for (const series of own) {
          series.begunAt.delete(opening);
          if (opened) series.openedAt = clock();
        }
      };
    },
    overdue(accountId, method, afterMs) {
      const series = byKey.get(seriesKey(accountId, method));
      if (series === undefined) return NONE;
      const now = clock();
      const late: FaultInRow[] = [];
      for (const at of series.begunAt.values()) {
        if (now - at < afterMs) break;
        if (now - at < LOST_MS && at + afterMs > series.openedAt) late.push({ at, kind: 'timed_out', overdue: true });
      }
      return late;
    },
    listInFlight: (merchantId) =>
      [...byKey.values()]
        .filter(({ where, begunAt }) => where.merchantId === merchantId && begunAt.size > 0)
        .map(({ where }) => where),
  };
}

const NONE: readonly FaultInRow[] = [];

function methodsOf({ method }: Where): readonly string[] {
  return method === null ? [ANY_METHOD] : [ANY_METHOD, method];
}
