'use client';

import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { Dialog, DialogActions } from '#/components/dialog/dialog.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { MerchantFields, NEW_MERCHANT, type Problems, problemsOf, settingsOf } from './merchant-fields.tsx';
import classes from './merchants-page.module.css';

/** Creates a merchant and opens its page. */
export function CreateDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const { mode } = useScope();
  const [draft, setDraft] = useState(NEW_MERCHANT);
  const [problems, setProblems] = useState<Problems>({});
  const create = useMutation(trpc.merchants.create.mutationOptions());

  async function confirm() {
    const wrong = problemsOf(draft);
    setProblems(wrong);
    if (Object.keys(wrong).length > 0) return;
    const outcome = await create.mutateAsync(settingsOf(draft));
    switch (outcome.kind) {
      case 'created':
        onDone();
        showToast({ text: `${outcome.merchant.name} was added as ${outcome.merchant.merchantNumber}.` });
        router.push(hrefIn({ mode, merchantId: outcome.merchant.merchantId }, `/merchants/${outcome.merchant.merchantId}`));
        return;
      case 'invalid':
        setProblems(Object.fromEntries(outcome.problems.map(({ field, message }) => [field, message])));
        return;
      case 'number_taken':
        setProblems({ name: 'could not be given a number; try again' });
        return;
      default:
        return outcome satisfies never;
    }
  }

  return (
    <Dialog title="Add merchant" dirty={draft.name !== ''} onClose={onClose}>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void confirm().catch(() => undefined);
        }}
      >
        <MerchantFields
          draft={draft}
          problems={problems}
          onChange={(changes) => {
            setDraft({ ...draft, ...changes });
            setProblems({});
          }}
          onLeave={(field) => {
            const wrong = problemsOf(draft)[field];
            if (wrong !== undefined && draft.name !== '') setProblems({ ...problems, [field]: wrong });
          }}
        />
        <Refusal message={create.error?.message ?? null} />
        <DialogActions onCancel={onClose}>
          <Button variant="accent" type="submit" loading={create.isPending}>
            Add
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
