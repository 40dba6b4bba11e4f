'use client';

import { Command } from '#/components/first-payment/first-payment.tsx';
import { SecretDialog } from '#/components/shown-once/secret-dialog.tsx';
import type { Mode } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { volumeCommand } from '../volume-command.ts';

/** Shows a new finance token once, with a first query for it. */
export function CreatedToken({
  name,
  token,
  modes,
  publicUrl,
  onClose,
}: {
  name: string;
  token: string;
  modes: readonly Mode[];
  publicUrl: string;
  onClose: () => void;
}) {
  const { mode } = useScope();
  const command = volumeCommand(publicUrl, { mode: modes.includes(mode) ? mode : (modes[0] ?? mode), now: Date.now() });
  return (
    <SecretDialog
      title={`Token “${name}” was created`}
      secret={token}
      label="the token"
      advice="Store it where the program keeps its secrets. Anyone who has it can read these merchants’ reports and payments."
      onClose={onClose}
    >
      <Command text={command.replace('fin_…', token)} label="A first query with it" />
    </SecretDialog>
  );
}
