'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { parseAsStringLiteral, useQueryStates } from 'nuqs';
import { Button } from '../../../../components/button.tsx';
import { CouldNotLoad } from '../../../../components/could-not-load/could-not-load.tsx';
import { PageHead } from '../../../../components/page-head.tsx';
import { useScope } from '../../../../scope/use-scope.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import { useMay } from '../../../../trpc/use-may.ts';
import type { EndpointRow } from './endpoint-row.ts';
import { EndpointsTable } from './endpoints-table.tsx';
import { VerifySnippet } from './verify-snippet.tsx';
import classes from './webhooks-page.module.css';

const CreateDialog = dynamic(() => import('./create-dialog.tsx').then((module) => module.CreateDialog));

const doingParser = { do: parseAsStringLiteral(['create'] as const) };

/** Merchants' webhook endpoints and their deliveries. */
export function WebhooksPage() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const scope = useScope();
  const may = useMay();
  const [doing, setDoing] = useQueryStates(doingParser, { history: 'push' });
  const { data, error, refetch } = useQuery(
    trpc.webhooks.list.queryOptions(scope, { refetchInterval: 10_000, placeholderData: keepPreviousData }),
  );
  const failing = data?.filter((one) => (one.enabled && one.failingSince !== null) || isDisabledAutomatically(one)).length ?? 0;
  return (
    <>
      <PageHead title="Webhooks">
        {may('webhook:configure') && (
          <Button tone="accent" onClick={() => void setDoing({ do: 'create' })}>
            Add an endpoint
          </Button>
        )}
      </PageHead>
      {data !== undefined && data.length > 0 && (
        <p className={classes.lead}>
          What happens to {scope.mode} payments is sent here, signed, in the order of each payment, and tried again for three
          days.
          {failing > 0 && <strong className={classes.failing}> {failing === 1 ? 'One fails.' : `${failing} fail.`}</strong>}
        </p>
      )}
      {error !== null && data === undefined && <CouldNotLoad error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <div className={classes.waiting} role="status" aria-label="Loading endpoints" />}
      {data?.length === 0 && <NoEndpoints mode={scope.mode} mayAdd={may('webhook:configure')} />}
      {data !== undefined && data.length > 0 && <EndpointsTable rows={data} />}
      {data !== undefined && <VerifySnippet />}
      {doing.do === 'create' && (
        <CreateDialog
          onDone={() => void queries.invalidateQueries({ queryKey: trpc.webhooks.list.queryKey() })}
          onClose={() => void setDoing({ do: null })}
        />
      )}
    </>
  );
}

function isDisabledAutomatically({ disabledReason }: EndpointRow): boolean {
  return disabledReason === 'failing' || disabledReason === 'gone';
}

/** Shown without endpoints: what an endpoint is for. */
function NoEndpoints({ mode, mayAdd }: { mode: string; mayAdd: boolean }) {
  return (
    <div className={classes.empty}>
      <h2 className={classes.title}>No {mode} endpoints yet</h2>
      <p className={classes.lead}>
        An endpoint is an address at the merchant’s server. Each time a payment succeeds, fails or is refunded, its event record
        is posted there, so that no server has to poll.
      </p>
      <p className={classes.example}>
        For example: <code>POST https://shop.example/hooks</code> with <code>payment.succeeded</code>, two seconds after the
        customer paid.
      </p>
      {!mayAdd && <p className={classes.lead}>Adding one takes an operator or an owner.</p>}
    </div>
  );
}
