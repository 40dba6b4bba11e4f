import {
  describeFinding,
  type FindingScope,
  isVisible,
  KINDS,
  keyOf,
  type ListedFinding,
  listFindings,
  readFacts,
} from '@switchyard/alerts/findings';
import type { IncidentInList } from '@switchyard/alerts/incidents';
import { NIL_ID } from '@switchyard/db';
import { clockIn } from '@switchyard/routing';
import { merchantScopeOf, type Permission, type StaffSession } from '@switchyard/staff/permissions';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import type { Switchyard } from '../process.ts';
import { timeZone } from './inputs.ts';
import { permitted, resolveMerchants, router } from './procedure.ts';

/** The merchant whose findings are asked for, and how their sentences write times. */
export const findingsInput = z.object({
  /** Null for every merchant the caller may see. */
  merchantId: z.uuid().toLowerCase().nullable().default(null),
  mode: z.enum(['test', 'live']),
  zone: timeZone.default('UTC'),
});

/** A caller who may read alerts of these merchants. */
export interface AlertsCaller {
  readonly switchyard: Switchyard;
  readonly session: StaffSession;
  readonly merchantIds: readonly string[];
}

/**
 * The findings that the caller sees of one merchant, or of all with null: of each kind those of the merchants for which they have its
 * permission beside the one to read alerts, and the workspace's where they have both for all merchants.
 */
export function findingScope(ctx: AlertsCaller, merchantId: string | null): Pick<FindingScope, 'of'> {
  const inQuestion = resolveMerchants(ctx, merchantId);
  const isEverywhere = merchantId === null && merchantScopeOf(ctx.session, 'alert:read', []).everywhere;
  const scopes = new Map<Permission, ReturnType<FindingScope['of']>>();
  return {
    of(kind) {
      const { permission } = KINDS[kind];
      const known = scopes.get(permission);
      if (known !== undefined) return known;
      const { everywhere, merchantIds } = merchantScopeOf(ctx.session, permission, inQuestion);
      const scope = { merchantIds, workspace: isEverywhere && everywhere };
      scopes.set(permission, scope);
      return scope;
    },
  };
}

/** True if the caller has a permission for all merchants, and with it for the workspace. */
export function isEverywhere({ session }: AlertsCaller, permission: Permission): boolean {
  return merchantScopeOf(session, permission, []).everywhere;
}

/** The merchant that something belongs to, the nil UUID for the workspace. Throws FORBIDDEN where the caller may not act on it. */
export function ownerOf(ctx: AlertsCaller, merchantId: string | null, permission: Permission): string {
  if (merchantId !== null) return resolveMerchants(ctx, merchantId)[0] ?? merchantId;
  if (isEverywhere(ctx, permission)) return NIL_ID;
  throw new TRPCError({
    code: 'FORBIDDEN',
    message: 'This belongs to the workspace. Ask a colleague with a role for all merchants.',
  });
}

/** The title of an incident; that of its kind where the caller may not know more. */
export function titleOf(
  ctx: AlertsCaller,
  incident: Pick<IncidentInList, 'merchantId' | 'kind' | 'facts' | 'closedAt'>,
  zone: string,
): string {
  const facts = readFacts(incident.facts);
  const scope = findingScope(ctx, null);
  return isVisible({ ...incident, facts }, scope)
    ? textOf(scope, { ...incident, facts }, zone, incident.closedAt !== null).title
    : KINDS[incident.kind].title;
}

/** An incident with its sentence. */
export function shownIncident(ctx: AlertsCaller, incident: IncidentInList, zone: string) {
  return shownFinding(ctx, { finding: { ...incident, facts: readFacts(incident.facts) }, incident }, zone);
}

/** A finding with its sentence, and what was done about its incident. */
function shownFinding(ctx: AlertsCaller, { finding, incident }: ListedFinding, zone: string) {
  const { kind, severity, mode, since } = finding;
  const merchantId = finding.merchantId === NIL_ID ? null : finding.merchantId;
  const { configuration } = ctx.switchyard.resources;
  return {
    /** Identifies it in a list. */
    key: incident?.id ?? keyOf(finding),
    /** Null before its incident was opened, and where none is. */
    incidentId: incident?.id ?? null,
    merchantId,
    merchantName: merchantId === null ? null : (configuration.merchant(merchantId)?.merchant.name ?? merchantId),
    kind,
    kindTitle: KINDS[kind].title,
    severity,
    mode,
    ...textOf(findingScope(ctx, null), finding, zone, incident?.closedAt != null),
    since,
    openedAt: incident?.openedAt ?? null,
    closedAt: incident?.closedAt ?? null,
    closedReason: incident?.closedReason ?? null,
    acknowledgedAt: incident?.acknowledgedAt ?? null,
    acknowledgedByName: incident?.acknowledgedByName ?? null,
    mutedUntil: incident?.mutedUntil ?? null,
  };
}

function textOf(
  scope: Pick<FindingScope, 'of'>,
  { kind, facts }: Pick<ListedFinding['finding'], 'kind' | 'facts'>,
  zone: string,
  ended: boolean,
) {
  const { workspace, merchantIds } = scope.of(kind);
  return describeFinding(kind, facts, { merchantIds: workspace ? null : merchantIds, clock: clockIn(zone), ended });
}

/** Findings that the caller may see: open alerts and the caller's own work. */
export const attention = router({
  /** The most severe first. Its length is the number that is shown everywhere; `incomplete` is true if a check failed. */
  list: permitted('alert:read')
    .input(findingsInput)
    .query(async ({ ctx, input: { merchantId, mode, zone } }) => {
      const scope = { mode, ...findingScope(ctx, merchantId) };
      const { payments, resources } = ctx.switchyard;
      const { items, incomplete } = await listFindings({ ...payments, resources }, scope, ctx.session.staffId);
      return { items: items.map((item) => shownFinding(ctx, item, zone)), incomplete };
    }),
});
