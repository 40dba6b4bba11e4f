import type { GatewayAccount } from '@switchyard/db/client';
import { configurationFaultOf } from '@switchyard/merchants/configuration-fault';
import type { HealthContext } from '../context.ts';
import type { HealthDetail } from '../monitor/health-series.ts';
import { findLatestAttempt } from './queries.ts';

const PROBE_MS = 5_000;
const IDLE_PROBE_EVERY_MS = 60_000;
const REFUSED_PROBE_LEAST_MS = 15_000;
const REFUSED_PROBE_MOST_MS = 900_000;
const PROBED_AT_ONCE = 8;

/** When each account was last probed by this process. */
export type ProbeState = Map<string, number>;

/**
 * Asks gateways how they are where no payment does: accounts in trouble each time, idle ones once a minute, those whose
 * configuration the gateway refuses ever less often, to see whether it accepts it again. The question is a
 * look-up of the newest attempt there, so that a gateway never hears a reference that is not on record; an account that never
 * had one is not asked.
 */
export async function probeAccounts(context: HealthContext, diary: ProbeState): Promise<void> {
  const now = context.now().getTime();
  const due = context.resources.configuration.merchants().flatMap(({ accounts, merchant }) => {
    const health = context.health.details(merchant.id);
    return accounts.filter((account) => account.enabled && isDue(account, health, diary.get(account.id) ?? 0, now));
  });
  for (let from = 0; from < due.length; from += PROBED_AT_ONCE) {
    await Promise.all(due.slice(from, from + PROBED_AT_ONCE).map((account) => probe(context, account)));
  }
  for (const { id } of due) diary.set(id, now);
}

function isDue(account: GatewayAccount, health: readonly HealthDetail[], probedAt: number, now: number): boolean {
  const fault = configurationFaultOf(account);
  if (fault !== null) {
    const everyMs = (now - fault.at.getTime()) / 2;
    return now - probedAt >= Math.min(REFUSED_PROBE_MOST_MS, Math.max(REFUSED_PROBE_LEAST_MS, everyMs));
  }
  // Trouble that other merchants have met is asked about at their accounts.
  const own = health.filter(({ health: { accountId }, fromOthers }) => accountId === account.id && !fromOthers);
  if (own.some(({ health: { state, faulted }, lookups }) => state !== 'healthy' || faulted + lookups.failed > 0)) return true;
  const idle = own.every(({ health: { succeeded, faulted } }) => succeeded + faulted === 0);
  return idle && now - probedAt >= IDLE_PROBE_EVERY_MS;
}

async function probe(context: HealthContext, account: GatewayAccount): Promise<void> {
  const { merchantId, id: accountId } = account;
  const reachable = context.resources.openAccount(account);
  const attempt = await findLatestAttempt(context.resources.database, merchantId, accountId);
  if (reachable === null || attempt === null) return;
  const query = { reference: attempt.reference, transactionId: null, amount: 1n, currency: 'NGN' };
  const outcome = await reachable.gateway.verify(reachable.access, query, { timeoutMs: PROBE_MS });
  await context.configurationFaults.learnFromLookup({ account, outcome });
  context.health.observeLookup({ merchantId, accountId, method: null }, outcome);
}
