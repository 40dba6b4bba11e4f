'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type MerchantDraft,
  MerchantFields,
  type Problems,
  problemsOf,
  settingsOf,
} from '#/app/(admin)/merchants/_components/merchant-fields.tsx';
import { Button } from '#/components/button/button.tsx';
import { CheckboxGroup } from '#/components/field/field.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { onlyChanged } from '#/forms/only-changed.ts';
import { useEdits } from '#/forms/use-edits.ts';
import { useUnloadWarning } from '#/forms/use-unload-warning.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useMay } from '#/trpc/use-may.ts';
import classes from './merchant-page.module.css';
import type { Profile } from './profile.ts';

/** The settings of the form of a new merchant, and those that only an existing merchant has. */
interface ProfileDraft extends MerchantDraft {
  readonly agentsMayWriteLive: boolean;
}

const AGENTS_LIVE = {
  value: 'live',
  label: 'Agents may save drafts in live mode',
  description:
    'Agents with a token that may save drafts can then change drafts of live rules and request their publication; a person still publishes.',
} as const;

/** The editable profile of a merchant. Applies to new payments at once; can be undone. */
export function ProfileForm({ profile }: { profile: Profile }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { merchantId } = profile;
  const mayUpdate = useMay()('merchant:update', merchantId);
  const known = draftOf(profile);
  const { draft, edit, saved, discard } = useEdits(known);
  const [problems, setProblems] = useState<Problems>({});
  const update = useMutation(trpc.merchants.update.mutationOptions());
  const isDirty = JSON.stringify(draft) !== JSON.stringify(known);
  useUnloadWarning(isDirty);

  async function save() {
    const wrong = problemsOf(draft);
    setProblems(wrong);
    if (Object.keys(wrong).length > 0) return;
    const before = changesOf(known);
    const after = changesOf(draft);
    const outcome = await update.mutateAsync({ merchantId, changes: onlyChanged(before, after) });
    if (outcome.kind === 'invalid') {
      setProblems(Object.fromEntries(outcome.problems.map(({ field, message }) => [field, message])));
      return;
    }
    showToast({
      text: `${outcome.merchant.name} was changed.`,
      action: { label: 'Undo', run: () => undo(onlyChanged(after, before)) },
    });
    await show();
    saved(draft);
  }

  async function undo(changes: Partial<ReturnType<typeof changesOf>>) {
    await update.mutateAsync({ merchantId, changes });
    await show();
  }

  async function show() {
    await queries.invalidateQueries({ queryKey: trpc.merchants.pathKey() });
  }

  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save().catch(() => undefined);
      }}
    >
      <MerchantFields
        draft={draft}
        problems={problems}
        disabled={!mayUpdate}
        onChange={(changes) => {
          edit(changes);
          setProblems({});
        }}
        onLeave={(field) => {
          const wrong = problemsOf(draft)[field];
          if (wrong !== undefined) setProblems({ ...problems, [field]: wrong });
        }}
      />
      <fieldset disabled={!mayUpdate} style={{ display: 'contents' }}>
        <CheckboxGroup
          label="Agents"
          choices={[AGENTS_LIVE]}
          values={draft.agentsMayWriteLive ? [AGENTS_LIVE.value] : []}
          onChange={(values) => edit({ agentsMayWriteLive: values.length > 0 })}
        />
      </fieldset>
      <Refusal message={update.error?.message ?? null} />
      {mayUpdate ? (
        <div className={classes.actions}>
          <Button variant="accent" type="submit" loading={update.isPending} disabled={!isDirty}>
            Save changes
          </Button>
          {isDirty && <Button onClick={discard}>Undo changes</Button>}
          <span className={classes.note}>{isDirty ? 'Applies to new payments immediately.' : 'No changes.'}</span>
        </div>
      ) : (
        <p className={classes.note}>Only operators and owners can change this.</p>
      )}
    </form>
  );
}

function draftOf(profile: Profile): ProfileDraft {
  const { name, defaultRedirectUrl, sessionMinutes, refundDuplicates, agentsMayWriteLive } = profile;
  const entered = { name, defaultRedirectUrl: defaultRedirectUrl ?? '', sessionMinutes: String(sessionMinutes) };
  return { ...entered, refundDuplicates, agentsMayWriteLive };
}

function changesOf(draft: ProfileDraft) {
  return { ...settingsOf(draft), agentsMayWriteLive: draft.agentsMayWriteLive };
}
