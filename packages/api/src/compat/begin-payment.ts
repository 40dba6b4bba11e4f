import { setTimeout } from 'node:timers/promises';
import { type Dialect, numberOf, type Read, read, refused, type TranslatedOrder } from '@switchyard/compat';
import type { Mode } from '@switchyard/db/client';
import { findPayment, type PaymentRecord } from '@switchyard/payments';
import { initiate } from '@switchyard/payments/initiate';
import { z } from 'zod';
import type { Switchyard } from '../process.ts';
import type { Call } from '../rest/endpoint.ts';
import type { IdempotentRun } from '../rest/idempotency.ts';
import { resumePayment, toOrder } from '../rest/initiate-payment.ts';
import { describeIssues } from '../rest/issues.ts';
import { type InitiateRequest, initiateRequest } from '../rest/requests.ts';

/** A payment whose checkout is open, with where it is. */
export interface OpenedPayment {
  readonly payment: PaymentRecord;
  readonly session: z.output<typeof sessionSchema>;
}

const sessionSchema = z.object({ redirectUrl: z.string(), accessCode: z.string() });

/** The dialect in which a payment begins, and its names of the fields of an order. */
export interface InitiatingDialect {
  readonly dialect: Dialect;
  readonly fieldNames: Readonly<Record<string, string>>;
  /** True if a repeated reference gets the open checkout again, for the same order. */
  readonly repeats: boolean;
}

/** True if a customer may be redirected to an address, by the rules of `redirectUrl`. */
export function isRedirectUrl(address: string, mode: Mode): boolean {
  return initiateRequest[mode].shape.redirectUrl.safeParse(address).success;
}

/** Begins a payment by a translated order, which has to pass the rules of `POST /v1/payments/initiate`. */
export async function beginPayment(
  switchyard: Switchyard,
  call: Call,
  translated: TranslatedOrder,
  dialect: InitiatingDialect,
  run: IdempotentRun,
): Promise<Read<OpenedPayment>> {
  const { payments } = switchyard;
  const parsed = initiateRequest[call.caller.mode].safeParse(translated, { reportInput: true });
  if (!parsed.success) return refused(invalidField(parsed.error, dialect.fieldNames));
  const { resourceId: paymentId } = run;
  const result = await initiate(payments, call.caller, toOrder(parsed.data), paymentId, call.timings);
  switch (result.kind) {
    case 'duplicate_order': {
      if (result.paymentId !== paymentId) {
        return dialect.repeats
          ? openAgain(switchyard, call, result.paymentId, parsed.data, dialect)
          : refused({ kind: 'duplicate_reference' });
      }
      const payment = await resumePayment(switchyard, call, run);
      return payment === null
        ? refused({ kind: 'in_flight', field: 'Idempotency-Key' })
        : answerBegun(switchyard, payment, dialect);
    }
    case 'unavailable':
      return refused({ kind: 'unavailable' });
    case 'initiated':
      return answerBegun(switchyard, result.payment, dialect);
    default:
      return result satisfies never;
  }
}

async function answerBegun(
  { payments, resources }: Switchyard,
  payment: PaymentRecord,
  { dialect }: InitiatingDialect,
): Promise<Read<OpenedPayment>> {
  if (payment.status === 'INITIATED') return refused({ kind: 'unavailable' });
  const session = sessionSchema.safeParse(payment.documents.session);
  if (!session.success) return refused({ kind: 'no_gateway_opened' });
  // Before the answer: the customer gets the address of the checkout by it, and comes back to the dialect's own parameters.
  const numbered = { merchantId: payment.merchantId, kind: 'payment', objectId: payment.paymentId } as const;
  await numberOf(resources.database, numbered, dialect, payments.now());
  return read({ payment, session: session.data });
}

/** The open checkout of an earlier request for the same order, which may be opening it now. */
async function openAgain(
  switchyard: Switchyard,
  { caller, timings, request }: Call,
  paymentId: string,
  order: InitiateRequest,
  dialect: InitiatingDialect,
): Promise<Read<OpenedPayment>> {
  const { payments } = switchyard;
  const deadline = performance.now() + payments.initiateBudgetMs;
  for (;;) {
    const payment = await findPayment(payments, caller, paymentId, timings);
    if (payment === undefined || !isSame(payment, order)) return refused({ kind: 'duplicate_reference' });
    if (payment.status === 'PENDING' && payment.expiresAt > payments.now()) return answerBegun(switchyard, payment, dialect);
    if (payment.status !== 'INITIATED') return refused({ kind: 'duplicate_reference' });
    if (performance.now() > deadline || request.signal?.aborted === true) {
      return refused({ kind: 'in_flight', field: dialect.fieldNames.merchantOrderId ?? 'reference' });
    }
    await setTimeout(OPENING_CHECK_MS);
  }
}

/** Gateways take a fraction of a second to open a checkout. */
const OPENING_CHECK_MS = 100;

function isSame(payment: PaymentRecord, { amount, currency, customer, redirectUrl }: InitiateRequest): boolean {
  return (
    payment.amount === BigInt(amount) &&
    payment.currency === currency &&
    payment.customerEmail === customer.email &&
    payment.redirectUrl === (redirectUrl ?? null)
  );
}

function invalidField(error: z.ZodError, fieldNames: Readonly<Record<string, string>>) {
  const [issue] = error.issues;
  const path = issue?.path.map(String).join('.') ?? '';
  const rule = issue === undefined ? '' : (describeIssues([issue])[0]?.rule ?? '');
  return { kind: 'invalid_field', field: fieldNames[path] ?? path, rule } as const;
}
