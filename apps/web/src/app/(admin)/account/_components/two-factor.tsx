'use client';

import { useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { useTRPC } from '#/trpc/client.tsx';

const SetUpTwoFactor = dynamic(() => import('#/auth/set-up-two-factor.tsx').then((module) => module.SetUpTwoFactor));
const NewBackupCodes = dynamic(() => import('./two-factor-forms.tsx').then((module) => module.NewBackupCodes));
const DisableTwoFactor = dynamic(() => import('./two-factor-forms.tsx').then((module) => module.DisableTwoFactor));

type Doing = 'nothing' | 'setting_up' | 'new_codes' | 'turning_off';

/** The state of two-factor sign-in, with its actions. */
export function TwoFactor({ enabled }: { enabled: boolean }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [doing, setDoing] = useState<Doing>('nothing');
  const close = () => setDoing('nothing');
  function done(text: string) {
    close();
    showToast({ text });
    void queries.invalidateQueries({ queryKey: trpc.me.queryKey() });
    void queries.invalidateQueries({ queryKey: trpc.account.sessions.queryKey() });
  }
  if (!enabled) {
    return (
      <>
        {/* While it is being set up, it is on before the last step is done. */}
        {doing !== 'setting_up' && (
          <p className="max-w-[560px] text-ink-quiet">
            <Badge tone="wait" warns>
              Off
            </Badge>{' '}
            You sign in with a password only. With two-factor sign-in, a stolen password is not enough.
          </p>
        )}
        {doing === 'setting_up' ? (
          <div className="max-w-[560px] p-5 border border-line rounded-xl">
            <SetUpTwoFactor onDone={() => done('Two-factor sign-in is on.')} />
          </div>
        ) : (
          <div className="flex flex-wrap gap-2">
            <Button variant="accent" onClick={() => setDoing('setting_up')}>
              Set up two-factor sign-in
            </Button>
          </div>
        )}
      </>
    );
  }
  return (
    <>
      <p className="max-w-[560px] text-ink-quiet">
        <Badge tone="good">On</Badge> Signing in asks for your password and a code from your app.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setDoing('new_codes')}>New backup codes</Button>
        <Button variant="danger" onClick={() => setDoing('turning_off')}>
          Turn off
        </Button>
      </div>
      {doing === 'new_codes' && (
        <Dialog title="New backup codes" locked onClose={close}>
          <NewBackupCodes onDone={() => done('The new backup codes are active. The old ones no longer work.')} />
        </Dialog>
      )}
      {doing === 'turning_off' && (
        <Dialog title="Turn two-factor sign-in off" onClose={close}>
          <DisableTwoFactor onDone={() => done('Two-factor sign-in is off.')} onClose={close} />
        </Dialog>
      )}
    </>
  );
}
