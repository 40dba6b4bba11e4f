import { randomUUID } from 'node:crypto';
import type { Prisma, RuleCanary } from '@switchyard/db/client';
import { findMerchantRow } from '@switchyard/merchants';
import { NO_UNITS } from '@switchyard/routing/canary';
import { type Change, changeConfiguration, type FieldProblem } from '@switchyard/runtime';
import type { RuleSetsContext } from '../context.ts';
import { reasonProblems } from '../document/check-document.ts';
import { type DraftKey, type DraftRefusal, findOpenDraft } from '../drafts/create-draft.ts';
import {
  beginCanary,
  type CanaryEnding,
  endCanary,
  findCanaryById,
  findOpenCanary,
  readCanaryState,
  setCanaryPercent,
} from '../rows/canaries.ts';
import { findRuleSetById } from '../rows/drafts.ts';
import { publishCanaryVersion } from '../rows/publications.ts';
import { endShadowRun } from '../rows/shadow.ts';
import { numberPublication, type PublicationRefusal, publicationAudit } from '../versions/publication.ts';
import { checkDraft } from '../versions/publish.ts';

/** Shares of customers that a version can be tried with, in percent. */
export const CANARY_PERCENT = { min: 1, max: 50 } as const;

/** Tolerated losses of the success rate, in hundredths of a percentage point. */
export const TOLERATED_LOSS = { min: 10, max: 1_000 } as const;

/** Times that a canary can run at the longest, in days. */
export const CANARY_DAYS = { min: 1, max: 90 } as const;

/** Asks to publish a draft for a share of customers. */
export interface StartCanaryCommand extends DraftKey {
  /** The revision that the publisher read. */
  readonly revision: number;
  /** See {@link CANARY_PERCENT}. */
  readonly percent: number;
  /** See {@link TOLERATED_LOSS}. */
  readonly toleratedLoss: number;
  /** See {@link CANARY_DAYS}. */
  readonly days: number;
  /** Why, in the publisher's words, up to 500 characters. */
  readonly reason: string | null;
  readonly actor: string;
}

/** The canary, or why there is none. */
export type StartCanaryOutcome =
  | { readonly kind: 'started'; readonly canaryId: string; readonly version: number; readonly endsAt: Date }
  /** Another version is tried already. */
  | { readonly kind: 'already_running'; readonly version: number }
  | PublicationRefusal
  | DraftRefusal;

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Publishes a draft for a share of customers, with the checks of any publication: its document never changes again, and each customer is
 * routed by it or by the active version until {@link takeCanaryUnits} promotes it or rolls it back, or a person stops it. Other rules that
 * are published meanwhile end it.
 */
export async function startCanary(context: RuleSetsContext, command: StartCanaryCommand): Promise<StartCanaryOutcome> {
  const { percent, toleratedLoss, days, reason, actor } = command;
  const problems = [
    ...rangeProblems('percent', percent, CANARY_PERCENT),
    ...rangeProblems('toleratedLoss', toleratedLoss, TOLERATED_LOSS),
    ...rangeProblems('days', days, CANARY_DAYS),
    ...reasonProblems(reason),
  ];
  if (problems.length > 0) return { kind: 'invalid', problems };
  return changeConfiguration<StartCanaryOutcome>(context, command, async (transaction, now) => {
    const found = await findOpenDraft(transaction, command);
    if (found.kind !== 'found') return { outcome: found, audit: null };
    const { row } = found;
    const { merchantId, mode } = row;
    const running = await findOpenCanary(transaction, row);
    if (running !== null) return { outcome: { kind: 'already_running', version: running.version }, audit: null };
    const ready = await checkDraft(transaction, row);
    if (ready.kind !== 'ready') return { outcome: ready, audit: null };
    const { candidate, current } = ready;
    const publication = await numberPublication(transaction, candidate, current, { reason, publishedBy: actor, now });
    const { ruleSet: _, at: __, keysDeclared: ___, ...written } = publication;
    const merchant = await findMerchantRow(transaction, merchantId);
    const terms = { percent, toleratedLoss, horizonMinutes: merchant?.sessionMinutes ?? 60 };
    const endsAt = new Date(now.getTime() + days * DAY_MS);
    const { version } = publication;
    const id = context.newId();
    const salt = randomUUID();
    const versions = { ruleSetId: row.id, version, liveVersion: current?.version ?? 0 };
    const canary = { merchantId, id, mode, ...versions, salt, ...terms, reason, startedBy: actor, startedAt: now, endsAt };
    await beginCanary(transaction, { ...canary, sums: NO_UNITS }, written);
    await endShadowRun(transaction, command, { ended: 'PUBLISHED', endedAt: now });
    const { approvedBy } = row;
    return {
      outcome: { kind: 'started', canaryId: id, version, endsAt },
      audit: publicationAudit('rule_set.canary_started', row, current, publication, {
        ...terms,
        endsAt: endsAt.toISOString(),
        ...(approvedBy !== null && { approvedBy }),
      }),
    };
  });
}

function rangeProblems(
  field: string,
  value: number,
  { min, max }: { readonly min: number; readonly max: number },
): FieldProblem[] {
  const isWithin = Number.isInteger(value) && value >= min && value <= max;
  return isWithin ? [] : [{ field, message: `must be a whole number from ${min} to ${max}` }];
}

/** Names a canary and who acts on it. */
export interface CanaryCommand {
  readonly merchantId: string;
  readonly canaryId: string;
  readonly actor: string;
}

/** Result of stopping a canary; `not_running` when it had ended. */
export type StopCanaryOutcome =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'not_running'; readonly ended: RuleCanary['ended'] }
  | { readonly kind: 'not_found' };

/** Stops a canary: from now on all customers are routed by the active version. */
export async function stopCanary(context: RuleSetsContext, command: CanaryCommand): Promise<StopCanaryOutcome> {
  return changeConfiguration<StopCanaryOutcome>(context, command, async (transaction, now) => {
    const canary = await findCanaryById(transaction, command.merchantId, command.canaryId);
    if (canary === null) return { outcome: { kind: 'not_found' }, audit: null };
    if (canary.endedAt !== null) return { outcome: { kind: 'not_running', ended: canary.ended }, audit: null };
    const ending = { ended: 'STOPPED', endedAt: now, endedBy: command.actor } as const;
    return { outcome: { kind: 'stopped' }, audit: await end(transaction, canary, ending) };
  });
}

/** Result of promoting a canary by hand. */
export type PromoteCanaryOutcome =
  | { readonly kind: 'promoted'; readonly version: number }
  | { readonly kind: 'not_running'; readonly ended: RuleCanary['ended'] }
  | PublicationRefusal
  | { readonly kind: 'not_found' };

/** Makes a canary's version the active one before its verdict, with the checks of any publication. */
export async function promoteCanary(context: RuleSetsContext, command: CanaryCommand): Promise<PromoteCanaryOutcome> {
  return changeConfiguration<PromoteCanaryOutcome>(context, command, async (transaction, now) => {
    const canary = await findCanaryById(transaction, command.merchantId, command.canaryId);
    if (canary === null) return { outcome: { kind: 'not_found' }, audit: null };
    if (canary.endedAt !== null) return { outcome: { kind: 'not_running', ended: canary.ended }, audit: null };
    return promote(transaction, canary, command.actor, now);
  });
}

/** Asks to try a version with a greater share of customers. */
export interface WidenCanaryCommand extends CanaryCommand {
  /** Greater than the share so far; see {@link CANARY_PERCENT}. */
  readonly percent: number;
}

/** Result of widening a canary. */
export type WidenCanaryOutcome =
  | { readonly kind: 'widened'; readonly percent: number }
  | { readonly kind: 'not_running'; readonly ended: RuleCanary['ended'] }
  | PublicationRefusal
  | { readonly kind: 'not_found' };

/**
 * Tries a version with a greater share of customers, with the checks of any publication. Those whom it routes stay with it, and each
 * customer counts with the share that they were assigned by, so that the error rates hold. A smaller share is refused: it would take
 * customers back whose later payments are then routed otherwise.
 */
export async function widenCanary(context: RuleSetsContext, command: WidenCanaryCommand): Promise<WidenCanaryOutcome> {
  return changeConfiguration<WidenCanaryOutcome>(context, command, async (transaction) => {
    const canary = await findCanaryById(transaction, command.merchantId, command.canaryId);
    if (canary === null) return { outcome: { kind: 'not_found' }, audit: null };
    if (canary.endedAt !== null) return { outcome: { kind: 'not_running', ended: canary.ended }, audit: null };
    const { percent } = command;
    const problems = rangeProblems('percent', percent, { min: canary.percent + 1, max: CANARY_PERCENT.max });
    if (problems.length > 0) return { outcome: { kind: 'invalid', problems }, audit: null };
    const ready = await checkDraft(transaction, await versionOf(transaction, canary));
    if (ready.kind !== 'ready') return { outcome: ready, audit: null };
    await setCanaryPercent(transaction, canary, percent);
    const { mode, version, ruleSetId: objectId } = canary;
    const change = { before: { mode, version, percent: canary.percent }, after: { mode, version, percent } };
    return {
      outcome: { kind: 'widened', percent },
      audit: { action: 'rule_set.canary_widened', objectType: 'rule_set_version', objectId, ...change },
    };
  });
}

type Promotion = Extract<PromoteCanaryOutcome, { kind: 'promoted' }> | PublicationRefusal;

/** Makes the version of an open canary the active one, or says why it cannot be. */
export async function promote(
  transaction: Prisma.TransactionClient,
  canary: RuleCanary,
  actor: string,
  now: Date,
): Promise<Change<Promotion>> {
  const ready = await checkDraft(transaction, await versionOf(transaction, canary));
  if (ready.kind !== 'ready') return { outcome: ready, audit: null };
  const earliest = (ready.current?.publishedAt?.getTime() ?? 0) + 1;
  const audit = await end(transaction, canary, { ended: 'PROMOTED', endedAt: now, endedBy: actor });
  await publishCanaryVersion(transaction, canary, new Date(Math.max(now.getTime(), earliest)));
  return { outcome: { kind: 'promoted', version: canary.version }, audit };
}

async function versionOf(transaction: Prisma.TransactionClient, { merchantId, id, ruleSetId }: RuleCanary) {
  const row = await findRuleSetById(transaction, merchantId, ruleSetId);
  if (row === null) throw new Error(`the version of canary ${id} is not on record`);
  return row;
}

/** Ends an open canary; the audit entry says how, and what it had seen. */
export async function end(
  transaction: Prisma.TransactionClient,
  canary: RuleCanary,
  ending: CanaryEnding,
): Promise<NonNullable<Change<unknown>['audit']>> {
  await endCanary(transaction, canary, ending);
  const { mode, version, liveVersion, percent, sums, ruleSetId } = canary;
  const refusal = ending.refusal !== undefined && { refusal: ending.refusal };
  return {
    action: ACTIONS[ending.ended],
    objectType: 'rule_set_version',
    objectId: ruleSetId,
    before: { mode, version: liveVersion, canary: version, percent },
    after: {
      mode,
      version: ending.ended === 'PROMOTED' ? version : liveVersion,
      ended: ending.ended,
      ...refusal,
      sums: countsIn(sums),
    },
  };
}

const ACTIONS: Readonly<Record<CanaryEnding['ended'], string>> = {
  PROMOTED: 'rule_set.canary_promoted',
  ROLLED_BACK: 'rule_set.canary_rolled_back',
  STOPPED: 'rule_set.canary_stopped',
  REPLACED: 'rule_set.canary_stopped',
  TIME: 'rule_set.canary_ended',
  REFUSED: 'rule_set.canary_refused',
};

/** Customers and payments of both arms, for the audit log. */
function countsIn(sums: unknown) {
  const { draft, live } = readCanaryState(sums);
  return { draft: { ...draft }, live: { ...live } };
}
