import type { Dispute } from '@switchyard/db/client';
import { type ReportedDispute, readAllPages } from '@switchyard/gateways';
import type { OpenAccount } from '@switchyard/runtime';

const DAY_MS = 86_400_000;

/** A dispute as its gateway reports it now, by its own call or in its list; null where it reports none. */
export async function findAtGateway(
  { gateway, access }: OpenAccount,
  { gatewayDisputeId, openedAt }: Pick<Dispute, 'gatewayDisputeId' | 'openedAt'>,
  timeoutMs: number,
): Promise<ReportedDispute | null> {
  const { findDispute, listDisputes } = gateway;
  if (findDispute !== undefined) {
    const found = await findDispute(access, { gatewayDisputeId }, { timeoutMs });
    return found.outcome === 'yes' ? found.value : null;
  }
  if (listDisputes === undefined) return null;
  const span = { from: new Date(openedAt.getTime() - DAY_MS), to: new Date(openedAt.getTime() + DAY_MS) };
  const listed = await readAllPages(
    (cursor) => listDisputes(access, { ...span, cursor }, { timeoutMs }),
    (row) => row.gatewayDisputeId,
  );
  if (listed.outcome !== 'yes') return null;
  return listed.value.find((row) => row.gatewayDisputeId === gatewayDisputeId) ?? null;
}
