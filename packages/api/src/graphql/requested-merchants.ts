import type { Mode } from '@switchyard/db/client';
import type { Permission } from '@switchyard/staff/permissions';
import { createGraphQLError } from 'graphql-yoga';
import { toId } from './inputs.ts';
import type { Viewer } from './viewer.ts';

/**
 * The merchants of a query: those it names, or all that the viewer may read. Throws FORBIDDEN for a merchant or a mode that the
 * viewer may not read.
 */
export function requestedMerchants(
  viewer: Viewer,
  permission: Permission,
  { merchantIds, mode }: { readonly merchantIds?: readonly (string | number)[] | null | undefined; readonly mode: Mode },
): readonly string[] {
  if (!viewer.modes.includes(mode)) throw forbidden(`You have no access to ${mode} payments.`);
  const reached = viewer.merchantsFor(permission);
  if (merchantIds === null || merchantIds === undefined || merchantIds.length === 0) return reached;
  const requested = merchantIds.map(toId);
  if (!requested.every((merchantId) => viewer.mayAccess(merchantId, permission)))
    throw forbidden('You have no access to one of these merchants.');
  return [...new Set(requested)];
}

function forbidden(message: string) {
  return createGraphQLError(message, { extensions: { code: 'FORBIDDEN' } });
}
