'use client';

import { merchantSettings } from '@switchyard/api/entered-fields';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import * as z from 'zod/mini';
import { MerchantFields, merchantSchema } from '#/app/(admin)/merchants/_components/merchant-fields.tsx';
import { RememberOpened } from '#/app-shell/commands/recent/remember-opened.tsx';
import { Button } from '#/components/button/button.tsx';
import { Copyable } from '#/components/copyable/copyable.tsx';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { MonthReview } from '#/components/month-review/month-review.tsx';
import { NothingHere } from '#/components/page/nothing-here.tsx';
import { BackLink, PageHead } from '#/components/page/page-head.tsx';
import { RulesApproval, RulesWaiverRequest } from '#/components/rules-approval/rules-approval.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { failureCode } from '#/trpc/failure-code.ts';
import { useCan } from '#/trpc/use-can.ts';
import { MetadataKeys } from './metadata-keys.tsx';
import type { Profile } from './profile.ts';
import { ControlOfRefunds } from './refund-control.tsx';

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
  const { merchantId, name, merchantNumber, createdAt } = profile;
  const scope = { mode, merchantId };
  const can = useCan();
  const seesRules = can('routing:read', merchantId);
  return (
    <div className="max-w-[1080px]">
      <BackLink href={hrefIn(scope, '/merchants')}>Merchants</BackLink>
      <RememberOpened kind="merchant" id={merchantId} title={name} mode={null} merchantId={merchantId} />
      <PageHead title={name} />
      <nav className="flex flex-wrap gap-x-5 gap-y-1.5 -mt-2 mb-6 text-sm" aria-label={`What belongs to ${name}`}>
        {SETUP_LINKS.filter(({ permission }) => can(permission, merchantId)).map(({ path, label }) => (
          <Link key={path} href={hrefIn(scope, path)}>
            {label}
          </Link>
        ))}
      </nav>
      <div className="grid gap-x-14 gap-y-8 laptop:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)]">
        <section aria-label="Profile">
          <h2 className="mb-3 text-base font-semibold">Profile</h2>
          <ProfileForm profile={profile} />
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
          {seesRules && <ApprovalOfRules profile={profile} />}
          {can('report:read', merchantId) && (
            <section className="grid gap-2.5 justify-items-start mt-8 text-sm" aria-label="Review of months">
              <h2 className="text-base font-semibold">Review of months, {mode === 'live' ? 'live' : 'test'}</h2>
              <MonthReview merchantId={merchantId} mode={mode} />
            </section>
          )}
        </div>
      </div>
      {seesRules && <MetadataKeys profile={profile} />}
      <ControlOfRefunds profile={profile} />
    </div>
  );
}

const SETUP_LINKS = [
  { path: '/keys', label: 'API keys', permission: 'key:read' },
  { path: '/webhooks', label: 'Webhooks', permission: 'webhook:read' },
  { path: '/gateways', label: 'Gateways', permission: 'gateway:read' },
  { path: '/routing', label: 'Rules', permission: 'routing:read' },
  { path: '/payments', label: 'Payments', permission: 'payment:read' },
] as const;

const AGENTS_LIVE = {
  value: 'live',
  label: 'Agents may save drafts in live mode',
  description:
    'Agents with a token that may save drafts can then change drafts of live rules and request their publication; a person still publishes.',
} as const;

const HELD_OUT = [
  { value: '0', label: 'None' },
  {
    value: '1',
    label: '1% of customers',
    description: 'They are routed by the default order alone, and never to an account that is down',
  },
  { value: '2', label: '2% of customers' },
  { value: '3', label: '3% of customers' },
  { value: '4', label: '4% of customers' },
  { value: '5', label: '5% of customers' },
] as const;

/** The settings of the form of a new merchant, and those that only an existing merchant has. */
const schema = z.extend(merchantSchema, {
  holdoutPercent: z.pipe(
    z.pipe(
      z.enum(HELD_OUT.map(({ value }) => value)),
      z.transform((text) => Number(text)),
    ),
    merchantSettings.holdoutPercent,
  ),
  agentsMayWriteLive: z.pipe(
    z.pipe(
      z.array(z.enum(['live'])),
      z.transform((modes) => modes.length > 0),
    ),
    merchantSettings.agentsMayWriteLive,
  ),
});

/** The editable profile of a merchant. Applies to new payments at once; can be undone. */
export function ProfileForm({ profile }: { profile: Profile }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { merchantId } = profile;
  const mayUpdate = useCan()('merchant:update', merchantId);
  const update = useMutation(trpc.merchants.update.mutationOptions());
  const show = () => queries.invalidateQueries({ queryKey: trpc.merchants.pathKey() });
  const form = useForm({
    schema,
    values: enteredFrom(profile),
    async onSubmit(_, { changed }) {
      const outcome = await update.mutateAsync({ merchantId, changes: changed });
      if (outcome.kind === 'invalid') return outcome.problems;
      const before = Object.fromEntries(Object.entries(profile).filter(([name]) => name in changed));
      const undo = async () => {
        await update.mutateAsync({ merchantId, changes: before });
        await show();
      };
      showToast({ text: `${outcome.merchant.name} was changed.`, action: { label: 'Undo', run: undo } });
      await show();
      return null;
    },
  });
  return (
    <Form form={form} className="grid gap-4.5 max-w-[560px]">
      <fieldset disabled={!mayUpdate} style={{ display: 'contents' }}>
        <MerchantFields form={form} />
        <form.Radio name="holdoutPercent" label="Held out, to measure what rules earn" choices={HELD_OUT} />
        <form.Checkboxes name="agentsMayWriteLive" label="Agents" choices={[AGENTS_LIVE]} />
      </fieldset>
      <FormRefusal />
      {mayUpdate ? (
        <div className="flex flex-wrap gap-2 items-center">
          <SubmitButton disabled={!form.isDirty}>Save changes</SubmitButton>
          {form.isDirty && <Button onClick={form.discard}>Undo changes</Button>}
          <span className="mt-2 text-ink-faint text-xs">
            {form.isDirty ? 'Applies to new payments immediately.' : 'No changes.'}
          </span>
        </div>
      ) : (
        <p className="mt-2 text-ink-faint text-xs">Only operators and owners can change this.</p>
      )}
    </Form>
  );
}

function enteredFrom(profile: Profile): z.input<typeof schema> {
  const { name, defaultRedirectUrl, sessionMinutes, timeZone, refundDuplicates, holdoutPercent, agentsMayWriteLive } = profile;
  return {
    name,
    defaultRedirectUrl: defaultRedirectUrl ?? '',
    sessionMinutes: String(sessionMinutes),
    timeZone,
    refundDuplicates: refundDuplicates ? 'itself' : 'staff',
    holdoutPercent: HELD_OUT.find(({ value }) => value === String(holdoutPercent))?.value ?? '0',
    agentsMayWriteLive: agentsMayWriteLive ? ['live'] : [],
  };
}

/** The setting by which the merchant's rules need a second person before they are published. */
function ApprovalOfRules({ profile: { merchantId, name } }: { profile: Profile }) {
  const merchant = { merchantId, name };
  return (
    <section className="grid gap-2.5 justify-items-start mt-8 text-sm" aria-label="Approval of rules">
      <h2 className="text-base font-semibold">Approval of rules</h2>
      <RulesWaiverRequest merchant={merchant} />
      <RulesApproval merchant={merchant} />
    </section>
  );
}
