import { type Failure, gatewayTitle, type Outcome } from '@switchyard/gateways';
import { configurationFaultOf } from '@switchyard/merchants/configuration-fault';
import { recordConnectionTest } from '@switchyard/merchants/gateway-accounts';
import { putBackIntoRotation } from '@switchyard/provider-health';
import type { PaymentsContext } from '../../record/context.ts';

/** Result of a connection test with a gateway. */
export interface ConnectionTest {
  /** `works`; otherwise the cause: the gateway, or our configuration of the account. */
  readonly verdict: 'works' | 'gateway' | 'configuration';
  /** The result as one sentence. */
  readonly sentence: string;
  /** Milliseconds the gateway took; null when it was not called. */
  readonly latencyMs: number | null;
  /** Points to check on the gateway's own dashboard, as no call can; one sentence each. */
  readonly toCheck: readonly string[];
}

const TIMEOUT_MS = 8_000;
const LISTED_MS = 60_000;

/** Asks for a test call with the stored credentials of one account of `merchantIds`. */
export interface TestConnectionCommand {
  readonly merchantIds: readonly string[];
  readonly accountId: string;
  readonly actor: string;
}

/**
 * Lists the account's latest payments, which moves no money, requires valid credentials and sends no reference: gateways receive
 * only recorded references. Does not count for the account's health. An account that is out of rotation for its configuration is
 * restored when the gateway accepts the call. Null when none of these merchants has the account. Throws `UnavailableError` where a fault
 * of ours keeps this process from using it: its credentials are not to be written again.
 */
export async function testConnection(
  context: PaymentsContext,
  { merchantIds, accountId, actor }: TestConnectionCommand,
): Promise<ConnectionTest | null> {
  const { configuration, openAccount } = context.resources;
  // Another process may have changed the state meanwhile.
  await configuration.refresh();
  const account = configuration.account(accountId)?.account;
  if (account === undefined || !merchantIds.includes(account.merchantId)) return null;
  const reachable = openAccount(account);
  if (reachable === null) {
    const sentence = 'The account has no credentials: write them, then test again.';
    return { verdict: 'configuration', sentence, latencyMs: null, toCheck: [] };
  }
  const to = context.now();
  const query = { from: new Date(to.getTime() - LISTED_MS), to, cursor: null };
  const outcome = await reachable.gateway.listPayments(reachable.access, query, { timeoutMs: TIMEOUT_MS });
  const toCheck = reachable.gateway.dashboardSettings ?? [];
  const tested = { ...connectionResultOf(gatewayTitle(account.gateway), outcome), toCheck };
  if (tested.verdict !== 'works') return tested;
  await recordConnectionTest(context.resources.database.prisma, account, context.now());
  if (configurationFaultOf(account) === null) return tested;
  await putBackIntoRotation(context, account, actor);
  return { ...tested, sentence: `${tested.sentence} The account is back in rotation.` };
}

/** The connection test's result for the outcome of a read-only call. */
export function connectionResultOf(title: string, outcome: Outcome<unknown>): Omit<ConnectionTest, 'toCheck'> {
  const latencyMs = outcome.call.httpStatus === null && outcome.call.latencyMs === 0 ? null : outcome.call.latencyMs;
  const took = `${Math.round(outcome.call.latencyMs)} ms`;
  const works = { verdict: 'works', sentence: `${title} answered in ${took} and accepts the credentials.`, latencyMs } as const;
  if (outcome.outcome === 'yes') return works;
  const { failure } = outcome;
  switch (failure.class) {
    case 'customer':
      return works;
    case 'our_configuration':
      return { verdict: 'configuration', sentence: describeConfigurationFailure(failure), latencyMs };
    case 'provider_fault':
      return { verdict: 'gateway', sentence: describeGatewayFailure(title, failure), latencyMs };
    default:
      return failure.class satisfies never;
  }
}

function describeConfigurationFailure({ code, message }: Failure): string {
  if (code === 'invalid_credentials') return `The credentials are at fault: ${asClause(message)} Write them again.`;
  return `The account's configuration is at fault: ${asClause(message)}`;
}

function describeGatewayFailure(title: string, { code, message }: Failure): string {
  if (code === 'timeout') return `${title} is at fault: it did not answer within ${TIMEOUT_MS / 1_000} s. Trying later helps.`;
  return `${title} is at fault, or the way to it: ${asClause(message)} Trying later helps.`;
}

function asClause(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
