'use client';

import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Moment } from '../../../../components/moment.tsx';
import { useNow } from '../../../../components/now.tsx';
import { showToast } from '../../../../components/toasts/toast-store.ts';
import { describeExactly, describeMoment } from '../../../../format/moments.ts';
import { ZONE } from '../../../../format/zone.ts';
import { hrefIn } from '../../../../scope/scope.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import type { RouterOutputs } from '../../../../trpc/outputs.ts';
import { localTime, readLocalTime } from '../_rules/publish-time.ts';
import { Action } from './action.tsx';
import { Consequence } from './consequence.tsx';
import fields from './field.module.css';
import { Field } from './field.tsx';
import type { LiveRouting } from './live-routing.ts';
import classes from './publish-panel.module.css';
import { Question } from './question.tsx';
import type { EditedDraft } from './use-draft.ts';
import { useRefreshRouting, useRollBack } from './use-publication.ts';
import type { useReplay } from './use-replay.ts';
import { useMerchantName, usePeople, useRoutingScope } from './use-routing.ts';
import { useStoredText } from './use-stored-text.ts';

type PublishOutcome = RouterOutputs['routing']['drafts']['publish'];

const HOUR_MS = 3_600_000;
const REASON_MAX = 500;

/** Reason, time and the button that publishes the draft. */
export function PublishPanel({
  edited,
  live,
  replay,
  days,
  same,
  why,
}: {
  edited: EditedDraft;
  live: LiveRouting;
  replay: ReturnType<typeof useReplay>;
  days: number;
  same: boolean;
  /** Why it cannot be published yet; null when it can. */
  why: string | null;
}) {
  const { draft } = edited;
  const now = useNow();
  const [reason, setReason] = useStoredText(`reason ${draft.draftId}`);
  const [isLater, setIsLater] = useState(false);
  const [time, setTime] = useState(() => localTime(new Date(Math.ceil(now / HOUR_MS) * HOUR_MS + HOUR_MS)));
  const [asking, setAsking] = useState(false);
  const at = isLater ? readLocalTime(time) : null;
  const timeWrong = isLater && (at === null ? 'Not a time.' : at.getTime() <= now ? 'This time has passed.' : null);
  if (draft.state === 'SCHEDULED') return <Scheduled edited={edited} />;
  const next = live.ruleSet.version + 1;
  const blockedBecause = why ?? (same ? 'It is the same as what is in force.' : null);
  return (
    <section className={classes.panel} aria-labelledby="publish">
      <h2 id="publish" className={classes.title}>
        Publish version {next}
      </h2>
      {draft.scheduleRefusal !== null && (
        <p className={classes.refused}>
          It was not published at its time, <Moment value={new Date(draft.scheduleRefusal.at)} />: {draft.scheduleRefusal.message}
        </p>
      )}
      <Field label="Why, for those who come after" notes={[]}>
        {(described) => (
          <textarea
            className={fields.input}
            rows={3}
            maxLength={REASON_MAX}
            placeholder="Flutterwave is cheaper for USSD since Monday"
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            {...described}
          />
        )}
      </Field>
      <div className={classes.time} role="radiogroup" aria-label="When">
        <label>
          <input type="radio" name="when" checked={!isLater} onChange={() => setIsLater(false)} /> Now
        </label>
        <label>
          <input type="radio" name="when" checked={isLater} onChange={() => setIsLater(true)} /> At a time
        </label>
      </div>
      {isLater && (
        <Field
          label={`Time in ${ZONE.split('/')[1]}`}
          notes={timeWrong ? [{ severity: 'blocks', message: timeWrong, field: 'rule', accountId: null, gap: null }] : []}
        >
          {(described) => (
            <input
              className={fields.input}
              type="datetime-local"
              value={time}
              onChange={(event) => setTime(event.currentTarget.value)}
              {...described}
            />
          )}
        </Field>
      )}
      <Action
        primary
        disabled={blockedBecause !== null || (timeWrong !== false && timeWrong !== null)}
        onClick={() => setAsking(true)}
      >
        {at === null ? `Publish version ${next}` : `Schedule version ${next}`}
      </Action>
      {blockedBecause !== null && <p className={classes.muted}>{blockedBecause}</p>}
      {asking && (
        <ConfirmPublish
          edited={edited}
          live={live}
          replay={replay}
          days={days}
          at={at}
          reason={reason}
          onClose={() => setAsking(false)}
          onDone={() => setReason('')}
        />
      )}
    </section>
  );
}

/** Confirmation: names the merchant, the version, and the consequences in figures. */
function ConfirmPublish({
  edited,
  live,
  replay,
  days,
  at,
  reason,
  onClose,
  onDone,
}: {
  edited: EditedDraft;
  live: LiveRouting;
  replay: ReturnType<typeof useReplay>;
  days: number;
  at: Date | null;
  reason: string;
  onClose: () => void;
  onDone: () => void;
}) {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const router = useRouter();
  const merchant = useMerchantName();
  const now = useNow();
  const { nameOf } = usePeople();
  const refresh = useRefreshRouting();
  const rollBack = useRollBack();
  const publish = useMutation(trpc.routing.drafts.publish.mutationOptions());
  const next = live.ruleSet.version + 1;

  async function go(): Promise<string | null> {
    if (!(await edited.flush())) return 'The draft could not be saved first. Try again.';
    const { draftId, revision } = edited.draft;
    const outcome = await publish.mutateAsync({
      merchantId: scope.merchantId,
      draftId,
      revision,
      at,
      reason: reason.trim() === '' ? null : reason.trim(),
    });
    if (outcome.kind === 'scheduled') {
      edited.adopt(outcome.draft);
      await refresh();
      onDone();
      return null;
    }
    if (outcome.kind !== 'published') return refusalText(outcome, nameOf);
    onDone();
    router.push(hrefIn(scope, '/routing'));
    await refresh();
    const { version } = outcome.ruleSet;
    const before = live.ruleSet.version;
    showToast({
      text: `Version ${version} decides for ${merchant} now.`,
      ...(before > 0 && {
        action: {
          label: `Roll back to ${before}`,
          run: () => rollBack({ version: before, baseVersion: version, reason: `Version ${version} was taken back.` }),
        },
      }),
    });
    return null;
  }

  const verb = at === null ? `Publish version ${next}` : `Schedule version ${next}`;
  return (
    <Question title={`${verb} for ${merchant}, ${scope.mode} mode?`} verb={verb} onGo={go} onClose={onClose}>
      <p>
        {at === null
          ? `It decides for every payment from the next second on, in place of ${live.ruleSet.version === 0 ? 'the order of the accounts' : `version ${live.ruleSet.version}`}.`
          : `It takes over ${describeMoment(at, now)}, on ${describeExactly(at)}, unless other rules are published before or the schedule is cancelled.`}
      </p>
      <Consequence state={replay.state} days={days} accounts={live.accounts} onAgain={replay.again} />
      <p className={classes.muted}>
        {live.ruleSet.version === 0
          ? 'Payments that were started keep their way.'
          : `Version ${live.ruleSet.version} stays in the history and can be brought back in one step.`}
      </p>
    </Question>
  );
}

function Scheduled({ edited }: { edited: EditedDraft }) {
  const trpc = useTRPC();
  const { merchantId } = useRoutingScope();
  const { nameOf } = usePeople();
  const refresh = useRefreshRouting();
  const cancel = useMutation(trpc.routing.drafts.cancelSchedule.mutationOptions());
  const { draft } = edited;
  async function stop(): Promise<void> {
    try {
      const outcome = await cancel.mutateAsync({ merchantId, draftId: draft.draftId });
      if (outcome.kind === 'cancelled') edited.adopt(outcome.draft);
      else showToast({ tone: 'bad', text: 'It was too late: the schedule has been settled already.' });
      await refresh();
    } catch (error) {
      showToast({
        tone: 'bad',
        text: error instanceof Error ? error.message : 'The schedule could not be cancelled. Try again.',
      });
    }
  }
  return (
    <section className={classes.panel} aria-labelledby="scheduled">
      <h2 id="scheduled" className={classes.title}>
        Scheduled
      </h2>
      {draft.publishAt !== null && (
        <p>
          Takes over <Moment value={draft.publishAt} />, on {describeExactly(draft.publishAt)}. Scheduled by{' '}
          {nameOf(draft.scheduledBy)}.
        </p>
      )}
      <p className={classes.muted}>If other rules are published before, it is not published and becomes a draft again.</p>
      <Action busy={cancel.isPending} onClick={() => void stop()}>
        Cancel the schedule
      </Action>
    </section>
  );
}

/** Why the server did not publish, in one sentence. */
function refusalText(
  outcome: Exclude<PublishOutcome, { kind: 'published' | 'scheduled' }>,
  nameOf: (actor: string | null) => string,
): string {
  switch (outcome.kind) {
    case 'stale_base':
      return `${nameOf(outcome.publishedBy)} published version ${outcome.currentVersion} meanwhile. Nothing of theirs was overwritten: close this and settle it first.`;
    case 'stale':
      return `${nameOf(outcome.draft.savedBy)} saved this draft meanwhile. Close this and look at it again.`;
    case 'needs_approval':
      return 'A second person has to approve it first.';
    case 'broken_expectations':
      return outcome.broken[0]?.message ?? 'An expectation does not hold.';
    case 'invalid':
      return outcome.problems.map(({ field, message }) => `${field} ${message}`).join('; ');
    case 'not_a_draft':
      return 'It is no longer a draft: it was scheduled, published or discarded.';
    case 'not_found':
      return 'The draft is gone.';
    default:
      return outcome satisfies never;
  }
}
