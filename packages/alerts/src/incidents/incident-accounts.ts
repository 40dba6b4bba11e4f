import type { Prisma } from '@switchyard/db/client';
import { WINDOW_MS } from '@switchyard/provider-health';
import type { IncidentFacts, IncidentKind } from '../kinds/kinds.ts';
import { HEALTH_KINDS } from './health-kinds.ts';

/** An incident, as far as its accounts follow from it. */
interface IncidentOfAccounts {
  readonly merchantId: string;
  readonly incidentId: string;
  readonly kind: IncidentKind;
  readonly subject: string;
  readonly facts: IncidentFacts;
  readonly since: Date;
}

/** A gateway account that an incident is about, and since when payments met its fault. */
export interface IncidentAccountKey {
  readonly merchantId: string;
  readonly incidentId: string;
  readonly accountId: string;
  readonly metFrom: Date;
}

/**
 * The gateway accounts that an incident is about; none unless it is about their health. Payments met the fault from the beginning of the
 * time that the state was concluded from: the faults that opened the incident are part of it.
 */
export function accountsOfIncident(incident: IncidentOfAccounts): IncidentAccountKey[] {
  const { merchantId, incidentId, kind, subject, facts, since } = incident;
  if (!HEALTH_KINDS.includes(kind)) return [];
  const metFrom = (begun: Date) => new Date(begun.getTime() - WINDOW_MS);
  if (facts.of !== 'outage') return [{ merchantId, incidentId, accountId: subject, metFrom: metFrom(since) }];
  return facts.members.map((member) => ({
    merchantId: member.merchantId,
    incidentId,
    accountId: member.accountId,
    metFrom: metFrom(new Date(member.since)),
  }));
}

/** Stores the accounts of incidents; one that is stored already stays as it is. */
export async function insertIncidentAccounts(
  transaction: Prisma.TransactionClient,
  accounts: readonly IncidentAccountKey[],
): Promise<void> {
  if (accounts.length === 0) return;
  await transaction.incidentAccount.createMany({ data: [...accounts], skipDuplicates: true });
}

/** Ends the time in which payments met the fault of an incident's accounts. */
export async function endIncidentAccounts(
  transaction: Prisma.TransactionClient,
  accounts: readonly IncidentAccountKey[],
  now: Date,
): Promise<void> {
  for (const { merchantId, incidentId, accountId } of accounts) {
    await transaction.incidentAccount.updateMany({
      where: { merchantId, incidentId, accountId, metUntil: null },
      data: { metUntil: now },
    });
  }
}
