import { changeConfiguration, type FieldProblem } from '@switchyard/runtime';
import type { RuleSetsContext } from '../context.ts';
import { checkDocument } from '../drafts/check-document.ts';
import { storableDocument } from '../drafts/document.ts';
import { type DraftKey, type DraftRefusal, findOpenDraft } from '../drafts/draft.ts';
import { readRoutableAccounts } from '../drafts/routable-accounts.ts';
import { countOpenShadowRuns, endShadowRun, findLastShadowRun, insertShadowRun } from './queries.ts';

const HOUR_MS = 3_600_000;

/** The longest a draft runs in shadow at a time, in hours. */
export const SHADOW_HOURS_MAX = 14 * 24;

/** Most drafts of one merchant and mode in shadow at once. */
export const SHADOW_RUNS_MAX = 3;

/** Asks to run a draft beside live traffic. */
export interface StartShadowCommand extends DraftKey {
  /** The revision that the caller read. */
  readonly revision: number;
  /** From 1 to {@link SHADOW_HOURS_MAX}. */
  readonly hours: number;
  readonly actor: string;
}

/** Result of starting a shadow run, or the reason why it was refused. */
export type StartShadowOutcome =
  | { readonly kind: 'started'; readonly endsAt: Date }
  | { readonly kind: 'already_running'; readonly endsAt: Date }
  | { readonly kind: 'too_many'; readonly limit: number }
  /** The draft is not complete, or names accounts that the merchant does not have. */
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | DraftRefusal;

/**
 * Runs a draft beside live traffic for a set time: the worker decides each new payment by it a second time, from the stored inputs of
 * the real decision, which nothing changes. A change of the draft, its publication or its end stops it.
 */
export async function startShadow(context: RuleSetsContext, command: StartShadowCommand): Promise<StartShadowOutcome> {
  const { merchantId, draftId, hours, actor } = command;
  if (!Number.isInteger(hours) || hours < 1 || hours > SHADOW_HOURS_MAX) {
    const message = `must be a whole number of hours from 1 to ${SHADOW_HOURS_MAX}`;
    return { kind: 'invalid', problems: [{ field: 'hours', message }] };
  }
  return changeConfiguration<StartShadowOutcome>(context, command, async (transaction, now) => {
    const found = await findOpenDraft(transaction, command);
    if (found.kind !== 'found') return { outcome: found, audit: null };
    const { row } = found;
    const running = await findLastShadowRun(transaction, merchantId, draftId);
    if (running !== null && running.endedAt === null) {
      return { outcome: { kind: 'already_running', endsAt: running.endsAt }, audit: null };
    }
    if ((await countOpenShadowRuns(transaction, row)) >= SHADOW_RUNS_MAX) {
      return { outcome: { kind: 'too_many', limit: SHADOW_RUNS_MAX }, audit: null };
    }
    const { problems } = checkDocument(row.document, await readRoutableAccounts(transaction, row));
    const stored = storableDocument(row.document);
    if (problems.length > 0 || !stored.ok) {
      return { outcome: { kind: 'invalid', problems: stored.ok ? problems : stored.problems }, audit: null };
    }
    const { mode, revision } = row;
    const endsAt = new Date(now.getTime() + hours * HOUR_MS);
    const run = { merchantId, id: context.newId(), mode, draftId, draftRevision: revision, document: stored.document };
    await insertShadowRun(transaction, { ...run, startedBy: actor, startedAt: now, endsAt });
    return {
      outcome: { kind: 'started', endsAt },
      audit: {
        action: 'rule_set.shadow_started',
        objectType: 'rule_set_version',
        objectId: draftId,
        before: null,
        after: { mode, name: row.name, revision, endsAt: endsAt.toISOString() },
      },
      inForce: false,
    };
  });
}

/** Asks to stop a draft's shadow run before its time. */
export interface StopShadowCommand extends DraftKey {
  readonly actor: string;
}

/** Result of stopping a run; `not_running` when it had ended, or never started. */
export type StopShadowOutcome = { readonly kind: 'stopped' } | { readonly kind: 'not_running' } | { readonly kind: 'not_found' };

/** Stops a draft's shadow run. What it recorded stays. */
export async function stopShadow(context: RuleSetsContext, command: StopShadowCommand): Promise<StopShadowOutcome> {
  const { draftId, actor } = command;
  return changeConfiguration<StopShadowOutcome>(context, command, async (transaction, now) => {
    const run = await findLastShadowRun(transaction, command.merchantId, draftId);
    if (run === null || run.endedAt !== null) return { outcome: { kind: 'not_running' }, audit: null };
    await endShadowRun(transaction, command, { ended: 'STOPPED', endedBy: actor, endedAt: now });
    const before = { mode: run.mode, revision: run.draftRevision, endsAt: run.endsAt.toISOString() };
    return {
      outcome: { kind: 'stopped' },
      audit: { action: 'rule_set.shadow_stopped', objectType: 'rule_set_version', objectId: draftId, before, after: null },
      inForce: false,
    };
  });
}
