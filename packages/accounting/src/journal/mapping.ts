import * as z from 'zod/mini';

/* Forms check entered accounts by the same schemas: this file imports nothing but zod. */

/**
 * A text of a cell of its own. Accounting software compares it to the letter, so that it cannot be escaped: what a spreadsheet would take for a
 * formula is refused.
 */
function cell(lengthMax: number) {
  return z
    .string()
    .check(
      z.trim(),
      z.maxLength(lengthMax, `must be at most ${lengthMax} characters long`),
      z.regex(/^(?![=+\-@])[^\p{Cc}]*$/u, 'must not begin with =, +, - or @'),
    );
}

export const accountCode = cell(20);
/** The whole name of an account, with its parent's in QuickBooks: `Expenses:Gateway fees`. */
export const accountName = cell(100);
/** A class in QuickBooks, an option of the tracking category in Xero, a department number in Sage. */
export const trackingClass = cell(100);
/** Name of the tracking category in Xero that the classes are options of. */
export const trackingCategory = cell(100);
/** Name of the tax rate that every line has in Xero, as the books have it. */
export const taxRate = cell(50);

/** An account of a merchant's books, as their software knows it. An empty text is not given. */
const bookAccount = z.object({ code: accountCode, name: accountName, trackingClass });

/** An account of a merchant's books. */
export type BookAccount = z.output<typeof bookAccount>;

const CLEARING_MAX = 200;

/** The accounts that a merchant's money is posted to. */
export const accountMappingSchema = z.object({
  postings: z.object({
    sales: bookAccount,
    refunds: bookAccount,
    fees: bookAccount,
    stamp_duty: bookAccount,
    chargebacks: bookAccount,
    adjustments: bookAccount,
    bank: bookAccount,
    /** Stands for the bank where the software takes no journal on a bank account. */
    bank_clearing: bookAccount,
  }),
  /** Clearing accounts by the id of the gateway account. */
  clearing: z
    .record(z.uuid().check(z.toLowerCase()), bookAccount)
    .check(z.refine((accounts) => Object.keys(accounts).length <= CLEARING_MAX, `must be ${CLEARING_MAX} accounts at most`)),
  trackingCategory,
  taxRate,
});

/** The accounts that a merchant's money is posted to. */
export type AccountMapping = z.output<typeof accountMappingSchema>;

const NO_ACCOUNT: BookAccount = { code: '', name: '', trackingClass: '' };

/** A mapping without any account. */
export const NO_MAPPING: AccountMapping = {
  postings: {
    sales: NO_ACCOUNT,
    refunds: NO_ACCOUNT,
    fees: NO_ACCOUNT,
    stamp_duty: NO_ACCOUNT,
    chargebacks: NO_ACCOUNT,
    adjustments: NO_ACCOUNT,
    bank: NO_ACCOUNT,
    bank_clearing: NO_ACCOUNT,
  },
  clearing: {},
  trackingCategory: '',
  taxRate: '',
};
