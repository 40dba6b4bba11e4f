import SchemaBuilder from '@pothos/core';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import type { Permission } from '@switchyard/merchants';
import type { Switchyard } from '../process.ts';
import { mayAnywhere } from '../staff/merchants-where.ts';
import type { StaffSession } from '../staff/session.ts';

/** What every resolver is called with. Nobody gets this far without being signed in. */
export interface GraphqlContext {
  readonly switchyard: Switchyard;
  readonly session: StaffSession;
}

/** Types of the schema and how fields are guarded: each query names the permission it asks for. */
export const builder = new SchemaBuilder<{
  Context: GraphqlContext;
  AuthScopes: { permission: Permission };
  DefaultFieldNullability: false;
  Scalars: {
    Amount: { Input: bigint; Output: bigint };
    Decimal: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date };
    JSON: { Input: unknown; Output: unknown };
  };
}>({
  plugins: [ScopeAuthPlugin],
  defaultFieldNullability: false,
  scopeAuth: {
    authorizeOnSubscribe: true,
    authScopes: ({ session }) => ({ permission: (permission) => mayAnywhere(session, permission) }),
  },
});

builder.queryType({ description: 'Everything that can be read. Each query answers only for the merchants your roles cover.' });
