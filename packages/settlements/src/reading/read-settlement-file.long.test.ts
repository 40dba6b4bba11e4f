import { expect, test } from 'vitest';
import { fileOf, MAPPING, NOTHING_ENTERED } from '../testing/files.ts';
import { readSettlementFile, SETTLEMENT_FILE_LIMITS } from './read-settlement-file.ts';

test('a settlement file may have as many rows as the limit, and no more', async () => {
  const read = (rows: readonly string[]) => readSettlementFile(fileOf(...rows), MAPPING, NOTHING_ENTERED, '2026-12-02');
  const rows = Array.from({ length: SETTLEMENT_FILE_LIMITS.rowsMax }, (_, at) => `S-1,25/11/2026,sw-${at},,1,,`);
  expect((await read(rows.slice(1))).rows).toBe(rows.length - 1);
  expect((await read(rows)).problems).toMatchObject([{ line: rows.length + 1 }]);
});
