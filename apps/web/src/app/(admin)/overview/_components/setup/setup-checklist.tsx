'use client';

import { IconCheck, IconCircle } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { Button } from '#/components/button/button.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { SETUP_LABELS, type Setup } from '#/copy/setup.ts';
import { reportRefusal } from '#/forms/report-refusal.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';

/** Set-up steps of a new merchant, each with the way to where it is done. */
export function SetupChecklist({ setup }: { setup: Setup }) {
  const { merchantId, merchantName, steps } = setup;
  const count = steps.filter(({ done }) => done).length;
  return (
    <section className="mb-6 border border-line rounded-xl" aria-labelledby="set-up">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pt-3">
        <h2 className="flex-1 min-w-[180px] max-phone:basis-full text-lg font-semibold" id="set-up">
          {merchantName === null ? 'Set up your workspace' : `Set up ${merchantName}`}
        </h2>
        <span className="max-phone:flex-1 text-ink-quiet text-sm tabular-nums">
          {count} of {steps.length} done
        </span>
        {merchantId !== null && <Dismiss merchantId={merchantId} />}
      </div>
      <ol className="grid gap-x-8 px-4 pt-1 pb-3 min-[860px]:grid-cols-2">
        {steps.map(({ step, done }) => (
          <StepLine key={step} merchantId={merchantId} step={step} done={done} />
        ))}
      </ol>
    </section>
  );
}

function StepLine({ merchantId, step, done }: { merchantId: string | null; step: keyof typeof SETUP_LABELS; done: boolean }) {
  const can = useCan();
  const { title, hint, path, query, mode, permission } = SETUP_LABELS[step];
  // Without a merchant nothing else can be done yet.
  const isOpen = !done && can(permission, merchantId) && (merchantId !== null || step === 'merchant');
  const Glyph = done ? IconCheck : IconCircle;
  return (
    // On a phone what is done has no place before the figures of the day: its number is above.
    <li className={`flex items-start gap-2.5 py-2 min-h-11 text-sm ${done ? 'max-phone:hidden' : ''}`}>
      <Glyph
        size={18}
        stroke={done ? 2.2 : 1.6}
        className={done ? 'flex-none mt-px text-good-ink' : 'flex-none mt-px text-ink-faint'}
        role="img"
        aria-label={done ? 'Done' : 'To do'}
      />
      <span className="grid min-w-0">
        {isOpen ? (
          <Link href={hrefIn({ mode, merchantId }, path, query)} prefetch={false} className="font-medium">
            {title}
          </Link>
        ) : (
          <span className={done ? 'text-ink-quiet' : 'font-medium'}>{title}</span>
        )}
        {!done && <span className="text-ink-faint text-xs">{hint}</span>}
      </span>
    </li>
  );
}

/** Hides it from this person; an undo brings it back. */
function Dismiss({ merchantId }: { merchantId: string }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const dismiss = useMutation(
    trpc.setup.dismiss.mutationOptions({
      onSuccess: () => queries.invalidateQueries({ queryKey: trpc.setup.pathKey() }),
    }),
  );
  async function hide(): Promise<null> {
    await dismiss.mutateAsync({ merchantId, dismissed: true });
    showToast({
      text: 'The set-up checklist is hidden for you.',
      action: { label: 'Undo', run: () => dismiss.mutateAsync({ merchantId, dismissed: false }) },
    });
    return null;
  }
  return (
    <Button loading={dismiss.isPending} onClick={() => void reportRefusal(hide())}>
      Dismiss
    </Button>
  );
}
