import { type Dialect, numberOf, type Read, read, refused, type TranslatedOrder } from '@switchyard/compat';
import type { Mode } from '@switchyard/db/client';
import { findPayment, type PaymentRecord } from '@switchyard/payments';
import { initiate } from '@switchyard/payments/initiate';
import { z } from 'zod';
import type { Switchyard } from '../process.ts';
import type { Call } from '../rest/endpoint.ts';
import { toOrder } from '../rest/initiate-payment.ts';
import { describeIssues } from '../rest/issues.ts';
import { type InitiateRequest, initiateRequest } from '../rest/requests.ts';

/** A payment whose checkout is open, with where it is. */
export interface OpenedPayment {
  readonly payment: PaymentRecord;
  readonly session: z.output<typeof sessionSchema>;
}

const sessionSchema = z.object({ redirectUrl: z.string(), accessCode: z.string() });

/** Who begins a payment: the dialect, and its names of the fields of an order. */
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
  { dialect, fieldNames, repeats }: InitiatingDialect,
): Promise<Read<OpenedPayment>> {
  const { payments, resources } = switchyard;
  const parsed = initiateRequest[call.caller.mode].safeParse(translated, { reportInput: true });
  if (!parsed.success) return refused(invalidField(parsed.error, fieldNames));
  const paymentId = payments.newId();
  const result = await initiate(payments, call.caller, toOrder(parsed.data), paymentId, call.timings);
  switch (result.kind) {
    case 'duplicate_order': {
      const earlier = repeats ? await findRepeated(switchyard, call, result.paymentId, parsed.data) : null;
      return earlier === null ? refused({ kind: 'duplicate_reference' }) : read(earlier);
    }
    case 'unavailable':
      return refused({ kind: 'unavailable' });
    case 'initiated': {
      const { payment } = result;
      if (payment.status === 'INITIATED') return refused({ kind: 'unavailable' });
      const session = sessionSchema.safeParse(payment.documents.session);
      if (!session.success) return refused({ kind: 'no_gateway_opened' });
      // Before the answer: the customer gets the address of the checkout by it, and comes back to the dialect's own parameters.
      const numbered = { merchantId: payment.merchantId, kind: 'payment', objectId: payment.paymentId } as const;
      await numberOf(resources.database, numbered, dialect, payments.now());
      return read({ payment, session: session.data });
    }
    default:
      return result satisfies never;
  }
}

/** The open checkout of an earlier request for the same order; null when it differs or can no longer be paid. */
async function findRepeated(
  { payments }: Switchyard,
  { caller, timings }: Call,
  paymentId: string,
  order: InitiateRequest,
): Promise<OpenedPayment | null> {
  const payment = await findPayment(payments, caller, paymentId, timings);
  if (payment === undefined || payment.status !== 'PENDING' || payment.expiresAt <= payments.now()) return null;
  const isSame =
    payment.amount === BigInt(order.amount) &&
    payment.currency === order.currency &&
    payment.customerEmail === order.customer.email &&
    payment.redirectUrl === (order.redirectUrl ?? null);
  const session = isSame ? sessionSchema.safeParse(payment.documents.session) : null;
  return session?.success === true ? { payment, session: session.data } : null;
}

function invalidField(error: z.ZodError, fieldNames: Readonly<Record<string, string>>) {
  const [issue] = error.issues;
  const path = issue?.path.map(String).join('.') ?? '';
  const rule = issue === undefined ? '' : (describeIssues([issue])[0]?.rule ?? '');
  return { kind: 'invalid_field', field: fieldNames[path] ?? path, rule } as const;
}
