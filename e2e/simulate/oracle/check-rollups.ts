import { z } from 'zod';

/** Sums of payments by merchant and status: those kept for each kind of period, and those of the rows themselves. */
export const ROLLUP_STATEMENTS = {
  rollups: `
    SELECT detail, step, merchant_id, status, sum(payments)::int AS payments, sum(amount)::float8 AS amount,
      sum(refunded)::float8 AS refunded
    FROM payment_rollup WHERE payments <> 0 GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
  sums: `
    SELECT CASE WHEN is_all THEN '00000000-0000-0000-0000-000000000000' ELSE merchant_id END AS merchant_id, status,
      count(*)::int AS payments, sum(amount)::float8 AS amount, sum(refunded_amount)::float8 AS refunded
    FROM payment CROSS JOIN (VALUES (true), (false)) AS alls (is_all) GROUP BY 1, 2 ORDER BY 1, 2`,
  rollupChanges: 'SELECT count(*)::int AS left FROM payment_rollup_change',
  attemptRollups: 'SELECT result, sum(attempts)::int AS attempts FROM attempt_rollup GROUP BY 1 ORDER BY 1',
  attemptSums: `
    SELECT coalesce(failure_class, 'opened') AS result, count(*)::int AS attempts FROM attempt WHERE latency_ms IS NOT NULL
    GROUP BY 1 ORDER BY 1`,
} as const;

const sum = z.object({
  merchant_id: z.string(),
  status: z.string(),
  payments: z.int(),
  amount: z.number(),
  refunded: z.number(),
});
const rollup = sum.extend({ detail: z.string(), step: z.string() });
const left = z.object({ left: z.int() });

/** Compares the roll-ups with payments, to the unit; a sentence for each that differs. */
export function findWrongRollups(rows: Readonly<Record<string, readonly unknown[]>>): string[] {
  const wrong: string[] = [];
  const pending = z.array(left).parse(rows.rollupChanges ?? [])[0]?.left ?? 0;
  if (pending > 0) wrong.push(`${pending} changes are not in the roll-ups`);
  const kept = z.array(rollup).parse(rows.rollups ?? []);
  const rowsOf = z.array(sum).parse(rows.sums ?? []);
  for (const [kind, own] of Map.groupBy(kept, ({ detail, step }) => `${detail} ${step}`)) {
    const ofAll = kind.startsWith('all_merchants ');
    const expected = rowsOf.filter(({ merchant_id }) => isAll(merchant_id) === ofAll);
    const want = new Map(expected.map((row) => [nameOf(row), textOf(row)]));
    const have = new Map(own.map((row) => [nameOf(row), textOf(row)]));
    for (const name of new Set([...want.keys(), ...have.keys()])) {
      if (want.get(name) === have.get(name)) continue;
      wrong.push(`roll-up ${kind} of ${name} has ${have.get(name) ?? 'nothing'}, the payments ${want.get(name) ?? 'nothing'}`);
    }
  }
  const attempts = [JSON.stringify(rows.attemptRollups), JSON.stringify(rows.attemptSums)];
  if (attempts[0] !== attempts[1]) wrong.push(`roll-ups of attempts have ${attempts[0]}, the attempts ${attempts[1]}`);
  return wrong;
}

function isAll(merchantId: string): boolean {
  return /^[0-]+$/.test(merchantId);
}

function nameOf({ merchant_id, status }: z.output<typeof sum>): string {
  return `${merchant_id} ${status}`;
}

function textOf({ payments, amount, refunded }: z.output<typeof sum>): string {
  return `${payments} payments, ${amount}, refunded ${refunded}`;
}
