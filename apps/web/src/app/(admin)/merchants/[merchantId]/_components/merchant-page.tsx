'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { RememberOpened } from '#/app-shell/commands/recent/remember-opened.tsx';
import { BackLink } from '#/components/back-link/back-link.tsx';
import { Copyable } from '#/components/copyable/copyable.tsx';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { MonthReview } from '#/components/month-review/month-review.tsx';
import { NothingHere } from '#/components/page/nothing-here.tsx';
import { PageHead } from '#/components/page/page-head.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { failureCode, useTRPC } from '#/trpc/client.tsx';
import type { Profile } from './profile.ts';
import { ProfileForm } from './profile-form.tsx';
import { ControlOfRefunds } from './refund-control.tsx';
import { ApprovalOfRules } from './rules-approval.tsx';

/** One merchant: its profile and settings, and links to its pages. */
export function MerchantPage({ merchantId }: { merchantId: string }) {
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.merchants.byId.queryOptions({ merchantId }));
  if (data !== undefined) return <MerchantView profile={data} />;
  if (error === null)
    return <div className="h-[360px] rounded-sm bg-ground-quiet" role="status" aria-label="Loading the merchant" />;
  const code = failureCode(error);
  if (code === 'NOT_FOUND' || code === 'BAD_REQUEST' || code === 'FORBIDDEN') return <NothingHere />;
  return <p role="alert">{error.message}</p>;
}

function MerchantView({ profile }: { profile: Profile }) {
  const { mode } = useScope();
  const { merchantId, name, merchantNumber, createdAt, updatedAt } = profile;
  const scope = { mode, merchantId };
  return (
    <div className="max-w-[1080px]">
      <BackLink href={hrefIn(scope, '/merchants')}>Merchants</BackLink>
      <RememberOpened kind="merchant" id={merchantId} title={name} mode={null} merchantId={merchantId} />
      <PageHead title={name} />
      <nav className="flex flex-wrap gap-x-5 gap-y-1.5 -mt-2 mb-6 text-sm" aria-label={`What belongs to ${name}`}>
        {SETUP_LINKS.map(({ path, label }) => (
          <Link key={path} href={hrefIn(scope, path)}>
            {label}
          </Link>
        ))}
      </nav>
      <div className="grid gap-x-14 gap-y-8 laptop:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)]">
        <section aria-label="Profile">
          <h2 className="mb-3 text-base font-semibold">Profile</h2>
          <ProfileForm key={updatedAt.getTime()} profile={profile} />
        </section>
        <div>
          <section aria-label="Details">
            <h2 className="mb-3 text-base font-semibold">Details</h2>
            <DescriptionList>
              <Description name="Merchant number">
                <Copyable text={merchantNumber} label="merchant number" />
              </Description>
              <Description name="Merchant id">
                <Copyable text={merchantId} label="merchant id" />
              </Description>
              <Description name="Added">
                <Moment value={createdAt} />
              </Description>
            </DescriptionList>
            <p className="mt-2 text-ink-faint text-xs">The number stands in every event record and never changes.</p>
          </section>
          <ApprovalOfRules profile={profile} />
          <section className="grid gap-2.5 justify-items-start mt-8 text-sm" aria-label="Review of months">
            <h2 className="text-base font-semibold">Review of months, {mode === 'live' ? 'live' : 'test'}</h2>
            <MonthReview merchantId={merchantId} mode={mode} />
          </section>
        </div>
      </div>
      <ControlOfRefunds profile={profile} />
    </div>
  );
}

const SETUP_LINKS = [
  { path: '/keys', label: 'API keys' },
  { path: '/webhooks', label: 'Webhooks' },
  { path: '/gateways', label: 'Gateways' },
  { path: '/routing', label: 'Rules' },
  { path: '/payments', label: 'Payments' },
] as const;
