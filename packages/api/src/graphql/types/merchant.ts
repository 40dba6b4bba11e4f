import type { Merchant as MerchantRow } from '@switchyard/db/client';
import { builder } from '../builder.ts';

/** A merchant, from the configuration in memory. */
export const Merchant = builder.objectRef<MerchantRow>('Merchant').implement({
  description: 'A merchant: a business whose servers call the REST API.',
  authScopes: ({ id }) => ({ owner: { merchantId: id, mode: null, permission: 'merchant:read' } }),
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the merchant.' }),
    number: t.exposeString('merchantNumber', { description: 'Short public number: merchantNumber in event records.' }),
    name: t.exposeString('name', { description: 'Its name.' }),
  }),
});
