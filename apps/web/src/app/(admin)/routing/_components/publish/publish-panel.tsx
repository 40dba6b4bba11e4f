'use client';

import { publicationReason } from '@switchyard/api/entered-fields';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import * as z from 'zod/mini';
import { serverNow } from '#/clock/server-clock.ts';
import { Button } from '#/components/button/button.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { useNow } from '#/components/time/now.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { clockOf, dayOf, describeMoment, formatTimestamp, startOfDay } from '#/format/moments.ts';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { reportRefusal } from '#/forms/reply.ts';
import { useForm } from '#/forms/use-form.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { SHARES } from '../canary/describe-canary.ts';
import type { EditedDraft } from '../draft/use-draft.ts';
import { type LiveRouting, useMerchantName, useNextVersion, usePeople, useRoutingScope } from '../queries/use-routing.ts';
import { useStoredText } from '../queries/use-stored-text.ts';
import { isNameOf, NameField } from './name-field.tsx';
import { useRefreshRouting, useRollBackWithToast } from './use-publication.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The moment that `2026-11-21T14:30` is in the zone times are shown in; null for text that is not a time. */
export function readLocalTime(text: string): Date | null {
  const [, day = '', hours = '', minutes = ''] = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):([0-5]\d)(?::\d{2})?$/.exec(text) ?? [];
  const start = startOfDay(day);
  if (start === null) return null;
  const guess = start.getTime() + Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS;
  // On days of a DST change the hours since midnight differ from the clock time.
  for (const shift of [0, HOUR_MS, -HOUR_MS]) {
    const moment = new Date(guess + shift);
    if (localTime(moment) === `${day}T${hours}:${minutes}`) return moment;
  }
  return null;
}

/** A moment as a field for times takes it: `2026-11-21T14:30`. */
export function localTime(moment: Date): string {
  return `${dayOf(moment)}T${clockOf(moment)}`;
}

type PublishOutcome = RouterOutputs['routing']['drafts']['publish'];
type StartOutcome = RouterOutputs['routing']['canaries']['start'];

const STEP_MS = 3_600_000;
const REASON_MAX = 500;
const TIMES = [
  { value: 'now', label: 'Now' },
  { value: 'later', label: 'Schedule' },
  { value: 'share', label: 'For a share of customers' },
] as const;
/** In hundredths of a percentage point. */
const LOSSES = [
  { value: '50', label: '0.5 points' },
  { value: '100', label: '1 point' },
  { value: '200', label: '2 points' },
  { value: '500', label: '5 points' },
] as const;
const LENGTHS = [
  { value: '7', label: '7 days' },
  { value: '14', label: '14 days' },
  { value: '28', label: '28 days' },
  { value: '56', label: '56 days' },
  { value: '90', label: '90 days' },
] as const;

const publicationSchema = z.pipe(
  z.object({
    reason: publicationReason,
    when: z.enum(['now', 'later', 'share']),
    at: z.string(),
    percent: z.enum(SHARES.map(({ value }) => value)),
    loss: z.enum(LOSSES.map(({ value }) => value)),
    days: z.enum(LENGTHS.map(({ value }) => value)),
    merchantName: z.string(),
  }),
  z.transform(({ reason, when, at: clock, percent, loss, days }, context) => {
    if (when === 'now') return { reason, at: null, share: null };
    if (when === 'share') {
      return { reason, at: null, share: { percent: Number(percent), toleratedLoss: Number(loss), days: Number(days) } };
    }
    const at = readLocalTime(clock);
    if (at !== null && at.getTime() > serverNow()) return { reason, at, share: null };
    const message = at === null ? 'must be a date and a time' : 'is in the past';
    context.issues.push({ code: 'custom', path: ['at'], message, input: clock });
    return z.NEVER;
  }),
);

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
  const [reason, keepReason] = useStoredText(`reason ${draft.draftId}`);
  const [begin] = useState(() => localTime(new Date(Math.ceil(now / STEP_MS) * STEP_MS + STEP_MS)));
  const publish = usePublish({ edited, live, onDone: () => keepReason('') });
  const form = useForm({
    schema: publicationSchema,
    values: { reason, when: 'now', at: begin, percent: '10', loss: '100', days: '28', merchantName: '' },
    onSubmit: publish,
  });
  const next = useNextVersion(live.ruleSet.version);
  const { when, at: clock, percent, merchantName } = form.entered;
  const at = when === 'later' ? readLocalTime(clock) : null;
  if (draft.state === 'SCHEDULED') return <Scheduled edited={edited} />;
  const verb = VERBS[when](next, percent);
  const missing =
    why ??
    (same ? 'It is the same as the active version.' : null) ??
    (form.entered.reason.trim() === '' ? 'Enter a reason.' : null) ??
    (scope.mode === 'live' && !isNameOf(merchantName, merchant) ? `Enter the merchant's name, ${merchant}.` : null);
  return (
    <section
      className="grid gap-3 justify-items-stretch p-4 border border-line-strong rounded-xl text-sm"
      aria-labelledby="publish"
    >
      <Form form={form} warns={false}>
        <h2 id="publish" className="text-lg font-semibold tracking-[-0.005em]">
          {verb}
        </h2>
        <p>
          For <b>{merchant}</b>, {scope.mode} mode.{' '}
          {when === 'share' ? describeShare(percent, live.ruleSet.version) : describeStart(at, live.ruleSet.version, now)}
        </p>
        {draft.scheduleRefusal !== null && (
          <p className="py-2 px-2.5 rounded-md bg-bad-soft text-bad-ink">
            It was not published at its time, <Moment value={new Date(draft.scheduleRefusal.at)} />:{' '}
            {draft.scheduleRefusal.message}
          </p>
        )}
        <form.Area
          name="reason"
          label="Reason"
          rows={3}
          required
          maxLength={REASON_MAX}
          placeholder="Flutterwave is cheaper for USSD since Monday"
          onChange={keepReason}
        />
        <form.Radio name="when" label="Publish" choices={TIMES} />
        {when === 'later' && <form.DateTime name="at" label="Publish at" />}
        {when === 'share' && (
          <>
            <form.Select name="percent" label="Share" options={SHARES} />
            <form.Select name="loss" label="Tolerated loss of the success rate" options={LOSSES} />
            <form.Select name="days" label="Ends at the latest after" options={LENGTHS} />
          </>
        )}
        {scope.mode === 'live' && <NameField form={form} merchant={merchant} />}
        <FormRefusal />
        <SubmitButton disabled={missing !== null} aria-describedby={missing === null ? undefined : 'publish-missing'}>
          {verb}
        </SubmitButton>
        <p id="publish-missing" className="text-ink-faint text-sm">
          {missing ??
            (live.ruleSet.version === 0
              ? 'Payments already initiated are not changed.'
              : `Version ${live.ruleSet.version} stays in the history; you can roll back to it at any time.`)}
        </p>
      </Form>
    </section>
  );
}

const VERBS = {
  now: (next: number) => `Publish version ${next}`,
  later: (next: number) => `Schedule version ${next}`,
  share: (next: number, percent: string) => `Publish version ${next} for ${percent}% of customers`,
} as const;

/** Publishes or schedules the draft; returns in one sentence why the server refused. */
function usePublish({ edited, live, onDone }: { edited: EditedDraft; live: LiveRouting; onDone: () => void }) {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const router = useRouter();
  const merchant = useMerchantName();
  const { nameOf } = usePeople();
  const refresh = useRefreshRouting();
  const rollBack = useRollBackWithToast();
  const publication = useMutation(trpc.routing.drafts.publish.mutationOptions());
  const trial = useMutation(trpc.routing.canaries.start.mutationOptions());

  return async ({ at, reason, share }: z.output<typeof publicationSchema>): Promise<string | null> => {
    if (!(await edited.flush())) return 'The draft could not be saved first. Try again.';
    const { draftId } = edited.draft;
    const revision = edited.storedRevision();
    if (share !== null) {
      const begun = await trial.mutateAsync({ merchantId: scope.merchantId, draftId, revision, reason, ...share });
      if (begun.kind !== 'started') return refusalText(begun, nameOf);
      onDone();
      router.push(hrefIn(scope, '/routing/canary'));
      await refresh();
      showToast({ text: `Version ${begun.version} routes ${share.percent}% of customers of ${merchant}.` });
      return null;
    }
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
      text: `Version ${version} is active for ${merchant}.`,
      ...(before > 0 && {
        action: {
          label: `Roll back to ${before}`,
          run: () => rollBack({ version: before, baseVersion: version, reason: `Version ${version} was rolled back.` }),
        },
      }),
    });
    return null;
  };
}

/** When the rules take effect, and in place of what. */
function describeStart(at: Date | null, version: number, now: number): string {
  if (at === null) {
    const before = version === 0 ? 'the order of the accounts' : `version ${version}`;
    return `It decides for every new payment from now on, in place of ${before}.`;
  }
  return `It takes effect ${describeMoment(at, now)}, on ${formatTimestamp(at)}, unless other rules are published before then.`;
}

/** A sentence on the customers whom a version on trial routes, and on how the trial ends. */
function describeShare(percent: string, version: number): string {
  const before = version === 0 ? 'the order of the accounts' : `version ${version}`;
  return `It decides for ${percent}% of customers, and ${before} for the others. It is promoted once they show that it is not worse, and rolled back if it is worse by more than is tolerated.`;
}

function Scheduled({ edited }: { edited: EditedDraft }) {
  const trpc = useTRPC();
  const { merchantId } = useRoutingScope();
  const { nameOf } = usePeople();
  const refresh = useRefreshRouting();
  const cancel = useMutation(trpc.routing.drafts.cancelSchedule.mutationOptions());
  const { draft } = edited;
  async function stop(): Promise<string | null> {
    const outcome = await cancel.mutateAsync({ merchantId, draftId: draft.draftId });
    if (outcome.kind === 'cancelled') edited.adopt(outcome.draft);
    await refresh();
    return outcome.kind === 'cancelled' ? null : 'It was too late: the scheduled time has passed.';
  }
  return (
    <section
      className="grid gap-3 justify-items-stretch p-4 border border-line-strong rounded-xl text-sm"
      aria-labelledby="scheduled"
    >
      <h2 id="scheduled" className="text-lg font-semibold tracking-[-0.005em]">
        Scheduled
      </h2>
      {draft.publishAt !== null && (
        <p>
          Publishes <Moment value={draft.publishAt} tense="upcoming" />, on {formatTimestamp(draft.publishAt)}. Scheduled by{' '}
          {nameOf(draft.scheduledBy)}.
        </p>
      )}
      <p className="text-ink-faint text-sm">
        If other rules are published before, it is not published and becomes a draft again.
      </p>
      <Button loading={cancel.isPending} onClick={() => void reportRefusal(stop())}>
        Cancel the schedule
      </Button>
    </section>
  );
}

/** Why the server did not publish, in one sentence. */
function refusalText(
  outcome: Exclude<PublishOutcome | StartOutcome, { kind: 'published' | 'scheduled' | 'started' }>,
  nameOf: (actor: string | null) => string,
): string {
  switch (outcome.kind) {
    case 'stale_base':
      return `${nameOf(outcome.publishedBy)} published version ${outcome.currentVersion} meanwhile. Nothing was overwritten: review the changes first.`;
    case 'stale':
      return `${nameOf(outcome.draft.savedBy)} saved this draft meanwhile. Review it again.`;
    case 'already_running':
      return `Version ${outcome.version} is tried with a share of customers already. Stop that trial first.`;
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
