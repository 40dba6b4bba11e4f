import type { GatewayAccount, Merchant as MerchantRow } from '@switchyard/db/client';
import type { Switchyard } from '../../process.ts';
import { builder } from '../builder.ts';

/** A merchant's gateway account, as reports name it. */
export interface AccountName {
  readonly accountId: string;
  readonly gateway: string;
  readonly label: string | null;
}

/** The account by its id, from the configuration in memory; deleted accounts keep their id. */
export function accountOf({ resources }: Switchyard, accountId: string, gateway: string): AccountName {
  const known: GatewayAccount | undefined = resources.configuration.account(accountId)?.account;
  return { accountId, gateway, label: known?.label ?? null };
}

export const Account = builder.objectRef<AccountName>('GatewayAccount').implement({
  description: "A merchant's account at a gateway.",
  fields: (t) => ({
    id: t.exposeID('accountId', { description: 'Id of the account: subproviderId in the REST API.' }),
    gateway: t.exposeString('gateway', { description: 'The gateway, by name: paystack.' }),
    label: t.exposeString('label', { nullable: true, description: "The merchant's name for it." }),
  }),
});

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
