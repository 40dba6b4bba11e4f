import { listChannelsChangedBy } from '@switchyard/alerts/channels';
import { NIL_ID } from '@switchyard/db';
import { listIssuedKeys, revokeKey } from '@switchyard/merchants/console/api-keys';
import { listIssuedReports, revokeLink } from '@switchyard/scheduled-reports/console';
import { withdrawInvitation } from '@switchyard/staff/invitations';
import { revokeToken } from '@switchyard/staff/machine-tokens';
import { merchantScopeOf, merchantsWhere, type Permission, type StaffSession } from '@switchyard/staff/permissions';
import { listIssued } from '@switchyard/staff/users';
import { listEndpointsChangedBy } from '@switchyard/webhooks/endpoints';
import { z } from 'zod';
import type { Switchyard } from '../process.ts';

/*
 * Keys, tokens, invitations and links that a person issued: they outlive the person's sessions, and an intruder's outlive the intruder.
 */

interface Manager {
  readonly switchyard: Switchyard;
  readonly session: StaffSession;
  /** The merchants whose team they manage. */
  readonly merchantIds: readonly string[];
}

const uuid = z.uuid().toLowerCase();
const CHOSEN_MAX = 500;
const ids = z.array(uuid).max(CHOSEN_MAX).default([]);

/** Choice of what to revoke of what a person issued. */
export const chosenIssued = z.object({ staffId: uuid, tokenIds: ids, linkIds: ids, keyIds: ids, runIds: ids });

/** Everything that a person issued and that is still valid; null where they are not the caller's to manage. */
export async function issuedBy({ switchyard, session, merchantIds }: Manager, staffId: string) {
  const merchantScope = merchantScopeOf(session, 'team:manage', merchantIds);
  const byStaff = await listIssued(switchyard, { staffId, merchantScope });
  if (byStaff === null) return null;
  const actor = `staff:${staffId}`;
  const reach = (permission: Permission) => merchantsWhere(session, permission, merchantIds);
  const reachAll = (permission: Permission) =>
    merchantScopeOf(session, permission, merchantIds).everywhere ? [...reach(permission), NIL_ID] : reach(permission);
  const [keys, endpoints, channels, reports] = await Promise.all([
    listIssuedKeys(switchyard, { merchantIds: reach('key:revoke'), actor }),
    listEndpointsChangedBy(switchyard, { merchantIds: reach('webhook:read'), actor }),
    listChannelsChangedBy(switchyard, { merchantIds: reachAll('alert:read'), actor }),
    listIssuedReports(switchyard, { merchantIds: reachAll('report:export'), staffId }),
  ]);
  return {
    ...byStaff,
    keys: keys.map(({ merchantId, id: keyId, mode, name, lastFour, createdAt, lastUsedAt }) => {
      return { merchantId, keyId, mode, name, lastFour, createdAt, lastUsedAt };
    }),
    endpoints,
    channels,
    ...reports,
  };
}

/** Revokes what was chosen of a person's, each with its own entry in the audit log; null where they are not the caller's to manage. */
export async function revokeIssued(
  manager: Manager,
  { staffId, ...chosen }: z.infer<typeof chosenIssued>,
): Promise<{ readonly revoked: number } | null> {
  const issued = await issuedBy(manager, staffId);
  if (issued === null) return null;
  const { switchyard, session, merchantIds } = manager;
  const actor = `staff:${session.staffId}`;
  const merchantScope = merchantScopeOf(session, 'team:manage', merchantIds);
  const outcomes = [];
  for (const { tokenId } of issued.tokens.filter((one) => chosen.tokenIds.includes(one.tokenId))) {
    outcomes.push(await revokeToken(switchyard, { tokenId, staffId, actor }));
  }
  for (const { linkId } of issued.invitations.filter((one) => chosen.linkIds.includes(one.linkId))) {
    outcomes.push(await withdrawInvitation(switchyard, { linkId, merchantScope, actor }));
  }
  for (const { merchantId, keyId } of issued.keys.filter((one) => chosen.keyIds.includes(one.keyId))) {
    outcomes.push(await revokeKey(switchyard, { merchantId, keyId, actor }));
  }
  for (const { merchantId, runId } of issued.downloads.filter((one) => chosen.runIds.includes(one.runId))) {
    outcomes.push(await revokeLink(switchyard, { merchantId, runId, actor }));
  }
  return { revoked: outcomes.filter(({ kind }) => kind === 'revoked' || kind === 'withdrawn').length };
}
