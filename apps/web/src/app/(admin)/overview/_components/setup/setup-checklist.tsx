'use client';

import { IconCheck, IconCircle } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { Button } from '#/components/button/button.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { reportRefusal } from '#/forms/reply.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { type Permission, useCan } from '#/trpc/use-can.ts';

/** How far a merchant is set up. */
export type Setup = NonNullable<RouterOutputs['setup']['read']>;

type Step = Setup['steps'][number]['step'];

interface StepCopy {
  readonly title: string;
  /** Purpose of the step, or the condition that counts as done. */
  readonly hint: string;
  /** Where it is done. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly mode: 'test' | 'live';
  /** The permission to do it. */
  readonly permission: Permission;
}

/** The steps of setting up a merchant, as people read them. */
const SETUP_LABELS: Readonly<Record<Step, StepCopy>> = {
  merchant: {
    title: 'Add a merchant',
    hint: 'A business whose servers start payments.',
    path: '/merchants',
    query: { do: 'create' },
    mode: 'test',
    permission: 'merchant:create',
  },
  account: {
    title: 'Add a gateway account',
    hint: 'Start with the test credentials of a gateway.',
    path: '/gateways',
    query: { do: 'connect' },
    mode: 'test',
    permission: 'gateway:configure',
  },
  connection: {
    title: 'Test its connection',
    hint: 'The gateway accepts the credentials; no money moves.',
    path: '/gateways',
    mode: 'test',
    permission: 'gateway:configure',
  },
  key: {
    title: 'Create a test key',
    hint: 'The merchant’s server signs its requests with it.',
    path: '/keys',
    query: { do: 'issue' },
    mode: 'test',
    permission: 'key:issue',
  },
  test_payment: {
    title: 'Make the first test payment',
    hint: 'Done once a test payment succeeded.',
    path: '/payments',
    mode: 'test',
    permission: 'payment:read',
  },
  webhook: {
    title: 'Add a webhook endpoint',
    hint: 'Done once it answered a delivery with HTTP 2xx.',
    path: '/webhooks',
    query: { do: 'create' },
    mode: 'test',
    permission: 'webhook:configure',
  },
  rules: {
    title: 'Publish routing rules',
    hint: 'Which account takes which payment, and what comes next when it fails.',
    path: '/routing',
    mode: 'test',
    permission: 'routing:publish',
  },
  team: {
    title: 'Invite a colleague',
    hint: 'So that a second person can act.',
    path: '/team',
    query: { do: 'invite' },
    mode: 'test',
    permission: 'team:manage',
  },
  live_account: {
    title: 'Add a live gateway account',
    hint: 'With the gateway’s live credentials.',
    path: '/gateways',
    query: { do: 'connect' },
    mode: 'live',
    permission: 'gateway:configure',
  },
  live_key: {
    title: 'Create a live key',
    hint: 'Its payments move money.',
    path: '/keys',
    query: { do: 'issue' },
    mode: 'live',
    permission: 'key:issue',
  },
  live_payment: {
    title: 'Receive the first live payment',
    hint: 'Done once a live payment succeeded.',
    path: '/payments',
    mode: 'live',
    permission: 'payment:read',
  },
};

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
