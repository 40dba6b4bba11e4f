import { IconApi, IconArrowsExchange, IconBraces, IconKey, IconListSearch } from '@tabler/icons-react';
import type { Metadata } from 'next';
import Link from 'next/link';
import { Command } from '#/components/first-payment/first-payment.tsx';
import { firstPayment } from '#/components/first-payment/first-payment-command.ts';
import { PageHead } from '#/components/page/page-head.tsx';
import { hrefIn } from '#/scope/scope.ts';
import { publicUrl } from '#/server/public-url.ts';
import { type PageQuery, requireScope } from '#/server/session.ts';

export const metadata: Metadata = { title: 'Developers' };

export default async function Page({ searchParams }: { searchParams: PageQuery }) {
  const scope = await requireScope('/developers', searchParams);
  const { mode } = scope;
  const base = publicUrl();
  return (
    <div className="max-w-[880px]">
      <PageHead title="Developers" />
      <ul className="grid mb-10 border-t border-line">
        <li className="flex gap-4 py-4.5 border-b border-line text-ink-quiet text-sm [&_svg]:flex-none [&_svg]:text-accent-ink">
          <IconApi size={22} stroke={1.6} aria-hidden="true" />
          <div>
            <Link href="/docs" className="font-semibold no-underline hover:underline">
              Documentation
            </Link>
            <p>For merchants' developers: quickstart, webhooks, errors, test cards, and the API reference.</p>
          </div>
        </li>
        <li className="flex gap-4 py-4.5 border-b border-line text-ink-quiet text-sm [&_svg]:flex-none [&_svg]:text-accent-ink">
          <IconListSearch size={22} stroke={1.6} aria-hidden="true" />
          <div>
            <Link href={hrefIn(scope, '/developers/requests')} className="font-semibold no-underline hover:underline">
              Requests
            </Link>
            <p>Requests with API keys of the last seven days, by request ID: what was answered, and why one was refused.</p>
          </div>
        </li>
        <li className="flex gap-4 py-4.5 border-b border-line text-ink-quiet text-sm [&_svg]:flex-none [&_svg]:text-accent-ink">
          <IconBraces size={22} stroke={1.6} aria-hidden="true" />
          <div>
            <Link href={hrefIn(scope, '/developers/graphql')} className="font-semibold no-underline hover:underline">
              Finance explorer
            </Link>
            <p>Totals, success rates, fees, refunds and discrepancies as tables and CSV, or your own GraphQL query.</p>
          </div>
        </li>
        <li className="flex gap-4 py-4.5 border-b border-line text-ink-quiet text-sm [&_svg]:flex-none [&_svg]:text-accent-ink">
          <IconKey size={22} stroke={1.6} aria-hidden="true" />
          <div>
            <Link href={hrefIn(scope, '/developers/tokens')} className="font-semibold no-underline hover:underline">
              Machine tokens
            </Link>
            <p>
              Let a program read reports and export lists, or an AI agent find payments, explain decisions and draft rules through
              the Model Context Protocol.
            </p>
          </div>
        </li>
        <li className="flex gap-4 py-4.5 border-b border-line text-ink-quiet text-sm [&_svg]:flex-none [&_svg]:text-accent-ink">
          <IconArrowsExchange size={22} stroke={1.6} aria-hidden="true" />
          <div>
            <Link href={hrefIn(scope, '/developers/switch-over')} className="font-semibold no-underline hover:underline">
              Switch over
            </Link>
            <p>
              Send requests written for Paystack or Flutterwave here unchanged, and see what still goes to the gateway directly.
            </p>
          </div>
        </li>
      </ul>
      <section>
        <h2 className="mb-2 text-lg font-semibold">First payment</h2>
        <p className="mb-4 text-ink-quiet text-sm [&_code]:text-xs">
          The base URL is <code>{base}</code>. Keys that start with <code>sk_test_</code> reach test accounts only, keys that
          start with <code>sk_live_</code> move money.
        </p>
        <Command text={firstPayment(base, mode)} label="The request that initiates a payment" />
      </section>
    </div>
  );
}
