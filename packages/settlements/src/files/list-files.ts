import type { Mode } from '@switchyard/db/client';
import { readStaffNames } from '@switchyard/staff/staff-names';
import { accountNames, staffIdOf } from '../console/names.ts';
import type { SettlementContext } from '../context.ts';

/** A file that was taken in. */
export interface SettlementFileItem {
  readonly fileId: string;
  readonly merchantId: string;
  readonly merchantName: string;
  readonly accountId: string;
  readonly accountLabel: string;
  readonly gateway: string;
  readonly gatewayTitle: string;
  readonly name: string;
  /** SHA-256 of its bytes, hexadecimal. */
  readonly hash: string;
  readonly bytes: number;
  readonly rows: number;
  /** Settlements that became known by it, and their lines. */
  readonly settlements: number;
  readonly lines: number;
  /** Settlements that it replaced, and those that it added pages to. */
  readonly replaced: number;
  readonly extended: number;
  readonly takenByName: string | null;
  readonly takenAt: Date;
  /** Null while it counts. */
  readonly withdrawnAt: Date | null;
}

const FILES_MAX = 200;

/** The files of these merchants, the newest first; at most {@link FILES_MAX}. */
export async function listSettlementFiles(
  context: SettlementContext,
  { merchantIds, mode }: { readonly merchantIds: readonly string[]; readonly mode: Mode },
): Promise<SettlementFileItem[]> {
  const { database, configuration } = context.resources;
  const rows = await database.prisma.settlementFile.findMany({
    where: { merchantId: { in: [...merchantIds] }, mode },
    orderBy: [{ takenAt: 'desc' }, { id: 'desc' }],
    take: FILES_MAX,
  });
  const names = await readStaffNames(
    database,
    rows.flatMap(({ takenBy }) => staffIdOf(takenBy) ?? []),
  );
  return rows.map(({ id: fileId, merchantId, accountId, name, hash, bytes, rows: rowCount, settlements, lines, ...row }) => {
    const { replaced, extended, takenAt, withdrawnAt } = row;
    const gateway = configuration.account(accountId)?.account.gateway ?? '';
    const facts = { fileId, merchantId, accountId, name, hash, bytes, rows: rowCount, settlements, lines, replaced, extended };
    const takenByName = names.get(staffIdOf(row.takenBy) ?? '') ?? null;
    return { ...facts, ...accountNames(context, { accountId, gateway }), takenByName, takenAt, withdrawnAt };
  });
}
