'use client';

import { refundControlSettings } from '@switchyard/api/entered-fields';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { Button } from '#/components/button/button.tsx';
import { WaiverPanel } from '#/components/second-person/second-person.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { ROLE_LABELS, type Role } from '#/copy/roles.ts';
import { formatTimestamp } from '#/format/moments.ts';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { reportRefusal } from '#/forms/reply.ts';
import { useForm } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useCan } from '#/trpc/use-can.ts';
import type { Profile } from './profile.ts';

/** The control that the merchant keeps over refunds which people request. */
export function ControlOfRefunds({ profile }: { profile: Profile }) {
  const trpc = useTRPC();
  const { merchantId } = profile;
  const { data, error } = useQuery(trpc.refunds.control.read.queryOptions({ merchantId }));
  return (
    <section className="mt-10" aria-label="Refunds by people">
      <h2 className="mb-3 text-base font-semibold">Refunds by people</h2>
      <p className="max-w-[90ch] mb-4 text-ink-quiet text-sm">
        For refunds that people request in this dashboard. Refunds that the merchant’s own software requests with an API key are
        not affected.
      </p>
      {error !== null && <p role="alert">{error.message}</p>}
      {data?.waiver != null && <ControlWaiver merchantId={merchantId} waiver={data.waiver} />}
      {data !== undefined && <ControlForm profile={profile} control={data} />}
    </section>
  );
}

function ControlForm({ profile: { merchantId, name }, control }: { profile: Profile; control: RefundControl }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const may = useCan()('refund:configure', merchantId);
  const change = useMutation(trpc.refunds.control.change.mutationOptions());
  const show = () => queries.invalidateQueries({ queryKey: trpc.refunds.pathKey() });
  const form = useForm({
    schema: controlSchema,
    values: enteredControl(control),
    aliases: { 'dailyLimits.owner': 'owner', 'dailyLimits.finance': 'finance', 'dailyLimits.support': 'support' },
    async onSubmit(_, { changed }) {
      const changes = controlChanges(control, changed);
      const outcome = await change.mutateAsync({ merchantId, changes });
      if (outcome.kind === 'invalid') return outcome.problems;
      const before = Object.fromEntries(Object.entries(control).filter(([setting]) => setting in changes));
      const undo = async () => {
        await change.mutateAsync({ merchantId, changes: before });
        await show();
      };
      if (outcome.waiver === null) {
        showToast({ text: `Control of refunds at ${name} was changed.`, action: { label: 'Undo', run: undo } });
      } else {
        showToast({
          text: `Request sent. Refunds above ${amountText(control.secondPersonAbove)} need a second person until another person who may approve refunds agrees, by ${formatTimestamp(outcome.waiver.until)}.`,
        });
      }
      await Promise.all([show(), queries.invalidateQueries(trpc.attention.pathFilter())]);
      return null;
    },
  });
  return (
    <Form form={form} className="grid gap-4.5 max-w-[560px]" label="Control of refunds">
      <fieldset disabled={!may} style={{ display: 'contents' }}>
        <form.Number
          name="secondPersonAbove"
          label="Second person above"
          min={1}
          placeholder="Never"
          description="Whole units of each currency. A refund of more waits until another person who may approve refunds approves it; refunds of one payment in parts are added up. Another such person has to agree to a larger amount, or none."
        />
        {control.refunders.length < REFUNDERS_MIN && form.entered.secondPersonAbove !== '' && (
          <p className="py-2 px-2.5 rounded-md bg-wait-soft text-wait-ink text-sm">{describeAlone(control.refunders)}</p>
        )}
        {REFUNDING_ROLES.map((role) => (
          <form.Number
            key={role}
            name={role}
            label={`Daily limit of one person, ${ROLE_LABELS[role].name.toLowerCase()}`}
            min={1}
            placeholder={role === 'support' ? 'No refunds' : 'No limit'}
            description={LIMIT_NOTES[role]}
          />
        ))}
        <form.Area
          name="reasonCodes"
          label="Reason codes"
          rows={4}
          spellCheck={false}
          placeholder={'wrong_item: Wrong item delivered\ncancelled: Order cancelled'}
          description="One a line, the code and its title. With any, each refund needs one; it is shown in lists and reports. Empty for none."
        />
      </fieldset>
      <FormRefusal />
      {may ? (
        <div className="flex flex-wrap gap-2 items-center">
          <SubmitButton disabled={!form.isDirty}>Save changes</SubmitButton>
          {form.isDirty && <Button onClick={form.discard}>Undo changes</Button>}
          <span className="mt-2 text-ink-faint text-xs">
            {form.isDirty ? 'Applies to refunds requested from then on.' : 'No changes.'}
          </span>
        </div>
      ) : (
        <p className="mt-2 text-ink-faint text-xs">Only owners can change this.</p>
      )}
    </Form>
  );
}

/** A request to need a second person for larger refunds alone: its requester withdraws it, another person who may approve refunds answers it. */
function ControlWaiver({ merchantId, waiver }: { merchantId: string; waiver: NonNullable<RefundControl['waiver']> }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const may = useCan()('refund:approve', merchantId);
  const { data: me } = useQuery(trpc.me.queryOptions(undefined, { staleTime: 60_000 }));
  const answer = useMutation(trpc.refunds.control.answerWaiver.mutationOptions());
  const { requestedBy, requestedAt, requesterName, until, above, wanted } = waiver;
  if (me === undefined) return null;
  const isMine = requestedBy === `staff:${me.staffId}`;
  async function reply(agree: boolean): Promise<null> {
    const outcome = await answer.mutateAsync({ merchantId, agree, wanted });
    await Promise.all([
      queries.invalidateQueries(trpc.refunds.pathFilter()),
      queries.invalidateQueries(trpc.attention.pathFilter()),
    ]);
    showToast({ text: ANSWERED[outcome.kind] });
    return null;
  }
  const need = wanted === null ? 'no refund needs a second person' : `refunds above ${amountText(wanted)} need a second person`;
  if (isMine) {
    return (
      <p className="mb-4 text-ink-quiet text-sm">
        You requested <Moment value={requestedAt} /> that {need}. Another person who may approve refunds can agree until{' '}
        {formatTimestamp(until)}.{' '}
        <Button loading={answer.isPending} onClick={() => void reportRefusal(reply(false))}>
          Withdraw the request
        </Button>
      </p>
    );
  }
  if (!may) return null;
  return (
    <WaiverPanel
      requesterName={requesterName ?? 'A colleague'}
      requestedAt={requestedAt}
      wants={`requested that ${need}`}
      about={`Now those above ${amountText(above)} do, which stays so without an answer until ${formatTimestamp(until)}.`}
      busy={answer.isPending}
      onAnswer={reply}
    />
  );
}

type Answered = RouterOutputs['refunds']['control']['answerWaiver']['kind'];

const ANSWERED: Record<Answered, string> = {
  changed: 'Control of refunds was changed.',
  closed: 'The request is closed, and the control of refunds stays as it is.',
  not_requested: 'The request was answered or withdrawn, has expired, or is of a person who may not refund any more.',
  own_request: 'Another person has to agree to your request.',
};

function amountText(amount: bigint | null): string {
  return amount === null ? 'any amount' : amount.toLocaleString('en');
}

/** The requester, and the second person. */
const REFUNDERS_MIN = 2;

function describeAlone([name]: readonly string[]): string {
  const who = name === undefined ? 'No one may approve refunds here' : `${name} is the only person who may approve refunds here`;
  return `${who}: no one could approve a larger refund. Make another person an owner or finance on the Team page.`;
}

const LIMIT_NOTES: Readonly<Record<(typeof REFUNDING_ROLES)[number], string | undefined>> = {
  owner:
    'Whole units of each currency that one person may request in refunds from midnight to midnight in Lagos. Failed refunds do not count.',
  finance: undefined,
  support: 'Also of roles of your own. They refund nothing until a limit is entered.',
};

/** The control that a merchant keeps over refunds. */
type RefundControl = RouterOutputs['refunds']['control']['read'];

/** The roles that may refund, and so have a daily limit. */
const REFUNDING_ROLES = ['owner', 'finance', 'support'] as const satisfies readonly Role[];

/** A whole amount, or null for none. */
const amountOrNone = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text, context) => {
      const digits = text.replaceAll(/[\s,]/g, '');
      if (digits === '') return null;
      if (/^\d{1,20}$/.test(digits)) return BigInt(digits);
      context.issues.push({ code: 'custom', message: 'must be a whole number above 0', input: text });
      return z.NEVER;
    }),
  ),
  refundControlSettings.secondPersonAbove,
);

/** `wrong_item: Wrong item delivered`, one a line. */
const codeLines = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text) =>
      text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => {
          const [code = '', ...title] = line.split(':');
          return { code: code.trim(), title: title.join(':').trim() || code.trim() };
        }),
    ),
  ),
  refundControlSettings.reasonCodes,
);

/** The settings as they are entered, and as the server takes them. */
const controlSchema = z.object({
  secondPersonAbove: amountOrNone,
  owner: amountOrNone,
  finance: amountOrNone,
  support: amountOrNone,
  reasonCodes: codeLines,
});

/** The stored settings as the form shows them. */
function enteredControl({ secondPersonAbove, dailyLimits, reasonCodes }: RefundControl): z.input<typeof controlSchema> {
  return {
    secondPersonAbove: String(secondPersonAbove ?? ''),
    owner: String(dailyLimits.owner ?? ''),
    finance: String(dailyLimits.finance ?? ''),
    support: String(dailyLimits.support ?? ''),
    reasonCodes: reasonCodes.map(({ code, title }) => `${code}: ${title}`).join('\n'),
  };
}

/** Settings to change; omitted ones stay unchanged. */
interface ControlChanges {
  secondPersonAbove?: bigint | null;
  reasonCodes?: z.output<typeof codeLines>;
  dailyLimits?: Partial<Record<Role, bigint>>;
}

/** The edited settings as the server takes them: limits are one setting there. */
function controlChanges(control: RefundControl, changed: Partial<z.output<typeof controlSchema>>): ControlChanges {
  const { owner, finance, support, ...others } = changed;
  if (owner === undefined && finance === undefined && support === undefined) return others;
  const limits = { ...control.dailyLimits };
  for (const [role, limit] of [
    ['owner', owner],
    ['finance', finance],
    ['support', support],
  ] as const) {
    if (limit === null) delete limits[role];
    else if (limit !== undefined) limits[role] = limit;
  }
  return { ...others, dailyLimits: limits };
}
