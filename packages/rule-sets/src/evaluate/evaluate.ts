import type { Mode } from '@switchyard/db/client';
import { gatewayTitle } from '@switchyard/gateways';
import type { HealthContext } from '@switchyard/provider-health';
import {
  type Clock,
  comparedKeys,
  type MetadataKey,
  type RoutableAccount,
  type RoutablePayment,
  type RoutingOverride,
  type RuleSet,
  UTC_CLOCK,
  usedKeys,
  weekTimeAt,
} from '@switchyard/routing';
import {
  analyse,
  countDecided,
  countOverlaps,
  type DecidedCount,
  type Finding,
  findTakeovers,
  findUnmet,
  type Overlap,
  type PaymentCount,
  type Takeover,
} from '@switchyard/routing/analyse';
import { activeOverrides } from '@switchyard/routing/decide';
import { compareDecisions, type DecisionComparison } from '@switchyard/routing/recompute';
import { type Evaluation, evaluate } from '@switchyard/routing/replay';
import { declaredKeys } from '../document/check-document.ts';
import { type DraftQuery, type DraftRefusal, readDraft } from '../document/read-draft.ts';
import { countSimilarPayments } from '../replay/past-payments.ts';
import { routingSnapshot, toMethod } from '../snapshot/routing-snapshot.ts';

/** A draft, and the past payments to route with it. */
interface TakeoversQuery extends DraftQuery {
  /** Inclusive. */
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
}

/** Rules that would take payments over from others, or why they were not computed. */
type TakeoversOutcome =
  | {
      readonly kind: 'compared';
      /** The active version, 0 for none. */
      readonly liveVersion: number;
      /** Most payments first. */
      readonly takeovers: readonly Takeover[];
      /** Takeovers beyond the limit. */
      readonly omitted: number;
      /** Payments that two rules of the draft match, of which the earlier decides; most first. */
      readonly overlaps: readonly Overlap[];
      /** Decisions by rule of the draft; payments with a requested gateway count for none. */
      readonly decided: readonly DecidedCount[];
      /** Findings of the draft about a span of payments of which there was none. */
      readonly unmet: readonly Pick<Finding, 'kind' | 'ruleIds' | 'accountIds' | 'gap' | 'limit'>[];
      /** Payments counted. */
      readonly payments: number;
      /** True when the period holds more payments than were counted: the newest ones were. */
      readonly cut: boolean;
    }
  | DraftRefusal;

const COUNTED_MAX = 50_000;
const TAKEOVERS_MAX = 500;

/**
 * The payments of a period that the rules of a draft would decide, those that they take from other rules in force, and those that match
 * several of its rules. Reads only.
 */
export async function listTakeovers(context: HealthContext, query: TakeoversQuery): Promise<TakeoversOutcome> {
  const draft = await readDraft(context, query);
  if (draft.kind !== 'draft') return draft;
  const live = draft.live.ruleSet.ruleSet;
  const used = usedKeys(draft.ruleSet, live);
  const counting = { ...query, used, timeZone: draft.timeZone };
  const alike = await countSimilarPayments(context.resources.database, counting, COUNTED_MAX);
  const traffic: PaymentCount[] = alike.map(({ method, amount, ...rest }) => ({
    ...rest,
    amount: Number(amount),
    method: toMethod(method),
  }));
  const found = findTakeovers(live, draft.ruleSet, traffic);
  const counted = alike.reduce((sum, { payments }) => sum + payments, 0);
  const { findings } = analyse(draft.ruleSet, draft.live.accounts);
  return {
    kind: 'compared',
    liveVersion: live.version,
    takeovers: found.slice(0, TAKEOVERS_MAX),
    omitted: Math.max(0, found.length - TAKEOVERS_MAX),
    overlaps: countOverlaps(draft.ruleSet, findings, traffic),
    decided: countDecided(draft.ruleSet, traffic),
    unmet: findUnmet(draft.ruleSet, findings, traffic).map(({ kind, ruleIds, accountIds, gap, limit }) => ({
      kind,
      ruleIds,
      accountIds,
      gap,
      limit,
    })),
    payments: counted,
    cut: counted === COUNTED_MAX,
  };
}

/** The rules, accounts and overrides that this process routes a merchant's payments of one mode by at present. */
interface RoutingOverview {
  /** Version 0 where none was published: the accounts in order of creation. */
  readonly ruleSet: RuleSet;
  readonly accounts: readonly (RoutableAccount & { readonly gatewayTitle: string })[];
  /** Those that have begun and have not ended. */
  readonly overrides: readonly RoutingOverride[];
  /** The metadata keys that the merchant declares. */
  readonly metadataKeys: readonly MetadataKey[];
  /** The merchant's, in which rules compare hours and weekdays. */
  readonly timeZone: string;
}

/** Read from memory; null for a merchant that is not known. */
export async function describeRouting(
  context: HealthContext,
  { merchantId, mode }: { readonly merchantId: string; readonly mode: Mode },
): Promise<RoutingOverview | null> {
  const { configuration } = context.resources;
  await configuration.ready();
  const merchant = configuration.merchant(merchantId);
  if (merchant === undefined) return null;
  const now = context.now();
  const { ruleSet, accounts, overrides } = routingSnapshot(context.resources, merchant, mode, now);
  const own = new Set(accounts.map(({ accountId }) => accountId));
  return {
    ruleSet: ruleSet.ruleSet,
    accounts: accounts.map((account) => ({ ...account, gatewayTitle: gatewayTitle(account.gateway) })),
    overrides: activeOverrides(overrides, now.toISOString()).filter(({ accountId }) => own.has(accountId)),
    metadataKeys: declaredKeys(merchant.merchant),
    timeZone: merchant.merchant.timeZone,
  };
}

/** A trial payment to route with a draft. */
export interface EvaluateRulesQuery extends DraftQuery {
  /**
   * `paymentId` decides splits; without one, a new id does. Amount in whole main units. Keys that are left out are absent, but the time: it
   * is now.
   */
  readonly payment: Omit<RoutablePayment, 'paymentId'> & { readonly paymentId: string | null };
  /** `present`: with present health and overrides. `calm`: all accounts healthy, no overrides. */
  readonly conditions: 'present' | 'calm';
}

/** The trial's decision under the draft and under the live rules, or why there is none. */
export type EvaluateRulesOutcome =
  | {
      readonly kind: 'evaluated';
      /** Every rule with each of its conditions, every account with each of its checks, and the decision. */
      readonly draft: Evaluation;
      /** The same payment under the live rules, and how the draft differs. */
      readonly live: Evaluation;
      readonly comparison: DecisionComparison;
    }
  | DraftRefusal;

/** Routes one example payment under a draft and under the live rules, with times as `clock` writes them. Reads only. */
export async function evaluateRules(
  context: HealthContext,
  query: EvaluateRulesQuery,
  clock: Clock = UTC_CLOCK,
): Promise<EvaluateRulesOutcome> {
  const read = await readDraft(context, query);
  if (read.kind !== 'draft') return read;
  const { live, ruleSet } = read;
  const isPresent = query.conditions === 'present';
  const declared = [...(ruleSet.keys ?? []), ...(live.ruleSet.ruleSet.keys ?? [])];
  const keys = { time: weekTimeAt(context.now(), read.timeZone), ...comparedKeys(query.payment.keys ?? {}, declared) };
  const input = {
    payment: { ...query.payment, keys, paymentId: query.payment.paymentId ?? context.newId() },
    accounts: live.accounts,
    health: isPresent ? context.health.snapshot(query.merchantId) : [],
    overrides: isPresent ? live.overrides : [],
    decidedAt: context.now().toISOString(),
  };
  const underDraft = evaluate({ ...input, ruleSet }, clock);
  const underLiveRules = evaluate({ ...input, ruleSet: live.ruleSet.ruleSet }, clock);
  const comparison = compareDecisions(underLiveRules.decision, underDraft.decision);
  return { kind: 'evaluated', draft: underDraft, live: underLiveRules, comparison };
}
