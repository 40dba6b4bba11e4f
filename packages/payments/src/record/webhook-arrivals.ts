import type { Database } from '@switchyard/db';

/** Arrival of the webhooks of gateway accounts, by the records of all processes. */
export interface WebhookArrivals {
  /**
   * True if an account's webhooks can be relied on: one arrived within a day, and no payment was found paid since
   * without one. False for an account that is not known, such as a new one.
   */
  readonly arrive: (accountId: string) => boolean;
  /** Records that a genuine webhook about a payment arrived. */
  readonly arrived: (account: ArrivalAccount, at: Date) => Promise<void>;
  /** Records that a lookup found a payment paid before any webhook reported it. */
  readonly missed: (account: ArrivalAccount, at: Date) => Promise<void>;
  /** Reads the arrivals that other processes recorded. */
  readonly refresh: () => Promise<void>;
  readonly close: () => void;
}

/** The gateway account a webhook belongs to. */
export interface ArrivalAccount {
  readonly merchantId: string;
  readonly accountId: string;
}

interface Seen {
  readonly arrivedAt: Date | null;
  readonly missedAt: Date | null;
}

const RELIED_ON_MS = 24 * 3_600_000;
/** A busy account's arrivals are written this often. */
const WRITE_EVERY_MS = 60_000;
const REFRESH_MS = 30_000;

const READ = `
SELECT account_id AS "accountId", arrived_at AS "arrivedAt", missed_at AS "missedAt" FROM webhook_arrival WHERE arrived_at > $1`;

const write = (column: 'arrived_at' | 'missed_at') => `
INSERT INTO webhook_arrival AS known (merchant_id, account_id, ${column}) VALUES ($1, $2, $3)
ON CONFLICT (merchant_id, account_id) DO UPDATE SET ${column} = greatest(known.${column}, excluded.${column})`;

/**
 * Watches the arrival of webhooks, shared by all processes through the database: read every half minute unless `refreshMs` is null.
 * A process that cannot read keeps what it read last.
 */
export function watchWebhookArrivals(
  database: Database,
  { now, onError, refreshMs = REFRESH_MS }: WatchOptions,
): WebhookArrivals {
  let seen = new Map<string, Seen>();
  const refresh = async (): Promise<void> => {
    const { rows } = await database.pool.query<Seen & { readonly accountId: string }>({
      name: 'read-webhook-arrivals',
      text: READ,
      values: [new Date(now().getTime() - RELIED_ON_MS)],
    });
    seen = new Map(rows.map(({ accountId, ...known }) => [accountId, known]));
  };
  let closed = false;
  const keepUp = (): void => {
    refresh().catch((error: unknown) => {
      if (!closed) onError(error);
    });
  };
  const timer = refreshMs === null ? undefined : setInterval(keepUp, refreshMs);
  timer?.unref();
  if (refreshMs !== null) keepUp();
  return {
    arrive(accountId) {
      const { arrivedAt = null, missedAt = null } = seen.get(accountId) ?? {};
      if (arrivedAt === null || now().getTime() - arrivedAt.getTime() > RELIED_ON_MS) return false;
      return missedAt === null || missedAt < arrivedAt;
    },
    async arrived({ merchantId, accountId }, at) {
      const { arrivedAt = null, missedAt = null } = seen.get(accountId) ?? {};
      const isWritten = arrivedAt !== null && at.getTime() - arrivedAt.getTime() < WRITE_EVERY_MS;
      if (isWritten && (missedAt === null || missedAt < arrivedAt)) return;
      seen.set(accountId, { arrivedAt: at, missedAt });
      await database.pool.query({
        name: 'record-webhook-arrival',
        text: write('arrived_at'),
        values: [merchantId, accountId, at],
      });
    },
    async missed({ merchantId, accountId }, at) {
      seen.set(accountId, { arrivedAt: seen.get(accountId)?.arrivedAt ?? null, missedAt: at });
      await database.pool.query({ name: 'record-missed-webhook', text: write('missed_at'), values: [merchantId, accountId, at] });
    },
    refresh,
    close() {
      closed = true;
      clearInterval(timer);
    },
  };
}

interface WatchOptions {
  readonly now: () => Date;
  readonly onError: (error: unknown) => void;
  readonly refreshMs?: number | null;
}
