import type pg from 'pg';
import { type Vault, VaultError } from './vault.ts';

/** A row with sealed values. */
export interface SealedRow {
  readonly merchantId: string;
  readonly id: string;
  readonly sealed: readonly string[];
}

/** A row whose values were sealed again, with the values it had. */
export interface ResealedRow extends SealedRow {
  readonly previous: readonly string[];
}

/** The rows of one table that hold sealed values. The feature that writes the table describes them. */
export interface SealedRows {
  /** Plural, for people: `gateway credentials`. */
  readonly name: string;
  /** Up to `limit` rows that come after another one, in the order of merchant and id. */
  list(pool: pg.Pool, after: Pick<SealedRow, 'merchantId' | 'id'>, limit: number): Promise<readonly SealedRow[]>;
  /** Binding of a row's sealed values. */
  bindingOf(row: SealedRow): string;
  /** Replaces the values of rows in one statement. A row that has other values by now stays as it is. Returns how many were replaced. */
  replace(pool: pg.Pool, rows: readonly ResealedRow[]): Promise<number>;
}

/** Counts of sealed values by the id of the key they were sealed with. */
export type CountsByKey = ReadonlyMap<string, number>;

/** Result of a pass over sealed rows. */
export interface ResealResult {
  /** Rows that are sealed with the first key now and were not before. */
  readonly resealed: number;
  /** Rows that do not open: changed, or copied from another row. They stay as they are. */
  readonly broken: readonly Pick<SealedRow, 'merchantId' | 'id'>[];
}

/** Each batch is one short statement, so that nothing waits for it. */
const BATCH_ROWS = 200;
const BEFORE_ALL = { merchantId: '00000000-0000-0000-0000-000000000000', id: '00000000-0000-0000-0000-000000000000' };

async function* batches(pool: pg.Pool, rows: SealedRows): AsyncGenerator<readonly SealedRow[]> {
  let after: Pick<SealedRow, 'merchantId' | 'id'> = BEFORE_ALL;
  for (;;) {
    const batch = await rows.list(pool, after, BATCH_ROWS);
    const last = batch.at(-1);
    if (last === undefined) return;
    yield batch;
    after = last;
  }
}

/** Counts sealed values by key. Throws {@link VaultError} for a value that is not sealed. */
export async function countByKey(pool: pg.Pool, vault: Vault, rows: SealedRows): Promise<CountsByKey> {
  const counts = new Map<string, number>();
  for await (const batch of batches(pool, rows)) {
    for (const sealed of batch.flatMap((row) => row.sealed)) {
      const keyId = vault.keyIdOf(sealed);
      counts.set(keyId, (counts.get(keyId) ?? 0) + 1);
    }
  }
  return counts;
}

/**
 * Seals values of older keys again with the first key, in batches, while others read and write the rows. Can be interrupted and
 * repeated at any point: what is sealed with the first key is left alone.
 */
export async function resealRows(pool: pg.Pool, vault: Vault, rows: SealedRows): Promise<ResealResult> {
  const broken: Pick<SealedRow, 'merchantId' | 'id'>[] = [];
  let resealed = 0;
  for await (const batch of batches(pool, rows)) {
    const replacements: ResealedRow[] = [];
    for (const row of batch.filter(({ sealed }) => sealed.some((value) => vault.isStale(value)))) {
      const values = resealValues(vault, row, rows.bindingOf(row));
      if (values === null) broken.push({ merchantId: row.merchantId, id: row.id });
      else replacements.push({ merchantId: row.merchantId, id: row.id, sealed: values, previous: row.sealed });
    }
    if (replacements.length > 0) resealed += await rows.replace(pool, replacements);
  }
  return { resealed, broken };
}

/** Null when one of the values does not open. */
function resealValues(vault: Vault, { sealed }: SealedRow, binding: string): string[] | null {
  try {
    return sealed.map((value) => (vault.isStale(value) ? vault.seal(vault.open(value, binding), binding) : value));
  } catch (error) {
    if (error instanceof VaultError) return null;
    throw error;
  }
}
