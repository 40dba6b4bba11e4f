import { listExpiringKeys } from '@switchyard/merchants/console/api-keys';
import { z } from 'zod';
import { incidentKind } from './kind.ts';
import { instant } from './words.ts';

/** API keys that will be refused soon. */
export const apiKeyExpiring = incidentKind({
  title: 'API key expires soon',
  severity: 'warning',
  permission: 'key:read',
  sendsRecovery: true,
  facts: z.object({
    of: z.literal('key'),
    name: z.string(),
    lastFour: z.string(),
    expiresAt: instant,
    lastUsedAt: instant.nullable(),
    replaced: z.boolean(),
  }),
  async find({ resources }, { merchantIds, now }) {
    const keys = await listExpiringKeys(resources.database, merchantIds, now);
    return keys.map(({ merchantId, keyId, mode, name, lastFour, expiresAt, lastUsedAt, replaced }) => ({
      merchantId,
      mode,
      kind: 'api_key_expiring' as const,
      subject: keyId,
      since: now,
      facts: {
        of: 'key' as const,
        name,
        lastFour,
        expiresAt: expiresAt.toISOString(),
        lastUsedAt: lastUsedAt?.toISOString() ?? null,
        replaced,
      },
    }));
  },
  describe({ name, lastFour, expiresAt, lastUsedAt, replaced }, { clock }) {
    const end = clock.dateAndTimeOf(expiresAt);
    const used = lastUsedAt === null ? 'It was never used.' : `It was last used on ${clock.dateAndTimeOf(lastUsedAt)}.`;
    return {
      title: `API key "${name}" expires`,
      why: replaced
        ? `The key ending in ${lastFour} was replaced, is still in use, and is refused from ${end}.`
        : `The key ending in ${lastFour} is refused from ${end}. ${used}`,
      figures: [{ label: 'Expires', value: end }],
      action: { path: '/keys', query: {}, label: 'Replace key', needs: 'key:rotate' },
    };
  },
});
