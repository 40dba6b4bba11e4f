'use client';

import { methodWord } from '@switchyard/routing';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../../components/button.tsx';
import { Dialog, DialogActions } from '../../../../components/dialog/dialog.tsx';
import { Refusal } from '../../../../components/refusal.tsx';
import { showToast } from '../../../../components/toasts/toast-store.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import type { RouterOutputs } from '../../../../trpc/outputs.ts';
import type { Account } from './copy.ts';
import classes from './switch.module.css';

type Eligibility = RouterOutputs['gateways']['usage'];

/** What depends on an account, and the action to disable or enable it. */
export function Switch({ account, mayAct }: { account: Account; mayAct: boolean }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const usage = useQuery(trpc.gateways.usage.queryOptions({ accountId: account.id }, { refetchInterval: 30_000 }));
  const update = useMutation(trpc.gateways.update.mutationOptions());
  const { enabled, label, merchantId, id: accountId } = account;

  async function turn(on: boolean): Promise<void> {
    const outcome = await update.mutateAsync({ merchantId, accountId, changes: { enabled: on } });
    await queries.invalidateQueries({ queryKey: trpc.gateways.list.pathKey() });
    if (outcome.kind !== 'updated') throw new Error('The account could not be changed.');
  }

  async function confirm() {
    await turn(!enabled);
    setAsking(false);
    showToast({
      text: enabled ? `Account "${label}" is disabled.` : `Account "${label}" is enabled.`,
      action: { label: enabled ? 'Enable it again' : 'Disable it again', run: () => turn(enabled) },
    });
  }

  return (
    <>
      <p className={classes.effects}>
        {usage.data === undefined ? 'Counting the payments that go there…' : describeEffects(usage.data)}
      </p>
      {mayAct ? (
        <div>
          <Button tone={enabled ? 'danger' : 'accent'} onClick={() => setAsking(true)}>
            {enabled ? 'Disable' : 'Enable'} {label}
          </Button>
        </div>
      ) : (
        <p className={classes.note}>Only operators and owners can enable or disable accounts.</p>
      )}
      {asking && (
        <Dialog title={`${enabled ? 'Disable' : 'Enable'} ${label}?`} onClose={() => setAsking(false)}>
          <p className={classes.consequence}>
            {usage.data === undefined ? '' : describeSwitch(enabled, usage.data, account.mode)}
          </p>
          <Refusal message={update.error?.message ?? null} />
          <DialogActions onCancel={() => setAsking(false)}>
            <Button
              tone={enabled ? 'danger' : 'accent'}
              onClick={() => void confirm().catch(() => undefined)}
              busy={update.isPending}
              autoFocus
            >
              {enabled ? 'Disable' : 'Enable'} {label}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}

const RULES_NAMED_MAX = 3;

/** What depends on the account, in figures. */
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

function describeSwitch(enabled: boolean, eligibility: Eligibility, mode: string): string {
  const effects = describeEffects(eligibility);
  if (!enabled) return `New ${mode} payments go there again at once, by rules and the default order: ${effects}`;
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
