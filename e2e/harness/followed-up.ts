import type { Database } from '@switchyard/db';
import type { GatewayWebhook, Prisma } from '@switchyard/db/client';

/** A stored webhook of a gateway that is followed up; null while there is none. */
export async function findFollowedUp(
  { prisma }: Pick<Database, 'prisma'>,
  where: Prisma.GatewayWebhookWhereInput,
): Promise<GatewayWebhook | null> {
  const webhook = await prisma.gatewayWebhook.findFirst({ where });
  if (webhook === null) return null;
  const { merchantId, id: webhookId } = webhook;
  return (await prisma.webhookFollowUp.count({ where: { merchantId, webhookId } })) === 0 ? webhook : null;
}
