'use client';

import { merchantSettings } from '@switchyard/api/entered-fields';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { MerchantFields, merchantSchema } from '#/app/(admin)/merchants/_components/merchant-fields.tsx';
import { Button } from '#/components/button/button.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import type { Profile } from './profile.ts';

const AGENTS_LIVE = {
  value: 'live',
  label: 'Agents may save drafts in live mode',
  description:
    'Agents with a token that may save drafts can then change drafts of live rules and request their publication; a person still publishes.',
} as const;

/** The settings of the form of a new merchant, and those that only an existing merchant has. */
const schema = z.extend(merchantSchema, {
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
  const { name, defaultRedirectUrl, sessionMinutes, refundDuplicates, agentsMayWriteLive } = profile;
  return {
    name,
    defaultRedirectUrl: defaultRedirectUrl ?? '',
    sessionMinutes: String(sessionMinutes),
    refundDuplicates: refundDuplicates ? 'itself' : 'staff',
    agentsMayWriteLive: agentsMayWriteLive ? ['live'] : [],
  };
}
