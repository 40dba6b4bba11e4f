import { openSwitchyard } from '@switchyard/api/process';
import { eraseCustomer } from '@switchyard/privacy';
import { readFile } from '@switchyard/reporting/files';
import { LISTS } from '@switchyard/scheduled-reports/lists';
import { type ExportedList, type ExportedRow, type RowsOfLists, readLists } from './exported-lists.ts';

const ACTOR = 'system:world';

/** Environment of the product's processes. */
export interface ProductEnvironment {
  readonly DATABASE_URL: string;
  readonly [name: string]: string;
}

/** The lists of these merchants as files, by the code that writes them for staff. */
export async function exportLists(environment: ProductEnvironment, merchantIds: readonly string[]): Promise<RowsOfLists> {
  const switchyard = openSwitchyard(environment, { write: () => undefined });
  const { database, reports } = switchyard.resources;
  const rowsOf = async (name: ExportedList): Promise<ExportedRow[]> => {
    const requested = LISTS[name]?.read({ mode: 'test' });
    if (requested === undefined || 'problem' in requested) throw new Error(`${name} cannot be exported`);
    const rows: ExportedRow[] = [];
    const file = await requested.file(database, merchantIds);
    for await (const piece of readFile(reports, file, { format: 'ndjson', after: null })) {
      rows.push(...piece.rows.map((row): ExportedRow => JSON.parse(row)));
    }
    return rows;
  };
  try {
    return await readLists(rowsOf);
  } finally {
    await switchyard.close();
  }
}

/** Erases a customer who has one payment. True if it was done, false where something of theirs is unfinished. */
export async function eraseOne(
  environment: ProductEnvironment,
  subject: { readonly merchantId: string; readonly email: string },
): Promise<boolean> {
  const switchyard = openSwitchyard(environment, { write: () => undefined });
  try {
    const of = { ...subject, mode: 'test' } as const;
    const outcome = await eraseCustomer(switchyard, { subject: of, confirmation: 'erase 1 payment', actor: ACTOR });
    if (outcome.kind !== 'erased' && outcome.kind !== 'blocked') throw new Error(`a customer is not erased: ${outcome.kind}`);
    return outcome.kind === 'erased';
  } finally {
    await switchyard.close();
  }
}
