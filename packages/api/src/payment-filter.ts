import { z } from 'zod';
import { plainText } from './plain-text.ts';

export const PAYMENT_STATUSES = ['INITIATED', 'PENDING', 'SUCCESS', 'FAILED', 'REFUNDED'] as const;
export const AMOUNT_MAX = 1_000_000_000_000;
const amount = z.int().min(0).max(AMOUNT_MAX).nullable().default(null);

/** The filter of a list of payments, as staff submit it. */
export const paymentFilter = z.object({
  /** Null for every merchant the caller may see. */
  merchantId: z.uuid().nullable().default(null),
  mode: z.enum(['test', 'live']),
  statuses: z.array(z.enum(PAYMENT_STATUSES)).max(PAYMENT_STATUSES.length).default([]),
  /** `NONE` for payments that no gateway could take. */
  gateways: z.array(plainText(50)).max(50).default([]),
  /** `NONE` for payments that named no method. */
  methods: z.array(plainText(50)).max(20).default([]),
  /** Whole main units, both inclusive. */
  minAmount: amount,
  maxAmount: amount,
  /** The account that was paid, else the one whose checkout the customer had. */
  accountId: z.uuid().nullable().default(null),
  /** The gateway that was paid, else the one that opened the checkout the customer had; `NONE` for neither. */
  openedAt: plainText(50).nullable().default(null),
  /** `NONE` for payments that no rule routed. */
  ruleId: plainText(200).nullable().default(null),
  customer: plainText(320).nullable().default(null),
  search: plainText(320).nullable().default(null),
  underReview: z.boolean().default(false),
  from: z.date().nullable().default(null),
  to: z.date().nullable().default(null),
});

type PaymentFilter = z.output<typeof paymentFilter>;

/** The filter in the shape of the use cases, without its merchant. */
export function toListQuery<Filter extends PaymentFilter>({ merchantId: _, methods, minAmount, maxAmount, ...rest }: Filter) {
  return {
    ...rest,
    gateways: rest.gateways.map(orNone),
    openedAt: rest.openedAt === null ? null : orNone(rest.openedAt),
    ruleId: rest.ruleId === null ? null : orNone(rest.ruleId),
    methods: methods.map((method) => (method === 'NONE' ? null : method)),
    minAmount: minAmount === null ? null : BigInt(minAmount),
    maxAmount: maxAmount === null ? null : BigInt(maxAmount),
  };
}

/** The name, or an empty string for `NONE`. */
export function orNone(name: string): string {
  return name === 'NONE' ? '' : name;
}
