'use client';

import { keyNameSchema, tokenScopes } from '@switchyard/api/entered-fields';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import * as z from 'zod/mini';
import { serverNow } from '#/clock/server-clock.ts';
import { Command } from '#/components/first-payment/first-payment.tsx';
import { SecretDialog } from '#/components/shown-once/secret-dialog.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { ConfirmDialog, FormDialog } from '#/forms/form-dialog.tsx';
import { useForm } from '#/forms/use-form.ts';
import type { Mode } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCanAnywhere } from '#/trpc/use-can.ts';
import { ClientSetup, volumeCommand } from './client-setup.tsx';
import type { Token } from './use-tokens.ts';

const DAY_MS = 86_400_000;
const LIFETIMES = [
  { value: '30', label: 'After 30 days' },
  { value: '90', label: 'After 90 days' },
  { value: '365', label: 'After a year' },
] as const;
const MODES = [
  { value: 'test', label: 'Test' },
  { value: 'live', label: 'Live' },
] as const;
const SCOPES = [
  {
    value: 'reports',
    label: 'Read reports',
    description: 'GraphQL and exports, of the merchants and modes that you choose.',
  },
  {
    value: 'tools',
    label: 'Read as an agent',
    description: 'The tools of the Model Context Protocol, with your roles at the time of each call.',
  },
  {
    value: 'drafts',
    label: 'Save drafts as an agent',
    description: 'Drafts of routing rules, and requests for their publication, which a person decides on.',
  },
] as const;

const schema = z
  .object({
    name: keyNameSchema,
    scopes: tokenScopes,
    merchantIds: z.array(z.string()),
    modes: z.array(z.enum(['test', 'live'])),
    life: z.enum(['30', '90', '365']),
  })
  .check(
    requiredForReports('merchantIds', 'must have at least one merchant'),
    requiredForReports('modes', 'must be test, live or both'),
  );

interface ReportChoices {
  readonly scopes: readonly string[];
  readonly merchantIds: readonly string[];
  readonly modes: readonly string[];
}

/** Requires a choice where the token reads reports, also while another field is wrong. */
function requiredForReports(field: 'merchantIds' | 'modes', error: string) {
  return z.refine<ReportChoices>(({ scopes, [field]: chosen }) => !scopes.includes('reports') || chosen.length > 0, {
    path: [field],
    error,
    when: () => true,
  });
}

/** Issues a token to the signed-in person, and shows it once. */
export function IssueDialog({ publicUrl, onDone, onClose }: { publicUrl: string; onDone: () => void; onClose: () => void }) {
  const trpc = useTRPC();
  const mayReport = useCanAnywhere()('report:export');
  const { mode, merchantId } = useScope();
  const { data: merchants } = useQuery(trpc.merchants.list.queryOptions(undefined, { staleTime: 60_000 }));
  const [issued, setIssued] = useState<Omit<ComponentProps<typeof IssuedToken>, 'publicUrl' | 'onClose'> | null>(null);
  const issue = useMutation(trpc.machineTokens.issue.mutationOptions());
  const form = useForm({
    schema,
    values: { name: '', scopes: [], merchantIds: merchantId === null ? [] : [merchantId], modes: [mode], life: '90' },
    aliases: { expiresAt: 'life' },
    async onSubmit({ name, scopes, life, ...reports }) {
      const { merchantIds, modes } = scopes.includes('reports') ? reports : { merchantIds: [], modes: [] };
      const expiresAt = new Date(serverNow() + Number(life) * DAY_MS);
      const outcome = await issue.mutateAsync({ name, scopes, merchantIds, modes, expiresAt });
      if (outcome.kind !== 'issued') return outcome.problems;
      setIssued({ name, scopes, modes, token: outcome.token });
      onDone();
      return null;
    },
  });

  if (issued !== null) return <IssuedToken {...issued} publicUrl={publicUrl} onClose={onClose} />;
  return (
    <FormDialog title="Create machine token" form={form} action="Create token" onClose={onClose}>
      <form.Text
        name="name"
        label="Name"
        maxLength={100}
        description="What will use it; the audit log names it."
        placeholder="Month-end workbook"
        autoFocus
      />
      <form.Checkboxes name="scopes" label="May" choices={SCOPES.filter(({ value }) => value !== 'reports' || mayReport)} />
      {form.entered.scopes.includes('reports') && (
        <>
          <form.Checkboxes
            name="merchantIds"
            label="Merchants"
            choices={(merchants ?? []).map(({ merchantId: value, name: label }) => ({ value, label }))}
          />
          <form.Checkboxes name="modes" label="Modes" choices={MODES} />
        </>
      )}
      <form.Radio name="life" label="Expires" choices={LIFETIMES} />
    </FormDialog>
  );
}

/** Shows a new token once, with a first use of it. */
function IssuedToken({
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
        <Command text={volumeCommand(publicUrl, { mode: asked, now: serverNow(), token })} label="A first query with it" />
      )}
      {scopes.includes('tools') && <ClientSetup publicUrl={publicUrl} token={token} />}
    </SecretDialog>
  );
}

/** Confirmation before a token is revoked permanently. */
export function RevokeDialog({
  token: { tokenId, name, lastFour, staffName, lastUsedAt },
  onDone,
  onClose,
}: {
  token: Token;
  onDone: () => void;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const revoke = useMutation(trpc.machineTokens.revoke.mutationOptions({ onSuccess: onDone }));
  async function confirm() {
    await revoke.mutateAsync({ tokenId });
    showToast({ text: `Token “${name}” was revoked.` });
    return null;
  }
  return (
    <ConfirmDialog title={`Revoke “${name}”?`} action={`Revoke “${name}”`} variant="danger" onConfirm={confirm} onClose={onClose}>
      <p>
        The token of {staffName} that ends in <code>{lastFour}</code> stops working immediately. Drafts that an agent saved with
        it remain. This cannot be undone; you can create a new one.
      </p>
      <p>
        {lastUsedAt === null ? (
          'It has never been used.'
        ) : (
          <>
            It was last used <Moment value={lastUsedAt} />.
          </>
        )}
      </p>
    </ConfirmDialog>
  );
}
