import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Database } from '@switchyard/db';
import type { PastPayment } from '@switchyard/routing/replay';
import { decisionInputsSchema } from '@switchyard/routing/stored-inputs';
import { type PastPaymentKey, type PastPaymentRow, type PastPaymentsQuery, readPastPayments } from './past-payment-queries.ts';

/** A payment of the past as a replay takes it; `past` is null where its inputs were stored in a form not known any more. */
export interface ReplayablePayment {
  readonly row: Omit<PastPaymentRow, 'inputs' | 'servedBy'>;
  readonly past: PastPayment | null;
}

const BATCH_ROWS = 1_000;
/** Few enough that payments being initiated meanwhile hardly notice. */
const SLICE = 50;

/**
 * A merchant's payments of a period, newest first, in small slices between which the process does other things. The next batch is
 * being read while one is worked on; never more than two are in memory. Ends when `signal` is aborted.
 */
export async function* pastPayments(
  database: Database,
  query: PastPaymentsQuery & { readonly after: PastPaymentKey | null; readonly most: number },
  signal: AbortSignal,
  batchRows = BATCH_ROWS,
): AsyncGenerator<readonly ReplayablePayment[], void, void> {
  let left = query.most;
  let coming = read(query.after);
  while (left > 0) {
    const rows = await coming;
    left -= rows.length;
    const last = rows.at(-1);
    const isEnd = last === undefined || rows.length < batchRows;
    if (!isEnd && left > 0) coming = read({ createdAt: last.createdAt, paymentId: last.paymentId });
    for (let from = 0; from < rows.length; from += SLICE) {
      if (signal.aborted) return;
      yield rows.slice(from, from + SLICE).map(toReplayable);
      await letOthersRun();
    }
    if (isEnd) return;
  }

  function read(after: PastPaymentKey | null): Promise<PastPaymentRow[]> {
    const reading = readPastPayments(database, query, after, Math.min(batchRows, left));
    // Whoever leaves early does not wait for it; whoever stays hears of its failure above.
    reading.catch(() => undefined);
    return reading;
  }
}

function toReplayable({ inputs, servedBy, ...row }: PastPaymentRow): ReplayablePayment {
  const parsed = decisionInputsSchema.safeParse(inputs);
  if (!parsed.success) return { row, past: null };
  const paid = row.status === 'SUCCESS' || row.status === 'REFUNDED';
  const hasEnded = paid || row.status === 'FAILED';
  // A payment whose end is not known yet says nothing of how its account converts.
  return { row, past: { inputs: parsed.data, servedBy: hasEnded ? servedBy : null, outcome: paid ? 'paid' : 'unpaid' } };
}
