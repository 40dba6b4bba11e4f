import { readCustomerPayments } from '@switchyard/payments/customers';
import { type FieldProblem, fieldProblems } from '@switchyard/runtime';
import type { PrivacyContext } from '../context.ts';
import { describeBlockers, erasureBlockers, type FoundCustomer, findCustomer } from './find-customer.ts';
import { type SubjectInput, subjectSchema } from './subject.ts';

/** Data that erasing would change, and the obstacles to it. */
export interface ErasurePreview {
  readonly payments: number;
  /** Times of the first and the last payment; null without any. */
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
  /** Sums by currency, which stay as they are. */
  readonly sums: readonly { readonly currency: string; readonly amount: number }[];
  readonly attempts: number;
  readonly gatewayWebhooks: number;
  readonly refunds: number;
  readonly notes: number;
  readonly savedViews: number;
  /** Identifiers on the payments, in part: `ad***@example.com`. */
  readonly identifiers: readonly string[];
  /** Sentences; empty when nothing stands against it. */
  readonly blockers: readonly string[];
  /** The text to type for confirmation. */
  readonly confirmation: string;
}

/** The preview, or why there is none. */
export type PreviewErasureOutcome =
  | { readonly kind: 'found'; readonly preview: ErasurePreview }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  /** More payments than one request handles. */
  | { readonly kind: 'too_many' };

/** Says what erasing a customer would touch. Changes nothing. */
export async function previewErasure(context: PrivacyContext, input: SubjectInput): Promise<PreviewErasureOutcome> {
  const parsed = subjectSchema.safeParse(input);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const found = await findCustomer(context, parsed.data);
  if (found === null) return { kind: 'too_many' };
  return { kind: 'found', preview: await describe(context, found) };
}

async function describe({ resources }: PrivacyContext, found: FoundCustomer): Promise<ErasurePreview> {
  const { database } = resources;
  const { merchantId } = found.subject;
  const data = await readCustomerPayments(database, merchantId, found.paymentIds);
  const times = data.payments.map(({ createdAt }) => createdAt.getTime());
  const sums = new Map<string, bigint>();
  for (const { currency, amount } of data.payments) sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  const blockers = await erasureBlockers(database.prisma, merchantId, found.paymentIds);
  const { emails, phones, customerIds } = found.identifiers;
  return {
    payments: data.payments.length,
    firstAt: times.length === 0 ? null : new Date(Math.min(...times)),
    lastAt: times.length === 0 ? null : new Date(Math.max(...times)),
    sums: [...sums].map(([currency, amount]) => ({ currency, amount: Number(amount) })),
    attempts: data.attempts.filter(({ call }) => call !== null).length,
    gatewayWebhooks: data.gatewayWebhooks.filter(({ body }) => body !== '').length,
    refunds: data.refunds.length,
    notes: data.notes.length,
    savedViews: found.viewIds.length,
    identifiers: [...emails, ...phones, ...customerIds].map(inPart),
    blockers: describeBlockers(blockers),
    confirmation: confirmationOf(data.payments.length),
  };
}

/** The text to type for erasing: it names the number, so that it is read before it is confirmed. */
export function confirmationOf(payments: number): string {
  return `erase ${payments} ${payments === 1 ? 'payment' : 'payments'}`;
}

/** An identifier with its middle left out, enough to recognise one that is known. */
function inPart(text: string): string {
  const [name = '', host] = text.split('@');
  const shown = name.length <= 4 ? `${name.slice(0, 1)}***` : `${name.slice(0, 2)}***${name.slice(-2)}`;
  return host === undefined ? shown : `${name.slice(0, 2)}***@${host}`;
}
