'use client';

import { useMutation } from '@tanstack/react-query';
import type { EndpointRow } from '#/app/(admin)/webhooks/_components/endpoint-badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { describeDisabledReason } from '#/copy/webhooks.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import classes from './endpoint-page.module.css';
import { useEnableEndpoint } from './use-enable-endpoint.ts';

/** The frequent actions on an endpoint. */
export function HeadActions({
  endpoint,
  onTest,
  onResend,
}: {
  endpoint: EndpointRow;
  onTest: (deliveryId: string) => void;
  onResend: () => void;
}) {
  const trpc = useTRPC();
  const can = useCan();
  const { merchantId, endpointId } = endpoint;
  const test = useMutation(trpc.webhooks.sendTest.mutationOptions());

  async function send() {
    const outcome = await test.mutateAsync({ merchantId, endpointId });
    if (outcome.kind === 'queued') onTest(outcome.deliveryId);
    else showToast({ text: 'Nothing is sent to a disabled endpoint.', tone: 'bad' });
  }

  if (!can('webhook:resend', merchantId) || !endpoint.enabled) return null;
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        variant="accent"
        loading={test.isPending}
        onClick={() => void send().catch((error: Error) => showToast({ text: error.message, tone: 'bad' }))}
      >
        Send test event
      </Button>
      <Button onClick={onResend}>Resend events</Button>
    </div>
  );
}

/** An endpoint that is switched off, the reason, and switching it on. */
export function DisabledNotice({ endpoint, onDone }: { endpoint: EndpointRow; onDone: () => void }) {
  const can = useCan();
  const { merchantId, disabledAt, disabledReason } = endpoint;
  const { enable, busy } = useEnableEndpoint(endpoint, onDone);

  return (
    <div className={classes.notice} data-tone={disabledReason === 'staff' ? 'wait' : 'bad'}>
      <span>
        Disabled {disabledAt !== null && <Moment value={disabledAt} />}: {describeDisabledReason(disabledReason)}. Nothing is sent
        until it is enabled.
      </span>
      {can('webhook:configure', merchantId) && (
        <Button loading={busy} onClick={() => void enable()}>
          Enable
        </Button>
      )}
    </div>
  );
}
