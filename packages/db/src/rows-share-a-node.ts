import type pg from 'pg';

const READ = 'SELECT rows_share_a_node() AS "isSo"';

/**
 * Asks the database once whether rows of all merchants may be in one statement, because one server has them. False until it has answered:
 * statements of one merchant each are right in any case, and only dearer.
 */
export function watchRowsShareANode(pool: pg.Pool): () => boolean {
  let isSo: boolean | null = null;
  let isReading = false;

  async function read(): Promise<void> {
    const { rows } = await pool.query<{ isSo: boolean }>(READ);
    isSo = rows[0]?.isSo ?? null;
  }

  return () => {
    if (isSo === null && !isReading) {
      isReading = true;
      // Without an answer the next statement asks again, which fails for the same reason.
      read()
        .catch(() => undefined)
        .finally(() => {
          isReading = false;
        });
    }
    return isSo ?? false;
  };
}
