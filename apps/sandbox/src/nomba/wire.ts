import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Account, type Charge, type Checkout, decisiveCharge } from '../ledger/records.ts';
import { json, type Reply } from '../server/router.ts';
import type { Simulator } from '../simulator.ts';

/** The envelope of what was carried out. */
export function success(data: unknown, description = 'Success'): Reply {
  return json(200, { code: '00', description, data });
}

/** The envelope of a refusal: a code that is the HTTP status. */
export function problem(status: number, description: string): Reply {
  return json(status, { code: String(status), description });
}

/** The answer about an unknown transaction: "Verify Transactions" prints it without an HTTP status. */
export const transactionNotFound = (): Reply => json(200, { code: '01', description: 'Transaction not found', data: null });

/** Naira with two decimals at most, as a number or a text: samples have both. */
const nairaSchema = z
  .union([z.number(), z.string().regex(/^\d{1,13}(\.\d{1,2})?$/)])
  .transform(Number)
  .refine((amount) => amount > 0 && Number(amount.toFixed(2)) === amount);

/** Ways to pay at a Nigerian checkout. */
const paymentMethods = ['Card', 'Transfer', 'Nomba QR', 'USSD', 'Buy Now Pay Later'] as const;

/** The body of `POST /v1/checkout/order`. References are kept in lower case. */
export const orderSchema = z.object({
  order: z.object({
    orderReference: z
      .string()
      .regex(/^[\w.-]{1,100}$/)
      .transform((reference) => reference.toLowerCase())
      .nullish(),
    customerId: z.string().nullish(),
    callbackUrl: z.url({ protocol: /^https?$/ }),
    customerEmail: z.email(),
    amount: nairaSchema,
    currency: z.literal('NGN'),
    allowedPaymentMethods: z.array(z.enum(paymentMethods)).nullish(),
    orderMetaData: z.record(z.string(), z.string()).nullish(),
  }),
});

/** A parsed request to open a checkout. */
export type Order = z.infer<typeof orderSchema>['order'];

/** The body of `POST /v1/checkout/refund`. */
export const refundRequestSchema = z.object({ transactionId: z.string().min(1), amount: nairaSchema.nullish() });

/** The merchant's reference in the body of an order, before it is checked. */
export function orderReferenceIn(body: unknown): string | null {
  const parsed = z.object({ order: z.object({ orderReference: z.string() }) }).safeParse(body);
  return parsed.success ? parsed.data.order.orderReference.toLowerCase() : null;
}

/** A transaction's status in Nomba's words. There is none before the customer acts. */
export function transactionStatus(_simulator: Simulator, checkout: Checkout): string {
  const charge = decisiveCharge(checkout);
  return charge === null ? 'not_started' : statusOf(charge);
}

function statusOf({ status }: Charge): 'SUCCESS' | 'PAYMENT_FAILED' | 'PENDING_BILLING' {
  switch (status) {
    case 'success':
      return 'SUCCESS';
    case 'failed':
      return 'PAYMENT_FAILED';
    case 'pending':
      return 'PENDING_BILLING';
    default:
      return status satisfies never;
  }
}

/** 1.4 %, NGN 1,800 at most: as the plug-in's description has it. */
export function feeNaira(amount: number): number {
  return Number(Math.min(1_800, amount * 0.014).toFixed(2));
}

/** Nomba's id of an order: the same for a checkout at every call. */
export function orderId(checkout: Checkout): string {
  return uuidOf(`order/${checkout.id}`, checkout.id);
}

/** Nomba's id of a transaction: `WEB-ONLINE_C-69923-` and a UUID that ends with the charge's id. */
export function transactionId(checkout: Checkout, charge: Charge): string {
  return `WEB-ONLINE_C-${digestOf(checkout.accountId).slice(0, 5).toUpperCase()}-${uuidOf(`transaction/${charge.id}`, charge.id)}`;
}

/** The charge's id in a transaction's id; null for another form. */
export function chargeIdIn(transaction: string): number | null {
  const hex = /^WEB-ONLINE_C-[0-9A-F]{5}-[0-9a-f-]{24}([0-9a-f]{12})$/.exec(transaction)?.[1];
  return hex === undefined ? null : Number.parseInt(hex, 16);
}

function uuidOf(seed: string, id: number): string {
  const hex = digestOf(seed);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(12, 15)}-a${hex.slice(15, 18)}-${id.toString(16).padStart(12, '0')}`;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A transaction, by `single` or in the list: the list has amounts as numbers. */
export function presentTransaction(
  account: Account,
  checkout: Checkout,
  charge: Charge,
  listed: boolean,
): Record<string, unknown> {
  const { card } = charge;
  const fee = charge.fee ?? feeNaira(charge.amount);
  return {
    id: transactionId(checkout, charge),
    status: statusOf(charge),
    amount: listed ? charge.amount : String(charge.amount),
    fixedCharge: listed ? fee : String(fee),
    source: 'web',
    type: 'online_checkout',
    gatewayMessage: charge.status === 'success' ? 'PAYMENT SUCCESSFUL' : charge.message,
    customerBillerId: card === null ? checkout.bankAccount : maskedPan(charge),
    timeCreated: charge.createdAt,
    timeUpdated: charge.finishedAt ?? charge.createdAt,
    walletCurrency: 'NGN',
    userId: account.credentials.accountId ?? '',
    onlineCheckoutOrderId: orderId(checkout),
    onlineCheckoutOrderReference: checkout.reference,
    onlineCheckoutCurrency: checkout.currency,
    onlineCheckoutCustomerEmail: checkout.email,
    currency: checkout.currency,
    onlineCheckoutAmount: String(checkout.amount),
    onlineCheckoutPaymentMethod: card === null ? 'bank_transfer' : 'card_payment',
    entryType: 'CREDIT',
    paymentVendorReference: String(charge.id),
    ...(listed
      ? { merchantTxRef: `txref-${charge.id}` }
      : { walletBalance: '0', billingVendorReference: digestOf(String(charge.id)).slice(0, 24) }),
    ...(card === null
      ? {}
      : {
          onlineCheckoutTokenizedCardPayment: 'false',
          onlineCheckoutCardPan: maskedPan(charge),
          onlineCheckoutTokenKey: 'N/A',
          onlineCheckoutCardType: card.brand,
        }),
  };
}

/** A checkout's transaction ("Verify Transactions, Option 2: Get Checkout Transaction"): it names no bank of a transfer. */
export function presentCheckoutTransaction(account: Account, checkout: Checkout, charge: Charge): Record<string, unknown> {
  const { card } = charge;
  return {
    success: String(charge.status === 'success'),
    message: charge.status === 'success' ? 'success' : charge.message,
    order: {
      orderId: orderId(checkout),
      orderReference: checkout.reference,
      accountId: account.credentials.accountId ?? '',
      callbackUrl: checkout.returnUrl,
      customerEmail: checkout.email,
      amount: checkout.amount.toFixed(2),
      currency: checkout.currency,
    },
    transactionDetails: {
      transactionDate: charge.finishedAt ?? charge.createdAt,
      paymentReference: String(charge.id),
      paymentVendorReference: String(charge.id),
      tokenizedCardPayment: 'false',
      statusCode: charge.status === 'success' ? 'Payment approved' : charge.message,
    },
    ...(card === null
      ? {
          transferDetails: {
            sessionId: String(charge.id).padStart(30, '0'),
            beneficiaryAccountName: 'Sandbox Merchant',
            beneficiaryAccountNumber: checkout.bankAccount,
            originatorAccountName: 'Sandbox Customer',
            originatorAccountNumber: '3409082834',
            narration: 'Checkout payment',
            paymentReference: String(charge.id),
          },
        }
      : { cardDetails: { cardPan: maskedPan(charge), cardType: card.brand, cardCurrency: checkout.currency, cardBank: '057' } }),
  };
}

/** The body of `payment_success` and `payment_failed`. */
export function presentEvent(account: Account, checkout: Checkout, charge: Charge, event: string) {
  const { accountId = '' } = account.credentials;
  return {
    event_type: event,
    requestId: uuidOf(`request/${charge.id}/${charge.status}`, charge.id),
    data: {
      merchant: { walletId: digestOf(account.id).slice(0, 24), walletBalance: 0, userId: accountId },
      terminal: {},
      transaction: {
        fee: charge.fee ?? feeNaira(charge.amount),
        type: 'online_checkout',
        transactionId: transactionId(checkout, charge),
        responseCode: '',
        originatingFrom: 'web',
        merchantTxRef: `txref-${charge.id}`,
        transactionAmount: charge.amount,
        time: charge.finishedAt ?? charge.createdAt,
      },
      order: {
        amount: checkout.amount,
        orderId: orderId(checkout),
        accountId,
        customerEmail: checkout.email,
        orderReference: checkout.reference,
        paymentMethod: charge.card === null ? 'bank_transfer' : 'card_payment',
        currency: checkout.currency,
      },
    },
  };
}

function maskedPan({ card }: Charge): string {
  return card === null ? '' : `${card.bin} **** **** ${card.last4}`;
}
