'use client';

import { Command } from '#/components/first-payment/first-payment.tsx';
import { SecretDialog } from '#/components/shown-once/secret-dialog.tsx';
import type { Mode } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { volumeCommand } from '../report-commands.ts';
import { ClientSetup } from './client-setup.tsx';
import type { Token } from './use-tokens.ts';

/** Shows a new token once, with a first use of it. */
export function IssuedToken({
  name,
  token,
  scopes,
  modes,
  publicUrl,
  onClose,
}: {
  name: string;
  token: string;
  scopes: Token['scopes'];
  modes: readonly Mode[];
  publicUrl: string;
  onClose: () => void;
}) {
  const { mode } = useScope();
  const asked = modes.includes(mode) ? mode : (modes[0] ?? mode);
  return (
    <SecretDialog
      title={`Token “${name}” was created`}
      secret={token}
      label="the token"
      advice={`Store it where the program keeps its secrets. Anyone who has it can read ${scopes.includes('tools') ? 'what you may read, in your name' : 'these merchants’ reports and payments'}.`}
      onClose={onClose}
    >
      {scopes.includes('reports') && (
        <Command text={volumeCommand(publicUrl, { mode: asked, now: Date.now(), token })} label="A first query with it" />
      )}
      {scopes.includes('tools') && <ClientSetup publicUrl={publicUrl} token={token} />}
    </SecretDialog>
  );
}
