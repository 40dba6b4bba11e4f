/** How fast one process asks each gateway account about open payments. */
interface LookupLimits {
  readonly perSecond: number;
  /** At the same time. */
  readonly atOnce: number;
}

/** Paces the scheduled lookups of each gateway account. */
export interface LookupPace {
  /**
   * Takes a lookup's turn: `go` when it may be made now, in which case {@link LookupPace.done} has to follow; otherwise the
   * milliseconds until its turn, which is kept free of other lookups. `nowMs` is on the monotonic clock: that of the day may be set
   * back.
   */
  readonly take: (accountId: string, nowMs: number) => { readonly kind: 'go' } | { readonly kind: 'wait'; readonly ms: number };
  readonly done: (accountId: string) => void;
}

/** Accounts are forgotten when nothing of theirs is under way or waits, and this many are known. */
const ACCOUNTS_MAX = 10_000;
/** A burst of this many milliseconds' lookups may be made at once. */
const BURST_MS = 1_000;
/** A backlog is spread over this much time; what it has beyond that is asked about at the end of it. */
const WAIT_MAX_MS = 30 * 60_000;

/**
 * A pace that lets each account have so many lookups a second and at once; the calls that customers and merchants wait for are not
 * counted, so they always go first. A lookup that has to wait is scheduled for its turn in the database, where it holds neither a
 * lease nor memory: bottleneck, p-throttle and rate-limiter-flexible's queue were looked at, and keep what waits in the process.
 *
 * The rate is the generic cell rate algorithm (ITU-T I.371): each lookup moves the account's next free time by one interval.
 */
export function paceLookups({ perSecond, atOnce }: LookupLimits): LookupPace {
  const intervalMs = 1_000 / perSecond;
  const accounts = new Map<string, { nextFreeAt: number; running: number }>();
  return {
    take(accountId, at) {
      const account = accounts.get(accountId) ?? { nextFreeAt: Number.NEGATIVE_INFINITY, running: 0 };
      accounts.set(accountId, account);
      if (accounts.size > ACCOUNTS_MAX) forgetIdle(accounts, at);
      const turn = Math.max(account.nextFreeAt, at - BURST_MS + intervalMs);
      if (turn <= at && account.running < atOnce) {
        account.nextFreeAt = turn + intervalMs;
        account.running += 1;
        return { kind: 'go' };
      }
      // Nothing can be said of when those that run will end: they are tried again after a burst's time.
      const ms = Math.max(turn - at, account.running >= atOnce ? BURST_MS : 0, 1);
      account.nextFreeAt = Math.min(turn + intervalMs, at + WAIT_MAX_MS);
      return { kind: 'wait', ms: Math.min(ms, WAIT_MAX_MS) };
    },
    done(accountId) {
      const account = accounts.get(accountId);
      if (account !== undefined) account.running = Math.max(0, account.running - 1);
    },
  };
}

function forgetIdle(accounts: Map<string, { readonly nextFreeAt: number; readonly running: number }>, at: number): void {
  for (const [accountId, { nextFreeAt, running }] of accounts) {
    if (running === 0 && nextFreeAt <= at - BURST_MS) accounts.delete(accountId);
  }
}
