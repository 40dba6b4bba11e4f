import { exportPayments, type PaymentExport } from '@switchyard/payments';
import { stringify } from 'csv-stringify/sync';
import { z } from 'zod';
import { paymentFilter, toListQuery } from '../payment-filter.ts';
import type { Switchyard } from '../process.ts';
import { mayAnywhere, merchantsWhere } from './merchants-where.ts';
import { staffSession } from './staff-auth.ts';

type Row = Awaited<ReturnType<PaymentExport['batches']['next']>>['value'][number];

/** What a column of the list is in the file. */
const COLUMNS: Readonly<
  Record<string, { readonly title: string; readonly cell: (row: Row, merchant: (id: string) => string) => string }>
> = {
  id: { title: 'payment_id', cell: (row) => row.paymentId },
  created: { title: 'created_at', cell: (row) => row.createdAt.toISOString() },
  status: { title: 'status', cell: (row) => row.status },
  amount: { title: 'amount', cell: (row) => row.amount.toString() },
  currency: { title: 'currency', cell: (row) => row.currency },
  order: { title: 'merchant_order_id', cell: (row) => row.merchantOrderId },
  gateway: { title: 'gateway', cell: (row) => row.gateway },
  method: { title: 'payment_method', cell: (row) => row.paymentMethod ?? '' },
  customer: { title: 'customer_email', cell: (row) => row.customerEmail },
  customerId: { title: 'customer_id', cell: (row) => row.customerId ?? '' },
  reference: { title: 'gateway_reference', cell: (row) => row.gatewayReference ?? '' },
  rule: { title: 'rule_id', cell: (row) => row.ruleId ?? '' },
  refunded: { title: 'refunded_amount', cell: (row) => row.refundedAmount.toString() },
  attempts: { title: 'attempts', cell: (row) => String(row.attemptCount) },
  merchant: { title: 'merchant', cell: (row, merchant) => merchant(row.merchantId) },
};

const querySchema = z.object({ filter: paymentFilter, columns: z.array(z.string()).max(50).default([]) });

/**
 * Answers a request for a list of payments as a file: `filter` and `columns` as JSON in the address, the payments of the list in its
 * order, sent as they are read. `x-row-count` tells how many there will be, so that whoever waits can see how far it is.
 */
export async function exportPaymentList(switchyard: Switchyard, request: Request): Promise<Response> {
  const session = await staffSession(switchyard, request.headers);
  if (session === null) return refused(401, 'Sign in to continue.');
  if (!mayAnywhere(session, 'report:export'))
    return refused(403, 'Your role does not allow this. Ask an owner of the workspace.');
  const asked = readQuery(new URL(request.url).searchParams);
  if (asked === null) return refused(400, 'The filters are not understood.');
  const { configuration } = switchyard.resources;
  await configuration.ready();
  const known = configuration.merchants().map(({ merchant }) => merchant.id);
  const allowed = merchantsWhere(session, 'report:export', known);
  const { merchantId } = asked.filter;
  if (merchantId !== null && !allowed.includes(merchantId)) return refused(403, 'You have no access to this merchant.');
  const merchantIds = merchantId === null ? allowed : [merchantId];
  const query = { ...toListQuery(asked.filter), merchantIds, merchantId, actor: `staff:${session.staffId}` };
  const { count, batches } = await exportPayments(switchyard.payments, query);
  const name = (id: string): string => configuration.merchant(id)?.merchant.name ?? id;
  const day = switchyard.payments.now().toISOString().slice(0, 10);
  return new Response(toStream(csvOf(batches, asked.columns, name)), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="payments-${day}.csv"`,
      'cache-control': 'no-store',
      'x-row-count': String(count),
    },
  });
}

function readQuery(query: URLSearchParams): z.output<typeof querySchema> | null {
  try {
    const filter = z.record(z.string(), z.unknown()).parse(JSON.parse(query.get('filter') ?? '{}'));
    const date = (value: unknown) => (typeof value === 'string' ? new Date(value) : null);
    const dated = { ...filter, from: date(filter.from), to: date(filter.to) };
    const columns = (query.get('columns') ?? '').split(',').filter((column) => column !== '');
    return querySchema.parse({ filter: dated, columns });
  } catch {
    return null;
  }
}

/** The file in pieces, so that its length costs no memory. What looks like a formula is kept from being one. */
async function* csvOf(batches: PaymentExport['batches'], wanted: readonly string[], merchant: (id: string) => string) {
  const chosen = wanted.flatMap((column) => (Object.hasOwn(COLUMNS, column) ? (COLUMNS[column] ?? []) : []));
  const columns = chosen.length === 0 ? Object.values(COLUMNS) : chosen;
  // A byte order mark: spreadsheets read names in UTF-8 only with it.
  yield `\uFEFF${stringify([columns.map(({ title }) => title)])}`;
  for await (const rows of batches) {
    yield stringify(
      rows.map((row) => columns.map(({ cell }) => cell(row, merchant))),
      { escape_formulas: true },
    );
  }
}

function toStream(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}

function refused(status: number, message: string): Response {
  return Response.json({ message }, { status, headers: { 'cache-control': 'no-store' } });
}
