'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import type { ReactNode } from 'react';
import { Copyable } from '#/components/copyable/copyable.tsx';
import { Command } from '#/components/first-payment/first-payment.tsx';
import { PageHead } from '#/components/page/page-head.tsx';
import { SegmentedControl } from '#/components/segmented-control/segmented-control.tsx';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { DIALECT_NAMES, GUIDES } from '../dialects.ts';
import { DirectPayments } from './direct-payments.tsx';
import classes from './switch-over-page.module.css';

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
        <dl className={classes.changes}>
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
        <dl className={classes.list}>
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
        <dl className={classes.list}>
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
