import type { Mode, Prisma, RuleSetVersion } from '@switchyard/db/client';
import { readVolume } from '@switchyard/reporting/figures';
import type { RuleSet } from '@switchyard/routing';
import { parseRuleDocument } from '@switchyard/routing/rule-set';
import { type Change, changeConfiguration, type FieldProblem } from '@switchyard/runtime';
import type { RuleSetsContext } from '../context.ts';
import { documentOf, reasonProblems } from '../document/check-document.ts';
import { type DraftKey, type RuleDraft, toDraft } from '../drafts/create-draft.ts';
import { findRuleSetById, insertRuleDraft, listDueRuleDrafts, updateRuleDraft } from '../rows/drafts.ts';
import { insertPublishedRuleSet } from '../rows/publications.ts';
import { findRuleSetVersionRow } from '../rows/versions.ts';
import {
  type Candidate,
  checkReadiness,
  describeRefusal,
  numberPublication,
  type PublicationRefusal,
  publicationAudit,
} from './publication.ts';
import { activateRuleSet, checkDraft } from './publish.ts';
import { findRuleSetVersion } from './rule-set-history.ts';

export type { RuleSetSource } from '../rows/rule-set-source.ts';
export { publishDraft, publishRules } from './publish.ts';
export { diffStoredRuleSets, findRuleSetVersion, listRuleSetVersions, versionActiveAt } from './rule-set-history.ts';

/** Result of one due schedule. */
interface DuePublication {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly draftId: string;
  readonly result:
    | { readonly kind: 'published'; readonly version: number }
    /** It is a draft again and stores the reason: a `PublicationRefusal`'s kind, and one sentence. */
    | { readonly kind: 'refused'; readonly why: PublicationRefusal['kind']; readonly message: string };
}

const DUE_MAX = 100;
const ACTOR = 'system:schedule';

/**
 * Publishes scheduled rules that are due at `now`, with the checks of a manual publication. A draft whose base is no longer in force,
 * whose accounts are gone or whose expectations break becomes an unscheduled draft with the reason. Call it every few seconds, from
 * any number of processes: each schedule is handled once. Throws an `AggregateError` at the end when some could not be handled; they
 * stay due.
 */
export async function publishScheduledRules(context: RuleSetsContext, now: Date): Promise<DuePublication[]> {
  const due = await listDueRuleDrafts(context.resources.database, now, DUE_MAX);
  const settled: DuePublication[] = [];
  const errors: unknown[] = [];
  for (const { merchantId, id } of due) {
    try {
      const publication = await settle({ ...context, now: () => now }, merchantId, id);
      if (publication !== null) settled.push(publication);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} of ${due.length} schedules could not be settled`);
  return settled;
}

async function settle(context: RuleSetsContext, merchantId: string, draftId: string): Promise<DuePublication | null> {
  type Outcome = { readonly kind: 'settled'; readonly publication: DuePublication } | { readonly kind: 'too_late' };
  const outcome = await changeConfiguration<Outcome>(context, { merchantId, actor: ACTOR }, async (transaction, now) => {
    const row = await findRuleSetById(transaction, merchantId, draftId);
    // Another process handled it, or it was cancelled.
    if (row === null || !isDue(row, now)) return { outcome: { kind: 'too_late' }, audit: null };
    const about = { merchantId, mode: row.mode, draftId };
    const ready = await checkDraft(transaction, row);
    if (ready.kind === 'ready') {
      const by = { reason: row.reason, publishedBy: row.scheduledBy ?? ACTOR, now };
      const { outcome: published, audit } = await activateRuleSet(transaction, row, ready, by);
      const { version } = published.ruleSet;
      return { outcome: { kind: 'settled', publication: { ...about, result: { kind: 'published', version } } }, audit };
    }
    const message = describeRefusal(ready);
    const refusal = { at: now.toISOString(), kind: ready.kind, message };
    await updateRuleDraft(
      transaction,
      row,
      { state: 'DRAFT', publishAt: null, scheduledBy: null, scheduleRefusal: refusal },
      now,
    );
    const result = { kind: 'refused', why: ready.kind, message } as const;
    return { outcome: { kind: 'settled', publication: { ...about, result } }, audit: refusalAudit(row, refusal), inForce: false };
  });
  return outcome.kind === 'settled' ? outcome.publication : null;
}

function isDue({ state, publishAt }: RuleSetVersion, now: Date): boolean {
  return state === 'SCHEDULED' && publishAt !== null && publishAt <= now;
}

function refusalAudit(
  { id, mode, publishAt, scheduledBy }: RuleSetVersion,
  after: { readonly at: string; readonly kind: string; readonly message: string },
): NonNullable<Change<unknown>['audit']> {
  const before = { mode, publishAt: publishAt?.toISOString() ?? null, scheduledBy };
  return { action: 'rule_set.schedule_refused', objectType: 'rule_set_version', objectId: id, before, after };
}

/** Payments of one currency that were created while a version was active. Fees as exact decimals of the main unit. */
interface CurrencyResults {
  readonly currency: string;
  readonly payments: number;
  readonly paid: number;
  readonly failed: number;
  readonly pending: number;
  readonly fees: string;
}

interface VersionResults {
  readonly version: number;
  /** One for each currency with payments. */
  readonly currencies: readonly CurrencyResults[];
}

/**
 * Results of payments while versions were active, from the roll-ups; versions that are not known are left out. Exact, but for
 * payments of the second or two in which processes take a publication over.
 */
export async function readVersionResults(
  context: RuleSetsContext,
  { merchantId, mode, versions }: { readonly merchantId: string; readonly mode: Mode; readonly versions: readonly number[] },
): Promise<VersionResults[]> {
  const now = context.now();
  const results: VersionResults[] = [];
  for (const version of new Set(versions)) {
    const found = await findRuleSetVersion(context, { merchantId, mode, version });
    // A version that a share of customers was routed by has its canary's counts instead.
    if (found === null || found.state === 'CANARY' || found.state === 'WITHDRAWN') continue;
    const period = { from: found.publishedAt, to: found.endedAt ?? now };
    const rows = await readVolume(context.resources.database.pool, {
      ...BY_CURRENCY,
      ...period,
      merchantIds: [merchantId],
      mode,
    });
    const currencies = rows.map(({ keys, payments: number, paid, failed, pending, fees }) => ({
      currency: keys.currency ?? '',
      payments: number,
      paid,
      failed,
      pending,
      fees,
    }));
    results.push({ version, currencies });
  }
  return results;
}

const BY_CURRENCY = {
  currency: null,
  asOf: null,
  zone: 'UTC',
  groupBy: ['currency'],
  gateways: [],
  accountIds: [],
  methods: [],
  statuses: [],
  ruleIds: [],
} as const;

/** Asks to cancel a scheduled publication. */
interface CancelScheduleCommand extends DraftKey {
  readonly actor: string;
}

/** Result of cancelling a schedule, or the reason why it was refused. */
type CancelScheduleOutcome =
  /** It is a draft again; its approval is unchanged. */
  | { readonly kind: 'cancelled'; readonly draft: RuleDraft }
  /** It is not scheduled: it was published, cancelled or refused meanwhile, or never scheduled. `state` is its present state. */
  | { readonly kind: 'not_scheduled'; readonly state: RuleDraft['state'] }
  | { readonly kind: 'not_found' };

/** Cancels the scheduled publication of a draft. */
export async function cancelSchedule(context: RuleSetsContext, command: CancelScheduleCommand): Promise<CancelScheduleOutcome> {
  return changeConfiguration<CancelScheduleOutcome>(context, command, async (transaction, now) => {
    const row = await findRuleSetById(transaction, command.merchantId, command.draftId);
    if (row === null) return { outcome: { kind: 'not_found' }, audit: null };
    if (row.state !== 'SCHEDULED') return { outcome: { kind: 'not_scheduled', state: row.state }, audit: null };
    const changes = { state: 'DRAFT', publishAt: null, scheduledBy: null, reason: null } as const;
    const draft = toDraft(await updateRuleDraft(transaction, row, changes, now));
    const before = { mode: row.mode, publishAt: row.publishAt?.toISOString() ?? null, scheduledBy: row.scheduledBy };
    return {
      outcome: { kind: 'cancelled', draft },
      audit: { action: 'rule_set.schedule_cancelled', objectType: 'rule_set_version', objectId: row.id, before, after: null },
      inForce: false,
    };
  });
}

/** Asks to put the rules of an earlier version into force. */
export interface RollBackRulesCommand {
  readonly merchantId: string;
  readonly mode: Mode;
  /** The version whose rules are restored. */
  readonly version: number;
  /** The active version that the caller read. */
  readonly baseVersion: number;
  /** Why, in their words, up to 500 characters. */
  readonly reason: string | null;
  readonly actor: string;
}

/** The new version, or why there is none. */
type RollBackRulesOutcome =
  /** The old rules are active as a new version; history only ever grows. */
  | { readonly kind: 'published'; readonly ruleSetId: string; readonly ruleSet: RuleSet }
  /** The old rules name accounts that the merchant no longer has, at these paths. */
  | { readonly kind: 'accounts_gone'; readonly problems: readonly FieldProblem[] }
  /** A second person has to approve first: a draft of the old rules is ready, its approval requested. */
  | { readonly kind: 'needs_approval'; readonly draft: RuleDraft }
  | { readonly kind: 'already_in_force' }
  | { readonly kind: 'unknown_version' }
  | Exclude<PublicationRefusal, { kind: 'needs_approval' }>
  | { readonly kind: 'not_found' };

/** Publishes the rules of an earlier version again, in one step, with the same checks as any publication. */
export async function rollBackRules(context: RuleSetsContext, command: RollBackRulesCommand): Promise<RollBackRulesOutcome> {
  const { merchantId, mode, version, baseVersion, reason, actor } = command;
  const problems = reasonProblems(reason);
  if (problems.length > 0) return { kind: 'invalid', problems };
  return changeConfiguration<RollBackRulesOutcome>(context, command, async (transaction, now) => {
    const old = await findRuleSetVersionRow(transaction, { merchantId, mode, version });
    if (old === null) return { outcome: { kind: 'unknown_version' }, audit: null };
    if (old.state === 'PUBLISHED') return { outcome: { kind: 'already_in_force' }, audit: null };
    const read = parseRuleDocument(old.document);
    if (!read.ok) return { outcome: { kind: 'invalid', problems: read.problems }, audit: null };
    const candidate = { merchantId, mode, baseVersion, ruleSet: read.ruleSet, approved: false };
    const readiness = await checkReadiness(transaction, candidate);
    if (readiness.kind === 'invalid') {
      return { outcome: { kind: 'accounts_gone', problems: readiness.problems }, audit: null };
    }
    const id = context.newId();
    if (readiness.kind === 'needs_approval') return askForApproval(transaction, { ...command, id }, candidate, now);
    if (readiness.kind !== 'ready') return { outcome: readiness, audit: null };
    const { current } = readiness;
    const publication = await numberPublication(transaction, candidate, current, { reason, publishedBy: actor, now });
    const row = { merchantId, id, mode, baseVersion, restoredVersion: version };
    const { ruleSet, at, keysDeclared: _, ...written } = publication;
    const canaryStopped = await insertPublishedRuleSet(transaction, { ...row, ...written }, at);
    return {
      outcome: { kind: 'published', ruleSetId: id, ruleSet },
      audit: publicationAudit('rule_set.rolled_back', row, current, publication, {
        restoredVersion: version,
        ...(canaryStopped !== null && { canaryStopped }),
      }),
    };
  });
}

/** Creates the draft of the old rules and requests its approval. */
async function askForApproval(
  transaction: Prisma.TransactionClient,
  command: RollBackRulesCommand & { readonly id: string },
  { merchantId, mode, baseVersion, ruleSet }: Candidate,
  now: Date,
): Promise<Change<RollBackRulesOutcome>> {
  const { id, version, reason, actor } = command;
  const draft = {
    merchantId,
    id,
    mode,
    name: `Back to version ${version}`,
    document: documentOf(ruleSet),
    baseVersion,
    restoredVersion: version,
    reason,
    createdBy: actor,
  };
  const row = await insertRuleDraft(transaction, draft, now);
  const requested = await updateRuleDraft(transaction, row, { approvalRequestedBy: actor, approvalRequestedAt: now }, now);
  return {
    outcome: { kind: 'needs_approval', draft: toDraft(requested) },
    audit: {
      action: 'rule_set.approval_requested',
      objectType: 'rule_set_version',
      objectId: id,
      before: null,
      after: { mode, revision: row.revision, baseVersion, restoredVersion: version, reason },
    },
    inForce: false,
  };
}
