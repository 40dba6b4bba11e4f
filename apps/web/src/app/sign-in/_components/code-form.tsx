'use client';

import { useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { signInWithBackupCode, signInWithCode } from '../sign-in-calls.ts';

interface CodeFormProps {
  readonly onSignedIn: () => void;
  readonly onStartAgain: () => void;
}

/** The second step: a code from the authenticator app, sent with its sixth digit, or a backup code when the phone is not available. */
export function CodeForm(props: CodeFormProps) {
  const [kind, setKind] = useState<'app' | 'backup'>('app');
  return <CodeStep key={kind} kind={kind} onChangeKind={() => setKind(kind === 'app' ? 'backup' : 'app')} {...props} />;
}

const schema = z.object({ code: z.string() });

function CodeStep({
  kind,
  onChangeKind,
  onSignedIn,
  onStartAgain,
}: CodeFormProps & { kind: 'app' | 'backup'; onChangeKind: () => void }) {
  const form = useForm({
    schema,
    values: { code: '' },
    async onSubmit({ code }) {
      const given = kind === 'app' ? code.replace(/\D/g, '') : code.trim();
      if (given.length < 6) return kind === 'app' ? 'The code has six digits.' : 'Enter one of your backup codes.';
      const step = await (kind === 'app' ? signInWithCode(given) : signInWithBackupCode(given));
      if (step.kind === 'signed_in') {
        onSignedIn();
        return null;
      }
      form.discard();
      return step.kind === 'refused' ? step.message : 'This did not work. Try again.';
    },
  });
  const element = useRef<HTMLFormElement>(null);
  const isWhole = kind === 'app' && form.entered.code.replace(/\D/g, '').length === 6;
  // A phone's keyboard of digits has no key that submits.
  useEffect(() => {
    if (isWhole) element.current?.requestSubmit();
  }, [isWhole]);
  return (
    <Form form={form} ref={element} className="grid gap-4" labelledBy="code-title" warns={false}>
      <h1 id="code-title" className="text-2xl leading-[1.25] tracking-[-0.015em]">
        {kind === 'app' ? 'Enter your code' : 'Enter a backup code'}
      </h1>
      <p className="text-ink-quiet text-sm">
        {kind === 'app'
          ? 'Open your authenticator app and enter the six digits it shows for Switchyard.'
          : 'Each backup code works once.'}
      </p>
      <FormRefusal />
      <form.Text
        name="code"
        label={kind === 'app' ? 'Six-digit code' : 'Backup code'}
        inputMode={kind === 'app' ? 'numeric' : 'text'}
        autoComplete="one-time-code"
        autoFocus
        spaced
      />
      <SubmitButton>Continue</SubmitButton>
      <div className="flex justify-between">
        <button type="button" className="py-1 text-accent-ink text-sm no-underline hover:underline" onClick={onChangeKind}>
          {kind === 'app' ? 'Use a backup code' : 'Use the app'}
        </button>
        <button type="button" className="py-1 text-accent-ink text-sm no-underline hover:underline" onClick={onStartAgain}>
          Start again
        </button>
      </div>
    </Form>
  );
}
