'use client';

import { IconX } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../../../components/button.tsx';
import { Copyable, CopyButton } from '../../../../components/copyable.tsx';
import { Fact, Facts } from '../../../../components/facts.tsx';
import { Moment } from '../../../../components/moment.tsx';
import { Refusal } from '../../../../components/refusal.tsx';
import { hrefIn } from '../../../../scope/scope.ts';
import { useScope } from '../../../../scope/use-scope.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import { useMay } from '../../../../trpc/use-may.ts';
import { gatewayTitle, methodTitle } from '../../../../words/gateways.ts';
import { FeeExamples } from './account-fields.tsx';
import classes from './account-panel.module.css';
import { Deliveries } from './deliveries.tsx';
import { EditForm } from './edit-form.tsx';
import { Switch } from './switch.tsx';
import { type Account, describeCredential, describeFees, describeLimits } from './words.ts';

type Doing = 'connect' | 'edit' | 'rotate' | null;

/** One account: what it is, whether it works, what hangs on it, and what its gateway delivered. Escape closes it. */
export function AccountPanel({
  account,
  doing,
  onDo,
  onClose,
}: {
  account: Account;
  doing: Doing;
  onDo: (next: Doing) => void;
  onClose: () => void;
}) {
  const panel = useRef<HTMLElement>(null);
  const trpc = useTRPC();
  const scope = useScope();
  const may = useMay();
  const mayAct = may('gateway:configure', account.merchantId);
  const { data: kinds } = useQuery(trpc.gateways.kinds.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY }));
  const kind = kinds?.find(({ name }) => name === account.gateway);
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);

  function press(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    onClose();
  }

  return (
    <aside className={classes.panel} ref={panel} tabIndex={-1} aria-label={`Account ${account.label}`} onKeyDown={press}>
      <div className={classes.bar}>
        <h2 className={classes.title}>{account.label}</h2>
        <button type="button" className={classes.close} onClick={onClose} aria-label="Close (Esc)" title="Close (Esc)">
          <IconX size={18} stroke={1.7} aria-hidden="true" />
        </button>
      </div>
      <p className={classes.lead}>
        {gatewayTitle(account.gateway)}, {account.mode}, {account.merchantName}
      </p>
      <Copyable text={account.id} label="account id" />
      <Connection account={account} mayAct={mayAct} />
      <section className={classes.part} aria-label="Settings">
        <div className={classes.headline}>
          <h3 className={classes.heading}>Settings</h3>
          {mayAct && doing !== 'edit' && <Button onClick={() => onDo('edit')}>Edit</Button>}
        </div>
        {doing === 'edit' && mayAct && kind !== undefined ? (
          <EditForm account={account} kind={kind} what="settings" onClose={() => onDo(null)} />
        ) : (
          <>
            <Facts>
              <Fact name="Methods">{account.methods.map((method) => methodTitle(method)).join(', ')}</Fact>
              <Fact name="Amounts">
                {account.currencies.join(', ')} {describeLimits(account)}
              </Fact>
              <Fact name="Fees">{describeFees(account.fees)}</Fact>
              <Fact name="Base address">{account.baseUrl}</Fact>
              <Fact name="Connected">
                <Moment value={account.createdAt} />
              </Fact>
            </Facts>
            <FeeExamples fees={account.fees} currency={account.currencies[0] ?? 'NGN'} method={account.methods[0] ?? null} />
          </>
        )}
      </section>
      <section className={classes.part} aria-label="Credentials">
        <div className={classes.headline}>
          <h3 className={classes.heading}>Credentials</h3>
          {mayAct && doing !== 'rotate' && (
            <Button onClick={() => onDo('rotate')}>{account.hasCredentials ? 'Replace' : 'Write'}</Button>
          )}
        </div>
        {doing === 'rotate' && mayAct && kind !== undefined ? (
          <EditForm account={account} kind={kind} what="credentials" onClose={() => onDo(null)} />
        ) : (
          <Facts>
            {!account.hasCredentials && <Fact name="None">No payment can go there until they are written.</Fact>}
            {account.hasCredentials &&
              kind?.fields.map(({ name, label, required }) => (
                <Fact key={name} name={label}>
                  {required || account.credentialHint[name] !== undefined
                    ? describeCredential(account.credentialHint, name)
                    : 'none, or too short to show any of'}
                </Fact>
              ))}
          </Facts>
        )}
        <p className={classes.note}>Encrypted where they are kept, and never read back: replacing them means writing new ones.</p>
      </section>
      <section className={classes.part} aria-label="Webhook address">
        <h3 className={classes.heading}>Webhook address</h3>
        <div className={classes.address}>
          <code>{account.webhookUrl}</code>
          <CopyButton text={account.webhookUrl} label="the webhook address" />
        </div>
        <p className={classes.note}>
          Put it into {gatewayTitle(account.gateway)}'s {account.mode} dashboard. A delivery is a hint to ask the gateway, never a
          proof of payment.
        </p>
      </section>
      {may('webhook:read', account.merchantId) && <Deliveries accountId={account.id} gateway={account.gateway} />}
      <section className={classes.part} aria-label="Standing">
        <h3 className={classes.heading}>{account.enabled ? 'Enabled' : 'Disabled'}</h3>
        <Switch account={account} mayAct={mayAct} />
        <p className={classes.links}>
          <Link href={hrefIn(scope, '/health', { account: account.id })}>Health</Link>
          <Link href={hrefIn(scope, '/payments', { gateway: account.gateway })}>Payments at {gatewayTitle(account.gateway)}</Link>
        </p>
      </section>
    </aside>
  );
}

/** Whether the gateway answers and knows us, on demand. */
function Connection({ account, mayAct }: { account: Account; mayAct: boolean }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [testedAt, setTestedAt] = useState<Date | null>(null);
  const test = useMutation(
    trpc.gateways.testConnection.mutationOptions({
      onSuccess() {
        setTestedAt(new Date());
        void queries.invalidateQueries({ queryKey: trpc.health.overview.pathKey() });
      },
    }),
  );
  return (
    <section className={classes.part} aria-label="Connection">
      <div className={classes.headline}>
        <h3 className={classes.heading}>Connection</h3>
        {mayAct && (
          <Button onClick={() => test.mutate({ accountId: account.id })} busy={test.isPending}>
            {test.isPending ? 'Testing' : 'Test connection'}
          </Button>
        )}
      </div>
      <div role="status" className={classes.verdict} data-verdict={test.data?.verdict ?? 'none'}>
        {test.data === undefined ? (
          <p className={classes.note}>
            {mayAct
              ? 'Looks up a payment that does not exist: it moves no money and says nothing of the account’s health.'
              : 'Testing takes the role of an operator or an owner.'}
          </p>
        ) : (
          <p>
            <strong>{VERDICTS[test.data.verdict]}</strong> {test.data.sentence}
            {testedAt !== null && (
              <span className={classes.when}>
                {' '}
                <Moment value={testedAt} />
              </span>
            )}
          </p>
        )}
      </div>
      <Refusal message={test.error?.message ?? null} />
    </section>
  );
}

const VERDICTS = { works: 'Works.', gateway: 'Does not work.', configuration: 'Does not work.' } as const;
