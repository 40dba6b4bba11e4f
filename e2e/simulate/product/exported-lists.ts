/** Lists that are exported in a world. */
export const EXPORTED_LISTS = ['payments', 'refunds', 'duplicate-charges', 'webhook-deliveries'] as const;
export type ExportedList = (typeof EXPORTED_LISTS)[number];

/** Rows of each exported list. */
export type RowsOfLists = Readonly<Record<ExportedList, readonly ExportedRow[]>>;

/** A row of an exported file, by its columns. */
export type ExportedRow = Readonly<Record<string, unknown>>;

/** The rows of all lists, read one list after the other. */
export async function readLists(read: (list: ExportedList) => Promise<readonly ExportedRow[]>): Promise<RowsOfLists> {
  const rows: Record<ExportedList, readonly ExportedRow[]> = {
    payments: [],
    refunds: [],
    'duplicate-charges': [],
    'webhook-deliveries': [],
  };
  for (const list of EXPORTED_LISTS) rows[list] = await read(list);
  return rows;
}
