import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database } from '@switchyard/db';
import type { PastPayment } from '@switchyard/routing/replay';
import { readStoredInputs } from '../snapshot/read-inputs.ts';
import { type PastPaymentKey, type PastPaymentRow, type PastPaymentsQuery, readPastPayments } from './past-payment-queries.ts';

/** A past payment as replay input; `past` is null where its stored inputs are in an unsupported form. */
export interface ReplayablePayment {
  readonly row: Omit<PastPaymentRow, 'inputs' | 'payment' | 'servedBy'>;
  readonly past: PastPayment | null;
}

const BATCH_ROWS = 1_000;
/** Small enough to delay concurrent payments by little. */
const SLICE_ROWS = 50;

/**
 * Yields a merchant's payments of a period, newest first, in small slices; the event loop runs between slices. The next batch is
 * read while one is processed; at most two are in memory. Ends when `signal` is aborted.
 */
export async function* pastPayments(
  database: Database,
  query: PastPaymentsQuery & { readonly after: PastPaymentKey | null; readonly limit: number },
  signal: AbortSignal,
  batchRows = BATCH_ROWS,
): AsyncGenerator<readonly ReplayablePayment[], void, void> {
  let left = query.limit;
  let next = read(query.after);
  while (left > 0) {
    const rows = await next;
    left -= rows.length;
    const last = rows.at(-1);
    const isEnd = last === undefined || rows.length < batchRows;
    if (!isEnd && left > 0) next = read({ createdAt: last.createdAt, paymentId: last.paymentId });
    for (let from = 0; from < rows.length; from += SLICE_ROWS) {
      if (signal.aborted) return;
      const { merchantId } = query;
      yield await Promise.all(rows.slice(from, from + SLICE_ROWS).map((row) => toReplayable(database, merchantId, row)));
      await yieldToEventLoop();
    }
    if (isEnd) return;
  }

  function read(after: PastPaymentKey | null): Promise<PastPaymentRow[]> {
    const reading = readPastPayments(database, query, after, Math.min(batchRows, left));
    // A consumer that stops early never awaits this read; one that continues gets its error from the await above.
    reading.catch(() => undefined);
    return reading;
  }
}

async function toReplayable(
  database: Database,
  merchantId: string,
  { inputs, payment, servedBy, ...row }: PastPaymentRow,
): Promise<ReplayablePayment> {
  const read = await readStoredInputs(database, { merchantId, inputs, payment });
  if (read === null) return { row, past: null };
  const paid = row.status === 'SUCCESS' || row.status === 'REFUNDED';
  const outcome = paid ? 'paid' : row.status === 'FAILED' ? 'unpaid' : 'open';
  return { row, past: { inputs: read, servedBy, outcome } };
}
