'use client';

import { Badge } from '#/components/badge/badge.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { describeDisabledReason, isDisabledAutomatically } from '#/copy/webhooks.ts';
import type { EndpointRow } from './endpoint-row.ts';

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
