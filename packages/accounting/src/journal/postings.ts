/** Kinds of postings that have one account in a merchant's books. Clearing accounts are one for each gateway account. */
export const POSTINGS = ['sales', 'refunds', 'fees', 'stamp_duty', 'chargebacks', 'adjustments', 'bank'] as const;

/** A kind of posting. */
export type Posting = (typeof POSTINGS)[number];

/** Words for a kind of posting, as sentences and files name it. */
export const POSTING_NAMES: Readonly<Record<Posting, string>> = {
  sales: 'Sales',
  refunds: 'Refunds',
  fees: 'Gateway fees',
  stamp_duty: 'Stamp duty',
  chargebacks: 'Chargebacks',
  adjustments: 'Adjustments',
  bank: 'Bank',
};

/** Accounting software that a journal can be made for. */
export const SOFTWARE = ['quickbooks', 'xero', 'sage'] as const;

/** One of them. */
export type Software = (typeof SOFTWARE)[number];

/** Its name. */
export const SOFTWARE_NAMES: Readonly<Record<Software, string>> = {
  quickbooks: 'QuickBooks Online',
  xero: 'Xero',
  sage: 'Sage 50',
};
