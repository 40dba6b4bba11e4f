import { findPayment, type Order, type PaymentRecord } from '@switchyard/payments';
import { initiate, takeOverInitiation } from '@switchyard/payments/initiate';
import type { Switchyard } from '../process.ts';
import { type Call, endpointWithBody } from './endpoint.ts';
import { type Answer, failures, succeed } from './envelope.ts';
import { type IdempotentRun, onceByIdempotencyKey } from './idempotency.ts';
import { initiatedPaymentResource } from './payment-resource.ts';
import { type InitiateRequest, initiateRequest } from './requests.ts';

/** `POST /v1/payments/initiate` */
export const initiatePayment = endpointWithBody<InitiateRequest>({
  method: 'POST',
  scope: 'payments:write',
  body: initiateRequest,
  optional: false,
  run: (switchyard, call) =>
    onceByIdempotencyKey(switchyard, call, null, async (run) => {
      const { resourceId: paymentId } = run;
      const result = await initiate(switchyard.payments, call.caller, toOrder(call.body), paymentId, call.timings);
      switch (result.kind) {
        case 'duplicate_order':
          return result.paymentId === paymentId
            ? answerResumed(switchyard, call, run)
            : answerDuplicate(switchyard, call, result.paymentId);
        case 'unavailable':
          return failures.unavailable();
        case 'initiated':
          if (result.payment.status === 'INITIATED') return answerWhileResumed(call, paymentId);
          return succeed(message(result.payment), initiatedPaymentResource(result.payment));
        default:
          return result satisfies never;
      }
    }),
});

/** Another process has taken over the payment: the caller retries with the key, or without one reads the payment by its id. */
function answerWhileResumed({ request }: Call, paymentId: string): Answer {
  if (request.headers['idempotency-key'] === undefined) return failures.duplicateOrder(paymentId, 'INITIATED');
  return failures.requestInFlight();
}

/** The order id belongs to the payment of another request. */
async function answerDuplicate({ payments }: Switchyard, { caller, timings }: Call, paymentId: string): Promise<Answer> {
  const payment = await findPayment(payments, caller, paymentId, timings);
  return failures.duplicateOrder(paymentId, payment?.status === 'INITIATED' ? payment.status : null);
}

/** The payment that an earlier run of this request recorded before it died, resumed; null while it is not known what becomes of it. */
export async function resumePayment(
  switchyard: Switchyard,
  { caller, timings }: Pick<Call, 'caller' | 'timings'>,
  { resourceId, abandoned }: IdempotentRun,
): Promise<PaymentRecord | null> {
  const found = await findPayment(switchyard.payments, caller, resourceId, timings);
  if (found === undefined) return null;
  const payment =
    found.status === 'INITIATED' ? await takeOverInitiation(switchyard.payments, found, { abandoned, timings }) : found;
  return payment.status === 'INITIATED' ? null : payment;
}

async function answerResumed(switchyard: Switchyard, call: Call, run: IdempotentRun): Promise<Answer> {
  const payment = await resumePayment(switchyard, call, run);
  return payment === null ? failures.requestInFlight() : succeed(message(payment), initiatedPaymentResource(payment));
}

function message({ status, documents }: PaymentRecord): string {
  if (status !== 'FAILED') return 'Payment initiated';
  return documents.session === null ? 'Payment failed: no gateway could open a checkout' : 'Payment failed';
}

/** A validated request as the order of the use case. */
export function toOrder(body: InitiateRequest): Order {
  return {
    merchantOrderId: body.merchantOrderId,
    amount: BigInt(body.amount),
    currency: body.currency,
    customer: { email: body.customer.email, id: body.customer.id ?? null, phone: body.customer.phone ?? null },
    metadata: body.metadata === undefined ? null : JSON.parse(JSON.stringify(body.metadata)),
    redirectUrl: body.redirectUrl ?? null,
    paymentMethod: body.paymentMethod ?? null,
    customerCountry: body.customerCountry ?? null,
    requestedGateway: body.requestedGateway ?? null,
  };
}
