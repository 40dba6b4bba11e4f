import type { JsonValue } from '@switchyard/db';
import type { HealthThresholdSet, Mode, Prisma } from '@switchyard/db/client';

/** A merchant's changes of the health thresholds in one mode; null while the defaults apply. */
export function findHealthThresholdSet(
  client: Prisma.TransactionClient,
  key: { readonly merchantId: string; readonly mode: Mode },
): Promise<HealthThresholdSet | null> {
  const { merchantId, mode } = key;
  return client.healthThresholdSet.findUnique({ where: { merchantId_mode: { merchantId, mode } } });
}

/** Replaces the stored changes, under the next revision. */
export async function putHealthThresholdSet(
  transaction: Prisma.TransactionClient,
  key: { readonly merchantId: string; readonly mode: Mode },
  changes: JsonValue,
  by: { readonly actor: string; readonly now: Date },
): Promise<HealthThresholdSet> {
  const { merchantId, mode } = key;
  const json: Prisma.InputJsonValue = JSON.parse(JSON.stringify(changes));
  const written = { changes: json, updatedBy: by.actor, updatedAt: by.now };
  // Two statements: Citus does not take the one that Prisma makes of an upsert whose key has an enum.
  await transaction.healthThresholdSet.createMany({
    data: [{ merchantId, mode, revision: 0, ...written }],
    skipDuplicates: true,
  });
  return transaction.healthThresholdSet.update({
    where: { merchantId_mode: { merchantId, mode } },
    data: { revision: { increment: 1 }, ...written },
  });
}
