import type { Database } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';

/** A key that will be refused soon. */
export interface ExpiringKey {
  readonly merchantId: string;
  readonly keyId: string;
  readonly mode: Mode;
  readonly name: string;
  readonly lastFour: string;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
  /** It was replaced by another key, and is still in use. */
  readonly replaced: boolean;
}

/** Most keys listed. */
const LISTED_MAX = 1_000;

const LIST = `
SELECT key.merchant_id AS "merchantId", key.id AS "keyId", key.mode, key.name, key.last_four AS "lastFour",
  key.expires_at AS "expiresAt", key.last_used_at AS "lastUsedAt", next.id IS NOT NULL AS replaced
FROM api_key AS key
LEFT JOIN LATERAL (SELECT id FROM api_key WHERE merchant_id = key.merchant_id AND rotated_from_id = key.id LIMIT 1) AS next ON true
WHERE key.revoked_at IS NULL AND key.expires_at > $1::timestamptz AND ($2::uuid[] IS NULL OR key.merchant_id = ANY ($2))
  AND CASE WHEN next.id IS NULL
    THEN key.expires_at - $1::timestamptz < least(interval '7 days', (key.expires_at - key.created_at) / 4)
    ELSE key.expires_at - $1::timestamptz < interval '1 day' AND key.last_used_at > $1::timestamptz - interval '1 hour' END
ORDER BY key.expires_at LIMIT ${LISTED_MAX}`;

/**
 * Keys of these merchants, all with null, that expire within seven days (of shorter lives: within the last quarter), and replaced ones that are still
 * used on the last day, soonest first.
 */
export async function listExpiringKeys(
  database: Database,
  merchantIds: readonly string[] | null,
  now: Date,
): Promise<ExpiringKey[]> {
  const { rows } = await database.pool.query<ExpiringKey>({ name: 'list-expiring-keys', text: LIST, values: [now, merchantIds] });
  return rows;
}
