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
export function putHealthThresholdSet(
  transaction: Prisma.TransactionClient,
  key: { readonly merchantId: string; readonly mode: Mode },
  changes: JsonValue,
  by: { readonly actor: string; readonly now: Date },
): Promise<HealthThresholdSet> {
  const { merchantId, mode } = key;
  const json: Prisma.InputJsonValue = JSON.parse(JSON.stringify(changes));
  const written = { changes: json, updatedBy: by.actor, updatedAt: by.now };
  return transaction.healthThresholdSet.upsert({
    where: { merchantId_mode: { merchantId, mode } },
    create: { merchantId, mode, revision: 1, ...written },
    update: { revision: { increment: 1 }, ...written },
  });
}
