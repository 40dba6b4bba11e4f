'use client';

import { useMemo } from 'react';
import { showToast } from '../../../../components/toasts/toast-store.ts';
import { Consequence } from './consequence.tsx';
import fields from './field.module.css';
import { Field } from './field.tsx';
import { Question } from './question.tsx';
import { useRollBack } from './use-publication.ts';
import { useReplay } from './use-replay.ts';
import { useLive, useMerchantName, useRoutingScope } from './use-routing.ts';
import { useStoredText } from './use-stored-text.ts';

const DAYS = 7;

/** Confirmation before an old version is restored, with the consequences in figures. */
export function RollBack({ version, current, onClose }: { version: number; current: number; onClose: () => void }) {
  const scope = useRoutingScope();
  const live = useLive();
  const merchant = useMerchantName();
  const rollBack = useRollBack();
  const [reason, setReason] = useStoredText(`roll back ${scope.merchantId} ${scope.mode} ${version}`);
  const rules = useMemo(() => ({ kind: 'version' as const, version }), [version]);
  const replay = useReplay(rules, DAYS, current);
  async function go(): Promise<string | null> {
    const outcome = await rollBack({ version, baseVersion: current, reason: reason.trim() === '' ? null : reason.trim() });
    setReason('');
    if (outcome.kind === 'needs_approval') {
      showToast({ text: `A draft of version ${version} is ready and waits for a second person to approve it.` });
      return null;
    }
    const { version: next } = outcome.ruleSet;
    showToast({
      text: `The rules of version ${version} decide again, as version ${next}.`,
      action: {
        label: `Back to ${current}`,
        run: () => rollBack({ version: current, baseVersion: next, reason: `Version ${next} was taken back.` }),
      },
    });
    return null;
  }
  return (
    <Question
      title={`Bring the rules of version ${version} back for ${merchant}, ${scope.mode} mode?`}
      verb={`Roll back to version ${version}`}
      onGo={go}
      onClose={onClose}
    >
      <p>
        They take the place of version {current} from the next second on, as version {current + 1}. Nothing is deleted.
      </p>
      <Consequence state={replay.state} days={DAYS} accounts={live.data?.accounts ?? []} onAgain={replay.again} />
      <Field label="Why, for those who come after" notes={[]}>
        {(described) => (
          <textarea
            className={fields.input}
            rows={2}
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            {...described}
          />
        )}
      </Field>
    </Question>
  );
}
