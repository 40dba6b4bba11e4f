/** How fast one process asks each gateway account about open payments. */
interface LookupLimits {
  readonly perSecond: number;
  /** At the same time. */
  readonly atOnce: number;
}

/** Paces the scheduled lookups of each gateway account. */
export interface LookupPace {
  /**
   * Takes a lookup's turn: `go` when it may be made now, in which case {@link LookupPace.done} has to follow; otherwise in how many
   * milliseconds to try again, spread so that waiting lookups come back at the rate. `nowMs` is on the monotonic clock: the clock of
   * the day may be set back.
   */
  readonly take: (accountId: string, nowMs: number) => { readonly kind: 'go' } | { readonly kind: 'wait'; readonly ms: number };
  readonly done: (accountId: string) => void;
}

/** Accounts are forgotten when nothing of theirs is under way or waits, and this many are known. */
const ACCOUNTS_MAX = 10_000;
/** A burst of this many milliseconds' lookups may be made at once: due payments are claimed this often. */
const BURST_MS = 2_000;
/** A backlog is spread over this much time; what it has beyond that is looked up at the end of it. */
const WAIT_MAX_MS = 30 * 60_000;

/**
 * A pace that lets each account have so many lookups a second and at once; the calls that customers and merchants wait for are not
 * counted, so they always go first. A lookup that has to wait is scheduled for its turn in the database, where it holds neither a
 * lease nor memory: bottleneck, p-throttle and rate-limiter-flexible's queue were looked at, and keep what waits in the process.
 *
 * The rate is the generic cell rate algorithm (ITU-T I.371): each lookup that is made moves the account's next free time by one
 * interval. Those that wait have moved nothing: the time to come back is no reservation, because a late one would leave its slot
 * unused.
 */
export function createLookupPace({ perSecond, atOnce }: LookupLimits): LookupPace {
  const intervalMs = 1_000 / perSecond;
  const accounts = new Map<string, Account>();
  return {
    take(accountId, at) {
      const account = accounts.get(accountId) ?? { nextFreeAt: Number.NEGATIVE_INFINITY, nextReturnAt: 0, running: 0 };
      accounts.set(accountId, account);
      if (accounts.size > ACCOUNTS_MAX) forgetIdle(accounts, at);
      const freeAt = Math.max(account.nextFreeAt, at - BURST_MS + intervalMs);
      if (freeAt <= at && account.running < atOnce) {
        account.nextFreeAt = freeAt + intervalMs;
        account.running += 1;
        return { kind: 'go' };
      }
      const returnAt = Math.min(Math.max(account.nextReturnAt, freeAt, at + intervalMs), at + WAIT_MAX_MS);
      account.nextReturnAt = returnAt + intervalMs;
      return { kind: 'wait', ms: returnAt - at };
    },
    done(accountId) {
      const account = accounts.get(accountId);
      if (account !== undefined) account.running = Math.max(0, account.running - 1);
    },
  };
}

interface Account {
  /** When its next lookup conforms to the rate. */
  nextFreeAt: number;
  /** When the next one that has to wait comes back. */
  nextReturnAt: number;
  running: number;
}

function forgetIdle(accounts: Map<string, Readonly<Account>>, at: number): void {
  for (const [accountId, { nextFreeAt, nextReturnAt, running }] of accounts) {
    if (running === 0 && nextFreeAt <= at - BURST_MS && nextReturnAt <= at) accounts.delete(accountId);
  }
}
