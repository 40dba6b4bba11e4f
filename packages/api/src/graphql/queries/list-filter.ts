import type { Permission } from '@switchyard/staff/permissions';
import type { builder, GraphqlContext } from '../builder.ts';
import { uuids } from '../inputs.ts';
import { requestedMerchants } from '../requested-merchants.ts';
import { Mode } from '../types/enums.ts';

interface ListFilterInput<State extends string> {
  readonly merchantIds?: readonly (string | number)[] | null | undefined;
  readonly mode: 'test' | 'live';
  readonly createdFrom?: Date | null | undefined;
  readonly createdTo?: Date | null | undefined;
  readonly states?: readonly State[] | null | undefined;
}

/** Common part of the filters of these lists, of merchants the viewer may read. */
export function filterOf<State extends string>(
  { viewer }: GraphqlContext,
  permission: Permission,
  input: ListFilterInput<State>,
) {
  return {
    merchantIds: requestedMerchants(viewer, permission, input),
    mode: input.mode,
    createdFrom: input.createdFrom ?? null,
    createdTo: input.createdTo ?? null,
    states: input.states ?? [],
  };
}

/** Fields of an input type while it is defined. */
export type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

/** Fields of the filter of each list by when its rows were recorded. */
export const scopeFields = (t: InputFields) => ({
  mode: t.field({ type: Mode, required: true, description: 'Test or live.' }),
  merchantIds: t.idList({ description: 'Merchants; all that the caller may read when omitted.', validate: uuids }),
  createdFrom: t.field({ type: 'DateTime', description: 'Created at this time or later.' }),
  createdTo: t.field({ type: 'DateTime', description: 'Created before this time.' }),
});
