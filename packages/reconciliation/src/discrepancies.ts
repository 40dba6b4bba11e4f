import type { Database } from '@switchyard/db';
import type { DiscrepancyKind, Mode } from '@switchyard/db/client';

export {
  addDiscrepancyNote,
  assignDiscrepancy,
  changeDiscrepancies,
  reopenDiscrepancy,
  resolveDiscrepancy,
} from './change-discrepancy.ts';
export type { DiscrepancyFilter } from './discrepancy-noun.ts';
export {
  countAllDiscrepancies,
  countDiscrepanciesByAge,
  findDiscrepancy,
  listDiscrepancies,
  listRuns,
  listTotals,
} from './list-reconciliation.ts';

/** Open discrepancies of one merchant, mode and kind. */
interface OpenDiscrepancies {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly kind: DiscrepancyKind;
  readonly count: number;
  /** When the first of them was found. */
  readonly oldestAt: Date;
}

const COUNT = `
SELECT merchant_id AS "merchantId", mode, kind::text AS kind, count(*)::int AS count, min(created_at) AS "oldestAt"
FROM reconciliation_discrepancy WHERE state = 'OPEN' AND ($1::uuid[] IS NULL OR merchant_id = ANY ($1))
GROUP BY merchant_id, mode, kind`;

/** Open discrepancies of these merchants, all with null, counted. */
export async function countOpenDiscrepancies(
  database: Database,
  merchantIds: readonly string[] | null,
): Promise<OpenDiscrepancies[]> {
  const query = { name: 'count-open-discrepancies', text: COUNT, values: [merchantIds] };
  const { rows } = await database.pool.query<OpenDiscrepancies>(query);
  return rows;
}
