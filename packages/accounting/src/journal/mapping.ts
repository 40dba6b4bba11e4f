import * as z from 'zod/mini';

/* Forms check entered accounts by the same schemas, in the browser: this file imports nothing but zod. */

/** Kinds of postings that have one account in a merchant's books. Clearing accounts are one for each gateway account. */
export const POSTINGS = ['sales', 'refunds', 'fees', 'stamp_duty', 'chargebacks', 'adjustments', 'bank'] as const;

/** A kind of posting. */
export type Posting = (typeof POSTINGS)[number];

/** Accounts of a mapping: one for each posting, and one in place of the bank where the software takes no journal on a bank account. */
export const BOOK_ACCOUNTS = [...POSTINGS, 'bank_clearing'] as const;

/** An account of a mapping. */
export type BookAccountName = (typeof BOOK_ACCOUNTS)[number];

/** Words for an account, as sentences and files name it. */
export const POSTING_NAMES: Readonly<Record<BookAccountName, string>> = {
  sales: 'Sales',
  refunds: 'Refunds',
  fees: 'Gateway fees',
  stamp_duty: 'Stamp duty',
  chargebacks: 'Chargebacks',
  adjustments: 'Adjustments',
  bank: 'Bank',
  bank_clearing: 'Bank clearing',
};

/** Accounting software that a journal can be made for. */
export const SOFTWARE = ['quickbooks', 'xero', 'sage'] as const;

/** One of them. */
export type Software = (typeof SOFTWARE)[number];

/**
 * The account that payouts are posted to. Xero refuses a journal on a bank account (https://help.xero.com/nz/Q_JournalBankAcc), so a
 * clearing account takes its place: the line of the bank's statement is then booked from that one.
 */
export const BANK_ACCOUNT: Readonly<Record<Software, 'bank' | 'bank_clearing'>> = {
  quickbooks: 'bank',
  xero: 'bank_clearing',
  sage: 'bank',
};

/** Its name. */
export const SOFTWARE_NAMES: Readonly<Record<Software, string>> = {
  quickbooks: 'QuickBooks Online',
  xero: 'Xero',
  sage: 'Sage 50',
};

/** Digits after the decimal point of a currency's amounts, by ISO 4217. */
export function minorDigits(currency: string): number {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

/** An exact decimal of the main unit in minor units, rounded half away from zero. */
export function toMinorUnits(decimal: string, digits: number): bigint {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? [];
  const kept = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'));
  const rounded = (fraction[digits] ?? '0') >= '5' ? kept + 1n : kept;
  return sign === '-' ? -rounded : rounded;
}

/** Minor units as an amount of the main unit with all its digits: `1250.00`. */
export function fromMinorUnits(units: bigint, digits: number): string {
  const text = (units < 0n ? -units : units).toString().padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  return `${units < 0n ? '-' : ''}${whole}${digits === 0 ? '' : `.${text.slice(-digits)}`}`;
}

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
