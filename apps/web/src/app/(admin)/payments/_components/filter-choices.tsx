'use client';

import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { gatewayTitle, methodTitle } from '../../../../copy/gateways.ts';
import { PAYMENT_STATUSES, STATUS_LABELS } from '../../../../copy/payment-status.ts';
import { useScope } from '../../../../scope/use-scope.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import type { PaymentFilters } from '../filters.ts';
import classes from './filter-bar.module.css';
import type { FilterChange } from './filter-change.ts';

interface ChoicesProps {
  readonly filters: PaymentFilters;
  readonly onChange: (change: FilterChange) => void;
}

/** Filter by status, and by payments for review. */
export function StatusChoices({ filters, onChange }: ChoicesProps) {
  return (
    <>
      <Checkbox.Group
        aria-label="Status"
        value={[...filters.status]}
        onChange={(chosen) => onChange({ status: PAYMENT_STATUSES.filter((name) => chosen.includes(name)) })}
      >
        <div className={classes.choices}>
          {PAYMENT_STATUSES.map((name) => (
            <Checkbox key={name} value={name} label={STATUS_LABELS[name].word} size="xs" />
          ))}
        </div>
      </Checkbox.Group>
      <Checkbox
        className={classes.apart ?? ''}
        checked={filters.review}
        onChange={(event) => onChange({ review: event.currentTarget.checked || null })}
        label="Only those for review"
        size="xs"
      />
    </>
  );
}

const METHODS = ['CARD', 'TRANSFER', 'USSD', 'BANK', 'QR', 'WALLET', 'MOBILE_MONEY', 'DIRECT_DEBIT', 'NONE'] as const;

/** The methods the merchant requested, or none. */
export function MethodChoices({ filters, onChange }: ChoicesProps) {
  return (
    <Checkbox.Group
      aria-label="Method"
      value={[...filters.method]}
      onChange={(chosen) => onChange({ method: METHODS.filter((name) => chosen.includes(name)) })}
    >
      <div className={classes.choices}>
        {METHODS.map((name) => (
          <Checkbox key={name} value={name} label={name === 'NONE' ? 'None named' : methodTitle(name)} size="xs" />
        ))}
      </div>
    </Checkbox.Group>
  );
}

/** The gateways to filter by: those with accounts of the merchants, and those already chosen. */
export function GatewayChoices({ filters, onChange }: ChoicesProps) {
  const trpc = useTRPC();
  const { mode } = useScope();
  const { data: health } = useQuery(trpc.system.health.queryOptions(undefined, { staleTime: 60_000 }));
  const known = health?.gateways.filter((gateway) => gateway.mode === mode).map(({ gateway }) => gateway) ?? [];
  const names = [...new Set([...known, 'NONE', ...filters.gateway])];
  if (known.length === 0) return <p className={classes.none}>No merchant has a {mode} account at a gateway.</p>;
  return (
    <>
      <Checkbox.Group aria-label="Gateway" value={[...filters.gateway]} onChange={(chosen) => onChange({ gateway: chosen })}>
        <div className={classes.choices}>
          {names.map((name) => (
            <Checkbox key={name} value={name} label={name === 'NONE' ? 'None could take it' : gatewayTitle(name)} size="xs" />
          ))}
        </div>
      </Checkbox.Group>
      <Checkbox
        className={classes.apart ?? ''}
        checked={filters.at === 'NONE'}
        onChange={(event) => onChange({ at: event.currentTarget.checked ? 'NONE' : null })}
        label="Only where no checkout opened"
        size="xs"
      />
    </>
  );
}
