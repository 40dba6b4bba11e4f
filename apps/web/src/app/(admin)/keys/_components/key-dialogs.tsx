'use client';

import { keyNameSchema } from '@switchyard/api/entered-fields';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { serverNow } from '#/clock/server-clock.ts';
import { RadioGroup } from '#/components/radio-group/radio-group.tsx';
import { SecretDialog } from '#/components/shown-once/secret-dialog.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { formatTimestamp } from '#/format/moments.ts';
import type { FieldsOf } from '#/forms/bound-fields.tsx';
import { ConfirmDialog, FormDialog } from '#/forms/form-dialog.tsx';
import { reply } from '#/forms/reply.ts';
import { useForm } from '#/forms/use-form.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { FULL_ACCESS, KEY_SCOPES, type KeyRow, scopesOf, shortKey } from './keys-table.tsx';

/** Restrictions of a key, as they are entered. The server has the last word on each network. */
const restrictionsSchema = {
  scopes: z.array(z.string()).check(z.minLength(1, 'must have at least one permission')),
  /** One network a line, or separated by commas. */
  allowedAddresses: z.pipe(
    z.string(),
    z.transform((text) => text.split(/[\s,]+/).filter((entry) => entry !== '')),
  ),
};

interface Restrictions {
  scopes: string[];
  allowedAddresses: string;
}

/** The fields that restrict a key. Full access is chosen as such: a key without a permission is refused. */
function RestrictionFields({
  form,
}: {
  form: FieldsOf<Restrictions> & { readonly entered: Restrictions; readonly enter: (values: Partial<Restrictions>) => void };
}) {
  const isFull = form.entered.scopes.includes(FULL_ACCESS);
  return (
    <>
      <RadioGroup
        label="Access"
        choices={ACCESSES}
        value={isFull ? 'full' : 'restricted'}
        onChange={(access) => form.enter({ scopes: access === 'full' ? [FULL_ACCESS] : [] })}
      />
      {!isFull && <form.Checkboxes name="scopes" label="Permissions" choices={KEY_SCOPES} />}
      <form.Area
        name="allowedAddresses"
        label="May be used from"
        description="IP addresses or networks, one per line: 203.0.113.7, 2001:db8::/32. Empty for anywhere."
        placeholder="Anywhere"
      />
    </>
  );
}

const ACCESSES = [
  { value: 'restricted', label: 'Restricted' },
  { value: 'full', label: 'Full access', hint: 'Payments, refunds, events and settlements; not routing rules.' },
] as const;
const DAY_MS = 86_400_000;
const LIFETIMES = [
  { value: 'never', label: 'When it is revoked' },
  { value: '30', label: 'After 30 days' },
  { value: '90', label: 'After 90 days' },
  { value: '365', label: 'After a year' },
] as const;
const issueSchema = z.object({ name: keyNameSchema, life: z.enum(['never', '30', '90', '365']), ...restrictionsSchema });

/** Creates a key, and shows it once. */
export function IssueDialog({
  merchantId,
  merchantName,
  onDone,
  onClose,
}: {
  merchantId: string;
  merchantName: string;
  onDone: () => void;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const { mode } = useScope();
  const [issued, setIssued] = useState<{ name: string; secret: string } | null>(null);
  const issue = useMutation(trpc.keys.issue.mutationOptions());
  const form = useForm({
    schema: issueSchema,
    values: { name: '', life: 'never', scopes: [], allowedAddresses: '' },
    aliases: { expiresAt: 'name' },
    async onSubmit({ life, ...settings }) {
      const expiresAt = life === 'never' ? null : new Date(serverNow() + Number(life) * DAY_MS);
      const outcome = await issue.mutateAsync({ merchantId, mode, expiresAt, ...settings });
      return reply(outcome, {
        issued: ({ secretKey }) => {
          setIssued({ name: settings.name, secret: secretKey });
          onDone();
          return null;
        },
        invalid: ({ problems }) => problems,
        beyond_rights: ({ scopes }) => describeBeyond(scopes),
        too_many_keys: ({ limit }) => [
          { field: 'name', message: `cannot be one more: ${limit} ${mode} keys are in use. Revoke one first` },
        ],
      });
    },
  });

  if (issued !== null) {
    return (
      <SecretDialog
        title={`Key “${issued.name}” was created`}
        secret={issued.secret}
        label="the key"
        advice="Put it where the merchant’s server keeps its secrets, never in a browser or an app. Anyone who has it can act for the merchant."
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog title={`Create a ${mode} key for ${merchantName}`} form={form} action="Create key" onClose={onClose}>
      <form.Text
        name="name"
        label="Name"
        maxLength={100}
        description="What will use it, to distinguish it from the others."
        placeholder="Checkout server"
        autoFocus
      />
      <form.Radio name="life" label="Expires" choices={LIFETIMES} />
      <RestrictionFields form={form} />
    </FormDialog>
  );
}

const changeSchema = z.object({ name: keyNameSchema, ...restrictionsSchema });

/** Changes a key's name, what it may do and from where. The key itself stays. */
export function ChangeDialog({ known, onDone, onClose }: { known: KeyRow; onDone: () => void; onClose: () => void }) {
  const trpc = useTRPC();
  const { merchantId, keyId } = known;
  const change = useMutation(trpc.keys.change.mutationOptions());
  const form = useForm({
    schema: changeSchema,
    values: { name: known.name, scopes: [...scopesOf(known)], allowedAddresses: known.allowedAddresses.join('\n') },
    async onSubmit(_, { changed }) {
      const outcome = await change.mutateAsync({ merchantId, keyId, changes: changed });
      switch (outcome.kind) {
        case 'changed':
        case 'unchanged':
          onDone();
          showToast({
            text: `Key “${outcome.key.name}” was ${outcome.kind === 'changed' ? 'changed' : 'not changed'}.`,
          });
          return null;
        case 'invalid':
          return outcome.problems;
        case 'beyond_rights':
          return describeBeyond(outcome.scopes);
        case 'ended':
          return [{ field: 'name', message: 'cannot be changed: the key has ended meanwhile' }];
        default:
          return outcome satisfies never;
      }
    },
    onDone: onClose,
  });
  return (
    <FormDialog title={`Change “${known.name}”`} form={form} action="Save" onClose={onClose}>
      <p>
        <span className="text-ink-quiet font-mono text-xs">{shortKey(known)}</span> stays as it is. Requests outside these limits
        are refused within about a second.
      </p>
      <form.Text name="name" label="Name" maxLength={100} />
      <RestrictionFields form={form} />
    </FormDialog>
  );
}

/** Confirmation before a key is revoked permanently, with its recent use. */
export function RevokeDialog({
  known,
  others,
  merchantName,
  onDone,
  onClose,
}: {
  known: KeyRow;
  /** Other active keys of the merchant and mode. */
  others: number;
  merchantName: string;
  onDone: () => void;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const revoke = useMutation(trpc.keys.revoke.mutationOptions());

  async function confirm() {
    await revoke.mutateAsync({ merchantId: known.merchantId, keyId: known.keyId });
    onDone();
    showToast({ text: `Key “${known.name}” was revoked.` });
    return null;
  }

  const rest =
    others === 0
      ? `${merchantName} has no other ${known.mode} key: its servers could start no payments at all.`
      : `${others} other ${known.mode} ${others === 1 ? 'key goes' : 'keys go'} on working.`;
  return (
    <ConfirmDialog
      title={`Revoke “${known.name}”?`}
      action={`Revoke “${known.name}”`}
      variant="danger"
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        <span className="text-ink-quiet font-mono text-xs">{shortKey(known)}</span> is refused everywhere within about a second.
        This cannot be undone; you can create a new one.
      </p>
      <p className="py-2.5 px-3 border-l-3 border-wait bg-wait-soft text-sm">
        <KeyUse of={known} /> {rest}
      </p>
    </ConfirmDialog>
  );
}

const HOUR_MS = 3_600_000;
const OVERLAPS = [
  { value: '0', label: 'At once' },
  { value: '24', label: 'In 24 hours' },
  { value: '168', label: 'In 7 days' },
  { value: '720', label: 'In 30 days' },
] as const;
const rotateSchema = z.object({ overlap: z.enum(['0', '24', '168', '720']) });

/** Rotates a key: both work for a while. */
export function RotateDialog({ known, onDone, onClose }: { known: KeyRow; onDone: () => void; onClose: () => void }) {
  const trpc = useTRPC();
  const [made, setMade] = useState<{ secret: string; oldEndsAt: Date | null } | null>(null);
  const rotate = useMutation(trpc.keys.rotate.mutationOptions());
  const form = useForm({
    schema: rotateSchema,
    values: { overlap: '24' },
    aliases: { oldWorksUntil: 'overlap' },
    async onSubmit({ overlap }) {
      // The server's clock decides what is past; a moment ahead of it is at once.
      const oldWorksUntil = new Date(serverNow() + Math.max(Number(overlap) * HOUR_MS, 2_000));
      const { merchantId, keyId } = known;
      const outcome = await rotate.mutateAsync({ merchantId, keyId, oldWorksUntil, expiresAt: null });
      return reply(outcome, {
        rotated: ({ old, secretKey }) => {
          setMade({ secret: secretKey, oldEndsAt: old.expiresAt });
          onDone();
          return null;
        },
        invalid: ({ problems }) => problems,
        beyond_rights: ({ scopes }) => describeBeyond(scopes),
        ended: [{ field: 'overlap', message: 'cannot be: the key has ended meanwhile. Create a new one instead' }],
        too_many_keys: ({ limit }) => [
          { field: 'overlap', message: `cannot be: ${limit} keys are in use already. Revoke one first` },
        ],
      });
    },
  });

  if (made !== null) {
    const until = made.oldEndsAt === null ? '' : ` The old one works until ${formatTimestamp(made.oldEndsAt)}.`;
    return (
      <SecretDialog
        title={`New key for “${known.name}”`}
        secret={made.secret}
        label="the key"
        advice={`Give it to every server that has the old one.${until}`}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog title={`Rotate “${known.name}”`} form={form} action="Rotate key" onClose={onClose}>
      <p>
        Creates a new key of the same name beside <span className="text-ink-quiet font-mono text-xs">{shortKey(known)}</span>.
      </p>
      <form.Radio name="overlap" label="The old key ends" choices={OVERLAPS} />
      <p className="py-2.5 px-3 border-l-3 border-wait bg-wait-soft text-sm">
        <KeyUse of={known} />{' '}
        {form.entered.overlap === '0' ? 'Servers that still have it are refused within a second.' : 'Until then both keys work.'}
      </p>
    </FormDialog>
  );
}

/** How much a key is used, as sentences. */
function KeyUse({ of: { lastUsedAt, requestsInWeek } }: { of: KeyRow }) {
  if (lastUsedAt === null) return <>It has never been used.</>;
  return (
    <>
      It was last used <Moment value={lastUsedAt} />, with {requestsInWeek.toLocaleString('en')}{' '}
      {requestsInWeek === 1 ? 'request' : 'requests'} in the last seven days.
    </>
  );
}

/** Why a key is refused that could do more than the person. */
function describeBeyond(scopes: readonly string[]): string {
  const named = KEY_SCOPES.filter(({ value }) => scopes.includes(value)).map(({ label }) => label);
  return `Your role does not allow what the key could do: ${named.join(', ')}. Choose fewer permissions, or ask an owner.`;
}
