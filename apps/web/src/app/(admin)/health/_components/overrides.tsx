'use client';

import { methodWord } from '@switchyard/routing';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../../components/button.tsx';
import { Dialog, DialogActions } from '../../../../components/dialog/dialog.tsx';
import { Moment } from '../../../../components/moment.tsx';
import { Refusal } from '../../../../components/refusal.tsx';
import { PanelPart } from '../../../../components/side-panel/side-panel.tsx';
import { showToast } from '../../../../components/toasts/toast-store.ts';
import { describeActor, OVERRIDE_LABELS, whyOf } from '../../../../copy/health.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import classes from './overrides.module.css';
import { type AccountOverview, type OverrideOverview, useNames } from './use-health.ts';

/** The active overrides of an account, with the actions to set and end one. */
export function Overrides({ account, onSet, mayAct }: { account: AccountOverview; onSet: () => void; mayAct: boolean }) {
  const [ending, setEnding] = useState<OverrideOverview | null>(null);
  const names = useNames(account.overrides.map(({ actor }) => actor));
  return (
    <PanelPart title="Overrides" action={mayAct && <Button onClick={onSet}>Set an override</Button>}>
      {account.overrides.length === 0 && <p className={classes.none}>None: rules and health decide alone.</p>}
      <ul>
        {account.overrides.map((override) => (
          <li key={override.overrideId} className={classes.item}>
            <div className={classes.detail}>
              <p className={classes.description}>
                {OVERRIDE_LABELS[override.action].past}, {methodWord(override.method)}
              </p>
              <p>{override.reason}</p>
              <p className={classes.by}>
                By {describeActor(override.actor, names)}, <Moment value={override.createdAt} />;{' '}
                {override.expiresAt === null ? (
                  'until a person ends it'
                ) : (
                  <>
                    ends <Moment value={override.expiresAt} />
                  </>
                )}
              </p>
            </div>
            {mayAct && <Button onClick={() => setEnding(override)}>End</Button>}
          </li>
        ))}
      </ul>
      {!mayAct && <p className={classes.none}>Setting one takes the role of an operator or an owner.</p>}
      {ending !== null && <EndDialog account={account} override={ending} onClose={() => setEnding(null)} />}
    </PanelPart>
  );
}

function EndDialog({
  account,
  override,
  onClose,
}: {
  account: AccountOverview;
  override: OverrideOverview;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const end = useMutation(trpc.health.endOverride.mutationOptions());
  const { past } = OVERRIDE_LABELS[override.action];
  const whose = `${account.label}, ${methodWord(override.method)}`;
  const whole = account.health.find(({ method }) => method === override.method) ?? account.health[0];

  async function confirm() {
    const { merchantId } = account;
    const outcome = await end.mutateAsync({ merchantId, overrideId: override.overrideId });
    onClose();
    showToast({
      text:
        outcome.kind === 'already_ended'
          ? `It had ended already: ${whose}.`
          : `Override ended: ${whose} follows rules and health again.`,
    });
  }

  return (
    <Dialog title={`End the override of ${whose}?`} onClose={onClose}>
      <p className={classes.consequence}>
        {past} for “{override.reason}”. Ending it puts rules and health in charge again at once
        {whole === undefined ? '.' : `, and health says: ${whyOf(whole)}`}
      </p>
      <Refusal message={end.error?.message ?? null} />
      <DialogActions>
        <Button tone="accent" onClick={() => void confirm().catch(() => undefined)} busy={end.isPending} autoFocus>
          End the override
        </Button>
        <Button onClick={onClose}>Leave it</Button>
      </DialogActions>
    </Dialog>
  );
}
