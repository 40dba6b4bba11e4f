import { minorToDecimal, readMinor } from '../amount.ts';
import { maxPageBytes } from '../connections.ts';
import type { AccountAccess, CallOptions, ListedPayment, ListPage, ListQuery, Outcome } from '../gateway.ts';
import { fetchNumberedPage, pageOutcome, readRows } from '../list-answers.ts';
import { toLookupFailure } from '../outcomes.ts';
import { baseUrl, callSquad, title } from './account.ts';
import { methodOf, settings } from './settings.ts';
import { failureOf } from './verdict.ts';
import { listedStatusOf, readSquadTime, type TransactionRow, transactionListSchema } from './wire.ts';

const path = '/transaction';
const dayMs = 86_400_000;

/** A page of `GET /transaction`; see {@link Gateway.listPayments}. Squad takes a period of one month at most. */
export async function listPayments(
  account: AccountAccess,
  query: ListQuery,
  options: CallOptions,
): Promise<Outcome<ListPage<ListedPayment>>> {
  const list = {
    title,
    url: baseUrl + path,
    fetch: (page: number) =>
      callSquad(account, {
        method: 'GET',
        path: `${path}?${searchOf(query, page)}`,
        body: null,
        repeatable: true,
        maxBytes: maxPageBytes,
        ...options,
      }),
  };
  const fetched = await fetchNumberedPage(list, query);
  if (fetched.kind === 'failed') return fetched.outcome;
  const { reply, page } = fetched;
  const parsed = transactionListSchema.safeParse(reply.json);
  if (!parsed.success || reply.status >= 400) return toLookupFailure(failureOf(reply), reply.call);
  const { data } = parsed.data;
  // A page may be shorter than requested and still have one after it; only an empty one is the end.
  const last = data.length === 0 ? page : page + 1;
  return pageOutcome(title, reply, query, { asked: page, given: page, last, rows: readRows(data, readPayment) });
}

/** Whole days, a day more at the end: in which zone Squad's days begin, and whether the last is included, is not documented. */
function searchOf(query: ListQuery, page: number): URLSearchParams {
  return new URLSearchParams({
    start_date: dayOf(query.from),
    end_date: dayOf(new Date(query.to.getTime() + dayMs)),
    page: String(page),
    [settings.pageSizeParameter]: String(settings.rowsPerPage),
  });
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

function readPayment(row: TransactionRow): ListedPayment | null {
  const minor = readMinor(row.transaction_amount);
  const createdAt = readSquadTime(row.created_at);
  if (minor === null || createdAt === null) return null;
  const status = listedStatusOf(row.transaction_status);
  return {
    reference: row.transaction_ref ?? null,
    // Verify does not show the row's number, so a payment goes by its reference.
    transactionId: row.transaction_ref ?? row.id,
    status,
    amount: minorToDecimal(minor),
    fee: status === 'paid' ? feeOf(row, minor) : null,
    currency: row.transaction_currency_id,
    method: methodOf[(row.transaction_type ?? '').toLowerCase()] ?? null,
    createdAt,
    paidAt: null,
  };
}

/** Part of the amount that the merchant does not get. `transaction_charges` is 0 in the documentation's sample, where 1 % is missing. */
function feeOf(row: TransactionRow, amount: bigint): string | null {
  const net = row.merchant_amount === null || row.merchant_amount === undefined ? null : readMinor(row.merchant_amount);
  return net === null || net > amount ? null : minorToDecimal(amount - net);
}
