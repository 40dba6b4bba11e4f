import type { StaffContext } from '../context.ts';
import { readStaffNames } from '../users/staff-names.ts';
import { type ListedAgentToken, listAgentTokens } from './queries.ts';

/** The newest tokens with the names of their staff users, at most 500: all with null, or those of one staff user. */
export async function listAgentTokensOf(
  context: StaffContext,
  staffId: string | null,
): Promise<(ListedAgentToken & { readonly staffName: string })[]> {
  const { database } = context.resources;
  const rows = await listAgentTokens(database, staffId);
  const names = await readStaffNames(
    database,
    rows.map((row) => row.staffId),
  );
  return rows.map((row) => ({ ...row, staffName: names.get(row.staffId) ?? row.staffId }));
}
