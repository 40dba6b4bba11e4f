import { NIL_ID, type SealedRows, type Vault } from '@switchyard/db';
import { storedSaml } from './saml/identity-provider.ts';
import { type ServiceProvider, serviceProviderMetadata } from './saml/service-provider.ts';

/** Binding of a provider's sealed client secret. */
function providerBinding(id: string): string {
  return `sso_provider:${id}`;
}

/** Encrypts a client secret for the row of its provider. */
export function sealClientSecret(vault: Vault, secret: string, id: string): string {
  return vault.seal(secret, providerBinding(id));
}

interface ProviderRow {
  readonly id: string;
  readonly issuer: string;
  readonly oidcConfig: string | null;
  readonly samlConfig: string | null;
  readonly clientSecret: string | null;
}

/** The row of a provider as the sign-in library reads it: with the client secret, or with our side of SAML. */
export function forSignInLibrary<Row extends ProviderRow>(vault: Vault, us: ServiceProvider, row: Row): Row {
  if (row.oidcConfig !== null && row.clientSecret !== null) {
    const clientSecret = vault.open(row.clientSecret, providerBinding(row.id));
    return { ...row, oidcConfig: JSON.stringify({ ...JSON.parse(row.oidcConfig), clientSecret }) };
  }
  if (row.samlConfig === null) return row;
  const { entryPoint, certificates } = storedSaml.parse(JSON.parse(row.samlConfig));
  const samlConfig = {
    entryPoint,
    cert: certificates,
    idpMetadata: {
      entityID: row.issuer,
      // Single logout is off; without an address of it each sign-in writes a warning.
      singleLogoutService: [{ Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', Location: entryPoint }],
    },
    spMetadata: { metadata: serviceProviderMetadata(us) },
    audience: us.entityId,
    wantAssertionsSigned: true,
    authnRequestsSigned: false,
  };
  return { ...row, samlConfig: JSON.stringify(samlConfig) };
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
