import { NIL_ID, type SealedRows, type Vault } from '@switchyard/db';

/** Binding of a provider's sealed client secret. */
function providerBinding(id: string): string {
  return `sso_provider:${id}`;
}

/** Encrypts a client secret for the row of its provider. */
export function sealClientSecret(vault: Vault, secret: string, id: string): string {
  return vault.seal(secret, providerBinding(id));
}

/** The configuration of a provider with its secret, as the sign-in library reads it. */
export function withClientSecret<Row extends { id: string; oidcConfig: string | null; clientSecret: string | null }>(
  vault: Vault,
  row: Row,
): Row {
  if (row.oidcConfig === null || row.clientSecret === null) return row;
  const clientSecret = vault.open(row.clientSecret, providerBinding(row.id));
  return { ...row, oidcConfig: JSON.stringify({ ...JSON.parse(row.oidcConfig), clientSecret }) };
}

const LIST = `
SELECT $1::uuid AS "merchantId", id, ARRAY[client_secret] AS sealed FROM sso_provider
WHERE client_secret IS NOT NULL AND id > $2::uuid ORDER BY id LIMIT $3`;

const REPLACE = `
UPDATE sso_provider AS provider SET client_secret = changed.sealed
FROM unnest($1::uuid[], $2::text[], $3::text[]) AS changed (id, previous, sealed)
WHERE provider.id = changed.id AND provider.client_secret = changed.previous`;

/** Client secrets of sign-in providers. */
export const sealedClientSecrets: SealedRows = {
  name: 'client secrets of sign-in providers',
  async list(pool, after, limit) {
    const { rows } = await pool.query(LIST, [NIL_ID, after.id, limit]);
    return rows;
  },
  bindingOf: ({ id }) => providerBinding(id),
  async replace(pool, rows) {
    const { rowCount } = await pool.query(REPLACE, [
      rows.map(({ id }) => id),
      rows.map(({ previous }) => previous[0]),
      rows.map(({ sealed }) => sealed[0]),
    ]);
    return rowCount ?? 0;
  },
};
