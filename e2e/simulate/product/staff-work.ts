import { openSwitchyard } from '@switchyard/api/process';
import { LISTS } from '@switchyard/exports/lists';
import { eraseCustomer } from '@switchyard/privacy';
import { readFile } from '@switchyard/reporting/files';

/** Lists that are exported in a world. */
export const EXPORTED_LISTS = ['payments', 'refunds', 'duplicate-charges', 'webhook-deliveries'] as const;
export type ExportedList = (typeof EXPORTED_LISTS)[number];

/** A row of an exported file, by its columns. */
export type ExportedRow = Readonly<Record<string, unknown>>;

const ACTOR = 'system:world';

interface Environment {
  readonly DATABASE_URL: string;
  readonly [name: string]: string;
}

/** The lists of these merchants as files, by the code that writes them for staff. */
export async function exportLists(
  environment: Environment,
  merchantIds: readonly string[],
): Promise<Record<ExportedList, readonly ExportedRow[]>> {
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
    return {
      payments: await rowsOf('payments'),
      refunds: await rowsOf('refunds'),
      'duplicate-charges': await rowsOf('duplicate-charges'),
      'webhook-deliveries': await rowsOf('webhook-deliveries'),
    };
  } finally {
    await switchyard.close();
  }
}

/** Erases a customer who has one payment. True if it was done, false where something of theirs is unfinished. */
export async function eraseOne(
  environment: Environment,
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
