'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { Copyable } from '#/components/copyable/copyable.tsx';
import { JsonView } from '#/components/copyable/json-view.tsx';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { PanelPart, PanelSkeleton, SidePanel } from '#/components/side-panel/side-panel.tsx';
import { errorHref } from '#/copy/requests.ts';
import { formatTimestamp } from '#/format/moments.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { RequestBadge } from './requests-table.tsx';

type WholeRequest = RouterOutputs['requests']['byId'];

/** One request: what it was answered, and of a refused one what was sent, redacted. Escape closes it, `j` and `k` move through the list. */
export function RequestPanel({
  id,
  ids,
  onOpen,
  onClose,
}: {
  id: string;
  ids: readonly string[];
  onOpen: (id: string) => void;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const { data, error } = useQuery(
    trpc.requests.byId.queryOptions({ apiRequestId: id }, { staleTime: Number.POSITIVE_INFINITY }),
  );
  return (
    <SidePanel
      label="Request"
      steps={{ id, ids, words: ['Newer request', 'Older request'], onOpen }}
      from={['data-request', id]}
      onClose={onClose}
    >
      {error !== null && data === undefined && <Refusal message={error.message} />}
      {error === null && data === undefined && <PanelSkeleton label="Loading the request" />}
      {data !== undefined && <Whole request={data} />}
    </SidePanel>
  );
}

function Whole({ request }: { request: WholeRequest }) {
  const scope = useScope();
  const { method, path, status, requestId, keyName, merchantId, merchantName, mode, durationMs, endedAt, paymentId } = request;
  const own = { mode, merchantId };
  return (
    <>
      <h2 className="text-lg font-semibold wrap-anywhere">
        {method} {path}
      </h2>
      <p className="mb-3">
        <RequestBadge status={status} />
      </p>
      <DescriptionList>
        <Description name="Request ID">
          <Copyable text={requestId} label="the request id" />
        </Description>
        <Description name="Key">
          <Link href={hrefIn(own, '/keys')}>{keyName ?? 'A key that is gone'}</Link>
        </Description>
        <Description name="Merchant">{merchantName}</Description>
        <Description name="Duration">{durationMs.toLocaleString('en')} ms</Description>
        <Description name="Time">{formatTimestamp(endedAt)}</Description>
        {paymentId !== null && (
          <Description name="Payment">
            <Link href={hrefIn(scope, `/payments/${paymentId}`)}>{paymentId}</Link>
          </Description>
        )}
      </DescriptionList>
      <Errors request={request} />
      <Bodies request={request} />
    </>
  );
}

/** The codes of the errors, each with where it is explained. */
function Errors({ request: { error } }: { request: WholeRequest }) {
  if (error === null) return null;
  return (
    <PanelPart title="Error">
      <ul className="grid gap-1 text-sm">
        <li>
          <Link href={errorHref(error.code)}>
            <code>{error.code}</code>
          </Link>
        </li>
        {error.fields.map(({ field, code }) => (
          <li key={`${field} ${code}`}>
            <code>{field}</code>:{' '}
            <Link href="/docs/errors#fields">
              <code>{code}</code>
            </Link>
          </li>
        ))}
      </ul>
    </PanelPart>
  );
}

function Bodies({ request: { status, requestBody, responseBody } }: { request: WholeRequest }) {
  if (requestBody === null && responseBody === null) {
    const why =
      status === null || status < 400 ? 'Bodies are kept of refused requests only.' : 'No body of this request is kept.';
    return <p className="text-ink-faint text-xs">{why}</p>;
  }
  return (
    <>
      {requestBody !== null && (
        <PanelPart title="Request body">
          <JsonView text={requestBody} label="the request body" />
        </PanelPart>
      )}
      {responseBody !== null && (
        <PanelPart title="Response body">
          <JsonView text={responseBody} label="the response body" />
        </PanelPart>
      )}
      <p className="text-ink-faint text-xs">Redacted before it was kept: customers, metadata, card numbers and secrets.</p>
    </>
  );
}
