import type { Mode, RuleSetVersion } from '@switchyard/db/client';
import { type Change, changeConfiguration } from '@switchyard/runtime';
import type { RuleSetsContext } from '../context.ts';
import { describeRefusal } from '../drafts/describe-refusal.ts';
import { findRuleSetById, listDueRuleDrafts, updateRuleDraft } from '../drafts/queries.ts';
import type { PublicationRefusal } from './publication.ts';
import { activateRuleSet, checkDraft } from './publish-draft.ts';

/** Result of one due schedule. */
export interface DuePublication {
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
