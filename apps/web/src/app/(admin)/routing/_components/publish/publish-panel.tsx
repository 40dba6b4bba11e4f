'use client';

import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { DateTimeField } from '#/components/date-field/date-field.tsx';
import { AreaField } from '#/components/field/field.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { RadioGroup } from '#/components/radio-group/radio-group.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { useNow } from '#/components/time/now.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { describeExactly, describeMoment } from '#/format/moments.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import type { EditedDraft } from '../draft/use-draft.ts';
import { isNameOf, NameField } from '../editor/name-field.tsx';
import type { LiveRouting } from '../queries/live-routing.ts';
import { useMerchantName, usePeople, useRoutingScope } from '../queries/use-routing.ts';
import { useStoredText } from '../queries/use-stored-text.ts';
import classes from './publish-panel.module.css';
import { localTime, readLocalTime } from './publish-time.ts';
import { useRefreshRouting, useRollBackWithToast } from './use-publication.ts';

type PublishOutcome = RouterOutputs['routing']['drafts']['publish'];

const HOUR_MS = 3_600_000;
const REASON_MAX = 500;
const TIMES = [
  { value: 'now', label: 'Now' },
  { value: 'later', label: 'Schedule' },
] as const;

/** Reason, time, in live mode the merchant's name, and the button that publishes the draft: the last step of the review. */
export function PublishPanel({
  edited,
  live,
  same,
  why,
}: {
  edited: EditedDraft;
  live: LiveRouting;
  same: boolean;
  /** Why it cannot be published yet; null when it can. */
  why: string | null;
}) {
  const { draft } = edited;
  const scope = useRoutingScope();
  const merchant = useMerchantName();
  const now = useNow();
  const [reason, setReason] = useStoredText(`reason ${draft.draftId}`);
  const [isLater, setIsLater] = useState(false);
  const [time, setTime] = useState(() => localTime(new Date(Math.ceil(now / HOUR_MS) * HOUR_MS + HOUR_MS)));
  const [typedName, setTypedName] = useState('');
  const { publish, busy, refusal } = usePublish({ edited, live, onDone: () => setReason('') });
  const at = isLater ? readLocalTime(time) : null;
  const timeProblem = !isLater ? null : at === null ? 'must be a date and a time' : at.getTime() <= now ? 'is in the past' : null;
  if (draft.state === 'SCHEDULED') return <Scheduled edited={edited} />;
  const next = live.ruleSet.version + 1;
  const verb = isLater ? `Schedule version ${next}` : `Publish version ${next}`;
  const missing =
    why ??
    (same ? 'It is the same as the version in force.' : null) ??
    (reason.trim() === '' ? 'Enter a reason.' : null) ??
    (scope.mode === 'live' && !isNameOf(typedName, merchant) ? `Enter the merchant's name, ${merchant}.` : null);
  return (
    <section className={classes.panel} aria-labelledby="publish">
      <h2 id="publish" className="text-lg font-semibold tracking-[-0.005em]">
        {verb}
      </h2>
      <p>
        For <b>{merchant}</b>, {scope.mode} mode. {describeStart(at, live.ruleSet.version, now)}
      </p>
      {draft.scheduleRefusal !== null && (
        <p className="py-2 px-2.5 rounded-md bg-bad-soft text-bad-ink">
          It was not published at its time, <Moment value={new Date(draft.scheduleRefusal.at)} />: {draft.scheduleRefusal.message}
        </p>
      )}
      <AreaField
        label="Reason"
        rows={3}
        required
        maxLength={REASON_MAX}
        placeholder="Flutterwave is cheaper for USSD since Monday"
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <RadioGroup
        label="When"
        choices={TIMES}
        value={isLater ? 'later' : 'now'}
        onChange={(when) => setIsLater(when === 'later')}
      />
      {isLater && <DateTimeField label="Publish at" value={time} error={timeProblem} onChange={setTime} />}
      {scope.mode === 'live' && <NameField merchant={merchant} typed={typedName} onType={setTypedName} />}
      <Refusal message={refusal} />
      <Button
        variant="accent"
        loading={busy}
        disabled={missing !== null || timeProblem !== null}
        aria-describedby={missing === null ? undefined : 'publish-missing'}
        onClick={() => void publish({ at, reason: reason.trim() })}
      >
        {verb}
      </Button>
      <p id="publish-missing" className="text-ink-faint text-sm">
        {missing ??
          (live.ruleSet.version === 0
            ? 'Payments already initiated are not changed.'
            : `Version ${live.ruleSet.version} stays in the history; you can roll back to it at any time.`)}
      </p>
    </section>
  );
}

/** Publishes or schedules the draft, and says in one sentence why the server refused. */
function usePublish({ edited, live, onDone }: { edited: EditedDraft; live: LiveRouting; onDone: () => void }) {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const router = useRouter();
  const merchant = useMerchantName();
  const { nameOf } = usePeople();
  const refresh = useRefreshRouting();
  const rollBack = useRollBackWithToast();
  const publication = useMutation(trpc.routing.drafts.publish.mutationOptions());
  const [refusal, setRefusal] = useState<string | null>(null);

  async function send({ at, reason }: { at: Date | null; reason: string }): Promise<string | null> {
    if (!(await edited.flush())) return 'The draft could not be saved first. Try again.';
    const { draftId } = edited.draft;
    const revision = edited.storedRevision();
    const outcome = await publication.mutateAsync({ merchantId: scope.merchantId, draftId, revision, at, reason });
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
      text: `Version ${version} is in force for ${merchant}.`,
      ...(before > 0 && {
        action: {
          label: `Roll back to ${before}`,
          run: () => rollBack({ version: before, baseVersion: version, reason: `Version ${version} was rolled back.` }),
        },
      }),
    });
    return null;
  }

  async function publish(command: { at: Date | null; reason: string }): Promise<void> {
    setRefusal(null);
    try {
      setRefusal(await send(command));
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : 'This did not work. Try again.');
    }
  }
  return { publish, busy: publication.isPending, refusal };
}

/** When the rules take effect, and in place of what. */
function describeStart(at: Date | null, version: number, now: number): string {
  if (at === null) {
    const before = version === 0 ? 'the order of the accounts' : `version ${version}`;
    return `It decides for every new payment from now on, in place of ${before}.`;
  }
  return `It takes effect ${describeMoment(at, now)}, on ${describeExactly(at)}, unless other rules are published before then.`;
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
      else showToast({ tone: 'bad', text: 'It was too late: the scheduled time has passed.' });
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
      <h2 id="scheduled" className="text-lg font-semibold tracking-[-0.005em]">
        Scheduled
      </h2>
      {draft.publishAt !== null && (
        <p>
          Takes over <Moment value={draft.publishAt} />, on {describeExactly(draft.publishAt)}. Scheduled by{' '}
          {nameOf(draft.scheduledBy)}.
        </p>
      )}
      <p className="text-ink-faint text-sm">
        If other rules are published before, it is not published and becomes a draft again.
      </p>
      <Button loading={cancel.isPending} onClick={() => void stop()}>
        Cancel the schedule
      </Button>
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
      return `${nameOf(outcome.publishedBy)} published version ${outcome.currentVersion} meanwhile. Nothing was overwritten: review the changes first.`;
    case 'stale':
      return `${nameOf(outcome.draft.savedBy)} saved this draft meanwhile. Review it again.`;
    case 'needs_approval':
      return 'A second person has to approve it first.';
    case 'broken_expectations':
      return outcome.broken[0]?.message ?? 'An expectation does not hold.';
    case 'invalid':
      return outcome.problems.map(({ field, message }) => `${field} ${message}`).join('; ');
    case 'not_a_draft':
      return 'It is no longer a draft: it was scheduled, published or discarded.';
    case 'not_found':
      return 'The draft no longer exists.';
    default:
      return outcome satisfies never;
  }
}
