import { z } from 'zod';

/** A merchant's account at the gateway. Its ledger is its own: another account's key reaches nothing in it. */
export const accountSchema = z.object({
  id: z.string(),
  /** The number the gateway shows where it names the account. */
  number: z.number().int(),
  /** The credential that calls present, and that finds the account: the value of the gateway's `keyField`. */
  key: z.string(),
  /** Everything the account is registered with, the key included, by the names of the gateway's account fields. */
  credentials: z.record(z.string(), z.string()),
  webhookUrl: z.string().nullable(),
  /** True if refunds have webhooks where that is a choice (Flutterwave: off by default). */
  refundWebhooks: z.boolean(),
});

/** A merchant's account at a gateway, with its credentials and its webhook address. */
export type Account = z.infer<typeof accountSchema>;

/** Ways to pay that a hosted page can offer. */
export const channels = ['card', 'bank_transfer'] as const;

/** A way to pay on a hosted page. */
export type Channel = (typeof channels)[number];

/** Further steps that a test card asks its customer for. */
export const challenges = ['pin', 'otp', 'bank', 'address'] as const;

/** A further step of a card payment. */
export type Challenge = (typeof challenges)[number];

/** One try at paying. Amounts are in the gateway's own unit. */
export const chargeSchema = z.object({
  id: z.number().int(),
  status: z.enum(['pending', 'success', 'failed']),
  channel: z.enum(channels),
  /** Amount that was paid, or would be. */
  amount: z.number(),
  /** The gateway's fee; null for its usual one. */
  fee: z.number().nullable().default(null),
  /** Only what a gateway may show of a card; the number itself is never stored. */
  card: z.object({ bin: z.string(), last4: z.string(), brand: z.string(), expMonth: z.string(), expYear: z.string() }).nullable(),
  /** The gateway's test card that was used; null for another card. */
  testCard: z.string().nullable(),
  /** Steps the customer still has to take, the next one first. */
  awaiting: z.array(z.enum(challenges)),
  wrongAnswers: z.number().int(),
  /** The gateway's message about the outcome. */
  message: z.string(),
  ip: z.string(),
  createdAt: z.string(),
  finishedAt: z.string().nullable(),
});

/** One try at paying, as it is stored. */
export type Charge = z.infer<typeof chargeSchema>;

/** A dispute that a customer raised with the bank. The amount is in the gateway's own unit. */
export const disputeSchema = z.object({
  id: z.number().int(),
  amount: z.number(),
  category: z.string(),
  status: z.enum(['awaiting-merchant-feedback', 'awaiting-bank-feedback', 'resolved']),
  /** How it was resolved; null while it is open. */
  resolution: z.enum(['merchant-accepted', 'auto-accepted', 'declined']).nullable(),
  dueAt: z.string(),
  createdAt: z.string(),
  resolvedAt: z.string().nullable(),
  /** Names of files that were requested to be uploaded, and whether they were. */
  files: z.array(z.object({ name: z.string(), bytes: z.number().int().nullable() })).default([]),
  /** The merchant's words about the customer and the service. */
  evidenceId: z.number().int().nullable().default(null),
  /** The merchant's answer, and the file that it named. */
  message: z.string().nullable().default(null),
  proof: z.string().nullable().default(null),
});

/** A dispute, as it is stored. */
export type Dispute = z.infer<typeof disputeSchema>;

/** A checkout that a merchant's server opened: a hosted page on which a customer may pay once. */
export const checkoutSchema = z.object({
  id: z.number().int(),
  accountId: z.string(),
  /** The secret part of the page's address. */
  token: z.string(),
  /** The merchant's reference, as it was sent. */
  reference: z.string(),
  /** The amount requested, in the gateway's own unit. */
  amount: z.number(),
  currency: z.string(),
  email: z.string(),
  customerName: z.string().nullable(),
  phone: z.string().nullable(),
  returnUrl: z.string().nullable(),
  cancelUrl: z.string().nullable(),
  channels: z.array(z.enum(channels)),
  title: z.string().nullable(),
  metadata: z.json(),
  /** The bank account that "bank transfer" shows. */
  bankAccount: z.string(),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  /** Failed tries after which the page closes; null means as many as the customer likes. */
  maxFailures: z.number().int().nullable(),
  closed: z.boolean(),
  /** Missing from every answer to the merchant, as if the gateway had lost it. */
  hidden: z.boolean().default(false),
  /** Missing from every look-up; lists have it. */
  listedOnly: z.boolean().default(false),
  charges: z.array(chargeSchema),
  /** Amount that the gateway took back, apart from refunds. */
  reversed: z.number().default(0),
  disputes: z.array(disputeSchema).default([]),
  /** Working days that its settlement is later than the gateway's calendar says. */
  settlementDelayDays: z.number().int().default(0),
});

/** A hosted page with its charges, as it is stored. */
export type Checkout = z.infer<typeof checkoutSchema>;

/** States of a refund; `processed` and `failed` are final. */
export const refundStatuses = ['pending', 'processing', 'processed', 'failed', 'needs-attention'] as const;

/** The state of a refund, in no gateway's words; each simulator maps it to its own. */
export type RefundStatus = (typeof refundStatuses)[number];

/** A refund of one charge. The amount is in the gateway's own unit. */
export const refundSchema = z.object({
  id: z.number().int(),
  accountId: z.string(),
  checkoutId: z.number().int(),
  chargeId: z.number().int(),
  /** The merchant's own reference of it, where the gateway takes one. */
  reference: z.string().nullable().default(null),
  amount: z.number(),
  currency: z.string(),
  status: z.enum(refundStatuses),
  customerNote: z.string().nullable(),
  merchantNote: z.string().nullable(),
  /** Missing from every answer to the merchant. */
  hidden: z.boolean().default(false),
  createdAt: z.string(),
  updatedAt: z.string(),
});

/** A refund, as it is stored. */
export type Refund = z.infer<typeof refundSchema>;

/** A payout to an account's bank. Amounts are in the gateway's own unit; it never changes. */
export const settlementSchema = z.object({
  id: z.number().int(),
  accountId: z.string(),
  currency: z.string(),
  /** Payments in it, or the parts of them that are. */
  payments: z.array(
    z.object({
      checkoutId: z.number().int(),
      chargeId: z.number().int(),
      amount: z.number(),
      fee: z.number(),
      /** False where the list of its payments lacks it, although it was paid out. */
      listed: z.boolean(),
    }),
  ),
  /** Taken off: refunds, accepted disputes, and money that was taken back otherwise. */
  deductions: z.array(
    z.object({
      kind: z.enum(['refund', 'dispute', 'reversal']),
      /** Id of the refund or dispute, or of the checkout. */
      id: z.number().int(),
      amount: z.number(),
    }),
  ),
  gross: z.number(),
  fees: z.number(),
  deducted: z.number(),
  net: z.number(),
  /** Day of the payout, `YYYY-MM-DD`. */
  day: z.string(),
  createdAt: z.string(),
});

/** A payout, as it is stored. */
export type Settlement = z.infer<typeof settlementSchema>;

/** One call of a merchant's server, written down when it arrives and completed when it is answered. */
export const callSchema = z.object({
  id: z.number().int(),
  at: z.string(),
  method: z.string(),
  path: z.string(),
  account: z.string().nullable(),
  reference: z.string().nullable(),
  /** The status answered; null while unanswered, and for good when the client disconnected or the fault sends no answer. */
  status: z.number().int().nullable(),
  durationMs: z.number().nullable(),
  fault: z.string().nullable(),
});

/** A call of a merchant's server, as it is stored. */
export type Call = z.infer<typeof callSchema>;

/** A webhook with every try to send it. Times are ISO 8601, durations milliseconds. */
export const hookSchema = z.object({
  id: z.number().int(),
  at: z.string(),
  event: z.string(),
  accountId: z.string(),
  reference: z.string(),
  url: z.string().nullable(),
  body: z.string(),
  /** Sent with a signature that must not verify. */
  forged: z.boolean(),
  state: z.enum(['pending', 'delivered', 'given_up', 'suppressed', 'no_url']),
  attempts: z.array(
    z.object({ at: z.string(), status: z.number().int().nullable(), error: z.string().nullable(), durationMs: z.number() }),
  ),
});

/** A webhook, as it is stored. */
export type Hook = z.infer<typeof hookSchema>;

/** True if look-ups have a checkout. */
export function isKnown({ hidden, listedOnly }: Checkout): boolean {
  return !hidden && !listedOnly;
}

/** The charge that decides what the checkout is: the successful one, else the last. */
export function decisiveCharge(checkout: Checkout): Charge | null {
  return checkout.charges.find((charge) => charge.status === 'success') ?? checkout.charges.at(-1) ?? null;
}

/** The successful charge of a checkout, or null while it is not paid. */
export function paidCharge(checkout: Checkout): Charge | null {
  return checkout.charges.find((charge) => charge.status === 'success') ?? null;
}

/** The last charge while it waits for a further step of the customer, or null. */
export function pendingCharge(checkout: Checkout): Charge | null {
  const last = checkout.charges.at(-1);
  return last?.status === 'pending' ? last : null;
}

/** Newest first, as gateways list. */
export function newestFirst(one: { id: number; createdAt: string }, other: { id: number; createdAt: string }): number {
  return Date.parse(other.createdAt) - Date.parse(one.createdAt) || other.id - one.id;
}
