'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { serverNow } from '#/clock/server-clock.ts';
import { Button } from '#/components/button/button.tsx';
import { Copyable, CopyButton } from '#/components/copyable/copyable.tsx';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { PanelPart, SidePanel } from '#/components/side-panel/side-panel.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { gatewayTitle, methodTitle } from '#/copy/gateways.ts';
import { Form } from '#/forms/form.tsx';
import { FormActions } from '#/forms/form-dialog.tsx';
import { onlyChanged } from '#/forms/problems.ts';
import { reply } from '#/forms/reply.ts';
import { useForm } from '#/forms/use-form.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import { type Account, describeCredential, describeFees, describeLimits, type Kind } from '../copy.ts';
import { Switch } from '../switch.tsx';
import {
  ACCOUNT_ALIASES,
  AccountFields,
  accountSchema,
  CredentialFields,
  draftOf,
  FeeExamples,
  readDraft,
  settingsOf,
} from './account-fields.tsx';
import { AccountHealth, type AccountOverview } from './account-health.tsx';
import { GatewayWebhooks } from './gateway-webhooks.tsx';

type Doing = 'connect' | 'edit' | 'rotate' | null;

/** One account: its settings, health, usage and received webhooks. Escape closes it. */
export function AccountPanel({
  account,
  health,
  doing,
  onDo,
  onClose,
}: {
  account: Account;
  /** Undefined until loaded. */
  health: AccountOverview | undefined;
  doing: Doing;
  onDo: (next: Doing) => void;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const scope = useScope();
  const can = useCan();
  const mayAct = can('gateway:configure', account.merchantId);
  const { data: kinds } = useQuery(trpc.gateways.kinds.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY }));
  const kind = kinds?.find(({ name }) => name === account.gateway);
  return (
    <SidePanel label={`Account ${account.label}`} title={account.label} from={['data-account', account.id]} onClose={onClose}>
      <div>
        <p className="mb-1 text-ink-quiet text-sm">
          {gatewayTitle(account.gateway)}, {account.mode}, {account.merchantName}
        </p>
        <Copyable text={account.id} label="account id" />
      </div>
      {health !== undefined && <AccountHealth account={health} />}
      <Connection account={account} mayAct={mayAct} />
      <PanelPart title="Settings" action={mayAct && doing !== 'edit' && <Button onClick={() => onDo('edit')}>Edit</Button>}>
        {doing === 'edit' && mayAct && kind !== undefined ? (
          <EditForm account={account} kind={kind} what="settings" onClose={() => onDo(null)} />
        ) : (
          <>
            <DescriptionList>
              <Description name="Methods">{account.methods.map((method) => methodTitle(method)).join(', ')}</Description>
              <Description name="Amounts">
                {account.currencies.join(', ')} {describeLimits(account)}
              </Description>
              <Description name="Fees">
                {describeFees(account.fees)} · <Link href={hrefIn(scope, '/fees', { view: 'contracts' })}>Contracts</Link>
              </Description>
              <Description name="Base address">{account.baseUrl}</Description>
              <Description name="Connected">
                <Moment value={account.createdAt} />
              </Description>
            </DescriptionList>
            <FeeExamples fees={account.fees} currency={account.currencies[0] ?? 'NGN'} method={account.methods[0] ?? null} />
          </>
        )}
      </PanelPart>
      <PanelPart
        title="Credentials"
        action={
          mayAct &&
          doing !== 'rotate' && <Button onClick={() => onDo('rotate')}>{account.hasCredentials ? 'Replace' : 'Add'}</Button>
        }
      >
        {doing === 'rotate' && mayAct && kind !== undefined ? (
          <EditForm account={account} kind={kind} what="credentials" onClose={() => onDo(null)} />
        ) : (
          <DescriptionList>
            {!account.hasCredentials && (
              <Description name="None">No payment can go there until credentials are added.</Description>
            )}
            {account.hasCredentials &&
              kind?.fields.map(({ name, label, required }) => (
                <Description key={name} name={label}>
                  {required || account.credentialHint[name] !== undefined
                    ? describeCredential(account.credentialHint, name)
                    : 'None, or too short to show its end'}
                </Description>
              ))}
          </DescriptionList>
        )}
        <p className="text-ink-faint text-xs">Stored encrypted and never shown again. To change them, enter new ones.</p>
      </PanelPart>
      <PanelPart title="Webhook address">
        <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-2 py-1 pr-1 pl-3 rounded-md bg-ground-quiet">
          <code className="min-w-0 text-xs wrap-anywhere">{account.webhookUrl}</code>
          <CopyButton text={account.webhookUrl} label="the webhook address" />
        </div>
        <p className="text-ink-faint text-xs">
          Enter it in {gatewayTitle(account.gateway)}'s {account.mode} dashboard. A webhook makes us verify the payment at the
          gateway; it is never proof of payment by itself.
        </p>
      </PanelPart>
      {can('webhook:read', account.merchantId) && <GatewayWebhooks accountId={account.id} gateway={account.gateway} />}
      <PanelPart title={account.enabled ? 'Enabled' : 'Disabled'} label="Eligibility">
        <Switch account={account} mayAct={mayAct} />
        <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
          <Link href={hrefIn(scope, '/health', { account: account.id })}>Health</Link>
          <Link href={hrefIn(scope, '/payments', { gateway: account.gateway })}>Payments at {gatewayTitle(account.gateway)}</Link>
        </p>
      </PanelPart>
    </SidePanel>
  );
}

/** Tests the connection and the credentials on demand. */
function Connection({ account, mayAct }: { account: Account; mayAct: boolean }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [testedAt, setTestedAt] = useState<Date | null>(null);
  const test = useMutation(
    trpc.gateways.testConnection.mutationOptions({
      onSuccess() {
        setTestedAt(new Date(serverNow()));
        // The test may have put the account back into rotation.
        void queries.invalidateQueries({ queryKey: trpc.gateways.list.pathKey() });
        void queries.invalidateQueries({ queryKey: trpc.attention.list.pathKey() });
        void queries.invalidateQueries({ queryKey: trpc.health.overview.pathKey() });
      },
    }),
  );
  return (
    <PanelPart
      title="Connection"
      action={
        mayAct && (
          <Button onClick={() => test.mutate({ accountId: account.id })} loading={test.isPending}>
            {test.isPending ? 'Testing' : 'Test connection'}
          </Button>
        )
      }
    >
      {account.fault !== null && <Fault fault={account.fault} />}
      <div
        role="status"
        className={test.data === undefined ? 'text-sm' : 'side-note'}
        data-tone={test.data && TONES[test.data.verdict]}
      >
        {test.data === undefined ? (
          <p className="text-ink-faint text-xs">
            {mayAct
              ? 'Lists the latest payments at the gateway. Moves no money and does not count for health.'
              : 'Only operators and owners can test the connection.'}
          </p>
        ) : (
          <p>
            <strong>{VERDICTS[test.data.verdict]}</strong> {test.data.sentence}
            {testedAt !== null && (
              <span className="text-ink-quiet text-xs">
                {' '}
                <Moment value={testedAt} />
              </span>
            )}
          </p>
        )}
        {(test.data?.toCheck ?? []).length > 0 && (
          <>
            <p className="text-ink-faint text-xs">Only the gateway's own dashboard shows these:</p>
            <ul className="text-ink-faint text-xs">
              {test.data?.toCheck.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          </>
        )}
      </div>
      <Refusal message={test.error?.message ?? null} />
    </PanelPart>
  );
}

/** Why the account is out of rotation, and how to restore it. */
function Fault({ fault }: { fault: NonNullable<Account['fault']> }) {
  return (
    <div className="side-note grid gap-1" data-tone="bad">
      <p>
        <strong>Out of rotation.</strong> {fault.sentence}
        <span className="text-ink-quiet text-xs">
          {' '}
          <Moment value={fault.since} />
        </span>
      </p>
      {fault.kind === 'credentials' && fault.message !== '' && <p className="text-ink-quiet">{fault.message}</p>}
    </div>
  );
}

const TONES = { works: 'good', gateway: 'bad', configuration: 'wait' } as const;
const VERDICTS = { works: 'Works.', gateway: 'Does not work.', configuration: 'Does not work.' } as const;

/** Changes the settings of an account, or replaces its credentials as a whole. */
export function EditForm({
  account,
  kind,
  what,
  onClose,
}: {
  account: Account;
  kind: Kind;
  what: 'settings' | 'credentials';
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  // Values it was opened with: only what differs from it is sent.
  const [opened] = useState(() => draftOf(account));
  const update = useMutation(
    trpc.gateways.update.mutationOptions({
      onSuccess: () => queries.invalidateQueries({ queryKey: trpc.gateways.list.pathKey() }),
    }),
  );
  const form = useForm({
    schema: accountSchema(kind, what === 'credentials'),
    values: opened,
    aliases: ACCOUNT_ALIASES,
    async onSubmit({ settings, credentials }) {
      const before = settingsOf(opened, readDraft(opened, kind, false).read, kind);
      const changes = what === 'credentials' ? { credentials } : onlyChanged(before, settings);
      const outcome = await update.mutateAsync({ merchantId: account.merchantId, accountId: account.id, changes });
      return reply(outcome, {
        updated: ({ account }) => {
          onClose();
          showToast({
            text:
              what === 'credentials'
                ? `Credentials of "${account.label}" are replaced. Test the connection.`
                : `Account "${account.label}" is changed.`,
          });
          return null;
        },
        invalid: ({ problems }) => problems,
        label_taken: [{ field: 'label', message: 'is taken by another account of this merchant' }],
        not_found: 'The account does not exist any more.',
      });
    },
  });
  return (
    <Form form={form} className="grid gap-4">
      {what === 'credentials' ? (
        <CredentialFields kind={kind} form={form} />
      ) : (
        <AccountFields kind={kind} mode={account.mode} form={form} />
      )}
      {what === 'credentials' && (
        <p className="text-ink-faint text-xs">
          New payments use them at once. The old credentials are overwritten; this cannot be undone.
        </p>
      )}
      <FormActions
        action={what === 'credentials' ? `Replace credentials of ${account.label}` : `Save ${form.entered.label}`}
        disabled={!form.isDirty}
        onCancel={onClose}
      />
    </Form>
  );
}
