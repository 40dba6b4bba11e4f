'use client';

import { useMutation } from '@tanstack/react-query';
import type { EndpointRow } from '#/app/(admin)/webhooks/_components/endpoint-badge.tsx';
import { VerifySnippet } from '#/app/(admin)/webhooks/_components/verify-snippet.tsx';
import { Button } from '#/components/button/button.tsx';
import { Copyable } from '#/components/copyable/copyable.tsx';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { useNow } from '#/components/time/now.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { EVENT_LABELS, FORMAT_LABELS, formatOf } from '#/copy/webhooks.ts';
import { describeDayAndClock } from '#/format/moments.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';

/** The settings of an endpoint, and the infrequent actions. */
export function Settings({
  endpoint,
  onDo,
  onDone,
}: {
  endpoint: EndpointRow;
  onDo: (what: 'edit' | 'rotate' | 'off' | 'remove') => void;
  onDone: () => void;
}) {
  const trpc = useTRPC();
  const now = useNow();
  const may = useCan()('webhook:configure', endpoint.merchantId);
  const { merchantId, endpointId, types, previousSecretEndsAt } = endpoint;
  const end = useMutation(trpc.webhooks.endPreviousSecret.mutationOptions());
  const rotating = previousSecretEndsAt !== null && previousSecretEndsAt.getTime() > now;

  async function endOldSecret() {
    await end.mutateAsync({ merchantId, endpointId });
    onDone();
    showToast({ text: 'The old secret is no longer used.' });
  }

  return (
    <section className="mt-8" aria-label="Settings">
      <h2 className="mb-2 text-base font-semibold">Settings</h2>
      <div className="max-w-[720px]">
        <DescriptionList>
          <Description name="Events">
            {types.length === 0 ? 'All' : types.map((type) => EVENT_LABELS[type]?.label ?? type).join(', ')}
          </Description>
          <Description name="Format">{FORMAT_LABELS[formatOf(endpoint.format)]}</Description>
          <Description name="Signing secret">
            {rotating ? (
              <>
                Two active: the old one until <Moment value={previousSecretEndsAt} describe={describeDayAndClock} />
              </>
            ) : (
              'One active; it was shown when it was created'
            )}
          </Description>
          {endpoint.url.startsWith('https:') && (
            <Description name="Certificate">
              <Certificate expiresAt={endpoint.certificateExpiresAt} now={now} />
            </Description>
          )}
          <Description name="Endpoint">
            <Copyable text={endpointId} label="endpoint id" />
          </Description>
          <Description name="Added">
            <Moment value={endpoint.createdAt} />
          </Description>
        </DescriptionList>
        {may && (
          <div className="flex flex-wrap gap-2 mt-3.5">
            <Button onClick={() => onDo('edit')}>Edit</Button>
            <Button onClick={() => onDo('rotate')}>Rotate secret</Button>
            {rotating && (
              <Button
                loading={end.isPending}
                onClick={() => void endOldSecret().catch((error: Error) => showToast({ text: error.message, tone: 'bad' }))}
              >
                Expire the old secret now
              </Button>
            )}
            {endpoint.enabled && <Button onClick={() => onDo('off')}>Disable</Button>}
            <Button variant="danger" onClick={() => onDo('remove')}>
              Remove
            </Button>
          </div>
        )}
      </div>
      <VerifySnippet format={formatOf(endpoint.format)} />
    </section>
  );
}

/** When the certificate that the server showed at the last delivery expires. */
function Certificate({ expiresAt, now }: { expiresAt: Date | null; now: number }) {
  if (expiresAt === null) return 'Known after the first delivery';
  return (
    <>
      {expiresAt.getTime() <= now ? 'Expired' : 'Expires'} <Moment value={expiresAt} tense="either" />
    </>
  );
}
