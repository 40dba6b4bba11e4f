import { NIL_ID } from '../audit.ts';

/** The zone whose days are summed ahead. */
export const DAY_ZONE = 'Africa/Lagos';

/** Stands in coarser sums for all merchants together. */
export const EVERYONE = NIL_ID;

const COLUMNS =
  'merchant_id, mode, step, begins_at, account_id, gateway, method, currency, status, payments, amount, fees, refunded, late';
const SUMS = 'sum(payments), sum(amount), sum(fees), sum(refunded), sum(late)';
const ADD = ['payments', 'amount', 'fees', 'refunded', 'late'].map((name) => `${name} = r.${name} + excluded.${name}`).join(', ');
const NOBODY = `'${EVERYONE}'::uuid`;

interface Kind {
  readonly merchant: string;
  readonly step: 'hour' | 'day';
  readonly account: string;
}

/** The kinds of coarser sums: each merchant's by account and day, and everyone's by hour and by day. None knows the rule. */
const KINDS: readonly Kind[] = [
  { merchant: 'merchant_id', step: 'day', account: 'account_id' },
  { merchant: NOBODY, step: 'hour', account: NOBODY },
  { merchant: NOBODY, step: 'day', account: NOBODY },
];

/** Coarser sums of the rows of `source`; `at` is the moment of a row, as SQL. */
export function totalsOf(source: string, at: string): string {
  const select = ({ merchant, step, account }: Kind) => `
  SELECT ${merchant} AS merchant_id, mode, '${step}'::total_step AS step, date_trunc('${step}', ${at}, '${DAY_ZONE}') AS begins_at,
    ${account} AS account_id, gateway, method, currency, status, ${SUMS}
  FROM ${source} GROUP BY 1, mode, 4, 5, gateway, method, currency, status`;
  return KINDS.map(select).join('\n  UNION ALL');
}

/** Adds the rows of `source`, shaped as notes of payments, to the coarser sums. */
export function addTotalsFrom(source: string): string {
  return `
  INSERT INTO payment_total AS r (${COLUMNS}) ${totalsOf(source, 'created_at')}
  ON CONFLICT (merchant_id, mode, step, begins_at, account_id, gateway, method, currency, status) DO UPDATE SET ${ADD}`;
}

/** Fills an empty table of coarser sums from those by hour: Lagos's days begin at full hours. */
export function makeTotalsOfHours(): string {
  return `INSERT INTO payment_total (${COLUMNS}) ${totalsOf('payment_hour', 'hour_at')}
  ORDER BY merchant_id, mode, step, begins_at`;
}
