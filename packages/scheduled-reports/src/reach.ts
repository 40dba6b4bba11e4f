import { NIL_ID } from '@switchyard/db';
import type { ExportedList } from '@switchyard/nouns/exported-list';
import { merchantsWhere, type Permission, type StaffSession } from '@switchyard/staff/permissions';
import type { SchedulesContext } from './context.ts';

/** The merchants of a schedule that a person may export the list of: of one, or of all for the nil UUID. */
export function reachedMerchants(
  { resources }: { readonly resources: Pick<SchedulesContext['resources'], 'configuration'> },
  person: Pick<StaffSession, 'grants'>,
  { merchantId, list }: { readonly merchantId: string; readonly list: Pick<ExportedList<Permission>, 'permission'> },
): string[] {
  const known = resources.configuration.merchants().map(({ merchant }) => merchant.id);
  const named = merchantId === NIL_ID ? known : known.filter((id) => id === merchantId);
  return merchantsWhere(person, list.permission, merchantsWhere(person, 'report:export', named));
}
