import { appendAuditEntry } from '@switchyard/db/audit';
import { readDisputeAnswersOf } from '@switchyard/disputes/customers';
import { readRequestsOf } from '@switchyard/merchants/request-log';
import { readCustomerPayments } from '@switchyard/payments/customers';
import { readDiscrepanciesOf } from '@switchyard/reconciliation/discrepancy-list';
import { csvLines, csvTitles } from '@switchyard/reporting/files';
import { type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { inSnapshot } from '@switchyard/runtime/in-snapshot';
import { readSettlementDiscrepanciesOf, readSettlementLinesOf } from '@switchyard/settlements/customers';
import { readAuditOf } from '@switchyard/staff/audit-of';
import { readCustomerDeliveries } from '@switchyard/webhooks/customers';
import type { PrivacyContext } from '../context.ts';
import {
  type FoundCustomer,
  findCustomer,
  givenIdentifiers,
  type SubjectInput,
  searchedTextsOf,
  subjectHash,
  subjectSchema,
} from './find-customer.ts';

/** Asks for everything held about a customer. */
export interface ExportCustomerCommand {
  readonly subject: SubjectInput;
  readonly actor: string;
}

/** The files, or why there are none. */
export type ExportCustomerOutcome =
  | {
      readonly kind: 'exported';
      readonly payments: number;
      /** Everything held, as JSON. */
      readonly json: string;
      /** The payments alone, as CSV with a header. */
      readonly csv: string;
    }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'nothing_found' }
  | { readonly kind: 'too_many' };

/** Reads everything held about a customer, for the customer. The audit log records that it was read, by whom and about whom as a keyed hash. */
export async function exportCustomer(context: PrivacyContext, command: ExportCustomerCommand): Promise<ExportCustomerOutcome> {
  const parsed = subjectSchema.safeParse(command.subject);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const found = await findCustomer(context, parsed.data);
  if (found === null) return { kind: 'too_many' };
  const { subject, paymentIds } = found;
  if (paymentIds.length === 0) return { kind: 'nothing_found' };
  const records = await inSnapshot(context, (snapshot) => readRecords(snapshot, found));
  await recordExport(context, command.actor, found);
  const about = { subject, exportedAt: context.now(), ...records };
  return { kind: 'exported', payments: paymentIds.length, json: `${inJson(about)}\n`, csv: inCsv(records.payments) };
}

/** Everything held about a customer, of one moment. */
async function readRecords({ resources: { database, vault } }: PrivacyContext, found: FoundCustomer) {
  const { paymentIds, subject } = found;
  const { merchantId, mode } = subject;
  const texts = searchedTextsOf(found);
  const held = await readCustomerPayments({ database, vault }, merchantId, paymentIds);
  const [merchantWebhooks, apiRequests, discrepancies, settlementDiscrepancies, settlementLines, disputes] = await Promise.all([
    readCustomerDeliveries(database, merchantId, paymentIds),
    readRequestsOf(database, { merchantId, mode, paymentIds, texts }),
    readDiscrepanciesOf(database, merchantId, paymentIds),
    readSettlementDiscrepanciesOf(database, merchantId, paymentIds),
    readSettlementLinesOf(database, merchantId, paymentIds),
    readDisputeAnswersOf(database, merchantId, paymentIds),
  ]);
  const { refunds, refundApprovals, duplicateCharges } = held;
  const objects = [refunds, refundApprovals, duplicateCharges, discrepancies, settlementDiscrepancies, disputes.disputes].flat();
  const auditEntries = await readAuditOf(database, merchantId, [...paymentIds, ...objects.map(({ id }) => id)]);
  const money = { discrepancies, settlementDiscrepancies, settlementLines };
  return { ...held, merchantWebhooks, apiRequests, ...money, disputes, auditEntries };
}

async function recordExport(
  context: PrivacyContext,
  actor: string,
  { subject, paymentIds }: NonNullable<Awaited<ReturnType<typeof findCustomer>>>,
): Promise<void> {
  const after = { mode: subject.mode, identifiedBy: givenIdentifiers(subject), payments: paymentIds.length };
  const object = { objectType: 'customer', objectId: subjectHash(context, subject), before: null, after };
  const entry = { tenantId: subject.merchantId, entryId: context.newId(), actor, action: 'customer.exported', ...object };
  await context.resources.database.prisma.$transaction((transaction) =>
    appendAuditEntry(transaction, context.resources.auditKeys, entry, context.now()),
  );
}

/** Amounts as exact text: JSON numbers are not. */
function inJson(value: object): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? one.toString() : one), 2);
}

type Payment = Awaited<ReturnType<typeof readCustomerPayments>>['payments'][number];

const OUTSIDE = { is: 'text' } as const;
const OURS = { is: 'code' } as const;
const MONEY = { is: 'amount', currency: 'currency' } as const;

/** The columns of the payments, each with its value. */
const COLUMNS = [
  { name: 'payment_id', value: OURS, of: ({ id }: Payment) => id },
  { name: 'merchant_order_id', value: OUTSIDE, of: ({ merchantOrderId }: Payment) => merchantOrderId },
  { name: 'created_at', value: OURS, of: ({ createdAt }: Payment) => createdAt.toISOString() },
  { name: 'status', value: OURS, of: ({ status }: Payment) => status },
  { name: 'amount', value: MONEY, of: ({ amount }: Payment) => amount.toString() },
  { name: 'currency', value: OUTSIDE, of: ({ currency }: Payment) => currency },
  { name: 'refunded_amount', value: MONEY, of: ({ refundedAmount }: Payment) => refundedAmount.toString() },
  { name: 'payment_method', value: OUTSIDE, of: ({ paidMethod, paymentMethod }: Payment) => paidMethod ?? paymentMethod },
  { name: 'gateway', value: OURS, of: ({ accountGateway }: Payment) => accountGateway },
  { name: 'gateway_reference', value: OUTSIDE, of: ({ gatewayReference }: Payment) => gatewayReference },
  { name: 'customer_email', value: OUTSIDE, of: ({ customerEmail }: Payment) => customerEmail },
  { name: 'customer_phone', value: OUTSIDE, of: ({ customerPhone }: Payment) => customerPhone },
  { name: 'customer_id', value: OUTSIDE, of: ({ customerId }: Payment) => customerId },
  { name: 'customer_country', value: OUTSIDE, of: ({ customerCountry }: Payment) => customerCountry },
];

function inCsv(payments: readonly Payment[]): string {
  const rows = payments.map((payment) => COLUMNS.map(({ of }) => of(payment)));
  return `${csvTitles(COLUMNS)}${csvLines(COLUMNS, rows)}`;
}
