'use client';

import { methodWord } from '@switchyard/routing';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { ConfirmDialog } from '#/forms/form-dialog.tsx';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import type { Account } from './copy.ts';

type Eligibility = RouterOutputs['gateways']['usage'];

/** Payments and rules that depend on an account, and the action to disable or enable it. */
export function Switch({ account, mayAct }: { account: Account; mayAct: boolean }) {
  const trpc = useTRPC();
  const usage = useQuery(trpc.gateways.usage.queryOptions({ accountId: account.id }, { refetchInterval: 30_000 }));
  const { asked, isDone, ask, cancel, confirm } = useSwitch(account);
  const { enabled, label } = account;

  return (
    <>
      <p className="text-sm tabular-nums">
        {usage.data === undefined ? 'Counting the payments that go there…' : describeEffects(usage.data)}
      </p>
      {mayAct ? (
        <div>
          <Button variant={enabled ? 'danger' : 'accent'} onClick={ask}>
            {enabled ? 'Disable' : 'Enable'} {label}
          </Button>
        </div>
      ) : (
        <p className="text-ink-faint text-xs">Only operators and owners can enable or disable accounts.</p>
      )}
      {asked !== null && (
        <ConfirmDialog
          title={`${VERBS[asked]} ${label}?`}
          action={`${VERBS[asked]} ${label}`}
          variant={asked === 'disable' ? 'danger' : 'accent'}
          disabled={isDone}
          onConfirm={confirm}
          onClose={cancel}
        >
          <p className="py-2.5 px-3 border-l-3 border-wait bg-wait-soft text-sm">
            {isDone && `Another person has ${PAST[asked]} it in the meantime.`}
            {!isDone && usage.data !== undefined && describeSwitch(asked, usage.data, account.mode)}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

const VERBS = { enable: 'Enable', disable: 'Disable' } as const;
const PAST = { enable: 'enabled', disable: 'disabled' } as const;
const RULES_NAMED_MAX = 3;

/** Effects of disabling the account, in figures. */
function describeEffects({ payments, rules, defaultPlace }: Eligibility): string {
  const named = rules.slice(0, RULES_NAMED_MAX).map(({ name }) => `“${name}”`);
  const more = rules.length > RULES_NAMED_MAX ? ` and ${rules.length - RULES_NAMED_MAX} more` : '';
  const byRules =
    rules.length === 0
      ? 'no rule names it'
      : `named by ${rules.length === 1 ? 'the rule' : `${rules.length} rules:`} ${named.join(', ')}${more}`;
  const place = defaultPlace === null ? 'not in the default order' : `number ${defaultPlace} in the default order`;
  return `${count(payments)} went there in the last 24 hours; ${byRules}, ${place}.`;
}

function describeSwitch(asked: 'enable' | 'disable', eligibility: Eligibility, mode: string): string {
  const effects = describeEffects(eligibility);
  if (asked === 'enable') return `New ${mode} payments go there again at once, by rules and the default order: ${effects}`;
  const { onlyFor } = eligibility;
  const alone =
    onlyFor.length === 0
      ? ''
      : ` No other account takes ${onlyFor.map((method) => methodWord(method)).join(', ')}: those payments would fail.`;
  return `${effects} New payments go to the next account instead; open checkouts can still be paid.${alone}`;
}

function count(payments: number): string {
  return `${payments.toLocaleString('en')} ${payments === 1 ? 'payment' : 'payments'}`;
}

interface SwitchedAccount {
  readonly id: string;
  readonly merchantId: string;
  readonly label: string;
  readonly enabled: boolean;
}

const GONE = 'The account does not exist any more.';

/**
 * Disables or enables an account after a confirmation. The question keeps its direction while it is open: the account is read again
 * every few seconds, and a button that turned from Disable to Enable under the pointer would do the opposite.
 */
export function useSwitch({ id: accountId, merchantId, label, enabled }: SwitchedAccount) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<'enable' | 'disable' | null>(null);
  const update = useMutation(
    trpc.gateways.update.mutationOptions({
      onSuccess: () => queries.invalidateQueries({ queryKey: trpc.gateways.list.pathKey() }),
    }),
  );

  /** Throws the reason when it was refused. */
  async function turn(on: boolean): Promise<void> {
    const outcome = await update.mutateAsync({ merchantId, accountId, changes: { enabled: on } });
    if (outcome.kind !== 'updated') throw new Error(GONE);
  }

  return {
    /** The action to confirm; null for none. */
    asked,
    /** Another person has done what is asked. */
    isDone: !update.isPending && asked !== null && enabled === (asked === 'enable'),
    ask: () => setAsked(enabled ? 'disable' : 'enable'),
    cancel: () => setAsked(null),
    /** Throws the reason when it was refused. */
    async confirm(): Promise<null> {
      const on = asked === 'enable';
      await turn(on);
      showToast({
        text: `Account "${label}" is ${on ? 'enabled' : 'disabled'}.`,
        action: { label: on ? 'Disable it again' : 'Enable it again', run: () => turn(!on) },
      });
      return null;
    },
  };
}
