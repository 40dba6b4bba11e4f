'use client';

import { SHARE_FROM } from '@switchyard/routing';
import { Badge } from '#/components/badge/badge.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { describeDisabledReason, isDisabledAutomatically } from '#/copy/webhooks.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';

/** A webhook endpoint, as the server lists it. */
export type EndpointRow = RouterOutputs['webhooks']['list'][number];

/** The state of an endpoint: enabled, failing, or disabled and why. */
export function EndpointBadge({ endpoint }: { endpoint: Pick<EndpointRow, 'enabled' | 'failingSince' | 'disabledReason'> }) {
  const { enabled, failingSince, disabledReason } = endpoint;
  if (!enabled) {
    return (
      <Badge
        tone={isDisabledAutomatically(disabledReason) ? 'bad' : 'over'}
        title={`Disabled: ${describeDisabledReason(disabledReason)}`}
      >
        Disabled
      </Badge>
    );
  }
  if (failingSince === null) {
    return (
      <Badge tone="good" title="Events are sent to it">
        Active
      </Badge>
    );
  }
  return (
    <Badge tone="bad" warns title="Every attempt has failed since then; after five days it is disabled">
      <span>
        Failing, <Moment value={failingSince} />
      </span>
    </Badge>
  );
}

/** The share of delivery attempts answered 2xx, never rounded up to 100 %: `99.9%`; `3 of 11` where they are too few for a percentage. */
export function shareOf({ attempts, delivered }: { readonly attempts: number; readonly delivered: number }): string {
  if (attempts === 0) return '–';
  if (attempts < SHARE_FROM) return `${delivered} of ${attempts}`;
  return `${Math.floor((delivered / attempts) * 1_000) / 10}%`;
}
