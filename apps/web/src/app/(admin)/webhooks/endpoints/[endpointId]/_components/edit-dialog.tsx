'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type EndpointDraft,
  EndpointFields,
  type Problems,
  problemsOf,
  refusedBy,
  settingsOf,
} from '#/app/(admin)/webhooks/_components/endpoint-form.tsx';
import { Button } from '#/components/button/button.tsx';
import { Dialog, DialogActions } from '#/components/dialog/dialog.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { formatOf } from '#/copy/webhooks.ts';
import { onlyChanged } from '#/forms/only-changed.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { EndpointDialogProps } from './dialog-props.ts';
import classes from './endpoint-page.module.css';

/** Changes an endpoint's URL and event types; can be undone. */
export function EditDialog({ endpoint, onDone, onClose }: EndpointDialogProps) {
  const trpc = useTRPC();
  const { merchantId, endpointId, url, description, types } = endpoint;
  const format = formatOf(endpoint.format);
  const [stored] = useState<EndpointDraft>({ url, description, all: types.length === 0, types, format, secret: '' });
  const [draft, setDraft] = useState(stored);
  const changes = onlyChanged(settingsOf(stored), settingsOf(draft));
  const isChanged = JSON.stringify(draft) !== JSON.stringify(stored);
  const [problems, setProblems] = useState<Problems>({});
  const update = useMutation(trpc.webhooks.update.mutationOptions());

  async function confirm() {
    const wrong = problemsOf(draft);
    setProblems(wrong);
    if (Object.keys(wrong).length > 0) return;
    const outcome = await update.mutateAsync({ merchantId, endpointId, changes });
    if (outcome.kind === 'invalid') {
      setProblems(refusedBy(outcome.problems));
      return;
    }
    onDone();
    onClose();
    showToast({
      text: 'The endpoint was changed.',
      action: {
        label: 'Undo',
        run: async () => {
          const back = onlyChanged(settingsOf(draft), settingsOf(stored));
          await update.mutateAsync({ merchantId, endpointId, changes: back });
          onDone();
        },
      },
    });
  }

  return (
    <Dialog title="Edit the endpoint" dirty={isChanged} onClose={onClose}>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void confirm().catch(() => undefined);
        }}
      >
        <EndpointFields
          draft={draft}
          problems={problems}
          onChange={(next) => {
            setDraft(next);
            setProblems({});
          }}
        />
        {draft.url.trim() !== url && endpoint.traffic.waiting > 0 && (
          <p className={classes.consequence}>
            {endpoint.traffic.waiting.toLocaleString('en')} {endpoint.traffic.waiting === 1 ? 'event waits' : 'events wait'}; they
            go to the new address.
          </p>
        )}
        <Refusal message={update.error?.message ?? null} />
        <DialogActions onCancel={onClose}>
          <Button variant="accent" type="submit" loading={update.isPending}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
