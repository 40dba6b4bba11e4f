import { type Database, isUuid } from '@switchyard/db';

/** Names of staff users by their ids; unknown ids are left out. */
export async function readStaffNames(database: Database, staffIds: readonly string[]): Promise<Map<string, string>> {
  const ids = [...new Set(staffIds.filter(isUuid))];
  if (ids.length === 0) return new Map();
  const where = { id: { in: ids } };
  const rows = await database.prisma.staffUser.findMany({ where, select: { id: true, name: true }, take: ids.length });
  return new Map(rows.map(({ id, name }) => [id, name]));
}
