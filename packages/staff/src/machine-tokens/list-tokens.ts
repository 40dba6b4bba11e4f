import type { StaffContext } from '../context.ts';
import { readStaffNames } from '../users/staff-names.ts';
import { type ListedToken, listTokenRows } from './queries.ts';

/** The newest tokens with the names of their staff users, at most 500: all with null, or those of one staff user. */
export async function listTokens(
  { resources: { database } }: StaffContext,
  staffId: string | null,
): Promise<(ListedToken & { readonly staffName: string })[]> {
  const rows = await listTokenRows(database, staffId);
  const names = await readStaffNames(
    database,
    rows.map((row) => row.staffId),
  );
  return rows.map((row) => ({ ...row, staffName: names.get(row.staffId) ?? row.staffId }));
}
