'use client';

import { useMemo, useState } from 'react';
import { Button } from '../../../../components/button.tsx';
import { Dialog, DialogActions } from '../../../../components/dialog/dialog.tsx';
import { AreaField } from '../../../../components/field/field.tsx';
import { Refusal } from '../../../../components/refusal.tsx';
import { showToast } from '../../../../components/toasts/toast-store.ts';
import { Consequence } from './consequence.tsx';
import { isNameOf, NameField } from './name-field.tsx';
import { useConfirm } from './use-confirm.ts';
import { useRollBack, useRollBackWithToast } from './use-publication.ts';
import { useReplay } from './use-replay.ts';
import { useLive, useMerchantName, useRoutingScope } from './use-routing.ts';
import { useStoredText } from './use-stored-text.ts';

const DAYS = 7;

/** Confirmation before an old version is restored, with the consequences in figures. */
export function RollBack({ version, current: inForce, onClose }: { version: number; current: number; onClose: () => void }) {
  // The version that was in force when this was opened: of another one that is published meanwhile the person has seen nothing.
  const [current] = useState(inForce);
  const scope = useRoutingScope();
  const live = useLive();
  const merchant = useMerchantName();
  const rollBack = useRollBack();
  const rollBackWithToast = useRollBackWithToast();
  const [reason, setReason] = useStoredText(`roll back ${scope.merchantId} ${scope.mode} ${version}`);
  const [typedName, setTypedName] = useState('');
  const rules = useMemo(() => ({ kind: 'version' as const, version }), [version]);
  const replay = useReplay(rules, DAYS, current);
  async function go(): Promise<string | null> {
    const outcome = await rollBack({ version, baseVersion: current, reason: reason.trim() });
    setReason('');
    if (outcome.kind === 'needs_approval') {
      showToast({ text: `A draft of version ${version} waits for approval by a second person.` });
      return null;
    }
    const { version: next } = outcome.ruleSet;
    showToast({
      text: `The rules of version ${version} are in force again, as version ${next}.`,
      action: {
        label: `Back to ${current}`,
        run: () => rollBackWithToast({ version: current, baseVersion: next, reason: `Version ${next} was rolled back.` }),
      },
    });
    return null;
  }
  const { busy, refusal, confirm } = useConfirm(go, onClose);
  const isReady = reason.trim() !== '' && (scope.mode !== 'live' || isNameOf(typedName, merchant));
  return (
    <Dialog title={`Roll back to version ${version} for ${merchant}, ${scope.mode} mode?`} onClose={onClose}>
      <p>
        Its rules replace version {current} from now on, as version {current + 1}. Nothing is deleted.
      </p>
      <Consequence state={replay.state} days={DAYS} accounts={live.data?.accounts ?? []} onAgain={replay.again} />
      <AreaField
        label="Reason"
        required
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {scope.mode === 'live' && <NameField merchant={merchant} typed={typedName} onType={setTypedName} />}
      <Refusal message={refusal} />
      <DialogActions onCancel={onClose}>
        <Button tone="accent" busy={busy} disabled={!isReady} onClick={confirm}>
          Roll back to version {version}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
