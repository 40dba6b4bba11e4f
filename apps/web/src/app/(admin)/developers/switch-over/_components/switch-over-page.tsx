'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import type { ReactNode } from 'react';
import { Copyable } from '#/components/copyable/copyable.tsx';
import { Command } from '#/components/first-payment/first-payment.tsx';
import { roles } from '#/components/list/table-roles.ts';
import { BackLink, PageHead } from '#/components/page/page-head.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { numberCell, PlainTable } from '#/components/plain-table/plain-table.tsx';
import { SegmentedControl } from '#/components/segmented-control/segmented-control.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { gatewayTitle } from '#/copy/gateways.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';

/** The changes in a merchant's code to talk to Switchyard in a gateway's form. */
interface DialectGuide {
  readonly title: string;
  readonly oldBase: string;
  /** After our own address. */
  readonly newPath: string;
  readonly oldKey: string;
  readonly signature: string;
  /** The same call, to either base address. */
  readonly snippet: (base: string, key: string) => string;
}

/** The gateways whose code can be switched over. */
const DIALECT_NAMES = ['paystack', 'flutterwave'] as const;

type DialectName = (typeof DIALECT_NAMES)[number];

/** How each is switched over. */
const GUIDES: Readonly<Record<DialectName, DialectGuide>> = {
  paystack: {
    title: 'Paystack',
    oldBase: 'https://api.paystack.co',
    newPath: '/compat/paystack',
    oldKey: 'sk_live_…',
    signature: 'x-paystack-signature',
    snippet: (base, key) => `PAYSTACK_BASE=${base}
PAYSTACK_SECRET_KEY=${key}

curl "$PAYSTACK_BASE/transaction/initialize" \\
  -H "Authorization: Bearer $PAYSTACK_SECRET_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"email": "ada@example.com", "amount": "250000"}'`,
  },
  flutterwave: {
    title: 'Flutterwave',
    oldBase: 'https://api.flutterwave.com',
    newPath: '/compat/flutterwave',
    oldKey: 'FLWSECK-…-X',
    signature: 'verif-hash',
    snippet: (base, key) => `FLW_BASE=${base}
FLW_SECRET_KEY=${key}

curl "$FLW_BASE/v3/payments" \\
  -H "Authorization: Bearer $FLW_SECRET_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"tx_ref": "order-1001", "amount": 2500, "currency": "NGN",
       "redirect_url": "https://shop.example/done",
       "customer": {"email": "ada@example.com"}}'`,
  },
};

const dialectParser = parseAsStringLiteral(DIALECT_NAMES).withDefault('paystack');
const CHOICES = DIALECT_NAMES.map((value) => ({ value, label: GUIDES[value].title }));

/** How code written for a gateway is switched over to us, and what still reaches the gateways directly. */
export function SwitchOverPage({ publicUrl }: { publicUrl: string }) {
  const scope = useScope();
  const [dialect, setDialect] = useQueryState('from', dialectParser);
  const { title, oldBase, newPath, oldKey, signature, snippet } = GUIDES[dialect];
  const base = publicUrl + newPath;
  const key = `sk_${scope.mode}_…`;
  return (
    <>
      <BackLink href={hrefIn(scope, '/developers')}>Developers</BackLink>
      <PageHead title="Switch over">
        <SegmentedControl
          label="Code written for"
          choices={CHOICES}
          value={dialect}
          onChange={(value) => void setDialect(value)}
        />
      </PageHead>
      <p className="max-w-[720px] mb-4 text-ink-quiet text-sm">
        Code written for {title} keeps working: only its base address and its key change. Payments then follow the routing rules,
        fall back to other gateways and are verified at the one that received the money; responses and webhooks keep {title}'s
        format.
      </p>
      <section className="max-w-[1120px] mb-10">
        <h2 className="mb-2 text-lg font-semibold">What changes</h2>
        <dl className="lined-facts [--columns:120px_minmax(0,2fr)_minmax(0,3fr)] max-tablet:[--columns:minmax(0,1fr)] border-b border-line [&_dt]:font-medium">
          <div>
            <dt>Base address</dt>
            <dd>
              <code>{oldBase}</code>
            </dd>
            <dd>
              <Copyable text={base} label="the base address" whole />
            </dd>
          </div>
          <div>
            <dt>Secret key</dt>
            <dd>
              {title}'s, <code>{oldKey}</code>
            </dd>
            <dd>
              <Link href={hrefIn(scope, '/keys', { do: 'issue' })}>A {scope.mode} key of Switchyard</Link>, <code>{key}</code>
            </dd>
          </div>
          <div>
            <dt>Webhooks</dt>
            <dd>The address set at {title}</dd>
            <dd>
              <Link href={hrefIn(scope, '/webhooks', { do: 'create', format: dialect })}>An endpoint of the format {title}</Link>,
              with the secret that the code verifies <code>{signature}</code> with
            </dd>
          </div>
        </dl>
        <div className="grid grid-cols-2 gap-6 mt-4 max-laptop:grid-cols-1">
          <div>
            <h3 className="mb-2 text-ink-quiet text-sm font-medium">Before</h3>
            <Command text={snippet(oldBase, oldKey)} label={`A call to ${title}`} />
          </div>
          <div>
            <h3 className="mb-2 text-ink-quiet text-sm font-medium">After</h3>
            <Command text={snippet(base, key)} label="The same call, to Switchyard" />
          </div>
        </div>
      </section>
      <DirectPayments />
      <NotMapped dialect={dialect} />
    </>
  );
}

function NotMapped({ dialect }: { dialect: keyof typeof GUIDES }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.switchOver.mappings.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY }));
  const mappings = data?.[dialect];
  if (mappings === undefined) return null;
  const { title } = GUIDES[dialect];
  const refused = [
    ...mappings.refusedFields.map(({ field, why }) => ({ what: `\`${field}\``, why })),
    ...mappings.refusedCalls.map(({ call, why }) => ({ what: `\`${call}\``, why })),
  ];
  return (
    <>
      <section className="max-w-[1120px] mb-10">
        <h2 className="mb-2 text-lg font-semibold">What is refused</h2>
        <p className="max-w-[720px] mb-4 text-ink-quiet text-sm">
          What cannot be mapped is refused with {title}'s own error. Look for these in the code before it is switched over.
        </p>
        <dl className="lined-facts [--columns:minmax(0,2fr)_minmax(0,3fr)] max-tablet:[--columns:minmax(0,1fr)] border-b border-line [&_dt]:wrap-anywhere">
          {refused.map(({ what, why }) => (
            <div key={what}>
              <dt>{withCode(what)}</dt>
              <dd>{withCode(why)}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section className="max-w-[1120px] mb-10">
        <h2 className="mb-2 text-lg font-semibold">What differs</h2>
        <dl className="lined-facts [--columns:minmax(0,2fr)_minmax(0,3fr)] max-tablet:[--columns:minmax(0,1fr)] border-b border-line [&_dt]:wrap-anywhere">
          {mappings.differences.map(({ what, here }) => (
            <div key={what}>
              <dt>{withCode(what)}</dt>
              <dd>{withCode(here)}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  );
}

/** The mappings mark code as Markdown does: every second part is code. */
function withCode(text: string): ReactNode[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part));
}

const REPORTED = 'By webhooks';
const STATEMENTS = 'On statements';

/** Payments that reached gateway accounts in the last 7 days without coming through here. */
function DirectPayments() {
  const trpc = useTRPC();
  const scope = useScope();
  const { data, error } = useQuery(trpc.switchOver.direct.queryOptions(scope, { refetchInterval: 60_000 }));
  const severalMerchants = scope.merchantId === null;
  const direct = data?.filter(({ reported, onStatements }) => reported > 0 || onStatements > 0) ?? [];
  return (
    <section className="max-w-[1120px] mb-10">
      <h2 className="mb-2 text-lg font-semibold">What still arrives directly</h2>
      <p className="max-w-[720px] mb-4 text-ink-quiet text-sm">
        Payments of the last 7 days that the gateways report and that did not come through here: webhooks with a reference that is
        none of ours, and lines of statements that are missing here. When both are zero, everything has been switched over.
      </p>
      <Refusal message={data === undefined && error !== null ? error.message : null} />
      {data === undefined && error === null && (
        <div className="h-[120px] rounded-sm bg-ground-quiet" role="status" aria-label="Loading accounts" />
      )}
      {data !== undefined && data.length === 0 && (
        <p className="max-w-[720px] mb-4 text-ink-quiet text-sm">
          No gateway account yet. <Link href={hrefIn(scope, '/gateways', { do: 'connect' })}>Connect one</Link> first.
        </p>
      )}
      {data !== undefined && data.length > 0 && direct.length === 0 && (
        <p className="text-ink text-sm">
          Nothing arrived directly at {data.length === 1 ? 'the account' : `the ${data.length} accounts`}.
        </p>
      )}
      {direct.length > 0 && (
        <PlainTable
          label="Payments that arrive directly, by gateway account"
          cards={3}
          columns={[
            { title: 'Account' },
            { title: REPORTED, number: true },
            { title: STATEMENTS, number: true },
            { title: 'Last reported' },
          ]}
        >
          <tbody {...roles.group}>
            {direct.map((account) => (
              <tr key={account.accountId} {...roles.row}>
                <th scope="row" {...roles.rowHeader}>
                  {gatewayTitle(account.gateway)} <span className="text-ink-quiet font-normal">{account.label}</span>
                  {severalMerchants && <span className="text-ink-quiet font-normal">, {account.merchantName}</span>}
                </th>
                <td {...numberCell(REPORTED)}>
                  {account.reported === 0 ? (
                    '0'
                  ) : (
                    <Link href={hrefIn(scope, '/gateways', { account: account.accountId })}>
                      {account.reported.toLocaleString('en')}
                    </Link>
                  )}
                </td>
                <td {...numberCell(STATEMENTS)}>
                  {account.onStatements === 0 ? (
                    '0'
                  ) : (
                    <Link
                      href={hrefIn(scope, '/reconciliation', {
                        account: account.accountId,
                        state: 'all',
                        kind: 'MISSING_HERE',
                      })}
                    >
                      {account.onStatements.toLocaleString('en')}
                    </Link>
                  )}
                </td>
                <td data-name="Last reported" {...roles.cell}>
                  {account.lastReportedAt === null ? '–' : <Moment value={account.lastReportedAt} />}
                </td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
    </section>
  );
}
