import type { Database } from '@switchyard/db';

/** The number of due rows of a merchant among the longest overdue of all. */
interface MerchantWithDueRows {
  readonly merchantId: string;
  readonly count: number;
}

/** A prepared statement. */
interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Finds merchants with due rows, without locking any, and then claims those of each merchant: the rows of one merchant are on one node of
 * a distributed database. Returns what was claimed, also when the claim of another merchant failed; throws that error where nothing was
 * claimed, so that it comes up by the next call at the latest.
 */
export async function claimByMerchant<Row extends object>(
  { pool }: Database,
  find: Statement,
  claim: (merchant: MerchantWithDueRows) => Statement,
): Promise<Row[]> {
  const due = await pool.query<MerchantWithDueRows>({ ...find, values: [...find.values] });
  const claims = await Promise.allSettled(
    due.rows.map((merchant) => {
      const { name, text, values } = claim(merchant);
      return pool.query<Row>({ name, text, values: [...values] });
    }),
  );
  const claimed = claims.flatMap((one) => (one.status === 'fulfilled' ? one.value.rows : []));
  const failed = claims.find((one) => one.status === 'rejected');
  if (claimed.length === 0 && failed !== undefined) throw failed.reason;
  return claimed;
}
