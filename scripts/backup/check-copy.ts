import { withConnection } from '../stack/database.ts';

/** Contents of a restored copy, compared with the request. */
export interface Findings {
  readonly payments: number;
  readonly newestPaymentAt: Date | null;
  /** When the last transaction was committed that the copy has. */
  readonly lastCommitAt: Date | null;
  /** Why the copy is not what was asked for; empty when it is. */
  readonly problems: readonly string[];
}

/** The requested moment and timeline, and the timelines that the copy came from. */
export interface Expected {
  readonly to: Date | null;
  readonly timeline: number;
  readonly ancestors: readonly number[];
  /** No longer than this without a payment is usual. */
  readonly quietMs: number;
}

/** The application's clock gives a payment its time, the database's a commit. */
const CLOCKS_DIFFER_MS = 5_000;

/** Compares a restored copy with the moment and the timeline that were asked for. */
export async function checkCopy(url: string, expected: Expected): Promise<Findings> {
  const { rows } = await withConnection(url, (client) =>
    client.query<{ payments: number; newest: Date | null; committed: Date | null }>(
      `SELECT count(*)::int AS payments, max(created_at) AS newest, pg_last_xact_replay_timestamp() AS committed FROM payment`,
    ),
  );
  const { payments = 0, newest = null, committed = null } = rows[0] ?? {};
  const found = { payments, newestPaymentAt: newest, lastCommitAt: committed };
  return { ...found, problems: [...timelineProblems(expected), ...paymentProblems(newest, expected, committed)] };
}

function timelineProblems({ timeline, ancestors }: Expected): string[] {
  const left = ancestors.at(-1);
  if (left === timeline) return [];
  return [`The copy came from timeline ${left ?? 'none'} and not from ${timeline}: it holds another history.`];
}

function paymentProblems(newest: Date | null, { to, quietMs }: Expected, committed: Date | null): string[] {
  if (newest === null) return ['The copy has no payment.'];
  const until = to ?? committed;
  if (until === null) return [];
  const behindMs = until.getTime() - newest.getTime();
  if (behindMs < -CLOCKS_DIFFER_MS)
    return [`The newest payment, of ${newest.toISOString()}, is from after ${until.toISOString()}.`];
  if (behindMs <= quietMs) return [];
  const minutes = Math.round(behindMs / 60_000);
  return [
    `The newest payment, of ${newest.toISOString()}, is from ${minutes} minutes before ${until.toISOString()}: ` +
      'payments in between are missing, unless there were none (then say so by --quiet-minutes).',
  ];
}
