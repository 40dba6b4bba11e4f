import { NIL_ID } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import type { HealthContext } from '@switchyard/provider-health';
import {
  type AccountOverview,
  describeHealth,
  findCorrelatedOutages,
  PROBED_MS,
  troubleOf,
} from '@switchyard/provider-health/console';
import { describeHealthReason, methodWord } from '@switchyard/routing';
import { readHealthReason } from '@switchyard/routing/stored-inputs';
import { z } from 'zod';
import { type GatewayFacts, gatewayFacts, type OutageFacts, outageFacts } from './gateway-facts.ts';
import { type ConditionQuery, type FindingText, type FoundCondition, incidentKind, type Reader } from './kind.ts';
import { capital, inWords, isWas, plural } from './words.ts';

const credentialsFacts = z.object({
  of: z.literal('credentials'),
  gateway: z.string(),
  label: z.string(),
  accountId: z.string(),
  sentence: z.string(),
});

type Found = FoundCondition<GatewayFacts | OutageFacts | z.output<typeof credentialsFacts>>;

const WORST_FIRST = ['down', 'degraded', 'probing'] as const;

/**
 * Accounts of all merchants that are down, degraded or probed, those whose gateway refuses them, and outages they have in common, read
 * from memory. Always of all merchants: an outage is common to several.
 */
async function findGateways(context: HealthContext, { mode }: ConditionQuery): Promise<Found[]> {
  const { configuration } = context.resources;
  await configuration.ready();
  const merchantIds = configuration.merchants().map(({ merchant }) => merchant.id);
  const modes = mode === null ? (['test', 'live'] as const) : [mode];
  const found = await Promise.all(modes.map((each) => findInMode(context, merchantIds, each)));
  return found.flat();
}

async function findInMode(context: HealthContext, merchantIds: readonly string[], mode: Mode): Promise<Found[]> {
  const health = await describeHealth(context, { merchantIds, mode });
  const outages = findCorrelatedOutages(health).map(({ members, methods }): FoundCondition<OutageFacts> => {
    const merchants = new Set(members.map(({ account }) => account.merchantId));
    const [first] = members;
    return {
      merchantId: merchants.size === 1 && first !== undefined ? first.account.merchantId : NIL_ID,
      mode,
      kind: 'correlated_outage',
      subject: '',
      since: first?.since ?? health.asOf,
      facts: {
        of: 'outage',
        methods: [...methods],
        members: members.map(({ account, state, since }) => ({
          merchantId: account.merchantId,
          accountId: account.accountId,
          gateway: account.gatewayTitle,
          label: account.label,
          state,
          since: since.toISOString(),
          recovered: false,
        })),
      },
    };
  });
  return [...joinSameScope(outages), ...health.accounts.flatMap((account) => findAccount(account, mode, health.asOf) ?? [])];
}

/** Outages of the same merchants are one incident. */
function joinSameScope(outages: readonly FoundCondition<OutageFacts>[]): FoundCondition<OutageFacts>[] {
  return [...Map.groupBy(outages, ({ merchantId }) => merchantId).values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const facts = [first, ...others].map((outage) => outage.facts);
    const methods = [...new Set(facts.flatMap((each) => each.methods))];
    return [{ ...first, facts: { of: 'outage' as const, methods, members: facts.flatMap((each) => each.members) } }];
  });
}

function findAccount(account: AccountOverview, mode: Mode, now: Date): Found | null {
  const { merchantId, accountId, gatewayTitle: gateway, label, fault } = account;
  if (!account.enabled) return null;
  const of = { merchantId, mode, subject: accountId };
  if (fault !== null) {
    const facts = { of: 'credentials', gateway, label, accountId, sentence: fault.sentence } as const;
    return { ...of, kind: 'credentials_refused', since: fault.since, facts };
  }
  // One whose status checks failed with its checkouts and are answered again has recovered, as far as that can be known without checkouts.
  const troubled = account.health.filter(
    ({ judgedBy, state, answersSince }) => judgedBy !== 'account' && state !== 'healthy' && answersSince === null,
  );
  const methods = troubled
    .flatMap(({ method: one, state, why }) => (state === 'healthy' ? [] : [{ method: one, state, why }]))
    .sort((left, right) => WORST_FIRST.indexOf(left.state) - WORST_FIRST.indexOf(right.state));
  if (methods.length === 0) return null;
  const trouble = troubleOf(account);
  return {
    ...of,
    kind: trouble?.state === 'down' ? 'gateway_down' : 'gateway_degraded',
    since: trouble?.since ?? now,
    opens: trouble !== null,
    isUnproven: trouble === null && troubled.every(({ since }) => now.getTime() - (since?.getTime() ?? 0) > PROBED_MS),
    facts: { of: 'gateway', gateway, label, accountId, methods },
  };
}

/** An account that is slow or fails in part. */
export const gatewayDegraded = incidentKind({
  title: 'Gateway degraded',
  severity: 'warning',
  permission: 'health:read',
  sendsRecovery: true,
  facts: gatewayFacts,
  find: findGateways,
  describe: (facts, reader) => describeGateway('degraded', facts, reader),
});

/** An account that payments avoid. */
export const gatewayDown = incidentKind({
  title: 'Gateway down',
  severity: 'critical',
  permission: 'health:read',
  sendsRecovery: true,
  facts: gatewayFacts,
  find: findGateways,
  describe: (facts, reader) => describeGateway('down', facts, reader),
});

function describeGateway(state: 'down' | 'degraded', facts: GatewayFacts, { clock, ended }: Reader): FindingText {
  const { gateway, label, accountId, methods } = facts;
  const [worst] = methods;
  const why = worst === undefined ? '' : describeHealthReason(readHealthReason(worst.why), clock, ended);
  return {
    title: `${gateway} (${label}) ${isWas(ended)} ${state}`,
    why: why === '' ? `${gateway} ${isWas(ended)} ${state}.` : why,
    figures: methods.map((one) => ({ label: capital(methodWord(one.method)), value: one.state })),
    action: { path: '/health', query: { account: accountId }, label: 'View health' },
  };
}

/** Accounts of one gateway, or of several, that fail at the same time. */
export const correlatedOutage = incidentKind({
  title: 'Correlated outage',
  severity: 'critical',
  permission: 'health:read',
  sendsRecovery: true,
  facts: outageFacts,
  find: findGateways,
  describe({ methods, members }, { merchantIds, clock, ended }) {
    const own = members.filter(({ merchantId }) => merchantIds === null || merchantIds.includes(merchantId));
    const gateways = [...new Set(own.map(({ gateway }) => gateway))];
    const merchants = new Set(own.map(({ merchantId }) => merchantId)).size;
    const [since] = own.map((one) => one.since).toSorted();
    const words = methods.filter((one) => one !== null).map(methodWord);
    const what = words.length === 0 ? 'Payments' : `${capital(inWords(words))} payments`;
    const where = `${inWords(gateways)}${merchants > 1 ? ` for ${merchants} merchants` : ''}`;
    const others = own.length < members.length ? ', and for other merchants too' : '';
    const began = since === undefined ? '' : ` ${ended ? 'from' : 'since'} ${clock.timeOf(since)}`;
    return {
      title: `Correlated outage at ${inWords(gateways)}`,
      why: `${what} ${ended ? 'failed' : 'fail'} at ${where}${began}${others}: they probably ${ended ? 'had' : 'have'} a common cause.`,
      figures: gateways.map((gateway) => ({
        label: gateway,
        value: statesInWords(own.filter((one) => one.gateway === gateway)),
      })),
      action: { path: '/health', query: {}, label: 'View health' },
    };
  },
});

/** `2 accounts down, 1 recovered` */
function statesInWords(members: OutageFacts['members']): string {
  const states = members.map(({ state, recovered }) => (recovered ? 'recovered' : state));
  const counts = (['down', 'degraded', 'recovered'] as const).map((state) => ({
    state,
    count: states.filter((one) => one === state).length,
  }));
  const [first, ...others] = counts.filter(({ count }) => count > 0);
  if (first === undefined) return '';
  return [
    `${plural(first.count, 'account', 'accounts')} ${first.state}`,
    ...others.map(({ state, count }) => `${count} ${state}`),
  ].join(', ');
}

/** An account whose gateway refuses its credentials, or whose credentials cannot be read. */
export const credentialsRefused = incidentKind({
  title: 'Gateway account out of rotation',
  severity: 'critical',
  permission: 'gateway:read',
  sendsRecovery: true,
  facts: credentialsFacts,
  find: findGateways,
  describe: ({ gateway, label, accountId, sentence }, { ended }) => ({
    title: `${gateway} (${label}) ${isWas(ended)} out of rotation`,
    why: sentence,
    figures: [],
    action: { path: '/gateways', query: { account: accountId }, label: 'Fix', needs: 'gateway:configure' },
  }),
});
