'use client';

import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { passwordSchema } from '#/auth/password-rule.ts';
import { postAuth } from '#/auth/post-auth.ts';
import { BackupCodes, backupCodesIn, SetUpTwoFactor } from '#/auth/set-up-two-factor.tsx';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { Dialog, DialogActions } from '#/components/dialog/dialog.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';

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

/** Requires the user's password before a change, and posts it. */
function WithPassword({
  path,
  lead,
  action,
  tone = 'accent',
  onAnswer,
  children,
}: {
  path: string;
  lead: string;
  action: string;
  tone?: 'accent' | 'danger';
  onAnswer: (body: unknown) => void;
  children?: ReactNode;
}) {
  const form = useForm({
    schema: passwordSchema,
    values: { password: '' },
    async onSubmit(entered) {
      const answer = await postAuth(path, entered);
      if (!answer.ok) return answer.message ?? 'This is not your password.';
      onAnswer(answer.body);
      return null;
    },
  });
  return (
    <Form form={form} className="grid gap-3.5 max-w-[360px]" warns={false}>
      <p className="max-w-[560px] text-ink-quiet">{lead}</p>
      <FormRefusal />
      <form.Secret name="password" label="Your password" autoComplete="current-password" />
      <DialogActions>
        {children}
        <SubmitButton variant={tone}>{action}</SubmitButton>
      </DialogActions>
    </Form>
  );
}

/** Makes new backup codes; the old ones stop working. */
export function NewBackupCodes({ onDone }: { onDone: () => void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes !== null) return <BackupCodes codes={codes} onDone={onDone} />;
  return (
    <WithPassword
      path="/two-factor/generate-backup-codes"
      lead="The codes you have now stop working as soon as you see the new ones."
      action="Make new codes"
      onAnswer={(body) => setCodes(backupCodesIn(body))}
    />
  );
}

/** Turns two-factor sign-in off. */
export function DisableTwoFactor({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  return (
    <WithPassword
      path="/two-factor/disable"
      lead="You will sign in with a password only. Your backup codes stop working too."
      action="Turn off"
      tone="danger"
      onAnswer={onDone}
    >
      <Button onClick={onClose}>Cancel</Button>
    </WithPassword>
  );
}
